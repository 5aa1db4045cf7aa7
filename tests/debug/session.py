#!/usr/bin/env python3
"""The sessions with gdb that docs/debugging.md shows are what gdb says.

    session.py --circ build/bin/circ --section 'A session' DOCUMENT FOLDER...

The commands of the first `console` block below a heading of DOCUMENT are run on copies of the files in the FOLDERs: the lines after `$ ` by a shell, those after
`(gdb) ` by the gdb that the last of them starts. What gdb then says must be the rest of the block; addresses are `0x…` there.
"""
import argparse
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
TIMEOUT = 120
NOISE = re.compile(r"\[Thread debugging|Using host libthread_db|warning: Error disabling address space|$")


def block_of(document, section):
	with open(document, encoding="utf-8") as file:
		text = file.read()
	below = text[text.index(f"# {section}\n"):]
	return re.search(r"```console\n(.*?)```", below, re.DOTALL).group(1).splitlines()


def plain(line):
	line = re.sub(r"0x[0-9a-f]{4,}", "0x…", line)
	return re.sub(r" from \S*/(lib\S+?\.so)\S*", r" from \1", line).rstrip()


def run_shell(lines, folder, path):
	environment = {**os.environ, "PATH": path + os.pathsep + os.environ["PATH"]}
	for line in lines:
		subprocess.run(["sh", "-c", line], cwd=folder, env=environment, timeout=TIMEOUT, check=True)


def run_gdb(program, commands, folder):
	script = ["set debuginfod enabled off", "set width 0", "set confirm off"]
	for command in commands:
		script += [f"echo (gdb) {command}\\n", command]
	with open(os.path.join(folder, "script"), "w", encoding="utf-8") as out:
		out.write("\n".join(script) + "\n")
	done = subprocess.run(["gdb", "-q", "-nx", "-batch", "-x", "script", program], cwd=folder, stdin=subprocess.DEVNULL,
	                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT, check=False)
	return [plain(line) for line in done.stdout.splitlines() if not NOISE.match(line)]


def main():
	args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
	args.add_argument("--circ", required=True)
	args.add_argument("--section", required=True)
	args.add_argument("document")
	args.add_argument("folders", nargs="+")
	options = args.parse_args()
	missing = [tool for tool in ("gdb", "g++") if not shutil.which(tool)]
	if missing:
		print(f"SKIPPED: no {' and no '.join(missing)}: the session was NOT run")
		return SKIPPED
	block = block_of(options.document, options.section)
	shell = [line[2:] for line in block if line.startswith("$ ")]
	expected = [plain(line) for line in block if not line.startswith("$ ")]
	commands = [line[len("(gdb) "):] for line in expected if line.startswith("(gdb) ")]
	with tempfile.TemporaryDirectory() as folder:
		for source in options.folders:
			shutil.copytree(source, folder, dirs_exist_ok=True)
		run_shell(shell[:-1], folder, os.path.dirname(os.path.abspath(options.circ)))
		got = run_gdb(shell[-1].split()[-1], commands, folder)
	if got == expected:
		print(f"{len(commands)} commands of gdb, as shown")
		return 0 if commands else 1
	print("\n".join(difflib.unified_diff(expected, got, "shown", "got", lineterm="", n=100)))
	return 1


if __name__ == "__main__":
	sys.exit(main())
