#include "lsp/json.h"

const cJSON *json_member(const cJSON *value, const char *path)
{
	char key[64];
	while (value && *path) {
		size_t n = strcspn(path, ".");
		if (n >= sizeof key)
			return NULL;
		memcpy(key, path, n);
		key[n] = 0;
		value = cJSON_GetObjectItemCaseSensitive(value, key);
		path += n + (path[n] == '.');
	}
	return value;
}

const char *json_string(const cJSON *value, const char *path)
{
	return cJSON_GetStringValue(json_member(value, path));
}

uint32_t json_uint(const cJSON *value, const char *path)
{
	const cJSON *member = json_member(value, path);
	bool is_one = cJSON_IsNumber(member) && member->valuedouble >= 0 && member->valuedouble < UINT32_MAX;
	return is_one ? (uint32_t)member->valuedouble : UINT32_MAX;
}

bool json_position(const cJSON *value, const char *path, LspPosition *out)
{
	const cJSON *position = json_member(value, path);
	*out = (LspPosition){json_uint(position, "line"), json_uint(position, "character")};
	return out->line != UINT32_MAX && out->character != UINT32_MAX;
}

/* The length of the character at the beginning, 1 to 4; 0: it is none. Neither surrogates nor what 4 bytes could say more. */
static size_t utf8_size(Str s)
{
	const unsigned char *p = (const unsigned char *)s.data;
	size_t n = p[0] < 0x80   ? 1
	           : p[0] < 0xc2 ? 0
	           : p[0] < 0xe0 ? 2
	           : p[0] < 0xf0 ? 3
	           : p[0] < 0xf5 ? 4
	                         : 0;
	if (n > s.len)
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	bool is_short = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
	bool is_none = (p[0] == 0xed && p[1] > 0x9f) || (p[0] == 0xf4 && p[1] > 0x8f);
	return n > 2 && (is_short || is_none) ? 0 : n;
}

cJSON *json_text(Arena *mem, Str text)
{
	StrBuf out = {0};
	vec_reserve(mem, &out, (uint32_t)text.len + 1);
	while (text.len) {
		size_t n = *text.data ? utf8_size(text) : 0;
		buf_put(mem, &out, n ? (Str){text.data, n} : STR("\xEF\xBF\xBD"));
		n += !n;
		text = (Str){text.data + n, text.len - n};
	}
	buf_char(mem, &out, 0);
	return cJSON_CreateString(out.data);
}

void json_put_text(cJSON *object, const char *key, Arena *mem, Str text)
{
	cJSON_AddItemToObject(object, key, json_text(mem, text));
}

static cJSON *position_of(Document *d, uint32_t offset)
{
	LspPosition p = document_position(d, offset);
	cJSON *position = cJSON_CreateObject();
	cJSON_AddNumberToObject(position, "line", p.line);
	cJSON_AddNumberToObject(position, "character", p.character);
	return position;
}

cJSON *json_range(Document *d, uint32_t begin, uint32_t end)
{
	cJSON *range = cJSON_CreateObject();
	cJSON_AddItemToObject(range, "start", position_of(d, begin));
	cJSON_AddItemToObject(range, "end", position_of(d, end));
	return range;
}

cJSON *json_location(Document *d, Arena *mem, uint32_t begin, uint32_t end)
{
	cJSON *location = cJSON_CreateObject();
	json_put_text(location, "uri", mem, str_of(d->uri));
	cJSON_AddItemToObject(location, "range", json_range(d, begin, end));
	return location;
}
