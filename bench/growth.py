#!/usr/bin/env python3
"""Measures what one function costs among a thousand and among a hundred thousand, and one scope a hundred thousand deep.

    bench/growth.py --circ build/bin/circ
    bench/growth.py --circ build/bin/circ --quick     # up to ten thousand

As in run.py, whose method and helpers these are: CPU time of the whole process, medians, the start of the process taken off. run.py
has the growth by operations.
"""
import os
import sys
import tempfile

sys.dont_write_bytecode = True
import run as bench  # noqa: E402  (beside this file)
from structured import shape  # noqa: E402

FUNCTION = """\
cir.func @f{n}(%x: !s32i) -> !s32i {{
  %k = cir.const #cir.int<{n}> : !s32i
  %r = cir.add %x, %k : !s32i
  cir.return %r : !s32i
}}
"""


def functions(n):
    return "!s32i = !cir.int<s, 32>\n" + "".join(FUNCTION.format(n=i) for i in range(n))


# (title, what is made, the option that says how far it goes, the text of size n)
KINDS = (
    ("functions of three operations", "an object", ("-O0", "-c"), functions),
    ("scopes inside each other", "the Itanium form", ("--emit=abi",), lambda n: shape(True, n)),
    ("scopes one after another", "the Itanium form", ("--emit=abi",), lambda n: shape(False, n)),
)


def main():
    options = bench.arguments(__doc__, quick="up to ten thousand").parse_args()
    circ = options.circ
    bench.describe(circ, None)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        path, empty = os.path.join(folder, "n.cir"), os.path.join(folder, "0.cir")
        for title, made, flags, text in KINDS:
            first = None
            for n in (1000, 10000) if options.quick else (1000, 10000, 100000):
                for name, size in ((path, n), (empty, 1)):
                    with open(name, "w", encoding="ascii") as out:
                        out.write(text(size))
                figures = bench.compare(2 if options.quick else 5, {
                    name: [circ, *flags, name, "-o", os.path.join(folder, "out")] for name in (path, empty)})
                each = (figures[path][0] - figures[empty][0]) / n * 1e6
                first = first or each
                rows.append([title, made, str(n), f"{each:.2f}", f"{each / first:.2f}", f"{figures[path][1]:.0f} MiB"])
    print("### Growth by functions and by depth: cost of one\n")
    bench.table(["what", "as", "how many", "µs each", "against the first row", "memory"], rows)


if __name__ == "__main__":
    main()
