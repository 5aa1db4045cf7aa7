#!/usr/bin/env python3
"""Measures circ against whole tool chains for the same functions. Prints tables in Markdown.

    bench/peers.py --circ build/bin/circ
    bench/peers.py --circ build/bin/circ --quick     # a smaller module, fewer rounds

As in run.py, whose method and helpers these are: CPU time, commands taking turns, medians. clang++ gets the functions as C++ (and so
does more than circ: it parses another language); MLIR gets circ's LLVM IR as text of its LLVM dialect, which goes through mlir-opt,
mlir-translate and llc; at -O2, that chain has no optimizer of LLVM IR in it, and circ does. A peer that is not installed is left out, with a note.
"""
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import flat_module  # noqa: E402  (beside this file)
import run as bench  # noqa: E402

TINY = "!s32i = !cir.int<s, 32>\ncir.func @main() -> !s32i {\n  %0 = cir.const #cir.int<0> : !s32i\n  cir.return %0 : !s32i\n}\n"


def compare_chains(rounds, chains):
    """{name: [argv…]} → {name: (CPU time of all the steps, largest memory of any)}, medians."""
    steps = {(name, n): argv for name, chain in chains.items() for n, argv in enumerate(chain)}
    figures = bench.compare(rounds, steps)
    return {name: (sum(figures[name, n][0] for n in range(len(chain))), max(figures[name, n][1] for n in range(len(chain))))
            for name, chain in chains.items()}


def clang_chain(folder, functions):
    clang = bench.find("clang++")
    if not clang:
        return None
    source = os.path.join(folder, "twin.cpp")
    with open(source, "w", encoding="ascii") as out:
        flat_module.generate(functions, out, cpp=True)
    return lambda level: [[clang, level, "-c", "-fPIC", source, "-o", source + ".o"]]


def mlir_chain(module):
    opt, translate, llc = map(bench.find, ("mlir-opt", "mlir-translate", "llc"))
    if not (opt and translate and llc):
        return None
    source, checked, ir = module.text + ".mlir", module.text + ".checked.mlir", module.text + ".mlir.ll"
    with open(module.text + ".ll", "wb") as out:
        dis = bench.find("llvm-dis")
        subprocess.run([dis, module.bitcode, "-o", "-"], stdout=out, check=True)
    subprocess.run([translate, "--import-llvm", module.text + ".ll", "-o", source], check=True)
    return lambda level: [[opt, source, "-o", checked], [translate, "--mlir-to-llvmir", checked, "-o", ir],
                          [llc, level, "-filetype=obj", "-relocation-model=pic", ir, "-o", ir + ".o"]]


def chains(circ, module, folder, functions, rounds):
    peers = {"`clang++ -c` on the equivalent C++": clang_chain(folder, functions),
             "`mlir-opt`, `mlir-translate`, `llc` on the LLVM dialect": mlir_chain(module)}
    rows = []
    for title, chain in peers.items():
        if not chain:
            print(f"Not all installed, and left out: {title}.\n")
            continue
        for level in ("-O0", "-O2"):
            figures = compare_chains(rounds, {"circ": [[circ, level, "-c", module.text, "-o", module.text + ".o"]],
                                              "peer": chain(level)})
            (ours, memory), (theirs, their_memory) = figures["circ"], figures["peer"]
            rows.append([title, level, f"{ours:.2f} s", f"{theirs:.2f} s", f"**{ours / theirs:.2f}**", f"{memory:.0f} MiB",
                         f"{their_memory:.0f} MiB", f"**{memory / their_memory:.2f}**"])
    print(f"### `circ -c` against other ways from source to object, {functions} functions\n")
    bench.table(["peer", "level", "circ", "peer", "ratio", "circ memory", "peer's", "ratio"], rows)


def tiny(circ, folder, rounds):
    """What starting costs. One process is too short for the clock of the accounts, so each figure is a hundred of them."""
    llc = bench.find("llc")
    if not llc:
        print("llc is not installed: tiny files are left out.\n")
        return
    source = os.path.join(folder, "tiny.cir")
    with open(source, "w", encoding="ascii") as out:
        out.write(TINY)
    subprocess.run([circ, "--emit=bc", "-O0", source, "-o", source + ".bc"], check=True)
    commands = {"circ": [circ, "-O0", "-c", source, "-o", source + ".o"],
                "llc": [llc, "-O0", "-filetype=obj", "-relocation-model=pic", source + ".bc", "-o", source + ".llc.o"]}
    times = 20 if rounds < 5 else 100
    loops = {name: ["sh", "-c", f'n=0; while [ $n -lt {times} ]; do "$@" || exit 1; n=$((n+1)); done', "sh", *argv]
             for name, argv in commands.items()}
    figures = bench.compare(rounds, loops)
    ours, theirs = (figures[name][0] / times * 1000 for name in ("circ", "llc"))
    print("### A tiny file, whole process\n")
    bench.table(["circ", "llc", "ratio"], [[f"{ours:.1f} ms", f"{theirs:.1f} ms", f"**{ours / theirs:.2f}**"]])


def main():
    options = bench.arguments(__doc__, quick="a smaller module, fewer rounds").parse_args()
    circ = options.circ
    functions = 100 if options.quick else 1600
    rounds = 2 if options.quick else 5
    bench.describe(circ, bench.find("llc"))
    with tempfile.TemporaryDirectory() as folder:
        chains(circ, bench.Module(circ, folder, functions), folder, functions, rounds)
        tiny(circ, folder, rounds)


if __name__ == "__main__":
    main()
