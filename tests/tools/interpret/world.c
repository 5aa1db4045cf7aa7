#include "interpret.h"

#include <stdio.h>
#include <string.h>

typedef struct Object { /* Base, Obj, Elem: n alone */
	int32_t n, extra;
} Object;

void world_start(World *w, unsigned sequence)
{
	*w = (World){.state = sequence * 2654435761u + 12345u};
	fault_start(w);
}

unsigned world_decide(World *w)
{
	w->state = w->state * 1664525u + 1013904223u;
	w->decisions++;
	return w->state >> 16;
}

bool world_is_exhausted(const World *w)
{
	return w->decisions > 150;
}

bool world_is_base(const char *derived, const char *base)
{
	return strcmp(derived, "7Derived") == 0 && strcmp(base, "4Base") == 0;
}

static void make_derived(Object *o, int n)
{
	o->n = n;
	o->extra = n * 2;
	printf(" +D%d", n);
}

static Way throw_some(Interp *in, int n)
{
	Exception *e;
	Object *o;
	double d = n + 0.5;
	switch (world_decide(&in->world) % 5) {
	case 0:
		e = exception_new(in, "i", sizeof n);
		memcpy(e->object, &n, sizeof n);
		break;
	case 1:
		e = exception_new(in, "d", sizeof d);
		memcpy(e->object, &d, sizeof d);
		break;
	case 2:
		e = exception_new(in, "7Derived", sizeof *o);
		make_derived(e->object, n);
		e->dtor = ir_name(in->m, STR("derived_dtor"));
		break;
	case 3:
		o = arena_new(&in->mem, Object);
		make_derived(o, n);
		e = exception_new(in, "P4Base", sizeof(void *));
		memcpy(e->object, &o, sizeof(void *));
		break;
	default:
		e = exception_new(in, "PKc", sizeof(void *));
		break;
	}
	return exception_throw(in, e);
}

static Way maybe_throw(Interp *in, int n, unsigned one_in)
{
	if (world_is_exhausted(&in->world) || world_decide(&in->world) % one_in != 0)
		return WAY_END;
	return throw_some(in, n);
}

static bool call_decision(World *w, const char *name, Value *result)
{
	if (strcmp(name, "choose") == 0)
		result->i = world_decide(w) & 1;
	else if (strcmp(name, "more") == 0)
		result->i = !world_is_exhausted(w) && world_decide(w) % 4 != 0;
	else if (strcmp(name, "pick") == 0)
		result->i = world_decide(w) % 10;
	else
		return false;
	return true;
}

static bool call_saw(const char *name, Value v)
{
	const Object *o = v.p;
	if (strcmp(name, "ev") == 0)
		printf(" %d", (int)v.i);
	else if (strcmp(name, "saw_int") == 0)
		printf(" int=%d", (int)v.i);
	else if (strcmp(name, "saw_double") == 0)
		printf(" double=%g", v.f);
	else if (strcmp(name, "saw_base") == 0)
		printf(" base=%d", o->n);
	else if (strcmp(name, "saw_derived") == 0)
		printf(" derived=%d,%d", o->n, o->extra);
	else if (strcmp(name, "saw_copy") == 0)
		printf(" copy=%d,%d", o->n, o->extra);
	else if (strcmp(name, "saw_pointer") == 0)
		printf(" pointer=%d", o->n);
	else
		return false;
	return true;
}

static bool call_object(Interp *in, const char *name, const Value *args, Way *way)
{
	Object *o = args[0].p;
	if (strcmp(name, "obj_ctor") == 0) {
		o->n = (int)args[1].i;
		printf(" +%d", o->n);
		*way = maybe_throw(in, o->n, 12);
	} else if (strcmp(name, "obj_dtor") == 0) {
		printf(" -%d", o->n);
		*way = maybe_throw(in, o->n, 20);
	} else if (strcmp(name, "elem_ctor") == 0) {
		o->n = (int)++in->world.elements;
		printf(" +e%d", o->n);
		*way = maybe_throw(in, o->n, 10);
	} else if (strcmp(name, "elem_dtor") == 0) {
		printf(" -e%d", o->n);
	} else if (strcmp(name, "condition_ctor") == 0) {
		o->n = (int)args[1].i;
		printf(" +c%d", o->n);
	} else if (strcmp(name, "wild_dtor") == 0) {
		printf(" -w%d", o->n);
		if (!in->uncaught)
			*way = maybe_throw(in, o->n, 8);
	} else if (strcmp(name, "derived_ctor") == 0) {
		make_derived(o, (int)args[1].i);
	} else if (strcmp(name, "derived_copy") == 0) {
		*o = *(const Object *)args[1].p;
		printf(" =D%d", o->n);
	} else if (strcmp(name, "derived_dtor") == 0) {
		printf(" -D%d", o->n);
	} else {
		return false;
	}
	return true;
}

/* new[] and delete[] of the elements */
static bool call_memory(Interp *in, const char *name, const Value *args, Value *result)
{
	if (strcmp(name, "array_new") == 0) {
		printf(" new%u", (unsigned)args[0].i);
		result->p = arena_alloc(&in->mem, args[0].i, 16);
	} else if (strcmp(name, "array_delete") == 0) {
		printf(" delete%u", (unsigned)args[1].i);
	} else {
		return false;
	}
	return true;
}

bool world_call(Interp *in, const char *name, const Value *args, Value *result, Way *way)
{
	*way = WAY_END;
	if (strcmp(name, "act") == 0) {
		printf(" act%d", (int)args[0].i);
		*way = maybe_throw(in, (int)args[0].i, 6);
		return true;
	}
	return call_decision(&in->world, name, result) || call_saw(name, args[0]) ||
	       call_memory(in, name, args, result) || call_object(in, name, args, way);
}

void world_print_escape(const Exception *e)
{
	const Object *o = e->object;
	double d;
	if (strcmp(e->type, "i") == 0) {
		printf(" escapes int=%d\n", o->n);
	} else if (strcmp(e->type, "d") == 0) {
		memcpy(&d, e->object, sizeof d);
		printf(" escapes double=%g\n", d);
	} else if (strcmp(e->type, "7Derived") == 0) {
		printf(" escapes base=%d -D%d\n", o->n, o->n);
	} else if (strcmp(e->type, "P4Base") == 0) {
		printf(" escapes pointer=%d\n", (*(Object **)e->object)->n);
	} else {
		printf(" escapes\n");
	}
}
