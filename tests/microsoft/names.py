#!/usr/bin/env python3
"""names.py --ms-types PROGRAM [--clang CLANG] [--count N] [--seed N]

Do type infos get the Microsoft names that clang gives the same C++ types? A program whose handlers catch random types is compiled
for ELF, which tells the Itanium type infos, and for windows-msvc, which tells the descriptors and adjectives. The type infos, with
records for the classes, are then given to `ms_types`.
"""
import argparse
import random
import re
import subprocess
import sys
import tempfile

SKIPPED = 77

PRELUDE = """
namespace std {
class exception {};
class bad_alloc : public exception {};
template <class T> class allocator {};
template <class T> struct char_traits {};
template <class C, class T, class A> class basic_string {};
template <class T, class A> class vector {};
}
struct S {};
class C {};
union U { int i; };
enum E { e0 };
enum class F : short { f0 };
template <class T> struct Box { struct Inner {}; enum Kind { k0 }; template <class X> class Sub {}; };
template <class A, class B> class Pair {};
template <class... T> struct Pack {};
template <class A, class... T> union Head { int i; };
template <int N> struct Num {};
template <unsigned long long N> struct Big {};
template <bool B, class T> class Flag {};
template <long... N> struct Seq {};
template <char C, signed char D, unsigned short U> struct Chars {};
template <decltype(nullptr) P> struct Null {};
template <class A, class... T> struct Outer { template <class... X> struct In {}; template <int... N> class Ns {}; };
struct [[gnu::abi_tag("v2")]] Tagged {};
namespace ns {
struct S {};
class C { public: struct In {}; class Cl { public: enum E { x }; }; };
enum E { e0 };
inline namespace v1 { struct V {}; template <class T> class Box {}; }
namespace deep { union U { int i; }; template <class T, int N> struct Arr { class It {}; }; }
namespace { class Own {}; }
}
namespace { struct Own { struct In {}; enum E { e0 }; }; namespace in { namespace { class Own {}; } } }
typedef float Floats __attribute__((vector_size(16)));
typedef long long Words __attribute__((vector_size(32)));
typedef short Shorts __attribute__((vector_size(8)));
typedef _BitInt(7) Int7;
typedef _BitInt(77) Int77;
typedef unsigned _BitInt(200) Uint200;
extern "C" void may_throw();
"""

BUILTINS = ["bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long",
            "unsigned long", "long long", "unsigned long long", "__int128", "unsigned __int128", "float", "double",
            "long double", "wchar_t", "char8_t", "char16_t", "char32_t", "std::nullptr_t", "_Float16", "__bf16"]

# clang's Microsoft names for these are those of classes. Their name here, and how clang spells them in the name of a record.
VALUES = {"_Complex float": "_Complex float", "_Complex double": "_Complex double", "_Complex int": "_Complex int",
          "Int7": "_BitInt(7)", "Int77": "_BitInt(77)", "Uint200": "unsigned _BitInt(200)",
          "Floats": "__attribute__((__vector_size__(4 * sizeof(float)))) float",
          "Words": "__attribute__((__vector_size__(4 * sizeof(long long)))) long long",
          "Shorts": "__attribute__((__vector_size__(4 * sizeof(short)))) short"}

# As clang prints them.
CHARS = ["'B'", "'0'", "'~'", "'\\n'", "'\\''", "'\\\\'", "'\\x00'", "'\\x7f'", "'\\xc8'", "'\\xff'", "'\"'"]

# name, CIR's word for it; None: an enum
CLASSES = [("S", "struct"), ("C", "class"), ("U", "union"), ("ns::S", "struct"), ("ns::C", "class"),
           ("ns::C::In", "struct"), ("ns::C::Cl", "class"), ("ns::v1::V", "struct"), ("ns::deep::U", "union"),
           ("(anonymous namespace)::Own", "struct"), ("(anonymous namespace)::Own::In", "struct"),
           ("ns::(anonymous namespace)::Own", "class"), ("(anonymous namespace)::in::(anonymous namespace)::Own", "class"),
           ("Tagged", "struct"), ("std::exception", "class"), ("std::bad_alloc", "class")]
ENUMS = ["E", "F", "ns::E", "ns::C::Cl::E", "(anonymous namespace)::Own::E"]

# No part of the name in C++; in Microsoft names a number that only the same compiler gives.
ANONYMOUS = "(anonymous namespace)::"


class Type:
    """What stands before and after the declared name; blanks do not matter."""

    def __init__(self, before, after="", kind="object", const=False):
        self.before, self.after, self.kind, self.const = before, after, kind, const

    def text(self):
        return self.before + self.after


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.records = dict(CLASSES)
        self.enums = set(ENUMS)

    def named(self, name, word):
        self.records[name] = word
        return Type(name)

    def enum(self, name):
        self.enums.add(name)
        return Type(name)

    def args(self, depth, low, high):
        return ", ".join(self.type(depth).text() for _ in range(self.random.randint(low, high)))

    def template(self, depth):
        r = self.random
        kind = r.randrange(19)
        if kind == 0:
            return self.named(f"Pair<{self.args(depth, 2, 2)}>", "class")
        if kind == 1:
            return self.named(f"Pack<{self.args(depth, 1, 5)}>", "struct")
        if kind == 2:
            return self.named(f"Head<{self.args(depth, 2, 4)}>", "union")
        if kind == 3:
            return self.named(f"Num<{r.choice([0, 1, 9, 10, 11, 255, -1, -16, 2147483647])}>", "struct")
        if kind == 4:
            return self.named(f"Big<{r.choice([0, 7, 4096, 2**64 - 1])}ULL>", "struct")
        if kind == 5:
            return self.named(f"Flag<{r.choice(['true', 'false'])}, {self.args(depth, 1, 1)}>", "class")
        if kind == 6:
            numbers = ", ".join(f"{r.randint(-20, 20)}L" for _ in range(r.randint(1, 4)))
            return self.named(f"Seq<{numbers}>", "struct")
        if kind == 7:
            return self.named(f"ns::v1::Box<{self.args(depth, 1, 1)}>", "class")
        if kind == 8:
            return self.named(f"ns::deep::Arr<{self.args(depth, 1, 1)}, {r.randint(0, 20)}>", "struct")
        if kind == 9:
            return self.named(f"ns::deep::Arr<{self.args(depth, 1, 1)}, {r.randint(0, 20)}>::It", "class")
        if kind == 10:
            return self.named(f"Box<{self.args(depth, 1, 1)}>::Inner", "struct")
        if kind == 11:
            return self.enum(f"Box<{self.args(depth, 1, 1)}>::Kind")
        if kind == 12:
            return self.named(f"Box<{self.args(depth, 1, 1)}>::Sub<{self.args(depth, 1, 1)}>", "class")
        if kind == 13:
            char = r.choice(["char", "wchar_t"])
            traits, alloc = f"std::char_traits<{char}>", f"std::allocator<{char}>"
            self.named(traits, "struct"), self.named(alloc, "class")
            return self.named(f"std::basic_string<{char}, {traits}, {alloc}>", "class")
        if kind == 14:
            c, d, u = r.choice(CHARS), r.choice(CHARS), r.randint(0, 65535)
            return self.named(f"Chars<{c}, (signed char){d}, (unsigned short){u}>", "struct")
        if kind == 15:
            return self.named("Null<nullptr>", "struct")
        if kind == 16:
            outer = f"Outer<{self.args(depth, 2, 3)}>"
            if r.random() < 0.5:
                return self.named(f"{outer}::In<{self.args(depth, 1, 3)}>", "struct")
            numbers = ", ".join(str(r.choice([0, 1, 10, 11, -1, 2**31 - 1, -2**31])) for _ in range(r.randint(1, 3)))
            return self.named(f"{outer}::Ns<{numbers}>", "class")
        return self.named(f"Box<{self.args(depth, 1, 1)}>", "struct")

    def pointer(self, t, sign="*"):
        if t.kind in ("array", "function"):
            return Type(t.before + "(" + sign, ")" + t.after, "pointer")
        return Type(t.before + " " + sign, t.after, "pointer")

    def qualified(self, t):
        word = self.random.choice(["const", "const", "volatile", "const volatile"])
        if t.kind in ("function", "reference") or t.const:
            return t
        if t.kind == "pointer":
            return Type(t.before + " " + word, t.after, "pointer", True)
        return Type(word + " " + t.before, t.after, t.kind, True)

    def parameter(self, depth):
        """Without what a parameter's type loses: qualifiers, arrays, functions. Its spelling, which clang's names follow, is gone."""
        while True:
            t = self.type(depth)
            if t.kind not in ("array", "function") and not t.const:
                return t

    def function(self, depth, qualifiers=False):
        r = self.random
        result = Type("void") if r.random() < 0.4 else self.parameter(depth)
        params = [self.parameter(depth).text() for _ in range(r.randint(0, 4))]
        if params and r.random() < 0.4:
            params.append(r.choice(params))
        if params and r.random() < 0.1:
            params.append("...")
        tail = "(" + ", ".join(params) + ")"
        if qualifiers:
            tail += r.choice(["", "", " const", " volatile", " const volatile", " &", " &&", " const &"])
        tail += r.choice(["", "", "", " noexcept"])
        return Type(result.before + " ", tail + result.after, "function")

    def object(self, depth):
        while True:
            t = self.type(depth)
            if t.kind not in ("function", "reference"):
                return t

    def type(self, depth):
        r = self.random
        kind = r.randrange(20) if depth > 0 else r.randrange(7)
        if kind < 3:
            return Type(r.choice(BUILTINS + list(VALUES)))
        if kind < 6:
            return Type(r.choice(CLASSES)[0])
        if kind == 6:
            return Type(r.choice(ENUMS))
        if kind < 11:
            return self.template(depth - 1)
        if kind < 14:
            t = self.type(depth - 1)
            return t if t.kind == "reference" else self.pointer(t)
        if kind == 14:
            return self.qualified(self.type(depth - 1))
        if kind == 15:
            t = self.type(depth - 1)
            if t.kind == "reference":
                return t
            t = self.pointer(t, r.choice(["&", "&&"]))
            return Type(t.before, t.after, "reference")
        if kind == 16:
            t = self.object(depth - 1)
            return Type(t.before, f"[{r.randint(1, 300)}]" + t.after, "array", t.const)
        if kind == 17:
            return self.pointer(self.function(depth - 1))
        if kind == 18:
            t = self.object(depth - 1)
            return self.pointer(t, r.choice(["S", "ns::C", "Box<int>"]) + "::*")
        return self.pointer(self.function(depth - 1, True), r.choice(["S", "ns::S"]) + "::*")

    def handler(self):
        """A type that a handler can name: of objects, not abstract; classes by reference."""
        t = self.object(4)
        while t.kind == "array":
            t = self.object(4)
        return t.text() + (" &" if t.kind == "object" and not t.const else "")


def compile_ir(clang, target, path):
    out = subprocess.run([clang, "--target=" + target, "-std=c++20", "-fexceptions", "-fcxx-exceptions", "-w", "-S",
                          "-emit-llvm", "-o", "-", path], capture_output=True, text=True)
    if out.returncode:
        sys.exit(out.stderr[:2000])
    return out.stdout


def without_numbers(name):
    return re.sub(r"\?A0x[0-9A-F]{1,8}@", "?A0x@", name)


def functions(ir):
    """The text of each function handler_N, by N."""
    return {int(n): body for n, body in re.findall(r"^define[^@]*@handler_(\d+)\(.*?\{\n(.*?)^\}", ir, re.M | re.S)}


def from_clang(clang, source, types):
    """By number of the handler: its Itanium type info; its Microsoft descriptor and adjectives."""
    with open(source, "w") as f:
        f.write("namespace std { using nullptr_t = decltype(nullptr); }\n" + PRELUDE)
        for i, t in enumerate(types):
            f.write(f"using T{i} = {t.replace(ANONYMOUS, '')};\n"
                    f'extern "C" void handler_{i}() {{ try {{ may_throw(); }} catch (T{i}) {{}} }}\n')
    elf = functions(compile_ir(clang, "x86_64-pc-linux-gnu", source))
    coff = functions(compile_ir(clang, "x86_64-pc-windows-msvc", source))
    infos, want = {}, {}
    for i in range(len(types)):
        infos[i] = re.search(r'catch ptr @("[^"]*"|\S+)', elf[i]).group(1).strip('"')
        name, flags = re.search(r'catchpad within %\S+ \[ptr @("[^"]*"|[^,]*), i32 (\d+)', coff[i]).groups()
        want[i] = (without_numbers(name.strip('"')), int(flags) & ~8)
    return infos, want


def spelled(name):
    name = re.sub("|".join(rf"\b{value}\b" for value in VALUES), lambda match: VALUES[match[0]], name)
    return name.replace("\\", "\\5C").replace('"', "\\22")


def write_module(path, records, infos, enums):
    with open(path, "w") as f:
        f.write("!P = !cir.ptr<!cir.int<u, 8>>\n")
        for n, (name, word) in enumerate(records.items()):
            head = {"struct": "struct<", "class": "struct<class ", "union": "union<"}[word]
            mark = "" if word == "union" else "data "
            f.write(f'cir.global "private" external @r{n} : !cir.{head}"{spelled(name)}" {{{mark}!cir.int<s, 32>}}>\n')
        for info in infos:
            tag = ' {cir.ms.tag = "enum"}' if info in enums else ""
            f.write(f'cir.global "private" constant external @"{info}" : !P{tag}\n')


def compare(o, folder):
    g = Generator(o.seed)
    types = [g.handler() for _ in range(o.count)]
    first_enum = len(types)
    types += [name + " &" for name in sorted(g.enums)]
    infos, want = from_clang(o.clang, folder + "/types.cpp", types)
    enums = {infos[i] for i in range(first_enum, len(types))}
    write_module(folder + "/types.cir", g.records, sorted(set(infos.values())), enums)
    out = subprocess.run([o.ms_types, folder + "/types.cir"], capture_output=True, text=True)
    got = {}
    for line in out.stdout.splitlines():
        info, descriptor, adjectives, _ = line.split(" ")
        got[info] = (without_numbers(descriptor), int(adjectives))
    wrong = [i for i in range(len(types)) if got.get(infos[i]) != want[i]]
    for i in wrong[:10]:
        print(f"{types[i]}\n  {infos[i]}\n  want {want[i]}\n  got  {got.get(infos[i])}")
    print(out.stderr[:2000], end="")
    print(f"{len(types)} handlers, {len(set(infos.values()))} types, {len(wrong)} wrong")
    return 1 if wrong else 0


def main(compare, count):
    parser = argparse.ArgumentParser()
    parser.add_argument("--ms-types", required=True)
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--seed", type=int, default=1)
    o = parser.parse_args()
    try:
        subprocess.run([o.clang, "--version"], capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        print("SKIPPED:", o.clang, "not found")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        return compare(o, folder)


if __name__ == "__main__":
    sys.exit(main(compare, 2000))
