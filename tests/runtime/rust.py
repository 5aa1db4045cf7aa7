#!/usr/bin/env python3
"""Rust's panics through functions of circ's own runtime (tests/e2e/programs/interop.cir: cleanup, finally, filter, catch all), and circ's exceptions
through Rust, whose values are dropped.

    rust.py CIRC RUSTC LIBRARY

LIBRARY is libcircrt.a. interop.out is what the program must print at both levels. A panic that is caught elsewhere, and not thrown on, ends the program by
Rust's own rule, as it does with C++.
"""
import difflib
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = HERE / "rust"
FUNCTIONS = HERE.parent / "e2e" / "programs" / "interop.cir"
MUST_BE_THROWN_ON = "Rust panics must be rethrown"


def call(command, folder, **more):
	return subprocess.run([str(c) for c in command], cwd=folder, capture_output=True, text=True, timeout=120, check=False, **more)


def make(command, folder, **more):
	done = call(command, folder, **more)
	if done.returncode != 0:
		sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr}")


def abi_options(rustc, folder):
	"""Before 1.71 the ABI "C-unwind" is a feature, which only a nightly compiler has unless it is told otherwise."""
	version = re.match(r"rustc (\d+)\.(\d+)", call([rustc, "--version"], folder).stdout)
	if version and tuple(map(int, version.groups())) < (1, 71):
		return ["-Zcrate-attr=feature(c_unwind)"], {**os.environ, "RUSTC_BOOTSTRAP": "1"}
	return [], None


def check(circ, rustc, library, level, folder):
	functions, program = folder / "circ-functions.o", folder / "interop"
	make([circ, f"-O{level}", "-c", FUNCTIONS, "-o", functions], folder)
	options, environment = abi_options(rustc, folder)
	make([rustc, "--edition=2018", f"-Copt-level={level}", "-Dwarnings", *options, SOURCES / "interop.rs", "-o", program,
	      f"-Clink-arg={functions}", f"-Clink-arg={library}"], folder, env=environment)
	done, wanted = call([program], folder), (SOURCES / "interop.out").read_text()
	if done.returncode != 0 or done.stdout != wanted:
		lines = difflib.unified_diff(wanted.splitlines(), done.stdout.splitlines(), "expected", "found", lineterm="")
		sys.exit("\n".join([f"-O{level}: status {done.returncode}, {done.stderr}", *lines]))
	done = call([program, "caught"], folder)
	if done.returncode != -signal.SIGABRT or MUST_BE_THROWN_ON not in done.stderr or "caught 1" not in done.stdout:
		sys.exit(f"-O{level}: a panic that is caught: status {done.returncode}\n{done.stdout}{done.stderr}")


def main():
	circ, rustc, library = (pathlib.Path(path).absolute() for path in sys.argv[1:])
	for level in ("0", "2"):
		with tempfile.TemporaryDirectory() as folder:
			check(circ, rustc, library, level, pathlib.Path(folder))


if __name__ == "__main__":
	main()
