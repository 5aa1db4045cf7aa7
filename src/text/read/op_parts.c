/* The stacks that collect the parts of an op while it is read (parser.h). */
#include "text/read/parser.h"

void push_operand(Parser *p, OperandRef r)
{
	vec_push(p->mem, &p->operands, r);
}

void push_result(Parser *p, IrType *type)
{
	vec_push(p->mem, &p->results, type);
}

void push_attr(Parser *p, Name *name, const IrAttr *value)
{
	vec_push(p->mem, &p->attrs, ((IrNamedAttr){name, value}));
}

void push_flag(Parser *p, NameId name)
{
	push_attr(p, p->known[name], p->unit);
}

void push_enum(Parser *p, NameId name, EnumClass c, unsigned word)
{
	push_attr(p, p->known[name], ir_attr_enum(p->m, c, word));
}

const IrAttr *pushed_attr(const Parser *p, const Frame *f, NameId name)
{
	for (uint32_t i = f->attrs; i < p->attrs.len; i++)
		if (p->attrs.data[i].name == p->known[name])
			return p->attrs.data[i].value;
	return NULL;
}

void push_empty_region(Parser *p)
{
	vec_push(p->mem, &p->regions, arena_new(p->mem, IrRegion));
}

void parse_cut_stacks(Parser *p, const Frame *f)
{
	p->operands.len = f->operands;
	p->succ_args.len = f->succ_args;
	p->succs.len = f->succs;
	p->results.len = f->results;
	p->attrs.len = f->attrs;
	p->regions.len = f->regions;
	p->warnings.len = f->warnings;
}

Retreat parse_retreat_point(const Parser *p, const FmtElem *behind)
{
	return (Retreat){behind,       p->lx,          p->operands.len, p->succ_args.len,
	                 p->succs.len, p->results.len, p->attrs.len,    p->warnings.len};
}

void parse_retreat(Parser *p, const Retreat *r)
{
	p->lx = r->lx;
	p->operands.len = r->operands;
	p->succ_args.len = r->succ_args;
	p->succs.len = r->succs;
	p->results.len = r->results;
	p->attrs.len = r->attrs;
	p->warnings.len = r->warnings;
}
