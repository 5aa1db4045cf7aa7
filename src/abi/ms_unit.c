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

Str ms_unit_name(IrModule *m)
{
	uint32_t hash = m->name ? m->name->hash : 0;
	IR_FOR_OPS (op, ir_module_block(m))
		if (is_external_definition(op))
			hash = hash_mix(hash, ir_symbol_name(op)->hash);
	return str_of(arena_printf(&m->arena, "?A0x%08X", hash));
}
