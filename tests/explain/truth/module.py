"""Compares what an explanation of a module says with what a recording shows of the program that circ made of it.

The place of a call in the CIR, which debug information has for the address, leads from a question to the sites of the module. Where circ wrote a
call several times (the cleanup of a normal and of an exceptional exit), several sites have one place: the recording must agree with one of them.
Where a function was inlined, what its own site leaves goes on at the site of its call."""
import collections
import copy
import itertools
import pathlib
import re

import calls
import matching
from judge import RUNS, Explanation, Judge
from plant import site_key

MICROSOFT = ("__CxxFrameHandler3", "__C_specific_handler")
MOST = 64  # variants of one question
KNOWN_TO_LLVM = ("free", "_ZdlPv", "_ZdlPvm", "_ZdaPv")  # it leaves out calls of these


class Variant:
	"""What one reading of the module says of a call. names: the functions that its sites are in."""

	def __init__(self, chain):
		self.steps, self.end, self.names, self.ends_in_cleanup = [], "leaves", set(), False
		self.is_unwinding = any(site.get("is_unwinding") for _, site in chain)
		self.is_throw = bool(chain[0][1].get("is_throw"))
		for function, site in chain:
			self.names.add(function.get("symbol"))
			self.steps += site["steps"]
			self.end = site["end_of_path"]
			if any(step.get("is_unwinding") for step in site["steps"]):
				self.end, self.ends_in_cleanup = "leaves", True  # a handler further out, here or in a caller, is found before
			if self.end != "leaves":
				break

	def key(self):
		return str([(s["kind"], s.get("op"), s.get("types"), s.get("is_conditional")) for s in self.steps]), self.end, self.is_unwinding


class Landing:
	"""What runs after an exception has come to a frame, until the landing pad is left or the handler begins; or in a `finally`, until it is left.
	called: of recorded functions, with their places; None: some of them have no place. caught: what is caught in it now, of others."""

	def __init__(self, ask, variants, is_finally=False):
		self.ask, self.variants, self.is_finally = ask, variants, is_finally
		self.called, self.caught, self.interrupted = [], 0, False

	def add(self, other):
		"""Of an exception that a cleanup here threw, and that it caught: what ran meanwhile."""
		self.caught += 1
		self.called = None if self.called is None or other.called is None else self.called + other.called


def first_of(steps, kind):
	return next((at for at, step in enumerate(steps) if step["kind"] == kind), len(steps))


def type_info_of(symbol):
	"""In functions of C++ an exception type is the type info of the struct of its name."""
	if symbol.startswith("_ZTI"):
		return symbol
	names = symbol.split(".")
	mangled = "".join(f"{len(name)}{name}" for name in names)
	return "_ZTI" + (f"N{mangled}E" if len(names) > 1 else mangled)


def plain_name(name):
	return "".join(word for word in re.split(r"(\W)", name) if word not in ("const", "volatile", "__ptr64", " ", "struct", "class"))


def place_key(file, line, column):
	return pathlib.PurePath(file or "").name, line, column


def recorded_functions(document):
	"""Those that cleanups call, and what ends a landing."""
	steps = (step for function in document["functions"] for site in function["sites"] for step in site["steps"])
	return {step["function"] for step in steps if step["kind"] in RUNS and "function" in step} | {*calls.OWN}


class ModuleJudge(Judge):
	"""places_of: from addresses of the program to their Places; has_columns: whether these have columns, which the program's own explanation
	has not."""

	def __init__(self, document, what, program, places_of, has_columns):
		super().__init__(Explanation(document), what)
		self.program, self.places_of, self.has_columns = program, places_of, has_columns
		self.has_pads = document.get("has_pads")  # those of an ABI, behind which code is not explained
		self.recorded = recorded_functions(document) - {function.get("symbol") for function in document["functions"]}
		self.landings = collections.defaultdict(list)  # by the stack pointer of their frame
		self.deferred = {}  # windows-msvc: what is said of the place where an exception left a handler, by exception
		self.unwinding, self.searched = [], {}  # windows-msvc: questions that run funclets; the ones of the search, by frame
		self.by_place = collections.defaultdict(list)
		self.defined = {function.get("symbol") for function in document["functions"]}
		for function in document["functions"]:
			for site in function["sites"]:
				self.by_place[self.key_of(site)].append((function, site))

	def takes(self, step, ask):
		"""Functions of circ's runtime see exceptions of C++ as foreign. On windows-msvc their handlers are filters, which decide."""
		of_circ = "circ_personality" in ask.personality
		is_typed, is_foreign = step["kind"] == "catch", "language" not in (ask.row.get("type") or {})
		if is_typed and ask.personality == "__C_specific_handler":
			return None
		if step["kind"] == "terminate" and (step.get("is_conditional") or step.get("is_unwinding")):  # in a cleanup that throws
			return False
		return False if is_typed and of_circ and is_foreign else super().takes(step, ask)

	def type_takes(self, symbol, step, thrown):
		if thrown and "names" in thrown:
			return self.microsoft_takes(symbol, thrown)
		if thrown and "language" not in thrown and symbol:
			symbol = type_info_of(symbol)
		return super().type_takes(symbol, step, thrown)

	def microsoft_takes(self, symbol, thrown):
		"""By the names of C++: in the tables, const and volatile of what a pointer points to are apart from its type."""
		names = {plain_name(t["name"]) for t in self.program.types if t.get("symbol") in matching.descriptors(thrown)}
		name = next((t["name"] for t in self.e.types if t.get("symbol") == type_info_of(symbol)), symbol.replace(".", "::"))
		qualifiers = 1 * ("const" in name) | 2 * ("volatile" in name)
		return plain_name(name) in names and not thrown["attributes"] & 3 & ~qualifiers

	def key_of(self, row):
		return place_key(row.get("file"), row.get("line", 0), row.get("column", 0) if self.has_columns else 0)

	def judge(self, recording):
		asks = [ask for ask in recording.asks if self.is_followed(ask) or ask.phase == "target"]
		pcs = {self.address(ask) for ask in asks} | {self.address_of_call(row) for row in recording.events if isinstance(row, dict)}
		self.places = self.places_of(pcs)
		owners = {id(ask.target): ask for ask in asks if ask.target}
		asked = set()
		for event in recording.events:
			if event is None:
				self.landings.clear()
			elif isinstance(event, dict):
				self.take_call(event)
			elif id(event) not in asked:
				asked.add(id(event))
				self.take_ask(event, owners.get(id(event)))
			elif event.answer and event.answer["is"] == "install":
				self.land(event)
			elif event.personality in MICROSOFT and event.phase != "search":
				self.judge_unwinding(event)
		return self

	def address(self, ask):
		exact = ask.row.get("fault") or (ask.first and ask.row.get("code", 0) >> 28 == 0xC)
		return ask.pc + self.program.base - (0 if exact else 1)

	def address_of_call(self, row):
		return row["pc"] + self.program.base - 1

	# --- questions ---

	def take_ask(self, ask, owner):
		if ask.personality in MICROSOFT and ask.phase != "search":
			ask.called = []
			self.unwinding.append(ask)
			return
		if ask.phase == "target":
			if owner and owner.target.row.get("selector") is not None and owner.personality.endswith("_seh0"):
				self.land(owner)
			return
		if self.is_followed(ask):
			self.judge_place(ask)

	def variants(self, ask):
		"""None: the function is not of the module, or its place is not known."""
		chain = self.places.at(self.address(ask))
		if not chain or chain[-1][0] not in self.defined:
			return None
		rows = [self.by_place.get(place_key(*place[1:]), []) for place in chain]
		rows = [[(f, s) for f, s in row if f.get("symbol") == place[0]] for row, place in zip(rows, chain)]
		inlined = not self.has_columns and any(s.get("callee") in self.defined for row in rows for _, s in row)
		if not all(rows) or inlined:  # CodeView has no places of what is inlined at one
			self.count("not judged:", "inlined, and CodeView has no places of it" if inlined else "its call has no line" if chain[0][2] == 0 else "its call is none of the CIR's")
			return None
		self.passed.update(site_key(function, site) for row in rows for function, site in row)
		found = {}
		for chosen in itertools.islice(itertools.product(*rows), MOST):
			variant = Variant(chosen)
			found.setdefault(variant.key(), variant)
		return list(found.values())

	def judge_place(self, ask):
		ask.variants = self.variants_left(ask, [])[0] if ask.personality in MICROSOFT else self.variants(ask)
		if not ask.variants:
			return
		trials = [self.trial(ask, variant) for variant in ask.variants]
		agreeing = [trial for trial in trials if not trial.faults]
		if agreeing:
			self.counts = agreeing[0].counts
			ask.variants = [variant for variant, trial in zip(ask.variants, trials) if not trial.faults]
			self.count("one site" if len(trials) == 1 else "one of several sites")
		else:
			self.faults.append(trials[0].faults[0])

	def trial(self, ask, variant):
		trial = copy.copy(self)
		trial.faults, trial.counts = [], collections.Counter(self.counts)
		takers = trial.takers(variant.steps, ask)
		if ask.personality in MICROSOFT:
			trial.judge_microsoft(ask, variant, takers)
		elif self.is_of_finally(variant, takers):
			trial.count("finally")
		elif variant.ends_in_cleanup and not takers and ask.phase != "cleanup":
			trial.count("found further out than a cleanup that throws")
		elif variant.end == "caught" and not takers:
			trial.count("replaced")  # by what its cleanup throws, whatever else the frame would do
		else:
			trial.judge_phase(ask, variant, takers)
		return trial

	@staticmethod
	def is_of_finally(variant, takers):
		"""A `finally` may be a handler to the runtime, that takes the exception and throws it on."""
		before = variant.steps[:variant.steps.index(takers[-1])] if takers else variant.steps
		return any(step["kind"] == "finally" for step in before)

	def judge_phase(self, ask, variant, takers):
		certain = bool(takers) and takers[-1]["kind"] != "when"
		ends = not certain and variant.end == "terminates"
		if ask.phase == "search":
			self.judge_search(ask, takers, certain, ends)
		elif ask.phase == "handler":
			self.judge_handler_of(ask, takers, ends)
		else:
			self.judge_cleanup_of(ask, variant, ends)

	def judge_handler_of(self, ask, takers, ends):
		terminates = ends or (takers and takers[-1]["kind"] == "terminate")
		if self.outcome(ask) != "install" and not terminates:
			self.fault(ask, f"predicted a handler, and it was {self.outcome(ask)}")
		elif not takers and not ends:
			self.fault(ask, "no step takes it, and a handler was entered")
		self.count("handler", takers[-1]["kind"] if takers else "terminates")

	def judge_cleanup_of(self, ask, variant, ends):
		"""A cleanup that calls nothing (the end of a lifetime) may be no code."""
		runs = [step for step in variant.steps if step["kind"] in RUNS]
		must = any("function" in step and step["function"] not in self.defined and not step.get("is_conditional") for step in runs)
		outcome = self.outcome(ask)
		drops = "circ_personality" in ask.personality  # in a cleanup or a finally: the exception that the new one replaces
		allowed = {"install"} if must else {"install", "continue"} if runs or drops else {"nothing", "install"} if ends else {"continue"}
		if outcome not in allowed:
			self.fault(ask, f"predicted {' or '.join(sorted(allowed))}, and it was {outcome}")
		self.count("cleanup", outcome)

	# --- what runs ---

	def land(self, ask):
		if self.has_pads:
			return
		frames, variants = self.landings[ask.frame], getattr(ask, "variants", None)
		for landing in frames:  # calls are taken to return: where one throws, and is caught, more runs than is said, or less
			landing.interrupted |= not variants or not all(variant.is_throw for variant in variants)
		frames.append(Landing(ask, variants))

	def take_call(self, row):
		self.take_call_in_funclet(row)
		landings = self.landings.get(row["sp"])
		chain = self.places.at(self.address_of_call(row))
		if not landings or not chain:
			return
		landing, name, place = landings[-1], row["call"], place_key(*chain[0][1:])
		if landing.variants and not any(chain[0][0] in variant.names for variant in landing.variants):
			return
		if name in calls.DROPPED:
			del landings[-2:-1]
		elif name in calls.CAUGHT:
			self.end_catch(landings, name, place)
		elif name in calls.THROWS:
			self.judge_landing_of(landing, name, place)
		elif name in calls.LANDED or name in calls.ENDS:
			landings.pop()
			self.end_landing(landings, landing, name, place)
		elif place[1] == 0:  # one call for several, of no place
			landing.called = None
		elif landing.called is not None:
			landing.called.append((name, place))

	def end_landing(self, landings, landing, name, place):
		outer = landings[-1] if landings else None
		if outer and name in calls.LANDED:
			outer.add(landing)
		self.judge_landing_of(landing, name, place)
		if name in calls.LANDED and self.lands_in_finally(landing):
			landings.append(Landing(landing.ask, landing.variants, True))

	def end_catch(self, landings, name, place):
		"""The innermost `finally` is left, if it is its own catch that ends."""
		landing = next((landing for landing in reversed(landings) if landing.is_finally), None)
		if landing and landing.caught:
			landing.caught -= 1
		elif landing:
			landings.remove(landing)
			self.judge_landing_of(landing, name, place)

	def lands_in_finally(self, landing):
		"""Which are handlers to circ's runtime, that take everything. In functions of C++ they are called out of a function of their own."""
		return bool(landing.variants) and self.is_of_circ(landing) and all(
			first_of(variant.steps, "finally") < self.first_taker(variant.steps, landing) for variant in landing.variants)

	def first_taker(self, steps, landing):
		takers = self.takers(steps, landing.ask)
		return steps.index(takers[0]) if takers else len(steps)

	def is_finally_or_filter(self, landing, place):
		"""Optimized handlers share the call that begins the catch, so its place may be neither's. That of a finally has the place of its cir.try,
		as what terminates around it."""
		for variant in landing.variants:
			steps, takers = variant.steps, self.takers(variant.steps, landing.ask)
			certain = min([len(steps), *(steps.index(step) for step in takers if step["kind"] != "when")])
			at = first_of(steps, "finally")
			if self.first_taker(steps, landing) < at < certain and not any(self.key_of(step) == place for step in takers if step["kind"] != "terminate"):
				return True
		return False

	@staticmethod
	def is_of_circ(landing):
		return "circ_personality" in landing.ask.personality

	def not_judged(self, landing, name, place):
		"""Why not; None: it is."""
		if not landing.variants:
			return "landing of a call without place in the CIR"
		if landing.called is None:
			return "a call of its cleanup has no line"
		if name in calls.LANDED and place[1] == 0:
			return "the catch has no line"
		if landing.interrupted:
			return "a call of its cleanup threw"
		if not self.is_of_circ(landing) and any(step["kind"] == "finally" for variant in landing.variants for step in variant.steps):
			return "finally of C++"
		return "the line does not tell a finally from a filter's handler" if name in calls.LANDED and self.is_finally_or_filter(landing, place) else None

	def judge_landing_of(self, landing, name, place):
		why = self.not_judged(landing, name, place)
		if why:
			self.count("not judged:", why)
			return
		ran = [self.what_ran(landing, variant, name, place) for variant in landing.variants]
		if any(text is None for text in ran):
			self.count("landing", "in finally" if landing.is_finally else "handler" if name in calls.LANDED else "cleanup")
			self.counts["cleanups that ran"] += len(landing.called)
		else:
			self.fault(landing.ask, f"at {name} {place}: {ran[0]}")

	def what_ran_in_finally(self, landing, variant):
		"""Another `finally` may follow behind the throw at the end of this one."""
		steps = variant.steps[first_of(variant.steps, "finally"):]
		end = next((at for at, step in enumerate(steps) if step["kind"] != "finally"), len(steps))
		return self.order_differs(landing.called, steps[:end], True)

	def what_ran(self, landing, variant, name, place):
		"""None, or how it differs from the variant."""
		steps = variant.steps
		if landing.is_finally:
			return self.what_ran_in_finally(landing, variant)
		if name in calls.LANDED and self.lands_in_finally(landing):
			steps = steps[:first_of(steps, "finally")]
		elif name in calls.LANDED:
			taken = [at for at, step in enumerate(steps) if step in self.takers(steps, landing.ask) and self.key_of(step) == place]
			if not taken:
				return f"no handler that takes it is there, of {[(step['kind'], step.get('line')) for step in steps]}"
			steps = steps[:taken[0]]
		return self.order_differs(landing.called, steps, name in calls.THROWS)

	def order_differs(self, ran, steps, goes_on=False):
		"""goes_on: what is left may still run. A step runs again where it is in a loop, which is one step for all rounds. What is called through a pointer has no
		name, and where a function of the module is called, it may be inlined."""
		expected = [step for step in steps if step["kind"] in RUNS and step.get("function") in self.recorded]
		others = {self.key_of(step) for step in steps if step["kind"] in RUNS and step.get("function") not in self.recorded}
		at = 0
		for name, place in ran:
			if place in others:
				continue
			step = next((i for i in range(at, len(expected)) if (expected[i]["function"], self.key_of(expected[i])) == (name, place)), None)
			again = next((i for i in range(at) if (expected[i]["function"], self.key_of(expected[i])) == (name, place)), None)
			if step is None and again is None:
				return f"{name} of line {place[1]} ran out of turn; what ran: {ran}"
			skipped = [] if step is None else [other for other in expected[at:step] if self.must_run(other)]
			if skipped and again is None:
				return f"{skipped[0]['function']} of line {skipped[0].get('line')} did not run when it was its turn; what ran: {ran}"
			if step is not None and not skipped:
				at = step + 1
		skipped = [other for other in expected[at:] if self.must_run(other) and not goes_on]
		return f"{skipped[0]['function']} of line {skipped[0].get('line')} did not run; what ran: {ran}" if skipped else None

	@staticmethod
	def must_run(step):
		return not step.get("is_conditional") and step["function"] not in KNOWN_TO_LLVM

	# --- windows-msvc ---
	#
	# An exception that leaves a handler is asked of in the handler's frame and in that of its function; the module has one site for both.

	def variants_left(self, ask, called):
		"""What is said of the place that the exception leaves, and what ran since; None: the question for it is still to come."""
		function = self.program.function_over(self.address(ask))
		root = function and self.program.root(function).get("symbol")
		key = (ask.process, ask.phase == "search", ask.exception)
		carried = self.deferred.pop(key, None)
		if carried and carried[0] == root:
			variants, called = carried[1], carried[2] + called
		else:
			variants = self.variants(ask)
		is_handler = function and "parent" in function and function["rest"] != "terminates"
		if is_handler and (ask.answer or {}).get("is") == "continue" and ask.phase != "target":
			self.deferred[key] = (root, variants, called)
			return None, called
		return variants, called

	def take_call_in_funclet(self, row):
		while self.unwinding and self.unwinding[-1].sp <= row["sp"]:
			self.unwinding.pop()
		chain = self.places.at(self.address_of_call(row)) if self.unwinding else None
		function = chain and self.program.function_over(self.address_of_call(row))
		if function and row["call"] not in calls.OWN and self.is_running(function):
			self.unwinding[-1].called.append((row["call"], place_key(*chain[0][1:])))

	def is_running(self, function):
		return function.get("address", 0) - self.program.base in self.unwinding[-1].enters

	def judge_unwinding(self, ask):
		if ask in self.unwinding:
			del self.unwinding[self.unwinding.index(ask):]
		variants, called = self.variants_left(ask, ask.called)
		searched = self.searched.get((ask.process, ask.frame, ask.function))
		if not variants or not searched:
			return
		if ask.interrupted:  # what its cleanups threw and caught decides what runs
			self.count("not judged:", "a call of its cleanup threw")
			return
		root = self.program.root(self.program.function_over(self.address(ask))).get("symbol")
		if any(symbol and symbol.startswith(f"{root}.") for symbol in self.program.by_symbol):
			self.count("not judged:", "its cleanups are functions of their own")
			return
		differ = [self.funclets_differ(searched, ask, variant, called) for variant in variants]
		if all(differ):
			self.fault(ask, differ[0])
		else:
			self.count("landing", "handler" if ask.phase == "target" else "cleanup")
			self.counts["cleanups that ran"] += len(called)

	def funclets_differ(self, searched, ask, variant, called):
		takers, steps = self.takers(variant.steps, searched), variant.steps
		if self.is_of_finally(variant, []) or len(takers) > 1 or (takers and takers[-1]["kind"] == "terminate"):
			return None
		if ask.phase == "target":
			steps = steps[:steps.index(takers[-1])] if takers else []
		return self.order_differs(called, steps)

	def judge_microsoft(self, ask, variant, takers):
		"""Whether the frame takes it."""
		self.searched[ask.process, ask.frame, ask.function] = ask
		if not takers and (variant.ends_in_cleanup or variant.end == "caught"):  # what its cleanup throws goes on
			self.count("found further out than a cleanup that throws" if variant.ends_in_cleanup else "replaced")
			return
		terminates = variant.end == "terminates" and not takers or takers and takers[-1]["kind"] == "terminate"
		outcome = self.outcome(ask)
		certain = bool(takers) and takers[-1]["kind"] not in ("when", "terminate")
		allowed = {"found"} if certain else {"nothing", "continue", "found"} if terminates else {"continue"}
		if any(self.takes(step, ask) is None for step in takers) or self.is_of_finally(variant, takers):
			allowed |= {"found", "execution", "nothing", "continue"}
		if outcome not in allowed:
			self.fault(ask, f"predicted {' or '.join(sorted(allowed))}, and it was {outcome}")
		self.count("search", takers[-1]["kind"] if takers else "goes on")
