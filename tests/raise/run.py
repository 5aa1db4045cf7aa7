#!/usr/bin/env python3
"""run.py identity|twins|lifted --circ CIRC [--every N] [FILE...]: LLVM IR through circ.

identity  lower(raise(lower(x))) prints the LLVM IR of lower(x), for the programs x of tests/e2e as they are, and after LLVM's -O2. With --random
          also for random programs (tests/random), with --corpus for modules that clang's CIR front end printed.
          Names of values are dropped, and metadata, ranges of parameters, and attributes of intrinsics' declarations, which LLVM
          gives its own; declarations stand in any order. Places of functions and instructions are compared of what `circ -g` makes.
twins     clang's LLVM IR, -O0 and -O2 or --levels, of the C++ twins of tests/e2e: circ's object runs as clang's does. What it calls and is called
          by is compiled by g++ for libstdc++, by clang for libc++. With --random also random programs.
lifted    the same of flat CIR that was made of it. For windows-msvc the module compiles, or says why it does not.

The target raise-all runs all that there is. --every N: each N-th program. Prints what is different, and how many of how many are the same. Status 1: one is not, and is not in KNOWN.
"""
import argparse
import glob
import lzma
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.append(os.path.join(TREE, "tests", "random"))
import generate  # noqa: E402

E2E = os.path.join(TREE, "tests", "e2e")
RANDOM = os.path.join(TREE, "tests", "random")
LIBRARIES = {"libstdc++": [], "libc++": ["-stdlib=libc++"]}
CXX_FLAGS = ["-std=gnu++14", "-w", "-DTWIN", "-fPIC", '-DE2E_RUNTIME="libstdc++"', '-DE2E_UNWINDER="libgcc_s"', "-I", os.path.join(E2E, "support")]
COUNT = 25  # random programs of a seed
LEAST = 5  # results: fewer, and the run shows nothing
# What is refused, and why (docs/llvm-ir.md).
KNOWN = {"language/rounding.cir": "constrained floating point",
         "language/segments.cir": "LLVM-C has no number for an alignment of 4 GiB, which LLVM gives null at -O2"}
# What circ says of a lifted module that windows-msvc cannot run.
NOT_ON_WINDOWS = re.compile("which no library of windows-msvc has|exception specification is not supported")


def run(*command, **more):
	return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120, check=False, **more)


def last_error(done):
	lines = [line for line in done.stderr.split("\n") if "error" in line]
	return lines[0][:240] if lines else f"status {done.returncode}"


NODE = re.compile(r"^!(\d+) = (?:distinct )?!(DI\w+)\((.*)\)$", re.M)


class Places:
	"""What debug metadata says of instructions and functions: the file, the line, the column."""

	def __init__(self, text):
		self.nodes = {number: (kind, dict(re.findall(r'(\w+): ("[^"]*"|[^,]+)', body))) for number, kind, body in NODE.findall(text)}

	def file(self, number):
		fields = self.nodes[number][1]
		return self.nodes[(fields["file"] if "file" in fields else self.nodes[fields["scope"][1:]][1]["file"])[1:]][1]["filename"]

	def of(self, number):
		kind, fields = self.nodes[number]
		if fields.get("line", "0") == "0" or kind not in ("DILocation", "DISubprogram"):
			return ""
		return f" at {self.file(number)}:{fields['line']}" + (f":{fields.get('column', 0)}" if kind == "DILocation" else "")

	def put(self, line):
		"""The line with its place. Slots and phis have no code of their own."""
		found = re.search(r" !dbg !(\d+)", line)
		return line + self.of(found[1]) if found and not line.startswith("@") and not re.search(" = (alloca|phi) ", line) else line


def canonical(args, path):
	"""The module as a sorted list of what is in it, without names of values and numbers of attribute groups."""
	run(args.opt, "-passes=verify", path, "-o", path + ".bc")  # LLVM reads no text without names
	text = run(args.opt, "-S", "-discard-value-names", "-passes=verify", path + ".bc").stdout
	groups = {name: " ".join(sorted(re.findall(r'"[^"]*"(?:="[^"]*")?|[^ "(]+\([^)]*\)|\S+', body)))
	          for name, body in re.findall(r"^attributes (#\d+) = \{(.*)\}$", text, re.M)}
	out, function, places = [], None, Places(text)
	for line in text.split("\n"):
		if not line or line.startswith(("; ModuleID", "source_filename", "attributes #", "!")) or line.lstrip().startswith("#dbg_"):
			continue
		place = places.put(line)[len(line):]
		line = re.sub(r"#\d+(?=[ ,]|$)", lambda m: "{" + groups.get(m[0], m[0]) + "}", line)
		line = re.sub(r"\brange\([^)]*\) ?|\binitializes\((\([^)]*\)(, )?)+\) ?|,? ![\w.]+ !\d+|\s*;.*$", "", line)
		if " = phi " in line:  # the order of edges means nothing
			head, edges = re.match(r"(.*? = phi .*?) (\[.*)", line).groups()
			line = head + " " + " ".join(sorted(re.findall(r"\[ [^\]]*\]", edges)))
		if line.startswith("declare") and "@llvm." in line:
			line = re.sub(r" ?\{.*", "", line)
		if line.startswith("define"):
			function = []
		if function is None:
			out.append(line)
			continue
		function.append(line + place)
		if line == "}":
			out.append("\n".join(function))
			function = None
	return sorted(out)


def difference(one, other):
	mine, yours = [x for x in one if x not in other], [x for x in other if x not in one]
	if not mine or not yours:
		return (mine + yours + ["only the number of equal parts"])[0][:200]
	for a, b in zip(mine[0].split("\n"), yours[0].split("\n")):
		if a != b:
			return f"{a.strip()}\n    {b.strip()}"
	return "one is longer"


def raised(args, path, out):
	done = run(args.circ, "-g", "--emit=llvm", "-o", out, path)
	if done.returncode:
		return last_error(done)
	before, after = canonical(args, path), canonical(args, out)
	return None if before and before == after else difference(before, after)


def identity(args, path, folder):
	stem = os.path.join(folder, path.replace("/", "_"))
	if run(args.circ, "-g", "--emit=llvm", "-o", stem + ".0.ll", path).returncode:
		return []  # for another target
	run(args.opt, "-S", "-O2", stem + ".0.ll", "-o", stem + ".2.ll")
	return [(f"-O{level}", raised(args, f"{stem}.{level}.ll", f"{stem}.{level}.again.ll")) for level in "02"]


def behaves(program, argument):
	done = run(program, *argument)
	return done.returncode, done.stdout


class Case:
	"""A program in C++ and what it is linked with, for one library."""

	def __init__(self, args, path, folder, library):
		self.args, self.path, self.library = args, path, library
		self.stem = os.path.join(folder, path.replace("/", "_") + "." + library)
		self.flags = [*CXX_FLAGS, *LIBRARIES[library], "-I", RANDOM]
		self.random = os.path.dirname(path) == folder
		if self.random:
			self.support, self.scenarios = args.support[library][2:], ["8"]
		else:
			self.support = args.support[library][:1 if "int main(" in open(path, encoding="utf-8").read() else 2]
			self.scenarios = re.findall(r"^// run: *(.*)$", open(path[:-4] + ".cir", encoding="utf-8").read(), re.M)[:3] or [""]

	def link(self, program):
		return run(self.args.clang, *LIBRARIES[self.library], program + ".o", *self.support, "-o", program)

	def compare(self, level):
		"""What is different; None: nothing; False: the twin is not for this library."""
		bc, mine, theirs = (f"{self.stem}.{level}.{what}" for what in ("bc", "circ", "clang"))
		if run(self.args.clang, f"-O{level}", *self.flags, "-c", "-emit-llvm", self.path, "-o", bc).returncode:
			return False
		lift = ["--lift", "--verify-each"] if self.args.what == "lifted" else []
		circ_level = f"-O{level}" if level.isdigit() else "-O2"
		made = run(self.args.circ, circ_level, *lift, "-c", bc, "-o", mine + ".o")
		if made.returncode:
			return last_error(made)
		if lift:
			made = run(self.args.circ, circ_level, "--verify-each", "--target=x86_64-pc-windows-msvc", "-c", bc, "-o", mine + ".obj")
			if made.returncode and not NOT_ON_WINDOWS.search(made.stderr):
				return "for windows-msvc: " + last_error(made)
		run(self.args.clang, f"-O{level}", *self.flags, "-c", self.path, "-o", theirs + ".o")
		if self.link(theirs).returncode:
			return False
		linked = self.link(mine)
		if linked.returncode:
			return last_error(linked)
		return None if all(behaves(mine, [s]) == behaves(theirs, [s]) for s in self.scenarios) else "another trace"


def twin(args, path, folder):
	results = []
	for library in args.libraries.split(","):
		case = Case(args, path, folder, library)
		for level in args.levels.split(","):
			why = case.compare(level)
			if why is not False:
				results.append((f"-O{level} {library}", why))
	return results


def compile_support(args, folder):
	"""{library: objects of events.cpp, main.cpp, and of the runtime and the table of random programs}"""
	table = os.path.join(folder, "table.cc")
	with open(table, "w", encoding="ascii") as out:
		names = [f"test_{n}" for n in range(COUNT)]
		out.write("extern \"C\" {\n" + "".join(f"int {n}();\n" for n in names) + "extern int (*const tests[])();\nextern const unsigned ntests;\n"
		          "int (*const tests[])() = {" + ", ".join(names) + f"}};\nconst unsigned ntests = {COUNT};\n"
		          "extern void (*const at_start)();\nvoid (*const at_start)() = nullptr;\n}\n")
	sources = [*(os.path.join(E2E, "support", name) for name in ("events.cpp", "main.cpp")), os.path.join(RANDOM, "runtime.cpp"), table]
	support = {}
	for library in args.libraries.split(","):
		compiler = shutil.which("g++") if library == "libstdc++" else None
		support[library] = [os.path.join(folder, f"support.{library}.{n}.o") for n in range(len(sources))]
		for source, target in zip(sources, support[library]):
			run(compiler or args.clang, *CXX_FLAGS, *LIBRARIES[library], "-I", RANDOM, "-O1", "-c", source, "-o", target)
	return support


def more_files(args, folder):
	"""Random programs and the corpus, written to the folder."""
	files = []
	for seed in range(*map(int, args.random.split(":"))):
		files.append(os.path.join(folder, f"random{seed}." + ("cir" if args.what == "identity" else "cpp")))
		with open(files[-1], "w", encoding="ascii") as out:
			out.write(generate.generate(seed, COUNT)[args.what != "identity"])
	corpus = sorted(glob.glob(os.path.join(TREE, os.pardir, "shared", "corpus", "*.cir.xz")), key=os.path.getsize)
	for path in corpus[:args.corpus] if args.what == "identity" else []:
		files.append(os.path.join(folder, os.path.basename(path)[:-3]))
		with open(files[-1], "wb") as out:
			out.write(lzma.open(path).read())
	return files


def main():
	parser = argparse.ArgumentParser()
	parser.add_argument("what", choices=["identity", "twins", "lifted"])
	parser.add_argument("--circ", required=True)
	parser.add_argument("--opt", default="/usr/lib/llvm-22/bin/opt")
	parser.add_argument("--clang", default="clang++-22")
	parser.add_argument("--every", type=int, default=1)
	parser.add_argument("--random", default="0:0", help="FROM:TO, seeds")
	parser.add_argument("--corpus", type=int, default=0, help="of its modules, the smallest")
	parser.add_argument("--levels", default="0,2", help="of clang and of circ")
	parser.add_argument("--libraries", default="libstdc++", help="of: " + ", ".join(LIBRARIES))
	parser.add_argument("files", nargs="*")
	args = parser.parse_intermixed_args()
	ends = "*.cir" if args.what == "identity" else "*.cpp"
	files = args.files or sorted(glob.glob(os.path.join(E2E, "*", ends)))[::args.every]
	bad = total = 0
	with tempfile.TemporaryDirectory(prefix="circ-raise-") as folder, ThreadPoolExecutor(2) as pool:
		if args.what != "identity":
			files = [f for f in files if os.path.exists(f[:-4] + ".cir") and "ifdef TWIN" in open(f, encoding="utf-8").read()]
			args.support = compile_support(args, folder)
		files += more_files(args, folder)
		one = identity if args.what == "identity" else twin
		for path, results in zip(files, pool.map(lambda f: one(args, f, folder), files)):
			name = os.path.relpath(path, E2E)
			for level, why in results:
				total += 1
				if why and name not in KNOWN:
					bad += 1
					print(f"{name} {level}: {why}")
				elif why:
					print(f"{name} {level}: {KNOWN[name]}, as known")
	print(f"{args.what}: {total - bad} of {total}")
	sys.exit(bad > 0 or total < LEAST)


if __name__ == "__main__":
	main()
