#!/usr/bin/env python3
"""What ops on values compute: integers of all kinds of widths, vectors of them, floating point, casts, constants. Each op is a function
for each type, called on values at the borders of the type and some at random; what it stores is compared with what arithmetic.py says.

usage: run.py --circ CIRC --cc CC [--only REGEX] [--seed N] [--levels O0,O2] [--target aarch64]

For AArch64 CC is the cross compiler, and programs run under qemu.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

import arithmetic
from arithmetic import BOOL, FLOATS, INTS, SLOT, VECTORS

ROWS = 40  # calls of a function
COMPARED = {"lt": lambda x, y: x < y, "le": lambda x, y: x <= y, "gt": lambda x, y: x > y, "ge": lambda x, y: x >= y,
            "eq": lambda x, y: x == y, "ne": lambda x, y: x != y}
DRIVER = """\
#include <stdio.h>
#include <string.h>
struct call { unsigned function; unsigned char in[3][64]; };
extern void (*const functions[])(const void *, const void *, const void *, void *, void *);
int main(void)
{
	struct call c;
	while (fread(&c, sizeof c, 1, stdin)) {
		_Alignas(64) unsigned char in[3][64], out[2][64] = {{0}};
		memcpy(in, c.in, sizeof in);
		functions[c.function](in[0], in[1], in[2], out[0], out[1]);
		fwrite(out, sizeof out, 1, stdout);
	}
	return 0;
}
"""
PROLOGUE = "!p = !cir.ptr<!cir.void>\n!f = !cir.ptr<!cir.func<(!p, !p, !p, !p, !p)>>\n!s32i = !cir.int<s, 32>\n"


class Case:
    """An op with operands %a0, … and results %r0, …; expected: of values, a list of the results', or None: not to be asked."""

    def __init__(self, ins, outs, op, expected):
        self.ins, self.outs, self.op, self.expected = ins, outs, op, expected

    def text(self, name):
        lines = [f"cir.func @{name}(%p0: !p, %p1: !p, %p2: !p, %q0: !p, %q1: !p) {{"]
        for i, t in enumerate(self.ins):
            lines += [f"%i{i} = cir.cast bitcast %p{i} : !p -> !cir.ptr<{t.cir}>", f"%a{i} = cir.load %i{i} : !cir.ptr<{t.cir}>, {t.cir}"]
        lines.append(self.op)
        for i, t in enumerate(self.outs):
            lines += [f"%o{i} = cir.cast bitcast %q{i} : !p -> !cir.ptr<{t.cir}>", f"cir.store %r{i}, %o{i} : {t.cir}, !cir.ptr<{t.cir}>"]
        return "\n".join(lines + ["cir.return", "}", ""])

    def rows(self, rng):
        """Operands, and what they give: all of few, some of many."""
        samples = [t.samples(rng) for t in self.ins]
        found, tries = [], 0
        while len(found) < ROWS and tries < 4 * ROWS:
            tries += 1
            values = [rng.choice(s) for s in samples]
            expected = self.expected(*values)
            if expected is not None:
                found.append((values, expected))
        return found


def truncated(x, y):
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def binary_ints(t):
    """op, what it gives of two integers; None: undefined."""
    yield "add", lambda x, y: t.wrap(x + y)
    yield "sub", lambda x, y: t.wrap(x - y)
    yield "mul", lambda x, y: t.wrap(x * y)
    yield "div", lambda x, y: truncated(x, y) if y and t.holds(truncated(x, y)) else None
    yield "rem", lambda x, y: x - y * truncated(x, y) if y and t.holds(truncated(x, y)) else None
    yield "and", lambda x, y: x & y
    yield "or", lambda x, y: x | y
    yield "xor", lambda x, y: x ^ y
    yield "max", max
    yield "min", min
    if t.width > 1:
        yield "add sat", lambda x, y: t.saturate(x + y)
        yield "sub sat", lambda x, y: t.saturate(x - y)


def unary_ints(t):
    u, w = t.unsigned, t.width
    yield "inc", lambda x: t.wrap(x + 1)
    yield "dec", lambda x: t.wrap(x - 1)
    yield "minus", lambda x: t.wrap(-x)
    yield "not", lambda x: t.wrap(~x)
    if t.signed:
        yield "abs", lambda x: t.wrap(abs(x))
        yield "clrsb", lambda x: w - 1 - (x if x >= 0 else ~x).bit_length()
        yield "ffs", lambda x: t.wrap((x & -x).bit_length())
    else:
        yield "clz", lambda x: t.wrap(w - x.bit_length())
        yield "ctz", lambda x: t.wrap((x & -x).bit_length() - 1 if x else w)
        yield "parity", lambda x: x.bit_count() & 1
        yield "popcount", lambda x: t.wrap(x.bit_count())
        yield "bitreverse", lambda x: int(f"{u(x):0{w}b}"[::-1], 2)
        if w % 16 == 0:
            yield "byte_swap", lambda x: int.from_bytes(x.to_bytes(w // 8, "little"), "big")


def lanes(f):
    def each(*vectors):
        results = [f(*values) for values in zip(*vectors)]
        return None if None in results else tuple(results)
    return each


def plain(t, name, f, operands):
    op, _, flag = name.partition(" ")
    text = f"%r0 = cir.{op} {flag} " + ", ".join(f"%a{i}" for i in range(operands)) + f" : {t.cir}"

    def expected(*values):
        result = f(*values)
        return None if result is None else [result]
    return Case([t] * operands, [t], text, expected)


def int_cases():
    for t in INTS + VECTORS:
        wrap = lanes if t in VECTORS else lambda f: f
        element = t.element if t in VECTORS else t
        for name, f in binary_ints(element):
            yield name, plain(t, name, wrap(f), 2)
        for name, f in unary_ints(element):
            yield name, plain(t, name, wrap(f), 1)
    for t in INTS:
        for k, f in COMPARED.items():
            yield "cmp", Case([t, t], [BOOL], f"%r0 = cir.cmp {k} %a0, %a1 : {t.cir}", lambda x, y, f=f: [f(x, y)])
        for by in (t, INTS[2], INTS[9]):
            for way in ("left", "right"):
                def shifted(x, y, t=t, way=way):
                    return [t.wrap(x << y if way == "left" else x >> y)] if 0 <= y < t.width else None
                yield "shift", Case([t, by], [t], f"%r0 = cir.shift({way}, %a0 : {t.cir}, %a1 : {by.cir}) -> {t.cir}", shifted)
        for r in INTS:
            for op, f in (("add", int.__add__), ("sub", int.__sub__), ("mul", int.__mul__)):
                if r.width <= 65 and t.width <= 65:
                    yield "overflow", Case([t, t], [r, BOOL], f"%r0, %r1 = cir.{op}.overflow %a0, %a1 : {t.cir} -> {r.cir}",
                                           lambda x, y, f=f, r=r: [r.wrap(f(x, y)), not r.holds(f(x, y))])


def float_cases():
    for t in FLOATS:
        for name, f in (("fadd", arithmetic.add), ("fsub", arithmetic.subtract), ("fmul", arithmetic.multiply), ("fdiv", arithmetic.divide)):
            yield name, Case([t, t], [t], f"%r0 = cir.{name} %a0, %a1 : {t.cir}", lambda x, y, f=f, t=t: [f(t, x, y)])
        yield "fneg", Case([t], [t], f"%r0 = cir.fneg %a0 : {t.cir}", lambda x: x and [(not x[0], x[1])])
        yield "fabs", Case([t], [t], f"%r0 = cir.fabs %a0 : {t.cir}", lambda x: x and [(False, x[1])])
        for k, f in COMPARED.items():
            yield "cmp", Case([t, t], [BOOL], f"%r0 = cir.cmp {k} %a0, %a1 : {t.cir}",
                              lambda x, y, f=f, k=k: [f(arithmetic.number(x), arithmetic.number(y)) if x and y else k == "ne"])


def cast(kind, a, b, expected):
    return f"cast {kind}", Case([a], [b], f"%r0 = cir.cast {kind} %a0 : {a.cir} -> {b.cir}", expected)


def cast_cases():
    for a in INTS:
        yield cast("int_to_bool", a, BOOL, lambda x: [x != 0])
        yield cast("bool_to_int", BOOL, a, lambda x, a=a: [a.wrap(x)])
        for b in INTS:
            yield cast("integral", a, b, lambda x, b=b: [b.wrap(x)])
        for b in FLOATS:
            def nearest(x, a=a, b=b):
                result = b.round(x < 0, arithmetic.Fraction(abs(x)))
                return None if a.width > 128 and result[1] == arithmetic.INFINITE else [result]  # LLVM gives any number there
            yield cast("int_to_float", a, b, nearest)

            def whole(x, a=a):
                return [int(arithmetic.number(x))] if x and x[1] != arithmetic.INFINITE and a.holds(int(arithmetic.number(x))) else None
            yield cast("float_to_int", b, a, whole)
    for a in FLOATS:
        yield cast("float_to_bool", a, BOOL, lambda x: [x is None or x[1] != 0])
        for b in FLOATS:
            yield cast("floating", a, b, lambda x, b=b: [x and b.round(*x)])


def constant_cases(rng):
    for t in INTS:
        for v in t.samples(rng)[::3]:
            yield "const", Case([], [t], f"%r0 = cir.const #cir.int<{v}> : {t.cir}", lambda v=v: [v])


def cases(seed):
    for family in (int_cases(), float_cases(), cast_cases(), constant_cases(arithmetic.generator(seed, "constants"))):
        yield from family


def module(some):
    views = ", ".join(f"#cir.global_view<@f{i}> : !f" for i in range(len(some)))
    return (PROLOGUE + "".join(case.text(f"f{i}") for i, (_, case) in enumerate(some)) +
            f"cir.global constant external @functions = #cir.const_array<[{views}]> : !cir.array<!f x {len(some)}>\n")


def calls(some, seed):
    """(case, operands, results) of every call."""
    for i, (name, case) in enumerate(some):
        for values, expected in case.rows(arithmetic.generator(seed, f"{name} {case.op}")):
            yield i, values, expected


# What to tell circ and the linker, what runs a program, and which values the target does not have.
TARGETS = {
    "host": {"circ": [], "link": [], "runner": [], "without": lambda t: False},
    "aarch64": {"circ": ["--target=aarch64-linux-gnu"], "link": ["-static"], "runner": ["qemu-aarch64"],
                "without": lambda t: "f80" in t.cir or (isinstance(t, arithmetic.Int) and t.width > 128)},
}


def run(options, folder, level, some, asked):
    path = os.path.join(folder, "values")
    target = TARGETS[options.target]
    subprocess.run([options.circ, *target["circ"], "-" + level, "-c", path + ".cir", "-o", path + ".o"], check=True)
    subprocess.run([options.cc, path + ".c", path + ".o", *target["link"], "-o", path], check=True)
    stdin = b"".join(i.to_bytes(4, "little") + b"".join(t.encode(v) for t, v in zip(some[i][1].ins, values)).ljust(3 * SLOT, b"\0")
                     for i, values, _ in asked)
    out = subprocess.run([*target["runner"], path], input=stdin, capture_output=True, check=True).stdout
    wrong = 0
    for row, (i, values, expected) in enumerate(asked):
        slots = [out[(2 * row + k) * SLOT:(2 * row + k + 1) * SLOT] for k in (0, 1)]
        got = [t.decode(slot) for t, slot in zip(some[i][1].outs, slots)]
        if got != expected:
            wrong += 1
            if wrong <= 10:
                print(f"FAILED at -{level}: {some[i][1].op}\n  of {values}\n  is {got}\n  not {expected}")
    print(f"-{level}: {len(some)} functions, {len(asked)} calls, {wrong} wrong")
    return wrong


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--circ", required=True)
    args.add_argument("--cc", required=True)
    args.add_argument("--only", default="", help="ops, a regular expression")
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--levels", default="O0,O2")
    args.add_argument("--target", choices=TARGETS, default="host")
    options = args.parse_args()
    without = TARGETS[options.target]["without"]
    some = [(name, case) for name, case in cases(options.seed) if re.search(options.only, name) and not any(map(without, case.ins + case.outs))]
    asked = list(calls(some, options.seed))
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("values.cir", module(some)), ("values.c", DRIVER)):
            with open(os.path.join(folder, name), "w", encoding="ascii") as out:
                out.write(text)
        wrong = sum(run(options, folder, level, some, asked) for level in options.levels.split(","))
    return 1 if wrong or not asked else 0


if __name__ == "__main__":
    sys.exit(main())
