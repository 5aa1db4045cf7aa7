"""Random nests of try, cleanup, throw, rethrow, loops and early exits, as structured CIR and as the C++ twin of it.

Both are printed side by side, statement by statement, from one random choice; run.py builds them and compares their traces.
The same seed gives the same program. What decides a branch at run time is `number`, and armed(N): a hash of the place, of
`number` and of how often the place was passed, so that each run takes other ways.
"""
import random

KINDS = ["int", "float", "base", "derived", "pointer", "foreign", "double"]
HANDLERS = {"int": ("_ZTIi", "int"), "float": ("_ZTIf", "float"), "base": ("_ZTI4Base", "Base &")}
MAX_DEPTH = 8

CIR_HEAD = """\
cir.global "private" constant external @_ZTIi : !cir.ptr<!u8i>
cir.global "private" constant external @_ZTIf : !cir.ptr<!u8i>
cir.global "private" constant external @_ZTI4Base : !cir.ptr<!u8i> {cir.ms.tag = "struct", cir.ms.bases = []}
cir.global "private" external @number : !s32i
cir.func private @step(!s32i)
cir.func private @cleanup(!s32i)
cir.func private @caught(!s32i) attributes {nothrow}
cir.func private @done(!s32i) attributes {nothrow}
cir.func private @armed(!s32i) -> !cir.bool attributes {nothrow}
"""

CXX_TAIL = """
static int visits[4096];

bool armed(int n) noexcept
{
	unsigned hash = (unsigned)n * 2654435761u + (unsigned)number * 40503u + (unsigned)visits[n]++ * 97u;
	return (hash >> 7) % 4 == 0;
}
"""


class Scope:
	"""What surrounds a statement."""

	def __init__(self, depth=0, loop=False, handler=False, armed=(), armed_in_loop=(), may_return=True, may_break=False):
		self.depth = depth
		self.loop = loop        # break and continue have a loop
		self.handler = handler  # a rethrow has an exception
		# Cleanups of kind `eh` that an exit leaves: the twin disarms them first, which is not right any more when a
		# cleanup that may throw stands between; then there are no such exits.
		self.armed, self.armed_in_loop = armed, armed_in_loop
		self.may_return, self.may_break = may_return, may_break

	def inner(self, **changes):
		return Scope(**{**self.__dict__, "depth": self.depth + 1, **changes})


class Generator:
	def __init__(self, seed, size):
		self.random = random.Random(seed)
		self.left = size
		self.cir, self.cxx, self.slots = [], [], []
		self.places = self.cleanups = self.values = self.loops = 0

	def both(self, depth, cir, cxx):
		self.op(depth, cir)
		self.code(depth, cxx)

	def op(self, depth, text):
		self.cir.append("  " * (depth + 1) + text)

	def code(self, depth, text):
		self.cxx.append("\t" * (depth + 1) + text)

	def value(self, depth, text):
		self.values += 1
		self.op(depth, f"%v{self.values} = {text}")
		return f"%v{self.values}"

	def constant(self, depth, number):
		return self.value(depth, f"cir.const #cir.int<{number}> : !s32i")

	def call(self, depth, function, number):
		argument = self.constant(depth, number)
		self.op(depth, f"cir.call @{function}({argument}) : (!s32i) -> ()")

	def block(self, scope):
		for _ in range(self.random.randint(1, 4)):
			if self.left > 0:
				self.statement(scope)

	def statement(self, scope):
		self.left -= 1
		if scope.depth >= MAX_DEPTH:
			return self.step(scope)
		choices = [self.step] * 4 + [self.cleanup, self.eh_cleanup, self.try_] * 2 + [self.if_, self.loop, self.throw]
		if scope.loop and scope.may_break:
			choices += [self.break_, self.continue_]
		if scope.may_return:
			choices.append(self.return_)
		if scope.handler:
			choices += [self.rethrow] * 2
		return self.random.choice(choices)(scope)

	def place(self):
		self.places += 1
		return self.places

	# --- statements ---------------------------------------------------------------------------------------------

	def step(self, scope):
		place = self.place()
		self.code(scope.depth, f"step({place});")
		self.call(scope.depth, "step", place)

	def cleanup(self, scope):
		self.cleanups += 1
		number = self.cleanups
		self.both(scope.depth, "cir.cleanup.scope {", "{")
		self.code(scope.depth + 1, f"Cleanup c{number}({number});")
		self.block(scope.inner(may_return=scope.may_return and not scope.armed,
		                       may_break=scope.may_break and not scope.armed_in_loop))
		self.end_cleanup(scope, "all", number)

	def eh_cleanup(self, scope):
		self.cleanups += 1
		number = self.cleanups
		self.both(scope.depth, "cir.cleanup.scope {", "{")
		self.code(scope.depth + 1, f"EhCleanup c{number}({number});")
		self.block(scope.inner(armed=(*scope.armed, number), armed_in_loop=(*scope.armed_in_loop, number)))
		self.code(scope.depth + 1, f"c{number}.leave();")
		self.end_cleanup(scope, "eh", number)

	def end_cleanup(self, scope, kind, number):
		self.op(scope.depth + 1, "cir.yield")
		self.op(scope.depth, f"}} cleanup {kind} {{")
		self.call(scope.depth + 1, "cleanup", number)
		self.op(scope.depth + 1, "cir.yield")
		self.both(scope.depth, "}", "}")

	def try_(self, scope):
		types = self.random.sample(sorted(HANDLERS), self.random.randint(0, len(HANDLERS)))
		catch_all = not types or self.random.random() < 0.5
		self.both(scope.depth, "cir.try {", "try {")
		self.block(scope.inner())
		self.op(scope.depth + 1, "cir.yield")
		for name in types:
			symbol, cxx_type = HANDLERS[name]
			self.handler(scope, f"[type #cir.global_view<@{symbol}> : !cir.ptr<!u8i>]", cxx_type)
		if catch_all:
			self.handler(scope, "all", "...")
		else:
			self.op(scope.depth, "} unwind (%t: !cir.eh_token) {")
			self.op(scope.depth + 1, "cir.resume %t : !cir.eh_token")
		self.both(scope.depth, "}", "}")

	def handler(self, scope, cir_type, cxx_type):
		depth, place = scope.depth + 1, self.place()
		token, catch = f"%t{place}", f"%c{place}"
		self.both(scope.depth, f"}} catch {cir_type} ({token}: !cir.eh_token) {{", f"}} catch ({cxx_type}) {{")
		self.op(depth, f"{catch}, %e{place} = cir.begin_catch {token} : !cir.eh_token -> (!cir.catch_token, !cir.ptr<!void>)")
		self.op(depth, "cir.cleanup.scope {")
		self.code(depth, f"caught({place});")
		self.call(depth + 1, "caught", place)
		self.block(scope.inner(handler=True))
		self.op(depth + 1, "cir.yield")
		self.op(depth, "} cleanup all {")
		self.op(depth + 1, f"cir.end_catch {catch} : !cir.catch_token")
		self.op(depth + 1, "cir.yield")
		self.op(depth, "}")
		self.op(depth, "cir.yield")

	def number_and(self, depth):
		bit = 1 << self.random.randint(0, 2)
		address = self.value(depth, "cir.get_global @number : !cir.ptr<!s32i>")
		number = self.value(depth, f"cir.load align(4) {address} : !cir.ptr<!s32i>, !s32i")
		mask = self.constant(depth, bit)
		masked = self.value(depth, f"cir.and {number}, {mask} : !s32i")
		return bit, self.value(depth, f"cir.cast int_to_bool {masked} : !s32i -> !cir.bool")

	def if_(self, scope):
		bit, condition = self.number_and(scope.depth)
		self.both(scope.depth, f"cir.if {condition} {{", f"if (number & {bit}) {{")
		self.block(scope.inner())
		self.both(scope.depth, "} else {", "} else {")
		self.block(scope.inner())
		self.both(scope.depth, "}", "}")

	def loop(self, scope):
		self.loops += 1
		name, depth = f"i{self.loops}", scope.depth
		slot = f"%{name}"
		self.slots.append(slot)
		self.code(depth, f"for (int {name} = 0; {name} < 3; {name}++) {{")
		zero = self.constant(depth, 0)
		self.op(depth, f"cir.store align(4) {zero}, {slot} : !s32i, !cir.ptr<!s32i>")
		self.op(depth, "cir.for : cond {")
		index = self.value(depth + 1, f"cir.load align(4) {slot} : !cir.ptr<!s32i>, !s32i")
		limit = self.constant(depth + 1, 3)
		more = self.value(depth + 1, f"cir.cmp lt {index}, {limit} : !s32i")
		self.op(depth + 1, f"cir.condition({more})")
		self.op(depth, "} body {")
		self.block(scope.inner(loop=True, may_break=True, armed_in_loop=()))
		self.op(depth + 1, "cir.yield")
		self.op(depth, "} step {")
		index = self.value(depth + 1, f"cir.load align(4) {slot} : !cir.ptr<!s32i>, !s32i")
		following = self.value(depth + 1, f"cir.inc {index} : !s32i")
		self.op(depth + 1, f"cir.store align(4) {following}, {slot} : !s32i, !cir.ptr<!s32i>")
		self.op(depth + 1, "cir.yield")
		self.both(depth, "}", "}")

	def exit(self, scope, cir, cxx, armed):
		bit, condition = self.number_and(scope.depth)
		self.both(scope.depth, f"cir.if {condition} {{", f"if (number & {bit}) {{")
		for number in armed:
			self.code(scope.depth + 1, f"c{number}.leave();")
		self.both(scope.depth + 1, cir, cxx)
		self.both(scope.depth, "}", "}")

	def break_(self, scope):
		self.exit(scope, "cir.break", "break;", scope.armed_in_loop)

	def continue_(self, scope):
		self.exit(scope, "cir.continue", "continue;", scope.armed_in_loop)

	def return_(self, scope):
		self.exit(scope, "cir.return", "return;", scope.armed)

	def if_armed(self, scope, place):
		argument = self.constant(scope.depth, place)
		condition = self.value(scope.depth, f"cir.call @armed({argument}) nothrow : (!s32i) -> !cir.bool")
		self.op(scope.depth, f"cir.if {condition} {{")

	def throw(self, scope):
		depth, place = scope.depth + 1, self.place()
		self.code(scope.depth, f"if (armed({place}))")
		self.code(depth, f"throw {1000 + place};")
		self.if_armed(scope, place)
		object_ = self.value(depth, "cir.alloc.exception 4 -> !cir.ptr<!s32i>")
		value = self.constant(depth, 1000 + place)
		self.op(depth, f"cir.store align(4) {value}, {object_} : !s32i, !cir.ptr<!s32i>")
		self.op(depth, f"cir.throw {object_} : !cir.ptr<!s32i>, @_ZTIi")
		self.op(depth, "cir.unreachable")
		self.op(scope.depth, "}")

	def rethrow(self, scope):
		place = self.place()
		self.code(scope.depth, f"if (armed({place}))")
		self.code(scope.depth + 1, "throw;")
		self.if_armed(scope, place)
		self.op(scope.depth + 1, "cir.throw")
		self.op(scope.depth + 1, "cir.unreachable")
		self.op(scope.depth, "}")

	# --- the whole ----------------------------------------------------------------------------------------------

	def scenario(self, number, events):
		parts = [f"n={number}"]
		for _ in range(events):
			of_cleanup = self.random.random() < 0.25
			place = self.random.randint(1, max(1, self.cleanups if of_cleanup else self.places))
			again = self.random.choice(["", "", "#2"])
			parts.append(f"{'c' if of_cleanup else ''}{place}{again}:{self.random.choice(KINDS)}")
		return ("bare," if self.random.random() < 0.15 else "") + ",".join(parts)

	def program(self):
		while self.left > 0:
			self.block(Scope())
		self.call(0, "done", 0)
		self.op(0, "cir.return")
		runs = [f"// run: {self.scenario(number, events)}" for number in range(8) for events in range(3)]
		slots = [f'  {slot} = cir.alloca "i" align(4) : !cir.ptr<!s32i>' for slot in self.slots]
		cir = "\n".join([*runs, CIR_HEAD + "cir.func @test() {", *slots, *self.cir, "}", ""])
		head = ['#include "twin.h"', "", 'extern "C" bool armed(int n) noexcept;', "", "#ifdef TWIN", "void test()", "{"]
		return cir, "\n".join([*head, *self.cxx, "\tdone(0);", "}", "#endif"]) + "\n" + CXX_TAIL


def generate(seed, size=60):
	"""The text of the .cir file, with its header, and of the .cpp file."""
	return Generator(seed, size).program()
