#!/usr/bin/env python3
"""editors/vscode/syntaxes/cir.tmLanguage.json, the TextMate grammar of CIR, is made of the tables of the reader: src/ir/ops.def and
src/text/old/ops.def have the operations, and which of them end a block; src/ir/enums.def has the words.

usage: textmate.py [--write]     without: status 1 if it is not
"""
import json
import os
import re
import sys

from vim_syntax import ROOT, operations

GRAMMAR = os.path.join(ROOT, "editors/vscode/syntaxes/cir.tmLanguage.json")
# Names as the lexer has them (src/text/read/lex.c): digits, or a letter, '$', '.', '_' or '-' and then any of those and digits.
SUFFIX = r"(?:[0-9]+|[A-Za-z$._-][A-Za-z0-9$._-]*)"
STRING = r'"(?:[^"\\\n]|\\.)*"'
BEFORE, BEHIND = r"(?<![A-Za-z0-9$._%^@!#-])", r"(?![A-Za-z0-9$._])"


def table(path):
	with open(os.path.join(ROOT, path), encoding="utf-8") as file:
		return file.read()


def terminators():
	return {name for name, flags in re.findall(r'^OP\(\w+, "(circ?\.[\w.]+)", [^,]+, ([^,]+),', table("src/ir/ops.def"), re.M) if re.search(r"\bTERM\b", flags)}


def words():
	return sorted(set(re.findall(r'^ENUM_WORD\(\w+, \w+, "([A-Za-z_]\w*)"\)', table("src/ir/enums.def"), re.M)) | {"true", "false", "unit", "loc", "unknown"})


def any_of(names):
	"""The longest first, since a regular expression takes the first that fits."""
	return "(?:" + "|".join(re.escape(n) for n in sorted(names, key=lambda n: (-len(n), n))) + ")"


def rule(scope, match, **captures):
	made = {"name": f"{scope}.cir", "match": match}
	if captures:
		made["captures"] = {number[1:]: {"name": f"{name}.cir"} for number, name in captures.items()}
	return made


def operation_rules():
	ends = terminators()
	kinds = (("keyword.control", ends), ("keyword.other.operation", set(operations()) - ends))
	for scope, names in kinds:  # an operation in its generic form is a string
		yield {"match": f'"({any_of(names)})"(?=\\s*\\()', "captures": {"0": {"name": "string.quoted.double.cir"}, "1": {"name": f"{scope}.cir"}}}
	for scope, names in kinds:  # a key of an attribute may have the name of one
		yield rule(scope, f"{BEFORE}{any_of(names)}{BEHIND}(?!\\s*=(?!=))")


def grammar():
	return {
		"$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
		"comment": "Written by tests/constructs/textmate.py from the tables of the reader.",
		"name": "CIR",
		"scopeName": "source.cir",
		"fileTypes": ["cir"],
		"patterns": [
			rule("comment.line.double-slash", "//.*$"),
			*operation_rules(),
			rule("entity.name.function", f"@ ?(?:{SUFFIX}|{STRING})"),
			{"name": "string.quoted.double.cir", "begin": '"', "end": '"|$', "patterns": [rule("constant.character.escape", r"\\(?:[0-9A-Fa-f]{2}|.)")]},
			rule("variable.other", f"[%&]{SUFFIX}(?:#[0-9]+)?"),
			rule("entity.name.label", rf"\^{SUFFIX}"),
			rule("support.type", rf"![A-Za-z_$][A-Za-z0-9_$]*\.{SUFFIX}"),
			rule("entity.name.type", f"!{SUFFIX}"),
			rule("entity.other.attribute-name", f"#{SUFFIX}"),
			rule("variable.parameter.key", rf"{BEFORE}[A-Za-z_$][A-Za-z0-9_$]*\.{SUFFIX}"),
			rule("keyword.other.module", f"{BEFORE}(?:module|attributes|affine_map){BEHIND}"),
			rule("storage.type", rf"{BEFORE}(?:s?i[0-9]+|ui[0-9]+|f[0-9]+|bf16|index|none){BEHIND}"),
			rule("constant.language", f"{BEFORE}{any_of(words())}{BEHIND}"),
			rule("variable.parameter.key", r"\b[A-Za-z_]\w*(?=\s*=(?!=))"),
			rule("constant.numeric", rf"(?<![A-Za-z0-9$._%^@!#])-?(?:0x[0-9A-Fa-f]+|[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?)"),
			rule("keyword.operator", r"->|::|\.\.\."),
		],
	}


def main():
	text = json.dumps(grammar(), indent="\t") + "\n"
	if sys.argv[1:] == ["--write"]:
		with open(GRAMMAR, "w", encoding="utf-8") as out:
			out.write(text)
		return
	with open(GRAMMAR, encoding="utf-8") as file:
		if file.read() != text:
			sys.exit("editors/vscode/syntaxes/cir.tmLanguage.json is not what the tables say; write it with tests/constructs/textmate.py --write")


if __name__ == "__main__":
	main()
