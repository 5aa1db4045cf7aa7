#!/usr/bin/env python3
"""Random structured programs, each printed twice: as structured CIR and as C++ that must behave the same.

    generate.py --seed 7 --count 50 --cir out.cir --cpp out.cpp

Program N of a file is the function `test_N`, which runtime.cpp calls; everything it does to the world is a call of the runtime:
`ev` writes an event, `choose` takes the next decision of a pseudo-random sequence, `act` may throw by the next
decision, objects are built and destroyed. Both forms make the same calls in the same order, or one of them is wrong.

What is generated: scopes with objects, cleanups of the three kinds (with statements, scopes and try inside), try with
handlers of every shape, exception specifications, noexcept, both in place and as functions of their own, while, do and
for, also with a cleanup of their own, switch with fall-through and ranges, also with cases within a loop, the conditional operator,
statements within expressions and conditions, break, continue, return, goto forwards and backwards, out of and into scopes and
loops, throw, rethrow, indirect calls, static variables whose initialization throws, constructors and destructors that throw, arrays
of objects: nested, of no elements, of a count known at run time, of objects whose destructors throw, on the heap.

Exception specifications make the C++ text C++14.
"""
import argparse
import random
import sys

sys.dont_write_bytecode = True
from statements.arrays import Arrays  # noqa: E402
from statements.exceptions import Exceptions  # noqa: E402
from statements.expressions import Expressions  # noqa: E402
from statements.jumps import Jumps  # noqa: E402
from statements.objects import Objects  # noqa: E402
from statements.specifications import Specifications  # noqa: E402
from statements.switches import Switches  # noqa: E402
from statements.text import Context  # noqa: E402

# What tests/tools/interpret does not run: statements of these kinds.
NOT_INTERPRETED = ("indirect", "static", "case_in_loop", "jump_in")
# What hands sizes of 64 bits to functions of runtime.cpp.
WITH_SIZES = ("heap_array",)


class Program(Arrays, Exceptions, Expressions, Jumps, Objects, Specifications, Switches):
    """One function. Statements are written to both forms as they are made up."""

    def statement(self, ctx):
        self.budget -= 1
        simple = [self.event, self.act, self.compute]
        if self.budget < 0 or ctx.depth > 7:
            return self.rng.choice(simple)(ctx)
        choices = simple + [
            self.if_, self.if_, self.object, self.object, self.object, self.cleanup, self.try_, self.try_, self.loop,
            self.switch, self.throw, self.array, self.dynamic_array, self.heap_array, self.labelled, self.again,
            self.ternary, self.noexcept, self.function, self.expression, self.indirect,
            self.case_in_loop, self.jump_in, self.static,
        ]
        if self.specifications and not ctx.filter:
            choices.append(self.specification)
        if ctx.breakable:
            choices.append(self.break_)
        if ctx.loop:
            choices.append(self.continue_)
        if ctx.leave:
            choices.append(self.return_)
        if ctx.labels:
            choices.append(self.goto)
        if ctx.behind:
            choices.append(self.go_back)
        if ctx.handler:
            choices.append(self.rethrow)
        choices = [make for make in choices if make.__name__ not in self.leave_out]
        return self.rng.choice(choices)(ctx)

    def write(self):
        self.cir.put('%x = cir.alloca "x" align(4) init : !cir.ptr<!s32i>')
        self.cir.put(f"cir.store {self.const(self.number)}, %x : !s32i, !cir.ptr<!s32i>")
        self.cpp.put(f"int x = {self.number};")
        if self.block(Context(), least=3):
            v = self.value()
            self.cir.put(f"{v} = cir.load %x : !cir.ptr<!s32i>, !s32i")
            self.cir.put(f"cir.return {v} : !s32i")
            self.cpp.put("return x;")
        name = f"test_{self.number}"
        cir = self.functions + [f"  cir.func @{name}() -> !s32i {{", *self.cir.lines, "  }"]
        cpp = [f'extern "C" int {name}()', "{", *self.cpp.lines, "}"]
        return cir, cpp


CIR_HEAD = """\
!s32i = !cir.int<s, 32>
!u8i = !cir.int<u, 8>
!u64i = !cir.int<u, 64>
!void = !cir.void
!rec_Obj = !cir.struct<"Obj" {!s32i}>
!rec_Base = !cir.struct<"Base" {!s32i}>
!rec_Derived = !cir.struct<"Derived" {!rec_Base, !s32i}>
module attributes {cir.triple = "x86_64-unknown-linux-gnu"} {
  cir.global "private" constant external @_ZTIi : !cir.ptr<!u8i>
  cir.global "private" constant external @_ZTId : !cir.ptr<!u8i>
  cir.global "private" constant external @_ZTI4Base : !cir.ptr<!u8i> {cir.ms.tag = "struct", cir.ms.bases = []}
  cir.global "private" constant external @_ZTI7Derived : !cir.ptr<!u8i> {cir.ms.tag = "struct", cir.ms.bases = [{type = @_ZTI4Base}]}
  cir.global "private" constant external @_ZTIP4Base : !cir.ptr<!u8i>
  cir.func private @ev(!s32i) attributes {nothrow}
  cir.func private @act(!s32i)
  cir.func private @choose() -> !s32i attributes {nothrow}
  cir.func private @more() -> !s32i attributes {nothrow}
  cir.func private @pick() -> !s32i attributes {nothrow}
  cir.func private @obj_ctor(!cir.ptr<!rec_Obj>, !s32i)
  cir.func private @obj_dtor(!cir.ptr<!rec_Obj>)
  cir.func private @elem_ctor(!cir.ptr<!rec_Obj>)
  cir.func private @elem_dtor(!cir.ptr<!rec_Obj>)
  cir.func private @wild_dtor(!cir.ptr<!rec_Obj>)
  cir.func private @array_new(!u64i) -> !cir.ptr<!void>
  cir.func private @array_delete(!cir.ptr<!void>, !u64i) attributes {nothrow}
  cir.func private @condition_ctor(!cir.ptr<!rec_Obj>, !s32i) attributes {nothrow}
  cir.func private @derived_copy(!cir.ptr<!rec_Derived>, !cir.ptr<!rec_Derived>) attributes {nothrow}
  cir.func internal @derived_thunk(%to: !cir.ptr<!rec_Derived>, %from: !cir.ptr<!rec_Derived>) attributes {cir.eh.catch_copy_thunk} {
    cir.call @derived_copy(%to, %from) : (!cir.ptr<!rec_Derived>, !cir.ptr<!rec_Derived>) -> ()
    cir.return
  }
  cir.func private @derived_ctor(!cir.ptr<!rec_Derived>, !s32i)
  cir.func private @derived_dtor(!cir.ptr<!rec_Derived>) attributes {nothrow}
  cir.func private @saw_int(!s32i) attributes {nothrow}
  cir.func private @saw_double(!cir.double) attributes {nothrow}
  cir.func private @saw_base(!cir.ptr<!rec_Base>) attributes {nothrow}
  cir.func private @saw_derived(!cir.ptr<!rec_Derived>) attributes {nothrow}
  cir.func private @saw_copy(!cir.ptr<!rec_Derived>) attributes {nothrow}
  cir.func private @saw_pointer(!cir.ptr<!rec_Base>) attributes {nothrow}
"""


def generate(seed, count, specifications=True, leave_out=()):
    """Both texts of `count` programs, without the kinds of statement that are left out (names of Program's methods)."""
    cir, cpp = [CIR_HEAD], ['#include "runtime.h"', ""]
    for number in range(count):
        program = Program(random.Random(seed * 1000003 + number), number, specifications, leave_out)
        function, twin = program.write()
        cir += function
        cpp += twin + [""]
    return "\n".join(cir) + "\n}\n", "\n".join(cpp)


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--count", type=int, default=50, help="programs in the file")
    args.add_argument("--cir", required=True)
    args.add_argument("--cpp", required=True)
    options = args.parse_args()
    cir, cpp = generate(options.seed, options.count)
    with open(options.cir, "w", encoding="ascii") as out:
        out.write(cir)
    with open(options.cpp, "w", encoding="ascii") as out:
        out.write(cpp)


if __name__ == "__main__":
    main()
