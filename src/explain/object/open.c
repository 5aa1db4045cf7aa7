/* explain/object/open.c: which format a file has. */
#include "explain/object/object.h"

static bool is_coff(Str bytes)
{
	const unsigned char *p = (const unsigned char *)bytes.data;
	if (bytes.len < 2)
		return false;
	unsigned first = p[0] | (unsigned)p[1] << 8;
	return first == 0x8664 || first == 0xaa64 || first == 0x14c ||     /* IMAGE_FILE_MACHINE_… */
	       first == 0x5a4d ||                                          /* "MZ" */
	       (bytes.len >= 4 && !first && p[2] == 0xff && p[3] == 0xff); /* /bigobj, import */
}

bool object_open(ObjectFile *o, Str bytes, const char *name, Arena *mem, Diags *d)
{
	*o = (ObjectFile){.machine = OBJECT_OTHER_MACHINE, .bytes = bytes, .mem = mem, .d = d};
	o->name = name ? name : "object";
	o->warnings = arena_new(mem, unsigned);
	if (!bytes.len)
		return object_error(o, "is empty; expected an object file");
	if (str_begins_with(bytes, STR("!<arch>\n")) || str_begins_with(bytes, STR("!<thin>\n")))
		return object_error(o, "is an archive; extract its members first");
	if (str_begins_with(bytes, STR("\177ELF")))
		return object_open_elf(o);
	if (is_coff(bytes))
		return object_open_coff(o);
	if (str_begins_with(bytes, STR("BC\xc0\xde")))
		return object_error(o, "is LLVM bitcode; expected an object file (ELF or COFF)");
	return object_error(o, "is not an object file; expected ELF or COFF");
}
