/* explain/type_info.h: types that handlers name, where the object has them: the type infos of the Itanium C++ ABI (2.9.5)
 * and the types of circ's runtime (CircExceptionType of include/circ/runtime.h). */
#ifndef CIRC_EXPLAIN_TYPE_INFO_H
#define CIRC_EXPLAIN_TYPE_INFO_H

#include "explain/explanation.h"
#include "explain/object/object.h"

typedef enum TypeInfoKind { TYPE_INFO_NONE, TYPE_INFO_ITANIUM, TYPE_INFO_CIRC } TypeInfoKind;

typedef struct TypePlace {
	ObjectPlace place;
	TypeInfoKind kind;
} TypePlace;

typedef struct TypeInfos {
	CircExplanation *e;
	const ObjectFile *o;
	VEC(TypePlace) places; /* by CircExplainedType.index */
} TypeInfos;

/* The type that a pointer points to, and where its bases are to be looked for. */
CircExplainedType *type_info_of(TypeInfos *t, ObjectTarget target, TypeInfoKind kind);

/* The symbol of a type info that has no symbol here, by the name in it; NULL: it is none. */
const char *type_info_symbol(const TypeInfos *t, ObjectPlace place);

/* Adds the type infos that the object defines: who follows an exception asks for types that no handler names. */
void type_infos_add_defined(TypeInfos *t);

/* Finds the bases of all types, and theirs. */
void type_infos_find_bases(TypeInfos *t);

#endif
