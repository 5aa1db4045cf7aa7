/* lsp/json.h: JSON values of the protocol, by cJSON (lsp/cjson.h).
 *
 * Values are cJSON's, and owned as it has it: what is added to another belongs to it. Without memory, functions that make values return
 * NULL, which may be added to others: cJSON leaves it out. */
#ifndef CIRC_LSP_JSON_H
#define CIRC_LSP_JSON_H

#include "lsp/cjson.h"
#include "lsp/document.h"

/* Of a member on a path of keys with dots; NULL: not there, or no string. */
const char *json_string(const cJSON *value, const char *path);
const cJSON *json_member(const cJSON *value, const char *path);
/* A number that is not negative; absent or another: UINT32_MAX. */
uint32_t json_uint(const cJSON *value, const char *path);
/* False: not there. */
bool json_position(const cJSON *value, const char *path, LspPosition *out);

/* Bytes as JSON takes them: what is not UTF-8 becomes U+FFFD. */
cJSON *json_text(Arena *mem, Str text);
void json_put_text(cJSON *object, const char *key, Arena *mem, Str text);
cJSON *json_range(Document *d, uint32_t begin, uint32_t end);
cJSON *json_location(Document *d, Arena *mem, uint32_t begin, uint32_t end);

#endif
