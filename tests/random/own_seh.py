"""Programs of own.py in C with __try, __except and __finally, whose filters and termination handlers are Microsoft's and clang's."""
import re
import sys

sys.dont_write_bytecode = True
import own_tree  # noqa: E402

# runtime.cpp and own_runtime.cpp once more. Of another language is what own_act() throws there as C++.
HEAD = r"""
int printf(const char *, ...);
void RaiseException(unsigned code, unsigned flags, unsigned n, const unsigned long long *information);
struct Record { unsigned code, flags; struct Record *next; void *address; unsigned n; unsigned long long information[15]; };
struct Pointers { struct Record *record; void *context; };
typedef int Function(int);
enum { OWN = 0xE0000001, FOREIGN = 0xE0000002, NONCONTINUABLE = 1 };

static unsigned state, decisions;
static unsigned decide(void) { state = state * 1664525u + 1013904223u; decisions++; return state >> 16; }
static int exhausted(void) { return decisions > 150; }
static int choose(void) { return decide() & 1; }
static int more(void) { return !exhausted() && decide() % 4 != 0; }
void touch(void) {}
int yes(void) { return 1; }
static void ev(int n) { printf(" %d", n); }
static void own_saw(int n) { printf(" x=%d", n); }
static void own_abnormal(int abnormal) { printf(abnormal ? " abnormal" : " normal"); }
static void own_code(unsigned code) { printf(code == OWN ? " own" : " foreign"); }
static void throw_own(int n, unsigned flags)
{
	unsigned long long information = n;
	RaiseException(OWN, flags, 1, &information);
}
static void own_act(int n)
{
	printf(" act%d", n);
	if (exhausted() || decide() % 6 != 0)
		return;
	unsigned kind = decide() % 10;
	if (kind >= 5 && kind < 9)
		throw_own(n, 0);
	else
		RaiseException(FOREIGN, NONCONTINUABLE, 0, 0);
	printf(" on%d", n);
}
static int own_answer(const struct Pointers *p, int n)
{
	printf(" when%d", n);
	if (p->record->code == OWN)
		printf("=%d", (int)p->record->information[0]);
	switch (decide() % 4) {
	case 0:
		return 0;
	case 1:
		return p->record->flags & NONCONTINUABLE ? 0 : -1;
	default:
		return 1;
	}
}
static void own_through(Function *f, int n)
{
	__try {
		f(n);
	} __finally {
		printf(" ~%d", n);
	}
}
"""

MAIN = r"""
int main(void)
{
	for (int test = 0; tests[test]; test++)
		for (int sequence = 0; sequence < SEQUENCES; sequence++) {
			state = sequence * 2654435761u + 12345u;
			decisions = 0;
			printf("%d.%d:", test, sequence);
			__try {
				printf(" returns %d", tests[test]());
			} __except (1) {
				printf(" escapes");
			}
			printf("\n");
		}
}
"""


def name(value):
    return "v_" + value[1:]


class Translator(own_tree.Loops):
    def __init__(self):
        self.lines, self.names = [], {}  # of variables: their types
        self.loops, self.count = [], 0   # where continue goes

    def put(self, text):
        self.lines.append("\t" * (1 + self.depth) + text)

    depth = 0

    def braces(self, header, ops):
        self.put(header + " {")
        self.depth += 1
        if callable(ops):
            ops()
        else:
            self.ops(ops)
        self.depth -= 1
        self.put("}")

    def variable(self, value, type_="int "):
        self.names[name(value)] = type_
        return name(value)

    def expression(self, op, after):
        """What computes; None: something else."""
        values = [name(v) for v in op.values()]
        if op.name == "cir.call":
            call = f"{op.symbol()}({', '.join(values)})"
            return f"{self.variable(op.results[0])} = {call}" if op.results else call
        if op.name == "cir.store":
            return f"{values[1]} = {values[0]}"
        if op.name == "cir.throw":
            goes_on = after is not None and after.name != "cir.unreachable"
            return f"throw_own({values[0]}, {'0' if goes_on else 'NONCONTINUABLE'})"
        right = {
            "cir.const": lambda: str(op.number()),
            "cir.load": lambda: values[0],
            "cir.cast": lambda: values[0],
            "cir.add": lambda: f"{values[0]} + {values[1]}",
            "cir.and": lambda: f"{values[0]} & {values[1]}",
            "circ.abnormal": lambda: "_abnormal_termination()",
            "circ.exception": lambda: "_exception_code()",
        }.get(op.name)
        return f"{self.variable(op.results[0])} = {right()}" if right else None

    def ops(self, ops):
        for op, after in zip(ops, [*ops[1:], None]):
            text = self.expression(op, after)
            if text is None:
                getattr(self, "op_" + op.name.split(".", 1)[1].replace(".", "_"))(op)
            else:
                self.put(text + ";")

    def op_alloca(self, op):
        self.variable(op.results[0])

    op_alloc_exception = op_alloca

    def op_get_member(self, op):  # the number is all that it holds
        self.aliases[name(op.results[0])] = name(op.values()[0])

    def op_get_global(self, op):
        self.put(f"{self.variable(op.results[0], 'Function *')} = {op.symbol()};")

    def op_if(self, op):
        self.braces(f"if ({name(op.values()[0])})", op.regions[0][1])
        for _, other in op.regions[1:]:
            self.braces("else", other)

    def op_scope(self, op):
        self.ops(op.regions[0][1])

    def guarded(self, body):
        """Nor may there be no call in it."""
        def called():
            self.put("touch();")
            if callable(body):
                body()
            else:
                self.ops(body)

        self.braces("__try", called)

    def op_cleanup_scope(self, op):
        (_, body), (_, cleanup) = op.regions
        self.guarded(body)
        self.braces("__finally", cleanup)

    def op_try(self, op):
        (_, body), (header, filter_), (_, handler) = op.regions
        record = name(own_tree.Op(header).values()[0])
        self.names[record] = "struct Pointers *"
        self.guarded(body)
        asked = [f"{record} = _exception_info()"] + [self.expression(op, None) for op in filter_[:-1]] + [name(filter_[-1].values()[0])]
        self.braces(f"__except ({', '.join(asked)})", handler)

    # Loops: the false condition ends a round, and so does the end of the body.

    def loop(self, condition, body, step, cleanup, kind):
        self.count += 1
        n = self.count
        self.names[f"done{n}"] = "int "

        def tested():
            self.ops(condition[:-1])
            leave = f"{{ done{n} = 1; __leave; }}" if cleanup else "break;"
            self.put(f"if (!{name(condition[-1].values()[0])}) {leave}")

        def one_round():
            if kind != "do":
                tested()
            self.loops.append("continue" if kind == "while" else f"goto next{n}")
            self.ops(body)
            self.loops.pop()
            self.put(f"next{n}:;")
            self.ops(step)
            if kind == "do":
                tested()

        def rounds():
            self.put(f"done{n} = 0;")
            if not cleanup:
                one_round()
                return
            self.guarded(one_round)
            self.braces("__finally", cleanup[1])
            self.put(f"if (done{n}) break;")

        self.braces("for (;;)", rounds)

    def nothing(self, op):
        pass

    op_begin_catch = op_catch_param = op_end_catch = op_yield = op_unreachable = op_br = nothing

    def jump(self, text):
        """Code that cannot be reached makes clang 22 forget the function that filters in it are of."""
        self.put(f"if (yes()) {text};")

    def op_break(self, op):
        self.jump("break")

    def op_continue(self, op):
        self.jump(self.loops[-1])

    def op_return(self, op):
        self.jump(f"return {name(op.values()[0])}")

    def op_goto(self, op):
        self.jump("goto out")

    def op_label(self, op):
        self.put("out:;")

    def function(self, function, has_argument, ops):
        self.aliases = {}
        self.ops(ops)
        body = "\n".join(self.lines)
        for alias, whole in self.aliases.items():
            body = re.sub(rf"\b{alias}\b", whole, body)
        declared = "".join(f"\t{type_}volatile {n} = 0;\n" for n, type_ in self.names.items())
        argument = "int v_a" if has_argument else "void"
        return f"int {function}({argument})\n{{\n{declared}{body}\n\treturn 0;\n}}\n"


def source(text, sequences):
    """A C program that prints what the interpreter prints, but for releases and what escapes."""
    found = list(own_tree.functions(text))
    declared = "".join(f"int {f}({'int' if a else 'void'});\n" for f, a, _ in found)
    bodies = "".join(Translator().function(*one) for one in found)
    tests = ", ".join(f for f, _, _ in found if f.startswith("test_"))
    return f"{HEAD}{declared}{bodies}static int (*const tests[])(void) = {{{tests}, 0}};\n" + MAIN.replace("SEQUENCES", str(sequences))
