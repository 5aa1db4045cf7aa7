#!/usr/bin/env python3
"""Faults as exceptions on ELF (circ_faults_install()): runs the scenarios of faults.cpp with faults.cir and flags.*.cir at each level, for a C++ library and its unwinder.

    faults.py --circ CIRC --libraries LIBRARIES --llvm TOOLS --pair libc++|libstdc++|aarch64 [--times N] [--levels O0,O2]

aarch64: by the cross compiler, under qemu.

The negative runs take the clobbers of registers, or of memory, away from the assembly that circ writes: a scenario must then show something else.
"""
import argparse
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PAIRS = {  # the C++ compiler, what to tell it and to link, the folder of libcircrt, what to tell circ, what runs programs
	"libc++": ("clang++-22", ["-stdlib=libc++"], ["-lunwind"], "x86_64-linux-gnu", [], []),
	"libstdc++": ("g++", [], [], "x86_64-linux-gnu", [], []),
	"aarch64": ("aarch64-linux-gnu-g++", [], ["-static"], "aarch64-linux-gnu", ["--target=aarch64-linux-gnu"], ["qemu-aarch64"]),
}
KEPT_CLOBBERS = "memory|flags|fpsr|dirflag|r15|cc|ffr|x30"
SHOWN = "c0000005 0 0 1\n"
ELSEWHERE = SHOWN + "end\n"
# x86_64 does not say which address is not canonical.
CODES = ("c0000005 0 16 1\nc0000005 1 32 1\nc0000005 0 (?:-1|0) 1\nc0000094 0 0 1\nc0000095 0 0 1\n")
SEGV = -signal.SIGSEGV
# scenario, what was there before, output (a regular expression), status
RUNS = [
	("codes", "", CODES + r"c0000005 1 -?\d+ 1\nend\n", 0), ("codes", "nostack", CODES + r"c0000005 1 -?\d+ 1\nend\n", 0),
	("may_fault", "", SHOWN * 6 + r"~Guard\ncatch \(...\)\n" + ELSEWHERE, 0),
	("flags", "", r"end\n", 0), ("repairs", "", r"{repairs}\nend\n", 0), ("repairs", "nostack", r"{repairs}\nend\n", 0),
	("elsewhere", "info", ELSEWHERE, 0), ("elsewhere", "nodefer", ELSEWHERE, 0), ("elsewhere", "plain", ELSEWHERE, 0),
	("elsewhere", "once", "", SEGV), ("elsewhere", "ignore", "", SEGV), ("elsewhere", "", "", SEGV), ("again", "info", ELSEWHERE, 0),
	("later", "", ELSEWHERE, 0), ("replaced", "", "end\n", 0), ("fork", "", SHOWN * 2 + "end\n", 0),
	("nested", "", r"c0000005 0 4 1\nend\n", 0), ("precise", "", r"seen 5\n30\nend\n", 0), ("after", "", r"9\nend\n", 0), ("many", "", r"1584\nend\n", 0),
	("untaken", "", "", SEGV), ("filter", "", "", SEGV), ("sent", "", "", SEGV), ("sent", "ignore", "end\n", 0),
	("stack", "", "", SEGV), ("stack", "stack", "used up\n", 3),
]


def call(*command):
	done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
	if done.returncode:
		sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
	return done.stdout


def without_registers(text):
	return re.sub(r",~{(?!(?:" + KEPT_CLOBBERS + r")})[^}]*}", "", text)


def without_memory(text):
	text = re.sub(r"(invoke [^\n]* asm sideeffect unwind [^\n]*)", lambda m: m[1].replace("asm sideeffect", "asm").replace("~{memory},", "") + " #999", text)
	return text + "\nattributes #999 = { memory(none) }\n"


def compile_edited(o, folder, edit, obj):
	text = call(o.circ, *o.row[4], "-O0", "--emit=llvm", HERE / "faults.cir", "-o", "-")
	edited = edit(text)
	if edited == text:
		sys.exit("the LLVM IR has no clobbers")
	(folder / "edited.ll").write_text(edited)
	call(o.llvm / "opt", "-O2", folder / "edited.ll", "-o", folder / "edited.bc")
	call(o.llvm / "llc", "-O2", "-relocation-model=pic", "-filetype=obj", folder / "edited.bc", "-o", obj)


def build(o, folder, level, edit=None):
	name = f"faults.{edit.__name__ if edit else level}"
	obj, program = folder / f"{name}.o", folder / name
	if edit:
		compile_edited(o, folder, edit, obj)
	else:
		call(o.circ, *o.row[4], f"-{level}", "-c", HERE / "faults.cir", "-o", obj)
	cxx, flags, libraries, target, _, _ = o.row
	own = folder / "flags.o"
	call(o.circ, *o.row[4], "-c", HERE / f"flags.{target}.cir", "-o", own)
	call(cxx, "-std=gnu++17", "-O1", "-I", HERE.parents[1] / "include", *flags, HERE / "faults.cpp", obj, own,
	     o.libraries / target / "libcircrt.a", *libraries, "-pthread", "-ldl", "-o", program)
	return program


def check(o, program, scenario, before, output, status):
	times = o.times
	done = subprocess.run([*o.row[5], program, scenario, str(times), before], capture_output=True, text=True, timeout=300)
	wanted = output.replace("{repairs}", str(8 * times))
	if done.returncode == status and re.fullmatch(wanted, done.stdout):
		return []
	return [f"{program.name} {scenario} {before}: status {done.returncode}, expected {status}; output\n{done.stdout}{done.stderr}expected\n{wanted}"]


def main():
	parser = argparse.ArgumentParser()
	for name in ("circ", "libraries", "llvm"):
		parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
	parser.add_argument("--pair", choices=PAIRS, required=True)
	parser.add_argument("--times", type=int, default=3000)
	parser.add_argument("--levels", default="O0,O1,O2,O3")
	o = parser.parse_args()
	o.row = PAIRS[o.pair]
	problems = []
	with tempfile.TemporaryDirectory() as t:
		folder = pathlib.Path(t)
		for level in o.levels.split(","):
			program = build(o, folder, level)
			for run in RUNS:
				problems += check(o, program, *run)
		for edit, scenario in ((without_registers, "many"), (without_memory, "after")):
			run = next(r for r in RUNS if r[0] == scenario)
			if not check(o, build(o, folder, "O2", edit), *run):
				problems.append(f"{edit.__name__}: '{scenario}' shows what it shows with all clobbers")
	sys.exit("\n".join(problems) or 0)


if __name__ == "__main__":
	main()
