#!/usr/bin/env python3
"""Measures the way from a fault to its handler, in the function that faults: a null pointer that is read. Prints a table in Markdown.

    bench/fault_times.py --circ build/bin/circ
    bench/fault_times.py --circ build/bin/circ --wine build/bench-wine     # and for windows-msvc, beside clang's SEH

The fault is one of a `cir.try async`; beside it stand a check that fails and what the same function throws. For windows-msvc the same in C, by
clang with -fasync-exceptions: a __try whose __except takes everything, and RaiseException() in it. The programs take turns; each time is that of
a run less that of one without rounds, and the table has the medians. "Kept" is clang's with the record in the handler, where circ.exception has it: a
filter copies it to a variable.
"""
import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "..", "tests", "wine"))
import wine  # noqa: E402

MSVC = "--target=x86_64-pc-windows-msvc"

CIR = """\
!s32i = !cir.int<s, 32>
!void = !cir.void
!rec_Thrown = !cir.struct<"Thrown" {data !s32i}>
module attributes {circ.eh.runtime = "circ"} {
circ.exception_type @Thrown : !rec_Thrown
%(functions)s
}
"""

# Each takes a null pointer and gives 1.
FUNCTION = """\
cir.func no_inline @by_%(name)s(%%p: !cir.ptr<!s32i>) -> !s32i personality(@__circ_personality_v0) {
  %%0 = cir.const #cir.int<0> : !s32i
  %%1 = cir.const #cir.int<1> : !s32i
  cir.try%(async)s {
    %(body)s
  } catch all (%%thrown: !cir.eh_token) {
    %%object = cir.catch_param : !cir.ptr<!void>
    cir.return %%1 : !s32i
  }
  cir.return %%0 : !s32i
}
"""

BODIES = {
    "fault": (" async", "%v = cir.load volatile %p : !cir.ptr<!s32i>, !s32i\n    cir.yield"),
    "check": ("", "%null = cir.const #cir.ptr<null> : !cir.ptr<!s32i>\n    %ok = cir.cmp ne %p, %null : !cir.ptr<!s32i>\n"
              "    circ.check null %ok\n    cir.yield"),
    "throw": ("", "%e = cir.alloc.exception 4 -> !cir.ptr<!s32i>\n    cir.store %1, %e : !s32i, !cir.ptr<!s32i>\n"
              "    cir.throw %e : !cir.ptr<!s32i>, @Thrown\n    cir.unreachable"),
}

C = """\
void RaiseException(unsigned code, unsigned flags, unsigned n, const unsigned long long *arguments);
__attribute__((noinline)) int by_fault(volatile int *p)
{
	__try {
		*p;
	} __except (1) {
		return 1;
	}
	return 0;
}
__attribute__((noinline)) int by_throw(int *p)
{
	__try {
		RaiseException(0xe0000001, 0, 0, 0);
	} __except (1) {
		return 1;
	}
	return p != 0;
}
int by_check(int *p) /* the same: C has no other */
{
	return by_throw(p);
}
"""

# The same, and the record stays.
KEPT = C.replace("__attribute__", "typedef struct { unsigned code, more[37]; } Record;\n__attribute__", 1).replace(
    "\t__try {", "\tRecord kept;\n\t__try {").replace(
    "__except (1)", "__except (kept = **(Record **)_exception_info(), 1)").replace("return 1;", "return kept.code != 0;")

MAIN = """\
int atoi(const char *);
int by_fault(int *);
int by_check(int *);
int by_throw(int *);
%s
int main(int argc, char **argv)
{
	static int (*const ways[])(int *) = {by_fault, by_check, by_throw};
	int rounds = atoi(argv[argc - 1]), done = 0;
	START;
	for (int i = 0; i < rounds; i++)
		done += ways[atoi(argv[1])](0);
	return done != rounds;
}
"""
INSTALL = "_Bool circ_faults_install(void);\n#define START circ_faults_install()"


class Bench:
    def __init__(self, options, folder):
        self.circ, self.clang, self.folder = os.path.abspath(options.circ), options.clang, folder
        self.turns, self.rounds = (3, 2000) if options.quick else (11, 20000)
        self.wine = wine.Wine(options.wine) if options.wine else None
        functions = [FUNCTION % {"name": name, "async": a, "body": body} for name, (a, body) in BODIES.items()]
        self.write("ways.cir", CIR % {"functions": "".join(functions)})
        self.write("ways.c", C)
        self.write("kept.c", KEPT)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="ascii") as file:
            file.write(text)

    def call(self, *command):
        subprocess.run(command, cwd=self.folder, check=True)

    def build(self):
        """Commands by what they are."""
        self.write("main.c", MAIN % INSTALL)
        self.call("cc", "-O1", "-c", "main.c", "-o", "main.o")
        self.call(self.circ, "-O2", "ways.cir", "main.o", "-o", "elf")
        programs = {"ELF, circ": [self.path("elf")]}
        if self.wine:
            self.write("main.c", MAIN % "#define START")
            self.call(self.clang, MSVC, "-O1", "-c", "main.c", "-o", "main.obj")
            self.call(self.circ, MSVC, "-O2", "ways.cir", "main.obj", "-o", "circ.exe")
            programs["windows-msvc, circ"] = self.wine.command(self.path("circ.exe"))
            for name, source in (("clang", "ways.c"), ("clang, kept", "kept.c")):
                self.call(self.clang, MSVC, "-O2", "-fms-extensions", "-fasync-exceptions", "-Wno-unused-value", "-c", source, "-o", source + ".obj")
                self.call(self.circ, MSVC, source + ".obj", "main.obj", "-o", source + ".exe")
                programs["windows-msvc, " + name] = self.wine.command(self.path(source + ".exe"))
            self.wine.start()
        return programs

    def seconds(self, program, way, rounds):
        """Of the processor, so that a busy machine says the same."""
        begin = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([*program, str(way), str(rounds)], check=True, env=self.wine.environment if self.wine else None)
        end = resource.getrusage(resource.RUSAGE_CHILDREN)
        return end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime

    def measure(self):
        programs = self.build()
        took = {(what, way): [] for what in programs for way in range(len(BODIES))}
        for _ in range(self.turns):
            for what, way in took:
                spent = self.seconds(programs[what], way, self.rounds) - self.seconds(programs[what], way, 0)
                took[what, way].append(spent / self.rounds * 1e6)
        print("| | " + " | ".join(f"{name}, µs" for name in BODIES) + " |\n|---|" + "---|" * len(BODIES))
        for what in programs:
            print(f"| {what} | " + " | ".join(f"{statistics.median(took[what, way]):.2f}" for way in range(len(BODIES))) + " |")


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--circ", required=True)
    args.add_argument("--clang", default="clang-22")
    args.add_argument("--wine", help="folder of a Wine prefix to make; without it nothing is run for Windows")
    args.add_argument("--quick", action="store_true", help="fewer rounds")
    options = args.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        Bench(options, folder).measure()


if __name__ == "__main__":
    sys.exit(main())
