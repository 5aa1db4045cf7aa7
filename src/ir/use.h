/* ir/use.h: the lists that uses and edges are linked into: an operand into that of its value, a successor into that of
 * the predecessors of its block. Private to src/ir: elsewhere the functions of op.h keep them right.
 */
#ifndef CIRC_IR_USE_H
#define CIRC_IR_USE_H

#include "ir/op.h"

static inline void ir_use_link(IrUse *u, IrValue *v, IrOp *user)
{
	u->value = v;
	u->user = user;
	u->next = v->uses;
	u->link = &v->uses;
	if (v->uses)
		v->uses->link = &u->next;
	v->uses = u;
}

static inline void ir_use_unlink(IrUse *u)
{
	*u->link = u->next;
	if (u->next)
		u->next->link = u->link;
	u->value = NULL;
}

static inline void ir_succ_link(IrSucc *s, IrBlock *dest)
{
	s->dest = dest;
	s->next = dest->preds;
	s->link = &dest->preds;
	if (dest->preds)
		dest->preds->link = &s->next;
	dest->preds = s;
}

static inline void ir_succ_unlink(IrSucc *s)
{
	*s->link = s->next;
	if (s->next)
		s->next->link = s->link;
	s->dest = NULL;
}

#endif
