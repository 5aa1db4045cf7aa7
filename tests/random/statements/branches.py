"""if, loops, and what leaves them."""
from .pieces import Pieces
from .text import Writer


class Branches(Pieces):
    def if_(self, ctx):
        b = self.condition()
        self.cir.open(f"cir.if {b} {{")
        self.cpp.open("if (choose()) {")
        first = self.block(ctx.inside())
        second = True
        if self.rng.random() < 0.5:
            self.cir.close("} else {")
            self.cir.depth += 1
            self.cpp.close("} else {")
            self.cpp.depth += 1
            second = self.block(ctx.inside())
        self.cir.close()
        self.cpp.close()
        if not first and not second:
            self.dead_end()
            return False
        return True

    def loop(self, ctx):
        kind = self.rng.choice(("while", "do", "for"))
        inner = ctx.inside(loop=True, breakable=True)
        if kind == "do":
            self.cir.open("cir.do {")
            self.cpp.open("do {")
            self.end_region(self.block(inner))
            self.cir.close("} while {")
            self.cir.depth += 1
            self.cpp.close("} while (")
            self.whole_condition(ctx)
            self.cir.close()
            self.cpp.put(");")
            return True
        variable = self.name("c") if self.rng.random() < 0.4 else None
        n = self.rng.randint(1, 999)
        if variable:
            self.cir.put(f'%{variable} = cir.alloca "c" align(4) init : !cir.ptr<!rec_Obj>')
        self.cir.open("cir.while {" if kind == "while" else "cir.for : cond {")
        self.cpp.put("while (" if kind == "while" else "for (;")
        if variable:
            self.cpp.put(f"Condition {variable} = Condition({n})")
            self.call("condition_ctor", (f"%{variable}", "!cir.ptr<!rec_Obj>"), (self.const(n), "!s32i"))
            self.cir.put(f"cir.condition({self.loop_condition()})")
        else:
            self.whole_condition(ctx)
        self.cir.close("} do {" if kind == "while" else "} body {")
        body, self.cir = self.cir, Writer()
        self.cir.depth = body.depth + 1
        if kind == "for":
            self.cpp.open("; ({")
            self.end_region(self.block(self.brief(ctx)))
            self.cpp.close("})")
        step, self.cir = self.cir, body
        self.cpp.open(") {")
        self.cir.depth += 1
        self.end_region(self.block(inner))
        if kind == "for":
            self.cir.close("} step {")
            self.cir.depth += 1
            self.cir.lines += step.lines
        if variable:
            self.cir.close("} cleanup all {")
            self.cir.depth += 1
            self.call("obj_dtor", (f"%{variable}", "!cir.ptr<!rec_Obj>"))
            self.cir.put("cir.yield")
        self.cir.close()
        self.cpp.close()
        return True

    def whole_condition(self, ctx):
        """more(), or ({ … more(); })"""
        statements = self.rng.random() < 0.3
        if statements:
            self.cpp.open("({")
        if not statements or self.block(self.brief(ctx)):
            self.cir.put(f"cir.condition({self.loop_condition()})")
        self.cpp.put("more()" + ";" * statements)
        if statements:
            self.cpp.close("})")

    def enter(self, kind):
        """The head of a `while`, an `if`, a `do` or a scope."""
        if kind == "while":
            self.cir.open("cir.while {")
            self.cpp.open("while (more()) {")
            self.cir.put(f"cir.condition({self.loop_condition()})")
            self.cir.close("} do {")
            self.cir.depth += 1
        elif kind == "if":
            self.cir.open(f"cir.if {self.condition()} {{")
            self.cpp.open("if (choose()) {")
        else:
            self.cir.open("cir.do {" if kind == "do" else "cir.scope {")
            self.cpp.open("do {" if kind == "do" else "{")

    def break_(self, ctx):
        self.cir.put("cir.break")
        self.cpp.put("break;")
        return False

    def continue_(self, ctx):
        self.cir.put("cir.continue")
        self.cpp.put("continue;")
        return False

    def return_(self, ctx):
        if not ctx.value:
            self.cir.put("cir.return")
            self.cpp.put("return;")
            return False
        n = self.rng.randint(1, 999)
        v = self.const(n)
        self.cir.put(f"cir.return {v} : !s32i")
        self.cpp.put(f"return {n};")
        return False
