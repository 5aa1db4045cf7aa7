"""Compiles the recorders of this folder for a pair of tests/e2e, and says how a program is linked with them."""
import pathlib
import re
import struct
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = HERE.parents[2]
INCLUDES = ["-I", str(HERE), "-I", str(PROJECT / "src"), "-I", str(PROJECT / "include")]
FLAGS = ["-std=gnu17", "-Wall", "-Wextra", "-O1", *INCLUDES]
FUNCLET = re.compile(r"\?(catch|dtor|filt|fin)\$|\.(filter|finally)(\.|$)")


def call(command, folder=None):
	done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=120, check=False)
	if done.returncode:
		raise RuntimeError(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
	return done.stdout


class Recorder:
	"""objects: what a program of the pair is linked with besides; own_library(): what stands in for circ's runtime library."""

	def __init__(self, pair, cc, tools, folder):
		self.pair, self.cc, self.folder = pair, cc, pathlib.Path(folder)
		self.is_elf, self.is_aarch64 = pair not in ("mingw", "msvc"), pair == "aarch64"
		self.objcopy, self.nm, self.ar = tools
		self.folder.mkdir(parents=True, exist_ok=True)
		self.flags = ["-Wl,/debug:symtab"] if pair == "msvc" else []
		getattr(self, {"mingw": "make_gnu", "msvc": "make_msvc"}.get(pair, "make_elf"))()
		self.calls = self.compile("calls_aarch64.S" if self.is_aarch64 else "calls.S")

	call = staticmethod(call)

	def compile(self, name, *more):
		source, target = HERE / name, self.folder / f"{pathlib.Path(name).stem}.o"
		call([*self.cc, *FLAGS, *more, "-c", source, "-o", target])
		return target

	def compile_all(self, *names):
		return [self.compile(f"{name}.c", *self.more) for name in names]

	def archive(self, *names):
		"""Linked only where the program has circ's personality."""
		target = self.folder / "own.a"
		target.unlink(missing_ok=True)
		call([self.ar, "rc", target, *self.compile_all(*names)])
		return target

	more = ()

	def make_elf(self):
		self.more = ("-fPIC",)
		self.objects = self.compile_all("record", "type", "elf") + [self.archive("own_elf", "own_type"), "-ldl"]

	def make_gnu(self):
		personality = self.folder / "eh_personality.o"
		library = call([*self.cc, "-print-file-name=libstdc++.a"]).strip()
		call([self.ar, "x", library, personality.name], self.folder)
		self.rename("__gxx_personality_seh0", "truth_gxx_personality_seh0", personality, self.folder / "personality.o")
		self.objects = self.compile_all("record", "type", "windows", "gnu")
		self.objects += [self.folder / "personality.o", self.archive("own_gnu", "own_type")]

	def make_msvc(self):
		"""The handler of Windows is the one of tests/e2e, which the program has besides otherwise."""
		target = self.folder / "seh_handler.o"
		source = PROJECT / "tests" / "e2e" / "support" / "seh_handler.cpp"
		call([*self.cc, "-x", "c++", "-O1", "-D__C_specific_handler=truth_C_specific_handler", "-c", source, "-o", target])
		self.objects = self.compile_all("record", "windows", "msvc") + [target]

	def rename(self, old, new, source, target):
		call([self.objcopy, "--redefine-sym", f"{old}={new}", source, target])

	def own_library(self, library):
		"""A copy in which circ's personality is called as the recorder calls it."""
		target = self.folder / pathlib.Path(library).name
		if not target.exists():
			suffix = "personality_seh0" if self.pair == "mingw" else "personality_v0"
			self.rename("__circ_" + suffix, "truth_circ_" + suffix, library, target)
		return target

	def inputs(self, objects):
		"""The same inputs of a linker, with the recorder's beside and in place of them."""
		kept = [path for path in objects if not re.search(r"seh_handler[^/]*\.o$", str(path))]
		libraries = [path for path in kept if str(path).endswith("libcircrt.a")]
		others = [path for path in kept if path not in libraries]
		return [*others, *self.objects, *map(self.own_library, libraries)]

	def write_points(self, program, target):
		"""Where the recorder for windows-msvc sets breakpoints: funclets and filters, by their names in the program's own symbols."""
		points, base = set(), image_base(program)
		for line in call([self.nm, "--no-sort", program]).splitlines():
			words = line.split(maxsplit=2)
			if len(words) == 3 and words[1] in "tT" and FUNCLET.search(words[2]):
				points.add(int(words[0], 16) - base)
		pathlib.Path(target).write_bytes(b"".join(struct.pack("<I", point) for point in sorted(points)))
		return len(points)


def image_base(program):
	"""What the addresses of a record are counted from; 0 for ELF."""
	data = pathlib.Path(program).read_bytes()[:4096]
	if data[:2] != b"MZ":
		return 0
	header = struct.unpack_from("<I", data, 60)[0]
	return struct.unpack_from("<Q", data, header + 24 + 24)[0]
