#!/usr/bin/env python3
"""Runs Windows programs under Wine, for tests: a prefix of their own, one wineserver for all of them, no window, no noise.

    wine.py run PREFIX PROGRAM [ARGUMENT...]   run it; the exit status is the program's, or 77 without Wine
    wine.py start PREFIX                       make the prefix and start its server
    wine.py stop PREFIX                        end the server and what runs in it
    wine.py find                               the wine64 that is used; exit status 77 when there is none

PREFIX is a folder that belongs to the tests. It takes no space and no second: system32 is a link to Wine's own DLLs, instead of
the copies (hundreds of megabytes) that wineboot would make. Any number of processes may use it at once; whoever comes first starts the
server, which ends by itself in an hour when nobody stops it.

$WINE names the wine64 to use; else it is looked for on PATH and where Debian puts it.
"""
import fcntl
import os
import pathlib
import shutil
import subprocess
import sys

SKIPPED = 77
LINGER = 3600  # seconds after which an idle server ends; Wine 8's then ends even when it is busy again
START_TIMEOUT = 120

LOADERS = ["wine64", "/usr/lib/wine/wine64", "wine", "/usr/lib/wine/wine"]
SERVERS = ["wineserver64", "wineserver"]
DLLS = ["/usr/lib/x86_64-linux-gnu/wine", "/usr/lib64/wine", "/usr/lib/wine", "/usr/local/lib/wine", "/opt/wine-stable/lib64/wine"]


def find_loader():
	wanted = [os.environ["WINE"]] if os.environ.get("WINE") else LOADERS
	return next((path for path in map(shutil.which, wanted) if path), None)


def find_server(loader):
	"""Beside the loader, where the one that fits is; the loader on PATH may be a link."""
	folders = [os.path.dirname(loader), os.path.dirname(os.path.realpath(loader)), "/usr/lib/wine"]
	beside = [os.path.join(folder, name) for folder in folders for name in SERVERS]
	return next((path for path in map(shutil.which, beside + SERVERS) if path), None)


def find_dlls():
	folders = [pathlib.Path(folder) / "x86_64-windows" for folder in DLLS]
	return next((folder for folder in folders if (folder / "kernel32.dll").is_file()), None)


class Missing(Exception):
	"""There is no Wine here."""


class Wine:
	"""One prefix. Raises Missing when this machine has no Wine."""

	def __init__(self, prefix):
		self.loader = find_loader()
		self.server = find_server(self.loader) if self.loader else None
		self.dlls = find_dlls()
		if not self.loader or not self.server or not self.dlls:
			raise Missing("no Wine for 64-bit programs found (Debian: wine64, or ./bootstrap deps check)")
		self.fixed = self.fixed_addresses()
		self.prefix = pathlib.Path(prefix).resolve()
		self.environment = dict(
			os.environ,
			WINEPREFIX=str(self.prefix),
			WINEDEBUG="-all",
			WINEDLLOVERRIDES="mscoree=;mshtml=;winemenubuilder.exe=;winedbg.exe=",  # nothing to install, nobody to ask
		)
		self.environment.pop("DISPLAY", None)
		self.started = False

	@staticmethod
	def fixed_addresses():
		"""What runs a command without random addresses, where that is allowed. With them, Wine 8 fails once in some thousand runs of the
		same program: in 29,000 it ended 3 times with status 1 before the program began and once in an assertion of the dynamic loader
		behind it; in 20,000 without them, never."""
		fixed = ["setarch", "-R"]
		try:
			return fixed if subprocess.run([*fixed, "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0 else []
		except FileNotFoundError:
			return []

	def make_prefix(self):
		windows = self.prefix / "drive_c" / "windows"
		devices = self.prefix / "dosdevices"
		windows.mkdir(parents=True, exist_ok=True)
		devices.mkdir(exist_ok=True)
		for link, target in ((devices / "c:", "../drive_c"), (devices / "z:", "/"), (windows / "system32", self.dlls)):
			if not link.is_symlink():
				link.symlink_to(target)
		(self.prefix / ".update-timestamp").write_text("disable\n", encoding="ascii")

	def start(self):
		"""Makes sure, once a process, that the server runs. The first program in a new one boots Windows; it inherits no pipe that somebody would wait for
		the end of."""
		if self.started:
			return
		self.started = True
		self.prefix.mkdir(parents=True, exist_ok=True)
		with open(self.prefix / "lock", "w", encoding="ascii") as lock:
			fcntl.flock(lock, fcntl.LOCK_EX)
			self.make_prefix()
			if self.call([self.server, f"-p{LINGER}"]) == 0:  # else one runs already
				self.call([self.loader, "cmd", "/c", "exit"])

	def stop(self):
		self.call([self.server, "-k"])

	def call(self, command):
		quiet = subprocess.DEVNULL
		return subprocess.run(command, env=self.environment, stdin=quiet, stdout=quiet, stderr=quiet,
		                      timeout=START_TIMEOUT, check=False).returncode

	def command(self, program, *arguments):
		return [*self.fixed, self.loader, str(program), *arguments]

	@staticmethod
	def failed(done):
		"""Whether Wine itself did (fixed_addresses), not the program: status 1 without a word, or the host's loader's last words."""
		silent = done.returncode == 1 and not done.stdout and not done.stderr
		return silent or (done.returncode == 127 and b"Inconsistency detected by ld.so" in done.stderr)

	def run_bytes(self, command, timeout=None, stdin=subprocess.DEVNULL):
		"""As subprocess.run, with both outputs. Where Wine failed, the program is run once more."""
		def once():
			return subprocess.run(self.command(*command), env=self.environment, stdin=stdin, capture_output=True, timeout=timeout, check=False)
		self.start()
		done = once()
		return once() if self.failed(done) else done

	def run(self, command, timeout):
		"""The same, with both outputs as text."""
		done = self.run_bytes(command, timeout)
		done.stdout, done.stderr = (output.decode(errors="replace").replace("\r\n", "\n") for output in (done.stdout, done.stderr))
		return done


def main():
	if sys.argv[1:] == ["find"]:
		print(find_loader() or "no Wine")
		return 0 if find_loader() else SKIPPED
	if len(sys.argv) < 3 or sys.argv[1] not in ("run", "start", "stop") or (sys.argv[1] == "run") != (len(sys.argv) > 3):
		print(__doc__, file=sys.stderr)
		return 2
	try:
		wine = Wine(sys.argv[2])
	except Missing as why:
		print(f"SKIPPED: {why}")
		return SKIPPED
	if sys.argv[1] == "stop":
		wine.stop()
		return 0
	wine.start()
	if sys.argv[1] == "run":
		done = wine.run_bytes(sys.argv[3:], stdin=None)
		sys.stdout.buffer.write(done.stdout)
		sys.stderr.buffer.write(done.stderr)
		return done.returncode if done.returncode >= 0 else 128 - done.returncode
	return 0


if __name__ == "__main__":
	sys.exit(main())
