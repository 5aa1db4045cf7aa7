"""switch, with cases where C++ lets them stand."""
from .branches import Branches


class Switches(Branches):
    def switch(self, ctx):
        v = self.call("pick", result=True)
        self.cir.open(f"cir.switch ({v} : !s32i) {{")
        self.cpp.open("switch (pick()) {")
        keys = list(range(8))
        self.rng.shuffle(keys)
        cases = self.rng.randint(1, 4)
        default = self.rng.choice((None, *range(cases)))
        for i in range(cases):
            self.case(ctx, keys, i == default)
        self.cir.put("cir.yield")
        self.cir.close()
        self.cpp.close()
        return True

    def case(self, ctx, keys, is_default):
        number = "#cir.int<{}> : !s32i"
        kind = self.rng.choice(("equal", "anyof", "range"))
        low = min(keys)
        high = low + 1 if low + 1 in keys else low
        if not is_default and kind == "range":
            keys.remove(low)
            if high != low:
                keys.remove(high)
            head = f"(range, [{number.format(low)}, {number.format(high)}])"
            self.cpp.put(f"case {low} ... {high}: {{")
        elif is_default:
            head = "(default, [])"
            self.cpp.put("default: {")
        elif kind == "equal" or len(keys) < 2:
            key = keys.pop()
            head = f"(equal, [{number.format(key)}])"
            self.cpp.put(f"case {key}: {{")
        else:
            pair = [keys.pop(), keys.pop()]
            head = f"(anyof, [{', '.join(number.format(k) for k in pair)}])"
            self.cpp.put(f"case {pair[0]}: case {pair[1]}: {{")
        self.cir.open(f"cir.case {head} {{")
        self.cpp.depth += 1
        alive = self.block(ctx.inside(breakable=True))
        if alive and self.rng.random() < 0.6:
            alive = self.break_(ctx)
        self.end_region(alive)
        self.cir.close()
        self.cpp.close()

    def case_in_loop(self, ctx):
        """switch (pick()) { case 0: … while (more()) { … case 1: … } }, as Duff's device"""
        v = self.call("pick", result=True)
        self.cir.open(f"cir.switch ({v} : !s32i) {{")
        self.cpp.open("switch (pick()) {")
        keys = list(range(8))
        self.rng.shuffle(keys)
        inner = ctx.inside(breakable=True)
        self.cir.open(f"cir.case (equal, [#cir.int<{keys[0]}> : !s32i]) {{")
        self.cpp.put(f"case {keys[0]}:;")
        self.perhaps(inner)
        kind = self.rng.choice(("while", "do", "scope", "if"))
        loop = kind in ("while", "do")
        self.enter(kind)
        inside = inner.inside(loop=loop or inner.loop)
        self.perhaps(inside)
        for key in keys[1:self.rng.randint(2, 3)]:
            self.cir.open(f"cir.case (equal, [#cir.int<{key}> : !s32i]) {{")
            self.cpp.open(f"case {key}: {{")
            self.end_region(self.block(inside))
            self.cir.close()
            self.cpp.close()
        self.perhaps(inside)
        self.end_region(True)
        if kind == "do":
            self.cir.close("} while {")
            self.cir.put(f"  cir.condition({self.loop_condition()})")
            self.cir.put("}")
            self.cpp.close("} while (more());")
        else:
            self.cir.close()
            self.cpp.close()
        self.end_region(True)
        self.cir.close()
        self.case(ctx, keys[3:], self.rng.random() < 0.5)
        self.cir.put("cir.yield")
        self.cir.close()
        self.cpp.close()
        return True
