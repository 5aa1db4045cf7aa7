"""Divisions whose divisor may be zero, or whose quotient may be too large."""

WIDTHS = (8, 16, 24, 32, 64, 128)
PLAIN_WIDTHS = (8, 16, 32, 64)


class Divisions:
    def operand(self, function, t, *args):
        v = self.call_for("!s64i", function, (self.const(self.number()), "!s32i"), *args)
        return v if t == "!s64i" else self.cast(v, "integral", "!s64i", t)

    def divide(self, ctx):
        plain = self.faults(ctx) == "plain"
        self.fault(ctx, "division")
        if not plain and self.rng.random() < 0.15:
            return self.divide_vectors()
        width, sign = self.rng.choice(PLAIN_WIDTHS if plain else WIDTHS), self.rng.choice("ssu")
        t = f"!{sign}{width}i"
        a = self.operand("fault_dividend", t, (self.const(width), "!s32i"))
        b = self.operand("fault_divisor", t)
        v = self.value()
        self.cir.put(f"{v} = cir.{self.rng.choice(('div', 'rem'))} {a}, {b} : {t}")
        self.say(v, t)
        return True

    def divide_vectors(self):
        """Of each the third element is asked for; the first that traps is the one that raises."""
        operands = []
        for function, *args in (("fault_dividend", (self.const(32), "!s32i")), ("fault_divisor",)):
            elements = [self.rng.choice(self.known), self.operand(function, "!s32i", *args), self.const(self.number()),
                        self.operand(function, "!s32i", *args)]
            if function == "fault_divisor":
                elements[0] = self.const(self.number())
            v = self.value()
            self.cir.put(f"{v} = cir.vec.create({', '.join(elements)} : !s32i, !s32i, !s32i, !s32i) : !vec")
            operands.append(v)
        v, index, element = self.value(), self.const(self.rng.randint(0, 3)), self.value()
        self.cir.put(f"{v} = cir.{self.rng.choice(('div', 'rem'))} {operands[0]}, {operands[1]} : !vec")
        self.cir.put(f"{element} = cir.vec.extract {v}[{index} : !s32i] : !vec")
        self.say(element, "!s32i")
        return True
