#!/usr/bin/env python3
"""Writes a module of flat CIR of a given size: functions with a loop, arithmetic, calls, a cleanup and two handlers.

    flat_module.py --functions 1000 > module.cir          # about 64 operations a function
    flat_module.py --functions 1000 --cpp > module.cpp    # the same functions as C++

The same arguments give the same bytes. Every function can run: it needs a C++ side only for `work` and `close`.
"""
import argparse
import sys

HEADER = """\
!s32i = !cir.int<s, 32>
!u8i = !cir.int<u, 8>
!void = !cir.void
!rec_Guard = !cir.struct<class "Guard" {!s32i, !s32i}>
module @bench attributes {cir.triple = "x86_64-unknown-linux-gnu"} {
  cir.global "private" constant external @_ZTIi : !cir.ptr<!u8i>
  cir.func private @work(!s32i) -> !s32i
  cir.func private @open(!cir.ptr<!rec_Guard>, !s32i)
  cir.func private @close(!cir.ptr<!rec_Guard>) attributes {nothrow}
"""

FUNCTION = """\
  cir.func @f{n}(%arg0: !s32i) -> !s32i {{
    %0 = cir.alloca "x" align(4) init : !cir.ptr<!s32i>
    %1 = cir.alloca "i" align(4) init : !cir.ptr<!s32i>
    %2 = cir.alloca "sum" align(4) init : !cir.ptr<!s32i>
    %3 = cir.alloca "g" align(4) init : !cir.ptr<!rec_Guard>
    %4 = cir.alloca "e" align(4) : !cir.ptr<!s32i>
    cir.store align(4) %arg0, %0 : !s32i, !cir.ptr<!s32i>
    %5 = cir.const #cir.int<0> : !s32i
    cir.store align(4) %5, %1 : !s32i, !cir.ptr<!s32i>
    cir.store align(4) %5, %2 : !s32i, !cir.ptr<!s32i>
    cir.br ^bb1
  ^bb1:
    %6 = cir.load align(4) %1 : !cir.ptr<!s32i>, !s32i
    %7 = cir.load align(4) %0 : !cir.ptr<!s32i>, !s32i
    %8 = cir.cmp lt %6, %7 : !s32i
    cir.brcond %8 ^bb2, ^bb14
  ^bb2:
    %9 = cir.load align(4) %1 : !cir.ptr<!s32i>, !s32i
    cir.try_call @open(%3, %9) ^bb3, ^bb8 : (!cir.ptr<!rec_Guard>, !s32i) -> ()
  ^bb3:
    %10 = cir.get_member %3[0] {{name = "a"}} : !cir.ptr<!rec_Guard> -> !cir.ptr<!s32i>
    %11 = cir.load align(4) %10 : !cir.ptr<!s32i>, !s32i
    %12 = cir.const #cir.int<{k}> : !s32i
    %13 = cir.mul nsw %11, %12 : !s32i
    %14 = cir.load align(4) %1 : !cir.ptr<!s32i>, !s32i
    %15 = cir.xor %13, %14 : !s32i
    %16 = cir.try_call @{callee}(%15) ^bb4, ^bb6 : (!s32i) -> !s32i
  ^bb4:
    %17 = cir.load align(4) %2 : !cir.ptr<!s32i>, !s32i
    %18 = cir.add nsw %17, %16 : !s32i
    cir.store align(4) %18, %2 : !s32i, !cir.ptr<!s32i>
    cir.call @close(%3) nothrow : (!cir.ptr<!rec_Guard>) -> ()
    cir.br ^bb5
  ^bb5:
    %19 = cir.load align(4) %1 : !cir.ptr<!s32i>, !s32i
    %20 = cir.const #cir.int<1> : !s32i
    %21 = cir.add nsw %19, %20 : !s32i
    cir.store align(4) %21, %1 : !s32i, !cir.ptr<!s32i>
    cir.br ^bb1
  ^bb6:
    %22 = cir.eh.initiate cleanup : !cir.eh_token
    cir.br ^bb7(%22 : !cir.eh_token)
  ^bb7(%23: !cir.eh_token):
    %24 = cir.begin_cleanup %23 : !cir.eh_token -> !cir.cleanup_token
    cir.call @close(%3) nothrow : (!cir.ptr<!rec_Guard>) -> ()
    cir.end_cleanup %24 : !cir.cleanup_token
    cir.br ^bb9(%23 : !cir.eh_token)
  ^bb8:
    %25 = cir.eh.initiate : !cir.eh_token
    cir.br ^bb9(%25 : !cir.eh_token)
  ^bb9(%26: !cir.eh_token):
    cir.eh.dispatch %26 : !cir.eh_token [
      catch(#cir.global_view<@_ZTIi> : !cir.ptr<!u8i>) : ^bb10,
      catch_all : ^bb11
    ]
  ^bb10(%27: !cir.eh_token):
    %28, %29 = cir.begin_catch %27 : !cir.eh_token -> (!cir.catch_token, !cir.ptr<!void>)
    cir.init_catch_param scalar %29 to %4 : !cir.ptr<!void>, !cir.ptr<!s32i>
    %30 = cir.load align(4) %4 : !cir.ptr<!s32i>, !s32i
    %31 = cir.load align(4) %2 : !cir.ptr<!s32i>, !s32i
    %32 = cir.sub nsw %31, %30 : !s32i
    cir.store align(4) %32, %2 : !s32i, !cir.ptr<!s32i>
    cir.end_catch %28 : !cir.catch_token
    cir.br ^bb5
  ^bb11(%33: !cir.eh_token):
    %34, %35 = cir.begin_catch %33 : !cir.eh_token -> (!cir.catch_token, !cir.ptr<!void>)
    cir.end_catch %34 : !cir.catch_token
    cir.br ^bb14
  ^bb14:
    %36 = cir.load align(4) %2 : !cir.ptr<!s32i>, !s32i
    cir.return %36 : !s32i
  }}
"""

CPP_HEADER = """\
struct Guard {
	Guard(int);
	~Guard();
	int a, b;
};
int work(int);
"""

CPP_FUNCTION = """\
int f{n}(int x)
{{
	int i = 0, sum = 0;
	while (i < x) {{
		try {{
			Guard g(i);
			sum += {callee}(g.a * {k} ^ i);
		}} catch (int e) {{
			sum -= e;
		}} catch (...) {{
			break;
		}}
		i++;
	}}
	return sum;
}}
"""


def generate(functions, out, cpp=False):
    header, function, end = (CPP_HEADER, CPP_FUNCTION, "") if cpp else (HEADER, FUNCTION, "}\n")
    out.write(header)
    for n in range(functions):
        out.write(function.format(n=n, k=n % 97 + 1, callee=f"f{n - 1}" if n % 8 else "work"))
    out.write(end)


if __name__ == "__main__":
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--functions", type=int, default=1000)
    args.add_argument("--cpp", action="store_true", help="print C++")
    options = args.parse_args()
    generate(options.functions, sys.stdout, options.cpp)
