#!/usr/bin/env python3
"""repairs.py SOURCE_DIR [--fix]: the tables of docs/repair.md say what src/repair/repairs.def and proofs.def say. Each row of
repairs.def has a lookalike, a correct program that it would change, and an input that modes.test runs."""
import pathlib
import re
import sys

STRING = r'"((?:[^"\\]|\\.)*)"'


def rows(path, macro):
	"""The arguments of each use of the macro that are strings."""
	text = path.read_text()
	text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
	for call in re.findall(rf"^{macro}\((.*?)\)\n(?={macro}|#undef)", text, flags=re.S | re.M):
		yield [s.replace('\\"', '"') for s in re.findall(STRING, re.sub(r'"\s*\n\s*"', "", call))], call


def years(since, until):
	return {"?": "unknown"}.get(since, since) + " – " + {"?": "unknown", "now": "today"}.get(until, until)


def cell(text):
	return text.replace("|", "\\|")


def repairs(folder):
	table = [row for row, _ in rows(folder / "repairs.def", "REPAIR")]
	yield "| Name | What clang printed | Printed |"
	yield "|---|---|---|"
	for name, what, since, until, *_ in table:
		yield f"| [`{name}`](#{name}) | {cell(what)} | {years(since, until)} |"
	for name, _, _, _, shows, made, _ in table:
		yield f"\n### {name}\n\nFound by {shows}.\n\nRepaired: {made}."


def proofs(folder):
	yield "| Attribute of the module | Printed | Why clang writes it |"
	yield "|---|---|---|"
	for (key, since, until, why), call in rows(folder / "proofs.def", "PROOF"):
		empty = " = []" if ", true," in call else ""
		yield f"| `{key}{empty}` | {years(since, until)} | {why} |"


def spellings(folder):
	yield "| Spelling | Printed | Proves that clang printed the text |"
	yield "|---|---|---|"
	for (*_, spelling, since, until), call in rows(folder.parent / "ir" / "dated.def", "DATED(?:_OP)?"):
		proves = "yes" if re.search(r"true, \"`", call) else "no; it narrows the time"
		yield f"| {cell(spelling)} | {years(since, until)} | {proves} |"


def untested(source):
	"""Rows without a lookalike, or without a mode."""
	folder = source / "tests" / "ir" / "repair"
	lookalikes = "".join(path.read_text() for path in folder.glob("lookalikes*.cir"))
	for name, *_ in (row for row, _ in rows(source / "src" / "repair" / "repairs.def", "REPAIR")):
		if f": remark: {name}:" not in lookalikes:
			yield f"tests/ir/repair/lookalikes*.cir have no program for {name}"
		if not list(folder.glob(f"Inputs/{name}*.cir")):
			yield f"tests/ir/repair/Inputs has no {name}.cir"
	modes = (folder / "modes.test").read_text()
	for path in folder.glob("Inputs/*.cir"):
		if path.stem != "proofs" and f"Inputs/{path.name}" not in modes:
			yield f"tests/ir/repair/modes.test does not run {path.name}"


def main():
	source = pathlib.Path(sys.argv[1])
	page = source / "docs" / "repair.md"
	text = page.read_text()
	expected = text
	for name, table in (("repairs", repairs), ("proofs", proofs), ("spellings", spellings)):
		lines = "\n".join(table(source / "src" / "repair"))
		expected = re.sub(rf"(<!-- {name} -->\n).*?(<!-- end -->)", lambda m: m[1] + lines + "\n" + m[2], expected, flags=re.S)
	if "--fix" in sys.argv:
		page.write_text(expected)
	elif text != expected:
		sys.exit("docs/repair.md is not what src/repair/*.def say: tests/style/repairs.py . --fix")
	missing = "\n".join(untested(source))
	if missing:
		sys.exit(missing)


main()
