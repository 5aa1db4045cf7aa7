"""Statements that read or write memory which may not be there: null, or a page that is guarded until a filter repairs it."""

# What is loaded and stored, and the bytes of it. Plain accesses are those of a general register: others may be made in any order.
INTEGERS = {"!s8i": 1, "!u8i": 1, "!s16i": 2, "!s32i": 4, "!s64i": 8, "!s128i": 16}
OTHERS = {"!cir.float": 4, "!cir.double": 8, "!cir.long_double<!cir.f80>": 16, "!vec": 16, "!cir.vector<3 x !s16i>": 8}
PLAIN = ("!s8i", "!u8i", "!s16i", "!s32i", "!s64i")
VOIDP = "!cir.ptr<!cir.void>"


class Accesses:
    def place(self, function="fault_place"):
        return self.call_for(VOIDP, function, (self.const(self.number()), "!s32i"))

    def cast(self, value, kind, source, target):
        v = self.value()
        self.cir.put(f"{v} = cir.cast {kind} {value} : {source} -> {target}")
        return v

    def pointer(self, place, t):
        """To one of the first elements there, as of a member of the object."""
        p = self.cast(place, "bitcast", VOIDP, f"!cir.ptr<{t}>")
        if self.rng.random() < 0.5:
            return p
        q = self.value()
        self.cir.put(f"{q} = cir.ptr_stride {p}, {self.const(self.rng.randint(1, 3))} : (!cir.ptr<{t}>, !s32i) -> !cir.ptr<{t}>")
        return q

    def slot(self, t):
        """A variable of the function."""
        v = self.value()
        self.cir.put(f'{v} = cir.alloca "{t.strip("!")[:3]}" align(16) : !cir.ptr<{t}>')
        return v

    def say_first(self, variable, t):
        """The first bytes of it."""
        p = self.cast(variable, "bitcast", f"!cir.ptr<{t}>", "!cir.ptr<!s32i>")
        self.call("own_saw", (self.load(p), "!s32i"))

    def access(self, ctx):
        kinds = ("load", "store") if self.faults(ctx) == "plain" else ("load", "load", "store", "store", "move", "copy", "set")
        kind = self.rng.choice(kinds)
        self.fault(ctx, kind)
        plain = self.faults(ctx) == "plain"
        busy = plain and self.rng.random() < 0.4
        place = self.place("fault_guarded" if busy else "fault_place")
        if busy:
            self.access_busily(kind, place)
        else:
            getattr(self, "access_" + kind)(plain, place)
        return True

    def access_busily(self, kind, place):
        """While there is something in each register, which must be there when a filter has let the function go on. Nothing of it is used before, nor
        only behind a call."""
        self.has("busy registers")
        p, known = self.pointer(place, "!s32i"), self.rng.choice(self.known)
        kept = [self.keep("!s32i") for _ in range(self.rng.randint(8, 14))]
        others = [(self.keep(t), t, self.slot(t)) for t in ("!vec", "!vec", "!vec", "!cir.long_double<!cir.f80>")]
        if kind == "store":
            self.cir.put(f"cir.store align(1) volatile {known}, {p} : !s32i, !cir.ptr<!s32i>")
        said = self.value()
        self.cir.put(f"{said} = cir.load align(1) volatile {p} : !cir.ptr<!s32i>, !s32i")
        for v in kept:
            mixed, said = (said, v), self.value()
            self.cir.put(f"{said} = cir.{'xor' if v in kept[::2] else 'sub'} {', '.join(mixed)} : !s32i")
        for v, t, slot in others:
            self.cir.put(f"cir.store volatile {v}, {slot} : {t}, !cir.ptr<{t}>")
        self.say(said, "!s32i")
        for _, t, slot in others:
            self.say_first(slot, t)

    def keep(self, t):
        """A value that stays in a register over the next volatile access: it cannot be computed later, and no call comes between."""
        slot, v = self.slot(t), self.value()
        p = self.cast(slot, "bitcast", f"!cir.ptr<{t}>", "!cir.ptr<!s32i>")
        for at in range(INTEGERS.get(t, 16) // 4):
            q = self.value()
            self.cir.put(f"{q} = cir.ptr_stride {p}, {self.const(at)} : (!cir.ptr<!s32i>, !s32i) -> !cir.ptr<!s32i>")
            self.store(self.const(self.number()), q)
        self.cir.put(f"{v} = cir.load volatile {slot} : !cir.ptr<{t}>, {t}")
        return v

    def modifier(self, size):
        if size <= 8 and self.rng.random() < 0.15:
            return "atomic(seq_cst) "
        return "volatile " if self.rng.random() < 0.15 else ""

    def access_load(self, plain, place):
        t = self.rng.choice(PLAIN if plain else (*INTEGERS, *OTHERS))
        p, v = self.pointer(place, t), self.value()
        self.cir.put(f"{v} = cir.load align(1) {self.modifier(16)}{p} : !cir.ptr<{t}>, {t}")
        if t in INTEGERS:
            self.say(v, t)
            return
        slot = self.slot(t)
        self.cir.put(f"cir.store {v}, {slot} : {t}, !cir.ptr<{t}>")
        self.say_first(slot, t)

    def say(self, v, t):
        self.call("own_saw", (v if t == "!s32i" else self.cast(v, "integral", t, "!s32i"), "!s32i"))

    def access_store(self, plain, place):
        t = self.rng.choice(PLAIN if plain else (*INTEGERS, "!cir.bool", "!vec"))
        known = self.rng.choice(self.known)
        if t == "!cir.bool":
            v = self.cast(known, "int_to_bool", "!s32i", t)
        elif t == "!vec":
            v = self.value()
            self.cir.put(f"{v} = cir.vec.create({', '.join([known] * 4)} : !s32i, !s32i, !s32i, !s32i) : !vec")
        else:
            v = known if t == "!s32i" else self.cast(known, "integral", "!s32i", t)
        align, size = INTEGERS.get(t, 16), INTEGERS.get(t, 16)
        p = self.pointer(place, t)
        how = self.modifier(size) if size <= 8 else ""
        self.cir.put(f"cir.store align({align if 'atomic' in how else 1}) {how}{v}, {p} : {t}, !cir.ptr<{t}>")
        self.say_last(p, t)

    def say_last(self, p, t):
        """What is there then: the last of several numbers."""
        read = {"!cir.bool": "!u8i", "!vec": "!s32i"}.get(t, t)
        if read != t:
            p = self.cast(p, "bitcast", f"!cir.ptr<{t}>", f"!cir.ptr<{read}>")
        if t == "!vec":
            last, q = self.const(3), self.value()
            self.cir.put(f"{q} = cir.ptr_stride {p}, {last} : (!cir.ptr<!s32i>, !s32i) -> !cir.ptr<!s32i>")
            p = q
        v = self.value()
        self.cir.put(f"{v} = cir.load align(1) {p} : !cir.ptr<{read}>, {read}")
        self.say(v, read)

    def access_copy(self, _, place):
        """A record, in or out of a variable."""
        p, slot = self.cast(place, "bitcast", VOIDP, "!cir.ptr<!rec_Big>"), self.slot("!rec_Big")
        zero = self.value()
        self.cir.put(f"{zero} = cir.const #cir.zero : !rec_Big")
        self.cir.put(f"cir.store {zero}, {slot} : !rec_Big, !cir.ptr<!rec_Big>")
        source, target = self.rng.sample((p, slot), 2)
        self.cir.put(f"cir.copy {source} to {target} : !cir.ptr<!rec_Big>")
        self.say_first(slot, "!rec_Big")

    def size(self):
        """A few bytes, of a number that is known or not."""
        if self.rng.random() < 0.5:
            return self.cast(self.const(self.rng.randint(0, 40)), "integral", "!s32i", "!u64i")
        return self.cast(self.call("fault_size", (self.const(self.number()), "!s32i"), result=True), "integral", "!s32i", "!u64i")

    def access_move(self, _, place):
        self.cir.put(f"cir.libc.memcpy {self.size()} bytes from {place} to {self.place()} : !u64i, {VOIDP} -> {VOIDP}")
        self.event(None)

    def access_set(self, _, place):
        byte = self.rng.choice(self.known)
        self.cir.put(f"cir.libc.memset {self.size()} bytes at {place} to {byte} : {VOIDP}, !s32i, !u64i")
        self.event(None)
