"""Statements without others in them."""
from .pieces import Pieces


class Simple(Pieces):
    def event(self, ctx):
        n = self.rng.randint(1, 999)
        self.call("ev", (self.const(n), "!s32i"))
        self.cpp.put(f"ev({n});")
        return True

    def act(self, ctx):
        n = self.rng.randint(1, 999)
        self.call("act", (self.const(n), "!s32i"))
        self.cpp.put(f"act({n});")
        return True

    def compute(self, ctx):
        """x = x * k + decision; ev(x): values that live across exits."""
        k = self.rng.randint(2, 9)
        old = self.value()
        self.cir.put(f"{old} = cir.load %x : !cir.ptr<!s32i>, !s32i")
        product, total, bits = self.value(), self.value(), self.value()
        self.cir.put(f"{product} = cir.mul {old}, {self.const(k)} : !s32i")
        decision = self.call("choose", result=True)
        self.cir.put(f"{total} = cir.add {product}, {decision} : !s32i")
        self.cir.put(f"{bits} = cir.and {total}, {self.const(65535)} : !s32i")
        self.cir.put(f"cir.store {bits}, %x : !s32i, !cir.ptr<!s32i>")
        self.call("ev", (bits, "!s32i"))
        self.cpp.put(f"x = (x * {k} + choose()) & 65535;")
        self.cpp.put("ev(x);")
        return True

    def ternary(self, ctx):
        """ev(choose() ? (act(a), b) : c);"""
        n, yes, no = (self.rng.randint(1, 999) for _ in range(3))
        b, v = self.condition(), self.value()
        self.cir.open(f"{v} = cir.ternary({b}, true {{")
        self.call("act", (self.const(n), "!s32i"))
        self.cir.put(f"cir.yield {self.const(yes)} : !s32i")
        self.cir.close("}, false {")
        self.cir.depth += 1
        self.cir.put(f"cir.yield {self.const(no)} : !s32i")
        self.cir.close("}) : (!cir.bool) -> !s32i")
        self.call("ev", (v, "!s32i"))
        self.cpp.put(f"ev(choose() ? (act({n}), {yes}) : {no});")
        return True

    def indirect(self, ctx):
        """(choose() ? act : ev)(n);"""
        n, b = self.rng.randint(1, 999), self.condition()
        pointer = "!cir.ptr<!cir.func<(!s32i)>>"
        yes, no, f = self.value(), self.value(), self.value()
        self.cir.put(f"{yes} = cir.get_global @act : {pointer}")
        self.cir.put(f"{no} = cir.get_global @ev : {pointer}")
        self.cir.put(f"{f} = cir.select if {b} then {yes} else {no} : (!cir.bool, {pointer}, {pointer}) -> {pointer}")
        self.cir.put(f"cir.call {f}({self.const(n)}) : ({pointer}, !s32i) -> ()")
        self.cpp.put(f"(choose() ? act : static_cast<void (*)(int)>(ev))({n});")
        return True
