/* lower/source_place.c: what is written down of places in the text for errors that LLVM finds when the CIR is gone
 * (emit/source_place.h). */
#include "lower/lowerer.h"

static LLVMMetadataRef number(LLVMTypeRef type, uint64_t n)
{
	return LLVMValueAsMetadata(LLVMConstInt(type, n, false));
}

LLVMMetadataRef lower_place_node(Lower *e, Loc loc)
{
	LocInfo place = {0};
	const LocInfo *origin = loc_file(loc.info);
	if (e->m->source.name)
		place.name = str_of(e->m->source.name);
	if (loc.pos && e->m->source.text.data)
		lines_find(&e->lines, loc.pos - 1, &place.line, &place.col);
	else if (origin)
		place = *origin;
	LLVMMetadataRef parts[] = {
	    number(e->i64, ++e->nplaces), LLVMMDStringInContext2(e->context, place.name.data, place.name.len),
	    number(e->i32, place.line),   number(e->i32, place.col),
	    number(e->i32, loc.pos),
	};
	return LLVMMDNodeInContext2(e->context, parts, ARRAY_LEN(parts));
}

LLVMValueRef lower_note_place(Lower *e, const IrOp *op, LLVMValueRef call)
{
	static const char kind[] = "circ.place";
	LLVMValueRef node = LLVMMetadataAsValue(e->context, lower_place_node(e, op->loc));
	LLVMSetMetadata(call, LLVMGetMDKindIDInContext(e->context, kind, sizeof kind - 1), node);
	return node;
}

/* Without folders, so that the same input gives the same bytes wherever it lies. */
const char *lower_module_name(const Lower *e)
{
	const IrModule *m = e->m;
	if (m->name)
		return lower_file_name(e, name_str(m->name)).data;
	const char *path = m->source.text.data ? m->source.name : "module";
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

Str lower_file_name(const Lower *e, Str path)
{
	return prefix_map_apply(e->arena, e->options->prefix_maps, false, path);
}
