/* Functions of the C++ runtime whose names have the type of sizes in them: `unsigned long`, which is `m`, on Linux, and
 * `unsigned long long`, `y`, on Windows (Itanium C++ ABI, 5.1.5.3). */
#include "lift/lift.h"

static const struct {
	const char *of_linux, *of_windows; /* how the name begins */
} names[] = {
    {"_Znwm", "_Znwy"},     /* operator new */
    {"_Znam", "_Znay"},     /* operator new[] */
    {"_ZdlPvm", "_ZdlPvy"}, /* operator delete */
    {"_ZdaPvm", "_ZdaPvy"}, /* operator delete[] */
};

static void name_size(IrModule *m, IrOp *func)
{
	Str name = name_str(ir_symbol_name(func));
	for (unsigned i = 0; i < ARRAY_LEN(names); i++) {
		Str head = str_of(names[i].of_linux);
		if (!str_begins_with(name, head))
			continue;
		const char *text =
		    arena_printf(&m->scratch, "%s%s", names[i].of_windows, name.data + head.len);
		ir_op_set_attr(m, func, ir_known_name(m, NAME_circ_link_name),
		               ir_attr_string(m, str_of(text)));
	}
}

void lift_name_sizes(IrModule *m)
{
	IR_FOR_OPS (op, ir_module_block(m))
		if (op->kind == OP_FUNC)
			name_size(m, op);
}
