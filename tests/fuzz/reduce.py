#!/usr/bin/env python3
"""reduce.py TARGET FILE [-o FILE] [--timeout S]: the least lines of FILE that still make the fuzz target fail the same way.

TARGET is a program of tests/fuzz (either build). "The same way" is the first line that says what is wrong, numbers left out."""
import argparse
import os
import re
import subprocess
import sys
import tempfile

SIGNS = re.compile(r"^(?:fuzz: |.*runtime error: |.*ERROR: AddressSanitizer: |.*ERROR: LeakSanitizer: |.*ERROR: libFuzzer: timeout"
                   r"|.*CHECK|circ: |.*internal error|LLVM ERROR)")


def failure(target, text, timeout, folder):
	"""What is wrong with it, without numbers; None: nothing."""
	path = os.path.join(folder, "tried.cir")
	with open(path, "wb") as out:
		out.write(text)
	try:
		done = subprocess.run([target, path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=timeout, cwd=folder)
	except subprocess.TimeoutExpired:
		return "timeout"
	if done.returncode == 0:
		return None
	lines = done.stderr.decode(errors="replace").splitlines()
	signs = [line for line in lines if SIGNS.match(line)]
	frames = [line.split(" in ", 1)[1].split(" ")[0] for line in lines if re.match(r"^ +#\d+ .* in ", line) and "/src/" in line]
	said = re.sub(r"'[^']*'|[0-9]+|0x[0-9a-f]+", "", signs[0]) if signs else f"status {done.returncode}"
	return said if signs and not signs[0].endswith("deadly signal") and "Sanitizer" not in said else f"{said} {frames[:1]}"


def balanced(lines):
	depth = 0
	for line in lines:
		depth += line.count(b"{") - line.count(b"}")
		if depth < 0:
			return False
	return depth == 0


def candidates(lines):
	"""Fewer lines: runs of them, long ones first, then blocks whose first and last line go."""
	size = len(lines)
	while size:
		for at in range(0, len(lines) - size + 1, max(1, size // 2)):
			if size > 8 or balanced(lines[at:at + size]):
				yield lines[:at] + lines[at + size:]
		size //= 2
	for at, line in enumerate(lines):
		if line.rstrip().endswith(b"{"):
			depth = 0
			for end in range(at, len(lines)):
				depth += lines[end].count(b"{") - lines[end].count(b"}")
				if depth == 0:
					yield lines[:at] + lines[end + 1:]
					yield lines[:at] + lines[at + 1:end] + lines[end + 1:]
					break


def reduce(target, text, timeout, folder):
	wanted = failure(target, text, timeout, folder)
	if wanted is None:
		sys.exit("reduce.py: the target takes this file without complaint")
	print(wanted, file=sys.stderr)
	lines = text.splitlines(keepends=True)
	shrinking = True
	while shrinking:
		shrinking = False
		for fewer in candidates(lines):
			if len(fewer) < len(lines) and failure(target, b"".join(fewer), timeout, folder) == wanted:
				lines, shrinking = fewer, True
				break
	return b"".join(lines)


def main():
	p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
	p.add_argument("target")
	p.add_argument("file")
	p.add_argument("-o", dest="output")
	p.add_argument("--timeout", type=float, default=30)
	args = p.parse_args()
	with open(args.file, "rb") as source:
		text = source.read()
	with tempfile.TemporaryDirectory(prefix="circ-reduce-") as folder:
		reduced = reduce(os.path.abspath(args.target), text, args.timeout, folder)
	if args.output:
		with open(args.output, "wb") as out:
			out.write(reduced)
	else:
		sys.stdout.buffer.write(reduced)


if __name__ == "__main__":
	main()
