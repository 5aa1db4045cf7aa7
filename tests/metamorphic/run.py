#!/usr/bin/env python3
"""Changes that mean nothing make no difference: names, unused declarations, the order of functions and globals, printing and reading.

    run.py --circ CIRC --emitted EMITTED                   # every fourth program of tests/e2e, two random modules, three of the corpus
    run.py --circ CIRC --emitted EMITTED --every 1 --seeds 0:50 --corpus 75 --levels 0,2
    run.py --circ CIRC --emitted EMITTED FILE.cir...       # these alone

Each module is printed by circ (--emit=cir), changed, said to be no older text (circ.older_text), and compiled with --from=newest for ELF and windows-msvc, without -g:

    names           every SSA value, block, alloca, and label of a function has another name: the same object
    declared-first  declarations that nothing uses, in front: destructors, copy constructors, virtual tables and type infos of the
                    module's own classes, functions of the C++ runtime, type infos: the same object
    declared-last   the same, behind
    flat, abi       what --emit=flat and --emit=abi print, read again: the same object
    reversed        functions and globals in reverse order: the same code for each symbol, but for what initializes in that order
    plain           functions without func_info: the same code (only for correct/, where it says nothing that code depends on)

The command compiles all of them, and the library (tests/same/emitted.c, on two threads, one of them a clone) the first three. correct/ holds the programs of five front ends that look like what clang has printed wrong:
circ changed them once for the name of a variable, a declaration that was missing, and what a function says of itself.
"""
import argparse
import concurrent.futures
import glob
import hashlib
import lzma
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.dirname(os.path.dirname(HERE))
sys.path.append(os.path.join(TREE, "tests", "random"))
import generate  # noqa: E402

TARGETS = ["x86_64-unknown-linux-gnu", "x86_64-pc-windows-msvc"]
# Modules for which a change does mean something, or that differ still, and why.
INLINER = "LLVM's always-inliner goes by the order of functions: what it is given is the same for each, what it makes is not"
EXCEPT = {  # file → changes that are left out, and why
	"exception_types.cir": (("declared-first", "declared-last"), "it defines type infos that the declarations here name"),
	"inlined.cir": (("reversed",), INLINER),
	"3_unadvertised_selectors.cir": (("reversed",), INLINER),
}
CORRECT = sorted(glob.glob(os.path.join(HERE, "correct", "*.cir")))
SHOWN = 40  # differences
PER_SEED = 5  # programs of a random module

# Names

OLDER = re.compile(r", circ\.older_text\b| attributes \{circ\.older_text\}")
NAME = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|[%^][A-Za-z0-9_$.\-]+')
LOCAL_STRING = re.compile(r'(\bcir\.(?:alloca|label|goto) |\bcir\.block_(?:address |addr_info|addr_diff)<@[^,>]*, )"((?:\\.|[^"\\])*)"(?:(, )"((?:\\.|[^"\\])*)")?')


def other(name):
	return "q" + hashlib.md5(name.encode()).hexdigest()[:12]


def renamed(text):
	text = NAME.sub(lambda m: m[0][0] + other(m[0][1:]) if m[0][0] in "%^" else m[0], text)
	return LOCAL_STRING.sub(lambda m: f'{m[1]}"{other(m[2])}"' + (f'{m[3]}"{other(m[4])}"' if m[3] else ""), text)


# Declarations

RUNTIME = [
	("__cxa_free_exception", "(!cir.ptr<!cir.void>)"), ("__cxa_guard_abort", "(!cir.ptr<!cir.int<s, 64>>)"),
	("__cxa_throw", "(!cir.ptr<!cir.void>, !cir.ptr<!cir.void>, !cir.ptr<!cir.void>)"), ("__cxa_bad_cast", "()"), ("__cxa_end_catch", "()"),
	("_ZdlPv", "(!cir.ptr<!cir.void>)"), ("_Znam", "(!cir.int<u, 64>) -> !cir.ptr<!cir.void>"), ("_ZSt9terminatev", "()"),
	("__gxx_personality_v0", "(...) -> !cir.int<s, 32>"), ("__CxxFrameHandler3", "(...) -> !cir.int<s, 32>"),
	("memcpy", "(!cir.ptr<!cir.void>, !cir.ptr<!cir.void>, !cir.int<u, 64>) -> !cir.ptr<!cir.void>"),
	("atexit", "(!cir.ptr<!cir.func<()>>) -> !cir.int<s, 32>"),
]
INFOS = ["_ZTIi", "_ZTIPv", "_ZTISt9bad_alloc", "_ZTVN10__cxxabiv117__class_type_infoE"]
MEMBERS = [("D1", "Ev"), ("D2", "Ev"), ("D0", "Ev"), ("C1", "ERKS_"), ("C1", "Ev"), ("aS", "ERKS_")]


def declarations(text):
	"""What the text does not name yet."""
	lines, known = [], set(re.findall(r"@([\w.$?]+)", text))

	def function(name, signature):
		if name not in known:
			lines.append(f"  cir.func private @{name}{signature}\n")

	def variable(name):
		if name not in known:
			lines.append(f'  cir.global "private" constant external @{name} : !cir.ptr<!cir.int<u, 8>>\n')

	for alias, name in re.findall(r'^(![\w.$]+) = !cir\.(?:struct|union)<(?:class )?"((?:\w+::)*\w+)"', text, re.MULTILINE):
		mangled = "".join(f"{len(part)}{part}" for part in name.split("::"))
		for kind, tail in MEMBERS:
			parameters = f"!cir.ptr<{alias}>" + (f", !cir.ptr<{alias}>" if tail != "Ev" else "")
			function(f"_ZN{mangled}{kind}{tail}", f"({parameters})" + (f" -> !cir.ptr<{alias}>" if kind == "aS" else ""))
		for kind in ("TI", "TV", "TS"):
			variable(f"_Z{kind}{mangled}")
	for name, signature in RUNTIME:
		function(name, signature)
	for name in INFOS:
		variable(name)
	return "".join(lines)


def split(text):
	"""In front of the first op of the module, its ops, what is behind."""
	begin = re.search(r"^module.*\{\n", text, re.MULTILINE).end()
	end = text.rindex("}")
	return text[:begin], text[begin:end], text[end:]


def declared_first(text):
	head, body, tail = split(text)
	return head + declarations(text) + body + tail


def declared_last(text):
	head, body, tail = split(text)
	return head + body + declarations(text) + tail


# Order

def reversed_order(text):
	head, body, tail = split(text)
	first, *ops = re.split(r"^(?=  cir\.(?:func|global|alias)\b)", body, flags=re.MULTILINE)
	return head + first + "".join(reversed(ops)) + tail


def plain(text):
	return re.sub(r" (?:func_info|special_member)<#cir\.cxx_\w+<[^\n]*?>>", "", text)


# Labels of the file alone; names that number what initializes, and tables of all functions; what says where a symbol is
LOCAL = re.compile(r"\bGCC_except_table\d+|\.?L[A-Za-z_$.]*[0-9][\w$.]*|\.L[\w$.]+|\?(?:dtor|catch)\$\d+|\$[A-Za-z]\w*(?:\$\w+)?")
MADE = re.compile(r"__cxx_global_\w+(?:\.\d+)?|_GLOBAL__\w+(?:\.\w+)?|__clang_call_terminate|__LLVM_\w+")
PLACE = re.compile(r"\s*\.(?:globl|weak|type|size|p2align|text|data|bss|def|scl|endef|comdat|hidden|local|file|ident|addrsig\w*|linkonce|protected|"
                   r"cfi_sections|cfi_startproc|cfi_endproc|symidx|safeseh|intel_syntax|att_syntax)\b|\s*(?:#|//)|\s*$")
SECTION = re.compile(r"\s*\.(?:section\s+([^,\s]*)|text|data|bss)")
OF_FUNCTION = re.compile(r"\.gcc_except_table|\.xdata|\.pdata")
LABEL = re.compile(r'("[^"]+"|[\w$.?@]+):')
CODE = re.compile(r"\s*[a-z]|\.Lfunc_begin")
ALIAS = re.compile(r'("[^"]+"|[\w$.?@]+) = ("[^"]+"|[\w$.?@]+)')
COMMON = re.compile(r'\s*\.l?comm\s+("[^"]+"|[\w$.?@]+),(.*)')


def symbols(assembly):
	"""What each symbol of the assembly holds: labels of the file alone are numbered as they come, and constants stand for their labels."""
	found, constants, lines, of_symbol = {}, {}, None, False
	for line in assembly.split("\n"):
		line = line.split("# ")[0].rstrip()
		section, label, common, alias = SECTION.match(line), LABEL.fullmatch(line), COMMON.match(line), ALIAS.fullmatch(line)
		if alias:
			found[alias[1]] = [alias[2]]
		elif common:
			found[common[1]] = [common[2]]
		elif label and not LOCAL.match(label[1]):
			lines, of_symbol = found.setdefault(label[1], []), True
		elif label and not (of_symbol and (label[1].startswith(".Lfunc_begin") or any(CODE.match(line) for line in lines))):
			lines, of_symbol = constants.setdefault(label[1], []), False
		elif section and not OF_FUNCTION.match(section[1] or ""):
			lines, of_symbol = None, False
		elif lines is not None and not section and not PLACE.match(line):
			lines.append(line)
	return {name: numbered(lines, constants) for name, lines in found.items() if not MADE.search(name)}


def numbered(lines, constants):
	numbers, text = {}, []
	for line in lines:
		used = [constants[name] for name in LOCAL.findall(line) if name in constants]
		text.append(LOCAL.sub(lambda m: f"L{numbers.setdefault(m[0], len(numbers))}", MADE.sub("MADE", line)))
		text += [LOCAL.sub("L", "\n".join(constant)) for constant in used]
	return text


class Bench:
	"""The modules, and what is made of them: a folder for each change, in which each module has the same name."""

	def __init__(self, options, folder):
		self.circ, self.emitted = os.path.abspath(options.circ), options.emitted and os.path.abspath(options.emitted)
		self.folder, self.wrong, self.objects = folder, [], 0
		self.names = {}  # file → where it comes from
		self.pool = concurrent.futures.ThreadPoolExecutor(options.jobs)

	def run(self, folder, *options):
		return subprocess.run([self.circ, *options], cwd=folder, capture_output=True, timeout=600, check=False)

	def path(self, *parts):
		return os.path.join(self.folder, *parts)

	def texts(self, change):
		return {name: open(self.path(change, name), encoding="utf-8", newline="").read() for name in self.names
		        if os.path.exists(self.path(change, name))}

	def write(self, change, texts):
		os.makedirs(self.path(change), exist_ok=True)
		for name, text in texts.items():
			with open(self.path(change, name), "w", encoding="utf-8", newline="") as out:
				out.write(text)

	def add(self, label, text):
		"""Prints it in the newest spelling, as if it had been written so. What circ refuses is no input."""
		os.makedirs(self.path("base"), exist_ok=True)
		name = f"m{len(self.names):04}.cir"
		self.write("given", {name: text})
		printed = self.run(self.path("given"), "--emit=cir", name, "-o", "-")
		if printed.returncode == 0:
			self.write("base", {name: OLDER.sub("", printed.stdout.decode(), count=1)})
			self.names[name] = label

	def stage(self, stage, target):
		"""One text a target."""
		change = f"{stage}-{target}"
		os.makedirs(self.path(change), exist_ok=True)
		done = [self.pool.submit(self.run, self.path("base"), "--emit=" + stage, "--from=newest", "--target=" + target, name, "-o", self.path(change, name))
		        for name in self.names]
		concurrent.futures.wait(done)
		return change

	def compile(self, change, target, level, kind="-c"):
		"""What the command makes of the module of each name."""
		suffix = ".s" if kind == "-S" else ".obj" if "msvc" in target else ".o"
		folder, files = self.path(change), sorted(self.texts(change))
		halves = [files[0::2], files[1::2]]
		done = [self.pool.submit(self.run, folder, kind, "--from=newest", "--target=" + target, "-O" + level, *half) for half in halves if half]
		concurrent.futures.wait(done)
		return self.collect(folder, suffix)

	def by_library(self, change, target, level):
		folder = self.path(change)
		os.makedirs(self.path(change, "library"), exist_ok=True)
		done = subprocess.run([self.emitted, "newest", target, level, "library", *sorted(self.texts(change))], cwd=folder, capture_output=True,
		                      text=True, timeout=600, check=False)
		if done.returncode:
			self.wrong.append(f"{change} {target} -O{level}: the library: {done.stderr[:400]}")
		return self.collect(self.path(change, "library"), ".o")

	@staticmethod
	def collect(folder, suffix):
		made = {}
		for path in sorted(glob.glob(os.path.join(folder, "*" + suffix))):
			with open(path, "rb") as file:
				made[os.path.basename(path).removesuffix(suffix)] = file.read()
			os.remove(path)
		return made

	def given(self, change, made):
		"""What was made of the modules that have the change."""
		texts = self.texts(change)
		return {name: bytes_ for name, bytes_ in made.items() if name + ".cir" in texts}

	def compare(self, what, wanted, got):
		self.objects += len(wanted)
		for name in sorted(wanted.keys() | got.keys()):
			if wanted.get(name) != got.get(name):
				verdict = "refused" if name not in got else "compiles, but the original does not" if name not in wanted else "another object"
				self.wrong.append(f"{self.names[name + '.cir']}: {what}: {verdict}")

	def compare_code(self, what, wanted, got):
		self.objects += len(wanted)
		for name in sorted(wanted.keys() | got.keys()):
			one, other_one = ({} if made.get(name) is None else symbols(made[name].decode(errors="replace")) for made in (wanted, got))
			different = [symbol for symbol in sorted(one.keys() | other_one.keys()) if one.get(symbol) != other_one.get(symbol)]
			if different:
				self.wrong.append(f"{self.names[name + '.cir']}: {what}: other code of {' '.join(different[:4])}")

	def check(self, target, level):
		what = f"{target} -O{level}"
		base = self.compile("base", target, level)
		if self.emitted:
			self.compare(f"the library {what}", base, self.by_library("base", target, level))
		for change in ("names", "declared-first", "declared-last"):
			wanted = self.given(change, base)
			self.compare(f"{change} {what}", wanted, self.compile(change, target, level))
			if self.emitted:
				self.compare(f"{change} {what}, by the library", wanted, self.by_library(change, target, level))
		for stage in ("flat", "abi"):
			change = self.stage(stage, target)
			self.compare(f"{stage} {what}", self.given(change, base), self.compile(change, target, level))
		code = self.compile("base", target, level, "-S")
		self.compare_code(f"reversed {what}", self.given("reversed", code), self.compile("reversed", target, level, "-S"))
		self.compare_code(f"plain {what}", self.given("plain", code), self.compile("plain", target, level, "-S"))

	def check_all(self, levels):
		base = self.texts("base")
		for change, make in (("names", renamed), ("declared-first", declared_first), ("declared-last", declared_last), ("reversed", reversed_order)):
			self.write(change, {name: make(text) for name, text in base.items() if change not in left_out(self.names[name])})
		self.write("plain", {name: plain(text) for name, text in base.items() if self.names[name] in CORRECT})
		for level in levels:
			for target in TARGETS:
				self.check(target, level)


def left_out(label):
	"""The changes that are not tried on this module."""
	return EXCEPT.get(os.path.basename(label), ((), ""))[0]


def read(path):
	with (lzma.open if path.endswith(".xz") else open)(path, "rt", encoding="utf-8", newline="") as file:
		return file.read()


def inputs(options):
	yield from ((path, read(path)) for path in options.files or CORRECT)
	if options.files:
		return
	for path in sorted(glob.glob(os.path.join(TREE, "tests", "e2e", "*", "*.cir")))[::options.every]:
		if os.path.basename(path) in EXCEPT:
			changes, why = EXCEPT[os.path.basename(path)]
			print(f"left out: {os.path.basename(path)}: {', '.join(changes)}: {why}")
		yield os.path.relpath(path, TREE), read(path)
	first, end = map(int, options.seeds.split(":"))
	for seed in range(first, end):
		yield f"random {seed}", generate.generate(seed, PER_SEED)[0]
	modules = sorted(glob.glob(os.path.join(TREE, os.pardir, "shared", "corpus", "*.cir.xz")), key=os.path.getsize)
	for path in modules[:options.corpus]:
		yield os.path.basename(path), read(path)


def main():
	parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
	parser.add_argument("--circ", required=True)
	parser.add_argument("--emitted", help="tests/same/emitted.c, built: the library, too")
	parser.add_argument("--every", type=int, default=4, help="program of tests/e2e")
	parser.add_argument("--seeds", default="0:2", help="of random modules")
	parser.add_argument("--corpus", type=int, default=3, help="of its modules, the smallest")
	parser.add_argument("--levels", default="0")
	parser.add_argument("--jobs", type=int, default=2)
	parser.add_argument("--keep", help="folder to work in, which stays")
	parser.add_argument("files", nargs="*")
	options = parser.parse_args()
	with tempfile.TemporaryDirectory(prefix="circ-metamorphic-") as folder:
		bench = Bench(options, options.keep or folder)
		for label, text in inputs(options):
			bench.add(label, text)
		bench.check_all(options.levels.split(","))
	print("\n".join([*bench.wrong[:SHOWN], f"{len(bench.names)} modules, {bench.objects} objects, {len(bench.wrong)} differences"]))
	return 1 if bench.wrong or bench.objects < 8 * len(bench.names) else 0


if __name__ == "__main__":
	sys.exit(main())
