/* What classes that no other module can name are called: clang hashes the path of the source file, which objects
 * are not to depend on. Of two modules in a program one alone defines an external symbol; so its names tell them apart. */
#include "abi/ms_unit.h"

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

Str ms_unit_name(IrModule *m)
{
	uint64_t h = m->name ? mix_name(0, name_str(m->name)) : 0;
	IR_FOR_OPS (op, ir_module_block(m))
		if (is_external_definition(op))
			h = mix_name(h, name_str(ir_symbol_name(op)));
	return str_of(arena_printf(&m->arena, "?A0x%08X", (uint32_t)h));
}
