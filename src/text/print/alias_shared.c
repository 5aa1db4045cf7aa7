/* text/print/alias_shared.c: names for what would be written again and again.
 *
 * A constant that holds another twice, which holds a third twice, and so on, is as long as a few aliases, and 2^n parts when all is
 * spelled out. As MLIR does, what is not large is spelled out wherever it is. When what was written more than once has come to
 * REPEATED_MAX parts, what would be written again gets an alias. That depends on the text alone, so that it is printed alike when
 * it is read again; but for lists that are spelled out in attributes of other dialects, which are text when they are read again
 * and the parts in them others.
 */
#include "text/print/printer.h"

enum { LARGE = 16, PARTS_MAX = 1 << 30, REPEATED_MAX = 1 << 20 };

static uint32_t add(uint32_t a, uint32_t b)
{
	return a + b < PARTS_MAX ? a + b : PARTS_MAX;
}

static uint32_t type_parts(Printer *p, const IrType *t)
{
	uint32_t *known = &p->type_shared[t->id].parts, n = *known;
	if (n)
		return n;
	n = 1;
	if (t->kind == TYPE_RECORD) /* which has an alias */
		return n;
	if (t->elem)
		n = add(n, type_parts(p, t->elem));
	for (uint32_t i = 0; i < t->nmembers; i++)
		n = add(n, type_parts(p, t->members[i]));
	return *known = n;
}

static uint32_t attr_parts(Printer *p, const IrAttr *a)
{
	uint32_t *known = &p->attr_shared[a->id].parts, n = *known;
	if (n)
		return n;
	n = 1;
	if (a->type)
		n = add(n, type_parts(p, a->type));
	for (uint32_t i = 0; i < a->n; i++)
		if (a->elems[i])
			n = add(n, attr_parts(p, a->elems[i]));
	return *known = n;
}

static bool is_repeated(Printer *p, PrintShared *s)
{
	bool seen = s->seen;
	s->seen = true;
	if (s->parts < LARGE || !seen)
		return false;
	if (p->repeated >= REPEATED_MAX)
		return true;
	p->repeated += s->parts;
	return false;
}

bool print_is_large_type(Printer *p, const IrType *t)
{
	return type_parts(p, t) >= LARGE;
}

bool print_names_type(Printer *p, const IrType *t)
{
	return print_is_large_type(p, t) && is_repeated(p, &p->type_shared[t->id]);
}

/* A list that stands by itself may be spelled by the op it belongs to. */
static bool may_be_named(const Printer *p, const IrAttr *a)
{
	switch (a->kind) {
	case ATTR_ARRAY:
	case ATTR_DICT:
		return p->speller.depth > 0;
	case ATTR_CONST_ARRAY:
	case ATTR_CONST_RECORD:
	case ATTR_CONST_VECTOR:
	case ATTR_VTABLE:
	case ATTR_TYPEINFO:
	case ATTR_OPAQUE:
		return true;
	default:
		return false;
	}
}

bool print_names_attr(Printer *p, const IrAttr *a)
{
	return may_be_named(p, a) && attr_parts(p, a) >= LARGE && is_repeated(p, &p->attr_shared[a->id]);
}
