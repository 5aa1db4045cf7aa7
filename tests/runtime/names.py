#!/usr/bin/env python3
"""Each function of circ/runtime.h is in the libraries and in the JIT's list, and the libraries define no names but those that begin with
circ_, circeh_ or __circ_ (and the constants that the Microsoft ABI names itself).

    names.py SOURCE NM LIBRARIES
"""
import pathlib
import re
import shutil
import subprocess
import sys

# The last three: weak references, which are definitions in COFF for some nm.
NAMES = r"(circ_|circeh_|__circ_|\.|\?\?_C@|\?\?_R0\?AUCircException|_ZTIv$|_ZTVN10__cxxabiv1|__cxa_(begin_catch|end_catch|rethrow)$)"
# Of the unwinder and C++ library that libcircrt is on WebAssembly.
NAMES_WASM = NAMES[:-1] + "|_Unwind_|__cxa_|__cpp_exception$|__wasm_lpad_context$|_ZNS?K?St)"
ONLY_MSVC = {"circ_seh_match", "circ_seh_cleanup_ends", "circ_seh_landed", "circ_seh_behind_cleanup"}
ONLY_ELF = {"circ_fault_maps_register", "circ_fault_maps_unregister"}


def declared(source):
	text = re.sub(r"/\*.*?\*/", "", (source / "include/circ/runtime.h").read_text(), flags=re.DOTALL)
	text = re.sub(r"typedef[^;{]*;", "", text)
	return set(re.findall(r"\b(circ_\w+)\(", text))


def nm_for(archive, nm):
	"""GNU's does not read WebAssembly; None: nothing here does."""
	if "wasm" not in str(archive) or "llvm" in nm:
		return nm
	return next(filter(None, map(shutil.which, ("llvm-nm-22", "llvm-nm"))), None)


def defined(nm, archive):
	out = subprocess.run([nm, "-g", "--defined-only", archive], capture_output=True, text=True, check=True).stdout
	return {line.split()[2] for line in out.splitlines() if len(line.split()) == 3}


def main():
	source, nm, libraries = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
	header, problems = declared(source), []
	jit = set(re.findall(r"ROW\((circ_\w+)\)", (source / "src/jit/exceptions.c").read_text()))
	problems += [f"src/jit/exceptions.c: {name} is missing" for name in sorted(header - ONLY_MSVC - jit)]
	for archive in sorted([*libraries.glob("*/libcircrt*.a"), *libraries.glob("*/circeh*.lib")]):
		tool = nm_for(archive, nm)
		if not tool:
			print(f"SKIPPED {archive}: no llvm-nm")
			continue
		names = defined(tool, archive)
		wanted = header - ONLY_MSVC if "sjlj" in archive.name else header - ONLY_ELF if archive.suffix == ".lib" else header - ONLY_MSVC if "linux" in str(archive) else header - ONLY_MSVC - ONLY_ELF
		problems += [f"{archive}: {name} is missing" for name in sorted(wanted - names)]
		problems += [f"{archive}: {name} is nobody's name" for name in sorted(names) if not re.match(NAMES_WASM if "wasm" in str(archive) else NAMES, name)]
	if not header or problems:
		sys.exit("\n".join(problems) or "no functions found")


if __name__ == "__main__":
	main()
