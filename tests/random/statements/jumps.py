"""goto, forwards and backwards, into and out of scopes and loops."""
from .branches import Branches
from .simple import Simple


class Jumps(Branches, Simple):
    def place(self, label):
        self.cir.put(f"cir.br ^{label}")
        self.cir.put(f"^{label}:")
        self.cir.put(f'cir.label "{label}"')
        self.cpp.put(f"{label}:;")

    def jump_in(self, ctx):
        """{ …goto l; … while (more()) { … l: … } }: forward, into a loop, a scope or an if"""
        if not ctx.leave:
            return self.event(ctx)
        label, kind = self.name("l"), self.rng.choice(("while", "scope", "if"))
        self.cir.open("cir.scope {")
        self.cpp.open("{")
        self.perhaps(ctx.inside(labels=ctx.labels + (label,)))
        self.enter(kind)
        loop = kind == "while"
        inner = ctx.inside(loop=loop or ctx.loop, breakable=loop or ctx.breakable)
        self.perhaps(inner)
        self.place(label)
        alive = self.block(inner)
        self.end_region(alive)
        self.cir.close()
        self.cpp.close()
        reached = alive or kind != "scope"
        self.end_region(reached)
        if not reached:
            self.dead_end()
        self.cir.close()
        self.cpp.close()
        if not reached:
            self.dead_end()
        return reached

    def labelled(self, ctx):
        """{ …goto l; … l: … }: forward, out of whatever is in between."""
        if not ctx.leave:
            return self.event(ctx)
        label = self.name("l")
        self.cir.open("cir.scope {")
        self.cpp.open("{")
        alive = self.block(ctx.inside(labels=ctx.labels + (label,)), least=2)
        block = f"^{label}"
        if alive:
            self.cir.put(f"cir.br {block}")
        self.cir.put(f"{block}:")
        self.cir.put(f'cir.label "{label}"')
        self.cpp.depth -= 1
        self.cpp.put(f"{label}:;")
        self.cpp.depth += 1
        end = self.block(ctx.inside())
        self.end_region(end)
        self.cir.close()
        self.cpp.close()
        if not end:
            self.dead_end()
        return end

    def goto(self, ctx):
        label = self.rng.choice(ctx.labels)
        self.cir.put(f'cir.goto "{label}"')
        self.cpp.put(f"goto {label};")
        return False

    def again(self, ctx):
        """{ l: …if (more()) goto l; … }: backwards, out of whatever is in between."""
        if not ctx.leave:
            return self.event(ctx)
        label = self.name("l")
        self.cir.open("cir.scope {")
        self.cpp.open("{")
        self.place(label)
        alive = self.block(ctx.inside(behind=ctx.behind + (label,)), least=2)
        self.end_region(alive)
        self.cir.close()
        self.cpp.close()
        if not alive:
            self.dead_end()
        return alive

    def go_back(self, ctx):
        label = self.rng.choice(ctx.behind)
        self.cir.open(f"cir.if {self.loop_condition()} {{")
        self.cir.put(f'cir.goto "{label}"')
        self.cir.close()
        self.cpp.put(f"if (more()) goto {label};")
        return True
