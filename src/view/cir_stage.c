/* view/cir_stage.c: CIR as text, with the op of each line; functions with their blocks and edges. */
#include "text/print/print.h"
#include "view/stage.h"

typedef struct CirStage {
	ViewData *d;
	IrModule *m;
	Arena *mem;
	PrintPlaces places;
	ViewLines lines;
	uint32_t *op_line;    /* of places[i] */
	uint32_t *numbers;    /* by line */
	uint32_t *node_of;    /* by block id: 1 + its number in its function */
	const IrBlock **node; /* of the function being written */
} CirStage;

/* Lines */

static void find_lines(CirStage *s)
{
	s->op_line = arena_array(s->mem, uint32_t, s->places.len);
	for (uint32_t i = 0, line = 0; i < s->places.len; i++) {
		while (line + 1 < s->lines.n && s->lines.begins[line + 1] <= s->places.data[i].offset)
			line++;
		s->op_line[i] = line;
	}
}

static char first_letter(Str line)
{
	size_t i = 0;
	while (i < line.len && line.data[i] == ' ')
		i++;
	return i < line.len ? line.data[i] : ' ';
}

/* What begins a block, or ends what an op without a place holds. */
static bool is_of_no_op(Str line)
{
	return first_letter(line) == '^' || first_letter(line) == '}';
}

/* A line is of the op that begins there, else of the one that goes on there. */
static void number_lines(CirStage *s)
{
	s->numbers = arena_array(s->mem, uint32_t, s->lines.n);
	for (uint32_t i = 0; i < s->places.len; i++) {
		uint32_t line = s->op_line[i], end = i + 1 < s->places.len ? s->op_line[i + 1] : line + 1;
		uint32_t number = s->places.data[i].op->loc.pos;
		s->numbers[line] = number;
		for (line++; line < end && !is_of_no_op(view_line(&s->lines, line)); line++)
			s->numbers[line] = number;
	}
}

/* Blocks and edges */

typedef enum EdgeKind { EDGE_NORMAL, EDGE_UNWIND, EDGE_INSIDE } EdgeKind;

static EdgeKind edge_kind(const IrOp *op, uint32_t succ)
{
	if (ir_op_has_unwind_edge(op))
		return succ == 1 ? EDGE_UNWIND : EDGE_NORMAL;
	switch (op->kind) {
	case OP_EH_DISPATCH:
	case OP_CATCHSWITCH:
	case OP_CLEANUPRET:
		return EDGE_UNWIND;
	default:
		return EDGE_NORMAL;
	}
}

static void put_edge(CirStage *s, const IrBlock *to, EdgeKind kind)
{
	if (to && s->node_of[to->id]) {
		data_number(s->d, s->node_of[to->id] - 1);
		data_number(s->d, kind);
	}
}

static void put_edges(CirStage *s, const IrBlock *b)
{
	data_key(s->d, "edges");
	data_open(s->d, '[');
	IR_FOR_OPS (op, b) {
		for (uint32_t i = 0; i < op->nregions; i++)
			put_edge(s, op->regions[i].first, EDGE_INSIDE);
		for (uint32_t i = 0; i < op->nsuccs; i++)
			put_edge(s, op->succs[i].dest, edge_kind(op, i));
	}
	data_close(s->d, ']');
}

/* The ops of places[from … to) are one function's. A block has the lines of its ops and its label. */
static void put_blocks(CirStage *s, uint32_t from, uint32_t to)
{
	uint32_t nblocks = 0;
	uint32_t *first = arena_array(s->mem, uint32_t, to - from + 1);
	for (uint32_t i = from + 1; i < to; i++) {
		const IrBlock *b = s->places.data[i].op->block;
		if (s->node_of[b->id])
			continue;
		s->node[nblocks] = b;
		first[nblocks] = s->op_line[i];
		s->node_of[b->id] = ++nblocks;
	}
	uint32_t *last = arena_array(s->mem, uint32_t, (size_t)nblocks + 1);
	for (uint32_t i = from + 1; i < to; i++)
		last[s->node_of[s->places.data[i].op->block->id] - 1] = s->op_line[i];
	for (uint32_t i = 0; i < nblocks; i++) {
		bool label = first[i] && first_letter(view_line(&s->lines, first[i] - 1)) == '^';
		data_open(s->d, '{');
		data_field_number(s->d, "row", first[i] - label);
		data_field_number(s->d, "end", last[i]);
		put_edges(s, s->node[i]);
		data_close(s->d, '}');
	}
}

static void put_function(CirStage *s, uint32_t from, uint32_t to)
{
	const IrOp *func = s->places.data[from].op;
	data_open(s->d, '{');
	data_field(s->d, "name", name_str(ir_symbol_name(func)));
	data_field_number(s->d, "op", func->loc.pos);
	data_field_number(s->d, "row", s->op_line[from]);
	data_key(s->d, "blocks");
	data_open(s->d, '[');
	put_blocks(s, from, to);
	data_close(s->d, ']');
	data_close(s->d, '}');
}

static bool is_top_level(const CirStage *s, uint32_t place)
{
	return s->places.data[place].op->block == ir_module_block(s->m);
}

static void put_functions(CirStage *s)
{
	s->node_of = arena_array(s->mem, uint32_t, s->m->nblocks);
	s->node = arena_array(s->mem, const IrBlock *, s->m->nblocks);
	data_key(s->d, "functions");
	data_open(s->d, '[');
	for (uint32_t i = 0, end; i < s->places.len; i = end) {
		end = i + 1;
		while (end < s->places.len && !is_top_level(s, end))
			end++;
		if (s->places.data[i].op->kind == OP_FUNC && end > i + 1)
			put_function(s, i, end);
	}
	data_close(s->d, ']');
}

/* From the line of the module on, which names the target. */
static Str behind_target(Str text)
{
	static const char begin[] = "module attributes {";
	const char *at =
	    str_begins_with(text, str_of(begin)) ? text.data : memmem(text.data, text.len, "\nmodule ", 8);
	const char *end = at ? memchr(at + 1, '\n', text.len - (size_t)(at + 1 - text.data)) : NULL;
	return end ? (Str){end, text.len - (size_t)(end - text.data)} : text;
}

Str cir_stage(ViewData *d, IrModule *m, const char *kind, Str title, const char *triple, Str same_as)
{
	CirStage s = {.d = d, .m = m, .mem = d->mem};
	StrBuf out = {0};
	text_print_places(m, 0, d->mem, &out, &s.places);
	Str text = {out.data, out.len};
	if (same_as.data && str_equal(behind_target(text), behind_target(same_as)))
		return text;
	s.lines = view_lines(text, d->mem);
	find_lines(&s);
	number_lines(&s);
	stage_begin(d, kind, title, triple, text);
	stage_ops(d, s.numbers, s.lines.n);
	put_functions(&s);
	data_close(d, '}');
	return text;
}
