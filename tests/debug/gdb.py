#!/usr/bin/env python3
"""gdb in the program of tests/debug/session, at -O0 and -O2, with libgcc's unwinder, with libunwind, and in circ's process.

    gdb.py --circ build/bin/circ --hook src/runtime/elf/unwind_hook.c [NAME…]

Each check is a script and what must come out of it, line by line and in this order. What differs at -O2 is what LLVM keeps there.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
TIMEOUT = 120
# gdb reads the parameter of _Unwind_DebugHook at its first instruction, where without optimization it is not yet where -g says.
HOOK_FLAGS = ["-O1", "-g", "-shared", "-fPIC"]
SESSION = pathlib.Path(__file__).resolve().parent / "session"

# Each begins at the call that throws, in the second call of attempt(): (name, commands, regular expressions that must be met in this order).
# At -O2 LLVM gives the first instructions of a landing pad no line.
STOPS_AT = {"catch throw": r"(Catchpoint|Breakpoint) \d+(\.\d+)?,? .*(exception thrown|__cxa_throw)",
            "catch catch": r"(Catchpoint|Breakpoint) \d+(\.\d+)?,? .*(exception caught|__cxa_begin_catch)"}
# In the process of `circ run` with libc++ there is libstdc++, too, whose probes gdb takes for both.
WITHOUT_PROBES = {"catch throw": "break __cxa_throw", "catch catch": "break __cxa_begin_catch"}
BEGIN = ["break transfer.cpp:25", "run", "continue"]
BEGUN = [r"Breakpoint 1, .*attempt \(.*amount=30\) at \S*transfer\.cpp:25", r"Breakpoint 1, .*attempt \(.*amount=130\) at \S*transfer\.cpp:25"]
CHECKS = (
	("step over the call that throws",
	 ["print before", "next", "backtrace", "next", "tbreak transfer.cpp:31", "continue", "info locals"],
	 [r"\$1 = 100", r"#0 .*attempt \(.*\) at \S*transfer\.cpp:", r"#1 .* main \(\) at transfer\.cpp:57", r"^2[789]\t",
	  r"Temporary breakpoint 2, .*attempt \(.*\) at \S*transfer\.cpp:31", r"left = 70"]),
	("catch a throw, and the destructor while it is on its way",
	 ["catch throw", "continue", "backtrace", "up 2", "print amount", "info locals", "tbreak Lock::~Lock", "continue", "backtrace", "up",
	  "info locals"],
	 [STOPS_AT["catch throw"], r"#1 .* check \(balance=100, amount=130\) at transfer\.cpp:50",
	  r"#2 .*attempt \(.*\) at \S*transfer\.cpp:25", r"#3 .* main \(\) at transfer\.cpp:57", r"attempt \(.*\) at \S*transfer\.cpp:25",
	  r"\$1 = 130", r"before = 100", r"left = -1", r"Lock::~Lock", r"#1 .*attempt \(.*\) at \S*transfer\.cpp:27",
	  r"#2 .* main \(\) at transfer\.cpp:57", r"attempt \(.*\) at \S*transfer\.cpp:27", r"left = -1"]),
	("finish the function that throws, and catch where it is caught",
	 ["tbreak check", "continue", "finish", "backtrace", "catch catch", "continue", "up", "backtrace"],
	 [r"check \(balance=100, amount=130\)", r"#0 .*attempt \(.*\) at \S*transfer\.cpp:", r"#1 .* main \(\) at transfer\.cpp:57",
	  STOPS_AT["catch catch"], r"attempt \(.*\) at \S*transfer\.cpp:27", r"#2 .* main \(\) at transfer\.cpp:57"]),
)


class Failure(Exception):
	pass


def run(command, folder):
	done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
	                      errors="replace", timeout=TIMEOUT, check=False)
	if done.returncode:
		raise Failure(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}")
	return done.stdout


def gdb(program, commands, folder, preload):
	setup = ["set debuginfod enabled off", "set width 0", "set confirm off", "set breakpoint pending on",
	         f"set environment LD_PRELOAD {preload}"]
	with open(os.path.join(folder, "script"), "w", encoding="ascii") as out:
		out.write("\n".join(setup + commands) + "\n")
	done = subprocess.run(["gdb", "-q", "-nx", "-batch", "-x", "script", "--args", *program], cwd=folder, stdin=subprocess.DEVNULL,
	                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=TIMEOUT, check=False)
	return done.stdout


def check(program, commands, expected, folder):
	said = gdb(program, BEGIN + commands, folder, "./hook.so")
	at = 0
	for pattern in BEGUN + expected:
		found = re.compile(pattern, re.MULTILINE).search(said, at)
		if not found:
			raise Failure(f"no '{pattern}' behind character {at} of\n{said}")
		at = found.end()


def programs(circ, clang, folder):
	"""Pairs of a name and a command: circ's function in a program of each kind."""
	libraries = {"libstdc++": ["g++"]}
	if clang:
		libraries["libc++"] = [clang, "-stdlib=libc++"]
	for library, compiler in libraries.items():
		run([*compiler, "-g", "-fPIC", "-DBY_CIRC", "-c", "transfer.cpp", "-o", f"{library}.o"], folder)
		for level in ("-O0", "-O2"):
			name = f"{library}{level}"
			run([circ, "-g", level, f"--cxxlib={library}", "transfer.cir", f"{library}.o", "-o", name], folder)
			yield name, ["./" + name]
			yield "jit-" + name, [circ, "run", "-g", level, f"--cxxlib={library}", "transfer.cir", f"{library}.o"]


def stops_in_attempt(program, folder):
	return "#0  attempt" in gdb([program], [*BEGIN, "next", "backtrace"], folder, "")


def as_in_cpp(folder):
	"""Without the hook, gdb can do for circ's code what it can do for that of g++: nothing, where libgcc tells it nothing."""
	run(["g++", "-g", "transfer.cpp", "-o", "twin"], folder)
	mine, twin = (stops_in_attempt(program, folder) for program in ("./libstdc++-O0", "./twin"))
	if mine != twin:
		raise Failure(f"'next' stops in circ's code: {mine}; in that of g++: {twin}")
	return twin


def main():
	args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
	args.add_argument("--circ", required=True)
	args.add_argument("--hook", required=True)
	args.add_argument("names", nargs="*", help="of programs, such as libstdc++-O2 and jit-libc++-O0")
	options = args.parse_args()
	missing = [tool for tool in ("gdb", "g++") if not shutil.which(tool)]
	if missing:
		print(f"SKIPPED: no {' and no '.join(missing)}: gdb was NOT run")
		return SKIPPED
	clang = next((path for path in map(shutil.which, ("clang++-22", "clang++-19", "clang++")) if path), None)
	failed = met = 0
	with tempfile.TemporaryDirectory() as folder:
		shutil.copytree(SESSION, folder, dirs_exist_ok=True)
		run(["gcc", *HOOK_FLAGS, os.path.abspath(options.hook), "-o", "hook.so"], folder)
		for name, program in programs(os.path.abspath(options.circ), clang, folder):
			for title, commands, expected in CHECKS if not options.names or name in options.names else ():
				met += 1
				if name.startswith("jit-libc++"):
					commands = [WITHOUT_PROBES.get(command, command) for command in commands]
				try:
					check(program, commands, expected, folder)
				except (Failure, subprocess.TimeoutExpired) as error:
					failed += 1
					print(f"{name}: {title}: {error}", flush=True)
		stops = as_in_cpp(folder)
	print(f"{met} checks, {failed} failures; without the hook 'next' {'stops' if stops else 'goes on'}, as in code of g++")
	return 1 if failed or not met else 0


if __name__ == "__main__":
	sys.exit(main())
