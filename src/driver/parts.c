/* driver/parts.c
 *
 * What CodeView describes stays whole: it numbers the types of an object.
 *
 * A part that is not right, or that LLVM has something to say about, makes no message: the module is compiled
 * as a whole then, and the messages are those of that.
 */
#include "driver/parts.h"

#include "driver/stack.h"
#include "emit/join.h"
#include "lower/split.h"

#include <stdlib.h>

typedef struct Piece {
	EmitImage image;
	bool ok;
	bool no_memory;
	unsigned messages;
} Piece;

typedef struct Parts {
	const Unit *u;
	LowerSplit split;
	Piece *pieces;
	Str *bytes; /* of their objects */
} Parts;

static void count_message(const CircDiagnostic *d, void *user)
{
	Piece *piece = user;
	piece->messages++;
	piece->no_memory |= d->severity == CIRC_FAILURE && strcmp(d->message, "out of memory") == 0;
}

static bool compile_part(Unit *part, const LowerSplit *split, uint32_t i, EmitImage *image)
{
	return unit_open_machine(part, true) && unit_make_llvm(part, split, i) && unit_optimize(part) &&
	       emit_image(part->module, part->machine, EMIT_OBJECT, image, &part->d);
}

static void compile_piece(void *user, uint32_t i)
{
	Parts *p = user;
	Piece *piece = &p->pieces[i];
	Timing timing;
	StackWatch watch;
	Unit part = {.o = p->u->o, .m = p->u->m, .triple = p->u->triple, .timing = &timing};
	stack_watch_thread(&watch);
	timing_init(&timing);
	diag_init(&part.d, count_message, piece);
	diag_set_source(&part.d, p->u->d.source);
	piece->ok = compile_part(&part, &p->split, i, &piece->image) && !piece->messages;
	emit_dispose(part.context, part.module, part.machine);
	stack_end_watch(&watch);
}

static PartsResult join_pieces(Parts *p, Str *object)
{
	static const PartsResult results[] = {
	    [JOIN_DONE] = PARTS_DONE, [JOIN_UNFIT] = PARTS_WHOLE, [JOIN_NO_MEMORY] = PARTS_FAILED};
	PartsResult worst = PARTS_DONE;
	for (uint32_t i = 0; i < p->split.nparts; i++) {
		PartsResult result = p->pieces[i].ok          ? PARTS_DONE
		                     : p->pieces[i].no_memory ? PARTS_FAILED
		                                              : PARTS_WHOLE;
		worst = result > worst ? result : worst;
		p->bytes[i] = p->pieces[i].image.bytes;
	}
	if (worst != PARTS_DONE)
		return worst;
	const JoinPrefixes prefixes = {.was_private = STR(SPLIT_PRIVATE), .of_part = STR(SPLIT_LOCAL)};
	return results[emit_join(p->bytes, p->split.nparts, &prefixes, object)];
}

static PartsResult compile_all(Unit *u, const LowerSplit *split)
{
	Parts p = {.u = u, .split = *split};
	JobList list = {.n = split->nparts, .user = &p, .work = compile_piece};
	Str object = {0};
	p.pieces = arena_array(&u->m->scratch, Piece, split->nparts);
	p.bytes = arena_array(&u->m->scratch, Str, split->nparts);
	PartsResult result = PARTS_FAILED;
	if (jobs_run(u->jobs, &list)) {
		timing_enter(u->timing, PHASE_JOIN);
		result = join_pieces(&p, &object);
	}
	for (uint32_t i = 0; i < split->nparts; i++)
		emit_image_destroy(&p.pieces[i].image);
	u->image = (EmitImage){.bytes = object, .allocated = (char *)(uintptr_t)object.data};
	if (result == PARTS_FAILED)
		diag_failure(&u->d, "out of memory");
	return result;
}

PartsResult parts_compile(Unit *u)
{
	bool object = u->o->product == MAKE_OBJECT || u->o->product == MAKE_PROGRAM;
	bool codeview = u->o->debug && emit_is_msvc(u->triple);
	if (!object || codeview)
		return PARTS_WHOLE;
	timing_enter(u->timing, PHASE_PARTS);
	SplitRule rule = u->o->opt == '0' ? SPLIT_ANYWHERE : SPLIT_CLOSED;
	LowerSplit split = lower_split(u->m, rule, u->o->part_ops, &u->m->scratch);
	return split.nparts ? compile_all(u, &split) : PARTS_WHOLE;
}
