#!/usr/bin/env python3
"""library.py --circ CIRC [--wine PREFIX]: every op and conversion for which LLVM may call a function of a library, as one program for ELF and
one for each C++ ABI of Windows. All link, with other features of the CPU, too, and print the same numbers; what has no function there is
refused with a place."""
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
REFUSED = {
    "msvc": "is not available on (windows-msvc|Windows)|which no library of windows-msvc has|which takes a 'double' on windows-msvc|cannot access a value",
    "gnu": "is not available on Windows|which no library of windows-gnu has|which has another calling convention in the libgcc of windows-gnu|"
           "cannot access a value",
}
# What libgcc has since version 13 only; ELF's libraries have all else.
ELF_LACKS = "bf16"
# Those of the machine that runs the test are unknown: programs for others are linked, not run.
FEATURES = ("+sse4.1,+cx16,+f16c,+avx2,+fma", "+avx512fp16,+avx512bf16,+avx512vl,+avx512dq,+avx512bw")
STRICT = "{fenv = #cir.fenv<dynamic_rounding_mode = unknown, except_mode = unknown, strict_except = true>}"
LINK = {"elf": ["--cxxlib=libstdc++", "-latomic"], "gnu": ["-latomic"], "msvc": []}
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


def complex_function(name, type_, op, suffix="", attributes=""):
    text = f"cir.func no_inline @{name}(%a: {D}, %b: {D}, %c: {D}) -> {D} {{\n"
    values = []
    for letter in "abc":
        line, value = cast(f"%{letter}", f"%{letter}0", D, type_)
        text += line
        values.append(value)
    pair = f"!cir.complex<{type_}>"
    text += f"%x = cir.complex.create {values[0]}, {values[1]} : {type_} -> {pair}\n%y = cir.complex.create {values[1]}, {values[2]} : {type_} -> {pair}\n"
    text += f"%q = cir.complex.{op} %x, %y{suffix} : {pair} {attributes}\n%r = cir.complex.real %q : {pair} -> {type_}\n"
    line, last = cast("%r", "%z", type_, D)
    return text + line + f"cir.return {last} : {D}\n}}\n"


def floating(short, type_):
    """Of one operation each, with an environment and without."""
    for strict in ("", "strict_"):
        end = f" {STRICT.replace('{', '{{').replace('}', '}}') if strict else ''}\n"
        for lanes in (0, 4):
            suffix = strict + (f"v{lanes}{short}" if lanes else short)
            for op in UNARY:
                if not (strict and op == "exp10"):  # there is none
                    yield f"{op}_{suffix}", function(f"{op}_{suffix}", type_, f"%r = cir.{op} {{0}} : {{t}}{end}", 1, lanes)
            for op in BINARY:
                yield f"{op}_{suffix}", function(f"{op}_{suffix}", type_, f"%r = cir.{op} {{0}}, {{1}} : {{t}}{end}", 2, lanes)
            for op in TERNARY:
                yield f"{op}_{suffix}", function(f"{op}_{suffix}", type_, f"%r = cir.{op} {{0}}, {{1}}, {{2}} : {{t}}{end}", 3, lanes)
        for op in ("lround", "llround", "lrint", "llrint"):
            name = f"{op}_{strict}{short}"
            yield name, function(name, type_, f"%r = cir.{op} {{0}} : {type_} -> {S64}{end}", 1, result=S64)
        for op in ("lt", "eq", "uno"):
            name = f"cmp_{op}_{strict}{short}"
            yield name, function(name, type_, f"%q = cir.cmp {op} {{0}}, {{1}} : {type_}{end}%r = cir.cast bool_to_int %q : !cir.bool -> {S64}\n", 2, result=S64)
        for other, to in FLOATS.items():
            if other != short:
                name = f"cast_{strict}{short}_{other}"
                yield name, function(name, type_, f"%r = cir.cast floating {{0}} : {type_} -> {to}{end}", 1, result=to)
        for other, to in INTS.items():
            name = f"cast_{strict}{short}_{other}"
            yield name, function(name, type_, f"%r = cir.cast float_to_int {{0}} : {type_} -> {to}{end}", 1, result=to)
            name = f"cast_{strict}{other}_{short}"
            yield name, function(name, to, f"%r = cir.cast int_to_float {{0}} : {to} -> {type_}{end}", 1, result=type_)
        for op in ("mul", "div"):
            for range_ in ("full", "improved", "promoted", "basic"):
                name = f"complex_{op}_{range_}_{strict}{short}"
                yield name, complex_function(name, type_, op, f" range({range_})", STRICT if strict else "")
        for op in ("add", "sub"):
            yield f"complex_{op}_{strict}{short}", complex_function(f"complex_{op}_{strict}{short}", type_, op, "", STRICT if strict else "")


def lanes_of(short, type_):
    for op in ("fadd", "fmul", "fmax", "fmin", "fmaximum", "fminimum"):
        yield f"reduce_{op}_{short}", function(f"reduce_{op}_{short}", type_, f"%q = cir.vec.reduce({op}, {{0}}) : ({{t}}) -> {type_}\n"
                                               f"%r = cir.vec.splat %q : {type_}, {{t}}\n", 1, 4)
    for other, to in {**FLOATS, **INTS}.items():
        there, back = ("floating", "floating") if other in FLOATS else ("float_to_int", "int_to_float")
        if other != short:
            name = f"cast_v4{short}_{other}"
            yield name, function(name, type_, f"%q = cir.cast {there} {{0}} : {{t}} -> !cir.vector<4 x {to}>\n"
                                 f"%r = cir.cast {back} %q : !cir.vector<4 x {to}> -> {{t}}\n", 1, 4)


def atomics(short, type_, ops):
    pointer = f"!cir.ptr<{type_}>"
    slot = f'%p = cir.alloca "x" align(16) : {pointer}\ncir.store {{0}}, %p : {type_}, {pointer}\n'
    for op in ops:
        yield f"atomic_{op}_{short}", function(f"atomic_{op}_{short}", type_, slot + f"%r = cir.atomic.fetch {op} seq_cst syncscope(system) fetch_first "
                                               f"%p, {{1}} : ({pointer}, {type_}) -> {type_}\n", 2)
    yield f"atomic_xchg_{short}", function(f"atomic_xchg_{short}", type_, slot + f"%r = cir.atomic.xchg seq_cst syncscope(system) %p, {{1}} : "
                                           f"({pointer}, {type_}) -> {type_}\n", 2)
    yield f"atomic_load_{short}", function(f"atomic_load_{short}", type_, slot + f"%r = cir.load align(16) syncscope(system) atomic(seq_cst) %p : {pointer}, {type_}\n", 1)
    yield f"atomic_store_{short}", function(f"atomic_store_{short}", type_, slot + f"cir.store align(16) syncscope(system) atomic(seq_cst) {{1}}, %p : {type_}, {pointer}\n"
                                            f"%r = cir.load %p : {pointer}, {type_}\n", 2)


def functions():
    for short, type_ in FLOATS.items():
        yield from floating(short, type_)
        yield from lanes_of(short, type_)
        yield from atomics(short, type_, ("add", "sub", "max", "min"))
        yield f"frexp_{short}", function(f"frexp_{short}", type_, f"%r, %n = cir.frexp {{0}} : {type_} -> {type_}, {INTS['s32']}\n", 1)
        yield f"modf_{short}", function(f"modf_{short}", type_, f"%r, %n = cir.modf {{0}} : {type_} -> {type_}, {type_}\n", 1)
        yield f"intrinsic_sin_{short}", function(f"intrinsic_sin_{short}", type_, f'%r = cir.call_llvm_intrinsic "sin" {{0}} : ({type_}) -> {type_}\n', 1)
    for short, type_ in INTS.items():
        yield from atomics(short, type_, ("add", "sub", "and", "nand", "xor", "max", "min"))
        for lanes in (0, 4):
            for op in ("mul", "div", "rem"):
                yield f"{op}_v{lanes}{short}", function(f"{op}_v{lanes}{short}", type_, f"%r = cir.{op} {{0}}, {{1}} : {{t}}\n", 2, lanes)
        yield f"mul_overflow_{short}", function(f"mul_overflow_{short}", type_, f"%r, %o = cir.mul.overflow {{0}}, {{1}} : {type_} -> {type_}\n", 2)
    for width in (129, 256):
        wide = f"!cir.int<s, {width}, bitint>"
        for op in ("mul", "div", "rem"):
            yield f"{op}_s{width}", function(f"{op}_s{width}", S64, f"%d0 = cir.cast integral {{0}} : {S64} -> {wide}\n%d1 = cir.cast integral {{1}} : {S64} -> {wide}\n"
                                             f"%d2 = cir.{op} %d0, %d1 : {wide}\n%r = cir.cast integral %d2 : {wide} -> {S64}\n", 2)
        for short, type_ in FLOATS.items():
            name = f"cast_{short}_s{width}"
            yield name, function(name, type_, f"%q = cir.cast float_to_int {{0}} : {type_} -> {wide}\n%r = cir.cast int_to_float %q : {wide} -> {type_}\n", 1)
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


def compile_text(circ, target, text, out, options, libraries):
    path = out + ".cir"
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
    return subprocess.run([circ, f"--target={TARGETS[target]}", *options, path, "-o", out, *libraries], capture_output=True, text=True, check=False, timeout=600)


def refused(circ, target, made, folder, *options):
    """The functions that are, each compiled alone; all others compile."""
    for name, body in made:
        with open(os.path.join(folder, name + ".cir"), "w", encoding="ascii") as file:
            file.write(body)
    done = subprocess.run([circ, f"--target={TARGETS[target]}", "-c", *options, *(name + ".cir" for name, _ in made)], cwd=folder,
                          capture_output=True, text=True, check=False, timeout=600)
    errors = re.findall(r"^(?:(\w+)\.cir:\d+:\d+|.*): error: (.*)", done.stderr, re.M)
    failed = [f"{target} {' '.join(options)}: {name}: {text}" for name, text in errors if not name or not re.search(REFUSED[target], text)]
    return {name for name, _ in errors}, failed


def number(text):
    """As the C library in question spells it: nan, -nan(ind), -1.#IND, 1.#INF."""
    if "nan" in text or "#IND" in text or "#QNAN" in text:
        return math.nan
    return float(text.replace("1.#INF", "inf"))


def link(circ, target, made, folder, *options):
    """The program, or what is wrong."""
    exe = os.path.join(folder, f"library.{target}.exe")
    done = compile_text(circ, target, program(made), exe, options, LINK[target])
    return (None, f"{target} {' '.join(options)}: {done.stderr[:2000]}") if done.returncode else (exe, None)


def numbers(target, exe, wine):
    run = subprocess.run([*(wine if target != "elf" else []), exe], capture_output=True, text=True, check=False, timeout=600)
    if run.returncode:
        return None, f"{target}: exit status {run.returncode}: {run.stderr[:500]}"
    return [number(x) for _, x in (line.split() for line in run.stdout.splitlines())], None


def compare(circ, target, level, everything, folder, wine):
    """What is wrong with the target's program."""
    bad, failed = refused(circ, target, everything, folder, level)
    made = [(name, body) for name, body in everything if name not in bad]
    both = [(name, body) for name, body in made if not re.search(ELF_LACKS, name)]
    print(f"{target} {level}: {len(everything)} functions, {len(bad)} refused, {len(made)} run, {len(both)} compared")
    results = []
    for each, list_ in ((target, made), ("elf", both)):
        exe, problem = link(circ, each, list_, folder, level)
        if not problem:
            found, problem = numbers(each, exe, wine)
        if problem:
            return failed + [problem]
        results.append([(name, found[2 * i + k]) for i, (name, _) in enumerate(list_) for k in range(2)])
    ours = [(name, x) for name, x in results[0] if not re.search(ELF_LACKS, name)]
    return failed + [f"{target} {level}: {name} gives {x}, on ELF {y}" for (name, x), (_, y) in zip(ours, results[1]) if not same(name, x, y)]


def link_all(circ, target, level, features, everything, folder):
    bad, failed = refused(circ, target, everything, folder, level, "-mattr=" + features)
    _, problem = link(circ, target, [(name, body) for name, body in everything if name not in bad], folder, level, "-mattr=" + features)
    print(f"{target} {level} {features}: {len(bad)} refused")
    return failed + ([problem] if problem else [])


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
            for level in ("-O0", "-O2"):
                problems += compare(options.circ, target, level, everything, folder, wine)
            for i, features in enumerate(FEATURES):
                problems += link_all(options.circ, target, ("-O0", "-O2")[i], features, everything, folder)
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
