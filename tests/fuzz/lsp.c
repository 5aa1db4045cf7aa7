/* lsp.c: messages to `circ lsp`. An input is the text that is open, to the first NUL, and then a message in each line. What is
 * sent back must be JSON. */
#include "fuzz.h"

#include "lsp/cjson.h"
#include "lsp/lsp.h"

#include <stdlib.h>

const uint32_t fuzz_byte_mutations = 1;

static void expect_json(void *user, const char *json, size_t len)
{
	cJSON *message = cJSON_ParseWithLength(json, len);
	(void)user;
	if (!message)
		fuzz_fail("what is sent is not JSON: %.*s", (int)len, json);
	cJSON_Delete(message);
}

static void take(Lsp *s, Str message)
{
	lsp_take(s, message.data, message.len);
	lsp_idle(s);
}

static void open_text(Lsp *s, Str text)
{
	char *copy = strndup(text.data, text.len);
	cJSON *message = cJSON_CreateObject(), *params = cJSON_AddObjectToObject(message, "params");
	cJSON *document = cJSON_AddObjectToObject(params, "textDocument");
	cJSON_AddStringToObject(message, "method", "textDocument/didOpen");
	cJSON_AddStringToObject(document, "uri", "file:///t");
	cJSON_AddStringToObject(document, "text", copy);
	char *json = cJSON_PrintUnformatted(message);
	take(s, str_of(json));
	cJSON_free(json);
	cJSON_Delete(message);
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const LspOptions options = {.check.pipeline = {.opt = '0', .no_asm_files = true},
	                                   .version = "0"};
	const char *p = (const char *)data, *end = p + size, *why;
	if (!cjson.Delete && !lsp_load(&why))
		fuzz_fail("%s", why);
	Lsp *s = lsp_create(&options, expect_json, NULL);
	int status;
	take(s, STR("{\"id\":0,\"method\":\"initialize\"}"));
	for (bool first = true; p < end && !lsp_is_done(s, &status); first = false) {
		const char *stop = memchr(p, first ? 0 : '\n', (size_t)(end - p));
		Str line = {p, (size_t)((stop ? stop : end) - p)};
		if (first)
			open_text(s, line);
		else
			take(s, line);
		p = stop ? stop + 1 : end;
	}
	lsp_destroy(s);
	return 0;
}
