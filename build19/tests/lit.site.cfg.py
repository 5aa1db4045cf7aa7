config.circ = "/work/wt/asanfix/build19/bin/circ"
config.llvm_tools_dir = "/usr/lib/llvm-19/bin"
config.llvm_major = "19"
config.shared_dir = "/work/wt/asanfix/../shared"
config.wine = "/usr/lib/wine/wine64" and ["/root/.pyenv/shims/python3", "/work/wt/asanfix/tests/wine/wine.py", "run", "/work/wt/asanfix/build19/tests/wine-prefix"]
config.windows_clang = "/usr/bin/clang-22"
config.windows_folder = "/work/wt/asanfix/build19/lib/circ/x86_64-pc-windows-msvc"
config.sanitize = ""
config.test_source_root = "/work/wt/asanfix/tests"
config.test_exec_root = "/work/wt/asanfix/build19/tests"
lit_config.load_config(config, config.test_source_root + "/lit.cfg.py")
