#!/usr/bin/env python3
"""Measures `circ explain` on libraries against readelf and llvm-readobj, which print the same unwind tables. Prints a table in Markdown.

    bench/explain.py --circ build/bin/circ
    bench/explain.py --circ build/bin/circ --quick     # one round
    bench/explain.py --circ build/bin/circ FILE…       # other files

What is printed goes nowhere. `circ explain` reads the tables of the personalities as well, and names what they name; with --unwind-rows it prints the
rows that readelf prints. Memory is also given in sizes of the file, without what circ takes to start.
"""
import os
import sys

sys.dont_write_bytecode = True
import run as bench  # noqa: E402  (beside this file)

LIBRARIES = "/usr/lib/x86_64-linux-gnu"
# The largest library with tables of C++, one of a fifth of its size, and a small one; the same for Windows.
FILES = [f"{LIBRARIES}/libLLVM.so.22.1", f"{LIBRARIES}/libz3.so.4", f"{LIBRARIES}/libstdc++.so.6",
         "/usr/lib/gcc/x86_64-w64-mingw32/12-posix/libstdc++-6.dll", "/usr/lib/gcc/x86_64-w64-mingw32/12-posix/libgcc_s_seh-1.dll"]

OWN = ("circ explain", "circ explain --unwind-rows")


def is_elf(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def commands(circ, path):
    rows = {"circ explain": [circ, "explain", path], "circ explain --unwind-rows": [circ, "explain", "--unwind-rows", path]}
    readelf, readobj = bench.find("readelf"), bench.find("llvm-readobj")
    if readelf and is_elf(path):
        rows["readelf"] = [readelf, "--debug-dump=frames", path]
    if readobj:
        rows["llvm-readobj"] = [readobj, "--unwind", path]
    return rows


def measure(circ, path, rounds, start):
    """A row for each command: what it takes, and what `circ explain` takes by it."""
    size, rows = os.path.getsize(path) / 2**20, []
    figures = bench.compare(rounds, commands(circ, path))
    seconds, memory = figures["circ explain"]
    for name, (peer_seconds, peer_memory) in figures.items():
        own = name in OWN
        about = ["", ""] if rows else [os.path.basename(path), f"{size:.1f}"]
        ratios = ["", ""] if own else [f"**{seconds / peer_seconds:.2f}**", f"**{memory / peer_memory:.2f}**"]
        rows.append([*about, f"`{name}`", f"{peer_seconds:.2f}", f"{peer_memory:.0f}", f"{(peer_memory - start * own) / size:.2f}", *ratios])
    return rows


def main():
    args = bench.arguments(__doc__, quick="one round")
    args.add_argument("files", nargs="*")
    options = args.parse_args()
    rounds = 1 if options.quick else 5
    start = bench.compare(1, {"start": [options.circ, "--version"]})["start"][1]
    print(f"\n### `circ explain` on libraries; the command itself takes {start:.0f} MiB\n")
    rows = []
    for path in options.files or FILES:
        if os.path.exists(path):
            rows += measure(options.circ, path, rounds, start)
        else:
            print(f"no {path}: left out\n")
    bench.table(["file", "MiB", "command", "CPU s", "memory MiB", "of its size", "CPU: circ / peer", "memory: circ / peer"], rows)


if __name__ == "__main__":
    main()
