#include "ir/module.h"

/* Records with a name are found by family: a struct and a class of one name are the same record. */
static bool same_family(const IrType *a, const IrType *b)
{
	return (a->record_kind == RECORD_UNION) == (b->record_kind == RECORD_UNION);
}

static bool same_members(const IrType *a, const IrType *b)
{
	if (a->nmembers != b->nmembers || (a->marks == NULL) != (b->marks == NULL))
		return false;
	if (a->nmembers == 0)
		return true;
	return memcmp(a->members, b->members, a->nmembers * sizeof *a->members) == 0 &&
	       (!a->marks || memcmp(a->marks, b->marks, a->nmembers) == 0) &&
	       (a->widths == NULL) == (b->widths == NULL) &&
	       (!a->widths || memcmp(a->widths, b->widths, a->nmembers * sizeof *a->widths) == 0);
}

static bool same_type(const IrType *a, const IrType *b)
{
	if (a->kind != b->kind || a->name != b->name)
		return false;
	if (a->kind == TYPE_RECORD && a->name)
		return same_family(a, b);
	return a->is_signed == b->is_signed && a->bitint == b->bitint && a->scalable == b->scalable &&
	       a->variadic == b->variadic && a->packed == b->packed && a->record_kind == b->record_kind &&
	       a->inheritance == b->inheritance && a->width == b->width && a->count == b->count &&
	       a->elem == b->elem && a->padding == b->padding && a->attr == b->attr && same_members(a, b);
}

static uint32_t hash_type(const HashKey *key, const IrType *t)
{
	uint64_t h =
	    hash_mix(key, hash_begin(key), t->kind | (t->name ? t->name->id + UINT64_C(1) : 0) << 32);
	if (t->kind == TYPE_RECORD && t->name)
		return hash_end(key, h ^ (t->record_kind == RECORD_UNION));
	h = hash_mix(key, h, (uint64_t)t->width << 32 | t->nmembers);
	h = hash_mix(key, h, t->count);
	h = hash_mix(key, h, (uintptr_t)t->elem);
	h = hash_mix(key, h, (uintptr_t)t->attr);
	h = hash_mix(key, h, (uintptr_t)t->padding);
	h = hash_mix(key, h,
	             (unsigned)t->is_signed | (unsigned)t->bitint << 1 | (unsigned)t->variadic << 2 |
	                 (unsigned)t->packed << 3 | (unsigned)t->scalable << 4 |
	                 (unsigned)t->record_kind << 5 | (unsigned)t->inheritance << 8);
	for (uint32_t i = 0; i < t->nmembers; i++)
		h = hash_mix(key, h, (uintptr_t)t->members[i]);
	if (t->marks)
		h = hash_mix(key, h, hash_bytes(key, t->marks, t->nmembers));
	if (t->widths)
		h = hash_mix(key, h, hash_bytes(key, t->widths, t->nmembers * sizeof *t->widths));
	return hash_end(key, h);
}

static TypeSlot *free_slot(const TypeTable *t, uint32_t hash)
{
	uint32_t i = hash & (t->cap - 1);
	while (t->slots[i].type)
		i = (i + 1) & (t->cap - 1);
	return &t->slots[i];
}

static IrType *find_type(const TypeTable *t, const IrType *key, uint32_t hash)
{
	if (!t->cap)
		return NULL;
	for (uint32_t i = hash & (t->cap - 1); t->slots[i].type; i = (i + 1) & (t->cap - 1))
		if (t->slots[i].hash == hash && same_type(t->slots[i].type, key))
			return t->slots[i].type;
	return NULL;
}

/* What is told of exhausted memory in between finds the table as it was. */
static void grow_table(IrModule *m)
{
	const TypeTable *t = &m->types;
	TypeTable bigger = {.cap = t->cap ? t->cap * 2 : 256, .len = t->len};
	bigger.slots = arena_array(&m->arena, TypeSlot, bigger.cap);
	bigger.held = arena_array(&m->arena, IrType *, bigger.cap / 2);
	if (t->len)
		memcpy(bigger.held, t->held, t->len * sizeof *t->held);
	for (uint32_t i = 0; i < t->cap; i++)
		if (t->slots[i].type)
			*free_slot(&bigger, t->slots[i].hash) = t->slots[i];
	m->types = bigger;
}

static uint16_t deeper(uint16_t depth, const IrType *inner)
{
	uint16_t inside = !inner ? 0 : inner->kind == TYPE_RECORD && inner->name ? 1 : inner->depth;
	return inside > depth ? inside : depth;
}

static uint16_t depth_of(const IrType *t)
{
	uint16_t depth = deeper(deeper(0, t->elem), t->padding);
	for (uint32_t i = 0; i < t->nmembers; i++)
		depth = deeper(depth, t->members[i]);
	return depth == UINT16_MAX ? depth : depth + 1;
}

/* What holds an address is as large as the module's addresses; layouts of other types follow from that. */
static void reset_layout(const IrModule *m, IrType *t)
{
	bool pair = t->kind == TYPE_METHOD;
	bool one = t->kind == TYPE_PTR || t->kind == TYPE_VPTR || t->kind == TYPE_DATA_MEMBER;
	t->align = pair || one ? ir_module_address_size(m) : 0;
	t->size = pair ? t->align * UINT64_C(2) : t->align;
}

void ir_types_forget_layouts(IrModule *m)
{
	for (uint32_t i = 0; i < m->types.len; i++)
		reset_layout(m, m->types.held[i]);
}

/* The interned copy of `key`, whose arrays may be temporary. */
static IrType *intern(IrModule *m, const IrType *key)
{
	uint32_t hash = hash_type(&m->names.key, key);
	IrType *t = find_type(&m->types, key, hash);
	if (t)
		return t;
	if (m->types.len >= m->types.cap / 2)
		grow_table(m);
	t = arena_alloc_raw(&m->arena, sizeof *t, _Alignof(IrType));
	*t = *key;
	t->members = arena_copy_n(&m->arena, key->members, key->nmembers, sizeof *t->members);
	t->marks = arena_copy_n(&m->arena, key->marks, key->nmembers, 1);
	t->widths = arena_copy_n(&m->arena, key->widths, key->nmembers, sizeof *t->widths);
	reset_layout(m, t);
	t->hash = hash;
	t->depth = depth_of(key);
	t->id = m->types.len;
	m->types.held[m->types.len++] = t;
	*free_slot(&m->types, hash) = (TypeSlot){t, hash};
	return t;
}

IrType *ir_type_intern(IrModule *m, const IrType *key)
{
	return intern(m, key);
}

bool ir_type_belongs(const IrModule *m, const IrType *t)
{
	return find_type(&m->types, t, t->hash) == t;
}

IrType *ir_type_simple(IrModule *m, TypeKind kind)
{
	if (!m->simple[kind])
		m->simple[kind] = intern(m, &(IrType){.kind = kind});
	return m->simple[kind];
}

IrType *ir_type_int(IrModule *m, uint32_t width, bool is_signed, bool bitint)
{
	return intern(m,
	              &(IrType){.kind = TYPE_INT, .width = width, .is_signed = is_signed, .bitint = bitint});
}

IrType *ir_type_builtin_int(IrModule *m, uint32_t width)
{
	return intern(m, &(IrType){.kind = TYPE_BUILTIN_INT, .width = width});
}

IrType *ir_type_builtin_float(IrModule *m, const char *name)
{
	return intern(m, &(IrType){.kind = TYPE_BUILTIN_FLOAT, .name = ir_name(m, str_of(name))});
}

IrType *ir_type_opaque(IrModule *m, Str text)
{
	return intern(m, &(IrType){.kind = TYPE_OPAQUE, .name = ir_name(m, text)});
}

IrType *ir_type_ptr(IrModule *m, IrType *pointee)
{
	if (!pointee->pointer)
		pointee->pointer = intern(m, &(IrType){.kind = TYPE_PTR, .elem = pointee});
	return pointee->pointer;
}

IrType *ir_type_ptr_in(IrModule *m, IrType *pointee, const IrAttr *address_space)
{
	if (!address_space)
		return ir_type_ptr(m, pointee);
	return intern(m, &(IrType){.kind = TYPE_PTR, .elem = pointee, .attr = address_space});
}

IrType *ir_type_array(IrModule *m, IrType *elem, uint64_t count)
{
	return intern(m, &(IrType){.kind = TYPE_ARRAY, .elem = elem, .count = count});
}

IrType *ir_type_vector(IrModule *m, IrType *elem, uint64_t count, bool scalable)
{
	return intern(m, &(IrType){.kind = TYPE_VECTOR, .elem = elem, .count = count, .scalable = scalable});
}

IrType *ir_type_complex(IrModule *m, IrType *elem)
{
	return intern(m, &(IrType){.kind = TYPE_COMPLEX, .elem = elem});
}

IrType *ir_type_long_double(IrModule *m, IrType *elem)
{
	return intern(m, &(IrType){.kind = TYPE_LONG_DOUBLE, .elem = elem});
}

IrType *ir_type_func(IrModule *m, IrType *const *params, uint32_t nparams, IrType *result, bool variadic)
{
	IrType key = {.kind = TYPE_FUNC,
	              .elem = result ? result : ir_type_simple(m, TYPE_VOID),
	              .members = (IrType **)params,
	              .nmembers = nparams,
	              .variadic = variadic};
	return intern(m, &key);
}

IrType *ir_type_member_pointer(IrModule *m, TypeKind kind, IrType *member, IrType *record,
                               MsInheritance inheritance)
{
	CHECK(kind == TYPE_METHOD || kind == TYPE_DATA_MEMBER);
	return intern(
	    m,
	    &(IrType){
	        .kind = kind, .elem = member, .members = &record, .nmembers = 1, .inheritance = inheritance});
}

static const char *const inheritance_words[] = {"", "single", "multiple", "virtual", "unspecified"};

const char *ir_inheritance_word(MsInheritance inheritance)
{
	return inheritance_words[inheritance];
}

MsInheritance ir_inheritance_of_word(Str word)
{
	MsInheritance i = MS_UNSPECIFIED;
	while (i != MS_UNTOLD && !str_equal(word, str_of(inheritance_words[i])))
		i--;
	return i;
}

IrType *ir_type_bitfield(IrModule *m, IrType *storage, IrType *const *types, const uint32_t *widths,
                         const uint8_t *unnamed, uint32_t n)
{
	IrType key = {.kind = TYPE_BITFIELD,
	              .elem = storage,
	              .members = (IrType **)types,
	              .widths = (uint32_t *)widths,
	              .marks = (uint8_t *)unnamed,
	              .nmembers = n};
	return intern(m, &key);
}

IrType *ir_type_record(IrModule *m, RecordKind kind, Str name)
{
	return intern(m, &(IrType){.kind = TYPE_RECORD, .record_kind = kind, .name = ir_name(m, name)});
}

/* All-data marks are stored as NULL, so that texts with and without marks mean the same type. */
static const uint8_t *canonical_marks(const RecordBody *body)
{
	for (uint32_t i = 0; body->marks && i < body->nmembers; i++)
		if (body->marks[i] != MARK_DATA)
			return body->marks;
	return NULL;
}

static IrType body_key(IrType t, const RecordBody *body)
{
	t.members = (IrType **)body->members;
	t.marks = (uint8_t *)canonical_marks(body);
	t.nmembers = body->nmembers;
	t.packed = body->packed;
	t.padding = body->padding;
	t.attr = body->std_type_info;
	t.complete = true;
	return t;
}

bool ir_record_set_body(IrModule *m, IrType *record, const RecordBody *body)
{
	CHECK(record->kind == TYPE_RECORD && record->name);
	IrType key = body_key(*record, body);
	if (record->complete)
		return same_members(record, &key) && record->packed == key.packed &&
		       record->padding == key.padding;
	key.members = arena_copy_n(&m->arena, key.members, key.nmembers, sizeof *key.members);
	key.marks = arena_copy_n(&m->arena, key.marks, key.nmembers, 1);
	*record = key;
	return true;
}

IrType *ir_type_anon_record(IrModule *m, RecordKind kind, const RecordBody *body)
{
	IrType key = body_key((IrType){.kind = TYPE_RECORD, .record_kind = kind}, body);
	return intern(m, &key);
}

unsigned ir_float_width(const IrType *t)
{
	switch (t->kind) {
	case TYPE_HALF:
	case TYPE_BF16:
		return 16;
	case TYPE_FLOAT:
		return 32;
	case TYPE_DOUBLE:
		return 64;
	case TYPE_F80:
		return 80;
	case TYPE_F128:
		return 128;
	case TYPE_LONG_DOUBLE:
		return ir_float_width(t->elem);
	default:
		return 0;
	}
}
