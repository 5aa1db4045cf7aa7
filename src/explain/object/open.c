/* explain/object/open.c: which format a file has. */
#include "explain/object/object.h"

typedef struct Magic {
	Str bytes;
	bool (*open)(ObjectFile *o); /* NULL: refused */
	const char *refusal;
} Magic;

#define MAGIC(bytes)                                                                                         \
	{                                                                                                    \
		bytes, sizeof(bytes) - 1                                                                     \
	}
#define MACH_O "is a Mach-O file; expected ELF or COFF"

/* IMAGE_FILE_MACHINE_… of Microsoft's PE format, the first bytes of objects: also those that object_open_coff() refuses with the reason. */
static const Magic magics[] = {
    {MAGIC("\177ELF"), object_open_elf, NULL},
    {MAGIC("MZ"), object_open_coff, NULL},
    {MAGIC("\x64\x86"), object_open_coff, NULL},
    {MAGIC("\x64\xaa"), object_open_coff, NULL},
    {MAGIC("\x4c\x01"), object_open_coff, NULL},
    {MAGIC("\xc4\x01"), object_open_coff, NULL},
    {MAGIC("\x41\xa6"), object_open_coff, NULL},
    {MAGIC("\0\0\xff\xff"), object_open_coff, NULL}, /* /bigobj, import */
    {MAGIC("!<arch>\n"), NULL, "is an archive; extract its members first"},
    {MAGIC("!<thin>\n"), NULL, "is a thin archive; its members are files of their own"},
    {MAGIC("\xcf\xfa\xed\xfe"), NULL, MACH_O},
    {MAGIC("\xce\xfa\xed\xfe"), NULL, MACH_O},
    {MAGIC("\xca\xfe\xba\xbe"), NULL, MACH_O},
    {MAGIC("\0asm"), NULL, "is WebAssembly; expected ELF or COFF"},
};

static const Magic *find_magic(Str bytes)
{
	for (size_t i = 0; i < ARRAY_LEN(magics); i++)
		if (str_begins_with(bytes, magics[i].bytes))
			return &magics[i];
	return NULL;
}

bool object_is_known(Str bytes)
{
	return find_magic(bytes) != NULL;
}

bool object_is_readable(Str bytes)
{
	const Magic *magic = find_magic(bytes);
	return magic && magic->open;
}

bool object_open(ObjectFile *o, Str bytes, const char *name, Arena *mem, Diags *d)
{
	const Magic *magic = find_magic(bytes);
	*o = (ObjectFile){.machine = OBJECT_OTHER_MACHINE, .bytes = bytes, .mem = mem, .d = d};
	o->name = name ? name : "object";
	o->warnings = arena_new(mem, unsigned);
	if (magic)
		return magic->open ? magic->open(o) : object_error(o, "%s", magic->refusal);
	if (!bytes.len)
		return object_error(o, "is empty; expected an object file");
	if (str_begins_with(bytes, STR("BC\xc0\xde")))
		return object_error(o, "is LLVM bitcode; expected an object file (ELF or COFF)");
	return object_error(o, "is not an object file; expected ELF or COFF");
}
