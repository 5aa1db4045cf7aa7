#!/usr/bin/env python3
"""Real input: every module of the corpus is read, verified, printed, read back and printed again identically, flattened and
verified.

    run.py --circ build/bin/circ CORPUS [NAME…]

The corpus stays outside the tree; where it is absent the test says so and is skipped.
"""
import argparse
import lzma
import os
import subprocess
import sys
import tempfile

SKIPPED = 77


def run(argv):
    done = subprocess.run(argv, capture_output=True, timeout=120, check=False)
    if done.returncode:
        message = done.stderr.decode(errors="replace").splitlines()
        raise RuntimeError(f"{' '.join(argv[1:-1])}: exit status {done.returncode}: {message[0] if message else ''}")
    return done.stdout


def check(circ, path, folder):
    source = os.path.join(folder, "source.cir")
    printed = os.path.join(folder, "printed.cir")
    with open(source, "wb") as out:
        out.write(lzma.open(path).read())
    for flags in (["--emit=cir"], ["--emit=cir", "--print-locations"]):
        first = run([circ, *flags, "-o", "-", source])
        with open(printed, "wb") as out:
            out.write(first)
        if run([circ, *flags, "-o", "-", printed]) != first:
            raise RuntimeError(f"{' '.join(flags)}: what was printed reads back as something else")
    flat = run([circ, "--emit=flat", "--verify-each", "-o", "-", source])
    with open(printed, "wb") as out:
        out.write(flat)
    run([circ, "--verify-only", printed])


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--circ", required=True)
    args.add_argument("corpus")
    args.add_argument("names", nargs="*")
    options = args.parse_args()
    if not os.path.isdir(options.corpus):
        print(f"SKIPPED: {options.corpus} is absent: real input was NOT tested")
        return SKIPPED
    names = options.names or sorted(f[: -len(".cir.xz")] for f in os.listdir(options.corpus) if f.endswith(".cir.xz"))
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            try:
                check(options.circ, os.path.join(options.corpus, name + ".cir.xz"), folder)
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                failed += 1
                print(f"{name}: {error}")
    print(f"{len(names)} modules, {len(names) - failed} read, printed and flattened as they should be")
    return 1 if failed or not names else 0


if __name__ == "__main__":
    sys.exit(main())
