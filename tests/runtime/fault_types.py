#!/usr/bin/env python3
"""Each type that loads, stores and divisions have, in the body of a `cir.try async`: what faults raises there, and moves all of its bytes where it does not.

    fault_types.py --circ build/bin/circ                                   ELF
    fault_types.py … --targets gnu,msvc --wine PREFIX [--levels O0,O2]     windows-gnu, windows-msvc
    fault_types.py … --targets aarch64                                     AArch64, under qemu

One program for each level has all cases: a function that says 1 before the operation and 2 behind it. Of a null pointer, or a divisor of zero, the
handler must find 1 and the code of the fault. Exit status: 0 passed, 1 failed, 77 not possible here.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "wine"))
import wine  # noqa: E402

SKIPPED = 77
TARGETS = {"elf": None, "gnu": "--target=x86_64-w64-windows-gnu", "msvc": "--target=x86_64-pc-windows-msvc", "aarch64": "--target=aarch64-linux-gnu"}
QEMU = ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"]

# Bytes of a value, and of those the ones that say all: other ones are padding, or follow from the first.
WHOLE = {f"!cir.int<{sign}, {width}>": (width // 8,) * 2 for sign in "su" for width in (8, 16, 32, 64, 128)}
ODD = {f"!cir.int<{sign}, {width}>": (1 << (width + 7 >> 3).bit_length(), 1) for sign in "su" for width in (3, 7, 24, 33, 48, 65, 100)}
VECTORS = {f"!cir.vector<{n} x !cir.int<{sign}, {width}>>": (n * width // 8,) * 2
           for sign, n, width in (("s", 16, 8), ("u", 4, 16), ("s", 3, 16), ("s", 4, 32), ("u", 2, 64), ("s", 16, 32))}
OTHERS = {
    "!cir.bool": (1, 1), "!cir.f16": (2, 2), "!cir.float": (4, 4), "!cir.double": (8, 8), "!cir.f80": (16, 10),
    "!cir.f128": (16, 16), "!cir.complex<!cir.float>": (8, 8), "!cir.complex<!cir.double>": (16, 16), "!cir.complex<!cir.int<s, 16>>": (4, 4),
    "!cir.ptr<!cir.void>": (8, 8), "!cir.ptr<!cir.func<()>>": (8, 8), "!cir.vector<4 x !cir.float>": (16, 16), "!cir.vector<8 x !cir.double>": (64, 64),
    "!cir.vector<2 x !cir.ptr<!cir.void>>": (16, 16), "!cir.vector<4 x !cir.bool>": (4, 1), "!cir.vector<2 x !cir.int<s, 24>>": (8, 1),
    "!cir.array<!cir.int<s, 32> x 3>": (12, 12), '!cir.struct<"Pair" {data !cir.int<s, 64>, data !cir.double}>': (16, 16),
    '!cir.struct<"Odd" {data !cir.int<s, 8>, data !cir.int<s, 8>, data !cir.int<s, 8>}>': (3, 3),
}
MOVED = {**WHOLE, **ODD, **VECTORS, **OTHERS}
DIVIDED = {**WHOLE, **ODD, **VECTORS}
X86_64_ALONE = {"!cir.f80"}
ATOMIC = [*(t for t in WHOLE if MOVED[t][0] <= 8), "!cir.bool", "!cir.float", "!cir.double", "!cir.ptr<!cir.void>"]
LARGEST = 64

HEAD = """\
!s32i = !cir.int<s, 32>
!u32i = !cir.int<u, 32>
!u8i = !cir.int<u, 8>
!rec_Record = !cir.struct<"CircRecord" {data !u32i, data !u32i}>
module attributes {circ.eh.runtime = "circ"} {
"""

# Of `from`, `by` and `to` the one that is null is that of the operation.
FUNCTION = """\
cir.func @case_%(n)d(%%from: !cir.ptr<%(t)s>, %%by: !cir.ptr<%(t)s>, %%to: !cir.ptr<%(t)s>, %%state: !cir.ptr<!s32i>, %%code: !cir.ptr<!u32i>) personality(@__circ_personality_v0) {
  %%1 = cir.const #cir.int<1> : !s32i
  %%2 = cir.const #cir.int<2> : !s32i
  %(before)s
  cir.try async {
    cir.store %%1, %%state : !s32i, !cir.ptr<!s32i>
    %(operation)s
    cir.store %%2, %%state : !s32i, !cir.ptr<!s32i>
    %(behind)s
    cir.yield
  } catch all (%%thrown: !cir.eh_token) {
    %%object = cir.catch_param : !cir.ptr<!cir.void>
    %%record = circ.exception %%thrown : !cir.eh_token -> !cir.ptr<!rec_Record>
    %%c = cir.get_member %%record[0] {name = "code"} : !cir.ptr<!rec_Record> -> !cir.ptr<!u32i>
    %%is = cir.load %%c : !cir.ptr<!u32i>, !u32i
    cir.store %%is, %%code : !u32i, !cir.ptr<!u32i>
    cir.yield
  }
  cir.return
}
"""
LOAD = "%%v = cir.load %(how)s%%from : !cir.ptr<%(t)s>, %(t)s"
STORE = "cir.store %(how)s%%v, %%to : %(t)s, !cir.ptr<%(t)s>"
PLAIN_LOAD, PLAIN_STORE = LOAD.replace("%(how)s", ""), STORE.replace("%(how)s", "")
DIVIDE = "%%q = cir.%(how)s %%v, %%w : %(t)s"
DIVISOR = "%%w = cir.load %%by : !cir.ptr<%(t)s>, %(t)s"
QUOTIENT = "cir.store %%q, %%to : %(t)s, !cir.ptr<%(t)s>"
COPY = "cir.copy %%from to %%to : !cir.ptr<%(t)s>"
KINDS = {  # before, operation, behind; what is null
    "load": ("", LOAD, PLAIN_STORE, "from"),
    "store": (PLAIN_LOAD, STORE, "", "to"),
    "copy from": ("", COPY, "", "from"),
    "copy to": ("", COPY, "", "to"),
    "div": (PLAIN_LOAD + "\n  " + DIVISOR, DIVIDE, QUOTIENT, ""),
    "rem": (PLAIN_LOAD + "\n  " + DIVISOR, DIVIDE, QUOTIENT, ""),
}

MAIN = """\
#include "circ/runtime.h"
int printf(const char *format, ...);
void *memcpy(void *to, const void *from, __SIZE_TYPE__ n);
void *memset(void *to, int byte, __SIZE_TYPE__ n);
int memcmp(const void *a, const void *b, __SIZE_TYPE__ n);
typedef void Function(void *from, void *by, void *to, int *state, unsigned *code);
typedef struct Case {
	const char *name;
	Function *function;
	char null; /* f: from, t: to, d: the divisor is zero */
	int size;
	unsigned char from[%(largest)d], one[%(largest)d], to[%(largest)d];
} Case;
%(declared)s
static const Case cases[] = {
%(rows)s
};
static _Alignas(64) unsigned char from[%(largest)d], by[%(largest)d], to[%(largest)d];
static int failed;
static void check(const Case *c, int faults)
{
	unsigned char untouched[%(largest)d];
	int state = 0;
	unsigned code = 0, wanted = !faults ? 0 : c->null == 'd' ? 0xc0000094 : 0xc0000005;
	memset(to, 0xee, sizeof to);
	memset(untouched, 0xee, sizeof untouched);
	memcpy(from, c->from, sizeof from);
	memcpy(by, c->one, sizeof by);
	if (faults && c->null == 'd')
		memset(by, 0, sizeof by);
	c->function(faults && c->null == 'f' ? 0 : from, by, faults && c->null == 't' ? 0 : to, &state, &code);
	if (state == (faults ? 1 : 2) && code == wanted && !memcmp(to, faults ? untouched : c->to, (unsigned)c->size))
		return;
	failed++;
	printf("%%s, %%s: state %%d, code %%x, first byte %%x\\n", c->name, faults ? "faults" : "does not fault", state, code, to[0]);
}
int main(void)
{
	unsigned n = sizeof cases / sizeof cases[0];
	if (!circ_faults_install())
		return 2;
	for (unsigned i = 0; i < 2 * n; i++)
		check(&cases[i / 2], i %% 2 == 0);
	printf("%%u cases, %%d failed\\n", n, failed);
	return failed != 0;
}
"""


def cases(target):
    """Each: kind, type, how."""
    for t in MOVED:
        if target == "aarch64" and t in X86_64_ALONE:
            continue
        for kind in ("load", "store"):
            for how in ("", "volatile ", *(["atomic(seq_cst) "] if t in ATOMIC else [])):
                yield kind, t, how
        if t in OTHERS:
            yield "copy from", t, ""
            yield "copy to", t, ""
    for t in DIVIDED:
        yield "div", t, "div"
        yield "rem", t, "rem"


def values(kind, t):
    """Bytes of what is loaded or divided, of 1, and of the result."""
    size, known = MOVED[t]
    vector = re.match(r"!cir\.vector<(\d+) x !cir\.int<., (\d+)>>", t)
    n, element = (int(vector.group(1)), int(vector.group(2)) // 8) if vector and known > 1 else (1, size)
    one = ((b"\1" + bytes(element - 1)) * n).ljust(LARGEST, b"\0")
    value = bytes(range(1, known + 1)).ljust(LARGEST, b"\0") if known > 1 else one
    return value, one, bytes(LARGEST) if kind == "rem" else value


def c_bytes(value):
    return "{" + ",".join(map(str, value)) + "}"


def texts(target):
    functions, declared, rows = [], [], []
    for n, (kind, t, how) in enumerate(cases(target)):
        before, operation, behind, null = KINDS[kind]
        fill = {"t": t, "how": how}
        functions.append(FUNCTION % {"n": n, "t": t, **{key: text % fill for key, text in (("before", before), ("operation", operation), ("behind", behind))}})
        declared.append(f"Function case_{n};")
        name = f"{kind} {how}{t}".replace('"', "")
        rows.append(f"{{\"{name}\", case_{n}, '{null[:1] or 'd'}', {MOVED[t][1]}, " + ", ".join(map(c_bytes, values(kind, t))) + "},")
    return HEAD + "".join(functions) + "}\n", MAIN % {"largest": LARGEST, "declared": "\n".join(declared), "rows": "\n".join(rows)}


def run(command, folder):
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}"[:4000])


def check(options, folder):
    circ, failed = options.circ, 0
    prefix = wine.Wine(options.wine) if options.wine else None
    for target in options.targets.split(","):
        for name, text in zip(("cases.cir", "main.c"), texts(target)):
            pathlib.Path(folder, name).write_text(text, encoding="ascii")
        of_target = [TARGETS[target]] if TARGETS[target] else []
        run([options.clang, *of_target, "-O1", "-I", HERE.parent.parent / "include", "-c", "main.c", "-o", "main.o"], folder)
        for level in options.levels.split(","):
            program = pathlib.Path(folder, f"{target}{level}" + (".exe" if of_target else ""))
            run([circ, *of_target, f"-{level}", "cases.cir", "main.o", "-o", program], folder)
            runner = QEMU if target == "aarch64" else []
            done = prefix.run([program], timeout=300) if prefix else subprocess.run([*runner, program], capture_output=True, text=True, check=False)
            print(f"{target} -{level}: {done.stdout[-3000:].strip()}" + (f", status {done.returncode}" if done.returncode else ""))
            failed += done.returncode != 0
    return 1 if failed else 0


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--circ", required=True, type=lambda path: pathlib.Path(path).resolve())
    args.add_argument("--clang", default=next((name for name in ("clang-22", "clang-19", "clang") if shutil.which(name)), None))
    args.add_argument("--targets", default="elf", help="of: " + ", ".join(TARGETS))
    args.add_argument("--levels", default="O0,O1,O2,O3")
    args.add_argument("--wine", help="folder of the Wine prefix")
    options = args.parse_args()
    if not options.clang:
        print("SKIPPED: no clang")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        return check(options, folder)


if __name__ == "__main__":
    sys.exit(main())
