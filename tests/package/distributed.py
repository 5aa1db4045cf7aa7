#!/usr/bin/env python3
"""distributed.py distcc|ccache|root --circ CIRC FILE.cir...: what docs/distributed.md says.

    distcc   objects that servers on loopback addresses make are those that circ makes here; a server that dies
    ccache   the second time an object comes from the cache
    root     circ makes the same objects where there is nothing but itself, its libraries and the input
"""
import argparse
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
TARGETS = ["x86_64-pc-linux-gnu", "x86_64-pc-windows-msvc"]
LEVELS = [["-c"], ["-c", "-g"]]


def fail(text):
	sys.exit("distributed.py: " + text)


def free_port(address):
	with socket.socket() as s:
		s.bind((address, 0))
		return s.getsockname()[1]


class Server:
	def __init__(self, address, work):
		self.host = address + ":" + str(free_port(address))
		port = self.host.split(":")[1]
		self.process = subprocess.Popen(
			["distccd", "--no-detach", "--daemon", "--port", port, "--listen", address, "--allow", "127.0.0.0/8", "--jobs", "2",
			 "--enable-tcp-insecure", "--log-stderr"],
			cwd="/", env=os.environ | {"TMPDIR": "/tmp"}, stderr=open(work / (address + ".log"), "w"), start_new_session=True)
		for _ in range(200):
			with socket.socket() as s:
				if s.connect_ex((address, int(port))) == 0:
					return
			time.sleep(0.05)
		fail("distccd does not answer: " + (work / (address + ".log")).read_text())

	def kill(self):
		try:
			os.killpg(self.process.pid, signal.SIGKILL)
		except ProcessLookupError:
			pass
		self.process.wait()


def variants(files):
	for file in files:
		for target in TARGETS:
			for level in LEVELS:
				yield file, ["--target=" + target, "--source-name=" + file.stem + ".cir"] + level


def local(circ, work, number, file, options):
	out = work / f"local{number}.o"
	subprocess.run([circ, *options, file, "-o", out], check=True)
	return out.read_bytes()


def distcc(circ, work, files):
	(work / "state").mkdir()
	servers = [Server("127.0.0.1", work), Server("127.0.0.2", work)]
	log = work / "client.log"
	# Without a fallback: what no server compiles fails.
	env = os.environ | {"DISTCC_DIR": str(work / "state"), "DISTCC_HOSTS": " ".join(s.host for s in servers), "DISTCC_FALLBACK": "0",
	                    "DISTCC_VERBOSE": "1", "DISTCC_LOG": str(log), "DISTCC_IO_TIMEOUT": "60"}

	def remote(out, file, options, **more):
		return subprocess.run(["distcc", circ, *options, file, "-o", out], env=env | more, cwd=work)

	try:
		count = 0
		for number, (file, options) in enumerate(variants(files)):
			out = work / f"remote{number}.o"
			if remote(out, file, options).returncode != 0:
				fail(f"{file.name} {options}: not compiled; {log.read_text()[-2000:]}")
			if out.read_bytes() != local(circ, work, number, file, options):
				fail(f"{file.name} {options}: another object")
			count += 1
		made = len(re.findall(r"compile \S+ on 127\.0\.0\.[12]:\d+ completed ok", log.read_text()))
		if made != count:
			fail(f"{made} of {count} objects were made by servers")
		print(f"{count} objects made by servers are those made here")

		broken = work / "broken.i"
		broken.write_text("cir.func @f() { cir.return %x : !cir.int<s, 32> }\n")
		said = subprocess.run(["distcc", circ, "--source-name=broken.cir", "-c", broken, "-o", work / "broken.o"], env=env | {"DISTCC_VERBOSE": "0"},
		                      cwd=work, capture_output=True, text=True)
		if said.returncode == 0 or (work / "broken.o").exists():
			fail("a wrong module was compiled")

		file, options = files[0], ["--source-name=x.cir", "-g", "-c"]
		servers[0].kill()
		out = work / "one.o"
		if remote(out, file, options).returncode != 0 or out.read_bytes() != local(circ, work, "one", file, options):
			fail("the server that was left did not compile")
		servers[1].kill()
		out = work / "dead.o"
		if remote(out, file, options).returncode == 0 or out.exists():
			fail("there was an object without a server")
		if remote(out, file, options, DISTCC_FALLBACK="1").returncode != 0:
			fail("distcc did not compile here when its servers were dead")
		if out.read_bytes() != local(circ, work, "dead", file, options):
			fail("another object when the servers were dead")
		print("servers that died: an error without a fallback, the same object with one")
	finally:
		for server in servers:
			server.kill()


def ccache(circ, work, files):
	env = os.environ | {"CCACHE_DIR": str(work / "cache"), "CCACHE_LOGFILE": str(work / "ccache.log")}
	count = 0
	for number, (file, options) in enumerate(variants(files)):
		for turn in range(2):
			out = work / f"cached{number}.{turn}.o"
			subprocess.run(["ccache", circ, *options, file, "-o", out], env=env, check=True, cwd=work)
			if out.read_bytes() != local(circ, work, number, file, options):
				fail(f"{file.name} {options}: another object")
		count += 1
	for turn in range(2):  # a name that ccache does not know, as CMake's launcher has it
		shutil.copy(files[0], work / "module.cir")
		command = ["ccache", circ, "-x", "cpp-output", "--source-name=module.cir", "-MD", "-c", "module.cir", "-o", "module.o"]
		subprocess.run(command, env=env, check=True, cwd=work)
		if (work / "module.d").read_text() != "module.o: module.cir\n":
			fail("ccache: another rule than circ writes")
	count += 1
	text = (work / "ccache.log").read_text()
	hits, misses = text.count("Result: direct_cache_hit"), text.count("Result: cache_miss")
	if (hits, misses) != (count, count):
		fail(f"{hits} hits and {misses} misses, not {count} of each")
	print(f"{count} objects came from the cache the second time")


def root(circ, work, files):
	inside = work / "root"
	(inside / "bin").mkdir(parents=True)
	(inside / "in").mkdir()
	shutil.copy(circ, inside / "bin/circ")
	listed = subprocess.run(["ldd", circ], capture_output=True, text=True, check=True).stdout
	for path in re.findall(r"(/\S+)", listed):
		to = inside / path.lstrip("/")
		to.parent.mkdir(parents=True, exist_ok=True)
		shutil.copy(path, to)
	change = ["/usr/sbin/chroot", inside] if os.geteuid() == 0 else ["unshare", "-r", "/usr/sbin/chroot", inside]
	if subprocess.run([*change, "/bin/circ", "--version"], capture_output=True, env={}).returncode != 0:
		print("SKIPPED: this user cannot change the root")
		sys.exit(SKIPPED)
	count = 0
	for number, (file, options) in enumerate(variants(files)):
		shutil.copy(file, inside / "in/unit.i")
		subprocess.run([*change, "/bin/circ", *options, "in/unit.i", "-o", "in/unit.o"], env={}, check=True)
		if (inside / "in/unit.o").read_bytes() != local(circ, work, number, file, options):
			fail(f"{file.name} {options}: another object")
		left = sorted(p.name for p in (inside / "in").iterdir())
		if left != ["unit.i", "unit.o"]:
			fail(f"there are other files: {left}")
		count += 1
	print(f"{count} objects made in an empty root are those made here")


def main():
	p = argparse.ArgumentParser()
	p.add_argument("what", choices=["distcc", "ccache", "root"])
	p.add_argument("--circ", required=True)
	p.add_argument("files", nargs="+", type=pathlib.Path)
	a = p.parse_args()
	with tempfile.TemporaryDirectory() as folder:
		work = pathlib.Path(folder)
		files = []
		for file in a.files:  # distcc and ccache know ".i"
			files.append(work / (file.stem + ".i"))
			shutil.copy(file, files[-1])
		{"distcc": distcc, "ccache": ccache, "root": root}[a.what](os.path.realpath(a.circ), work, files)


main()
