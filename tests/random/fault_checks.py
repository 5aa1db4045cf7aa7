"""circ.check of each kind, and what it guards: an access, a division, a sum."""

KINDS = ("null", "zero", "overflow", "bounds", "conversion", "store")


class Checks:
    def check(self, ctx):
        kinds = KINDS if self.circ else [k for k in KINDS if k in self.named]
        if not kinds:
            return self.act(ctx)
        kind = self.rng.choice(kinds)
        self.has("check " + kind)
        if ctx.exits:
            self.has("check in " + ctx.exits)
        getattr(self, f"check_{kind}" if kind in ("null", "zero", "overflow") else "check_other")(ctx, kind)
        return True

    def ok(self, kind, text):
        v = self.value()
        self.cir.put(f"{v} = {text}")
        self.cir.put(f"circ.check {kind} {v}")

    def check_null(self, ctx, kind):
        """With --faults=implicit the access is the check, where it is a plain one."""
        faults = self.faults(ctx)
        place, null = self.place("fault_place" if faults else "fault_object"), self.value()
        self.cir.put(f"{null} = cir.const #cir.ptr<null> : !cir.ptr<!cir.void>")
        self.ok(kind, f"cir.cmp ne {place}, {null} : !cir.ptr<!cir.void>")
        if faults:
            self.fault(ctx, "access")
        (self.access_load if self.rng.random() < 0.6 else self.access_store)(faults != "async", place)

    def check_zero(self, ctx, kind):
        zero, b = self.const(0), self.operand("fault_divisor", "!s32i")
        self.ok(kind, f"cir.cmp ne {b}, {zero} : !s32i")
        v = self.value()
        self.cir.put(f"{v} = cir.div {self.const(self.number())}, {b} : !s32i")
        self.say(v, "!s32i")

    def check_overflow(self, ctx, kind):
        a = self.operand("fault_dividend", "!s32i", (self.const(32), "!s32i"))
        v, overflow = self.value(), self.value()
        self.cir.put(f"{v}, {overflow} = cir.{self.rng.choice(('add', 'sub', 'mul'))}.overflow {a}, "
                     f"{self.const(self.rng.choice((-1, 1, 1000)))} : !s32i -> !s32i")
        self.ok(kind, f"cir.not {overflow} : !cir.bool")
        self.say(v, "!s32i")

    def check_other(self, ctx, kind):
        """Those of which circ only sees that they fail."""
        n = self.call("fault_size", (self.const(self.number()), "!s32i"), result=True)
        self.ok(kind, f"cir.cmp lt {n}, {self.const(self.rng.choice((20, 30, 38)))} : !s32i")
        self.event(ctx)
