#!/usr/bin/env python3
"""schema.py --circ FILE: what `circ explain --json` writes is what docs/explain.schema.json says.

Modules and objects for each target, programs, and throws. Each document must have the schema's shape, and indices that are there; together they must
have every key and every word of the schema; docs/explain.md must say what each key means, and of no other."""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PROJECT = pathlib.Path(__file__).resolve().parents[2]
TARGETS = ("x86_64-unknown-linux-gnu", "x86_64-pc-windows-msvc", "x86_64-w64-windows-gnu", "aarch64-unknown-linux-gnu")
KINDS = {"integer": int, "string": str, "array": list, "object": dict}


class Schema:
	"""The part of JSON Schema that the document uses. seen: names of keys, and words of enumerations, that documents had."""

	def __init__(self, path):
		self.root = json.loads(path.read_text(encoding="utf-8"))
		self.seen, self.faults = set(), []

	def check(self, value, schema, where, of=""):
		if "$ref" in schema:
			of = schema["$ref"].rsplit("/", 1)[1]
			schema = self.root["$defs"][of]
		kind = schema.get("type")
		right = type(value) is KINDS[kind] if kind else True
		right = right and value >= schema.get("minimum", value) if kind == "integer" else right
		right = right and value in schema.get("enum", [value]) and value == schema.get("const", value)
		if not right:
			self.faults.append(f"{where}: {json.dumps(value)[:60]}, expected {json.dumps(schema)[:200]}")
		elif kind == "array":
			for i, item in enumerate(value):
				self.check(item, schema["items"], f"{where}[{i}]", of)
		elif kind == "object":
			self.check_object(value, schema, where, of)
		elif "enum" in schema:
			self.seen.add((of, re.sub(r".*\.", "", where), value))

	def check_object(self, value, schema, where, of):
		for name in set(schema["required"]) - set(value):
			self.faults.append(f"{where}: no '{name}'")
		if "oneOf" in schema and sum(set(one["required"]) <= set(value) for one in schema["oneOf"]) != 1:
			self.faults.append(f"{where}: not one of {schema['oneOf']}")
		for name, item in value.items():
			self.seen.add((of, name))
			if name in schema["properties"]:
				self.check(item, schema["properties"][name], f"{where}.{name}", of)
			else:
				self.faults.append(f"{where}: '{name}' is not in the schema")

	def objects(self):
		return {"": self.root, **self.root["$defs"]}

	def words(self):
		for of, schema in self.objects().items():
			for name, item in schema["properties"].items():
				yield (of, name)
				for word in item.get("enum", ()):
					yield (of, name, word)


def check_indices(document, faults, where):
	"""Numbers that stand for types and functions stand for one that is there."""
	ntypes, nfunctions = len(document["types"]), len(document.get("functions", ()))
	sites = [site for f in document.get("functions", ()) for site in f["sites"]]
	found = [index for t in document["types"] for index in t.get("bases", ())]
	found += [index for step in (step for row in sites + document.get("frames", []) for step in row["steps"]) for index in step.get("types", ())]
	found += [site["thrown"] for site in sites if "thrown" in site] + [document.get("explained_type", 0)] * bool(ntypes)
	parents = [f["parent"] for f in document.get("functions", ()) if "parent" in f]
	if any(index >= ntypes for index in found) or any(index >= nfunctions for index in parents):
		faults.append(f"{where}: an index of nothing")


def documented(text):
	"""The keys that the tables below "## JSON" have, by object: "A site …" comes before a table of sites, other tables are of the document."""
	keys, of = {}, ""
	for line in re.search(r"^## JSON\n(.*?)^## ", text, re.M | re.S)[1].splitlines():
		if line.startswith("| `"):
			keys.setdefault(of, set()).update(re.findall(r"`(\w+)`", line.split("|")[1]))
		elif line and line[0] != "|":
			begun = re.match(r"A (\w+)", line)
			of = begun[1] if begun else ""
	return keys


class Files:
	def __init__(self, circ, folder):
		self.circ, self.folder = circ, pathlib.Path(folder)

	def run(self, *words):
		done = subprocess.run([self.circ, *map(str, words)], capture_output=True, text=True, check=False)
		if done.returncode:
			sys.exit(f"circ {' '.join(map(str, words))}: exit status {done.returncode}\n{done.stderr[-2000:]}")
		return done.stdout

	def write(self, name, text):
		(self.folder / name).write_text(text, encoding="utf-8")
		return self.folder / name

	def others(self):
		"""What no file of the tests has: a personality of somebody else, frames that were shown, and more than are."""
		yield self.write("theirs.cir", THEIRS), ()
		yield self.write("recursive.cir", CALLER.format(name="f", callee="f")), ("--throw=int", "--at=f")
		callers = "".join(CALLER.format(name=f"g{i}", callee="f") for i in range(10_100))
		yield self.write("many.cir", "cir.func private @h()\n" + CALLER.format(name="f", callee="h") + callers), ("--throw=int", "--at=f")


CALLER = "cir.func @{name}() {{\n  cir.call @{callee}() : () -> ()\n  cir.return\n}}\n"
EXPLAINED = PROJECT / "tests" / "ir" / "explain"
PROGRAMS = ("bank_transfer", "bases", "try_in_cleanup")
THEIRS = """cir.func private @work()
cir.func private @their_personality()
cir.func @theirs() personality(@their_personality) {
  cir.cleanup.scope {
    cir.call @work() : () -> ()
    cir.yield
  } cleanup eh {
    cir.call @work() : () -> ()
    cir.yield
  }
  cir.return
}
"""


def documents(files):
	"""(name, document): modules and objects for each target, one program, and what types do there."""
	programs = [*(PROJECT / "tests" / "e2e" / "programs" / f"{name}.cir" for name in PROGRAMS), EXPLAINED / "own-runtime.cir"]
	for path in [*programs, *sorted(EXPLAINED.glob("*.cir"))]:
		yield path.name, files.run("explain", "--json", path)
		yield f"throw in {path.name}", files.run("explain", "--json", "--throw=int", path)
	made = files.folder / "made.o"
	for path in programs:
		for target in TARGETS:
			files.run("-c", "-g", f"--target={target}", path, "-o", made)
			yield f"object of {path.name} {target}", files.run("explain", "--json", "--unwind-rows", made)
	library = files.folder / "made.so"
	files.run("-shared", PROJECT / "tests" / "cli" / "Inputs" / "explained.cir", "-o", library)
	yield "library", files.run("explain", "--json", library)
	for path, more in files.others():
		yield path.name, files.run("explain", "--json", *more, path)
		if not more:
			files.run("-c", path, "-o", files.folder / "made.o")
			yield f"object of {path.name}", files.run("explain", "--json", files.folder / "made.o")


def main():
	args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
	args.add_argument("--circ", required=True)
	options = args.parse_args()
	schema, count = Schema(PROJECT / "docs" / "explain.schema.json"), 0
	with tempfile.TemporaryDirectory() as folder:
		for name, text in documents(Files(os.path.abspath(options.circ), folder)):
			document = json.loads(text)
			schema.check(document, schema.root, name)
			check_indices(document, schema.faults, name)
			count += 1
	faults = schema.faults
	faults += [f"no document has {' '.join(word)}" for word in schema.words() if word not in schema.seen and word[0] != "place"]
	text = (PROJECT / "docs" / "explain.md").read_text(encoding="utf-8")
	keys_of = documented(text)
	for of, wanted in ((of, set(schema["properties"])) for of, schema in schema.objects().items() if of != "place"):
		keys = keys_of.get(of, set())
		if keys != wanted:
			faults.append(f"docs/explain.md: keys of '{of}': without meaning {sorted(wanted - keys)}, of no schema {sorted(keys - wanted)}")
	print("\n".join(faults[:20]))
	print(f"{count} documents, {len(faults)} faults")
	return 1 if faults or not count else 0


if __name__ == "__main__":
	sys.exit(main())
