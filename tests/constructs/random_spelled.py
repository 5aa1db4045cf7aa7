#!/usr/bin/env python3
"""What random_types.py does not draw, as its operands and attributes have shapes of their own: assembly, constants, globals, and what
accesses to memory, calls and lanes say of themselves, each on types drawn at random. The rule is the same one: what verifies must
compile for each target, or be refused with a place.

usage: random_spelled.py --circ CIRC [--kinds REGEX] [--count N: candidates of a kind] [--seed N] [--levels O0,O2]
                         [--targets TRIPLE,…: as random_types.py]
"""
import argparse, random, re, sys, tempfile
import random_types as types
from random_types import ANY, FLOATS, INTS, POINTERS, PROLOGUE, RECORDS, VECTORS

ODD = ["!cir.int<%s, %d>" % (s, w) for w in (1, 7, 13, 65, 200) for s in "su"]
SPACES = ["!cir.ptr<!s32i, target_address_space(%d)>" % n for n in (3, 256, 270, 271, 272)]
LANES = ["!cir.vector<%d x %s>" % (n, e) for n in (1, 2, 3, 7, 16) for e in INTS[:10] + ODD + FLOATS + SPACES[3:] + ["!cir.bool"]]
ALL = ANY + ODD + SPACES + LANES

OUTPUTS = "r q Q A a x v t u f y X g m rm k {ax} {bl} {r8d} {rsp} {xmm0} {ymm1} {st} {st(1)} {mm0} {k1} {@ccz} {flags} {es} {cr0} ^Yz ^Yk @3ccz @ccz ^Y".split()
INPUTS = OUTPUTS + "i n s I J e K {rip} 0 r|m ri".split()
CONSTANTS = ["#cir.zero", "#cir.undef", "#cir.poison", "#cir.int<1>", "#cir.int<-1>", "#cir.fp<1.5>", "#cir.bool<true>", "#cir.ptr<null>", "#cir.ptr<8 : i64>",
             "#cir.global_view<@g>", "#cir.global_view<@callee>", "#cir.global_view<@places, [2 : i32]>", "#cir.global_offset<@g, 4>", "#cir.global_view<@thread>",
             "#cir.data_member<null>", "#cir.data_member<[1]>", "#cir.method<null>", "#cir.method<vtable_offset = 8>"]
HOLDERS = ["{c} : {t}", "#cir.const_array<[{c} : {t}, {c} : {t}]> : !cir.array<{t} x 2>", "#cir.const_array<[{c} : {t}], trailing_zeros> : !cir.array<{t} x 9>",
           "#cir.const_record<{{#cir.int<1> : !s8i, {c} : {t}}}> : !cir.struct<packed {{data !s8i, data {t}}}>",
           "#cir.const_record<{{{c} : {t}}}> : !cir.union<{{data !s8i, data {t}, data !cir.array<!s64i x 3>}}>",
           "#cir.const_vector<[{c} : {t}, {c} : {t}]> : !cir.vector<2 x {t}>", "#cir.const_complex<{c} : {t}, {c} : {t}> : !cir.complex<{t}>"]
LINKAGES = ["external", "internal constant", "external tls_model = tls_dyn", "common", "linkonce_odr comdat", "internal target_address_space(3)", "cir_private constant"]
ORDERS = "relaxed consume acquire release acq_rel seq_cst".split()
PLACES = """cir.global external @places = #cir.zero : !cir.array<!s32i x 3>
cir.global external tls_model = tls_dyn @thread = #cir.int<1> : !s32i
"""


def function(name, params, body):
    return "cir.func @%s(%s) {\n%s\n  cir.return\n}\n" % (name, params, "\n".join("  " + l for l in body))


def assembly(rng, name):
    t, u = rng.choice(ALL), rng.choice(ALL)
    result, operand = rng.choice(OUTPUTS), rng.choice(INPUTS)
    if operand == "0" and rng.random() < 0.7:
        u = t
    form = rng.randrange(4)
    load = "%%v = cir.load %%q : !cir.ptr<%s>, %s" % (u, u)
    if form == 0:
        asm = '%%r = cir.asm(x86_att, out = [], in = [], in_out = [], {"# $0" "=%s"}) side_effects -> %s' % (result, t)
    elif form == 1:
        asm = 'cir.asm(x86_intel, out = [], in = [%%v : %s], in_out = [], {"# $0" "%s"}) side_effects' % (u, operand)
    elif form == 2:
        asm = '%%r = cir.asm(x86_att, out = [], in = [%%v : %s], in_out = [], {"# $0 $1" "=&%s,%s"}) -> %s' % (u, result, operand, t)
    else:
        asm = 'cir.asm(x86_att, out = [%%p : !cir.ptr<%s>], in = [%%v : %s], in_out = [], {"# $0" "=*%s,%s"}) side_effects' % (t, u, result, operand)
    return function(name, "%%p: !cir.ptr<%s>, %%q: !cir.ptr<%s>" % (t, u), [load, asm])


def constant(rng, name):
    t = rng.choice(ALL)
    held = rng.choice(HOLDERS).format(c=rng.choice(CONSTANTS), t=t)
    return "cir.global %s @%s = %s\n" % (rng.choice(LINKAGES), name, held)


def variable(rng, name):
    t, linkage = rng.choice(ALL + RECORDS), rng.choice(LINKAGES)
    p = "!cir.ptr<%s>" % t
    if rng.random() < 0.5:
        return "cir.global %s @%s = #cir.zero : %s {alignment = %d : i64}\n" % (linkage, name, t, rng.choice([1, 64, 65536]))
    return ("cir.func private @make_%s() -> %s\ncir.func private @drop_%s(%s)\ncir.global %s @%s = ctor : %s {\n  %%p = cir.get_global @%s : %s\n"
            "  %%v = cir.call @make_%s() : () -> %s\n  cir.store %%v, %%p : %s, %s\n} dtor {\n  %%p = cir.get_global @%s : %s\n"
            "  cir.call @drop_%s(%%p) : (%s) -> ()\n}\n" % (name, t, name, p, linkage, name, t, name, p, name, t, t, p, name, p, name, p))


def access(rng, name):
    t = rng.choice(ALL)
    p = "!cir.ptr<%s>" % t
    words = [w for w in ("volatile", "nontemporal", "align(%d)" % rng.choice([1, 2, 64, 1 << 32])) if rng.random() < 0.4]
    words += ["atomic(%s)" % rng.choice(ORDERS)] if rng.random() < 0.3 else []
    body = ["%%v = cir.load %s %%p : %s, %s" % (" ".join(words), p, t), "cir.store %s %%v, %%q : %s, %s" % (" ".join(words), t, p)]
    m = re.fullmatch(r"!cir\.vector<(\d+) x (.*)>", t)
    if m and rng.random() < 0.5:
        mask = "!cir.vector<%s x %s>" % (m.group(1), rng.choice(["!cir.bool", "!s32i"]))
        body += ["%%m = cir.load %%m0 : !cir.ptr<%s>, %s" % (mask, mask),
                 "%%s = cir.vec.masked_load align(%d) %%p, %%m, %%v : %s, %s, %s -> %s" % (rng.choice([1, 16, 1 << 32]), p, mask, t, t),
                 "cir.store %%s, %%q : %s, %s" % (t, p)]
        return function(name, "%%p: %s, %%q: %s, %%m0: !cir.ptr<%s>" % (p, p, mask), body)
    if t in INTS + VECTORS and rng.random() < 0.5:
        body[1] = "%%z = cir.load %%q : %s, %s" % (p, t)
        body += ["%%s = cir.%s %%v, %%z : %s" % (rng.choice(["add", "and", "fadd", "div", "fmul"]), t), "cir.store %%s, %%q : %s, %s" % (t, p)]
    return function(name, "%%p: %s, %%q: %s" % (p, p), body)


def tail_call(rng, name):
    t = rng.choice(ALL + POINTERS[:4])
    call = rng.choice(["", " musttail", " nothrow"])
    return ("cir.func private @to_%s(!s32i, %s) -> %s\ncir.func @%s(%%n: !s32i, %%a: %s) -> %s {\n  %%r = cir.call @to_%s(%%n, %%a)%s : (!s32i, %s) -> %s\n"
            "  cir.return %%r : %s\n}\n" % (name, t, t, name, t, t, name, call, t, t, t))


# The kinds, and how many of a hundred verify at least: a verifier that refuses too much must not go unseen. Fewer are chance.
MINIMUM = {assembly: 12, constant: 7, variable: 60, access: 50, tail_call: 90}


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--circ", required=True)
    a.add_argument("--kinds", default="")
    a.add_argument("--count", type=int, default=400)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--levels", default="O0,O2")
    a.add_argument("--targets", default=",".join(types.TARGETS))
    a = a.parse_args()
    targets = a.targets.split(",")
    types.PROLOGUE = PROLOGUE + PLACES
    failures = verified = drawn = 0
    with tempfile.TemporaryDirectory() as folder:
        circ = types.Circ(a.circ, folder)
        for kind in MINIMUM:
            if not re.search(a.kinds, kind.__name__):
                continue
            rng = random.Random("%d %s" % (a.seed, kind.__name__))
            cases = [kind(rng, "f%d" % i) for i in range(a.count)]
            good = []
            for ok, text in circ.verified(cases):
                if ok:
                    good.append(text)
                else:
                    failures += 1
                    print("%s: the verifier fails on\n%s" % (kind.__name__, text))
            if len(cases) >= 100 and len(good) < len(cases) * MINIMUM[kind] // 100:
                failures += 1
                print("%s: %d of %d verify, expected %d %%" % (kind.__name__, len(good), len(cases), MINIMUM[kind]))
            drawn, verified = drawn + len(cases), verified + len(good)
            for target in targets:
                for level in a.levels.split(","):
                    for text, why in circ.compile(good, target, level):
                        failures += 1
                        print("%s: %s -%s: %s\n%s" % (kind.__name__, target, level, why, text), flush=True)
    print("%d drawn, of which %d verify, compiled %d ways: %d failures"
          % (drawn, verified, len(targets) * len(a.levels.split(",")), failures))
    return 1 if failures or not verified else 0


if __name__ == "__main__":
    sys.exit(main())
