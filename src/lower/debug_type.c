#include "lower/debug.h"

#include "ir/layout.h"

/* DWARF 5, section 7.8 */
enum {
	ATE_BOOLEAN = 2,
	ATE_COMPLEX = 3,
	ATE_FLOAT = 4,
	ATE_SIGNED = 5,
	ATE_SIGNED_CHAR = 6,
	ATE_UNSIGNED = 7,
	ATE_UNSIGNED_CHAR = 8
};

static LLVMMetadataRef basic(const Debug *g, const char *name, uint64_t bits, unsigned encoding)
{
	return LLVMDIBuilderCreateBasicType(g->builder, name, strlen(name), bits, encoding, LLVMDIFlagZero);
}

/* The names that C has for them on x86_64 ELF; `long` is 32 bits wide on Windows. */
static LLVMMetadataRef integer(Lower *e, IrType *t)
{
	static const struct {
		uint32_t width;
		const char *names[2]; /* by signedness */
	} rows[] = {
	    {8, {"unsigned char", "signed char"}},
	    {16, {"unsigned short", "short"}},
	    {32, {"unsigned int", "int"}},
	    {64, {"unsigned long long", "long long"}},
	    {128, {"unsigned __int128", "__int128"}},
	};
	unsigned encoding = t->is_signed ? ATE_SIGNED : ATE_UNSIGNED;
	if (t->width == 8 && !t->bitint)
		encoding = t->is_signed ? ATE_SIGNED_CHAR : ATE_UNSIGNED_CHAR;
	for (size_t i = 0; i < ARRAY_LEN(rows) && !t->bitint; i++)
		if (rows[i].width == t->width)
			return basic(e->debug, rows[i].names[t->is_signed], t->width, encoding);
	const char *name =
	    arena_printf(e->scratch, "%s_BitInt(%u)", t->is_signed ? "" : "unsigned ", t->width);
	return basic(e->debug, name, ir_type_size(t) * 8, encoding);
}

static const char *float_name(const IrType *t)
{
	static const char *const names[TYPE_KIND_COUNT] = {
	    [TYPE_HALF] = "_Float16",           [TYPE_BF16] = "__bf16",     [TYPE_FLOAT] = "float",
	    [TYPE_DOUBLE] = "double",           [TYPE_F80] = "long double", [TYPE_F128] = "__float128",
	    [TYPE_LONG_DOUBLE] = "long double",
	};
	return names[t->kind] ? names[t->kind] : "float";
}

static LLVMMetadataRef array(Lower *e, IrType *t, bool vector)
{
	Debug *g = e->debug;
	LLVMMetadataRef elem = debug_type(e, t->elem);
	LLVMMetadataRef range = LLVMDIBuilderGetOrCreateSubrange(g->builder, 0, (int64_t)t->count);
	uint64_t bits = ir_type_size(t) * 8;
	uint32_t align = ir_type_align(t) * 8;
	return vector ? LLVMDIBuilderCreateVectorType(g->builder, bits, align, elem, &range, 1)
	              : LLVMDIBuilderCreateArrayType(g->builder, bits, align, elem, &range, 1);
}

LLVMMetadataRef debug_function_type(Lower *e, const IrType *t)
{
	Debug *g = e->debug;
	LLVMMetadataRef *types = arena_array(e->scratch, LLVMMetadataRef, (size_t)t->nmembers + 1);
	types[0] = t->elem ? debug_type(e, t->elem) : NULL;
	for (uint32_t i = 0; i < t->nmembers; i++)
		types[i + 1] = debug_type(e, t->members[i]);
	return LLVMDIBuilderCreateSubroutineType(g->builder, g->file, types, t->nmembers + 1, LLVMDIFlagZero);
}

/* Records. Each is announced when it is met, and described when everything else is done: they may hold pointers to each other. */

enum { TAG_CLASS = 2, TAG_STRUCTURE = 0x13, TAG_UNION = 0x17 };

static Str record_name(const IrType *t)
{
	return t->name ? name_str(t->name) : (Str){"", 0};
}

static LLVMMetadataRef announce(Lower *e, IrType *t)
{
	static const unsigned tags[] = {
	    [RECORD_STRUCT] = TAG_STRUCTURE, [RECORD_CLASS] = TAG_CLASS, [RECORD_UNION] = TAG_UNION};
	Debug *g = e->debug;
	Str name = record_name(t);
	vec_push(e->arena, &g->incomplete, t);
	return LLVMDIBuilderCreateReplaceableCompositeType(g->builder, tags[t->record_kind], name.data,
	                                                   name.len, g->file, g->file, 0, 0, 0, 0,
	                                                   LLVMDIFlagZero, "", 0);
}

void debug_collect_fields(Lower *e)
{
	for (IrOp *op = ir_walk_first(&e->m->body); op; op = ir_walk_next(op, &e->m->body)) {
		const IrAttr *name = op->kind == OP_GET_MEMBER ? ir_op_attr(op, NAME_name) : NULL;
		const IrType *record = name ? ir_operand(op, 0)->type->elem : NULL;
		uint64_t index = ir_op_uint(op, NAME_index, UINT64_MAX);
		if (!name || name->kind != ATTR_STRING || !record || record->kind != TYPE_RECORD ||
		    index >= record->nmembers)
			continue;
		const Name **names = ptrmap_get(&e->debug->fields, record);
		if (!names) {
			names = arena_array(e->arena, const Name *, record->nmembers);
			ptrmap_put(e->arena, &e->debug->fields, record, names);
		}
		names[index] = name->name;
	}
}

static LLVMMetadataRef member(Lower *e, LLVMMetadataRef record, IrType *t, uint32_t i)
{
	Debug *g = e->debug;
	const Name *const *names = ptrmap_get(&g->fields, t);
	IrType *type = t->members[i];
	Str name = names && names[i] ? name_str(names[i]) : (Str){0};
	if (!name.len)
		name = str_of(arena_printf(e->scratch, "field%u", i));
	return LLVMDIBuilderCreateMemberType(g->builder, record, name.data, name.len, g->file, 0,
	                                     ir_type_size(type) * 8, 0, ir_record_offset(t, i) * 8,
	                                     LLVMDIFlagZero, debug_type(e, type));
}

static LLVMMetadataRef describe(Lower *e, IrType *t, LLVMMetadataRef announced)
{
	Debug *g = e->debug;
	Str name = record_name(t);
	if (!ir_type_sized(t))
		return LLVMDIBuilderCreateForwardDecl(g->builder, TAG_STRUCTURE, name.data, name.len, g->file,
		                                      g->file, 0, 0, 0, 0, "", 0);
	LLVMMetadataRef *members = arena_array(e->scratch, LLVMMetadataRef, t->nmembers);
	uint32_t n = 0;
	for (uint32_t i = 0; i < t->nmembers; i++)
		if (!t->marks || t->marks[i] != MARK_PAD)
			members[n++] = member(e, announced, t, i);
	uint64_t bits = ir_type_size(t) * 8;
	uint32_t align = ir_type_align(t) * 8;
	if (t->record_kind == RECORD_UNION)
		return LLVMDIBuilderCreateUnionType(g->builder, g->file, name.data, name.len, g->file, 0,
		                                    bits, align, LLVMDIFlagZero, members, n, 0, "", 0);
	return LLVMDIBuilderCreateStructType(g->builder, g->file, name.data, name.len, g->file, 0, bits,
	                                     align, LLVMDIFlagZero, NULL, members, n, 0, NULL, "", 0);
}

void debug_finish_types(Lower *e)
{
	Debug *g = e->debug;
	/* Describing one may announce others. */
	for (uint32_t i = 0; i < g->incomplete.len; i++) {
		IrType *t = g->incomplete.data[i];
		ArenaMark mark = arena_mark(e->scratch);
		LLVMMetadataRef announced = g->types[t->id], described = describe(e, t, announced);
		LLVMMetadataReplaceAllUsesWith(announced, described);
		g->types[t->id] = described;
		arena_release(e->scratch, mark);
	}
}

/* A pointer to a member; the class of a method's is that of its function. */
static LLVMMetadataRef member_pointer(Lower *e, IrType *t)
{
	return LLVMDIBuilderCreateMemberPointerType(e->debug->builder, debug_type(e, t->elem),
	                                            debug_type(e, t->members[0]), ir_type_size(t) * 8,
	                                            ir_type_align(t) * 8, LLVMDIFlagZero);
}

/* What debuggers have no word for: its bytes, under its own name. */
static LLVMMetadataRef other(Lower *e, IrType *t)
{
	if (t->kind == TYPE_VOID || !ir_type_sized(t))
		return NULL;
	return basic(e->debug, lower_spell(e, t), ir_type_size(t) * 8, ATE_UNSIGNED);
}

static LLVMMetadataRef make_type(Lower *e, IrType *t)
{
	Debug *g = e->debug;
	switch (t->kind) {
	case TYPE_INT:
	case TYPE_BUILTIN_INT:
		return integer(e, t);
	case TYPE_BOOL:
		return basic(g, "bool", 8, ATE_BOOLEAN);
	case TYPE_PTR:
		return LLVMDIBuilderCreatePointerType(g->builder, debug_type(e, t->elem), 64, 0, 0, "", 0);
	case TYPE_VPTR:
		return LLVMDIBuilderCreatePointerType(g->builder, NULL, 64, 0, 0, "", 0);
	case TYPE_ARRAY:
	case TYPE_VECTOR:
		return ir_type_sized(t) ? array(e, t, t->kind == TYPE_VECTOR) : NULL;
	case TYPE_COMPLEX:
		return basic(g, "complex", ir_type_size(t) * 8, ATE_COMPLEX);
	case TYPE_RECORD:
		return announce(e, t);
	case TYPE_FUNC:
		return debug_function_type(e, t);
	case TYPE_DATA_MEMBER:
	case TYPE_METHOD:
		return member_pointer(e, t);
	default:
		return ir_is_float(t) ? basic(g, float_name(t), ir_type_size(t) * 8, ATE_FLOAT) : other(e, t);
	}
}

/* Types are made while lowering, too, but none that a variable has. */
LLVMMetadataRef debug_type(Lower *e, IrType *t)
{
	Debug *g = e->debug;
	if (!t || t->id >= e->m->types.len)
		return NULL;
	if (!g->types[t->id])
		g->types[t->id] = make_type(e, t);
	return g->types[t->id];
}
