#!/usr/bin/env python3
"""Every op of ops.def on types that it was not thought for: what verifies must compile, or be refused with a place.

The operands, results and attributes of an op are drawn from its row in the generic form. What `--verify-only` accepts is compiled
for each target at -O0 and -O2. A signal, the exit status of a failure of LLVM (3) or an error without a place fails the test, and
the smallest module that shows it is printed.

usage: random_types.py --circ CIRC [--ops REGEX] [--count N: candidates of an op] [--seed N] [--levels O0,O2]
                       [--targets TRIPLE,…: all; TRIPLE+sjlj: without tables]
"""
import argparse, os, random, re, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TARGETS = ("x86_64-unknown-linux-gnu", "x86_64-pc-windows-msvc", "x86_64-w64-windows-gnu", "aarch64-unknown-linux-gnu",
           "aarch64-pc-windows-msvc", "arm64-apple-macosx11.0", "wasm32-wasip1", "x86_64-unknown-linux-gnu+sjlj", "aarch64-unknown-linux-gnu+sjlj")

PROLOGUE = """!s8i = !cir.int<s, 8>
!u8i = !cir.int<u, 8>
!s32i = !cir.int<s, 32>
!u32i = !cir.int<u, 32>
!s64i = !cir.int<s, 64>
!u64i = !cir.int<u, 64>
!void = !cir.void
!rec_S = !cir.struct<"S" {data !cir.vptr, data !s32i, data !cir.float}>
!rec_E = !cir.struct<"E" {pad !u8i}>
!rec_N = !cir.struct<"N" {}>
!rec_U = !cir.union<"U" {data !s8i, data !cir.double, data !rec_S}>
!rec_P = !cir.struct<"P" packed {data !s8i, data !cir.f80, data !cir.bool}>
!rec_A = !cir.struct<"A" {data !cir.array<!rec_E x 2>, data !cir.vector<4 x !cir.bool>, data !cir.int<s, 37, bitint>}>
!rec_F = !cir.struct<"F" {data !s32i, data !cir.array<!s8i x 0>}>
!rec_M = !cir.struct<"M" {data !cir.data_member<!s32i in !rec_S>, data !cir.method<!cir.func<(!cir.ptr<!rec_S>)> in !rec_S>}>
!rec_I = !cir.struct<"I" incomplete>
cir.global external @g = #cir.int<1> : !s32i
cir.func private @callee(!s32i) -> !s32i
cir.global "private" constant external @_ZTI1S : !cir.ptr<!u8i>
"""

INTS = ["!s8i", "!u8i", "!s32i", "!u32i", "!s64i", "!u64i", "!cir.int<s, 16>", "!cir.int<u, 16>", "!cir.int<s, 128>",
        "!cir.int<u, 128>", "!cir.int<u, 1>", "!cir.int<s, 24>", "!cir.int<s, 37, bitint>", "!cir.int<u, 129, bitint>",
        "!cir.int<s, 1000, bitint>", "!cir.int<u, 1, bitint>"]
FLOATS = ["!cir.f16", "!cir.bf16", "!cir.float", "!cir.double", "!cir.f80", "!cir.f128", "!cir.long_double<!cir.f80>",
          "!cir.long_double<!cir.double>"]
VECTORS = ["!cir.vector<4 x !s32i>", "!cir.vector<4 x !u32i>", "!cir.vector<3 x !u8i>", "!cir.vector<2 x !s64i>", "!cir.vector<4 x !cir.bool>",
           "!cir.vector<2 x !cir.f16>", "!cir.vector<4 x !cir.bf16>", "!cir.vector<1 x !cir.double>", "!cir.vector<4 x !cir.float>",
           "!cir.vector<2 x !cir.f80>", "!cir.vector<2 x !cir.ptr<!s32i>>", "!cir.vector<2 x !cir.int<u, 128>>",
           "!cir.vector<3 x !cir.int<s, 37, bitint>>", "!cir.vector<16 x !cir.int<u, 1>>"]
COMPLEX = ["!cir.complex<%s>" % t for t in ("!cir.float", "!cir.double", "!cir.f16", "!cir.f80", "!cir.f128", "!s32i", "!u8i", "!cir.int<s, 128>")]
RECORDS = ["!rec_S", "!rec_E", "!rec_N", "!rec_U", "!rec_P", "!rec_A", "!rec_F", "!rec_M"]
ARRAYS = ["!cir.array<!s32i x 3>", "!cir.array<!cir.array<!s8i x 2> x 3>", "!cir.array<!s32i x 0>", "!cir.array<!rec_E x 4>",
          "!cir.array<!cir.bool x 3>"]
MEMBERS = ["!cir.data_member<!s32i in !rec_S>", "!cir.data_member<!cir.float in !rec_S>", "!cir.data_member<!s32i in !rec_I>"]
METHODS = ["!cir.method<!cir.func<(!cir.ptr<!rec_S>)> in !rec_S>", "!cir.method<!cir.func<(!cir.ptr<!rec_S>, !s32i) -> !s32i> in !rec_S>"]
BUILTIN = ["i1", "i8", "i32", "i64", "i128", "index"]
PLAIN = INTS + FLOATS + VECTORS + COMPLEX + RECORDS + ARRAYS + MEMBERS + METHODS + ["!cir.bool", "!cir.vptr"]
POINTERS = (["!cir.ptr<%s>" % t for t in PLAIN + ["!void", "!rec_I", "!cir.func<()>", "!cir.func<(!s32i) -> !s32i>", "!cir.ptr<!s8i>"]]
            + ["!cir.ptr<!s32i, target_address_space(3)>", "!cir.ptr<!void, target_address_space(271)>"])
ANY = PLAIN + BUILTIN + ["!cir.ptr<!s32i>", "!cir.ptr<!void>", "!cir.ptr<!rec_S>", "!cir.ptr<!s32i, target_address_space(3)>"]


def scalar(t):
    m = re.fullmatch(r"!cir\.(?:vector<\d+ x|complex<) ?(.*)>", t)
    return m.group(1) if m else t


CLASSES = {
    "any": ANY, "int": INTS, "intv": INTS + [v for v in VECTORS if scalar(v) in INTS],
    "negated": INTS + [v for v in VECTORS if scalar(v) in INTS] + ["!cir.vector<4 x !cir.bool>"],
    "sintv": [t for t in INTS + VECTORS if scalar(t) in INTS and ("s" in scalar(t)[:10].replace("cir.int", ""))],
    "uintv": [t for t in INTS + VECTORS if scalar(t) in INTS and ("u" in scalar(t)[:10])],
    "fp": FLOATS, "fpv": FLOATS + [v for v in VECTORS if scalar(v) in FLOATS], "number": INTS + FLOATS, "intbool": INTS + ["!cir.bool"],
    "bits": INTS + ["!cir.bool"] + [v for v in VECTORS if scalar(v) in INTS + ["!cir.bool"]],
    "scalar": INTS + FLOATS + ["!cir.bool", "!cir.ptr<!s32i>", "!cir.ptr<!void>"],
    "compared": INTS + FLOATS + COMPLEX + MEMBERS + METHODS + ["!cir.bool", "!cir.ptr<!s32i>", "!cir.ptr<!s32i, target_address_space(3)>"],
    "bool": ["!cir.bool"], "boolv": ["!cir.bool", "!cir.vector<4 x !cir.bool>"], "ptr": POINTERS, "ptr0": POINTERS, "vptr": ["!cir.vptr"],
    "voidp": ["!cir.ptr<!void>"], "u32": ["!u32i"], "s32": ["!s32i"], "u64": ["!u64i"], "vec": VECTORS,
    "intvec": [v for v in VECTORS if scalar(v) in INTS], "complex": COMPLEX, "dmember": MEMBERS, "method": METHODS, "record": RECORDS,
}

# Attributes that the format does not give a kind to: some values each.
VALUES = {
    "value": ["#cir.zero : %s", "#cir.undef : %s", "#cir.poison : %s", "#cir.int<1> : %s", "#cir.fp<1.5> : %s", "#cir.bool<true> : %s",
              "#cir.ptr<null> : %s", "#cir.data_member<null> : %s", "#cir.data_member<[1]> : %s", "#cir.method<null> : %s",
              "#cir.method<vtable_offset = 8> : %s"],
    "bitfield_info": ['#cir.bitfield_info<name = "b", storage_type = !u32i, size = 5, offset = 3, is_signed = true>',
                      '#cir.bitfield_info<name = "b", storage_type = !cir.array<!u8i x 3>, size = 9, offset = 3, is_signed = false>',
                      '#cir.bitfield_info<name = "b", storage_type = !cir.int<u, 128>, size = 128, offset = 0, is_signed = false>'],
    "info": ["#cir.cmp3way_info<strong, lt = -1, eq = 0, gt = 1>", "#cir.cmp3way_info<partial, lt = 1, eq = 0, gt = 7, unordered = -127>",
             "#cir.cmp3way_info<weak, lt = 0, eq = 300, gt = 1>"],
    "offsets": ["[#cir.offset_pair<1, 3>, #cir.offset_pair<4, 5>]", "[#cir.offset_pair<0, 1000>]"],
    "address_point": ["#cir.address_point<index = 0, offset = 2>"], "indices": ["[#cir.int<1> : !s64i, #cir.int<0> : !s64i]"],
    "symbol": ["@g", "@callee"], "name": ["@g", '"x"'], "prob": ["0.9 : f64"], "annotations": ['[#cir.annotation<"a">]'],
}
# What random values of an integer attribute would hardly hit.
INTEGERS = ["0", "1", "4", "8"]
SKIPPED = {"FUNC", "GLOBAL", "LABEL", "BLOCK_ADDRESS", "CATCHPAD", "CLEANUPPAD", "CATCHSWITCH", "CALL", "TRY_CALL", "ASM", "EH_INFLIGHT",
           "CALL_LLVM_INTRINSIC", "RETURN", "YIELD", "SCOPE", "CATCH_PARAM", "CONDITION",
           "DYN_CAST"}  # their shapes are spelled, not drawn


def rows():
    text = open(os.path.join(ROOT, "src/ir/ops.def")).read()
    pattern = r'^OP\((\w+), "([^"]+)", ([^,]+), ([^,]+), (\w+), (\w+), "([^"]*)", "([^"]*)", (\w+), (\w+), "([^"]*)"\)'
    for m in re.finditer(pattern, text, re.M):
        yield dict(zip("id name stages flags regions successors operands results verify lower format".split(), m.groups()))


def enumerations():
    text = open(os.path.join(ROOT, "src/ir/enums.def")).read()
    spelled = dict(re.findall(r'^ENUM_CLASS\((\w+), "(\w+)"\)', text, re.M))
    words = {}
    for c, w in re.findall(r'^ENUM_WORD\((\w+), \w+, "(\w+)"\)', text, re.M):
        words.setdefault(spelled[c], []).append(w)
    return words


class Drawer:
    def __init__(self, row, enums, rng):
        self.row, self.enums, self.rng = row, enums, rng
        self.words = row["format"].split()

    def operand_types(self):
        types = []
        for w in self.row["operands"].split():
            if w[-1] in "?*":
                if self.rng.random() < 0.3:
                    break
                if w[0] == ".":
                    types.append(None)
                    break
                n = 1 if w[-1] == "?" else self.rng.randint(1, 4)
                first = self.rng.choice(CLASSES[w[:-1]])
                types += [first if self.rng.random() < 0.7 else self.rng.choice(CLASSES[w[:-1]]) for _ in range(n)]
            elif w[0] == "=":
                types.append(types[int(w[1:])])
            elif w[0] == ".":
                types.append(None)
            elif types and self.rng.random() < 0.4:
                close = [t for t in self.near(types) if t in CLASSES[w]]
                types.append(self.rng.choice(close or CLASSES[w]))
            else:
                types.append(self.rng.choice(CLASSES[w]))
        for i, w in enumerate(self.row["operands"].split()):
            if w[0] == "." and i < len(types):
                types[i] = scalar(types[int(w[1])])
        return types

    def near(self, types):
        """Types that have to do with these: pointees, elements, members, pointers to them."""
        out = []
        for t in filter(None, types):
            out += [t, "!cir.ptr<%s>" % t, scalar(t)]
            m = re.fullmatch(r"!cir\.ptr<(.*)>", t)
            if m:
                p = m.group(1)
                out += [p, scalar(p), "!cir.ptr<%s>" % scalar(p)]
                a = re.fullmatch(r"!cir\.array<(.*) x \d+>", p)
                if a:
                    out += [a.group(1), "!cir.ptr<%s>" % a.group(1)]
                out += ["!cir.ptr<%s>" % x for x in ("!s32i", "!cir.float", "!cir.bool", "!cir.vptr", "!cir.f80")]
            m = re.fullmatch(r"!cir\.(?:data_member|method)<(.*) in (.*)>", t)
            if m:
                out += ["!cir.ptr<%s>" % m.group(1), "!cir.ptr<%s>" % m.group(2)]
        return out

    def attributes(self, types):
        attrs, depth = [], 0
        for w in self.words:
            depth += (w == "(?") - (w == "?)")
            if w[0] == "?" and len(w) > 1 and w != "?)":
                if self.rng.random() < 0.3:
                    attrs.append(w[1:])
                continue
            if w[0] != "@" or (depth and self.rng.random() < 0.5):
                continue
            name, _, kind = w[1:].partition(":")
            if kind == "int":
                value = "%s : i64" % self.rng.choice(INTEGERS)
            elif kind == "str":
                value = '"x"'
            elif kind == "float":
                value = "0.9 : f64"
            elif kind in self.enums:
                value = "#cir.%s<%s>" % (kind, self.rng.choice(self.enums[kind]))
            elif kind == "flag":
                value = "true"
            elif name in VALUES:
                value = self.rng.choice(VALUES[name])
            else:
                value = "@g"
            if "%s" in value:
                self.constant = self.rng.choice(ANY + POINTERS[:8])
                value = value % self.constant
            attrs.append("%s = %s" % (name, value))
        return attrs

    def result_types(self, types):
        out = []
        for w in self.row["results"].split():
            if w[0] == "@":
                out.append(getattr(self, "constant", "!s32i"))
            elif w[0] == "=":
                out.append(types[int(w[1:])])
            elif w[0] == ".":
                out.append(scalar(types[int(w[1:])]))
            elif w[-1] in "?*":
                if self.rng.random() < 0.5:
                    out.append(self.rng.choice(self.near(types) or ANY))
            else:
                near = [t for t in self.near(types) if t in CLASSES[w] or w == "any"]
                out.append(self.rng.choice(near if near and self.rng.random() < 0.6 else CLASSES[w]))
        return out

    def function(self, name):
        types = self.operand_types()
        if any(t is None for t in types):
            return None
        attrs, results = self.attributes(types), self.result_types(types)
        n = len(types)
        params = ["%%p%d: !cir.ptr<%s>" % (i, t) for i, t in enumerate(types)] + ["%%q%d: !cir.ptr<%s>" % (i, t) for i, t in enumerate(results)]
        lines = ["cir.func @%s(%s) {" % (name, ", ".join(params))]
        lines += ["  %%a%d = cir.load %%p%d : !cir.ptr<%s>, %s" % (i, i, t, t) for i, t in enumerate(types)]
        if self.row["id"].startswith("LIFETIME") and n:
            lines[1] = '  %%a0 = cir.alloca "x" align(8) : %s' % types[0]
        bind = ", ".join("%%r%d" % i for i in range(len(results)))
        lines.append('  %s"%s"(%s)%s : (%s) -> (%s)' % (bind + " = " if bind else "", self.row["name"],
                     ", ".join("%%a%d" % i for i in range(n)), " <{%s}>" % ", ".join(attrs) if attrs else "", ", ".join(types), ", ".join(results)))
        if "TERM" not in self.row["flags"]:
            lines += ["  cir.store %%r%d, %%q%d : %s, !cir.ptr<%s>" % (i, i, t, t) for i, t in enumerate(results)]
            lines.append("  cir.return")
        return "\n".join(lines + ["}", ""])


def passing(kinds):
    """Each type as parameter and result, in a global, in a variable, in a call, across a branch."""
    for i, t in enumerate(kinds):
        yield "cir.func @pass%d(%%a: %s) -> %s {\n  cir.return %%a : %s\n}\n" % (i, t, t, t)
        yield "cir.global external @zero%d = #cir.zero : %s\n" % (i, t)
        yield "cir.global external @undef%d = #cir.undef : %s\n" % (i, t)
        yield "cir.global \"private\" external tls_model = tls_dyn @tls%d : %s\n" % (i, t)
        yield ("cir.func private @next%d(!s32i, %s, ...) -> %s\ncir.func @call%d(%%n: !s32i, %%a: %s) -> %s {\n"
               "  %%r = cir.call @next%d(%%n, %%a, %%a) : (!s32i, %s, %s) -> %s\n  cir.return %%r : %s\n}\n"
               % (i, t, t, i, t, t, i, t, t, t, t))
        yield ("cir.func @branch%d(%%c: !cir.bool, %%p: !cir.ptr<%s>) {\n  %%x = cir.load %%p : !cir.ptr<%s>, %s\n"
               "  cir.brcond %%c ^b(%%x : %s), ^d\n^d:\n  %%y = cir.load %%p : !cir.ptr<%s>, %s\n  cir.br ^b(%%y : %s)\n"
               "^b(%%z: %s):\n  %%s = cir.alloca \"s\" align(16) : !cir.ptr<%s>\n  cir.store %%z, %%s : %s, !cir.ptr<%s>\n  cir.return\n}\n"
               % ((i,) + (t,) * 11))
        yield ("cir.func @va%d(%%l: !cir.ptr<!cir.struct<\"__va_list_tag\" {data !u32i, data !u32i, data !cir.ptr<!void>, data !cir.ptr<!void>}>>, "
               "%%q: !cir.ptr<%s>) {\n  %%x = cir.va_arg %%l : (!cir.ptr<!cir.struct<\"__va_list_tag\" {data !u32i, data !u32i, data !cir.ptr<!void>, "
               "data !cir.ptr<!void>}>>) -> %s\n  cir.store %%x, %%q : %s, !cir.ptr<%s>\n  cir.return\n}\n" % ((i,) + (t,) * 4))


class Circ:
    def __init__(self, circ, folder):
        self.circ, self.folder = circ, folder

    def run(self, args, timeout=240):
        try:
            p = subprocess.run([self.circ] + args, capture_output=True, text=True, errors="replace", timeout=timeout)
            return p.returncode, p.stderr
        except subprocess.TimeoutExpired:
            return "timeout", ""

    def write(self, name, text):
        path = os.path.join(self.folder, name + ".cir")
        with open(path, "w") as f:
            f.write(text)
        return path

    def verified(self, functions):
        """Those that verify. Asked one hundred files at a time."""
        good = []
        for start in range(0, len(functions), 100):
            some = functions[start:start + 100]
            paths = [self.write("v%d" % i, PROLOGUE + f) for i, f in enumerate(some)]
            code, err = self.run(["--verify-only"] + paths)
            if code not in (0, 1):
                for f, path in zip(some, paths):
                    if self.run(["--verify-only", path])[0] not in (0, 1):
                        yield None, f
                continue
            bad = set(re.findall(r"/(v\d+)\.cir:\d+:\d+: error", err))
            for i, f in enumerate(some):
                if "v%d" % i not in bad:
                    yield True, f

    def compile(self, functions, target, level):
        """(what fails, what it says) of these; what is refused with a place is left out on the way."""
        functions = list(functions)
        while functions:
            path = self.write("c", PROLOGUE + "".join(functions))
            triple, _, model = target.partition("+")
            options = ["--target=" + triple] + (["--eh=" + model] if model else [])
            code, err = self.run(["-c", "-" + level, *options, path, "-o", os.path.join(self.folder, "c.o")])
            if code == 0:
                return
            starts, line = [], PROLOGUE.count("\n") + 1
            for f in functions:
                starts.append(line)
                line += f.count("\n")
            refused = set()
            for m in re.finditer(r"c\.cir:(\d+):\d+: error", err):
                at = int(m.group(1))
                refused |= {i for i, s in enumerate(starts) if s <= at < s + functions[i].count("\n")}
            if code == 1 and refused:
                functions = [f for i, f in enumerate(functions) if i not in refused]
                continue
            if len(functions) == 1:
                yield functions[0], "exit status %s: %s" % (code, err.strip()[:600])
                return
            half = len(functions) // 2
            yield from self.compile(functions[:half], target, level)
            functions = functions[half:]


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--circ", required=True)
    a.add_argument("--ops", default="")
    a.add_argument("--count", type=int, default=40)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--levels", default="O0,O2")
    a.add_argument("--targets", default=",".join(TARGETS))
    a = a.parse_args()
    targets = a.targets.split(",")
    enums, failures, verified, drawn = enumerations(), 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        circ = Circ(a.circ, folder)
        groups = []
        for row in rows():
            if row["id"] in SKIPPED or row["stages"] in ("I", "M") or row["regions"] != "0" or row["successors"] != "0" or not re.search(a.ops, row["name"]):
                continue
            if any(w.rstrip("?*") in ("eh", "catch", "cleanup", "pad") for w in (row["operands"] + " " + row["results"]).split()):
                continue
            rng = random.Random("%d %s" % (a.seed, row["id"]))
            functions = {}
            for i in range(a.count):
                f = Drawer(row, enums, rng).function("f%d" % i)
                if f:
                    functions.setdefault(re.sub(r"@f\d+", "@f", f), f)
            groups.append((row["name"], list(functions.values())))
        if re.search(a.ops, "types"):
            groups.append(("types", list(passing(ANY + POINTERS[-6:]))))
        for name, functions in groups:
            drawn += len(functions)
            good = []
            for ok, f in circ.verified(functions):
                if ok:
                    good.append(f)
                else:
                    failures += 1
                    print("%s: the verifier fails on\n%s" % (name, f))
            verified += len(good)
            for target in targets:
                for level in a.levels.split(","):
                    for f, why in circ.compile(good, target, level):
                        failures += 1
                        print("%s: %s -%s: %s\n%s" % (name, target, level, why, f), flush=True)
            if not good and a.count >= 40:
                failures += 1
                print("%s: nothing that was drawn verifies" % name)
    print("%d functions of %d ops, of which %d verify, compiled %d ways: %d failures"
          % (drawn, len(groups), verified, len(targets) * len(a.levels.split(",")), failures))
    return 1 if failures or not verified else 0


if __name__ == "__main__":
    sys.exit(main())
