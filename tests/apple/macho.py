"""Objects in Mach-O for 64-bit processors: symbols, compact unwinding ("compact_unwind_encoding.h" of LLVM's libunwind), and what the language-specific
data of a function catches ("Exception Handling Tables" of the Itanium C++ ABI)."""
import collections
import pathlib
import struct

MAGIC, SEGMENT, SYMTAB = 0xfeedfacf, 0x19, 0x2
ARM64 = 0x0100000c
STAB, EXTERNAL, TYPE, IN_SECTION = 0xe0, 0x01, 0x0e, 0x0e
OMITTED = 0xff
MODES = {0x02000000: "frameless", 0x03000000: "dwarf", 0x04000000: "frame"}

Section = collections.namedtuple("Section", "segment name address data relocations")
Symbol = collections.namedtuple("Symbol", "name kind description section value")
Unwind = collections.namedtuple("Unwind", "mode personality catches")


class Wrong(Exception):
    """The object, or a table in it, is not what the format demands."""


def text_of(data):
    return data.split(b"\0", 1)[0].decode()


class MachO:
    def __init__(self, path):
        self.data = pathlib.Path(path).read_bytes()
        magic, cpu, _, kind, commands = struct.unpack_from("<IIIII", self.data)
        if (magic, cpu, kind) != (MAGIC, ARM64, 1):
            raise Wrong(f"{path} is no Mach-O object for AArch64")
        self.sections, self.symbols, at = [None], [], 32
        for _ in range(commands):
            command, size = struct.unpack_from("<II", self.data, at)
            if command == SEGMENT:
                self.read_sections(at)
            elif command == SYMTAB:
                self.read_symbols(*struct.unpack_from("<IIII", self.data, at + 8))
            at += size

    def read_sections(self, at):
        count, = struct.unpack_from("<I", self.data, at + 64)
        for n in range(count):
            name, segment, address, size, offset, _, begin, relocations, flags = struct.unpack_from("<16s16sQQIIIII", self.data, at + 72 + 80 * n)
            zeros = flags & 0xff in (1, 0x12)  # S_ZEROFILL, S_THREAD_LOCAL_ZEROFILL
            found = collections.defaultdict(list)
            for k in range(relocations):
                place, word = struct.unpack_from("<iI", self.data, begin + 8 * k)
                found[place].append((word & 0xffffff, word >> 27 & 1, word >> 28))  # symbol or section, is it a symbol, type
            self.sections.append(Section(text_of(segment), text_of(name), address, b"" if zeros else self.data[offset:offset + size], found))

    def read_symbols(self, at, count, strings, _):
        for n in range(count):
            name, kind, section, description, value = struct.unpack_from("<IBBHQ", self.data, at + 16 * n)
            self.symbols.append(Symbol(text_of(self.data[strings + name:strings + name + 4096]), kind, description, section, value))

    def section(self, name):
        return next((s for s in self.sections[1:] if s.name == name), None)

    def described(self):
        """Of each symbol: is it seen outside, how the linker merges it, and where it is."""
        found = set()
        for s in self.symbols:
            if s.kind & STAB or s.name.startswith(("l", "L")):
                continue
            where = self.sections[s.section] if s.kind & TYPE == IN_SECTION else None
            size = s.value if s.kind & TYPE == 0 and s.kind & EXTERNAL else 0  # of a common symbol
            found.add((s.name, s.kind & 0x1f, s.description, f"{where.segment},{where.name}" if where else "", size))
        return found

    def address(self, section, place):
        """What a pointer in the section means: the name of a symbol, or an address."""
        value, = struct.unpack_from("<Q", section.data, place)
        for number, is_symbol, _ in section.relocations.get(place, []):
            return (self.symbols[number].name, None) if is_symbol else (None, value)
        return None, value or None

    def unwinding(self):
        """Of each function: its row, and what it catches."""
        section = self.section("__compact_unwind")
        names = {s.value: s.name for s in self.symbols if s.kind & TYPE == IN_SECTION and not s.kind & STAB and not s.name.startswith(("l", "L"))}
        found = {}
        for at in range(0, len(section.data) if section else 0, 32):
            name, value = self.address(section, at)
            encoding, = struct.unpack_from("<I", section.data, at + 12)
            personality, _ = self.address(section, at + 16)
            label, lsda = self.address(section, at + 24)
            if label:
                lsda = next(s.value for s in self.symbols if s.name == label)
            mode = MODES.get(encoding & 0x0f000000)
            if not mode or bool(encoding & 0x40000000) != (lsda is not None):
                raise Wrong(f"{name or names.get(value)}: encoding {encoding:#x}")
            found[name or names.get(value)] = Unwind(mode, personality, self.catches(lsda) if lsda else None)
        return found

    # The data of a function

    def catches(self, address):
        """The chains of types that its calls are in: a set of tuples; "cleanup", "..." and lists are types, too."""
        section = next(s for s in self.sections[1:] if s.address <= address < s.address + len(s.data))
        data, at = section.data, address - section.address

        def leb(at, signed=False):
            value, shift = 0, 0
            while True:
                value |= (data[at] & 0x7f) << shift
                shift += 7
                at += 1
                if not data[at - 1] & 0x80:
                    break
            return (value - (1 << shift) if signed and value >> shift - 1 & 1 else value), at

        if data[at] != OMITTED:
            raise Wrong("landing pads that are not relative to the function")
        encoding, at = data[at + 1], at + 2
        types = None
        if encoding != OMITTED:
            length, at = leb(at)
            types = at + length
        call_sites, at = data[at], at + 1
        length, at = leb(at)
        rows, end = [], at + length
        while at < end:
            if call_sites == 0x01:  # uleb128
                values = []
                for _ in range(4):
                    value, at = leb(at)
                    values.append(value)
            elif call_sites == 0x03:  # udata4
                values, at = list(struct.unpack_from("<III", data, at)), at + 12
                value, at = leb(at)
                values.append(value)
            else:
                raise Wrong(f"call sites are encoded as {call_sites:#x}")
            rows.append(values)
        chains = set()
        for _, _, pad, action in rows:
            if pad:
                chains.add(tuple(self.chain(section, leb, end, types, encoding, action)))
        return frozenset(chains)

    def chain(self, section, leb, table, types, encoding, action):
        found, at = [], table + action - 1
        if not action:
            return ["cleanup"]
        while True:
            number, behind = leb(at, True)
            step, _ = leb(behind, True)
            if number > 0:
                found.append(self.type_at(section, types - 4 * number, encoding))
            elif number == 0:
                found.append("cleanup")
            else:
                names, place = [], types - number - 1
                while True:
                    index, place = leb(place)
                    if not index:
                        break
                    names.append(self.type_at(section, types - 4 * index, encoding))
                found.append("only " + " ".join(names))
            if not step:
                return found
            at = behind + step

    def type_at(self, section, place, encoding):
        if encoding != 0x9b:  # a 32-bit distance from here to the pointer
            raise Wrong(f"types are encoded as {encoding:#x}")
        for number, is_symbol, _ in section.relocations.get(place, []):
            if is_symbol:
                return self.symbols[number].name
        return "..."
