#!/usr/bin/env python3
"""dll.py --circ CIRC --clang CLANG --wine PREFIX

Exceptions cross the border between a DLL made by circ and a program made by clang, both ways and through it: dll/library.cir,
dll/program.cpp, linked by circ, run under Wine.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "wine"))
import wine  # noqa: E402

SKIPPED = 77
TARGET = "--target=x86_64-pc-windows-msvc"
EXPECTED = """the program caught Base 5
the DLL caught Base 6
through the DLL: int 7
"""


def check(o, level, folder):
    def call(*command):
        subprocess.run(command, cwd=folder, check=True, timeout=120)

    call(o.clang, TARGET, level, "-fexceptions", "-c", str(HERE / "dll/program.cpp"), "-o", "program.obj")
    call(o.circ, TARGET, level, "-shared", str(HERE / "dll/library.cir"), "-Wl,/export:throw_in_dll", "-Wl,/export:catch_in_dll",
         "-o", "library.dll")
    call(o.circ, TARGET, "program.obj", "library.lib", "-o", "program.exe")
    done = wine.Wine(o.wine).run([os.path.join(folder, "program.exe")], timeout=120)
    got = done.stdout.replace("\r\n", "\n")
    if got != EXPECTED or done.returncode != 0:
        print(f"{level}: expected\n{EXPECTED}got, with status {done.returncode},\n{got}{done.stderr}")
        return 1
    return 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--circ", required=True)
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--wine", required=True)
    o = parser.parse_args()
    o.circ = os.path.abspath(o.circ)
    try:
        with tempfile.TemporaryDirectory() as folder:
            return check(o, "-O0", folder) or check(o, "-O2", folder)
    except wine.Missing as missing:
        print("SKIPPED:", missing)
        return SKIPPED
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        print(error)
        return 1


if __name__ == "__main__":
    sys.exit(main())
