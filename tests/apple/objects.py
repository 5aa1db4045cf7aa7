#!/usr/bin/env python3
"""Objects for macOS next to clang's: nothing here runs.

    objects.py programs --circ CIRC [--clang CLANG++] [--every N] [PROGRAM...]   the programs of tests/e2e, next to their C++ twins at -O0: how each
                                                                                function that both have is unwound, and what it catches
    objects.py symbols --circ CIRC [--clang CLANG++]                            symbols.cir next to symbols.cpp, and layers.cir next to layers.c

Exit status: 0 the same, 1 differences, 77 not possible here.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent / "e2e"), str(HERE.parent / "wine")]
import macho  # noqa: E402
import run as e2e  # noqa: E402  (tests/e2e/run.py)

SKIPPED = 77
TRIPLE = "arm64-apple-macosx11.0"
NOT_THERE = "there is no libcircrt for it|thread-local variables with a wrapper|must be 'SEGMENT,SECTION'|faults are no exceptions"
# Twins that are another program: function, and why.
OTHERWISE = {
    "3_clauses_are_transitive": "clang lists clauses again that an inner landing pad has refused",
    "5_structured_cleanup_with_a_try": "the cleanup of the twin is a function that is not inlined",
    "6_begin_catch_gives_the_object": "the twin has two handlers in one try",
    "function_try": "the function of the twin constructs an object, whose constructor has the handlers",
    "local_types": "the handlers of the twin are in the function, those of the text in one that it calls",
    "try_in_cleanup": "the cleanup of the twin is a function that is not inlined",
    "try_in_handler_in_cleanup": "the cleanup of the twin is a function that is not inlined",
}
NO_HEADER = r"set_unexpected|aligned_alloc|->name\(\)"  # of the headers at hand


def typed(catches):
    """What is caught by type. Twins have destructors that do not throw, whose calls are in a catch-all that terminates; and where nothing is caught
    in the end, one has a cleanup and the other a handler that rethrows."""
    chains = {tuple(name for name in chain if name != "cleanup") for chain in catches or ()}
    return chains - {(), ("...",)}


def run(argv):
    done = subprocess.run([str(word) for word in argv], capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        raise e2e.Failure(f"{' '.join(map(str, argv))}: exit status {done.returncode}\n{done.stderr}")


class Programs:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.compiled = self.same = self.different = self.left_out = 0

    def circ(self, source, level, more):
        path = self.folder / "circ.o"
        run([self.options.circ, f"--target={TRIPLE}", *more, level, "-c", source, "-o", path])
        return macho.MachO(path).unwinding()

    def program(self, path):
        text = path.read_text(encoding="utf-8")
        header, name = e2e.Header(text), path.name.removesuffix(".in").removesuffix(".cir")
        if header.errors or header.form != ["flat"] or "aarch64" not in header.pairs or "aarch64" in header.excluded:
            return
        source = self.folder / f"{name}.cir"
        source.write_text(e2e.insert_listings(text, self.options.shared), encoding="utf-8")
        try:
            self.circ(source, "-O2", header.circ)
            ours = self.circ(source, "-O0", header.circ)
        except e2e.Failure as error:
            if not re.search(NOT_THERE, str(error)):
                raise
            self.left_out += 1
            return
        self.compiled += 1
        beside = path.with_name(f"{name}.cpp")
        if not beside.exists() or "#ifdef TWIN" not in beside.read_text(encoding="utf-8"):
            return
        twin = self.folder / "clang.o"
        if re.search(NO_HEADER, beside.read_text(encoding="utf-8")):
            return
        run([self.options.clang, *e2e.CXX_FLAGS, f"--target={TRIPLE}", "-ffreestanding", "-nostdinc++", "-isystem", HERE.parent / "windows" / "include", "-w", "-O0", "-DTWIN", "-c", beside, "-o", twin])
        theirs, different = macho.MachO(twin).unwinding(), self.different
        for function in ours.keys() & theirs.keys():
            a, b = ours[function], theirs[function]
            if (a.mode == "dwarf") == (b.mode == "dwarf") and typed(a.catches) == typed(b.catches):
                self.same += 1
            elif name not in OTHERWISE:
                self.different += 1
                print(f"{name} {function}\n  circ  {a}\n  clang {b}")
            else:
                different -= 1
        if name in OTHERWISE and different == self.different:
            self.different += 1
            print(f"{name} is like its twin now: it need not be in OTHERWISE")


def programs(options, folder):
    work = Programs(options, folder)
    kinds = ("contract", "language", "programs")
    for path in options.programs or [p for kind in kinds for p in sorted((HERE.parent / "e2e" / kind).glob("*.cir*"))][::options.every]:
        try:
            work.program(path.resolve())
        except (macho.Wrong, e2e.Failure) as error:
            work.different += 1
            print(f"{path.name}: {error}"[:2000])
        except e2e.Skip as why:
            print(f"{path.name} left out: {why}")
    print(f"{work.compiled} programs, {work.left_out} that the target does not have; {work.same} functions as clang's, {work.different} differences")
    return 1 if work.different or not work.same else 0


# Symbols

def symbols(options, folder):
    wrong = 0
    for level in ("-O0", "-O2"):
        for ours, theirs in (("symbols.cir", "symbols.cpp"), ("plain.cir", "plain.c")):
            paths = folder / "circ.o", folder / "clang.o"
            run([options.circ, f"--target={TRIPLE}", level, "-c", HERE / ours, "-o", paths[0]])
            run([options.clang, f"--target={TRIPLE}", level, "-w", *(["-x", "c++"] if theirs.endswith("cpp") else ["-x", "c", "-fcommon"]), "-c", HERE / theirs, "-o", paths[1]])
            found = [{(row[0].removesuffix(".cpp").removesuffix(".cir"), *row[1:]) for row in macho.MachO(path).described()} for path in paths]
            for who, rest in (("circ ", found[0] - found[1]), ("clang", found[1] - found[0])):
                for row in sorted(rest):
                    wrong += 1
                    print(f"{ours} {level} {who} {row}")
            print(f"{ours} {level}: {len(found[1])} symbols")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["programs", "symbols"])
    parser.add_argument("--circ", required=True)
    parser.add_argument("--clang", default=shutil.which("clang++-22") or "clang++")
    parser.add_argument("--shared", default=str(HERE.parents[2] / "shared"), help="folder with specs/")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each Nth program alone")
    parser.add_argument("programs", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    if not shutil.which(options.clang):
        print("SKIPPED: no clang++ to compare with: objects for macOS were NOT compared")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        return (programs if options.what == "programs" else symbols)(options, pathlib.Path(folder))


if __name__ == "__main__":
    sys.exit(main())
