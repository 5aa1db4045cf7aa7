#include "eh/chain.h"

#include "base/vec.h"
#include "ir/data.h"
#include "ir/eh_runtime.h"
#include "ir/function_entry.h"

enum { FRAME_ALIGN = 16 };

/* The selector of a cleanup is 0. */
enum { FIRST_SELECTOR = 1 };

const char chain_what[] = "function of circ's runtime";
static const LibFn chain_fn = {"circ_sjlj_chain", "p", true, false, chain_what};

IrOp *chain_call(EhChain *c, IrBuilder *b, const LibFn *fn, IrValue *const *args, uint32_t nargs)
{
	IrOp *op = libfn_call(b, fn, args, nargs, c->d);
	c->ok &= op != NULL;
	return op;
}

/* The frame */

IrValue *chain_word(EhChain *c, IrBuilder *b, unsigned index)
{
	if (index == 0)
		return c->frame;
	IrValue *step[] = {c->frame, ir_build_const_int(b, c->m->s64, index)};
	return &ir_build(b, OP_PTR_STRIDE, c->frame->type, step, 2)->results[0];
}

IrValue *chain_frame(EhChain *c, IrBuilder *b)
{
	return ir_build_bitcast(b, c->frame, c->m->voidp);
}

static void find_at(EhChain *c, IrBuilder *b)
{
	IrOp *call = chain_call(c, b, &chain_fn, NULL, 0);
	if (call)
		c->innermost = ir_build_bitcast(b, &call->results[0], ir_type_ptr(c->m, c->m->voidp));
}

void chain_find(EhChain *c)
{
	IrBuilder b = ir_before(c->m, abi_entry_front(c->func));
	if (!c->innermost)
		find_at(c, &b);
}

void chain_make_frame(EhChain *c, uint32_t words)
{
	IrType *type = ir_type_array(c->m, c->m->voidp, words);
	IrBuilder b = ir_before(c->m, abi_entry_front(c->func));
	IrValue *frame = ir_build_alloca(&b, type, STR("__chain_frame"), FRAME_ALIGN);
	c->frame = ir_build_bitcast(&b, frame, ir_type_ptr(c->m, c->m->voidp));
	find_at(c, &b);
}

void chain_set_pad(EhChain *c, IrBuilder *b, Name *table)
{
	IrValue *address = ir_build_bitcast(b, ir_build_get_global(b, table), c->m->voidp);
	ir_build_store(b, address, chain_word(c, b, CHAIN_PAD));
}

IrValue *chain_push(EhChain *c, IrBuilder *b)
{
	IrValue *outer = ir_build_load(b, c->innermost);
	ir_build_store(b, outer, c->frame);
	ir_build_store(b, chain_frame(c, b), c->innermost);
	return outer;
}

void chain_pop(EhChain *c, IrBuilder *b, IrValue *outer)
{
	ir_build_store(b, outer, c->innermost);
}

/* Pads */

static uint32_t selector_of(EhChain *c, const Name *clause)
{
	uint32_t known = (uint32_t)(uintptr_t)ptrmap_get(&c->selectors, clause);
	if (known)
		return known;
	uint32_t next = FIRST_SELECTOR + c->nselectors++;
	ptrmap_put(c->mem, &c->selectors, clause, (void *)(uintptr_t)next);
	return next;
}

typedef VEC(const IrAttr *) Clauses;

/* {clause, selector}; symbol NULL: what takes everything. */
static void add_clause(EhChain *c, Clauses *out, Name *symbol)
{
	static const char takes_all[] = "";
	IrModule *m = c->m;
	uint32_t selector =
	    symbol ? selector_of(c, symbol) : selector_of(c, (const Name *)(const void *)takes_all);
	const IrAttr *elems[] = {symbol ? ir_data_address(m, symbol) : ir_attr_null(m, m->voidp),
	                         ir_attr_int(m, m->u64, selector)};
	vec_push(c->mem, out, ir_data_record(m, elems, ARRAY_LEN(elems)));
}

/* A CircClause (include/circ/runtime.h). Pads that were in the text of a C++ function name its type infos. */
static bool is_clause(const Name *name)
{
	const IrOp *symbol = ir_symbol(name);
	const IrAttr *type = symbol && symbol->kind == OP_GLOBAL ? ir_op_attr(symbol, NAME_sym_type) : NULL;
	const IrType *t = type ? type->type : NULL;
	return t && t->kind == TYPE_RECORD && t->nmembers == 3 && ir_is_int(t->members[0]) &&
	       t->members[2]->kind == TYPE_PTR;
}

static void refuse(EhChain *c, const IrOp *inflight, const Name *name)
{
	bool sjlj = ir_module_is_sjlj(c->m);
	diag_error(c->d, inflight->loc,
	           "'%s' op names '@%s', which is %s; %sgive the function in the flat form",
	           op_info[inflight->kind].name, name->text,
	           sjlj ? "for exception tables" : "no clause of circ's runtime",
	           sjlj ? "without them ('circ.eh.model = \"sjlj\"') " : "");
	c->ok = false;
}

static void add_clauses(EhChain *c, const IrOp *inflight, NameId attr, Clauses *out)
{
	const IrAttr *list = ir_op_attr(inflight, attr);
	for (uint32_t i = 0; list && i < list->n; i++) {
		Name *name = list->elems[i]->name;
		if (!is_clause(name)) {
			refuse(c, inflight, name);
			return;
		}
		add_clause(c, out, name);
	}
}

/* {is it a cleanup, too; how many; the clauses in their order} */
static const IrAttr *pad_table(EhChain *c, const IrOp *inflight)
{
	IrModule *m = c->m;
	Clauses clauses = {0};
	add_clauses(c, inflight, NAME_catch_type_list, &clauses);
	add_clauses(c, inflight, NAME_outer_type_list, &clauses);
	if (ir_op_has(inflight, NAME_catch_all))
		add_clause(c, &clauses, NULL);
	const IrAttr *elems[] = {ir_attr_int(m, m->u32, ir_op_has(inflight, NAME_cleanup)),
	                         ir_attr_int(m, m->u32, clauses.len), NULL};
	uint32_t n = 2;
	if (clauses.len)
		elems[n++] = ir_data_array(m, clauses.data[0]->type, clauses.data, clauses.len);
	return ir_data_record(m, elems, n);
}

Name *chain_define_pad(EhChain *c, const IrOp *inflight)
{
	Name *name = ir_name(
	    c->m, str_of(arena_printf(c->mem, ".circ.pad.%s.%u", ir_symbol_name(c->func)->text, c->npads++)));
	ir_data_define(c->m, name, pad_table(c, inflight), IR_DATA_CONSTANT, inflight->loc);
	return name;
}

void chain_lower_typeid(EhChain *c, IrOp *op)
{
	IrBuilder b = ir_before(c->m, op);
	uint32_t selector = selector_of(c, ir_op_symbol(op, NAME_type_sym));
	ir_value_replace(&op->results[0], ir_build_const_int(&b, c->m->u32, selector));
	ir_op_erase(op);
}

/* Functions */

IrSuccSpec chain_edge(EhChain *c, const IrSucc *from)
{
	IrValue **args = arena_array(c->mem, IrValue *, from->nargs);
	for (uint32_t i = 0; i < from->nargs; i++)
		args[i] = ir_succ_arg(from, i);
	return (IrSuccSpec){from->dest, args, from->nargs};
}

bool chain_lands(const IrOp *func)
{
	IR_FOR_BLOCKS (block, &func->regions[0])
		if (block->first && block->first->kind == OP_EH_INFLIGHT)
			return true;
	return false;
}
