/* circ.exception_type, and what is thrown and caught by such a type.
 *
 * What they extend is checked for all of them before anything else is (verifier_check_exception_types): then it has no cycle, and
 * every rule may follow it.
 */
#include "ir/layout.h"
#include "ir/try.h"
#include "verify/verifier.h"

typedef VEC(const IrOp *) TypeStack;

static const IrOp *exception_type(const Name *name)
{
	const IrOp *op = ir_symbol(name);
	return op && op->kind == OP_EXCEPTION_TYPE ? op : NULL;
}

static uint32_t nbases(const IrOp *type)
{
	const IrAttr *bases = ir_op_attr(type, NAME_bases);
	return bases ? bases->n : 0;
}

static const IrOp *base(const IrOp *type, uint32_t i)
{
	return exception_type(ir_op_attr(type, NAME_bases)->elems[i]->name);
}

/* What they extend */

static bool check_bases(Verifier *v, const IrOp *op)
{
	const IrAttr *bases = ir_op_attr(op, NAME_bases);
	if (bases && bases->kind != ATTR_ARRAY) {
		verifier_error(v, op, ": expected attribute 'bases' to be an array of symbols");
		return false;
	}
	for (uint32_t i = 0; i < nbases(op); i++) {
		const IrAttr *a = bases->elems[i];
		if (a->kind == ATTR_SYMBOL && exception_type(a->name))
			continue;
		if (a->kind != ATTR_SYMBOL) {
			verifier_error(v, op, ": expected attribute 'bases' to be an array of symbols");
			return false;
		}
		verifier_error(v, op, "extends '@%s', which is not an exception type of the module%s",
		               a->name->text, verifier_similar_symbol(v, a->name, OP_EXCEPTION_TYPE));
		return false;
	}
	return true;
}

/* A depth-first walk up the bases. */
typedef struct Walk {
	Verifier *v;
	TypeStack path; /* types whose bases are being walked */
	PtrMap next;    /* type → 1 + the base to walk next; more than there are: done */
} Walk;

static bool is_open(const Walk *w, const IrOp *type)
{
	uintptr_t next = (uintptr_t)ptrmap_get(&w->next, type);
	return next && next <= (uintptr_t)nbases(type) + 1;
}

static bool report_cycle(Verifier *v, const IrOp *op, const IrOp *to)
{
	const char *name = ir_symbol_name(to)->text;
	if (op == to)
		verifier_error(v, op, "extends itself");
	else
		verifier_error(v, op, "extends '@%s', which extends it, directly or through others", name);
	if (op != to)
		verifier_note(v, to->loc, "'@%s' is here", name);
	return false;
}

/* False: a cycle, reported. */
static bool step(Walk *w)
{
	const IrOp *op = w->path.data[w->path.len - 1];
	uintptr_t next = (uintptr_t)ptrmap_get(&w->next, op);
	ptrmap_put(w->v->arena, &w->next, op, (void *)(next + 1));
	if (next > nbases(op)) {
		w->path.len--;
		return true;
	}
	const IrOp *to = base(op, (uint32_t)next - 1);
	if (is_open(w, to))
		return report_cycle(w->v, op, to);
	if (!ptrmap_get(&w->next, to)) {
		ptrmap_put(w->v->arena, &w->next, to, (void *)(uintptr_t)1);
		vec_push(w->v->arena, &w->path, to);
	}
	return true;
}

static void check_cycles(Verifier *v)
{
	Walk w = {.v = v};
	IR_FOR_OPS (op, ir_module_block(v->m)) {
		if (op->kind != OP_EXCEPTION_TYPE || ptrmap_get(&w.next, op))
			continue;
		ptrmap_put(v->arena, &w.next, op, (void *)(uintptr_t)1);
		vec_push(v->arena, &w.path, op);
		while (w.path.len)
			if (!step(&w))
				return;
	}
}

bool verifier_check_exception_types(Verifier *v)
{
	uint32_t errors = v->d->errors;
	if (!v->m->made[OP_EXCEPTION_TYPE])
		return true;
	IR_FOR_OPS (op, ir_module_block(v->m))
		if (op->kind == OP_EXCEPTION_TYPE)
			check_bases(v, op);
	if (v->d->errors == errors)
		check_cycles(v);
	return v->d->errors == errors;
}

/* The op */

static bool check_release(Verifier *v, const IrOp *op)
{
	const IrAttr *release = ir_op_attr(op, NAME_release);
	const IrOp *func = release && release->kind == ATTR_SYMBOL ? verifier_func(release->name) : NULL;
	const IrType *t = func ? ir_func_type(func) : NULL;
	if (!release)
		return true;
	if (release->kind != ATTR_SYMBOL)
		verifier_error(v, op, ": expected attribute 'release' to be a symbol");
	else if (!func)
		verifier_error(v, op, ": the module has no function '@%s'%s", release->name->text,
		               verifier_similar_symbol(v, release->name, OP_FUNC));
	else if (t->nmembers != 1 || t->variadic || !ir_is_ptr(t->members[0]) || t->elem->kind != TYPE_VOID)
		verifier_error(v, op, ": 'release' must take a pointer and return void, found '%s'",
		               verifier_type(v, t));
	else
		return true;
	return false;
}

/* Every base begins at offset 0 of the record. */
static bool check_sizes(Verifier *v, const IrOp *op)
{
	IrType *own = ir_symbol_type(op);
	for (uint32_t i = 0; i < nbases(op); i++) {
		IrType *of_base = ir_symbol_type(base(op, i));
		if (!ir_type_sized(of_base) || ir_type_size(of_base) <= ir_type_size(own))
			continue;
		verifier_error(
		    v, op, ": '%s' is smaller than '%s' of its base '@%s', which it must begin with",
		    verifier_type(v, own), verifier_type(v, of_base), ir_symbol_name(base(op, i))->text);
		return false;
	}
	return true;
}

void verify_exception_type(Verifier *v, const IrOp *op)
{
	const IrType *t = ir_symbol_type(op);
	if (!verifier_check_name(v, op))
		return;
	if (t->kind != TYPE_RECORD || !ir_type_sized(t)) {
		verifier_error(v, op, ": expected a complete record, found '%s'", verifier_type(v, t));
		return;
	}
	if (verifier_check_storage(v, op, t, "the record,") && check_sizes(v, op))
		check_release(v, op);
}

/* Throwing */

static const IrOp *origin(const IrValue *object)
{
	const IrOp *def = object->is_arg ? NULL : object->def.op;
	while (def && def->kind == OP_CAST && !ir_operand(def, 0)->is_arg)
		def = ir_operand(def, 0)->def.op;
	return def;
}

/* The exception object is the type's record: of its type, where the pointer says one, and of its size. */
void verifier_check_thrown(Verifier *v, const IrOp *op)
{
	const Name *name = ir_op_symbol(op, NAME_type_info);
	const IrOp *type = exception_type(name), *alloc = origin(ir_operand(op, 0));
	IrType *record = type ? ir_symbol_type(type) : NULL, *found = ir_operand(op, 0)->type->elem;
	uint64_t size;
	if (!type || !ir_type_sized(record))
		return;
	if (found->kind == TYPE_RECORD && found != record) {
		verifier_error(v, op, "throws a '%s', but exceptions of type '@%s' are '%s'",
		               verifier_type(v, found), name->text, verifier_type(v, record));
		verifier_note(v, type->loc, "'@%s' is here", name->text);
	} else if (alloc && alloc->kind == OP_ALLOC_EXCEPTION &&
	           ir_attr_get_u64(ir_op_attr(alloc, NAME_size), &size) && size < ir_type_size(record)) {
		verifier_error(v, op, "throws %llu bytes, but exceptions of type '@%s' have %llu",
		               (unsigned long long)size, name->text,
		               (unsigned long long)ir_type_size(record));
		verifier_note(v, alloc->loc, "the exception is allocated here");
	}
}

/* Catching */

typedef struct Order {
	Verifier *v;
	PtrMap caught; /* name → 1 + the first handler of that type */
	PtrMap
	    least; /* exception type → 1 + the first handler that takes it; NOBODY: none; absent: not known yet */
} Order;

#define NOBODY UINTPTR_MAX

/* Fills o->least of the type at the top of the stack, or puts bases whose is needed first there. */
static void settle(Order *o, TypeStack *stack)
{
	const IrOp *type = stack->data[stack->len - 1];
	uintptr_t least = (uintptr_t)ptrmap_get(&o->caught, ir_symbol_name(type));
	uint32_t depth = stack->len;
	if (!least)
		least = NOBODY;
	for (uint32_t i = 0; i < nbases(type); i++) {
		uintptr_t of_base = (uintptr_t)ptrmap_get(&o->least, base(type, i));
		if (!of_base)
			vec_push(o->v->arena, stack, base(type, i));
		else if (of_base < least)
			least = of_base;
	}
	if (stack->len > depth)
		return;
	ptrmap_put(o->v->arena, &o->least, type, (void *)least);
	stack->len--;
}

/* 1 + the first handler that takes exceptions of the type. */
static uintptr_t first_handler(Order *o, const IrOp *type)
{
	TypeStack stack = {0};
	vec_push(o->v->arena, &stack, type);
	while (stack.len)
		settle(o, &stack);
	return (uintptr_t)ptrmap_get(&o->least, type);
}

static const Name *caught_name(const IrAttr *entry)
{
	bool type =
	    entry->kind == ATTR_GLOBAL_VIEW || (entry->kind == ATTR_SYMBOL && !ir_catch_filter(entry));
	return type ? entry->name : NULL;
}

/* False: of circ's runtime, and a type stands there twice. */
static bool note_types(Order *o, const IrOp *op, const IrAttr *entries)
{
	for (uint32_t i = 0; i < entries->n; i++) {
		const Name *name = caught_name(entries->elems[i]);
		uintptr_t before = name ? (uintptr_t)ptrmap_get(&o->caught, name) : 0;
		if (before && verifier_is_circ(o->v)) {
			verifier_error(o->v, op, ": handler #%u catches '@%s', which handler #%u has caught",
			               i, name->text, (unsigned)before - 1);
			return false;
		}
		if (name && !before)
			ptrmap_put(o->v->arena, &o->caught, name, (void *)((uintptr_t)i + 1));
	}
	return true;
}

static void warn_hidden(Order *o, const IrOp *op, const IrAttr *entries)
{
	for (uint32_t i = 0; i < entries->n; i++) {
		const Name *name = caught_name(entries->elems[i]);
		const IrOp *type = name ? exception_type(name) : NULL;
		uintptr_t first = type ? first_handler(o, type) - 1 : i;
		if (first >= i)
			continue;
		bool same = caught_name(entries->elems[first]) == name;
		verifier_warning(o->v, op->loc,
		                 "'%s' op: handler #%u never runs, since handler #%u catches %s'@%s'%s",
		                 op_info[op->kind].name, i, (unsigned)first, same ? "" : "what ", name->text,
		                 same ? ", too" : " extends");
	}
}

bool verifier_check_order(Verifier *v, const IrOp *op, const IrAttr *entries)
{
	Order o = {.v = v};
	if (!verifier_is_circ(v) && !v->m->made[OP_EXCEPTION_TYPE])
		return true;
	if (!note_types(&o, op, entries))
		return false;
	warn_hidden(&o, op, entries);
	return true;
}
