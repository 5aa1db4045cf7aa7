#!/usr/bin/env python3
"""Compares random programs compiled by circ with their C++ twins, trace by trace.

    run.py --circ build/bin/circ --seeds 100:110           # seeds 100 to 109
    run.py --circ build/bin/circ --seeds 0:400 --count 50  # 20,000 programs
    run.py --circ build/bin/circ --libraries jit-libc++,jit-libstdc++    # in circ's process
    run.py --circ build/bin/circ --libraries mingw --wine build/tests/wine-prefix
    run.py --circ build/bin/circ --libraries aarch64                     # under qemu
    run.py --circ build/bin/circ --libraries wasm                        # by node; wasm-exnref: by Chromium

Each seed is one file of --count programs, compiled by circ at -O0 and -O2 and linked with each of --libraries (jit-NAME: run by
`circ run` beside NAME's objects); the twin is
compiled by clang++ at -O0 for Linux, whatever the library. Where mingw's run time ends programs otherwise (docs/internals/windows.md), g++'s twin
does, too, and is asked. With --lifted, circ compiles no CIR, but clang's LLVM IR for Linux of the twin, -O0 and -O2, lifted (libstdc++, mingw, msvc);
what differs must be as clang's own program of that LLVM IR. With --interpret, the reference interpreter runs the structured form, too. Every program runs under --sequences decision sequences. A difference prints the trace of both
and the command that shows it again; the exit status is 1.
"""
import argparse
import itertools
import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(os.path.dirname(HERE), "wine"))
import generate  # noqa: E402
import wine  # noqa: E402

SKIPPED = 77
TIMEOUT = 300
# What of -O2 is not lifted (docs/llvm-ir.md, Limits).
REFUSED = "lifted.O2.bc: error: filter inside another filter"
ABORTED = " status 3"  # what a trace has behind it where a program for Windows ends in abort()

# How to compile the C++ for it and to link with it (None: circ does), what to tell circ, and what runs the program. jit: nothing is linked. twin: what differs is
# compared with the twin that is compiled for it, too.
LIBRARIES = {
    "libc++": {"compile": ["-stdlib=libc++"], "link": ["-stdlib=libc++", "-lc++abi", "-lunwind"], "circ": []},
    "libstdc++": {"compile": ["-stdlib=libstdc++"], "link": ["-stdlib=libstdc++"], "circ": []},
    "jit-libc++": {"compile": ["-stdlib=libc++"], "circ": ["--cxxlib=libc++"], "jit": True},
    "jit-libstdc++": {"compile": ["-stdlib=libstdc++"], "circ": ["--cxxlib=libstdc++"], "jit": True},
    "mingw": {"cxx": "x86_64-w64-mingw32-g++-posix", "compile": [], "link": ["-static"],
              "circ": ["--target=x86_64-w64-windows-gnu"], "windows": True, "twin": True},
    "msvc": {"compile": ["--target=x86_64-pc-windows-msvc", "-isystem", os.path.join(HERE, "..", "windows", "include")],
             "link": None, "circ": ["--target=x86_64-pc-windows-msvc"], "windows": True},
    "aarch64": {"cxx": "aarch64-linux-gnu-g++", "compile": [], "link": ["-static"], "circ": ["--target=aarch64-linux-gnu"],
                "runner": ["qemu-aarch64"]},
    # Sizes have 32 bits: without arrays. What ends the process ends node; an exception that nobody catches is the host's, behind its cleanups.
    "wasm": {"compile": ["--target=wasm32-wasi", "-Wno-deprecated", "-fwasm-exceptions"], "link": None, "circ": ["--target=wasm32-wasip1"],
             "runner": ["node", "--no-warnings", os.path.join(HERE, "..", "wasm", "run.mjs")], "one process": True},
    "wasm-exnref": {"compile": ["--target=wasm32-wasi", "-Wno-deprecated", "-fwasm-exceptions", "-mllvm", "-wasm-use-legacy-eh=false"], "link": None,
                    "circ": ["--target=wasm32-wasip1", "-mattr=+exnref"], "runner": [os.path.join(HERE, "..", "wasm", "chromium.py")], "one process": True},
    # --circ is one that was built for AArch64 (the preset aarch64-cross).
    "jit-aarch64": {"cxx": "aarch64-linux-gnu-g++", "compile": [], "circ": ["--target=aarch64-linux-gnu"], "jit": True,
                    "emulator": ["qemu-aarch64", "-L", os.path.join(HERE, "..", "..", "build", "aarch64-root")]},
}


def find(*names):
    return next((path for path in map(shutil.which, names) if path), None)


def run(argv, **more):
    done = subprocess.run(argv, capture_output=True, text=True, timeout=TIMEOUT, check=False, **more)
    if done.returncode:
        raise RuntimeError(f"{' '.join(argv)}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def is_aborted(want, have):
    """Did everything happen that is expected before the program terminates, and did it end in abort() then?"""
    events = want.removesuffix(" terminate")
    return events != want and " " in events and have == events + ABORTED


def is_wasm(library):
    return library.startswith("wasm")


def went_to_the_host(want, have):
    """On WebAssembly cleanups run before it is known that nobody catches, in the runs where nobody outside does; one may end the program."""
    events, number = want.removesuffix(" terminate"), want.split(":")[0].split(".")[1]
    return events != want and int(number) % 4 == 3 and have.startswith(events) and have.endswith((" status 134", " terminate"))


def with_own_endings(expected, got, own):
    """What is expected, but for the traces that differ in their endings only, and agree with the library's own twin."""
    if not len(expected) == len(got) == len(own):
        return expected
    return [have if have == twin and is_aborted(want, have) else want for want, have, twin in zip(expected, got, own)]


class Bench:
    """What all seeds share: the runtime's objects, one per library."""

    def __init__(self, circ, clang, folder, options):
        self.circ, self.clang, self.folder, self.options = circ, clang, folder, options
        self.libraries = {name: LIBRARIES[name] for name in options.libraries.split(",")}
        self.specifications = self.may_specify()
        # One process on Windows runs all sequences: variables that are initialized once are not, in each.
        alone = any(library.get("windows") or library.get("one process") for library in self.libraries.values())
        self.left_out = generate.NOT_INTERPRETED if options.interpret else ("static",) if alone else ()
        if any(map(is_wasm, self.libraries)):
            self.left_out += generate.WITH_SIZES
        self.wine = wine.Wine(options.wine) if options.wine else None
        table = self.path("table.cpp")
        with open(table, "w", encoding="ascii") as out:
            names = [f"test_{n}" for n in range(options.count)]
            out.write("extern \"C\" {\n" + "".join(f"int {n}();\n" for n in names))
            out.write("extern int (*const tests[])();\nextern const unsigned ntests;\n")
            out.write("int (*const tests[])() = {" + ", ".join(names) + "};\n")
            out.write(f"const unsigned ntests = {options.count};\n")
            out.write("extern void (*const at_start)();\nvoid (*const at_start)() = nullptr;\n}\n")
        for library in {"libc++", *self.libraries}:
            for source in (os.path.join(HERE, "runtime.cpp"), table):
                self.compile(source, self.object(source, library), library, "-O1")

    def may_specify(self):
        """Microsoft's runtime knows no exception specifications."""
        return "msvc" not in self.libraries and not any(map(is_wasm, self.libraries))

    def path(self, name):
        return os.path.join(self.folder, name)

    def object(self, source, library):
        return self.path(f"{os.path.basename(source)}.{library}.o")

    def compile(self, source, target, library, level):
        row = LIBRARIES[library]
        run([row.get("cxx", self.clang), "-w", "-std=gnu++14", level, "-I", HERE, *row["compile"], "-c", source, "-o", target])

    def support(self, library):
        return [self.object("runtime.cpp", library), self.object("table.cpp", library)]

    def link(self, program, library):
        row = LIBRARIES[library]
        exe = program + "." + library + (".exe" if row.get("windows") else "")
        objects = [program, *self.support(library)]
        if row["link"] is None:
            run([self.circ, *row["circ"], *objects, "-o", exe])
        else:
            run([row.get("cxx", self.clang), *objects, "-o", exe, *row["link"]])
        return exe

    def traces(self, program, library):
        exe, sequences = self.link(program, library), str(self.options.sequences)
        if LIBRARIES[library].get("windows") or LIBRARIES[library].get("one process"):
            return self.traces_of_one_process(exe, library)
        return run([*LIBRARIES[library].get("runner", []), exe, sequences]).splitlines()

    def traces_of_circ(self, cir, level, library):
        row, sequences = LIBRARIES[library], str(self.options.sequences)
        options = [f"-{level}", *self.more_options, *row["circ"], *(["--lift"] if self.options.lifted else [])]
        if row.get("jit"):
            return run([*row.get("emulator", []), self.circ, "run", *options, cir, *self.support(library), "--", sequences]).splitlines()
        target = self.path(f"circ{level}.{library}.o")
        run([self.circ, *options, "-c", cir, "-o", target])
        return self.traces(target, library)

    def launch(self, argv, library):
        if LIBRARIES[library].get("windows"):
            return self.wine.run(argv, timeout=TIMEOUT)
        return subprocess.run([*LIBRARIES[library]["runner"], *argv], capture_output=True, text=True, timeout=TIMEOUT, check=False)

    def traces_of_one_process(self, exe, library):
        """A run that ends the process is not the last one: the program is started again behind it."""
        lines, wanted = [], self.options.count * self.options.sequences
        while len(lines) < wanted:
            done = self.launch([exe, str(self.options.sequences), str(len(lines))], library)
            got = done.stdout.splitlines()
            if done.returncode and (not got or len(done.stdout) != len(done.stdout.rstrip("\n")) or not got[-1]):
                got.append("")
            if done.returncode:
                got[-1] += f" status {done.returncode}"
            if not got:
                break
            lines += got
        return lines

    def seed(self, seed):
        """The differences of one seed, as text; and how many traces agreed."""
        cir, cpp = self.path("program.cir"), self.path("program.cpp")
        texts = generate.generate(seed, self.options.count, self.specifications, self.left_out)
        for path, text in ((cir, texts[0]), (cpp, texts[1])):
            with open(path, "w", encoding="ascii") as out:
                out.write(text)
        self.compile(cpp, self.path("twin.o"), "libc++", "-O0")
        expected = self.traces(self.path("twin.o"), "libc++")
        agreed, own = 0, {}
        inputs = list(self.lifted(cpp)) if self.options.lifted else [("", cir)]
        if self.options.interpret:
            got = run([self.options.interpret, cir, str(self.options.sequences)]).splitlines()
            agreed += yield from self.compare(f"seed {seed} interpreter", expected, got)
        for level in self.options.levels.split(","):
            for library, (of, source) in itertools.product(self.libraries, inputs):
                got = self.traces_of_circ(source, level, library)
                wanted = self.traces_of_input(source) if of and got != expected else expected
                if got != wanted and LIBRARIES[library].get("twin"):
                    own[library] = own.get(library) or self.traces_of_twin(cpp, library)
                    wanted = with_own_endings(expected, got, own[library])
                if is_wasm(library) and len(got) == len(wanted):
                    wanted = [have if went_to_the_host(want, have) else want for want, have in zip(wanted, got)]
                agreed += yield from self.compare(f"seed {seed}{of} -{level} {library}", wanted, got)
        self.agreed += agreed

    def lifted(self, cpp):
        """LLVM IR, for circ."""
        for level in ("O0", "O2"):
            path = self.path(f"lifted.{level}.bc")
            run([self.clang, "-w", "-std=gnu++14", "-" + level, "-fPIC", "-stdlib=libstdc++", "-I", HERE, "-emit-llvm", "-c", cpp, "-o", path])
            yield f" {level} of clang", path

    def traces_of_input(self, source):
        """Of LLVM IR as clang compiles it on: its optimizer lets std::terminate() come without the cleanups that -O0 runs first."""
        target = self.path("input.o")
        run([self.clang, "-w", "-O0", "-c", source, "-o", target])
        return self.traces(target, "libc++")

    def traces_of_twin(self, cpp, library):
        target = self.path(f"twin.{library}.o")
        self.compile(cpp, target, library, "-O0")
        return self.traces(target, library)

    @staticmethod
    def compare(what, expected, got):
        """Yields the first difference; returns how many traces agree."""
        for n, (want, have) in enumerate(zip(expected, got)):
            if want != have:
                yield f"{what}\n  C++  {want}\n  CIR  {have}"
                return n
        if len(expected) != len(got):
            yield f"{what}: {len(got)} traces, expected {len(expected)}"
        return min(len(expected), len(got))

    agreed = 0
    refused = 0
    more_options = ()  # for circ


def differences(bench, seed):
    """One seed's; what is known to be refused is drawn again without exception specifications."""
    try:
        yield from bench.seed(seed)
    except RuntimeError as error:
        if not bench.options.lifted or REFUSED not in str(error):
            raise
        bench.refused += 1
        bench.specifications = False
        yield from bench.seed(seed)
    finally:
        bench.specifications = bench.may_specify()


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--circ", required=True)
    args.add_argument("--seeds", default="0:6", help="first:end")
    args.add_argument("--count", type=int, default=50, help="programs of a seed")
    args.add_argument("--sequences", type=int, default=8, help="runs of a program")
    args.add_argument("--interpret", help="the reference interpreter, tests/tools/interpret")
    args.add_argument("--levels", default="O0,O2")
    args.add_argument("--libraries", default="libc++,libstdc++", help="of: " + ", ".join(LIBRARIES))
    args.add_argument("--lifted", action="store_true", help="clang's LLVM IR of the twins, lifted")
    args.add_argument("--wine", help="folder of the Wine prefix to run programs for Windows in")
    options = args.parse_args()
    clang = find("clang++-22", "clang++-19", "clang++")
    if not clang:
        print("SKIPPED: no clang++ to compile the C++ twins with")
        return SKIPPED
    first, end = map(int, options.seeds.split(":"))
    different = 0
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(os.path.abspath(options.circ), clang, folder, options)
        for seed in range(first, end):
            try:
                for text in differences(bench, seed):
                    different += 1
                    print(text, flush=True)
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                different += 1
                print(f"seed {seed}: {error}"[:3000], flush=True)
    if bench.refused:
        print(f"{bench.refused} seeds had one exception specification in another, and were drawn again")
    print(f"{(end - first) * options.count} programs, {bench.agreed} traces agree, {different} differences")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
