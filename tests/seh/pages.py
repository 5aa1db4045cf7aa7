#!/usr/bin/env python3
"""Pages that may not be touched are, on Windows: a filter repairs each and lets execution go on (pages/).

    pages.py --circ build/bin/circ --wine PREFIX [--times 1000] [--threads 8]

Each thread touches its page so often with PAGE_NOACCESS, and so often with PAGE_GUARD; by circ at -O0 and -O2, and for comparison by clang;
in a function that is called (pages.cir) and in that of the try (own.cir). On windows-gnu, where libcircrt raises faults, the latter alone.
A fault takes some 0.2 ms under Wine 8, with any number of threads: a million, --times 62500, take three minutes, or four with clang's.
Exit status: 0 passed, 1 failed, 77 not possible here.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import run  # noqa: E402  (beside this file)

PAGES = run.HERE / "pages"
HANDLER = run.ROOT / "tests" / "e2e" / "support" / "seh_handler.cpp"


def check(options, folder):
	wine = run.wine.Wine(options.wine)

	def call(*command):
		subprocess.run([str(word) for word in command], cwd=folder, check=True, timeout=run.TIMEOUT)

	failed = 0
	call(options.clang, run.MSVC, "-fms-extensions", "-fasync-exceptions", "-O1", "-Wall", "-c", PAGES / "main.c", PAGES / "pages.c", PAGES / "own.c", HANDLER)
	circ, compiled, _ = run.TARGETS["gnu"]
	call(options.clang, *compiled, "-O1", "-DINSTALLS", "-Wall", "-c", PAGES / "main.c", "-o", "main-gnu.o")
	for level in ("-O0", "-O2"):
		program = pathlib.Path(folder) / f"gnu{level}.exe"
		call(options.circ, *circ, level, PAGES / "own.cir", "main-gnu.o", "-o", program)
		failed += not passes(wine, program, f"circ own gnu {level}", options)
	for what, pages, level in (("clang", "pages.o", "-O1"), ("circ", PAGES / "pages.cir", "-O0"), ("circ", PAGES / "pages.cir", "-O2"),
	                           ("clang own", "own.o", "-O1"), ("circ own", PAGES / "own.cir", "-O0"), ("circ own", PAGES / "own.cir", "-O2")):
		program = pathlib.Path(folder) / f"{what}{level}.exe"
		call(options.circ, run.MSVC, level, pages, "main.o", "seh_handler.o", "-o", program)
		failed += not passes(wine, program, f"{what} {level}", options)
	return 1 if failed else 0


def passes(wine, program, what, options):
	done = wine.run([program, str(options.times), str(options.threads)], timeout=options.timeout)
	print(f"{what}: {done.stdout.strip()} {done.stderr.strip()}", flush=True)
	return done.returncode == 0


def main():
	args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
	args.add_argument("--circ", required=True, type=lambda path: pathlib.Path(path).resolve())
	args.add_argument("--clang", default="clang-22")
	args.add_argument("--wine", required=True, help="folder of the Wine prefix")
	args.add_argument("--times", type=int, default=1000)
	args.add_argument("--threads", type=int, default=8)
	args.add_argument("--timeout", type=int, default=500, help="seconds")
	options = args.parse_args()
	try:
		with tempfile.TemporaryDirectory() as folder:
			return check(options, folder)
	except run.wine.Missing as reason:
		print(f"SKIPPED: {reason}")
		return run.SKIPPED


if __name__ == "__main__":
	sys.exit(main())
