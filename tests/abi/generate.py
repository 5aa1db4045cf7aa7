"""Random record types and signatures, each as C++ and as CIR.

A module has functions of random signatures, each twice: `cxx_N` is C++, checks what it is given and returns a known value; `cir_N` is CIR
with the same signature and calls `cxx_N` with what it was given. The C++ main calls all `cir_N` and checks what comes back. So
each signature is crossed four times: into CIR and out of it, with its parameters and with its result.

The layout of a record is computed here, by the rules of C++, and said in full in CIR, padding included.
"""
import random

from scalars import ELF, MSVC, MINGW, Type, scalars

RESULT = 99  # where a parameter has its number


def round_up(n, align):
    return (n + align - 1) // align * align


def inherited(members):
    return {tag for tag in ("bits", "derived") if any(tag in t.tags for t in members)}


class Generator:
    def __init__(self, seed, target=ELF, compiler="clang"):
        self.rng = random.Random(seed)
        self.target, self.compiler = target, compiler
        self.scalars = scalars(target, compiler)
        self.cpp, self.aliases, self.layouts = [], [], []
        self.records = []

    def scalar(self):
        return self.rng.choice(self.rng.choice(self.scalars))

    # Records

    def member_type(self, depth):
        if depth and self.rng.random() < 0.25:
            return self.record(depth - 1)
        if self.records and self.rng.random() < 0.1:
            return self.rng.choice(self.records)
        t = self.scalar()
        if self.rng.random() < 0.2:
            n = self.rng.randint(1, 4)
            leaves = [(f"[{i}]" + path, c, b) for i in range(n) for path, c, b in t.leaves]
            return Type(t.cpp, f"!cir.array<{t.cir} x {n}>", t.size * n, t.align, leaves, tags={"array", n})
        return t

    def declare(self, t, member):
        n = next((x for x in t.tags if isinstance(x, int)), None)
        return f"{t.cpp} {member}[{n}];" if "array" in t.tags else f"{t.cpp} {member};"

    def bit_fields(self, i, at):
        """A run of fields that fills its unit, which begins at byte `at`: what follows begins behind it, by every ABI."""
        units = [("unsigned char", "!u8i", 8), ("unsigned", "!u32i", 32), ("int", "!s32i", 32), ("unsigned long long", "!u64i", 64)]
        cpp, cir, bits = self.rng.choice([u for u in units if at * 8 % u[2] == 0])
        text, decls, leaves, left, k = "", [], [], bits, 0
        while left:
            width = min(left, self.rng.randint(1, bits))
            # The first has a name, so that the unit aligns the record. To gcc, one without is an integer all the same; to clang, padding.
            if k and self.compiler == "clang" and self.rng.random() < 0.25:
                text += f" {cpp} : {width};"
                decls.append(f"#cir.bitfield_decl<{cir}, {width}, unnamed>")
            else:
                text += f" {cpp} b{i}_{k} : {width};"
                decls.append(f"#cir.bitfield_decl<{cir}, {width}>")
                leaves.append((f".b{i}_{k}", cpp, width))
            left, k = left - width, k + 1
        unit = Type(cpp, f"!cir.bitfield<{cir}, [{', '.join(decls)}]>", bits // 8, bits // 8, leaves, tags={"bits"})
        return text, unit

    def record(self, depth=2):
        roll = self.rng.random()
        if roll < 0.05:
            t = self.empty()
        elif roll < 0.17:
            t = self.union(depth)
        elif roll < 0.22:
            t = self.owner()
        else:
            t = self.struct(depth)
        self.records.append(t)
        return t

    def name(self, text, cir):
        """Both spellings of a record, once its members are there. %s: its name"""
        name = f"S{len(self.aliases)}"
        self.cpp.append(text.replace("%s", name))
        self.aliases.append(f"!{name} = " + cir.replace("%s", name))
        return name

    def layout(self, name, align, natural, kind="can_pass_in_regs", trivial="true"):
        if kind == "can_pass_in_regs" and align == natural and self.rng.random() < 0.3:
            return  # the dictionary may be silent
        self.layouts.append(f"{name} = #cir.record_layout<arg_passing_kind = {kind}, has_trivial_dtor = {trivial}, record_align = {align}>")

    def empty(self):
        if self.rng.random() < 0.3:
            name = self.name("union %s {};", '!cir.union<"%s" {}, padding = {!u8i}>')
        else:
            name = self.name("struct %s {};", '!cir.struct<"%s" {pad !u8i}>')
        self.layout(name, 1, 1)
        return Type(name, f"!{name}", 1, 1, [], empty=True)

    def owner(self):
        """Has its own address inside."""
        t = self.rng.choice([x for x in self.scalars[0] if x.size <= 8])
        name = self.name(f"struct %s {{ {t.cpp} x; %s *self; %s() : self(this) {{}} "
                         "%s(const %s &o) : x(o.x), self(this) {} ~%s() { self = 0; } };",
                         f'!cir.struct<"%s" {{data {t.cir}, data !cir.ptr<!void>}}>')
        self.layout(name, 8, 8, "cannot_pass_in_regs", "false")
        return Type(name, f"!{name}", 16, 8, [(".x" + p, c, b) for p, c, b in t.leaves], owner=True, natural=8)

    def union(self, depth):
        members = []
        while not members:
            members = [m for m in (self.member_type(depth) for _ in range(self.rng.randint(1, 4)))
                       if not m.owner and m.align == m.natural]
        body = " ".join(self.declare(m, f"m{i}") for i, m in enumerate(members))
        align = max(m.align for m in members)
        size = round_up(max(m.size for m in members), align)
        name = self.name(f"union %s {{ {body} }};", f'!cir.union<"%s" {{{", ".join("data " + m.cir for m in members)}}}>')
        self.layout(name, align, align)
        chosen = max(range(len(members)), key=lambda i: members[i].size)
        leaves = [(f".m{chosen}" + p, c, b) for p, c, b in members[chosen].leaves]
        return Type(name, f"!{name}", size, align, leaves, empty=all(m.empty for m in members), tags={"union"} | inherited(members))

    def base(self):
        """A class to derive from, by whose tail padding ABIs do not differ."""
        t = self.rng.choice(self.records) if self.records and self.rng.random() < 0.12 else None
        unfit = not t or t.derived or t.owner or t.empty or t.align != t.natural or "union" in t.tags or "packed" in t.tags
        return None if unfit else t

    def struct(self, depth):
        packed = self.rng.random() < 0.08 and self.target == ELF  # Windows keeps some members aligned
        alignas = self.rng.choice([16, 32, 64, 128]) if not packed and self.rng.random() < 0.06 else 0
        text, members, leaves = "", [], []
        base = None if packed or alignas else self.base()
        if base:
            members.append(("data", base))
            leaves += [(f".{base.cpp}::{path[1:]}", c, b) for path, c, b in base.leaves]
        end = base.size if base else 0
        for i in range(self.rng.choice([1, 1, 2, 2, 2, 3, 3, 4, 5])):
            if not packed and self.rng.random() < 0.1:
                more, t = self.bit_fields(i, end)
                text += more
                members.append(("bitfield", t))
                leaves += t.leaves
                end += t.size
                continue
            t = self.member_type(depth)
            if t.owner or (packed and "derived" in t.tags):  # what is no POD is not packed
                t = self.scalar()
            text += " " + self.declare(t, f"m{i}")
            members.append(("empty" if t.empty and self.rng.random() < 0.5 else "data", t))
            leaves += [(f".m{i}" + p, c, b) for p, c, b in t.leaves]
            end = (end if packed else round_up(end, t.align)) + t.size
        marks, at, natural, align = [], 0, 1, 1
        for mark, t in members:
            offset = at if packed else round_up(at, t.align)
            here = at if packed else round_up(at, t.natural)
            if here != offset:
                marks.append(f"pad !cir.array<!u8i x {offset - at}>")
            marks.append(f"{mark} {t.cir}")
            natural, align = max(natural, 1 if packed else t.natural), max(align, 1 if packed else t.align)
            at = offset + t.size
        no_data = all(t.empty for _, t in members)
        alignas = alignas if alignas > align and not (no_data and self.compiler == "gcc") else 0  # to g++, it has no class, however large
        align = max(align, alignas)
        size = round_up(at, align)
        if round_up(at, natural) != size:
            marks.append(f"pad !cir.array<!u8i x {size - at}>")
        attribute = "__attribute__((packed)) " if packed else f"alignas({alignas}) " if alignas else ""
        bases = f" : {base.cpp}" if base else ""
        name = self.name(f"struct {attribute}%s{bases} {{{text} }};",
                         f'!cir.struct<"%s" {"packed " if packed else ""}{{{", ".join(marks)}}}>')
        self.layout(name, align, natural)
        return Type(name, f"!{name}", size, align, leaves, natural=natural, empty=no_data, derived=base is not None,
                    tags=({"derived"} if base else set()) | ({"packed"} if packed else set()) | inherited([t for _, t in members]))

    # Signatures

    def value_type(self):
        if self.rng.random() < 0.45:
            return self.scalar()
        if self.records and self.rng.random() < 0.5:
            return self.rng.choice(self.records)
        return self.record()

    def signature(self, i):
        result = None if self.rng.random() < 0.15 else self.value_type()
        params = [self.value_type() for _ in range(self.rng.choice([0, 1, 1, 2, 2, 3, 4, 5, 6, 8, 10, 70 if self.rng.random() < 0.2 else 2]))]
        s = Signature(i, result, params, self.rng.choice(STYLES))
        s.target = self.target
        s.win = self.target == ELF and self.compiler == "clang" and self.rng.random() < 0.1 and s.style in ("slots", "values", "pointer", "unwind")
        if s.style == "no_proto":
            s.params = [t for t in params if self.may_be_variadic(t, "variadic")]
        if s.style in VARIADIC:
            s.nfixed = self.rng.randint(1, 3)
            s.params = [t for n, t in enumerate(params) if n < s.nfixed or self.may_be_variadic(t, s.style)]
            s.style = "slots" if len(s.params) <= s.nfixed else s.style
        return s

    def may_be_variadic(self, t, style):
        """Stays as it is behind an ellipsis. clang's callers for Windows give vectors of no 16 bytes in another way than clang reads them."""
        if self.target != ELF and style != "variadic" and t.cir.startswith("!cir.vector") and (t.size != 16 or t.cpp == "wide1"):
            return False
        if self.compiler == "gcc" and t.cir.startswith("!S") and t.align == 16:
            return False  # g++ 12 -O2 reads a union of __int128 and a vector as if the saved registers were aligned
        narrow = {"bool", "signed char", "unsigned char", "short", "unsigned short", "float", "half", "brain"}
        return not t.owner and not t.empty and "derived" not in t.tags and t.cpp not in narrow


READS = ("va_arg", "va_copy", "given_list")  # cir_N reads the rest of its arguments: they, a copy of the list, another's list
VARIADIC = ("variadic", "gives_list", *READS)  # cxx_N reads them, or the list that cir_N has begun
SLOTS = ("slots", "pointer", "unwind", "variadic", "no_proto")  # styles that keep parameters in variables, as front ends do
STYLES = ["slots", "slots", "slots", "values", "values", "pointer", "musttail", "unwind", "no_proto", *VARIADIC]


class Signature:
    def __init__(self, i, result, params, style):
        self.i, self.result, self.params = i, result, params
        self.style = style
        self.nfixed = 0  # variadic: parameters before the ellipsis
        self.target = ELF
        self.win = False  # Windows' convention on ELF

    def cpp_params(self, rest=None):
        """rest: what stands for the parameters behind the fixed ones"""
        params = [f"{t.cpp} a{n}" for n, t in enumerate(self.params)]
        return ", ".join(params[:self.nfixed] + [rest] if rest else params)

    def cpp_result(self):
        return self.result.cpp if self.result else "void"

    def has(self, tag):
        return any(tag in t.tags for t in [*self.params, *([self.result] if self.result else [])])

    def key(self, n):
        return self.i * 1000 + n * 50

    # C++

    def cpp_given_list(self):
        """Calls cir_N with a list."""
        fixed = ", ".join(f"a{n}" for n in range(self.nfixed))
        take = f"{self.result.cpp} r = " if self.result else ""
        give = " return r;" if self.result else ""
        return (f"static {self.cpp_result()} list_{self.i}({self.cpp_params('...')}) {{ __builtin_va_list list; __builtin_va_start(list, a{self.nfixed - 1});"
                f" {take}cir_{self.i}({fixed}, list); __builtin_va_end(list);{give} }}\n")

    def cpp(self):
        checks = "".join(f" if (!{same(t, f'a{n}', self.key(n))}) fail({self.i}, {n});" for n, t in enumerate(self.params))
        if self.style in ("variadic", "gives_list"):
            checks = "".join(f" {t.cpp} a{n} = __builtin_va_arg(list, {t.cpp});" for n, t in enumerate(self.params) if n >= self.nfixed) + checks
        if self.style == "variadic":
            checks = f" __builtin_va_list list; __builtin_va_start(list, a{self.nfixed - 1});{checks} __builtin_va_end(list);"
        back = f" {self.result.cpp} r; {fill(self.result, 'r', self.key(RESULT))} return r;" if self.result else ""
        made = "".join(f" {t.cpp} a{n}; {fill(t, f'a{n}', self.key(n))}" for n, t in enumerate(self.params))
        args = ", ".join(f"a{n}" for n in range(len(self.params)))
        call = f"{'list' if self.style == 'given_list' else 'cir'}_{self.i}({args});"
        if self.result:
            call = f"{self.result.cpp} r = {call} if (!{same(self.result, 'r', self.key(RESULT))}) fail({self.i}, {RESULT});"
        win = " __attribute__((ms_abi))" if self.win else ""
        ours = {"va_arg": "...", "va_copy": "...", "gives_list": "...", "given_list": "__builtin_va_list list"}.get(self.style)
        theirs = {"variadic": "...", "gives_list": "__builtin_va_list list"}.get(self.style)
        return (f'extern "C" {self.cpp_result()} cir_{self.i}({self.cpp_params(ours)}){win};\n'
                f'extern "C"{win} {self.cpp_result()} cxx_{self.i}({self.cpp_params(theirs)}) {{{checks}{back} }}\n'
                + (self.cpp_given_list() if self.style == "given_list" else "") +
                f"static void test_{self.i}() {{{made} {call} }}\n")

    # CIR

    def list_type(self):
        """A list as a parameter."""
        return "!cir.ptr<!rec___va_list_tag>" if self.target == ELF else "!cir.ptr<!s8i>"

    def cir_params(self):
        types = [t.cir for t in self.params]
        rest = {"variadic": ["..."], "gives_list": [self.list_type()]}.get(self.style)
        return types[:self.nfixed] + rest if rest else types

    def cir_result(self):
        return f" -> {self.result.cir}" if self.result else ""

    def cir_type(self):
        return f"({', '.join(self.cir_params())}){self.cir_result()}"

    def call(self, callee, args, style):
        types = [t.cir for t in self.params] if style == "variadic" else self.cir_params()
        if callee[0] == "%":
            types = [f"!cir.ptr<!cir.func<{self.cir_type()}>>"] + types
        result = self.result.cir if self.result else "()"
        head = "%r = " if self.result else ""
        musttail = " musttail" if style == "musttail" else ""
        win = " {calling_conv = #cir.calling_conv<x86_wincall>}" if self.win else ""
        return f"{head}cir.call {callee}({', '.join(args)}){musttail}{win} : ({', '.join(types)}) -> {result}"

    def begin_list(self, name):
        """%name: the address of a list; its type"""
        if self.target == ELF:
            array = "!cir.ptr<!cir.array<!rec___va_list_tag x 1>>"
            return [f'  %{name}s = cir.alloca "{name}" align(16) : {array}',
                    f"  %{name} = cir.cast array_to_ptrdecay %{name}s : {array} -> !cir.ptr<!rec___va_list_tag>"]
        return [f'  %{name} = cir.alloca "{name}" align(8) : !cir.ptr<!cir.ptr<!s8i>>']

    def read_rest(self):
        """The arguments behind the parameters become %aN as well, or the list %given."""
        tag = "!cir.ptr<!rec___va_list_tag>" if self.target == ELF else "!cir.ptr<!cir.ptr<!s8i>>"
        given, name = self.style == "given_list", "list"
        if given and self.target == ELF:
            lines, name = [], "given"
        else:
            lines = self.begin_list(name)
            lines.append(f"  cir.store %given, %{name} : !cir.ptr<!s8i>, {tag}" if given else f"  cir.va_start %{name} : {tag}")
        if self.style == "gives_list":
            return lines + ([] if self.target == ELF else [f"  %given = cir.load %{name} : {tag}, !cir.ptr<!s8i>"])
        if self.style == "va_copy":
            lines += self.begin_list("copy")
            lines += [f"  cir.va_copy %{name} to %copy : {tag}, {tag}", f"  cir.va_end %{name} : {tag}"]
            name = "copy"
        lines += [f"  %a{n} = cir.va_arg %{name} : ({tag}) -> {t.cir}" for n, t in enumerate(self.params) if n >= self.nfixed]
        return lines + ([] if given else [f"  cir.va_end %{name} : {tag}"])

    def cir_head(self):
        named = [f"%a{n}: {t.cir}" for n, t in enumerate(self.params)]
        if self.style in ("va_arg", "va_copy", "gives_list"):
            named = named[:self.nfixed] + ["..."]
        elif self.style == "given_list":
            named = named[:self.nfixed] + [f"%given: {self.list_type()}"]
        win = " cc(x86_wincall)" if self.win else ""
        theirs = f"no_proto private @cxx_{self.i}(...){self.cir_result()}" if self.style == "no_proto" else f"private @cxx_{self.i}{self.cir_type()}{win}"
        return [f"cir.func {theirs}", f"cir.func @cir_{self.i}({', '.join(named)}){self.cir_result()}{win} {{"]

    def cir(self):
        lines = self.cir_head()
        args = [f"%a{n}" for n in range(len(self.params))]
        callee = f"@cxx_{self.i}"
        if self.style in READS or self.style == "gives_list":
            lines += self.read_rest()
        if self.style == "gives_list":
            args = args[:self.nfixed] + ["%list" if self.target == ELF else "%given"]
        if self.style in SLOTS:
            for n, t in enumerate(self.params):
                lines.append(f'  %s{n} = cir.alloca "a{n}" align({t.align}) init : !cir.ptr<{t.cir}>')
            if self.result:
                lines.append(f'  %rs = cir.alloca "__retval" align({self.result.align}) : !cir.ptr<{self.result.cir}>')
            for n, t in enumerate(self.params):
                lines.append(f"  cir.store %a{n}, %s{n} : {t.cir}, !cir.ptr<{t.cir}>")
            if self.style == "pointer":
                pointer = f"!cir.ptr<!cir.func<{self.cir_type()}>>"
                lines.append(f"  %f = cir.get_global @cxx_{self.i} : {pointer}")
                lines.append(f'  %fs = cir.alloca "f" : !cir.ptr<{pointer}>')
                lines.append(f"  cir.store %f, %fs : {pointer}, !cir.ptr<{pointer}>")
                lines.append(f"  %fl = cir.load %fs : !cir.ptr<{pointer}>, {pointer}")
                callee = "%fl"
            if self.style == "unwind":
                lines.append("  cir.cleanup.scope {")
            for n, t in enumerate(self.params):
                lines.append(f"  %l{n} = cir.load align({t.align}) %s{n} : !cir.ptr<{t.cir}>, {t.cir}")
                args[n] = f"%l{n}"
        lines.append("  " + self.call(callee, args, self.style))
        if self.result and self.style in SLOTS:
            lines.append(f"  cir.store %r, %rs : {self.result.cir}, !cir.ptr<{self.result.cir}>")
        if self.style == "unwind":
            lines.append("  cir.yield\n  } cleanup all {\n    cir.call @noted() nothrow : () -> ()\n  }")
        if self.result and self.style in SLOTS:
            lines.append(f"  %rl = cir.load %rs : !cir.ptr<{self.result.cir}>, {self.result.cir}")
            lines.append(f"  cir.return %rl : {self.result.cir}")
        elif self.result:
            lines.append(f"  cir.return %r : {self.result.cir}")
        else:
            lines.append("  cir.return")
        return "\n".join(lines + ["}"])


def fill(t, v, key):
    """Through a copy: members of packed records bind to no reference."""
    return " ".join(f"{{ {cpp} y; fill(y, {key + n}); {v}{path} = y; }}" for n, (path, cpp, _) in enumerate(t.leaves))


def same(t, v, key):
    parts = [f"{v}.self == &{v}"] if t.owner else []
    for n, (path, cpp, bits) in enumerate(t.leaves):
        test = f"same_bits<{cpp}>({v}{path}, {key + n}, {bits})" if bits else f"same(({cpp}){v}{path}, {key + n})"
        parts.append(test)
    return "(" + (" && ".join(parts) or "true") + ")"


CIR_HEAD = """!void = !cir.void
!s8i = !cir.int<s, 8>
!u8i = !cir.int<u, 8>
!s16i = !cir.int<s, 16>
!u16i = !cir.int<u, 16>
!s32i = !cir.int<s, 32>
!u32i = !cir.int<u, 32>
!s64i = !cir.int<s, 64>
!u64i = !cir.int<u, 64>
!s128i = !cir.int<s, 128>
!rec_Members = !cir.struct<"Members" {data !s32i}>
!rec___va_list_tag = !cir.struct<"__va_list_tag" {data !u32i, data !u32i, data !cir.ptr<!void>, data !cir.ptr<!void>}>
"""


class Module:
    def __init__(self, seed, count, target=ELF, compiler="clang", accept=lambda signature: True):
        self.generator = g = Generator(seed, target, compiler)
        self.signatures = []
        while len(self.signatures) < count:
            s = g.signature(len(self.signatures))
            if accept(s):
                self.signatures.append(s)

    def cir(self):
        g = self.generator
        text = CIR_HEAD + "\n".join(g.aliases) + "\n"
        text += f'module attributes {{cir.record_layouts = {{{", ".join(g.layouts)}}}, cir.triple = "{g.target}"}} {{\n'
        text += "cir.func private @noted() attributes {nothrow}\n"
        text += 'cir.global "private" constant external @_ZTI7Members : !cir.ptr<!u8i> {cir.ms.bases = []}\n'
        return text + "\n".join(s.cir() for s in self.signatures) + "\n}\n"

    def cpp(self):
        text = '#include "abi.h"\n' + "\n".join(self.generator.cpp) + "\n" + "".join(s.cpp() for s in self.signatures)
        calls = "".join(f" test_{s.i}();" for s in self.signatures)
        return text + f"int main() {{{calls} return finish(); }}\n"

    def declarations(self):
        """Definitions of all cxx_N that LLVM IR shows, and no more."""
        text = '#include "abi.h"\n' + "\n".join(self.generator.cpp) + "\n"
        return text + "".join(f'extern "C"{" __attribute__((ms_abi))" if s.win else ""} {s.cpp_result()} cxx_{s.i}({s.cpp_params()}) {{ __builtin_unreachable(); }}\n'
                              for s in self.signatures)
