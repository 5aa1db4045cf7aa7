#!/usr/bin/env python3
"""Compares what `circ explain` says of programs with what happens when they run.

    truth.py --circ build/bin/circ --pair libstdc++                           # the programs of tests/e2e, and random ones
    truth.py --circ build/bin/circ --pair msvc --wine build/tests/wine-prefix --every 8 --seeds 0:1
    truth.py --circ build/bin/circ --pair aarch64                             # of tests/e2e, under qemu
    truth.py … --programs by_value,when --seeds 0:0 --keep FOLDER             # these only; their files stay

A program is compiled at each of --levels, linked with recorders (truth/*.c) that write down what the unwinder asks the personality of each
frame, what that answers and where it goes on, and run as tests/e2e and tests/random run it. What `circ explain --json` says of the program and of
circ's object is compared with that, question by question (truth/judge.py), and what it says of the CIR (truth/module.py): there, which handler begins and
which cleanups run in which order is seen by stubs that stand in for what cleanups call (truth/calls.py). What a question needs of the thrown type comes from the
program's own type information, as it is in memory. At the end: how many questions of each kind agreed, how many were not judged and why, and how many of the sites in circ's
objects exceptions went through. The exit status is 1 if anything differed, or if there was less than --least says.
"""
import argparse
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
PROJECT = HERE.parents[1]
sys.path += [str(HERE / "truth"), str(PROJECT / "tests" / "wine"), str(PROJECT / "tests" / "random")]
import own_run  # noqa: E402
import run as twins  # noqa: E402
import wine  # noqa: E402
import plant  # noqa: E402
from calls import record_calls  # noqa: E402
from judge import Explanation, Judge, compare_object, site_over  # noqa: E402
from module import ModuleJudge, recorded_functions  # noqa: E402
from places import ObjectPlaces, Places  # noqa: E402
from record import Recording  # noqa: E402
from recorder import Recorder, image_base  # noqa: E402


def load_e2e():
	"""tests/e2e/run.py, which is called as tests/random/run.py is."""
	import importlib.util
	folder = PROJECT / "tests" / "e2e"
	sys.path.insert(0, str(folder))
	for name in ("generate",):
		sys.modules.pop(name, None)
	spec = importlib.util.spec_from_file_location("e2e_run", folder / "run.py")
	module = importlib.util.module_from_spec(spec)
	spec.loader.exec_module(module)
	sys.path.remove(str(folder))
	sys.modules.pop("generate", None)
	return module


e2e = load_e2e()
SKIPPED = 77
PADS = ("cir.eh.inflight_exception", "cir.eh.landingpad", "circ.landingpad")  # the second: older text


def find(*names):
	return next((path for path in map(shutil.which, names) if path), None)


def c_compiler(pair):
	names = {"mingw": ["x86_64-w64-mingw32-gcc-posix", "x86_64-w64-mingw32-gcc"], "libstdc++": ["gcc"], "aarch64": ["aarch64-linux-gnu-gcc"]}
	found = find(*names.get(pair, ["clang-22", "clang-19", "clang"]))
	if not found or pair != "msvc":
		return [found] if found else None
	return [found, "--target=x86_64-pc-windows-msvc", "-isystem", str(PROJECT / "tests" / "windows" / "include")]


def cxx_compiler(pair):
	names = {"mingw": ["x86_64-w64-mingw32-g++-posix", "x86_64-w64-mingw32-g++"], "libstdc++": ["g++"], "aarch64": ["aarch64-linux-gnu-g++"]}
	return find(*names.get(pair, ["clang++-22", "clang++-19", "clang++"]))


def binary_tools(pair):
	cross = {"mingw": "x86_64-w64-mingw32-", "aarch64": "aarch64-linux-gnu-"}.get(pair)
	if cross:
		names = [[cross + tool] for tool in ("objcopy", "nm", "ar")]
	else:
		names = [[f"llvm-{tool}-22", f"llvm-{tool}-19", f"llvm-{tool}", tool] for tool in ("objcopy", "nm", "ar")]
	return [find(*row) for row in names]


SYMBOLIZERS = ("llvm-symbolizer-22", "llvm-symbolizer-19", "llvm-symbolizer")


class Truth:
	"""The recorder of a pair, and the sums of all judgements."""

	def __init__(self, options, temp):
		self.options, self.temp, self.pair = options, pathlib.Path(temp), options.pair
		self.circ = str(pathlib.Path(options.circ).resolve())
		self.recorder = Recorder(self.pair, c_compiler(self.pair), binary_tools(self.pair), self.temp / "recorder")
		self.counts, self.module_counts, self.faults, self.programs = collections.Counter(), collections.Counter(), [], 0
		self.symbolizer = find(*SYMBOLIZERS)
		self.sites, self.passed = collections.Counter(), collections.Counter()
		self.planted, self.found = collections.Counter(), collections.Counter()
		self.end = time.monotonic() + options.seconds

	def is_late(self, following):
		late = time.monotonic() > self.end
		if late:
			print(f"{self.pair}: out of time before {following}")
		return late

	def module(self, cir, flags):
		"""None: it has the form of Microsoft's ABI, which is not explained."""
		try:
			document = self.document(cir, flags)
			document["has_pads"] = any(pad in pathlib.Path(cir).read_text(encoding="utf-8") for pad in PADS)
			return document
		except RuntimeError as error:
			if "has the form of Microsoft's ABI" not in str(error):
				raise
			return None

	def document(self, path, flags=()):
		done = subprocess.run([self.circ, "explain", "--json", *flags, str(path)], capture_output=True, text=True, timeout=300, check=False)
		if done.returncode:
			raise RuntimeError(f"explain {path}: exit status {done.returncode}\n{done.stderr}")
		return json.loads(done.stdout)

	def recording(self, program):
		"""Prepares a run of the program; what it writes comes to the file returned."""
		path = self.temp / "recording"
		path.unlink(missing_ok=True)
		path.touch()
		os.environ["CIRC_TRUTH"] = str(path)
		if self.pair == "msvc":
			os.environ["CIRC_TRUTH_CODE"] = str(self.temp / "points")
			self.recorder.write_points(program, self.temp / "points")
		return path

	def recorded_object(self, made, module):
		"""The inputs of a linker in place of circ's object."""
		return record_calls(self.recorder, made, recorded_functions(module)) if module else [made]

	def judge(self, what, program, made, path, module):
		"""made: circ's object in it; module: what is said of its CIR."""
		document, base, recording = self.document(program), image_base(program), Recording(path)
		judge = Judge(Explanation(document, base), what).judge(recording)
		inside = Explanation(self.document(made))
		judge.faults += compare_object(judge, inside)
		self.programs += 1
		self.take(self.counts, judge)
		if module:
			self.judge_module(module, recording, what, program, judge.e, inside)
		self.cover(judge, inside)
		self.plant(document, base, recording, judge)

	def take(self, counts, judge):
		counts += judge.counts
		self.faults += judge.faults
		for fault in judge.faults[:self.options.show]:
			print(fault, flush=True)

	def module_judge(self, what, program, explanation, inside, module):
		if self.pair == "msvc":
			places = ObjectPlaces(explanation, inside, site_over)
			return ModuleJudge(module, f"{what}, CIR", explanation, lambda _: places, False)
		return ModuleJudge(module, f"{what}, CIR", explanation, lambda addresses: Places(self.symbolizer, program, addresses), True)

	def judge_module(self, module, recording, *about):
		"""Compares what is said of the CIR; a wrong explanation must be found here, too."""
		judge = self.module_judge(*about, module).judge(recording)
		self.take(self.module_counts, judge)
		kind = plant.PLANTS_IN_MODULES[self.programs % len(plant.PLANTS_IN_MODULES)]
		changed = None if judge.faults else plant.planted(module, judge.passed, kind)
		if changed:
			self.planted[f"CIR {kind.__name__}"] += 1
			self.found[f"CIR {kind.__name__}"] += bool(self.module_judge(*about, changed).judge(Recording(recording.path)).faults)

	def plant(self, document, base, recording, judge):
		"""A wrong explanation of this program, of another kind for each program, must be found."""
		if judge.faults or not judge.passed:
			return
		kind = plant.PLANTS[self.programs % len(plant.PLANTS)]
		changed = plant.planted(document, judge.passed, kind)
		if changed:
			self.planted[kind.__name__] += 1
			self.found[kind.__name__] += bool(Judge(Explanation(changed, base), "planted").judge(recording).faults)

	def cover(self, judge, inside):
		"""Counts the sites of circ's own functions that exceptions went through."""
		own = {f.get("symbol") for f in inside.functions}
		for function in judge.e.functions:
			if function.get("symbol") not in own:
				continue
			for site in function["sites"]:
				kinds = {step["kind"] for step in site["steps"]} or {site["end_of_path"]}
				self.sites.update(kinds)
				if plant.site_key(function, site) in judge.passed:
					self.passed.update(kinds)

	def report(self):
		print(f"{self.pair}: {self.programs} programs, {len(self.faults)} differences")
		for name, count in sorted(self.counts.items()):
			print(f"  {name:28}{count:8}")
		for name, count in sorted(self.module_counts.items()):
			print(f"  CIR: {name:59}{count:8}" if name.startswith("not judged") else f"  CIR: {name:23}{count:8}")
		for kind, count in sorted(self.sites.items()):
			print(f"  sites with {kind:17}{count:8}, {self.passed[kind]} passed")
		for name, count in sorted(self.planted.items()):
			print(f"  planted {name:20}{count:8}, {self.found[name]} found")
		weak = {prefix + kind.__name__ for kind in plant.WEAK for prefix in ("", "CIR ")}
		# One program alone may not show it: what is dropped is the cleanup of a site whose handler takes what was thrown.
		blind = [name for name, count in self.planted.items() if not self.found[name] and count > (5 if name in weak else 1)]
		agreed = sum(self.counts.values())
		if blind:
			print(f"planted, and never found: {' '.join(blind)}")
		if agreed < self.options.least:
			print(f"only {agreed} questions, expected {self.options.least}")
		return 1 if self.faults or blind or agreed < self.options.least else 0


# --- the programs of tests/e2e ---

class Tools(e2e.Tools):
	def __init__(self, truth, temp):
		options = truth.options
		args = argparse.Namespace(circ=truth.circ, no_jit=True, cxx=cxx_compiler(truth.pair), pair=truth.pair, only_twin=False,
		                          objects=str(truth.temp / "support"), wine=options.wine if truth.pair in ("mingw", "msvc") else None)
		super().__init__(args, temp)
		self.truth = truth
		if self.wine:
			self.wine.environment = os.environ  # the recorder's variables change

	def link_cxx(self, objects, target):
		recorder = self.truth.recorder
		if self.flags["link"] is None:
			self.call([self.circ, *self.circ_flags, *recorder.flags, *recorder.inputs(objects), "-o", target])
		else:
			inputs = recorder.inputs([*objects, *self.own_runtime()])
			self.call([self.cxx, *inputs, *self.flags["link"], "-o", target])
		return target


def check_program(truth, path, level):
	"""What the program does must be what it does without the recorder, too."""
	folder = truth.temp / "e2e" / f"{path.stem}-{level}"
	folder.mkdir(parents=True, exist_ok=True)
	tools, text = Tools(truth, folder), path.read_text(encoding="utf-8")
	header = e2e.Header(text)
	if header.errors or truth.pair in header.excluded or truth.pair not in header.pairs or tools.llvm_major() < int(header.llvm[0]):
		return
	source = folder / path.name.removesuffix(".in")
	source.write_text(e2e.insert_listings(text, truth.options.shared), encoding="utf-8")
	module = truth.module(source, [*tools.circ_flags, *header.circ])
	program = build_program(tools, header, path, source, level, module)
	recording = truth.recording(program)
	for run in header.runs:
		if truth.pair in run.excluded or not is_possible(truth.pair, header, run):
			continue
		trace, status, said = e2e.run_program(tools, program, run.argument)
		if run.trace is not None:
			e2e.compare(tools, "with recorder", run, trace, status, said, run.trace)
	truth.judge(f"{path.stem} -{level}", program, folder / "circ.o", recording, module)


def is_possible(pair, header, run):
	never = e2e.PAIRS[pair].get("never")
	return not never or "--eh=async" in header.circ or not e2e.re.search(never, run.argument)


def build_program(tools, header, path, source, level, module):
	objects = [tools.objects / name for name in ("events.o", *tools.flags.get("support", ()))]
	beside = path.with_name(source.stem + ".cpp")
	cxx = beside.read_text(encoding="utf-8") if beside.exists() else ""
	if "int main(" not in cxx and "@main(" not in source.read_text(encoding="utf-8"):
		objects.append(tools.objects / "main.o")
	if cxx:
		objects.append(tools.compile_cxx(beside, "beside.o"))
	tools.call([tools.circ, "-" + level, "-g", "-c", *tools.circ_flags, *header.circ, source, "-o", "circ.o"])
	folder = pathlib.Path(tools.temp)
	objects = [folder / path for path in objects]
	return tools.link_cxx([*tools.truth.recorded_object(folder / "circ.o", module), *objects], tools.path("program"))


def check_programs(truth):
	paths = sorted(path for folder in truth.options.folders.split(",") for path in (PROJECT / "tests" / "e2e" / folder).glob("*.cir*"))
	wanted = truth.options.programs.split(",") if truth.options.programs else None
	paths = [path for path in paths if not wanted or path.name.split(".")[0] in wanted][truth.options.first::truth.options.every]
	if not paths:
		return
	e2e.compile_support(Tools(truth, truth.temp))
	for path in paths:
		if truth.is_late(path.name):
			return
		for level in truth.options.levels.split(","):
			try:
				check_program(truth, path, level)
			except (e2e.Failure, RuntimeError) as failure:
				truth.faults.append(str(failure))
				print(f"{path.name} -{level}: {failure}"[:3000], flush=True)
			except e2e.Skip:
				break
			if not truth.options.keep:
				shutil.rmtree(truth.temp / "e2e", ignore_errors=True)


# --- random programs ---

class Random:
	"""Mixed into a bench of tests/random: links with the recorder, and judges instead of comparing traces."""

	more_options = ("-g",)

	def link(self, program, library):
		row, recorder = twins.LIBRARIES[library], self.truth.recorder
		exe = program + ".program" + (".exe" if row.get("windows") else "")
		made = self.truth.recorded_object(program, self.module)
		inputs = [str(path) for path in recorder.inputs([*made, *self.support(library)])]
		if row["link"] is None:
			twins.run([self.circ, *row["circ"], *recorder.flags, *inputs, "-o", exe])
		else:
			twins.run([row.get("cxx", self.clang), *inputs, "-o", exe, *row["link"]])
		self.program, self.made, self.recorded = exe, program, self.truth.recording(exe)
		return exe

	def judge(self, what, cir, level):
		library = self.truth.pair
		self.module = self.truth.module(cir, twins.LIBRARIES[library]["circ"])
		self.traces_of_circ(cir, level, library)
		self.truth.judge(what, self.program, self.made, self.recorded, self.module)


class Twins(Random, twins.Bench):
	def text(self, seed):
		return twins.generate.generate(seed, self.options.count, self.specifications, self.left_out)[0]


class Own(Random, own_run.Bench):
	def text(self, seed):
		return super().text(seed)[0]


def open_bench(truth, kind, name):
	options = truth.options
	windows = twins.LIBRARIES[truth.pair].get("windows")
	more = argparse.Namespace(**{**vars(options), "wine": options.wine if windows else None}, libraries=truth.pair, interpret=None, program=None, lifted=None, drafts=1)
	folder = truth.temp / name
	folder.mkdir()
	kind.truth = truth
	bench = kind(truth.circ, find("clang++-22", "clang++-19", "clang++"), str(folder), more)
	if bench.wine:
		bench.wine.environment = os.environ
	return bench


def check_seed(truth, bench, what, seed):
	cir = bench.path("program.cir")
	pathlib.Path(cir).write_text(bench.text(seed), encoding="ascii")
	for level in truth.options.levels.split(","):
		try:
			bench.judge(f"{what} seed {seed} -{level}", cir, level)
		except RuntimeError as error:
			truth.faults.append(str(error))
			print(f"{what} seed {seed} -{level}: {error}"[:3000], flush=True)


def check_random(truth):
	first, end = map(int, truth.options.seeds.split(":"))
	if first == end or truth.pair not in twins.LIBRARIES:
		return
	benches = [(open_bench(truth, kind, name), name) for kind, name in ((Twins, "random"), (Own, "own"))]
	for seed in range(first, end):
		if truth.is_late(f"seed {seed}"):
			return
		for bench, what in benches:
			check_seed(truth, bench, what, seed)


def use_wine(prefix):
	"""Programs get the environment of this process, in which the recorder's variables change."""
	own = wine.Wine(prefix)
	own.start()
	os.environ.update({name: own.environment[name] for name in ("WINEPREFIX", "WINEDEBUG", "WINEDLLOVERRIDES")})
	os.environ.pop("DISPLAY", None)


def check_pair(options):
	needed = (("C compiler", c_compiler(options.pair)), ("C++ compiler", cxx_compiler(options.pair)), ("llvm-symbolizer", find(*SYMBOLIZERS)))
	missing = [what for what, path in needed if not path]
	if missing or None in binary_tools(options.pair) or (options.pair == "aarch64" and not find("qemu-aarch64")):
		print(f"SKIPPED {options.pair}: no {' and no '.join(missing) or 'objcopy, nm and ar'} for it")
		return SKIPPED
	with tempfile.TemporaryDirectory(prefix="circ-truth-") as folder:
		try:
			if options.wine and options.pair in ("mingw", "msvc"):
				use_wine(options.wine)
			truth = Truth(options, os.path.join(options.keep, options.pair) if options.keep else folder)
			check_programs(truth)
			check_random(truth)
		except wine.Missing as reason:
			print(f"SKIPPED {options.pair}: {reason}")
			return SKIPPED
		return truth.report()


def main():
	args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
	args.add_argument("--circ", required=True)
	args.add_argument("--pair", required=True, help="one or several of: " + ", ".join(e2e.PAIRS))
	args.add_argument("--wine", help="folder of the Wine prefix to run programs in")
	args.add_argument("--folders", default="contract,programs,language,spec", help="of tests/e2e")
	args.add_argument("--programs", help="only these, by name")
	args.add_argument("--every", type=int, default=1, help="only every n-th program")
	args.add_argument("--first", type=int, default=0, help="from this one on")
	args.add_argument("--levels", default="O0,O2")
	args.add_argument("--seeds", default="0:2", help="first:end, of random programs of both kinds")
	args.add_argument("--count", type=int, default=20, help="programs of a seed")
	args.add_argument("--sequences", type=int, default=8, help="runs of a program")
	args.add_argument("--seconds", type=float, default=float("inf"), help="begin nothing more after these, and report")
	args.add_argument("--least", type=int, default=1, help="how many questions there must be")
	args.add_argument("--show", type=int, default=5, help="differences of a program to print")
	args.add_argument("--shared", default=str(PROJECT.parent / "shared"), help="folder with specs/")
	args.add_argument("--keep", help="folder for the files")
	options = args.parse_args()
	status = 0
	for pair in options.pair.split(","):
		status = max(status, check_pair(argparse.Namespace(**{**vars(options), "pair": pair})))
	return status


if __name__ == "__main__":
	sys.exit(main())
