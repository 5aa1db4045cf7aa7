#!/usr/bin/env python3
"""hostile.py --circ CIRC [--seeds FROM:TO] [--jobs N] [--keep FOLDER]: LLVM IR that nobody writes: circ compiles it, or says why not.

Of each seed, in turns:
  stress   a function by llvm-stress
  text     a module of tests/ir/raise, tests/ir/lift or tests/e2e as LLVM's text, with words exchanged for others of it, lines deleted, doubled and moved
  bytes    the bitcode of one, with bytes changed
opt reads and verifies it first, in a process of its own, and writes it again: what LLVM refuses, or falls over, is not circ's. Then circ, at -O0
or -O2, or lifting it (--lift, for windows-msvc or windows-gnu), must end with status 0, or 1 and an error. A signal, a sanitizer's report, an error of circ's own verifier after raising ("operand #0 …"), or a
time over 60 s is a finding, unless llc ends by a signal or an error for the same bitcode: LLVM's code generator falls over some.

Prints findings, and how many of how many circ compiled. Status 1: something was found. With --keep, the inputs of findings stay in FOLDER.
"""
import argparse
import glob
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WORD = re.compile(r"[%@!#$]?[\w.]+")
REFUSED = re.compile(r"error: ")
ASAN = "AddressSanitizer|UndefinedBehaviorSanitizer|runtime error:|LeakSanitizer"
OBJECT = ["-c"]
LIFTED = [["--emit=llvm", "--lift"], ["--emit=llvm", "--target=x86_64-pc-windows-msvc"], ["--emit=llvm", "--target=x86_64-w64-windows-gnu"]]
LEAST = 20  # of a hundred inputs that opt takes


def run(*command, seconds=60):
	try:
		return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=seconds, check=False)
	except subprocess.TimeoutExpired:
		return None


def by_stress(args, rng, out):
	done = run(args.tool("llvm-stress"), f"-seed={rng.randrange(1 << 31)}", f"-size={rng.choice([50, 200, 600])}", "-o", out)
	return done and not done.returncode


def edit(rng, lines):
	at = rng.randrange(len(lines))
	kind = rng.randrange(5)
	if kind == 0:
		del lines[at]
	elif kind == 1:
		lines.insert(at, lines[rng.randrange(len(lines))])
	elif kind == 2:
		other = rng.randrange(len(lines))
		lines[at], lines[other] = lines[other], lines[at]
	else:
		words, others = list(WORD.finditer(lines[at])), WORD.findall(lines[rng.randrange(len(lines))])
		if words and others:
			word = rng.choice(words)
			lines[at] = lines[at][:word.start()] + rng.choice(others) + lines[at][word.end():]


def by_text(args, rng, out):
	"""One edit in most: with several LLVM takes few."""
	text = rng.choice(args.texts)
	for _ in range(30):
		lines = text.split("\n")
		for _ in range(rng.choice([1, 1, 2, 3])):
			edit(rng, lines)
		with open(out, "w", encoding="utf-8") as f:
			f.write("\n".join(lines))
		if takes(args, out, out + ".bc"):
			return True
	return False


def by_bytes(args, rng, out):
	data = bytearray(rng.choice(args.bitcodes))
	for _ in range(30):
		copy = bytearray(data)
		for _ in range(rng.choice([1, 1, 2, 8])):
			copy[rng.randrange(len(copy))] ^= 1 << rng.randrange(8)
		with open(out, "wb") as f:
			f.write(copy)
		if takes(args, out, out + ".bc"):
			return True
	return False


def takes(args, path, out):
	done = run(args.tool("opt"), "-passes=verify", path, "-o", out, seconds=20)
	return done is not None and not done.returncode


def llc_fails(args, path, level):
	done = run(args.tool("llc"), level, "-filetype=obj", path, "-o", path + ".llc.o")
	return done is None or done.returncode != 0


def judge(args, path, level, form):
	"""What is wrong; None: nothing. And whether it compiled."""
	done = run(args.circ, level, *form, "--verify-each", path, "-o", path + ".o")
	if done is None:
		return "does not end", False
	text = done.stderr.decode("utf-8", "replace")
	if re.search(ASAN, text):
		return text[:600], False
	if done.returncode == 0:
		return None, True
	died = done.returncode != 1 or not text  # a build with sanitizers may end by 1 and say nothing
	if died and form == OBJECT and llc_fails(args, path, level):
		return None, False
	if done.returncode != 1 or not REFUSED.search(text):
		return f"status {done.returncode}: {text[:300]}", False
	own = re.search(r"error: ([^\n]*: )?'(cir|circ)\.[\w.]+' op\b[^\n]*", text)  # the verifier's, or lowering's, of what raising made
	return (own[0] if own else None), False


def one(args, seed):
	rng = random.Random(seed)
	kind, make = [("stress", by_stress), ("text", by_text), ("bytes", by_bytes)][seed % 3]
	with tempfile.TemporaryDirectory(prefix="circ-hostile-") as folder:
		path = os.path.join(folder, "input.ll")
		if not make(args, rng, path) or not takes(args, path, path + ".bc"):
			return None, False
		why, compiled = judge(args, path + ".bc", rng.choice(["-O0", "-O2"]), rng.choice([OBJECT, OBJECT, *LIFTED]))
		if why and args.keep:
			os.makedirs(args.keep, exist_ok=True)
			shutil.copy(path + ".bc", os.path.join(args.keep, f"{seed}.bc"))
		return why and f"{kind}: {why}", compiled


def seeds_of_text(args):
	with tempfile.TemporaryDirectory(prefix="circ-hostile-") as folder:
		out = os.path.join(folder, "x.ll")
		for path in sorted(glob.glob(os.path.join(TREE, "tests", "ir", "raise", "*.ll")) + glob.glob(os.path.join(TREE, "tests", "ir", "lift", "*.ll")) + glob.glob(os.path.join(TREE, "tests", "e2e", "*", "*.cir"))[::8]):
			done = run(args.circ, "--emit=llvm", path, "-o", out)
			if done and not done.returncode and os.path.getsize(out) < 40000:
				text = open(out, encoding="utf-8").read()
				bitcode = run(args.tool("llvm-as"), out, "-o", "-")
				if bitcode and not bitcode.returncode:
					yield text, bitcode.stdout


def main():
	parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
	parser.add_argument("--circ", required=True)
	parser.add_argument("--seeds", default="0:300")
	parser.add_argument("--jobs", type=int, default=2)
	parser.add_argument("--keep")
	parser.add_argument("--tools", default="/usr/lib/llvm-22/bin", help="folder of opt, llc, llvm-as, llvm-stress")
	args = parser.parse_args()
	args.tool = lambda name: os.path.join(args.tools, name)
	args.texts, args.bitcodes = zip(*seeds_of_text(args))
	begin, end = map(int, args.seeds.split(":"))
	bad = good = 0
	with ThreadPoolExecutor(args.jobs) as pool:
		for seed, (why, compiled) in zip(range(begin, end), pool.map(lambda s: one(args, s), range(begin, end))):
			bad += why is not None
			good += compiled
			if why:
				print(f"seed {seed}, {why}", flush=True)
	print(f"hostile: {good} of {end - begin} compiled, {bad} findings")
	sys.exit(bad > 0 or good * 100 < LEAST * (end - begin))


if __name__ == "__main__":
	main()
