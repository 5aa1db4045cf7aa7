#!/usr/bin/env python3
"""Every block marked `cir` in README.md and in the pages below docs/ is a module that compiles.

Those of README.md and docs/getting-started.md, which readers begin with, are of the newest grammar.

A block marked `cir windows` is compiled for windows-msvc; others for x86_64 Linux. One marked `cir verified` is what nothing lowers yet.
"""
import argparse, glob, os, re, subprocess, sys

BLOCK = re.compile(r"^```cir( windows| verified)?\n(.*?)^```$", re.M | re.S)
TRIPLE = {"": "x86_64-pc-linux-gnu", " windows": "x86_64-pc-windows-msvc"}

NEWEST = ("README.md", "getting-started.md")


def pages(root):
    return [os.path.join(root, "README.md")] + sorted(glob.glob(os.path.join(root, "docs/**/*.md"), recursive=True))


def compile_block(circ, target, text, options):
    command = [circ, "--verify-only", "-"]
    if target in TRIPLE:
        command = [circ, "-c", "-", "-o", "/dev/null", "--verify-each", "--target=" + TRIPLE[target]]
    return subprocess.run(command + options, input=text, capture_output=True, text=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--circ", required=True)
    parser.add_argument("root")
    args = parser.parse_args()
    blocks = wrong = 0
    for page in pages(args.root):
        text = open(page).read()
        options = ["--from=newest"] if os.path.basename(page) in NEWEST else []
        for block in BLOCK.finditer(text):
            result = compile_block(args.circ, block[1] or "", block[2], options)
            blocks += 1
            if result.returncode or result.stderr:
                wrong += 1
                line = text.count("\n", 0, block.start(2))
                print("%s: the block after line %d:\n%s" % (os.path.relpath(page, args.root), line, result.stderr))
    print("%d blocks, %d wrong" % (blocks, wrong))
    return wrong > 0 or blocks == 0


sys.exit(main())
