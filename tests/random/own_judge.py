#!/usr/bin/env python3
"""Judges the interpreter by what it does not share its author's mind with, since it judges own_run.py.

    own_judge.py --interpret build/tests/interpret                         # traces written by hand (judged/), and random programs in Python
    own_judge.py --interpret … --seeds 0:40 --twins python
    own_judge.py --interpret … --twins seh --circ build/bin/circ --wine build/tests/wine-prefix

python  the programs as Python's own try, finally and raise: no filters, no goto, nothing goes on where it was thrown
seh     as C with __try, __except and __finally, compiled by clang -O0 for windows-msvc and run under Wine: handlers with filters, cleanups `all`

A twin says nothing of releases, nor what happens where nobody outside catches. The exit status is 1 if there was a difference.
"""
import argparse
import glob
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(os.path.dirname(HERE), "wine"))
import own  # noqa: E402
import own_python  # noqa: E402
import own_seh  # noqa: E402
import run as twins  # noqa: E402
import wine  # noqa: E402

HANDLER = os.path.join(HERE, "..", "e2e", "support", "seh_handler.cpp")
TARGET = "--target=x86_64-pc-windows-msvc"
RELEASED = re.compile(r" [-!][ECO]\d+")
WRITTEN = re.compile(r"^// (\d+): (.*)$", re.MULTILINE)


class Judge:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.agreed = self.different = 0
        self.wine = wine.Wine(options.wine) if "seh" in options.twins else None
        if self.wine:
            twins.run([options.clang, TARGET, "-w", "-O1", "-c", HANDLER, "-o", self.path("handler.obj")])

    def path(self, name):
        return os.path.join(self.folder, name)

    def interpreted(self, path, sequences):
        """(program, sequence) → trace. Where C++ may hold any number of foreign exceptions: the other languages can, too."""
        lines = twins.run([self.options.interpret, path, str(sequences), "microsoft"]).splitlines()
        found = (re.match(r"(\d+)\.(\d+):(.*)", line).groups() for line in lines)
        return {(int(program), int(sequence)): trace for program, sequence, trace in found}

    def compare(self, what, judge, expected, got):
        if expected.strip() == got.strip():
            self.agreed += 1
            return
        self.different += 1
        print(f"{what}\n  {judge:12} {expected}\n  interpreter  {got}", flush=True)

    def written(self, path):
        got = self.interpreted(path, 1)
        with open(path, encoding="ascii") as text:
            for program, trace in WRITTEN.findall(text.read()):
                self.compare(f"{os.path.basename(path)} {program}", "by hand", trace, got[int(program), 0])

    def python(self, text):
        yield from (((program, sequence), trace) for program, sequence, trace in own_python.traces(text, self.options.sequences))

    def seh(self, text):
        with open(self.path("twin.c"), "w", encoding="ascii") as out:
            out.write(own_seh.source(text, self.options.sequences))
        twins.run([self.options.clang, TARGET, "-w", "-O0", "-c", self.path("twin.c"), "-o", self.path("twin.obj")])
        twins.run([self.options.circ, TARGET, self.path("twin.obj"), self.path("handler.obj"), "-o", self.path("twin.exe")])
        for line in self.wine.run([self.path("twin.exe")], timeout=twins.TIMEOUT).stdout.splitlines():
            program, sequence, trace = re.match(r"(\d+)\.(\d+):(.*)", line).groups()
            yield (int(program), int(sequence)), trace

    def seed(self, twin, seed):
        text = own.generate(seed, self.options.count, twin)[0]
        path = self.path("program.cir")
        with open(path, "w", encoding="ascii") as out:
            out.write(text)
        got = self.interpreted(path, self.options.sequences)
        before = self.agreed + self.different
        for run, trace in getattr(self, twin)(text):
            if run[1] % 4 == 3:  # nobody outside catches
                continue
            own_trace = RELEASED.sub("", got[run])
            if twin == "seh":
                own_trace = re.sub(r"(?<=escapes) int=\d+", "", own_trace)
            self.compare(f"{twin} seed {seed}, program {run[0]}, sequence {run[1]}", twin, trace, own_trace)
        if self.agreed + self.different == before:
            self.different += 1
            print(f"{twin} seed {seed}: no traces", flush=True)


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--interpret", required=True, help="the reference interpreter, tests/tools/interpret")
    args.add_argument("--twins", default="python", help="of: python, seh")
    args.add_argument("--seeds", default="0:2", help="first:end")
    args.add_argument("--count", type=int, default=50, help="programs of a seed")
    args.add_argument("--sequences", type=int, default=8, help="runs of a program")
    args.add_argument("--circ", help="for seh: links")
    args.add_argument("--clang", default=twins.find("clang-22", "clang-19", "clang"), help="for seh")
    args.add_argument("--wine", help="for seh: folder of the Wine prefix")
    options = args.parse_args()
    options.twins = options.twins.split(",")
    first, end = map(int, options.seeds.split(":"))
    with tempfile.TemporaryDirectory() as folder:
        judge = Judge(options, folder)
        for path in sorted(glob.glob(os.path.join(HERE, "judged", "*.cir"))):
            judge.written(path)
        for twin in options.twins:
            for seed in range(first, end):
                judge.seed(twin, seed)
    print(f"{judge.agreed} traces agree, {judge.different} differences")
    return 1 if judge.different else 0


if __name__ == "__main__":
    sys.exit(main())
