#!/usr/bin/env python3
"""Compares random programs with faults and checks (faults.py), compiled by circ, with the interpreter, trace by trace.

    fault_run.py --circ build/bin/circ --interpret build/tests/interpret --seeds 100:110
    fault_run.py … --libraries mingw,msvc --wine build/tests/wine-prefix
    fault_run.py … --libraries aarch64    # under qemu

As own_run.py, which explains the options; --levels may end in +implicit: with --faults=implicit (ELF). For windows-msvc functions of C++, the runtime's
too, see the system's exceptions (--eh=async). planted.md has the bugs that were planted to see whether this finds them.
"""
import os
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import faults  # noqa: E402
import own_run  # noqa: E402
import run as twins  # noqa: E402


class Bench(own_run.Bench):
    programs = faults
    asynchronous = {"msvc"}

    def compile(self, source, target, library, level):
        more = ["-fasync-exceptions"] if library in self.asynchronous else []
        super().compile(source, target, library, level, more)

    def seed(self, seed):
        self.made = {}
        self.of_circ = seed % 2 == 0
        return super().seed(seed)

    def wanted(self, seed):
        """With --eh=async LLVM orders the tables of circ's functions wrongly, so that a module for windows-msvc has functions of one runtime."""
        if "msvc" in self.libraries:
            return {"only": "circ" if self.of_circ else "cxx"}
        return {}

    def text(self, seed):
        """Where `long double` is not x87's it has as many bytes, all of which count."""
        text, features = super().text(seed)
        return text.replace("!cir.f80", "!cir.f128") if "aarch64" in self.libraries else text, features

    def traces_of_circ(self, cir, level, library):
        """The object is the same for all libraries of a target."""
        row = twins.LIBRARIES[library]
        if row.get("jit"):
            return super().traces_of_circ(cir, level, library)
        optimized, _, implicit = level.partition("+")
        options = [f"-{optimized}", *row["circ"], *(["--faults=implicit"] if implicit else []), *(["--eh=async"] if library in self.asynchronous and not self.of_circ else [])]
        made = self.made.get(tuple(options))
        target = self.path(f"circ{level}.{library}.o")
        if made:
            shutil.copy(made, target)
        else:
            twins.run([self.circ, *options, "-c", cir, "-o", target])
            self.made[tuple(options)] = target
        return self.traces(target, library)


if __name__ == "__main__":
    sys.exit(own_run.main(__doc__, Bench))
