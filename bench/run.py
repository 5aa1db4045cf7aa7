#!/usr/bin/env python3
"""Measures circ against its peers, as ratios taken in one run, and prints a table in Markdown.

    bench/run.py --circ build/bin/circ                  # the whole table, some minutes
    bench/run.py --circ build/bin/circ --quick          # smaller modules, fewer rounds

Every figure is the median over rounds; in each round the commands of a comparison run one after the other, so that a
change in the machine's speed meets both. CPU time is user + system time of the process as the operating system
accounts for it, memory its peak resident set. A peer that is not installed is left out, with a note.
"""
import argparse
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
OPS_PER_FUNCTION = 62


def run(argv, stdin=None):
    """Runs a command; returns (cpu seconds, peak memory in MiB)."""
    with open(os.devnull, "wb") as null:
        process = subprocess.Popen(argv, stdin=stdin, stdout=null)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(argv)}: exit status {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def compare(rounds, commands):
    """{name: argv} → {name: (median cpu, median memory)}, the commands taking turns."""
    figures = {name: [] for name in commands}
    for _ in range(rounds + 1):  # the first round warms the caches and is not counted
        for name, argv in commands.items():
            figures[name].append(run(argv))
    return {
        name: tuple(statistics.median(f[i] for f in runs[1:]) for i in range(2)) for name, runs in figures.items()
    }


def find(name):
    """The program of that name, LLVM's newest where there are several; None: it is not installed."""
    return next(filter(None, map(shutil.which, (name + "-22", name + "-19", name))), None)


def arguments(doc, quick=None):
    """Of the command line, what every program here takes; --quick where there is something that it does."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--circ", default="build/bin/circ", type=os.path.abspath)
    if quick:
        parser.add_argument("--quick", action="store_true", help=quick)
    return parser


class Module:
    """A generated module as text and as LLVM bitcode."""

    def __init__(self, circ, folder, functions):
        self.ops = functions * OPS_PER_FUNCTION
        self.text = os.path.join(folder, f"{functions}.cir")
        self.bitcode = os.path.join(folder, f"{functions}.bc")
        with open(self.text, "w", encoding="ascii") as out:
            subprocess.run([sys.executable, os.path.join(HERE, "flat_module.py"), "--functions", str(functions)],
                           stdout=out, check=True)
        subprocess.run([circ, "--emit=bc", "-O0", self.text, "-o", self.bitcode], check=True)
        self.megabytes = os.path.getsize(self.text) / 1e6


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def front_end(circ, module, rounds):
    """Reading, verifying and printing: text in, text out."""
    tiny = os.path.join(os.path.dirname(module.text), "empty.cir")
    with open(tiny, "w", encoding="ascii") as out:
        out.write("module {\n  cir.func private @f()\n}\n")
    figures = compare(rounds, {
        "read and verify": [circ, "--verify-only", module.text],
        "read, verify, print": [circ, "--emit=flat", module.text, "-o", "/dev/null"],
        "start": [circ, "--verify-only", tiny],
    })
    start = figures["start"][0]
    rows = []
    for name in ("read and verify", "read, verify, print"):
        seconds = max(figures[name][0] - start, 1e-6)
        rows.append([name, f"{module.megabytes / seconds:.0f} MB/s", f"{seconds / module.ops * 1e9:.0f} ns/op"])
    print(f"### Front end, {module.ops} ops, {module.megabytes:.1f} MB (start-up of the process taken off)\n")
    table(["what", "speed", "cost"], rows)


def against_llc(circ, llc, module, rounds):
    rows = []
    for level in ("-O0", "-O2"):
        figures = compare(rounds, {
            "circ": [circ, level, "-c", module.text, "-o", module.text + ".circ.o"],
            "llc": [llc, level, "-filetype=obj", "-relocation-model=pic", module.bitcode, "-o", module.text + ".llc.o"],
        })
        (cpu, memory), (llc_cpu, llc_memory) = figures["circ"], figures["llc"]
        rows.append([level, f"{cpu:.2f} s", f"{llc_cpu:.2f} s", f"**{cpu / llc_cpu:.2f}**",
                     f"{memory:.0f} MiB", f"{llc_memory:.0f} MiB", f"**{memory / llc_memory:.2f}**"])
    print(f"### `circ -c` on text against `llc` on the bitcode of the same module, {module.ops} ops\n")
    print("At -O2, circ also runs LLVM's -O2 pipeline, which llc does not: the row says what a user waits for.\n")
    table(["level", "circ", "llc", "ratio", "circ memory", "llc memory", "ratio"], rows)


def growth(circ, folder, sizes, rounds):
    """Cost per op from small to large modules; start-up, measured on an empty one, is taken off."""
    empty = Module(circ, folder, 0)
    rows = []
    first = None
    for functions in sizes:
        module = Module(circ, folder, functions)
        repeat = max(1, 400 // functions)  # small modules are given many times, so that there is something to measure
        figures = compare(rounds, {
            "verify": [circ, "--verify-only", *[module.text] * repeat],
            "object": [circ, "-O0", "-c", module.text, "-o", module.text + ".o"],
            "start": [circ, "--verify-only", *[empty.text] * repeat],
            "start object": [circ, "-O0", "-c", empty.text, "-o", module.text + ".o"],
        })
        verify = (figures["verify"][0] - figures["start"][0]) / repeat / module.ops * 1e9
        whole = (figures["object"][0] - figures["start object"][0]) / module.ops * 1e9
        first = first or (verify, whole)
        rows.append([str(module.ops), f"{verify:.0f}", f"{verify / first[0]:.2f}", f"{whole:.0f}", f"{whole / first[1]:.2f}"])
        os.remove(module.bitcode)
    print("### Growth: cost of one op, start-up taken off\n")
    table(["ops", "read and verify, ns/op", "against the first row", "`circ -O0 -c`, ns/op", "against the first row"], rows)


def describe(circ, llc):
    version = subprocess.run([circ, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()
    print(f"Machine: {platform.machine()}, {os.cpu_count()} cores, {platform.system()} {platform.release()}; "
          f"{version[0]}{'; ' + os.path.basename(llc) if llc else ''}\n")


def main():
    options = arguments(__doc__, quick="smaller modules, fewer rounds").parse_args()
    circ, llc = options.circ, find("llc")
    rounds = 3 if options.quick else 5
    functions = 300 if options.quick else 1600
    sizes = (16, 160, 1600) if options.quick else (16, 160, 1600, 16000)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    describe(circ, llc)
    with tempfile.TemporaryDirectory() as folder:
        module = Module(circ, folder, functions)
        front_end(circ, module, rounds)
        if llc:
            against_llc(circ, llc, module, rounds)
        else:
            print("llc is not installed: left out.\n")
        growth(circ, folder, sizes, rounds)


if __name__ == "__main__":
    main()
