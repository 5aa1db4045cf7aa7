"""The two texts that a program is written to, and what is known of the place where a statement stands."""


class Writer:
    """Lines with indentation."""

    def __init__(self):
        self.lines = []
        self.depth = 1

    def put(self, text):
        self.lines.append("  " * self.depth + text)

    def open(self, text):
        self.put(text)
        self.depth += 1

    def close(self, text="}"):
        self.depth -= 1
        self.put(text)


class Context:
    """Where a statement stands: what it may do."""

    def __init__(self, **known):
        self.depth = known.get("depth", 0)
        self.loop = known.get("loop", False)
        self.breakable = known.get("breakable", False)
        self.leave = known.get("leave", True)      # return and goto out
        self.handler = known.get("handler", False)  # a rethrow has something to throw
        self.labels = known.get("labels", ())       # that a goto may go to
        self.behind = known.get("behind", ())       # the same, backwards: only while more()
        self.value = known.get("value", True)       # return gives one
        self.filter = known.get("filter", False)    # around it, in this function: there may be one

    def inside(self, **change):
        known = dict(vars(self))
        known["depth"] += 1
        known.update(change)
        return type(self)(**known)

    def alone(self, **change):
        """Inside of what no statement may leave but by an exception."""
        return self.inside(loop=False, breakable=False, leave=False, labels=(), behind=(), **change)
