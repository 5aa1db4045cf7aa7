/* Places: `!dbg` of functions and instructions as `loc`s. Code that LLVM has inlined has the place it came from, and is the caller's. */
#include "raise/raiser.h"

#include <llvm-c/DebugInfo.h>

static Str text_of(const char *text, unsigned len)
{
	return (Str){text ? text : "", text ? len : 0};
}

/* With its folder, but for that of circ's own debug information, ".". */
static Str full_name(Raise *r, LLVMMetadataRef file)
{
	unsigned name_len = 0, folder_len = 0;
	const char *name = LLVMDIFileGetFilename(file, &name_len);
	const char *folder = LLVMDIFileGetDirectory(file, &folder_len);
	Str n = text_of(name, name_len), f = text_of(folder, folder_len);
	bool relative = n.len && n.data[0] != '/' && n.data[0] != '\\' && !memchr(n.data, ':', n.len);
	StrBuf out = {0};
	if (relative && f.len && !str_equal(f, STR(".")))
		buf_printf(&r->m->arena, &out, "%.*s/", (int)f.len, f.data);
	buf_printf(&r->m->arena, &out, "%.*s", (int)n.len, n.data);
	return (Str){out.data, out.len};
}

static const Str *file_of(Raise *r, LLVMMetadataRef scope)
{
	LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
	if (!file)
		return NULL;
	Str *known = ptrmap_get(&r->files, file);
	if (!known) {
		known = arena_new(r->arena, Str);
		*known = full_name(r, file);
		ptrmap_put(r->arena, &r->files, file, known);
	}
	return known;
}

static Loc place(Raise *r, LLVMMetadataRef scope, unsigned line, unsigned column)
{
	const Str *file = file_of(r, scope);
	if (!file || !file->len)
		return (Loc){0};
	LocInfo *info = arena_new(&r->m->arena, LocInfo);
	*info = (LocInfo){.kind = LOC_FILE, .depth = 1, .name = *file, .line = line, .col = column};
	return (Loc){.info = info};
}

Loc raise_function_place(Raise *r, LLVMValueRef f)
{
	LLVMMetadataRef subprogram = LLVMGetSubprogram(f);
	return subprogram ? place(r, subprogram, LLVMDISubprogramGetLine(subprogram), 0) : (Loc){0};
}

/* Many instructions share one. Line 0 is no place. */
Loc raise_place(Raise *r, LLVMValueRef v)
{
	LLVMMetadataRef location = LLVMInstructionGetDebugLoc(v);
	if (!location || !LLVMDILocationGetLine(location))
		return (Loc){0};
	const LocInfo *known = ptrmap_get(&r->places, location);
	if (known)
		return (Loc){.info = known};
	Loc loc = place(r, LLVMDILocationGetScope(location), LLVMDILocationGetLine(location),
	                LLVMDILocationGetColumn(location));
	if (loc.info)
		ptrmap_put(r->arena, &r->places, location, (void *)loc.info);
	return loc;
}
