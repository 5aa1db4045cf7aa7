#!/usr/bin/env python3
"""Measures checks: instructions, time and code of two loops without checks, with explicit ones, and with null checks folded into accesses
(--faults=implicit). Prints a table in Markdown.

    bench/faults.py --circ build/bin/circ
    bench/faults.py --circ build/bin/circ --quick     # fewer rounds

The array's loop looks for a number through the pointer in each element, and checks the pointer and the index; the list's goes to a node. LLVM
unrolls neither, so that the loops are the same but for the checks. The programs take turns; each ratio is to the one without checks of its turn, and the table has the medians. Instructions are those
of one run, counted by valgrind (none where there is none). Code is the .text of the loop's function. The last row of each loop is the same in C, with an
`if` for each check, by clang: with to without.
"""
import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

LENGTH = 4096

HEAD = """\
!s32i = !cir.int<s, 32>
!s64i = !cir.int<s, 64>
!rec_Node = !cir.struct<"Node" {data !s64i, data !cir.ptr<!s64i>}>
module attributes {circ.eh.runtime = "circ"} {
"""

ARRAY = """\
cir.func @loop(%%all: !cir.ptr<!cir.ptr<!s64i>>, %%n: !s64i) -> !s64i {
  %%0 = cir.const #cir.int<0> : !s64i
  %%null = cir.const #cir.ptr<null> : !cir.ptr<!s64i>
  %%i = cir.alloca "i" : !cir.ptr<!s64i>
  %%sum = cir.alloca "sum" : !cir.ptr<!s64i>
  cir.store %%0, %%i : !s64i, !cir.ptr<!s64i>
  cir.store %%0, %%sum : !s64i, !cir.ptr<!s64i>
  cir.while {
    %%at = cir.load %%i : !cir.ptr<!s64i>, !s64i
    %%more = cir.cmp lt %%at, %%n : !s64i
    cir.condition(%%more)
  } do {
    %%at = cir.load %%i : !cir.ptr<!s64i>, !s64i
    %%inside = cir.cmp lt %%at, %%n : !s64i
    %(bounds)s
    %%element = cir.ptr_stride %%all, %%at : (!cir.ptr<!cir.ptr<!s64i>>, !s64i) -> !cir.ptr<!cir.ptr<!s64i>>
    %%p = cir.load %%element : !cir.ptr<!cir.ptr<!s64i>>, !cir.ptr<!s64i>
    %%ok = cir.cmp ne %%p, %%null : !cir.ptr<!s64i>
    %(null)s
    %%v = cir.load %%p : !cir.ptr<!s64i>, !s64i
    %%found = cir.cmp eq %%v, %%n : !s64i
    cir.if %%found {
      cir.return %%at : !s64i
    }
    %%old = cir.load %%sum : !cir.ptr<!s64i>, !s64i
    %%new = cir.add %%old, %%v : !s64i
    cir.store %%new, %%sum : !s64i, !cir.ptr<!s64i>
    %%next = cir.inc nsw %%at : !s64i
    cir.store %%next, %%i : !s64i, !cir.ptr<!s64i>
    cir.yield
  }
  %%r = cir.load %%sum : !cir.ptr<!s64i>, !s64i
  cir.return %%r : !s64i
}
}
"""

LIST = """\
cir.func @loop(%%first: !cir.ptr<!cir.ptr<!s64i>>, %%n: !s64i) -> !s64i {
  %%0 = cir.const #cir.int<0> : !s64i
  %%null = cir.const #cir.ptr<null> : !cir.ptr<!cir.ptr<!s64i>>
  %%at = cir.alloca "at" : !cir.ptr<!cir.ptr<!cir.ptr<!s64i>>>
  %%stop = cir.cast int_to_ptr %%n : !s64i -> !cir.ptr<!cir.ptr<!s64i>>
  cir.store %%first, %%at : !cir.ptr<!cir.ptr<!s64i>>, !cir.ptr<!cir.ptr<!cir.ptr<!s64i>>>
  cir.while {
    %%here = cir.load %%at : !cir.ptr<!cir.ptr<!cir.ptr<!s64i>>>, !cir.ptr<!cir.ptr<!s64i>>
    %%more = cir.cmp ne %%here, %%stop : !cir.ptr<!cir.ptr<!s64i>>
    cir.condition(%%more)
  } do {
    %%p = cir.load %%at : !cir.ptr<!cir.ptr<!cir.ptr<!s64i>>>, !cir.ptr<!cir.ptr<!s64i>>
    %%ok = cir.cmp ne %%p, %%null : !cir.ptr<!cir.ptr<!s64i>>
    %(null)s
    %%v = cir.load %%p : !cir.ptr<!cir.ptr<!s64i>>, !cir.ptr<!s64i>
    %%next = cir.cast bitcast %%v : !cir.ptr<!s64i> -> !cir.ptr<!cir.ptr<!s64i>>
    cir.store %%next, %%at : !cir.ptr<!cir.ptr<!s64i>>, !cir.ptr<!cir.ptr<!cir.ptr<!s64i>>>
    cir.yield
  }
  %%last = cir.load %%at : !cir.ptr<!cir.ptr<!cir.ptr<!s64i>>>, !cir.ptr<!cir.ptr<!s64i>>
  %%r = cir.cast ptr_to_int %%last : !cir.ptr<!cir.ptr<!s64i>> -> !s64i
  cir.return %%r : !s64i
}
}
"""

MAIN = """\
#include <stdlib.h>
long loop(void **, long);
void failed(int kind) { exit(kind); }
int main(int argc, char **argv)
{
	enum { N = %d };
	static void *all[N];
	static long values[N];
	long rounds = atol(argv[1]), sum = 0;
	(void)argc;
	for (long i = 0; i < N; i++)
		all[i] = LIST ? (void *)&all[(i + 1) %% N] : (void *)&values[i];
	for (long i = 0; i < rounds; i++)
		sum += loop(all, LIST ? (long)&all[N - 1] : N);
	return sum == 1;
}
""" % LENGTH

# The same loops in C, whose checks are written by hand: what clang makes of them is what an explicit check can cost at least.
BY_HAND = """\
void failed(int kind) __attribute__((cold, noreturn)); /* of another file: an own one would be inlined */
#if LIST
long loop(void **at, long n)
{
	while (at != (void **)n) {
		if (CHECK && !at)
			failed(0);
		at = *at;
	}
	return (long)at;
}
#else
long loop(long **all, long n)
{
	long sum = 0;
	for (long i = 0; i < n; i++) {
		if (CHECK && !(i < n))
			failed(3);
		long *p = all[i];
		if (CHECK && !p)
			failed(0);
		if (*p == n)
			return i;
		sum += *p;
	}
	return sum;
}
#endif
"""
CLANG = next((name for name in ("clang-22", "clang") if shutil.which(name)), None)

VARIANTS = {"none": ("", []), "explicit": ("circ.check", []), "folded": ("circ.check", ["--faults=implicit"])}


def build(circ, folder, kind, text, variant):
	check, options = VARIANTS[variant]
	holes = {"bounds": f"{check} bounds %inside" if check else "", "null": f"{check} null %ok" if check else ""}
	base = os.path.join(folder, f"{kind}-{variant}")
	with open(base + ".cir", "w", encoding="utf-8") as file:
		file.write(HEAD + text % holes)
	subprocess.run([circ, "-O2", "-c", *options, base + ".cir", "-o", base + ".o"], check=True)
	library = os.path.join(os.path.dirname(circ), "../lib/circ/x86_64-linux-gnu/libcircrt.a")
	subprocess.run(["cc", "-O1", f"-DLIST={int(kind == 'list')}", os.path.join(folder, "main.c"), base + ".o", library, "-o", base], check=True)
	return base


def build_by_hand(folder, kind, check):
	base = os.path.join(folder, f"{kind}-hand{check}")
	with open(base + ".c", "w", encoding="utf-8") as file:
		file.write(BY_HAND)
	constants = [f"-DLIST={int(kind == 'list')}", f"-DCHECK={check}"]
	subprocess.run([CLANG, "-O2", "-fno-finite-loops", "-c", *constants, base + ".c", "-o", base + ".o"], check=True)
	subprocess.run(["cc", "-O1", *constants, os.path.join(folder, "main.c"), base + ".o", "-o", base], check=True)
	return base


def instructions(program):
	"""Of a hundred loops: those of two hundred less those of a hundred."""
	if not shutil.which("valgrind"):
		return None
	counts = []
	for rounds in ("100", "200"):
		out = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, rounds], capture_output=True, text=True, check=True).stderr
		counts.append(int(re.search(r"refs:\s+([\d,]+)", out).group(1).replace(",", "")))
	return counts[1] - counts[0]


def code(program):
	"""Of the loop's function alone."""
	out = subprocess.run(["nm", "-S", program + ".o"], capture_output=True, text=True, check=True).stdout
	return next(int(line.split()[1], 16) for line in out.splitlines() if line.endswith(" T loop"))


def seconds(program, rounds):
	begin = time.perf_counter()
	subprocess.run([program, str(rounds)], check=True)
	return time.perf_counter() - begin


def main():
	parser = argparse.ArgumentParser()
	parser.add_argument("--circ", required=True)
	parser.add_argument("--quick", action="store_true")
	options = parser.parse_args()
	circ, rounds, turns = os.path.abspath(options.circ), 2000 if options.quick else 20000, 5 if options.quick else 15
	print("| Loop | Checks | Instructions | Time | Code |\n|---|---|---|---|---|")
	with tempfile.TemporaryDirectory() as folder:
		with open(os.path.join(folder, "main.c"), "w", encoding="utf-8") as file:
			file.write(MAIN)
		for kind, text in (("array", ARRAY), ("list", LIST)):
			programs = {v: build(circ, folder, kind, text, v) for v in VARIANTS}
			counts, sizes = ({v: f(p) for v, p in programs.items()} for f in (instructions, code))
			ratios = {v: [] for v in VARIANTS}
			for _ in range(turns):
				took = {v: seconds(p, rounds) for v, p in programs.items()}
				for v in VARIANTS:
					ratios[v].append(took[v] / took["none"])
			for v in VARIANTS:
				more = f"{counts[v] / counts['none']:.3f}" if counts["none"] else "-"
				print(f"| {kind} | {v} | {more} | {statistics.median(ratios[v]):.3f} | {sizes[v]} ({sizes[v] / sizes['none']:.2f}) |")
			if CLANG and counts["none"]:
				none, hand = (build_by_hand(folder, kind, check) for check in (0, 1))
				more, none, hand = instructions(hand) / instructions(none), code(none), code(hand)
				print(f"| {kind} | by hand, clang | {more:.3f} | - | {hand} ({hand / none:.2f}) |")


if __name__ == "__main__":
	sys.exit(main())
