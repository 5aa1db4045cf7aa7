/* lower/debug_place.c: where code comes from: file, line, column, and the block of the source. */
#include "lower/debug.h"

#include "base/escape.h"
#include "ir/debug_scope.h"

/* In assembly they stand in comments as well, where LLVM writes what is behind a newline on the next line. */
Str debug_name(Lower *e, Str name)
{
	return escape_name(e->arena, name);
}

/* The tables of lines end names with a zero. */
LLVMMetadataRef debug_make_file(Lower *e, Str path)
{
	const Debug *g = e->debug;
	const char *zero = memchr(path.data, '\0', path.len);
	if (zero)
		path.len = (size_t)(zero - path.data);
	path = debug_name(e, prefix_map_apply(e->arena, e->options->prefix_maps, true, path));
	return LLVMDIBuilderCreateFile(g->builder, path.data, path.len, ".", 1);
}

static LLVMMetadataRef find_file(Lower *e, Str path)
{
	Debug *g = e->debug;
	if (!path.len)
		return debug_make_file(e, path);
	LLVMMetadataRef file = ptrmap_get(&g->files, path.data);
	if (!file) { /* LLVM has one for each path, wherever its bytes are */
		file = debug_make_file(e, path);
		ptrmap_put(e->arena, &g->files, path.data, file);
	}
	return file;
}

DebugPlace debug_place(Lower *e, Loc loc)
{
	Debug *g = e->debug;
	DebugPlace out = {.file = g->file};
	const LocInfo *origin = loc_file(loc.info);
	if (e->options->op_numbers) {
		out.line = loc.pos;
		return out;
	}
	if (origin && (origin->line || e->whole)) {
		out.file = find_file(e, origin->name);
		out.line = origin->line;
		out.column = origin->col;
	} else if (loc.pos && e->m->source.text.data) {
		lines_find(&e->lines, loc.pos - 1, &out.line, &out.column);
	}
	return out;
}

/* Code of another file than the scope's stands in a block of that file. */
static LLVMMetadataRef scope_in_file(Lower *e, DebugScope *scope, LLVMMetadataRef file)
{
	if (file == scope->file)
		return scope->node;
	LLVMMetadataRef node = ptrmap_get(&scope->elsewhere, file);
	if (!node) {
		node = LLVMDIBuilderCreateLexicalBlockFile(e->debug->builder, scope->node, file, 0);
		ptrmap_put(e->arena, &scope->elsewhere, file, node);
	}
	return node;
}

/* Recurses on the blocks around it, SCOPE_DEPTH_MAX at most. */
static DebugScope *find_block(Lower *e, uint32_t scope)
{
	Debug *g = e->debug;
	if (!scope)
		return &g->function;
	const IrScope *s = ir_scope(e->m, scope);
	DebugScope *block = ptrmap_get(&g->blocks, s);
	if (block)
		return block;
	DebugPlace p = debug_place(e, s->loc);
	block = arena_new(e->arena, DebugScope);
	*block = (DebugScope){.file = p.file};
	block->node = LLVMDIBuilderCreateLexicalBlock(g->builder, find_block(e, s->parent)->node, p.file,
	                                              p.line, p.column);
	ptrmap_put(e->arena, &g->blocks, s, block);
	return block;
}

LLVMMetadataRef debug_scope(Lower *e, Loc loc)
{
	DebugScope *block = find_block(e, loc.scope);
	return scope_in_file(e, block, debug_place(e, loc).file);
}

LLVMMetadataRef debug_location(Lower *e, Loc loc)
{
	DebugPlace p = debug_place(e, loc);
	LLVMMetadataRef scope = scope_in_file(e, find_block(e, loc.scope), p.file);
	return LLVMDIBuilderCreateDebugLocation(e->context, p.line, p.column, scope, NULL);
}

/* gdb stops once in a block for each line, and LLVM describes no block without variables, gdb none without a name in it. So the
 * copy of a finally that exceptions pass gets a variable without a name, and a label where its code begins; else a
 * breakpoint in a finally would be in the other copy alone. */
void debug_label(Lower *e, Loc loc)
{
#if defined(CIRC_HAVE_DEBUG_LABELS)
	static const char name[] = "finally";
	if (e->microsoft || !loc.scope || !ir_scope(e->m, loc.scope)->unwinding)
		return;
	DebugScope *block = find_block(e, loc.scope);
	if (block->has_label)
		return;
	block->has_label = true;
	LLVMDIBuilderRef b = e->debug->builder;
	DebugPlace p = debug_place(e, loc);
	LLVMDIBuilderCreateAutoVariable(b, block->node, "", 0, p.file, p.line, debug_type(e, e->m->voidp),
	                                true, LLVMDIFlagArtificial, 0);
	LLVMMetadataRef label =
	    LLVMDIBuilderCreateLabel(b, block->node, name, sizeof(name) - 1, p.file, p.line, true);
	LLVMMetadataRef place =
	    LLVMDIBuilderCreateDebugLocation(e->context, p.line, p.column, block->node, NULL);
	LLVMDIBuilderInsertLabelAtEnd(b, label, place, LLVMGetInsertBlock(e->b));
#else
	(void)e, (void)loc; /* LLVM-C has no labels before LLVM 21 */
#endif
}
