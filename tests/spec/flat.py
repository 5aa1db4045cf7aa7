#!/usr/bin/env python3
"""The flat listings of the design document are what circ makes of the structured ones: flat.py --circ CIRC --shared FOLDER

Both are printed by circ, so that numbering is no difference, and then they are compared as text: every op, edge and
block, in order. Four documented differences are taken out before: the document's `cir.resume` names no token; its
"Shared cleanups" is shown without exceptions (so its callees do not throw here, either), breaks straight code into several
blocks, and numbers the destinations of the slot in another order."""
import os
import re
import subprocess

import document

HEAD = """\
!rec_SomeClass = !cir.struct<"SomeClass" {data !s32i}>
cir.func private @_ZN9SomeClassC1Ev(!cir.ptr<!rec_SomeClass>)
cir.func private @_ZN9SomeClassD1Ev(!cir.ptr<!rec_SomeClass>) attributes {nothrow}
cir.func private @_ZN9SomeClass11doSomethingEv(!cir.ptr<!rec_SomeClass>)
cir.func private @_ZN9SomeClass3getEv(!cir.ptr<!rec_SomeClass>) -> !s32i
"""


def flat(circ, folder, text, head):
    path = os.path.join(folder, "listing.cir")
    with open(path, "w", encoding="utf-8") as out:
        out.write(head + text + "\n")
    done = subprocess.run([circ, "--emit=flat", path, "-o", "-"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{done.stderr}\n{text}")
    return done.stdout


def as_resume(text):
    return re.sub(r"cir\.resume.*", "cir.resume", text)


class Block:
    def __init__(self, label):
        self.label, self.ops = label, []


def blocks_of(text):
    """The function's blocks; an op is one line."""
    body = re.search(r"cir\.func @someFunc.*?\{\n(.*?)\n  \}", text, re.S).group(1)
    body = re.sub(r"\s*//.*", "", body)
    body = re.sub(r"\[\n(.*?)\]", lambda cases: "[" + " ".join(cases.group(1).split()) + "]", body, flags=re.S)
    blocks = [Block("^bb0")]
    for line in map(str.strip, body.split("\n")):
        label = re.match(r"(\^bb\d+).*:$", line)
        if label:
            blocks.append(Block(label.group(1)))
        else:
            blocks[-1].ops.append(line)
    return blocks


def join_straight_code(blocks):
    """A block that is only reached from the end of another one becomes part of it."""
    targets = [label for b in blocks for op in b.ops for label in re.findall(r"\^bb\d+", op)]
    by_label = {b.label: b for b in blocks}
    gone = set()
    for b in blocks:
        while b.label not in gone:
            target = re.fullmatch(r"cir\.br (\^bb\d+)", b.ops[-1])
            if not target or targets.count(target.group(1)) > 1:
                break
            b.ops[-1:] = by_label[target.group(1)].ops
            gone.add(target.group(1))
    return [b for b in blocks if b.label not in gone]


def number_destinations(text):
    """By the order in which they are stored in the slot."""
    slot = re.search(r'(%\w+) = cir\.alloca "__cleanup_dest_slot', text).group(1)
    stored = re.findall(rf"(%\w+) = cir\.const #cir\.int<(\d+)> : !s32i\ncir\.store \1, {slot} ", text)
    order = {number: f"D{place}" for place, number in enumerate(dict.fromkeys(n for _, n in stored))}
    for value, number in stored:
        text = text.replace(f"{value} = cir.const #cir.int<{number}>", f"{value} = cir.const #cir.int<{order[number]}>")
    return re.sub(r"(\d+): (?=\^bb)", lambda case: order[case.group(1)] + ": ", text)


def rename(text, pattern):
    """Names by the order in which they appear."""
    names = {}
    return re.sub(pattern, lambda name: names.setdefault(name.group(), f"{name.group()[0]}n{len(names)}"), text)


def without_splits(text):
    text = re.sub(r"align\(\d+\) |cleanup_dest_slot (?=:)|(?<=dest_slot) (?=\")", "", text)  # the document's are uneven
    text = "\n".join(line for b in join_straight_code(blocks_of(text)) for line in (b.label + ":", *b.ops))
    return rename(rename(number_destinations(text), r"%\d+"), r"\^bb\d+")


EXAMPLES = {  # how both sides are seen, and what is declared
    "Try-catch with cleanup": (str, HEAD),
    "Cleanup with unhandled exception": (as_resume, HEAD),
    "Shared cleanups": (without_splits, re.sub(r"(private .*\)(?: -> \S+)?)$", r"\1 attributes {nothrow}", HEAD, flags=re.M)),
}


def differences(circ, folder, found):
    for example, (view, head) in EXAMPLES.items():
        structured, expected = (view(flat(circ, folder, text, head)) for text in found[example][:2])
        if structured != expected:
            yield example, expected, structured


if __name__ == "__main__":
    document.main(__doc__, "## CFG Flattening", differences)
