/* lower/place.c: where in the text an op stands; and what is written down of that for errors that LLVM finds
 * when the CIR is gone (emit/place.h). */
#include "lower/lowerer.h"

/* Up to the one that `offset` is on: most modules are asked for a few places, or for none. */
static void find_lines(Lower *e, Str text, uint32_t offset)
{
	if (!e->lines.len)
		vec_push(e->arena, &e->lines, 0);
	while (!e->all_lines && e->lines.data[e->lines.len - 1] <= offset) {
		uint32_t begin = e->lines.data[e->lines.len - 1];
		const char *nl = begin < text.len ? memchr(text.data + begin, '\n', text.len - begin) : NULL;
		e->all_lines = !nl;
		if (nl)
			vec_push(e->arena, &e->lines, (uint32_t)(nl + 1 - text.data));
	}
}

void lower_find_line(Lower *e, uint32_t offset, uint32_t *line, uint32_t *column)
{
	find_lines(e, e->m->source.text, offset);
	uint32_t low = 0, high = e->lines.len;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		*(e->lines.data[middle] <= offset ? &low : &high) = middle;
	}
	*line = low + 1;
	*column = offset - e->lines.data[low] + 1;
}

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
		lower_find_line(e, loc.pos - 1, &place.line, &place.col);
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
	LLVMSetMetadata(call, LLVMGetMDKindIDInContext(e->context, kind, strlen(kind)), node);
	return node;
}
