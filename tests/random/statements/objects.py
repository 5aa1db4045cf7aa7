"""Objects with destructors, and cleanups that hold statements."""
from .pieces import Pieces
from .text import Writer


class Objects(Pieces):
    def object(self, ctx):
        """{ Obj o(n); … }"""
        n, o = self.rng.randint(1, 999), self.name("o")
        self.cir.open("cir.scope {")
        self.cir.put(f'%{o} = cir.alloca "{o}" align(4) init : !cir.ptr<!rec_Obj>')
        self.call("obj_ctor", (f"%{o}", "!cir.ptr<!rec_Obj>"), (self.const(n), "!s32i"))
        self.cpp.open("{")
        self.cpp.put(f"Obj {o}({n});")
        alive = self.cleanup_scope(ctx, "all", lambda: self.call("obj_dtor", (f"%{o}", "!cir.ptr<!rec_Obj>")))
        if not alive:
            self.dead_end()
        self.cir.close()
        self.cpp.close()
        if not alive:
            self.dead_end()
        return alive

    def cleanup(self, ctx):
        """A cleanup of any kind whose region holds statements; a guard with a lambda in C++."""
        kind = self.rng.choice(("normal", "eh", "all"))
        guard = self.name("g")
        self.cpp.open("{")
        self.cpp.open(f"auto {guard}_run = [&] {{")
        cleanup = Writer()
        body, self.cir = self.cir, cleanup
        cleanup.depth = body.depth + 1
        inner = ctx.alone(handler=False)
        inner.depth = max(inner.depth, 5)
        alive = self.block(inner)
        self.cir = body
        self.cpp.close("};")
        self.cpp.put(f"Guard<decltype({guard}_run)> {guard}({guard}_run, Guarded::{kind});")
        self.cir.open("cir.cleanup.scope {")
        ended = self.block(ctx.inside())
        if ended:
            self.cir.put("cir.yield")
        self.cir.close(f"}} cleanup {kind} {{")
        self.cir.depth += 1
        self.cir.lines.extend(cleanup.lines)
        self.end_region(alive)
        self.cir.close()
        self.cpp.close()
        if not ended or (not alive and kind != "eh"):
            self.dead_end()
            return False
        return True
