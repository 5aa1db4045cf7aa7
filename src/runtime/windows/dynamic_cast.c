/* __dynamic_cast (Itanium C++ ABI, section 2.9.7), for objects whose virtual tables CIR defines. Where type
 * infos would stand, the tables have what src/msvc/class_record.h tells: a descriptor of Microsoft's, and in
 * front of it the bases of the class. */
#include "runtime/windows/crt.h"

typedef struct Descriptor {
	const void *vftable;
	void *spelled;
	char name[];
} Descriptor;

typedef struct Class Class;

/* A virtual base lies where the table tells, `slot` bytes into it, to which the object points at `offset`. */
typedef struct Base {
	const Class *class;
	int32_t offset, slot;
	uint32_t flags, unused;
} Base;

enum { BASE_VIRTUAL = 1, BASE_PUBLIC = 2 };

struct Class {
	int64_t nbases; /* -1: not known */
	const Base *bases;
	const void *vftable; /* the descriptor begins */
	void *spelled;
	char name[];
};

/* What stands in front of the address point of a table. */
typedef struct Table {
	ptrdiff_t to_complete;
	const char *descriptor;
} Table;

typedef struct Search {
	const char *source, *target; /* names */
	const char *object;
	const char *found, *around; /* a target; one that `object` is a base of */
	unsigned nfound, naround;   /* how many there are */
	bool is_public;             /* object is a public base of the complete object */
	bool found_public, around_public;
	bool unknown; /* a class whose bases are not known was met */
} Search;

/* One subobject on the way down from the complete object to its bases. */
typedef struct Place {
	const Class *class;
	const char *at;
	bool is_public;             /* from the complete object */
	const char *target;         /* inside of this one, or NULL */
	bool is_public_from_target; /* if so */
} Place;

static bool is_class(const Class *class, const char *name)
{
	const char *own = class->name;
	while (*own && *own == *name)
		own++, name++;
	return *own == *name;
}

static const char *address(const Base *base, const char *at)
{
	at += base->offset;
	if (!(base->flags & BASE_VIRTUAL))
		return at;
	const char *table = *(const char *const *)at;
	return at + *(const int32_t *)(table + base->slot);
}

static void meet_target(Search *s, Place *p)
{
	s->nfound += s->found != p->at;
	s->found = p->at;
	s->found_public |= p->is_public;
	p->target = p->at;
	p->is_public_from_target = true;
}

static void meet_object(Search *s, const Place *p)
{
	s->is_public |= p->is_public;
	if (!p->target)
		return;
	s->naround += s->around != p->target;
	s->around = p->target;
	s->around_public |= p->is_public_from_target;
}

static void visit(Search *s, Place p)
{
	if (is_class(p.class, s->target))
		meet_target(s, &p);
	if (p.at == s->object && is_class(p.class, s->source))
		meet_object(s, &p);
	for (int64_t i = 0; i < p.class->nbases; i++) {
		const Base *base = &p.class->bases[i];
		bool is_public = base->flags & BASE_PUBLIC;
		visit(s, (Place){base->class, address(base, p.at), p.is_public && is_public, p.target,
		                 p.is_public_from_target && is_public});
	}
	s->unknown |= p.class->nbases < 0;
}

static _Noreturn void fail(const char *why, const char *class)
{
	FILE *err = __acrt_iob_func(2);
	fputs("terminating because of a dynamic_cast from ", err);
	fputs(class, err);
	fputs(why, err);
	terminate();
}

const void *__dynamic_cast(const void *object, const Descriptor *source, const Descriptor *target,
                           ptrdiff_t hint);

/* The hint of the caller is not needed. The only target that the object is a public base of; else, if it is a
 * public base at all, the only target there is, if that is public (C++ [expr.dynamic.cast]). */
const void *__dynamic_cast(const void *object, const Descriptor *source, const Descriptor *target,
                           ptrdiff_t hint)
{
	(void)hint;
	const Table *table = *(const Table *const *)object - 1;
	if (*(const uint32_t *)table->descriptor == 1) /* a complete object locator */
		fail(": the object has a virtual table of the Microsoft ABI\n", source->name);
	const Class *class = (const Class *)(table->descriptor - offsetof(Class, vftable));
	Search s = {.source = source->name, .target = target->name, .object = object};
	visit(&s,
	      (Place){.class = class, .at = (const char *)object + table->to_complete, .is_public = true});
	if (s.naround == 1 && s.around_public)
		return s.around;
	if (s.is_public && s.nfound == 1 && s.found_public)
		return s.found;
	if (s.unknown)
		fail(": no object of the program describes the bases of a class\n", source->name);
	return NULL;
}
