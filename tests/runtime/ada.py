#!/usr/bin/env python3
"""Ada's exceptions through functions of circ's own runtime (tests/e2e/programs/interop.cir: cleanup, finally, filter, catch all), and
circ's through Ada, whose runtime library has a personality and exceptions of its own: GNAT's.

    ada.py CIRC GNATMAKE LIBRARY

LIBRARY is libcircrt.a. interop.out is what the program must print at -O0 and -O2.
"""
import difflib
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = HERE / "ada"
FUNCTIONS = HERE.parent / "e2e" / "programs" / "interop.cir"


def call(command, folder):
	result = subprocess.run([str(c) for c in command], cwd=folder, capture_output=True, text=True, timeout=120, check=False)
	if result.returncode != 0:
		sys.exit(f"{' '.join(map(str, command))}: status {result.returncode}\n{result.stdout}{result.stderr}")
	return result.stdout


def check(circ, gnatmake, library, level, folder):
	functions, program = folder / "circ-functions.o", folder / "interop"
	call([circ, f"-{level}", "-c", FUNCTIONS, "-o", functions], folder)
	call([gnatmake, "-q", f"-{level}", "-gnatwae", f"-I{SOURCES}", "interop.adb", "-o", program, "-largs", functions, library], folder)
	wanted, found = (SOURCES / "interop.out").read_text(), call([program], folder)
	if found != wanted:
		sys.exit(f"-{level}:\n" + "\n".join(difflib.unified_diff(wanted.splitlines(), found.splitlines(), "expected", "found", lineterm="")))


def main():
	circ, gnatmake, library = (pathlib.Path(path).absolute() for path in sys.argv[1:])
	for level in ("O0", "O2"):
		with tempfile.TemporaryDirectory() as folder:
			check(circ, gnatmake, library, level, pathlib.Path(folder))


if __name__ == "__main__":
	main()
