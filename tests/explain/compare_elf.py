#!/usr/bin/env python3
"""compare_elf.py --circ FILE [--keep FOLDER] [--large FILE]: what `circ explain` reads from ELF next to what others say of the same file.

  frames     readelf's call frame rows: the same functions, ranges and rows, in objects by clang and g++, in each member of the system's
             libstdc++.a, libc++.a and libc++abi.a, and in shared libraries
  signed     where AArch64 signs return addresses: the rows in which LLVM's dwarfdump says so, and the key of their CIE
  tables     the assembly that clang and g++ write: its call sites, landing pads, actions, types and specifications, label by label. The
             labels are made symbols, so that the object says what they are worth. In members of archives, which have no assembly, the number of
             functions that have a table

All of it for x86_64, and for AArch64 where clang or the cross compiler is here. No entry may be missing, and none may be there that is not in the other. Time and memory for a large library are printed, and decide nothing.
Exit status 77: neither clang nor g++ is here."""
import argparse
import collections
import glob
import json
import os
import re
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
errors = []


def error(text):
	errors.append(text)
	if len(errors) <= 20:
		print(text)


def run(command, **options):
	done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", check=False, **options)
	if done.returncode:
		sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr[-2000:]}")
	return done


def explain(circ, path):
	done = run([circ, "explain", "--json", "--unwind-rows", path])
	if done.stderr:
		error(f"{path}: circ warns of a good file: {done.stderr.strip()[:300]}")
	return json.loads(done.stdout)


EM_AARCH64 = 183
DWARFDUMP = next(filter(None, map(shutil.which, ("llvm-dwarfdump-22", "llvm-dwarfdump-19", "llvm-dwarfdump"))), None)


def machine_of(path):
	with open(path, "rb") as file:
		return struct.unpack_from("<H", file.read(20), 18)[0]


def binutils(name, path):
	"""The tool of binutils for the machine of the file."""
	cross = "aarch64-linux-gnu-" + name
	return cross if machine_of(path) == EM_AARCH64 and shutil.which(cross) else name


# Frames

def rule_of_readelf(text):
	"""In the words of circ; None: nothing is said of the register."""
	if text == "u":
		return None
	if text == "s":
		return "same"
	if text == "exp":
		return "[expr]"
	if text == "vexp":
		return "expr"
	if text[0] in "cv" and re.fullmatch(r"[cv][-+]\d+", text):
		offset = int(text[1:])
		value = f"cfa{offset:+d}" if offset else "cfa"
		return f"[{value}]" if text[0] == "c" else value
	return text


def frames_of_readelf(path):
	"""For each FDE (begin, size, rows); a row is (offset, rules)."""
	text = run([binutils("readelf", path), "--wide", "--debug-dump=frames-interp", path]).stdout
	frames, initial, columns, rows, here = [], {}, [], [], None

	def end():
		if here and here[0] == "cie":
			initial[here[1]] = rows[0][1] if rows else {}
		elif here:
			frames.append((here[2], here[3] - here[2], rows or [(0, initial[here[1]])]))

	for line in text.splitlines():
		record = re.match(r"([0-9a-f]+) [0-9a-f]+ [0-9a-f]+ (?:(CIE)|FDE cie=([0-9a-f]+) pc=([0-9a-f]+)\.\.([0-9a-f]+))", line)
		words = line.split()
		if record:
			end()
			rows = []
			here = ("cie", int(record[1], 16)) if record[2] else ("fde", *(int(n, 16) for n in record.groups()[2:]))
		elif words[:2] == ["LOC", "CFA"]:
			columns = words[2:]
		elif here and re.match(r"[0-9a-f]{16} ", line):
			rules = {column: rule_of_readelf(rule) for column, rule in zip(columns, words[2:])}
			rules = {column: rule for column, rule in rules.items() if rule}
			rules["cfa"] = "expr" if words[1] == "exp" else re.sub(r"\+0$", "", words[1])
			offset = int(words[0], 16) - (here[2] if here[0] == "fde" else 0)
			if rows and rows[-1][0] == offset:
				rows.pop()
			rows.append((offset, rules))
	end()
	return frames


def rules_of_circ(rule):
	rule = re.sub(r"expr\([^)]*\)", "expr", rule)
	pairs = [part.split("=", 1) for part in rule.split() if "=" in part]
	return {name: value for name, value in pairs if value != "undefined" and name != "args"}


def frames_of_circ(explained):
	return [(f.get("address", 0), f.get("size", 0), [(r.get("offset", 0), rules_of_circ(r["rule"])) for r in f["rows"]])
	        for f in explained["functions"]]


def hashed(frames):
	return collections.Counter(json.dumps(frame, sort_keys=True) for frame in frames)


def compare_frames(path, explained):
	theirs, ours = hashed(frames_of_readelf(path)), hashed(frames_of_circ(explained))
	for what, difference in (("circ has no", theirs - ours), ("circ alone has", ours - theirs)):
		for frame in list(difference)[:3]:
			error(f"{path}: {what} frame {frame[:400]}")
	return sum(theirs.values())


# Signed return addresses

def signed_of_llvm(path):
	"""For each function its size, and for each row whether the address is signed, and whether with key B."""
	frames, key_b, here = collections.Counter(), {}, None
	for line in run([DWARFDUMP, "--eh-frame", path]).stdout.splitlines() + ["."]:
		record = re.match(r"([0-9a-f]+) [0-9a-f]+ [0-9a-f]+ (?:CIE|FDE cie=([0-9a-f]+) pc=([0-9a-f]+)\.\.\.([0-9a-f]+))", line)
		row = re.match(r"  0x([0-9a-f]+): CFA", line)
		if (record or line == ".") and here:
			frames[(here[1], tuple(rows))] += 1
		if record:
			numbers = [int(n, 16) for n in record.groups() if n]
			cie, rows = numbers[0], []
			here = (numbers[2], numbers[3] - numbers[2], key_b[numbers[1]]) if len(numbers) > 1 else None
		elif "Augmentation:" in line:
			key_b[cie] = "B" in line.split('"')[1]
		elif row and here:
			signed = "reg34=1" in line
			rows.append((int(row[1], 16) - here[0], signed, signed and here[2]))
	return frames


def signed_of_circ(explained):
	return collections.Counter((f.get("size", 0), tuple(
		(r.get("offset", 0), " ra-is-signed" in r["rule"], " ra-is-signed-with-b" in r["rule"]) for r in f["rows"])) for f in explained["functions"])


def compare_signed(path, explained):
	if not DWARFDUMP:
		return
	theirs, ours = signed_of_llvm(path), signed_of_circ(explained)
	for what, difference in (("circ has no", theirs - ours), ("circ alone has", ours - theirs)):
		for frame in list(difference)[:3]:
			error(f"{path}: {what} rows of signed addresses {str(frame)[:400]}")


# Tables, by assembly

DATA = re.compile(r"\t\.(byte|uleb128|sleb128|long|quad|value|short|[248]byte|h?word|xword)\s+(.*?)\s*(?:#.*|//.*)?$")
WORDS = ("long", "quad", "4byte", "8byte", "word", "xword")


def numbers_of(symbols, path):
	for line in run([binutils("nm", path), path]).stdout.splitlines():
		words = line.split()
		if len(words) == 3:
			symbols[words[2]] = int(words[0], 16)
	return symbols


class Table:
	"""The data between the label of a table and the next function's, in pieces by the labels that compilers put there."""

	def __init__(self, lines):
		self.head, self.sites, self.actions, self.types, self.specifications = [], [], [], [], []
		piece = self.head
		for line in lines:
			label, data = re.match(r"(\S+):", line), DATA.match(line)
			if label and re.match(r"L_(cst_begin|LSDACSB)", label[1]):
				piece = self.sites
			elif label and re.match(r"L_(cst_end|LSDACSE)", label[1]):
				piece = self.actions
			elif label and re.match(r"L_(ttbase\d|LSDATTC?\d)", label[1]):
				piece = self.specifications
			elif data:
				# Types are the only words; LLVM has specifications behind a label that is none of those.
				if piece is self.actions and data[1] in WORDS:
					self.types.append(data[2].strip())
				else:
					piece.append(data[2].strip())

	def number(self, text, symbols):
		value, sign = 0, 1
		for part in re.findall(r"[-+]|[^-+\s]+", text):
			if part in "+-":
				sign = 1 if part == "+" else -1
			else:
				value += sign * (int(part, 0) if re.fullmatch(r"(0x)?[0-9a-fA-F]+", part) else symbols[part])
		return value

	def type_symbol(self, number):
		text = re.sub(r"-(\.|L_tmp\d+)$", "", self.types[-number])
		text = re.sub(r"^DW\.ref\.|^L_(?=.*\.DW\.stub)|\.DW\.stub$", "", text)
		return None if text == "0" else text

	def listed(self, filter_number):
		numbers = [int(n, 0) for n in self.specifications[-filter_number - 1:]]
		return [self.type_symbol(n) for n in numbers[:numbers.index(0)]]

	def chain(self, action):
		steps, at, actions = [], action - 1, [self.number(text, {}) for text in self.actions]
		signed = [n - 128 if 64 <= n < 128 else n for n in actions]
		if not action:
			return [("cleanup",)]
		while True:
			number, following = signed[at], signed[at + 1]
			if number > 0 and self.type_symbol(number) is None:
				return steps + [("catch_all",)]
			if number > 0:
				steps.append(("catch", self.type_symbol(number)))
			elif number == 0:
				steps.append(("cleanup",))
			else:
				steps.append(("specification", *self.listed(number)))
				if not self.listed(number):
					return steps
			if not following:
				return steps
			at += 1 + following

	def function(self):
		return self.sites[0].split("-")[1] if self.sites else None

	def decode(self, symbols):
		sites = []
		for i in range(0, len(self.sites), 4):
			begin, length, pad, action = (self.number(text, symbols) for text in self.sites[i:i + 4])
			sites.append((begin, begin + length, pad, tuple(self.chain(action)) if pad else ()))
		return merged(sites)


def merged(sites):
	"""circ has a site for each call, compilers one for all that land alike."""
	out = []
	for site in sites:
		if out and out[-1][1] == site[0] and out[-1][2:] == site[2:]:
			site = (out.pop()[0], *site[1:])
		out.append(site)
	return out


def tables_of_assembly(text):
	tables, lines = [], text.splitlines()
	for i, line in enumerate(lines):
		if re.match(r"(GCC_except_table\d+|L_LSDA[C]?\d+):", line):
			end = next((k for k in range(i + 1, len(lines)) if re.match(r"\t\.(text|section)\b|(GCC_except_table|L_LSDAC?\d)", lines[k])), len(lines))
			tables.append(Table(lines[i:end]))
	return tables


def step_of_circ(explained, step):
	symbols = [explained["types"][n].get("symbol") for n in step.get("types", [])]
	kind = "catch_all" if step["kind"] == "terminate" else step["kind"]
	return (kind, *symbols)


def sites_of_circ(explained, function):
	return merged([(s.get("begin", 0), s["end"], s.get("pad", 0), tuple(step_of_circ(explained, step) for step in s["steps"]))
	               for s in function.get("sites", [])])


def compare_tables(name, assembly, path, explained):
	symbols = numbers_of({}, path)
	tables = tables_of_assembly(assembly)
	functions = [f for f in explained["functions"] if f.get("tables") == "lsda"]
	if len(tables) != len(functions):
		error(f"{name}: {len(tables)} tables in the assembly, circ has {len(functions)}")
	ours = collections.Counter((f.get("address", 0), json.dumps(sites_of_circ(explained, f))) for f in functions)
	nsites = 0
	for table in tables:
		sites = table.decode(symbols)
		nsites += len(sites)
		address = symbols[table.function()] if table.function() else None
		wanted = json.dumps(sites)
		found = [key for key in ours if ours[key] and key[1] == wanted and address in (None, key[0])]
		if found:
			ours[found[0]] -= 1
		else:
			error(f"{name}: circ does not have this table at 0x{address or 0:x}: {wanted[:600]}\n  circ has there: "
			      f"{[key[1] for key in ours if key[0] == address][:4]}")
	for key in +ours:
		error(f"{name}: circ alone has the table at 0x{key[0]:x}: {key[1][:600]}")
	return nsites


def compile_and_compare(circ, command, folder):
	name = " ".join(command)
	source, path = os.path.join(folder, "throws.s"), os.path.join(folder, "throws.o")
	run([*command, "-w", "-S", "-o", source, os.path.join(HERE, "throws.cpp")])
	with open(source) as file:
		assembly = file.read().replace(".L", "L_")
	with open(source, "w") as file:
		file.write(assembly)
	target = [word for word in command if word.startswith("--target")]
	run([command[0], *target, "-c", "-o", path, source])
	explained = explain(circ, path)
	if machine_of(path) == EM_AARCH64:
		compare_signed(path, explained)
	print(f"{name}: {compare_frames(path, explained)} frames, {compare_tables(name, assembly, path, explained)} call sites")


# Archives and libraries

def functions_with_tables(path):
	"""By the augmentation data of FDEs whose CIE has a pointer to tables: FDEs that have one have a relocation there."""
	text = run([binutils("readelf", path), "--wide", "--relocs", path]).stdout
	part = re.search(r"'\.rela\.eh_frame'.*?(?=\nRelocation section|\Z)", text, re.S)
	return len(re.findall(r"\.gcc_except_table", part[0])) if part else 0


def compare_archive(circ, archive, folder):
	inside = os.path.join(folder, os.path.basename(archive))
	os.makedirs(inside)
	run(["ar", "x", archive], cwd=inside)
	nframes = ntables = 0
	members = sorted(os.listdir(inside))
	for member in members:
		path = os.path.join(inside, member)
		with open(path, "rb") as file:
			if file.read(4) != b"\x7fELF":
				continue
		explained = explain(circ, path)
		nframes += compare_frames(path, explained)
		theirs = functions_with_tables(path)
		ours = sum(f.get("tables") == "lsda" for f in explained["functions"])
		if theirs != ours:
			error(f"{path}: {theirs} functions have tables, circ has {ours}")
		ntables += theirs
	print(f"{archive}: {len(members)} members, {nframes} frames, {ntables} functions with tables")


def measure(circ, path):
	size = os.path.getsize(path) / 1e6
	begin = time.monotonic()
	process = subprocess.Popen([circ, "explain", "--json", path], stdout=subprocess.DEVNULL)
	_, status, used = os.wait4(process.pid, 0)
	if status:
		error(f"{path}: exit status {status}")
	print(f"{path}: {size:.0f} MB in {time.monotonic() - begin:.2f} s and {used.ru_maxrss / 1e3:.0f} MB of memory")


def compilers_for_aarch64(clang):
	"""clang takes the headers of the cross compiler, and its tools are needed for both."""
	cross = shutil.which("aarch64-linux-gnu-g++")
	return [[cross], *([[clang, "--target=aarch64-linux-gnu"]] if clang else ())] if cross else ()


def main():
	p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
	p.add_argument("--circ", required=True)
	p.add_argument("--keep", help="folder for what is compiled")
	p.add_argument("--large", help="a library to be measured")
	args = p.parse_args()
	clang = next(filter(None, map(shutil.which, ("clang++-22", "clang++"))), None)
	gxx = shutil.which("g++")
	if not clang and not gxx:
		print("skipped: neither clang++ nor g++ is here")
		sys.exit(77)
	folder = args.keep or tempfile.mkdtemp(prefix="circ-explain-")
	os.makedirs(folder, exist_ok=True)
	try:
		for compiler in filter(None, (clang, gxx)):
			for options in (["-O0"], ["-O2"], ["-Os", "-fPIC", "-std=c++14"], ["-O2", "-fno-pic", "-std=c++14"]):
				compile_and_compare(args.circ, [compiler, *options], folder)
		for compiler in compilers_for_aarch64(clang):
			for options in (["-O0"], ["-O2", "-mbranch-protection=standard"], ["-Os", "-fPIC", "-mbranch-protection=pac-ret+leaf+b-key"]):
				compile_and_compare(args.circ, [*compiler, *options], folder)
		for pattern in ("/usr/lib/gcc/x86_64-linux-gnu/*/libstdc++.a", "/usr/lib/gcc-cross/aarch64-linux-gnu/*/libsupc++.a", "/usr/lib/llvm-*/lib/libc++.a", "/usr/lib/llvm-*/lib/libc++abi.a"):
			for archive in sorted(glob.glob(pattern))[-1:]:
				compare_archive(args.circ, archive, folder)
		for library in glob.glob("/usr/lib/x86_64-linux-gnu/libstdc++.so.6") + glob.glob("/usr/aarch64-linux-gnu/lib/libstdc++.so.6"):
			print(f"{library}: {compare_frames(library, explain(args.circ, library))} frames")
		if args.large and os.path.exists(args.large):
			measure(args.circ, args.large)
	finally:
		if not args.keep:
			shutil.rmtree(folder)
	if errors:
		sys.exit(f"{len(errors)} differences")


if __name__ == "__main__":
	main()
