"""The programs of own.py as trees of operations, for translators into other languages (own_python.py, own_seh.py)."""
import re

RESULT = re.compile(r"(%\w+)(?:, (%\w+))? = (.*)")


class Op:
    """text: what stands behind the results; regions: (what opens it, [Op])."""

    def __init__(self, line):
        found = RESULT.match(line)
        self.results = [r for r in found.groups()[:2] if r] if found else []
        self.text = found.group(3) if found else line
        self.regions = []

    @property
    def name(self):
        return re.match(r"[\w.]+", self.text).group()

    def values(self):
        return re.findall(r"%\w+", self.text)

    def symbol(self):
        return re.search(r"@([\w.]+)", self.text).group(1)

    def number(self):
        return int(re.search(r"#cir.int<(-?\d+)>", self.text).group(1))


def cleanup_of(loop):
    """(what opens it, [Op]), or None."""
    return next((r for r in loop.regions if r[0].startswith("cleanup")), None)


def _region(lines, at):
    """The operations from line `at` to the `}` that closes them; and where that is."""
    ops = []
    while at < len(lines) and not lines[at].startswith("}"):
        op = Op(lines[at])
        if op.text.endswith("{"):
            header = op.text[:-1].strip()
            while True:
                inner, at = _region(lines, at + 1)
                op.regions.append((header, inner))
                if lines[at] == "}":
                    break
                header = lines[at].strip("{} ")
            op.text = op.regions[0][0]
        ops.append(op)
        at += 1
    return ops, at


def functions(text):
    """(name, has an argument, [Op]) of each function that is defined."""
    lines = [line.strip() for line in text.splitlines() if not line.strip().startswith("^")]  # a label says so itself
    for at, line in enumerate(lines):
        found = re.match(r"cir\.func (?:no_inline )?@(\w+)\((.*?)\).*{$", line)
        if found:
            yield found.group(1), bool(found.group(2)), _region(lines, at + 1)[0]


class Loops:
    """Of translators: the three loops by their own loop(condition, body, step, cleanup, kind)."""

    def op_while(self, op):
        self.loop(op.regions[0][1], op.regions[1][1], [], cleanup_of(op), "while")

    def op_for(self, op):
        self.loop(op.regions[0][1], op.regions[1][1], op.regions[2][1], cleanup_of(op), "for")

    def op_do(self, op):
        self.loop(op.regions[1][1], op.regions[0][1], [], None, "do")
