#!/usr/bin/env python3
"""Which construct of CIR has a test of which kind: writes the tables of docs/constructs.md, or checks that they are true.

The ops are the rows of src/ir/ops.def, the attributes those of src/ir/attrs.def and the constants below, the types those below. A test is
what the test runner takes: a .cir file that holds the construct outside of comments.

  printed   a file that reads without errors; unit.roundtrip reads, prints and reads again every one of them
  refused   a CHECK line with an error message that names the op
  IR        a text test of a later stage or of LLVM IR (tests/ir: flat, expand, itanium, microsoft, callconv, llvm, debug)
  ELF, Windows   a program that is run (tests/e2e, tests/windows, examples); on Windows for msvc, gnu or both, as its header says

usage: coverage.py [--write]     without: status 1 if the page is not what the tests say, or if an op lacks a kind and no reason is given
"""
import os, re, sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join(ROOT, "docs/constructs.md")
LATER = ("flat", "expand", "itanium", "microsoft", "callconv", "llvm", "debug", "plan")

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
    ("#cir.image_relative", r"#cir\.image_relative<"), ("#cir.vtable", r"#cir\.vtable<"), ("#cir.typeinfo", r"#cir\.typeinfo<"),
    ("#cir.data_member", r"#cir\.data_member<"), ("#cir.data_member_offset", r"#cir\.data_member_offset<"), ("#cir.method", r"#cir\.method<"),
    ("#cir.block_addr_info", r"#cir\.block_addr_info<|cir\.block_address <"),
]
# Attributes that are written without their name where they stand.
SPELLED = {"static_local_guard": r"static_local_guard", "tls_wrapper_init": r"tls_refs", "offset_pair": r"clear_padding", "address_point": r"address_point",
           "usual_delete_params": r"delete_params|delete_array", "memory_effects": r"memory_effects", "uwtable": r"uwtable"}

NO_RULE = "every use that reads is right"
MS_FORM = "made from flat CIR, whose programs run"
ITANIUM_FORM = "made from flat CIR, whose programs run; the text names the personality of ELF"
NO_CODE = "no code comes of it"
NOT_RUN = "seen in the code; a program cannot tell"
# (construct, kinds): why there is no such test.
REASONS = [
    (("cir.trap", "cir.is_constant"), ("refused",), NO_RULE),
    (("cir.eh.catchswitch", "cir.catchpad", "cir.catchret", "cir.cleanuppad", "cir.cleanupret"), ("ELF", "Windows"), MS_FORM),
    (("cir.eh.inflight_exception", "cir.eh.typeid", "cir.resume.flat"), ("Windows",), ITANIUM_FORM),
    (("cir.resume.flat",), ("ELF",), ITANIUM_FORM),
    (("cir.eh.setjmp", "cir.eh.longjmp"), ("Windows",), "refused: `llvm.frameaddress` is not the frame pointer there, which the buffer is to hold"),
    (("cir.delete_array", "#cir.usual_delete_params"), ("Windows",), "the program sees the cookies and operators of the Itanium ABI; code: tests/ir/flat"),
    (("!cir.f128", "!cir.ptr<…, target_address_space(N)>", "#cir.annotation", "#cir.fenv"),
     ("ELF", "Windows"), NOT_RUN),
    (("!cir.struct<… incomplete>",), ("ELF",), NOT_RUN),
    (("!cir.ptr<…, lang_address_space(…)>", "!cir.vector<[N] x T>"), ("IR", "ELF", "Windows"), "no target of circ has them: printed only, as pointees"),
    (("#cir.opt_info", "#cir.static_local_info"), ("IR", "ELF", "Windows"), NO_CODE),
    (("#cir.global_ctor", "#cir.global_dtor"), ("ELF", "Windows"), "the keyword of functions, `global_ctor(N)`, is run"),
    (("#cir.image_relative",), ("IR", "ELF", "Windows"), "circ's own, in the tables of each program that throws; tests/ir/llvm/image-relative.cir"),
    (("!cir.bf16",), ("ELF",), "libgcc has its conversions since version 13 only"),
]
NOT_HERE = {(name, kind): why for names, kinds, why in REASONS for name in names for kind in kinds}


def read(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        return f.read()


class Test:
    def __init__(self, path):
        self.path, text = os.path.relpath(path, ROOT), read(path)
        self.checks = "\n".join(l for l in text.split("\n") if re.search(r"//[^\n]*CHECK|//[^\n]*error:", l) or re.match(r"// [A-Z][A-Z-]*(-NEXT|-DAG)?:", l))
        self.code = re.sub(r"//[^\n]*", "", text)
        self.ops = set(re.findall(r"(?<![\w.])cir\.[\w.]*\w", self.code))
        self.refused = {m for line in re.findall(r"error:.*", self.checks) for m in re.findall(r"'(cir\.[\w.]+)'", line)}
        self.rejects = bool(re.search(r"RUN: not ", text))
        self.windows = self.path.startswith(("tests/e2e", "tests/windows")) and not re.search(
            r"^// (not:.*mingw.*msvc|not:.*msvc.*mingw|pairs:(?!.*(msvc|mingw))|error:)", text, re.M)
        place = self.path.split(os.sep)
        self.runs = place[0] == "examples" or place[:2] == ["tests", "e2e"] or place[:2] == ["tests", "windows"]
        self.elf = self.runs and place[1] != "windows" and not re.search(r"^// (pairs: (mingw|msvc)|error:)", text, re.M)
        self.later = place[:2] == ["tests", "ir"] and place[2] in LATER


def tests():
    for top in ("tests", "examples"):
        for folder, _, files in os.walk(os.path.join(ROOT, top)):
            for f in sorted(files):
                if f.endswith((".cir", ".cir.in")) or (f.endswith(".test") and "cli" in folder):
                    yield Test(os.path.join(folder, f))


def cells(uses, all_tests):
    return {
        "printed": any(uses(t) for t in all_tests if not t.rejects),
        "IR": any(uses(t) for t in all_tests if t.later and not t.rejects),
        "ELF": any(uses(t) for t in all_tests if t.elf),
        "Windows": any(uses(t) for t in all_tests if t.windows),
    }


def op_row(name, all_tests):
    found = cells(lambda t: name in t.ops, all_tests)
    found["refused"] = any(name in t.refused for t in all_tests)
    return name, found


def row(name, pattern, all_tests):
    use = re.compile(pattern)
    return name, cells(lambda t: use.search(t.code), all_tests)


def table(heading, rows, kinds, out, missing, used):
    out += ["", "## " + heading, "", "| | %s | |" % " | ".join(kinds), "|---|%s---|" % ("---|" * len(kinds))]
    for name, cells in rows:
        reasons = []
        for k in kinds:
            if cells[k]:
                continue
            why = NOT_HERE.get((name, k))
            used.add((name, k))
            if why:
                reasons.append(k + ": " + why)
            else:
                missing.append((name, k))
        out.append("| `%s` | %s | %s |" % (name, " | ".join("yes" if cells[k] else "no" for k in kinds), "; ".join(reasons)))


def main():
    all_tests, missing, used = list(tests()), [], set()
    ops = re.findall(r'^OP\(\w+, "([^"]+)"', read(os.path.join(ROOT, "src/ir/ops.def")), re.M)
    attrs = re.findall(r'^ATTR_ROW\(\w+, "(\w+)"', read(os.path.join(ROOT, "src/ir/attrs.def")), re.M)
    out = ["# Every construct, and how it is tested", "",
           "Written by `tests/constructs/coverage.py --write`, and held true by the test `constructs.coverage`: which construct has a test of which kind. The head",
           "of that file says what counts. Constructs that are out of scope: [conformance.md](conformance.md)."]
    table("Operations", [op_row(n, all_tests) for n in ops], ["printed", "refused", "IR", "ELF", "Windows"], out, missing, used)
    table("Types", [row(n, p, all_tests) for n, p in TYPES], ["printed", "IR", "ELF", "Windows"], out, missing, used)
    rows = [row(n, p, all_tests) for n, p in CONSTANTS]
    rows += [row("#cir." + a, SPELLED.get(a, r"#cir\.%s<|#cir\.%s\b" % (a, a)), all_tests) for a in attrs]
    table("Attributes", rows, ["printed", "IR", "ELF", "Windows"], out, missing, used)
    text = "\n".join(out) + "\n"
    if sys.argv[1:] == ["--write"]:
        with open(PAGE, "w", encoding="utf-8") as f:
            f.write(text)
    for name, kind in missing:
        print("%s: no test of kind '%s'" % (name, kind))
    for name, kind in sorted(set(NOT_HERE) - used):
        missing.append((name, kind))
        print("%s: a reason is given for no test of kind '%s', but there is one" % (name, kind))
    stale = not os.path.exists(PAGE) or read(PAGE) != text
    if stale:
        print("docs/constructs.md is not what the tests say; write it with tests/constructs/coverage.py --write")
    sys.exit(1 if missing or stale else 0)


main()
