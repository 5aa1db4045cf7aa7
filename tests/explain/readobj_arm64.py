"""What llvm-readobj --unwind prints of AArch64's .pdata and .xdata, in the words of `circ explain --unwind-rows`.

It prints instructions, the last of a prolog first. Of packed data, and of an epilog that shares all codes of the prolog, it prints no epilog: that is what
"ARM64 exception handling" says of them. tests/explain/compare_coff.py uses this.
"""
import collections
import re

Entry = collections.namedtuple("Entry", "address size rows handler")
PLAIN = {
    "mov fp, sp": "frame x29=sp", "mov x29, sp": "frame x29=sp", "mov sp, fp": "frame x29=sp", "nop": "nop", "pacibsp": "sign x30", "autibsp": "sign x30",
    "save next": "save next pair", "restore next": "save next pair", "trap frame": "trap frame", "machine frame": "machine frame", "context": "context",
    "EC context": "context of ARM64EC", "clear unwound to call": "clear unwound to call",
}


def rule(instruction):
    if instruction in PLAIN:
        return PLAIN[instruction]
    if (match := re.fullmatch(r"(?:sub|add) (?:sp, )?sp, #(\d+)", instruction)):
        return f"alloc {match.group(1)}"
    if (match := re.fullmatch(r"add fp, sp, #(\d+)|sub sp, fp, #(\d+)", instruction)):
        return f"frame x29=sp+{match.group(1) or match.group(2)}"
    match = re.fullmatch(r"(?:stp|str|ldp|ldr) (\w+)(?:, (\w+))?, (?:\[sp, #-(\d+)\]!|\[sp\], #(\d+)|\[sp(?:, #(\d+))?\])", instruction)
    if not match:
        raise ValueError(f"llvm-readobj has an instruction that this test does not know: {instruction}")
    registers = " ".join("x30" if r == "lr" else r for r in match.group(1, 2) if r)
    allocated = match.group(3) or match.group(4)
    return f"alloc {allocated}, save {registers} at 0" if allocated else f"save {registers} at {match.group(5) or 0}"


def prolog_rows(codes):
    """codes: up to and with `end`. What follows `end_c` ran elsewhere."""
    own = codes.index("end_c") if "end_c" in codes else codes.index("end")
    rows = [(4 * (own - n), rule(code)) for n, code in enumerate(codes[:own])]
    rows += [(0, rule(code)) for code in codes[own:] if code not in ("end", "end_c")]
    return rows[::-1]


def epilog_row(codes, begin, function_size):
    """begin: None: it ends the function."""
    n = next(n for n, code in enumerate(codes) if code in ("end", "end_c"))
    size = 4 * (n + (codes[n] == "end"))
    undone = "; ".join(rule(code) for code in codes[:n])
    text = f"epilog of {size} bytes{f' undoes {undone}' if undone else ''}"
    return [(function_size - size if begin is None else begin, text)] if size else []


def packed_rows(fields, codes):
    codes = codes[:-1]
    if fields["Fragment"] == "Yes":
        return [(0, rule(code)) for code in codes[::-1]]
    rows = [(4 * (n + 1), rule(code)) for n, code in enumerate(codes[::-1])]
    epilog = [code for code in codes if code != "mov x29, sp" and not re.match(r"stp x[0246], ", code)]
    size = int(fields["FunctionLength"])
    return rows + (epilog_row([*epilog, "end"], None, size) if 4 * len(epilog) + 4 <= size else [])


def read_entry(lines):
    """lines: of one RuntimeFunction, without spaces around."""
    fields, lists, scopes = {}, collections.defaultdict(list), []
    current = None
    for line in lines:
        if line == "EpilogueScope {":
            scopes.append([])
        elif line in ("Prologue [", "Epilogue [", "Opcodes ["):
            current = line.split()[0]
        elif line == "]":
            current = None
        elif current:
            code = line.split("; ", 1)[-1]
            (scopes[-1] if current == "Opcodes" else lists[current]).append(code)
        elif ": " in line:
            key, _, value = line.partition(": ")
            if key == "StartOffset":
                scopes[-1] = [value]
            else:
                fields.setdefault(key, value)
    address = int(re.search(r"0x([0-9A-Fa-f]+)\)?$", fields["Function"]).group(1), 16)
    size, prolog = int(fields["FunctionLength"]), lists["Prologue"]
    if "Fragment" in fields:
        return Entry(address, size, packed_rows(fields, prolog), None)
    rows = prolog_rows(prolog)
    if fields["EpiloguePacked"] == "Yes":
        rows += epilog_row(lists["Epilogue"] or prolog, None, size)
    for begin, *codes in scopes:
        rows += epilog_row(codes, 4 * int(begin), size)
    handler = fields.get("Routine") and re.sub(r" ?\(0x[0-9A-Fa-f]+\)$", "", fields["Routine"])
    return Entry(address, size, rows, handler)


def entries(text):
    found, lines = [], None
    for line in text.split("\n"):
        if line == "  RuntimeFunction {":
            lines = []
        elif line == "  }" and lines is not None:
            found.append(read_entry(lines))
            lines = None
        elif lines is not None:
            lines.append(line.strip())
    return found


def packed_forms():
    """Assembly whose .pdata has packed unwind data in all its forms: what is saved, the two sizes of frames where instructions change, parts of functions."""
    text, words = [], []
    for floats in range(8):
        for integers in range(11):
            for homes in (0, 1):
                for cr in range(4):
                    saved = 8 * (integers + (cr == 1) + floats + (floats > 0))
                    saved = (saved + 64 * homes + 15) // 16 if saved or not homes else 0
                    for local in (0, 2, 32, 33, 255, 256):
                        if cr < 2 or local:
                            words.append(floats << 13 | integers << 16 | homes << 20 | cr << 21 | (saved + local) << 23)
    size = 32  # instructions of each
    for n, word in enumerate(words):
        text += [f"\t.rva f + {4 * size * n}", f"\t.long {word | size << 2 | 1 + n % 2}"]
    return "\n".join(["\t.text", "f:", f"\t.space {4 * size * len(words)}", '\t.section .pdata,"dr"', *text, ""])
