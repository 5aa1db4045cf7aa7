"""Random record types and signatures, each as C++ and as CIR.

A module has functions of random signatures, each twice: `cxx_N` is C++, checks what it is given and returns a known value; `cir_N` is CIR
with the same signature and calls `cxx_N` with what it was given. The C++ main calls all `cir_N` and checks what comes back. So
each signature is crossed four times: into CIR and out of it, with its parameters and with its result. For Microsoft's C++ some are member functions.

The layout of a record is computed here, by the rules of C++, and said in full in CIR, padding included.
"""
import random

from scalars import APPLE, ARM, ARMS, CLANG, COMMON, ELF, MICROSOFT, MSVC, MINGW, WASM, WIDTHS, WINARM, Type, scalars

THIS, RESULT = 98, 99  # where a parameter has its number


def round_up(n, align):
    return (n + align - 1) // align * align


def inherited(members):
    return {tag for tag in ("bits", "unions", "derived", "class") if any(tag in t.tags for t in members)}


VECTORS = {row[0] for row in COMMON + CLANG if row[1].startswith("!cir.vector")}
WIDE_BITS = tuple(f"_BitInt({n})" for n in WIDTHS if n > 64)


class Generator:
    def __init__(self, seed, target=ELF, compiler="clang"):
        self.rng = random.Random(seed)
        self.target, self.compiler = target, compiler
        self.elf = target in (ELF, ARM, APPLE, WASM)
        self.address = 4 if target == WASM else 8
        self.scalars = scalars(target, compiler)
        self.cpp, self.aliases, self.layouts, self.traits = [], [], [], []
        self.records = []

    def scalar(self):
        return self.rng.choice(self.rng.choice(self.scalars))

    # Records

    def member_type(self, depth):
        t = None
        if depth and self.rng.random() < 0.25:
            t = self.record(depth - 1)
        elif self.records and self.rng.random() < 0.1:
            t = self.rng.choice(self.records)
        if t and "flexible" not in t.tags:
            return t
        t = self.scalar()
        if self.rng.random() < 0.2:
            n = self.rng.randint(1, 4)
            leaves = [(f"[{i}]" + path, c, b) for i in range(n) for path, c, b in t.leaves]
            return Type(t.cpp, f"!cir.array<{t.cir} x {n}>", t.size * n, t.align, leaves, natural=t.natural, tags={"array", n})
        return t

    def declare(self, t, member, attribute=""):
        n = next((x for x in t.tags if isinstance(x, int)), None)
        return f"{t.cpp} {member}{f'[{n}]' if 'array' in t.tags else ''}{attribute};"

    def bit_fields(self, i, at):
        """A run of fields that fills its unit, which begins at byte `at`: what follows begins behind it, by every ABI."""
        units = [("unsigned char", "!u8i", 8), ("unsigned", "!u32i", 32), ("fruit", "!u32i", 32), ("int", "!s32i", 32), ("unsigned long long", "!u64i", 64)]
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
        return text, unit, at

    def mixed_bit_fields(self, i, at):
        """Of several types, each where it does not cross a boundary of its type; the unit is what bytes they need."""
        types = [("unsigned char", "!u8i", 8), ("short", "!s16i", 16), ("unsigned", "!u32i", 32), ("fruit", "!u32i", 32), ("int", "!s32i", 32),
                 ("unsigned long long", "!u64i", 64)]
        text, decls, leaves, align, bit, begin = "", [], [], 1, at * 8, None
        for k in range(self.rng.randint(1, 4)):
            cpp, cir, bits = self.rng.choice(types)
            width = self.rng.randint(1, bits)
            first = bit if bit // bits == (bit + width - 1) // bits else round_up(bit, bits)
            begin = first // 8 if begin is None else begin
            if first + width > begin * 8 + 64:
                break
            text += f" {cpp} b{i}_{k} : {width};"
            decls.append(f"#cir.bitfield_decl<{cir}, {width}>")
            leaves.append((f".b{i}_{k}", cpp, width))
            align, bit = max(align, bits // 8), first + width
        size = (bit + 7) // 8 - begin
        unit = Type("", f"!cir.bitfield<!cir.array<!u8i x {size}>, [{', '.join(decls)}]>", size, align, leaves, natural=1, tags={"mixed", "bits"})
        return text, unit, begin

    def anonymous(self, i):
        """A record without a name, whose members are those of the record around it."""
        members = [self.scalar() for _ in range(self.rng.randint(1, 3))]
        members = [t for t in members if t.align == t.natural] or [Type("int", "!s32i", 4, 4)]
        body = " ".join(self.declare(t, f"m{i}_{k}") for k, t in enumerate(members))
        cir, align = ", ".join("data " + t.cir for t in members), max(t.align for t in members)
        if self.rng.random() < 0.5:
            chosen = max(range(len(members)), key=lambda k: members[k].size)
            leaves = [(f".m{i}_{chosen}" + path, c, b) for path, c, b in members[chosen].leaves]
            return f" union {{ {body} }};", Type("", f"!cir.union<{{{cir}}}>", round_up(members[chosen].size, align), align, leaves, tags={"unions"})
        end, leaves = 0, []
        for k, t in enumerate(members):
            end = round_up(end, t.align) + t.size
            leaves += [(f".m{i}_{k}" + path, c, b) for path, c, b in t.leaves]
        return f" struct {{ {body} }};", Type("", f"!cir.struct<{{{cir}}}>", round_up(end, align), align, leaves)

    def record(self, depth=2):
        roll = self.rng.random()
        if roll < 0.05:
            t = self.empty()
        elif roll < 0.17:
            t = self.union(depth)
        elif roll < 0.22:
            t = self.owner()
        elif roll < 0.25 and self.compiler == "clang" and self.target not in MICROSOFT:
            t = self.trivial()
        elif roll < 0.28 and self.compiler == "clang":  # to gcc, such an array has no class
            t = self.flexible()
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
        align = max(t.align, self.address)
        self.layout(name, align, align, "cannot_pass_in_regs", "false")
        size = round_up(round_up(t.size, self.address) + self.address, align)
        return Type(name, f"!{name}", size, align, [(".x" + p, c, b) for p, c, b in t.leaves], owner=True, natural=align)

    def trivial(self):
        """Has a copy constructor and a destructor, and goes as if it had not."""
        t = self.rng.choice([x for x in self.rng.choice(self.scalars) if x.align == x.natural])
        name = self.name(f"struct __attribute__((trivial_abi)) %s {{ {t.cpp} x; %s() {{}} %s(const %s &o) : x(o.x) {{}} ~%s() {{}} }};",
                         f'!cir.struct<"%s" {{data {t.cir}}}>')
        self.layouts.append(f"{name} = #cir.record_layout<arg_passing_kind = can_pass_in_regs, has_trivial_dtor = false, record_align = {t.align}>")
        return Type(name, f"!{name}", t.size, t.align, [(".x" + p, c, b) for p, c, b in t.leaves], tags={"class", "trivial"})

    def flexible(self):
        head, t = (self.rng.choice([x for x in self.rng.choice(self.scalars) if x.align == x.natural]) for _ in range(2))
        align = max(head.align, t.align)
        size = round_up(round_up(head.size, t.align), align)
        name = self.name(f"struct %s {{ {self.declare(head, 'm')} {t.cpp} rest[]; }};",
                         f'!cir.struct<"%s" {{data {head.cir}, data !cir.array<{t.cir} x 0>}}>')
        self.layout(name, align, align)
        return Type(name, f"!{name}", size, align, [(".m" + p, c, b) for p, c, b in head.leaves], tags={"flexible"})

    def union(self, depth):
        members, arm_gcc = [], self.target == ARM and self.compiler == "gcc"  # to g++, one with an empty class is not homogeneous
        while not members:
            members = [m for m in (self.member_type(depth) for _ in range(self.rng.randint(1, 4)))
                       if not m.owner and m.align == m.natural and "class" not in m.tags and not (m.empty and arm_gcc)]
        body = " ".join(self.declare(m, f"m{i}") for i, m in enumerate(members))
        align = max(m.align for m in members)
        size = round_up(max(m.size for m in members), align)
        name = self.name(f"union %s {{ {body} }};", f'!cir.union<"%s" {{{", ".join("data " + m.cir for m in members)}}}>')
        self.layout(name, align, align)
        chosen = max(range(len(members)), key=lambda i: members[i].size)
        leaves = [(f".m{chosen}" + p, c, b) for p, c, b in members[chosen].leaves]
        return Type(name, f"!{name}", size, align, leaves, empty=all(m.empty for m in members), tags={"union", "unions"} | inherited(members))

    def base(self):
        """A class to derive from. Others may begin in its tail padding if it has a constructor, or a base itself; on Windows not."""
        t = self.rng.choice(self.records) if self.records and self.rng.random() < 0.2 else None
        if not t or t.owner or t.empty or t.tags & {"union", "packed", "flexible", "trivial"}:
            return None
        if self.target in MICROSOFT and (t.derived or t.align != t.natural):
            return None
        if not t.without_tail and (t.align != t.natural or t.derived):
            return None
        part = t.without_tail or t
        leaves = [(f".{t.cpp}::{path[1:]}", c, b) for path, c, b in t.leaves]
        return Type(t.cpp, part.cir, part.size, t.align, leaves, natural=part.natural, derived=t.derived, tags=t.tags)

    def struct_members(self, depth, limit, base):
        """Their text and (mark, type, offset)"""
        text, members, end = "", [("data", base, 0)] if base else [], base.size if base else 0
        for i in range(self.rng.choice([1, 1, 2, 2, 2, 3, 3, 4, 5])):
            roll, attribute, mark = self.rng.random(), "", "data"
            if not limit and roll < 0.1 and members and members[-1][1].tags == {"mixed", "bits"}:
                continue  # they would begin in what the last byte has left
            if not limit and roll < 0.1:
                mixed = self.elf and roll < 0.05
                more, t, at = (self.mixed_bit_fields if mixed else self.bit_fields)(i, end)
                mark = "bitfield"
            elif not limit and roll < 0.15:
                more, t = self.anonymous(i)
                at = round_up(end, t.align)
            else:
                t = self.member_type(depth)
                if t.owner or (limit and t.tags & {"derived", "class"}):  # what is no POD is not packed
                    t = self.scalar()
                align = min(t.align, limit) if limit else t.align
                if limit == 1 and roll < 0.3:
                    align = self.rng.choice([2, 4, 8, 16][:3 if self.target in ARMS else 4])  # there, 16 of a member and of the record differ
                    attribute = f" __attribute__((aligned({align})))"
                overlaps = not limit and self.target not in MICROSOFT and t.without_tail and "array" not in t.tags and roll > 0.6
                more = (" [[no_unique_address]] " if overlaps else " ") + self.declare(t, f"m{i}", attribute)
                mark = "empty" if t.empty and roll > 0.55 and self.target not in ARMS else "data"  # where a field is none of an empty class
                leaves = [(f".m{i}" + p, c, b) for p, c, b in t.leaves]
                t = t.without_tail if overlaps else t
                t = Type(t.cpp, t.cir, t.size, align, leaves, natural=t.natural, empty=t.empty, tags=t.tags - {"array"})
                at = round_up(end, align)
            text += more
            members.append((mark, t, at))
            end = at + t.size
        return text, members, end

    def struct_body(self, members, size, base=False):
        """The members as CIR has them, with what padding its rules do not find, and their alignment by those. As clang, packed where need be."""
        natural = max(t.natural for _, t, _ in members)
        packed = base or size % natural or any(offset % t.natural for _, t, offset in members)
        marks, at = [], 0
        for mark, t, offset in members:
            if (at if packed else round_up(at, t.natural)) != offset:
                marks.append(f"pad !cir.array<!u8i x {offset - at}>")
            marks.append(f"{mark} {t.cir}")
            at = offset + t.size
        natural = 1 if packed else natural
        if round_up(at, natural) != size:
            marks.append(f"pad !cir.array<!u8i x {size - at}>")
        return f'{"packed " if packed else ""}{{{", ".join(marks)}}}', natural

    def struct(self, depth):
        roll = self.rng.random()
        limit = 1 if roll < 0.08 and self.elf else self.rng.choice([2, 4]) if roll > 0.95 and self.elf else 0  # Windows keeps some members aligned
        alignas = self.rng.choice([16, 32, 64, 128]) if not limit and self.rng.random() < 0.06 else 0
        base = None if limit or alignas else self.base()
        text, members, end = self.struct_members(depth, limit, base)
        no_data = all(t.empty for _, t, _ in members)
        align = max(t.align for _, t, _ in members)
        alignas = alignas if alignas > align and not (no_data and self.compiler == "gcc") else 0  # to g++, it has no class, however large
        align = max(align, alignas)
        size = round_up(end, align)
        body, natural = self.struct_body(members, size)
        attribute = "__attribute__((packed)) " if limit == 1 else f"alignas({alignas}) " if alignas else ""
        constructed = not limit and not no_data and self.rng.random() < 0.15
        before, behind = (f"#pragma pack(push, {limit})\n", "\n#pragma pack(pop)") if limit > 1 else ("", "")
        text = f"{before}struct {attribute}%s{f' : {base.cpp}' if base else ''} {{{text}{' %s() {}' if constructed else ''} }};{behind}"
        name = self.name(text, f'!cir.struct<"%s" {body}>')
        self.layout(name, align, natural)
        tags = inherited([t for _, t, _ in members]) | ({"derived"} if base else set()) | ({"packed"} if limit else set()) | ({"class"} if constructed else set())
        homogeneous = f', homogeneous = {"false" if "class" in tags else "true"}' if self.target == WINARM else ""
        self.traits.append(f'{name} = {{aggregate = {"false" if constructed or base else "true"}{homogeneous}}}')
        leaves = [leaf for _, t, _ in members for leaf in t.leaves]
        made = Type(name, f"!{name}", size, align, leaves, natural=natural, empty=no_data, derived=base is not None, tags=tags)
        if (constructed or base or tags & {"derived", "class"}) and end != size and self.target not in MICROSOFT:  # no POD
            body, _ = self.struct_body(members, end, True)
            self.aliases.append(f'!{name}_base = !cir.struct<"{name}.base" {body}>')
            made.without_tail = Type(name, f"!{name}_base", end, align, leaves, natural=1, derived=made.derived, tags=tags)
        return made

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
        if s.style in METHODS and self.target not in MICROSOFT:
            s.style = "slots"
        if s.style in METHODS and self.rng.random() < 0.5:
            s.result = self.record()
        if s.style == "no_proto":
            s.params = [t for t in params if self.may_be_variadic(t, "variadic")]
        if s.style in VARIADIC:
            s.nfixed = self.rng.randint(1, 3)
            s.params = [t for n, t in enumerate(params) if n < s.nfixed or self.may_be_variadic(t, s.style)]
            s.style = "slots" if len(s.params) <= s.nfixed else s.style
        return s

    def may_be_variadic(self, t, style):
        """Stays as it is behind an ellipsis. clang's callers for Windows give vectors of no 16 bytes in another way than clang reads them."""
        if not self.elf and style != "variadic" and t.cir.startswith("!cir.vector") and (t.size != 16 or t.cpp == "wide1"):
            return False
        if not self.elf and "flexible" in t.tags:
            return False  # its address goes there, and clang reads it
        if self.target == WASM and any(leaf[1] in VECTORS or leaf[1].endswith(WIDE_BITS) for leaf in t.leaves):
            return False  # LLVM takes them apart, or aligns them otherwise than clang reads them
        if self.target == ARM and any(leaf[1] == "wide1" for leaf in t.leaves):
            return False  # clang's callers have it in general registers, and clang reads it from those of vectors
        if self.compiler == "gcc" and t.cir.startswith("!S") and t.align == 16:
            return False  # g++ 12 -O2 reads a union of __int128 and a vector as if the saved registers were aligned
        narrow = {"bool", "signed char", "unsigned char", "short", "unsigned short", "float", "half", "brain"}
        return not t.owner and not t.empty and not t.tags & {"derived", "class"} and t.cpp not in narrow


READS = ("va_arg", "va_copy", "given_list")  # cir_N reads the rest of its arguments: they, a copy of the list, another's list
VARIADIC = ("variadic", "gives_list", *READS)  # cxx_N reads them, or the list that cir_N has begun
METHODS = ("method", "virtual")  # MSVC: both are members of a class; called through its virtual table
SLOTS = ("slots", "pointer", "unwind", "variadic", "no_proto", *METHODS)  # styles that keep parameters in variables, as front ends do
STYLES = ["slots", "slots", "slots", "values", "values", "pointer", "musttail", "unwind", "no_proto", *METHODS, *METHODS, *VARIADIC]


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

    def method_name(self, side):
        """As Microsoft's compiler has it, but for the types."""
        return f"?{side}_{self.i}@Object_{self.i}@@{'U' if self.style == 'virtual' else 'Q'}EAAXXZ"

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

    def cpp_methods(self, body, made, call):
        virtual = "virtual " if self.style == "virtual" else ""
        members = "".join(f' {virtual}{self.cpp_result()} {side}_{self.i}({self.cpp_params()}) __asm__("{self.method_name(side)}");' for side in ("cxx", "cir"))
        return (f"struct Object_{self.i} {{ int key = {self.i};{members} }};\n"
                f"{self.cpp_result()} Object_{self.i}::cxx_{self.i}({self.cpp_params()}) {{ if (key != {self.i}) fail({self.i}, {THIS});{body} }}\n"
                f"static void test_{self.i}() {{ static Object_{self.i} *volatile place; Object_{self.i} its; place = &its; Object_{self.i} &object = *place;"
                f"{made} {call} }}\n")

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
        if self.style in METHODS:
            return self.cpp_methods(checks + back, made, call.replace("cir_", "object.cir_"))
        win = " __attribute__((ms_abi))" if self.win else ""
        ours = {"va_arg": "...", "va_copy": "...", "gives_list": "...", "given_list": "__builtin_va_list list"}.get(self.style)
        theirs = {"variadic": "...", "gives_list": "__builtin_va_list list"}.get(self.style)
        return (f'extern "C" {self.cpp_result()} cir_{self.i}({self.cpp_params(ours)}){win};\n'
                f'extern "C"{win} {self.cpp_result()} cxx_{self.i}({self.cpp_params(theirs)}) {{{checks}{back} }}\n'
                + (self.cpp_given_list() if self.style == "given_list" else "") +
                f"static void test_{self.i}() {{{made} {call} }}\n")

    def declaration(self):
        if self.style in METHODS:
            return f"struct Object_{self.i} {{ void *v; {self.cpp_result()} cxx({self.cpp_params()}) __asm__(\"{self.method_name('cxx')}\"); }};\n" \
                   f"{self.cpp_result()} Object_{self.i}::cxx({self.cpp_params()}) {{ __builtin_unreachable(); }}\n"
        rest = "..." if self.style == "variadic" else None
        text = f'extern "C"{" __attribute__((ms_abi))" if self.win else ""} {self.cpp_result()} cxx_{self.i}({self.cpp_params(rest)}) {{ __builtin_unreachable(); }}\n'
        if rest:
            args = ", ".join(f"a{n}" for n in range(len(self.params)))
            text += f'extern "C" {self.cpp_result()} cir_{self.i}({self.cpp_params()}) {{ return cxx_{self.i}({args}); }}\n'
        return text

    # CIR

    def list_type(self):
        """A list as a parameter."""
        return "!cir.ptr<!rec___va_list_tag>" if self.target == ELF else self.list_value()

    def list_value(self):
        """What a variable holds that is a list."""
        return "!rec___va_list" if self.target == ARM else "!cir.ptr<!s8i>"

    def cir_params(self):
        types = [OBJECT] * (self.style in METHODS) + [t.cir for t in self.params]
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
        return [f'  %{name} = cir.alloca "{name}" align(8) : !cir.ptr<{self.list_value()}>']

    def read_rest(self):
        """The arguments behind the parameters become %aN as well, or the list %given."""
        tag = "!cir.ptr<!rec___va_list_tag>" if self.target == ELF else f"!cir.ptr<{self.list_value()}>"
        given, name = self.style == "given_list", "list"
        if given and self.target == ELF:
            lines, name = [], "given"
        else:
            lines = self.begin_list(name)
            lines.append(f"  cir.store %given, %{name} : {self.list_value()}, {tag}" if given else f"  cir.va_start %{name} : {tag}")
        if self.style == "gives_list":
            return lines + ([] if self.target == ELF else [f"  %given = cir.load %{name} : {tag}, {self.list_value()}"])
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
        if self.style in METHODS:
            theirs = f'cir.func private @"{self.method_name("cxx")}"{self.cir_type()}'
            ours = f'cir.func @"{self.method_name("cir")}"({", ".join([f"%this: {OBJECT}", *named])}){self.cir_result()} {{'
            return [theirs, ours] if self.style == "method" else [ours]
        win = " cc(x86_wincall)" if self.win else ""
        theirs = f"no_proto private @cxx_{self.i}(...){self.cir_result()}" if self.style == "no_proto" else f"private @cxx_{self.i}{self.cir_type()}{win}"
        return [f"cir.func {theirs}", f"cir.func @cir_{self.i}({', '.join(named)}){self.cir_result()}{win} {{"]

    def cir(self):
        lines = self.cir_head()
        args = [f"%a{n}" for n in range(len(self.params))]
        callee = f"@cxx_{self.i}" if self.style not in METHODS else f'@"{self.method_name("cxx")}"'
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
                lines.append(f"  cir.store align({t.align}) %a{n}, %s{n} : {t.cir}, !cir.ptr<{t.cir}>")
            if self.style == "pointer":
                pointer = f"!cir.ptr<!cir.func<{self.cir_type()}>>"
                lines.append(f"  %f = cir.get_global @cxx_{self.i} : {pointer}")
                lines.append(f'  %fs = cir.alloca "f" : !cir.ptr<{pointer}>')
                lines.append(f"  cir.store %f, %fs : {pointer}, !cir.ptr<{pointer}>")
                lines.append(f"  %fl = cir.load %fs : !cir.ptr<{pointer}>, {pointer}")
                callee = "%fl"
            if self.style == "virtual":
                pointer = f"!cir.ptr<!cir.func<{self.cir_type()}>>"
                lines.append(f"  %vp = cir.vtable.get_vptr %this : {OBJECT} -> !cir.ptr<!cir.vptr>")
                lines.append("  %vt = cir.load %vp : !cir.ptr<!cir.vptr>, !cir.vptr")
                lines.append(f"  %vs = cir.vtable.get_virtual_fn_addr %vt[0] : !cir.vptr -> !cir.ptr<{pointer}>")
                lines.append(f"  %vf = cir.load %vs : !cir.ptr<{pointer}>, {pointer}")
                callee = "%vf"
            if self.style == "unwind":
                lines.append("  cir.cleanup.scope {")
            for n, t in enumerate(self.params):
                lines.append(f"  %l{n} = cir.load align({t.align}) %s{n} : !cir.ptr<{t.cir}>, {t.cir}")
                args[n] = f"%l{n}"
        args = ["%this"] * (self.style in METHODS) + args
        lines.append("  " + self.call(callee, args, self.style))
        if self.result and self.style in SLOTS:
            lines.append(f"  cir.store align({self.result.align}) %r, %rs : {self.result.cir}, !cir.ptr<{self.result.cir}>")
        if self.style == "unwind":
            lines.append("  cir.yield\n  } cleanup all {\n    cir.call @noted() nothrow : () -> ()\n  }")
        if self.result and self.style in SLOTS:
            lines.append(f"  %rl = cir.load align({self.result.align}) %rs : !cir.ptr<{self.result.cir}>, {self.result.cir}")
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


OBJECT = "!cir.ptr<!rec_Object>"
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
!rec_Object = !cir.struct<"Object" {data !cir.vptr}>
!rec_Members = !cir.struct<"Members" {data !s32i}>
!rec___va_list_tag = !cir.struct<"__va_list_tag" {data !u32i, data !u32i, data !cir.ptr<!void>, data !cir.ptr<!void>}>
!rec___va_list = !cir.struct<"std::__va_list" {data !cir.ptr<!void>, data !cir.ptr<!void>, data !cir.ptr<!void>, data !s32i, data !s32i}>
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
        text += f'module attributes {{cir.lang = #cir.lang<cxx>, cir.record_layouts = {{{", ".join(g.layouts)}}}, cir.record_traits = {{{", ".join(g.traits)}}}, cir.triple = "{g.target}"}} {{\n'
        text += "cir.func private @noted() attributes {nothrow}\n"
        # abi.h has it; circ refuses what would call it on windows-gnu unless it is told that there is one.
        if g.target != WASM:
            text += "cir.func private @__truncsfbf2(!cir.float) -> !cir.bf16\n"
        text += 'cir.global "private" constant external @_ZTI7Members : !cir.ptr<!u8i> {cir.ms.bases = []}\n'
        return text + "\n".join(s.cir() for s in self.signatures) + "\n}\n"

    def cpp(self):
        text = '#include "abi.h"\n' + "\n".join(self.generator.cpp) + "\n" + "".join(s.cpp() for s in self.signatures)
        calls = "".join(f" test_{s.i}();" for s in self.signatures)
        return text + f"int main() {{{calls} return finish(); }}\n"

    def declarations(self):
        """Definitions of all cxx_N that LLVM IR shows, and calls of variadic ones."""
        text = '#include "abi.h"\n' + "\n".join(self.generator.cpp) + "\n"
        return text + "".join(s.declaration() for s in self.signatures)
