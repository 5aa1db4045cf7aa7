#!/usr/bin/env python3
"""symbols.py --circ CIRC --clang CLANG++: the symbols of symbols/*.cir in an object for Windows, next to those of clang's for the same C and C++.

Of each symbol: its storage class and type, the name, kind and alignment of its section, how the linker chooses among COMDATs, what a weak one
falls back on; and what the object tells the linker. Exit status: 0 the same, 1 differences, 77 not possible here.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent / "symbols"
SKIPPED = 77
CASES = [  # source, flags of clang, targets
    ("cxx.cpp", ["-std=c++17"], ["x86_64-pc-windows-msvc", "aarch64-pc-windows-msvc"]),
    ("c.c", ["-x", "c", "-fcommon"], ["x86_64-pc-windows-msvc", "x86_64-w64-windows-gnu", "aarch64-pc-windows-msvc"]),
]
# Of the compiler, not of the source: debugging, the command line, the table of addresses, unwinding data of this or that frame.
NOISE = re.compile(r"\.file|@feat\.00|\.debug.*|\.llvm_addrsig|\.drectve|\.[px]data")


def run(*argv):
    return subprocess.run(argv, check=True, capture_output=True, text=True, timeout=120).stdout


def field(name, text):
    found = re.search(rf"^ *{name}: (.*)$", text, re.M)
    return found.group(1) if found else None


def describe(readobj, path):
    dump = run(readobj, "--sections", "--symbols", path)
    sections, symbols = dump.split("\nSymbols [", 1)
    kinds = {}
    for text in sections.split("\n  Section {")[1:]:
        flags = sorted(re.findall(r"IMAGE_SCN_(\w+)", text))
        kinds[field("Number", text)] = [field("Name", text).split(" ")[0], *flags]
    found = set()
    for text in symbols.split("\n  Symbol {")[1:]:
        name, section = field("Name", text), field("Section", text)
        if NOISE.fullmatch(name):
            continue
        number = re.search(r"\((-?\d+)\)", section).group(1)
        size = field("Value", text) if number == "0" else None  # of a common symbol
        place = kinds.get(number, [section])
        found.add((name, field("StorageClass", text), field("ComplexType", text), field("Selection", text), field("Search", text), size, *place))
    directives = run(readobj, "--string-dump=.drectve", path).split("'.drectve':")
    return found, sorted(re.findall(r"[-/]\S+", directives[1])) if len(directives) > 1 else []


def compare(options, readobj, source, flags, target, level, folder):
    ours, theirs = (os.path.join(folder, name) for name in ("circ.obj", "clang.obj"))
    run(options.circ, f"--target={target}", level, "-c", str(HERE / source.split(".")[0]) + ".cir", "-o", ours)
    run(options.clang, f"--target={target}", level, "-w", *flags, "-c", str(HERE / source), "-o", theirs)
    (mine, mine_told), (other, other_told) = describe(readobj, ours), describe(readobj, theirs)
    lines = [f"  circ   {s}" for s in sorted(mine - other, key=str)] + [f"  clang  {s}" for s in sorted(other - mine, key=str)]
    if mine_told != other_told:
        lines.append(f"  .drectve: circ {mine_told}, clang {other_told}")
    if lines or len(other) < 10:
        print(f"{source} {target} {level}: {len(other)} symbols", *lines, sep="\n")
    return not lines and len(other) >= 10


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--circ", required=True)
    args.add_argument("--clang", required=True)
    options = args.parse_args()
    version = re.search(r"LLVM (\d+)", run(options.circ, "--version")).group(1)
    readobj = shutil.which(f"llvm-readobj-{version}") or shutil.which("llvm-readobj")
    if not readobj or not shutil.which(options.clang):
        print("SKIPPED: no clang++ or llvm-readobj: symbols were NOT compared")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        same = [compare(options, readobj, source, flags, target, level, folder)
                for source, flags, targets in CASES for target in targets for level in ("-O0", "-O2")]
    return 0 if all(same) else 1


if __name__ == "__main__":
    sys.exit(main())
