#!/usr/bin/env python3
"""examples/mini/*.mini do what their first lines say: in process, as programs for ELF, windows-gnu and windows-msvc.

    // expect: LINE     a line on standard output
    // error: LINE      the first on standard error
    // trace: NAME N    a frame of the report, where debug information can be read and nothing is inlined: function and line
    // status: N        the exit status, 0 without this line; `abort`
    // with: FILE.cpp   what is linked with it

`gdb` looks at one of them in gdb. Those in tests/examples/mini are wrong: `error` is their diagnostic, without the file's name.
"""
import argparse
import ctypes
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TESTS = HERE.parent
SKIPPED = 77

MSVC = ["--target=x86_64-pc-windows-msvc"]
# How a place compiles C++, what mini is given, and how abort() ends a process.
PLACES = {
	"jit": {"compile": ["-fPIC", "-shared"], "mini": [], "abort": -signal.SIGABRT},
	"elf": {"compile": ["-fPIC", "-c"], "mini": [], "abort": -signal.SIGABRT},
	"mingw": {"compile": ["-c"], "mini": ["--target=x86_64-w64-windows-gnu"], "abort": 3},
	"msvc": {"compile": [*MSVC, "-isystem", str(TESTS / "windows/include"), "-c"], "mini": MSVC, "abort": 3},
}


class Expected:
	def __init__(self, path):
		lines = re.findall(r"^// (expect|error|trace|status|with): (.*)$", path.read_text(encoding="utf-8"), re.M)
		self.output = "".join(value + "\n" for key, value in lines if key == "expect")
		self.trace = [value.split() for key, value in lines if key == "trace"]
		said = {key: value for key, value in lines if key != "expect"}
		self.error, self.status, self.partner = said.get("error", ""), said.get("status", "0"), said.get("with")


def compile_partner(args, source, out):
	subprocess.run([args.cxx, *PLACES[args.place]["compile"], str(source), "-o", str(out)], check=True)
	return str(out)


def inputs(args, path, expected, temp):
	"""What the program is linked with. For msvc also Windows' handler, since Wine 8's runs cleanups too early; and what makes the
	linker write a PDB."""
	found = ["-Wl,/debug"] if args.place == "msvc" else []
	if expected.partner:
		found.append(compile_partner(args, path.parent / expected.partner, temp / "partner.o"))
	if args.place == "msvc":
		found.append(compile_partner(args, TESTS / "e2e/support/seh_handler.cpp", temp / "handler.obj"))
	return found


def run(args, path, options, expected, temp):
	command = [args.mini, str(path), *options, *PLACES[args.place]["mini"], *inputs(args, path, expected, temp)]
	if args.place == "jit":
		return subprocess.run(command, capture_output=True, text=True, check=False)
	program = temp / "program.exe"
	subprocess.run([*command, "-o", str(program)], check=True)
	launcher = [sys.executable, str(TESTS / "wine/wine.py"), "run", args.wine] if args.wine else []
	return subprocess.run([*launcher, str(program)], capture_output=True, text=True, check=False)


def check(name, what, found, wanted):
	if found == wanted:
		return 0
	print(f"{name}: {what} is\n{found}\nexpected\n{wanted}")
	return 1


def has_lines(place, options):
	"""Whether the report has those of each call: it reads DWARF with libdw, and PDBs."""
	if place == "elf":
		try:
			ctypes.CDLL("libdw.so.1")
		except OSError:
			return False
	return "-O0" in options and place in ("elf", "msvc")


def test_trace(name, path, expected, report):
	frames = [rf"at {function} \(.*{path.name}:{line}\)" for function, line in expected.trace]
	return sum(0 if re.search(frame, report) else check(name, "report", report, frame) for frame in frames)


def test_program(args, path, options, temp):
	expected = Expected(path)
	if expected.partner and args.own_only:
		return 0
	done = run(args, path, options, expected, temp)
	name = f"{path.name} {' '.join(options)}"
	status = PLACES[args.place]["abort"] if expected.status == "abort" else int(expected.status)
	wrong = test_trace(name, path, expected, done.stderr) if has_lines(args.place, options) else 0
	return wrong + (check(name, "output", done.stdout.replace("\r", ""), expected.output)
	                + check(name, "error", (done.stderr.splitlines() or [""])[0], expected.error)
	                + check(name, "status", done.returncode, status))


def test_wrong(args, path):
	done = subprocess.run([args.mini, str(path), "-o", "/dev/null"], capture_output=True, text=True, check=False)
	return (check(path.name, "error", (done.stderr.splitlines() or [""])[0], f"{path}:{Expected(path).error}")
	        + check(path.name, "status", done.returncode, 1))


def test_debugger(args):
	"""gdb sees the lines, parameters, variables and objects of files.mini, in the handler and in the destructor."""
	if not shutil.which("gdb"):
		print("SKIPPED: no gdb; install it with ./bootstrap deps check")
		return SKIPPED
	path = args.examples / "files.mini"
	lines = path.read_text(encoding="utf-8").splitlines()
	handler, destructor = (next(i for i, line in enumerate(lines, 1) if part in line) for part in ("print e.message", "drop {"))
	with tempfile.TemporaryDirectory() as temp:
		program = f"{temp}/program"
		subprocess.run([args.mini, str(path), "-o", program], check=True)
		commands = [f"tbreak {path}:{handler}", "run", "backtrace", "print *e", "kill",
		            f"tbreak {path}:{destructor}", "run", "up", "info locals"]
		done = subprocess.run(["gdb", "-nx", "-q", "-batch", *(word for c in commands for word in ("-ex", c)), program],
		                      capture_output=True, text=True, check=False)
	said = done.stdout + done.stderr
	wanted = [rf"#0 .*mini\.attempt.*\(name=0x\w+ .*\"b.txt\", code=5\) at .*files\.mini:{handler}\n", r"#1 .*main.*files\.mini:\d+\n",
	          r"\{line = \d+, message = 0x\w+ .*\"cannot read b.txt\", code = 5\}", rf"mini\.File\.drop.*files\.mini:{destructor}\n",
	          r"#1 .*mini\.read.*\(name=0x\w+ .*\"a.txt\", code=0\)", r"\nlines = 1\n", r"file = \{name = 0x\w+ .*\"a.txt\"\}"]
	missing = [pattern for pattern in wanted if not re.search(pattern, said)]
	if missing:
		print(f"gdb said\n{said}\nexpected", *missing, sep="\n")
	return len(missing) > 0


def main():
	parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
	parser.add_argument("place", choices=[*PLACES, "wrong", "gdb"])
	parser.add_argument("--mini", required=True, help="the compiler")
	parser.add_argument("--examples", type=pathlib.Path, help="the folder of programs")
	parser.add_argument("--cxx", help="compiles what they are linked with")
	parser.add_argument("--wine", help="the prefix to run programs for Windows in")
	parser.add_argument("--own-only", action="store_true", help="leave out programs that are linked with others")
	args = parser.parse_args()
	if args.place == "wrong":
		return sum(test_wrong(args, path) for path in sorted((HERE / "mini").glob("*.mini"))) > 0
	if args.place == "gdb":
		return test_debugger(args)
	if not args.cxx or not shutil.which(args.cxx):
		print(f"SKIPPED: no C++ compiler for {args.place}; install it with ./bootstrap deps check")
		return SKIPPED
	programs, wrong = sorted(args.examples.glob("*.mini")), 0
	with tempfile.TemporaryDirectory() as temp:
		for path in programs:
			for options in (["-O0"], ["-O2"]):
				wrong += test_program(args, path, options, pathlib.Path(temp))
	print(f"{len(programs)} programs, {wrong} differences")
	return wrong > 0 or not programs


sys.exit(main())
