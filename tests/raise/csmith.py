#!/usr/bin/env python3
"""csmith.py --circ CIRC [--seeds FROM:TO] [--all-levels] [--jobs N] [--seconds N]: random programs in C and C++ by csmith, through clang's LLVM IR.

A program is compiled by clang to bitcode, at -O0, -O1, -O2, -O3 or -Os by its seed, and by circ to an object, at a level of its own. It must
say what clang's build of the source says (a checksum of all its variables), and end with the same status. Every other seed is C++. A program that
clang refuses, or that csmith does not make in --seconds, or that does not end in a quarter of it when clang compiled it, is left out; so is one
that differs and of which clang's own builds say different things, at another level or with another environment: it is not defined.

Prints what is different with its seed and levels, and how many of how many are the same. Status 1: one is not; 77: csmith is not installed.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

LEVELS = ["-O0", "-O1", "-O2", "-O3", "-Os"]
CIRC_LEVELS = ["-O0", "-O1", "-O2", "-O3"]
SHAPES = [[], ["--builtins"], ["--inline-function", "--no-volatiles"], ["--no-arrays"], ["--max-funcs", "5", "--max-block-size", "6"]]
FLAGS = ["-w", "-Wno-c++11-narrowing", "-fno-strict-aliasing", "-I/usr/include/csmith"]

LEFT_OUT = "left out"


def run(*command, seconds=120, cwd=None):
	return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=seconds, cwd=cwd, check=False)


def behaves(program, seconds, env=None):
	done = subprocess.run([program], capture_output=True, text=True, timeout=seconds, check=False, env=env)
	return done.returncode, done.stdout


def by_clang(clang, level, source, stem, seconds):
	"""Bitcode, and how the source's own program behaves; None: not in time, or it is refused."""
	try:
		theirs = run(clang, *FLAGS, level, source, "-o", stem + ".clang")
		if theirs.returncode or run(clang, *FLAGS, level, "-c", "-emit-llvm", source, "-o", stem + ".bc").returncode:
			return None
		return behaves(stem + ".clang", seconds / 4)
	except subprocess.TimeoutExpired:
		return None


def is_defined(clang, source, stem, expected, seconds):
	"""Do clang's builds at all levels, and with the stack elsewhere, behave as expected?"""
	for level in LEVELS:
		try:
			if by_clang(clang, level, source, stem + level, seconds) != expected:
				return False
			if behaves(stem + level + ".clang", seconds, env={"CIRC_CSMITH": "x" * 40000}) != expected:
				return False
		except subprocess.TimeoutExpired:
			return False
	return True


def compare(args, stem, source, clang, level, circ_level):
	"""None: the same; else what is different."""
	expected = by_clang(clang, level, source, stem, args.seconds)
	if expected is None:
		return LEFT_OUT
	try:
		made = run(args.circ, circ_level, "--verify-each", "-c", stem + ".bc", "-o", stem + ".o", seconds=600)
		if made.returncode:
			return made.stderr.strip()[:400]
		linked = run(clang, stem + ".o", "-o", stem + ".circ")
		if linked.returncode:
			return linked.stderr.strip()[:400]
		found = behaves(stem + ".circ", 60)
	except subprocess.TimeoutExpired:
		return "does not end"
	if found == expected:
		return None
	return f"says {found}, not {expected}" if is_defined(clang, source, stem, expected, args.seconds) else LEFT_OUT


def one(args, seed):
	"""[(levels, what is different)…]"""
	cpp = seed % 2
	clang = args.clang if cpp else args.clang.replace("clang++", "clang")
	with tempfile.TemporaryDirectory(prefix="circ-csmith-") as folder:
		source = os.path.join(folder, "program.cpp" if cpp else "program.c")
		shape = [*SHAPES[seed // 2 % len(SHAPES)], *(["--lang-cpp", "--cpp11"] if cpp else [])]
		try:
			run("csmith", "--seed", str(seed + 1), "--output", source, *shape, seconds=args.seconds, cwd=folder)  # it writes a file beside it
		except subprocess.TimeoutExpired:
			return [("", LEFT_OUT)]
		levels = LEVELS if args.all_levels else [LEVELS[seed % len(LEVELS)]]
		out = []
		for level in levels:
			circ_level = CIRC_LEVELS[(seed // len(LEVELS) + LEVELS.index(level)) % len(CIRC_LEVELS)]
			out.append((f"{level}, circ {circ_level}", compare(args, os.path.join(folder, "p" + level), source, clang, level, circ_level)))
		return out


def main():
	parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
	parser.add_argument("--circ", required=True)
	parser.add_argument("--clang", default="clang++-22")
	parser.add_argument("--seeds", default="0:10")
	parser.add_argument("--all-levels", action="store_true")
	parser.add_argument("--jobs", type=int, default=2)
	parser.add_argument("--seconds", type=float, default=20)
	args = parser.parse_args()
	if not shutil.which("csmith") or not os.path.exists("/usr/include/csmith/csmith.h"):
		print("csmith is not installed: apt install csmith libcsmith-dev")
		sys.exit(77)
	begin, end = map(int, args.seeds.split(":"))
	total = bad = left_out = 0
	with ThreadPoolExecutor(args.jobs) as pool:
		for seed, results in zip(range(begin, end), pool.map(lambda s: one(args, s), range(begin, end))):
			for levels, why in results:
				total += 1
				left_out += why == LEFT_OUT
				if why and why != LEFT_OUT:
					bad += 1
					print(f"seed {seed}, clang {levels}: {why}", flush=True)
			if (seed + 1 - begin) % 100 == 0:
				print(f"{seed + 1 - begin} seeds: {bad} differ, {left_out} left out", flush=True)
	print(f"csmith: {total - bad - left_out} of {total} are the same, {left_out} left out")
	sys.exit(bad > 0 or left_out * 2 > total)


if __name__ == "__main__":
	main()
