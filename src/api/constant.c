/* circ/attr.h: constants. */
#include "api/api.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Numbers */

static bool is_integer(const IrType *t)
{
	return t->kind == TYPE_INT || t->kind == TYPE_BUILTIN_INT || t->kind == TYPE_INDEX;
}

static uint32_t integer_width(const IrType *t)
{
	return t->kind == TYPE_INDEX ? 64 : t->width;
}

/* Of MLIR's integers, which have no sign, both readings fit. */
static bool value_fits(const IrType *t, int64_t value)
{
	uint32_t width = integer_width(t);
	bool as_signed = t->kind != TYPE_INT || t->is_signed,
	     as_unsigned = t->kind != TYPE_INT || !t->is_signed;
	if (width >= 64)
		return true;
	int64_t limit = INT64_C(1) << (width - 1);
	return (as_signed && value >= -limit && value < limit) ||
	       (as_unsigned && (uint64_t)value >> width == 0);
}

static bool check_integer_type(ApiCall *c, const IrType *t)
{
	return api_type(c, t, "type") &&
	       (is_integer(t) || api_error(c, "'type' is %s; expected an integer type", api_type_str(c, t)));
}

const CircAttr *circ_attr_int(CircModule *m, CircType *type, int64_t value)
{
	ApiCall c;
	if (!api_begin(&c, m, __func__))
		return NULL;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return NULL;
	}
	const IrAttr *a = NULL;
	if (!check_integer_type(&c, type))
		a = NULL;
	else if (integer_width(type) > 64)
		api_error(&c, "%s is wider than 64 bits; use circ_attr_wide_int()", api_type_str(&c, type));
	else if (!value_fits(type, value))
		api_error(&c, "integer value too large for the given type: %lld, %s", (long long)value,
		          api_type_str(&c, type));
	else
		a = ir_attr_int(m, type, (uint64_t)value);
	api_end(&c);
	return a;
}

/* Are the bits above the width what the sign says? */
static bool extension_fits(const IrType *t, const uint64_t *words, uint32_t n)
{
	uint32_t rest = integer_width(t) % 64;
	if (!rest)
		return true;
	uint64_t high = words[n - 1] >> (rest - 1); /* the sign and what is above it */
	bool as_signed = t->kind != TYPE_INT || t->is_signed;
	return high >> 1 == 0 || (as_signed && high == UINT64_MAX >> (rest - 1));
}

const CircAttr *circ_attr_wide_int(CircModule *m, CircType *type, const uint64_t *words, size_t nwords)
{
	ApiCall c;
	if (!api_begin(&c, m, __func__))
		return NULL;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return NULL;
	}
	const IrAttr *a = NULL;
	bool ok = check_integer_type(&c, type) && api_given(&c, words, "words");
	uint32_t n = ok ? (integer_width(type) + 63) / 64 : 0;
	if (ok && nwords != n)
		ok = api_error(&c, "%zu words for %s; expected %u", nwords, api_type_str(&c, type), n);
	if (ok && !extension_fits(type, words, n))
		ok = api_error(&c, "integer value too large for the given type: %s", api_type_str(&c, type));
	if (ok && n == 1)
		a = ir_attr_int(m, type, words[0]);
	else if (ok)
		a = ir_attr_wide_int(m, type, words, n);
	api_end(&c);
	return a;
}

/* As MLIR writes numbers, whatever the locale's decimal point is: six digits where they
 * say it all, else seventeen. */
static void spell_double(char out[64], double value)
{
	char digits[48];
	if (isnan(value) || isinf(value)) {
		snprintf(out, 64, "%s", isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
		return;
	}
	snprintf(digits, sizeof digits, "%.6e", value);
	if (strtod(digits, NULL) != value)
		snprintf(digits, sizeof digits, "%.16e", value);
	const char *p = digits, *exponent = strchr(digits, 'e');
	char *to = out;
	while (p < exponent && (*p == '-' || (*p >= '0' && *p <= '9')))
		*to++ = *p++;
	*to++ = '.';
	while (p < exponent && !(*p >= '0' && *p <= '9'))
		p++;
	memcpy(to, p, strlen(p) + 1);
}

static bool check_float(ApiCall *c, const IrAttr *key)
{
	return api_type(c, key->type, "type") &&
	       (ir_is_float(key->type) ||
	        api_error(c, "'type' is %s; expected a floating point type", api_type_str(c, key->type)));
}

const CircAttr *circ_attr_float(CircModule *m, CircType *type, double value)
{
	ApiCall c;
	if (!api_begin(&c, m, __func__))
		return NULL;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return NULL;
	}
	char text[64];
	const IrAttr *a = NULL;
	IrAttr key = {.kind = ATTR_FLOAT, .type = type};
	if (check_float(&c, &key)) {
		spell_double(text, value);
		key.name = ir_name(m, str_of(text));
		a = ir_attr_intern(m, &key);
	}
	api_end(&c);
	return a;
}

const CircAttr *circ_attr_bool(CircModule *m, bool value)
{
	CircType *type = circ_type_simple(m, CIRC_TYPE_BOOL);
	if (!type)
		return NULL;
	return api_make_attr(__func__, m, &(IrAttr){.kind = ATTR_BOOL, .type = type, .bits = value}, NULL);
}

/* Constants that are all one thing */

static bool check_null(ApiCall *c, const IrAttr *key)
{
	return api_check_type(c, key) &&
	       (ir_is_ptr(key->type) || key->type->kind == TYPE_VPTR ||
	        api_error(c, "'type' is %s; expected a pointer", api_type_str(c, key->type)));
}

const CircAttr *circ_attr_null(CircModule *m, CircType *pointer)
{
	return api_make_attr(__func__, m, &(IrAttr){.kind = ATTR_PTR, .type = pointer}, check_null);
}

static bool check_zero(ApiCall *c, const IrAttr *key)
{
	if (!api_check_type(c, key))
		return false;
	return ir_type_takes_zero(key->type) ||
	       api_error(c, "'type' is %s; expected a type whose null value is all zeros",
	                 api_type_str(c, key->type));
}

const CircAttr *circ_attr_zero(CircModule *m, CircType *type)
{
	return api_make_attr(__func__, m, &(IrAttr){.kind = ATTR_ZERO, .type = type}, check_zero);
}

static bool check_any_value(ApiCall *c, const IrAttr *key)
{
	return api_value_type(c, key->type, "type") && api_type_fits_over(c, key->type);
}

const CircAttr *circ_attr_undef(CircModule *m, CircType *type)
{
	return api_make_attr(__func__, m, &(IrAttr){.kind = ATTR_UNDEF, .type = type}, check_any_value);
}

const CircAttr *circ_attr_poison(CircModule *m, CircType *type)
{
	return api_make_attr(__func__, m, &(IrAttr){.kind = ATTR_POISON, .type = type}, check_any_value);
}

/* Aggregates */

static bool check_element(ApiCall *c, const IrAttr *elem, const IrType *expected, uint32_t i)
{
	if (elem->type == expected || !elem->type)
		return elem->type || api_error(c, "element #%u has no type", i);
	return api_error(c, "element at index %u has type %s but the expected type for this element is %s", i,
	                 api_type_str(c, elem->type), api_type_str(c, expected));
}

static bool check_array_type(ApiCall *c, const IrAttr *key)
{
	return api_check_type(c, key) &&
	       (key->type->kind == TYPE_ARRAY ||
	        api_error(c, "'type' is %s; expected an array", api_type_str(c, key->type)));
}

static bool check_const_array(ApiCall *c, const IrAttr *key)
{
	if (!check_array_type(c, key))
		return false;
	if (key->n > key->type->count)
		return api_error(c, "constant array has %u values but array type has size %llu", key->n,
		                 (unsigned long long)key->type->count);
	for (uint32_t i = 0; i < key->n; i++)
		if (!check_element(c, key->elems[i], key->type->elem, i))
			return false;
	return true;
}

/* Fewer elements than the type has: the rest is zero. */
static bool is_short(const IrType *type, size_t n)
{
	return type && type->kind == TYPE_ARRAY && n < type->count;
}

const CircAttr *circ_attr_const_array(CircModule *m, CircType *type, const CircAttr *const *elems, size_t n)
{
	IrAttr key = {.kind = ATTR_CONST_ARRAY, .type = type, .bits = is_short(type, n)};
	return api_make_list(__func__, m, key, elems, n, check_const_array);
}

static bool check_const_string(ApiCall *c, const IrType *type, size_t len)
{
	if (!check_array_type(c, &(IrAttr){.type = (IrType *)(uintptr_t)type}))
		return false;
	if (type->elem->kind != TYPE_INT || type->elem->width != 8)
		return api_error(c, "'type' is %s; expected an array of 8-bit integers",
		                 api_type_str(c, type));
	return len <= type->count || api_error(c, "%zu bytes do not fit %s", len, api_type_str(c, type));
}

const CircAttr *circ_attr_const_string(CircModule *m, CircType *type, const char *bytes, size_t len)
{
	ApiCall c;
	if (!api_begin(&c, m, __func__))
		return NULL;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return NULL;
	}
	const IrAttr *a = NULL;
	if (api_count(&c, len, bytes, "bytes") && check_const_string(&c, type, len)) {
		IrAttr key = {.kind = ATTR_CONST_ARRAY, .type = type, .bits = len < type->count};
		key.name = ir_name(m, (Str){len ? bytes : "", len});
		key.elem_type = ir_type_array(m, type->elem, len);
		a = ir_attr_intern(m, &key);
	}
	api_end(&c);
	return a;
}

static bool check_union_value(ApiCall *c, const IrAttr *key)
{
	if (key->n != 1)
		return api_error(c, "%u elements for a union; expected 1", key->n);
	for (uint32_t i = 0; i < key->type->nmembers; i++)
		if (key->elems[0]->type == key->type->members[i])
			return true;
	return api_error(c, "union has no member of the element's type");
}

/* A bit-field member takes a value of its storage; one without width takes none; a
 * flexible array may be longer. */
static bool check_const_record(ApiCall *c, const IrAttr *key)
{
	if (!api_check_type(c, key))
		return false;
	const IrType *t = key->type;
	if (t->kind != TYPE_RECORD || !t->complete)
		return api_error(c, "'type' is %s; expected a complete record", api_type_str(c, t));
	if (t->record_kind == RECORD_UNION)
		return check_union_value(c, key);
	uint32_t k = 0;
	for (uint32_t i = 0; i < t->nmembers; i++) {
		const IrType *member = t->members[i];
		if (ir_is_zero_width(member))
			continue;
		if (k == key->n)
			return api_error(c, "number of elements must match: %u for %s", key->n,
			                 api_type_str(c, t));
		bool flexible = i + 1 == t->nmembers && member->kind == TYPE_ARRAY && member->count == 0;
		const IrAttr *elem = key->elems[k++];
		const IrType *expected = member->kind == TYPE_BITFIELD ? member->elem : member;
		bool longer = flexible && elem->type && elem->type->kind == TYPE_ARRAY &&
		              elem->type->elem == member->elem;
		if (!longer && !check_element(c, elem, expected, k - 1))
			return false;
	}
	return k == key->n ||
	       api_error(c, "number of elements must match: %u for %s", key->n, api_type_str(c, t));
}

const CircAttr *circ_attr_const_record(CircModule *m, CircType *type, const CircAttr *const *elems, size_t n)
{
	return api_make_list(__func__, m, (IrAttr){.kind = ATTR_CONST_RECORD, .type = type}, elems, n,
	                     check_const_record);
}

static bool check_view_type(ApiCall *c, const IrType *type)
{
	return api_check_type(c, &(IrAttr){.type = (IrType *)(uintptr_t)type}) &&
	       (ir_is_ptr(type) || ir_is_int(type) ||
	        api_error(c, "'type' is %s; expected a pointer or an integer", api_type_str(c, type)));
}

static bool check_symbol(ApiCall *c, const char *symbol)
{
	return api_given(c, symbol, "symbol") && (*symbol || api_error(c, "symbol name is empty"));
}

const CircAttr *circ_attr_global_view(CircModule *m, CircType *type, const char *symbol,
                                      const int32_t *indices, size_t nindices)
{
	ApiCall c;
	if (!api_begin(&c, m, __func__))
		return NULL;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return NULL;
	}
	const IrAttr *a = NULL;
	if (check_view_type(&c, type) && check_symbol(&c, symbol) &&
	    api_count(&c, nindices, indices, "indices")) {
		const IrAttr **elems = arena_array(&m->scratch, const IrAttr *, nindices);
		for (size_t i = 0; i < nindices; i++)
			elems[i] = ir_attr_i32(m, indices[i]);
		a = ir_attr_global_view(m, type, ir_name(m, str_of(symbol)), elems, (uint32_t)nindices);
	}
	api_end(&c);
	return a;
}
