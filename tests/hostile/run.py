#!/usr/bin/env python3
"""Names and numbers that somebody means ill with: run.py --circ build/bin/circ [--only PART]. Each is compiled for ELF and for Windows, with and
without debug information, in 20 s of processor time and 3 GiB: the result is an object, or an error with the message that is expected."""
import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile

ELF, MSVC = "--target=x86_64-unknown-linux-gnu", "--target=x86_64-pc-windows-msvc"
RUNS = ((ELF,), (ELF, "-g"), (MSVC, "-g"))
TYPES = "!s32i = !cir.int<s, 32>\n!u8i = !cir.int<u, 8>\n!s64i = !cir.int<s, 64>\n"
CASES = []  # name, text, message: what the error must match; None: it is no error; "^$|...": it may be none


def case(name, text, message=None):
    CASES.append((name, text, message))


def function(body, signature="()", before=""):
    return f"{TYPES}{before}cir.func @m{signature} {{\n{body}\n cir.return\n}}\n"


def slot(type_, before=""):
    return function(f' %0 = cir.alloca "x" align(8) : !cir.ptr<{type_}>', before=before)


def chain(n, first, step, last, attribute=""):
    """n aliases, each made of the one before."""
    return f"{first}\n" + "".join(step.replace("NEXT", str(i + 1)).replace("LAST", str(i)) + "\n" for i in range(n)) + last


# Names

NUL, SECTION = "must not contain a NUL byte", "since it is the name of a section"
SYMBOLS = {
    "a NUL": (r'"a\00b"', NUL), "nothing": ('""', "must not be empty"), "a newline": (r'"a\0Ab"', None),
    "quotes": (r'"a\22b\22"', None), "a backslash": (r'"a\\b"', None), "no UTF-8": (r'"a\FFb\80"', None),
    "LLVM's mark": (r'"\01name"', None), "only LLVM's mark": (r'"\01"', None), "a megabyte": ('"' + "n" * 1000000 + '"', None),
    "assembly": (r'"a, b; c # d $1 %rax @PLT\09.text"', None), "a format": ('"%s%n%n"', None),
    "a section": ('".text"', SECTION), "a section of debuggers": ('".debug_info"', SECTION), "a section, as it is": (r'"\01.data"', SECTION),
    "what COFF has": ('"@feat.00"', "since COFF defines one of that name"), "an assembler's own": ('".Lx"', "begin with '.L'"),
    "ELF's table": ('"_GLOBAL_OFFSET_TABLE_"', "^$|cannot be the name of a symbol in COFF"),
    "an intrinsic": ('"llvm.trap"', None), "no intrinsic": ('"llvm.not.one"', None), "LLVM's own": ('"llvm.used"', None),
}


def names():
    for what, (name, message) in SYMBOLS.items():
        reserved = "^$|llvm|LLVM" if name.startswith('"llvm.') else None
        case(f"a function named by {what}", f"cir.func @{name}() {{\n cir.return\n}}\n", message or reserved)
        case(f"a call of {what}", f"cir.func private @{name}()\ncir.func @m() {{\n cir.call @{name}() : () -> ()\n cir.return\n}}\n",
             message or reserved)
        case(f"a variable named by {what}", f"{TYPES}cir.global external @{name} = #cir.int<1> : !s32i\n", message or reserved)
        case(f"an alias named by {what}", f"cir.func @t() {{\n cir.return\n}}\ncir.func @{name}() alias(@t)\n", message or reserved)
        case(f"a variable alias named by {what}", f"{TYPES}cir.global external @t = #cir.int<1> : !s32i\n"
             f"cir.global external @{name} alias(@t) : !s32i\n", message or reserved)
        case(f"an alias of {what}", f"cir.func @{name}() {{\n cir.return\n}}\ncir.func @a() alias(@{name})\n", message or reserved)
        case(f"a record named by {what}", slot("!r", f"!r = !cir.struct<{name} {{data !s32i}}>\n"))
        case(f"a slot named by {what}", function(f" %0 = cir.alloca {name} align(4) : !cir.ptr<!s32i>"))
        case(f"a file named by {what}", f"cir.func @m() {{\n cir.return loc({name}:1:2)\n}} loc({name}:1:1)\n")
        case(f"a section named by {what}", f"{TYPES}cir.global external @g = #cir.int<1> : !s32i {{section = {name}}}\n",
             "without NUL bytes" if message == NUL else "^$|section")
    for name in ("N" * 50000, "S_" * 1000, "I" * 20000 + "i" + "E" * 20000, "F" * 10000 + "v" + "E" * 10000, "A5_" * 3000 + "i",
                 "A999999999999999999999_i", "99999999999999999999x", "1", "T_", "M1AFvvE", "S0_", "P" * 100000 + "i",
                 "1000000" + "x" * 1000000):
        case(f"a type info of {name[:12]}", function(
            f' %e = cir.alloc.exception 8 -> !cir.ptr<!s32i>\n cir.throw %e : !cir.ptr<!s32i>, @"_ZTI{name}"\n cir.unreachable\n}}\n'
            "cir.func @n() {", before=f'cir.global "private" constant external @"_ZTI{name}" : !cir.ptr<!u8i>\n'), "^$|_ZTI|type|Microsoft name")
    for letter in "STAv":
        case(f"an operator of a million {letter}", f"{TYPES}cir.func private @_ZN{letter * 1000000}()\n"
             "cir.func @m(%p: !cir.ptr<!u8i>, %n: !s64i) {\n %0 = cir.ptr_stride %p, %n : (!cir.ptr<!u8i>, !s64i) -> !cir.ptr<!u8i>\n"
             " cir.return\n}\n")


# Numbers

def numbers():
    for width in (4096, 4097, 8388608):
        t = f"!cir.int<s, {width}>"
        much = "has more than 4096 bits; keep it in memory" if width > 4096 else None
        load = f" %0 = cir.load %p : !cir.ptr<{t}>, {t}\n"
        for op in ("add", "mul", "div"):
            case(f"{op} of {width} bits", function(f"{load} %1 = cir.{op} %0, %0 : {t}\n cir.store %1, %p : {t}, !cir.ptr<{t}>",
                                                  f"(%p: !cir.ptr<{t}>)"), much)
        case(f"{width} bits to double", function(f"{load} %1 = cir.cast int_to_float %0 : {t} -> !cir.double", f"(%p: !cir.ptr<{t}>)"), much)
        case(f"a stored constant of {width} bits", function(f" %0 = cir.const #cir.int<-5> : {t}\n cir.store %0, %p : {t}, !cir.ptr<{t}>",
                                                           f"(%p: !cir.ptr<{t}>)"), much)
        case(f"a parameter of {width} bits", function("", f"(%x: {t})"), much and "^$|" + much)
        case(f"a variable of {width} bits", f"cir.global external @g = #cir.int<7> : {t}\n")
    case("an integer of 0 bits", slot("!cir.int<s, 0>"), "expected integer width to be from 1 up to 8388608")
    case("an integer of 2^23+1 bits", slot("!cir.int<s, 8388609>"), "expected integer width to be from 1 up to 8388608")
    case("a number of 100,000 digits", f"{TYPES}cir.global external @g = #cir.int<{'9' * 100000}> : !s32i\n", "")
    for size in (2**64, 2**64 - 1, 2**63, 2**61, 2**48):
        huge = "integer value too large" if size == 2**64 else "larger than the address space|the size of .* is not known"
        for elem in ("!u8i", "!s64i"):
            array = f"!cir.array<{elem} x {size}>"
            case(f"a slot of {size} {elem}", slot(array), huge)
            case(f"a variable of {size} {elem}", f"{TYPES}cir.global external @g = #cir.zero : {array}\n", huge)
            case(f"a record of {size} {elem}", function(' %0 = cir.get_member %p[1] {name = "x"} : !cir.ptr<!r> -> !cir.ptr<!s32i>',
                 "(%p: !cir.ptr<!r>)", f'!r = !cir.struct<"r" {{data {array}, data !s32i}}>\n'), huge)
    case("data of 4 GiB", f"{TYPES}cir.global external @g = #cir.const_array<[#cir.int<1> : !u8i], trailing_zeros> : !cir.array<!u8i x 4294967296>\n",
         "larger than 2147483647 bytes, but not zero")
    case("a value of a million parts", function(" %0 = cir.load %p : !cir.ptr<!a>, !a\n cir.store %0, %q : !a, !cir.ptr<!a>",
         "(%p: !cir.ptr<!a>, %q: !cir.ptr<!a>)", "!a = !cir.array<!s32i x 1000000>\n"), "has more than 4096 parts; keep it in memory")
    case("a vector of 2^32 elements", function("", "(%p: !cir.ptr<!cir.vector<!s32i x 4294967296>>)"), "number of vector elements")
    case("100,000 parameters", function("", "(" + ", ".join(f"%a{i}: !s32i" for i in range(100000)) + ")"),
         r"has 100000 parameters \(limit 65535\)")
    case("200,000 members", slot("!r", '!r = !cir.struct<"r" {' + ", ".join(["data !s32i"] * 200000) + "}>\n"))
    for align in (0, 3, 24, -4, 2**33, 2**63, 2**64):
        wrong = "power of two|expected|too large"
        case(f"a slot aligned to {align}", function(f' %0 = cir.alloca "x" align({align}) : !cir.ptr<!s32i>'), wrong)
        case(f"a load aligned to {align}", function(f" %0 = cir.load align({align}) %p : !cir.ptr<!s32i>, !s32i", "(%p: !cir.ptr<!s32i>)"), wrong)
        case(f"a variable aligned to {align}", f"{TYPES}cir.global external @g = #cir.int<1> : !s32i {{alignment = {align} : i64}}\n", wrong)
        case(f"a parameter aligned to {align}", function("", f"(%p: !cir.ptr<!s32i> {{llvm.align = {align} : i64}})"), wrong)
    case("a variable aligned to 2^30", f"{TYPES}cir.global external @g = #cir.int<1> : !s32i {{alignment = {2**30} : i64}}\n",
         "alignment 1073741824 is larger than")
    case("a range of all numbers", function(" cir.switch (%x : !s64i) {\n cir.case (range, [#cir.int<-9223372036854775808> : !s64i, "
         "#cir.int<9223372036854775807> : !s64i]) {\n cir.break\n }\n cir.yield\n }", "(%x: !s64i)"), "^$|range|cases")
    case("the last line", 'cir.func @m() {\n cir.return loc("f":4294967295:4294967295)\n} loc("f":4294967295:70000)\n')
    case("a line too far", 'cir.func @m() {\n cir.return loc("f":4294967296:1)\n}\n', "too large|expected|line")


# Recursion

def recursion():
    case("a record that holds itself", slot("!a", '!a = !cir.struct<"a" {data !cir.struct<"a">}>\n'), "contains itself")
    case("records that hold each other", slot("!a", '!a = !cir.struct<"a" {data !cir.struct<"b" {data !cir.struct<"a">}>}>\n'), "contains itself")
    case("a record of itself", slot("!a", '!a = !cir.struct<"a" {data !cir.array<!cir.struct<"a"> x 2>}>\n'), "contains itself")
    case("a record that points to itself", slot("!a", '!a = !cir.struct<"a" {data !cir.ptr<!cir.struct<"a">>, '
         'data !cir.ptr<!cir.func<(!cir.struct<"a">) -> !cir.struct<"a">>>}>\n'))
    for name, text in (("a type alias", "!a = !a\n"), ("a type alias behind a pointer", "!a = !cir.ptr<!a>\n"),
                       ("two type aliases", "!a = !cir.ptr<!b>\n!b = !cir.ptr<!a>\n")):
        case(f"{name} of itself", f"{text}cir.func @m(%p: !a) {{\n cir.return\n}}\n", "alias|undefined|refers")
    for name, text in (("an attribute alias", "#a = #a\n"), ("a list", "#a = [#a]\n"), ("two attributes", "#a = [#b]\n#b = [#a]\n")):
        case(f"{name} of itself", f"module attributes {{x = #a}} {{\n}}\n{text}", "alias|undefined|refers")
    for name, text in (("a place", "#l = loc(#l)\n"), ("a call site", "#l = loc(callsite(#l at #l))\n"),
                       ("two places", "#l = loc(fused[#k])\n#k = loc(fused[#l])\n")):
        case(f"{name} of itself", f"cir.func @m() {{\n cir.return loc(#l)\n}} loc(#l)\n{text}", "alias|undefined|refers|location")
    case("a function alias of itself", "cir.func @a() alias(@a)\n", "aliasee '@a' is part of a cycle of aliases")
    case("function aliases of each other", "cir.func @a() alias(@b)\ncir.func @b() alias(@a)\n", "is part of a cycle of aliases")
    case("a variable alias of itself", f"{TYPES}cir.global external @a alias(@a) : !s32i\n", "aliasee '@a' is part of a cycle of aliases")
    case("an alias into a cycle", "cir.func @x() alias(@a)\ncir.func @a() alias(@b)\ncir.func @b() alias(@a)\n", "is part of a cycle of aliases")
    case("an alias with the name of its function", "cir.func @a() {\n cir.return\n}\ncir.func @a() alias(@a)\n", "redefinition of symbol")
    case("30,000 aliases, last first", "".join(f"cir.func @a{i + 1}() alias(@a{i})\n" for i in reversed(range(30000)))
         + "cir.func @a0() {\n cir.return\n}\n", "is an alias through more than 64 others")
    cycle = "".join(f"cir.func @a{i}() alias(@a{(i + 1) % 30000})\n" for i in range(30000))
    case("a cycle of 30,000 aliases", cycle, "cir:1:1: error: 'cir.func' op: aliasee '@a1' is part of a cycle of aliases")
    case("an alias of an alias in a cycle of 30,000", f"cir.func @x() alias(@y)\ncir.func @y() alias(@a7)\n{cycle}",
         "cir:1:1: error: 'cir.func' op: aliasee '@a7' is part of a cycle of aliases")
    # 2^n of everything, in n lines
    use = "cir.func @m() {\n cir.return loc(#l60)\n} loc(#l60)\n"
    for how in ("fused[#lLAST, #lLAST]", "callsite(#lLAST at #lLAST)"):
        case(f"2^60 places {how[:4]}", chain(60, '#l0 = loc("f":1:1)', f"#lNEXT = loc({how})", use))
    case("2^60 attributes", chain(60, "#a0 = [1 : i32]", "#aNEXT = [#aLAST, #aLAST]", "module attributes {x = #a60} {\n}\n"))
    PARTS = "exceeds 16777216 parts of constants"
    double = "{data !tLAST, data !tLAST}>"
    huge = "larger than the address space"
    case("2^60 members", chain(60, f"{TYPES}!t0 = !s32i", f"!tNEXT = !cir.struct<{double}", function("", "(%p: !cir.ptr<!t60>)")[len(TYPES):]))
    case("a slot of 2^60 members", chain(60, f"{TYPES}!t0 = !s32i", f'!tNEXT = !cir.struct<"rNEXT" {double}', slot("!t60")[len(TYPES):]), huge)
    case("a parameter of 2^30 members", chain(30, f"{TYPES}!t0 = !s32i", f'!tNEXT = !cir.struct<"rNEXT" {double}', function("", "(%p: !t30)")[len(TYPES):]),
         "^$|larger than 2147483647 bytes; pass its address")
    case("2^50 alternatives", chain(50, f"{TYPES}!t0 = !s32i", f'!tNEXT = !cir.union<"rNEXT" {double}', function("", "(%p: !t50)")[len(TYPES):]))
    case("2^50 empty members", chain(50, f"{TYPES}!t0 = !cir.array<!s32i x 0>", f'!tNEXT = !cir.struct<"rNEXT" {double}', function("", "(%p: !t50)")[len(TYPES):]))
    case("2^60 parameters", chain(60, f"{TYPES}!t0 = !s32i", "!tNEXT = !cir.ptr<!cir.func<(!tLAST, !tLAST) -> !tLAST>>", slot("!t60")[len(TYPES):]))
    for leaf, what, message in (("#cir.int<1> : !s32i", "numbers", PARTS), ("#cir.undef : !s32i", "unknowns", PARTS),
                                ("#cir.zero : !cir.array<!s32i x 0>", "nothings", PARTS)):
        case(f"2^40 {what}", chain(40, f"{TYPES}!t0 = {leaf[leaf.index(': ') + 2:]}\n#c0 = {leaf}",
             f'!tNEXT = !cir.struct<"rNEXT" {double}\n#cNEXT = #cir.const_record<{{#cLAST, #cLAST}}> : !tNEXT', "cir.global external @g = #c40 : !t40\n"), message)
    case("2^40 nothings in a virtual table", chain(40, f"{TYPES}!t0 = !cir.array<!s32i x 0>\n#c0 = #cir.zero : !t0",
         f'!tNEXT = !cir.struct<"rNEXT" {double}\n#cNEXT = #cir.const_record<{{#cLAST, #cLAST}}> : !tNEXT', 'cir.global external @"??_7S@@6B@" = #c40 : !t40\n'), PARTS)
    # Deep
    n = 100000
    deep = "deep|nest"
    case("a deep type", function("", "(%p: " + "!cir.ptr<" * n + "!cir.void" + ">" * n + ")"), deep)
    case("a deep list", "module attributes {x = " + "[" * n + "]" * n + "} {\n}\n", deep)
    case("a deep dictionary", "module attributes {x = " + "{a = " * n + "1 : i32" + "}" * n + "} {\n}\n", deep)
    case("an unknown attribute, deep", "module attributes {x = #foo.bar<" + "(" * n + ")" * n + ">} {\n}\n", "^$|deep|nest|unknown")
    case("an unknown attribute, deep in angles", "module attributes {x = #dlti.dl_spec<" + "<" * n + ">" * n + ">} {\n}\n", "")
    case("a deep place", "cir.func @m() {\n cir.return loc(" + "fused[" * n + '"f":1:1' + "]" * n + ")\n}\n", deep)
    case("a place behind many aliases", chain(n, '#l0 = loc("f":1:1)', '#lNEXT = loc("n"(#lLAST))', f"cir.func @m() {{\n cir.return loc(#l{n})\n}}\n"), deep)
    case("a deep constant", f"{TYPES}cir.global external @g = " + "#cir.const_array<[" * n + "#cir.int<1> : !s32i" + "]> : !s32i" * n + " : !s32i\n", "")
    case("many brackets", "(" * n, "")
    case("records in records", chain(5000, f"{TYPES}!t0 = !s32i", '!tNEXT = !cir.struct<"rNEXT" {data !tLAST}>', slot("!t5000")[len(TYPES):]), "deep|nest")
    case("a long chain of records", chain(50000, f"{TYPES}!t0 = !s32i", '!tNEXT = !cir.struct<"rNEXT" {data !cir.ptr<!tLAST>}>', slot("!t50000")[len(TYPES):]))


# Running

def limit(memory):
    def apply():
        resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    return apply


def many_functions():
    steps = "".join(f" %{i} = cir.add %x, %x : !s32i\n" for i in range(40))
    return TYPES + "".join(f"cir.func @f{i}(%x: !s32i) {{\n{steps} cir.return\n}}\n" for i in range(2000))


def starts(circ, memory):
    """With less, the loader ends the process, or what LLVM's libraries do before main(), which nobody can catch."""
    return subprocess.run([circ, "--version"], capture_output=True, timeout=300, check=False, preexec_fn=limit(memory)).returncode == 0


def try_little_memory(circ, folder, level):
    """From what is not enough to load LLVM up to what is enough for all: each time the reason is told, and no file is there."""
    source, out = os.path.join(folder, "many.cir"), os.path.join(folder, f"many{level}.o")
    with open(source, "w", encoding="utf-8") as file:
        file.write(many_functions())
    problems, ends, memory, status = [], {0: 0, 3: 0}, 64 << 20, None
    while status != 0 and memory < 3 << 30:
        memory += 1 << 18
        done = subprocess.run([circ, "-c", level, source, "-o", out], capture_output=True, timeout=300, check=False, preexec_fn=limit(memory))
        status = done.returncode
        ends[status] = ends.get(status, 0) + 1
        told = status == 0 or (status == 3 and b"memory" in done.stderr)
        if (status and os.path.exists(out)) or not (told or not starts(circ, memory)):
            problems.append(f"FAILED {level}, {memory >> 10} KiB: exit status {status}: {done.stderr[:200]}")
    if not ends[0] or not ends[3]:
        problems.append(f"FAILED memory did not run out, or there was never enough: {ends}")
    return problems


def judge(done, message):
    errors = "\n".join(line for line in done.stderr.decode("utf-8", "replace").split("\n") if "error: " in line)
    if done.returncode < 0:
        return f"ended by signal {-done.returncode}"
    if done.returncode == 0:
        return None if message is None or re.search(message, "") else "accepted"
    if message is None:
        return f"refused: {errors[:200]}"
    place = re.search(r"hostile\.cir:\d+:\d+: error: ", errors)
    if done.returncode != 1 and not re.search("LLVM: ", errors):
        return f"exit status {done.returncode}: {errors[:200]}"
    return None if (place or "LLVM: " in errors) and re.search(message, errors) else f"another message: {errors[:200]}"


def try_case(circ, folder, limits, runs, name, text, message):
    path = os.path.join(folder, "hostile.cir")
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)
    problems = []
    for how in runs:
        done = subprocess.run([circ, "-c", *how, path, "-o", os.path.join(folder, "out.o")], capture_output=True, timeout=300, check=False,
                              preexec_fn=limit(limits))
        problem = judge(done, message)
        if problem:
            problems.append(f"FAILED {name} ({' '.join(how)}): {problem}")
    return problems


def main():
    args = argparse.ArgumentParser(description=__doc__)
    args.add_argument("--circ", required=True)
    args.add_argument("--only", default="", help="cases whose name contains this")
    args.add_argument("--sanitized", action="store_true", help="no limit of memory, and each case in one of the ways, by turns")
    options = args.parse_args()
    names()
    numbers()
    recursion()
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        for i, one in enumerate(CASES):
            if options.only in one[0]:
                runs = [RUNS[i % len(RUNS)]] if options.sanitized else RUNS
                found = try_case(options.circ, folder, 0 if options.sanitized else 3 << 30, runs, *one)
                problems += found
                print("\n".join(found), end="\n" if found else "", flush=True)
        if not options.sanitized and options.only in "little memory":
            for level in ("-O0", "-O2"):
                found = try_little_memory(options.circ, folder, level)
                problems += found
                print("\n".join(found), end="\n" if found else "")
    print(f"{len(CASES)} cases, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
