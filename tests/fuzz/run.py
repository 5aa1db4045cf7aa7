#!/usr/bin/env python3
"""run.py [--seconds N] [--jobs N] [--keep-going] [--work FOLDER] BUILD [TARGET…]: fuzzes the targets of a build of the preset `fuzz`, one
after the other or, with --jobs, several at once.

The seeds are the texts of the tree, those of `explain` and `table` what is in inputs/ for them; the corpus grows in FOLDER/corpus (default: BUILD/fuzz) and is used again by the next run; runs at the same
time need folders of their own. Exit status 1: something was found, or a target did not run at all; the reproducers are in FOLDER/found, and how to look at them is printed. With
--keep-going what is found does not end a run.

libFuzzer measures an input by the clock on the wall and the memory of all inputs before it. So an input that it calls slow or large is run again
by itself, with a limit on processor time, and counts only if it exceeds that: a busy machine makes no findings."""
import argparse
import concurrent.futures
import os
import re
import resource
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.dirname(os.path.dirname(HERE))
TARGETS = ["text", "roundtrip", "pipeline", "explain", "table", "lsp", "arguments"]
OWN_SEEDS = ("explain", "table", "lsp", "arguments")  # no modules: folders of inputs/
SIZE_MAX = 20000  # of an input, in bytes
SEED_MAX = 9000   # small seeds are more executions
CLOCK_MAX = 120   # seconds on the wall for one input, before it is looked at
MEMORY_MAX = 2500 # MiB
SUSPECTS = ("slow-unit-", "timeout-", "oom-")  # what libFuzzer calls those files


def gather_own(folder, target):
	shutil.rmtree(folder, ignore_errors=True)
	shutil.copytree(os.path.join(HERE, "inputs", target), folder)


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
	options = [f"-max_total_time={args.seconds}", f"-max_len={SIZE_MAX}", f"-rss_limit_mb={MEMORY_MAX}",
	           f"-timeout={CLOCK_MAX}", f"-report_slow_units={args.cpu}", f"-artifact_prefix={folders['found']}/", "-print_final_stats=1",
	           f"-seed={args.seed}"]
	if args.keep_going:
		options += ["-fork=1", "-ignore_crashes=1", "-ignore_timeouts=1", "-ignore_ooms=1"]
	return [program, *options, folders["corpus"], folders["seeds"]]


def make_folders(work, target):
	folders = {"seeds": os.path.join(work, "seeds-" + target if target in OWN_SEEDS else "seeds")}
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


def is_bounded(path, program, cpu):
	"""Does the program end on the input, alone, within its processor time and memory?"""
	done = subprocess.run([program, f"-rss_limit_mb={MEMORY_MAX}", "-timeout=0", path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
	                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu)), check=False)
	return done.returncode == 0


def drop_innocent(paths, program, args):
	"""The findings without those that were slow or large only in company."""
	guilty = []
	for path in paths:
		if os.path.basename(path).startswith(SUSPECTS) and is_bounded(path, program, args.cpu):
			print(f"not a finding: {path} takes less than {args.cpu} s of processor time by itself")
		else:
			guilty.append(path)
	return guilty


def run_target(command_line, log, args, found):
	"""The exit status; that of a hang when the run does not end in time, as when the mutator loops."""
	with open(log, "wb") as out:
		try:
			return subprocess.run(command_line, stdout=out, stderr=subprocess.STDOUT, timeout=args.seconds * 2 + 600, check=False,
			                      env={**os.environ, "CIRC_FUZZ_TRIED": found}).returncode
		except subprocess.TimeoutExpired:
			out.write(b"fuzz: the run did not end\n")
			return 1


def last_progress(said):
	"""What libFuzzer said last of its executions; empty: there were none, so that nothing was tried, whatever the exit status."""
	counts = [(re.match(r"#(\d+)|stat::number_of_executed_units: +(\d+)", line), line.strip()) for line in said]
	counts = [line for match, line in counts if match and int(match[1] or match[2])]
	return counts[-1] if counts else ""


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
	status = run_target(command(program, args, folders), log, args, folders["found"])
	with open(log, errors="replace") as lines:
		said = lines.readlines()
	suspects = found_files(folders["found"])
	found = drop_innocent(suspects, program, args)
	progress = last_progress(said)
	failed = bool(found) or (status != 0 and not suspects) or not progress
	print(f"{target}: {'FAILED' if failed else 'nothing found'}; {progress or 'no progress: not one input was run'}")
	if failed:
		reasons = [i for i, line in enumerate(said) if line.startswith("fuzz: ") or "ERROR: " in line or "runtime error: " in line]
		sys.stdout.writelines(said[reasons[0]:reasons[0] + 25] if reasons else said[-25:])
		for path in found:
			show(path, program)
		print(f"--- all that was said: {log}")
	return not failed


def main():
	p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
	p.add_argument("--seconds", type=int, default=60)
	p.add_argument("--jobs", type=int, default=1, help="targets at once")
	p.add_argument("--keep-going", action="store_true")
	p.add_argument("--cpu", type=int, default=30, help="seconds of processor time that an input may take")
	p.add_argument("--seed", type=int, default=0, help="the same one gives the same inputs, as far as the time goes; 0: one at random")
	p.add_argument("--work")
	p.add_argument("build")
	p.add_argument("targets", nargs="*", metavar="TARGET")
	args = p.parse_args()
	work = os.path.abspath(args.work or os.path.join(args.build, "fuzz"))
	gather_seeds(os.path.join(work, "seeds"))
	for target in OWN_SEEDS:
		gather_own(os.path.join(work, "seeds-" + target), target)
	with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
		results = list(pool.map(lambda target: fuzz(target, args, work), args.targets or TARGETS))
	sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
	main()
