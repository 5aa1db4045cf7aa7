#!/usr/bin/env python3
"""run_test.py: what run.py makes of what libFuzzer leaves behind, with a shell script in the place of a fuzz target."""
import os
import subprocess
import sys
import tempfile

RUN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "run.py")
# Given a corpus it "finds" a file, and ends as libFuzzer would; given the file alone it does what the file says.
TARGET = """#!/bin/sh
for last; do :; done
if [ -f "$last" ]; then . "$last"; fi
for option; do case $option in -artifact_prefix=*) folder=${option#*=} ;; esac; done
printf '%s' '{content}' >"${folder}{name}"
echo '{progress}'
echo '#hash that is no progress'
exit {status}
"""
SEVEN = "#7 DONE   cov: 1 ft: 1"
CASES = [  # what libFuzzer leaves, its exit status; what run.py says, its exit status; what libFuzzer says of its progress
	("slow-unit-1", "exit 0", 0, "text: nothing found; #7", 0, SEVEN),
	("slow-unit-1", "while :; do :; done", 0, "text: FAILED; #7", 1, SEVEN),
	("timeout-1", "exit 0", 70, "text: nothing found; #7", 0, SEVEN),
	("oom-1", "exit 71", 71, "text: FAILED; #7", 1, SEVEN),
	("crash-1", "exit 0", 77, "text: FAILED; #7", 1, SEVEN),
	("none", "", 1, "text: FAILED; #7", 1, SEVEN),
	("none", "", 0, "text: nothing found; #7", 0, SEVEN),
	("none", "", 0, "text: nothing found; stat", 0, "stat::number_of_executed_units: 12"),
	("none", "", 0, "text: FAILED; no progress", 1, "#0  READ units: 3"),
	("none", "", 0, "text: FAILED; no progress", 1, "stat::number_of_executed_units: 0"),
	("none", "", 0, "text: FAILED; no progress", 1, "cannot start"),
]


def main():
	failures = 0
	for name, content, status, said, expected, progress in CASES:
		with tempfile.TemporaryDirectory() as build:
			program = os.path.join(build, "tests", "fuzz", "fuzz-text")
			os.makedirs(os.path.dirname(program))
			with open(program, "w", encoding="utf-8") as out:
				out.write(TARGET.replace("{name}", name).replace("{content}", content).replace("{status}", str(status)).replace("{progress}", progress))
			os.chmod(program, 0o755)
			done = subprocess.run([sys.executable, RUN, "--seconds=1", "--cpu=1", build, "text"], capture_output=True, text=True, timeout=280, check=False)
			if done.returncode != expected or said not in done.stdout:
				failures += 1
				print(f"FAILED {name} '{content}' {status}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
	print(f"{len(CASES)} cases, {failures} failures")
	return 1 if failures else 0


if __name__ == "__main__":
	sys.exit(main())
