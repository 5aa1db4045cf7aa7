#!/usr/bin/env python3
"""Measures what circ makes for windows-msvc against clang's objects for the same C++, and prints tables in Markdown.

    bench/windows.py --circ build/bin/circ --wine build/bench-wine     # a minute

Size: code, unwind data and exception tables of the same functions, and of the programs that bench/programs.py compares. Time: one round through a loop body that guards, calls, and throws and
catches every time, some of the time, or never, under Wine, the programs taking turns. Lowering: from flat CIR to the Microsoft form, as instructions
per op (valgrind counts them).
"""
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [HERE, os.path.join(HERE, "..", "tests", "wine")]
import flat_module  # noqa: E402
import programs  # noqa: E402
from run import arguments, find  # noqa: E402
import wine  # noqa: E402

TARGET = "--target=x86_64-pc-windows-msvc"
SECTIONS = (".text", ".xdata", ".pdata")

# flat_module.FUNCTION in C++.
HEAD = """\
struct Guard { int a, b; };
extern "C" int work(int);
extern "C" void open(Guard *, int);
extern "C" void close(Guard *) noexcept;
struct Open : Guard {
	Open(int i) { open(this, i); }
	~Open() { close(this); }
};
"""
FUNCTION = """\
extern "C" int f{n}(int n)
{{
	int sum = 0;
	for (int i = 0; i < n; i++) {{
		try {{
			Open g(i);
			sum += {callee}((g.a * {k}) ^ i);
		}} catch (int e) {{
			sum -= e;
		}} catch (...) {{
			break;
		}}
	}}
	return sum;
}}
"""
MAIN = """\
struct Guard { int a, b; };
extern "C" int printf(const char *, ...);
extern "C" int QueryPerformanceCounter(long long *), QueryPerformanceFrequency(long long *);
extern "C" int f0(int);
static int one_in, calls;
extern "C" int work(int x)
{
	if (one_in && calls++ % one_in == 0)
		throw x;
	return x;
}
extern "C" void open(Guard *g, int i) { g->a = i; }
extern "C" void close(Guard *g) noexcept { g->b = 0; }
int main()
{
	for (int n : {1, 10, 0}) {
		long long begin, end, frequency, rounds = n ? 20000 : 2000000;
		one_in = n;
		QueryPerformanceFrequency(&frequency);
		QueryPerformanceCounter(&begin);
		volatile int sum = f0((int)rounds);
		QueryPerformanceCounter(&end);
		printf("%f\\n", (double)(end - begin) * 1e9 / frequency / rounds + 0 * sum);
	}
}
"""


def run(argv):
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(argv)}: exit status {done.returncode}\n{done.stderr}")
    return done.stdout + done.stderr


def write(path, text):
    with open(path, "w", encoding="ascii") as out:
        out.write(text)
    return path


def table(title, head, rows):
    print(f"### {title}\n\n| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


class Bench:
    def __init__(self, options, folder):
        self.circ, self.folder, self.rounds = options.circ, folder, options.rounds
        self.clang = find("clang++") or sys.exit("no clang++")
        self.size_tool = find("llvm-size") or sys.exit("no llvm-size")
        self.wine = wine.Wine(options.wine) if options.wine else None

    def path(self, name):
        return os.path.join(self.folder, name)

    def module(self, functions):
        with open(self.path("m.cir"), "w", encoding="ascii") as out:
            flat_module.generate(functions, out)
        return self.path("m.cir")

    def objects(self, functions, level):
        """The same functions by circ and by clang."""
        text = HEAD + "".join(
            FUNCTION.format(n=n, k=n % 97 + 1, callee=f"f{n - 1}" if n % 8 else "work") for n in range(functions))
        ours, theirs = self.path("circ.obj"), self.path("clang.obj")
        run([self.circ, TARGET, level, "-c", self.module(functions), "-o", ours])
        run([self.clang, TARGET, level, "-w", "-c", write(self.path("m.cpp"), text), "-o", theirs])
        return ours, theirs

    def sizes(self, path):
        found = dict.fromkeys(SECTIONS, 0)
        for name, size in re.findall(r"^(\.\w+)\S*\s+(\d+)", run([self.size_tool, "-A", path]), re.MULTILINE):
            if name in found:
                found[name] += int(size)
        return found

    def programs(self):
        include = [os.path.join(HERE, "..", "tests", "windows", "include"), os.path.join(programs.E2E, "support")]
        flags = [TARGET, "-O2", "-w", "-std=gnu++14", *(f"-I{path}" for path in include), "-DTWIN", "-DTWIN_ALONE"]
        ours, theirs = self.path("circ.obj"), self.path("clang.obj")
        rows = []
        for name in programs.PROGRAMS:
            source = os.path.join(programs.E2E, "programs", name)
            run([self.circ, TARGET, "-O2", "-c", source + ".cir", "-o", ours])
            run([self.clang, *flags, "-c", source + ".cpp", "-o", theirs])
            rows.append([name, *self.against(ours, theirs)])
        table("Programs in CIR and their twins in C++, both at -O2: bytes, circ / clang", ["program", *SECTIONS, "ratio of all"], rows)

    def against(self, *paths):
        ours, theirs = map(self.sizes, paths)
        return [f"{ours[s]} / {theirs[s]}" for s in SECTIONS] + [f"**{sum(ours.values()) / sum(theirs.values()):.2f}**"]

    def code(self, path):
        said = run([self.size_tool.replace("llvm-size", "llvm-objdump"), "-d", "-r", "--no-show-raw-insn", path])
        return said.split("\n", 2)[2]  # behind the name of the file

    def size(self):
        rows = []
        for level in ("-O0", "-O1", "-O2", "-Os"):
            objects = self.objects(100, level)
            same = "the same" if self.code(objects[0]) == self.code(objects[1]) else "another"
            rows.append([level, *self.against(*objects), same])
        table("Size of 100 functions in bytes, circ / clang", ["level", *SECTIONS, "ratio of all", "code"], rows)

    def time(self):
        main = self.path("main.obj")
        include = os.path.join(HERE, "..", "tests", "windows", "include")
        run([self.clang, TARGET, "-O1", "-w", "-isystem", include, "-c",
             write(self.path("main.cpp"), "#include <initializer_list>\n" + MAIN), "-o", main])
        self.wine.start()
        rows = []
        for level in ("-O0", "-O2"):
            programs = []
            for path in self.objects(1, level):
                programs.append(path.replace(".obj", ".exe"))
                run([self.circ, TARGET, path, main, "-o", programs[-1]])
            taken = [[], []]
            for _ in range(self.rounds):
                for list_, program in zip(taken, programs):
                    list_.append([float(x) for x in self.wine.run([program], timeout=300).stdout.split()])
            # The least disturbed run tells most.
            least = [[min(column) for column in zip(*list_)] for list_ in taken]
            for what, ours, theirs in zip(("every round throws", "one in ten", "none"), *least):
                rows.append([level, what, f"{ours:.1f} ns", f"{theirs:.1f} ns", f"**{ours / theirs:.2f}**"])
        table("Time of a round under Wine", ["level", "", "circ", "clang", "ratio"], rows)

    def lowering(self):
        """Instructions, which a busy machine does not change."""
        if not find("valgrind"):
            print("No valgrind: the lowering is not measured.")
            return
        rows = []
        for functions in (20, 200, 2000, 16000):
            ops = functions * 62
            said = run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={os.devnull}", "--toggle-collect=abi_lower_microsoft",
                        self.circ, TARGET, "--emit=abi", self.module(functions), "-o", os.devnull])
            count = int(re.search(r"Collected : (\d+)", said).group(1))
            rows.append([f"{ops}", f"{count / 1e6:.1f} million", f"{count / ops:.0f}"])
        table("Flat CIR to the Microsoft form, instructions", ["ops", "all", "per op"], rows)


def main():
    args = arguments(__doc__)
    args.add_argument("--wine", help="folder of a Wine prefix to make; without it nothing is run")
    args.add_argument("--rounds", type=int, default=5)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(args.parse_args(), folder)
        bench.size()
        bench.programs()
        if bench.wine:
            bench.time()
        bench.lowering()


if __name__ == "__main__":
    main()
