"""Reads what a recorder wrote: questions in their order, each with its answer and what ran meanwhile."""
import json

GCC_UNWIND = 0x21474343  # libgcc's own, on Windows: stops another exception in a frame with a cleanup


class Ask:
	"""One frame, asked once. answer: None where the handler did not return; enters: the funclets that it called; target: where it
	went on then, a question too."""

	def __init__(self, row, process):
		self.process = process
		self.row, self.answer, self.enters, self.target = row, None, [], None
		self.first, self.interrupted = False, None

	def __getattr__(self, name):
		return self.row[name]

	def __str__(self):
		return f"{self.phase} {self.personality} pc {self.pc:#x} type {self.row.get('type')}"


class Recording:
	def __init__(self, path):
		self.path = path
		self.asks, self.open, self.raised, self.stray, self.process = [], [], None, 0, 0
		self.events = []  # in order: an Ask, where it is asked and once more where it is answered; a row of a call; None: a process begins
		with open(path, encoding="ascii") as lines:
			for line in lines:
				self.take(json.loads(line))
		self.find_targets()
		self.mark_last()

	def take(self, row):
		if "call" in row:
			self.events.append(row)
			return
		if "sp" in row:  # what is deeper in the stack is gone
			while self.open and self.open[-1].sp <= row["sp"]:
				self.open.pop()
		if "start" in row:
			self.open, self.process = [], self.process + 1
			self.events.append(None)
		elif "raise" in row:
			self.raised = row
		elif "ask" in row:
			self.asks.append(Ask(row, self.process))
			self.asks[-1].first, self.raised = self.raised is not None, None
			self.asks[-1].interrupted = self.find_interrupted(row)
			self.open.append(self.asks[-1])
			self.events.append(self.asks[-1])
		elif "answer" in row:
			self.take_answer(row)
		elif self.open:
			self.open[-1].enters.append(row["enter"])
		else:
			self.stray += 1

	def find_interrupted(self, row):
		"""Windows: a question about the same frame, whose cleanup is running and has thrown."""
		same = [ask for ask in self.open if ask.phase != "search" and (ask.frame, ask.function) == (row["frame"], row["function"])]
		return same[-1] if same and same[-1].enters else None

	def take_answer(self, row):
		while self.open and self.open[-1].ask != row["answer"]:
			self.open.pop()
		self.events.append(self.open[-1])
		self.open.pop().answer = row

	def mark_last(self):
		"""Those behind which nothing is asked in their process."""
		for ask, following in zip(self.asks, self.asks[1:]):
			ask.last = ask.process != following.process
		if self.asks:
			self.asks[-1].last = True

	def find_targets(self):
		"""Windows: a frame that took the exception, or wants to run a cleanup, is asked again as a target."""
		waiting = {}
		for ask in self.asks:
			if ask.phase == "target":
				asked = waiting.pop((ask.process, ask.frame, ask.function), None)
				if asked:
					asked.target = ask
			elif ask.answer is None and ask.row.get("code") != GCC_UNWIND:
				waiting[ask.process, ask.frame, ask.function] = ask
