"""Does a handler take what was thrown? By the type information that the program itself has of it, as the recorder saw it."""
import collections

POINTER_QUALIFIERS = {"K": 1, "V": 2, "r": 4}


def subobjects(kind, path=(), public=True):
	"""Yields for a class and its bases: the name, what tells one of several of them from the others, whether it is public."""
	name = kind["name"].lstrip("*")
	path = (*path, name)
	yield name, path, public
	for base in kind["bases"]:
		above = () if base.get("virtual") else path
		yield from subobjects(base["type"], above, public and base["public"])


def bases_of(kind):
	"""The names of a class and its bases that are public and there once."""
	found = collections.defaultdict(dict)
	for name, path, public in subobjects(kind):
		found[name][path] = found[name].get(path, False) or public
	return {name for name, paths in found.items() if len(paths) == 1 and all(paths.values())}


def pointer_takes(handler, thrown, may_add=True, outermost=True):
	"""handler: what follows the P of its name. may_add: qualifiers may be added here, since all pointers around this one are const."""
	qualifiers = 0
	while handler[:1] in POINTER_QUALIFIERS:
		qualifiers |= POINTER_QUALIFIERS[handler[0]]
		handler = handler[1:]
	missing, added = thrown["qualifiers"] & ~qualifiers & 7, qualifiers & ~thrown["qualifiers"] & 7
	if missing or (added and not may_add):
		return False
	pointee = thrown["pointee"]
	if handler[:1] == "P" and "pointee" in pointee:
		return pointer_takes(handler[1:], pointee, may_add and bool(qualifiers & 1), False)
	return (outermost and (handler == "v" or handler in bases_of(pointee))) or handler == pointee["name"]


def itanium_takes(symbol, thrown):
	"""thrown: null for what is not of C++."""
	if thrown is None or "language" in thrown or not symbol or not symbol.startswith("_ZTI"):
		return False
	handler = symbol[4:]
	if handler in bases_of(thrown):
		return True
	if thrown["name"] == "Dn":
		return handler[:1] in "PM"
	return handler[:1] == "P" and "pointee" in thrown and pointer_takes(handler[1:], thrown)


def own_symbol(name):
	"""Types of circ.exception_type have their names as symbols; the types of faults and checks are libcircrt's."""
	return "circ_type_" + name.removeprefix("circ.") if name.startswith("circ.") else name


def own_takes(symbol, thrown):
	return bool(thrown) and "language" in thrown and "name" in thrown and symbol in map(own_symbol, bases_of(thrown))


def descriptors(thrown):
	"""The symbols of all types whose handlers take it, which Microsoft's tables of throws list."""
	return {f"??_R0{name[1:]}@8" for name in thrown["names"]}


def microsoft_takes(symbol, adjectives, thrown):
	if not thrown or "names" not in thrown:
		return False
	if thrown["attributes"] & 3 & ~adjectives:  # const, volatile
		return False
	return symbol in descriptors(thrown)
