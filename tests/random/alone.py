#!/usr/bin/env python3
"""The programs of own.py without another language between: all functions and exceptions are of circ's runtime (alone_run.py).

    alone.py --seed 7 --count 50 --cir out.cir
"""
import sys

sys.dont_write_bytecode = True
import own  # noqa: E402

HEAD = own.HEAD + """\
  cir.func private @own_act_own(!s32i)
  cir.func private @own_escapes() attributes {nothrow}
"""

# What calls a program, since no C++ can catch: {0} is its number.
CALLER = """\
  cir.func @test_{0}() -> !s32i personality(@__circ_personality_v0) {{
    %r = cir.alloca "r" align(4) init : !cir.ptr<!s32i>
    %n = cir.const #cir.int<-1> : !s32i
    cir.store %n, %r : !s32i, !cir.ptr<!s32i>
    cir.try {{
      %v = cir.call @program_{0}() : () -> !s32i
      cir.store %v, %r : !s32i, !cir.ptr<!s32i>
      cir.yield
    }} catch all (%t: !cir.eh_token) {{
      %c, %o = cir.begin_catch %t : !cir.eh_token -> (!cir.catch_token, !cir.ptr<!cir.void>)
      cir.cleanup.scope {{
        cir.call @own_escapes() : () -> ()
        cir.yield
      }} cleanup all {{
        cir.end_catch %c : !cir.catch_token
        cir.yield
      }}
      cir.yield
    }}
    %v = cir.load %r : !cir.ptr<!s32i>, !s32i
    cir.return %v : !s32i
  }}"""


class Function(own.Function):
    def __init__(self, rng, name, _circ, callees, is_test, twin):
        super().__init__(rng, name, True, callees, is_test, twin)

    def act(self, ctx):
        self.call("own_act_own", (self.const(self.number()), "!s32i"))
        return True

    def ways_of_call(self):
        return ("",)

    def write(self):
        lines = super().write()
        if not self.is_test:
            return lines
        number = self.name.removeprefix("test_")
        return [line.replace(f"@test_{number}(", f"@program_{number}(") for line in lines] + CALLER.format(number).split("\n")


def can_meet(a, b):
    return own.can_meet(a, b)


def generate(seed, count, drafts=1):
    return own.module(HEAD, own.write_programs(seed, count, drafts, make=Function))


def generate_one(seed, number, drafts=1):
    return own.module_of_one(HEAD, own.write_programs(seed, number + 1, drafts, make=Function), number)


if __name__ == "__main__":
    own.main(__doc__, generate)
