/* text/print/printer.h: what the files of the printer share. Not for others: they include text/print/print.h.
 *
 * Ownership  everything lives in the module's scratch arena until the text is finished.
 *
 * The text is made in one pass: the body first, noting which aliases it uses, then their definitions, which
 * stand above it. Regions are printed with an explicit stack; an op that holds regions is printed in steps,
 * one up to each of its regions and one for the rest.
 */
#ifndef CIRC_TEXT_PRINT_PRINTER_H
#define CIRC_TEXT_PRINT_PRINTER_H

#include "base/ptrmap.h"
#include "ir/spell.h"
#include "text/format.h"
#include "text/print/print.h"

#define NO_REGION UINT32_MAX /* of a step: the op is finished */
#define NAMES_END UINT32_MAX /* ends a list of name ids */

/* What the last piece of an op's text was; decides whether a blank follows. */
typedef enum PrintPrev { PREV_WORD, PREV_OPEN, PREV_OPERAND, PREV_OTHER } PrintPrev;

/* How a row of ops.def is printed; made when the row is first met. */
typedef struct PrintRow {
	Str mnemonic;
	const FmtElem *elems;
	const uint32_t *names;      /* ids of the attributes that are spelled outside the dictionary */
	const FmtElem **attr_elems; /* the elements that spell them, in the same order */
	uint32_t required_attrs;    /* how many of them stand in no group */
	bool is_custom, places_dict;
	bool operands_in_set; /* an option in any order is an operand */
	bool entangled;       /* a group depends on one thing and spells another */
	const struct OpShape *shape;
	uint32_t required_regions;            /* bit i: the reader would fill region i if it were empty */
	uint32_t bare_operands, bare_results; /* bit i: the text leaves the type of that slot out */
} PrintRow;

/* An op whose text is not finished. */
typedef struct PrintCursor {
	const IrOp *op;
	const PrintRow *row; /* NULL: generic form */
	uint32_t step;       /* regions printed so far */
	uint32_t at;         /* element of the row's format that comes next */
	bool no_dict;        /* the format spells all attributes */
	PrintPrev prev;
} PrintCursor;

/* A region that is being printed, and the op to go on with behind it. */
typedef struct PrintFrame {
	const IrBlock *block;
	const IrOp *next;
	uint32_t next_value, next_arg; /* first numbers for values of regions inside */
	bool omit_yield;
	PrintCursor owner;
} PrintFrame;

typedef struct PrintAlias {
	Str name; /* without the sigil */
	const IrType *type;
	const IrAttr *attr; /* when type is NULL */
	Str text;           /* what it stands for */
	uint32_t first_dep, ndeps;
	uint32_t depth; /* of aliases below it */
	enum { ALIAS_NEW, ALIAS_OPEN, ALIAS_DONE } state;
} PrintAlias;

/* How often a type or an attribute is in the text (text/print/alias_shared.c). */
typedef struct PrintShared {
	uint32_t parts; /* when all in it are spelled out; 0: not counted yet */
	bool seen;
} PrintShared;

typedef struct Printer {
	IrModule *m;
	Arena *arena;
	StrBuf *out;
	unsigned flags;
	VEC(Str) pieces;     /* of the body, finished */
	PrintPlaces *places; /* NULL: nobody asks */
	uint64_t in_pieces;  /* bytes */
	Speller speller;

	uint32_t *value_number; /* by value id: number + 1, top bit set for %argN; 0: not visited */
	uint32_t *block_number; /* by block id: number + 1 */
	Str *type_text;         /* by type id: its text once it was written */
	PrintRow *rows[OP_COUNT];

	VEC(PrintFrame) frames;
	const IrRegion *bound; /* numbered already: its owner has printed the arguments */
	uint32_t bound_value, bound_arg;
	bool omit_yield;     /* for the region that comes next */
	VEC(uint32_t) preds; /* scratch of one label */

	VEC(PrintAlias) aliases;
	VEC(uint32_t) deps;
	uint32_t *type_alias, *attr_alias;             /* by id: index + 1 in aliases, or 0 */
	struct PrintShared *type_shared, *attr_shared; /* by id */
	uint64_t repeated; /* parts of types and attributes that were written more than once */
	NameTable alias_names;
	VEC(uint32_t) alias_asked; /* by id of alias_names */
	const PrintAlias *defining;

	VEC(const LocInfo *) locs; /* that have a name */
	PtrMap loc_numbers;        /* 1 + index in locs */
	const LocInfo *defining_loc;
} Printer;

/* text/print/pieces.c: bytes */

static inline void put(Printer *p, Str s)
{
	StrBuf *b = p->out;
	if (BASE_LIKELY(b->cap - b->len >= s.len)) {
		memcpy(b->data + b->len, s.data, s.len);
		b->len += (uint32_t)s.len;
	} else {
		buf_put(p->arena, b, s);
	}
}

#define PUT(p, literal) put((p), STR(literal))

static inline void put_char(Printer *p, char c)
{
	buf_char(p->arena, p->out, c);
}

void put_numbered(Printer *p, const char *prefix, size_t len, uint32_t v);
void put_indent(Printer *p, uint32_t levels);
/* and the indentation of the op being printed, plus `extra` levels */
void put_newline(Printer *p, uint32_t extra);
void put_uint(Printer *p, uint64_t v);
void put_symbol(Printer *p, const Name *n);
void put_type(Printer *p, const IrType *t);
void put_attr(Printer *p, const IrAttr *a);
void put_word(Printer *p, const IrAttr *a); /* an ATTR_ENUM as a bare word */

/* IR */

void put_value(Printer *p, const IrValue *v);
void put_values(Printer *p, const IrOp *op, uint32_t from, uint32_t to); /* operands, with commas */
void put_types(Printer *p, const IrOp *op, uint32_t from, uint32_t to);  /* their types */
void put_block(Printer *p, const IrBlock *b);
void put_succ(Printer *p, const IrSucc *s);
/* ` {…}` of the attributes whose names are not in `names`; `head` stands before it.
 * Nothing when there are none. */
void put_dict(Printer *p, const IrOp *op, const uint32_t *names, Str head);
/* Those whose names are in `names`, or those whose names are not. */
void put_attrs(Printer *p, const IrOp *op, const uint32_t *names, bool want_listed, Str head, Str tail);
/* ` -> …` of an op's results; attrs: res_attrs or NULL. */
void put_results(Printer *p, const IrOp *op, const IrAttr *attrs);
/* A type of a list with its dictionary of attributes, if it has any; attrs: arg_attrs or res_attrs or NULL. */
void put_attributed_type(Printer *p, const IrType *t, const IrAttr *attrs, uint32_t index);

/* Numbers the values and blocks of a region whose arguments the op is about to print itself. */
void print_bind(Printer *p, const IrRegion *r);
/* Those of any region, from these numbers on. */
void print_number_region(Printer *p, const IrRegion *r, uint32_t *value, uint32_t *arg);

const IrAttr *print_attr(const IrOp *op, const Name *name);

/* An integer whose number says all: the reader makes it an i64. */
bool print_is_plain_int(const IrAttr *a);
/* For `fits` of a custom printer: the attribute is absent, or of this kind. */
bool print_fits_kind(const IrOp *op, uint32_t name_id, AttrKind kind);
bool print_fits_int(const IrOp *op, uint32_t name_id);
bool print_fits_word(const IrOp *op, uint32_t name_id, EnumClass words);
bool print_fits_dicts(const IrOp *op, uint32_t name_id, uint32_t n); /* an array of n dictionaries */

/* text/print/op_row.c */
const PrintRow *print_row(Printer *p, OpKind kind);
bool print_fits(PrintCursor *c); /* with c->row, which says how */
bool print_group_present(const IrOp *op, const FmtElem *elems, const FmtElem *group);

/* text/print/op.c */
uint32_t print_step(Printer *p, PrintCursor *c); /* the region to print next, or NO_REGION */

/* text/print/alias_shared.c */
/* To be called each time that one is to be spelled out: is it better given a name? */
bool print_names_type(Printer *p, const IrType *t);
bool print_names_attr(Printer *p, const IrAttr *a);
bool print_is_large_type(Printer *p, const IrType *t); /* it may be given a name */

/* text/print/loc.c */
void print_loc_init(Printer *p);
void print_loc_definitions(Printer *p); /* of all that were used so far */

/* text/print/alias.c */
void print_alias_init(Printer *p);
void print_alias_definitions(Printer *p); /* of all that were used so far */

/* print_custom*.c: the rows of custom.def. */
typedef struct CustomPrinter {
	bool (*fits)(const IrOp *op); /* can this spelling say everything about it? */
	uint32_t (*print)(Printer *p, const IrOp *op, uint32_t step);
	const uint32_t *names;
} CustomPrinter;
extern const CustomPrinter *const print_customs[CUSTOM_COUNT];

#define CUSTOM_FORMAT(name) extern const CustomPrinter print_custom_##name;
#include "text/custom.def"

#endif
