#!/usr/bin/env python3
"""Random structured programs as own.py makes them, with faults and checks; the interpreter judges them (fault_run.py).

    faults.py --seed 7 --count 50 --cir out.cir

What is generated besides: `cir.try async` in functions of both runtimes, whose bodies, and all that is nested in them, have accesses and divisions that fault
(fault_accesses.py, fault_divisions.py); functions marked circ.may_fault, whose own accesses fault; checks anywhere, some of which call the language's own
functions (fault_checks.py); handlers of the types of faults, and throws of these types; filters that repair a page and go on.

Plain accesses of a function marked circ.may_fault stand outside of its cleanups and handlers: these do not see them on ELF and windows-gnu,
and may on windows-msvc in a cleanup.
"""
import functools
import os
import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import own  # noqa: E402
from fault_accesses import VOIDP, Accesses  # noqa: E402
from fault_checks import KINDS, Checks  # noqa: E402
from fault_divisions import WIDTHS, Divisions  # noqa: E402

STATUSES = [f"circ_type_{name}" for name in ("access", "zero", "overflow", "bounds", "conversion", "store")]
ANY_STATUS = "circ_type_fault"

TYPES = "".join(f"!{sign}{width}i = !cir.int<{sign}, {width}>\n" for sign in "su" for width in WIDTHS if (sign, width) not in (("s", 32), ("u", 8)))
DECLARED = f"  cir.func private @fault_answer({VOIDP}, !s32i) -> !s32i attributes {{nothrow}}\n" + "".join(f'  cir.global "private" constant external @{name} : !cir.ptr<!u8i>\n' for name in (*STATUSES, ANY_STATUS)) + "".join(
    f"  cir.func private @{name}({', '.join(['!s32i'] * n)}) -> {result} attributes {{nothrow}}\n" for name, n, result in (
        ("fault_place", 1, VOIDP), ("fault_guarded", 1, VOIDP), ("fault_object", 1, VOIDP), ("fault_size", 1, "!s32i"),
        ("fault_dividend", 2, "!s64i"), ("fault_divisor", 1, "!s64i"))) + "".join(
    f"  cir.func private @fault_raise_{kind}()\n" for kind in KINDS)

# Beside those of own.py.
FAULTING = {"access": 9, "divide": 3}
CHECKED = {"check": 3}
THROWN = {"throw_status": 1}


class Function(own.Function, Accesses, Divisions, Checks):
    def __init__(self, rng, name, circ, callees, is_test, twin, named=(), only=None):
        super().__init__(rng, name, circ if only is None else only == "circ", callees, is_test, twin)
        self.budget = self.budget * 2 // 3
        self.named = named
        self.may_fault = not is_test and not self.nothrow and rng.random() < 0.5
        if self.may_fault:
            self.has("may_fault")
        if rng.random() < 0.5:
            self.prefers.append(rng.choice(("access", "divide", "check", "try_")))

    def call_for(self, t, function, *args):
        values, types = ", ".join(a for a, _ in args), ", ".join(a for _, a in args)
        v = self.value()
        self.cir.put(f"{v} = cir.call @{function}({values}) : ({types}) -> {t}")
        return v

    # where

    def faults(self, ctx):
        """How an operation there may fault: as an exception of its own, of the whole function, or not at all (None)."""
        if ctx.asynchronous:
            return "async"
        return "plain" if self.may_fault and not (ctx.left or ctx.exits or ctx.loop or ctx.step or ctx.handler) else None

    def fault(self, ctx, kind):
        how = self.faults(ctx)
        self.has(f"{how} {kind}")
        if ctx.exits:
            self.has("fault in " + ctx.exits)
        if ctx.handler:
            self.has("fault in handler")

    def statements(self, ctx):
        simple, holding = super().statements(ctx)
        simple = {**simple, **CHECKED, **(FAULTING if self.faults(ctx) else {})}
        holding = {**holding, **(THROWN if self.circ else {})}
        if self.may_fault and not self.circ:  # C++ has no table for it beside its own cleanups and handlers
            holding = {kind: n for kind, n in holding.items() if kind not in ("try_", "cleanup", "loop")}
        return simple, holding

    # what holds statements

    def answering(self):
        return self.rng.choice(("own_answer", "fault_answer"))

    def open_try(self, body):
        if self.rng.random() < 0.3:
            return super().open_try(body)
        self.has("try async")
        self.cir.open("cir.try async {")
        body.asynchronous = True
        return body

    def handlers(self):
        handlers = super().handlers()
        if self.circ and self.rng.random() < 0.5:
            statuses = [("status", t) for t in self.rng.sample(STATUSES, self.rng.choice((0, 1, 2)))]
            statuses += [("status", ANY_STATUS)] * self.rng.choice((0, 1))
            at = self.rng.randint(0, len(handlers) - (("all", None) in handlers))
            handlers[at:at] = statuses
        return handlers

    def throw_status(self, ctx):
        """What the language throws as one of these types is no other exception than the check's."""
        self.has("throw of a status")
        conditional = self.rng.random() < 0.7
        if conditional:
            self.cir.open(f"cir.if {self.decision()} {{")
        p = self.value()
        self.cir.put(f"{p} = cir.alloc.exception 4 -> !cir.ptr<!s32i>")
        self.store(self.const(self.number()), p)
        self.cir.put(f"cir.throw {p} : !cir.ptr<!s32i>, @{self.rng.choice(STATUSES)}")
        goes_on = self.rng.random() < 0.6
        if goes_on:
            self.event(ctx)
            self.region_end(conditional)
        else:
            self.cir.put("cir.unreachable")
        if conditional:
            self.cir.close()
        return conditional or goes_on

    def attributes(self):
        return super().attributes() + (["circ.may_fault"] if self.may_fault else [])


def head(named):
    raises = f", circ.raise = {{{', '.join(f'{kind} = @fault_raise_{kind}' for kind in named)}}}" if named else ""
    text = own.HEAD.replace("circ.eh.language = 7 : i32}", f"circ.eh.language = 7 : i32{raises}}}")
    return TYPES + "!vec = !cir.vector<4 x !s32i>\n" + text.replace(
        "!fn =", '!rec_Big = !cir.struct<"Big" {!s32i, !s64i, !cir.array<!s32i x 4>}>\n!fn =') + DECLARED + own.USED


def names(seed):
    """The kinds of checks that call the language's own functions."""
    rng = random.Random(seed)
    return sorted(rng.sample(KINDS, rng.choice((0, 2, 3, len(KINDS)))))


def write_programs(seed, count, drafts, only):
    return own.write_programs(seed, count, drafts, make=functools.partial(Function, named=names(seed), only=only))


def generate(seed, count, drafts=1, only=None):
    """As own.generate(). only: all functions are of the runtime `circ`, or `cxx`."""
    return own.module(head(names(seed)), write_programs(seed, count, drafts, only))


def generate_one(seed, number, drafts=1, only=None):
    return own.module_of_one(head(names(seed)), write_programs(seed, number + 1, drafts, only), number)


def can_meet(a, b):
    """In one function."""
    of_circ = {"catch status", "throw of a status"}
    return own.can_meet(a, b) and not any(x == "of C++" and y in of_circ for x, y in ((a, b), (b, a)))


if __name__ == "__main__":
    own.main(__doc__, generate)
