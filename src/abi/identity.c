/* abi/identity.c: objects with an identity, which go by address (Itanium C++ ABI 3.1.2.3; Microsoft's C++ ABI likewise).
 *
 * `arg_passing_kind` of the module's dictionary tells which these are. Front ends that write none show it by the functions
 * that they name: trivial constructors and destructors are not there.
 */
#include "abi/passing.h"

#include "ir/special_member.h"

#include <stdlib.h>

static const char by_address = 1, by_value = 0; /* answers in AbiTypes.by_address */

/* _ZN…D1Ev, _ZN…D2Ev (Itanium C++ ABI 5.1.4.3), ??1… */
static bool names_destructor(Str name)
{
	bool microsoft = name.len > 3 && memcmp(name.data, "??1", 3) == 0;
	bool itanium = name.len > 8 && memcmp(name.data, "_ZN", 3) == 0;
	const char *end = name.data + name.len;
	return microsoft || (itanium && (memcmp(end - 4, "D1Ev", 4) == 0 || memcmp(end - 4, "D2Ev", 4) == 0));
}

/* …C1ERKS_, …C2B3tagEOS_ (Itanium C++ ABI 5.1.4.3): a constructor whose first parameter is a reference. */
static bool is_itanium_ctor(const char *name)
{
	for (const char *at = strchr(name, 'C'); at; at = strchr(at + 1, 'C')) {
		if (at[1] != '1' && at[1] != '2')
			continue;
		const char *rest = at + 2;
		while (*rest == 'B') {
			char *tag;
			unsigned long len = strtoul(rest + 1, &tag, 10);
			rest = len > strlen(tag) ? "" : tag + len;
		}
		if (rest[0] == 'E' && (rest[1] == 'R' || rest[1] == 'O'))
			return true;
	}
	return false;
}

static bool is_microsoft_ctor(const char *name)
{
	const char *rest = strstr(name, "@QEAA@");
	return rest && (strncmp(rest + 6, "AE", 2) == 0 || strncmp(rest + 6, "$$QE", 4) == 0);
}

/* The class whose objects func, by its name, makes from others; NULL: it does not. */
static IrType *copied_by_name(const IrOp *func)
{
	const IrType *t = ir_func_type(func);
	const char *name = ir_symbol_name(func)->text;
	bool takes_two = t->nmembers == 2 && t->members[0] == t->members[1] && ir_is_ptr(t->members[0]);
	bool itanium = strncmp(name, "_ZN", 3) == 0 && is_itanium_ctor(name);
	bool microsoft = strncmp(name, "??0", 3) == 0 && is_microsoft_ctor(name);
	return takes_two && (itanium || microsoft) ? t->members[0]->elem : NULL;
}

/* Compilers make trivial ones in place, but not all always did. */
static bool may_be_trivial(const IrOp *func)
{
	unsigned linkage = ir_op_enum(func, NAME_linkage, LINKAGE_EXTERNAL);
	if (ir_func_is_declaration(func) || linkage == LINKAGE_EXTERNAL)
		return false;
	for (IrOp *op = ir_walk_first(&func->regions[0]); op; op = ir_walk_next(op, &func->regions[0]))
		if (op_info[op->kind].flags & (OPF_CALLS | OPF_THROWS))
			return false;
	return true;
}

/* The class whose objects func shows to have an identity; NULL: of none. */
static IrType *shown_by(const IrOp *func)
{
	SpecialMemberInfo info = ir_special_member(func);
	const IrType *t = ir_func_type(func);
	if (info.kind == SPECIAL_COPY_CTOR || info.kind == SPECIAL_MOVE_CTOR)
		return info.trivial ? NULL : info.record;
	if (names_destructor(name_str(ir_symbol_name(func))))
		return t->nmembers && ir_is_ptr(t->members[0]) ? t->members[0]->elem : NULL;
	IrType *copied = info.kind == SPECIAL_NONE ? copied_by_name(func) : NULL;
	return copied && !may_be_trivial(func) ? copied : NULL;
}

void abi_find_identities(AbiTypes *types)
{
	IR_FOR_OPS (op, ir_module_block(types->m)) {
		IrType *t = op->kind == OP_FUNC ? shown_by(op) : NULL;
		if (t && t->kind == TYPE_RECORD)
			ptrmap_put(types->mem, &types->by_address, t, (void *)(uintptr_t)&by_address);
	}
}

/* Without a word of the module: what has a vptr is copied by a function, and so is what contains such a thing. */
static bool has_identity(AbiTypes *types, IrType *record)
{
	for (uint32_t i = 0; i < record->nmembers; i++) {
		IrType *t = record->members[i];
		while (t->kind == TYPE_ARRAY)
			t = t->elem;
		if (t->kind == TYPE_VPTR || (t->kind == TYPE_RECORD && abi_goes_by_address(types, t)))
			return true;
	}
	return false;
}

bool abi_goes_by_address(AbiTypes *types, IrType *t)
{
	if (t->kind != TYPE_RECORD)
		return false;
	const IrAttr *kind = abi_record_layout(types, t, RECORD_LAYOUT_ARG_PASSING);
	if (kind && kind->kind == ATTR_STRING)
		return !str_equal(name_str(kind->name), STR("can_pass_in_regs"));
	const char *known = ptrmap_get(&types->by_address, t);
	if (!known) {
		known = has_identity(types, t) ? &by_address : &by_value;
		ptrmap_put(types->mem, &types->by_address, t, (void *)(uintptr_t)known);
	}
	return known == &by_address;
}
