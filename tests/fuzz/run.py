#!/usr/bin/env python3
"""run.py [--seconds N] [--keep-going] [--work FOLDER] BUILD [TARGET…]: fuzzes the targets of a build of the preset `fuzz`, one after the other.

The seeds are the texts of the tree, the corpus grows in FOLDER/corpus (default: BUILD/fuzz) and is used again by the next run. Exit status 1:
something was found; the reproducers are in FOLDER/found, and how to look at them is printed. With --keep-going what is found does not end a
run."""
import argparse
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.dirname(os.path.dirname(HERE))
TARGETS = ["text", "roundtrip", "pipeline"]
SIZE_MAX = 20000  # of an input, in bytes
SEED_MAX = 9000   # small seeds are more executions


def gather_seeds(folder):
	shutil.rmtree(folder, ignore_errors=True)
	os.makedirs(folder)
	for root in ("tests", "examples"):
		for path, folders, files in os.walk(os.path.join(TREE, root)):
			folders[:] = [f for f in folders if not f.startswith("build")]
			for name in files:
				source = os.path.join(path, name)
				if name.endswith(".cir") and os.path.getsize(source) <= SEED_MAX:
					shutil.copyfile(source, os.path.join(folder, os.path.relpath(source, TREE).replace(os.sep, "_")))


def command(program, args, folders):
	options = [f"-max_total_time={args.seconds}", f"-max_len={SIZE_MAX}", "-rss_limit_mb=2500", "-timeout=30",
	           f"-artifact_prefix={folders['found']}/", "-print_final_stats=1"]
	if args.keep_going:
		options += ["-fork=1", "-ignore_crashes=1", "-ignore_timeouts=1", "-ignore_ooms=1"]
	return [program, *options, folders["corpus"], folders["seeds"]]


def make_folders(work, target):
	folders = {"seeds": os.path.join(work, "seeds")}
	for name in ("corpus", "found"):
		folders[name] = os.path.join(work, name, target)
		os.makedirs(folders[name], exist_ok=True)
	shutil.rmtree(folders["found"])
	os.makedirs(folders["found"])
	return folders


def found_files(folder):
	"""The reproducers. An empty file is what libFuzzer writes when the mutator ended the process: then tried-*.cir is it."""
	paths = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
	return [path for path in paths if os.path.getsize(path)]


def show(path, program):
	with open(path, "rb") as file:
		text = file.read()
	print(f"--- {path}")
	sys.stdout.write(text[:4000].decode(errors="backslashreplace"))
	print(f"\n--- run it:    {program} {path}\n--- reduce it: {os.path.join(HERE, 'reduce.py')} {program} {path} -o reduced.cir")


def fuzz(target, args, work):
	folders = make_folders(work, target)
	program = os.path.join(args.build, "tests", "fuzz", f"fuzz-{target}")
	log = os.path.join(work, f"{target}.log")
	with open(log, "wb") as out:
		status = subprocess.run(command(program, args, folders), stdout=out, stderr=subprocess.STDOUT,
		                        env={**os.environ, "CIRC_FUZZ_TRIED": folders["found"]}).returncode
	with open(log, errors="replace") as lines:
		said = lines.readlines()
	found = found_files(folders["found"])
	progress = [line.strip() for line in said if line.startswith("#")]
	print(f"{target}: {'FAILED' if status or found else 'nothing found'}; {progress[-1] if progress else 'no progress'}")
	if status or found:
		reasons = [i for i, line in enumerate(said) if line.startswith("fuzz: ") or "ERROR: " in line or "runtime error: " in line]
		sys.stdout.writelines(said[reasons[0]:reasons[0] + 25] if reasons else said[-25:])
		for path in found:
			show(path, program)
		print(f"--- all that was said: {log}")
	return not status and not found


def main():
	p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
	p.add_argument("--seconds", type=int, default=60)
	p.add_argument("--keep-going", action="store_true")
	p.add_argument("--work")
	p.add_argument("build")
	p.add_argument("targets", nargs="*", metavar="TARGET")
	args = p.parse_args()
	work = os.path.abspath(args.work or os.path.join(args.build, "fuzz"))
	gather_seeds(os.path.join(work, "seeds"))
	results = [fuzz(target, args, work) for target in args.targets or TARGETS]
	sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
	main()
