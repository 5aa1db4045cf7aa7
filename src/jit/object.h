/* jit/object.h: what an ELF object defines and needs; common symbols count as weak definitions.
 *
 * Objects may come from anywhere: nothing outside of the bytes is read.
 */
#ifndef CIRC_JIT_OBJECT_H
#define CIRC_JIT_OBJECT_H

#include "base/base.h"

typedef enum ObjectSymbolKind {
	OBJECT_DEFINES,
	OBJECT_DEFINES_WEAK,
	OBJECT_NEEDS,
	OBJECT_NEEDS_WEAK, /* may stay undefined: its address is then null */
} ObjectSymbolKind;

typedef void ObjectVisitor(const char *name, ObjectSymbolKind kind, void *user);

/* NULL: a relocatable object of this machine that needs no dynamic loader; else why not, in a few words.
 * `object` is aligned as malloc aligns. */
const char *object_check(Str object);

/* The global symbols of an object that was checked, in the order of its table; `name` points into the object. */
void object_visit_symbols(Str object, ObjectVisitor *visit, void *user);

typedef enum ObjectChange {
	OBJECT_KEEP,
	OBJECT_MAKE_LOCAL,
	OBJECT_MAKE_UNDEFINED, /* a reference to somebody else's definition */
} ObjectChange;

typedef ObjectChange ObjectChooser(const char *name, const void *user);

/* Changes weak definitions of an object that was checked. */
void object_change_weak(char *object, size_t len, ObjectChooser *choose, const void *user);

/* Undefined symbols whose names begin so lose that. */
void object_strip_prefix(char *object, size_t len, const char *prefix);

/* The next section of code behind *at, which begins with index 0. False: there is none. */
typedef struct ObjectSection ObjectSection;
bool object_next_code(Str object, ObjectSection *at);

/* A linker defines __start_NAME and __stop_NAME for a section whose name C could spell (emit/fault_maps.h has one), JITLink for what it looks up
 * elsewhere only: here they become symbols of the object's own section. */
void object_define_bounds(char *object, size_t len);

/* The next section of that name behind *at, which begins with index 0. False: there is none. */
struct ObjectSection {
	size_t index;
	uint64_t size;
};
bool object_next_section(Str object, const char *name, ObjectSection *at);

/* A global symbol at the beginning of a section; the object, which malloc() gave, may move. */
typedef enum ObjectAddition {
	OBJECT_ADDED,
	OBJECT_NO_MEMORY,
	OBJECT_TOO_MANY_SECTIONS, /* for a symbol as circ writes it */
} ObjectAddition;
ObjectAddition object_add_symbol(char **object, size_t *len, size_t section, const char *name);

/* Frame tables need no alignment. JITLink keeps that of each entry behind one that it takes out,
 * with its function, and leaves a gap of zeros: the end of the table for the unwinder, which then
 * knows no later function (LLVM 19 to 22). */
void object_close_frame_tables(char *object, size_t len);

#endif
