/* lsp/show.c: the command that shows a text at another stage: flat, or in the form of the target's ABI. */
#include "lsp/server.h"

#include "text/print/print.h"

static const struct Shown {
	const char *name;
	Goal goal;
} stages[] = {{"cir", GOAL_VERIFIED}, {"flat", GOAL_FLAT}, {"abi", GOAL_ABI}};

static const struct Shown *find_stage(const char *name)
{
	for (size_t i = 0; name && i < ARRAY_LEN(stages); i++)
		if (strcmp(stages[i].name, name) == 0)
			return &stages[i];
	return NULL;
}

static const char *first_error(const LspCheck *c)
{
	for (uint32_t i = 0; i < c->messages.len; i++)
		if (c->messages.data[i].severity >= CIRC_ERROR)
			return c->messages.data[i].text;
	return "unknown error";
}

/* A module of its own: the passes change it. */
static cJSON *show(Asked *a, Goal goal, const char *triple)
{
	Lsp *s = a->s;
	LspCheckOptions o = s->o->check;
	StrBuf out = {0};
	if (triple)
		o.pipeline.triple = triple;
	LspCheck *c = lsp_check_create(&s->mem, a->d->uri, document_text(a->d), &o);
	if (c->is_good && (goal == GOAL_VERIFIED || pipeline_run(&c->pipeline, goal)))
		text_print(c->m, 0, &s->mem, &out);
	else
		lsp_refuse(s, LSP_REQUEST_FAILED, "%s", first_error(c));
	lsp_check_destroy(c);
	return s->error ? NULL : json_text(&s->mem, (Str){out.data, out.len});
}

cJSON *lsp_show(Asked *a)
{
	const cJSON *arguments = json_member(a->params, "arguments");
	const char *command = json_string(a->params, "command");
	const char *uri = cJSON_GetStringValue(cJSON_GetArrayItem(arguments, 0));
	const struct Shown *stage = find_stage(cJSON_GetStringValue(cJSON_GetArrayItem(arguments, 1)));
	if (!command || strcmp(command, LSP_SHOW) != 0)
		return lsp_refuse(a->s, LSP_INVALID_PARAMS, "unknown command; expected '%s'", LSP_SHOW);
	a->d = uri ? lsp_document(a->s, uri) : NULL;
	if (!a->d || !stage)
		return lsp_refuse(a->s, LSP_INVALID_PARAMS,
		                  "expected an open document, 'cir', 'flat' or 'abi', and perhaps a target");
	return show(a, stage->goal, cJSON_GetStringValue(cJSON_GetArrayItem(arguments, 2)));
}
