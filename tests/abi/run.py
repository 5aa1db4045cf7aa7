#!/usr/bin/env python3
"""Compares how circ passes parameters and results with C++ compilers.

    run.py --circ build/bin/circ --seeds 0:20                  programs: circ's half and the compiler's call each other
    run.py --circ build/bin/circ --seeds 0:20 --ir             the declarations of LLVM IR, next to clang's, for all targets
    run.py --circ build/bin/circ --seeds 0:20 --wine PREFIX    programs for windows-msvc and windows-gnu, under Wine
    run.py --circ build/bin/circ --seeds 0:20 --arm            programs for AArch64, under qemu
    run.py --circ build/bin/circ --seeds 0:20 --wasm           programs for WASI, by node
    run.py --circ build/bin/circ --seeds 7:8 --keep FOLDER     leaves the files of a seed

Each seed is a module of --count signatures (generate.py). Programs are built at -O0 and -O2; with clang++ and g++ for ELF, with
clang++ for windows-msvc and windows-gnu; with clang++ and the cross g++ for AArch64; with clang++ for WASI.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import generate  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
WINE = os.path.join(os.path.dirname(HERE), "wine", "wine.py")
SKIPPED = 77


class Failure(Exception):
    pass


def run(argv):
    done = subprocess.run(argv, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        raise Failure(f"{' '.join(argv)}: exit status {done.returncode}\n{done.stdout[:3000]}{done.stderr[:3000]}")
    return done.stdout


def write(path, text):
    with open(path, "w", encoding="ascii") as out:
        out.write(text)
    return path


# Programs

FLAGS = ["-std=gnu++17", "-w", "-fno-exceptions", "-fno-rtti", "-I", HERE]


def compilers(options):
    """(name, target, what to compile with, what links it with what circ made)"""
    clang, gcc, mingw = (next((p for p in map(shutil.which, names) if p), None) for names in (
        ("clang++-22", "clang++"), ("g++",), ("x86_64-w64-mingw32-g++-posix", "x86_64-w64-mingw32-g++")))
    options.clang = clang
    options.runner = []
    if options.arm:
        cross, qemu = shutil.which("aarch64-linux-gnu-g++"), shutil.which("qemu-aarch64")
        options.runner = [qemu]
        found = [("clang", generate.ARM, [clang, f"--target={generate.ARM}"], [cross, "-static"]) if clang else None,
                 ("gcc", generate.ARM, [cross], [cross, "-static"])]
        return [row for row in found if row and cross and qemu]
    if options.wasm:
        node = shutil.which("node")
        options.runner = [node, "--no-warnings", os.path.join(os.path.dirname(HERE), "wasm", "run.mjs")]
        there = clang and node and os.path.exists("/usr/lib/wasm32-wasi/crt1.o")
        wasi = [clang, "--target=wasm32-wasi", "-Wno-deprecated"]
        return [("clang", generate.WASM, wasi, wasi)] if there else []
    if options.wine:
        found = [("clang", generate.MSVC, [clang, f"--target={generate.MSVC}"], [options.circ, f"--target={generate.MSVC}"]) if clang else None,
                 # g++ passes empty classes and short vectors in another way than clang there
                 ("mingw", generate.MINGW, [clang, f"--target={generate.MINGW}"], [mingw, "-static"]) if clang and mingw else None]
        return [row for row in found if row]
    return [(name, generate.ELF, [path], [path]) for name, path in (("clang", clang), ("gcc", gcc)) if path]


def is_packed_vector(t):
    return t.size == 16 and "packed" in t.tags and len(t.leaves) == 1


def accept_program(target, llvm):
    def accept(s):
        if target == generate.ARM and any(map(is_packed_vector, s.params)):
            return False  # at -O0, LLVM aligns it to 16 bytes on the stack, clang's own objects, too
        if s.style == "musttail" and llvm < 22:
            s.style = "values"  # arguments in memory are refused there
        if target in (generate.MSVC, generate.WASM) and s.style == "unwind":
            s.style = "slots"
        if target == generate.WASM and s.style == "musttail":
            s.style = "values"  # its processors have no tail calls
        if target == generate.WASM and s.style == "no_proto":
            s.style = "slots"  # a call must have the type of the function
        if target not in (generate.ELF, generate.ARM) and s.style == "musttail" and any(t.cir.startswith("!cir.vector") for t in s.params):
            s.style = "values"  # refused there
        if s.style == "musttail" and (s.has("wide2") or (target != generate.ELF and (s.has("bool20") or s.has("bool64")))):
            s.style = "values"  # refused as a result
        if target == generate.ELF and llvm < 22 and any(t.cir in ("!s128i", "!cir.int<u, 128>") for t in s.params[:-1]):
            return False  # where it has no room in one last register, LLVM 19 leaves that to none of those behind it
        return True
    return accept


def check_programs(options, seed, folder):
    for name, target, compile_with, link_with in options.compilers:
        module = generate.Module(seed, options.count, target, "gcc" if name == "gcc" else "clang", accept_program(target, options.llvm))
        cir = write(os.path.join(folder, f"{name}.cir"), module.cir())
        cpp = write(os.path.join(folder, f"{name}.cpp"), module.cpp())
        for level in ("-O0", "-O2"):
            ours, theirs, exe = (os.path.join(folder, name + end) for end in (".cir.o", ".cpp.o", ".exe"))
            run([options.circ, "-c", level, "--verify-each", "-o", ours, cir])
            run([*compile_with, *FLAGS, level, "-Wno-psabi", "-c", "-o", theirs, cpp])
            run([*link_with, ours, theirs, "-o", exe])
            run([sys.executable, WINE, "run", options.wine, exe] if options.wine else [*options.runner, exe])


# Declarations

TARGETS = (generate.ELF, generate.MSVC, generate.MINGW, generate.ARM, generate.WINARM, generate.APPLE, generate.WASM)


def bytes_of(match):
    bits, count, step = match.groups()
    return f"{int(bits) // 8 if bits else int(count) * int(step) // 8} bytes"


def clean(text):
    """What matters to callers and callees, of a line of LLVM IR."""
    text = re.sub(r"\b(dso_local|hidden|local_unnamed_addr|noundef|dead_on_return|nounwind|unnamed_addr) ?", "", text)
    text = re.sub(r"dead_on_return\([^)]*\) ", "", text)
    text = re.sub(r"ptr nonnull align \d+ dereferenceable\(\d+\)", "ptr", text)  # this
    text = re.sub(r"(?<=[(])(?:i(\d+)|\[(\d+) x i(8|64)\])(?=[)] align 8)", bytes_of, text)  # _BitInt of more than 64 bits
    text = text.replace("byval(<64 x i1>)", "byval(8 bytes)")
    text = re.sub(r"^i128 ", "{ i64, i64 } ", text)       # the same registers
    text = re.sub(r"(?<![(]\()(?<=[(, ])i128(?=[ ,)])(?!\) align)", "i64, i64", text)
    text = re.sub(r" %[\w.]+(?=[,)])", "", text)          # names of parameters
    return re.sub(r"\s+(?=[,)])|\s+(?= )", "", re.sub(r"\) *(#\d+.*|\{.*)?$", ")", text)).strip()


def scalars_of(text, records):
    """What a record or an array that comes back in registers consists of."""
    text = text.strip()
    text = records.get(text, text)
    array = re.fullmatch(r"\[(\d+) x (.*)\]", text)
    if array:
        return scalars_of(array.group(2), records) * int(array.group(1))
    vector = re.fullmatch(r"<(\d+) x (\D+)(\d*)>", text)
    if vector:
        bits = int(vector.group(3) or {"float": 32, "double": 64}.get(vector.group(2), 16))
        return [f"vector of {1 << (int(vector.group(1)) * bits // 8 - 1).bit_length()}"]
    body = re.fullmatch(r"<?\{ (.*) \}>?", text)
    if not body:
        return [text]
    parts, depth = [""], 0
    for c in body.group(1):
        depth += (c in "[{<") - (c in "]}>")
        if c == "," and not depth:
            parts.append("")
        else:
            parts[-1] += c
    return [scalar for part in parts for scalar in scalars_of(part, records)]


def without_usual_align(params):
    """clang says of each homogeneous aggregate how it is aligned in memory, also where LLVM does that by itself."""
    bits = {"double": 64, "float": 32, "half": 16, "bfloat": 16}

    def align_of(base):
        vector = re.fullmatch(r"<(\d+) x (?:i(\d+)|(\w+))>", base)
        size = int(vector.group(1)) * int(vector.group(2) or bits.get(vector.group(3), 64)) // 8 if vector else 0
        return 16 if base == "fp128" or size == 16 else 8
    return re.sub(r"(\[\d+ x ([^]]+)\]) alignstack\((\d+)\)",
                  lambda m: m.group(1) if align_of(m.group(2)) == int(m.group(3)) else m.group(0), params)


NAME = r'(?:"\?)?cxx_(\d+)(?:@[^"]*")?'


def calls(ir):
    """cxx_N -> what calls of it pass behind the ellipsis, too"""
    found = {}
    for number, args in re.findall(rf"^  .*call .*, \.\.\.\) @cxx_(\d+)\((.*)\)(?: #\d+)?$", ir, re.M):
        args = re.sub(r" (?:%[\w.]+|poison|undef|\d+)(?=,|$)", "", args)
        found[f"cxx_{number}"] = without_usual_align(clean(f"({args})")).replace("noalias ", "")
    return found


def signatures(ir, word, target):
    """cxx_N -> its line; a record that is returned in a pair of registers is written out, as clang does."""
    records = dict(re.findall(r"^(%\S+) = type (.*)$", ir, re.M))
    found = {}
    for match in re.finditer(rf"^{word} (.*@{NAME}\(.*)$", ir, re.M):
        line = clean(match.group(1))
        result, rest = re.sub(NAME, r"cxx_\1", line).split("@", 1)
        if target in generate.ARMS:
            found[rest.split("(", 1)[0]] = ", ".join(scalars_of(result, records)) + " @" + without_usual_align(rest)
            continue
        body = records.get(result.strip())
        name = rest.split("(", 1)[0]
        found[name] = (body + " " if body else result) + "@" + rest
    return found


def accept_for(target):
    def accept(s):
        new = target in (generate.WINARM, generate.APPLE)
        variadic, method = s.style in generate.VARIADIC and new, s.style in generate.METHODS
        s.style = "variadic" if variadic else "method" if method else "values"  # only declarations count, and variadic calls
        if variadic and target == generate.WINARM and any(t.cir.startswith(("!cir.vector", "!cir.f128")) for t in s.params):
            return False  # clang passes them in vector registers, which no callee looks at
        if target == generate.WINARM and any(leaf[1] == "member_function" for t in [*s.params, s.result] if t for leaf in t.leaves):
            return False  # clang: i64, the same register
        if s.has("float2") or s.has("half4"):
            return False  # clang: double, the same register
        return True
    return accept


def check_ir(options, seed, folder):
    for target in options.only or options.targets:
        module = generate.Module(seed, options.count, target, "clang", accept_for(target))
        cir = write(os.path.join(folder, "module.cir"), module.cir())
        cpp = write(os.path.join(folder, "module.cpp"), module.declarations())
        ours_ir = run([options.circ, "--emit=llvm", "-o", "-", cir])
        theirs_ir = run([options.clang, f"--target={target}", *FLAGS, "-S", "-emit-llvm", "-o", "-", cpp])
        ours, theirs = signatures(ours_ir, "declare", target), signatures(theirs_ir, "define", target)
        for of, ir in ((ours, ours_ir), (theirs, theirs_ir)):
            of.update({name: of[name] + " called" + args for name, args in calls(ir).items()})
        for s in module.signatures:
            name = f"cxx_{s.i}"
            for lines in (ours, theirs):
                if target == generate.WASM:
                    continue
                if s.has("bits"):  # clang's choice of units decides how wide an integer carries them: the register is the same
                    lines[name] = re.sub(r"\bi(8|16|24|32|40|48|56)\b", "i64", lines[name])
                if s.has("bits") or s.has("unions"):  # clang passes as much as the member has that stands for all, though others have more
                    lines[name] = re.sub(r"<[24] x (?:half|bfloat|float)>|\b(?:half|bfloat|float)\b", "double", lines[name])
        wrong = [f"{target}: circ  {ours.get(n)}\n{' ' * len(target)}  clang {line}" for n, line in theirs.items() if ours.get(n) != line]
        if wrong or not theirs:
            raise Failure("\n".join(wrong[:5]) + f"\n{len(wrong)} of {len(theirs)} declarations differ")


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--circ", required=True)
    args.add_argument("--seeds", default="0:4")
    args.add_argument("--count", type=int, default=50)
    args.add_argument("--ir", action="store_true")
    args.add_argument("--wine", metavar="PREFIX")
    args.add_argument("--arm", action="store_true")
    args.add_argument("--wasm", action="store_true")
    args.add_argument("--only", metavar="TARGET", action="append", help="with --ir: this target alone")
    args.add_argument("--keep")
    options = args.parse_args()
    options.compilers = compilers(options)
    version = subprocess.run([options.circ, "--version"], capture_output=True, text=True, check=True).stdout
    options.llvm = int(re.search(r"LLVM (\d+)", version).group(1))
    # LLVM 19 aligns 128-bit integers to 8 bytes there, which circ says is an error (docs/targets.md).
    options.targets = [target for target in TARGETS if target != generate.WASM or options.llvm > 19]
    if not options.compilers or (options.ir and not options.clang):
        print("SKIPPED: no C++ compiler to compare with: calling conventions were NOT tested")
        return SKIPPED
    first, last = map(int, options.seeds.split(":"))
    failed = 0
    for seed in range(first, last):
        with tempfile.TemporaryDirectory() as folder:
            if options.keep:
                folder = options.keep
                os.makedirs(folder, exist_ok=True)
            try:
                (check_ir if options.ir else check_programs)(options, seed, folder)
            except (Failure, subprocess.TimeoutExpired) as error:
                failed += 1
                print(f"seed {seed}: {error}")
    total = (last - first) * options.count * (len(options.targets) if options.ir else len(options.compilers))
    print(f"{last - first} seeds, {total} signatures, {failed} seeds failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
