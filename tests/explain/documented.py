#!/usr/bin/env python3
"""The sessions of docs/explain.md show what happens.

    documented.py --circ build/bin/circ DOCUMENT EXAMPLES [--write]

A block that begins with "$ " is a session: its commands run in one folder, which has the examples, one after the other; under each
stands what it prints. Addresses differ from compiler to compiler and are not compared. What --write finds it puts into the document.
"""
import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
BLOCK = re.compile(r"^```\n(\$ .*?)^```$", re.M | re.S)


def sessions(text):
    """For each block its commands, with the text that stands under each."""
    for block in BLOCK.finditer(text):
        parts = re.split(r"^\$ (.*)\n", block.group(1), flags=re.M)[1:]
        yield block, list(zip(parts[::2], parts[1::2]))


def run(command, circ, folder):
    path = os.path.dirname(circ) + os.pathsep + os.environ["PATH"]
    done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, env={**os.environ, "PATH": path}, check=False)
    return done.stdout + done.stderr


def without_addresses(text):
    return re.sub(r"0x[0-9a-f]+", "0x", text)


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--circ", required=True)
    args.add_argument("--write", action="store_true")
    args.add_argument("document")
    args.add_argument("examples")
    options = args.parse_args()
    with open(options.document, encoding="utf-8") as file:
        text = file.read()
    if "clang++" in text and not shutil.which("clang++-22"):
        print("SKIPPED: clang++-22 is not installed")
        return SKIPPED
    failed = commands = 0
    written = text
    with tempfile.TemporaryDirectory() as folder:
        for path in glob.glob(os.path.join(options.examples, "*.c*")):
            shutil.copy(path, folder)
        for block, session in sessions(text):
            shown = ""
            for command, expected in session:
                found = run(command, os.path.abspath(options.circ), folder)
                shown += f"$ {command}\n{found}"
                commands += 1
                if without_addresses(found) != without_addresses(expected):
                    failed += 1
                    print(f"$ {command}\nexpected:\n{expected}found:\n{found}")
            written = written.replace(block.group(0), f"```\n{shown}```")
    if options.write:
        with open(options.document, "w", encoding="utf-8") as file:
            file.write(written)
        return 0
    print(f"{commands} commands, {failed} differ")
    return 1 if failed or not commands else 0


if __name__ == "__main__":
    sys.exit(main())
