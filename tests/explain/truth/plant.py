"""Wrong explanations, made of right ones: the judge must find each kind. A function changes the document where it can, at places that the
exceptions of the recording went through, and says whether it did."""
import copy


def steps_of(sites, *kinds):
	return [(site, step) for site in sites for step in site["steps"] if not kinds or step["kind"] in kinds]


def drop_cleanup(sites):
	"""A site says nothing of its cleanups."""
	found = steps_of(sites, "cleanup")
	for site, step in found:
		site["steps"] = [other for other in site["steps"] if other["kind"] != "cleanup"]
	return found


def invent_cleanup(sites):
	found = [site for site in sites if not site["steps"] and site["end_of_path"] == "leaves"]
	for site in found:
		site["steps"] = [{"kind": "cleanup", "begin": 1}]
	return found


def drop_handler(sites):
	found = steps_of(sites, "catch", "catch_all", "when", "terminate")
	for site, step in found:
		site["steps"] = [other for other in site["steps"] if other is not step]
		site["end_of_path"] = "leaves"
	return found


def other_type(sites):
	"""What catches one type catches everything."""
	found = steps_of(sites, "catch")
	for _, step in found:
		step["kind"] = "catch_all"
	return found


def swap_steps(sites):
	found = [site for site in sites if len(site["steps"]) > 1]
	for site in found:
		site["steps"].reverse()
	return found


def move_code(sites):
	"""What runs is elsewhere: a landing pad, or a funclet."""
	found = [site for site in sites if site["steps"]]
	for site in found:
		site["pad"] = site.get("pad", 0) + 1
		for step in site["steps"]:
			step["begin"] = step.get("begin", 0) + 1
	return found


def shorten_sites(sites):
	"""A site ends before its call."""
	found = [site for site in sites if site["steps"]]
	for site in found:
		site["end"] = site.get("begin", 0)
	return found


# Those of which some change nothing of what happens: types that no one exception has.
WEAK = (other_type, swap_steps)
PLANTS = (drop_cleanup, invent_cleanup, drop_handler, other_type, swap_steps, move_code, shorten_sites)
PLANTS_IN_MODULES = (drop_cleanup, drop_handler, other_type, swap_steps)


def site_key(function, site):
	"""Of an object by its code, of a module by its op."""
	return function.get("address", 0), site.get("begin", 0), site.get("op", 0)


def planted(document, passed, plant):
	"""A changed copy; None: there is nothing of the kind. passed: keys of sites."""
	changed = copy.deepcopy(document)
	sites = [site for function in changed["functions"] for site in function["sites"] if site_key(function, site) in passed]
	return changed if plant(sites) else None
