"""Programs of own.py in Python, whose try, finally and raise are specified elsewhere, and run by another implementation."""
import contextlib
import io
import itertools
import sys

sys.dont_write_bytecode = True
import own_tree  # noqa: E402


class Thrown(BaseException):
    def __init__(self, n):
        super().__init__()
        self.n = n


class Own(Thrown):
    """Of the module's language; Foreign: of another one."""


class Foreign(Thrown):
    pass


class CxxInt(Foreign):
    pass


class CxxError(Foreign):
    pass


class Error(Own):
    pass


class IOError_(Error):
    pass


class Timeout(IOError_):
    pass


class Odd(Own):
    pass


class Both(Odd, IOError_):
    pass


TYPES = {"Error": Error, "my.IOError": IOError_, "my.net.Timeout": Timeout, "Odd": Odd, "Both": Both}
ACT = (CxxInt, Foreign, Foreign, CxxError, CxxError, Error, IOError_, Timeout, Both, Foreign)  # of own_act() in own_runtime.cpp


class World:
    """runtime.cpp and own_runtime.cpp once more."""

    def __init__(self, sequence):
        self.state = (sequence * 2654435761 + 12345) & 0xFFFFFFFF
        self.decisions = 0

    def decide(self):
        self.state = (self.state * 1664525 + 1013904223) & 0xFFFFFFFF
        self.decisions += 1
        return self.state >> 16

    def exhausted(self):
        return self.decisions > 150

    def names(self):
        return {name: getattr(self, name) for name in dir(self) if not name.startswith("__")} | {"TYPES": TYPES, "Thrown": Thrown}

    @staticmethod
    def say(text):
        print(" " + text, end="")

    def choose(self):
        return self.decide() & 1

    def more(self):
        return int(not self.exhausted() and self.decide() % 4 != 0)

    def ev(self, n):
        self.say(str(n))

    def own_saw(self, n):
        self.say(f"x={n}")

    def own_object(self, e):
        self.say(f"own={e.n}")

    def own_code(self, e):
        self.say("own" if isinstance(e, Own) else "foreign")

    def own_abnormal(self, abnormal):
        self.say("abnormal" if abnormal else "normal")

    def own_act(self, n):
        self.say(f"act{n}")
        if not self.exhausted() and self.decide() % 6 == 0:
            raise ACT[self.decide() % 10](n)

    def own_through(self, f, n):
        try:
            f(n)
        finally:
            self.say(f"~{n}")

    def _caught(self, e, n):
        self.say(f"any{n}")
        what = self.decide() % 3
        if what == 0:
            raise e
        if what == 1:
            raise CxxInt(n)

    def own_catch(self, f, n):
        try:
            f(n)
        except Thrown as e:
            self._caught(e, n)

    def own_catch_error(self, f, n):
        try:
            f(n)
        except CxxError as e:
            self.say(f"error={e.n}")
            self._caught(e, n)


def name(value):
    return "_" + value[1:]


class Translator(own_tree.Loops):
    def __init__(self):
        self.lines, self.depth, self.numbers = [], 0, itertools.count()
        self.handled = []   # what handlers around have caught
        self.abnormal = []  # the variable that says it, of cleanups and finally around
        self.jumps = []     # the variable that says by what the body of a loop is left

    def put(self, text):
        self.lines.append("    " * self.depth + text)

    def indented(self, header, write):
        self.put(header)
        self.depth += 1
        before = len(self.lines)
        write()
        if len(self.lines) == before:
            self.put("pass")
        self.depth -= 1

    def variable(self, text):
        return f"{text}{next(self.numbers)}"

    def function(self, function, has_argument, ops):
        self.indented(f"def {function}({'_a' if has_argument else ''}):", lambda: self.ops(ops))

    def ops(self, ops):
        for op in ops:
            getattr(self, "op_" + op.name.split(".", 1)[1].replace(".", "_"))(op)

    # what computes

    def op_const(self, op):
        self.put(f"{name(op.results[0])} = {op.number()}")

    def op_alloca(self, op):
        self.put(f"{name(op.results[0])} = [0]")

    def op_alloc_exception(self, op):
        self.op_alloca(op)

    def op_get_member(self, op):
        self.put(f"{name(op.results[0])} = {name(op.values()[0])}")

    def op_load(self, op):
        self.put(f"{name(op.results[0])} = {name(op.values()[0])}[0]")

    def op_store(self, op):
        value, place = op.values()
        self.put(f"{name(place)}[0] = {name(value)}")

    def op_add(self, op):
        self.put(f"{name(op.results[0])} = {' + '.join(map(name, op.values()))}")

    def op_cast(self, op):
        self.put(f"{name(op.results[0])} = {name(op.values()[0])}")

    def op_get_global(self, op):
        self.put(f"{name(op.results[0])} = {op.symbol()}")

    def op_call(self, op):
        result = f"{name(op.results[0])} = " if op.results else ""
        self.put(f"{result}{op.symbol()}({', '.join(map(name, op.values()))})")

    # what holds regions

    def op_if(self, op):
        self.indented(f"if {name(op.values()[0])}:", lambda: self.ops(op.regions[0][1]))
        for _, other in op.regions[1:]:
            self.indented("else:", lambda ops=other: self.ops(ops))

    def op_scope(self, op):
        self.ops(op.regions[0][1])

    def around(self, kind, body, cleanup):
        """body(), which may tell when its end is abnormal, and the cleanup."""
        self.last_abnormal = abnormal = self.variable("abnormal")
        thrown = self.variable("thrown")

        def whole_body():
            self.put(f"{abnormal} = {body() or False}")

        def unwinding():
            self.put(f"{thrown} = True")
            self.put("raise")

        def watched():
            self.indented("try:", whole_body)
            self.indented("except Thrown:", unwinding)

        def cleaned():
            self.abnormal.append(abnormal)
            self.indented({"normal": f"if not {thrown}:", "eh": f"if {thrown}:", "all": "if True:"}[kind], lambda: self.ops(cleanup))
            self.abnormal.pop()

        self.put(f"{abnormal}, {thrown} = True, False")
        self.indented("try:", watched)
        self.indented("finally:", cleaned)

    def op_cleanup_scope(self, op):
        (_, body), (header, cleanup) = op.regions
        self.around(header.split()[1], lambda: self.ops(body), cleanup)

    def loop(self, condition, body, step, cleanup, kind):
        """A jump leaves an inner loop of one round first, so that `continue` gets to what is behind the body."""
        jump = self.variable("jump")

        def one_body():
            self.jumps.append(jump)
            self.ops(body)
            self.jumps.pop()
            self.put(f"{jump} = None")

        def tested():
            self.put(f"{jump} = None")
            self.end_of_round = f"{self.last_abnormal} = False; " if cleanup else ""
            self.ops(condition)

        def one_round():
            if kind != "do":
                tested()
            self.indented("for _ in (0,):", one_body)
            self.put(f"if {jump} == 'break': break")
            self.ops(step)
            if kind == "do":
                tested()
            return kind == "while" and f"{jump} is not None"  # continue leaves a round of while, of for it goes to the step

        def watched():
            self.around(cleanup[0].split()[1], one_round, cleanup[1])

        self.indented("while True:", watched if cleanup else one_round)

    def op_condition(self, op):
        self.put(f"if not {name(op.values()[0])}: {self.end_of_round}break")

    def op_try(self, op):
        finally_ = next((ops for header, ops in op.regions if header == "finally"), None)
        handlers = [r for r in op.regions[1:] if r[0] != "finally"]
        if finally_ is None:
            self.caught(op.regions[0][1], handlers)
        else:
            self.around("all", lambda: self.caught(op.regions[0][1], handlers), finally_)

    def caught(self, body, handlers):
        if not handlers:
            self.ops(body)
            return
        self.indented("try:", lambda: self.ops(body))
        for header, ops in handlers:
            handler = own_tree.Op(header)
            kind = "Thrown" if header.startswith("catch all") else f'TYPES["{handler.symbol()}"]'
            self.indented(f"except {kind} as caught:", lambda t=name(handler.values()[0]), o=ops: self.handler(t, o))

    def handler(self, token, ops):
        self.put(f"{token} = caught")
        self.handled.append(token)
        self.ops(ops)
        self.handled.pop()

    # exceptions

    def op_begin_catch(self, op):
        self.put(f"{name(op.results[1])} = {name(op.values()[0])}")

    def op_catch_param(self, op):
        self.put(f"{name(op.results[0])} = {self.handled[-1]}")

    def op_exception(self, op):
        self.put(f"{name(op.results[0])} = {name(op.values()[0])}")

    def op_end_catch(self, op):
        pass

    def op_throw(self, op):
        if op.values():
            self.put(f'raise TYPES["{op.symbol()}"]({name(op.values()[0])}[0])')
        else:
            self.put(f"raise {self.handled[-1]}")

    def op_abnormal(self, op):
        self.put(f"{name(op.results[0])} = {self.abnormal[-1]}")

    # ends

    def op_yield(self, op):
        pass

    def op_unreachable(self, op):
        pass

    def op_break(self, op):
        self.put(f"{self.jumps[-1]} = 'break'; break")

    def op_continue(self, op):
        self.put(f"{self.jumps[-1]} = 'continue'; continue")

    def op_return(self, op):
        self.put(f"return {name(op.values()[0])}")


def _compiled(text):
    """Functions by name. Python nests 20 blocks at most: a program with more is left out."""
    found = {}
    for function, has_argument, ops in own_tree.functions(text):
        translator = Translator()
        translator.function(function, has_argument, ops)
        try:
            found[function] = compile("\n".join(translator.lines), f"<{function}>", "exec")
        except SyntaxError as error:
            if "nested blocks" not in error.msg:
                raise
            found[function] = None
    return found


def traces(text, sequences):
    """(program, sequence, trace) as the interpreter prints them, without what is said of releases."""
    functions = _compiled(text)
    for number in itertools.count():
        if f"test_{number}" not in functions:
            return
        codes = [code for function, code in functions.items() if function == f"test_{number}" or function.startswith(f"f{number}_")]
        if None in codes:
            continue
        for sequence in range(sequences):
            scope = World(sequence).names()
            for code in codes:
                exec(code, scope)
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                try:
                    World.say(f"returns {scope[f'test_{number}']()}")
                except Thrown as e:
                    World.say(f"escapes int={e.n}" if isinstance(e, CxxInt) else "escapes")
            yield number, sequence, out.getvalue()
