"""What may not be left by every exception: noexcept and exception specifications, in place and as functions of their own."""
from .pieces import Pieces
from .text import Writer

LISTED = {"int": "_ZTIi", "double": "_ZTId", "Base": "_ZTI4Base", "Derived": "_ZTI7Derived", "Base *": "_ZTIP4Base"}


class Specifications(Pieces):
    def noexcept(self, ctx):
        alive = self.terminating(lambda: self.block(ctx.inside()))
        if not alive:
            self.dead_end()
        return alive

    def terminating(self, write_body):
        """C++ leaves open whether cleanups run before (clang leaves them out of noexcept functions); here they do."""
        token = self.name("t")
        self.cir.open("cir.try {")
        self.cpp.open("try {")
        alive = write_body()
        self.cpp.close("} catch (...) {")
        self.cpp.put("  std::terminate();")
        self.cpp.put("}")
        self.end_region(alive)
        self.cir.close(f"}} catch all (%{token}: !cir.eh_token) {{")
        self.cir.depth += 1
        self.cir.put(f"cir.eh.terminate %{token} : !cir.eh_token")
        self.cir.close()
        return alive

    def specification(self, ctx):
        """[&]() throw(int, Base) { … }(); and in CIR, the body in place."""
        listed = self.listed()
        self.cpp.open(f"[&]() throw({', '.join(listed)}) {{")
        alive = self.filtered(listed, lambda: self.block(ctx.alone(filter=True)))
        self.cpp.close("}();")
        if not alive:
            self.dead_end()
        return alive

    def listed(self):
        return sorted(self.rng.sample(sorted(LISTED), self.rng.choice((0, 1, 2, 3))))

    def filtered(self, listed, write_body):
        token, other = self.name("t"), self.name("t")
        types = ", ".join(f"#cir.global_view<@{LISTED[t]}> : !cir.ptr<!u8i>" for t in listed)
        self.cir.open("cir.try {")
        alive = write_body()
        self.end_region(alive)
        self.cir.close(f"}} filter [{types}] (%{token}: !cir.eh_token) {{")
        self.cir.put(f"  cir.resume %{token} : !cir.eh_token" if listed else "  cir.unreachable")
        self.cir.put(f"}} unexpected (%{other}: !cir.eh_token) {{")
        self.cir.put(f"  cir.eh.unexpected %{other} : !cir.eh_token")
        self.cir.put("}")
        return alive

    def function(self, ctx):
        """[&] { … }(); with any exception specification, and in CIR, a function that is called."""
        kind = self.rng.choice(("", " noexcept", " throw") if self.specifications else ("", " noexcept"))
        name, listed = self.name("f"), self.listed()
        caller, self.cir = self.cir, Writer()
        self.cir.depth = 2
        self.cpp.open(f"[&](){kind}{'(' + ', '.join(listed) + ')' if kind == ' throw' else ''} {{")
        body = lambda: self.block(ctx.alone().inside(leave=True, value=False, filter=kind == " throw"))  # noqa: E731
        if kind == " noexcept":
            alive = self.terminating(body)
        elif kind == " throw":
            alive = self.filtered(listed, body)
        else:
            alive = body()
        if alive:
            self.cir.put("cir.return")
        elif kind:
            self.dead_end()
        self.cpp.close("}();")
        nothrow = " attributes {nothrow}" if kind == " noexcept" else ""
        head = f"  cir.func internal @{name}(%x: !cir.ptr<!s32i>){nothrow} {{"
        self.functions += [head, *self.cir.lines, "  }"]
        self.cir = caller
        self.call(name, ("%x", "!cir.ptr<!s32i>"))
        return True
