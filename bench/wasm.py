#!/usr/bin/env python3
"""Measures exceptions on WebAssembly, run by node, against clang++'s for the same C++ and against tables on this machine. Prints tables in Markdown.

    bench/wasm.py --circ build/bin/circ
    bench/wasm.py --circ build/bin/circ --quick     # fewer throws

The program is that of throws.py: a throw caught after N frames with an object each, and the same when nothing is thrown. C++'s exceptions by both
compilers, circ's own (own.py), and the own ones on this machine, with tables (libgcc) and without (--eh=sjlj). The programs take turns; ratios are to clang's on
WebAssembly. node compiles all of a program before it starts, so that nothing is measured that it compiles meanwhile.
"""
import os
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import own  # noqa: E402  (beside this file)
import run as bench  # noqa: E402
import throws  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
TRIPLE = "wasm32-wasi"
NODE = ["node", "--no-warnings", "--no-liftoff", "--no-wasm-lazy-compilation", os.path.join(HERE, "..", "tests", "wasm", "run.mjs")]
CLOCK = throws.CLOCK.replace("if (fails)\n\t\t", "")
COLUMNS = ["clang++", "circ, C++", "circ, own type", "tables, own type", "no tables, own type"]


def run(*argv):
    subprocess.run(argv, check=True)


class Programs:
    """The commands of COLUMNS at one level."""

    def __init__(self, circ, clang, folder, level):
        self.circ, self.clang, self.folder, self.level = circ, clang, folder, level
        self.commands = [self.of_clang(), self.of_circ("cxx", throws.CIR), self.of_circ("own", own.own(throws.CIR)),
                         self.here("tables", "own type"), self.here("sjlj", "no tables")]

    def path(self, name):
        return os.path.join(self.folder, name + self.level)

    def cxx(self, name, text, level):
        path = self.path(name)
        run(self.clang, "--target=" + TRIPLE, "-Wno-deprecated", "-fwasm-exceptions", level, "-c", throws.write(path + ".cpp", text), "-o", path + ".o")
        return path + ".o"

    def link(self, name, made):
        run(self.circ, "--target=" + TRIPLE, made, self.cxx("clock", CLOCK, "-O1"), "-o", self.path(name) + ".wasm")
        return [*NODE, self.path(name) + ".wasm"]

    def of_clang(self):
        return self.link("clang", self.cxx("twin", throws.CPP, self.level))

    def of_circ(self, name, text):
        path = self.path(name)
        run(self.circ, "--target=" + TRIPLE, self.level, "-c", throws.write(path + ".cir", text), "-o", path + ".o")
        return self.link(name, path + ".o")

    def here(self, name, program):
        path = self.path(name)
        run(self.circ, self.level, *own.OPTIONS.get(program, []), "-c", throws.write(path + ".cir", own.PROGRAMS[program]), "-o", path + ".o")
        run(self.clang, "-stdlib=libstdc++", "-O1", throws.write(path + ".cpp", CLOCK), path + ".o", own.archive_of(self.circ, program), "-o", path)
        return [path]

    def row(self, depth, times, fails, rounds):
        """Medians of the times of the first, and of the others' ratios to it."""
        def time(command):
            return float(subprocess.run([*command, str(depth), str(times), str(fails)], capture_output=True, text=True, check=True).stdout)
        turns = [[time(command) for command in self.commands] for _ in range(rounds + 1)][1:]
        return own.medians(turns)


def main():
    options = bench.arguments(__doc__, quick="fewer throws").parse_args()
    circ, clang = options.circ, bench.find("clang++")
    if not clang or not bench.find("node") or not os.path.exists("/usr/lib/wasm32-wasi/crt1.o"):
        print("clang++, node or wasi-libc is not installed: WebAssembly is left out.\n")
        return
    bench.describe(circ, clang)
    rounds, work = (2, 4000) if options.quick else (7, 200000)
    thrown, normal = [], []
    with tempfile.TemporaryDirectory() as folder:
        for level in ("-O0", "-O2"):
            programs = Programs(circ, clang, folder, level)
            thrown += [[level, str(depth), *programs.row(depth, max(20, work // (depth + 4)), 1, rounds)] for depth in throws.DEPTHS]
            normal.append([level, *programs.row(10, 50 * work, 0, rounds)])
    print("### A throw caught after N frames on WebAssembly: ns of CPU time for clang++, ratios to that for the others\n")
    bench.table(["level", "frames", *COLUMNS], thrown)
    print("### On WebAssembly when nothing is thrown: ns of ten frames\n")
    bench.table(["level", *COLUMNS], normal)


if __name__ == "__main__":
    main()
