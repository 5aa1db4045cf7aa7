#!/usr/bin/env python3
"""The programs of tests/e2e/programs that are written twice, in CIR and in C++: what circ -O2 makes of the one against what clang++ -O2
makes of the other.

    bench/programs.py --circ build/bin/circ

Both objects are linked with the same others: of what stands in a twin's file, TWIN_ALONE leaves out what is C++ beside circ's object, too.
Size is text + exception tables + unwind tables of the two. Time is counted in instructions, by valgrind's callgrind: those of the
program's own code, not of the C and C++ libraries, which are the same. Both are the same on every run of one machine.
"""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, HERE)
from run import arguments, find, table  # noqa: E402
from structured import size_of  # noqa: E402

E2E = os.path.join(HERE, "..", "tests", "e2e")
PROGRAMS = ("json_parser", "bank_transfer", "expression_tree", "matrix_kernel", "string_table", "state_machine", "generators")


def instructions(exe, folder):
    """Those executed in the program's own file."""
    out = os.path.join(folder, "callgrind.out")
    subprocess.run(["valgrind", "-q", "--tool=callgrind", "--compress-strings=no", "--compress-pos=no",
                    "--callgrind-out-file=" + out, exe], stdout=subprocess.DEVNULL, check=True)
    total, ours, call = 0, False, False
    with open(out, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if line.startswith("ob="):
                ours = os.path.realpath(line[3:].strip()) == os.path.realpath(exe)
            elif line.startswith("calls="):
                call = True  # the next line is what the callee and its callees took
            elif re.match(r"[0-9+*-]", line):
                if ours and not call:
                    total += int(line.split()[1])
                call = False
    return total


class Bench:
    def __init__(self, circ, folder):
        self.circ, self.folder = circ, folder
        self.clang, self.size = find("clang++"), find("llvm-size")
        self.support = [self.cxx(os.path.join(E2E, "support", name + ".cpp"), name) for name in ("events", "main")]

    def cxx(self, path, name, *flags):
        o = os.path.join(self.folder, name + ".o")
        subprocess.run([self.clang, "-O2", "-w", "-std=gnu++14", "-stdlib=libc++", "-I", os.path.join(E2E, "support"),
                        '-DE2E_RUNTIME="libc++abi"', '-DE2E_UNWINDER="libunwind"', *flags, "-c", path, "-o", o], check=True)
        return o

    def program(self, o, beside, name, with_main):
        exe = os.path.join(self.folder, name)
        subprocess.run([self.clang, "-stdlib=libc++", o, beside, *self.support[:1 + with_main], "-lc++abi", "-lunwind", "-o", exe], check=True)
        return instructions(exe, self.folder), size_of(self.size, o)

    def row(self, name):
        source = os.path.join(E2E, "programs", name)
        with open(source + ".cpp", encoding="utf-8") as f:
            has_main = "int main(" in f.read()
        o = os.path.join(self.folder, "circ.o")
        subprocess.run([self.circ, "-O2", "-c", source + ".cir", "-o", o], check=True)
        beside = self.cxx(source + ".cpp", "beside")
        ours = self.program(o, beside, "ours", not has_main)
        theirs = self.program(self.cxx(source + ".cpp", "twin", "-DTWIN", "-DTWIN_ALONE"), beside, "theirs", not has_main)
        return [name, *(f for i in range(2) for f in (str(ours[i]), str(theirs[i]), f"**{ours[i] / theirs[i]:.2f}**"))]


def main():
    options = arguments(__doc__).parse_args()
    if not find("clang++") or not find("valgrind"):
        print("clang++ or valgrind is not installed: programs are left out.\n")
        return
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options.circ, folder)
        print("### Programs in CIR and their twins in C++, both at -O2: instructions and bytes\n")
        table(["program", "circ", "clang++", "ratio", "bytes", "clang++", "ratio"], [bench.row(name) for name in PROGRAMS])


if __name__ == "__main__":
    main()
