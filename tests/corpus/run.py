#!/usr/bin/env python3
"""Real input: the modules of the corpus, from text to running programs.

    run.py --circ build/bin/circ CORPUS [NAME…]                  read, printed, read back and printed again identically, flattened
    run.py --circ build/bin/circ --programs CORPUS [NAME…]       compiled at -O0 and -O2, linked with libc++, run; compared with
                                                                 expect.tsv and NAME.out; and run with the first, the second, …
                                                                 allocation failing (allocations.cpp), of at most 100
    run.py --circ build/bin/circ --windows CORPUS [NAME…]        compiled for windows-msvc: an object, or a diagnostic with a place
    run.py --circ build/bin/circ --arm CORPUS [NAME…]            compiled for AArch64 at -O0 and -O2, without what the text says of CPUs;
                                                                 with --root, where arm64's libc++ is (./bootstrap deps aarch64-cross
                                                                 makes build/aarch64-root), linked, run under qemu and compared
    run.py --circ build/bin/circ --wine PREFIX CORPUS [NAME…]    compiled for windows-msvc at -O0 and -O2, linked with what windows.c
                                                                 has of libc++, run under Wine; compared as --programs does

The corpus stays outside the tree; where it is absent the test says so and is skipped.
"""
import argparse
import lzma
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(os.path.dirname(HERE), "wine"))

import wine  # noqa: E402

SKIPPED = 77
ALLOCATIONS = 100
WINDOWS = "--target=x86_64-pc-windows-msvc"
ARM = "--target=aarch64-linux-gnu"
OF_CPU = re.compile(rb'"?(?:cir\.)?"?(?:target-cpu|tune-cpu|target-features)"? = "[^"]*",? ?')

# Modules that do not do what the program that they were made from does. What each does instead is checked, so that a row
# does not outlive its reason.
KNOWN = {
    # The handler of a constructor's function-try-block ends without the `throw;` that C++ puts there.
    "try_catch__try-catch_tryblock_04": {"status": 0, "without": b"Handler in main(): Exception in A()\n"},
    # Prints variables that nothing was read into: what they hold is anybody's guess.
    "stream__istream_operator_short": {"status": 0, "numbers": True},
}

# Modules that call more of libc++'s library than windows.c has.
NOT_ON_WINDOWS = {"stream__istream_operator_short", "stream__istream_putback_1", "stream__ostream_tellp_1", "string__string_insert_6"}


class Failure(Exception):
    pass


def run(argv, **more):
    done = subprocess.run(argv, capture_output=True, timeout=120, check=False, **more)
    if done.returncode:
        message = done.stderr.decode(errors="replace").splitlines()
        raise Failure(f"{' '.join(argv[1:-1])}: exit status {done.returncode}: {message[0] if message else ''}")
    return done.stdout


def unpack(options, name, folder):
    source = os.path.join(folder, "source.cir")
    with open(source, "wb") as out:
        out.write(lzma.open(os.path.join(options.corpus, name + ".cir.xz")).read())
    return source


def check_text(options, name, folder):
    circ, source = options.circ, unpack(options, name, folder)
    printed = os.path.join(folder, "printed.cir")
    for flags in (["--emit=cir"], ["--emit=cir", "--print-locations"]):
        first = run([circ, *flags, "-o", "-", source])
        with open(printed, "wb") as out:
            out.write(first)
        if run([circ, "--from=newest", *flags, "-o", "-", printed]) != first:
            raise Failure(f"{' '.join(flags)}: what was printed reads back as something else")
    for form in ("flat", "abi"):
        text = run([circ, f"--emit={form}", "--verify-each", "-o", "-", source])
        with open(printed, "wb") as out:
            out.write(text)
        run([circ, "--from=newest", "--verify-only", printed])


def expected(options, name):
    with open(os.path.join(options.corpus, "expect.tsv"), encoding="utf-8") as table:
        status = dict(line.rstrip("\n").split("\t") for line in table)[name]
    path = os.path.join(options.corpus, name + ".out")
    output = b""
    if os.path.exists(path):
        with open(path, "rb") as out:
            output = out.read()
    known = KNOWN.get(name, {})
    if "without" in known:
        output = output.replace(known["without"], b"")
    return known.get("status", int(status)), known.get("stdout", output), known.get("numbers", False)


def compare(level, done, wanted):
    status, output, any_number = wanted
    got_status = done.returncode if done.returncode >= 0 else 128 - done.returncode
    got = done.stdout
    if any_number:
        got, output = (re.sub(rb"-?\d+", b"N", text) for text in (got, output))
    if got_status != status:
        raise Failure(f"{level}: exit status {got_status}, expected {status}: {done.stderr.decode(errors='replace')[:200]}")
    if got != output:
        raise Failure(f"{level}: prints {got[:200]!r}, expected {output[:200]!r}")


def check_program(options, name, folder):
    source = unpack(options, name, folder)
    for level in ("-O0", "-O2"):
        obj, exe = os.path.join(folder, "module.o"), os.path.join(folder, "program")
        run([options.circ, "-c", level, "--verify-each", "-o", obj, source])
        run([options.clang, "-stdlib=libc++", obj, "-lc++abi", "-lunwind", "-o", exe])
        done = subprocess.run([exe], stdin=subprocess.DEVNULL, capture_output=True, timeout=300, check=False, cwd=folder)
        compare(level, done, expected(options, name))
        check_allocations(options, level, obj, folder)


def check_allocations(options, level, obj, folder):
    """The exception of each allocation that fails comes out of main(), and everything is freed on its way."""
    source, wrapper = os.path.join(HERE, "allocations.cpp"), os.path.join(folder, "allocations.o")
    exe = os.path.join(folder, "allocations")
    if not os.path.exists(wrapper):
        run([options.clang, "-stdlib=libc++", "-std=c++17", "-O1", "-c", source, "-o", wrapper])
    run([options.clang, "-stdlib=libc++", "-Wl,--wrap=main", obj, wrapper, "-lc++abi", "-lunwind", "-o", exe])
    for number in range(1, ALLOCATIONS + 1):
        done = subprocess.run([exe, str(number)], stdin=subprocess.DEVNULL, capture_output=True, timeout=300, check=False, cwd=folder)
        if done.returncode == 3:
            return
        if done.returncode:
            raise Failure(f"{level}: allocation {number} fails: exit status {done.returncode}, expected 0")
        options.failures += 1


def check_windows(options, name, folder):
    source = unpack(options, name, folder)
    argv = [options.circ, "-c", WINDOWS, "-o", os.path.join(folder, "module.obj"), source]
    done = subprocess.run(argv, capture_output=True, timeout=120, check=False)
    message = done.stderr.decode(errors="replace")
    if done.returncode not in (0, 1) or (done.returncode == 1 and "error: " not in message):
        raise Failure(f"exit status {done.returncode}: {message[:200]}")
    options.objects += done.returncode == 0
    if done.returncode and options.verbose:
        print(f"{name}: {message.splitlines()[0]}")


def check_arm(options, name, folder):
    source, obj, exe = unpack(options, name, folder), os.path.join(folder, "module.o"), os.path.join(folder, "program")
    with open(source, "rb") as text:
        stripped = OF_CPU.sub(b"", text.read())
    with open(source, "wb") as text:
        text.write(stripped)
    for level in ("-O0", "-O2"):
        run([options.circ, "-c", level, ARM, "--verify-each", "-o", obj, source])
        if options.root:
            libraries = [os.path.join(options.root, "usr/lib/llvm-22/lib", f"lib{library}.a") for library in ("c++", "c++abi")]
            run(["aarch64-linux-gnu-gcc", "-static", obj, *libraries, "-lpthread", "-lm", "-o", exe])
            done = subprocess.run(["qemu-aarch64", exe], stdin=subprocess.DEVNULL, capture_output=True, timeout=300, check=False, cwd=folder)
            compare(level, done, expected(options, name))


def check_wine(options, name, folder):
    if name in NOT_ON_WINDOWS:
        return
    source = unpack(options, name, folder)
    library, exe = os.path.join(folder, "windows.obj"), os.path.join(folder, "program.exe")
    if not os.path.exists(library):
        run([options.clang, "-x", "c", "-std=c17", "-Wall", "-Werror", "-ffreestanding", "-fno-builtin", "-O1", WINDOWS, "-c",
             os.path.join(HERE, "windows.c"), "-o", library])
    for level in ("-O0", "-O2"):
        run([options.circ, level, WINDOWS, "--verify-each", source, library, "-o", exe])
        done = options.wine.run_bytes([exe], timeout=300)
        done.stdout = done.stdout.replace(b"\r\n", b"\n")
        if done.returncode == 3 and done.stderr.startswith(b"terminating because of an uncaught exception"):
            done.returncode = 134  # abort(), on Windows
        compare(level, done, expected(options, name))


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--circ", required=True)
    args.add_argument("--programs", action="store_true")
    args.add_argument("--windows", action="store_true")
    args.add_argument("--arm", action="store_true")
    args.add_argument("--root", help="for --arm: a folder with arm64's libc++")
    args.add_argument("--wine", metavar="PREFIX")
    args.add_argument("--verbose", action="store_true")
    args.add_argument("corpus")
    args.add_argument("names", nargs="*")
    options = args.parse_args()
    if not os.path.isdir(options.corpus):
        print(f"SKIPPED: {options.corpus} is absent: real input was NOT tested")
        return SKIPPED
    options.clang = next((p for p in map(shutil.which, ("clang++-22", "clang++")) if p), None)
    if (options.programs or options.wine) and not options.clang:
        print("SKIPPED: no clang++ to link with: real programs were NOT run")
        return SKIPPED
    if options.wine:
        try:
            options.wine = wine.Wine(options.wine)
        except wine.Missing as missing:
            print(f"SKIPPED: {missing}: real programs were NOT run on Windows")
            return SKIPPED
    options.objects = options.failures = 0
    check = check_program if options.programs else check_windows if options.windows else check_arm if options.arm else check_wine if options.wine else check_text
    done = {check_program: "compiled, linked and run as they should be at -O0 and -O2",
            check_windows: "compiled for windows-msvc, or refused with a diagnostic",
            check_arm: f"compiled for AArch64{', linked and run as they should be' if options.root else ''} at -O0 and -O2",
            check_wine: "compiled for windows-msvc, linked and run as they should be at -O0 and -O2",
            check_text: "read, printed, flattened and lowered as they should be"}[check]
    names = options.names or sorted(f[: -len(".cir.xz")] for f in os.listdir(options.corpus) if f.endswith(".cir.xz"))
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            try:
                check(options, name, folder)
            except (Failure, subprocess.TimeoutExpired) as error:
                failed += 1
                print(f"{name}: {error}")
    more = f" ({options.objects} objects)" if options.windows else ""
    if options.programs:
        more = f"; {options.failures} times an allocation failed, and all was freed"
    if options.wine:
        names = [name for name in names if name not in NOT_ON_WINDOWS]
    print(f"{len(names)} modules, {len(names) - failed} {done}{more}")
    nothing_failed = options.programs and not options.failures
    return 1 if failed or not names or nothing_failed and not options.names else 0


if __name__ == "__main__":
    sys.exit(main())
