#!/usr/bin/env python3
"""Compares circ's layouts of records with clang's, for ELF (x86_64 and AArch64), windows-msvc and WebAssembly.

    run.py --layouts build/tests/layouts --clang clang++ --seeds 1:5   random records: the same declarations in C++; with --circ,
                                                                        LLVM must lay out globals of these types alike
    run.py --layouts build/tests/layouts --clang clang++ --classes     classes.cpp: what clang makes of classes, and the records in
                                                                        classes.cir that its front end writes for them

Exit status: 0 all agree, 1 not, 77 clang cannot compile for a target.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import generate  # noqa: E402  (beside this file)

HERE = pathlib.Path(__file__).resolve().parent
TARGETS = ("x86_64-linux-gnu", "x86_64-pc-windows-msvc", "aarch64-linux-gnu", "wasm32-wasip1")
RECORDS = 120


def call(command):
	return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120,
	                      text=True, check=False)


def layouts(args, form, source, *target):
	done = call([args.layouts, form, source, *target])
	if done.returncode:
		sys.exit(f"FAILED {source}:\n{done.stdout}{done.stderr}")
	return done.stdout


def compile_for(args, target, source, more=()):
	return call([args.clang, f"--target={target}", "-std=c++17", "-fsyntax-only", "-ferror-limit=20", "-w", *more, source])


def check_random(args, temp, seed, target):
	cir = temp / "random.cir"
	cir.write_text(generate.Records(seed, target).text(RECORDS))
	cxx = temp / "random.cpp"
	cxx.write_text(layouts(args, "--check", cir, target))
	done = compile_for(args, target, cxx)
	if done.returncode:
		print(f"FAILED seed {seed} for {target}:\n{done.stderr}\n{cir.read_text()}")
	ok = done.returncode == 0
	if ok and args.circ: # which compares what LLVM makes of each type with its own layout
		done = call([args.circ, "--emit=llvm", f"--target={target}", cir, "-o", temp / "random.ll"])
		if done.returncode:
			print(f"FAILED seed {seed} for {target}:\n{done.stderr}")
		ok = done.returncode == 0
	return ok


def check_classes(args, temp, target):
	(temp / "numbers.h").write_text(layouts(args, "--numbers", HERE / "classes.cir"))
	done = compile_for(args, target, HERE / "classes.cpp", ["-I", temp])
	if done.returncode:
		print(f"FAILED classes.cpp for {target}:\n{done.stderr}")
	return done.returncode == 0


def main():
	parser = argparse.ArgumentParser()
	parser.add_argument("--layouts", required=True)
	parser.add_argument("--clang", required=True)
	parser.add_argument("--circ")
	parser.add_argument("--seeds", default="")
	parser.add_argument("--classes", action="store_true")
	args = parser.parse_args()
	with tempfile.TemporaryDirectory(prefix="circ-layout-") as name:
		temp = pathlib.Path(name)
		(temp / "probe.cpp").write_text("int x;\n")
		for target in TARGETS:
			if compile_for(args, target, temp / "probe.cpp").returncode:
				print(f"SKIPPED: {args.clang} does not compile for {target}")
				return 77
		ok = True
		if args.classes:
			ok = check_classes(args, temp, TARGETS[0])
		first, last = map(int, args.seeds.split(":")) if args.seeds else (0, 0)
		for seed in range(first, last):
			for target in TARGETS:
				ok = check_random(args, temp, seed, target) and ok
		print(f"{(last - first) * RECORDS} records, each for {len(TARGETS)} targets" if last > first else "classes")
	return 0 if ok else 1


if __name__ == "__main__":
	sys.exit(main())
