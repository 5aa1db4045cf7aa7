#!/usr/bin/env python3
"""What -g adds to objects is well formed, and is all that it changes.

    run.py --circ build/bin/circ --programs tests/e2e/language   every program of a folder of the end-to-end tests
    run.py --circ build/bin/circ --random 0:20                   random programs (tests/random/generate.py), --count a seed
    run.py --circ build/bin/circ --hostile                       modules that no front end would write (hostile.py)
    run.py --circ build/bin/circ --corpus ../shared/corpus       real modules with the places of their sources

Each module is compiled for --targets at --levels, without -g and with it. The objects must be the same when debug information is
taken out: contents, relocations, symbols. DWARF (5, and 4 at -O0) must pass `llvm-dwarfdump --verify`, which also has nothing to warn of; of
CodeView, `llvm-readobj --codeview` must read everything, each function must have its lines, and what begins must end. A module that
circ refuses must be refused with the same words.
"""
import argparse
import difflib
import importlib.util
import itertools
import lzma
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "random"))
import generate  # noqa: E402
import hostile  # noqa: E402  (beside this file)

SKIPPED = 77
TIMEOUT = 120
TOOLS = ("objcopy", "objdump", "dwarfdump", "readobj")
# Where the tables of call sites are. In optimized code LLVM may let the range of one begin behind an instruction that cannot throw, with -g:
# PHIElimination puts copies behind labels, but not behind those that follow a debug value (LLVM 22; seed 1 at -O2 has one).
CALL_SITES = {"elf": "gcc_except_table", "mingw": "xdata", "msvc": "rela"}
TRIPLES = {"elf": "x86_64-pc-linux-gnu", "mingw": "x86_64-w64-windows-gnu", "msvc": "x86_64-pc-windows-msvc"}


class Failure(Exception):
	pass


class Tools:
	def __init__(self, circ, folder):
		self.circ, self.folder = circ, folder
		self.objcopy, self.objdump, self.dwarfdump, self.readobj = map(find_llvm, TOOLS)
		self.objects = 0

	def missing(self):
		return [name for name in TOOLS if not getattr(self, name)]

	def path(self, name):
		return os.path.join(self.folder, name)


def find_llvm(name):
	return next((path for path in map(shutil.which, (f"llvm-{name}-22", f"llvm-{name}-19", f"llvm-{name}")) if path), None)


def call(command):
	return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=TIMEOUT, check=False)


def need(command):
	done = call(command)
	if done.returncode or done.stderr:
		raise Failure(f"{' '.join(command)}: exit status {done.returncode}\n{(done.stdout + done.stderr)[-2000:]}")
	return done.stdout


def compile_both(tools, source, options, debug):
	"""The object without and with debug information; None when circ refuses the module."""
	plain, full = tools.path("plain.o"), tools.path("full.o")
	first = call([tools.circ, "-c", *options, source, "-o", plain])
	second = call([tools.circ, "-c", debug, *options, source, "-o", full])
	if (first.returncode, first.stderr) != (second.returncode, second.stderr):
		raise Failure(f"{debug} changes the outcome: {first.returncode} {first.stderr[:500]}\n{second.returncode} {second.stderr[:500]}")
	if first.returncode == 1:
		return None
	if first.returncode:
		raise Failure(f"exit status {first.returncode}: {first.stderr[:500]}")
	return plain, full


def without_debug(tools, path):
	out = path + ".stripped"
	need([tools.objcopy, "--strip-debug", path, out])
	with open(out, "rb") as file:
		return out, file.read()


def listing(tools, path, loose):
	"""Sections, symbols, relocations and contents; not the symbols of sections, of which debug information makes LLVM write more.
	loose: a section whose contents may differ."""
	out, skipping = [], False
	for line in need([tools.objdump, "--section-headers", "--syms", "--reloc", "--full-contents", path]).splitlines():
		if line.startswith("Contents of section "):
			skipping = re.search(rf" \.(rela|symtab|strtab|{loose})", line)
		line = re.sub(r"checksum 0x\S+", "", line)
		if not skipping and not line.startswith(path) and not re.search(r"\bl +d  |\.(sym|str)tab", line):
			out.append(line)
	return out


def check_same(tools, plain, full, loose):
	first, second = without_debug(tools, plain), without_debug(tools, full)
	if first[1] == second[1]:
		return
	first, second = listing(tools, first[0], loose), listing(tools, second[0], loose)
	if first != second:
		diff = "\n".join(list(difflib.unified_diff(first, second, lineterm="", n=0))[2:12])
		raise Failure(f"more than debug information is different\n{diff}")


def check_dwarf(tools, path):
	said = need([tools.dwarfdump, "--verify", path])
	if "No errors." not in said or "warning:" in said:
		raise Failure(f"llvm-dwarfdump --verify:\n{said[-2000:]}")


OPENS = {"S_GPROC32_ID", "S_LPROC32_ID", "S_BLOCK32", "S_INLINESITE"}
CLOSES = {"S_PROC_ID_END", "S_END", "S_INLINESITE_END"}


def check_codeview(tools, path):
	text = need([tools.readobj, "--codeview", "--sections", path])
	if re.search(r"\bUnknown(Leaf|Sym)", text):
		raise Failure("llvm-readobj --codeview meets what it does not know")
	depth, functions = 0, 0
	for kind in re.findall(r"Kind: (S_\w+)", text):
		depth += (kind in OPENS) - (kind in CLOSES)
		functions += kind in ("S_GPROC32_ID", "S_LPROC32_ID")
		if depth < 0:
			raise Failure(f"{kind} ends what has not begun")
	if depth:
		raise Failure(f"{depth} symbols of CodeView have no end")
	lines = len(re.findall(r"FunctionLineTable \[", text))
	if lines < functions:
		raise Failure(f"{functions} functions, {lines} tables of lines")


def check(tools, source, options, target, level):
	options = [f"--target={TRIPLES[target]}", f"-{level}", *options]
	for debug in ("-g", "-gdwarf-4") if target != "msvc" and level == "O0" else ("-g",):
		try:
			pair = compile_both(tools, source, options, debug)
			if not pair:
				return
			tools.objects += 1
			check_same(tools, *pair, CALL_SITES[target] if level != "O0" else "rela")
			(check_codeview if target == "msvc" else check_dwarf)(tools, pair[1])
		except (Failure, subprocess.TimeoutExpired) as error:
			raise Failure(f"{debug} {' '.join(options)}: {error}") from None


# --- where modules come from: pairs of a name and a file, with options for circ -------------------------------------------------

def end_to_end():
	"""tests/e2e/run.py, which has the name of this file."""
	path = HERE.parent / "e2e" / "run.py"
	spec = importlib.util.spec_from_file_location("end_to_end", path)
	module = importlib.util.module_from_spec(spec)
	spec.loader.exec_module(module)
	return module


def programs(tools, folder, shared):
	e2e = end_to_end()
	for path in sorted(pathlib.Path(folder).glob("*.cir*")):
		text = path.read_text(encoding="utf-8")
		source = path
		if path.suffix == ".in":
			source = pathlib.Path(tools.path(path.stem))
			source.write_text(e2e.insert_listings(text, shared), encoding="utf-8")
		yield path.name, str(source), e2e.Header(text).circ


def random_programs(tools, seeds, count):
	first, end = map(int, seeds.split(":"))
	for seed in range(first, end):
		path = tools.path("random.cir")
		with open(path, "w", encoding="ascii") as out:
			out.write(generate.generate(seed, count, False)[0])
		yield f"seed {seed}", path, []


def hostile_modules(tools):
	for name, text in hostile.modules():
		path = tools.path("hostile.cir")
		with open(path, "w", encoding="utf-8") as out:
			out.write(text)
		yield name, path, []


def corpus(tools, folder, step):
	for path in sorted(pathlib.Path(folder).glob("*.cir.xz"))[::step]:
		source = tools.path("corpus.cir")
		with open(source, "wb") as out:
			out.write(lzma.open(path).read())
		yield path.name, source, []


def main():
	args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
	args.add_argument("--circ", required=True)
	args.add_argument("--programs")
	args.add_argument("--shared", default=".", help="folder with the design document, for the programs made of its listings")
	args.add_argument("--random")
	args.add_argument("--count", type=int, default=20)
	args.add_argument("--hostile", action="store_true")
	args.add_argument("--corpus")
	args.add_argument("--step", type=int, default=1, help="of the corpus, only every so many")
	args.add_argument("--targets", default="elf,mingw,msvc")
	args.add_argument("--levels", default="O0,O2")
	args.add_argument("--turns", action="store_true", help="each module for one target at one level, by turns: a sixth of the time, unless $CIRC_ALL_LEVELS is set")
	options = args.parse_args()
	if options.programs and any(pathlib.Path(options.programs).glob("*.in")) and not os.path.isdir(options.shared):
		print(f"SKIPPED: {options.shared} is absent: the programs of the design document were NOT tested")
		return SKIPPED
	if options.corpus and not os.path.isdir(options.corpus):
		print(f"SKIPPED: {options.corpus} is absent: real input was NOT tested")
		return SKIPPED
	with tempfile.TemporaryDirectory() as folder:
		tools = Tools(os.path.abspath(options.circ), folder)
		if tools.missing():
			print(f"SKIPPED: no llvm-{', llvm-'.join(tools.missing())}")
			return SKIPPED
		modules = (programs(tools, options.programs, options.shared) if options.programs else
		           random_programs(tools, options.random, options.count) if options.random else
		           hostile_modules(tools) if options.hostile else
		           corpus(tools, options.corpus, options.step))
		met = failed = 0
		for name, source, more in modules:
			kinds = list(itertools.product(options.levels.split(","), options.targets.split(",")))
			for level, target in [kinds[met % len(kinds)]] if options.turns and not os.environ.get("CIRC_ALL_LEVELS") else kinds:
				try:
					check(tools, source, more, target, level)
				except Failure as error:
					failed += 1
					print(f"{name}: {error}", flush=True)
			met += 1
		print(f"{met} modules, {tools.objects} objects with debug information, {failed} failures")
		return 1 if failed or not tools.objects else 0


if __name__ == "__main__":
	sys.exit(main())
