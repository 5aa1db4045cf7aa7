#!/usr/bin/env python3
"""run.py --circ CIRC --emitted EMITTED [FILE.cir...]: the library and the JIT make the same bytes of a module as the command does.

EMITTED is emitted.c, built. The files are those of tests/e2e that all targets have. Each list of options is one process of the library for all
of the files, on two threads at once, and one of the command; what one refuses the other refuses, too. The JIT's objects are the
command's, but for modules of which the JIT changes what the dynamic loader would do (src/jit/prepare.h): those name circ.jit or __dso_handle;
and for those with weak symbols, which in a process may be another module's and far away (in_process, src/lower/lower.h).
A module that is large enough to be compiled in parts is among them (LARGE_ROWS): 1,300 functions of bench/flat_module.py.
"""
import argparse
import glob
import os
import subprocess
import sys
import tempfile

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ELF, MSVC, MINGW = "x86_64-unknown-linux-gnu", "x86_64-pc-windows-msvc", "x86_64-w64-windows-gnu"
ROWS = [("library", ELF, "2"), ("library", ELF, "0g"), ("library", MSVC, "0"), ("library", MSVC, "sg"), ("library", MINGW, "1"),
        ("jit", "host", "0"), ("jit", "host", "2g")]
LARGE_ROWS = [("library", ELF, "0"), ("library", ELF, "1"), ("library", MINGW, "0"), ("jit", "host", "0")]
LARGE = 1300  # functions, of 62 ops
PREPARED = (b"circ.jit.", b"__dso_handle")
LEAST = 50  # objects of a row: fewer, and the row shows nothing


def default_files():
	return sorted(path for folder in ("contract", "language", "programs")
	              for path in glob.glob(os.path.join(TREE, "tests", "e2e", folder, "*.cir")))


def objects(folder):
	return {name: open(os.path.join(folder, name), "rb").read() for name in sorted(os.listdir(folder))}


def by_command(args, triple, level, files, folder):
	options = ([] if triple == "host" else [f"--target={triple}"]) + [f"-O{level[0]}"] + (["-g"] if level.endswith("g") else [])
	subprocess.run([os.path.abspath(args.circ), "-c", *options, *files], cwd=folder, stdout=subprocess.DEVNULL,
	               stderr=subprocess.DEVNULL, timeout=600, check=False)  # what it refuses makes no object
	return {os.path.splitext(name)[0] + ".o": data for name, data in objects(folder).items()}


def by_library(args, how, triple, level, files, folder):
	done = subprocess.run([os.path.abspath(args.emitted), how, triple, level, folder, *files], stderr=subprocess.PIPE, timeout=600,
	                      check=False)
	if done.returncode:
		sys.exit(f"{how} {triple} -O{level}: exit status {done.returncode}\n{done.stderr.decode(errors='replace')}")
	return objects(folder)


def made_for_jit(folder, names):
	out = []
	for name, data in objects(folder).items():
		if name not in names:
			continue
		symbols = subprocess.run(["readelf", "-sW", os.path.join(folder, name)], stdout=subprocess.PIPE, timeout=600, check=True).stdout
		if b" WEAK " in symbols or any(name_of_jit in data for name_of_jit in PREPARED):
			out.append(name)
	return out


def run(args, how, triple, level, files):
	with tempfile.TemporaryDirectory(prefix="circ-same-") as one, tempfile.TemporaryDirectory(prefix="circ-same-") as other:
		want, got = by_command(args, triple, level, files, one), by_library(args, how, triple, level, files, other)
		different = [name for name in sorted(want.keys() | got.keys()) if want.get(name) != got.get(name)]
		prepared = made_for_jit(other, different) if how == "jit" else []
	different = [name for name in different if name not in prepared]
	same = len(want) - len(different) - len(prepared)
	print(f"{how} {triple} -O{level}: {same} the same" + (f", {len(prepared)} made for the JIT" if prepared else "") +
	      (f", DIFFERENT: {' '.join(different)}" if different else ""))
	return not different and same >= min(LEAST, len(files))


def large_file(folder):
	path = os.path.join(folder, "large.cir")
	with open(path, "w", encoding="ascii") as out:
		subprocess.run([sys.executable, os.path.join(TREE, "bench", "flat_module.py"), "--functions", str(LARGE)], stdout=out, check=True)
	return path


def is_in_parts(args, path, folder):
	"""Does the command split it? As a whole, it is another object."""
	made = [os.path.join(folder, name) for name in ("parts.o", "whole.o", "threads.o")]
	for output, option in zip(made, ("-O0", "--part-ops=2000000000", "-j4")):
		subprocess.run([args.circ, "-c", option, path, "-o", output], timeout=600, check=True)
	parts, whole, threads = (open(output, "rb").read() for output in made)
	if parts == whole:
		print(f"{path}: compiled as a whole, which shows nothing of parts")
	if parts != threads:
		print(f"{path}: -j4 makes another object")
	return parts != whole and parts == threads


def run_large(args):
	with tempfile.TemporaryDirectory(prefix="circ-same-") as folder:
		path = large_file(folder)
		return is_in_parts(args, path, folder) and all([run(args, *row, [path]) for row in LARGE_ROWS])


def main():
	parser = argparse.ArgumentParser()
	parser.add_argument("--circ", required=True)
	parser.add_argument("--emitted", required=True)
	parser.add_argument("--every", type=int, default=1, help="take every Nth of tests/e2e")
	parser.add_argument("files", nargs="*", type=os.path.abspath)
	args = parser.parse_args()
	files = args.files or default_files()[::args.every]
	large = args.files or run_large(args)
	return 0 if all([run(args, *row, files) for row in ROWS]) and large else 1


if __name__ == "__main__":
	sys.exit(main())
