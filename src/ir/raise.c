#include "ir/raise.h"

IrOp *ir_module_raise(const IrModule *m, unsigned kind)
{
	const IrAttr *all = ir_module_attr(m, NAME_circ_raise);
	Str word = str_of(ir_enum_info[ENUM_CHECK].words[kind]);
	for (uint32_t i = 0; all && all->kind == ATTR_DICT && i < all->n; i++)
		if (str_equal(name_str(all->keys[i]), word) && all->elems[i]->kind == ATTR_SYMBOL)
			return ir_symbol(all->elems[i]->name);
	return NULL;
}
