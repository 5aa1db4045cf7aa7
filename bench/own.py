#!/usr/bin/env python3
"""Measures exceptions of circ's own runtime against C++'s, both compiled by circ. Prints tables in Markdown.

    bench/own.py --circ build/bin/circ
    bench/own.py --circ build/bin/circ --quick     # fewer throws

The program is that of throws.py: a throw caught after N frames with an object each. Beside C++'s there are the same with a type of the language's
own, and with a filter that takes everything; a finally in place of the cleanup; and the own type without tables (--eh=sjlj). The programs take turns, and each ratio is to the C++ of its
turn; the table has the medians.

All of them have the whole of libcircrt inside. The unwinder looks for each frame among all functions of the program that it is in, so that a program of six
functions would throw faster than one of a hundred, whatever it throws; C++'s runtime is in libraries of its own.
"""
import os
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import run as bench  # noqa: E402  (beside this file)
import throws  # noqa: E402
from structured import size_of  # noqa: E402

TYPE = 'catch [type #cir.global_view<@_ZTIi> : !cir.ptr<!u8i>] (%token: !cir.eh_token)'
FILTER = "catch when (%record: !cir.ptr<!cir.void>) {\n%yes = cir.const #cir.int<1> : !s32i\ncir.yield %yes : !s32i\n} do (%token: !cir.eh_token)"

TRACE = """\
#include <circ/runtime.h>
#include <execinfo.h>
#include <stdio.h>
#include <time.h>
enum { MOST = 200, TIMES = 500, ROUNDS = 10 };
static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}
static CircFrame frames[MOST];
static void *addresses[MOST];
__attribute__((noinline)) static int dive(int n)
{
	if (n)
		return dive(n - 1) + 1;
	for (int round = 0; round < ROUNDS; round++) {
		double a = now();
		for (int i = 0; i < TIMES; i++)
			circ_frames(frames, MOST);
		double b = now();
		for (int i = 0; i < TIMES; i++)
			backtrace(addresses, MOST);
		double c = now();
		printf("%.0f %.0f\\n", (b - a) / TIMES, (c - b) / TIMES);
	}
	return 0;
}
int main(void)
{
	return dive(100) != 100;
}
"""


def own(text):
    """The program of throws.py, with an exception of the language's own in place of the int."""
    text = text.replace('cir.global "private" constant external @_ZTIi : !cir.ptr<!u8i>\n', "circ.exception_type @Int : !rec_Int\n")
    text = text.replace("%e = cir.alloc.exception 4 -> !cir.ptr<!s32i>", "%r = cir.alloc.exception 4 -> !cir.ptr<!rec_Int>\n"
                        "%e = cir.cast bitcast %r : !cir.ptr<!rec_Int> -> !cir.ptr<!s32i>")
    text = text.replace("cir.throw %e : !cir.ptr<!s32i>, @_ZTIi", "cir.throw %r : !cir.ptr<!rec_Int>, @Int").replace("@_ZTIi", "@Int")
    return '!rec_Int = !cir.struct<"Int" {data !cir.int<s, 32>}>\nmodule attributes {circ.eh.runtime = "circ"} {\n' + text + "}\n"


def with_finally(text):
    """A finally in place of the cleanup: a try without handlers."""
    return text.replace("cir.cleanup.scope {", "cir.try {").replace("cleanup all {", "finally {")


PROGRAMS = {
    "C++": throws.CIR,
    "own type": own(throws.CIR),
    "filter": own(throws.CIR.replace(TYPE, FILTER)),
    "finally": own(with_finally(throws.CIR)),
    "no tables": own(throws.CIR),
}
OPTIONS = {"no tables": ["--eh=sjlj"]}


def archive_of(circ, program=None):
    name = "libcircrt-sjlj.a" if program in OPTIONS else "libcircrt.a"
    return os.path.join(os.path.dirname(os.path.dirname(circ)), "lib", "circ", "x86_64-linux-gnu", name)


class Made(throws.Programs):
    """All of them at one level, linked with one pair of libraries."""

    def __init__(self, circ, clang, folder, level, library):
        self.objects, self.commands = {}, {}
        clock = throws.write(os.path.join(folder, "clock.cpp"), throws.CLOCK)
        unwinder = ["-lunwind", "-lc++abi"] if library == "libc++" else []
        for i, (name, text) in enumerate(PROGRAMS.items()):
            path = os.path.join(folder, f"{i}{level}{library}")
            made = path + ".o"
            subprocess.run([circ, level, *OPTIONS.get(name, []), "-c", throws.write(path + ".cir", text), "-o", made], check=True)
            subprocess.run([clang, f"-stdlib={library}", "-O1", clock, made, "-Wl,--whole-archive", archive_of(circ, name), "-Wl,--no-whole-archive",
                            "-o", path, *unwinder], check=True)
            self.objects[name], self.commands[name] = made, path

    def turns(self, depth, times, rounds):
        """The time of a throw of each program, once a round; the first round is not counted."""
        def time(command):
            done = subprocess.run([command, str(depth), str(times), "1"], capture_output=True, text=True, check=True)
            return float(done.stdout)
        return [[time(command) for command in self.commands.values()] for _ in range(rounds + 1)][1:]


def medians(turns):
    """The first's median, and the others' ratios to it in their turns."""
    rest = [statistics.median(turn[i] / turn[0] for turn in turns) for i in range(1, len(turns[0]))]
    return [f"{statistics.median(turn[0] for turn in turns):.0f}"] + [f"**{r:.2f}**" for r in rest]


def ratios(figures):
    return [f"{figures[0]:.0f}"] + [throws.ratio(figure, figures[0]) for figure in figures[1:]]


def latency(circ, clang, folder, rounds, work):
    rows = []
    for title, library in throws.LIBRARIES.items():
        for level in ("-O0", "-O2"):
            made = Made(circ, clang, folder, level, library)
            for depth in throws.DEPTHS:
                rows.append([title, level, str(depth), *medians(made.turns(depth, max(20, work // (depth + 4)), rounds))])
    print("### A throw caught after N frames with an object each: ns of CPU time for C++, ratios to that for the others\n")
    bench.table(["libraries", "level", "frames", *PROGRAMS], rows)


def normal_path(circ, clang, folder, size, valgrind):
    counts, sizes = [], []
    for level in ("-O0", "-O2", "-Os"):
        made = Made(circ, clang, folder, level, "libstdc++")
        if size:
            sizes.append([level, *ratios([size_of(size, o) for o in made.objects.values()])])
        if valgrind:
            counts.append([level, *ratios(made.instructions(valgrind, 10, 1000))])
    if counts:
        print("### When nothing is thrown: instructions of ten frames\n")
        bench.table(["level", *PROGRAMS], counts)
    if sizes:
        print("### The object of that program, bytes of text + tables\n")
        bench.table(["level", *PROGRAMS], sizes)


def trace(circ, clang, folder, rounds):
    include = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "include")
    source, program = throws.write(os.path.join(folder, "trace.c"), TRACE), os.path.join(folder, "trace")
    subprocess.run([clang, "-x", "c", "-O0", "-I", include, source, "-x", "none", archive_of(circ), "-o", program], check=True)
    turns = []
    for _ in range(rounds):
        done = subprocess.run([program], capture_output=True, text=True, check=True)
        turns += [tuple(map(float, reversed(line.split()))) for line in done.stdout.splitlines()]
    print("### A walk over 100 frames: ns of CPU time for backtrace(), the ratio to that for circ_frames()\n")
    bench.table(["backtrace()", "circ_frames()"], [medians(turns)])


def main():
    options = bench.arguments(__doc__, quick="fewer throws").parse_args()
    circ, clang, size = options.circ, bench.find("clang++"), bench.find("llvm-size")
    bench.describe(circ, clang)
    if not clang:
        print("clang++ is not installed: nothing is measured.\n")
        return
    valgrind = bench.find("valgrind")
    with tempfile.TemporaryDirectory() as folder:
        latency(circ, clang, folder, 2 if options.quick else 15, 4000 if options.quick else 100000)
        normal_path(circ, clang, folder, size, valgrind)
        trace(circ, clang, folder, 2 if options.quick else 9)


if __name__ == "__main__":
    main()
