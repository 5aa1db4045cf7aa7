/* explain/text.c: an explanation for people. One function after the other, one line a call, one line a step. */
#include "explain/throw.h"
#include "explain/words.h"

typedef enum Colour { COLOUR_NAME = 1, COLOUR_KIND = 36, COLOUR_END = 33, COLOUR_FAINT = 2 } Colour;

static void colour_on(Sink *s, Colour colour)
{
	if (s->colour)
		sink_printf(s, "\x1b[%dm", (int)colour);
}

static void colour_off(Sink *s)
{
	if (s->colour)
		sink_text(s, "\x1b[0m");
}

static void put_place(Sink *s, const CircPlace *place)
{
	if (!place->line)
		return;
	colour_on(s, COLOUR_FAINT);
	sink_text(s, "  ");
	sink_name(s, place->file ? place->file : "?");
	sink_printf(s, ":%u", place->line);
	if (place->column)
		sink_printf(s, ":%u", place->column);
	colour_off(s);
}

static void put_types(Sink *s, const CircStep *step)
{
	for (size_t i = 0; i < step->ntypes; i++) {
		sink_text(s, i ? ", " : " ");
		sink_name(s, step->types[i]->name);
	}
}

static void put_step_words(Sink *s, const CircStep *step)
{
	switch (step->kind) {
	case CIRC_STEP_SPECIFICATION:
		sink_text(s, step->ntypes ? "catch all but" : "catch all (throw())");
		break;
	case CIRC_STEP_CATCH_ALL:
		sink_text(s, "catch all");
		break;
	default:
		sink_text(s, explain_step_word(step->kind));
	}
}

/* Handlers of Microsoft's C++ say how they take the object. Of a pointer the qualifiers are those of what it points to. */
static void put_qualifiers(Sink *s, const CircStep *step)
{
	if (step->adjectives & CIRC_CATCH_CONST)
		sink_text(s, " const");
	if (step->adjectives & CIRC_CATCH_VOLATILE)
		sink_text(s, " volatile");
}

static void put_step(Sink *s, const CircExplanation *e, const CircExplainedFunction *f, const CircStep *step,
                     bool with_duplicates)
{
	colour_on(s, COLOUR_KIND);
	put_step_words(s, step);
	colour_off(s);
	put_qualifiers(s, step);
	put_types(s, step);
	if (step->adjectives & CIRC_CATCH_REFERENCE)
		sink_text(s, " &");
	if (step->function) {
		sink_text(s, " ");
		sink_name(s, explanation_name_of(e, step->function));
	}
	if (step->begin && step->begin - f->address < f->size)
		sink_printf(s, " -> +0x%llx", (unsigned long long)(step->begin - f->address));
	else if (step->begin)
		sink_printf(s, " -> 0x%llx", (unsigned long long)step->begin);
	if (step->is_unwinding)
		sink_text(s, " (a cleanup throws)");
	if (step->is_conditional)
		sink_text(s, " (under a condition)");
	if (step->is_hidden)
		sink_text(s, " (never reached: an earlier handler takes it)");
	if (step->is_duplicate && with_duplicates)
		sink_text(s, " (as above)");
	put_place(s, &step->place);
}

static const char *end_words(const CircSite *site)
{
	switch (site->end_of_path) {
	case CIRC_END_LEAVES:
		return site->nsteps ? "what is left leaves the function" : "leaves the function";
	case CIRC_END_TERMINATES:
		return site->nsteps ? "what is left terminates the program" : "terminates the program";
	case CIRC_END_UNDEFINED:
		return site->nsteps ? "what is left must not leave the function, which is nothrow"
		                    : "must not leave the function, which is nothrow";
	case CIRC_END_CAUGHT:
		break;
	}
	return "caught here";
}

static void put_call(Sink *s, const CircExplanation *e, const CircExplainedFunction *f, const CircSite *site)
{
	if (f->tables != CIRC_TABLE_MODULE)
		sink_printf(s, "+0x%llx..0x%llx", (unsigned long long)site->begin,
		            (unsigned long long)site->end);
	if (site->is_throw) {
		sink_text(s, site->thrown ? "throw " : "throw");
		sink_name(s, site->thrown ? site->thrown->name : "");
	} else if (site->operation) {
		sink_text(s, site->operation);
	} else if (site->callee) {
		sink_text(s, f->tables != CIRC_TABLE_MODULE ? "  call " : "call ");
		sink_name(s, explanation_name_of(e, site->callee));
	} else if (f->tables == CIRC_TABLE_MODULE) {
		sink_text(s, "call");
	}
	if (site->is_unwinding)
		sink_text(s, " (while unwinding)");
	put_place(s, &site->place);
}

static void put_site(Sink *s, const CircExplanation *e, const CircExplainedFunction *f, const CircSite *site)
{
	sink_text(s, "  ");
	put_call(s, e, f, site);
	if (site->nsteps)
		sink_text(s, "\n");
	else
		sink_text(s, ": ");
	for (size_t i = 0; i < site->nsteps; i++) {
		sink_text(s, "      ");
		put_step(s, e, f, &site->steps[i], true);
		sink_text(s, "\n");
	}
	if (site->nsteps)
		sink_text(s, "      ");
	colour_on(s, COLOUR_END);
	sink_text(s, end_words(site));
	colour_off(s);
	sink_text(s, "\n");
}

static void put_table(Sink *s, const CircExplainedFunction *f)
{
	if (f->tables == CIRC_TABLE_MODULE)
		return;
	unsigned long long end = f->address + f->size;
	sink_printf(s, "  0x%llx..0x%llx", (unsigned long long)f->address, end);
	if (f->section) {
		sink_text(s, " in ");
		sink_name(s, f->section);
	}
	if (f->personality) {
		sink_text(s, ", ");
		sink_name(s, f->personality);
	}
	if (f->parent) {
		sink_text(s, ", a funclet of ");
		sink_name(s, f->parent->name);
	}
	sink_text(s, "\n");
}

static void put_function(Sink *s, const CircExplanation *e, const CircExplainedFunction *f)
{
	colour_on(s, COLOUR_NAME);
	sink_name(s, f->name);
	colour_off(s);
	put_place(s, &f->place);
	sink_text(s, "\n");
	put_table(s, f);
	for (size_t i = 0; i < f->nrows; i++) {
		sink_printf(s, "  +0x%-6llx ", (unsigned long long)f->rows[i].offset);
		sink_name(s, f->rows[i].rule);
		sink_text(s, "\n");
	}
	for (size_t i = 0; i < f->nsites; i++)
		put_site(s, e, f, &f->sites[i]);
	if (f->tables == CIRC_TABLE_OTHER)
		sink_text(s, f->personality
		                 ? "  circ cannot read the tables of this personality\n"
		                 : "  no table: it registers its handlers while it runs (setjmp)\n");
	else if (f->rest == CIRC_END_TERMINATES)
		sink_text(s, f->nsites ? "  other calls terminate the program\n"
		                       : "  calls terminate the program\n");
	else if (f->tables != CIRC_TABLE_MODULE)
		sink_text(s, f->nsites ? "  other calls leave the function\n"
		                       : "  nothing runs here: what is thrown leaves the function\n");
	else if (!f->nsites)
		sink_text(s, "  no call that can unwind\n");
}

void explanation_write_text(const CircExplanation *e, Sink *s)
{
	for (uint32_t i = 0; i < e->functions.len; i++) {
		if (i)
			sink_text(s, "\n");
		put_function(s, e, e->functions.data[i]);
	}
	if (!e->functions.len)
		sink_text(s, strcmp(e->format, "module") == 0
		                 ? "no function is defined here\n"
		                 : "no function here has tables for unwinding\n");
	sink_flush(s);
}

static const char *frame_end(const CircThrowFrame *frame)
{
	switch (frame->end) {
	case CIRC_END_LEAVES:
		return frame->is_seen ? "leaves the function, as above" : "leaves the function";
	case CIRC_END_TERMINATES:
		return "terminates the program";
	case CIRC_END_UNDEFINED:
		return "must not leave the function, which is nothrow";
	case CIRC_END_CAUGHT:
		break;
	}
	return "caught here";
}

static const char *taken_words(const CircThrowStep *step)
{
	if (step->taken != CIRC_TAKEN_PERHAPS || step->step->is_conditional)
		return "";
	return step->step->kind == CIRC_STEP_WHEN ? ", if the filter says so"
	                                          : ", if the type derives from it";
}

static void put_frame(Sink *s, const CircExplanation *e, const CircThrowFrame *frame)
{
	int indent = 2 * (int)(frame->depth < 40 ? frame->depth : 40);
	sink_printf(s, "%*s%s", indent, "", frame->depth ? "called by " : "");
	colour_on(s, COLOUR_NAME);
	sink_name(s, frame->function->name);
	colour_off(s);
	sink_text(s, "  ");
	if (frame->site)
		put_call(s, e, frame->function, frame->site);
	sink_text(s, "\n");
	for (size_t i = 0; i < frame->nsteps; i++) {
		sink_printf(s, "%*s    %zu. ", indent, "", i + 1);
		put_step(s, e, frame->function, frame->steps[i].step, false);
		sink_text(s, taken_words(&frame->steps[i]));
		sink_text(s, "\n");
	}
	sink_printf(s, "%*s    ", indent, "");
	colour_on(s, COLOUR_END);
	sink_text(s, frame_end(frame));
	colour_off(s);
	sink_text(s, "\n");
}

void explanation_write_throw_text(const CircExplanation *e, const CircThrowPath *path, Sink *s)
{
	if (!path->explained_type) {
		sink_text(s, "no handler here names the type ");
		sink_name(s, path->type);
		sink_text(s, "\n");
	}
	for (size_t i = 0; i < path->nframes; i++) {
		if (i && !path->frames[i].depth)
			sink_text(s, "\n");
		put_frame(s, e, &path->frames[i]);
	}
	if (path->is_cut)
		sink_text(s, "more functions call these; the rest is not shown\n");
	sink_flush(s);
}
