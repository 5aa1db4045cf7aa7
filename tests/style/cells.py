#!/usr/bin/env python3
"""cells.py SOURCE_DIR: cells of tables hold facts that are looked up. One of more than fifteen words is a paragraph, and belongs outside.

What is in backquotes counts as one word, lists of it as none.
"""
import pathlib
import re
import sys

MOST = 15
CODE = re.compile(r"`[^`]*`")


def words(cell):
    prose = CODE.sub("C", re.sub(r"\]\([^)]*\)", "]", cell))
    return 0 if set(prose.split()) == {"C"} else len(prose.split())


def cells(line):
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def main():
    source, wrong = pathlib.Path(sys.argv[1]), []
    pages = [path for folder in ("docs", "src", "tests", "bench", "examples") for path in (source / folder).rglob("*.md")]
    for path in sorted([*source.glob("*.md"), *pages]):
        code = False
        for number, line in enumerate(path.read_text().splitlines(), 1):
            code ^= line.startswith("```")
            if not code and line.startswith("|"):
                wrong += [f"{path.relative_to(source)}:{number}: {words(cell)} words: {cell}" for cell in cells(line) if words(cell) > MOST]
    if wrong:
        sys.exit("\n".join([*wrong, f"cells of tables have up to {MOST} words; make a list or a paragraph of it"]))


main()
