/* text/print/print.c: modules, regions and blocks; the walk that prints everything. */
#include "text/print/printer.h"

#include <stdlib.h>

/* Block labels */

static int compare_numbers(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

/* `// 2 preds: ^bb0, ^bb3`, in the order of the blocks. */
static void put_preds(Printer *p, const IrBlock *b)
{
	p->preds.len = 0;
	IR_FOR_PREDS(s, b)
	{
		uint32_t number = s->op->block ? p->block_number[s->op->block->id] : 0;
		if (number) /* an op that is in no block is not printed either */
			vec_push(p->arena, &p->preds, number - 1);
	}
	uint32_t n = p->preds.len;
	if (n == 0) {
		PUT(p, "  // no predecessors");
	} else if (n == 1) {
		PUT(p, "  // pred: ");
	} else {
		qsort(p->preds.data, n, sizeof *p->preds.data, compare_numbers);
		PUT(p, "  // ");
		put_uint(p, n);
		PUT(p, " preds: ");
	}
	for (uint32_t i = 0; i < n; i++) {
		if (i)
			PUT(p, ", ");
		put_numbered(p, "^bb", 3, p->preds.data[i]);
	}
}

static void put_label(Printer *p, const IrBlock *b)
{
	put_indent(p, p->frames.len - 1);
	put_block(p, b);
	if (b->nargs) {
		put_char(p, '(');
		for (uint32_t i = 0; i < b->nargs; i++) {
			if (i)
				PUT(p, ", ");
			put_value(p, b->args[i]);
			PUT(p, ": ");
			put_type(p, b->args[i]->type);
		}
		put_char(p, ')');
	}
	put_char(p, ':');
	if (b->prev || b->preds)
		put_preds(p, b);
	put_char(p, '\n');
}

static void begin_block(Printer *p, PrintFrame *f, const IrBlock *b, bool args_bound)
{
	f->block = b;
	f->next = b ? b->first : NULL;
	if (b && (b->prev || b->preds || (b->nargs && !args_bound)))
		put_label(p, b);
}

/* Regions */

/* May the final cir.yield stay away? Only of a region with one block, and when it says nothing. */
static bool yield_is_implied(const IrRegion *r)
{
	const IrOp *last = r->first && r->first == r->last ? r->first->last : NULL;
	return last && last->kind == OP_YIELD && !last->noperands && !last->nattrs && !last->nregions;
}

static void begin_region(Printer *p, const IrRegion *r, const PrintCursor *owner)
{
	PrintFrame f = {.owner = *owner};
	bool args_bound = p->bound == r;
	if (args_bound) {
		f.next_value = p->bound_value;
		f.next_arg = p->bound_arg;
	} else {
		print_number_region(p, r, &f.next_value, &f.next_arg);
	}
	f.omit_yield = p->omit_yield && yield_is_implied(r);
	p->bound = NULL;
	p->omit_yield = false;
	PUT(p, "{\n");
	vec_push(p->arena, &p->frames, f);
	begin_block(p, &p->frames.data[p->frames.len - 1], r->first, args_bound);
}

/* The body is kept in pieces, so that a long one is copied once and not whenever a buffer grows. */
enum { PIECE_SIZE = 1 << 18 };

static void cut_piece(Printer *p)
{
	vec_push(p->arena, &p->pieces, ((Str){p->out->data, p->out->len}));
	p->in_pieces += p->out->len;
	*p->out = (StrBuf){0};
	vec_reserve(p->arena, p->out, PIECE_SIZE + PIECE_SIZE / 8);
}

/* In the body; put_pieces() learns what stands before it. */
static void note_place(Printer *p, const IrOp *op)
{
	if (p->places)
		vec_push(p->arena, p->places,
		         ((PrintPlace){.offset = (uint32_t)(p->in_pieces + p->out->len), .op = op}));
}

static void end_op(Printer *p, const IrOp *op)
{
	if (p->out->len >= PIECE_SIZE)
		cut_piece(p);
	if (p->flags & PRINT_LOCATIONS && op->loc.info) {
		put_char(p, ' ');
		spell_loc(&p->speller, op->loc.info);
	}
	put_char(p, '\n');
}

/* Prints on to the next region of the op, which is then begun, or to its end. */
static void continue_op(Printer *p, PrintCursor *c)
{
	uint32_t region = print_step(p, c);
	if (region == NO_REGION) {
		end_op(p, c->op);
		return;
	}
	c->step++;
	begin_region(p, &c->op->regions[region], c);
}

static void begin_op(Printer *p, const IrOp *op)
{
	note_place(p, op);
	put_indent(p, p->frames.len);
	for (uint32_t i = 0; i < op->nresults; i++) {
		if (i)
			PUT(p, ", ");
		put_value(p, &op->results[i]);
	}
	if (op->nresults)
		PUT(p, " = ");
	PrintCursor c = {.op = op};
	if (!(p->flags & PRINT_GENERIC)) {
		c.row = print_row(p, op->kind);
		if (!print_fits(&c))
			c.row = NULL;
	}
	continue_op(p, &c);
}

static void end_region(Printer *p)
{
	PrintCursor owner = vec_pop(&p->frames).owner;
	put_indent(p, p->frames.len);
	put_char(p, '}');
	if (owner.op) {
		note_place(p, owner.op);
		continue_op(p, &owner);
	}
}

static void print_all(Printer *p)
{
	while (p->frames.len) {
		PrintFrame *f = &p->frames.data[p->frames.len - 1];
		const IrOp *op = f->next;
		if (op) {
			f->next = op->next;
			if (op->next || !f->omit_yield)
				begin_op(p, op);
		} else if (f->block && f->block->next) {
			begin_block(p, f, f->block->next, false);
		} else {
			end_region(p);
		}
	}
}

static void print_module(Printer *p)
{
	IrModule *m = p->m;
	PUT(p, "module ");
	if (m->name) {
		put_symbol(p, m->name);
		put_char(p, ' ');
	}
	if (m->nmodule_attrs) {
		PUT(p, "attributes {");
		for (uint32_t i = 0; i < m->nmodule_attrs; i++) {
			if (i)
				PUT(p, ", ");
			spell_dict_body(&p->speller, &m->module_attrs[i].name, &m->module_attrs[i].value, 1);
		}
		PUT(p, "} ");
	}
	begin_region(p, &m->body, &(PrintCursor){0});
	print_all(p);
	put_char(p, '\n');
	cut_piece(p);
}

static void put_pieces(Printer *p, Str first, Arena *arena, StrBuf *out)
{
	uint64_t total = out->len + first.len;
	for (uint32_t i = 0; i < p->pieces.len; i++)
		total += p->pieces.data[i].len;
	if (total > UINT32_MAX)
		arena_exhausted(arena);
	vec_reserve(arena, out, (uint32_t)total);
	buf_put(arena, out, first);
	for (uint32_t i = 0; i < p->pieces.len; i++)
		buf_put(arena, out, p->pieces.data[i]);
}

/* Places were counted from the begin of the body. */
static void put_places(const PrintPlaces *body, uint32_t before, Arena *arena, PrintPlaces *places)
{
	vec_reserve(arena, places, places->len + body->len);
	for (uint32_t i = 0; i < body->len; i++)
		vec_push(arena, places,
		         ((PrintPlace){.offset = body->data[i].offset + before, .op = body->data[i].op}));
}

void text_print_places(IrModule *m, unsigned flags, Arena *arena, StrBuf *out, PrintPlaces *places)
{
	ArenaMark mark = arena_mark(&m->scratch);
	StrBuf body = {0}, definitions = {0};
	PrintPlaces in_body = {0};
	Printer *p = arena_new(&m->scratch, Printer);
	p->m = m;
	p->arena = &m->scratch;
	p->flags = flags;
	p->places = places ? &in_body : NULL;
	p->value_number = arena_array(p->arena, uint32_t, m->nvalues);
	p->block_number = arena_array(p->arena, uint32_t, m->nblocks);
	p->type_text = arena_array(p->arena, Str, m->types.len);
	print_alias_init(p);
	print_loc_init(p);

	p->out = p->speller.out = &body;
	print_module(p);
	p->out = p->speller.out = &definitions;
	print_alias_definitions(p);

	uint32_t before = out->len + definitions.len;
	put_pieces(p, (Str){definitions.data, definitions.len}, arena, out);
	if (places)
		put_places(&in_body, before, arena, places);
	if (arena != &m->scratch)
		arena_release(&m->scratch, mark);
}

void text_print(IrModule *m, unsigned flags, Arena *arena, StrBuf *out)
{
	text_print_places(m, flags, arena, out, NULL);
}
