#!/usr/bin/env python3
"""run.py --circ CIRC [--clang CLANG] [--wine PREFIX] [--mingw GCC] [NAME...]: programs of other languages, lifted by a table (docs/llvm-ir.md).

tests/lift/NAME is a program in a language that is not C++: its source, the LLVM IR that its compiler made of it (program.ll), the table of its
exceptions, what it needs of its runtime in C, and the trace. The IR becomes a program for ELF (--lift), and for windows-msvc and
windows-gnu under Wine, at -O0 and -O2. Prints what is different. Status 1: something is; 77: nothing could run.

--compilers: the sources anew, by the compilers that are installed: circ reads and lifts the bitcode. Of tests/lift/own what needs the language's
own library: circ's object, not lifted, is linked with it and runs as the compiler's program does. 77: no compiler is installed.
"""
import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.dirname(os.path.dirname(HERE))
LINUX, MSVC, GNU = "x86_64-pc-linux-gnu", "x86_64-pc-windows-msvc", "x86_64-w64-windows-gnu"
SKIPPED = 77


class Failed(Exception):
	pass


def run(*command, **more):
	done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300, check=False, **more)
	if done.returncode:
		raise Failed(f"{' '.join(command)}: status {done.returncode}\n{done.stderr[-800:]}")
	return done.stdout


def build(args, name, target, level, folder):
	"""The program; what compiles the C is clang, whose objects Windows' linkers take, too."""
	source, out = os.path.join(HERE, name), os.path.join(folder, f"{name}.{target}.{level}")
	c = [args.clang, f"--target={target}", "-O1", "-ffreestanding", "-fasynchronous-unwind-tables", "-I" + os.path.join(TREE, "include"), "-c"]
	run(*c, os.path.join(source, "runtime.c"), "-o", out + ".obj")
	objects = [out + ".obj"]
	if target == MSVC:  # Wine's runs cleanups twice
		run(args.clang, f"--target={target}", "-O1", "-c", os.path.join(TREE, "tests", "e2e", "support", "seh_handler.cpp"), "-o", out + ".seh.obj")
		objects.append(out + ".seh.obj")
	table = "--eh-runtime=" + os.path.join(source, "table.eh")
	run(args.circ, f"--target={target}", f"-O{level}", "--lift", "--verify-each", table, os.path.join(source, "program.ll"), *objects, "-o", out + ".exe")
	return out + ".exe"


def check(args, name, target, level, folder):
	runner = [] if target == LINUX else [sys.executable, os.path.join(TREE, "tests", "wine", "wine.py"), "run", args.wine]
	with open(os.path.join(HERE, name, "trace.txt"), encoding="utf-8") as f:
		wanted = f.read().split("\n")
	got = run(*runner, build(args, name, target, level, folder)).replace("\r", "").split("\n")
	for a, b in zip(wanted + ["(nothing)"], got + ["(nothing)"]):
		if a != b:
			raise Failed(f"expected '{a}', found '{b}'")


def programs(args):
	names = args.names or sorted(os.path.basename(os.path.dirname(path)) for path in glob.glob(os.path.join(HERE, "*", "table.eh")))
	targets = [LINUX] + ([MSVC] if args.wine else []) + ([GNU] if args.wine and args.mingw else [])
	return [(f"{name} {target} -O{level}", lambda folder, n=name, t=target, o=level: check(args, n, t, o, folder))
	        for name in names for target in targets for level in "02"]


# --compilers

def lifts(args, table, bitcode):
	run(args.circ, "--emit=flat", "--verify-each", "--eh-runtime=" + os.path.join(HERE, table), bitcode, "-o", bitcode + ".cir")


def d(args, folder, source, level):
	runs = source.startswith("own")
	mine, theirs = os.path.join(folder, "mine"), os.path.join(folder, "theirs")
	path = os.path.join(HERE, source)
	flags = [] if runs else ["-conf=", "-I" + os.path.dirname(path)]
	run("ldc2", f"-O{level}", *flags, "--output-bc", "-c", path, f"-of={mine}.bc")
	if runs:
		run(args.circ, f"-O{level}", "-c", mine + ".bc", "-o", mine + ".o")
		run("ldc2", mine + ".o", f"-of={mine}")
		run("ldc2", f"-O{level}", path, f"-of={theirs}")
		same(mine, theirs)
	lifts(args, "d/table.eh", mine + ".bc")


def same(mine, theirs):
	if run(mine) != run(theirs):
		raise Failed("another trace")


def version(pattern, *command):
	return tuple(map(int, re.search(pattern, subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)[1].split(".")))


def rustcs(args):
	"""Debian's, and what stands before it on PATH, if circ's LLVM reads its bitcode: that of its own version, and of older ones."""
	paths = [p for p in dict.fromkeys(("/usr/bin/rustc", shutil.which("rustc"))) if p and os.path.exists(p)]
	return [p for p in paths if version(r"LLVM version: (\d+)", p, "-vV") <= version(r"LLVM (\d+)", args.circ, "--version")]


def rust(args, folder, source, level, rustc):
	path = os.path.join(HERE, source)
	flags = [f"-Copt-level={level}", "-Ccodegen-units=1", "-Cpanic=unwind"]
	if not source.startswith("own"):
		out = os.path.join(folder, "rust.bc")
		run(rustc, *flags, "--crate-type=lib", f"--emit=llvm-bc={out}", path, env={**os.environ, "RUSTC_BOOTSTRAP": "1"})
		lifts(args, "rust/table.eh", out)
		return
	link = run(rustc, *flags, "-Csave-temps", "--out-dir", folder, "--print", "link-args", path)
	program = os.path.join(folder, os.path.basename(path)[:-3])
	os.rename(program, program + ".theirs")
	bitcode = glob.glob(program + ".*-cgu.0.rcgu.bc")[0]
	run(args.circ, f"-O{level}", "-fPIC", "-c", bitcode, "-o", bitcode[:-2] + "o")
	run("sh", "-c", link)
	same(program, program + ".theirs")
	lifts(args, "rust/table.eh", bitcode)


def crystal(args, folder, source, level):
	out = os.path.join(folder, "crystal")
	run("crystal", "build", "--emit", "llvm-bc", os.path.join(HERE, source), "-o", out, cwd=folder, env={**os.environ, "CRYSTAL_CACHE_DIR": folder})
	bitcode = glob.glob(os.path.join(folder, "*.bc"))[0]
	run(args.circ, f"-O{level}", "-c", bitcode, "-o", out + ".o")
	run("cc", out + ".o", "-o", out + ".mine", "-rdynamic", "-L/usr/lib/crystal", *"-lm -lgc -lpthread -levent -lrt -ldl".split())
	same(out + ".mine", out)
	lifts(args, "own/crystal.eh", bitcode)


COMPILERS = [("ldc2", d, "d/program.d"), ("ldc2", d, "own/program.d"), ("crystal", crystal, "own/program.cr")]


def compilers(args):
	rows = [(tool, function, source, ()) for tool, function, source in COMPILERS if shutil.which(tool)]
	for rustc in rustcs(args):
		# core::intrinsics::try, which the other program has of its own, is named otherwise since.
		sources = ["rust/program.rs"] * (version(r"release: (\d+\.\d+)", rustc, "-vV") < (1, 78)) + ["own/program.rs"]
		rows += [(rustc, rust, source, (rustc,)) for source in sources]
	return [(f"{tool} {source} -O{level}", lambda folder, f=function, s=source, o=level, m=more: f(args, folder, s, o, *m))
	        for tool, function, source, more in rows for level in "02"]


def main():
	parser = argparse.ArgumentParser()
	parser.add_argument("--circ", required=True)
	parser.add_argument("--clang", default="clang-22")
	parser.add_argument("--wine")
	parser.add_argument("--mingw")
	parser.add_argument("--compilers", action="store_true")
	parser.add_argument("names", nargs="*")
	args = parser.parse_args()
	bad, checks = 0, compilers(args) if args.compilers else programs(args)
	for what, check_one in checks:
		with tempfile.TemporaryDirectory(prefix="circ-lift-") as folder:
			try:
				check_one(folder)
			except (Failed, subprocess.TimeoutExpired) as e:
				bad += 1
				print(f"{what}: {e}")
	print(f"{len(checks) - bad} of {len(checks)}")
	sys.exit(1 if bad else 0 if checks else SKIPPED)


if __name__ == "__main__":
	main()
