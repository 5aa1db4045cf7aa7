#!/usr/bin/env python3
"""Shapes that nobody writes by hand: run.py --circ build/bin/circ. Each must be compiled in time, or refused with a message
that names the limit. Time and memory must grow with the input, not faster."""
import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time

HEAD = """\
!s32i = !cir.int<s, 32>
module attributes {cir.triple = "x86_64-unknown-linux-gnu"} {
cir.func private @f()
cir.func private @dtor() attributes {nothrow}
cir.func private @__gxx_personality_v0(...) -> !s32i
cir.func @g(%x: !s32i, %b: !cir.bool) -> !s32i personality(@__gxx_personality_v0) {
%zero = cir.const #cir.int<0> : !s32i
"""
WINDOWS = {"unknown-linux-gnu": "pc-windows-msvc", "__gxx_personality_v0": "__CxxFrameHandler3"}  # of HEAD
TAIL = "cir.return %zero : !s32i\n}\n}\n"
CALL, DTOR, END = "cir.call @f() : () -> ()\n", "cir.call @dtor() : () -> ()\n", "cir.yield\n"
RETURN = "cir.if %b {\ncir.return %x : !s32i\n}\n"


def nested(n, kind, body):
    return "cir.cleanup.scope {\n" * n + body + f"}} cleanup {kind} {{\n{DTOR}cir.yield\n}}\n".join([END] * (n + 1))[:-len(END)]


def scopes(n):
    return "cir.scope {\n" * n + CALL + "}\n" * n


def cleanups(n):
    return nested(n, "all", CALL + RETURN)


def sequence(n):
    return nested(1, "all", CALL + RETURN) * n


def exits(n):
    gotos = "".join(f'cir.if %b {{\ncir.goto "l{i}"\n}}\n' for i in range(n))
    labels = "".join(f'cir.br ^l{i}\n^l{i}:\ncir.label "l{i}"\n{CALL}' for i in range(n))
    return nested(1, "normal", gotos) + labels


def cases(n):
    return ("cir.switch (%x : !s32i) {\n" + "".join(
        f"cir.case (equal, [#cir.int<{i}> : !s32i]) {{\n{CALL}cir.break\n}}\n" for i in range(n)) + "cir.yield\n}\n")


def in_scopes(n, body):
    return "cir.scope {\n" * n + body + "}\n" * n


def cases_in_scopes(n):
    inside = "".join(f"cir.case (equal, [#cir.int<{i}> : !s32i]) {{\ncir.break\n}}\n" for i in range(n))
    return f"cir.switch (%x : !s32i) {{\n{in_scopes(n, inside)}{END}}}\n"


def jumps_in_scopes(n):
    loop = "cir.while {\ncir.condition(%b)\n} do {\n"
    return "".join(loop + in_scopes(n, f"cir.if %b {{\n{jump}\n}}\n" * n) + END + "}\n" for jump in ("cir.break", "cir.continue"))


def labels_in_scopes(n):
    inside = "".join(f'cir.br ^l{i}\n^l{i}:\ncir.label "l{i}"\n%a{i} = cir.block_address <@g, "l{i}"> : !cir.ptr<!cir.void>\n' for i in range(n))
    return in_scopes(n, inside + END)


def tail_calls_in_scopes(n):
    call = "%r{0} = cir.call @g(%x, %b) musttail : (!s32i, !cir.bool) -> !s32i\ncir.return %r{0} : !s32i\n"
    return in_scopes(n, "".join(f"cir.if %b {{\n{call.format(i)}}}\n" for i in range(n)))


def caught_parameters(n):
    handler = ("%k, %p = cir.begin_catch %t : !cir.eh_token -> (!cir.catch_token, !cir.ptr<!cir.void>)\n" +
               "cir.init_catch_param scalar %p to %y : !cir.ptr<!cir.void>, !cir.ptr<!s32i>\n" * n + "cir.end_catch %k : !cir.catch_token\n")
    return f"{slots('y')}cir.try {{\n{CALL}{END}}} catch all (%t: !cir.eh_token) {{\n{handler}{END}}}\n"


def lifetime(names, body):
    ends = "".join(f"cir.lifetime.end %{x} : !cir.ptr<!s32i>\n" for x in names)
    starts = "".join(f"cir.lifetime.start %{x} : !cir.ptr<!s32i>\n" for x in names)
    return f"{starts}cir.cleanup.scope {{\n{body}}} cleanup normal {{\n{ends}{END}}}\n"


def slots(names):
    return "".join(f'%{x} = cir.alloca "x" align(4) : !cir.ptr<!s32i>\n' for x in names)


def gotos_into_a_lifetime(n):
    label = f'cir.br ^again\n^again:\ncir.label "again"\n{CALL}{END}'
    gotos = 'cir.scope {\ncir.goto "again"\n}\n' * n
    return slots("y") + lifetime("y", label) + "cir.scope {\n" * n + gotos + f"{END}}}\n" * n


def cases_in_lifetimes(n):
    names = [f"x{i}" for i in range(n)]
    inside = "".join(f"cir.case (equal, [#cir.int<{i}> : !s32i]) {{\ncir.break\n}}\n" for i in range(n))
    first = f"cir.case (equal, [#cir.int<-1> : !s32i]) {{\n{lifetime(names, inside + END)}{END}}}\n"
    return slots(names) + f"cir.switch (%x : !s32i) {{\n{first}{END}}}\n"


def tries(n):
    handler = ("} catch all (%t: !cir.eh_token) {\n%c, %p = cir.begin_catch %t : !cir.eh_token -> (!cir.catch_token, !cir.ptr<!cir.void>)\n"
               "cir.end_catch %c : !cir.catch_token\ncir.yield\n}\n")
    return ("cir.try {\n" * n) + CALL + (END + handler) * n


TYPE_INFO = """cir.return %zero : !s32i
}
cir.global "private" constant external @_ZTIi : !cir.ptr<!cir.int<u, 8>>
cir.func @h(%x: !s32i, %b: !cir.bool) -> !s32i personality(@__CxxFrameHandler3) {
%zero = cir.const #cir.int<0> : !s32i
"""


def handled(i, handler=CALL):
    """A try whose handler for int does something; numbered, for where it stands within others."""
    return (f"cir.try {{\n{CALL}{END}}} catch [type #cir.global_view<@_ZTIi> : !cir.ptr<!cir.int<u, 8>>] (%t{i}: !cir.eh_token) {{\n"
            f"%c{i}, %p{i} = cir.begin_catch %t{i} : !cir.eh_token -> (!cir.catch_token, !cir.ptr<!s32i>)\n{handler}"
            f"cir.end_catch %c{i} : !cir.catch_token\ncir.yield\n}}\n")


def typed_tries(n):
    return TYPE_INFO + ("cir.try {\n" * n) + "".join(handled(i).removeprefix("cir.try {\n") for i in range(n))


def tries_in_handlers(n):
    text = CALL
    for i in range(n):
        text = handled(i, text)
    return TYPE_INFO + text


def tries_in_cleanups(n):
    return TYPE_INFO + "".join(nested(1, "all", CALL + RETURN).replace(DTOR, handled(i)) for i in range(n))


METHODS = """cir.return %zero : !s32i
}
!pair = !cir.struct<"Pair" {!s32i, !s32i}>
!poly = !cir.struct<"Poly" {!cir.vptr}>
!get = !cir.ptr<!cir.func<(!cir.ptr<!poly>) -> !pair>>
cir.func private @"?get@Poly@@QEAA?AUPair@@XZ"(!cir.ptr<!poly>) -> !pair
cir.func @h(%this: !cir.ptr<!poly>, %b: !cir.bool) -> !s32i {
%zero = cir.const #cir.int<0> : !s32i
%get = cir.get_global @"?get@Poly@@QEAA?AUPair@@XZ" : !get
"""


def call_of_pointer(i, pointer):
    return f"%r{i} = cir.call {pointer}(%this) : (!get, !cir.ptr<!poly>) -> !pair\n"


def pointers_through_blocks(n):
    """A pointer to a member function goes through n blocks, the last of the text first; each calls it."""
    text = f"cir.br ^b{n - 1}(%get : !get)\n"
    for i in range(n):
        then = f"cir.br ^b{i - 1}(%p{i} : !get)" if i else "cir.br ^end"
        text += f"^b{i}(%p{i}: !get):\n{call_of_pointer(i, f'%p{i}')}{then}\n"
    return METHODS + text + "^end:\n"


def pointers_chosen(n):
    """Each of n pointers to a member function is one of two that are the one before it."""
    text, before = "", "%get"
    for i in range(n):
        text += f"%p{i} = cir.select if %b then {before} else {before} : (!cir.bool, !get, !get) -> !get\n{call_of_pointer(i, f'%p{i}')}"
        before = f"%p{i}"
    return METHODS + text


def thrown_classes(n):
    """Classes in hierarchies of ten, all thrown."""
    infos, throws = "", ""
    for i in range(n):
        bases = f"{{type = @_ZTI{len(f'C{i - 1}')}C{i - 1}}}" if i % 10 else ""
        info = f"@_ZTI{len(f'C{i}')}C{i}"
        infos += (f'cir.global "private" constant external {info} : !cir.ptr<!cir.int<u, 8>> '
                  f'{{cir.ms.tag = "class", cir.ms.size = 16 : i64, cir.ms.bases = [{bases}]}}\n')
        throws += (f"cir.brcond %b ^t{i}, ^n{i}\n^t{i}:\n%e{i} = cir.alloc.exception 16 -> !cir.ptr<!cir.int<u, 8>>\n"
                   f"cir.throw %e{i} : !cir.ptr<!cir.int<u, 8>>, {info}\ncir.unreachable\n^n{i}:\n")
    return f"cir.return %zero : !s32i\n}}\n{infos}cir.func @h(%b: !cir.bool) -> !s32i {{\n%zero = cir.const #cir.int<0> : !s32i\n{throws}"


def shared_in_table(n):
    """A virtual table whose type info stands at the ends of 2^n ways through shared constants; the object would be as large."""
    info = "!u8i = !cir.int<u, 8>\n"
    view = "#cir.global_view<@_ZTI3Key> : !cir.ptr<!u8i>"
    constants = f"!t0 = !cir.array<!cir.ptr<!u8i> x 1>\n#a0 = #cir.const_array<[{view}]> : !t0\n"
    constants += "".join(f"!t{i} = !cir.array<!t{i - 1} x 2>\n#a{i} = #cir.const_array<[#a{i - 1}, #a{i - 1}]> : !t{i}\n"
                         for i in range(1, n))
    table = (f"cir.global \"private\" constant external @_ZTI3Key : !cir.ptr<!u8i>\n"
             f"cir.global constant external @_ZTV3Key = #a{n - 1} : !t{n - 1}\n")
    return f"cir.return %zero : !s32i\n}}\n{info}{constants}{table}cir.func @h() -> !s32i {{\n%zero = cir.const #cir.int<0> : !s32i\n"


def tagged_constructor(n):
    """A function whose name has n times what a constructor's with a tag has."""
    named = f"cir.func private @_ZN{'C1B0' * n}(!cir.ptr<!rec_T>, !cir.ptr<!rec_T>)\n"
    record = '!rec_T = !cir.struct<"T" {data !s32i}>\n'
    return f"cir.return %zero : !s32i\n}}\n{record}{named}cir.func @h() -> !s32i {{\n%zero = cir.const #cir.int<0> : !s32i\n"


def cleanup_in_cleanup(n):
    text = DTOR
    for _ in range(n):
        text = f"cir.cleanup.scope {{\n{CALL}cir.yield\n}} cleanup all {{\n{text}cir.yield\n}}\n"
    return text


def static_uses(n, closing=False):
    """Of a static variable as texts before cir.local_init have it; closing: where the scopes end."""
    address = "cir.get_global static_local @v : !cir.ptr<!s32i>\n"
    uses = "".join(f"cir.scope {{\n%v{i} = {address}" for i in range(n)) + (END + "}\n") * n
    if closing:
        uses = "cir.scope {\n" * n + "".join(f"%v{i} = {address}{END}}}\n" for i in range(n))
    variable = f'cir.global "private" internal static_local_guard<"v.guard"> @v = ctor : !s32i {{\n%v = {address}}}\n'
    return f"%v = {address}{uses}cir.return %zero : !s32i\n}}\n{variable}cir.func @h() -> !s32i {{\n%zero = cir.const #cir.int<0> : !s32i\n"


def cookies(n):
    """One call of an operator new[] with a name of a megabyte, whose memory is n arrays with their numbers in front."""
    new = f"@_ZN{'1a' * 500000}naEm"
    text = f"cir.return %zero : !s32i\n}}\n!u8i = !cir.int<u, 8>\n!u64i = !cir.int<u, 64>\n!b = !cir.ptr<!u8i>\n!v = !cir.ptr<!cir.void>\ncir.func private {new}(!u64i) -> !v\n"
    text += f"cir.func @h(%n: !u64i) {{\n%m = cir.call {new}(%n) : (!u64i) -> !v\n%8 = cir.const #cir.int<8> : !u64i\n%16 = cir.const #cir.int<16> : !u64i\n"
    for i in range(n):
        text += f"%c{i} = cir.cast bitcast %m : !v -> !cir.ptr<!b>\n"
        for step, to in ((8, "!u64i"), (16, "!s32i")):
            text += f"%s{step}_{i} = cir.ptr_stride %c{i}, %{step} : (!cir.ptr<!b>, !u64i) -> !cir.ptr<!b>\n"
            text += f"%e{step}_{i} = cir.cast bitcast %s{step}_{i} : !cir.ptr<!b> -> !cir.ptr<{to}>\n"
        text += f"cir.store %n, %e8_{i} : !u64i, !cir.ptr<!u64i>\n"
    return text + "cir.return\n}\ncir.func @i() -> !s32i {\n%zero = cir.const #cir.int<0> : !s32i\n"


OWNER = '!cir.struct<"Owner" {!cir.vptr}>'


def returned(n):
    """A function that returns one of n variables that only their own functions may copy; half of them are alive at a time."""
    slot, init = f": !cir.ptr<{OWNER}>", f": (!cir.ptr<{OWNER}>) -> ()"
    text = f"cir.return %zero : !s32i\n}}\ncir.func private @init(!cir.ptr<{OWNER}>)\ncir.func @h(%b: !cir.bool) -> {OWNER} {{\n"
    text += f'%r = cir.alloca "__retval" {slot}\n' + "".join(f'%a{i} = cir.alloca "a{i}" {slot}\n' for i in range(n))
    text += "".join(f"cir.call @init(%a{i}) {init}\n" for i in range(n // 2)) + "cir.br ^t0\n"
    for i in range(n):
        begin = f"cir.call @init(%a{i}) {init}\n" if i >= n // 2 else ""
        text += (f"^t{i}:\ncir.brcond %b ^x{i}, ^t{i + 1}\n^x{i}:\n{begin}%l{i} = cir.load %a{i} {slot}, {OWNER}\n"
                 f"cir.store %l{i}, %r : {OWNER}, !cir.ptr<{OWNER}>\ncir.br ^e\n")
    text += f"^t{n}:\ncir.br ^e\n^e:\n%v = cir.load %r {slot}, {OWNER}\ncir.return %v : {OWNER}\n}}\n"
    return text + "cir.func @i() -> !s32i {\n%zero = cir.const #cir.int<0> : !s32i\n"


def moved_far(n):
    """n objects that only their own functions may copy, all loaded before all are stored to what is returned, in one block."""
    slot = f": !cir.ptr<{OWNER}>"
    text = f'cir.return %zero : !s32i\n}}\ncir.func @h() -> {OWNER} {{\n%r = cir.alloca "__retval" {slot}\n'
    text += "".join(f'%a{i} = cir.alloca "a{i}" {slot}\n' for i in range(n))
    text += "".join(f"%l{i} = cir.load %a{i} {slot}, {OWNER}\n" for i in range(n)) + CALL * n
    text += "".join(f"cir.store %l{i}, %r : {OWNER}, !cir.ptr<{OWNER}>\n" for i in range(n))
    text += f"%v = cir.load %r {slot}, {OWNER}\ncir.return %v : {OWNER}\n}}\n"
    return text + "cir.func @i() -> !s32i {\n%zero = cir.const #cir.int<0> : !s32i\n"


def virtual_pointers(n):
    """A constructor that sets n virtual pointers, for n destructors that set none."""
    this = "%this: !cir.ptr<!poly>"
    store = ("%p{0} = cir.vtable.address_point(@t, address_point = <index = 0, offset = 2>) : !cir.vptr\n%t{0} = cir.load %0 : !cir.ptr<!cir.ptr<!poly>>, !cir.ptr<!poly>\n"
             "%v{0} = cir.vtable.get_vptr %t{0} : !cir.ptr<!poly> -> !cir.ptr<!cir.vptr>\ncir.store %p{0}, %v{0} : !cir.vptr, !cir.ptr<!cir.vptr>\n")
    text = f'cir.return %zero : !s32i\n}}\n!poly = !cir.struct<"Poly" {{!cir.vptr}}>\ncir.global "private" external @t : !cir.struct<{{!cir.array<!cir.ptr<!s32i> x 3>}}>\n'
    text += f"cir.func @constructor({this}) special_member<#cir.cxx_ctor<!poly, default>> {{\n%0 = cir.alloca \"this\" align(8) init : !cir.ptr<!cir.ptr<!poly>>\n"
    text += "cir.store %this, %0 : !cir.ptr<!poly>, !cir.ptr<!cir.ptr<!poly>>\n" + "".join(store.format(i) for i in range(n)) + "cir.return\n}\n"
    for i in range(n):
        text += f"cir.func @destructor{i}({this}) special_member<#cir.cxx_dtor<!poly>> {{\n{CALL}cir.return\n}}\n"
    return text + "cir.func @i() -> !s32i {\n%zero = cir.const #cir.int<0> : !s32i\n"


def bases_in_scopes(n):
    """A constructor with a base in each of n scopes; a try block behind."""
    text = 'cir.return %zero : !s32i\n}\n!b = !cir.struct<"B" {!s32i}>\n!d = !cir.struct<"D" {!b}>\n'
    text += "cir.func private @b(!cir.ptr<!b>) special_member<#cir.cxx_ctor<!b, default>>\n"
    text += "cir.func @d(%this: !cir.ptr<!d>) special_member<#cir.cxx_ctor<!d, default>> {\n"
    for i in range(n):
        text += f"cir.scope {{\n%b{i} = cir.base_class_addr %this : !cir.ptr<!d> nonnull [0] -> !cir.ptr<!b>\ncir.call @b(%b{i}) : (!cir.ptr<!b>) -> ()\n"
    text += "cir.yield\n}\n" * n + "cir.return\n}\n"
    return text + "cir.func @i() -> !s32i {\n%zero = cir.const #cir.int<0> : !s32i\n" + tries(1)


def array_inits(n):
    """Scopes that destroy what is initialized of an array, up to where one slot says."""
    slot = "!cir.ptr<!cir.ptr<!s32i>>"
    end = (f"{END}}} cleanup eh {{\n%l = cir.load %end : {slot}, !cir.ptr<!s32i>\n%c = cir.cmp ne %l, %a : !cir.ptr<!s32i>\n"
           f"cir.if %c {{\n{DTOR}}}\n{END}}}\n")
    return (f'%a = cir.alloca "a" align(4) : !cir.ptr<!s32i>\n%end = cir.alloca "arrayinit.endOfInit" align(8) : {slot}\n' +
            f"cir.cleanup.scope {{\ncir.store %a, %end : !cir.ptr<!s32i>, {slot}\n{CALL}" * n + end * n)


def conditions_in_scopes(n, flags):
    """Scopes in each other, of which so many test flags that are set far within."""
    flag = "!cir.ptr<!cir.bool>"
    text = "%no = cir.const #false\n%yes = cir.const #true\n" + "".join(
        f'%n{i} = cir.alloca "cleanup.cond" align(1) : {flag}\n' for i in range(flags))
    text += f"cir.cleanup.scope {{\n{CALL}" * n
    text += "".join(f"cir.if %b {{\n{CALL}cir.store %yes, %n{i} : !cir.bool, {flag}\n}}\n" for i in range(flags))
    for i in range(n):
        test = f"%l{i} = cir.load %n{i} : {flag}, !cir.bool\ncir.if %l{i} {{\n{DTOR}}}\n" if i < flags else DTOR
        off = f"cir.store %no, %n{i} : !cir.bool, {flag}\n" if i < flags else ""
        text += f"{off}{END}}} cleanup all {{\n{test}{END}}}\n"
    return text


def exceptions_in_scopes(n):
    """Exceptions that are all thrown in as many scopes."""
    made = "".join(f"%e{i} = cir.alloc.exception 4 -> !cir.ptr<!s32i>\n" for i in range(n))
    thrown = "".join(f"cir.if %b {{\ncir.throw %e{i} : !cir.ptr<!s32i>, @_ZTIi\ncir.unreachable\n}}\n" for i in range(n))
    return made + "cir.scope {\n" * n + thrown + "}\n" * n


def exceptions_in_exceptions(n):
    """throw E0(b ? throw E1(b ? throw E2(…) : 0) : 0)"""
    text = "".join(f"cir.if %b {{\n%e{i} = cir.alloc.exception 4 -> !cir.ptr<!s32i>\n{CALL}" for i in range(n))
    return text + "".join(f"cir.throw %e{i} : !cir.ptr<!s32i>, @_ZTIi\ncir.unreachable\n}}\n" for i in reversed(range(n)))


def arrays_in_temporaries(n):
    """An array of elements that are each made in the scope of a temporary, in which the next one is."""
    slot = "!cir.ptr<!cir.ptr<!s32i>>"
    text = f'%a = cir.alloca "a" align(4) : !cir.ptr<!s32i>\n%end = cir.alloca "arrayinit.endOfInit" align(8) : {slot}\n'
    text += "%one = cir.const #cir.int<1> : !s32i\ncir.cleanup.scope {\n"
    for i in range(n):
        text += (f"%e{i} = cir.ptr_stride %a, %one : (!cir.ptr<!s32i>, !s32i) -> !cir.ptr<!s32i>\n"
                 f"cir.store %e{i}, %end : !cir.ptr<!s32i>, {slot}\n{CALL}cir.cleanup.scope {{\ncir.store %one, %e{i} : !s32i, !cir.ptr<!s32i>\n")
    text += f"{END}}} cleanup all {{\n{CALL}{END}}}\n" * n + CALL
    return text + (f"{END}}} cleanup eh {{\n%l = cir.load %end : {slot}, !cir.ptr<!s32i>\n%c = cir.cmp ne %l, %a : !cir.ptr<!s32i>\n"
                   f"cir.if %c {{\n{DTOR}}}\n{END}}}\n")


def returned_in_destructions(n):
    """Variables that are returned, each in the destruction of the one before."""
    begin = "cir.cleanup.scope {\n" + f"cir.cleanup.scope {{\n{END}}} cleanup all {{\n{CALL}{END}}}\n" + END
    flag = "!cir.ptr<!cir.bool>"
    test = "".join(f"{begin}}} cleanup all {{\n%l{i} = cir.load %n : {flag}, !cir.bool\n%c{i} = cir.not %l{i} : !cir.bool\n"
                   f"cir.if %c{i} {{\n" for i in range(n))
    return f'%n = cir.alloca "nrvo" align(1) : {flag}\n' + test + DTOR + f"}}\n{END}}}\n" * n


LLVM_HEAD = """\
target triple = "x86_64-unknown-linux-gnu"
@_ZTIi = external constant ptr
declare void @f()
declare i32 @__gxx_personality_v0(...)
declare i32 @llvm.eh.typeid.for.p0(ptr)
declare ptr @__cxa_begin_catch(ptr)
declare void @__cxa_end_catch()
declare void @__clang_call_terminate(ptr)
define void @g() personality ptr @__gxx_personality_v0 {
%e = alloca ptr
%s = alloca i32
br label %n0
"""
LLVM_TAIL = """\
ret void
end:
%le = landingpad { ptr, i32 } catch ptr null
%xe = extractvalue { ptr, i32 } %le, 0
call void @__clang_call_terminate(ptr %xe)
unreachable
}
"""


def lifted_tries(n):
    """Tries in sequence, which keep their exceptions in the variables that all have, as code of -O0 does; what a cleanup throws ends the program."""
    one = """\
n{0}:
invoke void @f() to label %n{1} unwind label %p{0}
p{0}:
%l{0} = landingpad {{ ptr, i32 }} catch ptr @_ZTIi
%x{0} = extractvalue {{ ptr, i32 }} %l{0}, 0
store ptr %x{0}, ptr %e
%y{0} = extractvalue {{ ptr, i32 }} %l{0}, 1
store i32 %y{0}, ptr %s
invoke void @f() to label %d{0} unwind label %end
d{0}:
%z{0} = load i32, ptr %s
%t{0} = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTIi)
%c{0} = icmp eq i32 %z{0}, %t{0}
br i1 %c{0}, label %h{0}, label %r{0}
h{0}:
%v{0} = load ptr, ptr %e
%o{0} = call ptr @__cxa_begin_catch(ptr %v{0})
call void @__cxa_end_catch()
br label %n{1}
r{0}:
%w{0} = load ptr, ptr %e
%u{0} = load i32, ptr %s
%a{0} = insertvalue {{ ptr, i32 }} poison, ptr %w{0}, 0
%b{0} = insertvalue {{ ptr, i32 }} %a{0}, i32 %u{0}, 1
resume {{ ptr, i32 }} %b{0}
"""
    return "".join(one.format(i, i + 1) for i in range(n)) + f"n{n}:\n"


SHAPES = [  # name, text, stage, seconds, the message when it is refused
    ("100,000 nested scopes", lambda: scopes(100000), "obj", 60, None),
    ("100,000 nested cleanups", lambda: cleanups(100000), "flat", 60, None),
    ("20,000 gotos into a lifetime out of 20,000 scopes", lambda: gotos_into_a_lifetime(20000), "flat", 5, None),
    ("20,000 cases within 20,000 lifetimes", lambda: cases_in_lifetimes(20000), "flat", 5, None),
    ("100,000 cases in 100,000 scopes", lambda: cases_in_scopes(100000), "flat", 10, None),
    ("100,000 breaks and continues in 100,000 scopes", lambda: jumps_in_scopes(100000), "flat", 10, None),
    ("100,000 labels with addresses in 100,000 scopes", lambda: labels_in_scopes(100000), "flat", 10, None),
    ("100,000 tail calls in 100,000 scopes", lambda: tail_calls_in_scopes(100000), "flat", 10, None),
    ("100,000 parameters of one handler", lambda: caught_parameters(100000), "flat", 10, None),
    ("the name of a constructor, 400,000 times", lambda: tagged_constructor(400000), "abi", 5, None),
    ("10,000 nested cleanups", lambda: cleanups(10000), "obj", 60, None),
    ("100,000 cleanups in sequence", lambda: sequence(100000), "flat", 60, None),  # LLVM takes most of a minute
    ("10,000 cleanups in sequence", lambda: sequence(10000), "obj", 60, None),
    ("a cleanup with 10,000 exits", lambda: exits(10000), "obj", 60, None),
    ("a switch with 10,000 cases", lambda: cases(10000), "obj", 60, None),
    ("100,000 nested tries", lambda: tries(100000), "flat", 60, None),
    ("100,000 nested uses of a static variable", lambda: static_uses(100000), "cir", 30, None),
    ("100,000 uses of a static variable where scopes end", lambda: static_uses(100000, True), "cir", 30, None),
    ("one of 20,000 variables returned", lambda: returned(20000), "abi", 60, None),
    ("50,000 variables stored far behind their loads", lambda: moved_far(50000), "abi", 30, None),
    ("8 cleanups in cleanups", lambda: cleanup_in_cleanup(8), "obj", 60, None),
    ("20 cleanups in cleanups", lambda: cleanup_in_cleanup(20), "flat", 60, "cleanup regions are nested too deeply (limit 12)"),
]
SHAPES_OF_CLANG = [  # the same, with --repair=clang: nothing in them proves that clang printed them
    ("20,000 numbers of elements in the memory of one new[]", lambda: cookies(20000), "flat", 10, None),
    ("20,000 virtual pointers for 20,000 destructors", lambda: virtual_pointers(20000), "flat", 30, None),
    ("a constructor with bases in 20,000 nested scopes", lambda: bases_in_scopes(20000), "flat", 30, None),
    ("20,000 array initializations with one slot", lambda: array_inits(20000), "flat", 30, None),
    ("a condition in 20,000 scopes of temporaries", lambda: conditions_in_scopes(20000, 1), "flat", 30, None),
    ("1,000 conditions in 1,000 scopes of temporaries", lambda: conditions_in_scopes(1000, 1000), "flat", 30, None),
    ("20,000 conditions in 20,000 scopes of temporaries", lambda: conditions_in_scopes(20000, 20000), "flat", 60,
     "cannot tell where this cleanup scope begins: the search took more than"),
    ("20,000 exceptions thrown in 20,000 scopes", lambda: exceptions_in_scopes(20000), "flat", 60,
     "cannot tell where the memory of this exception is freed: the search took more than"),
    ("1,000 exceptions made for one another", lambda: exceptions_in_exceptions(1000), "flat", 30, None),
    ("20,000 exceptions made for one another", lambda: exceptions_in_exceptions(20000), "flat", 60,
     "cannot tell where the memory of this exception is freed: the search took more than"),
    ("10,000 elements of an array in scopes of temporaries", lambda: arrays_in_temporaries(10000), "flat", 30, None),
    ("10,000 returned variables in destructions", lambda: returned_in_destructions(10000), "flat", 30,
     "copies of cleanups exceed 250000 operations"),
]
SHAPES_FOR_WINDOWS = [  # the same, for windows-msvc
    ("10,000 nested cleanups, on Windows", lambda: cleanups(10000), "obj", 60, None),
    ("20,000 nested typed tries", lambda: typed_tries(20000), "abi", 60, None),
    ("10,000 tries in handlers of others", lambda: tries_in_handlers(10000), "abi", 60, None),
    ("10,000 cleanups with a try", lambda: tries_in_cleanups(10000), "abi", 60, None),
    ("a pointer to a member function through 40,000 blocks", lambda: pointers_through_blocks(40000), "abi", 30, None),
    ("40,000 choices of pointers to a member function", lambda: pointers_chosen(40000), "abi", 30, None),
    ("a virtual table of constants that are shared 40 deep", lambda: shared_in_table(40), "abi", 10, "cir.ms.tag"),
    ("20,000 classes thrown", lambda: thrown_classes(20000), "abi", 60, None),
]
SHAPES_OF_LLVM = [  # the same, of LLVM IR
    ("10,000 tries, lifted", lambda: lifted_tries(10000), "flat", 30, None),
    ("10,000 tries, lifted for Windows", lambda: lifted_tries(10000), "abi", 30, None),
]


def called_elsewhere(n):
    """A program that calls n functions of another module, and its own weak ones, which give way to that module's."""
    calls = "".join(f"cir.call @f{i}() : () -> ()\n" for i in range(2 * n))
    declared = "".join(f"cir.func private @f{i}()\n" for i in range(n))
    weak = "".join(f"cir.func weak @f{i}() {{\ncir.return\n}}\n" for i in range(n, 2 * n))
    main = f"cir.func @main() -> !s32i {{\n{calls}%zero = cir.const #cir.int<0> : !s32i\ncir.return %zero : !s32i\n}}\n"
    return "!s32i = !cir.int<s, 32>\n" + declared + weak + main, "".join(f"cir.func @f{i}() {{\ncir.return\n}}\n" for i in range(2 * n))


RUNS = [  # name, texts, seconds
    ("calls of 100,000 functions of another module", lambda: called_elsewhere(50000), 60),
]


def runs_of(circ):
    """LLVM 19's JIT keeps for each symbol what it needs of other objects: it takes quadratic memory itself."""
    version = subprocess.run([circ, "--version"], capture_output=True, text=True, check=True).stdout
    if "LLVM 19" not in version:
        return RUNS
    print(f"not run with LLVM 19: {', '.join(name for name, _, _ in RUNS)}", flush=True)
    return []


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


def head_for_windows():
    head = HEAD
    for elf, windows in WINDOWS.items():
        head = head.replace(elf, windows)
    return head


def try_shape(circ, folder, name, text, stage, seconds, message, head=HEAD, options=(), tail=TAIL):
    path = os.path.join(folder, "shape.cir")
    with open(path, "w", encoding="ascii") as out:
        out.write(head + text() + tail)
    begin = time.time()
    try:
        done = subprocess.run([circ, f"--emit={stage}", *options, path, "-o", os.path.join(folder, "out")],
                              capture_output=True, text=True, timeout=seconds, check=False, preexec_fn=limit_memory)
    except subprocess.TimeoutExpired:
        return f"no end after {seconds} s"
    print(f"{time.time() - begin:6.2f} s  {name} (--emit={stage})", flush=True)
    if message:
        return None if message in done.stderr and done.returncode == 1 else f"expected '{message}', got: {done.stderr[:300]}"
    return None if done.returncode == 0 else f"exit status {done.returncode}: {done.stderr[:300]}"


def try_run(circ, folder, name, texts, seconds):
    paths = []
    for text in texts():
        paths.append(os.path.join(folder, f"shape{len(paths)}.cir"))
        with open(paths[-1], "w", encoding="ascii") as out:
            out.write(text)
    begin = time.time()
    try:
        done = subprocess.run([circ, "run", *paths], capture_output=True, text=True, timeout=seconds, check=False, preexec_fn=limit_memory)
    except subprocess.TimeoutExpired:
        return f"no end after {seconds} s"
    print(f"{time.time() - begin:6.2f} s  {name} (run)", flush=True)
    return None if done.returncode == 0 else f"exit status {done.returncode}: {done.stderr[:300]}"


def main():
    args = argparse.ArgumentParser(description=__doc__)
    args.add_argument("--circ", required=True)
    args.add_argument("--only", default="", help="shapes whose name contains this")
    options = args.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        windows = head_for_windows()
        tried = [(try_shape, shape) for shape in SHAPES] + [(try_shape, shape + (HEAD, ("--repair=clang",))) for shape in SHAPES_OF_CLANG]
        tried += [(try_shape, shape + (windows,)) for shape in SHAPES_FOR_WINDOWS]
        for shape, option in zip(SHAPES_OF_LLVM, ("--lift", "--target=x86_64-pc-windows-msvc")):
            tried.append((try_shape, shape + (LLVM_HEAD, ("-x", "ir", option), LLVM_TAIL)))
        for how, shape in tried + [(try_run, shape) for shape in runs_of(options.circ)]:
            if options.only in shape[0]:
                problem = how(options.circ, folder, *shape)
                if problem:
                    failed += 1
                    print(f"FAILED {shape[0]}: {problem}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
