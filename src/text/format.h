/* text/format.h: the assembly formats of ops.def and text/old/ops.def, cut into elements for
 * the parser and the printer.
 *
 * A Formats belongs to one parser or printer; rows are cut when first asked for.
 */
#ifndef CIRC_TEXT_FORMAT_H
#define CIRC_TEXT_FORMAT_H

#include "ir/module.h"

typedef enum FmtKind {
	FMT_END,
	FMT_LITERAL, /* text */
	FMT_SPACE,
	FMT_FLAG,          /* ?word: text; name */
	FMT_ATTR,          /* @name:kind: name, value */
	FMT_OPERAND,       /* index */
	FMT_OPERANDS,      /* all from index on */
	FMT_OPERAND_TYPE,  /* index */
	FMT_OPERAND_TYPES, /* all from index on */
	FMT_RESULT_TYPE,   /* index */
	FMT_GROUP,         /* (?  skip: element after the matching ?)   anchor: element that decides */
	FMT_GROUP_END,
	FMT_SET, /* {*  skip: element after the matching *} */
	FMT_SET_END,
	FMT_REGION, /* index */
	FMT_SUCC,   /* index */
	FMT_DICT,
	FMT_CUSTOM, /* index: CustomFormat */
} FmtKind;

/* What an FMT_ATTR holds. */
typedef enum FmtValue {
	FMT_VALUE_ANY,
	FMT_VALUE_INT,
	FMT_VALUE_FLOAT, /* an f64, written without its type */
	FMT_VALUE_STR,
	FMT_VALUE_SYM,
	FMT_VALUE_TYPE,
	FMT_VALUE_FLAG,
	FMT_VALUE_UNIT,   /* the name itself is written: `is_volatile` */
	FMT_VALUE_ENUM,   /* index: EnumClass */
	FMT_VALUE_PARAMS, /* index: AttrRow; written without its name: `<index = 0, offset = 2>` */
} FmtValue;

typedef enum CustomFormat {
#define CUSTOM_FORMAT(name) CUSTOM_##name,
#include "text/custom.def"
	CUSTOM_COUNT
} CustomFormat;

typedef struct FmtElem {
	FmtKind kind : 8;
	FmtValue value : 8;
	uint16_t index;
	uint16_t skip;   /* FMT_GROUP, FMT_SET */
	uint16_t anchor; /* FMT_GROUP */
	Str text;        /* FMT_LITERAL, FMT_FLAG */
	Name *name;      /* FMT_FLAG, FMT_ATTR */
} FmtElem;

/* Cuts a format; ends with FMT_END. A malformed format is a broken invariant of ours (CHECK). */
const FmtElem *format_cut(IrModule *m, Arena *arena, const char *format);

#endif
