/* circ/attr.h: attributes but constants, and what is asked of them all. */
#include "api/api.h"
#include "text/parse.h"

const IrAttr *api_make_attr(const char *function, CircModule *m, const IrAttr *key, ApiAttrCheck *check)
{
	ApiCall c;
	if (!api_begin(&c, m, function))
		return NULL;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return NULL;
	}
	const IrAttr *a = !check || check(&c, key) ? ir_attr_intern(m, key) : NULL;
	api_end(&c);
	return a;
}

const CircAttr *circ_attr_parse(CircModule *m, const char *text, size_t len)
{
	ApiCall c;
	if (!api_begin(&c, m, __func__))
		return NULL;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return NULL;
	}
	const IrAttr *a = NULL;
	if (api_text(&c, text, len))
		a = text_parse_attr(m, (Str){arena_copy(&m->arena, text, len), len}, &c.api->d);
	api_end(&c);
	return a;
}

/* Builtin attributes */

const CircAttr *circ_attr_unit(CircModule *m)
{
	return api_make_attr(__func__, m, &(IrAttr){.kind = ATTR_UNIT}, NULL);
}

const CircAttr *circ_attr_flag(CircModule *m, bool value)
{
	return api_make_attr(__func__, m, &(IrAttr){.kind = ATTR_FLAG, .bits = value}, NULL);
}

static const IrAttr *make_builtin_int(CircModule *m, const char *function, int64_t value, uint32_t width)
{
	ApiCall c;
	if (!api_begin(&c, m, function))
		return NULL;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return NULL;
	}
	const IrAttr *a = ir_attr_int(m, ir_type_builtin_int(m, width), (uint64_t)value);
	api_end(&c);
	return a;
}

const CircAttr *circ_attr_i64(CircModule *m, int64_t value)
{
	return make_builtin_int(m, __func__, value, 64);
}

const CircAttr *circ_attr_i32(CircModule *m, int32_t value)
{
	return make_builtin_int(m, __func__, value, 32);
}

/* Attributes that are a name: strings and symbols. */
static const IrAttr *make_named(CircModule *m, const char *function, AttrKind kind, const char *bytes,
                                size_t len)
{
	ApiCall c;
	if (!api_begin(&c, m, function))
		return NULL;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return NULL;
	}
	const IrAttr *a = NULL;
	if (!api_count(&c, len, bytes, kind == ATTR_STRING ? "bytes" : "name"))
		a = NULL;
	else if (kind == ATTR_SYMBOL && !len)
		api_error(&c, "symbol name is empty");
	else
		a = ir_attr_intern(m,
		                   &(IrAttr){.kind = kind, .name = ir_name(m, (Str){len ? bytes : "", len})});
	api_end(&c);
	return a;
}

const CircAttr *circ_attr_string(CircModule *m, const char *bytes, size_t len)
{
	return make_named(m, __func__, ATTR_STRING, bytes, len);
}

const CircAttr *circ_attr_symbol(CircModule *m, const char *name, size_t len)
{
	return make_named(m, __func__, ATTR_SYMBOL, name, len);
}

const IrAttr *api_make_symbol(const char *function, CircModule *m, const char *name)
{
	return make_named(m, function, ATTR_SYMBOL, name, name ? strlen(name) : 0);
}

bool api_check_type(ApiCall *c, const IrAttr *key)
{
	return api_type(c, key->type, "type") && api_type_fits_over(c, key->type);
}

const CircAttr *circ_attr_type(CircModule *m, CircType *type)
{
	return api_make_attr(__func__, m, &(IrAttr){.kind = ATTR_TYPE, .type = type}, api_check_type);
}

static bool check_elems(ApiCall *c, const IrAttr *key)
{
	for (uint32_t i = 0; i < key->n; i++)
		if (!api_attr_fits_over(c, key->elems[i]))
			return false;
	return true;
}

const IrAttr *api_make_list(const char *function, CircModule *m, IrAttr key, const CircAttr *const *elems,
                            size_t n, ApiAttrCheck *check)
{
	ApiCall c;
	if (!api_begin(&c, m, function))
		return NULL;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return NULL;
	}
	const IrAttr *a = NULL;
	if (api_attrs(&c, elems, n, "elems")) {
		key.elems = (const IrAttr **)(uintptr_t)elems;
		key.n = (uint32_t)n;
		if (check_elems(&c, &key) && (!check || check(&c, &key)))
			a = ir_attr_intern(m, &key);
	}
	api_end(&c);
	return a;
}

const CircAttr *circ_attr_array(CircModule *m, const CircAttr *const *elems, size_t n)
{
	return api_make_list(__func__, m, (IrAttr){.kind = ATTR_ARRAY}, elems, n, NULL);
}

/* The keys of a dictionary, interned; NULL after an error. */
static Name **dict_keys(ApiCall *c, const CircNamedAttr *entries, size_t n)
{
	Name **keys = arena_array(&c->m->scratch, Name *, n);
	for (size_t i = 0; i < n; i++) {
		if (!api_given(c, entries[i].name, "name") || !api_attr(c, entries[i].value, "value") ||
		    !api_attr_fits_over(c, entries[i].value))
			return NULL;
		keys[i] = ir_name(c->m, str_of(entries[i].name));
		if (!keys[i]->len)
			return api_error(c, "key is empty"), NULL;
		for (size_t k = 0; k < i; k++)
			if (keys[k] == keys[i])
				return api_error(c, "duplicate key '%s' in dictionary attribute",
				                 keys[i]->text),
				       NULL;
	}
	return keys;
}

const CircAttr *circ_attr_dict(CircModule *m, const CircNamedAttr *entries, size_t n)
{
	ApiCall c;
	if (!api_begin(&c, m, __func__))
		return NULL;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return NULL;
	}
	const IrAttr *a = NULL;
	Name **keys = api_count(&c, n, entries, "entries") ? dict_keys(&c, entries, n) : NULL;
	if (keys) {
		const IrAttr **values = arena_array(&m->scratch, const IrAttr *, n);
		for (size_t i = 0; i < n; i++)
			values[i] = entries[i].value;
		a = ir_attr_dict(m, keys, values, (uint32_t)n);
	}
	api_end(&c);
	return a;
}

/* Enumerations */

static bool find_word(ApiCall *c, const char *enumeration, const char *word, IrAttr *key)
{
	if (!api_given(c, enumeration, "enumeration") || !api_given(c, word, "word"))
		return false;
	for (unsigned i = 0; i < ENUM_CLASS_COUNT; i++) {
		if (strcmp(ir_enum_info[i].spelling, enumeration) != 0)
			continue;
		int found = ir_enum_find((EnumClass)i, str_of(word));
		*key = (IrAttr){.kind = ATTR_ENUM, .enum_class = (uint8_t)i, .bits = (uint64_t)found};
		return found >= 0 || api_error(c, "enumeration '%s' has no value '%s'", enumeration, word);
	}
	return api_error(c, "unknown enumeration '%s'", enumeration);
}

const IrAttr *api_make_enum(const char *function, CircModule *m, const char *enumeration, const char *word)
{
	ApiCall c;
	IrAttr key;
	if (!api_begin(&c, m, function))
		return NULL;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return NULL;
	}
	const IrAttr *a = find_word(&c, enumeration, word, &key) ? ir_attr_intern(m, &key) : NULL;
	api_end(&c);
	return a;
}

const CircAttr *circ_attr_enum(CircModule *m, const char *enumeration, const char *word)
{
	return api_make_enum(__func__, m, enumeration, word);
}

/* What an attribute is made of */

CircType *circ_attr_get_type(const CircAttr *a)
{
	return a ? a->type : NULL;
}

bool circ_attr_get_int(const CircAttr *a, int64_t *value)
{
	int64_t v;
	bool ok = ir_attr_get_i64(a, &v);
	if (ok && value)
		*value = v;
	return ok;
}

const char *circ_attr_get_string(const CircAttr *a, size_t *len)
{
	const Name *n = a && (a->kind == ATTR_STRING || a->kind == ATTR_SYMBOL) ? a->name : NULL;
	if (len)
		*len = n ? n->len : 0;
	return n ? n->text : NULL;
}
