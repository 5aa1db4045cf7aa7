#!/usr/bin/env python3
"""coff-shape.py OBJECT: what a COFF object is made of, a line each, sorted: sections, symbols, relocations, and functions with their
unwind information. Numbers that tell where anything is are left out, and those that LLVM makes names unique with.
"""
import re
import subprocess
import sys

COMDAT = 0x1000


def read(*options):
	done = subprocess.run(["llvm-readobj", *options, sys.argv[1]], stdout=subprocess.PIPE, text=True, check=True)
	return done.stdout


def blocks(text, head):
	"""The fields of each block that begins with a line `head {`."""
	for block in re.findall(rf"^  {head} {{\n(.*?)^  }}", text, re.M | re.S):
		yield dict(re.findall(r"^ +([A-Za-z]+)(?:: | \[ \()([^\n]*)$", block, re.M))


def name_of(text):
	"""Without its number: `.text (5)`; without LLVM's: `GCC_except_table5`, `$ehgcr_5_7`."""
	return re.sub(r"^(GCC_except_table|\$ehgcr_)[0-9_]+$", r"\1", re.sub(r" \([0-9A-F -]+\)$", "", text))


def main():
	lines = []
	for s in blocks(read("--sections"), "Section"):
		flags = s["Characteristics"].rstrip(")")
		size = "of " + s["RawDataSize"] if int(flags, 16) & COMDAT else ""  # others have gaps between the parts
		lines.append(f"section {name_of(s['Name'])} {flags} {size} relocations {s['RelocationCount']}")
	for s in blocks(read("--symbols"), "Symbol"):
		more = " ".join(name_of(s[key]) for key in ("Selection", "AssocSection", "Linked", "Search", "FileName") if key in s)
		lines.append(f"symbol {name_of(s['Name'])} {s['StorageClass']} {s['ComplexType']} {name_of(s['Section'])} {more}")
	for section, text in re.findall(r"^  Section \(\d+\) (\S+) {\n(.*?)^  }", read("--relocations"), re.M | re.S):
		for kind, symbol in re.findall(r"^ +0x\S+ (\S+) (\S+) \(", text, re.M):
			lines.append(f"relocation {section} {kind} {name_of(symbol)}")
	unwind = re.sub(r"0x[0-9A-F]+|\+0x[0-9A-F]+|\([^)]*\)", "", read("--unwind"))
	for function in re.split(r"^  RuntimeFunction {", unwind, flags=re.M)[1:]:
		lines.append("unwind " + " ".join(map(name_of, function.split())))
	print("\n".join(sorted(lines)))


if __name__ == "__main__":
	main()
