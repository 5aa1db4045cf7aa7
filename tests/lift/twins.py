#!/usr/bin/env python3
"""twins.py --circ CIRC --wine PREFIX [--every N] [--mingw GXX] [FILE...]: C++ for Linux on Windows.

clang's LLVM IR for Linux, -O0 and -O2, of the C++ twins of tests/e2e is lifted, compiled for windows-msvc (and with --mingw for
windows-gnu), linked with circ's runtime, and run under Wine: its trace is that of clang's own program for Linux.

Prints what is different and what cannot run, with its reason, and the numbers of each target. Status 1: something is different, or is
not in NOT_ON_WINDOWS; 77: there is no Wine.
"""
import argparse
import collections
import glob
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
E2E = os.path.join(TREE, "tests", "e2e")
sys.path.insert(0, os.path.join(TREE, "tests", "wine"))
import wine as wines  # noqa: E402

SKIPPED = 77
LINUX = ["-std=gnu++14", "-w", "-fPIC", '-DE2E_RUNTIME="libstdc++"', '-DE2E_UNWINDER="libgcc_s"', "-I", os.path.join(E2E, "support")]
MSVC = ["--target=x86_64-pc-windows-msvc", "-isystem", os.path.join(TREE, "tests", "windows", "include"), "-std=gnu++14", "-w", "-O1",
        "-Wno-builtin-requires-header", "-Wno-incompatible-library-redeclaration", "-I", os.path.join(E2E, "support")]
GNU = ["-std=gnu++14", "-w", "-O1", "-I", os.path.join(E2E, "support")]
# Reasons why a twin does not compile, or does not link, for Windows: no library there has it, or its tables cannot say it (docs/llvm-ir.md).
NOT_ON_WINDOWS = re.compile(r"exception specification is not supported|which no library of|has no counterpart in CIR"
                            r"|pthread_|sched_yield|usleep|std::thread|mallinfo2|aligned_alloc|circ_test|_(mul|div)[xst]c3|dlsym"
                            r"|undefined reference to `(stdout|bcmp)'|multiple definition of `std::type_info|which has another calling convention in the libgcc|constrained|Base::Base\(Base const&\)|_Unwind_|__cxa_thread_atexit")
NEVER = ":foreign"  # scenarios: catch (...) of C++ on windows-msvc does not see exceptions that are not of C++
SYSTEM_V = {"language/variadic_records.cpp"}  # at -O0 it calls functions with variable arguments through pointers
# What runs otherwise there: the lines of its trace that differ (None: any, and its end), and why.
OTHERWISE = {
	"language/calls.cpp": (r"print |-5 1\.25 word ", "C's long has 32 bits"),
	"language/classes.cpp": (None, "libstdc++ reads the name in a type_info inline, and type descriptors have it elsewhere"),
	"language/complex_full.cpp": (None, "the compiler's runtime takes and gives complex numbers in other registers"),
	"language/math_newer.cpp": (r"modf -?0x0p", "its C library: modf(-0.0) of msvcrt"),
	"language/math_runtime.cpp": (r"exp10 ", "its C library: the last digit of exp10()"),
	"language/math.cpp": (r"\w+ ", "its C library: g++'s own program says the same on windows-gnu, and clang's of log2(-0.0) on windows-msvc"),
}
ABORTS = {-6: "abort", 3: "abort"}  # how abort() ends a process on ELF and on Windows


class Other(Exception):
	"""It does not run, for a reason that is known."""


class Wrong(Exception):
	pass


def run(*command):
	return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, check=False)


def make(*command):
	done = run(*command)
	if done.returncode:
		text = (done.stdout + done.stderr).decode(errors="replace")
		said = [line for line in text.split("\n") if re.search("error|undefined|multiple definition of", line)] or [text]
		raise (Other if NOT_ON_WINDOWS.search(text) else Wrong)(said[0][:220])


def trace(done):
	status = ABORTS.get(done.returncode, done.returncode & 255)
	# Microsoft's %a does not leave out zeros, and msvcrt's says in its own way what is no number.
	text = re.sub(r"(?:0x)?1\.#([A-Z]+)0*(?:p\+0)?", lambda m: "inf" if m[1] == "INF" else "nan", done.stdout.decode(errors="replace"))
	text = re.sub(r"(0x[01]\.[0-9a-f]*[1-9a-f]|0x[01])\.?0*(p[+-])", r"\1\2", text)
	return status, [line.rstrip() for line in text.split("\n")]


class Target:
	def __init__(self, args, name, folder):
		self.args, self.name, self.folder = args, name, folder
		self.triple = {"msvc": "x86_64-pc-windows-msvc", "gnu": "x86_64-w64-windows-gnu"}[name]

	def compile(self, source, out):
		flags = [self.args.clang, *MSVC, '-DE2E_RUNTIME="msvc"', '-DE2E_UNWINDER="msvc"'] if self.name == "msvc" else \
			[self.args.mingw, *GNU, '-DE2E_RUNTIME="libstdc++"', '-DE2E_UNWINDER="libgcc_s"']
		make(*flags, "-c", source, "-o", out)
		return out

	def support(self, sources):
		more = [os.path.join(E2E, "support", name) for name in ("windows_names.cpp", "seh_handler.cpp")] if self.name == "msvc" else []
		return [self.compile(source, os.path.join(self.folder, f"{os.path.basename(source)}.{self.name}.obj")) for source in sources + more]

	def program(self, bitcode, level, support, out):
		make(self.args.circ, f"--target={self.triple}", f"-O{level}", "-c", bitcode, "-o", out + ".obj")
		link = [self.args.circ, f"--target={self.triple}"] if self.name == "msvc" else [self.args.mingw, "-static"]
		make(*link, out + ".obj", *support, "-o", out)
		os.remove(out + ".obj")


def difference(lines, wanted, got):
	"""Beside what the lines may say; None: there is none."""
	for a, b in zip(wanted[1] + ["(nothing)"], got[1] + ["(nothing)"]):
		if a != b and not (lines and re.match(lines, a)):
			return f"expected '{a}', found '{b}'"
	return f"expected status {wanted[0]}, found {got[0]}" if wanted[0] != got[0] else None


def compare(name, wine, target, bitcode, level, support, theirs, scenarios):
	out = f"{bitcode}.{target.name}.exe"
	if target.name == "msvc":
		scenarios = [s for s in scenarios if NEVER not in s[0]]
	target.program(bitcode, level, support, out)
	lines, reason = OTHERWISE.get(name, ("", None))
	excused = False
	for scenario in scenarios:
		wanted, got = trace(run(theirs, *scenario)), trace(wine.run_bytes([out, *scenario], 120))
		why = lines is not None and difference(lines, wanted, got)
		if why:
			raise Wrong(f"{' '.join(scenario)}: {why}")
		excused |= wanted != got
	os.remove(out)
	if excused:
		raise Other(reason)


class Runner:
	def __init__(self, args, folder):
		self.args, self.folder = args, folder
		self.wine = wines.Wine(args.wine)
		self.targets = [Target(args, name, folder) for name in ("msvc", "gnu") if name == "msvc" or args.mingw]
		self.counts, self.reasons, self.bad = collections.Counter(), collections.Counter(), 0

	def note(self, what, target, why):
		self.counts[target, "all"] += 1
		if why is None:
			self.counts[target, "same"] += 1
		elif isinstance(why, Other):
			self.reasons[target, NOT_ON_WINDOWS.search(str(why))[0] if NOT_ON_WINDOWS.search(str(why)) else str(why)] += 1
		else:
			self.bad += 1
			print(f"{what} {target}: {why}", flush=True)

	def one(self, job):
		name, source, flags, support, scenarios = job
		for level in "02":
			stem = os.path.join(self.folder, re.sub(r"\W", "_", name)) + level
			if run(self.args.clang, f"-O{level}", *LINUX, *flags, "-c", "-emit-llvm", source, "-o", stem + ".bc").returncode:
				return  # not for Linux
			make(self.args.clang, stem + ".bc", *support["linux"], "-pthread", "-o", stem)
			for target in self.targets:
				why = None
				try:
					compare(name, self.wine, target, stem + ".bc", level, support[target.name], stem, scenarios)
				except (Other, Wrong) as e:
					why = e
				except subprocess.TimeoutExpired:
					why = Wrong("does not end")
				self.note(f"{name} -O{level}", target.name, why)
			os.remove(stem)

	def support(self, sources, flags=()):
		made = {target.name: target.support(sources) for target in self.targets}
		made["linux"] = []
		for source in sources:
			made["linux"].append(os.path.join(self.folder, os.path.basename(source) + ".o"))
			make(self.args.clang, "-O1", *LINUX, *flags, "-c", source, "-o", made["linux"][-1])
		return made

	def twins(self):
		names = ("events.cpp", "main.cpp")
		whole = self.support([os.path.join(E2E, "support", name) for name in names])
		# The twin has a main of its own.
		part = {key: [o for o in objects if "main.cpp" not in o] for key, objects in whole.items()}
		jobs = []
		for path in (self.args.files or sorted(glob.glob(os.path.join(E2E, "*", "*.cpp")))[::self.args.every]):
			with open(path, encoding="utf-8") as f:
				text = f.read()
			if "ifdef TWIN" not in text or os.path.relpath(path, E2E) in SYSTEM_V or not os.path.exists(path[:-4] + ".cir"):
				continue
			with open(path[:-4] + ".cir", encoding="utf-8") as f:
				scenarios = [[s] for s in re.findall(r"^// run: *(.*)$", f.read(), re.M)[:3]] or [[""]]
			jobs.append((os.path.relpath(path, E2E), path, ["-DTWIN"], part if "int main(" in text else whole, scenarios))
		return jobs

	def run(self):
		jobs = self.twins()
		with ThreadPoolExecutor(2) as pool:
			list(pool.map(self.one, jobs))
		for (target, reason), n in sorted(self.reasons.items()):
			print(f"{target}: {n} not on Windows: {reason}")
		for target in self.targets:
			print(f"{target.name}: {self.counts[target.name, 'same']} of {self.counts[target.name, 'all']} the same")


def main():
	parser = argparse.ArgumentParser()
	parser.add_argument("--circ", required=True)
	parser.add_argument("--clang", default="clang++-22")
	parser.add_argument("--wine", required=True)
	parser.add_argument("--mingw")
	parser.add_argument("--every", type=int, default=1)
	parser.add_argument("files", nargs="*")
	args = parser.parse_intermixed_args()
	with tempfile.TemporaryDirectory(prefix="circ-twins-") as folder:
		try:
			runner = Runner(args, folder)
		except wines.Missing as e:
			print(e)
			sys.exit(SKIPPED)
		runner.run()
	sys.exit(1 if runner.bad or not runner.counts else 0)


if __name__ == "__main__":
	main()
