#!/usr/bin/env python3
"""Writes a module of flat CIR of a given size: functions with a loop, arithmetic, calls, a cleanup and two handlers.

    flat_module.py --functions 1000 > module.cir          # about 62 operations a function
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
    cir.try_call @open(%3, %6) ^bb3, ^bb8 : (!cir.ptr<!rec_Guard>, !s32i) -> ()
  ^bb3:
    %9 = cir.get_member %3[0] {{name = "a"}} : !cir.ptr<!rec_Guard> -> !cir.ptr<!s32i>
    %10 = cir.load align(4) %9 : !cir.ptr<!s32i>, !s32i
    %11 = cir.const #cir.int<{k}> : !s32i
    %12 = cir.mul nsw %10, %11 : !s32i
    %13 = cir.xor %12, %6 : !s32i
    %14 = cir.try_call @{callee}(%13) ^bb4, ^bb6 : (!s32i) -> !s32i
  ^bb4:
    %15 = cir.load align(4) %2 : !cir.ptr<!s32i>, !s32i
    %16 = cir.add nsw %15, %14 : !s32i
    cir.store align(4) %16, %2 : !s32i, !cir.ptr<!s32i>
    cir.call @close(%3) nothrow : (!cir.ptr<!rec_Guard>) -> ()
    cir.br ^bb5
  ^bb5:
    %17 = cir.load align(4) %1 : !cir.ptr<!s32i>, !s32i
    %18 = cir.const #cir.int<1> : !s32i
    %19 = cir.add nsw %17, %18 : !s32i
    cir.store align(4) %19, %1 : !s32i, !cir.ptr<!s32i>
    cir.br ^bb1
  ^bb6:
    %20 = cir.eh.initiate cleanup : !cir.eh_token
    cir.br ^bb7(%20 : !cir.eh_token)
  ^bb7(%21: !cir.eh_token):
    %22 = cir.begin_cleanup %21 : !cir.eh_token -> !cir.cleanup_token
    cir.call @close(%3) nothrow : (!cir.ptr<!rec_Guard>) -> ()
    cir.end_cleanup %22 : !cir.cleanup_token
    cir.br ^bb9(%21 : !cir.eh_token)
  ^bb8:
    %23 = cir.eh.initiate : !cir.eh_token
    cir.br ^bb9(%23 : !cir.eh_token)
  ^bb9(%24: !cir.eh_token):
    cir.eh.dispatch %24 : !cir.eh_token [
      catch(#cir.global_view<@_ZTIi> : !cir.ptr<!u8i>) : ^bb10,
      catch_all : ^bb11
    ]
  ^bb10(%25: !cir.eh_token):
    %26, %27 = cir.begin_catch %25 : !cir.eh_token -> (!cir.catch_token, !cir.ptr<!void>)
    cir.init_catch_param scalar %27 to %4 : !cir.ptr<!void>, !cir.ptr<!s32i>
    %28 = cir.load align(4) %4 : !cir.ptr<!s32i>, !s32i
    %29 = cir.load align(4) %2 : !cir.ptr<!s32i>, !s32i
    %30 = cir.sub nsw %29, %28 : !s32i
    cir.store align(4) %30, %2 : !s32i, !cir.ptr<!s32i>
    cir.end_catch %26 : !cir.catch_token
    cir.br ^bb5
  ^bb11(%31: !cir.eh_token):
    %32, %33 = cir.begin_catch %31 : !cir.eh_token -> (!cir.catch_token, !cir.ptr<!void>)
    cir.end_catch %32 : !cir.catch_token
    cir.br ^bb14
  ^bb14:
    %34 = cir.load align(4) %2 : !cir.ptr<!s32i>, !s32i
    cir.return %34 : !s32i
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
