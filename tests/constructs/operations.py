#!/usr/bin/env python3
"""What each operation is made of: writes docs/operations.md from the tables of src/ir, or checks that it is what they say.

usage: operations.py [--write]     without: status 1 if the page is not what the tables say
"""
import os, re, sys, textwrap

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join(ROOT, "docs/operations.md")
STAGES = {"ALL": "all", "S": "structured", "F": "flat", "I": "Itanium", "M": "Microsoft"}
KINDS = {"sym": "symbol", "str": "string", "int": "i64", "flag": "bool", "": "any"}
# What ops.def calls the kinds of attributes where it tells shapes.
SPELLED = [("ATTR_SYMBOL", "symbol"), ("ATTR_GLOBAL_VIEW", "`#cir.global_view`"), ("ATTR_TYPE", "type"), ("ATTR_INT", "integers"), ("ATTR_FLAG", "bool"),
           ("ATTR_BLOCK_ADDR", "`#cir.block_addr_info`"), ("row USUAL_DELETE_PARAMS", "`#cir.usual_delete_params`"), ("ENUM_HANDLER", "`#cir.handler`")]

HEAD = """# Operations

Written from `src/ir/ops.def` by `tests/constructs/operations.py --write`, and held true by the test `constructs.operations`: what each operation is made
of, for those who write CIR or make it with `circ_build_op()`. What it computes is what upstream's dialect says of the operation of that name;
[values.md](values.md) says where that leaves a choice, [exceptions.md](exceptions.md) what those of exceptions and cleanups promise, and
[attributes.md](attributes.md) what attributes of functions, globals, calls and the module do.

The columns:

- stage: the forms of a module in which it may stand.
- operands: a class of types (below) for each; `=N`: the type of operand N; `.N`: of its elements; `?`: may be left out; `*`: any number.
- results: a class or a type for each; `=N` and `.N` as above, `@a`: the type of attribute `a`. `any`, `int`, `ptr`, `vec` … have to be specified, the others follow.
- regions, successors: how many, where there are any.
- attributes: with their kinds; unit: a word that stands there or does not; a word in brackets is an enumeration (below), `<…>` the attribute `#cir.…<…>`.
- written: the custom form after the mnemonic: `%N` operands, `T(%N)` and `T(rN)` types of operands and results, `{N}` regions, `^N` successors; ⟦…⟧ may be absent.

`cir.func`, `cir.global`, calls and others have a spelling of their own ("own"); the [last section](#spellings-of-their-own) lists what they hold. Each operation
can be written in MLIR's generic form, too: `"cir.add"(%0, %1) <{nsw}> : (!s32i, !s32i) -> !s32i`.
"""


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def words(cell):
    return " ".join("`%s`" % w for w in cell.split())


def spelled(fmt):
    """The format as the reader sees it, and the attributes in it with their kinds."""
    out, attributes = [], []
    for w in fmt.split():
        if w in ("_", "{*", "*}"):
            continue
        flag, attr = re.fullmatch(r"\?(\w+)", w), re.fullmatch(r"@(\w+)(?::(.+))?", w)
        if flag:
            attributes.append("`%s` unit" % flag.group(1))
            w = "⟦%s⟧" % flag.group(1)
        elif attr:
            name, kind = attr.group(1), attr.group(2) or ""
            kind = "`%s`" % kind if kind[:1] == "<" else KINDS.get(kind, kind if kind in ("type", "float", "unit") else "[%s]" % kind)
            attributes.append("`%s` %s" % (name, kind))
            w = name.upper()
        else:
            w = {"(?": "⟦", "?)": "⟧", "{}": "⟦{…}⟧", "$*": "%…", "t*": "T(%…)"}.get(w, w)
            w = re.sub(r"^\$(\d)$", r"%\1", re.sub(r"^t(\d)$", r"T(%\1)", re.sub(r"^r(\d)$", r"T(r\1)", re.sub(r"^#(\d)$", r"{\1}", w))))
        out.append(w)
    text = " ".join(out)
    for blanks, tight in ((r"⟦ ", "⟦"), (r" ⟧", "⟧"), (r" ,", ","), (r"([(\[<]) ", r"\1"), (r" ([)\]>])(?!\w)", r"\1"), (r"⟦,", "⟦, ")):
        text = re.sub(blanks, tight, text)
    return text.replace("⟦,  ", "⟦, "), attributes


def stages(cell):
    return ", ".join(STAGES[s.strip()] for s in cell.split("|"))


def count(text, cell):
    return [] if cell == "0" else ["%s %s" % ("any number of" if cell == "ANY" else cell, text if cell != "1" else text[:-1])]


def operations(text):
    """The sections of ops.def, a table each."""
    row = re.compile(r'^OP\(\w+, "([^"]+)", ([^,]+), [^,]+, (\w+), (\w+), "([^"]*)", "([^"]*)", \w+, \w+, "([^"]*)"\)$')
    for line in text[text.index("\n/* 5.1"):].split("\n"):
        heading, op = re.fullmatch(r"/\* ([\d., ]+) ([^;.]*).*\*/", line), row.fullmatch(line)
        if heading:
            yield from ("", "## %s %s" % (heading.group(1), heading.group(2).strip()), "", "| | stage | operands | results | attributes, regions, successors | written |",
                        "|---|---|---|---|---|---|")
        elif op:
            mnemonic, where, regions, successors, operands, results, fmt = op.groups()
            form, attributes = ("own", []) if fmt[:1] == "!" else spelled(fmt)
            parts = attributes + count("regions", regions) + count("successors", successors)
            form = form if form in ("own", "") else "`%s`" % form
            yield "| `%s` | %s | %s | %s | %s | %s |" % (mnemonic, stages(where), words(operands), words(results), "; ".join(parts), form)
        elif line.startswith("OP("):
            sys.exit("operations.py: cannot read the row: " + line)


def wrapped(item):
    return textwrap.fill(item, 150, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def own(text):
    """The comment of ops.def that tells the shapes of ops with a spelling of their own."""
    yield from ("", "## Spellings of their own", "", "Operands; successors; attributes, by the names of the generic form:", "")
    comment = re.search(r"Shapes that the row.*?:\n(.*?)\n \*/", text, re.S).group(1)
    for name, shape in re.findall(r"^ \*   (\w\S*) +(.*(?:\n \*    .*)*)", comment, re.M):
        dialect = "circ" if '"circ.%s"' % name in text else "cir"
        shape = re.sub(r"\s+\*\s+", " ", shape)
        for internal, public in SPELLED:
            shape = shape.replace(internal, public)
        yield wrapped("- `%s.%s`: %s" % (dialect, name, shape))


def classes():
    yield from ("", "## Classes of types", "")
    for word, text in re.findall(r'\[CLASS_\w+\] = \{"(\w+)",\s*((?:"[^"]*"\s*)+)\}', read("src/ir/constraint.c")):
        text = re.sub(r'"\s*"', "", text.strip()).strip('"')
        yield wrapped("- `%s`: %s" % (word, re.sub(r"!cir\.\w+(<.*>)?", r"`\g<0>`", text)))


def enumerations():
    yield from ("", "## Enumerations", "", "`#cir.NAME<WORD>`, or `circ_attr_enum(module, \"NAME\", \"WORD\")`.", "", "| NAME | WORD |", "|---|---|")
    text = read("src/ir/enums.def")
    for id, name in re.findall(r'^ENUM_CLASS\((\w+), "([^"]+)"\)', text, re.M):
        yield "| `%s` | %s |" % (name, " ".join("`%s`" % w for w in re.findall(r'^ENUM_WORD\(%s, \w+, "([^"]*)"\)' % id, text, re.M)))


def attributes():
    yield from ("", "## Attributes with parameters", "", "`#cir.NAME<…>`, by `circ_attr_parse()`. In brackets what may be left out.", "", "| NAME | |", "|---|---|")
    text = read("src/ir/attrs.def")
    kinds = {"STR": "string", "WORD": "word", "INT": "number", "FLAG": "bool", "TYPE": "type", "SYM": "symbol", "ANY": "attribute"}
    for id, name in re.findall(r'^ATTR_ROW\((\w+), "([^"]+)"\)', text, re.M):
        params = []
        for key, kind, flags in re.findall(r'^ATTR_PARAM\(%s, \w+, "([^"]*)", (\w+), ([^)]*)\)' % id, text, re.M):
            param = kinds[kind] + " (%s)" % key if "BARE" in flags else "`%s = ` %s" % (key, kinds[kind])
            params.append("[%s]" % param if "OPT" in flags else param)
        yield "| `%s` | %s |" % (name, ", ".join(params))


def main():
    text = read("src/ir/ops.def")
    page = HEAD + "\n".join([*operations(text), *own(text), *classes(), *enumerations(), *attributes()]) + "\n"
    if sys.argv[1:] == ["--write"]:
        with open(PAGE, "w", encoding="utf-8") as f:
            f.write(page)
    elif not os.path.exists(PAGE) or read(PAGE) != page:
        sys.exit("docs/operations.md is not what src/ir says; write it with tests/constructs/operations.py --write")


main()
