"""Does a handler take what was thrown? By the type information that the program itself has of it, as the recorder saw it."""
PUBLIC_POINTER_QUALIFIERS = {"K": 1, "V": 2, "r": 4}


def bases_of(kind):
	"""The names of a class and its public bases."""
	found = {kind["name"].lstrip("*")}
	for base in kind["bases"]:
		if base["public"]:
			found |= bases_of(base["type"])
	return found


def pointer_takes(handler, thrown):
	"""handler: what follows the P of its name."""
	qualifiers = 0
	while handler[:1] in PUBLIC_POINTER_QUALIFIERS:
		qualifiers |= PUBLIC_POINTER_QUALIFIERS[handler[0]]
		handler = handler[1:]
	if thrown["qualifiers"] & ~qualifiers & 7:
		return False
	return handler == "v" or handler in bases_of(thrown["pointee"])


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


def own_takes(symbol, thrown):
	"""Types of circ.exception_type have their names as symbols, of circ's runtime."""
	return bool(thrown) and "language" in thrown and "name" in thrown and symbol in bases_of(thrown)


def microsoft_takes(symbol, adjectives, thrown):
	"""Microsoft's tables of throws list the types of all handlers that take it."""
	if not thrown or "names" not in thrown:
		return False
	if thrown["attributes"] & 3 & ~adjectives:  # const, volatile
		return False
	return symbol in {f"??_R0{name[1:]}@8" for name in thrown["names"]}
