#!/usr/bin/env python3
"""Structured exceptions: each program is there twice, in C (programs/NAME.c) and in CIR (programs/NAME.cir), and does the same.

    run.py --circ build/bin/circ --target msvc --wine PREFIX [PROGRAM...]     clang's own build of the C under Wine judges circ's of the CIR
    run.py --circ build/bin/circ --target elf [PROGRAM...]                    the CIR alone, with libcircrt; gnu: under Wine
    run.py … --write                                                          puts clang's traces into the programs

Both at -O0 to -O3, and circ's also in parts; on ELF the one at -O1 runs under valgrind, too, where
there is one, but for async_*: valgrind does not say where a division faulted. The C of async_* is compiled with -fasync-exceptions. A program is a function of its file's name, which says what happens and calls support/. The leading comment of NAME.c may
hold, and NAME.cir the same:

    // trace: 1 2 | 3       what it says, in the order of time; a new line begins after each |
    // only: msvc           its target; say why in the prose
    // clang: O2 O3         levels at which clang's build is wrong; say why in the prose

Both builds are linked with Windows' __C_specific_handler (tests/e2e/support/seh_handler.cpp), since Wine 8's is wrong
(docs/internals/windows.md, Limits of Wine). Exit status: 0 passed, 1 failed, 77 not possible here.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.append(str(ROOT / "tests" / "wine"))
import wine  # noqa: E402

SKIPPED = 77
TIMEOUT = 300
VALGRIND = ["valgrind", "-q", "--leak-check=full", "--show-leak-kinds=all", "--errors-for-leak-kinds=all", "--error-exitcode=99"]
LEVELS = ["O0", "O1", "O2", "O3"]
PARTS = "parts"  # of circ's build: each function an object of its own, joined
MSVC = "--target=x86_64-pc-windows-msvc"
# How circ is told of the target, how support/ is compiled, how a program ends in the name of its file.
TARGETS = {
	"msvc": ([MSVC], [MSVC, "-fms-extensions"], ".exe"),
	"gnu": (["--target=x86_64-w64-windows-gnu"], ["--target=x86_64-w64-windows-gnu"], ".exe"),
	"elf": ([], [], ""),
}


class Failure(Exception):
	pass


class Program:
	"""One of programs/, with what the leading comment of NAME.c says."""

	def __init__(self, path):
		self.path, self.name = path, path.stem
		leading = re.match(r"(?://.*\n)*", path.read_text(encoding="ascii")).group(0)
		self.comment = leading
		self.only = self.words(leading, "only") or list(TARGETS)
		self.is_async = "async" in self.name.split("_")
		self.wrong = self.words(leading, "clang")
		self.trace = " ".join(self.words(leading, "trace"))

	@staticmethod
	def words(leading, key):
		found = re.search(rf"^// {key}: (.*(?:\n//      \|.*)*)", leading, re.M)
		return re.sub(r"\n// +\|", " ", found.group(1)).split() if found else []

	def write(self, trace):
		"""Puts the trace in, and the whole comment into NAME.cir."""
		prose = re.sub(r"^// trace: .*\n(?://      \|.*\n)*", "", self.comment, flags=re.M)
		comment = prose + wrapped(trace)
		for path in (self.path, self.path.with_suffix(".cir")):
			text = path.read_text(encoding="ascii")
			path.write_text(comment + re.sub(r"\A(?://.*\n)*", "", text), encoding="ascii")


def wrapped(trace, width=130):
	lines, line = [], "// trace:"
	for word in trace.split():
		if len(line) + len(word) >= width:
			lines.append(line)
			line = "//      |"
		line += " " + word
	return "\n".join(lines + [line]) + "\n"


class Builder:
	def __init__(self, options, folder, programs):
		self.options, self.folder, self.programs = options, pathlib.Path(folder), programs
		self.circ_flags, self.clang_flags, self.suffix = TARGETS[options.target]
		self.wine = wine.Wine(options.wine) if options.wine else None
		self.failed = 0  # programs that did not end as they should

	@staticmethod
	def call(folder, *command):
		done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=TIMEOUT, check=False)
		if done.returncode:
			raise Failure(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")

	def compile(self, level, paths, *more):
		"""By clang; the objects."""
		folder = self.folder / f"clang.{level}.{paths[0].stem}"
		folder.mkdir(exist_ok=True)
		self.call(folder, self.options.clang, *self.clang_flags, f"-{level}", "-Wall", *more, "-I", HERE / "support", "-I", ROOT / "include",
		          "-c", *paths)
		return sorted(folder.iterdir())

	def support(self):
		"""The part of the programs that clang compiles in every case."""
		rows = "".join(f" X({program.name})" for program in self.programs)
		paths = [path for path in sorted((HERE / "support").glob("*.c")) if path.stem != "guarded"]
		if self.options.target == "msvc":
			paths.append(ROOT / "tests" / "e2e" / "support" / "seh_handler.cpp")
		return self.compile("O1", paths, f"-DPROGRAMS(X)={rows}")

	def link(self, name, *objects):
		target = self.folder / (name + self.suffix)
		self.call(self.folder, self.options.circ, *self.circ_flags, *objects, "-o", target)
		return target

	def by_clang(self, level, support):
		paths = [HERE / "support" / "guarded.c", *(program.path for program in self.programs if not program.is_async)]
		objects = self.compile(level, paths)
		paths = [program.path for program in self.programs if program.is_async]
		if paths:
			objects += self.compile(level, paths, "-fasync-exceptions")
		return self.link(f"clang.{level}", *objects, *support)

	def by_circ(self, level, support):
		paths = [HERE / "support" / "guarded.cir", *(program.path.with_suffix(".cir") for program in self.programs)]
		options = ["-O0", "--part-ops=1"] if level == PARTS else [f"-{level}"]
		return self.link(f"circ.{level}", *options, "-j2", *paths, *support)

	def run(self, program):
		"""Name → trace; what one program that ended all of them said has no end."""
		if self.wine:
			done = self.wine.run([program], timeout=TIMEOUT)
		else:
			if program.name.endswith("O1") and shutil.which(VALGRIND[0]):
				done = subprocess.run([*VALGRIND, program, "async_"], capture_output=True, text=True, timeout=TIMEOUT, check=False)
				self.failed += done.returncode != 0
				print(done.stderr, end="")
			done = subprocess.run([program], capture_output=True, text=True, timeout=TIMEOUT, check=False)
		traces = dict(line.split(":", 1) for line in done.stdout.splitlines() if ":" in line)
		if len(traces) < len(self.programs) or done.returncode:
			print(f"{program.name} ended with {done.returncode}: {done.stderr}")
			self.failed += 1
		return {name: " ".join(trace.split()) for name, trace in traces.items()}


def differences(programs, what, traces, is_judge):
	different = 0
	for program in programs:
		got = traces.get(program.name, "nothing")
		wrong_here = is_judge and what.split(".")[1] in program.wrong
		if wrong_here == (got == program.trace):
			different += 1
			print(f"{program.name} by {what}" + (", where clang's build is said to be wrong" if wrong_here else "") +
			      f"\n  expected {program.trace}\n  found    {got}")
	return different


def check(options, folder):
	wanted = [Program(path) for path in sorted((HERE / "programs").glob("*.c")) if not options.programs or path.stem in options.programs]
	programs = [program for program in wanted if options.target in program.only]
	builder = Builder(options, folder, programs)
	support = builder.support()
	if options.write:
		traces = builder.run(builder.by_clang("O0", support))
		for program in programs:
			program.write(traces[program.name])
		return 0
	different = 0
	for level in options.levels.split():
		if options.target == "msvc":
			different += differences(programs, f"clang.{level}", builder.run(builder.by_clang(level, support)), True)
	for level in [*options.levels.split(), PARTS]:
		different += differences(programs, f"circ.{level}", builder.run(builder.by_circ(level, support)), False)
	print(f"{len(programs)} programs, {different} differences")
	return 1 if different or builder.failed or not programs else 0


def main():
	args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
	args.add_argument("--circ", required=True, type=pathlib.Path)
	args.add_argument("--clang", default="clang-22")
	args.add_argument("--target", required=True, choices=TARGETS)
	args.add_argument("--wine", help="folder of the Wine prefix")
	args.add_argument("--levels", default=" ".join(LEVELS))
	args.add_argument("--write", action="store_true")
	args.add_argument("--keep", help="folder that keeps what is built")
	args.add_argument("programs", nargs="*")
	options = args.parse_args()
	options.circ = options.circ.resolve()
	try:
		with tempfile.TemporaryDirectory() as folder:
			if options.keep:
				folder = options.keep
				os.makedirs(folder, exist_ok=True)
			return check(options, os.path.abspath(folder))
	except Failure as failure:
		print(failure)
		return 1
	except wine.Missing as reason:
		print(f"SKIPPED: {reason}")
		return SKIPPED


if __name__ == "__main__":
	sys.exit(main())
