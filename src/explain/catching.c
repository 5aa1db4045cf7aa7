#include "explain/catching.h"

/* A type with all of its bases. */
typedef struct TypeBases {
	VEC(const CircExplainedType *) all; /* empty: nothing here names the type */
	bool is_known;                      /* no other is one */
} TypeBases;

/* "T const*" */
typedef struct PointerType {
	Str pointee; /* without its qualifiers; empty: it is no pointer */
	bool is_const, is_volatile;
} PointerType;

static bool is_pointer_name(Str type)
{
	return type.len && type.data[type.len - 1] == '*';
}

/* Not of a class, so that it has no bases. */
static bool is_builtin(Str type)
{
	static const char *const names[] = {"void",
	                                    "bool",
	                                    "char",
	                                    "signed char",
	                                    "unsigned char",
	                                    "wchar_t",
	                                    "short",
	                                    "int",
	                                    "long",
	                                    "long long",
	                                    "char8_t",
	                                    "char16_t",
	                                    "char32_t",
	                                    "unsigned short",
	                                    "unsigned int",
	                                    "float",
	                                    "unsigned long",
	                                    "double",
	                                    "unsigned long long",
	                                    "long double",
	                                    "__int128",
	                                    "decltype(nullptr)"};
	if (type.len && strchr("*)]", type.data[type.len - 1]))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (str_is(type, names[i]))
			return true;
	return false;
}

/* Names */

static Str without_blanks(Str s)
{
	while (s.len && s.data[s.len - 1] == ' ')
		s.len--;
	return s;
}

/* Takes a last word off. */
static bool take_word(Str *s, const char *word)
{
	size_t n = strlen(word);
	if (s->len <= n || memcmp(s->data + s->len - n, word, n) != 0 || s->data[s->len - n - 1] != ' ')
		return false;
	s->len -= n;
	*s = without_blanks(*s);
	return true;
}

static PointerType pointer_of(Str type)
{
	PointerType p = {0};
	if (!is_pointer_name(type))
		return p;
	type.len--;
	p.pointee = without_blanks(type);
	for (bool more = true; more;) {
		bool is_const = take_word(&p.pointee, "const"),
		     is_volatile = take_word(&p.pointee, "volatile");
		p.is_const |= is_const;
		p.is_volatile |= is_volatile;
		more = is_const || is_volatile;
	}
	return p;
}

static size_t pass_blanks(Str s, size_t i)
{
	size_t end = i;
	while (end < s.len && s.data[end] == ' ')
		end++;
	return end < s.len && s.data[end] == '*' ? end : i;
}

static bool is_same_name(Str a, Str b)
{
	size_t i = 0, k = 0;
	for (;; i++, k++) {
		i = pass_blanks(a, i);
		k = pass_blanks(b, k);
		if (i == a.len || k == b.len)
			return i == a.len && k == b.len;
		if (a.data[i] != b.data[k])
			return false;
	}
}

const CircExplainedType *catching_find(const CircExplanation *e, Str name)
{
	for (uint32_t i = 0; i < e->types.len; i++) {
		const CircExplainedType *t = e->types.data[i];
		if (is_same_name(str_of(t->name), name) || (t->symbol && str_is(name, t->symbol)))
			return t;
	}
	return NULL;
}

/* Bases */

static void add_type(CircExplanation *e, TypeBases *b, bool *seen, const CircExplainedType *t)
{
	if (!t || seen[t->index])
		return;
	seen[t->index] = true;
	b->is_known &= t->has_bases || is_builtin(str_of(t->name));
	vec_push(&e->arena, &b->all, t);
}

static TypeBases bases_of(CircExplanation *e, Str name)
{
	TypeBases b = {.is_known = true};
	bool *seen = arena_array(&e->arena, bool, e->types.len);
	add_type(e, &b, seen, catching_find(e, name));
	if (!b.all.len)
		b.is_known = is_builtin(name);
	for (uint32_t i = 0; i < b.all.len; i++) {
		const CircExplainedType *t = b.all.data[i];
		for (size_t k = 0; k < t->nbases; k++)
			add_type(e, &b, seen, t->bases[k]);
	}
	return b;
}

/* Handlers */

static bool has_name(const TypeBases *b, Str name)
{
	for (uint32_t i = 0; i < b->all.len; i++)
		if (is_same_name(str_of(b->all.data[i]->name), name))
			return true;
	return false;
}

/* A pointer goes to a base, to void, and to more qualifiers ([except.handle]; Itanium C++ ABI, 2.9.5.7). Pointers to pointers may
 * get qualifiers farther inside: that is not worked out. */
static CircTaken takes_pointer(const PointerType *from, const TypeBases *pointee, Str handler)
{
	PointerType to = pointer_of(handler);
	bool is_function = from->pointee.len && from->pointee.data[from->pointee.len - 1] == ')';
	if (!from->pointee.len || !to.pointee.len || from->is_const > to.is_const ||
	    from->is_volatile > to.is_volatile)
		return CIRC_TAKEN_NO;
	if (is_same_name(from->pointee, to.pointee) || (str_is(to.pointee, "void") && !is_function) ||
	    has_name(pointee, to.pointee))
		return CIRC_TAKEN_YES;
	bool is_deep = is_pointer_name(from->pointee) && is_pointer_name(to.pointee);
	return is_deep || (!pointee->is_known && !is_builtin(to.pointee)) ? CIRC_TAKEN_PERHAPS
	                                                                  : CIRC_TAKEN_NO;
}

Catching catching_of(CircExplanation *e, const char *type)
{
	Str name = str_of(type);
	const CircExplainedType *known = catching_find(e, name);
	if (known)
		name = str_of(known->name);
	TypeBases thrown = bases_of(e, name);
	PointerType pointer = pointer_of(name);
	TypeBases pointee = bases_of(e, pointer.pointee);
	Catching c = {arena_array(&e->arena, CircTaken, e->types.len)};
	for (uint32_t i = 0; i < e->types.len; i++) {
		Str handler = str_of(e->types.data[i]->name);
		bool may = !thrown.is_known && !is_builtin(handler);
		c.takes[i] = may ? CIRC_TAKEN_PERHAPS : takes_pointer(&pointer, &pointee, handler);
	}
	for (uint32_t i = 0; i < thrown.all.len; i++)
		c.takes[thrown.all.data[i]->index] = CIRC_TAKEN_YES;
	return c;
}

static CircTaken takes_one_of(const Catching *c, const CircStep *step)
{
	CircTaken best = CIRC_TAKEN_NO;
	for (size_t i = 0; i < step->ntypes && best != CIRC_TAKEN_YES; i++)
		if (c->takes[step->types[i]->index] != CIRC_TAKEN_NO)
			best = c->takes[step->types[i]->index];
	return best;
}

CircTaken catching_takes(const Catching *c, const CircStep *step)
{
	switch (step->kind) {
	case CIRC_STEP_CATCH:
		return takes_one_of(c, step);
	case CIRC_STEP_CATCH_ALL:
	case CIRC_STEP_TERMINATE:
		return CIRC_TAKEN_YES;
	case CIRC_STEP_WHEN:
		return CIRC_TAKEN_PERHAPS;
	case CIRC_STEP_SPECIFICATION: {
		CircTaken named = takes_one_of(c, step);
		return named == CIRC_TAKEN_YES  ? CIRC_TAKEN_NO
		       : named == CIRC_TAKEN_NO ? CIRC_TAKEN_YES
		                                : CIRC_TAKEN_PERHAPS;
	}
	case CIRC_STEP_CLEANUP:
	case CIRC_STEP_FINALLY:
		break;
	}
	return CIRC_TAKEN_NO;
}
