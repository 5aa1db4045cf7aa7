#include "call/callee_origin.h"

#include "call/ms_method.h"

struct MsOriginNode {
	const IrValue *value;
	unsigned origins;
	VEC(MsOriginNode *) users; /* that have what this one has */
};

static MsOriginNode *node_of(MsOrigins *o, const IrValue *v)
{
	MsOriginNode *node = ptrmap_get(&o->nodes, v);
	if (node)
		return node;
	node = arena_new(&o->m->scratch, MsOriginNode);
	node->value = v;
	ptrmap_put(&o->m->scratch, &o->nodes, v, node);
	vec_push(&o->m->scratch, &o->added, node);
	return node;
}

void ms_origin_add(MsOrigins *o, const IrValue *pointer)
{
	node_of(o, pointer);
}

static void connect(MsOrigins *o, MsOriginNode *to, const IrValue *from)
{
	MsOriginNode *node = node_of(o, from);
	vec_push(&o->m->scratch, &node->users, to);
}

static void look_at_argument(MsOrigins *o, MsOriginNode *node)
{
	const IrBlock *b = node->value->def.block;
	uint32_t i = node->value->index;
	node->origins |= b->preds ? 0 : MS_ORIGIN_OTHER;
	IR_FOR_PREDS(s, b)
	{
		if (i < s->nargs)
			connect(o, node, ir_succ_arg(s, i));
		else
			node->origins |= MS_ORIGIN_OTHER;
	}
}

static unsigned of_symbol(const Name *name)
{
	const IrOp *func = ir_symbol(name);
	return func && func->kind == OP_FUNC && ms_is_method(func) ? MS_ORIGIN_MEMBER : MS_ORIGIN_OTHER;
}

static unsigned of_constant(const IrAttr *a)
{
	bool nothing = (a->kind == ATTR_PTR && !a->bits) || a->kind == ATTR_ZERO || a->kind == ATTR_UNDEF ||
	               a->kind == ATTR_POISON;
	if (nothing)
		return 0;
	return a->kind == ATTR_GLOBAL_VIEW ? of_symbol(a->name) : MS_ORIGIN_OTHER;
}

static void look_at_result(MsOrigins *o, MsOriginNode *node)
{
	const IrOp *op = node->value->def.op;
	switch (op->kind) {
	case OP_VTABLE_GET_VIRTUAL_FN_ADDR:
	case OP_GET_METHOD:
		node->origins |= MS_ORIGIN_MEMBER;
		break;
	case OP_LOAD:
	case OP_CAST:
		connect(o, node, ir_operand(op, 0));
		break;
	case OP_SELECT:
		connect(o, node, ir_operand(op, 1));
		connect(o, node, ir_operand(op, 2));
		break;
	case OP_GET_GLOBAL:
		node->origins |= of_symbol(ir_op_symbol(op, NAME_symbol));
		break;
	case OP_CONST:
		node->origins |= of_constant(ir_op_attr(op, NAME_value));
		break;
	default:
		node->origins |= MS_ORIGIN_OTHER;
	}
}

void ms_origin_solve(MsOrigins *o)
{
	for (uint32_t i = 0; i < o->added.len; i++) {
		MsOriginNode *node = o->added.data[i];
		if (node->value->is_arg)
			look_at_argument(o, node);
		else
			look_at_result(o, node);
	}
	for (uint32_t i = 0; i < o->added.len; i++)
		if (o->added.data[i]->origins)
			vec_push(&o->m->scratch, &o->work, o->added.data[i]);
	while (o->work.len) {
		const MsOriginNode *node = vec_pop(&o->work);
		for (uint32_t i = 0; i < node->users.len; i++) {
			MsOriginNode *user = node->users.data[i];
			if ((user->origins | node->origins) == user->origins)
				continue;
			user->origins |= node->origins;
			vec_push(&o->m->scratch, &o->work, user);
		}
	}
}

unsigned ms_origin_of(const MsOrigins *o, const IrValue *pointer)
{
	const MsOriginNode *node = ptrmap_get(&o->nodes, pointer);
	return node ? node->origins : 0;
}
