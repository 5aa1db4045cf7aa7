/* What is not ours, in our handlers: exceptions of C++, and those of the system. Handlers are behind the unwinding, when the object that C++
 * threw, on the stack of the throw, is gone: it is moved before. */
#include "runtime/eh/libc.h"
#include "runtime/eh/msvc/seh.h"

enum { IS_PLAIN = 1, HAS_VIRTUAL_BASE = 4 };

typedef struct Kept {
	struct Kept *older; /* on its way */
	struct Kept *owner; /* of the object: itself, or that of a handler which threw it on */
	uint32_t uses;      /* of an owner: handlers that hold its object */
	bool is_thrown;     /* of an owner: its object is on its way, perhaps to C++ */
	ExceptionRecord record;
	uintptr_t frame, stack;
	void *const *slot; /* the handler's variable, for circ_seh_landed() */
	uint32_t state;    /* CIRCEH_KEPT */
	_Alignas(16) char object[];
} Kept;

/* One without an object, as a fault is. */
static _Thread_local Kept spare;

typedef void Destroy(void *object);
typedef void *Copy(void *to, const void *from, int is_most_derived);

CircRecord circeh_foreign_record(void *native)
{
	const ExceptionRecord *r = native;
	CircRecord shown = {
	    .code = r->code == CXX_EXCEPTION ? CIRC_CODE_FOREIGN : r->code,
	    .flags = r->flags & SEH_NONCONTINUABLE || r->code == CXX_EXCEPTION ? CIRC_NONCONTINUABLE : 0,
	    .address = r->address,
	    .native = native,
	};
	for (uint32_t i = 0; i < 2 && i < r->nparameters && r->code != CXX_EXCEPTION; i++)
		shown.info[i] = r->parameters[i];
	return shown;
}

static void destroy_object(const ExceptionRecord *r)
{
	const ThrowInfo *info = (const ThrowInfo *)r->parameters[PARAMETER_THROW_INFO];
	Destroy *destroy = (Destroy *)circeh_in_module(r, info->destructor);
	if (destroy)
		destroy((void *)r->parameters[PARAMETER_OBJECT]);
}

static void move_object(Kept *k, const CatchableType *type)
{
	void *from = (void *)k->record.parameters[PARAMETER_OBJECT];
	Copy *copy = (Copy *)circeh_in_module(&k->record, type->copy);
	if (!copy || type->properties & IS_PLAIN) {
		memcpy(k->object, from, type->size);
	} else {
		copy(k->object, from, 1);
		destroy_object(&k->record);
	}
	k->record.parameters[PARAMETER_OBJECT] = (uintptr_t)k->object;
}

static Kept *allocate_kept(size_t of_object)
{
	if (of_object || spare.state == CIRCEH_KEPT)
		return circeh_allocate(sizeof(Kept) + of_object);
	spare = (Kept){0};
	return &spare;
}

static void free_kept(Kept *k)
{
	if (k == &spare)
		spare.state = 0;
	else
		circeh_free(k);
}

static Kept *kept_of(void *native)
{
	Kept *k = (Kept *)((char *)native - offsetof(Kept, record));
	if (k->state != CIRCEH_KEPT)
		circeh_fatal("the header of an exception was written over");
	return k;
}

/* The owner of an object that a handler of ours throws on; NULL: it is not one. */
static Kept *owner_of(const ExceptionRecord *r)
{
	for (const CircehCatch *c = circeh_thread()->caught; c; c = c->older) {
		Kept *owner = c->own ? NULL : kept_of(c->native)->owner;
		if (owner && circeh_cxx_type(&owner->record) &&
		    owner->record.parameters[PARAMETER_OBJECT] == r->parameters[PARAMETER_OBJECT])
			return owner;
	}
	return NULL;
}

void *circeh_keep_foreign(const ExceptionRecord *r, uintptr_t frame, void *const *slot, uintptr_t stack)
{
	CircehThread *t = circeh_thread();
	const CatchableType *type = circeh_cxx_type(r);
	Kept *owner = type ? owner_of(r) : NULL;
	Kept *k = allocate_kept(type && !owner ? type->size : 0);
	k->record = *r;
	k->frame = frame;
	k->slot = slot;
	k->stack = stack;
	k->state = CIRCEH_KEPT;
	k->owner = owner ? owner : k;
	k->owner->is_thrown = true;
	k->older = t->kept;
	t->kept = k;
	if (type && !owner)
		move_object(k, type);
	return &k->record;
}

/* Nobody throws it on any longer: the handlers that did hold it again. */
static void arrive(const Kept *k)
{
	k->owner->is_thrown = false;
	for (CircehCatch *c = circeh_thread()->caught; c; c = c->older)
		if (!c->own && c->handlers < 0 && kept_of(c->native)->owner == k->owner)
			c->handlers = -c->handlers;
}

/* One that is on its way no longer. */
static void take_out(const Kept *k)
{
	Kept *first = circeh_thread()->kept;
	for (Kept **link = &first; *link; link = &(*link)->older)
		if (*link == k) {
			*link = k->older;
			break;
		}
	circeh_thread()->kept = first;
	arrive(k);
}

void *circeh_kept_for(void *const *slot, const void *native, uintptr_t *stack)
{
	Kept *k = circeh_thread()->kept;
	while (k && (k->slot != slot || (native && native != &k->record)))
		k = k->older;
	if (!k)
		return NULL;
	*stack = k->stack;
	return &k->record;
}

void circeh_foreign_begin(CircehCatch *c)
{
	const Kept *k = kept_of(c->native);
	take_out(k);
	k->owner->uses++;
	circeh_replace_below(NULL, k->frame);
}

/* One that is thrown on stays, since C++ may look at its object in the handler that takes it next, and destroys it. */
static void let_go(Kept *k)
{
	Kept *owner = k->owner;
	if (k != owner)
		free_kept(k);
	if (owner->uses || owner->is_thrown)
		return;
	if (circeh_cxx_type(&owner->record))
		destroy_object(&owner->record);
	free_kept(owner);
}

void circeh_foreign_end(CircehCatch *c)
{
	Kept *k = kept_of(c->native);
	k->owner->uses--;
	let_go(k);
}

_Noreturn void circeh_foreign_rethrow(CircehCatch *c)
{
	const ExceptionRecord *r = c->native;
	c->handlers = -c->handlers;
	kept_of(c->native)->owner->is_thrown = true;
	/* What raised it does not wait any longer, a fault neither. */
	RaiseException(r->code, r->flags | SEH_NONCONTINUABLE, r->nparameters, r->parameters);
	circeh_unhandled(NULL, "execution cannot go on where a foreign exception was thrown on");
}

void circeh_foreign_drop(void *native)
{
	take_out(kept_of(native));
	let_go(kept_of(native));
}

void circeh_foreign_replace_below(CircException *by, uintptr_t frame)
{
	Kept *next;
	for (Kept *k = circeh_thread()->kept; k; k = next) {
		next = k->older;
		if (k->stack >= frame)
			continue;
		CircRecord shown = circeh_foreign_record(&k->record);
		circeh_on_replaced(&shown, by ? &by->record : NULL);
		circeh_foreign_drop(&k->record);
	}
}
