/* lsp/references.c: where a name is defined, and where it is used. */
#include "lsp/server.h"

static const LspMeaning *meaning_at(Asked *a)
{
	const LspNames *n = document_names(a->d);
	uint32_t at = lsp_name_at(n, a->offset);
	return at == LSP_NONE ? NULL : &n->meanings.data[n->names.data[at].meaning];
}

static cJSON *location_of(Asked *a, const LspName *name)
{
	return json_location(a->d, &a->s->mem, name->offset, name->offset + name->len);
}

cJSON *lsp_definition(Asked *a)
{
	const LspNames *n = document_names(a->d);
	const LspMeaning *m = meaning_at(a);
	return m && m->definition != LSP_NONE ? location_of(a, &n->names.data[m->definition]) : NULL;
}

cJSON *lsp_references(Asked *a)
{
	const LspNames *n = document_names(a->d);
	const LspMeaning *m = meaning_at(a);
	bool is_whole = cJSON_IsTrue(json_member(a->params, "context.includeDeclaration"));
	cJSON *all = cJSON_CreateArray();
	for (uint32_t i = m ? m->first : LSP_NONE; i != LSP_NONE; i = n->names.data[i].next)
		if (is_whole || !n->names.data[i].is_definition)
			cJSON_AddItemToArray(all, location_of(a, &n->names.data[i]));
	return all;
}

cJSON *lsp_highlights(Asked *a)
{
	enum { READ = 2, WRITE = 3 };
	const LspNames *n = document_names(a->d);
	const LspMeaning *m = meaning_at(a);
	cJSON *all = cJSON_CreateArray();
	for (uint32_t i = m ? m->first : LSP_NONE; i != LSP_NONE; i = n->names.data[i].next) {
		const LspName *name = &n->names.data[i];
		cJSON *one = cJSON_CreateObject();
		cJSON_AddItemToObject(one, "range", json_range(a->d, name->offset, name->offset + name->len));
		cJSON_AddNumberToObject(one, "kind", name->is_definition ? WRITE : READ);
		cJSON_AddItemToArray(all, one);
	}
	return all;
}
