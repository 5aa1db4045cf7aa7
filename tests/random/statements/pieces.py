"""What every kind of statement is written with."""
from .text import Writer


class Pieces:
    """The two texts of a program, the names in it, and small pieces of CIR."""

    def __init__(self, rng, number, specifications=True, leave_out=()):
        self.rng = rng
        self.specifications = specifications
        self.number = number
        self.leave_out = leave_out
        self.cir, self.cpp = Writer(), Writer()
        self.cir.depth = 2
        self.values = 0
        self.names = 0
        self.budget = rng.choice((10, 25, 50, 100))
        self.functions = []  # CIR functions of its own; lambdas in C++

    def value(self):
        self.values += 1
        return f"%v{self.values}"

    def name(self, prefix):
        self.names += 1
        return f"{prefix}{self.number}_{self.names}"

    def const(self, n):
        v = self.value()
        self.cir.put(f"{v} = cir.const #cir.int<{n}> : !s32i")
        return v

    def call(self, function, *args, result=False):
        """args: (value, type)"""
        values = ", ".join(a for a, _ in args)
        types = ", ".join(t for _, t in args)
        if not result:
            self.cir.put(f"cir.call @{function}({values}) : ({types}) -> ()")
            return None
        v = self.value()
        self.cir.put(f"{v} = cir.call @{function}({values}) : ({types}) -> !s32i")
        return v

    def condition(self):
        """A decision as a cir.bool."""
        v = self.call("choose", result=True)
        b = self.value()
        self.cir.put(f"{b} = cir.cast int_to_bool {v} : !s32i -> !cir.bool")
        return b

    def loop_condition(self):
        v = self.call("more", result=True)
        b = self.value()
        self.cir.put(f"{b} = cir.cast int_to_bool {v} : !s32i -> !cir.bool")
        return b

    def end_region(self, alive):
        if alive:
            self.cir.put("cir.yield")

    def dead_end(self):
        self.cir.put("cir.unreachable")

    # statements within statements

    def block(self, ctx, least=1):
        """Statements; False when the end is not reached."""
        for _ in range(max(least, self.rng.randint(1, 3))):
            if not self.statement(ctx):
                return False
        return True

    def statement(self, ctx):
        """Any one of them; False when its end is not reached."""
        raise NotImplementedError

    def brief(self, ctx):
        """The statements of an expression that is not left by them: few, since they run again and again."""
        inner = ctx.alone()
        inner.depth = max(inner.depth, 6)
        return inner

    def perhaps(self, ctx):
        """if (choose()) { … }: its end is reached."""
        self.cir.open(f"cir.if {self.condition()} {{")
        self.cpp.open("if (choose()) {")
        self.block(ctx.inside())
        self.cir.close()
        self.cpp.close()

    def cleanup_scope(self, ctx, kind, write_cleanup):
        self.cir.open("cir.cleanup.scope {")
        alive = self.block(ctx.inside())
        if alive:
            self.cir.put("cir.yield")
        self.cir.close(f"}} cleanup {kind} {{")
        self.cir.depth += 1
        write_cleanup()
        self.cir.put("cir.yield")
        self.cir.close()
        return alive
