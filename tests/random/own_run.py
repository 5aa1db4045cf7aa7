#!/usr/bin/env python3
"""Compares random programs with exceptions of circ's own runtime (own.py), compiled by circ, with the interpreter, trace by trace.

    own_run.py --circ build/bin/circ --interpret build/tests/interpret --seeds 100:110
    own_run.py … --seeds 0:2000 --libraries libc++,libstdc++,jit-libc++
    own_run.py … --libraries mingw,msvc --wine build/tests/wine-prefix
    own_run.py … --libraries aarch64      # under qemu
    own_run.py … --seeds 0:30 --drafts 10 --pairs --least 50     # every two features meet 50 times, within 1,500 programs
    own_run.py … --seeds 0:400 --drafts 3 --prefer 4        # each function has more of some kinds of statements and regions, drawn for it
    own_run.py … --seeds 7:8 --program 12 --keep FOLDER    # that program of the seed only; its files stay

Libraries, levels and sequences are those of run.py. At the end it says how often each two features met in one function (--pairs); in the diagonal
stands in how many functions each was, and behind the table which two met least. The exit status is 1 if there was a difference, or if two features
that can meet did so less often than --least says. planted.md has the bugs that were planted to see whether this finds them.
"""
import argparse
import collections
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(os.path.dirname(HERE), "wine"))
import own  # noqa: E402
import run as twins  # noqa: E402
import wine  # noqa: E402

PROJECT = os.path.dirname(os.path.dirname(HERE))
RUNTIMES = {"mingw": "x86_64-w64-windows-gnu", "aarch64": "aarch64-linux-gnu"}  # the folder of libcircrt.a; msvc: circ links it


class Bench(twins.Bench):
    """What all seeds share: the runtime's objects, one per library."""

    programs = own  # who makes them

    def __init__(self, circ, clang, folder, options):
        self.circ, self.clang, self.folder, self.options = circ, clang, folder, options
        self.libraries = {name: twins.LIBRARIES[name] for name in options.libraries.split(",")}
        self.wine = wine.Wine(options.wine) if options.wine else None
        self.functions, self.agreed, self.pairs = [], 0, collections.Counter()
        table = self.path("table.cpp")
        with open(table, "w", encoding="ascii") as out:
            count = 1 if options.program is not None else options.count
            names = [f"test_{n}" for n in range(count)]
            out.write("extern \"C\" {\n" + "".join(f"int {n}();\n" for n in names))
            out.write("extern int (*const tests[])();\nextern const unsigned ntests;\n")
            out.write("int (*const tests[])() = {" + ", ".join(names) + "};\n")
            out.write(f"const unsigned ntests = {count};\n")
            out.write("void own_start();\nextern void (*const at_start)();\nvoid (*const at_start)() = own_start;\n}\n")
        self.sources = [os.path.join(HERE, name) for name in ("runtime.cpp", "own_runtime.cpp", "fault_runtime.cpp")] + [table]
        self.handler = os.path.join(PROJECT, "tests", "e2e", "support", "seh_handler.cpp")
        for library in self.libraries:
            for source in self.sources_for(library):
                self.compile(source, self.object(source, library), library, "-O1")

    def compile(self, source, target, library, level, more=()):
        row = twins.LIBRARIES[library]
        twins.run([row.get("cxx", self.clang), "-w", "-std=gnu++14", level, *more, "-I", HERE, "-I", os.path.join(PROJECT, "include"), *row["compile"],
                   "-c", source, "-o", target])

    def sources_for(self, library):
        return self.sources + ([self.handler] if library == "msvc" else [])

    def support(self, library):
        objects = [self.object(source, library) for source in self.sources_for(library)]
        if twins.LIBRARIES[library].get("link", "jit") in (None, "jit"):
            return objects
        folder = pathlib.Path(self.circ).resolve().parent.parent / "lib" / "circ" / RUNTIMES.get(library, "x86_64-linux-gnu")
        return [*objects, str(folder / "libcircrt.a")]

    def text(self, seed):
        if self.options.program is None:
            return self.programs.generate(seed, self.options.count, drafts=self.options.drafts, **self.wanted(seed))
        return self.programs.generate_one(seed, self.options.program, self.options.drafts, **self.wanted(seed))

    @staticmethod
    def wanted(_seed):
        """Of the programs of a seed: arguments of generate()."""
        return {}

    def expected(self, cir, library):
        """What the interpreter says; C++ for windows-msvc can hold several foreign exceptions at once."""
        more = ["microsoft"] if library == "msvc" else []
        return twins.run([self.options.interpret, cir, str(self.options.sequences), *more]).splitlines()

    def seed(self, seed):
        """The differences of one seed, as text."""
        cir = self.path("program.cir")
        text, features = self.text(seed)
        own.count_pairs(features, self.pairs)
        with open(cir, "w", encoding="ascii") as out:
            out.write(text)
        for level in self.options.levels.split(","):
            for library in self.libraries:
                try:
                    got = self.traces_of_circ(cir, level, library)
                except (RuntimeError, subprocess.TimeoutExpired) as error:
                    yield f"seed {seed} -{level} {library}: {str(error)[-1500:]}"
                    continue
                self.agreed += yield from self.compare(f"seed {seed} -{level} {library}", self.expected(cir, library), got)

    def compare(self, what, expected, got):
        """Yields the first difference of each program; returns how many traces agree."""
        agreed, told, due = 0, set(), []
        for want, have in zip(expected, got):
            program = re.match(r"\d+", want).group()
            if self.agree(what.split()[-1], want, have, due):
                agreed += 1
            elif program not in told:
                told.add(program)
                yield f"{what} --program {program}\n  interpreter  {want}\n  compiled     {have}"
        if len(expected) != len(got):
            yield f"{what}: {len(got)} traces, expected {len(expected)}"
        return agreed

    @staticmethod
    def agree(library, want, have, due):
        """Programs for Windows may end in abort() where they terminate (docs/internals/windows.md)."""
        if twins.LIBRARIES[library].get("windows") and want.endswith(" terminate") and have.endswith(twins.ABORTED):
            have = have.removesuffix(twins.ABORTED) + " terminate"
        if twins.is_wasm(library) and twins.went_to_the_host(want, have):
            return True
        return is_late(want, have, due) if library == "msvc" else MARKED.sub(" -", want) == MARKED.sub(" -", have)

    def print_pairs(self):
        names = sorted({name for pair in self.pairs for name in pair})
        print("functions with both (in the diagonal: with it)")
        for i, name in enumerate(names):
            print(f"{i:3} {name:24}" + "".join(f"{self.pairs[other, name]:7}" for other in names[:i + 1]))
        print(" " * 28 + "".join(f"{i:7}" for i in range(len(names))))

    def fewest(self):
        """How often the two features met that met least, and which."""
        names = sorted({name for pair in self.pairs for name in pair})
        possible = [pair for pair in itertools.combinations(names, 2) if self.programs.can_meet(*pair)]
        least = min(possible, key=self.pairs.__getitem__)
        return self.pairs[least], least


MARKED = re.compile(r" !(?=[ECO]\d)")  # releases of what was replaced


def is_late(want, have, due):
    """On windows-msvc what was replaced is released once one of circ's handlers takes another exception, perhaps in a later run, or never.
    due: what has not been."""
    got, at = have.split(), 0
    for event in want.split():
        if event[0] == "!":
            due.append(event)
            continue
        while at < len(got) and got[at] != event and take(due, got[at]):
            at += 1
        if at == len(got) or got[at] != event:
            return False
        at += 1
    return all(take(due, event) for event in got[at:])


def take(due, event):
    if "!" + event[1:] not in due:
        return False
    due.remove("!" + event[1:])
    return True


def main(description=__doc__, make=Bench):
    args = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--circ", required=True)
    args.add_argument("--interpret", required=True, help="the reference interpreter, tests/tools/interpret")
    args.add_argument("--seeds", default="0:6", help="first:end")
    args.add_argument("--count", type=int, default=50, help="programs of a seed")
    args.add_argument("--drafts", type=int, default=1, help="of each program; the one with the rarest pairs of features is run")
    args.add_argument("--prefer", type=int, default=0, help="how many kinds of statements and regions each function prefers besides")
    args.add_argument("--program", type=int, help="only this one")
    args.add_argument("--sequences", type=int, default=8, help="runs of a program")
    args.add_argument("--levels", default="O0,O2")
    args.add_argument("--libraries", default="libc++,libstdc++", help="of: " + ", ".join(twins.LIBRARIES))
    args.add_argument("--wine", help="folder of the Wine prefix to run programs for Windows in")
    args.add_argument("--keep", help="folder for the files")
    args.add_argument("--pairs", action="store_true", help="print how often features met")
    args.add_argument("--least", type=int, default=0, help="how often any two must")
    args.add_argument("--stop", action="store_true", help="at the first difference")
    options = args.parse_args()
    own.Function.more = options.prefer
    if make is Bench and "wasm" in options.libraries:
        args.error("filters are asked late there, where C++ stands between: alone_run.py has the programs for it")
    options.lifted = False  # of run.py: these programs have no twin
    clang = twins.find("clang++-22", "clang++-19", "clang++")
    if not clang:
        print("SKIPPED: no clang++ to compile the runtime with")
        return twins.SKIPPED
    first, end = map(int, options.seeds.split(":"))
    different = 0
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        bench = make(os.path.abspath(options.circ), clang, options.keep or folder, options)
        for seed in range(first, end):
            try:
                for text in bench.seed(seed):
                    different += 1
                    print(text, flush=True)
                    if options.stop:
                        return 1
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                different += 1
                print(f"seed {seed}: {error}"[:3000], flush=True)
    met, least = bench.fewest()
    if options.pairs:
        bench.print_pairs()
        print(f"fewest: {met}, {' and '.join(least)}")
    print(f"{(end - first) * (1 if options.program is not None else options.count)} programs, {bench.agreed} traces agree, {different} differences")
    return 1 if different or met < options.least else 0


if __name__ == "__main__":
    sys.exit(main())
