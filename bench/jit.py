#!/usr/bin/env python3
"""Measures code in circ's process: how long until it is called, and what a throw costs there. Prints tables in Markdown.

    bench/jit.py --circ build/bin/circ
    bench/jit.py --circ build/bin/circ --quick     # fewer rounds, a smaller module

As in run.py, whose method and helpers these are: CPU time, commands taking turns, medians. Until the first call: `circ run` of a
module whose main() calls one function, against lli on the bitcode of the same module, and on its text. All called: the same module with a main() that calls each,
compiled when they are called and before. Throws: the same module and loop run by `circ run`
and linked with libstdc++, whose clock it reads itself.
"""
import os
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import flat_module  # noqa: E402  (beside this file)
import run as bench  # noqa: E402

# Definitions for what flat_module.py only declares, and main().
SURROUNDINGS = (
    ("cir.func private @work(!s32i) -> !s32i", "cir.func @work(%x: !s32i) -> !s32i {\n    cir.return %x : !s32i\n  }"),
    ("cir.func private @open(!cir.ptr<!rec_Guard>, !s32i)",
     "cir.func @open(%g: !cir.ptr<!rec_Guard>, %x: !s32i) {\n    cir.return\n  }"),
    ("cir.func private @close(!cir.ptr<!rec_Guard>) attributes {nothrow}",
     "cir.func @close(%g: !cir.ptr<!rec_Guard>) attributes {nothrow} {\n    cir.return\n  }"),
)
MAIN = """\
  cir.func @main() -> !s32i {{
    %c = cir.const #cir.int<0> : !s32i
{calls}    cir.return %c : !s32i
  }}
}}
"""

# dive(n) throws n calls deep, where each frame on the way has a cleanup; measure(depth, times) catches that, so many times.
THROWS = """\
!s32i = !cir.int<s, 32>
!u8i = !cir.int<u, 8>
cir.global "private" constant external @_ZTIi : !cir.ptr<!u8i>
cir.global external @cleanups = #cir.int<0> : !s32i
cir.func no_inline @dive(%n: !s32i) {
  %zero = cir.const #cir.int<0> : !s32i
  %one = cir.const #cir.int<1> : !s32i
  %last = cir.cmp le %n, %one : !s32i
  cir.brcond %last ^throw, ^deeper
^throw:
  %e = cir.alloc.exception 4 -> !cir.ptr<!s32i>
  cir.store %n, %e : !s32i, !cir.ptr<!s32i>
  cir.throw %e : !cir.ptr<!s32i>, @_ZTIi
  cir.unreachable
^deeper:
  %less = cir.sub nsw %n, %one : !s32i
  cir.try_call @dive(%less) ^back, ^unwind : (!s32i) -> ()
^back:
  cir.return
^unwind:
  %t = cir.eh.initiate cleanup : !cir.eh_token
  %c = cir.begin_cleanup %t : !cir.eh_token -> !cir.cleanup_token
  %p = cir.get_global @cleanups : !cir.ptr<!s32i>
  %v = cir.load %p : !cir.ptr<!s32i>, !s32i
  %w = cir.add %v, %one : !s32i
  cir.store %w, %p : !s32i, !cir.ptr<!s32i>
  cir.end_cleanup %c : !cir.cleanup_token
  cir.resume %t : !cir.eh_token
}
cir.func @measure(%depth: !s32i, %times: !s32i) {
  %one = cir.const #cir.int<1> : !s32i
  cir.br ^head(%times : !s32i)
^head(%left: !s32i):
  %more = cir.cmp ge %left, %one : !s32i
  cir.brcond %more ^dive, ^done
^dive:
  cir.try_call @dive(%depth) ^next, ^unwind : (!s32i) -> ()
^unwind:
  %t = cir.eh.initiate : !cir.eh_token
  cir.eh.dispatch %t : !cir.eh_token [
    catch(#cir.global_view<@_ZTIi> : !cir.ptr<!u8i>) : ^caught,
    unwind : ^other
  ]
^caught(%t1: !cir.eh_token):
  %c, %o = cir.begin_catch %t1 : !cir.eh_token -> (!cir.catch_token, !cir.ptr<!s32i>)
  cir.end_catch %c : !cir.catch_token
  cir.br ^next
^other(%t2: !cir.eh_token):
  cir.resume %t2 : !cir.eh_token
^next:
  %less = cir.sub nsw %left, %one : !s32i
  cir.br ^head(%less : !s32i)
^done:
  cir.return
}
"""

# Prints nanoseconds of CPU time per throw. A throw before the clock starts: tables are sorted and symbols bound at the first one.
CLOCK = """\
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
void measure(int depth, int times);
static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}
int main(int argc, char **argv)
{
	int depth = atoi(argv[argc - 2]), times = atoi(argv[argc - 1]);
	double first = now();
	measure(depth, 1);
	double start = now();
	measure(depth, times);
	printf("%.0f %.0f\\n", start - first, (now() - start) / times);
}
"""


def write(path, text):
    with open(path, "w", encoding="ascii") as out:
        out.write(text)
    return path


def module(folder, functions, called=1):
    """The last `called` functions are."""
    path = os.path.join(folder, f"{functions}.{called}.cir")
    with open(path, "w", encoding="ascii") as out:
        flat_module.generate(functions, out)
    with open(path, encoding="ascii") as text:
        cir = text.read()
    for declaration, definition in SURROUNDINGS:
        cir = cir.replace(declaration, definition)
    calls = "".join(f"    %r{n} = cir.call @f{n}(%c) : (!s32i) -> !s32i\n" for n in range(functions - called, functions))
    return write(path, cir[:cir.rindex("}")] + MAIN.format(calls=calls))


def until_the_first_call(circ, lli, folder, sizes, rounds):
    rows = []
    for functions in sizes:
        cir = module(folder, functions)
        bitcode, text = cir.replace(".cir", ".bc"), cir.replace(".cir", ".ll")
        subprocess.run([circ, "--emit=bc", cir, "-o", bitcode], check=True)
        subprocess.run([circ, "--emit=llvm", cir, "-o", text], check=True)
        few = 10 * rounds if functions < 100 else rounds
        figures = bench.compare(few, {
            "circ": [circ, "run", cir],
            "eager": [circ, "run", "--no-lazy", cir],
            "lli": [lli, "-O0", bitcode],
            "mcjit": [lli, "-O0", "--jit-kind=mcjit", bitcode],
            "lazy": [lli, "-O0", "--jit-kind=orc-lazy", bitcode],
            "lazy, text": [lli, "-O0", "--jit-kind=orc-lazy", text],
        })
        own = figures["circ"][0]
        rows.append([str(functions), f"{own * 1000:.0f} ms"] + [
            text for name in ("eager", "lli", "mcjit", "lazy", "lazy, text")
            for text in (f"{figures[name][0] * 1000:.0f} ms", f"**{own / figures[name][0]:.2f}**")])
    print("### Until the first call: `circ run` on text against `lli -O0` on the bitcode, and on LLVM's text\n")
    bench.table(["functions", "circ", "circ --no-lazy", "ratio", "lli", "ratio", "lli, MCJIT", "ratio", "lli, lazy", "ratio", "lli, lazy, on text", "ratio"], rows)


def all_called(circ, folder, functions, rounds):
    cir = module(folder, functions, functions)
    figures = bench.compare(rounds, {"lazy": [circ, "run", cir], "eager": [circ, "run", "--no-lazy", cir]})
    lazy, eager = figures["lazy"][0], figures["eager"][0]
    print("### All functions called: compiled when they are called, and before\n")
    bench.table(["functions", "circ run", "circ run --no-lazy", "ratio"],
                [[str(functions), f"{lazy * 1000:.0f} ms", f"{eager * 1000:.0f} ms", f"**{lazy / eager:.2f}**"]])


def throws(circ, folder, rounds, times):
    cir = write(os.path.join(folder, "throws.cir"), THROWS)
    clock = write(os.path.join(folder, "clock.c"), CLOCK)
    objects = [os.path.join(folder, name) for name in ("clock.o", "throws.o")]
    program = os.path.join(folder, "throws")
    subprocess.run(["gcc", "-O2", "-fPIC", "-c", clock, "-o", objects[0]], check=True)
    subprocess.run([circ, "-O2", "-c", cir, "-o", objects[1]], check=True)
    subprocess.run(["g++", *objects, "-o", program], check=True)
    commands = {"linked": [program], "JIT": [circ, "run", "-O2", "--cxxlib=libstdc++", cir, objects[0], "--"]}
    rows = []
    for depth in (1, 10, 100):
        figures = {name: [] for name in commands}
        for _ in range(rounds):
            for name, argv in commands.items():
                got = subprocess.run([*argv, str(depth), str(times // depth)], capture_output=True, text=True, check=True)
                figures[name].append(tuple(map(float, got.stdout.split())))
        first, later = ({name: statistics.median(f[i] for f in figures[name]) for name in commands} for i in (0, 1))
        rows.append([str(depth), f"{later['JIT']:.0f} ns", f"{later['linked']:.0f} ns", f"**{later['JIT'] / later['linked']:.2f}**",
                     f"{first['JIT'] / 1000:.0f} µs", f"{first['linked'] / 1000:.0f} µs"])
    print("### A throw and its catch, by the frames between them, each with a cleanup\n")
    bench.table(["frames", "JIT", "linked", "ratio", "first, JIT", "first, linked"], rows)


def main():
    options = bench.arguments(__doc__, quick="fewer rounds, a smaller module").parse_args()
    circ, lli = options.circ, bench.find("lli")
    bench.describe(circ, lli)
    with tempfile.TemporaryDirectory() as folder:
        if lli:
            until_the_first_call(circ, lli, folder, (1, 1000 if options.quick else 10000), 2 if options.quick else 3)
        else:
            print("lli is not installed: left out.\n")
        all_called(circ, folder, 1000 if options.quick else 10000, 2 if options.quick else 3)
        throws(circ, folder, 5 if options.quick else 15, 20000 if options.quick else 100000)


if __name__ == "__main__":
    main()
