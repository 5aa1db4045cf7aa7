# What a RUN line may use:
#
#   %circ        the command          %s  this file      %t  a name for temporary files      %S  this file's folder
#   %libcirc     libcirc.so
#   %circrt      libcircrt.a for x86_64 ELF; %circrt-sjlj  the one without tables
#   %ms_types    what becomes of type infos in the Microsoft ABI: tests/tools/ms_types.c
#   %shared      the folder with the design document; needs `REQUIRES: shared`
#   %python      the Python that runs lit
#   %wine        runs a program for Windows; needs `REQUIRES: wine`
#   %windows-clang   clang for x86_64-pc-windows-msvc; %windows-lib   the folder of circ's runtime; need `REQUIRES: windows`
#   %wasm-clang  clang++ for WASI; %wasm-cxx  with exceptions; %wasm  runs a program for it; need `REQUIRES: wasm`
#   %wasm-exnref the same in Chromium; needs the feature exnref
#   FileCheck, not, count, split-file, llc, opt, llvm-readobj, ...   of the LLVM that circ was built with
#
# Features for REQUIRES / UNSUPPORTED: quick (./bootstrap quick: no test that takes seconds), shared, asan, wine, windows (its runtime and linker), mingw, wasm, exnref, libdw, llvm-22 (the LLVM's major version), root.
import ctypes
import os
import shutil
import sys

import lit.formats

config.name = "circ"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cir", ".ll", ".test"]
config.excludes = ["Inputs", "e2e", "unit", "package", "tools", "style"]

config.environment["PATH"] = os.pathsep.join([config.llvm_tools_dir, os.environ.get("PATH", "")])
config.environment["LC_ALL"] = "C"
for name in os.environ:
	if name.endswith("SAN_OPTIONS") or name in ("ASAN_SYMBOLIZER_PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH"):
		config.environment[name] = os.environ[name]
if config.sanitize:
	# What a sanitizer finds ends circ by a signal, which is no failure that `not` takes: leaks of runs that fail are told at the end.
	for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
		config.environment[name] = ":".join(filter(None, (config.environment.get(name), "abort_on_error=1")))
	# `circ run --cxxlib=libc++` starts again with libc++ in LD_PRELOAD: gcc's runtime is behind it then.
	config.environment["ASAN_OPTIONS"] += ":verify_asan_link_order=0"

config.substitutions.append(("%circrt-sjlj", os.path.join(os.path.dirname(config.circ), "../lib/circ/x86_64-linux-gnu/libcircrt-sjlj.a")))
config.substitutions.append(("%circrt", os.path.join(os.path.dirname(config.circ), "../lib/circ/x86_64-linux-gnu/libcircrt.a")))
config.substitutions.append(("%libcirc", os.path.join(os.path.dirname(config.circ), "../libcirc.so")))
config.substitutions.append(("%circ", config.circ))
config.substitutions.append(("%python", sys.executable))
config.substitutions.append(("%ms_types", os.path.join(config.test_exec_root, "ms_types")))
config.substitutions.append(("%shared", os.path.realpath(config.shared_dir)))

if config.wine:
	config.substitutions.append(("%wine", " ".join(config.wine)))
	config.available_features.add("wine")
if config.windows_clang and any(map(shutil.which, ("lld-link-" + config.llvm_major, "lld-link-22", "lld-link"))):
	config.substitutions.append(("%windows-clang", config.windows_clang + " --target=x86_64-pc-windows-msvc"))
	config.substitutions.append(("%windows-lib", config.windows_folder))
	config.available_features.add("windows")
if shutil.which("x86_64-w64-mingw32-g++"):
	config.available_features.add("mingw")

wasm_clang = next(filter(shutil.which, ("clang++-" + config.llvm_major, "clang++-22", "clang++")), None)
if wasm_clang and shutil.which("node") and os.path.exists("/usr/lib/wasm32-wasi/crt1.o"):
	config.substitutions.append(("%wasm-clang", wasm_clang + " --target=wasm32-wasi -Wno-deprecated -fno-exceptions"))
	config.substitutions.append(("%wasm-cxx", wasm_clang + " --target=wasm32-wasi -Wno-deprecated -fwasm-exceptions"))
	if any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))) and int(config.llvm_major) > 19:
		config.substitutions.append(("%wasm-exnref", sys.executable + " " + os.path.join(config.test_source_root, "wasm/chromium.py")))
		config.available_features.add("exnref")
	else:
		lit_config.note("NO chromium OR LLVM 20 HERE: WebAssembly's exceptions of the form exnref are not run (./bootstrap deps view)")
	config.substitutions.append(("%wasm", "node --no-warnings " + os.path.join(config.test_source_root, "wasm/run.mjs")))
	config.available_features.add("wasm")
else:
	lit_config.note("NO wasi-libc OR node HERE: programs for WebAssembly are not run (./bootstrap deps wasm)")

try:
	ctypes.CDLL("libdw.so.1")
	config.available_features.add("libdw")
except OSError:
	lit_config.note("NO libdw HERE: traces with lines are not looked at on ELF")
if shutil.which("gdb"):
	config.available_features.add("gdb")
else:
	lit_config.note("NO gdb HERE: ir/debug/gdb.test is not run")
config.available_features.add("llvm-" + config.llvm_major)
if os.environ.get("CIRC_QUICK"):
	config.available_features.add("quick")
if config.sanitize:
	config.available_features.add("asan")
if os.geteuid() == 0:
	config.available_features.add("root")
if os.path.isdir(config.shared_dir):
	config.available_features.add("shared")
else:
	lit_config.note("NO ../shared FOLDER: the tests that read the design document are not run")

# What ctest runs as one test is a folder without those in it, which are tests of their own.
folder = os.environ.get("CIRC_LIT_FOLDER")
if folder:
	folder = os.path.join(config.test_source_root, folder)
	config.excludes += [d for d in os.listdir(folder) if os.path.isdir(os.path.join(folder, d))]
