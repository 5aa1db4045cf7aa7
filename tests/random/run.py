#!/usr/bin/env python3
"""Compares random programs compiled by circ with their C++ twins, trace by trace.

    run.py --circ build/bin/circ --seeds 100:110           # seeds 100 to 109
    run.py --circ build/bin/circ --seeds 0:400 --count 50  # 20,000 programs

Each seed is one file of --count programs, compiled by circ at -O0 and -O2 and linked with both C++ libraries; the twin is
compiled by clang++ at -O0. With --interpret, the reference interpreter runs the structured form, too. Every program runs under --sequences decision sequences. A difference prints the trace of both
and the command that shows it again; the exit status is 1.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import generate  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
SKIPPED = 77

LIBRARIES = {
    "libc++": ["-stdlib=libc++", "-lc++abi", "-lunwind"],
    "libstdc++": ["-stdlib=libstdc++"],
}


def find(*names):
    return next((path for path in map(shutil.which, names) if path), None)


def run(argv, **more):
    done = subprocess.run(argv, capture_output=True, text=True, timeout=300, check=False, **more)
    if done.returncode:
        raise RuntimeError(f"{' '.join(argv)}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


class Bench:
    """What all seeds share: the runtime's objects, one per library."""

    def __init__(self, circ, clang, folder, options):
        self.circ, self.clang, self.folder, self.options = circ, clang, folder, options
        table = self.path("table.cpp")
        with open(table, "w", encoding="ascii") as out:
            names = [f"test_{n}" for n in range(options.count)]
            out.write("extern \"C\" {\n" + "".join(f"int {n}();\n" for n in names))
            out.write("extern int (*const tests[])();\nextern const unsigned ntests;\n")
            out.write("int (*const tests[])() = {" + ", ".join(names) + "};\n")
            out.write(f"const unsigned ntests = {options.count};\n}}\n")
        for library, flags in LIBRARIES.items():
            for source in (os.path.join(HERE, "runtime.cpp"), table):
                self.compile(source, self.object(source, library), [*flags, "-O1", "-I", HERE])

    def path(self, name):
        return os.path.join(self.folder, name)

    def object(self, source, library):
        return self.path(f"{os.path.basename(source)}.{library}.o")

    def compile(self, source, target, flags):
        flags = [f for f in flags if not f.startswith("-l")]
        run([self.clang, "-w", "-std=gnu++14", "-c", source, "-o", target, *flags])

    def traces(self, program, library):
        exe = program + "." + library
        run([self.clang, program, self.object("runtime.cpp", library), self.object("table.cpp", library), "-o", exe,
             *LIBRARIES[library]])
        return run([exe, str(self.options.sequences)]).splitlines()

    def seed(self, seed):
        """The differences of one seed, as text; and how many traces agreed."""
        cir, cpp = self.path("program.cir"), self.path("program.cpp")
        texts = generate.generate(seed, self.options.count)
        for path, text in ((cir, texts[0]), (cpp, texts[1])):
            with open(path, "w", encoding="ascii") as out:
                out.write(text)
        self.compile(cpp, self.path("twin.o"), ["-O0", "-I", HERE, "-stdlib=libc++"])
        expected = self.traces(self.path("twin.o"), "libc++")
        agreed = 0
        if self.options.interpret:
            got = run([self.options.interpret, cir, str(self.options.sequences)]).splitlines()
            agreed += yield from self.compare(f"seed {seed} interpreter", expected, got)
        for level in self.options.levels.split(","):
            target = self.path(f"circ{level}.o")
            run([self.circ, f"-{level}", "-c", cir, "-o", target])
            for library in LIBRARIES:
                got = self.traces(target, library)
                agreed += yield from self.compare(f"seed {seed} -{level} {library}", expected, got)
        self.agreed += agreed

    @staticmethod
    def compare(what, expected, got):
        """Yields the first difference; returns how many traces agree."""
        for n, (want, have) in enumerate(zip(expected, got)):
            if want != have:
                yield f"{what}\n  C++  {want}\n  CIR  {have}"
                return n
        if len(expected) != len(got):
            yield f"{what}: {len(got)} traces, expected {len(expected)}"
        return min(len(expected), len(got))

    agreed = 0


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--circ", required=True)
    args.add_argument("--seeds", default="0:6", help="first:end")
    args.add_argument("--count", type=int, default=50, help="programs of a seed")
    args.add_argument("--sequences", type=int, default=8, help="runs of a program")
    args.add_argument("--interpret", help="the reference interpreter, tests/tools/interpret")
    args.add_argument("--levels", default="O0,O2")
    options = args.parse_args()
    clang = find("clang++-22", "clang++-19", "clang++")
    if not clang:
        print("SKIPPED: no clang++ to compile the C++ twins with")
        return SKIPPED
    first, end = map(int, options.seeds.split(":"))
    different = 0
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(os.path.abspath(options.circ), clang, folder, options)
        for seed in range(first, end):
            try:
                for text in bench.seed(seed):
                    different += 1
                    print(text, flush=True)
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                different += 1
                print(f"seed {seed}: {error}"[:3000], flush=True)
    print(f"{(end - first) * options.count} programs, {bench.agreed} traces agree, {different} differences")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
