/* join/coff.c: join/join.h for COFF ("PE Format", Microsoft; x86_64).
 *
 *   1  read      each part's tables (join/coff_read.c)
 *   2  COMDATs   of a name that was there before are left out, with those that go with them
 *   3  sections  get their places in those of the result
 *   4  symbols   numbered anew; names that a part does not define find what another one
 *      does (join/coff_symbols.c)
 *   5  write     headers, contents and what they refer to, relocations, symbols (join/coff_write.c)
 */
#include "join/coff.h"

/* A COMDAT that no other object can choose has no key, and is in one part. */
static void leave_out_known(CoffPart *p)
{
	for (uint32_t i = 1; i <= p->nsections; i++) {
		CoffIn *in = &p->sections[i];
		if (!(in->h->flags & COFF_COMDAT) || in->selection == COFF_ASSOCIATIVE || !in->key)
			continue;
		CoffMeaning *m = coff_meaning(in->key);
		in->left_out = m->comdat;
		m->comdat = true;
	}
	for (uint32_t i = 1; i <= p->nsections; i++)
		if (p->sections[i].leader)
			p->sections[i].left_out = p->sections[p->sections[i].leader].left_out;
}

static CoffOut *add_section(CoffJoin *j, const CoffIn *in)
{
	CoffOut *o = arena_new(j->mem, CoffOut);
	o->name = in->name;
	o->flags = in->h->flags & ~(uint32_t)(COFF_ALIGN_MASK | COFF_MORE_RELOCATIONS);
	o->selection = in->selection;
	vec_push(j->mem, &j->out, o);
	o->number = j->out.len;
	return o;
}

static CoffOut *find_like(CoffJoin *j, const CoffIn *in)
{
	CoffMeaning *m = coff_meaning(in->name);
	uint32_t flags = in->h->flags & ~(uint32_t)(COFF_ALIGN_MASK | COFF_MORE_RELOCATIONS);
	if (flags & COFF_COMDAT)
		return add_section(j, in);
	for (CoffOut *o = m->sections; o; o = o->next_of_name)
		if (o->flags == flags)
			return o;
	CoffOut *o = add_section(j, in);
	o->next_of_name = m->sections;
	m->sections = o;
	return o;
}

/* False: what refers to the contents has no room for the offset. */
static bool place(CoffJoin *j, CoffIn *in)
{
	uint32_t align = in->h->flags & COFF_ALIGN_MASK, log = align ? (align >> COFF_ALIGN_SHIFT) - 1 : 0;
	CoffOut *o = in->out = find_like(j, in);
	uint64_t begin = join_align(o->size, UINT64_C(1) << log);
	in->shift = (uint32_t)begin;
	o->size = begin + in->h->size;
	o->nrelocations += in->nrelocations;
	if (o->align < align)
		o->align = align;
	return o->size <= INT32_MAX && o->nrelocations < UINT32_MAX;
}

/* Associative COMDATs follow all others, as LLVM has them. */
static bool place_sections(CoffJoin *j, bool associative)
{
	for (uint32_t k = 0; k < j->nparts; k++) {
		CoffPart *p = &j->parts[k];
		for (uint32_t i = 1; i <= p->nsections; i++) {
			CoffIn *in = &p->sections[i];
			if (in->left_out || (in->leader != 0) != associative)
				continue;
			if (!place(j, in))
				return false;
			if (associative)
				in->out->leader = p->sections[in->leader].out;
		}
	}
	return true;
}

static JoinResult join_all(CoffJoin *j, Str *object)
{
	for (uint32_t k = 0; k < j->nparts; k++) {
		if (!coff_read(j, &j->parts[k]))
			return JOIN_UNFIT;
		leave_out_known(&j->parts[k]);
	}
	bool ok = place_sections(j, false) && place_sections(j, true) && coff_join_symbols(j);
	return ok ? coff_write(j, object) : JOIN_UNFIT;
}

JoinResult join_coff(const Str *parts, uint32_t n, const JoinPrefixes *prefixes, Arena *mem, Str *object)
{
	CoffJoin j = {.mem = mem, .parts = arena_array(mem, CoffPart, n), .nparts = n, .prefixes = *prefixes};
	names_init(&j.names, mem);
	for (uint32_t k = 0; k < n; k++)
		j.parts[k].bytes = parts[k];
	return join_all(&j, object);
}
