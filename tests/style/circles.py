#!/usr/bin/env python3
"""circles.py SOURCE BUILD: no circle of files in src/, but those below.

A file uses another when its object has an undefined symbol that the other's object defines: what the linker sees, so that neither a header that is
only included nor a name in a comment counts. A circle is a set of files each of which leads back to itself: none of them can be read, tested or
changed without all the others. What opens one, as a rule: a leaf for what they share (errors, the making of blocks), or a table or a function
that is passed in.
"""
import fnmatch
import os
import subprocess
import sys

# Circles that stay: patterns of their files, and why.
STAY = [
    (["ir/spell", "ir/spell_attr"], "types hold attributes, and attributes types"),
    (["text/read/*"], "the mutual recursion of a parser: types, attributes, ops and regions hold each other"),
    (["lower/const", "lower/const_record"], "constants hold constants"),
    (["lower/debug_type", "lower/debug_record"], "the types of members are records"),
    (["msvc/itanium_name", "msvc/itanium_type"], "the mutual recursion of a parser: names have types for arguments, types have names"),
]


def objects(source, build):
    """Path of a file below src/, without its ending -> its object. What a file left behind that is gone does not count."""
    found = {}
    for folder, _, files in os.walk(build):
        if ".dir/src" not in folder:
            continue
        for name in files:
            path = os.path.join(folder, name)
            file, dot, _ = path.partition(".dir/src/")[2].rpartition(".c.o")
            if dot and path.endswith(".c.o") and os.path.exists(os.path.join(source, "src", file + ".c")):
                found[file] = path
    return found


def uses(objects):
    """File -> {file that it uses: [names]}."""
    defined, wanted = {}, {}
    of = {path: file for file, path in objects.items()}
    text = subprocess.run(["nm", "-A", *of], capture_output=True, text=True, check=True).stdout
    for line in text.splitlines():
        path, _, symbol = line.rpartition(":")
        *_, kind, name = symbol.split()
        if kind == "U":
            wanted.setdefault(of[path], []).append(name)
        elif kind.isupper():
            defined[name] = of[path]
    graph = {file: {} for file in objects}
    for file, names in wanted.items():
        for name in names:
            if defined.get(name, file) != file:
                graph[file].setdefault(defined[name], []).append(name)
    return graph


def reached(graph, start):
    seen, work = set(), [start]
    while work:
        for file in graph[work.pop()]:
            if file not in seen:
                seen.add(file)
                work.append(file)
    return seen


def circles(graph):
    reach = {file: reached(graph, file) for file in graph}
    found = {frozenset(b for b in reach[a] if a in reach[b]) for a in graph if a in reach[a]}
    return sorted(found, key=sorted)


def main():
    source, build = sys.argv[1:]
    graph = uses(objects(source, build))
    if len(graph) < 100:
        sys.exit(f"only {len(graph)} objects of src/ below {build}")
    bad, met = 0, set()
    for circle in circles(graph):
        row = next((i for i, (patterns, _) in enumerate(STAY)
                    if all(any(fnmatch.fnmatch(file, p) for p in patterns) for file in circle)), None)
        met.add(row)
        if row is None:
            bad += 1
            print(f"a circle of {len(circle)} files:")
            for file in sorted(circle):
                for other in sorted(circle & graph[file].keys()):
                    print(f"  src/{file}.c uses src/{other}.c: {', '.join(sorted(graph[file][other]))}")
    for i, (patterns, _) in enumerate(STAY):
        if i not in met:
            print(f"{' '.join(patterns)}: no circle any more; take the row out of tests/style/circles.py")
    sys.exit(bad != 0)


main()
