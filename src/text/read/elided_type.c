/* Elements of constants that are written without their type, which is that of the element in what holds them:
 *
 *	#cir.const_record<{#cir.int<1>, #cir.const_array<[#cir.fp<2.0>]>}> : !rec_S
 *
 * The type stands behind the elements. It is looked for when the first of them needs it, and kept (Aggregate).
 */
#include "text/read/parser.h"

/* Makes what stands behind the `>` that ends the elements the current token. */
static bool skip_elements(Parser *p, const char *from)
{
	lex_seek(&p->lx, from);
	for (uint32_t open = 0;; advance(p)) {
		switch ((int)peek(p).kind) {
		case TOK_EOF:
		case TOK_ERROR:
			return false;
		case '<':
		case '(':
		case '[':
		case '{':
			open++;
			break;
		case '>':
		case ')':
		case ']':
		case '}':
			if (open-- == 0) {
				advance(p);
				return true;
			}
			break;
		default:
			break;
		}
	}
}

/* The one that is written; NULL: none is. */
static IrType *written_type(Parser *p, const char *from)
{
	Lexer here = p->lx;
	IrType *type = NULL;
	if (skip_elements(p, from) && accept(p, ':'))
		type = parse_type(p);
	p->lx = here;
	return type;
}

static IrType *record_element(const IrType *record, uint32_t index)
{
	if (record->record_kind == RECORD_UNION)
		return record->nmembers == 1 ? record->members[0] : NULL; /* else it may be any member */
	for (uint32_t i = 0; i < record->nmembers; i++)
		if (!ir_is_zero_width(record->members[i]) && index-- == 0)
			return record->members[i];
	return NULL;
}

static IrType *element(IrType *holder, uint32_t index)
{
	switch (holder->kind) {
	case TYPE_ARRAY:
	case TYPE_VECTOR:
	case TYPE_COMPLEX:
		return holder->elem;
	case TYPE_RECORD: {
		IrType *member = record_element(holder, index);
		return member && member->kind == TYPE_BITFIELD ? member->elem : member;
	}
	default:
		return NULL;
	}
}

/* Of the element being read; one call for each level, of which there are no more than TYPE_DEPTH_MAX. */
static IrType *next_type(Parser *p, Aggregate *a)
{
	if (!a->looked_for) {
		a->looked_for = true;
		a->type = written_type(p, a->from);
		if (!a->type && a->outer)
			a->type = next_type(p, a->outer);
	}
	return a->type ? element(a->type, a->index) : NULL;
}

IrType *parse_elided_type(Parser *p)
{
	return p->inside ? next_type(p, p->inside) : NULL;
}
