/* What D's code calls of its runtime, on libcircrt: an exception of the language 68 holds a reference to what was thrown. */
#include <circ/runtime.h>

void *malloc(size_t size);

enum { LANGUAGE_D = 68 };

typedef struct Slice {
	size_t length;
	void *data;
} Slice;

typedef struct Class {
	void *vtable, *monitor;
	Slice initial, name, functions, interfaces;
	const struct Class *base;
} Class;

typedef struct Object {
	const Class *const *vtable; /* its first entry */
} Object;

static const CircClause thrown = {CIRC_CLAUSE_TYPE, LANGUAGE_D, &thrown};

void *_d_allocclass(const Class *c);
void _d_throw_exception(Object *object);
Object *_d_eh_enter_catch(Object **object);
int d_compare(const Class *wanted, const CircRecord *record);

void *_d_allocclass(const Class *c)
{
	return malloc(c->initial.length);
}

void _d_throw_exception(Object *object)
{
	Object **exception = circ_allocate_exception(sizeof *exception);
	*exception = object;
	circ_throw_noncontinuable(exception, &thrown, NULL);
}

/* Of the table: `catch`. */
Object *_d_eh_enter_catch(Object **object)
{
	return *object;
}

/* Of the table: `compare`. */
int d_compare(const Class *wanted, const CircRecord *record)
{
	if (record->code != CIRC_CODE_LANGUAGE || record->info[0] != LANGUAGE_D)
		return CIRC_CONTINUE_SEARCH;
	const Object *object = *(Object **)record->object;
	for (const Class *c = *object->vtable; c; c = c->base)
		if (c == wanted)
			return CIRC_EXECUTE_HANDLER;
	return CIRC_CONTINUE_SEARCH;
}
