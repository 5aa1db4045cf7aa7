#!/usr/bin/env python3
"""Measures what circ makes for other targets, without running it, beside clang and llc. Prints tables in Markdown.

    bench/targets.py --circ build/bin/circ
    bench/targets.py --circ build/bin/circ --quick     # a smaller module, fewer rounds

Time and memory: `circ -c` of a module of flat CIR, next to llc on its bitcode and to clang++ on the same functions in C++ (run.py has the method).
Sizes: code and tables of 100 of these functions, of the random programs of structured.py, and of the programs of programs.py, the latter two where
clang++ finds a C++ library. llc has no option for WebAssembly's exceptions that circ's modules need, so it has no row there.
"""
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import flat_module  # noqa: E402  (beside this file)
import programs  # noqa: E402
import structured  # noqa: E402
import windows  # noqa: E402
from run import arguments, compare, describe, find, table  # noqa: E402

# What clang++ is asked for besides; how the names of sections begin that are code, and that are tables; can clang++ compile C++ that includes headers?
TARGETS = {
    "aarch64-linux-gnu": ([], ".text", (".gcc_except_table", ".eh_frame"), True),
    "arm64-apple-macosx11.0": ([], "__text", ("__gcc_except_tab", "__eh_frame", "__compact_unwind"), False),
    "aarch64-pc-windows-msvc": ([], ".text", (".xdata", ".pdata"), False),
    "wasm32-wasi": (["-fwasm-exceptions", "-Wno-deprecated"], "CODE", ("DATA",), True),
}
LEVELS = ("-O0", "-O2")
RANDOM = os.path.join(programs.E2E, "..", "random")
INCLUDE = ["-std=gnu++14", "-I", RANDOM, "-I", os.path.join(programs.E2E, "support"), "-DTWIN", "-DTWIN_ALONE", '-DE2E_RUNTIME="libstdc++"',
           '-DE2E_UNWINDER="libgcc_s"']
HEAD = ["code", "clang++", "ratio", "tables", "clang++", "ratio", "both: ratio"]


def write(path, text):
    with open(path, "w", encoding="ascii") as out:
        out.write(text)
    return path


class Bench:
    def __init__(self, options, folder):
        self.circ, self.folder = options.circ, folder
        self.rounds, self.functions = (1, 100) if options.quick else (3, 400)
        self.clang, self.llc, self.size_tool = (find(name) for name in ("clang++", "llc", "llvm-size"))

    def path(self, name):
        return os.path.join(self.folder, name)

    def flat(self, functions):
        """The same functions in CIR and in C++."""
        with open(self.path("flat.cir"), "w", encoding="ascii") as out:
            flat_module.generate(functions, out)
        bodies = (windows.FUNCTION.format(n=n, k=n % 97 + 1, callee=f"f{n - 1}" if n % 8 else "work") for n in range(functions))
        return self.path("flat.cir"), write(self.path("flat.cpp"), windows.HEAD + "".join(bodies))

    def random(self, target):
        """The same for the programs of tests/random; sizes have 32 bits on WebAssembly, whose exceptions have no specifications."""
        wasm = target.startswith("wasm")
        leave_out = structured.NOT_THE_SAME + (structured.programs.WITH_SIZES if wasm else ())
        texts = structured.programs.generate(20260101, 200, specifications=not wasm, leave_out=leave_out)
        return write(self.path("random.cir"), texts[0]), write(self.path("random.cpp"), texts[1])

    def commands(self, target, level, cir, cpp):
        return {"circ": [self.circ, "--target=" + target, level, "-c", cir, "-o", self.path("circ.o")],
                "clang++": [self.clang, "--target=" + target, *TARGETS[target][0], level, "-w", *INCLUDE, "-c", cpp, "-o", self.path("clang.o")]}

    def llc_command(self, target, level, cir):
        bitcode = self.path("flat.bc")
        subprocess.run([self.circ, "--target=" + target, "-O0", "--emit=bc", cir, "-o", bitcode], check=True)
        return [self.llc, level, "-filetype=obj", "-relocation-model=pic", bitcode, "-o", self.path("llc.o")]

    def time(self):
        cir, cpp = self.flat(self.functions)
        rows = []
        for target in TARGETS:
            for level in LEVELS:
                commands = self.commands(target, level, cir, cpp)
                if self.llc and not target.startswith("wasm"):
                    commands["llc"] = self.llc_command(target, level, cir)
                figures = compare(self.rounds, commands)
                cpu, memory = figures.pop("circ")
                for peer, (their_cpu, their_memory) in figures.items():
                    rows.append([target, level, f"`{peer}`", f"{cpu:.2f} s", f"{their_cpu:.2f} s", f"**{cpu / their_cpu:.2f}**",
                                 f"{memory:.0f} MiB", f"{their_memory:.0f} MiB", f"**{memory / their_memory:.2f}**"])
        print(f"### `circ -c` for other targets, {self.functions} functions\n\nAt -O2 circ also runs LLVM's -O2 pipeline, which llc does not.\n")
        table(["target", "level", "peer", "circ", "peer's", "ratio", "circ memory", "peer's", "ratio"], rows)

    def sizes(self, target, name):
        """Bytes of code and of tables."""
        _, code, tables, _ = TARGETS[target]
        said = subprocess.run([self.size_tool, "-A", self.path(name)], capture_output=True, text=True, check=True).stdout
        sections = [(words[0], int(words[1])) for words in map(str.split, said.splitlines()) if len(words) == 3 and words[1].isdigit()]
        return [sum(size for section, size in sections if section.startswith(which)) for which in (code, tables)]

    def row(self, target, level, sources):
        for argv in self.commands(target, level, *sources).values():
            subprocess.run(argv, check=True)
        ours, theirs = self.sizes(target, "circ.o"), self.sizes(target, "clang.o")
        figures = [figure for a, b in zip(ours, theirs) for figure in (f"{a}", f"{b}", f"**{a / b:.2f}**")]
        return figures + [f"**{sum(ours) / sum(theirs):.2f}**"]

    def all_sizes(self):
        print("### 100 functions for other targets, bytes\n")
        sources = self.flat(100)
        table(["target", "level", *HEAD], [[target, level, *self.row(target, level, sources)] for target in TARGETS for level in LEVELS])
        print("### 200 random programs for other targets, bytes\n")
        table(["target", "level", *HEAD], [[target, level, *self.row(target, level, self.random(target))]
                                           for target, row in TARGETS.items() if row[3] for level in LEVELS])
        print("### Programs in CIR and their twins in C++ for aarch64-linux-gnu, both at -O2: bytes\n")
        files = {name: os.path.join(programs.E2E, "programs", name) for name in programs.PROGRAMS}
        table(["program", *HEAD], [[name, *self.row("aarch64-linux-gnu", "-O2", (path + ".cir", path + ".cpp"))] for name, path in files.items()])


def main():
    options = arguments(__doc__, quick="a smaller module, fewer rounds").parse_args()
    if not find("clang++") or not find("llvm-size"):
        print("clang++ or llvm-size is not installed: other targets are left out.\n")
        return
    describe(options.circ, find("llc"))
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, folder)
        bench.time()
        bench.all_sizes()


if __name__ == "__main__":
    main()
