#!/usr/bin/env python3
"""Measures circ on clang's bitcode against llc on the same bitcode. Prints a table in Markdown.

    bench/raise.py --circ build/bin/circ
    bench/raise.py --circ build/bin/circ --quick     # smaller modules, fewer rounds

As in run.py, whose method and helpers these are: CPU time, commands taking turns, medians. Both compile at -O0. The bitcode is of random
programs (tests/random) and of a program full of the C++ library. "Raising" is what circ takes to read, raise and verify a module, less
what opt takes to read and verify it, since llc does that, too; both without what they take for an empty module.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import run as bench  # noqa: E402  (beside this file)

TESTS = pathlib.Path(__file__).resolve().parent.parent / "tests"
sys.path.append(str(TESTS / "random"))
import generate  # noqa: E402

LIBRARY = """
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <unordered_map>
struct Node { std::map<std::string, std::vector<int>> lists; std::unordered_map<int, std::shared_ptr<Node>> kids; };
int count(Node &node, const std::string &text) {
	std::smatch found;
	int n = 0;
	try {
		if (std::regex_match(text, found, std::regex("(a|b)*c[0-9]+")))
			for (auto &part : found)
				n += part.length();
		std::ostringstream out;
		out << n << text;
		node.lists[out.str()].push_back(n);
		auto &list = node.lists[text];
		std::sort(list.begin(), list.end(), std::greater<int>());
		std::stable_sort(list.begin(), list.end());
		node.kids[n] = std::make_shared<Node>(node);
	} catch (const std::regex_error &e) {
		std::cerr << e.what();
	} catch (const std::exception &e) {
		throw std::runtime_error(std::string("count: ") + e.what());
	}
	return n;
}
"""


def modules(folder, programs):
	clang = bench.find("clang++") or sys.exit("no clang++")
	texts = {f"{programs} random programs": generate.generate(1, programs, False)[1], "the C++ library": LIBRARY}
	for name, text in texts.items():
		source = os.path.join(folder, "source.cpp")
		pathlib.Path(source).write_text(text, encoding="ascii")
		for level in ("-O0", "-O2"):
			bitcode = os.path.join(folder, f"{len(name)}{level}.bc")
			subprocess.run([clang, "-w", "-std=gnu++14", "-I", str(TESTS / "random"), level, "-c", "-emit-llvm", source, "-o", bitcode], check=True)
			yield f"{name}, clang {level}", bitcode


def commands(options, tools, bitcode, empty, out):
	llc, opt = tools
	return {"llc": [llc, "-O0", "-filetype=obj", bitcode, "-o", out],
	        "circ": [options.circ, "-O0", "-c", bitcode, "-o", out],
	        "front": [options.circ, "--verify-only", bitcode],
	        "front, empty": [options.circ, "--verify-only", empty],
	        "opt": [opt, "-passes=verify", "-disable-output", bitcode],
	        "opt, empty": [opt, "-passes=verify", "-disable-output", empty]}


def main():
	options = bench.arguments(__doc__, "smaller modules, fewer rounds").parse_args()
	tools = [bench.find(name) or sys.exit(f"no {name}") for name in ("llc", "opt")]
	rows = []
	with tempfile.TemporaryDirectory() as folder:
		out, empty = os.path.join(folder, "out.o"), os.path.join(folder, "empty.ll")
		pathlib.Path(empty).write_text('target triple = "x86_64-unknown-linux-gnu"\n', encoding="ascii")
		for name, bitcode in modules(folder, 40 if options.quick else 400):
			figures = bench.compare(1 if options.quick else 7, commands(options, tools, bitcode, empty, out))
			cpu = {command: figure[0] for command, figure in figures.items()}
			raising = cpu["front"] - cpu["front, empty"] - (cpu["opt"] - cpu["opt, empty"])
			rows.append([name, f"{cpu['llc'] * 1e3:.0f} ms", f"**{cpu['circ'] / cpu['llc']:.2f}**", f"**{raising / cpu['llc']:.2f}**"])
	print("### Bitcode against `llc -O0`, CPU time\n")
	bench.table(["bitcode", "llc", "circ -c / llc", "raising / llc"], rows)


if __name__ == "__main__":
	main()
