#!/usr/bin/env python3
"""stages.py --circ CIRC [--every N] [FILE.cir...]: the text of each stage is what it was printed from.

What `--emit=STAGE` prints, in the usual and in the generic form, is printed the same by `--emit=STAGE` and by `--emit=cir --from=newest`, and compiles to the same object
as the file, all with --repair=none: what is printed has no trace of the clang that printed the file. The files are every Nth of tests/ and examples/; what one refuses is passed over, unless it compiles.
"""
import argparse
import glob
import os
import subprocess
import sys
import tempfile

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TARGETS = ["x86_64-unknown-linux-gnu", "x86_64-pc-windows-msvc", "x86_64-w64-windows-gnu"]
FORMS = [(stage, form) for stage in ("cir", "flat", "abi") for form in ([], ["--print-generic"])]
LEAST = 5  # texts a file, on average: fewer, and nothing is shown
CANNOT_UNDO = b"cannot undo"  # the file is of a later stage


def default_files(every):
	return sorted(path for folder in ("tests", "examples")
	              for path in glob.glob(os.path.join(TREE, folder, "**", "*.cir"), recursive=True))[::every]


class File:
	"""One input. It always has the same path, since objects and the names of initializers tell it."""

	def __init__(self, circ, folder, path):
		self.circ, self.folder, self.path, self.texts, self.wrong = circ, folder, path, 0, []

	def circ_makes(self, text, *options):
		"""What circ writes, None where it refuses; and its messages."""
		with open(os.path.join(self.folder, "in.cir"), "wb") as out:
			out.write(text)
		done = subprocess.run([self.circ, "--repair=none", *options, "in.cir", "-o", "-"], cwd=self.folder, capture_output=True, timeout=300, check=False)
		return (None if done.returncode else done.stdout), done.stderr

	def expect(self, what, wanted, text, *options):
		got, messages = self.circ_makes(text, *options)
		if got != wanted:
			self.wrong.append(f"{self.path}: {what}: {' '.join(options)} of it differs\n{messages.decode(errors='replace')[:400]}")

	def check(self, target):
		with open(self.path, "rb") as file:
			whole = file.read()
		compiled = self.circ_makes(whole, target, "-c")[0]
		for stage, form in FORMS:
			emit, what = ["--emit=" + stage, "--print-locations", *form], f"{stage} {target} {''.join(form)}"
			text, messages = self.circ_makes(whole, target, *emit)
			if text is None:
				if compiled is not None and CANNOT_UNDO not in messages:
					self.wrong.append(f"{self.path}: {what}: refused, but it compiles\n{messages.decode(errors='replace')[:400]}")
				continue
			self.texts += 1
			self.expect(what, text, text, target, *emit)
			self.expect(what, text, text, "--emit=cir", "--print-locations", *form, "--from=newest")
			self.expect(what, compiled, text, target, "-c")


def main():
	parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
	parser.add_argument("--circ", required=True)
	parser.add_argument("--every", type=int, default=1)
	parser.add_argument("files", nargs="*")
	args = parser.parse_args()
	texts, wrong, paths = 0, [], args.files or default_files(args.every)
	with tempfile.TemporaryDirectory(prefix="circ-stages-") as folder:
		for path in paths:
			file = File(os.path.abspath(args.circ), folder, path)
			for triple in TARGETS:
				file.check("--target=" + triple)
			texts, wrong = texts + file.texts, wrong + file.wrong
	print("\n".join([*wrong, f"{len(paths)} files, {texts} texts, {len(wrong)} differences"]))
	return 1 if wrong or texts < LEAST * len(paths) else 0


if __name__ == "__main__":
	sys.exit(main())
