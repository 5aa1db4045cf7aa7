#!/usr/bin/env python3
"""What `circ explain` reads of COFF objects and PE images, next to what others read of them.

    compare_coff.py --circ CIRC --readobj LLVM-READOBJ [--clang CLANG++] [--mingw G++] [--every N] [FILE...]

Objects by clang for windows-msvc, by MinGW's g++ and by circ for both, and programs and DLLs of them; for AArch64 by clang, by circ, and of assembly that has
each unwind code. FILE: these instead. Held against each other:

- functions, their ranges, unwind codes and handlers: llvm-readobj --unwind
- the states, tries and handlers of __CxxFrameHandler3: tests/microsoft/frames.py, a reader of its own, and for each state the path that follows
- the rows of __C_specific_handler: the comments of clang's assembly
- what an image has: what the objects have that it was linked of
- what each call does on AArch64: what it does on x86_64, where programs run and tests/explain/truth.py compares it with what happens

Exit status: 0 the same, 1 differences, 77 not possible here.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
TESTS = HERE.parent
sys.path += [str(TESTS / "microsoft"), str(TESTS / "e2e"), str(TESTS / "wine")]
import frames  # noqa: E402  (tests/microsoft/frames.py)
import readobj_arm64  # noqa: E402
import run as e2e  # noqa: E402  (tests/e2e/run.py)

SKIPPED = 77
REGISTERS = "rax rcx rdx rbx rsp rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15".split()
ARM64 = "aarch64-pc-windows-msvc"


class Wrong(Exception):
    pass


def call(command, folder=None):
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=300, errors="replace", check=False)
    if done.returncode:
        raise Wrong(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stderr}")
    return done


def explain(options, path):
    done = call([options.circ, "explain", "--json", "--unwind-rows", path])
    if done.stderr:
        raise Wrong(f"{path}: {done.stderr}")
    return json.loads(done.stdout)


def same(what, ours, theirs):
    if ours == theirs:
        return
    for n, (a, b) in enumerate(zip(ours, theirs)):
        if a != b:
            raise Wrong(f"{what}: entry {n} of {len(theirs)}:\n  circ   {a}\n  expected {b}")
    raise Wrong(f"{what}: {len(ours)} entries, expected {len(theirs)}")


# --- llvm-readobj --unwind -----------------------------------------------------------------------------------------

def rule(line):
    """One unwind code, in circ's words."""
    offset, _, code = line.partition(": ")
    name, _, rest = code.partition(" ")
    value = dict(re.findall(r"(\w+)=(\w+)", rest))
    register = value.get("reg", "").lower()
    words = {
        "PUSH_NONVOL": lambda: f"push {register}",
        "ALLOC_SMALL": lambda: f"alloc {value['size']}",
        "ALLOC_LARGE": lambda: f"alloc {value['size']}",
        "SET_FPREG": lambda: f"frame {register}=rsp+{int(value['offset'], 0)}",
        "SAVE_NONVOL": lambda: f"save {register} at {int(value['offset'], 0)}",
        "SAVE_NONVOL_FAR": lambda: f"save {register} at {int(value['offset'], 0)}",
        "SAVE_XMM128": lambda: f"save {register} at {int(value['offset'], 0)}",
        "SAVE_XMM128_FAR": lambda: f"save {register} at {int(value['offset'], 0)}",
        "PUSH_MACHFRAME": lambda: "machine frame with error code" if value.get("errcode") == "yes" else "machine frame",
    }
    if name not in words:
        raise Wrong(f"llvm-readobj has an unwind code that this test does not know: {line}")
    return int(offset, 16), words[name]()


def places(options, path):
    """Name of a symbol -> its places (section, offset)."""
    found, here = collections.defaultdict(set), {}
    for line in call([options.readobj, "--symbols", path]).stdout.split("\n"):
        key, _, value = line.strip().partition(": ")
        here[key] = value
        if key == "StorageClass" and "Name" in here:
            section = re.search(r"\((-?\d+)\)", here["Section"])
            found[here["Name"]].add((int(section.group(1)), int(here["Value"], 0)))
    return found


def address(text, symbols):
    """'f +0x12 (0x4)' of an object, '(0x140001000)' or 'f (0x140001000)' of an image: all places that it may mean."""
    match = re.fullmatch(r"(.*?)(?: ?\+0x([0-9A-Fa-f]+))? ?\(0x([0-9A-Fa-f]+)\)", text)
    name, more, number = match.groups()
    if symbols is None:
        return {(0, int(number, 16))}
    return {(section, value + int(more or "0", 16)) for section, value in symbols[name]}


def unwind(options, path, linked):
    """(begin, size, rules, handler) of each entry. begin: of an image the address, of an object the name if it tells."""
    symbols = None if linked else places(options, path)
    found, entry, codes = [], {}, None
    for line in call([options.readobj, "--unwind", path]).stdout.split("\n"):
        line = line.strip()
        if line == "RuntimeFunction {":
            entry, codes = {"rules": []}, False
            found.append(entry)
        elif line in ("UnwindCodes [", "]"):
            codes = line != "]"
        elif codes:
            entry["rules"].insert(0, rule(line))
        elif ": " in line:
            key, _, value = line.partition(": ")
            entry.setdefault(key, value)
    result = []
    for entry in found:
        sizes = {(begin, end[1] - begin[1]) for begin in address(entry["StartAddress"], symbols)
                 for end in address(entry["EndAddress"], symbols) if begin[0] == end[0] and end[1] >= begin[1]}
        if not sizes:
            raise Wrong(f"{path}: no range for {entry['StartAddress']} to {entry['EndAddress']}")
        handler = entry.get("Handler") and re.sub(r" ?\(0x[0-9A-Fa-f]+\)$", "", entry["Handler"])
        result.append((sizes, entry["rules"], handler))
    return result


def unwind_arm64(options, path):
    try:
        entries = readobj_arm64.entries(call([options.readobj, "--unwind", path]).stdout)
    except ValueError as error:
        raise Wrong(f"{path}: {error}") from None
    return [({((0, e.address), e.size)}, e.rows, e.handler) for e in entries]


def compare_unwind(options, path, explained):
    linked, is_arm64 = explained.get("linked", False), explained["target"] == "aarch64"
    theirs = unwind_arm64(options, path) if is_arm64 else unwind(options, path, linked)
    ours = explained["functions"]
    if len(ours) != len(theirs):
        raise Wrong(f"{path}: {len(ours)} functions, llvm-readobj has {len(theirs)}")
    waiting = collections.defaultdict(list)
    for f in ours:
        waiting[f.get("address", 0), f.get("size", 0)].append(f)
    for sizes, rules, handler in theirs:
        candidates = [f for (_, at), size in sizes for f in waiting[at, size]
                      if [(row.get("offset", 0), row["rule"]) for row in f.get("rows", [])] == rules
                      and (linked or not handler or handler == f.get("personality")) and (handler is not None) == ("personality" in f)]
        if not candidates:
            raise Wrong(f"{path}: no function of {sorted(sizes)} with {rules}, handler {handler}; circ has "
                        f"{[f for (_, at), size in sizes for f in waiting[at, size]]}")
        f = candidates[0]
        waiting[f.get("address", 0), f.get("size", 0)].remove(f)
    return len(theirs)


# --- __CxxFrameHandler3 --------------------------------------------------------------------------------------------

def path_of(frame, state, terminating):
    """What an exception meets from a state outwards: (kind, function, type, state, adjectives)."""
    steps, at = [], state

    def leave(to):
        nonlocal at
        while at > to:
            action, here = frame.unwind[at].action, at
            at = frame.unwind[at].to
            if action:
                steps.append(("terminate" if action in terminating else "cleanup", action, None, here, 0))
                if action in terminating:
                    return True
        return False

    for block in frame.tries:
        if not block.low <= state <= block.high:
            continue
        if leave(block.low):
            return steps
        for h in block.handlers:
            kind = "catch" if h.type else "terminate" if h.code in terminating else "catch_all"
            steps.append((kind, h.code, h.type, block.low, h.adjectives))
            if not h.type:
                return steps
    leave(-1)
    return steps


def merged(paths):
    """Without what has no step, and what the one before has."""
    result = []
    for path in paths:
        if path and (not result or result[-1] != path):
            result.append(path)
    return result


def compare_states(path, explained):
    frames_of, types = frames.read_frames(path), [t.get("symbol") for t in explained["types"]]
    functions = explained["functions"]
    steps = {f["symbol"]: merged([[(s["kind"], s.get("function"), types[s["types"][0]] if s.get("types") else None, s.get("state", 0),
                                    s.get("adjectives", 0)) for s in site["steps"]] for site in f["sites"]]) for f in functions if "symbol" in f}
    terminating = {s["function"] for f in functions for site in f["sites"] for s in site["steps"] if s["kind"] == "terminate"}
    used = set()
    for frame in frames_of:
        mine = [n for n, f in enumerate(functions) if f.get("symbol") == frame.name]
        if len(mine) != 1:
            raise Wrong(f"{path}: {frame.name}: {len(mine)} functions of that name")
        parts = [f for n, f in enumerate(functions) if n == mine[0] or f.get("parent") == mine[0]]
        parts.sort(key=lambda f: f.get("address", 0))
        ours = [step for f in parts for step in steps[f["symbol"]]]
        theirs = merged([path_of(frame, state, terminating) for _, state in frame.ips])
        same(f"{path}: {frame.name}", merged(ours), theirs)
        used |= {f["symbol"] for f in parts}
        funclets = {row.action for row in frame.unwind} | {h.code for block in frame.tries for h in block.handlers}
        if (missing := funclets - {None} - {f["symbol"] for f in parts}):
            raise Wrong(f"{path}: {frame.name}: not its funclets: {missing}")
    if (invented := {f["symbol"] for f in functions if f["tables"] == "cxx"} - used):
        raise Wrong(f"{path}: tables of C++ that no function has: {invented}")
    return sum(len(frame.ips) for frame in frames_of)


# --- __C_specific_handler: clang's assembly ------------------------------------------------------------------------

def rows_of_assembly(text):
    """Function -> lists of (kind, symbol), one for each place that a row names, in the order of rows."""
    function, rows, row = None, collections.defaultdict(dict), None
    for line in text.split("\n"):
        if (match := re.match(r'"?([^"\s#]+?)"?:', line)) and not match.group(1).startswith((".L", "$")):
            function = match.group(1)
        if not (match := re.match(r'\s+\.(?:long|word)\s+(\S+)\s+(?:#|//) (LabelStart|FilterFunction|CatchAll|FinallyFunclet)', line)):
            continue
        value, what = match.groups()
        value = value.removesuffix("@IMGREL").strip('"')
        if what == "LabelStart":
            row = rows[function].setdefault(value, [])
        else:
            row.append({"FilterFunction": ("when", value), "CatchAll": ("catch_all", None), "FinallyFunclet": ("cleanup", value)}[what])
    return {f: list(of.values()) for f, of in rows.items()}


def compare_scopes(path, explained, assembly):
    rows = rows_of_assembly(assembly)
    ours = {f["symbol"]: [[(s["kind"], s.get("function")) for s in site["steps"]] for site in f["sites"] if site["steps"]]
            for f in explained["functions"] if f["tables"] == "scope"}
    if set(ours) != set(rows):
        raise Wrong(f"{path}: scope tables of {sorted(ours)}, expected {sorted(rows)}")
    for function, theirs in rows.items():
        same(f"{path}: {function}", merged(ours[function]), merged(theirs))
    return sum(len(of) for of in rows.values())


# --- images --------------------------------------------------------------------------------------------------------

def shapes(explained):
    """What functions with tables do, whatever their addresses and names."""
    return sorted(merged([tuple((s["kind"], s.get("state", 0), s.get("adjectives", 0), s.get("object_offset", 0)) for s in site["steps"])
                          for site in f["sites"]]) for f in explained["functions"] if f["tables"] == "cxx")


def compare_linked(path, image, objects):
    theirs = [shape for explained in objects for shape in shapes(explained)]
    ours = shapes(image)
    for shape in theirs:
        if shape not in ours:
            raise Wrong(f"{path}: no function with {shape}, as an object has it")
        ours.remove(shape)
    named = {explained["types"][t].get("symbol") for explained in [image] for f in explained["functions"] for site in f["sites"]
             for s in site["steps"] for t in s.get("types", [])}
    wanted = {explained["types"][t].get("symbol") for explained in objects for f in explained["functions"] for site in f["sites"]
              for s in site["steps"] for t in s.get("types", [])}
    if wanted - named:
        raise Wrong(f"{path}: types that its objects catch are not in it: {wanted - named}")


# --- AArch64, next to x86_64 ---------------------------------------------------------------------------------------

def what_calls_do(explained):
    """Of each call: the function, without the number of a funclet, its callee, its steps, and how they end."""
    types = [t.get("symbol") for t in explained["types"]]
    return sorted((re.sub(r"\$\d+", "", f["symbol"]), site["callee"], site["end_of_path"],
                   [(s["kind"], s.get("state", 0), s.get("adjectives", 0), [types[t] for t in s.get("types", [])]) for s in site["steps"]])
                  for f in explained["functions"] for site in f["sites"] if site.get("callee", "memset") != "memset")


# --- what is compiled ----------------------------------------------------------------------------------------------

class Compare:
    def __init__(self, options, folder):
        self.options, self.folder = options, pathlib.Path(folder)
        self.counts = collections.Counter()

    def file(self, path, assembly=None):
        explained = explain(self.options, path)
        self.counts["files"] += 1
        self.counts["functions"] += compare_unwind(self.options, path, explained)
        if not explained.get("linked") and any(f["tables"] == "cxx" for f in explained["functions"]):
            self.counts["states"] += compare_states(path, explained)
        if assembly is not None:
            self.counts["scopes"] += compare_scopes(path, explained, assembly)
        for f in explained["functions"]:
            if f["tables"] == "other":
                raise Wrong(f"{path}: circ has no reader for {f['personality']}")
        return explained

    def clang(self):
        flags = [*e2e.PAIRS["msvc"]["compile"], "-w"]
        for level in ("-O0", "-O2"):
            source, done = HERE / "coff" / "scopes.c", self.folder / f"scopes{level}.obj"
            call([self.options.clang, "-x", "c", *flags, level, "-c", source, "-o", done])
            self.file(done, call([self.options.clang, "-x", "c", *flags, level, "-S", source, "-o", "-"]).stdout)
            objects = [self.folder / f"{name}{level}.obj" for name in ("states", "main")]
            for name, output in zip(("states.cpp", "main.cpp"), objects):
                call([self.options.clang, *flags, level, "-c", HERE / "coff" / name, "-o", output])
            sides = [self.file(output) for output in objects]
            for image, more in (("program.exe", []), ("library.dll", ["-shared", "-Wl,/export:?parse@@YAHH@Z"])):
                output = self.folder / image
                call([self.options.circ, "--target=x86_64-pc-windows-msvc", *more, *objects, "-o", output])
                compare_linked(output, self.file(output), sides)
            call([self.options.clang, *e2e.CXX_FLAGS, *flags, level, "-c", TESTS / "microsoft" / "frames" / "tables.cpp", "-o", self.folder / "tables.obj"])
            self.file(self.folder / "tables.obj")

    def arm64(self):
        """clang's, next to what it makes for x86_64; without a C runtime for such images, the functions of one are imports."""
        flags = [flag for flag in e2e.PAIRS["msvc"]["compile"] if not flag.startswith("--target=")] + ["-w"]
        targets = (ARM64, "x86_64-pc-windows-msvc")
        for level in ("-O0", "-O1", "-O2"):
            sides = {}
            for name in ("scopes.c", "states.cpp", "main.cpp"):
                language = ["-x", "c"] if name.endswith(".c") else []
                for target in targets:
                    output = self.folder / f"{name}-{target}.obj"
                    command = [self.options.clang, *language, *flags, f"--target={target}", level, HERE / "coff" / name]
                    call([*command, "-c", "-o", output])
                    sides[name, target] = self.file(output, call([*command, "-S", "-o", "-"]).stdout if language else None)
                same(f"{name} {level}: calls", *(what_calls_do(sides[name, target]) for target in targets))
                self.counts["calls as on x86_64"] += len(what_calls_do(sides[name, ARM64]))
            self.image_arm64([self.folder / f"{name}-{ARM64}.obj" for name in ("states.cpp", "main.cpp")],
                             [sides[name, ARM64] for name in ("states.cpp", "main.cpp")])
        output = self.folder / "gnu.obj"
        call([self.options.clang, "--target=aarch64-w64-windows-gnu", "-w", "-O1", "-c", HERE / "coff" / "states.cpp", "-o", output])
        self.file(output)
        for name, text in (("codes", (HERE / "coff" / "codes_arm64.s").read_text()), ("packed", readobj_arm64.packed_forms())):
            source, output = self.folder / f"{name}.s", self.folder / f"{name}.obj"
            source.write_text(text)
            call([self.options.clang, f"--target={ARM64}", "-c", source, "-o", output])
            self.file(output)

    def image_arm64(self, objects, sides):
        tools = [shutil.which(f"{tool}-22") or shutil.which(tool) for tool in ("lld-link", "llvm-dlltool")]
        if not all(tools):
            return
        names, runtime = self.folder / "runtime.def", self.folder / "runtime.c"
        names.write_text("LIBRARY runtime.dll\nEXPORTS\n__CxxFrameHandler3\n_CxxThrowException\n__std_terminate\nmemset\n??3@YAXPEAX_K@Z\n")
        runtime.write_text('void *vtable asm("??_7type_info@@6B@");\nint _fltused;\n')
        call([tools[1], "-m", "arm64", "-d", names, "-l", self.folder / "runtime.lib"])
        call([self.options.clang, "-x", "c", f"--target={ARM64}", "-c", runtime, "-o", self.folder / "runtime.obj"])
        image = self.folder / "library.dll"
        call([tools[0], "/dll", "/noentry", "/export:?parse@@YAHH@Z", *objects, "runtime.obj", "runtime.lib", f"/out:{image}"], self.folder)
        explained = self.file(image)
        compare_linked(image, explained, sides)
        if (handlers := {f.get("personality") for f in explained["functions"]} - {None}) != {"__CxxFrameHandler3"}:
            raise Wrong(f"{image}: handlers {handlers}")

    def mingw(self):
        for level in ("-O0", "-O2"):
            sources = [HERE / "coff" / name for name in ("states.cpp", "main.cpp")]
            call([self.options.mingw, level, "-w", "-c", sources[0], "-o", self.folder / "states.o"])
            self.file(self.folder / "states.o")
            for image, more in (("program.exe", ["-static"]), ("stripped.exe", ["-s"]), ("library.dll", ["-shared"])):
                call([self.options.mingw, level, "-w", *more, *sources, "-o", self.folder / image])
                self.file(self.folder / image)

    def circ(self):
        programs = sorted((TESTS / "e2e" / "programs").glob("*.cir"))[::self.options.every]
        for program in programs:
            header = e2e.Header(program.read_text())
            for pair in ("msvc", "mingw"):
                if header.errors or pair in header.excluded or pair not in header.pairs:
                    continue
                output = self.folder / "program.obj"
                call([self.options.circ, *e2e.PAIRS[pair]["circ"], *header.circ, "-O1", "-c", program, "-o", output])
                self.file(output)
                if pair == "msvc":
                    self.circ_arm64(program, header)
        for target in ("x86_64-pc-windows-msvc", ARM64):
            call([self.options.circ, f"--target={target}", "-c", TESTS / "microsoft" / "frames" / "tables.cir", "-o", output])
            self.file(output)

    def circ_arm64(self, program, header):
        """What has no runtime there is refused (docs/targets.md)."""
        output = self.folder / "arm64.obj"
        try:
            call([self.options.circ, *e2e.PAIRS["msvc"]["circ"], f"--target={ARM64}", *header.circ, "-O1", "-c", program, "-o", output])
        except Wrong as error:
            if not re.search("there is no libcircrt for it|where faults are no exceptions", str(error)):
                raise
            return
        self.file(output)
        self.counts["circ's for AArch64"] += 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--circ", required=True)
    parser.add_argument("--readobj", required=True)
    parser.add_argument("--clang")
    parser.add_argument("--mingw", default="x86_64-w64-mingw32-g++")
    parser.add_argument("--every", type=int, default=8)
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    options.circ = os.path.abspath(options.circ)
    if not shutil.which(options.readobj):
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        compare = Compare(options, folder)
        try:
            for path in options.files:
                compare.file(path)
            if not options.files:
                compare.circ()
                if options.clang and shutil.which(options.clang):
                    compare.clang()
                    compare.arm64()
                if shutil.which(options.mingw):
                    compare.mingw()
        except (Wrong, frames.Wrong) as wrong:
            print(wrong)
            return 1
        print(", ".join(f"{n} {what}" for what, n in compare.counts.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
