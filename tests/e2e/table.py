#!/usr/bin/env python3
"""One table of the programs that were compiled, linked and run, ELF beside Windows: ctest's output in, Markdown out.

    ctest --test-dir build -R '^(e2e|random)\\.' | tests/e2e/table.py

A program is one test per library pair: its runs at -O0 and -O2 at least, traces compared; a random one is a file of programs. "n + m" means
that m are not meant for the pair (each says why in its first lines). Exit status 1 when a test failed.
"""
import collections
import re
import sys

PAIRS = {"libc++": "ELF, libc++", "libstdc++": "ELF, libstdc++", "msvc": "windows-msvc", "mingw": "windows-gnu"}
LINE = re.compile(r"Test +#\d+: (e2e|random)\.(\S+) \.*[ *]*(Passed|Skipped|Failed|Timeout|Not Run|Exception)")


def cell_of(kind, name):
	"""The row and the pairs of a test; None: it is no program."""
	if kind == "random":  # random.msvc; random.4 is both pairs of ELF
		return "random programs", [name] if name in PAIRS else ["libc++", "libstdc++"]
	folder, _, rest = name.partition(".")
	pair = rest.rpartition(".")[2]
	if pair not in PAIRS or folder == "support":
		return None
	return {"random": "random flat programs"}.get(folder, folder), [pair]


def main():
	cells, failed = collections.defaultdict(collections.Counter), []
	for kind, name, result in LINE.findall(sys.stdin.read()):
		cell = cell_of(kind, name)
		if not cell:
			continue
		row, pairs = cell
		for pair in pairs:
			cells[row, pair][result] += 1
		if result not in ("Passed", "Skipped"):
			failed.append(f"{kind}.{name}")
	shown = [pair for pair in PAIRS if any(pair == other for _, other in cells)]
	print("| programs | " + " | ".join(PAIRS[pair] for pair in shown) + " |\n|" + "---|" * (1 + len(shown)))
	for row in dict.fromkeys(row for row, _ in sorted(cells)):
		texts = []
		for pair in shown:
			count = cells[row, pair]
			if not count:
				texts.append("–")
				continue
			bad = sum(count.values()) - count["Passed"] - count["Skipped"]
			texts.append(f"{count['Passed']}" + (f" + {count['Skipped']}" if count["Skipped"] else "") + (f", **{bad} failed**" if bad else ""))
		print(f"| {row} | " + " | ".join(texts) + " |")
	print("\n" + (f"Failed: {', '.join(failed)}" if failed else "None failed."))
	return 1 if failed else 0


if __name__ == "__main__":
	sys.exit(main())
