/* text/read/parser.h: what the parse*.c files share; private to the reader.
 *
 * An op is read in two steps. First its tokens are collected on the stacks below, without touching the IR: a
 * spelling that does not match is taken back by cutting the stacks, and an older one tried. When a spelling
 * has matched, names are looked up and the op is made (text/read/finish_op.c).
 *
 * Every op being read has a Frame. An op with regions keeps its frame while the ops inside are read: nesting
 * lives on the frame stack, not on the C stack.
 *
 * Errors: a function that returns false or NULL has called parse_fail(), which keeps the message that is
 * furthest in the text; the frame that gives up delivers it.
 */
#ifndef CIRC_TEXT_READ_PARSER_H
#define CIRC_TEXT_READ_PARSER_H

#include "base/suggest.h"
#include "ir/spell.h"
#include "text/format.h"
#include "text/read/lex.h"

#define WORD(literal)                                                                                        \
	{                                                                                                    \
		(literal), sizeof(literal) - 1                                                               \
	} /* a Str in a table */

typedef struct Parser Parser;
typedef struct Frame Frame;
typedef struct OldText OldText;

typedef enum Parsed {
	PARSED_NO,     /* does not match; parse_fail() was called */
	PARSED_ALL,    /* the op is complete */
	PARSED_REGION, /* parse_open_region() was called; go on when the region is closed */
} Parsed;

/* A spelling that no format says. Called again, with frame->phase as it left it, after each region it opens. */
typedef Parsed CustomParser(Parser *p, Frame *f);

/* One way to write an op: a format, or a function. */
typedef struct Spelling {
	const char *mnemonic;
	OpKind kind;
	const char *format; /* or NULL */
	CustomParser *custom;
	bool is_older;          /* of text/old/ops.def, and not of the newest grammar */
	uint32_t dated;         /* its bit of ir/dated.def, or 0 */
	const FmtElem *elems;   /* the format, cut when first used */
	struct Spelling *older; /* to be tried next */
} Spelling;

/* A name where an operand stands, not yet looked up. */
typedef struct OperandRef {
	const char *at; /* NULL: no operand here */
	uint32_t len;
	uint32_t number; /* of `%x#number` */
	IrType *type;    /* as spelled, or NULL */
} OperandRef;

typedef struct SuccRef {
	Token name;
	uint32_t first, nargs; /* on the stack of successor arguments */
} SuccRef;

typedef struct Binding {
	Token name;
	uint32_t count;
} Binding;

typedef struct Warning {
	const char *at;
	const char *message;
	bool is_error; /* of parse_older() */
	bool is_older; /* of parse_older(), and nothing to say: message NULL */
} Warning;

struct Frame {
	OpKind kind;
	const char *at; /* mnemonic */
	const LocInfo *loc;
	/* how it is written */
	Spelling *spelling;
	const FmtElem *elem; /* where the format goes on after a region */
	uint32_t phase;      /* of a custom parser, which may give it any meaning */
	bool generic, dict_read, loc_read;
	bool names_may_lack; /* fewer names than results are fine */
	bool untyped_call;   /* its type is not spelled: wait for the callee */
	IrRegion *cleanup;   /* of a call of B, or NULL: what runs when it throws */
	OperandRef initial;  /* of an alloca of A: what it begins with; at NULL: nothing */
	/* where its part of each stack begins */
	uint32_t bindings, operands, succ_args, succs, results, attrs, regions, warnings;
	/* the region being read */
	IrRegion *region;
	IrBlock *block; /* that ops are appended to; NULL before the first */
	const char *region_at;
	uint32_t errors;                   /* before it; without one: before the op */
	uint32_t depth;                    /* of its scope */
	uint32_t outer_isolation;          /* what p->isolation was before it */
	uint32_t values, blocks, forwards; /* where its part of each log begins */
};

/* A value name at some point of the text. */
typedef struct ValueEntry {
	union {
		IrValue *base;         /* of `count` values that follow each other */
		struct Forward *first; /* VALUE_FORWARD: uses before the definition */
	} u;
	uint32_t pos; /* of the definition, or of the first use */
	uint32_t count;
	uint32_t depth; /* of the scope that sees it */
} ValueEntry;

/* ValueEntry.count */
#define VALUE_NONE    UINT32_C(0)      /* no such name */
#define VALUE_FORWARD UINT32_MAX       /* used before its definition */
#define VALUE_BROKEN  (UINT32_MAX - 1) /* its definition had an error: uses of it say nothing more */
#define VALUE_LIMIT   (UINT32_MAX - 2)

typedef struct Forward {
	IrValue value; /* stands in for the one that will be defined */
	OperandRef use;
	bool resolved;
	uint32_t ref;         /* of the name */
	struct Forward *next; /* another result of the same name */
	ValueEntry outer;     /* what the name meant before */
} Forward;

/* A slice of the text and what it means. */
typedef struct Slice {
	const char *at;
	uint32_t len;
	union {
		void *ptr;
		uint32_t index;
	} u;
} Slice;

enum { CACHED_TEXT_MAX = 256 }; /* of types and dictionaries that are found by their text */

typedef struct SliceSlot {
	uint32_t hash, number; /* 1 + index of the slice; 0: none */
} SliceSlot;

/* Slices stand in the order in which they were added, in which a text that repeats looks for them, too: memory that is
 * used one after the other is fetched in time. */
typedef struct SliceTable {
	SliceSlot *slots; /* open addressing */
	uint32_t cap;     /* a power of two */
	VEC(Slice) slices;
} SliceTable;

/* The last few slices of a kind whose brackets tell where they end: the same bytes mean the same. */
typedef struct Recent {
	Slice slices[8];
	unsigned next; /* to be replaced */
} Recent;

typedef struct Alias {
	Token name;      /* with its sigil */
	const char *def; /* its definition's text; NULL: predefined */
	const char *end; /* behind it, and a run of others, when resolved */
	enum { ALIAS_NEW, ALIAS_BUSY, ALIAS_DONE, ALIAS_BROKEN } state;
	IrType *type;
	const IrAttr *attr;
	const LocInfo *loc;
	bool told; /* that it has no definition, where one is expected */
} Alias;

/* `#locN`. There are so many of these that most are no Alias until one is asked for. */
typedef struct NumberedLoc {
	const LocInfo *loc;     /* known, and not LOC_UNKNOWN; or NULL */
	const char *name, *end; /* of loc: where its definition begins, and behind it or a run of others */
	Alias *alias;           /* or NULL; with loc NULL, too: there is no definition */
} NumberedLoc;

typedef struct BlockEntry {
	const char *at;
	uint32_t len;
	IrBlock *block;
	uint32_t depth;    /* of the region it is in; 0: none */
	uint32_t def, use; /* positions; def 0: not yet defined */
} BlockEntry;

/* Types with the attribute dictionaries behind them: those of types without one are
 * NULL, or missing at the end. */
typedef struct TypeList {
	VEC(IrType *) types;
	VEC(const IrAttr *) dicts;
	bool variadic;
} TypeList;

/* How the operands and results of an op follow from its row. */
typedef struct TypeRule {
	IrType *fixed;  /* or NULL */
	int8_t same_as; /* operand, or -1 */
	bool element;   /* … its element type */
	Name *attr;     /* type of this attribute, or NULL */
} TypeRule;

typedef struct ReadShape {
	TypeRule operands[4], results[2];
	uint8_t noperands, nresults;
	bool any_operands, any_results; /* a last word with * */
	bool optional_result;           /* a last word with ? */
} ReadShape;

/* A constant whose elements are being read */
typedef struct Aggregate {
	struct Aggregate *outer;
	const char *from; /* its elements begin here */
	uint32_t index;   /* of the one being read */
	bool looked_for;  /* `type` is what was found, NULL: nothing */
	IrType *type;
} Aggregate;

/* An argument of a region's entry block. */
typedef struct RegionArg {
	Token name; /* len 0: it has none */
	IrType *type;
	const LocInfo *loc;
} RegionArg;

typedef struct FuncParams {
	VEC(IrType *) types;
	VEC(RegionArg) args;
	VEC(const IrAttr *) dicts; /* NULL where there are none */
} FuncParams;

struct Parser {
	IrModule *m;
	Arena *mem; /* of the reader itself */
	Diags *d;
	const OldText *old;
	Lexer lx;
	uint32_t depth; /* of types, attributes and locations being read */

	struct Failure { /* the one that is furthest in the text */
		const char *at, *message;
		const char *note_at, *note;
		bool silent; /* something that was reported before is the cause: nothing more to say */
	} failure;

	VEC(Frame) frames;
	VEC(Binding) bindings;
	VEC(OperandRef) operands;
	VEC(OperandRef) succ_args;
	VEC(SuccRef) succs;
	VEC(IrType *) results;
	VEC(IrNamedAttr) attrs;
	VEC(IrRegion *) regions;
	VEC(Warning) warnings;
	VEC(const IrAttr *) elems;  /* of the lists being read */
	Aggregate *inside;          /* the innermost one */
	TypeList list, result_list; /* of the op being read */
	FuncParams params;          /* of the function whose head is being read */
	/* for making an op */
	VEC(IrValue *) values;
	VEC(IrSuccSpec) succ_specs;

	/* names: numbers up to a limit by index, the others through a table */
	VEC(ValueEntry) numbered;
	VEC(ValueEntry) named;
	SliceTable value_names;
	SliceTable opaque_names;  /* const.c: `#cir.NAME` that circ does not know → a warning, or NULL */
	VEC(uint32_t) value_log;  /* names defined, innermost scope last */
	VEC(ValueEntry) shadowed; /* what they meant before, for those marked in the log */
	VEC(Forward *) forwards;
	uint32_t scope;     /* depth of the innermost */
	uint32_t isolation; /* names of scopes outside this depth are not visible */
	VEC(BlockEntry) block_entries;
	SliceTable block_names;
	VEC(uint32_t) block_log;
	VEC(BlockEntry) hidden_blocks; /* parallel to block_log: what the name meant before */

	SliceTable alias_names;
	VEC(NumberedLoc) numbered_locs; /* `#locN`, by N */
	bool aliases_scanned, returns_scanned;
	SliceTable cache; /* short text of a pointer type or dictionary: IrType or IrAttr */
	Recent recent_types, recent_dicts;
	const char *loc_file_at;
	uint32_t loc_file_len;
	Str loc_file;

	VEC(Alias *) mentioned; /* of records, in the body of another, before their own body was read */
	bool resolving_mentioned;

	/* named records whose body is being read */
	VEC(IrType *) open_records;
	uint32_t open_records_base;   /* those of the alias being resolved */
	VEC(IrType *) padded_records; /* named structs of which the text does not mark each member */
	VEC(IrOp *) accesses;         /* of members */

	SliceTable mnemonics;        /* Spelling by name */
	ReadShape *shapes[OP_COUNT]; /* NULL: not cut yet */
	Name *known[NAME_COUNT];
	const IrAttr *unit;        /* the unit attribute */
	const IrAttr *small[100];  /* `0 : i64` to `99 : i64`, when they have occurred */
	VEC(IrOp *) untyped_calls; /* calls without a function type, whose callee was not yet known */
	VEC(IrOp *)
	early_tries; /* constants that stand for the results of early cir.try ops, while text is read */

	bool newest;    /* what is older is an error */
	bool older;     /* something older was read */
	uint32_t dated; /* spellings read that tell the time of the text (ir/dated.def) */
	uint32_t ntold; /* calls of parse_tell_older(): what had one is not remembered by its text */
	bool module_seen;
	bool design;        /* the design document's dialect: names may be redefined */
	bool catch_runtime; /* cir.catch_param stands for calls of the run-time library */
	bool era_a;         /* i32 and f32 stand for !s32i and !cir.float; set by parse_in_era_a() */
	bool era_looked;    /* … for what tells it below the first !cir.ptr<i8> */
	bool cache_era_a;   /* … when what is in the cache was read */
	bool old_statics;   /* static variables as before cir.local_init may be among the globals */
	bool unwinds;       /* the function being read has a landing pad */
	bool in_opaque;     /* types that are not ours may stand here */
};

/* What the reader needs to know of older eras: text/old has it, text/parse.c hands it over. Nothing here names text/old. */
struct OldText {
	const Spelling *spellings; /* tried in this order, after the newest of their mnemonic */
	uint32_t nspellings;
	/* What an older text means by the op. Called when p->values holds the operands: may change f->kind and them. */
	bool (*modernise)(Parser *p, Frame *f);
	bool (*modernise_numbers)(Parser *p, const Frame *f); /* of enums, in the generic form */
	/* A call with a cleanup region, put into a scope that has it; returns the call's results, as they are outside. */
	IrValue *(*wrap_call)(Parser *p, const Frame *f, IrOp *call);
	/* An early cir.try, which has a result: gives it its name and takes that from the frame. */
	bool (*name_try)(Parser *p, Frame *f);
	void (*note_access)(Parser *p, IrOp *op); /* if it accesses a member */
	void (*tell_padding)(
	    Parser *p); /* of padded_records: cir.record_traits gets those with a MARK_UNTOLD */
	void (*end_of_text)(Parser *p);
	void (*records_known)(Parser *p); /* at the very end: no record holds itself */
};

/* A reader of the text, in the scratch arena of the module: parse.c */
Parser *parse_begin(IrModule *m, Str text, const OldText *old, Diags *d);
void parse_whole_text(Parser *p);

/* Messages and small pieces: text/read/message.c */

bool parse_fail(Parser *p, const char *at, const char *fmt, ...) BASE_PRINTF(3, 4);
void parse_fail_note(Parser *p, const char *at, const char *fmt, ...) BASE_PRINTF(3, 4);
void parse_error(Parser *p, const char *at, const char *fmt, ...) BASE_PRINTF(3, 4); /* at once */
void parse_note(Parser *p, const char *at, const char *fmt, ...) BASE_PRINTF(3, 4);
/* Delivered when the op, or what stands before its first region, is complete. */
void parse_warn(Parser *p, const char *at, const char *message);
void parse_deliver_warnings(Parser *p, uint32_t first);
/* What the newest grammar has not stands at `at`: where only that is read, an error of this text, delivered as
 * warnings are. Reading goes on as if it were none. Elsewhere it sets p->older, unless what it is of is taken back. */
void parse_tell_older(Parser *p, const char *at, const char *fmt, ...) BASE_PRINTF(3, 4);
/* The same of `what`, a noun; and of `was`, which is spelled `now` in the newest grammar. */
static inline void parse_older(Parser *p, const char *at, const char *what)
{
	if (p->newest || !p->older)
		parse_tell_older(p, at, "older spelling: %s; use %s", what,
		                 diag_setting(p->d, SETTING_DIALECT_AUTO));
}
static inline void parse_renamed(Parser *p, const char *at, Str was, const char *now)
{
	if (p->newest || !p->older)
		parse_tell_older(p, at, "'%.*s' is now '%s'; write that, or use %s", (int)was.len, was.data,
		                 now, diag_setting(p->d, SETTING_DIALECT_AUTO));
}
/* A spelling of ir/dated.def stands here. */
static inline void parse_tell_dated(Parser *p, DatedSpelling spelling)
{
	p->dated |= UINT32_C(1) << spelling;
}
void parse_tell_ast(Parser *p); /* if the next token is an attribute that names a declaration of clang's */
void parse_deliver(Parser *p);  /* the failure that was kept */
bool parse_too_deep(Parser *p, const char *what);
/* An op or a type of that name is not read: because it is out of scope, or for the other reason given. */
bool parse_unknown(Parser *p, const char *at, Str name, const char *otherwise);
/* "; did you mean 'cir.x'?", or "". */
const char *parse_similar_op(Parser *p, Str name);
/* The same of any suggestion; prefix: what stands before every candidate. */
const char *parse_did_you_mean(Parser *p, const Suggestion *s, const char *prefix);

static inline Loc parse_loc_at(const Parser *p, const char *at)
{
	return (Loc){.pos = (uint32_t)(at - p->lx.base) + 1};
}

/* Tokens */

static inline Token peek(const Parser *p)
{
	return p->lx.tok;
}

static inline bool at(const Parser *p, int kind)
{
	return (int)p->lx.tok.kind == kind;
}

static inline void advance(Parser *p)
{
	lex_next(&p->lx);
}

static inline bool accept(Parser *p, int kind)
{
	if ((int)p->lx.tok.kind != kind)
		return false;
	lex_next(&p->lx);
	return true;
}

static inline bool at_word(const Parser *p, Str word)
{
	return p->lx.tok.kind == TOK_WORD && token_is(p->lx.tok, word);
}

static inline bool accept_word(Parser *p, Str word)
{
	if (!at_word(p, word))
		return false;
	lex_next(&p->lx);
	return true;
}

static inline Frame *top_frame(Parser *p)
{
	return &p->frames.data[p->frames.len - 1];
}

bool expected_kind(Parser *p, int kind); /* `expected ':'` */
static inline bool expect(Parser *p, int kind)
{
	return accept(p, kind) || expected_kind(p, kind);
}
bool expect_word(Parser *p, Str word);
/* `expected WHAT`, at the current token or the end of its line, or why that is no token. */
bool expected(Parser *p, const char *what);
bool expected_here(Parser *p, const char *what); /* where a line may begin with it */
/* No line ends before the current token. */
static inline bool parse_same_line(const Parser *p)
{
	for (const char *q = p->lx.before_end; q < p->lx.tok.at; q++)
		if (*q == '\n' || *q == '\r')
			return false;
	return true;
}

bool parse_uint(Parser *p, uint64_t *out, const char *what);
bool parse_string(Parser *p, Str *out);
Name *parse_symbol(Parser *p);
/* Behind the bracketed text that begins with the current token; false if it does not close. */
bool parse_skip_balanced(Parser *p);

/* Slices: text/read/slice.c */

Slice *slice_find(const SliceTable *t, const char *at, uint32_t len, uint32_t hash);
void slice_reserve(Arena *a, SliceTable *t, uint32_t n); /* room for n slices, of few thousands */
/* The result is valid until the next one is added. */
Slice *slice_add(Arena *a, SliceTable *t, const char *at, uint32_t len, uint32_t hash);
const Slice *recent_find(const Recent *r, const char *at, const char *end); /* that begins at `at`, or NULL */
void recent_add(Recent *r, const Slice *s);

/* Aliases: text/read/alias.c */

void alias_predefine(Parser *p);
bool alias_exists(Parser *p, Token name);
/* The value of the alias that is the current token, which is consumed; NULL after a failure. */
IrType *alias_type(Parser *p);
const IrAttr *alias_attr(Parser *p);
const LocInfo *alias_loc(Parser *p);
/* Of `#locN`; NULL, without a failure: it is not known, or not yet and not plain (parse_plain_loc). */
const LocInfo *alias_numbered_loc(Parser *p, uint32_t n, unsigned levels);
/* `!name = …` or `#name = …` begins here. */
bool alias_at_definition(const Parser *p);
bool alias_definition(Parser *p);
Loc alias_of_type(Parser *p, const IrType *type); /* where an alias of it is defined; (Loc){0}: nowhere */

/* Types: text/read/type.c, text/read/record.c, text/read/bitfield.c, text/read/func_type.c */

IrType *parse_type(Parser *p);
/* At `!cir.struct<"S" …>`: that record, whatever its body is. NULL, without a failure:
 * not a record with a name. */
IrType *parse_record_head(Parser *p);
IrType *parse_record_type(Parser *p, Str keyword); /* behind `!cir.struct`, `!cir.union`, `!cir.record` */
IrType *parse_bitfield_type(Parser *p, Str keyword);
IrType *parse_func_type(Parser *p, Str keyword);
IrType *parse_bare_func_type(Parser *p); /* `(T) -> R`, without `!cir.func` */
/* MLIR's own, `(T, U) -> (V, W)`, which no op has: kept as text */
IrType *parse_builtin_func_type(Parser *p);
/* Behind the text of a type that holds only names and brackets, from its '<' on; NULL for any other. */
const char *parse_plain_brackets(const char *q, const char *end);
bool token_begins_type(Token t);
static inline bool at_type(const Parser *p)
{
	return token_begins_type(peek(p));
}
/* The text is of the earliest era from here on. */
void parse_in_era_a(Parser *p);
/* `(T {…}, U)`. Reuses the storage of *out. */
bool parse_type_list(Parser *p, TypeList *out);
bool parse_result_list(Parser *p, TypeList *out);        /* behind `->`; void is no result */
bool parse_address_space(Parser *p, const IrAttr **out); /* NULL: the default one */

/* Builtin types and what they mean: text/read/builtin.c */

IrType *parse_builtin_type(Parser *p);
bool parse_is_builtin_type(Str word); /* begins with it */
/* The earliest eras write builtin constants, `3 : i32`: the CIR one instead; any other attribute as it is.
 * `at`: where it stands */
const IrAttr *parse_cir_constant(Parser *p, const char *at, const IrAttr *a);
const IrAttr *parse_null(Parser *p, const char *where, IrType *type);
bool parse_is_cir_type(const IrType *t);               /* not builtin */
IrType *parse_cir_type_of(Parser *p, IrType *builtin); /* i32: !s32i; others as they are */
/* And pointers to it, but those to i8. `at`: where it stands */
IrType *parse_pointers_to_cir_type(Parser *p, const char *at, IrType *t);
/* The same, of a function: only the earliest era has i32 there. */
IrType *parse_signature_type(Parser *p, const char *at, IrType *t);

/* Attributes: text/read/attr.c, text/read/attr_row.c, text/read/const.c, text/read/opaque.c */

const IrAttr *parse_attr(Parser *p);
/* `{a = 1, b}`: pushed onto p->attrs from `first` on, where keys must differ. */
bool parse_dict_onto_attrs(Parser *p, uint32_t first);
bool parse_known_dict(Parser *p, uint32_t first); /* the same for one that was probably seen before */
const IrAttr *parse_dict(Parser *p);
/* of what is on p->attrs from `base` on, which stays */
const IrAttr *parse_pop_dict(Parser *p, uint32_t base);
const IrAttr *parse_attr_list(Parser *p); /* `[a, b]` */
const IrAttr *parse_number(Parser *p);
bool parse_elements(Parser *p, int close);   /* `a, b]`: pushed onto p->elems */
int parse_enum_word(Parser *p, EnumClass c); /* -1 after a failure */
const IrAttr *parse_int_value(Parser *p, Token number, IrType *type);
const IrAttr *parse_i64(Parser *p, Token number);
const IrAttr *parse_cir_attr(Parser *p, Str name, const char *at); /* behind `#cir.name` */
const IrAttr *parse_params(Parser *p, AttrRow row);                /* behind `<` */
const IrAttr *parse_enum_attr(Parser *p, EnumClass c);             /* behind `#cir.name` */
/* what began at `from`; the current token may be a bracket */
const IrAttr *parse_opaque(Parser *p, const char *from);
/* Optional `: T`; NULL without one. *ok false after a failure. */
IrType *parse_colon_type(Parser *p, bool *ok);
bool parse_type_follows(const Parser *p); /* behind the current token */
IrType *parse_opaque_type(Parser *p, const char *from);
const IrAttr *parse_unprefixed_params(Parser *p, AttrRow row); /* `<…>` or an attribute of that row */

const IrAttr *parse_block_address(Parser *p, AttrKind kind); /* `<@f, "l">` */

/* Of an element that is written without; NULL, without a failure: nothing says it. */
IrType *parse_elided_type(Parser *p);

/* Constant attributes that do not fit their type; true when `a` is fine. */
bool check_constant(Parser *p, const char *at, const IrAttr *a);

/* Locations: text/read/loc.c */

const LocInfo *parse_loc(Parser *p); /* `loc(…)` */
/* `loc("file":3:5)`, `loc(#loc12)` or `loc(fused[#loc1, #loc2])` at `from`, and what stands
 * behind it. NULL, without a failure: it is written in another way, or through more levels of
 * aliases that were not read before. */
const LocInfo *parse_plain_loc(Parser *p, const char *from, const char **behind, unsigned levels);
/* The same behind `loc(`. */
const LocInfo *parse_plain_loc_body(Parser *p, const char *q, const char **behind, unsigned levels);
enum { PLAIN_LOC_LEVELS = 2 };
static inline bool at_loc(const Parser *p)
{
	return p->lx.tok.kind == TOK_WORD && p->lx.tok.len == 3 && memcmp(p->lx.tok.at, "loc", 3) == 0 &&
	       p->lx.cur < p->lx.end && *p->lx.cur == '(';
}
bool parse_trailing_loc(Parser *p, const LocInfo **out); /* optional */

/* Values and blocks by name: text/read/value.c */

void scope_open(Parser *p, Frame *f, bool isolated);
void scope_close(Parser *p, Frame *f);
/* Gives the names of `n` values that begin at base. False after an error, which was delivered. */
bool value_define(Parser *p, Token name, IrValue *base, uint32_t n);
void value_define_broken(Parser *p, Token name);
/* The value of a name; `type` NULL: any. NULL after parse_fail(). */
IrValue *value_resolve(Parser *p, const OperandRef *r, IrType *type);
/* The type of a name that is defined here, or NULL. */
IrType *value_known_type(Parser *p, const OperandRef *r);
/* Result `number` of a name that is defined already, if it is of that type; or NULL. */
IrValue *value_of_type(Parser *p, Str name, uint32_t number, const IrType *type);
IrBlock *block_resolve(Parser *p, Token name);
IrBlock *block_define(Parser *p, Token name); /* NULL after an error, which was delivered */
bool parse_operand(Parser *p, OperandRef *out);
bool parse_push_operand(Parser *p);
bool at_operand(const Parser *p);

/* The stacks, with what has been read of the op: text/read/op_parts.c */

void push_operand(Parser *p, OperandRef r);
void push_result(Parser *p, IrType *type);
void push_attr(Parser *p, Name *name, const IrAttr *value);
void push_flag(Parser *p, NameId name);
void push_enum(Parser *p, NameId name, EnumClass c, unsigned word);
const IrAttr *pushed_attr(const Parser *p, const Frame *f, NameId name);
static inline uint32_t pushed_operands(const Parser *p, const Frame *f)
{
	return p->operands.len - f->operands;
}
/* An empty region, where an op has fewer than its row says. */
void push_empty_region(Parser *p);
void parse_cut_stacks(Parser *p, const Frame *f); /* to what they were before the op */

/* Where to go back to when an optional group, or a spelling, does not match after all. */
typedef struct Retreat {
	const FmtElem *behind; /* goes on there; the caller's business */
	Lexer lx;
	uint32_t operands, succ_args, succs, results, attrs, warnings;
} Retreat;

Retreat parse_retreat_point(const Parser *p, const FmtElem *behind);
void parse_retreat(Parser *p, const Retreat *r);

/* Formats: text/read/format.c */

/* Reads the format from `e` on; `first` is its first element. */
Parsed parse_format(Parser *p, Frame *f, const FmtElem *first, const FmtElem *e);
bool parse_successor(Parser *p);
bool parse_op_dict(Parser *p, Frame *f); /* optional `{…}` */
extern CustomParser *const custom_parsers[CUSTOM_COUNT];

/* Ops: text/read/op.c, text/read/finish_op.c (making them), text/read/generic.c */

void spellings_init(Parser *p);
void parse_op(Parser *p);
Parsed parse_op_resume(Parser *p);         /* after a region of the top frame */
bool parse_at_another_op(const Parser *p); /* `cir.store`, `%0:2 = …` */
void parse_settle(Parser *p, Parsed result);
Parsed parse_generic(Parser *p, Frame *f);
IrBlock *parse_block(Parser *p, Frame *f); /* that the ops of its region go to the end of */
const ReadShape *op_shape(Parser *p, OpKind kind);
bool parse_finish_op(Parser *p);
/* An op before the one that is being read. */
IrOp *parse_insert_op(Parser *p, const IrOpSpec *spec);

void parse_untyped_calls(Parser *p);                    /* at the end of the text */
void parse_modernise_global(Parser *p, const Frame *f); /* in the generic form */
/* What clang fills the gaps of records with: a byte, or an array of them. */
bool parse_is_filler(const IrType *t);
/* For the parsers of handlers: text/read/custom_try.c */
Parsed parse_open_handler(Parser *p, Frame *f);
bool parse_handler_type(Parser *p); /* ATTR, #cir.all, #cir.unwind */
bool parse_handler_word(Parser *p, unsigned word);
void parse_handler_done(Parser *p, Frame *f); /* the region just read */
Parsed parse_handlers_complete(Parser *p, Frame *f);
/* Skips to where the next op may begin. `op` began at `from`; committed: a region of it was read. */
void parse_recover(Parser *p, const char *from, bool committed);

/* Modules: text/read/module.c */

/* The frames of the file and of `module { … }` belong to no op. */
static inline bool parse_is_module_frame(const Frame *f)
{
	return f->kind == OP_COUNT;
}

void parse_open_module(Parser *p, const char *where, bool generic);
bool parse_module(Parser *p); /* begins it, or reads an option of it. False: here is something else */
bool parse_module_label(Parser *p);
void parse_close_module(Parser *p);

/* One dictionary for each of `total` arguments, of which `n` are given (NULL: none);
 * nothing when all are empty. */
void push_dicts(Parser *p, NameId name, const IrAttr *const *dicts, uint32_t n, uint32_t total);
/* Clauses of functions, globals and calls, behind their keyword: text/read/clause.c */
typedef bool LeadingWords(Parser *p, const Frame *f);
/* What stands between the mnemonic and the symbol's name: by `read`, if that text is new. */
bool parse_leading_words(Parser *p, const Frame *f, LeadingWords *read);
bool parse_symbol_clause(Parser *p, NameId name); /* `(@name)` */
bool parse_cc_clause(Parser *p);
bool parse_side_effect_clause(Parser *p);
bool parse_comdat_clause(Parser *p);
bool parse_alignment_clause(Parser *p); /* `(N)` */
bool parse_extra_clause(Parser *p, const Frame *f);
/* Is the attribute that a word or clause at `where` pushed behind the `before` first ones new, from the `first` on?
 * Dictionaries see to that themselves. */
bool parse_check_new(Parser *p, const char *where, uint32_t first, uint32_t before);
/* Takes a word away that is the same as none: kept until here, so that it cannot be given twice. */
void parse_drop_default(Parser *p, uint32_t first, NameId name, unsigned word);
/* The current token is `{`: the region begins. args: the arguments its entry block is to have. */
Parsed parse_open_region(Parser *p, const RegionArg *args, uint32_t nargs);

#define CUSTOM_FORMAT(name) CustomParser parse_custom_##name;
#include "text/custom.def"

#endif
