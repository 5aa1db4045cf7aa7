#!/usr/bin/env python3
"""Measures structured CIR: the cost of flattening by size and by depth, and the objects against clang++'s.

    bench/structured.py --circ build/bin/circ

The programs that are compared are those of tests/random: each is printed as structured CIR and as the equivalent C++.
What C++ can only say by a class with members of its own is left out, since it is another program then: cleanups with
statements (a lambda in C++, in place in CIR), arrays on the heap. Sizes are text + exception tables + unwind tables;
run times are user time of the same traces, taken in turns.
"""
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, "..", "tests", "random"))
sys.path.insert(0, HERE)
import generate as programs  # noqa: E402
from run import arguments, describe, find, run as measure, table  # noqa: E402

SHAPES = {"cleanups one after another": False, "cleanups inside each other": True}
HEAD = "module {\ncir.func private @f()\ncir.func private @d() attributes {nothrow}\ncir.func @g() {\n"
CALL, DTOR = "cir.call @f() : () -> ()\n", "cir.call @d() : () -> ()\ncir.yield\n"
OPS_PER_SCOPE = 5
NOT_THE_SAME = ("cleanup", "dynamic_array", "heap_array")


def shape(nested, n):
    opening, closing = "cir.cleanup.scope {\n" + CALL, "cir.yield\n} cleanup all {\n" + DTOR + "}\n"
    body = opening * n + closing * n if nested else (opening + closing) * n
    return HEAD + body + "cir.return\n}\n}\n"


def flatten_ms(circ, path):
    """CPU time of the pass, as circ itself reports it; the least of several runs is the one least disturbed."""
    done = subprocess.run([circ, "--emit=flat", "--max-copied-ops=10000000", "--time-passes", path, "-o", "/dev/null"], capture_output=True, text=True,
                          check=True)
    return float(re.search(r"^flatten .*\s([0-9.]+)$", done.stderr, re.M).group(1))


def flattening(circ, folder, rounds, sizes):
    path = os.path.join(folder, "shape.cir")
    rows = []
    for title, nested in SHAPES.items():
        for n in sizes:
            with open(path, "w", encoding="ascii") as out:
                out.write(shape(nested, n))
            ms = min(flatten_ms(circ, path) for _ in range(rounds))
            rows.append([title, str(n), str(n * OPS_PER_SCOPE), f"{ms:.2f}", f"{ms * 1e6 / (n * OPS_PER_SCOPE):.0f}"])
    print("### Flattening\n")
    table(["shape", "scopes", "structured ops", "ms", "ns/op"], rows)


def size_of(tool, path):
    sections = subprocess.run([tool, "-A", path], capture_output=True, text=True, check=True).stdout
    return sum(int(line.split()[1]) for line in sections.splitlines()
               if line.startswith((".text", ".gcc_except_table", ".eh_frame")))


def link(clang, random, flags, objects, exe):
    subprocess.run([clang, "-w", "-std=gnu++14", "-stdlib=libc++", "-O1", "-I", random, os.path.join(random, "runtime.cpp"), *flags,
                    *objects, "-o", exe, "-lc++abi", "-lunwind"], check=True)


def generated_code(circ, clang, size, folder, rounds, count):
    random = os.path.join(HERE, "..", "tests", "random")
    cir, cpp, names = (os.path.join(folder, name) for name in ("p.cir", "p.cpp", "table.cpp"))
    texts = programs.generate(20260101, count, leave_out=NOT_THE_SAME)
    for path, text in ((cir, texts[0]), (cpp, texts[1])):
        with open(path, "w", encoding="ascii") as out:
            out.write(text)
    with open(names, "w", encoding="ascii") as out:
        tests = [f"test_{n}" for n in range(count)]
        out.write("extern \"C\" {" + "".join(f"int {t}();" for t in tests) + "extern int (*const tests[])(); "
                  "extern const unsigned ntests; int (*const tests[])() = {" + ",".join(tests) + "}; "
                  f"const unsigned ntests = {count}; extern void (*const at_start)(); void (*const at_start)() = nullptr; }}\n")
    rows = []
    for level in ("-O0", "-O2"):
        ours, theirs = (os.path.join(folder, f"{name}{level}") for name in ("circ", "clang"))
        subprocess.run([circ, level, "-c", cir, "-o", ours + ".o"], check=True)
        subprocess.run([clang, level, "-w", "-std=gnu++14", "-stdlib=libc++", "-I", random, "-c", cpp, "-o", theirs + ".o"],
                       check=True)
        for program in (ours, theirs):
            link(clang, random, [names], [program + ".o"], program)
        times = {program: [] for program in (ours, theirs)}
        for _ in range(rounds + 1):
            for program, figures in times.items():
                figures.append(measure([program, "20"])[0])
        seconds = [statistics.median(figures[1:]) for figures in times.values()]
        sizes = [size_of(size, program + ".o") for program in (ours, theirs)]
        rows.append([level, str(sizes[0]), str(sizes[1]), f"**{sizes[0] / sizes[1]:.2f}**", f"{seconds[0]:.2f} s",
                     f"{seconds[1]:.2f} s", f"**{seconds[0] / seconds[1]:.2f}**"])
    print(f"### Objects of {count} random programs against clang++'s, bytes of text + tables, and run time\n")
    print("Without cleanups that hold statements and arrays on the heap: in C++ those are classes and lambdas, another program.\n")
    table(["level", "circ", "clang++", "ratio", "circ", "clang++", "ratio"], rows)


def main():
    options = arguments(__doc__, quick="fewer scopes, programs and rounds").parse_args()
    circ, clang, size = options.circ, find("clang++"), find("llvm-size")
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    describe(circ, clang)
    rounds = 3 if options.quick else 7
    with tempfile.TemporaryDirectory() as folder:
        flattening(circ, folder, rounds, (200, 2000, 20000) if options.quick else (200, 2000, 20000, 100000, 200000))
        if clang and size:
            generated_code(circ, clang, size, folder, rounds, 50 if options.quick else 200)
        else:
            print("clang++ or llvm-size is not installed: generated code is left out.\n")


if __name__ == "__main__":
    main()
