#!/usr/bin/env python3
"""Random structured programs with the exceptions of circ's own runtime; C++ cannot say the same, so the interpreter judges them (own_run.py).

    own.py --seed 7 --count 50 --cir out.cir

Program N is the function `test_N` and up to four more that it calls, each of circ's runtime or of C++; functions call only those behind them,
directly or through C++ that cleans up or catches. What they call otherwise is in runtime.h and own_runtime.cpp.

What is generated: filters that answer by decision, by constants or by variables, that see and change variables and arguments, that throw, that have a try
of their own and call functions; typed handlers, `catch all`, handlers that end in each of the three forms; finally in functions of both runtimes, left by
every way; cleanups of the three kinds that throw, with try and loops in them, of loops too; throws that go on, and that do not; rethrow; loops, break,
continue, return, goto, out of every region that they may leave; functions that nothing may leave by an exception (nothrow); throws of C++, of the
module's language and of another one, of types that extend others. Each function has statements that it prefers, so that rare ones meet.
"""
import argparse
import collections
import itertools
import random
import sys

sys.dont_write_bytecode = True
from statements.text import Context, Writer  # noqa: E402

HEAD = """\
!s32i = !cir.int<s, 32>
!u8i = !cir.int<u, 8>
!rec_E = !cir.struct<"Error" {!s32i}>
!rec_IO = !cir.struct<"my::IOError" {!s32i, !s32i}>
!rec_Timeout = !cir.struct<"my::net::Timeout" {!s32i, !s32i, !s32i}>
!rec_Odd = !cir.struct<"Odd" {!s32i}>
!rec_Both = !cir.struct<"Both" {!s32i, !s32i}>
!fn = !cir.func<(!s32i) -> !s32i>
module attributes {cir.triple = "x86_64-unknown-linux-gnu", cir.lang = #cir.lang<cxx>, circ.eh.language = 7 : i32} {
  cir.global "private" constant external @_ZTIi : !cir.ptr<!u8i>
  cir.func private @own_release(!cir.ptr<!cir.void>) attributes {nothrow}
  circ.exception_type @Error : !rec_E {release = @own_release}
  circ.exception_type @my.IOError extends @Error : !rec_IO {release = @own_release}
  circ.exception_type @my.net.Timeout extends @my.IOError : !rec_Timeout {release = @own_release}
  circ.exception_type @Odd : !rec_Odd {release = @own_release}
  circ.exception_type @Both extends @Odd, @my.IOError : !rec_Both {release = @own_release}
  cir.func private @ev(!s32i) attributes {nothrow}
  cir.func private @choose() -> !s32i attributes {nothrow}
  cir.func private @more() -> !s32i attributes {nothrow}
  cir.func private @own_act(!s32i)
  cir.func private @own_through(!cir.ptr<!fn>, !s32i)
  cir.func private @own_catch(!cir.ptr<!fn>, !s32i)
  cir.func private @own_catch_error(!cir.ptr<!fn>, !s32i)
  cir.func private @own_answer(!cir.ptr<!cir.void>, !s32i) -> !s32i attributes {nothrow}
  cir.func private @own_thrown_on() attributes {nothrow}
  cir.func private @own_saw(!s32i) attributes {nothrow}
  cir.func private @own_object(!cir.ptr<!cir.void>) attributes {nothrow}
  cir.func private @own_code(!cir.ptr<!cir.void>) attributes {nothrow}
  cir.func private @own_abnormal(!s32i) attributes {nothrow}
"""

VOIDP = "!cir.ptr<!cir.void>"
# The runtime throws all types, and an object has those that its functions use. One handler for each try: LLVM orders those within each other wrongly
# with --eh=async.
USED = "".join([
    "  cir.func @own_types() personality(@__circ_personality_v0) {\n",
    *(f"    cir.try {{\n      %n = cir.const #cir.int<1> : !s32i\n      cir.call @own_act(%n) : (!s32i) -> ()\n      cir.yield\n    }} catch "
      f"[type #cir.global_view<@{t}> : !cir.ptr<!u8i>] (%token: !cir.eh_token) {{\n      %object = cir.catch_param : {VOIDP}\n      cir.yield\n    }}\n"
      for t in ("Both", "Odd", "my.net.Timeout", "my.IOError", "Error")),
    "    cir.return\n  }\n"])
RECORDS = {"Error": ("!rec_E", 4), "my.IOError": ("!rec_IO", 8), "my.net.Timeout": ("!rec_Timeout", 12), "Odd": ("!rec_Odd", 4), "Both": ("!rec_Both", 8)}
BASES = {"my.IOError": ["Error"], "my.net.Timeout": ["my.IOError"], "Both": ["Odd", "my.IOError"]}

# How often each statement is drawn, one of those that hold others included.
SIMPLE = {"event": 1, "act": 2, "call_other": 2, "compute": 1}
HOLDING = {"if_": 1, "try_": 4, "cleanup": 2, "loop": 1, "throw": 2, "variable": 1}
JUMPS = {"break_": 1, "continue_": 1, "return_": 1, "goto": 1, "rethrow": 1}
REGIONS = ("filter", "cleanup", "finally")  # whose statements are few unless a function prefers them
PREFERRED = 5                               # times as often

# What other languages cannot say.
NOT_IN_TWIN = {None: (), "python": ("goto",), "seh": ("rethrow",)}


def extends(derived, base):
    return derived == base or any(extends(b, base) for b in BASES.get(derived, ()))


class Function:
    """One function of a program."""

    more = 0  # kinds of statements and regions that each prefers besides (own_run.py --prefer)

    def __init__(self, rng, name, circ, callees, is_test, twin):
        self.rng, self.name, self.circ, self.callees, self.is_test, self.twin = rng, name, circ, callees, is_test, twin
        self.cir = Writer()
        self.cir.depth = 2
        self.values = 0
        self.budget = rng.choice((4, 8, 12, 20))
        self.features = {"of circ" if circ else "of C++"}
        self.goes_out = False
        self.prefers = rng.sample([*HOLDING, *JUMPS], rng.choice((0, 1, 2, 3))) + [r for r in REGIONS if rng.random() < 0.3]
        if self.more:
            self.prefers += rng.sample([*SIMPLE, *HOLDING, *JUMPS, *REGIONS], self.more) + [rng.choice(REGIONS)]
        self.nothrow = not is_test and not twin and rng.random() < 0.15
        if self.nothrow:
            self.has("nothrow")

    # pieces

    def value(self):
        self.values += 1
        return f"%v{self.values}"

    def number(self):
        return self.rng.randint(1, 999)

    def const(self, n):
        v = self.value()
        self.cir.put(f"{v} = cir.const #cir.int<{n}> : !s32i")
        return v

    def call(self, function, *args, result=False):
        values, types = ", ".join(a for a, _ in args), ", ".join(t for _, t in args)
        v = self.value() if result else None
        self.cir.put(f"{v + ' = ' if result else ''}cir.call @{function}({values}) : ({types}) -> {'!s32i' if result else '()'}")
        return v

    def decision(self, function="choose"):
        b = self.value()
        self.cir.put(f"{b} = cir.cast int_to_bool {self.call(function, result=True)} : !s32i -> !cir.bool")
        return b

    def load(self, variable):
        v = self.value()
        self.cir.put(f"{v} = cir.load {variable} : !cir.ptr<!s32i>, !s32i")
        return v

    def store(self, v, variable):
        self.cir.put(f"cir.store {v}, {variable} : !s32i, !cir.ptr<!s32i>")

    def has(self, feature):
        self.features.add(feature)

    def region_end(self, alive, last="cir.yield"):
        if alive:
            self.cir.put(last)

    def between(self, text):
        """The end of a region and the beginning of the next."""
        self.cir.depth -= 1
        self.cir.open(text)

    def after(self, alive):
        if not alive:
            self.cir.put("cir.unreachable")
        return alive

    # statements: False when the end is not reached

    def block(self, ctx, least=1, most=3):
        for _ in range(self.rng.randint(least, most)):
            if not self.statement(ctx):
                return False
        return True

    def weights(self, ctx, preferred):
        simple, holding = self.statements(ctx)
        weights = dict(simple) if not preferred else dict.fromkeys(simple, 1)
        if self.budget >= 0 and ctx.depth <= (8 if preferred else 6):
            weights.update(holding)
            for jump, there in (("break_", ctx.loop), ("continue_", ctx.loop), ("return_", ctx.leave), ("goto", ctx.leave), ("rethrow", ctx.handler)):
                if there and jump not in NOT_IN_TWIN[self.twin]:
                    weights[jump] = JUMPS[jump]
        if ctx.exits in ("cleanup", "finally"):
            weights["say_abnormal"] = 1
        if self.twin == "seh" and ctx.exits == "filter":
            weights = {"event": 1, "compute": 1}
        return weights

    def statements(self, ctx):
        """How often each is drawn there: those that hold no others, and those that do."""
        return SIMPLE, HOLDING

    def statement(self, ctx):
        self.budget -= 1
        weights = self.weights(ctx, ctx.exits in self.prefers)
        kinds = list(weights)
        drawn = self.rng.choices(kinds, [weights[k] * (PREFERRED if k in self.prefers else 1) for k in kinds])[0]
        return getattr(self, drawn)(ctx)

    def inner_block(self, ctx, region):
        """The statements of a cleanup, a finally or a filter."""
        if region in self.prefers:
            self.budget += 6
        return self.block(ctx, most=3 if region in self.prefers else 2)

    def event(self, ctx):
        self.call("ev", (self.const(self.number()), "!s32i"))
        return True

    def act(self, ctx):
        self.call("own_act", (self.const(self.number()), "!s32i"))
        return True

    def compute(self, ctx):
        variable = self.rng.choice(self.variables)
        v, w = self.value(), self.load(variable)
        self.cir.put(f"{v} = cir.add {w}, {self.rng.choice(self.known)} : !s32i")
        self.store(v, variable)
        self.call("own_saw", (v, "!s32i"))
        return True

    def variable(self, ctx):
        """One that is not of the entry block, for the statements behind it."""
        v = self.value()
        self.cir.open("cir.scope {")
        self.cir.put(f'{v} = cir.alloca "v" align({self.rng.choice((4, 4, 32)) if self.twin != "seh" else 4}) init : !cir.ptr<!s32i>')
        self.store(self.const(self.number()), v)
        self.variables.append(v)
        w = self.load(v)
        self.known.append(w)
        alive = self.block(ctx.inside())
        self.known.remove(w)
        self.variables.remove(v)
        self.region_end(alive)
        self.cir.close()
        return self.after(alive)

    def ways_of_call(self):
        return ("", "", "", "own_through", "own_catch", "own_catch_error") if self.twin != "seh" else ("", "own_through")

    def call_other(self, ctx):
        if not self.callees:
            return self.act(ctx)
        callee, arg = self.rng.choice(self.callees), self.rng.choice(self.known)
        how = self.rng.choice(self.ways_of_call())
        if not how:
            v = self.call(callee, (arg, "!s32i"), result=True)
            self.call("own_saw", (v, "!s32i"))
            return True
        self.has("C++ between" if how == "own_through" else "catch in C++ between")
        f = self.value()
        self.cir.put(f"{f} = cir.get_global @{callee} : !cir.ptr<!fn>")
        self.call(how, (f, "!cir.ptr<!fn>"), (self.const(self.number()), "!s32i"))
        return True

    def if_(self, ctx):
        self.cir.open(f"cir.if {self.decision()} {{")
        alive = self.block(ctx.inside())
        self.region_end(alive)
        if self.rng.random() < 0.4:
            self.between("} else {")
            other = self.block(ctx.inside())
            self.region_end(other)
            alive |= other
        else:
            alive = True
        self.cir.close()
        return self.after(alive)

    def loop(self, ctx):
        self.has("loop")
        if ctx.exits:
            self.has("loop in " + ctx.exits)
        inner = ctx.inside(loop=True, left_by_loop=())
        kind = self.rng.choice(("while", "for", "do"))
        if kind == "do":
            self.cir.open("cir.do {")
            self.region_end(self.block(inner))
            self.between("} while {")
            self.cir.put(f"cir.condition({self.decision('more')})")
            self.cir.close()
            return True
        self.cir.open("cir.while {" if kind == "while" else "cir.for : cond {")
        if self.rng.random() < 0.2:
            self.act(ctx)
        self.cir.put(f"cir.condition({self.decision('more')})")
        self.between("} do {" if kind == "while" else "} body {")
        self.region_end(self.block(inner))
        if kind == "for":
            self.between("} step {")
            self.region_end(self.block(ctx.alone(handler=ctx.handler, step=True), most=1))
        if self.rng.random() < 0.4:
            self.has("cleanup of a loop")
            self.cleanup_region(ctx, self.rng.choice(("normal", "all")) if self.twin != "seh" else "all")
        self.cir.close()
        return True

    def perhaps(self, feature, op, leaves):
        """By decision: its end is reached."""
        self.has(feature)
        for region in leaves:
            self.has("jump out of " + region)
        if self.rng.random() < 0.3:
            self.cir.put(op())
            return False
        self.cir.open(f"cir.if {self.decision()} {{")
        self.cir.put(op())
        self.cir.close()
        return True

    def break_(self, ctx):
        return self.perhaps("break", lambda: "cir.break", ctx.left_by_loop)

    def continue_(self, ctx):
        return self.perhaps("continue", lambda: "cir.continue", ctx.left_by_loop)

    def return_(self, ctx):
        return self.perhaps("return", lambda: f"cir.return {self.load('%x')} : !s32i", ctx.left)

    def goto(self, ctx):
        self.goes_out = True
        return self.perhaps("goto", lambda: 'cir.goto "out"', ctx.left)

    def rethrow(self, ctx):
        self.has("rethrow")
        conditional = self.rng.random() < 0.6
        if conditional:
            self.cir.open(f"cir.if {self.decision()} {{")
        replaced = self.circ and self.rng.random() < 0.5
        if replaced:
            self.cir.open("cir.cleanup.scope {")
        self.thrown_on()
        self.cir.put("cir.throw")
        self.cir.put("cir.unreachable")
        if replaced:
            self.replace(ctx)
        if conditional:
            self.cir.close()
        return conditional

    def replace(self, ctx):
        """A cleanup that may throw: what is thrown on is over then before the handler that holds it ends."""
        self.has("cleanup eh")
        self.has("cleanup that may throw")
        self.between("} cleanup eh {")
        inner = ctx.alone(handler=False)
        inner.exits = "cleanup"
        self.event(inner)
        self.region_end(self.throw(inner))
        self.cir.close()
        self.cir.put("cir.unreachable")

    def thrown_on(self):
        if not self.circ:
            self.call("own_thrown_on")

    def throw(self, ctx):
        conditional = self.rng.random() < 0.7
        if conditional:
            self.cir.open(f"cir.if {self.decision()} {{")
        p = self.value()
        if not self.circ and self.rng.random() < 0.5:
            self.cir.put(f"{p} = cir.alloc.exception 4 -> !cir.ptr<!s32i>")
            self.store(self.const(self.number()), p)
            self.cir.put(f"cir.throw {p} : !cir.ptr<!s32i>, @_ZTIi")
        else:
            kind = self.rng.choice(sorted(RECORDS))
            record, size = RECORDS[kind]
            self.cir.put(f"{p} = cir.alloc.exception {size} -> !cir.ptr<{record}>")
            n = self.value()
            self.cir.put(f'{n} = cir.get_member {p}[0] {{name = "n"}} : !cir.ptr<{record}> -> !cir.ptr<!s32i>')
            self.store(self.const(self.number()), n)
            self.cir.put(f"cir.throw {p} : !cir.ptr<{record}>, @{kind}")
        if ctx.exits:
            self.has("throw in " + ctx.exits)
        goes_on = self.circ and self.rng.random() < 0.6 and self.twin != "python"
        self.has("throw that goes on" if goes_on else "throw")
        if goes_on:
            self.event(ctx)
            self.region_end(conditional)
        else:
            self.cir.put("cir.unreachable")
        if conditional:
            self.cir.close()
        return conditional or goes_on

    # cleanups

    def cleanup(self, ctx):
        kind = self.rng.choice(("normal", "eh", "all", "all")) if self.twin != "seh" else "all"
        self.has("cleanup " + kind)
        if ctx.exits:
            self.has("cleanup in " + ctx.exits)
        self.cir.open("cir.cleanup.scope {")
        alive = self.block(ctx.leaving("cleanup scope"))
        self.region_end(alive)
        self.cleanup_region(ctx, kind)
        self.cir.close()
        return self.after(alive)

    def cleanup_region(self, ctx, kind):
        self.between(f"}} cleanup {kind} {{")
        inner = ctx.alone(handler=False)
        inner.exits = "cleanup"
        self.call("ev", (self.const(self.number()), "!s32i"))
        if self.rng.random() < 0.3:
            self.abnormal()
        # In C++ it would mostly be the end of the program.
        wanted = 0.5 if self.circ else 0.15
        if ctx.depth < 5 and self.rng.random() < (0.8 if "cleanup" in self.prefers else wanted):
            self.has("cleanup that may throw")
            if ctx.loop:
                self.has("cleanup that may throw in a loop")
            self.region_end(self.inner_block(inner, "cleanup"))
        else:
            self.cir.put("cir.yield")

    def say_abnormal(self, ctx):
        self.abnormal()
        return True

    def abnormal(self):
        self.has("abnormal")
        a, n = self.value(), self.value()
        self.cir.put(f"{a} = circ.abnormal : !cir.bool")
        self.cir.put(f"{n} = cir.cast bool_to_int {a} : !cir.bool -> !s32i")
        self.call("own_abnormal", (n, "!s32i"))

    # try

    def types(self):
        """Of the typed handlers, each before what it extends."""
        known = [*RECORDS] + ([] if self.circ else ["_ZTIi"])
        chosen = self.rng.sample(known, self.rng.choice((0, 0, 1, 1, 2, 3)))
        return sorted(chosen, key=lambda t: sum(extends(c, t) for c in chosen))

    def handlers(self):
        if self.twin == "seh":
            return [("when", None)]
        handlers = [("type", t) for t in self.types()]
        if self.circ and self.twin != "python":
            for _ in range(self.rng.choice((0, 1, 1, 1, 2))):
                handlers.insert(self.rng.randint(0, len(handlers)), ("when", None))
        if self.rng.random() < 0.25:
            handlers.append(("all", None))
        return handlers

    def open_try(self, body):
        """Returns where the statements of the body stand."""
        self.cir.open("cir.try {")
        return body

    def try_(self, ctx):
        handlers = self.handlers()
        finally_ = self.twin != "seh" and self.rng.random() < (0.6 if "finally" in self.prefers else 0.25) or not handlers
        if ctx.exits:
            self.has("try in " + ctx.exits)
        if finally_:
            self.has("finally")
            if ctx.exits:
                self.has("finally in " + ctx.exits)
        around = ("try with finally",) if finally_ else ()
        alive = self.block(self.open_try(ctx.leaving("try", *around)))
        self.region_end(alive)
        for kind, t in handlers:
            self.has("catch " + kind)
            token = self.value()
            if kind == "when":
                self.filter(ctx)
                self.between(f"}} do ({token}: !cir.eh_token) {{")
            elif t:
                self.between(f"}} catch [type #cir.global_view<@{t}> : !cir.ptr<!u8i>] ({token}: !cir.eh_token) {{")
            else:
                self.between(f"}} catch all ({token}: !cir.eh_token) {{")
            alive |= self.handler(ctx.leaving("handler", *around, handler=True), token, kind)
        if finally_:
            self.between("} finally {")
            alive &= self.finally_(ctx)
        self.cir.close()
        return self.after(alive)

    def finally_(self, ctx):
        self.thrown_on()
        self.call("ev", (self.const(self.number()), "!s32i"))
        if self.rng.random() < 0.4:
            self.abnormal()
        alive = True
        if self.rng.random() < (0.9 if "finally" in self.prefers else 0.6):
            inner = ctx.leaving("finally", handler=False)
            inner.exits = "finally"
            alive = self.inner_block(inner, "finally")
        self.region_end(alive)
        return alive

    def answering(self):
        """The function that says what a filter answers."""
        return "own_answer"

    def filter(self, ctx):
        record = self.value()
        self.between(f"}} catch when ({record}: {VOIDP}) {{")
        inner = ctx.alone(handler=False, asynchronous=False)
        inner.exits = "filter"
        inner.depth = max(inner.depth, 3 if "filter" in self.prefers else 4)
        if self.rng.random() < 0.6:
            self.compute(inner)
        if self.rng.random() < (0.8 if "filter" in self.prefers else 0.4):
            self.has("filter with statements")
            self.budget += 1
            if not self.inner_block(inner, "filter"):
                return
        kind = self.rng.random()
        if kind < 0.75:
            answer = self.call(self.answering(), (record, VOIDP), (self.const(self.number()), "!s32i"), result=True)
        elif kind < 0.85:
            answer = self.const(self.rng.choice((0, 1)))
        else:
            answer = self.value()
            self.cir.put(f"{answer} = cir.and {self.load(self.rng.choice(self.variables))}, {self.const(1)} : !s32i")
        self.cir.put(f"cir.yield {answer} : !s32i")

    def handler(self, inner, token, kind):
        form = self.rng.choice(("scope", "scope", "line", "param"))
        catch, p = self.value(), self.value()
        if form == "param":
            self.cir.put(f"{p} = cir.catch_param : {VOIDP}")
        else:
            self.cir.put(f"{catch}, {p} = cir.begin_catch {token} : !cir.eh_token -> (!cir.catch_token, {VOIDP})")
        if form == "scope":
            self.cir.open("cir.cleanup.scope {")
        if kind == "type":
            self.call("own_object", (p, VOIDP))
        elif self.circ and self.rng.random() < 0.6:
            record = self.value()
            self.cir.put(f"{record} = circ.exception {token} : !cir.eh_token -> {VOIDP}")
            self.call("own_code", (record, VOIDP))
        else:
            self.call("ev", (self.const(self.number()), "!s32i"))
        if form == "line":  # its end is there
            self.cir.open(f"cir.if {self.decision()} {{")
            self.region_end(self.block(inner))
            self.cir.close()
        alive = form == "line" or self.block(inner)
        if form == "scope":
            self.region_end(alive)
            self.between("} cleanup all {")
            self.cir.put(f"cir.end_catch {catch} : !cir.catch_token")
            self.cir.put("cir.yield")
            self.cir.close()
            self.after(alive)
        elif form == "line":
            self.cir.put(f"cir.end_catch {catch} : !cir.catch_token")
        self.region_end(alive)
        return alive

    # the whole

    def write(self):
        self.variables = ["%x"]
        self.known = ["%a"]
        if self.is_test:
            self.cir.put("%a = cir.const #cir.int<1> : !s32i")
        self.cir.put(f'%x = cir.alloca "x" align(4) init : !cir.ptr<!s32i>')
        self.store(self.const(self.number()), "%x")
        if self.rng.random() < 0.3 and self.twin != "seh":
            self.has("aligned variable")
            self.cir.put(f'%w = cir.alloca "w" align({self.rng.choice((32, 64))}) init : !cir.ptr<!s32i>')
            self.store("%a", "%w")
            self.variables.append("%w")
        if self.rng.random() < 0.5:
            self.known.append(self.load("%x"))
        ctx = Place()
        alive = self.block(ctx, least=2, most=4)
        if self.goes_out:
            if alive:
                self.event(ctx)
                self.cir.put("cir.br ^out")
            self.cir.depth -= 1
            self.cir.put("^out:")
            self.cir.depth += 1
            self.cir.put('cir.label "out"')
        if alive or self.goes_out:
            self.event(ctx)
            self.cir.put(f"cir.return {self.load('%x')} : !s32i")
        personality = " personality(@__circ_personality_v0)" if self.circ else ""
        inlined = self.rng.choice(("", "no_inline "))
        arg = "" if self.is_test else "%a: !s32i"
        attributes = f" attributes {{{', '.join(self.attributes())}}}" if self.attributes() else ""
        return [f"  cir.func {inlined}@{self.name}({arg}) -> !s32i{personality}{attributes} {{", *self.cir.lines, "  }"]

    def attributes(self):
        return ["nothrow"] if self.nothrow else []


class Place(Context):
    """Where a statement stands, and what a jump from there leaves."""

    def __init__(self, **known):
        super().__init__(**known)
        self.exits = known.get("exits", "")              # in which cleanup, finally or filter of the function
        self.left = known.get("left", ())                # by return and goto
        self.left_by_loop = known.get("left_by_loop", ())  # by break and continue
        self.asynchronous = known.get("asynchronous", False)  # in the body of a `cir.try async`
        self.step = known.get("step", False)             # of a loop, whose cleanup may be around it

    def leaving(self, *regions, **change):
        return self.inside(left=(*self.left, *regions), left_by_loop=(*self.left_by_loop, *regions), **change)

    def alone(self, **change):
        return super().alone(left=(), left_by_loop=(), **change)


def write_program(rng, number, twin=None, make=Function):
    """The text of its functions, and the features of each. twin: it is what that language can say, too (twins.py)."""
    names = [f"f{number}_{i}" for i in range(rng.choice((1, 2, 2, 3, 4)))]
    lines, features = [], []
    for i, name in enumerate([f"test_{number}", *names]):
        function = make(rng, name, rng.random() < 0.7 or bool(twin), names[i:], i == 0, twin)
        lines += function.write()
        features.append(function.features)
    return lines, features


def module(head, programs):
    """Its text, and the features of each function in it."""
    lines, features = [], []
    for text, has in programs:
        lines += text
        features += has
    return head + "\n".join(lines) + "\n}\n", features


def module_of_one(head, programs, number):
    """A module that has the last of the programs alone, as test_0."""
    text, features = module(head, itertools.islice(programs, number, None))
    return text.replace(f"@test_{number}(", "@test_0("), features


def choose(count, drafts, write):
    """Each program of a seed is that one of its drafts whose pairs of features are rarest in the programs before it. write: of number and draft."""
    met = collections.Counter()
    for number in range(count):
        made = [write(number, draft) for draft in range(drafts)]
        pairs = [count_pairs(features, collections.Counter()) for _, features in made]
        best = max(range(drafts), key=lambda draft: sum(1 / (1 + met[pair]) ** 2 for pair in pairs[draft]))
        met += pairs[best]
        yield made[best]


def write_programs(seed, count, drafts=1, twin=None, make=Function):
    """drafts: of each program. The first does not depend on how many there are."""
    return choose(count, drafts, lambda number, draft: write_program(random.Random((draft << 64) + seed * 1000003 + number), number, twin, make))


def generate(seed, count, twin=None, drafts=1):
    return module(HEAD + ("" if twin else USED), write_programs(seed, count, drafts, twin))


def generate_one(seed, number, drafts=1):
    return module_of_one(HEAD + USED, write_programs(seed, number + 1, drafts), number)


def can_meet(a, b):
    """In one function. Filters, and so what goes on where it was thrown, are for functions of circ's runtime."""
    with_filters = {"of circ", "catch when", "filter with statements", "throw that goes on"}
    return not any(x == "of C++" and (y in with_filters or y.endswith(" in filter")) for x, y in ((a, b), (b, a)))


def count_pairs(features, counts):
    for has in features:
        for pair in itertools.combinations_with_replacement(sorted(has), 2):
            counts[pair] += 1
    return counts


def main(description, generate):
    args = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--count", type=int, default=50, help="programs in the file")
    args.add_argument("--cir", required=True)
    options = args.parse_args()
    with open(options.cir, "w", encoding="ascii") as out:
        out.write(generate(options.seed, options.count)[0])


if __name__ == "__main__":
    main(__doc__, generate)
