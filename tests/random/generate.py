#!/usr/bin/env python3
"""Random structured programs, each printed twice: as structured CIR and as C++ that must behave the same.

    generate.py --seed 7 --count 50 --cir out.cir --cpp out.cpp

Program N of a file is the function `test_N`, which runtime.cpp calls; everything it does to the world is a call of the runtime:
`ev` writes an event, `choose` takes the next decision of a pseudo-random sequence, `act` may throw by the next
decision, objects are built and destroyed. Both forms make the same calls in the same order, or one of them is wrong.

What is generated: scopes with objects, cleanups of the three kinds (with statements, scopes and try inside), try with
handlers of every shape, exception specifications, noexcept, both in place and as functions of their own, while, do and
for, also with a cleanup of their own, switch with fall-through and ranges, also with cases within a loop, the conditional operator,
statements within expressions and conditions, break, continue, return, goto forwards and backwards, out of and into scopes and
loops, throw, rethrow, indirect calls, static variables whose initialization throws, constructors and destructors that throw, arrays
of objects: nested, of no elements, of a count known at run time, of objects whose destructors throw, on the heap.

Exception specifications make the C++ text C++14.
"""
import argparse
import random

TYPES = {  # name: (C++ handler, type-info symbol, kind of init_catch_param, slot type)
    "int": ("int v", "_ZTIi", "scalar", "!s32i"),
    "double": ("double v", "_ZTId", "scalar", "!cir.double"),
    "base": ("Base &v", "_ZTI4Base", "reference", "!cir.ptr<!rec_Base>"),
    "derived": ("Derived &v", "_ZTI7Derived", "reference", "!cir.ptr<!rec_Derived>"),
    "copy": ("Derived v", "_ZTI7Derived", "non_trivial_copy", "!rec_Derived"),
    "pointer": ("Base *v", "_ZTIP4Base", "pointer", "!cir.ptr<!rec_Base>"),
}
LISTED = {"int": "_ZTIi", "double": "_ZTId", "Base": "_ZTI4Base", "Derived": "_ZTI7Derived", "Base *": "_ZTIP4Base"}


# What tests/tools/interpret does not run: statements of these kinds.
NOT_INTERPRETED = ("indirect", "static", "case_in_loop", "jump_in")


class Writer:
    """Lines with indentation."""

    def __init__(self):
        self.lines = []
        self.depth = 1

    def put(self, text):
        self.lines.append("  " * self.depth + text)

    def open(self, text):
        self.put(text)
        self.depth += 1

    def close(self, text="}"):
        self.depth -= 1
        self.put(text)


class Context:
    """Where a statement stands: what it may do."""

    def __init__(self, **known):
        self.depth = known.get("depth", 0)
        self.loop = known.get("loop", False)
        self.breakable = known.get("breakable", False)
        self.leave = known.get("leave", True)      # return and goto out
        self.handler = known.get("handler", False)  # a rethrow has something to throw
        self.labels = known.get("labels", ())       # that a goto may go to
        self.behind = known.get("behind", ())       # the same, backwards: only while more()
        self.value = known.get("value", True)       # return gives one
        self.filter = known.get("filter", False)    # around it, in this function: there may be one

    def inside(self, **change):
        known = dict(vars(self))
        known["depth"] += 1
        known.update(change)
        return Context(**known)

    def alone(self, **change):
        """Inside of what no statement may leave but by an exception."""
        return self.inside(loop=False, breakable=False, leave=False, labels=(), behind=(), **change)


class Program:
    """One function. Statements are written to both forms as they are made up."""

    def __init__(self, rng, number, specifications=True, leave_out=()):
        self.rng = rng
        self.specifications = specifications
        self.number = number
        self.leave_out = leave_out
        self.cir, self.cpp = Writer(), Writer()
        self.cir.depth = 2
        self.values = 0
        self.names = 0
        self.budget = rng.choice((10, 25, 50, 100))
        self.functions = []  # CIR functions of its own; lambdas in C++

    # names

    def value(self):
        self.values += 1
        return f"%v{self.values}"

    def name(self, prefix):
        self.names += 1
        return f"{prefix}{self.number}_{self.names}"

    # small pieces of CIR

    def const(self, n):
        v = self.value()
        self.cir.put(f"{v} = cir.const #cir.int<{n}> : !s32i")
        return v

    def call(self, function, *args, result=False):
        """args: (value, type)"""
        values = ", ".join(a for a, _ in args)
        types = ", ".join(t for _, t in args)
        if not result:
            self.cir.put(f"cir.call @{function}({values}) : ({types}) -> ()")
            return None
        v = self.value()
        self.cir.put(f"{v} = cir.call @{function}({values}) : ({types}) -> !s32i")
        return v

    def condition(self):
        """A decision as a cir.bool."""
        v = self.call("choose", result=True)
        b = self.value()
        self.cir.put(f"{b} = cir.cast int_to_bool {v} : !s32i -> !cir.bool")
        return b

    # statements

    def block(self, ctx, least=1):
        """Statements; False when the end is not reached."""
        for _ in range(max(least, self.rng.randint(1, 3))):
            if not self.statement(ctx):
                return False
        return True

    def statement(self, ctx):
        self.budget -= 1
        simple = [self.event, self.act, self.compute]
        if self.budget < 0 or ctx.depth > 7:
            return self.rng.choice(simple)(ctx)
        choices = simple + [
            self.if_, self.if_, self.object, self.object, self.object, self.cleanup, self.try_, self.try_, self.loop,
            self.switch, self.throw, self.array, self.dynamic_array, self.heap_array, self.labelled, self.again,
            self.ternary, self.noexcept, self.function, self.expression, self.indirect,
            self.case_in_loop, self.jump_in, self.static,
        ]
        if self.specifications and not ctx.filter:
            choices.append(self.specification)
        if ctx.breakable:
            choices.append(self.break_)
        if ctx.loop:
            choices.append(self.continue_)
        if ctx.leave:
            choices.append(self.return_)
        if ctx.labels:
            choices.append(self.goto)
        if ctx.behind:
            choices.append(self.go_back)
        if ctx.handler:
            choices.append(self.rethrow)
        choices = [make for make in choices if make.__name__ not in self.leave_out]
        return self.rng.choice(choices)(ctx)

    def event(self, ctx):
        n = self.rng.randint(1, 999)
        self.call("ev", (self.const(n), "!s32i"))
        self.cpp.put(f"ev({n});")
        return True

    def act(self, ctx):
        n = self.rng.randint(1, 999)
        self.call("act", (self.const(n), "!s32i"))
        self.cpp.put(f"act({n});")
        return True

    def compute(self, ctx):
        """x = x * k + decision; ev(x): values that live across exits."""
        k = self.rng.randint(2, 9)
        old = self.value()
        self.cir.put(f"{old} = cir.load %x : !cir.ptr<!s32i>, !s32i")
        product, total, bits = self.value(), self.value(), self.value()
        self.cir.put(f"{product} = cir.mul {old}, {self.const(k)} : !s32i")
        decision = self.call("choose", result=True)
        self.cir.put(f"{total} = cir.add {product}, {decision} : !s32i")
        self.cir.put(f"{bits} = cir.and {total}, {self.const(65535)} : !s32i")
        self.cir.put(f"cir.store {bits}, %x : !s32i, !cir.ptr<!s32i>")
        self.call("ev", (bits, "!s32i"))
        self.cpp.put(f"x = (x * {k} + choose()) & 65535;")
        self.cpp.put("ev(x);")
        return True

    def if_(self, ctx):
        b = self.condition()
        self.cir.open(f"cir.if {b} {{")
        self.cpp.open("if (choose()) {")
        first = self.block(ctx.inside())
        second = True
        if self.rng.random() < 0.5:
            self.cir.close("} else {")
            self.cir.depth += 1
            self.cpp.close("} else {")
            self.cpp.depth += 1
            second = self.block(ctx.inside())
        self.cir.close()
        self.cpp.close()
        if not first and not second:
            self.dead_end()
            return False
        return True

    def dead_end(self):
        self.cir.put("cir.unreachable")

    # objects and cleanups

    def object(self, ctx):
        """{ Obj o(n); … }"""
        n, o = self.rng.randint(1, 999), self.name("o")
        self.cir.open("cir.scope {")
        self.cir.put(f'%{o} = cir.alloca "{o}" align(4) init : !cir.ptr<!rec_Obj>')
        self.call("obj_ctor", (f"%{o}", "!cir.ptr<!rec_Obj>"), (self.const(n), "!s32i"))
        self.cpp.open("{")
        self.cpp.put(f"Obj {o}({n});")
        alive = self.cleanup_scope(ctx, "all", lambda: self.call("obj_dtor", (f"%{o}", "!cir.ptr<!rec_Obj>")))
        if not alive:
            self.dead_end()
        self.cir.close()
        self.cpp.close()
        if not alive:
            self.dead_end()
        return alive

    def cleanup_scope(self, ctx, kind, write_cleanup):
        self.cir.open("cir.cleanup.scope {")
        alive = self.block(ctx.inside())
        if alive:
            self.cir.put("cir.yield")
        self.cir.close(f"}} cleanup {kind} {{")
        self.cir.depth += 1
        write_cleanup()
        self.cir.put("cir.yield")
        self.cir.close()
        return alive

    def cleanup(self, ctx):
        """A cleanup of any kind whose region holds statements; a guard with a lambda in C++."""
        kind = self.rng.choice(("normal", "eh", "all"))
        guard = self.name("g")
        self.cpp.open("{")
        self.cpp.open(f"auto {guard}_run = [&] {{")
        cleanup = Writer()
        body, self.cir = self.cir, cleanup
        cleanup.depth = body.depth + 1
        inner = ctx.alone(handler=False)
        inner.depth = max(inner.depth, 5)
        alive = self.block(inner)
        self.cir = body
        self.cpp.close("};")
        self.cpp.put(f"Guard<decltype({guard}_run)> {guard}({guard}_run, Guarded::{kind});")
        self.cir.open("cir.cleanup.scope {")
        ended = self.block(ctx.inside())
        if ended:
            self.cir.put("cir.yield")
        self.cir.close(f"}} cleanup {kind} {{")
        self.cir.depth += 1
        self.cir.lines.extend(cleanup.lines)
        self.end_region(alive)
        self.cir.close()
        self.cpp.close()
        if not ended or (not alive and kind != "eh"):
            self.dead_end()
            return False
        return True

    def array(self, ctx):
        """{ Elem a[n]; … } or of arrays, or of objects whose destructors throw."""
        count, wild = self.rng.choice((0, 1, 2, 3, 5)), self.rng.random() < 0.4
        rows = self.rng.choice((0, 0, 2))
        a, kind = self.name("a"), "Wild" if wild else "Elem"
        array = f"!cir.array<!rec_Obj x {count}>"
        if rows:
            array = f"!cir.array<{array} x {rows}>"
        self.cir.open("cir.scope {")
        self.cir.put(f'%{a} = cir.alloca "{a}" align(4) init : !cir.ptr<{array}>')
        self.cpp.open("{")
        self.array_op("ctor", f"%{a} : !cir.ptr<{array}>", wild)
        self.cpp.put(f"{kind} {a}[{rows}][{count}];" if rows else f"{kind} {a}[{count}];")
        return self.with_array(ctx, f"%{a} : !cir.ptr<{array}>", wild)

    def dynamic_array(self, ctx):
        """{ Elem *a = new Elem[n]; … delete[] a; }, n from 0 to 3, or of arrays: their elements in one run."""
        a, n, wild = self.name("a"), self.name("n"), self.rng.random() < 0.4
        kind = "Wild" if wild else "Elem"
        row = self.rng.choice((1, 1, 2))
        storage = f"!cir.ptr<!cir.array<!rec_Obj x {3 * row}>>"
        self.cir.open("cir.scope {")
        self.cir.put(f'%{a}s = cir.alloca "{a}" align(4) init : {storage}')
        self.cir.put(f"%{a} = cir.cast array_to_ptrdecay %{a}s : {storage} -> !cir.ptr<!rec_Obj>")
        picked, rows, elements = self.call("pick", result=True), self.value(), self.value()
        self.cir.put(f"{rows} = cir.and {picked}, {self.const(3)} : !s32i")
        self.cir.put(f"{elements} = cir.mul {rows}, {self.const(row)} : !s32i")
        self.cir.put(f"%{n} = cir.cast integral {elements} : !s32i -> !u64i")
        self.cpp.open("{")
        self.cpp.put(f"int {n} = pick() & 3;")
        operands = f"%{a}, %{n} : !cir.ptr<!rec_Obj>, !u64i"
        self.array_op("ctor", operands, wild)
        self.cpp.put(f"Elements<{kind}{f'[{row}]' if row > 1 else ''}> {a}({n});")
        return self.with_array(ctx, operands, wild)

    def heap_array(self, ctx):
        """{ Elem *a = new Elem[n]; … delete[] a; } with their number in front of them, n from 0 to 3."""
        a, n, wild = self.name("a"), self.name("n"), self.rng.random() < 0.4
        pointer = "!cir.ptr<!rec_Obj>"
        self.cir.open("cir.scope {")
        masked, payload, size = self.value(), self.value(), self.value()
        picked = self.call("pick", result=True)
        self.cir.put(f"{masked} = cir.and {picked}, {self.const(3)} : !s32i")
        self.cir.put(f"%{n} = cir.cast integral {masked} : !s32i -> !u64i")
        four, eight = self.value(), self.value()
        self.cir.put(f"{four} = cir.const #cir.int<4> : !u64i")
        self.cir.put(f"{eight} = cir.const #cir.int<8> : !u64i")
        self.cir.put(f"{payload} = cir.mul %{n}, {four} : !u64i")
        self.cir.put(f"{size} = cir.add {payload}, {eight} : !u64i")
        self.cir.put(f"%{a}m = cir.call @array_new({size}) : (!u64i) -> !cir.ptr<!void>")
        self.cir.put(f"%{a}c = cir.cast bitcast %{a}m : !cir.ptr<!void> -> !cir.ptr<!u64i>")
        self.cir.put(f"cir.store %{n}, %{a}c : !u64i, !cir.ptr<!u64i>")
        one = self.const(1)
        self.cir.put(f"%{a}e = cir.ptr_stride %{a}c, {one} : (!cir.ptr<!u64i>, !s32i) -> !cir.ptr<!u64i>")
        self.cir.put(f"%{a} = cir.cast bitcast %{a}e : !cir.ptr<!u64i> -> {pointer}")
        self.cpp.open("{")
        self.cpp.put(f"int {n} = pick() & 3;")
        self.cpp.put(f"HeapElements<{'Wild' if wild else 'Elem'}> {a}({n});")
        self.cir.open("cir.cleanup.scope {")
        self.array_op("ctor", f"%{a}, %{n} : {pointer}, !u64i", wild)
        self.cir.put("cir.yield")
        self.cir.close("} cleanup eh {")
        self.cir.depth += 1
        self.cir.put(f"cir.call @array_delete(%{a}m, {size}) : (!cir.ptr<!void>, !u64i) -> ()")
        self.cir.put("cir.yield")
        self.cir.close()
        flag, dtor = (" dtor_may_throw", "wild_dtor") if wild else ("", "elem_dtor")
        attrs = f"delete_fn = @array_delete, delete_params = #cir.usual_delete_params<size = true>, element_dtor = @{dtor}"
        return self.with_array(ctx, None, wild, lambda: self.cir.put(f"cir.delete_array %{a} : {pointer}{flag} {{{attrs}}}"))

    def array_op(self, what, operands, wild):
        flag = " dtor_may_throw" if what == "dtor" and wild else ""
        dtor = "wild_dtor" if wild else "elem_dtor"
        self.cir.open(f"cir.array.{what} {operands}{flag} {{")
        self.element_region("elem_ctor" if what == "ctor" else dtor)
        if what == "ctor":
            self.cir.close("} partial_dtor {")
            self.cir.depth += 1
            self.element_region(dtor)
        self.cir.close()

    def element_region(self, function):
        e = self.value()
        self.cir.put(f"^bb0({e}: !cir.ptr<!rec_Obj>):")
        self.call(function, (e, "!cir.ptr<!rec_Obj>"))
        self.cir.put("cir.yield")

    def with_array(self, ctx, operands, wild, destroy=None):
        alive = self.cleanup_scope(ctx, "all", destroy or (lambda: self.array_op("dtor", operands, wild)))
        if not alive:
            self.dead_end()
        self.cir.close()
        self.cpp.close()
        if not alive:
            self.dead_end()
        return alive

    def ternary(self, ctx):
        """ev(choose() ? (act(a), b) : c);"""
        n, yes, no = (self.rng.randint(1, 999) for _ in range(3))
        b, v = self.condition(), self.value()
        self.cir.open(f"{v} = cir.ternary({b}, true {{")
        self.call("act", (self.const(n), "!s32i"))
        self.cir.put(f"cir.yield {self.const(yes)} : !s32i")
        self.cir.close("}, false {")
        self.cir.depth += 1
        self.cir.put(f"cir.yield {self.const(no)} : !s32i")
        self.cir.close("}) : (!cir.bool) -> !s32i")
        self.call("ev", (v, "!s32i"))
        self.cpp.put(f"ev(choose() ? (act({n}), {yes}) : {no});")
        return True

    def expression(self, ctx):
        """ev(choose() ? ({ … a; }) : ({ … b; })): statements within an expression."""
        b, v = self.condition(), self.value()
        self.cir.open(f"{v} = cir.ternary({b}, true {{")
        self.cpp.open("ev(choose() ? ({")
        first = self.branch(ctx)
        self.cir.close("}, false {")
        self.cir.depth += 1
        self.cpp.close("}) : ({")
        self.cpp.depth += 1
        second = self.branch(ctx)
        self.cir.close("}) : (!cir.bool) -> !s32i")
        self.cpp.close("}));")
        if not first and not second:
            self.dead_end()
            return False
        self.call("ev", (v, "!s32i"))
        return True

    def branch(self, ctx):
        alive = self.block(ctx.alone())
        n = self.rng.randint(1, 999)
        if alive:
            self.cir.put(f"cir.yield {self.const(n)} : !s32i")
        self.cpp.put(f"{n};")
        return alive

    def indirect(self, ctx):
        """(choose() ? act : ev)(n);"""
        n, b = self.rng.randint(1, 999), self.condition()
        pointer = "!cir.ptr<!cir.func<(!s32i)>>"
        yes, no, f = self.value(), self.value(), self.value()
        self.cir.put(f"{yes} = cir.get_global @act : {pointer}")
        self.cir.put(f"{no} = cir.get_global @ev : {pointer}")
        self.cir.put(f"{f} = cir.select if {b} then {yes} else {no} : (!cir.bool, {pointer}, {pointer}) -> {pointer}")
        self.cir.put(f"cir.call {f}({self.const(n)}) : ({pointer}, !s32i) -> ()")
        self.cpp.put(f"(choose() ? act : static_cast<void (*)(int)>(ev))({n});")
        return True

    def static(self, ctx):
        """static int s = ({ … choose(); }); ev(s);"""
        s = self.name("s")
        pointer, address = "!cir.ptr<!s32i>", self.value()
        self.functions.append(f'  cir.global "private" internal static_local_guard<"{s}_guard"> @{s} = #cir.int<0> : !s32i')
        self.cir.put(f"{address} = cir.get_global static_local @{s} : {pointer}")
        self.cir.open(f"cir.local_init static_local @{s} ctor {{")
        self.cpp.open(f"static int {s} = ({{")
        if self.block(self.brief(ctx)):
            v, to = self.call("choose", result=True), self.value()
            self.cir.put(f"{to} = cir.get_global static_local @{s} : {pointer}")
            self.cir.put(f"cir.store {v}, {to} : !s32i, {pointer}")
            self.cir.put("cir.yield")
        self.cpp.put("choose();")
        self.cir.close()
        self.cpp.close("});")
        v = self.value()
        self.cir.put(f"{v} = cir.load {address} : {pointer}, !s32i")
        self.call("ev", (v, "!s32i"))
        self.cpp.put(f"ev({s});")
        return True

    # what may not be left by every exception

    def noexcept(self, ctx):
        alive = self.terminating(lambda: self.block(ctx.inside()))
        if not alive:
            self.dead_end()
        return alive

    def terminating(self, write_body):
        """C++ leaves open whether cleanups run before (clang leaves them out of noexcept functions); here they do."""
        token = self.name("t")
        self.cir.open("cir.try {")
        self.cpp.open("try {")
        alive = write_body()
        self.cpp.close("} catch (...) {")
        self.cpp.put("  std::terminate();")
        self.cpp.put("}")
        self.end_region(alive)
        self.cir.close(f"}} catch all (%{token}: !cir.eh_token) {{")
        self.cir.depth += 1
        self.cir.put(f"cir.eh.terminate %{token} : !cir.eh_token")
        self.cir.close()
        return alive

    def specification(self, ctx):
        """[&]() throw(int, Base) { … }(); and in CIR, the body in place."""
        listed = self.listed()
        self.cpp.open(f"[&]() throw({', '.join(listed)}) {{")
        alive = self.filtered(listed, lambda: self.block(ctx.alone(filter=True)))
        self.cpp.close("}();")
        if not alive:
            self.dead_end()
        return alive

    def listed(self):
        return sorted(self.rng.sample(sorted(LISTED), self.rng.choice((0, 1, 2, 3))))

    def filtered(self, listed, write_body):
        token, other = self.name("t"), self.name("t")
        types = ", ".join(f"#cir.global_view<@{LISTED[t]}> : !cir.ptr<!u8i>" for t in listed)
        self.cir.open("cir.try {")
        alive = write_body()
        self.end_region(alive)
        self.cir.close(f"}} filter [{types}] (%{token}: !cir.eh_token) {{")
        self.cir.put(f"  cir.resume %{token} : !cir.eh_token" if listed else "  cir.unreachable")
        self.cir.put(f"}} unexpected (%{other}: !cir.eh_token) {{")
        self.cir.put(f"  cir.eh.unexpected %{other} : !cir.eh_token")
        self.cir.put("}")
        return alive

    def function(self, ctx):
        """[&] { … }(); with any exception specification, and in CIR, a function that is called."""
        kind = self.rng.choice(("", " noexcept", " throw") if self.specifications else ("", " noexcept"))
        name, listed = self.name("f"), self.listed()
        caller, self.cir = self.cir, Writer()
        self.cir.depth = 2
        self.cpp.open(f"[&](){kind}{'(' + ', '.join(listed) + ')' if kind == ' throw' else ''} {{")
        body = lambda: self.block(ctx.alone().inside(leave=True, value=False, filter=kind == " throw"))  # noqa: E731
        if kind == " noexcept":
            alive = self.terminating(body)
        elif kind == " throw":
            alive = self.filtered(listed, body)
        else:
            alive = body()
        if alive:
            self.cir.put("cir.return")
        elif kind:
            self.dead_end()
        self.cpp.close("}();")
        nothrow = " attributes {nothrow}" if kind == " noexcept" else ""
        head = f"  cir.func internal @{name}(%x: !cir.ptr<!s32i>){nothrow} {{"
        self.functions += [head, *self.cir.lines, "  }"]
        self.cir = caller
        self.call(name, ("%x", "!cir.ptr<!s32i>"))
        return True

    # try

    def try_(self, ctx):
        handlers = self.rng.sample(sorted(TYPES), self.rng.randint(0, 3))
        if "base" in handlers and "derived" in handlers:  # a base before its derived class is a warning in C++
            handlers.sort(key=lambda t: t == "base")
        catch_all = not handlers or self.rng.random() < 0.4
        self.cir.open("cir.scope {")
        slots = {t: self.name("e") for t in handlers}
        for t in handlers:
            slot = TYPES[t][3]
            self.cir.put(f'%{slots[t]} = cir.alloca "e" align(8) : !cir.ptr<{slot}>')
        self.cir.open("cir.try {")
        self.cpp.open("try {")
        alive = self.block(ctx.inside())
        self.end_region(alive)
        reached = alive
        for t in handlers:
            token = self.name("t")
            self.cir.close(f"}} catch [type #cir.global_view<@{TYPES[t][1]}> : !cir.ptr<!u8i>] (%{token}: !cir.eh_token) {{")
            self.cpp.close(f"}} catch ({TYPES[t][0]}) {{")
            self.cir.depth += 1
            self.cpp.depth += 1
            reached |= self.handler(ctx, token, t, slots[t])
        if catch_all:
            token = self.name("t")
            self.cir.close(f"}} catch all (%{token}: !cir.eh_token) {{")
            self.cpp.close("} catch (...) {")
            self.cir.depth += 1
            self.cpp.depth += 1
            reached |= self.handler(ctx, token, None, None)
        elif self.rng.random() < 0.5:
            token = self.name("t")
            self.cir.close(f"}} unwind (%{token}: !cir.eh_token) {{")
            self.cir.depth += 1
            self.cir.put(f"cir.resume %{token} : !cir.eh_token")
        self.cir.close()
        self.cpp.close()
        if not reached:
            self.dead_end()
        self.cir.close()
        if not reached:
            self.dead_end()
        return reached

    def handler(self, ctx, token, t, slot):
        ct, p = self.value(), self.value()
        if t == "copy":
            self.cir.put(f"cir.construct_catch_param non_trivial_copy %{token} to %{slot} using @derived_thunk : !cir.ptr<!rec_Derived>")
        self.cir.put(f"{ct}, {p} = cir.begin_catch %{token} : !cir.eh_token -> (!cir.catch_token, !cir.ptr<!void>)")
        self.cir.open("cir.cleanup.scope {")
        if t:
            _, _, kind, slot_type = TYPES[t]
            pointer = f"!cir.ptr<{slot_type}>"
            self.cir.put(f"cir.init_catch_param {kind} {p} to %{slot} : !cir.ptr<!void>, {pointer}")
            self.cpp.put(f"saw_{t}({'&' if t in ('base', 'derived', 'copy') else ''}v);")
            if t == "copy":
                self.cir.open("cir.cleanup.scope {")
                self.call("saw_copy", (f"%{slot}", pointer))
            else:
                v = self.value()
                self.cir.put(f"{v} = cir.load %{slot} : {pointer}, {slot_type}")
                self.call(f"saw_{t}", (v, slot_type))
        else:
            n = self.rng.randint(1, 999)
            self.call("ev", (self.const(n), "!s32i"))
            self.cpp.put(f"ev({n});")
        alive = self.block(ctx.inside(handler=True))
        if t == "copy":
            self.end_region(alive)
            self.cir.close("} cleanup all {")
            self.cir.depth += 1
            self.call("derived_dtor", (f"%{slot}", "!cir.ptr<!rec_Derived>"))
            self.cir.put("cir.yield")
            self.cir.close()
            if not alive:
                self.dead_end()
        if alive:
            self.cir.put("cir.yield")
        self.cir.close("} cleanup all {")
        self.cir.depth += 1
        self.cir.put(f"cir.end_catch {ct} : !cir.catch_token")
        self.cir.put("cir.yield")
        self.cir.close()
        self.cir.put("cir.yield" if alive else "cir.unreachable")
        return alive

    def throw(self, ctx):
        n = self.rng.randint(1, 999)
        t = self.rng.choice(("int", "int", "derived"))
        p = self.value()
        if t == "int":
            self.cir.put(f"{p} = cir.alloc.exception 4 -> !cir.ptr<!s32i>")
            self.cir.put(f"cir.store {self.const(n)}, {p} : !s32i, !cir.ptr<!s32i>")
            self.cir.put(f"cir.throw {p} : !cir.ptr<!s32i>, @_ZTIi")
            self.cpp.put(f"throw {n};")
        else:
            self.cir.put(f"{p} = cir.alloc.exception 8 -> !cir.ptr<!rec_Derived>")
            self.cir.open("cir.cleanup.scope {")
            self.call("derived_ctor", (p, "!cir.ptr<!rec_Derived>"), (self.const(n), "!s32i"))
            self.cir.put("cir.yield")
            self.cir.close("} cleanup eh {")
            self.cir.depth += 1
            self.cir.put(f"cir.free.exception {p} : !cir.ptr<!rec_Derived>")
            self.cir.put("cir.yield")
            self.cir.close()
            self.cir.put(f"cir.throw {p} : !cir.ptr<!rec_Derived>, @_ZTI7Derived, @derived_dtor")
            self.cpp.put(f"throw Derived({n});")
        self.dead_end()
        return False

    def rethrow(self, ctx):
        self.cir.put("cir.throw")
        self.dead_end()
        self.cpp.put("throw;")
        return False

    # loops and switch

    def loop(self, ctx):
        kind = self.rng.choice(("while", "do", "for"))
        inner = ctx.inside(loop=True, breakable=True)
        if kind == "do":
            self.cir.open("cir.do {")
            self.cpp.open("do {")
            self.end_region(self.block(inner))
            self.cir.close("} while {")
            self.cir.depth += 1
            self.cpp.close("} while (")
            self.whole_condition(ctx)
            self.cir.close()
            self.cpp.put(");")
            return True
        variable = self.name("c") if self.rng.random() < 0.4 else None
        n = self.rng.randint(1, 999)
        if variable:
            self.cir.put(f'%{variable} = cir.alloca "c" align(4) init : !cir.ptr<!rec_Obj>')
        self.cir.open("cir.while {" if kind == "while" else "cir.for : cond {")
        self.cpp.put("while (" if kind == "while" else "for (;")
        if variable:
            self.cpp.put(f"Condition {variable} = Condition({n})")
            self.call("condition_ctor", (f"%{variable}", "!cir.ptr<!rec_Obj>"), (self.const(n), "!s32i"))
            self.cir.put(f"cir.condition({self.loop_condition()})")
        else:
            self.whole_condition(ctx)
        self.cir.close("} do {" if kind == "while" else "} body {")
        body, self.cir = self.cir, Writer()
        self.cir.depth = body.depth + 1
        if kind == "for":
            self.cpp.open("; ({")
            self.end_region(self.block(self.brief(ctx)))
            self.cpp.close("})")
        step, self.cir = self.cir, body
        self.cpp.open(") {")
        self.cir.depth += 1
        self.end_region(self.block(inner))
        if kind == "for":
            self.cir.close("} step {")
            self.cir.depth += 1
            self.cir.lines += step.lines
        if variable:
            self.cir.close("} cleanup all {")
            self.cir.depth += 1
            self.call("obj_dtor", (f"%{variable}", "!cir.ptr<!rec_Obj>"))
            self.cir.put("cir.yield")
        self.cir.close()
        self.cpp.close()
        return True

    def brief(self, ctx):
        """The statements of an expression that is not left by them: few, since they run again and again."""
        inner = ctx.alone()
        inner.depth = max(inner.depth, 6)
        return inner

    def whole_condition(self, ctx):
        """more(), or ({ … more(); })"""
        statements = self.rng.random() < 0.3
        if statements:
            self.cpp.open("({")
        if not statements or self.block(self.brief(ctx)):
            self.cir.put(f"cir.condition({self.loop_condition()})")
        self.cpp.put("more()" + ";" * statements)
        if statements:
            self.cpp.close("})")

    def loop_condition(self):
        v = self.call("more", result=True)
        b = self.value()
        self.cir.put(f"{b} = cir.cast int_to_bool {v} : !s32i -> !cir.bool")
        return b

    def end_region(self, alive):
        if alive:
            self.cir.put("cir.yield")

    def break_(self, ctx):
        self.cir.put("cir.break")
        self.cpp.put("break;")
        return False

    def continue_(self, ctx):
        self.cir.put("cir.continue")
        self.cpp.put("continue;")
        return False

    def return_(self, ctx):
        if not ctx.value:
            self.cir.put("cir.return")
            self.cpp.put("return;")
            return False
        n = self.rng.randint(1, 999)
        v = self.const(n)
        self.cir.put(f"cir.return {v} : !s32i")
        self.cpp.put(f"return {n};")
        return False

    def switch(self, ctx):
        v = self.call("pick", result=True)
        self.cir.open(f"cir.switch ({v} : !s32i) {{")
        self.cpp.open("switch (pick()) {")
        keys = list(range(8))
        self.rng.shuffle(keys)
        cases = self.rng.randint(1, 4)
        default = self.rng.choice((None, *range(cases)))
        for i in range(cases):
            self.case(ctx, keys, i == default)
        self.cir.put("cir.yield")
        self.cir.close()
        self.cpp.close()
        return True

    def case(self, ctx, keys, is_default):
        number = "#cir.int<{}> : !s32i"
        kind = self.rng.choice(("equal", "anyof", "range"))
        low = min(keys)
        high = low + 1 if low + 1 in keys else low
        if not is_default and kind == "range":
            keys.remove(low)
            if high != low:
                keys.remove(high)
            head = f"(range, [{number.format(low)}, {number.format(high)}])"
            self.cpp.put(f"case {low} ... {high}: {{")
        elif is_default:
            head = "(default, [])"
            self.cpp.put("default: {")
        elif kind == "equal" or len(keys) < 2:
            key = keys.pop()
            head = f"(equal, [{number.format(key)}])"
            self.cpp.put(f"case {key}: {{")
        else:
            pair = [keys.pop(), keys.pop()]
            head = f"(anyof, [{', '.join(number.format(k) for k in pair)}])"
            self.cpp.put(f"case {pair[0]}: case {pair[1]}: {{")
        self.cir.open(f"cir.case {head} {{")
        self.cpp.depth += 1
        alive = self.block(ctx.inside(breakable=True))
        if alive and self.rng.random() < 0.6:
            alive = self.break_(ctx)
        self.end_region(alive)
        self.cir.close()
        self.cpp.close()

    def perhaps(self, ctx):
        """if (choose()) { … }: its end is reached."""
        self.cir.open(f"cir.if {self.condition()} {{")
        self.cpp.open("if (choose()) {")
        self.block(ctx.inside())
        self.cir.close()
        self.cpp.close()

    def enter(self, kind):
        """The head of a `while`, an `if`, a `do` or a scope."""
        if kind == "while":
            self.cir.open("cir.while {")
            self.cpp.open("while (more()) {")
            self.cir.put(f"cir.condition({self.loop_condition()})")
            self.cir.close("} do {")
            self.cir.depth += 1
        elif kind == "if":
            self.cir.open(f"cir.if {self.condition()} {{")
            self.cpp.open("if (choose()) {")
        else:
            self.cir.open("cir.do {" if kind == "do" else "cir.scope {")
            self.cpp.open("do {" if kind == "do" else "{")

    def case_in_loop(self, ctx):
        """switch (pick()) { case 0: … while (more()) { … case 1: … } }, as Duff's device"""
        v = self.call("pick", result=True)
        self.cir.open(f"cir.switch ({v} : !s32i) {{")
        self.cpp.open("switch (pick()) {")
        keys = list(range(8))
        self.rng.shuffle(keys)
        inner = ctx.inside(breakable=True)
        self.cir.open(f"cir.case (equal, [#cir.int<{keys[0]}> : !s32i]) {{")
        self.cpp.put(f"case {keys[0]}:;")
        self.perhaps(inner)
        kind = self.rng.choice(("while", "do", "scope", "if"))
        loop = kind in ("while", "do")
        self.enter(kind)
        inside = inner.inside(loop=loop or inner.loop)
        self.perhaps(inside)
        for key in keys[1:self.rng.randint(2, 3)]:
            self.cir.open(f"cir.case (equal, [#cir.int<{key}> : !s32i]) {{")
            self.cpp.open(f"case {key}: {{")
            self.end_region(self.block(inside))
            self.cir.close()
            self.cpp.close()
        self.perhaps(inside)
        self.end_region(True)
        if kind == "do":
            self.cir.close("} while {")
            self.cir.put(f"  cir.condition({self.loop_condition()})")
            self.cir.put("}")
            self.cpp.close("} while (more());")
        else:
            self.cir.close()
            self.cpp.close()
        self.end_region(True)
        self.cir.close()
        self.case(ctx, keys[3:], self.rng.random() < 0.5)
        self.cir.put("cir.yield")
        self.cir.close()
        self.cpp.close()
        return True

    # goto

    def place(self, label):
        self.cir.put(f"cir.br ^{label}")
        self.cir.put(f"^{label}:")
        self.cir.put(f'cir.label "{label}"')
        self.cpp.put(f"{label}:;")

    def jump_in(self, ctx):
        """{ …goto l; … while (more()) { … l: … } }: forward, into a loop, a scope or an if"""
        if not ctx.leave:
            return self.event(ctx)
        label, kind = self.name("l"), self.rng.choice(("while", "scope", "if"))
        self.cir.open("cir.scope {")
        self.cpp.open("{")
        self.perhaps(ctx.inside(labels=ctx.labels + (label,)))
        self.enter(kind)
        loop = kind == "while"
        inner = ctx.inside(loop=loop or ctx.loop, breakable=loop or ctx.breakable)
        self.perhaps(inner)
        self.place(label)
        alive = self.block(inner)
        self.end_region(alive)
        self.cir.close()
        self.cpp.close()
        reached = alive or kind != "scope"
        self.end_region(reached)
        if not reached:
            self.dead_end()
        self.cir.close()
        self.cpp.close()
        if not reached:
            self.dead_end()
        return reached

    def labelled(self, ctx):
        """{ …goto l; … l: … }: forward, out of whatever is in between."""
        if not ctx.leave:
            return self.event(ctx)
        label = self.name("l")
        self.cir.open("cir.scope {")
        self.cpp.open("{")
        alive = self.block(ctx.inside(labels=ctx.labels + (label,)), least=2)
        block = f"^{label}"
        if alive:
            self.cir.put(f"cir.br {block}")
        self.cir.put(f"{block}:")
        self.cir.put(f'cir.label "{label}"')
        self.cpp.depth -= 1
        self.cpp.put(f"{label}:;")
        self.cpp.depth += 1
        end = self.block(ctx.inside())
        self.end_region(end)
        self.cir.close()
        self.cpp.close()
        if not end:
            self.dead_end()
        return end

    def goto(self, ctx):
        label = self.rng.choice(ctx.labels)
        self.cir.put(f'cir.goto "{label}"')
        self.cpp.put(f"goto {label};")
        return False

    def again(self, ctx):
        """{ l: …if (more()) goto l; … }: backwards, out of whatever is in between."""
        if not ctx.leave:
            return self.event(ctx)
        label = self.name("l")
        self.cir.open("cir.scope {")
        self.cpp.open("{")
        self.place(label)
        alive = self.block(ctx.inside(behind=ctx.behind + (label,)), least=2)
        self.end_region(alive)
        self.cir.close()
        self.cpp.close()
        if not alive:
            self.dead_end()
        return alive

    def go_back(self, ctx):
        label = self.rng.choice(ctx.behind)
        self.cir.open(f"cir.if {self.loop_condition()} {{")
        self.cir.put(f'cir.goto "{label}"')
        self.cir.close()
        self.cpp.put(f"if (more()) goto {label};")
        return True

    # the whole

    def write(self):
        self.cir.put('%x = cir.alloca "x" align(4) init : !cir.ptr<!s32i>')
        self.cir.put(f"cir.store {self.const(self.number)}, %x : !s32i, !cir.ptr<!s32i>")
        self.cpp.put(f"int x = {self.number};")
        if self.block(Context(), least=3):
            v = self.value()
            self.cir.put(f"{v} = cir.load %x : !cir.ptr<!s32i>, !s32i")
            self.cir.put(f"cir.return {v} : !s32i")
            self.cpp.put("return x;")
        name = f"test_{self.number}"
        cir = self.functions + [f"  cir.func @{name}() -> !s32i {{", *self.cir.lines, "  }"]
        cpp = [f'extern "C" int {name}()', "{", *self.cpp.lines, "}"]
        return cir, cpp


CIR_HEAD = """\
!s32i = !cir.int<s, 32>
!u8i = !cir.int<u, 8>
!u64i = !cir.int<u, 64>
!void = !cir.void
!rec_Obj = !cir.struct<"Obj" {!s32i}>
!rec_Base = !cir.struct<"Base" {!s32i}>
!rec_Derived = !cir.struct<"Derived" {!rec_Base, !s32i}>
module attributes {cir.triple = "x86_64-unknown-linux-gnu"} {
  cir.global "private" constant external @_ZTIi : !cir.ptr<!u8i>
  cir.global "private" constant external @_ZTId : !cir.ptr<!u8i>
  cir.global "private" constant external @_ZTI4Base : !cir.ptr<!u8i> {cir.ms.tag = "struct", cir.ms.bases = []}
  cir.global "private" constant external @_ZTI7Derived : !cir.ptr<!u8i> {cir.ms.tag = "struct", cir.ms.bases = [{type = @_ZTI4Base}]}
  cir.global "private" constant external @_ZTIP4Base : !cir.ptr<!u8i>
  cir.func private @ev(!s32i) attributes {nothrow}
  cir.func private @act(!s32i)
  cir.func private @choose() -> !s32i attributes {nothrow}
  cir.func private @more() -> !s32i attributes {nothrow}
  cir.func private @pick() -> !s32i attributes {nothrow}
  cir.func private @obj_ctor(!cir.ptr<!rec_Obj>, !s32i)
  cir.func private @obj_dtor(!cir.ptr<!rec_Obj>)
  cir.func private @elem_ctor(!cir.ptr<!rec_Obj>)
  cir.func private @elem_dtor(!cir.ptr<!rec_Obj>)
  cir.func private @wild_dtor(!cir.ptr<!rec_Obj>)
  cir.func private @array_new(!u64i) -> !cir.ptr<!void>
  cir.func private @array_delete(!cir.ptr<!void>, !u64i) attributes {nothrow}
  cir.func private @condition_ctor(!cir.ptr<!rec_Obj>, !s32i) attributes {nothrow}
  cir.func private @derived_copy(!cir.ptr<!rec_Derived>, !cir.ptr<!rec_Derived>) attributes {nothrow}
  cir.func internal @derived_thunk(%to: !cir.ptr<!rec_Derived>, %from: !cir.ptr<!rec_Derived>) attributes {cir.eh.catch_copy_thunk} {
    cir.call @derived_copy(%to, %from) : (!cir.ptr<!rec_Derived>, !cir.ptr<!rec_Derived>) -> ()
    cir.return
  }
  cir.func private @derived_ctor(!cir.ptr<!rec_Derived>, !s32i)
  cir.func private @derived_dtor(!cir.ptr<!rec_Derived>) attributes {nothrow}
  cir.func private @saw_int(!s32i) attributes {nothrow}
  cir.func private @saw_double(!cir.double) attributes {nothrow}
  cir.func private @saw_base(!cir.ptr<!rec_Base>) attributes {nothrow}
  cir.func private @saw_derived(!cir.ptr<!rec_Derived>) attributes {nothrow}
  cir.func private @saw_copy(!cir.ptr<!rec_Derived>) attributes {nothrow}
  cir.func private @saw_pointer(!cir.ptr<!rec_Base>) attributes {nothrow}
"""


def generate(seed, count, specifications=True, leave_out=()):
    """Both texts of `count` programs, without the kinds of statement that are left out (names of Program's methods)."""
    cir, cpp = [CIR_HEAD], ['#include "runtime.h"', ""]
    for number in range(count):
        program = Program(random.Random(seed * 1000003 + number), number, specifications, leave_out)
        function, twin = program.write()
        cir += function
        cpp += twin + [""]
    return "\n".join(cir) + "\n}\n", "\n".join(cpp)


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--count", type=int, default=50, help="programs in the file")
    args.add_argument("--cir", required=True)
    args.add_argument("--cpp", required=True)
    options = args.parse_args()
    cir, cpp = generate(options.seed, options.count)
    with open(options.cir, "w", encoding="ascii") as out:
        out.write(cir)
    with open(options.cpp, "w", encoding="ascii") as out:
        out.write(cpp)


if __name__ == "__main__":
    main()
