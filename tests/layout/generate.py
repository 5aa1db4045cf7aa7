"""Random records of CIR: structs, packed ones and unions, of every kind of member, inside each other."""
import random

# Spelling, and where circ compiles it.
ELF, HALF, ITANIUM, ALL = ("x86_64-linux",), ("x86_64", "aarch64"), ("x86_64-linux", "wasm32"), ("x86_64", "aarch64", "wasm32")
# C aligns such on AArch64 in another way: front ends write padding for that.
UNPADDED = ("x86_64", "wasm32")
SCALARS = [
	("!s8i", ALL), ("!u8i", ALL), ("!s16i", ALL), ("!u32i", ALL), ("!s32i", ALL), ("!s64i", ALL), ("!s128i", ALL),
	("!cir.bool", ALL), ("!cir.f16", HALF), ("!cir.bf16", HALF), ("!cir.float", ALL), ("!cir.double", ALL),
	("!cir.f80", ELF), ("!cir.long_double<!cir.f80>", ELF), ("!cir.f128", ITANIUM), ("!cir.ptr<!void>", ALL), ("!cir.vptr", ALL),
	("!cir.data_member<!s32i in !rec_R0>", ITANIUM), ("!cir.method<!cir.func<()> in !rec_R0>", ITANIUM),
	("!cir.complex<!cir.float>", ALL), ("!cir.complex<!s16i>", ALL), ("!cir.complex<!cir.double>", ALL),
	("!cir.vector<4 x !cir.float>", ALL), ("!cir.vector<2 x !s8i>", ALL), ("!cir.vector<3 x !s32i>", ALL), ("!cir.vector<8 x !s64i>", UNPADDED),
]


class Records:
	def __init__(self, seed, target):
		self.r = random.Random(seed)
		self.scalars = [text for text, targets in SCALARS if target.startswith(targets)]
		self.bitint_max = 64 if target.startswith("aarch64") else 128 if target.startswith("wasm32") else 200
		self.records = []

	def scalar(self):
		if self.r.random() < 0.1:
			return f"!cir.int<{self.r.choice('su')}, {self.r.randint(1 if self.r.random() < 0.5 else 2, self.bitint_max)}, bitint>".replace("<s, 1,", "<s, 2,")
		return self.r.choice(self.scalars)

	def member(self):
		kind = self.r.random()
		if kind < 0.2 and self.records:
			return self.r.choice(self.records)
		if kind < 0.35:
			return f"!cir.array<{self.member()} x {self.r.randint(1, 5)}>"
		return self.scalar()

	def struct(self, name):
		marked = self.r.random() < 0.7
		members = [("data", self.member()) for _ in range(self.r.randint(1, 8))]
		for i in range(len(members)):
			if marked and self.r.random() < 0.15:
				members[i] = ("pad", f"!cir.array<!u8i x {self.r.randint(1, 9)}>")
			elif marked and self.r.random() < 0.1:
				members[i] = ("bitfield", "!cir.bitfield<!u%di, [#cir.bitfield_decl<!s32i, 3>]>" % self.r.choice([8, 16, 32, 64]))
			elif marked and self.r.random() < 0.05:
				members[i] = ("empty", "!cir.bitfield<[#cir.bitfield_decl<!u32i, 0, unnamed>]>")
		if all("unnamed" in text for _, text in members): # an object has a size
			members.append(("data", "!s32i"))
		if self.r.random() < 0.1:
			members.append(("data", f"!cir.array<{self.scalar()} x 0>"))
		body = ", ".join(f"{mark} {text}" if marked else text for mark, text in members)
		packed = "packed " if self.r.random() < 0.25 else ""
		return f'!cir.struct<"{name}" {packed}{{{body}}}>'

	def union(self, name):
		members = [] if self.r.random() < 0.1 else ["data " + self.member() for _ in range(self.r.randint(1, 5))]
		padded = not members or self.r.random() < 0.3
		padding = f", padding = {{!cir.array<!u8i x {self.r.randint(1, 40)}>}}" if padded else ""
		return f'!cir.union<"{name}" {{{", ".join(members)}}}{padding}>'

	def text(self, count):
		lines = ['!rec_R0 = !cir.struct<"R0" {data !s32i}>']
		for i in range(1, count):
			name = f"R{i}"
			made = self.union(name) if self.r.random() < 0.2 else self.struct(name)
			lines.append(f"!rec_{name} = {made}")
			self.records.append(f"!rec_{name}")
		for i in range(count):
			lines.append(f"cir.global external @g{i} = #cir.zero : !rec_R{i}")
		return "\n".join(lines) + "\n"
