#!/usr/bin/env python3
"""The operations in editors/vim/syntax/cir.vim are those of src/ir/ops.def and, of older spellings, src/text/old/ops.def.

usage: vim_syntax.py [--write]     without: status 1 if they are not
"""
import os
import re
import sys
import textwrap

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join(ROOT, "editors/vim/syntax/cir.vim")

TEXT = r'''" Vim syntax of CIR. The operations are written by tests/constructs/vim_syntax.py from the tables of the reader.
if exists("b:current_syntax")
	finish
endif
syntax case match
syntax iskeyword @,48-57,_,.,$
syntax match cirComment "//.*$"
syntax region cirString start=+"+ skip=+\\.+ end=+"+ oneline
syntax match cirNumber "\v-?<\d+(\.\d*(e[+-]?\d+)?)?>"
syntax match cirValue "%[A-Za-z0-9_$.-]\+"
syntax match cirBlock "\^[A-Za-z0-9_$.-]\+"
syntax match cirSymbol "@\%([A-Za-z0-9_$.-]\+\|\"\%([^\"\\]\|\\.\)*\"\)"
syntax match cirType "![A-Za-z0-9_$.-]\+"
syntax match cirAttribute "#[A-Za-z0-9_$.-]\+"
syntax match cirKey "\<circ\?\.[A-Za-z0-9_.]\+"
syntax keyword cirModule module attributes loc
OPERATIONS
highlight default link cirComment Comment
highlight default link cirString String
highlight default link cirNumber Number
highlight default link cirValue Identifier
highlight default link cirBlock Label
highlight default link cirSymbol Function
highlight default link cirType Type
highlight default link cirAttribute PreProc
highlight default link cirKey PreProc
highlight default link cirModule Keyword
highlight default link cirOperation Statement
let b:current_syntax = "cir"
'''


def operations():
    names = set()
    for path in ("src/ir/ops.def", "src/text/old/ops.def"):
        with open(os.path.join(ROOT, path), encoding="utf-8") as table:
            names.update(re.findall(r'^[A-Z_]+\(.*?"(circ?\.[\w.]+)"', table.read(), re.M))
    return sorted(names)


def page():
    lines = textwrap.wrap(" ".join(operations()), 140, break_on_hyphens=False, break_long_words=False)
    return TEXT.replace("OPERATIONS", "\n".join("syntax keyword cirOperation " + line for line in lines))


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        with open(PAGE, "w", encoding="utf-8") as out:
            out.write(page())
    else:
        with open(PAGE, encoding="utf-8") as written:
            if written.read() != page():
                sys.exit("editors/vim/syntax/cir.vim is not what the tables of operations say; write it with tests/constructs/vim_syntax.py --write")
