#!/usr/bin/env python3
"""Which construct of CIR has a test of which kind: writes docs/internals/constructs.md and its sums in docs/internals/conformance.md, or checks that they are true.

The ops are the rows of src/ir/ops.def, the attributes those of src/ir/attrs.def and the constants below, the types those below. A test is
what the test runner takes: a .cir file that holds the construct outside of comments.

  read      a file that is read without errors; unit.text_roundtrip reads, prints and reads again every one of them
  printed   a line of such a file that says what circ prints has it
  verified  refused where it is wrong: an error that a test expects names it or, of types and attributes, points to it
  lowered   a text test of a later stage or of LLVM IR (tests/ir: expand, repair, flatten, eh, call, msvc, lower, emit, debug)
  ELF, msvc, gnu   a program that is run (tests/e2e, tests/windows, examples) on ELF, windows-msvc, windows-gnu, as its header says

usage: coverage.py [--write]     without: status 1 if a page is not what the tests say, or if a kind lacks and no reason is given
"""
import os, re, sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join(ROOT, "docs/internals/constructs.md")
SUMMARY = os.path.join(ROOT, "docs/internals/conformance.md")
sys.dont_write_bytecode = True
sys.path.append(os.path.join(ROOT, "tests/e2e"))
import run as e2e  # noqa: E402  (tests/e2e/run.py)

KINDS = ["read", "printed", "verified", "lowered", "ELF", "msvc", "gnu"]
HEAD = ["# Every construct, and how it is tested", "",
        "Written by `tests/constructs/coverage.py --write`, and held true by the test `constructs.coverage`: which construct has a test of which kind. The head",
        "of that file says what counts. Constructs that are out of scope: [conformance.md](conformance.md).", ""]
LATER = ("expand", "repair", "flatten", "eh", "call", "msvc", "lower", "emit", "debug")

TYPES = [
    ("!cir.int<s, N>, <u, N>", r"!s\d+i\b|!u\d+i\b|!cir\.int<[su], \d+>"), ("!cir.int<…, bitint>", r"!cir\.int<[su], \d+, bitint>|!\w+_bitint"),
    ("!cir.bool", r"!cir\.bool"), ("!cir.float", r"!cir\.float"), ("!cir.double", r"!cir\.double"), ("!cir.f16", r"!cir\.f16"),
    ("!cir.bf16", r"!cir\.bf16"), ("!cir.f80", r"!cir\.f80"), ("!cir.f128", r"!cir\.f128"), ("!cir.long_double", r"!cir\.long_double"),
    ("!cir.complex", r"!cir\.complex<"), ("!cir.void", r"!cir\.void|!void"), ("!cir.vptr", r"!cir\.vptr"), ("!cir.ptr", r"!cir\.ptr<"),
    ("!cir.ptr<…, target_address_space(N)>", r"target_address_space\("), ("!cir.ptr<…, lang_address_space(…)>", r"lang_address_space\("),
    ("!cir.array", r"!cir\.array<"), ("!cir.vector", r"!cir\.vector<"), ("!cir.vector<[N] x T>", r"!cir\.vector<\["),
    ("!cir.struct", r"!cir\.struct<"), ("!cir.struct<class …>", r"!cir\.struct<class "), ("!cir.struct<… packed …>", r"!cir\.struct<[^{>]*packed"),
    ("!cir.struct<… incomplete>", r"!cir\.struct<[^{>]*incomplete"), ("!cir.union", r"!cir\.union<"), ("!cir.bitfield", r"!cir\.bitfield<"),
    ("!cir.func", r"!cir\.func<"), ("!cir.method", r"!cir\.method<"), ("!cir.data_member", r"!cir\.data_member<"),
    ("!cir.eh_token", r"!cir\.eh_token"), ("!cir.cleanup_token", r"!cir\.cleanup_token"), ("!cir.catch_token", r"!cir\.catch_token"),
]
CONSTANTS = [
    ("#cir.int", r"#cir\.int<"), ("#cir.fp", r"#cir\.fp<"), ("#cir.bool", r"#cir\.bool<|#true|#false"), ("#cir.ptr", r"#cir\.ptr<"), ("#cir.zero", r"#cir\.zero"),
    ("#cir.undef", r"#cir\.undef"), ("#cir.poison", r"#cir\.poison"), ("#cir.const_array", r"#cir\.const_array<"),
    ("#cir.const_array<…, trailing_zeros>", r"trailing_zeros"), ("#cir.const_record", r"#cir\.const_record<"), ("#cir.const_vector", r"#cir\.const_vector<"),
    ("#cir.const_complex", r"#cir\.const_complex<"), ("#cir.global_view", r"#cir\.global_view<"), ("#cir.global_offset", r"#cir\.global_offset<"),
    ("#cir.distance", r"#cir\.distance<"),
    ("#cir.image_relative", r"#cir\.image_relative<"), ("#cir.vtable", r"#cir\.vtable<"), ("#cir.typeinfo", r"#cir\.typeinfo<"),
    ("#cir.data_member", r"#cir\.data_member<"), ("#cir.data_member_offset", r"#cir\.data_member_offset<"), ("#cir.method", r"#cir\.method<"),
    ("#cir.block_addr_info", r"#cir\.block_addr_info<|cir\.block_address <"),
]
# Attributes that are written without their name where they stand.
SPELLED = {"static_local_guard": r"static_local_guard", "tls_wrapper_init": r"tls_refs", "offset_pair": r"clear_padding", "address_point": r"address_point",
           "usual_delete_params": r"delete_params|delete_array", "memory_effects": r"memory_effects", "uwtable": r"uwtable"}

MS_FORM = "made from flat CIR, whose programs run"
ITANIUM_FORM = "made from flat CIR with ELF's personality"
NO_CODE = "no code comes of it"
NOT_RUN = "LLVM IR alone shows it: nothing of it is in objects"
# (construct, kinds): why there is no such test.
REASONS = [
    (("cir.eh.catchswitch", "cir.catchpad", "cir.catchret", "cir.cleanuppad", "cir.cleanupret"), ("ELF", "gnu"), "of the Microsoft form alone"),
    (("cir.eh.catchswitch", "cir.catchpad", "cir.catchret", "cir.cleanuppad", "cir.cleanupret"), ("msvc",), MS_FORM),
    (("cir.eh.inflight_exception", "cir.eh.typeid", "cir.resume.flat"), ("msvc",), "of the Itanium form alone"),
    (("cir.eh.inflight_exception", "cir.eh.typeid", "cir.resume.flat"), ("gnu",), ITANIUM_FORM),
    (("cir.resume.flat",), ("ELF",), ITANIUM_FORM),
    (("cir.eh.setjmp", "cir.eh.longjmp"), ("msvc", "gnu"), "an error: `llvm.frameaddress` is not the frame pointer there"),
    (("cir.eh.unexpected",), ("msvc",), "an error: Microsoft's runtime knows no exception specifications"),
    (("circ.eh.drop",), ("lowered",), "made by flattening, of what programs run with"),
    (("circ.eh.drop", "circ.localescape", "circ.localrecover"), ("ELF", "gnu", "msvc"), "made by flattening, of what programs run with"),
    (("circ.try_load", "circ.try_store", "circ.try_copy", "circ.try_set", "circ.try_div", "circ.try_rem"), ("lowered", "ELF", "gnu", "msvc"),
     "made by flattening of `cir.try async`"),
    (("circ.binary", "circ.compare", "circ.convert", "circ.gep", "circ.extract_value", "circ.insert_value", "circ.atomicrmw", "circ.cmpxchg",
      "circ.inline_asm", "circ.landingpad", "circ.resume"), ("ELF", "gnu", "msvc"), "made of LLVM IR, whose programs run in tests/raise"),
    (("circ.eh.recoverfp",), ("ELF", "gnu"), "of the Microsoft form alone"),
    (("circ.eh.recoverfp",), ("msvc",), MS_FORM),
    (("!cir.f128",), ("msvc",), "calls are an error"),
    (("!cir.f128",), ("gnu",), "calls that give one are an error"),
    (("#cir.annotation",), ("ELF", "msvc", "gnu"), NOT_RUN),
    (("#cir.opt_info", "#cir.static_local_info"), ("lowered", "ELF", "msvc", "gnu"), NO_CODE),
    (("#cir.image_relative",), ("ELF", "gnu"), "an error: no such relocation"),
    (("#cir.image_relative",), ("msvc",), "in tables of throws"),
    (("!cir.f16",), ("gnu",), "conversions are an error: libgcc passes it in other registers"),
    (("!cir.bf16",), ("ELF",), "libgcc converts it since version 13"),
    (("!cir.bf16",), ("gnu",), "conversions are an error"),
    (("#cir.tls_wrapper_init",), ("gnu",), "MinGW's g++ reaches thread-local variables otherwise (emutls)"),
]
NOT_HERE = {(name, kind): why for names, kinds, why in REASONS for name in names for kind in kinds}


def read(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        return f.read()


class Test:
    def __init__(self, path):
        self.path, text = os.path.relpath(path, ROOT), read(path)
        self.lines = text.split("\n")
        self.checks = "\n".join(l for l in self.lines if re.search(r"//[^\n]*CHECK|//[^\n]*error:", l) or re.match(r"// [A-Z][A-Z-]*(-NEXT|-DAG)?:", l))
        self.printed = "\n".join(l for l in self.checks.split("\n") if "error:" not in l)
        self.code = re.sub(r"//[^\n]*", "", text)
        if re.search(r"RUN: grep -v '\^//' %s \| diff - ", text):
            self.printed = self.code
        self.ops = set(re.findall(r"(?<![\w.])circ?\.[\w.]*\w", self.code))
        runs = re.findall(r"RUN:(.*)", text)
        refused = [r for r in runs if re.search(r"\bnot ", r)]
        self.reads = not refused or ("split-file" not in text and any("%circ" in r for r in runs if r not in refused))
        place = self.path.split(os.sep)
        self.later = self.reads and place[:2] == ["tests", "ir"] and place[2] in LATER
        self.pairs = pairs_of(place, text)


def pairs_of(place, text):
    """Where the program is run."""
    if place[0] == "examples":
        return {"libc++"}
    if place[:2] == ["tests", "windows"]:
        return {"mingw" if "mingw" in place[-1] else "msvc"}
    if place[:2] != ["tests", "e2e"]:
        return set()
    header = e2e.Header(text)
    runs = [r for r in header.runs if not header.errors]
    return {p for p in header.pairs if p not in header.excluded and any(p not in r.excluded for r in runs)}


def tests():
    for top in ("tests", "examples"):
        for folder, _, files in os.walk(os.path.join(ROOT, top)):
            for f in sorted(files):
                if f.endswith((".cir", ".cir.in")) or (f.endswith(".test") and os.path.basename(folder) in ("cli", "windows")):
                    yield Test(os.path.join(folder, f))


def end_of(line, start):
    """Where the construct that begins there ends: its name, the brackets behind it, the colon in front of a constant's type."""
    at, depth = re.compile(r"[!#]?[\w.]*").match(line, start).end(), 0
    for k in range(at, len(line)):
        if not depth and line[k] not in "<(":
            return k
        depth += line[k] in "<([{"
        depth -= line[k] in ">)]}" and line[k - 1] != "-"
        if not depth:
            return k + 1 + 2 * line.startswith(" :", k + 1)
    return len(line)


class Errors:
    """What the tests expect of messages: their texts, and the places that they point to."""

    def __init__(self, all_tests):
        self.texts, self.places = [], []
        for test in all_tests:
            for n, line in enumerate(test.lines):
                found = re.search(r"error: (.*)", line) if re.search(r"[A-Z]:|//", line) else None
                if found:
                    self.texts.append(found.group(1))
                found = re.search(r"@LINE\+(\d+)\]\]:(\d+): error:", line)
                if found and n + int(found.group(1)) < len(test.lines):
                    self.places.append((test.lines[n + int(found.group(1))], int(found.group(2)) - 1))

    def name(self, use):
        return any(use.search(text) for text in self.texts)

    def point_to(self, use):
        """… to the construct itself, not to one within it."""
        for line, column in self.places:
            for m in use.finditer(line):
                inner = re.compile(r"[!#]cir\.\w+").finditer(line, m.start() + 1)
                if m.start() <= column <= max(end_of(line, m.start()), m.end()) and not any(i.start() <= column < end_of(line, i.start()) for i in inner):
                    return True
        return False


def cells(uses, all_tests, printed, verified):
    def run(*pairs):
        return any(uses(t) for t in all_tests if t.pairs.intersection(pairs))
    return {
        "read": any(uses(t) for t in all_tests if t.reads),
        "printed": any(printed.search(t.printed) for t in all_tests if t.reads),
        "verified": verified,
        "lowered": any(uses(t) for t in all_tests if t.later),
        "ELF": run("libc++", "libstdc++"), "msvc": run("msvc"), "gnu": run("mingw"),
    }


def op_row(name, all_tests, errors):
    word = re.escape(name) + r"(?![\w.])"
    return name, cells(lambda t: name in t.ops, all_tests, re.compile(word), errors.name(re.compile("'" + word)))


def row(name, pattern, all_tests, errors):
    use = re.compile(pattern)
    return name, cells(lambda t: use.search(t.code), all_tests, use, errors.name(use) or errors.point_to(use))


class Page:
    def __init__(self):
        self.lines, self.counts = [], []
        self.missing, self.used = [], set()

    def table(self, heading, rows):
        self.lines += ["", "## " + heading, "", "| | %s | |" % " | ".join(KINDS), "|---|%s---|" % ("---|" * len(KINDS))]
        for name, found in rows:
            lacks = [k for k in KINDS if not found[k]]
            self.used |= {(name, k) for k in lacks}
            self.missing += [(name, k) for k in lacks if (name, k) not in NOT_HERE]
            reasons = {}
            for k in lacks:
                reasons.setdefault(NOT_HERE.get((name, k), "?"), []).append(k)
            why = "; ".join("%s: %s" % (", ".join(ks), text) for text, ks in reasons.items())
            self.lines.append("| `%s` | %s | %s |" % (name, " | ".join("yes" if found[k] else "no" for k in KINDS), why))
        self.counts.append("| %s | %d | %s |" % (heading.lower(), len(rows), " | ".join(str(sum(f[k] for _, f in rows)) for k in KINDS)))

    def summary(self):
        return ["| | constructs | %s |" % " | ".join(KINDS), "|---|---|%s" % ("---|" * len(KINDS)), *self.counts]


def make_page():
    all_tests, page = list(tests()), Page()
    errors = Errors(all_tests)
    ops = re.findall(r'^OP\(\w+, "([^"]+)"', read(os.path.join(ROOT, "src/ir/ops.def")), re.M)
    attrs = re.findall(r'^ATTR_ROW\(\w+, "(\w+)"', read(os.path.join(ROOT, "src/ir/attrs.def")), re.M)
    page.table("Operations", [op_row(n, all_tests, errors) for n in ops])
    page.table("Types", [row(n, p, all_tests, errors) for n, p in TYPES])
    rows = [row(n, p, all_tests, errors) for n, p in CONSTANTS]
    rows += [row("#cir." + a, SPELLED.get(a, r"#cir\.%s<|#cir\.%s\b" % (a, a)), all_tests, errors) for a in attrs]
    page.table("Attributes", rows)
    return page


def texts(page):
    """What stands in the files now, and what is to stand there."""
    yield PAGE, "\n".join(HEAD + page.summary() + page.lines) + "\n"
    text, table = read(SUMMARY), "\n".join(page.summary())
    found = re.search(r"\| \| constructs \|.*\n(\|.*\n)*", text)
    yield SUMMARY, text[:found.start()] + table + "\n" + text[found.end():] if found else ""


def main():
    page, stale = make_page(), False
    for path, text in texts(page):
        if sys.argv[1:] == ["--write"]:
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
        elif not os.path.exists(path) or read(path) != text:
            stale = True
            print("%s is not what the tests say; write it with tests/constructs/coverage.py --write" % os.path.relpath(path, ROOT))
    for name, kind in page.missing:
        print("%s: no test of kind '%s'" % (name, kind))
    untrue = sorted(set(NOT_HERE) - page.used)
    for name, kind in untrue:
        print("%s: a reason is given for no test of kind '%s', but there is one" % (name, kind))
    sys.exit(1 if page.missing or untrue or stale else 0)


main()
