#!/usr/bin/env python3
"""One table of the programs that were compiled, linked and run, target beside target: ctest's output in, Markdown out.

    ctest --test-dir build -R '^(e2e|random)\\.' | tests/e2e/table.py
    ctest --test-dir build -V -R '^e2e\\.(contract|programs)\\.' | tests/e2e/table.py --why     # docs/targets.md

A program is one test per target or library: its runs at -O0 and -O2 at least, traces compared; a random one is a file of programs. "n + m" means
that m are not meant for it. --why lists these with the reason: what the test says, or what the program's first lines say in front of `not:`.
Exit status 1 when a test failed.
"""
import argparse
import collections
import pathlib
import re
import sys

PAIRS = {"libc++": "ELF, libc++", "libstdc++": "ELF, libstdc++", "msvc": "windows-msvc", "mingw": "windows-gnu", "aarch64": "AArch64 ELF",
         "wasm": "wasm32", "sjlj": "no tables, x86_64", "sjlj-aarch64": "no tables, AArch64"}
LINE = re.compile(r"Test +#\d+: (e2e|random)\.(\S+) \.*[ *]*(Passed|Skipped|Failed|Timeout|Not Run|Exception)")
SKIPPED = re.compile(r"^(?:\d+: )?SKIPPED (?:.*/)?(\w+)/([\w.]+?)\.cir(?:\.in)?: (.*)$", re.MULTILINE)
HERE = pathlib.Path(__file__).resolve().parent


def cell_of(kind, name):
	"""The row and the pairs of a test; None: it is no program."""
	if kind == "random":  # random.msvc; random.4 is both pairs of ELF
		return "random programs", [name] if name in PAIRS else ["libc++", "libstdc++"]
	folder, _, rest = name.partition(".")
	pair = rest.rpartition(".")[2]
	if pair not in PAIRS or folder == "support":
		return None
	return {"random": "random flat programs"}.get(folder, folder), [pair]


def text_of(count):
	if not count:
		return "–"
	bad = sum(count.values()) - count["Passed"] - count["Skipped"]
	return f"{count['Passed']}" + (f" + {count['Skipped']}" if count["Skipped"] else "") + (f", **{bad} failed**" if bad else "")


def print_table(cells):
	shown = [pair for pair in PAIRS if any(pair == other for _, other in cells)]
	print("| programs | " + " | ".join(PAIRS[pair] for pair in shown) + " |\n|" + "---|" * (1 + len(shown)))
	for row in dict.fromkeys(row for row, _ in sorted(cells)):
		print(f"| {row} | " + " | ".join(text_of(cells[row, pair]) for pair in shown) + " |")


def prose_before_not(folder, program):
	"""The sentence in front of the program's `not:` or `pairs:`."""
	path = next(HERE.joinpath(folder).glob(program + ".cir*"))
	head = re.match(r"(?://.*\n)*", path.read_text(encoding="utf-8")).group()
	before = re.split(r"^// (?:not|pairs):", head, maxsplit=1, flags=re.MULTILINE)[0]
	prose = " ".join(line[2:].strip() for line in before.split("\n") if not re.match(r"// (?:run|trace|levels|circ|form|status): ?", line))
	return re.split(r"(?<=\.)\s+(?=[A-Z])", prose.strip())[-1].strip() or "see there"


def print_reasons(text, skipped):
	"""skipped: pairs that each program is not meant for."""
	said = {}
	for folder, program, reason in SKIPPED.findall(text):
		said[folder, program] = prose_before_not(folder, program) if reason.startswith("not meant for") else reason.partition("no such thing: ")[2] or reason
	print("\n| program | not on | because |\n|---|---|---|")
	for (folder, program), pairs in sorted(skipped.items()):
		print(f"| `{folder}/{program}` | {', '.join(PAIRS[pair] for pair in pairs)} | {said.get((folder, program), 'see there')} |")


def main():
	args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
	args.add_argument("--why", action="store_true", help="list what was skipped, with the reason")
	options = args.parse_args()
	text = sys.stdin.read()
	cells, skipped, failed = collections.defaultdict(collections.Counter), collections.defaultdict(list), []
	for kind, name, result in LINE.findall(text):
		cell = cell_of(kind, name)
		if not cell:
			continue
		row, pairs = cell
		for pair in pairs:
			cells[row, pair][result] += 1
			if result == "Skipped":
				skipped[row, name.partition(".")[2].rpartition(".")[0]].append(pair)
		if result not in ("Passed", "Skipped"):
			failed.append(f"{kind}.{name}")
	print_table(cells)
	if options.why:
		print_reasons(text, skipped)
	print("\n" + (f"Failed: {', '.join(failed)}" if failed else "None failed."))
	return 1 if failed else 0


if __name__ == "__main__":
	sys.exit(main())
