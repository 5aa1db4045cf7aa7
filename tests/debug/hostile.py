"""Modules that a front end would not write, for debug information to stand up to: pairs of a name and a text."""

HEAD = """!s32i = !cir.int<s, 32>
!u8i = !cir.int<u, 8>
cir.func private @use(!cir.ptr<!s32i>)
"""


def located(place, name="f"):
	"""A function all of whose parts are at a place."""
	return f"""{HEAD}cir.func @{name}(%a: !s32i) -> !s32i {{
  %v = cir.alloca "v" init : !cir.ptr<!s32i> loc({place})
  cir.store %a, %v : !s32i, !cir.ptr<!s32i> loc({place})
  cir.scope {{
    %w = cir.alloca "w" : !cir.ptr<!s32i> loc({place})
    cir.call @use(%w) : (!cir.ptr<!s32i>) -> () loc({place})
  }} loc({place})
  %r = cir.load %v : !cir.ptr<!s32i>, !s32i loc({place})
  cir.return %r : !s32i loc({place})
}} loc({place})
"""


def variable(type, name="v"):
	return f"""{HEAD}cir.func @f() {{
  %v = cir.alloca "{name}" : !cir.ptr<{type}>
  %p = cir.cast bitcast %v : !cir.ptr<{type}> -> !cir.ptr<!s32i>
  cir.call @use(%p) : (!cir.ptr<!s32i>) -> ()
  cir.return
}}
"""


def nested_scopes(depth):
	body = "".join(f'cir.scope {{\n%v{i} = cir.alloca "v" : !cir.ptr<!s32i>\n'
	               f"cir.call @use(%v{i}) : (!cir.ptr<!s32i>) -> ()\n" for i in range(depth))
	return f"{HEAD}cir.func @f() {{\n{body}{'}' * depth}\ncir.return\n}}\n"


def chain_of_fused(depth):
	return "fused[" * depth + '"deep.cpp":1:2' + "]" * depth


def many_files(n):
	calls = "".join(f'  cir.call @use(%v) : (!cir.ptr<!s32i>) -> () loc("file{i}.h":{i + 1}:3)\n' for i in range(n))
	return f'{HEAD}cir.func @f() {{\n  %v = cir.alloca "v" : !cir.ptr<!s32i>\n{calls}  cir.return\n}}\n'


def modules():
	yield "last line and column", located('"a.cpp":4294967295:4294967295')
	yield "line 0", located('"a.cpp":0:0')
	yield "column without line", located('"a.cpp":0:17')
	yield "line too large", located('"a.cpp":4294967296:1')
	yield "range that ends before it begins", located('"a.cpp":9:9 to 2:1')
	yield "unknown", located("unknown")
	yield "no file name", located('"":3:4')
	yield "missing file", located('"/no/such/folder/at all.cpp":3:4')
	yield "folder for a file", located('"/":3:4')
	yield "line break in a file name", located(r'"a\0Ab.cpp":3:4')
	yield "zero in a file name", located(r'"a\00b.cpp":3:4')
	yield "bytes that are no text in a file name", located(r'"\FF\FE\80":3:4')
	yield "long file name", located(f'"{"d/" * 500_000}a.cpp":3:4')
	yield "name only", located('"x"')
	yield "name of a place", located('"x"("a.cpp":3:4)')
	yield "nothing fused", located("fused[]")
	yield "fused with metadata", located('fused<"inlined">["a.cpp":3:4, "b.cpp":5:6]')
	yield "call site of call sites", located('callsite(callsite("a.h":1:1 at "b.h":2:2) at "c.cpp":3:3)')
	yield "call site of nothing", located('callsite(unknown at "c.cpp":3:3)')
	yield "deep place", located(chain_of_fused(60))
	yield "place too deep", located(chain_of_fused(100_000))
	yield "place in itself", "#loc = loc(#loc)\n" + located("#loc")
	yield "places in each other", "#a = loc(fused[#b])\n#b = loc(fused[#a])\n" + located("#a")
	yield "500 files", many_files(500)
	yield "long function name", located('"a.cpp":3:4', "f" * 1_000_000)
	yield "long mangled name", located('"a.cpp":3:4', "_ZN" + "1a" * 300_000 + "E")
	for name in ("_Z", "_ZN", "_ZNE", "_ZN999999999999999999999999999aE", "_Z0", "_ZN3abcKE", "_ZNK3ab", "_Z3ab"):
		yield f"name {name}", located('"a.cpp":3:4', name)
	yield "long variable name", variable("!s32i", "v" * 1_000_000)
	for name in ("", " ", r"a\0Ab", r"a\00b", r"\FF", "%s%n", "v w", '\\"', ".", "__", "this", "ünïcödé"):
		yield f"variable {name!r}", variable("!s32i", name)
	yield "zero elements", variable("!cir.array<!s32i x 0>")
	yield "array of empty records", variable("!cir.array<!cir.struct<\"E\" {}> x 1000000000>")
	yield "more bits than there are numbers", variable("!cir.array<!u8i x 4611686018427387904>")
	yield "more bytes than there are numbers", variable("!cir.array<!cir.array<!s32i x 9223372036854775807> x 9>")
	yield "deep pointer", variable("!cir.ptr<" * 60 + "!s32i" + ">" * 60)
	yield "deep arrays", variable("!cir.array<" * 40 + "!s32i" + " x 1>" * 40)
	yield "record of itself", variable('!cir.struct<"R" {data !cir.ptr<!cir.struct<"R">>}>')
	yield "record of functions of itself", variable(
	    '!cir.struct<"R" {data !cir.ptr<!cir.func<(!cir.ptr<!cir.struct<"R">>) -> !cir.ptr<!cir.struct<"R">>>>}>')
	yield "record of arrays of itself", variable('!cir.struct<"R" {data !cir.array<!cir.ptr<!cir.struct<"R">> x 3>}>')
	yield "union of itself", variable('!cir.union<"U" {data !cir.ptr<!cir.union<"U">>, data !s32i}>')
	yield "record and union of one name", variable('!cir.struct<"R" {data !cir.ptr<!cir.union<"R" {data !s32i}>>}>')
	yield "incomplete record", variable('!cir.ptr<!cir.struct<"I" incomplete>>')
	yield "record of 20000 members", variable('!cir.struct<"R" {' + ", ".join(["data !s32i"] * 20_000) + "}>")
	yield "long record name", variable(f'!cir.struct<"{"R" * 1_000_000}" {{data !s32i}}>')
	yield "record name with a line break", variable(r'!cir.struct<"a\0Ab" {data !s32i}>')
	yield "wide integer", variable("!cir.int<u, 100000, bitint>")
	yield "many blocks in blocks", nested_scopes(1000)
	yield "parameter stored twice", f"""{HEAD}cir.func @f(%a: !s32i, %b: !s32i) {{
  %v = cir.alloca "a" init : !cir.ptr<!s32i>
  %w = cir.alloca "a" init : !cir.ptr<!s32i>
  cir.store %a, %v : !s32i, !cir.ptr<!s32i>
  cir.store %b, %v : !s32i, !cir.ptr<!s32i>
  cir.store %a, %w : !s32i, !cir.ptr<!s32i>
  cir.call @use(%v) : (!cir.ptr<!s32i>) -> ()
  cir.call @use(%w) : (!cir.ptr<!s32i>) -> ()
  cir.return
}}
"""
	yield "bit-fields over each other", f"""{HEAD}!r = !cir.struct<"R" {{data !u8i}}>
#a = #cir.bitfield_info<name = "a", storage_type = !u8i, size = 5, offset = 0, is_signed = false>
#b = #cir.bitfield_info<name = "", storage_type = !u8i, size = 8, offset = 0, is_signed = false>
#c = #cir.bitfield_info<name = "c", storage_type = !u8i, size = 6, offset = 2, is_signed = false>
cir.func @f(%p: !cir.ptr<!r>) -> !u8i {{
  %s = cir.get_member %p[0] {{name = ""}} : !cir.ptr<!r> -> !cir.ptr<!u8i>
  %a = cir.get_bitfield(#a, %s : !cir.ptr<!u8i>) -> !u8i
  %b = cir.get_bitfield(#b, %s : !cir.ptr<!u8i>) -> !u8i
  %c = cir.get_bitfield(#c, %s : !cir.ptr<!u8i>) -> !u8i
  %t = cir.add %b, %c : !u8i
  cir.return %t : !u8i
}}
"""
	yield "a member of two names", f"""{HEAD}!r = !cir.struct<"R" {{data !s32i}}>
cir.func @f(%p: !cir.ptr<!r>) {{
  %a = cir.get_member %p[0] {{name = "a"}} : !cir.ptr<!r> -> !cir.ptr<!s32i>
  %b = cir.get_member %p[0] {{name = "b"}} : !cir.ptr<!r> -> !cir.ptr<!s32i>
  cir.call @use(%a) : (!cir.ptr<!s32i>) -> ()
  cir.return
}}
"""
