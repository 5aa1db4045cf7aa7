#!/usr/bin/env python3
"""The flat listings of the design document are what circ makes of the structured ones: flat.py --circ CIRC --shared FOLDER

Both are printed by circ, so that numbering is no difference. Two documented ones are: the document's `cir.resume` names no
token, and its "Shared cleanups" shows the normal path only, with other numbers for the destinations."""
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
cir.func private @_ZN9SomeClassD1Ev(!cir.ptr<!rec_SomeClass>) attributes {nothrow}
cir.func private @_ZN9SomeClass11doSomethingEv(!cir.ptr<!rec_SomeClass>)
cir.func private @_ZN9SomeClass3getEv(!cir.ptr<!rec_SomeClass>) -> !s32i
"""


def listings(document):
    """Code blocks that are not C++ below "CFG Flattening", by the heading of their example."""
    found, heading, block, flattening = {}, "", None, False
    for line in document.split("\n"):
        if line.startswith("```"):
            if block is None:
                block = [] if line == "```" else False
            else:
                if block and flattening:
                    found.setdefault(heading, []).append("\n".join(block))
                block = None
        elif isinstance(block, list):
            block.append(line)
        elif line.startswith("## "):
            flattening = line == "## CFG Flattening"
        elif line.startswith("#### Example: "):
            heading = line[len("#### Example: "):]
    return found


def flat(circ, folder, text):
    path = os.path.join(folder, "listing.cir")
    with open(path, "w", encoding="utf-8") as out:
        out.write(HEAD + text + "\n")
    done = subprocess.run([circ, "--emit=flat", path, "-o", "-"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{done.stderr}\n{text}")
    return done.stdout


def as_resume(text):
    return re.sub(r"cir\.resume.*", "cir.resume", text)


def normal_path(text):
    """Ops without branches, in order: the blocks of unwinding, names, alignments and destination numbers left out."""
    out, unwinding = [], False
    for line in text.split("\n"):
        unwinding = unwinding or "cir.eh.initiate" in line
        if not unwinding and "cir." in line and not re.search(r"cir\.br |^ *\^bb", line):
            line = re.sub(r" \^bb\d+, \^bb\d+", "", line).replace("cir.try_call", "cir.call")
            line = re.sub(r'(slot) ?"|align\(\d\) |cleanup_dest_slot (?=:)', r"\1", line)
            line = re.sub(r"%\w+|\^bb\d+", "%", line)
            out.append(re.sub(r"#cir\.int<[012]>", "#cir.int<N>", line))
        unwinding = unwinding and "cir.resume" not in line
    return "\n".join(out)


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
        for example, view in (("Try-catch with cleanup", str), ("Cleanup with unhandled exception", as_resume),
                              ("Shared cleanups", normal_path)):
            structured, expected = (view(flat(options.circ, folder, text)) for text in found[example][:2])
            if structured != expected:
                failed += 1
                print(f"FAILED {example}\n--- the document\n{expected}\n--- circ\n{structured}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
