/* call/guess/by_function.c: classes whose objects go by address, by the functions that a module has.
 *
 * `arg_passing_kind` of the module's dictionary specifies which these are. clang printed none before 2026, and only names
 * functions that are not trivial: a destructor shows a class whose objects go by address, and so do copy and move constructors.
 */
#include "call/guess/guess.h"

#include "ir/mangled.h"
#include "ir/special_member.h"

/* `S_`, `S1_`, `Ss`: what the name has named before */
static const char *skip_substitution(const char *at, const char *end)
{
	bool is = at < end && *at == 'S';
	const char *behind = is ? mangled_skip(at, end) : at;
	return is && behind == at + 1 && behind < end ? behind + 1 : behind;
}

/* Behind `B3tag`; NULL: the name ends before. */
static const char *skip_tags(const char *at, const char *end)
{
	while (at && end - at > 1 && *at == 'B')
		at = mangled_skip(at + 1, end);
	return at;
}

/* Does the name end here, but for a constraint and what a compiler appends? */
static bool ends(const char *at, const char *end)
{
	return at == end || *at == 'Q' || *at == '.';
}

/* ERKS_, B3tagEOS_: behind C1 or C2, to the end. */
static bool copies_its_class(const char *at, const char *end)
{
	at = skip_tags(at, end);
	if (!at || end - at < 3 || at[0] != 'E' || (at[1] != 'R' && at[1] != 'O'))
		return false;
	for (at += 2; at < end && (*at == 'V' || *at == 'K');)
		at++;
	const char *behind = skip_substitution(at, end);
	return behind > at && ends(behind, end);
}

/* Ev, B3tagEv: behind D1 or D2, to the end. */
static bool takes_nothing(const char *at, const char *end)
{
	at = skip_tags(at, end);
	return at && end - at > 1 && at[0] == 'E' && at[1] == 'v' && ends(at + 2, end);
}

/* Of a class, or of one that is local to a function: has it a part of that kind, 1 or 2, which the rest of it is of? */
static bool has_structor(Str name, char kind, bool (*is)(const char *at, const char *end))
{
	const char *end = name.data + name.len;
	if (!str_begins_with(name, STR("_ZN")) && !str_begins_with(name, STR("_ZZ")))
		return false;
	for (const char *at = name.data + 3; at && at < end; at = mangled_skip(at, end))
		if (end - at > 2 && at[0] == kind && (at[1] == '1' || at[1] == '2') && is(at + 2, end))
			return true;
	return false;
}

/* …D1Ev, …D2B3tagEv (Itanium C++ ABI 5.1.4.3), ??1… */
static bool names_destructor(Str name)
{
	return str_begins_with(name, STR("??1")) || has_structor(name, 'D', takes_nothing);
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
	Str name = name_str(ir_symbol_name(func));
	bool takes_two = t->nmembers == 2 && t->members[0] == t->members[1] && ir_is_ptr(t->members[0]);
	bool itanium = has_structor(name, 'C', copies_its_class); /* …C1ERKS_, …C2B3tagEOS_ */
	bool microsoft = str_begins_with(name, STR("??0")) && is_microsoft_ctor(name.data);
	return takes_two && (itanium || microsoft) ? t->members[0]->elem : NULL;
}

/* What copies members one after the other, and nothing else, is made of these. */
static bool may_copy(const IrOp *op)
{
	static const bool kinds[OP_COUNT] = {
	    [OP_ALLOCA] = true,          [OP_LOAD] = true,
	    [OP_STORE] = true,           [OP_COPY] = true,
	    [OP_LIBC_MEMCPY] = true,     [OP_LIBC_MEMMOVE] = true,
	    [OP_MEMCPY_INLINE] = true,   [OP_CAST] = true,
	    [OP_CONST] = true,           [OP_GET_MEMBER] = true,
	    [OP_EXTRACT_MEMBER] = true,  [OP_INSERT_MEMBER] = true,
	    [OP_GET_ELEMENT] = true,     [OP_PTR_STRIDE] = true,
	    [OP_GET_BITFIELD] = true,    [OP_SET_BITFIELD] = true,
	    [OP_BASE_CLASS_ADDR] = true, [OP_LIFETIME_START] = true,
	    [OP_LIFETIME_END] = true,    [OP_SCOPE] = true,
	    [OP_YIELD] = true,           [OP_BR] = true,
	    [OP_RETURN] = true,
	};
	const IrValue *v = op->kind == OP_STORE ? ir_operand(op, 0) : NULL;
	bool sets = v && !v->is_arg && v->def.op->kind == OP_CONST;
	bool converts = op->kind == OP_CAST && !ir_is_ptr(op->results[0].type);
	return kinds[op->kind] && !sets && !converts;
}

/* Compilers make trivial ones in place, but not all always did. */
static bool may_be_trivial(const IrOp *func)
{
	unsigned linkage = ir_op_enum(func, NAME_linkage, LINKAGE_EXTERNAL);
	if (ir_func_is_declaration(func) || linkage == LINKAGE_EXTERNAL)
		return false;
	for (IrOp *op = ir_walk_first(&func->regions[0]); op; op = ir_walk_next(op, &func->regions[0]))
		if (!may_copy(op))
			return false;
	return true;
}

/* The class whose objects func shows to have an identity; NULL: of none. Where func may be trivial, the class is in
 * *looks_trivial. */
static IrType *shown_by(const IrOp *func, IrType **looks_trivial)
{
	SpecialMemberInfo info = ir_special_member(func);
	const IrType *t = ir_func_type(func);
	if (info.kind == SPECIAL_COPY_CTOR || info.kind == SPECIAL_MOVE_CTOR)
		return info.trivial ? NULL : info.record;
	if (names_destructor(name_str(ir_symbol_name(func))))
		return t->nmembers && ir_is_ptr(t->members[0]) ? t->members[0]->elem : NULL;
	IrType *copied = info.kind == SPECIAL_NONE ? copied_by_name(func) : NULL;
	if (!copied || !may_be_trivial(func))
		return copied;
	*looks_trivial = copied;
	return NULL;
}

static bool has_record_layouts(const IrModule *m)
{
	const IrAttr *dict = ir_module_attr(m, NAME_cir_record_layouts);
	for (uint32_t i = 0; dict && dict->kind == ATTR_DICT && i < dict->n; i++)
		if (dict->elems[i]->kind == ATTR_PARAMS && dict->elems[i]->row == ATTR_ROW_RECORD_LAYOUT)
			return true;
	return false;
}

void abi_guess_by_function(AbiGuesses *g, const IrModule *m, Arena *mem)
{
	if (has_record_layouts(m))
		return;
	IR_FOR_OPS (op, ir_module_block(m)) {
		IrType *trivial = NULL, *t = op->kind == OP_FUNC ? shown_by(op, &trivial) : NULL;
		if (t && t->kind == TYPE_RECORD)
			ptrmap_put(mem, &g->by_address, t, t);
		if (trivial)
			ptrmap_put(mem, &g->copied, trivial, op);
	}
}
