#!/usr/bin/env python3
"""What docs/untrusted.md promises of `circ --untrusted`: run.py --circ build/bin/circ PART... FILE.cir...

refused   what reaches beyond the module, in each product and for each target: an error at its place, and no output
same      FILEs become the objects that they become without it
files     in a root of its own, in which each opening of each file is watched (inotify): none but the input and the output
time      a module that takes long ends in time, and leaves nothing
memory    one that takes much ends with a message, and leaves nothing
messages  a module that would have hundreds has a hundred
hostile   every ninth case of tests/hostile, and what the fuzzers found once: an object or errors, within the bounds
"""
import argparse
import ctypes
import importlib.util
import os
import pathlib
import re
import resource
import shutil
import struct
import subprocess
import sys
import tempfile

SKIPPED = 77
ELF, MSVC, GNU = "x86_64-pc-linux-gnu", "x86_64-pc-windows-msvc", "x86_64-w64-windows-gnu"
PRODUCTS = (["-c"], ["-S"], ["--emit=cir"], ["--emit=flat"], ["--emit=abi"], ["--emit=llvm"], ["--emit=bc"], ["--verify-only"])
TYPES = "!s32i = !cir.int<s, 32>\n"


def fail(text):
	print(text)
	sys.exit(1)


def run(command, **more):
	return subprocess.run([str(c) for c in command], capture_output=True, text=True, errors="replace", **more)


# ---- refused ----

ASSEMBLY = "is assembly, which is not allowed in an untrusted module"
SECTION = "has options for the linker, which is not allowed in an untrusted module"
COMPILED = "has code for the linker's compiler, which is not allowed in an untrusted module"
NAME = "a name with quotes or control characters is not allowed in an untrusted module"


def body(op):
	return TYPES + "cir.func @m() {\n" + op + "\n  cir.return\n}\n"


def refusals():
	yield 'module attributes {cir.module_asm = [".nop"]} {\n}\n', "1:19", ASSEMBLY
	yield 'module attributes {cir.module_asm = [".space 1 << 40"]} {\n}\n', "1:19", ASSEMBLY
	yield body('  cir.asm(x86_att, \n out = [],\n in = [],\n in_out = [],\n {"nop" "~{memory}"}) side_effects'), "3:3", ASSEMBLY
	yield 'module attributes {cir.linker_options = ["/DEFAULTLIB:evil"]} {\n}\n', "1:19", "'cir.linker_options' is not allowed in an untrusted module"
	yield 'cir.linker_options ["/include:__dyn_tls_init", "/DEFAULTLIB:x"]\n', "1:20", "'cir.linker_options' is not allowed in an untrusted module"
	for section in (".drectve", ".drectve$x", ".deplibs", ".linker-options"):
		yield TYPES + f'cir.global external @g = #cir.int<1> : !s32i {{section = "{section}"}}\n', "2:1", SECTION
		yield f'cir.func @m() attributes {{section = "{section}"}} {{\n  cir.return\n}}\n', "1:1", SECTION
	for section in (".gnu.lto_.opts", ".gnu.lto_.symtab.1", ".llvm.lto"):
		yield TYPES + f'cir.global external @g = #cir.int<1> : !s32i {{section = "{section}"}}\n', "2:1", COMPILED
	for name in (r'a\22 /DEFAULTLIB:evil \22', r'a\0Ab', r'\1Fa', r'a\01b', r'\7F'):
		yield f'cir.func @"{name}"() {{\n  cir.return\n}}\n', "1:1", NAME
		yield TYPES + f'cir.global external @"{name}" = #cir.int<1> : !s32i\n', "2:1", NAME


def refused(circ, work, _):
	out, count = work / "out", 0
	for text, place, message in refusals():
		file = work / "refused.cir"
		file.write_text(text)
		for triple in (ELF, MSVC):
			for product in PRODUCTS:
				said = run([circ, "--untrusted", f"--target={triple}", *product, file, *([] if product == ["--verify-only"] else ["-o", out])])
				expected = f"refused.cir:{place}: error: "
				if said.returncode != 1 or expected not in said.stderr or message not in said.stderr or out.exists():
					fail(f"{product} for {triple}: status {said.returncode}, expected '{expected} ... {message}':\n{text}{said.stderr}")
				count += 1
	print(f"{count} refused")


# ---- same ----

def same(circ, work, files):
	for number, file in enumerate(files):
		for options in ([f"--target={ELF}"], [f"--target={ELF}", "-O2", "-g"], [f"--target={MSVC}", "-O1"], [f"--target={GNU}"]):
			objects = []
			for more in ([], ["--untrusted"]):
				said = run([circ, *more, *options, "-c", file, "-o", work / "same.o"])
				objects.append((said.returncode, said.stderr, (work / "same.o").read_bytes() if said.returncode == 0 else None))
			if objects[0] != objects[1]:
				fail(f"{file} {options}: another result\n{objects[1][1]}")
			if number == 0 and objects[0][0]:
				fail(f"{file} {options} did not compile: {objects[0][1]}")
	print(f"{len(files)} modules: the same objects and messages")


# ---- files ----

IN_OPEN, IN_CREATE, IN_MODIFY, IN_DELETE, IN_MOVED_FROM, IN_MOVED_TO = 0x20, 0x100, 0x2, 0x200, 0x40, 0x80
LIBC = ctypes.CDLL(None, use_errno=True)


class Watch:
	"""What happens to the files of folders, whoever does it."""

	def __init__(self, folder):
		self.fd = LIBC.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
		self.folders = {}
		for path in [path for path, _, _ in os.walk(folder)]:  # to list one opens it
			number = LIBC.inotify_add_watch(self.fd, os.fsencode(path), IN_OPEN | IN_CREATE | IN_MODIFY | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)
			if number < 0:
				fail(f"cannot watch {path}: {os.strerror(ctypes.get_errno())}")
			self.folders[number] = "/" + os.path.relpath(path, folder).lstrip(".")

	def paths(self):
		found = set()
		while True:
			try:
				data = os.read(self.fd, 1 << 16)
			except BlockingIOError:
				return found
			while data:
				number, mask, _, size = struct.unpack_from("iIII", data)
				name = data[16:16 + size].rstrip(b"\0").decode(errors="replace")
				if not (mask & 0x40000000 and not name):  # the folder itself is opened for a file without a name
					found.add(os.path.normpath(os.path.join(self.folders[number], name)))
				data = data[16 + size:]


SECRET = "the secret of this machine"


def make_root(circ, work):
	root = work / "root"
	for folder in ("bin", "in", "out", "etc", "secret", "home", "tmp", "dev", "proc"):
		(root / folder).mkdir(parents=True)
	for path in ("etc/passwd", "secret/source.c", "home/.circrc", "in/source.c", "in/other.cir", "proc/cpuinfo"):
		(root / path).write_text((SECRET + "\n") * 9)
	shutil.copy(circ, root / "bin/circ")
	libraries = set()
	for path in re.findall(r"(/\S+)", run(["ldd", circ]).stdout):
		to = root / path.lstrip("/")
		to.parent.mkdir(parents=True, exist_ok=True)
		shutil.copy(path, to)
		libraries.add(path)
	return root, libraries


PLACES = TYPES + """#file = loc("/secret/source.c":2:1)
cir.func @m(%a: !s32i loc("/etc/passwd":1:1)) -> !s32i {
  %x = cir.alloca "x" align(4) init : !cir.ptr<!s32i> loc("../in/source.c":3:3)
  cir.store %a, %x : !s32i, !cir.ptr<!s32i> loc(fused["/secret/source.c":4:4, "source.c":5:5])
  %0 = cir.load %x : !cir.ptr<!s32i>, !s32i loc(callsite("f"("/home/.circrc":1:1) at "/proc/cpuinfo":1:1))
  cir.return WHAT : !s32i loc("/secret/source.c":6:6)
} loc("/secret/source.c":1:1)
"""


UNNAMED = re.compile(r"/out/(#\d+|\.circ-[\w-]+)$")  # what an output is called until it is whole


def files(circ, work, _):
	root, libraries = make_root(circ, work)
	change = ["/usr/sbin/chroot", root] if os.geteuid() == 0 else ["unshare", "-r", "/usr/sbin/chroot", root]
	if run([*change, "/bin/circ", "--version"], env={}).returncode != 0:
		print("SKIPPED: this user cannot change the root")
		sys.exit(SKIPPED)
	(root / "in/good.cir").write_text(PLACES.replace("WHAT", "%0"))
	(root / "in/bad.cir").write_text(PLACES.replace("WHAT", "%missing"))
	(root / "in/args").write_text("--untrusted\n")
	env = {"HOME": "/home", "TMPDIR": "/tmp", "XDG_CACHE_HOME": "/home", "PATH": "/bin"}
	count = 0
	for options in ([], ["-g"], ["-g", "-O2"], ["-gdwarf-4"], ["-g", f"--target={MSVC}"], ["-g", "-S"], ["--emit=llvm", "-g"], ["-MD", "-MF", "/out/d"], ["@/in/args"]):
		for name in ("good", "bad"):
			product = [] if {"-S", "--emit=llvm"} & set(options) else ["-c"]
			watch = Watch(root)
			said = run([*change, "/bin/circ", "--untrusted", *options, *product, f"/in/{name}.cir", "-o", "/out/o"], env=env)
			allowed = libraries | {"/bin/circ", f"/in/{name}.cir", "/in/args", "/out/o", "/out/d"}
			opened = {p for p in watch.paths() if p not in allowed and os.path.realpath(p) not in allowed and not UNNAMED.match(p)}
			os.close(watch.fd)
			there = sorted(p.name for p in (root / "out").iterdir())
			if opened - {"/etc/ld.so.cache"} or SECRET in said.stdout + said.stderr:
				fail(f"{options} {name}: opened {sorted(opened)}\n{said.stderr}")
			if (said.returncode == 0) != (name == "good") or ("o" in there) != (name == "good"):
				fail(f"{options} {name}: status {said.returncode}, files {there}\n{said.stderr}")
			if name == "good" and SECRET.encode() in (root / "out/o").read_bytes():
				fail(f"{options}: a file of this machine is in the output")
			for path in (root / "out").iterdir():
				path.unlink()
			count += 1
	watch = Watch(root)  # and it does see what is opened
	(root / "secret/source.c").read_text()
	if watch.paths() != {"/secret/source.c"}:
		fail("the watch does not see what is opened")
	print(f"{count} runs opened the input and the output, and nothing else")


# ---- bounds ----

def large(file, n):
	with open(file, "w", encoding="utf-8") as out:
		out.write(TYPES + "cir.func @m(%0: !s32i, %a: !s32i) -> !s32i {\n")
		for i in range(n):
			out.write(f"  %{i + 1} = cir.{'xor' if i % 3 else 'mul'} %{i}, {'%a' if i % 7 else f'%{i // 2}'} : !s32i\n")
		out.write(f"  cir.return %{n} : !s32i\n}}\n")
	return file


def bounded(circ, work, options, message):
	folder = work / "bounded"
	folder.mkdir()
	file = large(work / "large.cir", 200000)
	before = resource.getrusage(resource.RUSAGE_CHILDREN)
	said = run([circ, "--untrusted", *options, "-c", file, "-o", folder / "o"])
	after = resource.getrusage(resource.RUSAGE_CHILDREN)
	if said.returncode != 3 or message not in said.stderr or list(folder.iterdir()):
		fail(f"{options}: status {said.returncode}, files {list(folder.iterdir())}\n{said.stderr}")
	return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def time(circ, work, _):
	for number, jobs in enumerate(([], ["-j4"])):
		(work / str(number)).mkdir()
		took = bounded(circ, work / str(number), ["-O2", "-g", "--max-time=1", *jobs], "circ: error: out of time: 1 seconds of processor time are used up ('--max-time')")
		if not 0.2 < took < 5:  # the kernel's two accounts of a process differ by some tenths
			fail(f"took {took:.1f} s, not 1")
		print(f"ended after {took:.2f} s")


def memory(circ, work, _):
	bounded(circ, work, ["--max-memory=200"], "out of memory")
	print("ended without memory")


UNION = """cir.func @m%d(%%this: !cir.ptr<!u>, %%from: !cir.ptr<!u>) -> !cir.ptr<!u> special_member<#cir.cxx_assign<!u, copy, trivial true>> {
  cir.return %%this : !cir.ptr<!u>
}
"""


def messages(circ, work, _):
	file = work / "messages.cir"  # each function has a repair, which is a remark
	file.write_text(TYPES + '!u = !cir.union<"U" {!s32i}>\n' + "".join(UNION % i for i in range(160)))
	counts = []
	for more in ([], ["--untrusted"]):
		said = run([circ, *more, "-v", "--repair=clang", "-c", file, "-o", work / "messages.o"])
		counts.append(len(re.findall(r"(?:note|remark|warning): ", said.stderr)))
	if counts[0] <= 150 or counts[1] != 101 or "too many warnings, remarks and notes; the rest are not shown" not in said.stderr:
		fail(f"{counts[0]} messages without, and {counts[1]} with --untrusted\n{said.stderr[-2000:]}")
	print(f"{counts[0]} messages without, {counts[1]} with --untrusted, the last of which says so")


def hostile(circ, work, files):
	folder = pathlib.Path(__file__).resolve().parent.parent
	spec = importlib.util.spec_from_file_location("hostile", folder / "hostile/run.py")
	module = importlib.util.module_from_spec(spec)
	spec.loader.exec_module(module)
	for add in (module.names, module.numbers, module.recursion):
		add()
	texts = [(name, text.encode(errors="surrogateescape")) for name, text, _ in module.CASES[::9]]
	texts += [(path.name, path.read_bytes()) for path in sorted((folder / "fuzz/inputs").glob("*.cir"))]
	file, counts = work / "hostile.cir", {0: 0, 1: 0}
	for name, text in texts:
		file.write_bytes(text)
		said = run([circ, "--untrusted", "-g", "-c", file, "-o", work / "hostile.o"])
		if said.returncode not in counts or (said.returncode == 1) != (": error: " in said.stderr):
			fail(f"{name}: status {said.returncode}\n{said.stderr[-2000:]}")
		counts[said.returncode] += 1
	if min(counts.values()) < 10:
		fail(f"too few of a kind: {counts}")
	print(f"{counts[0]} objects, {counts[1]} refused")


def main():
	p = argparse.ArgumentParser()
	p.add_argument("--circ", required=True)
	p.add_argument("part", choices=["refused", "same", "files", "time", "memory", "messages", "hostile"])
	p.add_argument("files", nargs="*", type=pathlib.Path)
	a = p.parse_args()
	with tempfile.TemporaryDirectory() as folder:
		globals()[a.part](a.circ, pathlib.Path(folder), a.files)


if __name__ == "__main__":
	main()
