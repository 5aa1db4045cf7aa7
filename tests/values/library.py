#!/usr/bin/env python3
"""library.py --circ CIRC [--wine PREFIX]: every op and conversion for which LLVM may call a function of a library, as one program for ELF and
one for each C++ ABI of Windows. All link, and print the same numbers; what has no function there is refused by name, or listed in LACKS."""
import argparse
import math
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TARGETS = {"elf": "x86_64-unknown-linux-gnu", "msvc": "x86_64-pc-windows-msvc", "gnu": "x86_64-w64-windows-gnu"}
FLOATS = {"f16": "!cir.f16", "bf16": "!cir.bf16", "f32": "!cir.float", "f64": "!cir.double", "f80": "!cir.long_double<!cir.f80>", "f128": "!cir.f128"}
INTS = {f"{sign}{width}": f"!cir.int<{sign}, {width}>" for sign in "su" for width in (32, 64, 128)}
UNARY = ("sqrt acos asin atan ceil cos cosh exp exp10 exp2 fabs floor log log10 log2 nearbyint rint round roundeven sin sinh tan tanh "
         "trunc fneg").split()
BINARY = "frem copysign fmaxnum fmaximum fminnum fminimum fmod pow atan2 fadd fsub fmul fdiv".split()
TERNARY = ("fma", "fmuladd")
REFUSED = {"msvc": r"is not available on windows-msvc|is not available on Windows", "gnu": "is not available on Windows", "elf": "no op is refused"}
# name of the function: what the libraries of the target lack
LACKS = {
    "elf": r"bf16",  # libgcc has its conversions since version 13
    "msvc": r"f128|f80_(bf16|f16|[su]128)|[su]128_f80|(bf16|f16)_f80|complex_\w+_f80",
    "gnu": r"f128|f16",  # of libgcc 12, which takes _Float16 elsewhere, too
}
PRECISION = {"f16": 2e-3, "bf16": 2e-2}  # of the others: 1e-5
D, S64 = "!cir.double", INTS["s64"]


def cast(value, name, from_, to):
    """One line that makes the value another type's, and its name."""
    kinds = {(True, True): "floating", (True, False): "float_to_int", (False, True): "int_to_float", (False, False): "integral"}
    if from_ == to:
        return "", value
    kind = kinds["int" not in from_, "int" not in to]
    return f"{name} = cir.cast {kind} {value} : {from_} -> {to}\n", name


def function(name, type_, op, operands, lanes=0, result=None):
    """double (double, double, double): the op on the operands in that type, or in a vector of it."""
    text, values = f"cir.func no_inline @{name}(%a: {D}, %b: {D}, %c: {D}) -> {D} {{\n", []
    whole = f"!cir.vector<{lanes} x {type_}>" if lanes else type_
    for letter in "abc"[:operands]:
        line, value = cast(f"%{letter}", f"%{letter}0", D, type_)
        text += line
        if lanes:
            text += f"%{letter}1 = cir.vec.splat {value} : {type_}, {whole}\n"
            value = f"%{letter}1"
        values.append(value)
    text += op.format(*values, t=whole)
    last = "%r"
    if lanes:
        text += f"%i = cir.const #cir.int<1> : {S64}\n%e = cir.vec.extract %r[%i : {S64}] : {whole}\n"
        last = "%e"
    line, last = cast(last, "%z", result or type_, D)
    return text + line + f"cir.return {last} : {D}\n}}\n"


def complex_function(name, type_, op, suffix):
    text = f"cir.func no_inline @{name}(%a: {D}, %b: {D}, %c: {D}) -> {D} {{\n"
    values = []
    for letter in "abc":
        line, value = cast(f"%{letter}", f"%{letter}0", D, type_)
        text += line
        values.append(value)
    pair = f"!cir.complex<{type_}>"
    text += f"%x = cir.complex.create {values[0]}, {values[1]} : {type_} -> {pair}\n%y = cir.complex.create {values[1]}, {values[2]} : {type_} -> {pair}\n"
    text += f"%q = cir.complex.{op} %x, %y{suffix} : {pair}\n%r = cir.complex.real %q : {pair} -> {type_}\n"
    line, last = cast("%r", "%z", type_, D)
    return text + line + f"cir.return {last} : {D}\n}}\n"


def functions():
    for short, type_ in FLOATS.items():
        for lanes in (0, 4):
            suffix = f"v{lanes}{short}" if lanes else short
            for op in UNARY:
                yield f"{op}_{suffix}", function(f"{op}_{suffix}", type_, f"%r = cir.{op} {{0}} : {{t}}\n", 1, lanes)
            for op in BINARY:
                yield f"{op}_{suffix}", function(f"{op}_{suffix}", type_, f"%r = cir.{op} {{0}}, {{1}} : {{t}}\n", 2, lanes)
            for op in TERNARY:
                yield f"{op}_{suffix}", function(f"{op}_{suffix}", type_, f"%r = cir.{op} {{0}}, {{1}}, {{2}} : {{t}}\n", 3, lanes)
        for op in ("lround", "llround", "lrint", "llrint"):
            name = f"{op}_{short}"
            yield name, function(name, type_, f"%r = cir.{op} {{0}} : {type_} -> {S64}\n", 1, result=S64)
        yield f"frexp_{short}", function(f"frexp_{short}", type_, f"%r, %n = cir.frexp {{0}} : {type_} -> {type_}, {INTS['s32']}\n", 1)
        yield f"modf_{short}", function(f"modf_{short}", type_, f"%r, %n = cir.modf {{0}} : {type_} -> {type_}, {type_}\n", 1)
        for other, to in FLOATS.items():
            if other != short:
                name = f"cast_{short}_{other}"
                yield name, function(name, type_, f"%r = cir.cast floating {{0}} : {type_} -> {to}\n", 1, result=to)
        for other, to in INTS.items():
            yield f"cast_{short}_{other}", function(f"cast_{short}_{other}", type_, f"%r = cir.cast float_to_int {{0}} : {type_} -> {to}\n", 1, result=to)
            yield f"cast_{other}_{short}", function(f"cast_{other}_{short}", to, f"%r = cir.cast int_to_float {{0}} : {to} -> {type_}\n", 1, result=type_)
        for op in ("mul", "div"):
            for range_ in ("full", "improved", "promoted", "basic"):
                name = f"complex_{op}_{range_}_{short}"
                yield name, complex_function(name, type_, op, f" range({range_})")
    for short, type_ in INTS.items():
        for op in ("mul", "div", "rem"):
            yield f"{op}_{short}", function(f"{op}_{short}", type_, f"%r = cir.{op} {{0}}, {{1}} : {{t}}\n", 2)
        yield f"mul_overflow_{short}", function(f"mul_overflow_{short}", type_, f"%r, %o = cir.mul.overflow {{0}}, {{1}} : {type_} -> {type_}\n", 2)
    wide = "!cir.int<s, 256, bitint>"
    for op in ("mul", "div", "rem"):
        yield f"{op}_s256", function(f"{op}_s256", INTS["s64"], f"%d0 = cir.cast integral {{0}} : {S64} -> {wide}\n%d1 = cir.cast integral {{1}} : {S64} -> {wide}\n"
                                     f"%d2 = cir.{op} %d0, %d1 : {wide}\n%r = cir.cast integral %d2 : {wide} -> {S64}\n", 2)
    array = "!cir.array<!cir.int<u, 8> x 100000>"
    frame = f'%0 = cir.alloca "x" align(1) : !cir.ptr<{array}>\n%1 = cir.cast bitcast %0 : !cir.ptr<{array}> -> !cir.ptr<{D}>\n'
    touch = f"cir.store volatile {{0}}, %1 : {D}, !cir.ptr<{D}>\n%r = cir.load volatile %1 : !cir.ptr<{D}>, {D}\n"
    yield "frame_f64", function("frame_f64", D, frame + touch, 1)
    size = f'%n = cir.cast float_to_int {{1}} : {D} -> !cir.int<u, 64>\n%k = cir.const #cir.int<20000> : !cir.int<u, 64>\n%m = cir.mul %n, %k : !cir.int<u, 64>\n'
    yield "variable_f64", function("variable_f64", D, size + f'%1 = cir.alloca "x" align(16) size(%m) : !cir.ptr<{D}>\n' + touch, 2)
    copied = "!cir.array<!cir.int<u, 8> x 4000>"
    for op in ("copy", "set"):
        text = f'%0 = cir.alloca "x" align(8) : !cir.ptr<{copied}>\n%5 = cir.alloca "y" align(8) : !cir.ptr<{copied}>\n'
        text += f"%1 = cir.cast bitcast %0 : !cir.ptr<{copied}> -> !cir.ptr<{D}>\n%2 = cir.cast bitcast %5 : !cir.ptr<{copied}> -> !cir.ptr<{D}>\n"
        text += f"cir.store volatile {{0}}, %1 : {D}, !cir.ptr<{D}>\n"
        text += (f"cir.copy %0 to %5 : !cir.ptr<{copied}>\n" if op == "copy" else
                 f"%z0 = cir.const #cir.zero : {copied}\ncir.store %z0, %5 : {copied}, !cir.ptr<{copied}>\n")
        yield f"{op}_f64", function(f"{op}_f64", D, text + f"%r = cir.load volatile %2 : !cir.ptr<{D}>, {D}\n", 1)


def program(made):
    """Prints what each gives for two triples."""
    text = '!b = !cir.ptr<!cir.int<u, 8>>\ncir.func private @printf(!b, ...) -> !cir.int<s, 32>\n'
    text += 'cir.global "private" constant internal @format = #cir.const_array<"%d %.17g\\0A\\00" : !cir.array<!cir.int<u, 8> x 10>> : !cir.array<!cir.int<u, 8> x 10>\n'
    text += "".join(body for _, body in made)
    text += f"cir.func @main() -> !cir.int<s, 32> {{\n%f = cir.get_global @format : !cir.ptr<!cir.array<!cir.int<u, 8> x 10>>\n"
    text += "%g = cir.cast array_to_ptrdecay %f : !cir.ptr<!cir.array<!cir.int<u, 8> x 10>> -> !b\n"
    for i, value in enumerate((0.5, 1.75, 1.25, 2.5, 3.0, 1.25)):
        text += f"%v{i} = cir.const #cir.fp<{value}> : {D}\n"
    for i, (name, _) in enumerate(made):
        text += f"%n{i} = cir.const #cir.int<{i}> : !cir.int<s, 32>\n"
        for k in (0, 3):
            text += (f"%r{i}_{k} = cir.call @{name}(%v{k}, %v{k + 1}, %v{k + 2}) : ({D}, {D}, {D}) -> {D}\n"
                     f"%p{i}_{k} = cir.call @printf(%g, %n{i}, %r{i}_{k}) : (!b, !cir.int<s, 32>, {D}) -> !cir.int<s, 32>\n")
    return text + "%z = cir.const #cir.int<0> : !cir.int<s, 32>\ncir.return %z : !cir.int<s, 32>\n}\n"


def compile_text(circ, target, text, out, *options):
    path = out + ".cir"
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
    return subprocess.run([circ, f"--target={TARGETS[target]}", *options, path, "-o", out], capture_output=True, text=True, check=False, timeout=600)


def refused(circ, target, made, folder):
    """Those with a diagnostic that says so; all others compile. Each diagnostic names a function of one op."""
    bad, failed = set(), []
    while True:
        left = [(name, body) for name, body in made if name not in bad]
        lines = [name for name, body in left for _ in range(body.count("\n"))]
        done = compile_text(circ, target, "".join(body for _, body in left), os.path.join(folder, "refused.o"), "-c")
        found = {lines[int(line) - 1]: text for line, text in re.findall(r"\.cir:(\d+):\d+: error: (.*)", done.stderr)}
        failed += [f"{target}: {name}: {text}" for name, text in found.items() if not re.search(REFUSED[target], text)]
        bad |= set(found)
        if done.returncode == 0:
            return bad, failed
        if not found:
            return bad, failed + [f"{target}: {done.stderr[:500]}"]


def number(text):
    """As the C library in question spells it: nan, -nan(ind), -1.#IND, 1.#INF."""
    if "nan" in text or "#IND" in text or "#QNAN" in text:
        return math.nan
    return float(text.replace("1.#INF", "inf"))


def numbers(circ, target, made, level, folder, wine):
    exe = os.path.join(folder, f"library.{target}.exe")
    done = compile_text(circ, target, program(made), exe, f"-O{level}", *(["--cxxlib=libstdc++"] if target == "elf" else []))
    if done.returncode:
        return None, done.stderr[:2000]
    run = subprocess.run([*(wine if target != "elf" else []), exe], capture_output=True, text=True, check=False, timeout=600)
    if run.returncode:
        return None, f"exit status {run.returncode}: {run.stderr[:500]}"
    return [(int(i), number(x)) for i, x in (line.split() for line in run.stdout.splitlines())], None


def same(name, x, y):
    wanted = max((limit for short, limit in PRECISION.items() if short in name), default=1e-5)
    return math.isclose(x, y, rel_tol=wanted, abs_tol=1e-6) or (math.isnan(x) and math.isnan(y))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--circ", required=True)
    parser.add_argument("--wine", help="a prefix of tests/wine/wine.py")
    options = parser.parse_args()
    wine = [sys.executable, os.path.join(HERE, "..", "wine", "wine.py"), "run", options.wine or ""]
    problems, everything = [], list(functions())
    with tempfile.TemporaryDirectory() as folder:
        for target in ("msvc", "gnu") if options.wine else ():
            bad, failed = refused(options.circ, target, everything, folder)
            problems += failed
            made = [(name, body) for name, body in everything if name not in bad and not re.search(LACKS[target], name)]
            both = [(name, body) for name, body in made if not re.search(LACKS["elf"], name)]
            print(f"{target}: {len(everything)} functions, {len(bad)} refused, {len(made)} run, {len(both)} compared")
            for level in "02":
                ours, problem = numbers(options.circ, target, made, level, folder, wine)
                theirs, other = numbers(options.circ, "elf", both, level, folder, wine)
                if problem or other:
                    problems.append(f"{target} -O{level}: {problem or other}")
                    continue
                ours = [(made[i][0], x) for i, x in ours if made[i] in both]
                theirs = [(both[i][0], x) for i, x in theirs]
                problems += [f"{target} -O{level}: {name} gives {x}, on ELF {y}" for (name, x), (_, y) in zip(ours, theirs) if not same(name, x, y)]
                if len(ours) != len(theirs):
                    problems.append(f"{target} -O{level}: {len(ours)} numbers, on ELF {len(theirs)}")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
