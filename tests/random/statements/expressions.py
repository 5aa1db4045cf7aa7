"""Statements within expressions."""
from .pieces import Pieces


class Expressions(Pieces):
    def expression(self, ctx):
        """ev(choose() ? ({ … a; }) : ({ … b; })): statements within an expression."""
        b, v = self.condition(), self.value()
        self.cir.open(f"{v} = cir.ternary({b}, true {{")
        self.cpp.open("ev(choose() ? ({")
        first = self.branch(ctx)
        self.cir.close("}, false {")
        self.cir.depth += 1
        self.cpp.close("}) : ({")
        self.cpp.depth += 1
        second = self.branch(ctx)
        self.cir.close("}) : (!cir.bool) -> !s32i")
        self.cpp.close("}));")
        if not first and not second:
            self.dead_end()
            return False
        self.call("ev", (v, "!s32i"))
        return True

    def branch(self, ctx):
        alive = self.block(ctx.alone())
        n = self.rng.randint(1, 999)
        if alive:
            self.cir.put(f"cir.yield {self.const(n)} : !s32i")
        self.cpp.put(f"{n};")
        return alive

    def static(self, ctx):
        """static int s = ({ … choose(); }); ev(s);"""
        s = self.name("s")
        pointer, address = "!cir.ptr<!s32i>", self.value()
        self.functions.append(f'  cir.global "private" internal static_local_guard<"{s}_guard"> @{s} = #cir.int<0> : !s32i')
        self.cir.put(f"{address} = cir.get_global static_local @{s} : {pointer}")
        self.cir.open(f"cir.local_init static_local @{s} ctor {{")
        self.cpp.open(f"static int {s} = ({{")
        if self.block(self.brief(ctx)):
            v, to = self.call("choose", result=True), self.value()
            self.cir.put(f"{to} = cir.get_global static_local @{s} : {pointer}")
            self.cir.put(f"cir.store {v}, {to} : !s32i, {pointer}")
            self.cir.put("cir.yield")
        self.cpp.put("choose();")
        self.cir.close()
        self.cpp.close("});")
        v = self.value()
        self.cir.put(f"{v} = cir.load {address} : {pointer}, !s32i")
        self.call("ev", (v, "!s32i"))
        self.cpp.put(f"ev({s});")
        return True
