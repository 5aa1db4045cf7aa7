#!/usr/bin/env python3
"""Compiles one program with circ, links it with C++, runs it and compares what happened with what its header says.

    run.py support OPTIONS          compile support/*.cpp for a library pair (once, before its programs)
    run.py FILE.cir[.in] OPTIONS    check one program with that pair
    run.py random:SEED OPTIONS      check a random one (generate.py)

A program is FILE.cir, and FILE.cpp beside it if it needs C++ of its own. Its leading comment may hold:

    // run: SCENARIO                one run, with this argument (support/main.cpp says what it means); empty is fine
    // trace: A | B                 the events of that run, a line of output each
    //      | C                     (goes on)
    // status: abort                how that run ends; default 0, but the twin's to say where the trace is
    // wine: goes on                a plain call throws out of a cleanup while unwinding: Windows ends that run in std::terminate, Wine 8
                                    does not (docs/internals/windows.md); for msvc, only what comes before is compared
    // levels: O0 O2                optimization levels (this is the default); parts: -O0, each function an object of its own, joined
    // form: itanium                the text is in the Itanium form already; default flat
    // circ: OPTION...              more options for circ
    // pairs: libc++                only with these; say why in the prose
    // llvm: 20                     only with this version of LLVM, or a later one
    // not: mingw                   this run, or before any the program, not with these (jit: not in process); say why in the prose
    // error: REGEX                 circ must reject the file with this in its messages; nothing is run

and anywhere in the text of a FILE.cir.in:

    // listing: HEADING / HEADING / N     is replaced by the N-th code block (C++ ones do not count) below these
                                          headings of the design document
    // lines: A-B                         keep only these lines of it
    // repair: /REGEX/TEXT/ why           applied to the listing; must match exactly once

A FILE.cpp with `#ifdef TWIN` holds the same program in C++ there. The twin is built by the pair's own compiler and must
behave as the header says, too; where the header gives no trace, the twin's is the expected one.

With --wine, programs are run under Wine (tests/wine/wine.py), and ELF's trace is what they must show, too: there is one expected trace.
That takes longer, so it is done at -O0 and -O2 alone, unless $CIRC_ALL_LEVELS is set.

On ELF one level is also run in process, by `circ run`: the first with the first pair, the last with the other. Besides, every program makes
two more trips with the first pair: what circ prints of it must read back as the same text; and each stage is printed and read back (flat,
then abi, then llvm for show, then an object from the abi text), and must behave the same. For msvc each printed stage makes the object that the source makes, byte for byte.
Exit status: 0 passed, 1 failed, 77 not possible here (no design document).
"""
import argparse
import copy
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "wine"))
import generate  # noqa: E402  (beside this file)
import wine  # noqa: E402

SKIPPED = 77
TIMEOUT = 60
CXX_FLAGS = ["-std=gnu++14", "-O1", "-Wall", "-Wno-deprecated", "-I", str(HERE / "support")]

# A pair is a C++ library with its unwinder: how to compile for it, how the C++ driver links it, how circ compiles for it and links it.
# -lunwind comes before the -lgcc_s that the driver adds, so that one unwinder serves the whole process.
PAIRS = {
	"libc++": {
		"compile": ["-stdlib=libc++", "-fPIC", '-DE2E_RUNTIME="libc++abi"', '-DE2E_UNWINDER="libunwind"'],
		"link": ["-nostdlib++", "-lc++", "-lc++abi", "-lunwind"],
		"circ": ["--cxxlib=libc++"],
		"abort": -6,  # how abort() ends a process
	},
	"libstdc++": {
		"compile": ["-fPIC", '-DE2E_RUNTIME="libstdc++"', '-DE2E_UNWINDER="libgcc_s"'],
		"link": [],
		"circ": ["--cxxlib=libstdc++"],
		"abort": -6,
	},
	"mingw": {
		"compile": ["-Wno-format"],  # g++ takes printf for Microsoft's, whose %lld it does not know
		"link": ["-static"],
		"circ": ["--target=x86_64-w64-windows-gnu"],
		"abort": 3,
	},
	"msvc": {
		"compile": ["--target=x86_64-pc-windows-msvc", "-isystem", str(HERE.parent / "windows" / "include"),
		            "-Wno-builtin-requires-header", "-Wno-incompatible-library-redeclaration"],
		"link": None,  # by circ, which has the libraries
		"circ": ["--target=x86_64-pc-windows-msvc"],
		"abort": 3,
		"support": ["windows_names.o", "seh_handler.o"],
		# The ELF trace judges what circ makes; clang's own Windows objects differ where Microsoft's runtime does (docs/internals/windows.md).
		"judges twins": False,
		"never": r":foreign",  # catch (...) and cleanups of C++ do not see exceptions that are not of C++
	},
}
PAIRS["aarch64"] = {
	"compile": ["-fPIC", '-DE2E_RUNTIME="libstdc++"', '-DE2E_UNWINDER="libgcc_s"'],
	"link": [],
	"circ": ["--target=aarch64-unknown-linux-gnu"],
	"abort": -6,
	"runner": ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"],
}
# Without tables: what C++ code throws goes to circ's runtime (support/sjlj), and C++ code catches nothing. `not: sjlj` means both.
PAIRS["sjlj"] = {
	"compile": ["-fPIC", "-DE2E_SJLJ"],
	"link": ["-no-pie"],
	"circ": ["--eh=sjlj", "--cxxlib=libstdc++"],
	"abort": -6,
	"support": ["throw.o"],
	"beside main": ["guarded.o"],
	"jit": False,
	"twins": "libstdc++",
	"judges twins": False,
	"never": r":foreign",  # the system's unwinder throws it
	"refuses": r"error: (.*without tables.*|.*is for exception tables.*)",
	"runtime": "libcircrt-sjlj.a",
}
PAIRS["sjlj-aarch64"] = {
	**PAIRS["sjlj"],
	"circ": ["--eh=sjlj", *PAIRS["aarch64"]["circ"]],
	"runner": PAIRS["aarch64"]["runner"],
	"twins": "aarch64",
}
PAIRS["wasm"] = {
	"compile": ["--target=wasm32-wasi", "-Wno-deprecated", "-fwasm-exceptions"],
	"link": ["--target=wasm32-wasi", "-Wno-deprecated"],
	"circ": ["--target=wasm32-wasip1"],
	"abort": 134,
	"runner": ["node", "--no-warnings", str(HERE.parent / "wasm" / "run.mjs")],
	"host is told": True,
	"judges twins": False,  # clang's own objects lose values that go from pad to pad (pad_phi.cir)
	"sizes": 32,
}
PAIRS["wasm-exnref"] = {
	**PAIRS["wasm"],
	"compile": [*PAIRS["wasm"]["compile"], "-mllvm", "-wasm-use-legacy-eh=false"],
	"circ": [*PAIRS["wasm"]["circ"], "-mattr=+exnref"],
	"runner": [str(HERE.parent / "wasm" / "chromium.py")],
}
# Where circ's own runtime is, in lib/circ.
RUNTIMES = {"wasm": "wasm32-wasi", "wasm-exnref": "wasm32-wasi", "mingw": "x86_64-w64-windows-gnu", "aarch64": "aarch64-linux-gnu", "sjlj-aarch64": "aarch64-linux-gnu"}
FIRST_PAIR = "libc++"
SIZES_OF_64_BITS = re.compile(r"func private @(malloc|calloc|realloc|mem\w+|strlen|strn?cpy|_Zn[wa]m\w*|_Zd[la]Pvm\w*)\(.*!(u64i|s64i)")


class Failure(Exception):
	pass


class Skip(Exception):
	pass


class Run:
	def __init__(self, argument):
		self.argument = argument
		self.excluded, self.wine = [], None
		self.trace = None
		self.status = None


class Header:
	"""The directives in the leading comment of a program."""

	def __init__(self, text):
		self.runs, self.errors = [], []
		self.levels, self.circ, self.pairs, self.form = ["O0", "O2"], [], list(PAIRS), ["flat"]
		self.llvm = ["0"]
		self.excluded = []
		for number, line in enumerate(text.split("\n"), 1):
			if line.strip() and not line.startswith("//"):
				break
			self.read(number, line[2:].strip())
		if not self.runs and not self.errors:
			self.runs.append(Run(""))

	def read(self, number, line):
		if line.startswith("|") and self.runs and self.runs[-1].trace is not None:
			self.runs[-1].trace += split_trace(line[1:])
			return
		match = re.match(r"(run|trace|status|wine|levels|circ|pairs|not|llvm|form|error):(?:\s+(.*))?$", line)
		if not match:
			return
		key, value = match.group(1), match.group(2) or ""
		if key in ("trace", "status", "wine") and not self.runs:
			raise Failure(f"line {number}: '{key}:' before any 'run:'")
		if key == "run":
			self.runs.append(Run(value))
		elif key == "trace":
			self.runs[-1].trace = split_trace(value)
			self.runs[-1].status = self.runs[-1].status or "0"
		elif key in ("status", "wine"):
			setattr(self.runs[-1], key, value)
		elif key == "error":
			self.errors.append(value)
		elif key == "not":
			(self.runs[-1] if self.runs else self).excluded += value.split()
		else:
			setattr(self, key, value.split())


def split_trace(text):
	return [event.strip() for event in text.split("|") if event.strip()]


class Tools:
	def __init__(self, args, temp):
		self.circ = os.path.abspath(args.circ) if args.circ else None
		self.runner = PAIRS[args.pair].get("runner", [])
		self.jit = not args.no_jit and not self.runner and PAIRS[args.pair].get("jit", True)
		self.cxx, self.pair, self.only_twin = args.cxx, args.pair, args.only_twin
		self.flags, self.objects, self.temp = PAIRS[args.pair], pathlib.Path(args.objects).resolve(), temp
		self.circ_flags, self.suffix = self.flags["circ"], ".exe" if args.wine else ""
		self.wine = wine.Wine(args.wine) if args.wine else None

	def linker(self):
		"""The pair of LLVM's library is linked by LLVM's linker, where it is installed; the others by the system's."""
		has_lld = self.pair == FIRST_PAIR and pathlib.Path(shutil.which(self.cxx)).resolve().with_name("ld.lld").exists()
		return ["-fuse-ld=lld"] if has_lld else []

	def is_among(self, pairs):
		return self.pair in pairs or not set(self.pair.split("-")).isdisjoint(pairs)

	def llvm_major(self):
		version = subprocess.run([self.circ, "--version"], capture_output=True, text=True, timeout=TIMEOUT).stdout
		return int(re.search(r"LLVM (\d+)", version).group(1))

	def call(self, command, expect=0, folder=None):
		command = [str(word) for word in command]
		try:
			done = subprocess.run(command, cwd=folder or self.temp, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
			                      stderr=subprocess.STDOUT, timeout=TIMEOUT, errors="replace")
		except subprocess.TimeoutExpired:
			raise Failure(f"no end after {TIMEOUT} s: {' '.join(command)}")
		except OSError as error:
			raise Failure(f"{error.strerror}: {' '.join(command)}")
		refused = re.search(self.flags.get("refuses", r"(?!)"), done.stdout) if done.returncode else None
		if refused:
			raise Skip(f"{self.pair} has no such thing: {refused.group(1)}")
		if done.returncode != expect:
			raise Failure(f"exit code {done.returncode}, expected {expect}: {' '.join(command)}\n{done.stdout}")
		return done.stdout

	def path(self, name):
		"""Of a program."""
		return pathlib.Path(self.temp) / (name + self.suffix)

	def compile_cxx(self, source, target, more=()):
		self.call([self.cxx, *CXX_FLAGS, *self.flags["compile"], *more, "-c", source, "-o", target])
		return target

	def own_runtime(self):
		"""circ's own runtime, of which a program has what it refers to; nothing where there is none for the target."""
		folder = RUNTIMES.get(self.pair, "x86_64-linux-gnu")
		name = self.flags.get("runtime", "libcircrt.a")
		library = pathlib.Path(self.circ or "").resolve().parent.parent / "lib" / "circ" / folder / name
		return [library] if library.is_file() else []

	def link_cxx(self, objects, target):
		if self.flags["link"] is None:
			self.call([self.circ, *self.circ_flags, *objects, "-o", target])
		else:
			self.call([self.cxx, *self.linker(), *objects, *self.own_runtime(), *self.flags["link"], "-o", target])
		return target


# --- the design document -------------------------------------------------------------------------------------------

def design_document(shared):
	path = pathlib.Path(shared) / "specs" / "clangir-cleanup-and-eh-design.md"
	if not path.is_file():
		raise Skip(f"NO DESIGN DOCUMENT: {path} does not exist; its listings were NOT tested")
	return path.read_text(encoding="utf-8")


def find_listing(document, place):
	"""The code block called "HEADING / HEADING / N": the headings in this order, each below the one before."""
	*headings, ordinal = [part.strip() for part in place.split(" / ")]
	lines, at = document.split("\n"), 0
	for heading in headings:
		at = next((i + 1 for i in range(at, len(lines)) if re.fullmatch(r"#+ " + re.escape(heading), lines[i])), None)
		if at is None:
			raise Failure(f"the design document has no heading '{heading}' (of '{place}')")
	blocks, block = [], None
	for line in lines[at:]:
		if line.startswith("#") and block is None:
			break
		if line.startswith("```"):
			if block is None:
				block = [line]
			else:
				if "c++" not in block[0]:
					blocks.append(block[1:])
				block = None
		elif block is not None:
			block.append(line)
	if int(ordinal) > len(blocks):
		raise Failure(f"'{place}': there are only {len(blocks)} code blocks")
	return blocks[int(ordinal) - 1]


def apply_repair(listing, text):
	match = re.match(r"/(.*?)(?<!\\)/(.*?)(?<!\\)/", text)
	if not match:
		raise Failure(f"not a repair: {text}")
	pattern, replacement = match.group(1), match.group(2).replace("\\/", "/")
	repaired, count = re.subn(pattern, replacement, "\n".join(listing), flags=re.MULTILINE)
	if count != 1:
		raise Failure(f"the repair matches {count} times: {text}")
	return repaired.split("\n")


def insert_listings(text, shared):
	"""Replaces the `listing:` comments, with the `lines:` and `repair:` ones that follow, by what they name."""
	out, listing = [], None
	for line in text.split("\n"):
		match = re.match(r"\s*// (listing|lines|repair): (.*)", line)
		key, value = match.groups() if match else (None, None)
		if key == "listing":
			out += listing or []
			listing = find_listing(design_document(shared), value)
		elif key == "lines":
			first, last = value.split("-")
			listing = listing[int(first) - 1:int(last)]
		elif key == "repair":
			listing = apply_repair(listing, value)
		else:
			out += (listing or []) + [line]
			listing = None
	return "\n".join(out + (listing or []))


# --- one program ---------------------------------------------------------------------------------------------------

def run_program(tools, program, argument):
	"""The events of one run, its exit status, and what it said on standard error. program: a path, or a command."""
	command = [*program, argument] if isinstance(program, list) else [*tools.runner, program, argument]
	try:
		if tools.wine:
			done = tools.wine.run(command, timeout=TIMEOUT)
		else:
			done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
			                      timeout=TIMEOUT, errors="replace")
	except subprocess.TimeoutExpired:
		return [], f"no end after {TIMEOUT} s", ""
	return done.stdout.split("\n")[:-1], str(done.returncode), done.stderr.strip()


def went_to_the_host(tools, run, got_trace, got_status, said, want_trace):
	"""WebAssembly has no first phase: cleanups run before the host is told that nobody catches (docs/exceptions.md)."""
	if not tools.flags.get("host is told") or not run.argument.startswith("bare,") or want_trace[-1:] != ["terminate"]:
		return False
	n = len(want_trace) - 1
	return got_trace[:n] == want_trace[:n] and all(event.startswith("cleanup ") for event in got_trace[n:]) and \
	       got_status == str(tools.flags["abort"]) and "an exception that nobody caught" in said


def compare(tools, what, run, got_trace, got_status, said, want_trace):
	want_status = str(tools.flags["abort"]) if run.status == "abort" else run.status
	if got_trace == want_trace and got_status == want_status:
		return
	if went_to_the_host(tools, run, got_trace, got_status, said, want_trace):
		return
	if run.wine == "goes on" and tools.pair == "msvc" and want_trace[-1] == "terminate":
		if got_trace[:len(want_trace) - 1] == want_trace[:-1]:
			return
	lines = [f"{what}, run '{run.argument}': " + ("the events differ" if got_trace != want_trace else "")]
	if got_trace != want_trace:
		diff = difflib.unified_diff(want_trace, got_trace, "expected", "got", lineterm="", n=100)
		lines += list(diff)[2:]
	if got_status != want_status:
		lines.append(f"  ended with '{got_status}', expected '{run.status}'")
	if said:
		lines.append("  saying: " + said)
	raise Failure("\n".join(lines))


def expect_error(tools, header, source):
	said = tools.call([tools.circ, "-c", *tools.circ_flags, *header.circ, source, "-o", "rejected.o"], expect=1)
	for pattern in header.errors:
		if not re.search(pattern, said):
			raise Failure(f"no message matches '{pattern}':\n{said}")
	if (pathlib.Path(tools.temp) / "rejected.o").exists():
		raise Failure("circ failed, but left an object")


def build_level(tools, header, source, objects, level):
	"""The program at one level. At O2 circ links it, at the others the C++ driver of the pair."""
	target = tools.path(level)
	if level == "O2":
		tools.call([tools.circ, "-O2", *tools.circ_flags, *header.circ, source, *objects, "-o", target])
		return target
	options = ["-O0", "--part-ops=1", "-j2"] if level == "parts" else ["-" + level]
	tools.call([tools.circ, *options, "-c", *tools.circ_flags, *header.circ, source, "-o", "circ.o"])
	return tools.link_cxx(["circ.o", *objects], target)


def jit_command(tools, header, source, objects, level):
	"""The program run in process, each function compiled when it is called: its own C++ objects beside it, the events in a library as they have constructors."""
	objects = [tools.objects / "main-jit.o" if path.name == "main.o" else path
	           for path in map(pathlib.Path, objects) if path.name != "events.o"]
	objects = [pathlib.Path(tools.temp) / path for path in objects]
	return [tools.circ, "run", "-" + level, "--part-ops=1", *tools.flags["circ"], *header.circ, "--load", tools.objects / "events.so",
	        source, *objects, "--"]


def check_round_trip(tools, header, source):
	once, twice = (pathlib.Path(tools.temp) / name for name in ("once.cir", "twice.cir"))
	tools.call([tools.circ, "--emit=cir", *header.circ, source, "-o", once])
	tools.call([tools.circ, "--emit=cir", *header.circ, once, "-o", twice])
	if once.read_bytes() != twice.read_bytes():
		raise Failure("what circ prints changes when it is read and printed again")


def build_stagewise(tools, header, source, objects):
	"""The program built from printed stages, each read back."""
	at = source
	for stage in ("flat", "abi") if header.form == ["flat"] else ("abi",):
		following = pathlib.Path(tools.temp) / f"{stage}.cir"
		tools.call([tools.circ, f"--emit={stage}", *header.circ, at, "-o", following])
		at = following
	tools.call([tools.circ, "--emit=llvm", *header.circ, at, "-o", "stages.ll"])
	tools.call([tools.circ, "-O1", "--emit=obj", *header.circ, at, "-o", "stages.o"])
	return tools.link_cxx(["stages.o", *objects], tools.path("stages"))


def check_printed_stages(tools, header, source):
	"""What circ prints of a stage makes the object of the source, which names the file that it is made of."""
	def compile_in(folder):
		tools.call([tools.circ, "-c", *tools.circ_flags, *header.circ, source.name, "-o", "same.o"], folder=folder)
		return (folder / "same.o").read_bytes()
	expected = compile_in(source.parent)
	for stage in ("cir", "flat", "abi"):
		folder = source.parent / stage
		folder.mkdir()
		tools.call([tools.circ, f"--emit={stage}", *tools.circ_flags, *header.circ, source, "-o", folder / source.name])
		if compile_in(folder) != expected:
			raise Failure(f"the object of what --emit={stage} prints is not that of the source")


def build_twin(tools, source, objects, has_main):
	"""By the pair itself, or by the one that stands in for it, whose objects have the same names."""
	other = tools.flags.get("twins")
	if other:
		tools = copy.copy(tools)
		tools.pair, tools.flags, tools.objects = other, PAIRS[other], tools.objects.parent / other
		objects = [tools.objects / name for name in ("events.o", *([] if has_main else ["main.o"]))]
	twin = tools.compile_cxx(source, "twin.o", ["-DTWIN"])
	return tools.link_cxx([twin, *objects], tools.path("twin"))


def check_program(tools, path, shared):
	text = path.read_text(encoding="utf-8")
	header = Header(text)
	if tools.pair not in header.pairs or tools.is_among(header.excluded):
		raise Skip(f"not meant for {tools.pair}")
	if not tools.only_twin and tools.llvm_major() < int(header.llvm[0]):
		raise Skip(f"needs LLVM {header.llvm[0]} or later")
	if tools.flags.get("sizes") == 32 and SIZES_OF_64_BITS.search(text):
		raise Skip(f"declares a function of the library with sizes of 64 bits: not meant for {tools.pair}")
	source = pathlib.Path(tools.temp) / path.name.removesuffix(".in")
	source.write_text(insert_listings(text, shared), encoding="utf-8")
	if header.errors and tools.only_twin:
		return None
	if header.errors:
		return expect_error(tools, header, source)

	objects, builds = [tools.objects / name for name in ("events.o", *tools.flags.get("support", ()))], []
	beside = path.with_name(source.stem + ".cpp")
	cxx = beside.read_text(encoding="utf-8") if beside.exists() else ""
	has_main = "int main(" in cxx or "@main(" in text
	if not has_main:
		objects += [tools.objects / name for name in ("main.o", *tools.flags.get("beside main", ()))]
	if "#ifdef TWIN" in cxx and (tools.flags.get("judges twins", True) or any(run.trace is None for run in header.runs)):
		builds.append(("the C++ twin", lambda first=objects: build_twin(tools, beside, first, has_main)))
	if cxx:
		objects = objects + [tools.compile_cxx(beside, "beside.o")]
	if tools.wine and not os.environ.get("CIRC_ALL_LEVELS"):
		header.levels = [level for level in header.levels if level in ("O0", "O2", "parts")] or header.levels
	levels = [level for level in header.levels if level != "parts"]
	in_process = levels[0 if tools.pair == FIRST_PAIR else -1] if levels else None
	for level in header.levels if not tools.only_twin else []:
		builds.append(("-" + level, lambda level=level: build_level(tools, header, source, objects, level)))
		if tools.jit and not tools.wine and "jit" not in header.excluded and level == in_process:
			builds.append((f"JIT -{level}", lambda level=level: jit_command(tools, header, source, objects, level)))
	if tools.pair == FIRST_PAIR and not tools.only_twin:
		check_round_trip(tools, header, source)
		builds.append(("stage by stage", lambda: build_stagewise(tools, header, source, objects)))
	if tools.pair == "msvc" and not tools.only_twin:
		check_printed_stages(tools, header, source)

	never = tools.flags.get("never", r"(?!)")  # matches nothing, not even a run without an argument
	if "--eh=async" in header.circ and tools.pair == "msvc":
		never = r"(?!)"
	ran = False
	for what, build in builds:
		program = build()
		for run in header.runs:
			if tools.is_among(run.excluded) or re.search(never, run.argument):
				continue
			if what.startswith("JIT") and "jit" in run.excluded:
				continue
			trace, status, said = run_program(tools, program, run.argument)
			if run.trace is None:
				if what != "the C++ twin":
					raise Failure(f"run '{run.argument}' has neither a trace nor a twin")
				run.trace, run.status = trace, status
			compare(tools, what, run, trace, status, said, run.trace)
			ran = True
	if builds and not ran:
		raise Skip(f"none of its runs is meant for {tools.pair}: built only")


def write_random(temp, seed):
	path = pathlib.Path(temp) / "random" / f"random{seed}.cir"
	path.parent.mkdir()
	cir, cxx = generate.generate(seed)
	path.write_text(cir, encoding="utf-8")
	path.with_suffix(".cpp").write_text(cxx, encoding="utf-8")
	return path


def compile_sjlj(tools):
	folder = HERE / "support" / "sjlj"
	tools.compile_cxx(folder / "throw.cpp", tools.objects / "throw.o", ["-I", HERE.parents[1] / "include"])
	tools.call([tools.circ, *tools.circ_flags, "-c", folder / "guarded.cir", "-o", tools.objects / "guarded.o"])


def compile_support(tools):
	tools.objects.mkdir(parents=True, exist_ok=True)
	for source in sorted((HERE / "support").glob("*.cpp")):
		tools.compile_cxx(source, tools.objects / (source.stem + ".o"))
	if "throw.o" in tools.flags.get("support", ()):
		compile_sjlj(tools)
	if tools.flags["abort"] > 0 or tools.runner or not tools.flags.get("jit", True):  # nothing of it runs in process
		return
	tools.call([tools.cxx, "-shared", *PAIRS[tools.pair]["link"], tools.objects / "events.o", "-o", tools.objects / "events.so"])
	# In the JIT there is one unwinder, that of the process.
	tools.compile_cxx(HERE / "support" / "main.cpp", tools.objects / "main-jit.o",
	                  ["-UE2E_UNWINDER", '-DE2E_UNWINDER="libgcc_s"'])


def main():
	parser = argparse.ArgumentParser()
	parser.add_argument("what")
	parser.add_argument("--circ", help="the command under test")
	parser.add_argument("--cxx", required=True, help="the C++ compiler of the pair")
	parser.add_argument("--pair", required=True, choices=PAIRS)
	parser.add_argument("--objects", required=True, help="folder of the compiled support files")
	parser.add_argument("--wine", help="folder of the Wine prefix to run programs in")
	parser.add_argument("--no-jit", action="store_true", help="do not run programs in process")
	parser.add_argument("--only-twin", action="store_true", help="check the header against the twin, without circ")
	parser.add_argument("--shared", default=str(HERE.parents[2] / "shared"), help="folder with specs/")
	args = parser.parse_args()

	temp = tempfile.mkdtemp(prefix="circ-e2e-")
	try:
		tools = Tools(args, temp)
		if args.what == "support":
			compile_support(tools)
		elif args.what.startswith("random:"):
			check_program(tools, write_random(temp, int(args.what[len("random:"):])), args.shared)
		else:
			check_program(tools, pathlib.Path(args.what).resolve(), args.shared)
	except Failure as failure:
		print(f"FAILED {args.what} with {args.pair}: {failure}")
		return 1
	except (Skip, wine.Missing) as reason:
		print(f"SKIPPED {args.what}: {reason}")
		return SKIPPED
	finally:
		if os.environ.get("E2E_KEEP"):
			print(f"kept {temp}")
		else:
			shutil.rmtree(temp, ignore_errors=True)
	return 0


if __name__ == "__main__":
	sys.exit(main())
