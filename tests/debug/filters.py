#!/usr/bin/env python3
"""gdb in filters and in finally, of functions of circ's runtime and of C++: tests/debug/session/guard.cir at -O0 and -O2.

    filters.py --circ build/bin/circ --hook src/runtime/elf/unwind_hook.c

What gdb says must match line by line and in this order. AT(name) is the line of guard.cir that ends in `at: name`.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import gdb  # noqa: E402  (gdb.py beside this file)


class Lines:
	def __init__(self):
		text = (gdb.SESSION / "guard.cir").read_text(encoding="ascii").splitlines()
		self.numbers = {line.split("// at: ")[1]: i + 1 for i, line in enumerate(text) if "// at: " in line}

	def place(self, name):
		return f"guard.cir:{self.numbers[name]}"

	def shown(self, name):
		return rf"^(?:0x\w+\t)?{self.numbers[name]}\t"


def sessions(at, level, labels):
	"""(title, commands, regular expressions)"""
	amount = r"amount = 30" if level == "-O0" else r"amount = "  # at -O2 it is in no register behind its last use
	steps = ["next"] * (3 if level == "-O0" else 2)
	yield ("step into a finally of circ's runtime",
	       [f"break {at.place('throws')}", "run", *steps, "info locals", "backtrace"],
	       [at.shown("throws"), at.shown("finally"), r"^inner = 9", r"^wide = 7", r"#0 .*guarded \(amount=30\)", r"#1 .* main \(\)"])
	yield ("stop in a filter, and see what it changes",
	       ["break guarded.when", "run", "next", "info locals", "backtrace", f"tbreak {at.place('changed')}", "continue", "info locals", "next",
	        f"tbreak {at.place('handler')}", "continue", "info locals"],
	       [r"Breakpoint 1, guarded\.when", at.shown("filter"), r"^(wide = 7\n" + amount + "|" + amount + r".*\nwide = 7)",
	        r"#0 .*guarded\.when", r"__circ_personality_v0", r"guarded \(amount=30\)", r"main \(\)", at.shown("changed"), r"wide = 37",
	        at.shown("handler"), r"^wide = 37"])
	if labels:
		yield ("stop at a line of a finally that an exception passes, in circ's runtime and in C++",
		       [f"break {at.place('finally')}", f"break {at.place('finally of C++')}", "run", "info locals", "backtrace", "continue", "info args"],
		       [r"Breakpoint 1 .*2 locations", r"Breakpoint 2 .*2 locations", at.shown("finally"), r"^inner = 9", r"#0 .*guarded \(amount=30\)",
		        at.shown("finally of C++"), r"^count = 3"])
	yield ("step into a finally of C++",
	       ["break of_cxx", "run", *steps, "info args", "backtrace"],
	       [r"Breakpoint 1, of_cxx \(count=3\)", at.shown("finally of C++"), r"^count = 3", r"#0 .*of_cxx \(count=3\)", r"#1 .* swallow \(\)"])


def flat_session():
	"""Of the same module as flat text, whose lines are its own."""
	return ("see the variables of the function around in a filter of flat text",
	        ["break guarded.when", "run", "next", "next", "next", "next", "info locals"],
	        [r"Breakpoint 1, guarded\.when", r"^wide = 7\namount = 30|^amount = 30\nwide = 7"])


def check(program, commands, expected, folder):
	said, at = gdb.gdb([program], commands, folder, "./hook.so"), 0
	for pattern in expected:
		found = re.compile(pattern, re.MULTILINE).search(said, at)
		if not found:
			raise gdb.Failure(f"no '{pattern}' behind character {at} of\n{said}")
		at = found.end()


def programs(circ, folder, labels):
	"""(program, level, its sessions)"""
	for level in ("-O0", "-O2"):
		gdb.run([circ, "-g", level, "guard.cir", "-o", "guard"], folder)
		yield "./guard", level, sessions(Lines(), level, labels)
	gdb.run([circ, "--emit=flat", "guard.cir", "-o", "flat.cir"], folder)
	gdb.run([circ, "-g", "flat.cir", "-o", "flat"], folder)
	yield "./flat", "-O0", [flat_session()]


def main():
	args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
	args.add_argument("--circ", required=True)
	args.add_argument("--hook", required=True)
	args.add_argument("--labels", action="store_true", help="the LLVM in use writes labels: a finally has a breakpoint in both of its copies")
	options = args.parse_args()
	missing = [tool for tool in ("gdb", "gcc") if not shutil.which(tool)]
	if missing:
		print(f"SKIPPED: no {' and no '.join(missing)}: gdb was NOT run")
		return gdb.SKIPPED
	failed = met = 0
	with tempfile.TemporaryDirectory() as folder:
		shutil.copy(gdb.SESSION / "guard.cir", folder)
		gdb.run(["gcc", *gdb.HOOK_FLAGS, os.path.abspath(options.hook), "-o", "hook.so"], folder)
		for program, level, wanted in programs(os.path.abspath(options.circ), folder, options.labels):
			for title, commands, expected in wanted:
				met += 1
				try:
					check(program, commands, expected, folder)
				except (gdb.Failure, subprocess.TimeoutExpired) as error:
					failed += 1
					print(f"{level}: {title}: {error}", flush=True)
	print(f"{met} sessions, {failed} failures")
	return 1 if failed or not met else 0


if __name__ == "__main__":
	sys.exit(main())
