#!/usr/bin/env python3
"""Programs that throw through libcircrt, without circ: what circ would make of their functions is tries.ll or tries-msvc.ll, compiled by
llc; the rest is C++, which the exceptions pass through.

    run.py --pair PAIR --libraries BUILD/lib/circ --llvm FOLDER [--wine PREFIX]

PAIR is libc++ (LLVM's libunwind), libstdc++ (libgcc's), mingw or msvc. Each program is compiled at -O0 and -O2; PROGRAM.out is what it must
print everywhere, but for lines that begin with "PAIR:" and are for that one only. On ELF the -O0 one runs once more under valgrind; threads.cpp runs there, too,
with valgrind and the thread sanitizer.
Exit status: 0 passed, 1 failed, 77 a tool is missing.
"""
import argparse
import difflib
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SKIPPED = 77
TIMEOUT = 120
MINGW = "x86_64-w64-mingw32-g++-posix"

PAIRS = {
	"libc++": ("x86_64-linux-gnu", "__circ_personality_v0", ["-stdlib=libc++"], ["-lunwind"]),
	"libstdc++": ("x86_64-linux-gnu", "__circ_personality_v0", ["-stdlib=libstdc++"], []),
	"mingw": ("x86_64-w64-windows-gnu", "__circ_personality_seh0", [], ["-static"]),
	"msvc": ("x86_64-pc-windows-msvc", "", ["-fms-extensions", "-fexceptions", "-fcxx-exceptions"], []),
}

# What is wrong (do_wrong() of program.cpp), and what is said of it.
WRONG = {
	"end": "circ: a handler ends that never began, or for the second time",
	"end-twice": "circ: a handler ends that never began, or for the second time",
	"answer": "circ: a filter answered neither 1, 0 nor -1",
	"overwritten": "circ: the header of an exception was written over",
	"rethrow": "circ: an exception is thrown on outside of handlers",
	"thrown-twice": "circ: an object is thrown twice, or freed after it was thrown",
	"freed": "circ: an object is thrown twice, or freed after it was thrown",
	"no-type": "circ: what is thrown has no type",
	"no-return": "circ: a filter wants to go on where an exception was thrown that does not return",
	"uncaught": "circ: nobody catches an exception of type my.Error: 1\n    at ",
	"uncaught-plain": "circ: nobody catches an exception of type ",
	"uncaught-hook": "circ: nobody catches an exception of type my.Error\n",
	"filter-throws": "circ: a filter threw an exception of type my.Other\n    at ",
	"filter-throws-cxx": "circ: a filter threw an exception\n    at ",
	"match-throws": "circ: a function of circ_set_match() threw an exception of type my.Other\n    at ",
	"release-throws": "circ: a function that releases an object threw an exception of type my.Other\n    at ",
	"release-throws-cxx": "circ: a function that releases an object threw an exception\n    at ",
	"destroy-throws": "circ: a function that releases an object threw an exception of type my.Other\n    at ",
	"throw-hook-throws": "circ: a function of circ_set_throw_hook() threw an exception of type my.Other\n    at ",
	"replaced-hook-throws": "circ: a function of circ_set_replaced() threw an exception of type my.Other\n    at ",
	"unhandled-hook-throws": "circ: a function of circ_set_unhandled() threw an exception of type my.Other\n    at ",
	"describe-throws": "circ: nobody catches an exception of type my.Errorcirc: a function of circ_set_describe() threw an exception\n    at ",
	"class": "circ: the header of an exception was written over",
	"class-rethrown": "circ: the header of an exception was written over",
	"class-in-flight": "circ: the header of an exception was written over",
	"over-thrown": "circ: an exception is used after it was released",
	"over-caught": "circ: an exception is used after it was released",
	"over-dropped": "circ: an exception is used after it was released",
	"freed-thrown": "circ: an exception is used after it was released",
	"freed-twice": "circ: an exception is used after it was released",
	"not-allocated": "circ: the header of an exception was written over, or its object is not of circ_allocate_exception()",
	"null-thrown": "circ: an object of circ_allocate_exception() is expected, and there is none",
	"null-caught": "circ: an exception is expected, and there is none",
	"null-dropped": "circ: an exception is expected, and there is none",
	"null-record": "circ: an exception is expected, and there is none",
	"no-memory": "circ: no memory for an exception, and none in reserve",
	"too-large": "circ: an exception larger than memory",
	"terminate": "circ: nothing may throw here, but something threw an exception of type my.Error\n",
}

# On Windows, frames are gone to without a look at the stack.
WRONG_ON_ELF = {"frame-over": "circ: circ_frame_branch(): the frame is no longer on the stack"}
# Faults in a filter: on ELF the signal ends the program, on Windows the runtime, or the system where there is no stack left to say something.
FAULTS = {"filter-faults": "circ: a filter or a hook faulted\n", "overflow": ""}


class Failed(Exception):
	"""Said what."""


def call(command, **options):
	result = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=TIMEOUT, check=False, **options)
	if result.returncode != 0:
		raise Failed(f"{' '.join(map(str, command))}\nstatus {result.returncode}\n{result.stdout[-2000:]}{result.stderr[-2000:]}")
	return result.stdout


class Builder:
	def __init__(self, args, folder):
		self.args = args
		self.folder = pathlib.Path(folder)
		self.target, self.personality, self.flags, self.libraries = PAIRS[args.pair]
		self.clang = shutil.which("clang-22") or shutil.which("clang")
		self.clangxx = shutil.which("clang++-22") or shutil.which("clang++")
		if not self.clangxx or not (pathlib.Path(args.llvm) / "llc").exists():
			print("SKIPPED: no clang++ or llc")
			sys.exit(SKIPPED)
		if args.pair == "mingw" and not shutil.which(MINGW):
			print(f"SKIPPED: no {MINGW}")
			sys.exit(SKIPPED)

	def tool(self, name):
		return pathlib.Path(self.args.llvm) / name

	def module(self, name, language, level):
		"""NAME.ll as a module of that language would have it."""
		source = HERE / (f"{name}-msvc.ll" if self.args.pair == "msvc" else f"{name}.ll")
		text = call([self.clang, "-E", "-P", "-x", "assembler-with-cpp", f"-DPERSONALITY={self.personality}", f"-DLANGUAGE={language}", source])
		if language:
			text = text.replace("@try_", f"@try{language}_")
		path = self.folder / f"{name}{language}-made"
		path.with_suffix(".ll").write_text(f'target triple = "{self.target}"\n{text}')
		call([self.tool("opt"), f"-{level}", path.with_suffix(".ll"), "-o", path.with_suffix(".bc")])
		call([self.tool("llc"), f"-{level}", "-relocation-model=pic", "-filetype=obj", path.with_suffix(".bc"), "-o", path.with_suffix(".o")])
		return path.with_suffix(".o")

	def compile(self, source, level):
		out = self.folder / (source.stem + ".o")
		call([self.clangxx, f"--target={self.target}", f"-{level}", "-std=c++17", "-Wall", "-Werror", "-I", ROOT / "include", *self.flags,
			"-c", source, "-o", out])
		return out

	def link(self, objects, out):
		library = self.args.libraries / self.target
		if self.args.pair == "msvc":
			return call([self.args.circ, f"--target={self.target}", *objects, "-o", out])
		linker = MINGW if self.args.pair == "mingw" else self.clangxx
		flags = [] if self.args.pair == "mingw" else self.flags
		return call([linker, *flags, *objects, library / "libcircrt.a", *self.libraries, "-o", out])

	def program(self, name, level):
		objects = [self.compile(HERE / f"{name}.cpp", level), self.module("tries", 0, level), self.module("tries", 5, level)]
		out = self.folder / f"{name}-{level}.exe"
		self.link(objects, out)
		return out

	def frames(self, level):
		"""On ELF with names that dladdr() sees."""
		out = self.folder / f"frames-{level}.exe"
		names = ["-rdynamic"] if self.args.wine is None else []
		self.link([self.compile(HERE / "frames.cpp", level), self.module("frames", 0, level), *names], out)
		return out

	def threads(self, level):
		"""Where malloc() may be told to fail."""
		out = self.folder / f"threads-{level}.exe"
		self.link([self.compile(HERE / "threads.cpp", level), self.folder / "tries0-made.o", self.folder / "tries5-made.o", "-Wl,--wrap=malloc", "-pthread"], out)
		return out

	def threads_for_tsan(self):
		"""The same with the library, too, made for the thread sanitizer: of gcc, whose runtime is there where gcc is."""
		out, sources = self.folder / "threads-tsan.exe", ROOT / "src" / "runtime" / "eh"
		flags = ["-fsanitize=thread", "-O1", "-g", "-D_GNU_SOURCE", "-I", ROOT / "src", "-I", ROOT / "include"]
		objects = []
		for source in sorted(path for folder in (".", "unwind", "elf", "elf/x86_64") for path in (sources / folder).glob("*.c")):
			objects.append(self.folder / f"{source.parent.name}-{source.stem}-tsan.o")
			call(["gcc", "-std=c17", *flags, "-c", source, "-o", objects[-1]])
		call(["g++", "-std=c++17", *flags, HERE / "threads.cpp", *objects, self.folder / "tries0-made.o", self.folder / "tries5-made.o",
			"-Wl,--wrap=malloc", "-pthread", "-o", out])
		return out

	def run(self, program, *arguments, tool=()):
		command = [*tool, str(program), *arguments]
		if self.args.pair in ("mingw", "msvc"):
			command = [sys.executable, str(HERE.parent / "wine" / "wine.py"), "run", self.args.wine, *command]
		return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)


def expected(name, pair):
	"""Lines of one pair only are marked."""
	lines = []
	for line in (HERE / f"{name}.out").read_text().splitlines():
		mark, colon, rest = line.partition(": ")
		if colon and all(m in PAIRS for m in mark.split(",")):
			if pair in mark.split(","):
				lines.append(rest)
		else:
			lines.append(line)
	return lines


def check_trace(builder, name, program, tool=()):
	result = builder.run(program, tool=tool)
	wanted, found = expected(name, builder.args.pair), result.stdout.splitlines()
	if result.returncode != 0 or found != wanted or result.stderr:
		diff = "\n".join(list(difflib.unified_diff(wanted, found, "expected", "found", lineterm=""))[:80])
		raise Failed(f"{program.name} {' '.join(tool)}: status {result.returncode}\n{diff}\n{result.stderr[-2000:]}")


def check_wrong(builder, program):
	for what, said in (WRONG | (WRONG_ON_ELF if builder.args.wine is None else {})).items():
		result = builder.run(program, what)
		if result.returncode in (0, 3 if builder.args.wine is None else 0) or not result.stderr.replace("\r", "").startswith(said):
			raise Failed(f"{program.name} {what}: status {result.returncode}, said\n{result.stderr}expected\n{said}")
		if what.startswith("uncaught") and "~Guard" in result.stdout:
			raise Failed(f"{program.name} {what}: something was unwound\n{result.stdout}")


def check_faults(builder, program):
	for what, said in FAULTS.items():
		result = builder.run(program, what)
		elf = builder.args.wine is None
		ended = result.returncode == -signal.SIGSEGV if elf else result.returncode != 0 and said in result.stderr.replace("\r", "")
		if not ended or "handler" in result.stdout:
			raise Failed(f"{program.name} {what}: status {result.returncode}, said\n{result.stdout}{result.stderr}")


def check_threads(builder, program, count, times, tool=()):
	result = builder.run(program, str(count), str(times), tool=tool)
	if result.returncode != 0 or result.stdout != "0 wrong, some without memory\n" or result.stderr:
		raise Failed(f"{program.name} {' '.join(tool)}: status {result.returncode}\n{result.stdout}{result.stderr[-2000:]}")


# What becomes of circ_frame_unwind() when a handler of C++ is on its way: 4 throws on, 5 does not. On windows-msvc none is entered.
HANDLERS = {
	("libc++", "4"): "libc++abi: terminating due to uncaught foreign exception\n",
	("libc++", "5"): "circ: a handler of C++ took what circ_frame_unwind() unwinds by\n",
	("libstdc++", "5"): "circ: a handler of C++ took what circ_frame_unwind() unwinds by\n",
	("mingw", "5"): "circ: a handler of C++ took what circ_frame_unwind() unwinds by\n",
}


def check_frames(builder, program):
	check_trace(builder, "frames", program)
	for n in "45":
		result, said = builder.run(program, n), HANDLERS.get((builder.args.pair, n), "")
		arrived = f"  = {7 + int(n)}" in result.stdout.splitlines() and "~Guard" in result.stdout
		if result.stderr.replace("\r", "") != said or (result.returncode == 0) != (said == "") or arrived != (said == ""):
			raise Failed(f"{program.name} {n}: status {result.returncode}, said\n{result.stdout}{result.stderr}expected\n{said}")


def check_elf(builder, program, level):
	threads = builder.threads(level)
	check_threads(builder, threads, 8, 10000)
	if level == "O0" and shutil.which("valgrind"):
		check_trace(builder, "program", program, ["valgrind", "-q", "--leak-check=full", "--error-exitcode=9"])
		check_threads(builder, threads, 3, 200, ["valgrind", "-q", "--leak-check=full", "--error-exitcode=9"])
	if level == "O0" and builder.args.pair == "libstdc++" and shutil.which("g++"):
		check_threads(builder, builder.threads_for_tsan(), 8, 500)


def check(args):
	with tempfile.TemporaryDirectory() as folder:
		builder = Builder(args, folder)
		for level in ("O0", "O2"):
			program = builder.program("program", level)
			check_trace(builder, "program", program)
			if level == "O0" or args.wine is None:  # a process of Wine for each takes its time
				check_wrong(builder, program)
				check_faults(builder, program)
			check_frames(builder, builder.frames(level))
			if args.wine is None:
				check_elf(builder, program, level)


def main():
	parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
	parser.add_argument("--pair", choices=PAIRS, required=True)
	parser.add_argument("--libraries", type=pathlib.Path, required=True, help="the folder lib/circ of the build")
	parser.add_argument("--llvm", required=True, help="the folder of llc and opt")
	parser.add_argument("--circ", help="the command, which links for msvc")
	parser.add_argument("--wine", help="a prefix for tests/wine/wine.py")
	args = parser.parse_args()
	try:
		check(args)
	except Failed as failed:
		print(failed)
		sys.exit(1)


if __name__ == "__main__":
	main()
