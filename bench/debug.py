#!/usr/bin/env python3
"""Measures the debug information of circ's objects against that of clang++'s for the same programs in C++, and prints a table in Markdown.

    bench/debug.py --circ build/bin/circ      # a minute

Bytes of all .debug sections at -O0 and -O2, DWARF 5: of random programs (tests/random), which are the same text twice, and of the
end-to-end programs that have a C++ twin. The twins hold helpers, too, and include headers; so their second column is what the
twin adds to the helpers alone.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parent.parent / "tests"
sys.path.append(str(TESTS / "random"))
import generate  # noqa: E402
from run import arguments, find  # noqa: E402  (beside this file)

CXX_FLAGS = ["-w", "-g", "-std=gnu++14", "-stdlib=libc++"]


class Bench:
	def __init__(self, circ, folder):
		self.circ, self.folder = circ, folder
		self.clang, self.readelf = find("clang++") or sys.exit("no clang++"), find("llvm-readelf") or sys.exit("no llvm-readelf")

	def path(self, name):
		return str(pathlib.Path(self.folder) / name)

	def size(self, argv):
		"""Bytes of debug information in the object that a command makes."""
		target = self.path("object.o")
		subprocess.run([*argv, "-c", "-o", target], check=True)
		table = subprocess.run([self.readelf, "-SW", target], check=True, capture_output=True, text=True).stdout
		return sum(int(size, 16) for size in re.findall(r"\] \.debug\S*\s+PROGBITS\s+\S+\s+\S+\s+(\S+)", table))

	def cxx(self, level, source, *more):
		return self.size([self.clang, *CXX_FLAGS, level, *more, source])

	def random(self, level, seeds, count):
		"""circ's bytes and clang's."""
		cir, cpp = self.path("random.cir"), self.path("random.cpp")
		total = [0, 0]
		for seed in range(seeds):
			for path, text in zip((cir, cpp), generate.generate(seed, count, False)):
				pathlib.Path(path).write_text(text, encoding="ascii")
			total[0] += self.size([self.circ, "-g", level, cir])
			total[1] += self.cxx(level, cpp, "-I", str(TESTS / "random"))
		return total

	def twins(self, level):
		"""How many programs; circ's bytes, the twins', and what they are without the helpers'."""
		programs, total = 0, [0, 0, 0]
		support = ["-I", str(TESTS / "e2e" / "support")]
		for cir in sorted((TESTS / "e2e" / "programs").glob("*.cir")):
			cpp = cir.with_suffix(".cpp")
			if not cpp.exists() or "#ifdef TWIN" not in cpp.read_text(encoding="utf-8"):
				continue
			programs += 1
			twin, helpers = self.cxx(level, str(cpp), *support, "-DTWIN"), self.cxx(level, str(cpp), *support)
			for i, n in enumerate((self.size([self.circ, "-g", level, str(cir)]), twin, twin - helpers)):
				total[i] += n
		return programs, total


def main():
	args = arguments(__doc__)
	args.add_argument("--seeds", type=int, default=4)
	args.add_argument("--count", type=int, default=50, help="of programs a seed")
	options = args.parse_args()
	print("### Debug information against clang++, bytes of all `.debug` sections\n")
	print("| programs | level | circ | clang++ | ratio |\n|---|---|---|---|---|")
	with tempfile.TemporaryDirectory() as folder:
		bench = Bench(options.circ, folder)
		for level in ("-O0", "-O2"):
			circ, clang = bench.random(level, options.seeds, options.count)
			print(f"| {options.seeds * options.count} random ones | {level} | {circ} | {clang} | **{circ / clang:.2f}** |", flush=True)
		for level in ("-O0", "-O2"):
			n, (circ, twin, added) = bench.twins(level)
			print(f"| {n} end-to-end ones | {level} | {circ} | {twin} | **{circ / twin:.2f}** |")
			print(f"| … without the helpers of the twins | {level} | {circ} | {added} | **{circ / added:.2f}** |", flush=True)


if __name__ == "__main__":
	main()
