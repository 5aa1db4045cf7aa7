#include "msvc/cxx_type.h"

const CxxBuiltinInfo cxx_builtin_info[CXX_BUILTIN_COUNT] = {
#define CXX_BUILTIN(id, itanium, spelling, microsoft, size) {itanium, spelling, microsoft, size},
#include "msvc/cxx_builtins.def"
};

void cxx_types_init(CxxTypes *t, Arena *arena)
{
	*t = (CxxTypes){.arena = arena};
	names_init(&t->names, arena);
}

/* Interning */

static uint32_t hash_type(const HashKey *key, const CxxType *t)
{
	uint64_t h = hash_mix(key, hash_begin(key),
	                      (uint64_t)t->builtin << 32 | t->quals << 16 | (unsigned)t->ref << 8 | t->kind);
	h = hash_mix(key, h, t->value);
	h = hash_mix(key, h,
	             (uint64_t)t->n << 4 | (unsigned)(t->variadic << 3 | t->is_noexcept << 2 |
	                                              t->is_template << 1 | t->negative));
	h = hash_mix(key, h, (uintptr_t)t->elem);
	h = hash_mix(key, h, (uintptr_t)t->scope);
	h = hash_mix(key, h, (uintptr_t)t->ident);
	for (uint32_t i = 0; i < t->n; i++)
		h = hash_mix(key, h, (uintptr_t)t->list[i]);
	return hash_end(key, h);
}

static bool same_type(const CxxType *a, const CxxType *b)
{
	return a->kind == b->kind && a->builtin == b->builtin && a->quals == b->quals && a->ref == b->ref &&
	       a->variadic == b->variadic && a->is_noexcept == b->is_noexcept &&
	       a->is_template == b->is_template && a->negative == b->negative && a->value == b->value &&
	       a->elem == b->elem && a->scope == b->scope && a->ident == b->ident && a->n == b->n &&
	       (a->n == 0 || memcmp(a->list, b->list, a->n * sizeof *a->list) == 0);
}

static void grow(CxxTypes *t)
{
	uint32_t cap = t->cap ? t->cap * 2 : 64;
	CxxType **slots = arena_array(t->arena, CxxType *, cap);
	for (uint32_t i = 0; i < t->cap; i++)
		for (CxxType *type = t->slots[i], *next; type; type = next) {
			next = type->next;
			type->next = slots[type->hash & (cap - 1)];
			slots[type->hash & (cap - 1)] = type;
		}
	t->slots = slots;
	t->cap = cap;
}

static unsigned depth_inside(const CxxType *t)
{
	unsigned depth = t->elem ? t->elem->depth : 0;
	if (t->scope && t->scope->depth > depth)
		depth = t->scope->depth;
	for (uint32_t i = 0; i < t->n; i++)
		if (t->list[i]->depth > depth)
			depth = t->list[i]->depth;
	return depth;
}

CxxType *cxx_type(CxxTypes *t, const CxxType *key)
{
	unsigned depth = depth_inside(key) + 1;
	if (depth > CXX_DEPTH_MAX)
		return NULL;
	uint32_t hash = hash_type(&t->names.key, key);
	for (CxxType *found = t->cap ? t->slots[hash & (t->cap - 1)] : NULL; found; found = found->next)
		if (found->hash == hash && same_type(found, key))
			return found;
	if (t->len >= t->cap)
		grow(t);
	CxxType *type = arena_new(t->arena, CxxType);
	*type = *key;
	type->list = arena_copy_n(t->arena, key->list, key->n, sizeof *key->list);
	type->depth = (uint16_t)depth;
	type->hash = hash;
	type->next = t->slots[hash & (t->cap - 1)];
	t->slots[hash & (t->cap - 1)] = type;
	t->len++;
	return type;
}

CxxType *cxx_type_builtin(CxxTypes *t, CxxBuiltin b)
{
	return cxx_type(t, &(CxxType){.kind = CXX_BUILTIN, .builtin = b});
}

CxxType *cxx_type_of(CxxTypes *t, CxxKind kind, CxxType *elem)
{
	return cxx_type(t, &(CxxType){.kind = kind, .elem = elem});
}

CxxType *cxx_type_named(CxxTypes *t, CxxType *scope, Str ident)
{
	return cxx_type(
	    t, &(CxxType){.kind = CXX_NAMED, .scope = scope, .ident = name_intern(&t->names, ident)});
}

CxxType *cxx_type_specialize(CxxTypes *t, const CxxType *name, CxxType *const *args, uint32_t n)
{
	CxxType key = {.kind = CXX_NAMED,
	               .scope = name->scope,
	               .ident = name->ident,
	               .is_template = true,
	               .list = (CxxType **)args,
	               .n = n};
	return cxx_type(t, &key);
}

unsigned cxx_type_quals(const CxxType *type)
{
	while (type->kind == CXX_ARRAY)
		type = type->elem;
	return type->kind == CXX_QUALIFIED ? type->quals : 0;
}
