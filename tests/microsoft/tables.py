#!/usr/bin/env python3
"""tables.py --ms-types PROGRAM [--clang CLANG] [--count N] [--seed N]

Are the tables of a throw those of clang? Random classes are compiled for ELF, whose type infos tell `ms_types` the bases, and for
windows-msvc, whose ThrowInfos tell what an object, and a pointer to one, is caught as: the names of the tables, the catchable types
in order with their properties and sizes; and, where both ABIs lay the class out alike, the offsets.
"""
import random
import re
import subprocess
import sys

import names

# Thrown as well, each a value of 0. `long` and `long double` have other sizes on Windows.
SCALARS = ["bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long",
           "long long", "unsigned long long", "__int128", "unsigned __int128", "float", "double", "long double", "wchar_t",
           "char8_t", "char16_t", "char32_t", "decltype(nullptr)", "void *", "const void *", "int *",
           "const volatile int *", "const char *const *", "void (*)(int)", "int (*)[3]", "const int (*)[3]"]


class Classes:
    """K0, K1, … Each has one 8-byte member and bases among those before it. Some hierarchies have private bases, some virtual ones:
    clang does not tell that a virtual base is reached through a private one."""

    def __init__(self, count, seed):
        self.random = random.Random(seed)
        self.words, self.bases, self.style = [], [], []
        groups = 12
        for i in range(count):
            r = self.random
            style = i % groups
            earlier = [j for j in range(i) if self.style[j] == style]
            r.shuffle(earlier)
            chosen = earlier[:r.choice([0, 1, 1, 2, 2, 3])]
            self.style.append(style)
            self.words.append(r.choice(["struct", "class"]))
            self.bases.append([(j, self.access(style), style % 3 == 2 and r.random() < 0.5) for j in chosen])

    def access(self, style):
        return "private" if style % 3 == 1 and self.random.random() < 0.2 else "public"

    def alike(self, i):
        return self.style[i] % 3 != 2

    def source(self):
        self.random.seed(len(self.bases))
        out = []
        for i, bases in enumerate(self.bases):
            heads = [f"{access} {'virtual ' if virtual else ''}K{j}" for j, access, virtual in bases]
            polymorphic = f"virtual void f{i}() {{}}" if self.style[i] % 2 else ""
            member = "" if self.style[i] % 3 == 2 and self.random.random() < 0.4 else f"long long m{i};"
            out.append(f"{self.words[i]} K{i} {': ' if heads else ''}{', '.join(heads)} {{ public: {member} {polymorphic} }};\n"
                       f'extern "C" {{ extern const int size_{i}; const int size_{i} = sizeof(K{i});\n'
                       f"void object_{i}(K{i} &k) {{ throw (K{i} &)k; }} void pointer_{i}(const K{i} *k) {{ throw k; }} }}\n")
        for i, t in enumerate(SCALARS):
            out.append(f"using Scalar{i} = {t};\n"
                       f'extern "C" void scalar_{i}() {{ throw (Scalar{i})0; }}\n')
        return "".join(out)


def compile_ir(clang, target, path):
    out = subprocess.run([clang, "--target=" + target, "-std=c++20", "-fexceptions", "-fcxx-exceptions", "-w", "-S",
                          "-emit-llvm", "-o", "-", path], capture_output=True, text=True)
    if out.returncode:
        sys.exit(out.stderr[:2000])
    return out.stdout


def unquote(name):
    return name.strip('"')


NAME = r'("[^"]*"|[\w$.]+)'


class ClangTables:
    def __init__(self, ir):
        self.catchables, self.arrays, self.infos = {}, {}, {}
        for line in ir.splitlines():
            m = re.match(rf"@{NAME} = .*?%eh\.(CatchableType|CatchableTypeArray|ThrowInfo)\b[^{{]*(\{{.*)", line)
            if not m:
                continue
            name, kind, body = unquote(m.group(1)), m.group(2), m.group(3)
            refs = [unquote(n) for n in re.findall(rf"ptr @{NAME} to i64", body) if unquote(n) != "__ImageBase"]
            numbers = re.sub(r"i32 trunc \(.*?\) to i32\)", "@", body)
            if kind == "CatchableType":
                values = [int(n) for n in re.findall(r"-?\d+", re.sub(r"i32 ", "", numbers.split("}")[0]))]
                self.catchables[name] = (refs[0], *values[:5])
            elif kind == "CatchableTypeArray":
                self.arrays[name] = refs
            else:
                self.infos[name] = refs[-1]

    def table(self, info):
        return [self.catchables[c] for c in self.arrays[self.infos[info]]]


class CircTables(ClangTables):
    def __init__(self, text):
        self.catchables, self.arrays, self.infos = {}, {}, {}
        for line in text.splitlines():
            m = re.match(rf"  cir.global .*@{NAME} = #cir.const_record<(.*)", line)
            if not m:
                continue
            name, body = unquote(m.group(1)), m.group(2)
            refs = [unquote(n) for n in re.findall(rf"image_relative<@{NAME}>", body)]
            values = [int(n) for n in re.findall(r"#cir.int<(-?\d+)>", body)]
            if name.startswith("_CTA"):
                self.arrays[name] = refs
            elif name.startswith("_CT"):
                self.catchables[name] = (refs[0], *values[:5])
            elif name.startswith("_TI"):
                self.infos[name] = refs[-1]


def throws(ir, callee):
    """By kind and number of the function that throws: the second argument of its throw."""
    found = {}
    for kind, n, body in re.findall(r"^define[^@]*@(object|pointer|scalar)_(\d+)\((.*?)^\}", ir, re.M | re.S):
        found[kind, int(n)] = unquote(re.search(rf"@{callee}\(ptr [^,]+, ptr @{NAME}", body).group(1))
    return found


def write_module(path, classes, elf, sizes, infos):
    """The records and the type infos of the ELF module, as CIR."""
    with open(path, "w") as f:
        f.write("!u8i = !cir.int<u, 8>\n!u32i = !cir.int<u, 32>\n!s64i = !cir.int<s, 64>\n!P = !cir.ptr<!u8i>\n")
        for vtable in ("17__class_type_info", "20__si_class_type_info", "21__vmi_class_type_info", "19__pointer_type_info"):
            f.write(f'cir.global "private" external @_ZTVN10__cxxabiv1{vtable}E : !P\n')
        for i, word in enumerate(classes.words):
            f.write(f'cir.global "private" external @r{i} : '
                    f'!cir.struct<{word if word == "class" else ""} "K{i}" {{data !cir.array<!u8i x {sizes[i]}>}}>\n')
        for info in sorted({info for (kind, _), info in infos.items() if kind != "object"}):
            f.write(f'cir.global "private" constant external @{info} : !P\n')
        for name, body in re.findall(r"^@(_ZTI\d+K\d+) = .*?constant \{.*?\} \{ (.*) \}, ", elf, re.M):
            elems = [f"#cir.global_view<@{re.search(r'@(_ZTVN10__cxxabiv1[^ ,)]*)', body).group(1)}, [2 : i32]> : !P",
                     "#cir.ptr<null> : !P"]
            types = ["!P", "!P"]
            for kind, value in re.findall(r", (i32|i64|ptr) (@_ZTI\w+|-?\d+)(?=[, ]|$)", body):
                types.append({"i32": "!u32i", "i64": "!s64i", "ptr": "!P"}[kind])
                elems.append(f"#cir.global_view<{value}> : !P" if kind == "ptr" else f"#cir.int<{value}> : {types[-1]}")
            f.write(f"cir.global constant linkonce_odr @{name} = #cir.typeinfo<{{{', '.join(elems)}}}> : "
                    f"!cir.struct<{{{', '.join('data ' + t for t in types)}}}>\n")


PLACES = """
#include <cstdio>
#include <cstring>
static int wrong;
/* What the Microsoft runtime does to get from an object to a base. */
static void place(const void *object, const void *base, int mdisp, int pdisp, int vdisp, const char *what)
{
	const char *p = (const char *)object + mdisp;
	if (pdisp >= 0) {
		const char *table;
		int offset;
		std::memcpy(&table, (const char *)object + pdisp, sizeof table);
		std::memcpy(&offset, table + vdisp, sizeof offset);
		p += pdisp + offset;
	}
	if (p != base && wrong++ < 5)
		std::printf("%s: %d %d %d\\n", what, mdisp, pdisp, vdisp);
}
int main()
{
"""


def check_places(o, folder, classes, tables):
    """The places, tried on objects of clang's layout for ELF, which is what flat CIR is laid out by."""
    source = folder + "/places.cpp"
    count = 0
    with open(source, "w") as f:
        f.write(classes.source() + PLACES)
        for n, table in tables.items():
            f.write(f"\t{{ static K{n} k;\n")
            for descriptor, _, *where, _ in table:
                base = re.search(r"A[UV](K\d+)@", descriptor).group(1)
                f.write(f'\tplace(&k, static_cast<{base} *>(&k), {", ".join(map(str, where))}, "{base} of K{n}");\n')
                count += 1
            f.write("\t}\n")
        f.write("\treturn wrong != 0;\n}\n")
    subprocess.run([o.clang, "-w", "-std=c++20", "-fuse-ld=lld", "-o", folder + "/places", source], check=True)
    run = subprocess.run([folder + "/places"], capture_output=True, text=True, timeout=300)
    print(run.stdout, end="")
    print(f"{count} places tried, {'some wrong' if run.returncode else 'all right'}")
    return run.returncode


def compare(o, folder):
    classes = Classes(o.count, o.seed)
    source, module = folder + "/classes.cpp", folder + "/classes.cir"
    with open(source, "w") as f:
        f.write(classes.source())
    elf = compile_ir(o.clang, "x86_64-pc-linux-gnu", source)
    coff = compile_ir(o.clang, "x86_64-pc-windows-msvc", source)
    sizes = {int(n): int(v) for n, v in re.findall(r"^@size_(\d+) = .*?i32 (\d+)", coff, re.M)}
    thrown, infos = throws(coff, "_CxxThrowException"), throws(elf, "__cxa_throw")
    write_module(module, classes, elf, sizes, infos)
    out = subprocess.run([o.ms_types, "--throw", module], capture_output=True, text=True)
    got_infos = {line.split()[0]: line.split()[3] for line in out.stdout.splitlines() if line.startswith("_ZTI")}
    want, got = ClangTables(coff), CircTables(out.stdout)
    wrong = compared = refused = 0
    places = {}
    for (kind, n), info in sorted(thrown.items()):
        symbol = infos[kind, n]
        mine = got_infos.get(symbol)
        alike = kind == "scalar" or classes.alike(n)
        if mine == "-" and not alike:
            refused += 1  # a primary base that is virtual: msvc/virtual_base.h
            continue
        w, g = want.table(info), got.table(mine) if mine else None
        if kind == "object" and g:
            places[n] = g
        if not alike and g:
            w, g = [(c[0], c[1], c[5]) for c in w], [(c[0], c[1], c[5]) for c in g]
        compared += 1
        if mine != info or w != g:
            wrong += 1
            if wrong <= 5:
                print(f"{symbol}\n  want {info} {w}\n  got  {mine} {g}")
    print("".join(line for line in out.stderr.splitlines(True) if "another virtual base" not in line)[:1000], end="")
    print(f"{compared} throws compared, {wrong} wrong; {refused} refused")
    return check_places(o, folder, classes, places) or (1 if wrong or refused > compared / 10 else 0)


if __name__ == "__main__":
    sys.exit(names.main(compare, 300))
