"""throw, try and handlers."""
from .pieces import Pieces

TYPES = {  # name: (C++ handler, type-info symbol, kind of init_catch_param, slot type)
    "int": ("int v", "_ZTIi", "scalar", "!s32i"),
    "double": ("double v", "_ZTId", "scalar", "!cir.double"),
    "base": ("Base &v", "_ZTI4Base", "reference", "!cir.ptr<!rec_Base>"),
    "derived": ("Derived &v", "_ZTI7Derived", "reference", "!cir.ptr<!rec_Derived>"),
    "copy": ("Derived v", "_ZTI7Derived", "non_trivial_copy", "!rec_Derived"),
    "pointer": ("Base *v", "_ZTIP4Base", "pointer", "!cir.ptr<!rec_Base>"),
}


class Exceptions(Pieces):
    def try_(self, ctx):
        handlers = self.rng.sample(sorted(TYPES), self.rng.randint(0, 3))
        if "base" in handlers and "derived" in handlers:  # a base before its derived class is a warning in C++
            handlers.sort(key=lambda t: t == "base")
        catch_all = not handlers or self.rng.random() < 0.4
        self.cir.open("cir.scope {")
        slots = {t: self.name("e") for t in handlers}
        for t in handlers:
            slot = TYPES[t][3]
            self.cir.put(f'%{slots[t]} = cir.alloca "e" align(8) : !cir.ptr<{slot}>')
        self.cir.open("cir.try {")
        self.cpp.open("try {")
        alive = self.block(ctx.inside())
        self.end_region(alive)
        reached = alive
        for t in handlers:
            token = self.name("t")
            self.cir.close(f"}} catch [type #cir.global_view<@{TYPES[t][1]}> : !cir.ptr<!u8i>] (%{token}: !cir.eh_token) {{")
            self.cpp.close(f"}} catch ({TYPES[t][0]}) {{")
            self.cir.depth += 1
            self.cpp.depth += 1
            reached |= self.handler(ctx, token, t, slots[t])
        if catch_all:
            token = self.name("t")
            self.cir.close(f"}} catch all (%{token}: !cir.eh_token) {{")
            self.cpp.close("} catch (...) {")
            self.cir.depth += 1
            self.cpp.depth += 1
            reached |= self.handler(ctx, token, None, None)
        elif self.rng.random() < 0.5:
            token = self.name("t")
            self.cir.close(f"}} unwind (%{token}: !cir.eh_token) {{")
            self.cir.depth += 1
            self.cir.put(f"cir.resume %{token} : !cir.eh_token")
        self.cir.close()
        self.cpp.close()
        if not reached:
            self.dead_end()
        self.cir.close()
        if not reached:
            self.dead_end()
        return reached

    def handler(self, ctx, token, t, slot):
        ct, p = self.value(), self.value()
        if t == "copy":
            self.cir.put(f"cir.construct_catch_param non_trivial_copy %{token} to %{slot} using @derived_thunk : !cir.ptr<!rec_Derived>")
        self.cir.put(f"{ct}, {p} = cir.begin_catch %{token} : !cir.eh_token -> (!cir.catch_token, !cir.ptr<!void>)")
        self.cir.open("cir.cleanup.scope {")
        if t:
            _, _, kind, slot_type = TYPES[t]
            pointer = f"!cir.ptr<{slot_type}>"
            self.cir.put(f"cir.init_catch_param {kind} {p} to %{slot} : !cir.ptr<!void>, {pointer}")
            self.cpp.put(f"saw_{t}({'&' if t in ('base', 'derived', 'copy') else ''}v);")
            if t == "copy":
                self.cir.open("cir.cleanup.scope {")
                self.call("saw_copy", (f"%{slot}", pointer))
            else:
                v = self.value()
                self.cir.put(f"{v} = cir.load %{slot} : {pointer}, {slot_type}")
                self.call(f"saw_{t}", (v, slot_type))
        else:
            n = self.rng.randint(1, 999)
            self.call("ev", (self.const(n), "!s32i"))
            self.cpp.put(f"ev({n});")
        alive = self.block(ctx.inside(handler=True))
        if t == "copy":
            self.end_region(alive)
            self.cir.close("} cleanup all {")
            self.cir.depth += 1
            self.call("derived_dtor", (f"%{slot}", "!cir.ptr<!rec_Derived>"))
            self.cir.put("cir.yield")
            self.cir.close()
            if not alive:
                self.dead_end()
        if alive:
            self.cir.put("cir.yield")
        self.cir.close("} cleanup all {")
        self.cir.depth += 1
        self.cir.put(f"cir.end_catch {ct} : !cir.catch_token")
        self.cir.put("cir.yield")
        self.cir.close()
        self.cir.put("cir.yield" if alive else "cir.unreachable")
        return alive

    def throw(self, ctx):
        n = self.rng.randint(1, 999)
        t = self.rng.choice(("int", "int", "derived"))
        p = self.value()
        if t == "int":
            self.cir.put(f"{p} = cir.alloc.exception 4 -> !cir.ptr<!s32i>")
            self.cir.put(f"cir.store {self.const(n)}, {p} : !s32i, !cir.ptr<!s32i>")
            self.cir.put(f"cir.throw {p} : !cir.ptr<!s32i>, @_ZTIi")
            self.cpp.put(f"throw {n};")
        else:
            self.cir.put(f"{p} = cir.alloc.exception 8 -> !cir.ptr<!rec_Derived>")
            self.cir.open("cir.cleanup.scope {")
            self.call("derived_ctor", (p, "!cir.ptr<!rec_Derived>"), (self.const(n), "!s32i"))
            self.cir.put("cir.yield")
            self.cir.close("} cleanup eh {")
            self.cir.depth += 1
            self.cir.put(f"cir.free.exception {p} : !cir.ptr<!rec_Derived>")
            self.cir.put("cir.yield")
            self.cir.close()
            self.cir.put(f"cir.throw {p} : !cir.ptr<!rec_Derived>, @_ZTI7Derived, @derived_dtor")
            self.cpp.put(f"throw Derived({n});")
        self.dead_end()
        return False

    def rethrow(self, ctx):
        self.cir.put("cir.throw")
        self.dead_end()
        self.cpp.put("throw;")
        return False
