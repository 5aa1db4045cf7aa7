#include "msvc/type_identity.h"

#include "msvc/type_info.h"

static bool is_external_definition(const IrOp *op)
{
	if (op->kind != OP_FUNC && op->kind != OP_GLOBAL)
		return false;
	bool defined = op->kind == OP_FUNC ? !ir_func_is_declaration(op) : ir_op_has(op, NAME_initial_value);
	return defined && ir_op_enum(op, NAME_linkage, LINKAGE_EXTERNAL) == LINKAGE_EXTERNAL;
}

/* The same in every run, unlike that of a table. */
static uint64_t mix_name(uint64_t h, Str name)
{
	static const HashKey key = {UINT64_C(0xcbf29ce484222325), UINT64_C(0x9E3779B97F4A7C15)};
	return hash_mix(&key, h, hash_bytes(&key, name.data, name.len));
}

/* What classes that no other module can name are called: clang hashes the path of the source file, which objects
 * are not to depend on. Of two modules in a program one alone defines an external symbol; so its names tell them apart. */
static Str anonymous_namespace(IrModule *m)
{
	uint64_t h = m->name ? mix_name(0, name_str(m->name)) : 0;
	IR_FOR_OPS (op, ir_module_block(m)) /* a sum: in any order */
		if (is_external_definition(op))
			h += mix_name(1, name_str(ir_symbol_name(op)));
	return str_of(arena_printf(&m->arena, "?A0x%08X", (uint32_t)h));
}

void ms_types_init(MsTypes *t, IrModule *m, Diags *d)
{
	*t = (MsTypes){.m = m, .d = d};
	cxx_types_init(&t->types, &m->arena);
	t->types.anonymous = name_intern(&t->types.names, anonymous_namespace(m));
}

static uint32_t scalar_size(const CxxType *type)
{
	return type && type->kind == CXX_BUILTIN ? cxx_builtin_info[type->builtin].size : 0;
}

bool ms_catch_type(MsTypes *t, Name *type_info, Loc loc, MsCatch *out)
{
	*out = (MsCatch){.descriptor = NULL, .adjectives = MS_CATCH_ALL};
	if (!type_info)
		return true;
	MsInfo *info = ms_info(t, type_info, loc);
	Name *descriptor = info ? ms_info_descriptor(t, info, loc) : NULL;
	if (descriptor)
		*out = (MsCatch){descriptor, info->adjectives, ms_info_is_class(t, info),
		                 scalar_size(info->type)};
	return descriptor != NULL;
}
