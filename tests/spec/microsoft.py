#!/usr/bin/env python3
"""The Microsoft listings of the design document are what circ makes of the flat ones: microsoft.py --circ CIRC --shared FOLDER

Both are printed by circ, so that numbering is no difference."""
import argparse
import os
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
HEAD = """\
!rec_SomeClass = !cir.struct<"SomeClass" {data !s32i}>
cir.func private @_ZN9SomeClassC1Ev(!cir.ptr<!rec_SomeClass>)
cir.func private @_ZN9SomeClassD1Ev(!cir.ptr<!rec_SomeClass>)
cir.func private @_ZN9SomeClass11doSomethingEv(!cir.ptr<!rec_SomeClass>)
cir.func private @f()
"""
LOWERED_HEAD = """\
cir.func private @__CxxFrameHandler3(...) -> !s32i
cir.global "private" external @"??_R0H@8" : !cir.ptr<!u8i>
cir.global "private" external @"??_R0M@8" : !cir.ptr<!u8i>
"""


def listings(document):
    """Code blocks that are not C++ below "Microsoft C++ ABI Lowering", by the heading of their example."""
    found, heading, block, microsoft = {}, None, None, False
    for line in document.split("\n"):
        if line.startswith("```"):
            if block is None:
                block = [] if line == "```" else False
            else:
                if block and microsoft and heading:
                    found.setdefault(heading, []).append("\n".join(block))
                block = None
        elif isinstance(block, list):
            block.append(line)
        elif line.startswith("### "):
            microsoft, heading = line.startswith("### Microsoft"), None
        elif line.startswith("#### Example: "):
            heading = line[len("#### Example: "):]
    return found


def lowered(circ, folder, text):
    """The function of a listing in the Microsoft form, as circ prints it."""
    path = os.path.join(folder, "listing.cir")
    with open(path, "w", encoding="utf-8") as out:
        out.write(text + "\n")
    done = subprocess.run([circ, "--emit=abi", "--verify-each", "--target=x86_64-pc-windows-msvc", path, "-o", "-"],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{done.stderr}\n{text}")
    return re.search(r"  cir\.func @someFunc.*?\n  }\n", done.stdout, re.DOTALL).group(0)


def main():
    args = argparse.ArgumentParser(description=__doc__)
    args.add_argument("--circ", required=True)
    args.add_argument("--shared", required=True)
    options = args.parse_args()
    path = os.path.join(options.shared, "specs", "clangir-cleanup-and-eh-design.md")
    if not os.path.exists(path):
        print(f"SKIPPED: no {path}")
        return SKIPPED
    with open(path, encoding="utf-8") as text:
        found = listings(text.read())
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for example in ("Try-catch with cleanup", "Try-catch with multiple catch handlers"):
            flat, expected = found[example]
            got = lowered(options.circ, folder, HEAD + flat)
            want = lowered(options.circ, folder, HEAD + LOWERED_HEAD + expected)
            if got != want:
                failed += 1
                print(f"FAILED {example}\n--- the document\n{want}\n--- circ\n{got}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
