"""Compares what an explanation says with what a recording shows, question by question.

An explanation says what a frame does with an exception at a place (Prediction); the recording has what it did. Where an explanation cannot
know, since a filter of circ's runtime decides, both outcomes are predicted, and what follows from the one that came is checked."""
import bisect
import collections

import matching
from plant import site_key

WORD = (1 << 64) - 1
RUNS = ("cleanup", "finally")
CXX_RAISED, GCC_RAISED = 0xE06D7363, 0x20474343


class Explanation:
	def __init__(self, document, base=0):
		self.base, self.types, self.all = base, document["types"], document["functions"]
		self.functions = [f for f in document["functions"] if f.get("size")]
		self.functions.sort(key=lambda f: f.get("address", 0))
		self.begins = [f.get("address", 0) for f in self.functions]
		self.by_symbol = collections.defaultdict(list)
		for function in document["functions"]:
			self.by_symbol[function.get("symbol")].append(function)

	def function_over(self, address):
		at = bisect.bisect_right(self.begins, address) - 1
		if at < 0 or address - self.begins[at] >= self.functions[at]["size"]:
			return None
		return self.functions[at]

	def root(self, function):
		"""Of a funclet the function that it is of."""
		for _ in self.all:
			if "parent" not in function:
				break
			function = self.all[function["parent"]]
		return function

	def symbols(self, step):
		return [self.types[index].get("symbol") or self.types[index].get("name") for index in step.get("types", ())]

	def bases(self, symbol):
		"""The symbols of a type and its bases, where the explanation says that it knows them all; else None."""
		todo = [index for index, t in enumerate(self.types) if t.get("symbol") == symbol][:1]
		found = set()
		if not todo:
			return None
		while todo:
			kind = self.types[todo.pop()]
			if "bases" not in kind:
				return None
			found.add(kind.get("symbol"))
			todo += [index for index in kind["bases"] if self.types[index].get("symbol") not in found]
		return found


def site_over(function, offset):
	return next((site for site in function["sites"] if site.get("begin", 0) <= offset < site.get("end", 0)), None)


def end_of(function, site):
	return site["end_of_path"] if site else function["rest"]


class Frame:
	"""A function of Microsoft's C++ and its handlers that an exception leaves: predicted where it left the innermost."""

	def __init__(self, function, site):
		self.table, self.asks = function["table"], []
		self.steps, self.end = site["steps"] if site else [], end_of(function, site)


class Judge:
	"""faults: texts; counts: of what agreed, by what it was; passed: keys of the sites that exceptions went through."""

	def __init__(self, explanation, what):
		self.e, self.what, self.faults = explanation, what, []
		self.counts, self.passed = collections.Counter(), set()
		self.meanings = {}  # of selectors: the steps that it may stand for
		self.taken = {}  # Windows: the step that takes the exception, by frame
		self.frames = {}  # of handlers of Microsoft's C++ that were asked, by exception
		self.undefined = set()  # processes in which Wine went on where Windows terminates

	def fault(self, ask, text):
		self.faults.append(f"{self.what}: {ask}: {text}")

	def count(self, *key):
		self.counts[" ".join(key)] += 1

	def judge(self, recording):
		for ask in recording.asks:
			if self.is_followed(ask):
				self.judge_ask(ask)
		self.check_meanings()
		return self

	@staticmethod
	def is_followed(ask):
		"""Not the unwinder's own exceptions, which stop another one in a frame that has a cleanup (libgcc), and longjmp()."""
		if ask.personality.endswith("_seh0"):
			return ask.code == GCC_RAISED and ask.phase != "target"
		return True

	def judge_ask(self, ask):
		"""The call is before the address to which it returns; a fault is where it is."""
		exact = ask.row.get("fault") or (ask.first and ask.row.get("code", 0) >> 28 == 0xC)
		pc = ask.pc + self.e.base - (0 if exact else 1)
		function = self.e.function_over(pc)
		if not function:
			self.fault(ask, f"no function over {pc:#x}")
			return
		if function.get("address", 0) != ask.function + self.e.base:
			self.fault(ask, f"the function begins at {function.get('address', 0):#x}, expected {ask.function + self.e.base:#x}")
		if function.get("personality") != ask.personality:
			self.fault(ask, f"personality {function.get('personality')}")
		site = site_over(function, pc - function.get("address", 0))
		if site:
			self.passed.add(site_key(function, site))
		judges = {"lsda": self.judge_lsda, "cxx": self.judge_cxx, "scope": self.judge_scope}
		if function["tables"] not in judges:
			self.fault(ask, f"tables '{function['tables']}'")
			return
		judges[function["tables"]](ask, function, site)

	# --- which steps take it ---

	def takes(self, step, ask):
		"""True, False, or None: a filter decides."""
		kind, thrown = step["kind"], ask.row.get("type")
		if kind in RUNS:
			return False
		if kind in ("catch_all", "terminate"):
			return True
		if kind == "when":
			return None
		named = any(self.type_takes(symbol, step, thrown) for symbol in self.e.symbols(step))
		if kind == "specification":
			return not named if thrown and "language" not in thrown else not step.get("types")
		return named

	def type_takes(self, symbol, step, thrown):
		if not thrown or not symbol:
			return False
		if "names" in thrown:
			return matching.microsoft_takes(symbol, step.get("adjectives", 0), thrown)
		if "language" in thrown:
			return matching.own_takes(symbol, thrown)
		known = self.e.bases("_ZTI" + thrown["name"].lstrip("*"))
		takes = matching.itanium_takes(symbol, thrown)
		if known is not None and "pointee" not in thrown:
			self.count("bases")
			if (symbol in known) != takes:
				self.faults.append(f"{self.what}: bases of {thrown['name']}: {sorted(known)}, but a handler of {symbol} {'takes' if takes else 'does not take'} it")
		return takes

	def takers(self, steps, ask):
		"""The steps that may take it, in order; the last of them does if no filter before did."""
		found = []
		for step in steps:
			takes = self.takes(step, ask)
			if takes is None or takes:
				found.append(step)
			if takes:
				break
		return found

	# --- .gcc_except_table ---

	def judge_lsda(self, ask, function, site):
		steps = site["steps"] if site else []
		takers = self.takers(steps, ask)
		certain = bool(takers) and takers[-1]["kind"] != "when"
		ends = not certain and end_of(function, site) == "terminates"
		pad = (function.get("address", 0) + site.get("pad", 0)) & WORD if site and site.get("pad") else None
		if ask.phase == "search":
			self.judge_search(ask, takers, certain, ends)
			if ask.target:
				self.judge_landing(ask, function, takers, pad, (ask.target.row["target"] + self.e.base, ask.target.selector))
		elif ask.phase == "handler":
			self.judge_handler(ask, function, takers, ends, pad)
		else:
			self.judge_cleanup(ask, steps, ends, pad)

	def outcome(self, ask):
		"""continue, found, install or nothing; of Windows too, where what is found does not return."""
		if ask.answer is not None:
			return ask.answer["is"]
		if ask.phase == "search":  # not reached, where a cleanup on the way threw
			return "found" if ask.target or ("sp" in ask.row and not ask.last) else "nothing"
		return "install" if ask.target else "nothing"

	def judge_search(self, ask, takers, certain, ends):
		outcome = self.outcome(ask)
		allowed = {"found"} if certain else {"found", "nothing"} if ends else {"continue"}
		filtered = any(step["kind"] == "when" for step in takers)
		if filtered:  # a filter may say that it goes on where it was thrown, or end the program
			allowed |= {"found", "execution", "nothing"}
		elif outcome == "nothing" and not ask.last:
			self.fault(ask, "the handler never returned, and the program went on")
		if takers and takers[-1]["kind"] == "terminate":
			allowed.add("nothing")
		if outcome not in allowed:
			self.fault(ask, f"predicted {' or '.join(sorted(allowed))}, and it was {outcome}")
		kind = takers[-1]["kind"] if outcome == "found" and takers else "terminates" if ends else "goes on"
		self.count("search", kind)

	def judge_handler(self, ask, function, takers, ends, pad):
		if self.outcome(ask) == "nothing" and (ends or (takers and takers[-1]["kind"] == "terminate")):
			self.count("handler", "terminates")
		elif self.outcome(ask) != "install":
			self.fault(ask, f"predicted a handler, and it was {self.outcome(ask)}")
		else:
			self.judge_landing(ask, function, takers, pad, (ask.answer["pad"], ask.answer["selector"]))

	def judge_landing(self, ask, function, takers, pad, landed):
		if landed[0] != pad:
			self.fault(ask, f"predicted landing pad {pad and hex(pad)}, and it was {landed[0]:#x}")
		if not takers:
			self.fault(ask, "no step takes it, and a handler was entered")
			return
		key = (function.get("table"), landed[1])
		meanings = {self.meaning(step) for step in takers}
		self.meanings[key] = self.meanings.get(key, meanings) & meanings
		if not self.meanings[key]:
			self.fault(ask, f"selector {landed[1]} stands for no step that takes it: {meanings}")
		self.count("handler", takers[-1]["kind"])
		if len(takers) == 1 and takers[-1]["kind"] == "terminate" and not (ask.target or ask).last:
			self.fault(ask, "predicted that the program terminates, and it went on")

	def meaning(self, step):
		"""What terminates is a handler that takes everything."""
		kind = "catch_all" if step["kind"] == "terminate" else step["kind"]
		return (kind, step.get("function"), *self.e.symbols(step))

	def check_meanings(self):
		"""Two numbers of a table are no one type."""
		sure = collections.defaultdict(set)
		for (table, selector), meanings in self.meanings.items():
			if len(meanings) == 1:
				sure[(table, *meanings)].add(selector)
		for (table, meaning), selectors in sure.items():
			if len(selectors) > 1:
				self.faults.append(f"{self.what}: table {table:#x}: selectors {sorted(selectors)} are all {meaning}")

	def judge_cleanup(self, ask, steps, ends, pad):
		runs = any(step["kind"] in RUNS for step in steps)
		outcome = self.outcome(ask)
		expected = "install" if runs else "nothing" if ends else "continue"
		if outcome != expected:
			self.fault(ask, f"predicted {expected}, and it was {outcome}")
		elif runs:
			landed = ask.target.row["target"] + self.e.base if ask.target else ask.answer["pad"]
			selector = ask.target.selector if ask.target else ask.answer["selector"]
			if (landed, selector) != (pad, 0):
				self.fault(ask, f"predicted the cleanup at {pad:#x}, and it was {landed:#x}, selector {selector}")
		self.count("cleanup", expected)

	# --- __CxxFrameHandler3 ---
	#
	# An exception that leaves a handler is asked of in the handler's frame and in that of its function, in whose state the handler is.
	# Together they do what is predicted where the exception left the handler.

	def enters(self, ask):
		return [address + self.e.base for address in ask.enters]

	def judge_cxx(self, ask, function, site):
		if ask.process in self.undefined or (ask.phase == "search" and ask.code != CXX_RAISED):
			return
		kind = "search" if ask.phase == "search" else "unwind"
		key = (ask.process, kind, ask.exception)
		frame = self.frames.pop(key, None)
		if not frame or frame.table != function["table"]:
			frame = Frame(function, site)
		frame.asks.append(ask)
		is_handler = "parent" in function and function["rest"] != "terminates"
		if is_handler and (ask.answer or {}).get("is") == "continue" and ask.phase != "target":
			self.frames[key] = frame
		elif kind == "search":
			self.judge_cxx_search(ask, frame)
		else:
			self.judge_cxx_unwind(ask, frame)

	def judge_cxx_search(self, ask, frame):
		takers = self.takers(frame.steps, ask)
		self.taken[ask.process, ask.frame, ask.function] = takers[-1] if takers else None
		outcome = self.outcome(ask)
		terminates = frame.end == "terminates" and not takers or takers and takers[-1]["kind"] == "terminate"
		if terminates and outcome == "continue":  # docs/internals/windows.md: Wine 8 goes on where Windows terminates
			self.undefined.add(ask.process)
			self.count("search", "goes on, Wine")
			return
		expected = "found" if takers else "nothing" if terminates else "continue"
		entered = self.enters(ask)[:1]
		if outcome != expected:
			self.fault(ask, f"predicted {expected}, and it was {outcome}")
		elif takers and self.is_reached(ask) and entered != [takers[-1].get("begin")]:
			self.fault(ask, f"predicted the handler at {takers[-1].get('begin', 0):#x}, and it was {list(map(hex, entered))}")
		self.count("search", takers[-1]["kind"] if takers else "goes on")

	@staticmethod
	def is_reached(ask):
		"""Not where a cleanup threw on the way, which ends the program on Windows; Wine 8 goes on."""
		return ask.target is not None and ask.target.answer is not None

	def judge_cxx_unwind(self, ask, frame):
		taken = self.taken.get((ask.process, ask.frame, ask.function)) if ask.phase == "target" else None
		entered = [address for asked in frame.asks for address in self.enters(asked)]
		self.judge_funclets(ask, frame.steps, taken, entered, ("cleanup",))

	def judge_funclets(self, ask, steps, taken, entered, kinds):
		"""Those of the steps before the one that takes it run, in order."""
		end = len(steps)
		if taken is not None:
			end = next((at for at, step in enumerate(steps) if step == taken), -1)
			if end < 0:
				self.fault(ask, "the handler that was found is not one of this place")
				return
		expected = [step.get("begin") for step in steps[:end] if step["kind"] in kinds]
		if ask.answer is None:  # the last one threw
			expected = expected[:max(1, len(entered))]
		if entered != expected:
			self.fault(ask, f"predicted the funclets {list(map(hex, expected))}, and it was {list(map(hex, entered))}")
		self.count("cleanup", "funclets" if expected else "continue")
		self.counts["funclets"] += len(expected)

	# --- __C_specific_handler ---

	def steps_left(self, ask, site):
		"""A cleanup that throws is not run again, nor are scopes within it asked."""
		steps = site["steps"] if site else []
		if not ask.interrupted:
			return steps
		begun = self.enters(ask.interrupted)[-1]
		return steps[next((at + 1 for at, step in enumerate(steps) if step.get("begin") == begun), 0):]

	def judge_scope(self, ask, function, site):
		steps = self.steps_left(ask, site)
		key = (ask.process, ask.frame, ask.function)
		if ask.phase == "search":
			self.taken[key] = self.judge_filters(ask, steps)
		else:
			taken = self.taken.get(key) if ask.phase == "target" else None
			self.judge_funclets(ask, steps, taken, self.enters(ask), RUNS)

	def judge_filters(self, ask, steps):
		"""All filters are asked up to the one that takes it. Returns that step."""
		takers, taken = self.takers(steps, ask), None
		filters = [step["begin"] for step in takers if step["kind"] == "when"]
		entered, outcome = self.enters(ask), self.outcome(ask)
		if outcome == "continue" and takers and takers[-1]["kind"] != "when":
			self.fault(ask, f"predicted found, and it was {outcome}")
		expected = filters if outcome == "continue" else filters[:len(entered)]
		if entered != expected:
			self.fault(ask, f"predicted the filters {list(map(hex, filters))}, and it was {list(map(hex, entered))}")
		elif outcome == "found" and takers:
			taken = self.which_took(ask, takers, entered)
		elif outcome == "found":
			self.fault(ask, "no step takes it, and it was taken")
		self.count("search", taken["kind"] if taken else "goes on")
		return taken

	def which_took(self, ask, takers, entered):
		"""The last filter that was asked, if others were not. Else the frame may go on where the handler of all is."""
		filters = [step for step in takers if step["kind"] == "when"]
		if entered and (len(entered) < len(filters) or takers[-1] is filters[-1]):
			return filters[len(entered) - 1]
		if not ask.target:
			return None
		if ask.target.row["target"] + self.e.base == takers[-1].get("begin"):
			return takers[-1]
		if not entered:
			self.fault(ask, f"predicted to go on at {takers[-1].get('begin', 0):#x}")
			return None
		return filters[-1]


# --- the object that a program was linked from ---


def without_addresses(explanation, function):
	"""The sites of a function without what linking changes: addresses of code, and that calls are told apart by their relocations."""
	found = []
	for site in function["sites"]:
		if not site["steps"] and site["end_of_path"] == function["rest"]:
			continue
		steps = [(step["kind"], *explanation.symbols(step), step.get("function"), step.get("state"), step.get("adjectives", 0)) for step in site["steps"]]
		end = site["end_of_path"]
		if steps and steps[-1][0] == "terminate":  # what a handler calls is not always told in programs
			steps[-1], end = ("catch_all", *steps[-1][1:]), "caught"
		row = [site.get("begin", 0), site.get("end", 0), site.get("pad", 0), steps, end]
		if found and found[-1][1] == row[0] and found[-1][2:] == row[2:]:
			found[-1][1] = row[1]
		else:
			found.append(row)
	return found


def are_filters(before, after):
	"""What a filter of circ's runtime asks for is told by relocations: the program says only that there is one."""
	kinds = [step[0] for step in after[3]]
	return "when" in kinds and before[:3] == after[:3] and len(kinds) >= len(before[3]) and all(
		a == b or (b[0] == "when" and a[0] in ("catch", "catch_all", "when")) for a, b in zip(before[3], after[3]))


def compare_object(judge, inside):
	"""Sites of the same functions are the same before linking. Returns the differences as texts."""
	faults = []
	for function in inside.functions:
		linked = [f for f in judge.e.by_symbol[function.get("symbol")] if f["size"] == function["size"]]
		if not function.get("symbol") or len(linked) != 1 or len(inside.by_symbol[function["symbol"]]) != 1:
			continue
		before, after = without_addresses(inside, function), without_addresses(judge.e, linked[0])
		judge.count("functions of objects")
		same = len(before) == len(after) and all(a == b or are_filters(a, b) for a, b in zip(before, after))
		if not same or function["rest"] != linked[0]["rest"]:
			different = next(((a, b) for a, b in zip(before, after) if a != b and not are_filters(a, b)), (len(before), len(after)))
			faults.append(f"{judge.what}: {function['symbol']}: object {different[0]}, program {different[1]}")
	return faults
