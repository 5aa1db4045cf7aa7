#include "ir/module.h"

#include <stdlib.h>

#define ENUM_CLASS(id, spelling)
#define ENUM_WORD(class, id, spelling) spelling,
#define ENUM_BEGIN(class)              static const char *const words_##class[] = {
#define ENUM_END                                                                                             \
	NULL                                                                                                 \
	}                                                                                                    \
	;
#include "ir/enums.def"

const EnumInfo ir_enum_info[ENUM_CLASS_COUNT] = {
#define ENUM_CLASS(id, spelling) [ENUM_##id] = {spelling, words_##id},
#include "ir/enums.def"
};

int ir_enum_class_find(Str spelling)
{
	for (int c = 0; c < ENUM_CLASS_COUNT; c++)
		if (str_is(spelling, ir_enum_info[c].spelling))
			return c;
	return -1;
}

int ir_enum_find(EnumClass c, Str word)
{
	const char *const *words = ir_enum_info[c].words;
	for (int i = 0; words[i]; i++)
		if (str_is(word, words[i]))
			return i;
	return -1;
}

/* Words of an integer attribute that does not fit `bits`. */
static uint32_t word_count(const IrAttr *a)
{
	return a->words ? (uint32_t)a->bits : 0;
}

static bool same_attr(const IrAttr *a, const IrAttr *b)
{
	if (a->kind != b->kind || a->type != b->type || a->elem_type != b->elem_type || a->bits != b->bits ||
	    a->name != b->name || a->n != b->n || a->row != b->row || a->enum_class != b->enum_class ||
	    a->loc != b->loc || (a->words == NULL) != (b->words == NULL) ||
	    (a->keys == NULL) != (b->keys == NULL))
		return false;
	if (a->n && memcmp(a->elems, b->elems, a->n * sizeof *a->elems) != 0)
		return false;
	if (a->keys && a->n && memcmp(a->keys, b->keys, a->n * sizeof *a->keys) != 0)
		return false;
	return !a->words || memcmp(a->words, b->words, word_count(a) * sizeof *a->words) == 0;
}

static uint32_t hash_attr(const HashKey *key, const IrAttr *a)
{
	uint64_t h = hash_begin(key);
	h = hash_mix(key, h,
	             a->kind | (uint32_t)a->enum_class << 8 | (uint32_t)a->row << 16 | (uint64_t)a->n << 32);
	h = hash_mix(key, h, a->bits);
	h = hash_mix(key, h, (uintptr_t)a->type);
	h = hash_mix(key, h, (uintptr_t)a->elem_type);
	h = hash_mix(key, h, (uintptr_t)a->name);
	h = hash_mix(key, h, (uintptr_t)a->loc);
	for (uint32_t i = 0; i < a->n; i++)
		h = hash_mix(key, h, (uintptr_t)a->elems[i]);
	for (uint32_t i = 0; a->keys && i < a->n; i++)
		h = hash_mix(key, h, a->keys[i]->id);
	for (uint32_t i = 0; i < word_count(a); i++)
		h = hash_mix(key, h, a->words[i]);
	return hash_end(key, h);
}

static AttrSlot *free_slot(const AttrTable *t, uint32_t hash)
{
	uint32_t i = hash & (t->cap - 1);
	while (t->slots[i].attr)
		i = (i + 1) & (t->cap - 1);
	return &t->slots[i];
}

/* What is told of exhausted memory in between finds the table as it was. */
static void grow_table(IrModule *m)
{
	const AttrTable *t = &m->attrs;
	AttrTable bigger = *t;
	bigger.cap = t->cap ? t->cap * 2 : 256;
	bigger.slots = arena_array(&m->arena, AttrSlot, bigger.cap);
	bigger.held = arena_array(&m->arena, IrAttr *, bigger.cap / 2);
	if (t->nheld)
		memcpy(bigger.held, t->held, t->nheld * sizeof *t->held);
	for (uint32_t i = 0; i < t->cap; i++)
		if (t->slots[i].attr)
			*free_slot(&bigger, t->slots[i].hash) = t->slots[i];
	m->attrs = bigger;
}

static IrAttr *find_attr(const AttrTable *t, const IrAttr *key, uint32_t hash)
{
	if (!t->cap)
		return NULL;
	for (uint32_t i = hash & (t->cap - 1); t->slots[i].attr; i = (i + 1) & (t->cap - 1))
		if (t->slots[i].hash == hash && same_attr(t->slots[i].attr, key))
			return t->slots[i].attr;
	return NULL;
}

static uint16_t depth_of(const IrAttr *a)
{
	uint16_t depth = 0;
	for (uint32_t i = 0; i < a->n; i++)
		if (a->elems[i] && a->elems[i]->depth > depth)
			depth = a->elems[i]->depth;
	return depth == UINT16_MAX ? depth : depth + 1;
}

static IrAttr *new_attr(IrModule *m, const IrAttr *key)
{
	IrAttr *a = arena_alloc_raw(&m->arena, sizeof *a, _Alignof(IrAttr));
	*a = *key;
	a->elems = arena_copy_n(&m->arena, key->elems, key->n, sizeof *key->elems);
	a->keys = arena_copy_n(&m->arena, key->keys, key->n, sizeof *key->keys);
	a->words = arena_copy_n(&m->arena, key->words, word_count(key), sizeof *key->words);
	a->depth = depth_of(key);
	a->id = m->attrs.len++;
	return a;
}

/* A symbol or a string that is its name and nothing else, the most of a module's attributes: where the name knows
 * it; NULL for any other. */
static const IrAttr **known_to_name(const IrAttr *key)
{
	if ((key->kind != ATTR_SYMBOL && key->kind != ATTR_STRING) || key->n || key->type)
		return NULL;
	return key->kind == ATTR_SYMBOL ? &key->name->symbol_attr : &key->name->string_attr;
}

const IrAttr *ir_attr_intern(IrModule *m, const IrAttr *key)
{
	const IrAttr **known = known_to_name(key);
	if (known)
		return *known ? *known : (*known = new_attr(m, key));
	AttrTable *t = &m->attrs;
	uint32_t hash = hash_attr(&m->names.key, key);
	IrAttr *a = find_attr(t, key, hash);
	if (a)
		return a;
	if (t->nheld >= t->cap / 2)
		grow_table(m);
	a = new_attr(m, key);
	t->held[t->nheld++] = a;
	*free_slot(t, hash) = (AttrSlot){a, hash};
	return a;
}

bool ir_attr_belongs(const IrModule *m, const IrAttr *a)
{
	if (known_to_name(a))
		return *known_to_name(a) == a && name_find(&m->names, name_str(a->name)) == a->name;
	return find_attr(&m->attrs, a, hash_attr(&m->names.key, a)) == a;
}

const IrAttr *ir_attr_unit(IrModule *m)
{
	return ir_attr_intern(m, &(IrAttr){.kind = ATTR_UNIT});
}

const IrAttr *ir_attr_flag(IrModule *m, bool value)
{
	return ir_attr_intern(m, &(IrAttr){.kind = ATTR_FLAG, .bits = value});
}

/* Two's complement, extended from `width` bits by signedness: the canonical form of IrAttr.bits. */
static uint64_t extend(uint64_t v, uint32_t width, bool is_signed)
{
	if (width >= 64)
		return v;
	uint64_t mask = (UINT64_C(1) << width) - 1;
	v &= mask;
	return is_signed && width && (v >> (width - 1) & 1) ? v | ~mask : v;
}

static bool is_signed(const IrType *type)
{
	return type->kind != TYPE_INT || type->is_signed;
}

const IrAttr *ir_attr_int(IrModule *m, IrType *type, uint64_t value)
{
	uint32_t width = type->kind == TYPE_INDEX ? 64 : type->width;
	if (width > 64)
		return ir_attr_wide_int(m, type, &value, 1);
	IrAttr key = {.kind = ATTR_INT, .type = type, .bits = extend(value, width, is_signed(type))};
	return ir_attr_intern(m, &key);
}

/* What stands above the word. */
static uint64_t extension(const IrType *type, uint64_t word)
{
	return is_signed(type) && word >> 63 ? UINT64_MAX : 0;
}

const IrAttr *ir_attr_wide_int(IrModule *m, IrType *type, const uint64_t *words, uint32_t n)
{
	uint32_t rest = type->width % 64;
	ArenaMark mark = arena_mark(&m->scratch);
	uint64_t *own = arena_copy_n(&m->scratch, words, n, sizeof *words);
	if (rest && n == (type->width + 63) / 64)
		own[n - 1] = extend(own[n - 1], rest, is_signed(type));
	while (n > 1 && own[n - 1] == extension(type, own[n - 2]))
		n--;
	const IrAttr *a =
	    ir_attr_intern(m, &(IrAttr){.kind = ATTR_INT, .type = type, .bits = n, .words = own});
	arena_release(&m->scratch, mark);
	return a;
}

uint64_t ir_attr_word(const IrAttr *a, uint32_t i)
{
	const uint64_t *words = a->words ? a->words : &a->bits;
	uint32_t n = a->words ? word_count(a) : 1;
	return i < n ? words[i] : extension(a->type, words[n - 1]);
}

const IrAttr *ir_attr_i64(IrModule *m, int64_t value)
{
	return ir_attr_int(m, ir_type_builtin_int(m, 64), (uint64_t)value);
}

const IrAttr *ir_attr_i32(IrModule *m, int32_t value)
{
	return ir_attr_int(m, ir_type_builtin_int(m, 32), (uint64_t)(int64_t)value);
}

const IrAttr *ir_attr_string(IrModule *m, Str bytes)
{
	Name *name = ir_name(m, bytes);
	if (!name->string_attr)
		name->string_attr = ir_attr_intern(m, &(IrAttr){.kind = ATTR_STRING, .name = name});
	return name->string_attr;
}

const IrAttr *ir_attr_type(IrModule *m, IrType *type)
{
	if (!type->type_attr)
		type->type_attr = ir_attr_intern(m, &(IrAttr){.kind = ATTR_TYPE, .type = type});
	return type->type_attr;
}

const IrAttr *ir_attr_symbol(IrModule *m, Name *name)
{
	if (!name->symbol_attr)
		name->symbol_attr = ir_attr_intern(m, &(IrAttr){.kind = ATTR_SYMBOL, .name = name});
	return name->symbol_attr;
}

const IrAttr *ir_attr_array(IrModule *m, const IrAttr *const *elems, uint32_t n)
{
	return ir_attr_intern(m, &(IrAttr){.kind = ATTR_ARRAY, .elems = (const IrAttr **)elems, .n = n});
}

const IrAttr *ir_attr_dict(IrModule *m, Name *const *keys, const IrAttr *const *values, uint32_t n)
{
	IrAttr key = {.kind = ATTR_DICT, .keys = (Name **)keys, .elems = (const IrAttr **)values, .n = n};
	return ir_attr_intern(m, &key);
}

const IrAttr *ir_attr_enum(IrModule *m, EnumClass c, unsigned word)
{
	return ir_attr_intern(m, &(IrAttr){.kind = ATTR_ENUM, .enum_class = (uint8_t)c, .bits = word});
}

bool ir_attr_has_enum(const IrModule *m, EnumClass c)
{
	for (unsigned i = 0; ir_enum_info[c].words[i]; i++) {
		IrAttr key = {.kind = ATTR_ENUM, .enum_class = (uint8_t)c, .bits = i};
		if (find_attr(&m->attrs, &key, hash_attr(&m->names.key, &key)))
			return true;
	}
	return false;
}

const IrAttr *ir_attr_bool(IrModule *m, bool value)
{
	IrAttr key = {.kind = ATTR_BOOL, .type = ir_type_simple(m, TYPE_BOOL), .bits = value};
	return ir_attr_intern(m, &key);
}

const IrAttr *ir_attr_null(IrModule *m, IrType *pointer)
{
	return ir_attr_intern(m, &(IrAttr){.kind = ATTR_PTR, .type = pointer});
}

const IrAttr *ir_attr_zero(IrModule *m, IrType *type)
{
	return ir_attr_intern(m, &(IrAttr){.kind = ATTR_ZERO, .type = type});
}

const IrAttr *ir_attr_zero_of(IrModule *m, IrType *t)
{
	switch (t->kind) {
	case TYPE_BOOL:
		return ir_attr_bool(m, false);
	case TYPE_PTR:
		return ir_attr_null(m, t);
	case TYPE_DATA_MEMBER:
		return ir_attr_intern(m, &(IrAttr){.kind = ATTR_DATA_MEMBER, .type = t});
	case TYPE_METHOD:
		return ir_attr_intern(m, &(IrAttr){.kind = ATTR_METHOD, .type = t});
	case TYPE_RECORD:
	case TYPE_ARRAY:
	case TYPE_VECTOR:
	case TYPE_COMPLEX:
	case TYPE_VPTR:
		return ir_attr_zero(m, t);
	default:
		break;
	}
	if (ir_is_float(t))
		return ir_attr_intern(
		    m, &(IrAttr){.kind = ATTR_FLOAT, .type = t, .name = ir_name(m, STR("0.000000e+00"))});
	return ir_attr_int(m, t, 0);
}

const IrAttr *ir_attr_global_view(IrModule *m, IrType *type, Name *symbol, const IrAttr *const *indices,
                                  uint32_t n)
{
	IrAttr key = {.kind = ATTR_GLOBAL_VIEW,
	              .type = type,
	              .name = symbol,
	              .elems = (const IrAttr **)indices,
	              .n = n};
	return ir_attr_intern(m, &key);
}

const IrAttr *ir_dict_get(const IrAttr *dict, uint32_t name_id)
{
	if (!dict || dict->kind != ATTR_DICT)
		return NULL;
	for (uint32_t i = 0; i < dict->n; i++)
		if (dict->keys[i]->id == name_id)
			return dict->elems[i];
	return NULL;
}

typedef struct Entry {
	Name *key;
	const IrAttr *value;
	uint32_t place;
} Entry;

static int compare_entries(const void *left, const void *right)
{
	const Entry *a = left, *b = right;
	int order = name_compare(a->key, b->key);
	return order ? order : (a->place > b->place) - (a->place < b->place);
}

const IrAttr *ir_dict_with(IrModule *m, const IrAttr *dict, Name *const *keys, const IrAttr *const *values,
                           uint32_t n)
{
	uint32_t old = dict ? dict->n : 0, total = n + old, kept = 0;
	Entry *entries = arena_array(&m->scratch, Entry, total);
	Name **all_keys = arena_array(&m->scratch, Name *, total);
	const IrAttr **all_values = arena_array(&m->scratch, const IrAttr *, total);
	for (uint32_t i = 0; i < n; i++)
		entries[i] = (Entry){keys[i], values[i], i};
	for (uint32_t i = 0; i < old; i++)
		entries[n + i] = (Entry){dict->keys[i], dict->elems[i], n + i};
	if (total)
		qsort(entries, total, sizeof *entries, compare_entries);
	for (uint32_t i = 0; i < total; i++) {
		if (kept && all_keys[kept - 1] == entries[i].key)
			continue;
		all_keys[kept] = entries[i].key;
		all_values[kept++] = entries[i].value;
	}
	return ir_attr_dict(m, all_keys, all_values, kept);
}

/* Are all words above the first like that? */
static bool fits_one_word(const IrAttr *a, uint64_t above)
{
	for (uint32_t i = 1; i <= word_count(a); i++)
		if (ir_attr_word(a, i) != above)
			return false;
	return true;
}

bool ir_attr_get_i64(const IrAttr *a, int64_t *out)
{
	if (!a || a->kind != ATTR_INT)
		return false;
	uint64_t low = a->words ? a->words[0] : a->bits;
	bool is_unsigned = a->type && a->type->kind == TYPE_INT && !a->type->is_signed;
	if (is_unsigned && low > INT64_MAX)
		return false;
	if (!fits_one_word(a, !is_unsigned && low >> 63 ? UINT64_MAX : 0))
		return false;
	*out = (int64_t)low;
	return true;
}

Str ir_attr_llvm_key(const Name *name)
{
	Str key = name_str(name), dialect = STR("cir.");
	if (!str_begins_with(key, dialect))
		return key;
	return (Str){key.data + dialect.len, key.len - dialect.len};
}

bool ir_attr_get_u64(const IrAttr *a, uint64_t *out)
{
	if (!a || a->kind != ATTR_INT)
		return false;
	uint64_t low = a->words ? a->words[0] : a->bits;
	bool is_unsigned = a->type && a->type->kind == TYPE_INT && !a->type->is_signed;
	if ((!is_unsigned && !a->words && low > INT64_MAX) || !fits_one_word(a, 0))
		return false;
	*out = low;
	return true;
}

bool ir_attr_is_zero(const IrAttr *a)
{
	switch (a->kind) {
	case ATTR_INT:
		return !a->words && a->bits == 0;
	case ATTR_BOOL:
	case ATTR_PTR:
		return a->bits == 0;
	case ATTR_FLOAT:
		return a->name->text[strspn(a->name->text, "0.e+")] == '\0';
	case ATTR_ZERO:
		return true;
	default:
		return false;
	}
}

/* array<i32: 0, 1> */
bool ir_attr_get_numbers(const IrAttr *a, uint32_t *numbers, uint32_t max, uint32_t *n)
{
	static const char head[] = "array<i";
	*n = 0;
	if (a->kind != ATTR_OPAQUE || strncmp(a->name->text, head, strlen(head)) != 0)
		return false;
	const char *q = a->name->text + strlen(head);
	q += strspn(q, "0123456789");
	for (char before = ':'; *q == before; before = ',') {
		char *end;
		q += 1 + strspn(q + 1, " ");
		unsigned long v = strtoul(q, &end, 10);
		if (*q < '0' || *q > '9' || v > UINT32_MAX || *n == max)
			return false;
		numbers[(*n)++] = (uint32_t)v;
		q = end + strspn(end, " ");
	}
	return *n && strcmp(q, ">") == 0;
}

/* The rows of attrs.def */

/* Short names for the flags column of attrs.def. */
enum { OPT = PARAM_OPT, BARE = PARAM_BARE };

#define ATTR_BEGIN(id)                              static const AttrParam params_##id[] = {
#define ATTR_PARAM(id, parameter, key, kind, flags) {key, PARAM_##kind, flags},
#define ATTR_END                                                                                             \
	{                                                                                                    \
		NULL, PARAM_STR, 0                                                                           \
	}                                                                                                    \
	}                                                                                                    \
	;
#include "ir/attrs.def"

const AttrRowInfo ir_attr_row_info[ATTR_ROW_COUNT] = {
#define ATTR_ROW(id, name) [ATTR_ROW_##id] = {name, params_##id, ARRAY_LEN(params_##id) - 1},
#include "ir/attrs.def"
};
