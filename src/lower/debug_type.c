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

static LLVMMetadataRef vector(Lower *e, IrType *t)
{
	Debug *g = e->debug;
	LLVMMetadataRef elem = debug_type(e, t->elem);
	LLVMMetadataRef range = LLVMDIBuilderGetOrCreateSubrange(g->builder, 0, (int64_t)t->count);
	return LLVMDIBuilderCreateVectorType(g->builder, ir_type_size(t) * 8, 0, elem, &range, 1);
}

/* LLVM's counts are signed, and -1 is one that is not known. */
static int64_t count_of(const IrType *array)
{
	return array->count <= INT64_MAX ? (int64_t)array->count : -1;
}

/* An array of arrays is one of several dimensions. */
static LLVMMetadataRef array(Lower *e, IrType *t)
{
	Debug *g = e->debug;
	IrType *elem = t;
	VEC(LLVMMetadataRef) ranges = {0};
	for (; elem->kind == TYPE_ARRAY; elem = elem->elem)
		vec_push(e->scratch, &ranges,
		         LLVMDIBuilderGetOrCreateSubrange(g->builder, 0, count_of(elem)));
	return LLVMDIBuilderCreateArrayType(g->builder, ir_type_size(t) * 8, 0, debug_type(e, elem),
	                                    ranges.data, ranges.len);
}

/* LLVM-C's pointers have an address space, which DWARF would repeat in each of them; its references have
 * none, and may have any tag. But they have no size, which CodeView needs. */
static LLVMMetadataRef pointer(Lower *e, IrType *t)
{
	enum { TAG_POINTER = 0x0f };
	LLVMDIBuilderRef b = e->debug->builder;
	LLVMMetadataRef to = debug_type(e, t->elem);
	return to && !e->microsoft
	           ? LLVMDIBuilderCreateReferenceType(b, TAG_POINTER, to)
	           : LLVMDIBuilderCreatePointerType(b, to, ir_module_address_size(e->m) * 8, 0, 0, "", 0);
}

enum { NAMES_MAX = 4096 };

/* How many names LLVM puts together for the name of a type; at most NAMES_MAX + 1. */
static uint16_t count_names(Lower *e, const IrType *t)
{
	if (!t || t->kind == TYPE_RECORD || t->id >= e->m->types.len)
		return 1;
	uint16_t *known = &e->debug->names[t->id];
	if (*known)
		return *known;
	uint32_t n = 1 + count_names(e, t->elem);
	for (uint32_t i = 0; i < t->nmembers && n <= NAMES_MAX; i++)
		n += count_names(e, t->members[i]);
	return *known = (uint16_t)(n > NAMES_MAX ? NAMES_MAX + 1 : n);
}

LLVMMetadataRef debug_function_type(Lower *e, const IrType *t)
{
	Debug *g = e->debug;
	if (e->coff && count_names(e, t) > NAMES_MAX) /* each name of CodeView is written out */
		return LLVMDIBuilderCreateSubroutineType(g->builder, g->file, NULL, 0, LLVMDIFlagZero);
	unsigned n = t->nmembers + 1;
	/* NULL behind the last: "..." */
	LLVMMetadataRef *types = arena_array(e->scratch, LLVMMetadataRef, (size_t)n + 1);
	types[0] = t->elem ? debug_type(e, t->elem) : NULL;
	for (uint32_t i = 1; i < n; i++)
		types[i] = debug_type(e, t->members[i - 1]);
	return LLVMDIBuilderCreateSubroutineType(g->builder, g->file, types, n + t->variadic, LLVMDIFlagZero);
}

/* Of integers there is no encoding: two members. */
static LLVMMetadataRef complex(Lower *e, IrType *t)
{
	Debug *g = e->debug;
	uint64_t bits = ir_type_size(t) * 8;
	if (ir_is_float(t->elem))
		return basic(g, arena_printf(e->scratch, "_Complex %s", float_name(t->elem)), bits,
		             ATE_COMPLEX);
	LLVMMetadataRef part = debug_type(e, t->elem), parts[2];
	static const char *const names[] = {"real", "imag"};
	for (unsigned i = 0; i < 2; i++)
		parts[i] = LLVMDIBuilderCreateMemberType(g->builder, g->file, names[i], 4, g->file, 0,
		                                         bits / 2, 0, bits / 2 * i, LLVMDIFlagZero, part);
	return LLVMDIBuilderCreateStructType(g->builder, g->file, "_Complex", 8, g->file, 0, bits, 0,
	                                     LLVMDIFlagZero, NULL, parts, 2, 0, NULL, "", 0);
}

/* A pointer to a member; the class of a method's is that of its function. */
static LLVMMetadataRef member_pointer(Lower *e, IrType *t)
{
	LLVMMetadataRef type = debug_type(e, t->elem), record = debug_type(e, t->members[0]);
	return LLVMDIBuilderCreateMemberPointerType(e->debug->builder, type, record, ir_type_size(t) * 8,
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
		return pointer(e, t);
	case TYPE_VPTR:
		return LLVMDIBuilderCreatePointerType(g->builder, NULL, ir_module_address_size(e->m) * 8, 0,
		                                      0, "", 0);
	case TYPE_ARRAY:
		return ir_type_sized(t) ? array(e, t) : NULL;
	case TYPE_VECTOR:
		return ir_type_sized(t) ? vector(e, t) : NULL;
	case TYPE_COMPLEX:
		return complex(e, t);
	case TYPE_RECORD:
		return debug_announce_record(e, t);
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
