#!/usr/bin/env python3
"""Measures exceptions in the code that circ generates, against clang++'s for the same C++. Prints tables in Markdown.

    bench/throws.py --circ build/bin/circ
    bench/throws.py --circ build/bin/circ --quick     # fewer throws

The program recurses, with an object to destroy in each frame, and throws an int at the bottom, or returns. As in run.py, whose method
and helpers these are: programs taking turns, medians, CPU time, which the program reads itself. Instructions of the normal path
are counted by callgrind, and do not depend on the machine's load.
"""
import os
import re
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import run as bench  # noqa: E402  (beside this file)
from structured import size_of  # noqa: E402

DEPTHS = (1, 10, 100)
LIBRARIES = {"libgcc, libstdc++": "libstdc++", "libunwind, libc++abi": "libc++"}

CIR = """\
!s32i = !cir.int<s, 32>
!u8i = !cir.int<u, 8>
cir.global "private" constant external @_ZTIi : !cir.ptr<!u8i>
cir.global external @destroyed = #cir.int<0> : !s32i

// void dive(int n, int fails) { if (n <= 1) { if (fails) throw n; return; } Counter c; dive(n - 1, fails); }
cir.func no_inline @dive(%n: !s32i, %fails: !s32i) {
  %zero = cir.const #cir.int<0> : !s32i
  %one = cir.const #cir.int<1> : !s32i
  %bottom = cir.cmp le %n, %one : !s32i
  cir.if %bottom {
    %thrown = cir.cmp ne %fails, %zero : !s32i
    cir.if %thrown {
      %e = cir.alloc.exception 4 -> !cir.ptr<!s32i>
      cir.store %n, %e : !s32i, !cir.ptr<!s32i>
      cir.throw %e : !cir.ptr<!s32i>, @_ZTIi
      cir.unreachable
    }
    cir.return
  }
  cir.cleanup.scope {
    %less = cir.sub nsw %n, %one : !s32i
    cir.call @dive(%less, %fails) : (!s32i, !s32i) -> ()
    cir.yield
  } cleanup all {
    %count = cir.get_global @destroyed : !cir.ptr<!s32i>
    %old = cir.load %count : !cir.ptr<!s32i>, !s32i
    %new = cir.add nsw %old, %one : !s32i
    cir.store %new, %count : !s32i, !cir.ptr<!s32i>
    cir.yield
  }
  cir.return
}

// void repeat(int depth, int times, int fails) { while (times-- > 0) try { dive(depth, fails); } catch (int) {} }
cir.func @repeat(%depth: !s32i, %times: !s32i, %fails: !s32i) {
  %zero = cir.const #cir.int<0> : !s32i
  %left = cir.alloca "left" align(4) init : !cir.ptr<!s32i>
  %slot = cir.alloca "e" align(4) : !cir.ptr<!s32i>
  cir.store %times, %left : !s32i, !cir.ptr<!s32i>
  cir.while {
    %now = cir.load %left : !cir.ptr<!s32i>, !s32i
    %one = cir.const #cir.int<1> : !s32i
    %next = cir.sub nsw %now, %one : !s32i
    cir.store %next, %left : !s32i, !cir.ptr<!s32i>
    %more = cir.cmp gt %now, %zero : !s32i
    cir.condition(%more)
  } do {
    cir.try {
      cir.call @dive(%depth, %fails) : (!s32i, !s32i) -> ()
      cir.yield
    } catch [type #cir.global_view<@_ZTIi> : !cir.ptr<!u8i>] (%token: !cir.eh_token) {
      %catch, %object = cir.begin_catch %token : !cir.eh_token -> (!cir.catch_token, !cir.ptr<!s32i>)
      cir.end_catch %catch : !cir.catch_token
      cir.yield
    }
    cir.yield
  }
  cir.return
}
"""

CPP = """\
int destroyed;
struct Counter { ~Counter() { destroyed++; } };
extern "C" __attribute__((noinline)) void dive(int n, int fails)
{
	if (n <= 1) {
		if (fails)
			throw n;
		return;
	}
	Counter c;
	dive(n - 1, fails);
}
extern "C" void repeat(int depth, int times, int fails)
{
	while (times-- > 0)
		try {
			dive(depth, fails);
		} catch (int) {
		}
}
"""

# Prints nanoseconds a repetition. One repetition comes before the clock starts: the first throw binds symbols and sorts tables.
CLOCK = """\
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
extern "C" void repeat(int depth, int times, int fails);
static double now()
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}
int main(int argc, char **argv)
{
	int depth = atoi(argv[1]), times = atoi(argv[2]), fails = atoi(argv[3]);
	repeat(depth, 1, fails);
	double start = now();
	repeat(depth, times, fails);
	if (fails)
		printf("%.0f\\n", (now() - start) / times);
}
"""


def write(path, text):
    with open(path, "w", encoding="ascii") as out:
        out.write(text)
    return path


class Programs:
    """The same program by both compilers at one level, linked with one pair of libraries."""

    def __init__(self, circ, clang, folder, level, library):
        def path(name):
            return os.path.join(folder, name + level + library)
        cir, cpp, clock = (write(path(name) + ending, text)
                           for name, ending, text in (("dive", ".cir", CIR), ("twin", ".cpp", CPP), ("clock", ".cpp", CLOCK)))
        self.objects = {"circ": path("circ") + ".o", "clang++": path("clang") + ".o"}
        subprocess.run([circ, level, "-c", cir, "-o", self.objects["circ"]], check=True)
        subprocess.run([clang, level, "-c", cpp, "-o", self.objects["clang++"]], check=True)
        self.commands = {}
        for name, made in self.objects.items():
            self.commands[name] = made[:-2]
            unwinder = ["-lunwind", "-lc++abi"] if library == "libc++" else []
            subprocess.run([clang, f"-stdlib={library}", "-O1", clock, made, "-o", made[:-2], *unwinder], check=True)

    def throws(self, depth, times, rounds):
        figures = {name: [] for name in self.commands}
        for _ in range(rounds + 1):
            for name, command in self.commands.items():
                done = subprocess.run([command, str(depth), str(times), "1"], capture_output=True, text=True, check=True)
                figures[name].append(float(done.stdout))
        return [statistics.median(runs[1:]) for runs in figures.values()]

    def instructions(self, valgrind, depth, times):
        """Instructions a repetition that does not throw: the difference between two counts of them."""
        def count(command, n):
            done = subprocess.run([valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null", command, str(depth), str(n), "0"],
                                  capture_output=True, text=True, check=True)
            return int(re.search(r"Collected : (\d+)", done.stderr).group(1))
        return [(count(command, 2 * times) - count(command, times)) / times for command in self.commands.values()]


def ratio(ours, theirs):
    return f"**{ours / theirs:.2f}**"


def latency(circ, clang, folder, rounds, work):
    rows = []
    for title, library in LIBRARIES.items():
        for level in ("-O0", "-O2"):
            programs = Programs(circ, clang, folder, level, library)
            for depth in DEPTHS:
                ours, theirs = programs.throws(depth, max(20, work // (depth + 4)), rounds)
                rows.append([title, level, str(depth), f"{ours:.0f}", f"{theirs:.0f}", ratio(ours, theirs)])
    print("### A throw caught after N frames with an object each, ns of CPU time\n")
    bench.table(["libraries", "level", "frames", "circ", "clang++", "ratio"], rows)


def normal_path(circ, clang, size, valgrind, folder):
    counts, sizes = [], []
    for level in ("-O0", "-O2", "-Os"):
        programs = Programs(circ, clang, folder, level, "libstdc++")
        if size:
            ours, theirs = (size_of(size, made) for made in programs.objects.values())
            sizes.append([level, str(ours), str(theirs), ratio(ours, theirs)])
        if valgrind:
            ours, theirs = programs.instructions(valgrind, 10, 1000)
            counts.append([level, f"{ours:.1f}", f"{theirs:.1f}", ratio(ours, theirs)])
    if counts:
        print("### When nothing is thrown: instructions of ten frames\n")
        bench.table(["level", "circ", "clang++", "ratio"], counts)
    if sizes:
        print("### The object of that program, bytes of text + tables\n")
        bench.table(["level", "circ", "clang++", "ratio"], sizes)


def main():
    options = bench.arguments(__doc__, quick="fewer throws").parse_args()
    circ, clang, size = options.circ, bench.find("clang++"), bench.find("llvm-size")
    bench.describe(circ, clang)
    if not clang:
        print("clang++ is not installed: throws are left out.\n")
        return
    valgrind = bench.find("valgrind")
    if not valgrind:
        print("valgrind is not installed: instructions are not counted.\n")
    with tempfile.TemporaryDirectory() as folder:
        latency(circ, clang, folder, 2 if options.quick else 7, 4000 if options.quick else 200000)
        normal_path(circ, clang, size, valgrind, folder)


if __name__ == "__main__":
    main()
