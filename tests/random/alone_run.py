#!/usr/bin/env python3
"""Compares random programs that have exceptions of circ's own runtime alone (alone.py), compiled without tables, with the interpreter.

    alone_run.py --circ build/bin/circ --interpret build/tests/interpret --seeds 100:110
    alone_run.py … --libraries sjlj-mingw,sjlj-msvc --wine build/tests/wine-prefix
    alone_run.py … --libraries libc++     # with tables
    alone_run.py … --libraries aarch64,sjlj-aarch64    # under qemu
    alone_run.py … --libraries wasm       # by node; with C++ between, its exceptions come to filters late there

The options are those of own_run.py. sjlj: `.eh_frame` is taken out of ELF programs, so that nothing can be found by it.
"""
import os
import subprocess
import sys

sys.dont_write_bytecode = True
import alone  # noqa: E402
import own_run  # noqa: E402
import run as twins  # noqa: E402

ARM = "sjlj-aarch64"
twins.LIBRARIES["aarch64"]["compile"] = ["-DOWN_ALONE"]
SJLJ = {"sjlj": "libstdc++", "sjlj-mingw": "mingw", "sjlj-msvc": "msvc", ARM: "aarch64"}
for name, tables in SJLJ.items():
    row = twins.LIBRARIES[tables]
    twins.LIBRARIES[name] = {**row, "circ": [*row["circ"], "--eh=sjlj"], "compile": [*row["compile"], "-DOWN_ALONE"]}


class Bench(own_run.Bench):
    programs = alone

    def support(self, library):
        objects = super().support(SJLJ.get(library, library))
        if library not in SJLJ:
            return objects
        objects = [self.object(source, library) for source in self.sources]
        tables = super().support(SJLJ[library])[-1]
        return objects + ([tables.replace("libcircrt.a", "libcircrt-sjlj.a")] if tables.endswith(".a") else [])

    def link(self, program, library):
        exe = super().link(program, library)
        if library in ("sjlj", ARM):
            subprocess.run(["aarch64-linux-gnu-objcopy" if library == ARM else "objcopy", "--remove-section=.eh_frame", "--remove-section=.eh_frame_hdr", exe], check=True)
        return exe


if __name__ == "__main__":
    sys.exit(own_run.main(__doc__, Bench))
