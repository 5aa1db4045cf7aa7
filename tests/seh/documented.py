#!/usr/bin/env python3
"""Each block of C and of CIR in a document is one of the programs that run.py runs.

    documented.py docs/seh.md tests/seh/programs
"""
import pathlib
import re
import sys

BLOCK = re.compile(r"^```(c|cir)\n(.*?)^```$", re.M | re.S)
LEADING = re.compile(r'\A(?://.*\n)*(?:#include "seh.h"\n\n)?')


def main():
	document, programs = map(pathlib.Path, sys.argv[1:])
	wrong = blocks = 0
	for language, text in BLOCK.findall(document.read_text(encoding="utf-8")):
		blocks += 1
		known = (LEADING.sub("", path.read_text(encoding="ascii")) for path in programs.glob(f"*.{language}"))
		if text not in known:
			wrong += 1
			print(f"no program is this block of {document.name}:\n{text}")
	print(f"{blocks} blocks, {wrong} that are no program")
	return 1 if wrong or not blocks else 0


if __name__ == "__main__":
	sys.exit(main())
