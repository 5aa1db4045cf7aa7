"""Integers and floating point formats as they are in memory, and what arithmetic on them gives: exactly, with Python's integers and
fractions. A floating point value is None (not a number) or (is it negative, magnitude), so that zeros have signs."""
import random
from fractions import Fraction

INFINITE = float("inf")
SLOT = 64  # bytes for a value, in which integers are extended


class Int:
    def __init__(self, width, signed, bitint=False):
        self.width, self.signed = width, signed
        self.cir = f"!cir.int<{'s' if signed else 'u'}, {width}{', bitint' if bitint else ''}>"
        self.least = -(1 << (width - 1)) if signed else 0
        self.most = (1 << (width - (1 if signed else 0))) - 1

    def wrap(self, value):
        value &= (1 << self.width) - 1
        return value - (1 << self.width) if value > self.most else value

    def holds(self, value):
        return self.least <= value <= self.most

    def saturate(self, value):
        return min(max(value, self.least), self.most)

    def unsigned(self, value):
        return value & ((1 << self.width) - 1)

    def samples(self, rng):
        some = {0, 1, self.wrap(2), self.wrap(-1), self.least, self.most, self.least + 1, self.most - 1, self.wrap(0x5555555555555555)}
        return sorted(some) + [self.wrap(rng.getrandbits(self.width) >> rng.randrange(self.width)) for _ in range(5)]

    def encode(self, value):
        return value.to_bytes(SLOT, "little", signed=value < 0)

    def decode(self, data):
        return self.wrap(int.from_bytes(data, "little"))


class Bool(Int):
    def __init__(self):
        super().__init__(1, False)
        self.cir = "!cir.bool"

    def samples(self, rng):
        return [0, 1]

    def decode(self, data):
        return data[0]


class Vector:
    """Of integers that have whole bytes."""

    def __init__(self, element, count):
        self.element, self.count = element, count
        self.cir = f"!cir.vector<{count} x {element.cir}>"

    def samples(self, rng):
        lanes = self.element.samples(rng)
        return [tuple(rng.choice(lanes) for _ in range(self.count)) for _ in range(10)]

    def encode(self, value):
        size = self.element.width // 8
        return b"".join(self.element.encode(v)[:size] for v in value).ljust(SLOT, b"\0")

    def decode(self, data):
        size = self.element.width // 8
        return tuple(self.element.decode(data[i * size:(i + 1) * size]) for i in range(self.count))


class Float:
    """digits: of the significand, with the one in front; explicit: that one is in memory, too."""

    def __init__(self, cir, digits, exponent_bits, explicit=False):
        self.cir, self.digits, self.exponent_bits, self.explicit = cir, digits, exponent_bits, explicit
        self.bias = (1 << (exponent_bits - 1)) - 1
        self.least_exponent = 1 - self.bias  # of normal numbers

    def exponent(self, magnitude):
        """Of the first digit, or of where it would be in a number that is too small to be normal."""
        exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
        return max(exponent - (magnitude < Fraction(2) ** exponent), self.least_exponent)

    def round(self, negative, magnitude):
        """To the nearest, to even between two."""
        if magnitude == INFINITE or magnitude == 0:
            return negative, magnitude
        unit = Fraction(2) ** (self.exponent(magnitude) - self.digits + 1)
        magnitude = round(magnitude / unit) * unit
        return negative, INFINITE if magnitude >= Fraction(2) ** (self.bias + 1) else magnitude

    def samples(self, rng):
        one, most = Fraction(1), (2 - Fraction(2) ** (1 - self.digits)) * Fraction(2) ** self.bias
        small = Fraction(2) ** self.least_exponent
        some = [Fraction(0), one, one * 3 / 2, one + Fraction(2) ** (1 - self.digits), most, small, small - small * Fraction(2) ** (1 - self.digits),
                small * Fraction(2) ** (1 - self.digits), INFINITE]
        some += [Fraction(rng.getrandbits(self.digits)) / 2 ** rng.randrange(self.digits) for _ in range(4)]
        return [None] + [self.round(rng.random() < 0.5, m) for m in some] + [(True, Fraction(0))]

    def encode(self, value):
        negative, magnitude = value or (False, INFINITE)
        stored = self.digits if self.explicit else self.digits - 1
        if magnitude == INFINITE:
            exponent, digits = 2 * self.bias + 1, 0 if value else 1 << (self.digits - 2)
            digits |= 1 << (self.digits - 1)
        else:
            exponent = self.exponent(magnitude)
            digits = int(magnitude / Fraction(2) ** (exponent - self.digits + 1))
            exponent = exponent + self.bias if digits >> (self.digits - 1) else 0
        bits = (negative << (self.exponent_bits + stored)) | (exponent << stored) | (digits & ((1 << stored) - 1))
        return bits.to_bytes(SLOT, "little")

    def decode(self, data):
        stored = self.digits if self.explicit else self.digits - 1
        bits = int.from_bytes(data, "little")
        digits, exponent = bits & ((1 << stored) - 1), bits >> stored & ((1 << self.exponent_bits) - 1)
        negative = bool(bits >> (stored + self.exponent_bits) & 1)
        if exponent == 2 * self.bias + 1:
            return None if digits & ((1 << (self.digits - 1)) - 1) else (negative, INFINITE)
        if exponent and not self.explicit:
            digits |= 1 << stored
        return negative, digits * Fraction(2) ** (max(exponent, 1) - self.bias - self.digits + 1)


INTS = [Int(w, s) for w in (8, 16, 32, 64, 128) for s in (True, False)]
INTS += [Int(w, s, True) for w, s in ((2, True), (1, False), (9, False), (24, True), (37, True), (65, False), (100, True), (200, True))]
VECTORS = [Vector(Int(w, s), n) for w, s, n in ((32, True, 4), (8, False, 3), (64, False, 2), (16, True, 8))]
FLOATS = [Float("!cir.f16", 11, 5), Float("!cir.float", 24, 8), Float("!cir.double", 53, 11), Float("!cir.f80", 64, 15, True), Float("!cir.f128", 113, 15)]
BOOL = Bool()


def number(value):
    """Of a finite one, with its sign."""
    return -value[1] if value[0] else value[1]


def add(f, x, y):
    if x is None or y is None or (x[1] == y[1] == INFINITE and x[0] != y[0]):
        return None
    if INFINITE in (x[1], y[1]):
        return (x if x[1] == INFINITE else y)[0], INFINITE
    result = number(x) + number(y)
    return f.round(result < 0 or (result == 0 and x[0] and y[0]), abs(result))


def subtract(f, x, y):
    return add(f, x, y and (not y[0], y[1]))


def multiply(f, x, y):
    if x is None or y is None or {x[1], y[1]} == {0, INFINITE}:
        return None
    return f.round(x[0] != y[0], INFINITE if INFINITE in (x[1], y[1]) else x[1] * y[1])


def divide(f, x, y):
    if x is None or y is None or x[1] == y[1] == INFINITE or x[1] == y[1] == 0:
        return None
    if x[1] == INFINITE or y[1] == 0:
        return x[0] != y[0], INFINITE
    return f.round(x[0] != y[0], Fraction(0) if y[1] == INFINITE else x[1] / y[1])


def generator(seed, text):
    return random.Random(f"{seed} {text}")
