#!/usr/bin/env python3
"""Measures circ on modules that clang's CIR front end printed, and on the smallest module there is, as ratios taken in one run.

    bench/corpus.py --circ build/bin/circ --corpus ../shared/corpus      # a folder of NAME.cir.xz

All figures are CPU time of whole processes that take turns (see run.py). What reading costs of a process, less its start, is told
by the shares of --time-passes; of its rounds the fastest counts, since whatever else the machine does only adds to it.
"""
import glob
import lzma
import os
import statistics
import subprocess
import sys
import tempfile

import constructs
from run import OPS_PER_FUNCTION, Module, arguments, compare, describe, find, run, table

COPIES = 8  # of every construct: as long as thirty modules of the corpus
OURS = ("read", "verify", "flatten", "abi", "lower")
WHOLE = "--part-ops=2000000000"  # lowering is a pass of its own only where the module is not split
TINY = "module {\n  cir.func @main() -> !s32i {\n    %0 = cir.const #cir.int<0> : !s32i\n    cir.return %0 : !s32i\n  }\n}\n"


def passes(argv, folder):
    """Runs circ; returns its CPU seconds and {pass: milliseconds of CPU time} of --time-passes."""
    with open(os.path.join(folder, "passes"), "w+", encoding="utf-8") as table_of_passes:
        process = subprocess.Popen([*argv, "--time-passes"], stdout=subprocess.DEVNULL, stderr=table_of_passes)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        table_of_passes.seek(0)
        lines = table_of_passes.read().splitlines()  # warnings stand before the table
    if process.returncode:
        sys.exit(f"{' '.join(argv)}: exit status {process.returncode}")
    begin = next(i for i, line in enumerate(lines) if line.split() == ["pass", "wall", "ms", "%", "cpu", "ms"])
    rows = (line.rsplit(None, 3) for line in lines[begin + 1:])
    return usage.ru_utime + usage.ru_stime, {name.strip(): float(ms) for name, _, _, ms in rows}


def unpack(corpus, folder):
    paths = []
    for packed in sorted(glob.glob(os.path.join(corpus, "*.cir.xz"))):
        paths.append(os.path.join(folder, os.path.basename(packed)[:-3]))
        with lzma.open(packed) as text, open(paths[-1], "wb") as out:
            out.write(text.read())
    return paths


def reading(circ, sets, start, folder, rounds):
    rows = []
    for name, paths in sets:
        size = sum(map(os.path.getsize, paths)) / 1e6
        seconds = []
        for _ in range(rounds):
            process, times = passes([circ, "--verify-only", *paths], folder)
            both = process - min(run([circ, "--verify-only", start])[0] for _ in range(2))
            seconds.append((both * times["read"] / (times["read"] + times["verify"]), both))
        read, both = map(min, zip(*seconds))
        rows.append([name, str(len(paths)), f"{size:.1f} MB", f"**{size / read:.0f} MB/s**", f"{size / both:.0f} MB/s"])
    print("### Reading, one thread\n")
    table(["modules", "files", "text", "read", "read and verify"], rows)


def our_part(circ, sets, folder, rounds):
    rows = []
    for name, paths in sets:
        shares = []
        for _ in range(rounds):
            times = {}
            for path in paths:
                argv = [circ, "-O0", "-c", WHOLE, path, "-o", os.path.join(folder, "x.o")]
                for phase, ms in passes(argv, folder)[1].items():
                    times[phase] = times.get(phase, 0) + ms
            shares.append([times.get(p, 0) / times["total"] for p in OURS])
        median = [statistics.median(column) for column in zip(*shares)]
        total = statistics.median(map(sum, shares))
        rows.append([name, *(f"{share:.1%}" for share in median), f"**{total:.1%}**"])
    print("### Our part of `circ -O0 -c`, without starting the process: from the text to LLVM IR\n")
    table(["modules", *OURS, "together"], rows)


def against_llc(circ, llc, sets, folder, rounds):
    rows = []
    for name, paths in sets:
        sums = [0.0, 0.0]
        for path in paths:
            bitcode = os.path.join(folder, "x.bc")
            run([circ, "-O0", "--emit=bc", path, "-o", bitcode])
            figures = compare(rounds, {
                "circ": [circ, "-O0", "-c", path, "-o", os.path.join(folder, "circ.o")],
                "llc": [llc, "-O0", "-filetype=obj", "-relocation-model=pic", bitcode, "-o", os.path.join(folder, "llc.o")],
            })
            sums = [sums[0] + figures["circ"][0], sums[1] + figures["llc"][0]]
        rows.append([name, f"{sums[0]:.2f} s", f"{sums[1]:.2f} s", f"**{sums[0] / sums[1]:.2f}**"])
    print("### `circ -O0 -c` on text against `llc -O0` on the bitcode that circ makes of it\n")
    table(["modules", "circ", "llc", "ratio"], rows)


def readable(circ, paths):
    return [p for p in paths if subprocess.run([circ, "--verify-only", p], capture_output=True, check=False).returncode == 0]


def main():
    args = arguments(__doc__)
    args.add_argument("--corpus", default="../shared/corpus")
    args.add_argument("--rounds", type=int, default=5)
    args.add_argument("--every", type=int, default=1, metavar="N", help="of the corpus, compile each Nth module only")
    options = args.parse_args()
    circ, llc = options.circ, find("llc")
    describe(circ, llc)
    with tempfile.TemporaryDirectory() as folder:
        generated = Module(circ, folder, 1600)
        tiny = os.path.join(folder, "tiny.cir")
        with open(tiny, "w", encoding="ascii") as out:
            out.write(TINY)
        corpus = unpack(options.corpus, folder)
        real = [("the corpus", corpus)] if corpus else []
        compiled = [(f"{len(corpus[::options.every])} modules of the corpus", corpus[:: options.every])] if corpus else []
        if not corpus:
            print(f"No modules in {options.corpus}: left out.\n")
        made = [(f"generated, {1600 * OPS_PER_FUNCTION} ops", [generated.text])]
        tests = [("the tests' modules", readable(circ, constructs.tests()))]
        joined = constructs.Joined(circ)
        every = [(f"every construct{often}", joined.write(folder, copies)) for often, copies in ((", once", 1), (f", {COPIES} times", COPIES))]
        reading(circ, real + made + every + tests, tiny, folder, options.rounds)
        print(f"Every construct: {joined.said()}; see bench/constructs.py.\n")
        our_part(circ, made + compiled, folder, options.rounds)
        if llc:
            against_llc(circ, llc, [("one function of two ops", [tiny])] + made + compiled, folder, options.rounds)
        else:
            print("llc is not installed: left out.\n")


if __name__ == "__main__":
    sys.exit(main())
