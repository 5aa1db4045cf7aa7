#!/usr/bin/env python3
"""The Microsoft listings of the design document are what circ makes of the flat ones: microsoft.py --circ CIRC --shared FOLDER

Both are printed by circ, so that numbering is no difference."""
import os
import re
import subprocess

import document

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


def differences(circ, folder, found):
    for example in ("Try-catch with cleanup", "Try-catch with multiple catch handlers"):
        flat, expected = found[example]
        got = lowered(circ, folder, HEAD + flat)
        want = lowered(circ, folder, HEAD + LOWERED_HEAD + expected)
        if got != want:
            yield example, want, got


if __name__ == "__main__":
    document.main(__doc__, "### Microsoft", differences)
