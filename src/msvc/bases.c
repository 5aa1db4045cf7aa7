#include "msvc/bases.h"

#include "msvc/direct_base.h"
#include "msvc/virtual_base.h"

enum { SUBOBJECTS_MAX = 1024, VISITS_MAX = 65536 };

/* A virtual base: there is one, on however many ways it is reached. */
typedef struct Root {
	MsInfo *info;
	int64_t vbptr;
	int32_t vbtable;
	bool located, is_public;
} Root;

/* One way to a virtual base. */
typedef struct Way {
	uint32_t root;
	int32_t from; /* virtual base that it begins in; -1: the object */
	bool is_private;
} Way;

typedef struct Subobject {
	MsInfo *info;
	int32_t root; /* -1: the object */
	int64_t offset;
	bool is_private; /* on the way from the root */
	bool has_virtual;
} Subobject;

typedef struct Walk {
	MsTypes *t;
	Loc loc;
	VEC(Subobject) objects;
	VEC(Root) roots;
	VEC(Way) ways;
	unsigned visits; /* left to ms_vbase_slot() */
} Walk;

static bool walk(Walk *w, Subobject object, unsigned depth);

/* The object's table tells the places of its virtual bases, and so does that of a base. Not that of a virtual
 * base: its own place is not known before. */
static bool walk_virtual(Walk *w, const Subobject *from, const MsDirect *base, MsInfo *info, unsigned depth)
{
	uint32_t root = 0;
	while (root < w->roots.len && !ms_info_same(w->roots.data[root].info, info))
		root++;
	bool is_new = root == w->roots.len;
	if (is_new)
		vec_push(&w->t->m->scratch, &w->roots, ((Root){.info = info}));
	Root *r = &w->roots.data[root];
	if (!r->located && from->root < 0) {
		r->located = true;
		r->vbptr = from->offset + base->vbptr;
		r->vbtable = base->vbtable;
	}
	Way way = {.root = root, .from = from->root, .is_private = from->is_private || base->is_private};
	vec_push(&w->t->m->scratch, &w->ways, way);
	return !is_new || walk(w, (Subobject){.info = info, .root = (int32_t)root}, depth + 1);
}

static bool walk_base(Walk *w, const Subobject *from, const MsDirect *base, unsigned depth)
{
	MsInfo *info = ms_direct_info(w->t, base, w->loc);
	if (!info)
		return false;
	if (base->is_virtual)
		return walk_virtual(w, from, base, info, depth);
	Subobject object = {.info = info,
	                    .root = from->root,
	                    .offset = from->offset + base->offset,
	                    .is_private = from->is_private || base->is_private};
	return walk(w, object, depth + 1);
}

static bool walk(Walk *w, Subobject object, unsigned depth)
{
	MsDirects bases = {0};
	bool is_own_base = w->objects.len && ms_info_same(w->objects.data[0].info, object.info);
	if (is_own_base || w->objects.len >= SUBOBJECTS_MAX || depth > CXX_DEPTH_MAX) {
		diag_error(w->t->d, w->loc, "'%s' has more than %d base subobjects, or is a base of itself",
		           ms_info_spelling(w->t, w->objects.data[0].info), SUBOBJECTS_MAX);
		return false;
	}
	uint32_t self = w->objects.len;
	vec_push(&w->t->m->scratch, &w->objects, object);
	if (!ms_direct_bases(w->t, object.info, w->loc, &bases))
		return false;
	for (uint32_t i = 0; i < bases.len; i++) {
		uint32_t child = w->objects.len;
		if (!walk_base(w, &object, &bases.data[i], depth))
			return false;
		w->objects.data[self].has_virtual |=
		    bases.data[i].is_virtual || w->objects.data[child].has_virtual;
	}
	return true;
}

/* A virtual base is accessible if it is on one of its ways: as in C++ (class.paths). */
static void find_public_roots(Walk *w)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t i = 0; i < w->ways.len; i++) {
			const Way *way = &w->ways.data[i];
			Root *root = &w->roots.data[way->root];
			if (root->is_public || way->is_private ||
			    (way->from >= 0 && !w->roots.data[way->from].is_public))
				continue;
			root->is_public = changed = true;
		}
	}
}

static bool is_ambiguous(const Walk *w, const MsInfo *info)
{
	unsigned n = 0;
	for (uint32_t i = 0; i < w->objects.len; i++)
		n += ms_info_same(w->objects.data[i].info, info);
	return n > 1;
}

/* A base of another virtual base: the tables of the object and of its other bases tell its place too. */
static bool locate(Walk *w, Root *root)
{
	for (uint32_t i = 0; i < w->objects.len && !root->located; i++) {
		const Subobject *o = &w->objects.data[i];
		if (o->root >= 0)
			continue;
		root->vbtable = ms_vbase_slot(w->t, o->info, root->info, w->loc, &w->visits);
		root->vbptr = o->offset;
		root->located = root->vbtable != 0;
	}
	if (root->located)
		return true;
	diag_error(w->t->d, w->loc,
	           "cannot locate virtual base '%s' in '%s', because it is a base of another virtual base; "
	           "list it in 'cir.ms.bases' of that type info, too",
	           ms_info_spelling(w->t, root->info), ms_info_spelling(w->t, w->objects.data[0].info));
	return false;
}

static bool fits(int64_t v)
{
	return v >= INT32_MIN && v <= INT32_MAX;
}

static bool add_base(Walk *w, const Subobject *o, MsBases *out)
{
	Root *root = o->root >= 0 ? &w->roots.data[o->root] : NULL;
	if (o->is_private || (root && !root->is_public) || is_ambiguous(w, o->info))
		return true;
	if (root && !root->located && !locate(w, root))
		return false;
	if (!fits(o->offset) || (root && !fits(root->vbptr))) {
		diag_error(w->t->d, w->loc, "offset of base '%s' in '%s' does not fit 32 bits",
		           ms_info_spelling(w->t, o->info), ms_info_spelling(w->t, w->objects.data[0].info));
		return false;
	}
	MsPlace place = {.mdisp = (int32_t)o->offset, .pdisp = -1};
	if (root) {
		place.pdisp = (int32_t)root->vbptr;
		place.vdisp = root->vbtable;
	}
	MsBase base = {.info = o->info, .place = place, .has_virtual = o->has_virtual};
	vec_push(&w->t->m->arena, out, base);
	return true;
}

bool ms_bases(MsTypes *t, MsInfo *info, Loc loc, MsBases *out)
{
	Walk w = {.t = t, .loc = loc, .visits = VISITS_MAX};
	ArenaMark mark = arena_mark(&t->m->scratch);
	bool ok = walk(&w, (Subobject){.info = info, .root = -1}, 0);
	if (ok)
		find_public_roots(&w);
	for (uint32_t i = 0; ok && i < w.objects.len; i++)
		ok = add_base(&w, &w.objects.data[i], out);
	arena_release(&t->m->scratch, mark);
	return ok;
}
