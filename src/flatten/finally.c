/* flatten/finally.c: before the walk, from
 *
 * 	cir.try { body } catch … { handler } finally { F }
 *
 * to
 *
 * 	cir.try {
 * 	  cir.try { body } catch … { handler }
 * 	} catch all (%t) {
 * 	  %k, %o = cir.begin_catch %t finally
 * 	  cir.cleanup.scope { cir.scope { F }; cir.throw; cir.unreachable } cleanup all { cir.end_catch %k }
 * 	} finally { F }
 *
 * An exception is caught where F must run, and thrown on where the end of F is reached; leaving F in another way ends the
 * catch. The walk (try.c) makes of the `finally` that stays the code that all other ways out of the body pass.
 *
 * Cost: ops. F is copied once, and what stands in F as often as F: as with cleanups, the module's budget of copied
 * operations bounds nests of F in F.
 */
#include "flatten/internal.h"

#include "ir/catch_region.h"
#include "ir/clone.h"
#include "ir/debug_scope.h"
#include "ir/try.h"

/* Labels of a copy have names of their own; gotos of the copy to them follow. */
static bool rename_labels(Flatten *f, const IrRegion *copy)
{
	PtrMap renamed = {0};
	for (IrOp *op = ir_walk_first(copy); op; op = ir_walk_next(op, copy)) {
		if (op->kind != OP_LABEL)
			continue;
		Name *old = flatten_label_name(op);
		if (flatten_address_is_taken(f, old)) {
			diag_error(f->d, op->loc,
			           "label '%s' is in a finally, which is compiled twice; its address cannot "
			           "be taken",
			           old->text);
			return false;
		}
		const char *text = arena_printf(f->mem, "%s.unwinding.%u", old->text, f->next_label++);
		const IrAttr *name = ir_attr_string(f->m, str_of(text));
		ptrmap_put(f->mem, &renamed, old, (void *)(uintptr_t)name);
		ir_op_set_attr(f->m, op, ir_known_name(f->m, NAME_label), name);
	}
	for (IrOp *op = renamed.len ? ir_walk_first(copy) : NULL; op; op = ir_walk_next(op, copy)) {
		const IrAttr *name =
		    op->kind == OP_GOTO ? ptrmap_get(&renamed, flatten_label_name(op)) : NULL;
		if (name)
			ir_op_set_attr(f->m, op, ir_known_name(f->m, NAME_label), name);
	}
	return true;
}

/* The last region of op, which it loses. */
static void take_last_region(IrOp *op, IrRegion *to)
{
	ir_region_move_blocks(&op->regions[op->nregions - 1], to);
	op->nregions--;
}

static IrOp *build_outer(Flatten *f, IrBuilder *b)
{
	const IrAttr *all = ir_attr_enum(f->m, ENUM_HANDLER, HANDLER_ALL);
	IrNamedAttr attrs[] = {{ir_known_name(f->m, NAME_handler_types), ir_attr_array(f->m, &all, 1)},
	                       {ir_known_name(f->m, NAME_finally), ir_attr_unit(f->m)}};
	return ir_build_spec(
	    b, &(IrOpSpec){.kind = OP_TRY, .nregions = 3, .attrs = attrs, .nattrs = ARRAY_LEN(attrs)});
}

/* { scope { F }; throw; unreachable }, in a catch. */
static void fill_handler(Flatten *f, IrOp *outer, IrRegion *copy)
{
	IrBuilder b = {.m = f->m, .loc = outer->loc};
	IrRegion *handler = &outer->regions[1];
	b = ir_in_region(&b, handler);
	ir_block_add_arg(f->m, handler->first, ir_type_simple(f->m, TYPE_EH_TOKEN));
	IrOp *scope = ir_build_regions(&b, OP_SCOPE, NULL, NULL, 1);
	ir_region_move_blocks(copy, &scope->regions[0]);
	ir_copy_find_scopes(f->m, scope);
	ir_build(&b, OP_THROW, NULL, NULL, 0);
	ir_build(&b, OP_UNREACHABLE, NULL, NULL, 0);
	IrValue *object = ir_wrap_in_catch(f->m, handler, f->m->voidp, outer->loc);
	ir_set_flag(f->m, object->def.op, NAME_finally);
}

static bool expand_finally(Flatten *f, IrOp *op)
{
	IrRegion copy = {.op = op};
	IrBuilder b = ir_before(f->m, op);
	IrOp *outer = build_outer(f, &b);
	take_last_region(op, &outer->regions[2]);
	ir_op_set_attr(f->m, op, ir_known_name(f->m, NAME_finally), NULL);
	if (!flatten_copy_region(f, outer, &outer->regions[2], &copy))
		return false;
	flatten_settle_abnormal(f->m, &copy, true);
	bool ok = rename_labels(f, &copy);
	fill_handler(f, outer, &copy);
	IrBuilder in = ir_in_region(&b, &outer->regions[0]);
	ir_op_remove(op);
	ir_op_append(in.block, op);
	ir_build_yield(&in, NULL);
	return ok;
}

bool flatten_expand_finally(Flatten *f)
{
	VEC(IrOp *) found = {0};
	const IrRegion *body = &f->func->regions[0];
	if (!f->m->made[OP_TRY])
		return true;
	for (IrOp *op = ir_walk_first(body); op; op = ir_walk_next(op, body))
		if (op->kind == OP_TRY && ir_try_finally(op))
			vec_push(f->mem, &found, op);
	while (found.len) /* the inner ones first: what is copied is done */
		if (!expand_finally(f, vec_pop(&found)))
			return false;
	return true;
}
