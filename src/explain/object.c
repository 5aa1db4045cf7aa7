/* explain/object.c: the door for files that a compiler or a linker made. */
#include "explain/explain.h"
#include "explain/set_jumps.h"

static const char *machine_name(const ObjectFile *o)
{
	switch (o->machine) {
	case OBJECT_X86_64:
		return "x86_64";
	case OBJECT_AARCH64:
		return "aarch64";
	case OBJECT_OTHER_MACHINE:
		break;
	}
	return "unknown";
}

bool explain_object(CircExplanation *e, Str bytes, const CircExplainOptions *options, Diags *d)
{
	ObjectFile o;
	const char *name = options->name ? options->name : "object";
	if (!object_open(&o, bytes, name, &e->arena, d))
		return false;
	e->file = explanation_string(e, str_of(name));
	e->format = o.format == OBJECT_ELF ? "elf" : "coff";
	e->target = machine_name(&o);
	e->linked = o.linked;
	if (!(o.format == OBJECT_ELF ? explain_elf : explain_coff)(e, &o, options))
		return false;
	explanation_mark_set_jumps(e);
	return true;
}
