/* view/explanation.c: what an exception does, as `circ explain --json` has it: of the module, and of the object that it becomes. The
 * object's line table has the numbers of ops for lines, so each entry of its tables knows its op. */
#include "view/explanation.h"

#include "explain/names/demangle.h"

typedef struct JsonText {
	Arena *mem;
	StrBuf json;
} JsonText;

static void append(void *user, const char *data, size_t len)
{
	JsonText *t = user;
	buf_put(t->mem, &t->json, (Str){data, len});
}

CircExplanation *view_explanation(Arena *mem, Diags *d)
{
	CircExplanation *e = explanation_create();
	if (e)
		e->arena.oom = mem->oom;
	else
		diag_failure(d, "out of memory");
	return e;
}

void put_explanation(ViewData *d, CircExplanation *e)
{
	JsonText text = {.mem = d->mem};
	Sink sink = {.write = append, .user = &text};
	explanation_finish(e, explain_demangle);
	explanation_write_json(e, &sink);
	data_json(d, (Str){text.json.data, text.json.len});
}
