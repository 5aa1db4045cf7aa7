/* eh/exception_type.c: from
 *
 * 	circ.exception_type @my.IOError extends @Error : !rec_IOError {release = @close}
 *
 * to, for functions of circ's runtime, a CircExceptionType (include/circ/runtime.h):
 *
 * 	cir.global constant linkonce_odr comdat @my.IOError = {name, size, @close, 1, [@Error]} {circ.exception_type}
 *
 * and for functions of C++ the type info of the struct my::IOError, whose name is that of the exception type with `::` for each dot:
 *
 * 	cir.global constant linkonce_odr comdat @_ZTIN2my7IOErrorE = #cir.typeinfo<{vtable of __si_class_type_info, name, @_ZTI5Error}>
 */
#include "eh/exception_type.h"

#include "base/ptrmap.h"
#include "base/vec.h"
#include "ir/build.h"
#include "ir/data.h"
#include "ir/eh_runtime.h"
#include "ir/layout.h"

typedef struct Types {
	IrModule *m;
	Arena *mem;
	VEC(IrOp *) ops;
	PtrMap cxx; /* name of a type → its type info, once it is wanted */
} Types;

static const IrAttr *address(IrModule *m, Name *symbol, int64_t index)
{
	const IrAttr *at = ir_attr_int(m, ir_type_builtin_int(m, 32), (uint64_t)index);
	IrAttr key = {.kind = ATTR_GLOBAL_VIEW, .name = symbol, .type = ir_type_ptr(m, m->u8)};
	if (index) {
		key.elems = &at;
		key.n = 1;
	}
	return ir_attr_intern(m, &key);
}

static const IrAttr *address_or_null(IrModule *m, Name *symbol)
{
	return symbol ? address(m, symbol, 0) : ir_attr_null(m, ir_type_ptr(m, m->u8));
}

static const IrAttr *bases_of(const IrOp *type)
{
	return ir_op_attr(type, NAME_bases);
}

static uint32_t nbases_of(const IrOp *type)
{
	return bases_of(type) ? bases_of(type)->n : 0;
}

static const IrAttr *size_of(IrModule *m, const IrOp *type)
{
	return ir_attr_int(m, m->size, ir_type_size(ir_op_attr(type, NAME_sym_type)->type));
}

/* For C++ */

/* 6Simple, N2my7IOErrorE */
static const char *mangled(Types *t, const Name *name)
{
	bool nested = memchr(name->text, '.', name->len) != NULL;
	const char *out = nested ? "N" : "";
	for (const char *part = name->text, *end = part + name->len; part <= end;) {
		const char *dot = memchr(part, '.', (size_t)(end - part));
		size_t len = (size_t)((dot ? dot : end) - part);
		out = arena_printf(t->mem, "%s%zu%.*s", out, len, (int)len, part);
		part += len + 1;
	}
	return nested ? arena_printf(t->mem, "%sE", out) : out;
}

static Name *symbol_name(Types *t, const char *prefix, const char *rest)
{
	return ir_name(t->m, str_of(arena_printf(t->mem, "%s%s", prefix, rest)));
}

static Name *vtable(Types *t, uint32_t nbases)
{
	static const char *const names[] = {"_ZTVN10__cxxabiv117__class_type_infoE",
	                                    "_ZTVN10__cxxabiv120__si_class_type_infoE",
	                                    "_ZTVN10__cxxabiv121__vmi_class_type_infoE"};
	Name *name = ir_name(t->m, str_of(names[nbases > 2 ? 2 : nbases]));
	if (!ir_symbol(name))
		ir_data_declare(t->m, name, ir_type_ptr(t->m, ir_type_ptr(t->m, t->m->u8)), (Loc){0});
	return name;
}

static Name *type_info(Types *t, const IrOp *type);

/* Flags of __vmi_class_type_info's bases: public, at offset 0. */
enum { VMI_PUBLIC = 2 };

static const IrAttr *type_info_value(Types *t, const IrOp *type, Name *text)
{
	IrModule *m = t->m;
	uint32_t nbases = nbases_of(type), n = 0;
	IrType **members = arena_array(t->mem, IrType *, 4 + 2 * (size_t)nbases);
	const IrAttr **elems = arena_array(t->mem, const IrAttr *, 4 + 2 * (size_t)nbases);
	elems[n++] = address(m, vtable(t, nbases), 2);
	elems[n++] = address(m, text, 0);
	if (nbases > 1) {
		elems[n++] = ir_attr_int(m, m->u32, 0);
		elems[n++] = ir_attr_int(m, m->u32, nbases);
	}
	for (uint32_t i = 0; i < nbases; i++) {
		elems[n++] = address(m, type_info(t, ir_symbol(bases_of(type)->elems[i]->name)), 0);
		if (nbases > 1)
			elems[n++] = ir_attr_int(m, m->difference, VMI_PUBLIC);
	}
	for (uint32_t i = 0; i < n; i++)
		members[i] = elems[i]->type;
	RecordBody body = {.members = members, .nmembers = n};
	IrAttr key = {.kind = ATTR_TYPEINFO, .elems = elems, .n = n};
	key.type = ir_type_anon_record(m, RECORD_STRUCT, &body);
	return ir_attr_intern(m, &key);
}

/* What Microsoft's names and tables need to know: docs/internals/windows.md. */
static void set_microsoft(IrModule *m, IrOp *info, const IrOp *type)
{
	ir_op_set_attr(m, info, ir_name(m, STR("cir.ms.tag")), ir_attr_string(m, STR("struct")));
	ir_op_set_attr(m, info, ir_name(m, STR("cir.ms.size")),
	               ir_attr_i64(m, (int64_t)size_of(m, type)->bits));
}

static Name *type_info(Types *t, const IrOp *type)
{
	Name *known = ptrmap_get(&t->cxx, type);
	if (known)
		return known;
	const char *text = mangled(t, ir_symbol_name(type));
	Name *name = symbol_name(t, "_ZTI", text), *string = symbol_name(t, "_ZTS", text);
	ptrmap_put(t->mem, &t->cxx, type, name);
	if (!ir_symbol(string))
		ir_data_define(t->m, string, ir_data_string(t->m, str_of(text)),
		               IR_DATA_CONSTANT | IR_DATA_SHARED, type->loc);
	if (!ir_symbol(name)) {
		ir_data_define(t->m, name, type_info_value(t, type, string),
		               IR_DATA_CONSTANT | IR_DATA_SHARED, type->loc);
		set_microsoft(t->m, ir_symbol(name), type);
	}
	return name;
}

static const IrAttr *info_of(Types *t, const IrAttr *use)
{
	const IrOp *type =
	    use && (use->kind == ATTR_SYMBOL || use->kind == ATTR_GLOBAL_VIEW) ? ir_symbol(use->name) : NULL;
	if (!type || type->kind != OP_EXCEPTION_TYPE)
		return use;
	Name *name = type_info(t, type);
	return use->kind == ATTR_SYMBOL ? ir_attr_symbol(t->m, name) : address(t->m, name, 0);
}

/* The object's release is its destructor. */
static void use_in_throw(Types *t, IrOp *op)
{
	const IrOp *type = ir_symbol(ir_op_symbol(op, NAME_type_info));
	if (!type || type->kind != OP_EXCEPTION_TYPE)
		return;
	const IrAttr *release = ir_op_attr(type, NAME_release);
	if (release && !ir_op_has(op, NAME_dtor))
		ir_op_set_attr(t->m, op, ir_known_name(t->m, NAME_dtor), release);
	ir_op_set_attr(t->m, op, ir_known_name(t->m, NAME_type_info),
	               info_of(t, ir_op_attr(op, NAME_type_info)));
}

static void use_in_list(Types *t, IrOp *op, NameId name)
{
	const IrAttr *list = ir_op_attr(op, name);
	if (!list || !list->n)
		return;
	const IrAttr **elems = arena_array(t->mem, const IrAttr *, list->n);
	for (uint32_t i = 0; i < list->n; i++)
		elems[i] = info_of(t, list->elems[i]);
	ir_op_set_attr(t->m, op, ir_known_name(t->m, name), ir_attr_array(t->m, elems, list->n));
}

static void use_in_function(Types *t, const IrOp *func)
{
	for (IrOp *op = ir_walk_first(&func->regions[0]); op; op = ir_walk_next(op, &func->regions[0])) {
		if ((op->kind == OP_THROW || op->kind == OP_TRY_THROW) && ir_op_has(op, NAME_type_info)) {
			use_in_throw(t, op);
		} else if (op->kind == OP_EH_DISPATCH) {
			use_in_list(t, op, NAME_catch_types);
			use_in_list(t, op, NAME_filter_types);
		}
	}
}

/* For circ's runtime */

static void define_circ_type(Types *t, IrOp *type)
{
	IrModule *m = t->m;
	Name *name = ir_symbol_name(type);
	Loc loc = type->loc;
	Name *text = ir_free_name(m, str_of(arena_printf(t->mem, ".circ.name.%s", name->text)));
	ir_data_define(m, text, ir_data_string(m, name_str(name)), IR_DATA_CONSTANT, loc);
	uint32_t n = nbases_of(type);
	const IrAttr **bases = arena_array(t->mem, const IrAttr *, (size_t)n + 1);
	for (uint32_t i = 0; i < n; i++)
		bases[i] = address(m, bases_of(type)->elems[i]->name, 0);
	const IrAttr *release = ir_op_attr(type, NAME_release);
	const IrAttr *elems[] = {
	    address(m, text, 0), size_of(m, type), address_or_null(m, release ? release->name : NULL),
	    ir_attr_int(m, m->size, n), ir_data_array(m, ir_type_ptr(m, m->u8), bases, n)};
	const IrAttr *value = ir_data_record(m, elems, n ? 5 : 4);
	ir_op_erase(type);
	ir_data_define(m, name, value, IR_DATA_CONSTANT | IR_DATA_SHARED, loc);
	ir_set_flag(m, ir_symbol(name), NAME_circ_exception_type);
}

void exception_types_lower(IrModule *m)
{
	Types t = {.m = m, .mem = &m->scratch};
	if (!m->made[OP_EXCEPTION_TYPE])
		return;
	ArenaMark mark = arena_mark(t.mem);
	bool circ = false;
	IR_FOR_OPS (op, ir_module_block(m)) {
		if (op->kind == OP_EXCEPTION_TYPE)
			vec_push(t.mem, &t.ops, op);
		else if (op->kind == OP_FUNC && ir_func_eh_runtime(m, op) == EH_RUNTIME_CIRC)
			circ = true;
		else if (op->kind == OP_FUNC && !ir_func_is_declaration(op))
			use_in_function(&t, op);
	}
	for (uint32_t i = 0; i < t.ops.len; i++)
		if (circ)
			define_circ_type(&t, t.ops.data[i]);
		else
			ir_op_erase(t.ops.data[i]);
	arena_release(t.mem, mark);
}
