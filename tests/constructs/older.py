#!/usr/bin/env python3
"""older.py --circ CIRC: everything that `--from=newest` refuses is refused in a test.

Each spelling of text/old/ops.def that the newest grammar has not, and each text that the reader gives parse_older(), must be
told of some file of tests/ir that is read without the option.
"""
import argparse
import glob
import os
import re
import subprocess
import sys

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOLD = re.compile(r"error: (older spelling:? .*); use --from=auto|error: ('.*' is now '.*'); write that, or use --from=auto")
SITE = re.compile(r'parse_older\(p,[^;]*?"([^"]*)"\);', re.DOTALL)
CALL = re.compile(r'(?<!void )\bparse_older\(')
RENAMED_CALL = re.compile(r'(?<!void )\bparse_renamed\(')
RENAMED = {  # calls of parse_renamed() by file, and what their texts begin with
    "op.c": [],  # by mnemonic, below
    "generic.c": ["'cir.struct_element_addr' is now 'cir.get_member'"],
    "attr_row.c": ["'never' is now 'no_inline'", "'fone' is now 'one'"],
    "builtin.c": ["'i32' is now '!cir.int<s, 32>'", "'f32' is now '!cir.float'", "'!cir.ptr<i32>' is now '!cir.ptr<!cir.int<s, 32>>'"],
}
OF_TABLE = re.compile(r'parse_older\(p,[^;]*(?:\.|->)older\);')
ROW_OF_TABLE = re.compile(r'\{(?:WORD\("[^"]*"\)|"[^"]*"), \w+(?:, \w+)?, "([^"]*)"\}')
OLD = re.compile(r'^OLD(?:_CUSTOM)?\(\w+, "([^"]*)"', re.MULTILINE)


def read(path):
	with open(path, encoding="utf-8") as file:
		return file.read()


def run(circ, *options):
	return subprocess.run([circ, *options], capture_output=True, check=False, timeout=60)


def told(circ):
	texts = set()
	for path in sorted(glob.glob(os.path.join(TREE, "tests", "ir", "**", "*.cir"), recursive=True)):
		strict = run(circ, "--from=newest", "--verify-only", path)
		found = TOLD.findall(strict.stderr.decode(errors="replace"))
		if found and run(circ, "--verify-only", path).returncode == 0:
			texts.update(older or renamed for older, renamed in found)
	return texts


def wanted():
	for path in glob.glob(os.path.join(TREE, "src", "text", "*", "*.c")):
		source = read(path)
		sites, rows, of_table = SITE.findall(source), ROW_OF_TABLE.findall(source), OF_TABLE.findall(source)
		if len(CALL.findall(source)) != len(sites) + len(of_table) or (of_table and not rows):
			sys.exit(f"{path}: a call of parse_older() whose text is neither a literal nor a row's: this test does not see it")
		renamed = RENAMED.get(os.path.basename(path))
		if RENAMED_CALL.search(source) and renamed is None:
			sys.exit(f"{path}: a call of parse_renamed() in a file that this test does not know")
		yield from (f"older spelling: {text}" for text in sites + rows)
		yield from renamed or []


def main():
	parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
	parser.add_argument("--circ", required=True)
	texts = told(parser.parse_args().circ)
	sites = set(wanted())
	missing = sorted(sites - texts)
	mnemonics = set(OLD.findall(read(os.path.join(TREE, "src", "text", "old", "ops.def"))))
	for name in sorted(mnemonics):
		if f"older spelling of '{name}'" not in texts and not any(text.startswith(f"'{name}' is now") for text in texts):
			missing.append(f"a spelling of '{name}'")
	print("\n".join(["not told in any test: " + text for text in missing]))
	print(f"{len(sites)} sites, {len(mnemonics)} mnemonics, {len(missing)} not told")
	return 1 if missing else 0


if __name__ == "__main__":
	sys.exit(main())
