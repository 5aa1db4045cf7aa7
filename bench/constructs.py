#!/usr/bin/env python3
"""Writes files with every construct that the tests have, as large as real modules and with as many locations.

    bench/constructs.py --circ build/bin/circ --out FOLDER [--copies 8]

The modules of the text tests and of the programs, for x86_64 ELF, as circ prints them, are joined: names of symbols and records
get numbers, each type and attribute has one alias as in clang's output, and every copy of a module after the first has symbols of
its own. There is a file for each stage of the IR, since no module may mix them.

Locations are as many as in the 75 modules of the corpus, where each op has one, and of 100 ops 65 have a place that is new and
21 are `fused` of two others; they are spelled as clang spells them, behind each op and in a list of aliases at the end. The corpus
has 281 bytes of text for an op (long names of types, paths and symbols), these files some 150: they are dense.
"""
import concurrent.futures
import glob
import os
import re
import subprocess
import sys

from run import arguments

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir)
STAGES = "SFIM"  # structured, flat, Itanium, Microsoft: the letters of ops.def
ALIAS = re.compile(r"[!#][A-Za-z_$][\w$-]*(?![\w$.<-])")
SYMBOL = re.compile(r'@("(?:[^"\\]|\\.)*"|[\w.$-]+)')
RECORD = re.compile(r'(!cir\.(?:struct|union)<(?:class )?)"((?:[^"\\]|\\.)*)"')
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
OP = re.compile(r"(?<![\w.#!])circ?\.[\w.]*\w")
PLACE = '#loc{} = loc("/usr/lib/llvm-22/bin/../include/c++/v1/__algorithm/find_{}.h":{}:{})\n'


def stages_of_ops():
    """{mnemonic: letters of the stages it may stand in}"""
    with open(os.path.join(ROOT, "src/ir/ops.def"), encoding="utf-8") as rows:
        found = re.findall(r'^OP\(\w+, "([\w.]+)",\s*([\w |]+),', rows.read(), re.M)
    return {name: STAGES if "ALL" in stages else stages for name, stages in found}


def read(circ, path):
    """The module as circ prints it, or None: it is not for this."""
    done = subprocess.run([circ, "--emit=cir", path, "-o", "-"], capture_output=True, text=True, errors="replace", check=False)
    head = done.stdout.partition("{\n")[0]
    return None if done.returncode or re.search(r'triple = "(?!x86_64-[\w-]*linux)|module_asm = \[[^\]]', head) else done.stdout


class File:
    """What is joined to one file: aliases, each once, and bodies of modules."""

    def __init__(self):
        self.aliases, self.bodies = {}, []

    def renamed(self, number, text):
        """The aliases and the body of a module, with names that no other has."""
        head, _, rest = re.split(r"^(module\b.*\{)$", text, maxsplit=1, flags=re.M)
        names = {}

        def rename(part):
            part = RECORD.sub(rf'\1"\2.{number}"', part)
            part = SYMBOL.sub(lambda m: f'@{m[1][:-1]}.{number}.~"' if m[1][0] == '"' else f"@{m[1]}.{number}.~", part)
            return ALIAS.sub(lambda m: names.get(m[0], m[0]), part)

        new = {}
        for name, value in re.findall(r"^([!#][\w$-]+) = (.*)$", head, re.M):
            value = rename(value)
            names[name] = name if {**self.aliases, **new}.get(name, value) == value else f"{name}_{number}"
            new[names[name]] = value
        return new, rename(rest[:rest.rindex("}")])

    def text(self, copies):
        aliases = "".join(f"{name} = {value}\n" for name, value in self.aliases.items())
        body, count = locations("".join(b.replace(".~", f".{copy}") for copy in range(copies) for b in self.bodies))
        return aliases.replace(".~", ".0") + 'module attributes {cir.triple = "x86_64-unknown-linux-gnu"} {\n' + body + "}\n" + count


def locations(body):
    """The text with a location behind each op, and the list of their aliases."""
    lines, places, n = body.split("\n"), [], 0
    for i, line in enumerate(lines):
        if not line or line.endswith(("{", ",", "(", "[", "~")) or re.match(r"\s*(\^|//)", line):
            continue
        turn = i % 100
        if not n or turn < 65:
            places.append(PLACE.format(n, n // 1000, 1 + n % 900, 1 + n % 70))
            n += 1
        elif turn < 86:
            places.append(f"#loc{n} = loc(fused[#loc{max(n - 2, 0)}, #loc{n - 1}])\n")
            n += 1
        lines[i] = f"{line} loc(#loc{n - 1})"
    return "\n".join(lines), "".join(places)


def accepts(circ, text):
    return subprocess.run([circ, "--verify-only", "-"], input=text, capture_output=True, text=True, check=False).returncode == 0


def tests():
    """The modules of the text tests and of the programs."""
    return sorted(p for folder in ("ir", "e2e") for p in glob.glob(os.path.join(ROOT, "tests", folder, "**", "*.cir"), recursive=True))


class Joined:
    """A File for each stage, of the tests that circ reads, and still reads when they are joined."""

    def __init__(self, circ):
        self.files, self.ops, self.stages = {}, set(), stages_of_ops()
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for number, text in enumerate(pool.map(lambda path: read(circ, path), tests())):
                if text:
                    self.add(circ, number, text)

    def add(self, circ, number, text):
        used = {op for op in OP.findall(STRING.sub('""', text)) if op in self.stages}
        stage = next((s for s in STAGES if all(s in self.stages[op] for op in used)), None)
        if not stage:
            return
        file, one = self.files.setdefault(stage, File()), File()
        one.aliases, body = file.renamed(number, text)
        one.bodies = [body]
        if accepts(circ, one.text(1)):
            file.aliases.update(one.aliases)
            file.bodies.append(body)
            self.ops |= used

    def write(self, folder, copies):
        """Writes the files; returns their paths."""
        paths = []
        for stage, file in ((s, f) for s, f in self.files.items() if f.bodies):
            paths.append(os.path.join(folder, f"constructs-{stage}-{copies}.cir"))
            with open(paths[-1], "w", encoding="utf-8") as out:
                out.write(file.text(copies))
        return paths

    def said(self):
        modules = sum(len(file.bodies) for file in self.files.values())
        return f"{len(self.ops)} of {len(self.stages)} ops, in {modules} modules of the tests"


def main():
    args = arguments(__doc__)
    args.add_argument("--out", default=".")
    args.add_argument("--copies", type=int, default=8)
    options = args.parse_args()
    joined = Joined(options.circ)
    print(joined.said(), *joined.write(options.out, options.copies), sep="\n")


if __name__ == "__main__":
    sys.exit(main())
