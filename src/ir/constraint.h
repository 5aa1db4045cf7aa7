/* ir/constraint.h: what the columns `operands`, `results` and `format` of ops.def ask of an op, as tables.
 *
 * Ownership  shapes live in the arena of their module.
 * Errors     a malformed column is a broken invariant of ours (CHECK).
 */
#ifndef CIRC_IR_CONSTRAINT_H
#define CIRC_IR_CONSTRAINT_H

#include "ir/module.h"

/* The words for types in the columns. */
typedef enum TypeClass {
	CLASS_ANY,         /* `any`: what a value can be, tokens excepted */
	CLASS_INT,         /* `int` */
	CLASS_INTV,        /* `intv`: or a vector of them */
	CLASS_NEGATED,     /* `negated`: an integer, or a vector of integers or booleans */
	CLASS_SINTV,       /* `sintv`: signed ones */
	CLASS_UINTV,       /* `uintv`: unsigned ones */
	CLASS_FP,          /* `fp` */
	CLASS_FPV,         /* `fpv` */
	CLASS_INTBOOL,     /* `intbool`: an integer or a bool */
	CLASS_NUMBER,      /* `number`: an integer or a floating point number */
	CLASS_BITS,        /* `bits`: integers and booleans, or a vector of them */
	CLASS_SCALAR,      /* `scalar`: what has an order */
	CLASS_COMPARED,    /* `compared`: or a complex number, for what is equal */
	CLASS_BOOL,        /* `bool` */
	CLASS_BOOLV,       /* `boolv` */
	CLASS_PTR,         /* `ptr` */
	CLASS_PTR0,        /* `ptr0`: in the default address space, as the C++ runtime takes them */
	CLASS_VPTR,        /* `vptr` */
	CLASS_VOIDP,       /* `voidp`: !cir.ptr<!cir.void> */
	CLASS_U32,         /* `u32` */
	CLASS_S32,         /* `s32` */
	CLASS_U64,         /* `u64` */
	CLASS_VEC,         /* `vec`: a vector */
	CLASS_INTVEC,      /* `intvec`: a vector of integers */
	CLASS_COMPLEX,     /* `complex` */
	CLASS_DATA_MEMBER, /* `dmember`: pointer to a data member */
	CLASS_METHOD,      /* `method`: pointer to a member function */
	CLASS_RECORD,      /* `record` */
	CLASS_EH,          /* `eh` */
	CLASS_CLEANUP,     /* `cleanup` */
	CLASS_CATCH,       /* `catch` */
	CLASS_PAD,         /* `pad`: a catch or cleanup token */
	CLASS_COUNT
} TypeClass;

bool class_holds(TypeClass c, const IrType *t);
/* For "must be …": a noun phrase. */
const char *class_text(TypeClass c);

/* Could a value be of this type, judging by its kind alone? Tokens are not counted. */
bool type_is_value(const IrType *t);

enum { SHAPE_SLOTS = 6, SHAPE_ATTRS = 12 };

/* One word of `operands` or `results`. */
typedef struct ShapeSlot {
	TypeClass class;
	bool same;     /* =N: the type of operand `of` */
	bool element;  /* .N: the element type of operand `of`, a vector or complex */
	bool optional; /* ? */
	bool many;     /* * */
	uint8_t of;
	Name *attr; /* @name: the type of that attribute; else NULL */
} ShapeSlot;

/* What an attribute of the op's format must be. */
typedef enum AttrClass {
	ATTR_CLASS_ANY,
	ATTR_CLASS_UNIT,
	ATTR_CLASS_INT,
	ATTR_CLASS_FLOAT,
	ATTR_CLASS_STR,
	ATTR_CLASS_SYM,
	ATTR_CLASS_TYPE,
	ATTR_CLASS_FLAG,
	ATTR_CLASS_ENUM,
} AttrClass;

typedef struct ShapeAttr {
	Name *name;
	AttrClass class;
	bool required;
	EnumClass enum_class; /* ATTR_CLASS_ENUM */
} ShapeAttr;

/* How many operands or results. */
typedef struct ShapeRange {
	uint32_t least, most;
} ShapeRange;

typedef struct OpShape {
	uint8_t noperands, nresults, nattrs;
	uint16_t required; /* bit i: attrs[i] */
	bool same_types;   /* every operand and result has the type of operand 0 */
	ShapeRange operand_range, result_range;
	ShapeSlot operands[SHAPE_SLOTS], results[SHAPE_SLOTS];
	ShapeAttr attrs[SHAPE_ATTRS];
} OpShape;

const OpShape *shape_cut(IrModule *m, OpKind kind);

/* The shape of a kind of ops, cut when the module is first asked for it. Attributes of ops with a spelling of
 * their own (`!name`) are not listed. */
static inline const OpShape *shape_of(IrModule *m, OpKind kind)
{
	return BASE_LIKELY(m->shapes[kind]) ? m->shapes[kind] : shape_cut(m, kind);
}

#endif
