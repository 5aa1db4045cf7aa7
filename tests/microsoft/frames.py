#!/usr/bin/env python3
"""Reads back the tables by which Microsoft's runtime unwinds (__CxxFrameHandler3), which llvm-readobj does not decode.

    frames.py show OBJECT...                                       prints them
    frames.py tables --circ CIRC [--clang CLANG++]                 frames/tables.cir against clang's object of frames/tables.cpp: number by number
    frames.py programs --circ CIRC [--clang CLANG++] [PROGRAM...]  the programs of tests/e2e against clang's objects of their C++ twins

    --target aarch64-pc-windows-msvc: the same for another target than x86_64's

`programs` checks every table that circ makes at -O0 and -O2 against what the format demands, and at -O0 each function that the twin has too
against clang's: the tree of states, the tries in it, the types of their handlers. Numbers follow the order of blocks there, and
adjective 8 is left out: CIR's handlers of classes get the address of the object, also where those of C++ take it by value.
Exit status: 0 the same, 1 differences, 77 not possible here.
"""
import argparse
import collections
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent / "e2e"), str(HERE.parent / "wine")]
import run as e2e  # noqa: E402  (tests/e2e/run.py)

SKIPPED = 77
MAGIC = 0x19930522
AMD64, ARM64 = 0x8664, 0xaa64
REFERENCE, CATCH_ALL = 8, 64  # adjectives
HAS_HANDLER = 3  # UNW_FLAG_EHANDLER | UNW_FLAG_UHANDLER

Place = collections.namedtuple("Place", "section offset")
Symbol = collections.namedtuple("Symbol", "name section value")
Handler = collections.namedtuple("Handler", "adjectives type has_object code")
Try = collections.namedtuple("Try", "low high catch_high handlers")
Unwind = collections.namedtuple("Unwind", "to action")
Frame = collections.namedtuple("Frame", "name unwind tries ips flags help")


class Wrong(Exception):
    """The object, or a table in it, is not what the format demands."""


class Coff:
    """Sections, symbols and relocations of an object for x86_64 or AArch64."""

    def __init__(self, path):
        self.data = pathlib.Path(path).read_bytes()
        machine, nsections, _, symbols, nsymbols, _, _ = struct.unpack_from("<HHIIIHH", self.data)
        if machine not in (AMD64, ARM64):
            raise Wrong(f"{path} is no COFF object for x86_64 or AArch64")
        self.machine = machine
        strings = symbols + 18 * nsymbols
        self.symbols = self.read_symbols(symbols, nsymbols, strings)
        self.sections, self.relocations = [None], [None]  # numbered from 1
        for n in range(nsections):
            at = 20 + 40 * n
            size, raw, relocations = struct.unpack_from("<III", self.data, at + 16)
            count, = struct.unpack_from("<H", self.data, at + 32)
            name = self.data[at:at + 8].rstrip(b"\0").decode()
            self.sections.append((name, self.data[raw:raw + size] if raw else b""))
            found = [struct.unpack_from("<IIH", self.data, relocations + 10 * k) for k in range(count)]
            self.relocations.append({offset: self.symbols[symbol] for offset, symbol, _ in found})

    def read_symbols(self, at, count, strings):
        found = []
        while len(found) < count:
            name, value, section, _, _, more = struct.unpack_from("<8sIhHBB", self.data, at + 18 * len(found))
            zero, offset = struct.unpack("<II", name)
            if zero == 0:
                name = self.data[strings + offset:self.data.index(b"\0", strings + offset)]
            found += [Symbol(name.rstrip(b"\0").decode(), section, value)] * (1 + more)
        return found

    def word(self, place, index=0, signed=False):
        return struct.unpack_from("<i" if signed else "<I", self.sections[place.section][1], place.offset + 4 * index)[0]

    def target(self, place, index=0):
        """What the address at a place means: a symbol and where it is, or None for 0."""
        symbol = self.relocations[place.section].get(place.offset + 4 * index)
        if not symbol:
            if self.word(place, index):
                raise Wrong(f"an address without a relocation in {self.sections[place.section][0]}")
            return None, None
        return symbol.name, Place(symbol.section, symbol.value + self.word(place, index))

    def functions(self):
        """Symbols of code by place, so that an address has a name."""
        return {Place(s.section, s.value): s.name for s in self.symbols if s.section > 0}


def read_frame(coff, name, at):
    if coff.word(at) != MAGIC:
        raise Wrong(f"{name}: magic number {coff.word(at):#x}")
    max_state, ntries, nips = coff.word(at, 1), coff.word(at, 3), coff.word(at, 5)
    unwind, tries, ips = [], [], []
    _, table = coff.target(at, 2)
    for n in range(max_state):
        row = Place(table.section, table.offset + 8 * n)
        unwind.append(Unwind(coff.word(row, 0, True), coff.target(row, 1)[0]))
    _, table = coff.target(at, 4)
    for n in range(ntries):
        row = Place(table.section, table.offset + 20 * n)
        handlers, _, count = [], None, coff.word(row, 3)
        _, array = coff.target(row, 4)
        for k in range(count):
            entry = Place(array.section, array.offset + 20 * k)
            handlers.append(Handler(coff.word(entry), coff.target(entry, 1)[0], coff.word(entry, 2) != 0, coff.target(entry, 3)[0]))
        tries.append(Try(*(coff.word(row, k, True) for k in range(3)), handlers))
    _, table = coff.target(at, 6)
    for n in range(nips):
        row = Place(table.section, table.offset + 8 * n)
        ips.append((coff.target(row)[1], coff.word(row, 1, True)))
    return Frame(name, unwind, tries, ips, coff.word(at, 9), coff.word(at, 7))


def handler_amd64(coff, section, size):
    """Where the handlers of functions are named, behind their unwind codes."""
    for offset in range(0, size, 12):
        _, info = coff.target(Place(section, offset), 2)
        flags, _, ncodes = coff.sections[info.section][1][info.offset:info.offset + 3]
        if flags >> 3 & HAS_HANDLER:
            yield Place(info.section, info.offset + 4 + 2 * (ncodes + ncodes % 2))


def handler_arm64(coff, section, size):
    """The same ("ARM64 exception handling", ".xdata records", at learn.microsoft.com)."""
    for offset in range(0, size, 8):
        place = Place(section, offset)
        if coff.word(place, 1) & 3:
            continue  # packed: without a handler
        _, info = coff.target(place, 1)
        head = coff.word(info)
        if head >> 18 & 3:
            raise Wrong(f"unwind data of version {head >> 18 & 3}")
        has_handler, one_epilog, epilogs, codes, at = head >> 20 & 1, head >> 21 & 1, head >> 22 & 31, head >> 27, 1
        if not epilogs and not codes:
            epilogs, codes, at = coff.word(info, 1) & 0xffff, coff.word(info, 1) >> 16 & 0xff, 2
        if has_handler:
            yield Place(info.section, info.offset + 4 * (at + (0 if one_epilog else epilogs) + codes))


def read_frames(path):
    """The tables of each function of an object that has any; which functions have unwind data comes from .pdata."""
    coff, found = Coff(path), {}
    for section, (name, data) in enumerate(coff.sections[1:], 1) if coff.sections else ():
        if name != ".pdata":
            continue
        for tail in (handler_arm64 if coff.machine == ARM64 else handler_amd64)(coff, section, len(data)):
            if coff.target(tail)[0] != "__CxxFrameHandler3":
                continue
            label, at = coff.target(tail, 1)
            if at not in found:
                found[at] = read_frame(coff, label.removeprefix("$cppxdata$"), at)
    return list(found.values())


# --- what the format demands ---------------------------------------------------------------------------------------

def check_frame(frame, circ=False, flags=1):
    states = range(-1, len(frame.unwind))
    for state, row in enumerate(frame.unwind):
        if not -1 <= row.to < state:
            raise Wrong(f"{frame.name}: state {state} unwinds to {row.to}")
    for block in frame.tries:
        if not 0 <= block.low <= block.high < block.catch_high < len(frame.unwind):
            raise Wrong(f"{frame.name}: a try of {block.low} to {block.high}, its handlers to {block.catch_high}")
        for n, handler in enumerate(block.handlers):
            if not handler.code:
                raise Wrong(f"{frame.name}: a handler without code")
            is_class = (handler.type or "").startswith("??_R0?A")
            if circ and is_class and not handler.adjectives & REFERENCE:
                raise Wrong(f"{frame.name}: a handler of {handler.type} that is not by reference")
            if not handler.type and (n + 1 < len(block.handlers) or not handler.adjectives & CATCH_ALL):
                raise Wrong(f"{frame.name}: a catch-all that is not last, or without its adjective")
    for n, inner in enumerate(frame.tries):
        for outer in frame.tries[:n]:
            if outer.low <= inner.low and inner.high <= outer.high:
                raise Wrong(f"{frame.name}: an outer try before one inside of it, which would not be asked")
    if any(state not in states for _, state in frame.ips):
        raise Wrong(f"{frame.name}: code in a state that there is not")
    if any(a[0].section == b[0].section and a[0].offset > b[0].offset for a, b in zip(frame.ips, frame.ips[1:])):
        raise Wrong(f"{frame.name}: the states of code are not in its order")
    if frame.flags != flags:
        raise Wrong(f"{frame.name}: flags {frame.flags}, expected {flags} (1: /EHs)")


# --- what is the same in two objects -------------------------------------------------------------------------------

def shape(frame):
    """The tree of states without their numbers: what each does, which tries there are, and what their handlers catch."""
    inside = collections.defaultdict(list)
    for state, row in enumerate(frame.unwind):
        inside[row.to].append(state)

    def handlers(block):
        return ", ".join(f"{h.type or '...'} {h.adjectives & ~REFERENCE}{' object' if h.has_object else ''}" for h in block.handlers)

    def tree(state):
        tries = [block for block in frame.tries if block.low == state]
        what = [f"try [{handlers(block)}]" for block in reversed(tries)]
        what += ["cleanup"] * (frame.unwind[state].action is not None)
        return "(" + " ".join([*(what or ["handlers"]), *sorted(map(tree, inside[state]))]) + ")"

    return " ".join(sorted(map(tree, inside[-1])))


def numbers(frame, with_code):
    """All but names and addresses of code."""
    tries = [block._replace(handlers=[h._replace(code=None) for h in block.handlers]) for block in frame.tries]
    return [(row.to, row.action is not None) for row in frame.unwind], tries, [state for _, state in frame.ips if with_code], frame.flags


def show(frame):
    print(f"{frame.name}: flags {frame.flags}, slot of the runtime at {frame.help}")
    for state, row in enumerate(frame.unwind):
        print(f"  state {state} unwinds to {row.to}{f' by {row.action}' if row.action else ''}")
    for block in frame.tries:
        print(f"  try in states {block.low} to {block.high}, handlers to {block.catch_high}")
        for h in block.handlers:
            print(f"    catch {h.type or '...'} adjectives {h.adjectives}{' object' if h.has_object else ''} by {h.code}")
    print("  code:", ", ".join(f"{place.offset:#x} {state}" for place, state in frame.ips))
    print("  shape:", shape(frame))


# --- the programs of tests/e2e -------------------------------------------------------------------------------------
# Twins that are another program there: function, and why.
OTHERWISE = {
    "1_structured_exits": "the twin has two objects for each cleanup, one to tell what the path was",
    "5_cleanups_and_noexcept_terminate": "clang terminates by a cleanup",
    "5_structured_cleanup_with_a_try": "the cleanup of the twin is a function that is not inlined",
    "6_begin_catch_gives_the_object": "the twin has two handlers in one try",
    "array_initialized": "clang's cleanup of the first elements ends with the initialization; in the text it goes on, told that there are none",
    "catch_params": "the runtime makes the copies of the twin",
    "conditional_temporary_order": "clang's cleanup of the last temporary begins behind what throws; in the text around it, with a flag",
    "identity": "a cleanup for exceptions alone is a handler that rethrows, in the twin",
    "static_locals": "the twin's object of the scope is its guard",
    "try_in_cleanup": "the cleanup of the twin is a function that is not inlined",
    "try_in_handler_in_cleanup": "the cleanup of the twin is a function that is not inlined",
}


class Compare:
    def __init__(self, options, folder):
        self.circ, self.clang, self.folder = os.path.abspath(options.circ), options.clang, pathlib.Path(folder)
        self.shared = getattr(options, "shared", None)
        self.target = [f"--target={options.target}"]
        self.pairs = ["msvc"] + ["aarch64"] * options.target.startswith("aarch64")  # whose programs
        self.frames = self.same = 0
        # Versions of LLVM divide the code into ranges of states in ways of their own.
        versions = [subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout for tool in (self.circ, self.clang)]
        self.llvm, clang_llvm = (int(re.search(r"(?:LLVM|version) (\d+)", text).group(1)) for text in versions)
        self.same_llvm = self.llvm == clang_llvm

    def run(self, command):
        done = subprocess.run([str(word) for word in command], cwd=self.folder, capture_output=True, text=True, timeout=300, check=False)
        if done.returncode:
            raise Wrong(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stderr}")

    def ours(self, source, level, more=()):
        self.run([self.circ, *e2e.PAIRS["msvc"]["circ"], *self.target, *more, level, "-c", source, "-o", "circ.obj"])
        frames = {frame.name: frame for frame in read_frames(self.folder / "circ.obj")}
        for frame in frames.values():
            check_frame(frame, circ=True, flags=0 if "--eh=async" in more else 1)
        self.frames += len(frames)
        return frames

    def theirs(self, source, level):
        self.run([self.clang, *e2e.CXX_FLAGS, *e2e.PAIRS["msvc"]["compile"], *self.target, "-w", level, "-DTWIN", "-c", source, "-o", "clang.obj"])
        return {frame.name: frame for frame in read_frames(self.folder / "clang.obj")}

    def tables(self, level):
        """The differences, as text."""
        ours, theirs = self.ours(HERE / "frames" / "tables.cir", level), self.theirs(HERE / "frames" / "tables.cpp", level)
        for name in sorted(ours.keys() | theirs.keys()):
            pair = [numbers(list_[name], self.same_llvm) if name in list_ else None for list_ in (ours, theirs)]
            self.same += pair[0] == pair[1]
            if pair[0] != pair[1]:
                yield f"{name} {level}\n  circ  {pair[0]}\n  clang {pair[1]}"

    def program(self, path):
        text = path.read_text(encoding="utf-8")
        header, name = e2e.Header(text), path.name.removesuffix(".in").removesuffix(".cir")
        if header.errors or header.form != ["flat"] or any(pair not in header.pairs or pair in header.excluded for pair in self.pairs):
            return
        if self.llvm < int(header.llvm[0]):
            raise e2e.Skip(f"needs LLVM {header.llvm[0]} or later")
        source = self.folder / f"{name}.cir"
        source.write_text(e2e.insert_listings(text, self.shared), encoding="utf-8")
        self.ours(source, "-O2", header.circ)
        ours, beside = self.ours(source, "-O0", header.circ), path.with_name(f"{name}.cpp")
        if not beside.exists() or "#ifdef TWIN" not in beside.read_text(encoding="utf-8"):
            return
        theirs, different = self.theirs(beside, "-O0"), []
        for function in ours.keys() & theirs.keys():
            pair = shape(ours[function]), shape(theirs[function])
            if pair[0] == pair[1]:
                self.same += 1
            else:
                different.append(f"{name} {function}\n  circ  {pair[0]}\n  clang {pair[1]}")
        if name not in OTHERWISE:
            yield from different
        elif not different:
            yield f"{name} is like its twin now: it need not be in OTHERWISE"


def compare(options, what):
    different = 0
    with tempfile.TemporaryDirectory() as folder:
        run = Compare(options, folder)
        for one in what:
            try:
                for text in run.tables(one) if isinstance(one, str) else run.program(one.resolve()):
                    different += 1
                    print(text, flush=True)
            except (Wrong, e2e.Failure) as error:
                if re.search("there is no libcircrt for it|where faults are no exceptions", str(error)):
                    continue
                different += 1
                print(f"{one}: {error}"[:3000], flush=True)
            except e2e.Skip as why:
                print(f"{one} left out: {why}")
        print(f"{run.frames} functions with tables, {run.same} of them compared and as clang's, {different} differences")
    return 1 if different or not run.same else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("show").add_argument("objects", nargs="+")
    for command in ("tables", "programs"):
        more = commands.add_parser(command)
        more.add_argument("--circ", required=True)
        more.add_argument("--clang", default=shutil.which("clang++-22") or "clang++")
        more.add_argument("--target", default="x86_64-pc-windows-msvc")
    more.add_argument("--shared", default=str(HERE.parents[2] / "shared"), help="folder with specs/")
    more.add_argument("--every", type=int, default=1, metavar="N", help="each Nth program alone")
    more.add_argument("programs", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    if options.command != "show" and not shutil.which(options.clang):
        print("SKIPPED: no clang++ to compare with")
        return SKIPPED
    if options.command == "tables":
        return compare(options, ["-O0", "-O1", "-O2", "-Os"])
    if options.command == "programs":
        kinds = ("contract", "language", "programs", "spec")
        return compare(options, options.programs or [p for kind in kinds for p in sorted((HERE.parent / "e2e" / kind).glob("*.cir*"))][::options.every])
    for path in options.objects:
        for frame in read_frames(path):
            check_frame(frame)
            show(frame)
    return 0


if __name__ == "__main__":
    sys.exit(main())
