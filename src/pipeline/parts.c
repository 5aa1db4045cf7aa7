/* pipeline/parts.c
 *
 * Objects of WebAssembly cannot be joined (join/join.h). On COFF what has debug information stays whole: CodeView numbers
 * the types of an object, and DWARF refers to sections of its own there. So does, unless the size of parts is given, what is optimised: its code depends on the parts a little,
 * and -g must not change code.
 *
 * A part that is not right, or that LLVM has something to say about, makes no message: the module is compiled
 * as a whole then, and the messages are those of that.
 */
#include "pipeline/parts.h"

#include "join/join.h"

typedef struct Piece {
	EmitImage image;
	bool ok;
	bool no_memory;
	unsigned messages;
} Piece;

typedef struct Parts {
	const Pipeline *whole;
	bool (*compile)(Pipeline *part);
	PipelineOptions options;
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

static void compile_piece(void *user, uint32_t i)
{
	Parts *parts = user;
	Piece *piece = &parts->pieces[i];
	Diags d;
	Pipeline p = *parts->whole;
	diag_init(&d, count_message, piece);
	diag_set_source(&d, parts->whole->d->source);
	p.o = &parts->options;
	p.d = &d;
	p.machine = NULL;
	p.context = NULL;
	p.split = &parts->split;
	p.part = i;
	piece->ok = parts->compile(&p) && !piece->messages;
	piece->image = p.image;
	pipeline_drop_llvm(&p);
}

static PartsResult join_pieces(Parts *parts, Str *object)
{
	static const PartsResult results[] = {
	    [JOIN_DONE] = PARTS_DONE, [JOIN_UNFIT] = PARTS_WHOLE, [JOIN_NO_MEMORY] = PARTS_FAILED};
	PartsResult worst = PARTS_DONE;
	for (uint32_t i = 0; i < parts->split.nparts; i++) {
		PartsResult result = parts->pieces[i].ok          ? PARTS_DONE
		                     : parts->pieces[i].no_memory ? PARTS_FAILED
		                                                  : PARTS_WHOLE;
		worst = result > worst ? result : worst;
		parts->bytes[i] = parts->pieces[i].image.bytes;
	}
	if (worst != PARTS_DONE)
		return worst;
	const JoinPrefixes prefixes = {.was_private = STR(SPLIT_PRIVATE), .of_part = STR(SPLIT_LOCAL)};
	return results[emit_join(parts->bytes, parts->split.nparts, &prefixes, object)];
}

static bool compile_pieces(Jobs *jobs, const JobList *list)
{
	Jobs alone;
	if (jobs)
		return jobs_run(jobs, list);
	jobs_init(&alone, 1);
	bool ok = jobs_run(&alone, list);
	jobs_destroy(&alone);
	return ok;
}

static PartsResult compile_all(Pipeline *p, const LowerSplit *split, bool (*compile)(Pipeline *part))
{
	Parts parts = {.whole = p, .compile = compile, .options = *p->o, .split = *split};
	JobList list = {.n = split->nparts, .user = &parts, .work = compile_piece};
	Str object = {0};
	parts.options.hooks = (PipelineHooks){.user = p->o->hooks.user, .adapt = p->o->hooks.adapt};
	parts.pieces = arena_array(&p->m->scratch, Piece, split->nparts);
	parts.bytes = arena_array(&p->m->scratch, Str, split->nparts);
	PartsResult result = PARTS_FAILED;
	if (compile_pieces(p->o->jobs, &list)) {
		if (p->o->hooks.enter)
			p->o->hooks.enter(p->o->hooks.user, PHASE_JOIN);
		result = join_pieces(&parts, &object);
	}
	for (uint32_t i = 0; i < split->nparts; i++)
		emit_image_destroy(&parts.pieces[i].image);
	p->image = (EmitImage){.bytes = object, .allocated = (char *)(uintptr_t)object.data};
	if (result == PARTS_FAILED)
		diag_failure(p->d, "out of memory");
	return result;
}

PartsResult parts_compile(Pipeline *p, bool (*compile)(Pipeline *part))
{
	SplitRule rule = p->o->opt == '0' ? SPLIT_ANYWHERE : SPLIT_CLOSED;
	bool stays_whole =
	    !p->target->is_joined ||
	    (emit_is_windows(p->triple) && (p->o->debug || (rule == SPLIT_CLOSED && !p->o->part_ops)));
	if (p->o->format != EMIT_OBJECT || stays_whole)
		return PARTS_WHOLE;
	uint32_t least = rule == SPLIT_ANYWHERE ? SPLIT_OPS : SPLIT_OPS_CLOSED, given = p->o->part_ops;
	if (p->o->lazy)
		p->divided = lower_split_lazily(p->m, rule, given ? given : SPLIT_LAZY_OPS, &p->m->arena);
	if (p->divided.nparts)
		return PARTS_DONE;
	uint32_t ops = given ? given : least;
	LowerSplit split = lower_split(p->m, rule, ops, &p->m->scratch);
	return split.nparts ? compile_all(p, &split, compile) : PARTS_WHOLE;
}
