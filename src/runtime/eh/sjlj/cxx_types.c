#ifndef _MSC_VER
#include "runtime/eh/sjlj/cxx_types.h"

typedef struct TypeInfo {
	const uintptr_t *vtable; /* says which of the structures below it is */
	const char *name;        /* of local types, '*' is in front: only the address tells them apart */
} TypeInfo;

typedef struct SiClass {
	TypeInfo info;
	const TypeInfo *base; /* public, at offset 0 */
} SiClass;

enum { BASE_VIRTUAL = 1, BASE_PUBLIC = 2, BASE_OFFSET_SHIFT = 8 };

typedef struct VmiBase {
	const TypeInfo *type;
	intptr_t offset_flags;
} VmiBase;

typedef struct VmiClass {
	TypeInfo info;
	uint32_t flags, nbases;
	VmiBase bases[];
} VmiClass;

enum { POINTER_CONST = 1, POINTER_QUALIFIERS = 7 }; /* const, volatile, restrict */

typedef struct Pointer {
	TypeInfo info;
	uint32_t flags;
	const TypeInfo *to;
} Pointer;

/* A virtual table's address in objects is that of its third word (2.5.2). */
enum { VTABLE_HEADER = 2 };
#define OPTIONAL __attribute__((weak))
extern const uintptr_t si_class[] __asm__("_ZTVN10__cxxabiv120__si_class_type_infoE") OPTIONAL;
extern const uintptr_t vmi_class[] __asm__("_ZTVN10__cxxabiv121__vmi_class_type_infoE") OPTIONAL;
extern const uintptr_t pointer[] __asm__("_ZTVN10__cxxabiv119__pointer_type_infoE") OPTIONAL;
extern const TypeInfo void_info __asm__("_ZTIv") OPTIONAL;

static bool is_a(const TypeInfo *t, const uintptr_t *vtable)
{
	return vtable && t->vtable == vtable + VTABLE_HEADER;
}

static bool is_same_text(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

static bool is_same(const TypeInfo *a, const TypeInfo *b)
{
	return a == b || (a->name[0] != '*' && is_same_text(a->name, b->name));
}

typedef struct Found {
	const void *at; /* null: nowhere */
	bool ambiguous;
} Found;

static const char *base_address(const VmiBase *b, const char *object)
{
	intptr_t offset = b->offset_flags >> BASE_OFFSET_SHIFT;
	if (b->offset_flags & BASE_VIRTUAL) /* where in the object's virtual table the offset stands */
		offset =
		    *(const intptr_t *)(const void *)(*(const char *const *)(const void *)object + offset);
	return object + offset;
}

static void find_base(const TypeInfo *t, const char *at, const TypeInfo *wanted, Found *found)
{
	if (is_same(t, wanted)) {
		found->ambiguous |= found->at && found->at != at;
		found->at = at;
	} else if (is_a(t, si_class)) {
		find_base(((const SiClass *)t)->base, at, wanted, found);
	} else if (is_a(t, vmi_class)) {
		const VmiClass *c = (const VmiClass *)t;
		for (uint32_t i = 0; i < c->nbases; i++)
			if (c->bases[i].offset_flags & BASE_PUBLIC)
				find_base(c->bases[i].type, base_address(&c->bases[i], at), wanted, found);
	}
}

static bool is_or_has_base(const TypeInfo *t, const TypeInfo *wanted, void **object)
{
	Found found = {0};
	if (is_same(t, wanted))
		return true;
	if (!*object) /* a null pointer converts to one to any base; nothing is there to look for it in */
		return false;
	find_base(t, *object, wanted, &found);
	if (!found.at || found.ambiguous)
		return false;
	*object = (void *)(uintptr_t)found.at;
	return true;
}

/* Pointers in pointers may get qualifiers where all around them get const (C++17, [conv.qual]). */
static bool inner_takes(const TypeInfo *thrown, const TypeInfo *wanted, bool is_const)
{
	while (is_a(thrown, pointer) && is_a(wanted, pointer)) {
		const Pointer *t = (const Pointer *)thrown, *w = (const Pointer *)wanted;
		uint32_t has = t->flags & POINTER_QUALIFIERS, wants = w->flags & POINTER_QUALIFIERS;
		if (has & ~wants || (has != wants && !is_const))
			return false;
		is_const = is_const && wants & POINTER_CONST;
		thrown = t->to;
		wanted = w->to;
	}
	return is_same(thrown, wanted);
}

/* What it points to may get qualifiers, and convert to a base or to void. */
static bool pointer_takes(const Pointer *thrown, const Pointer *wanted, void **object)
{
	bool wants_void = &void_info && is_same(wanted->to, &void_info);
	if (thrown->flags & POINTER_QUALIFIERS & ~wanted->flags)
		return false;
	if (is_a(thrown->to, pointer) && is_a(wanted->to, pointer))
		return inner_takes(thrown->to, wanted->to, wanted->flags & POINTER_CONST);
	return wants_void || is_or_has_base(thrown->to, wanted->to, object);
}

bool circeh_cxx_takes(const void *thrown, const void *wanted, void **object)
{
	const TypeInfo *t = thrown, *w = wanted;
	void *at = *object;
	bool takes;
	if (is_a(t, pointer)) {
		at = *(void **)at;
		takes = is_same(t, w) ||
		        (is_a(w, pointer) && pointer_takes((const Pointer *)t, (const Pointer *)w, &at));
	} else {
		takes = is_or_has_base(t, w, &at);
	}
	if (takes)
		*object = at;
	return takes;
}
#endif
