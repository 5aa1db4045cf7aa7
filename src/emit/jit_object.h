/* emit/jit_object.h: what an ELF object defines and needs; common symbols count as weak definitions. Objects may come from anywhere: nothing outside of the bytes is read. */
#ifndef CIRC_EMIT_JIT_OBJECT_H
#define CIRC_EMIT_JIT_OBJECT_H

#include "base/base.h"

typedef enum ObjectSymbolKind {
	OBJECT_DEFINES,
	OBJECT_DEFINES_WEAK,
	OBJECT_NEEDS,
	OBJECT_NEEDS_WEAK, /* may stay undefined: its address is then null */
} ObjectSymbolKind;

typedef void ObjectVisitor(const char *name, ObjectSymbolKind kind, void *user);

/* NULL: a relocatable x86_64 object that needs no dynamic loader; else why not, in a few words. `object` is aligned as malloc aligns. */
const char *object_check(Str object);

/* The global symbols of an object that was checked, in the order of its table; `name` points into the object. */
void object_visit_symbols(Str object, ObjectVisitor *visit, void *user);

typedef bool ObjectChooser(const char *name, const void *user);

/* Weak definitions that are chosen become references to the definition of somebody else. */
void object_undefine_weak(char *object, size_t len, ObjectChooser *choose, const void *user);

#endif
