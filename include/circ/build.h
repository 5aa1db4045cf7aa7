/* circ/build.h: making functions, globals, blocks and ops. The rules at the head of
 * circ/circ.h hold for every function here.
 *
 * What a function here refuses is what would not be IR at all: an unknown mnemonic, a wrong number of
 * operands, a type that cannot stand there. Whether the program makes sense is the verifier's question, once
 * it is complete (circ_module_verify).
 *
 * Any op can be made by its mnemonic with circ_build_op(); the other circ_build_* functions are for the
 * frequent ones and say in one line what the op's row of docs/operations.md says. They return the op's
 * result where it has one, else the op; NULL after an error.
 */
#ifndef CIRC_BUILD_H
#define CIRC_BUILD_H

#include "circ/attr.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- functions and globals ---- */

/* A new function at the end of the module: external, without a body. name: must be free. type: a
 * function type. NULL after an error. */
CIRC_API CircOp *circ_func_create(CircModule *module, const char *name, CircType *type);
/* The function of that name; declared when the name is new (an external one of another object, until it gets
 * a body). NULL after an error: the name is a global's, or a function's of another type. */
CIRC_API CircOp *circ_func_declare(CircModule *module, const char *name, CircType *type);
/* Gives a function its entry block, with one argument per parameter; one that was declared is defined and
 * external from then on. NULL after an error: it has a body already. */
CIRC_API CircBlock *circ_func_add_entry(CircModule *module, CircOp *func);
/* "__gxx_personality_v0" and the like; only needed when something other than circ's own lowering handles
 * exceptions: that sets it. The symbol must be declared when the module is verified. */
CIRC_API bool circ_func_set_personality(CircModule *module, CircOp *func, const char *personality);

/* A new global of value type `type` at the end of the module. linkage: a word of that enumeration,
 * "external", "internal", …. value: its initializer, of type `type`, or NULL for a declaration. name: must be
 * free. */
CIRC_API CircOp *circ_global_create(CircModule *module, const char *name, CircType *type, const char *linkage,
                                    const CircAttr *value);

/* A type of exceptions of a language that is not C++ (docs/exceptions.md), at the end of the module: what is thrown is a `record`,
 * which begins with those of `bases`; a handler for one of them takes it, too. release: the function, of a pointer and without a
 * result, that is called for an object that nobody needs any more, or NULL. name: must be free; handlers and throws use it as a
 * type info. NULL after an error. */
CIRC_API CircOp *circ_exception_type_create(CircModule *module, const char *name, CircType *record,
                                            CircOp *const *bases, size_t nbases, CircOp *release);

/* Sets, or with value NULL removes, any attribute of an op: ("nothrow", unit) of a call or function,
 * ("linkage", enumeration), ("alignment", i64) …; the names are those of docs/operations.md and
 * docs/attributes.md, others are kept and printed. Not for what the op's place and symbol depend on: sym_name
 * and function_type of functions and globals are fixed when they are made. */
CIRC_API bool circ_op_set_attr(CircModule *module, CircOp *op, const char *name, const CircAttr *value);
CIRC_API bool circ_op_set_flag(CircModule *module, CircOp *op, const char *name); /* a unit attribute */
/* The place in the source program, as of circ_builder_set_loc(): for functions and globals, which no builder makes. */
CIRC_API bool circ_op_set_loc(CircModule *module, CircOp *op, const char *file, uint32_t line,
                              uint32_t column);

/* ---- blocks ---- */

/* A new block at the end of a region. */
CIRC_API CircBlock *circ_block_create(CircModule *module, CircRegion *region);
/* A new block after another, in the same region. */
CIRC_API CircBlock *circ_block_create_after(CircModule *module, CircBlock *block);
/* A further argument. type: a value type or a token. */
CIRC_API CircValue *circ_block_add_arg(CircModule *module, CircBlock *block, CircType *type);

/* ---- changing what is there ---- */

/* Removes an op with all that is inside it. False: one of its results is used, it is a terminator's
 * destination …; nothing is changed then. Functions and globals give up their name. */
CIRC_API bool circ_op_erase(CircModule *module, CircOp *op);
/* Everything that uses `from` uses `to`, which has the same type. */
CIRC_API bool circ_value_replace(CircModule *module, CircValue *from, CircValue *to);

/* ---- the builder: a place where ops are made ---- */

typedef struct CircBuilder CircBuilder;

/* Belongs to the module. It has no place yet. */
CIRC_API CircBuilder *circ_builder_create(CircModule *module);
/* New ops go to the end of that block, or in front of that op. False, and the builder is where it was: not a
 * block or op of its module. */
CIRC_API bool circ_builder_at_end(CircBuilder *b, CircBlock *block);
CIRC_API bool circ_builder_before(CircBuilder *b, CircOp *op);
/* The block that ops go to, or NULL. Never fails. */
CIRC_API CircBlock *circ_builder_block(const CircBuilder *b);
CIRC_API CircModule *circ_builder_module(const CircBuilder *b);
/* New ops go to the end of that region of an op, which gets a block if it has none. False: no op of its module, or not so many regions. */
CIRC_API bool circ_builder_enter(CircBuilder *b, CircOp *op, size_t region);
/* In a region of an op: ends it with a cir.yield of `value` (NULL: of nothing) unless its last op is a terminator already, and goes
 * on behind the op. True: there is a cir.yield; false, and no error: control never reaches the end of the region. */
CIRC_API bool circ_builder_leave(CircBuilder *b, CircValue *value);
/* For a cir.scope, cir.if, cir.cleanup.scope or cir.try whose regions are read: ends those that have no terminator with a cir.yield of
 * nothing, and goes on behind the op; with a cir.unreachable where control never comes out of it: each region throws, returns or
 * jumps, or its cleanup or finally does. True: control comes out of it. */
CIRC_API bool circ_builder_finish(CircBuilder *b, CircOp *op);
/* Does the block that ops go to end already: is its last op a terminator? Never fails. */
CIRC_API bool circ_builder_ended(const CircBuilder *b);
/* The place in the source program given to ops made from now on: diagnostics name it.
 * line, column: from 1; 0 when unknown. file NULL: none. */
CIRC_API bool circ_builder_set_loc(CircBuilder *b, const char *file, uint32_t line, uint32_t column);

/* ---- any op ---- */

/* An edge to a block, with the values its arguments get. */
typedef struct CircSuccessor {
	CircBlock *block;
	CircValue *const *args;
	size_t nargs;
} CircSuccessor;

typedef struct CircOpSpec {
	const char *mnemonic;       /* "cir.add": docs/operations.md has all */
	CircValue *const *operands; /* without the arguments of successors */
	size_t noperands;
	/* NULL: follow from the op, where they do ("cir.add": the type of its operands) */
	CircType *const *result_types;
	size_t nresults;
	const CircSuccessor *successors;
	size_t nsuccessors;
	const CircNamedAttr *attrs; /* of ops with a spelling of their own, see below */
	size_t nattrs;
	size_t nregions; /* made empty. 0: as many as the op has */
} CircOpSpec;

/* Makes an op at the builder's place. NULL after an error: unknown mnemonic, wrong number of operands,
 * results, successors or regions, an operand or result of a class of types the op does not take, result types
 * that do not follow. Symbols have their own functions above.
 *
 * Attributes of the ops that are spelled in a special way:
 *   cir.switch.flat   case_values: array of integers of the operand's type; successors:
 *                     default, then one per case
 *   cir.call          callee: symbol, or absent and operand 0 is the pointer; nothrow, musttail; side_effect,
 *                     calling_conv: enumerations; arg_attrs: array of dictionaries, one per argument;
 *                     res_attrs: array of one dictionary
 *   cir.try_call      as cir.call; successors: normal, unwind
 *   cir.eh.dispatch   catch_types: array of global views and, of a `when`, the symbol of its filter function;
 *                     filter_types: array; default_is_catch_all: unit; successors: one per type, one for filter_types, then the default, all without
 *                     arguments: each block gets the token
 *   cir.eh.inflight_exception   cleanup, catch_all: unit; catch_type_list, filter_type_list:
 *                               arrays of symbols
 *   cir.try           handler_types: array, one entry per handler: a global view of a type info,
 *                     #cir.handler<all>, <unwind>, <unexpected> or <when>, or the array of a filter;
 *                     synthetic, cleanup, async, finally: unit; nregions: 1 for the body, then for each
 *                     handler 1, whose block has the token as its argument; a `when` has another
 *                     before it, its filter, whose block has a pointer to the record of the
 *                     exception and yields an s32; with `finally` one more, the last
 *   circ.localrecover function: symbol; index: i64
 *   circ.eh.recoverfp function: symbol
 *   cir.catchpad      type_descriptor: symbol, adjectives: i32; or filter: symbol
 *   cir.while, cir.for   cleanup_kind: enumeration, when the last region, the cleanup, is filled
 *   cir.block_address block_addr_info: #cir.block_addr_info<@f, "label"> of the type of the result (circ_attr_parse)
 *   cir.delete_array  delete_fn, element_dtor: symbols; delete_params: #cir.usual_delete_params
 *                     (circ_attr_parse); element_align: i64
 *   cir.copy          src_align, dst_align: i64; volatile, skip_tail_padding: unit
 */
CIRC_API CircOp *circ_build_op(CircBuilder *b, const CircOpSpec *spec);

/* ---- values and memory (5.1, 5.2, 5.5, 5.6) ---- */

CIRC_API CircValue *circ_build_const(CircBuilder *b, const CircAttr *value); /* of a typed attribute */
CIRC_API CircValue *circ_build_int(CircBuilder *b, CircType *type, int64_t value);
CIRC_API CircValue *circ_build_bool(CircBuilder *b, bool value);
CIRC_API CircValue *circ_build_null(CircBuilder *b, CircType *pointer_type);
/* kind: a word of the enumeration "cast", "integral", "bitcast", "ptr_to_int" …. */
CIRC_API CircValue *circ_build_cast(CircBuilder *b, const char *kind, CircValue *value, CircType *to);
/* mnemonic: "cir.add" … of 5.2; both operands and the result have one type. */
CIRC_API CircValue *circ_build_binary(CircBuilder *b, const char *mnemonic, CircValue *lhs, CircValue *rhs);
CIRC_API CircValue *circ_build_unary(CircBuilder *b, const char *mnemonic, CircValue *operand);
/* kind: "lt" "le" "gt" "ge" "eq" "ne", for floating point also "one" "uno". The result is a bool. */
CIRC_API CircValue *circ_build_cmp(CircBuilder *b, const char *kind, CircValue *lhs, CircValue *rhs);
CIRC_API CircValue *circ_build_select(CircBuilder *b, CircValue *cond, CircValue *then_value,
                                      CircValue *else_value);
/* A stack slot; the result points to `type`. name: of the variable, may be "". align: a
 * power of two, or 0 for the type's own. */
CIRC_API CircValue *circ_build_alloca(CircBuilder *b, CircType *type, const char *name, unsigned align);
CIRC_API CircValue *circ_build_load(CircBuilder *b, CircValue *ptr);
CIRC_API CircOp *circ_build_store(CircBuilder *b, CircValue *value, CircValue *ptr);
/* The address of a function or global of the module. */
CIRC_API CircValue *circ_build_get_global(CircBuilder *b, CircOp *symbol);
/* A constant global of the module with these bytes and a NUL behind them; the result points to the first (!cir.ptr<!s8i>). */
CIRC_API CircValue *circ_build_string(CircBuilder *b, const char *bytes, size_t len);
/* The address of member `index` of the record that `ptr` points to. name: for the reader, or NULL. */
CIRC_API CircValue *circ_build_get_member(CircBuilder *b, CircValue *ptr, unsigned index, const char *name);
CIRC_API CircValue *circ_build_ptr_stride(CircBuilder *b, CircValue *ptr, CircValue *index);

/* ---- control flow (5.8) ---- */

CIRC_API CircOp *circ_build_br(CircBuilder *b, CircBlock *dest, CircValue *const *args, size_t nargs);
CIRC_API CircOp *circ_build_brcond(CircBuilder *b, CircValue *cond, CircSuccessor then_edge,
                                   CircSuccessor else_edge);
CIRC_API CircOp *circ_build_return(CircBuilder *b, CircValue *value); /* NULL: nothing is returned */
CIRC_API CircOp *circ_build_unreachable(CircBuilder *b);

/* ---- ops with regions (5.7, 5.10): circ_builder_enter() goes into one, circ_builder_leave() ends it ---- */

/* A cir.scope: variables of the source's block belong to it, for debuggers. */
CIRC_API CircOp *circ_build_scope(CircBuilder *b);
/* Regions: then; else, which may stay empty. cond: a bool. */
CIRC_API CircOp *circ_build_if(CircBuilder *b, CircValue *cond);
/* The same with a value of `type`, circ_op_result(op, 0), which both regions are left with. */
CIRC_API CircOp *circ_build_ternary(CircBuilder *b, CircValue *cond, CircType *type);
/* A cir.cleanup.scope. Regions: the body; the cleanup. kind: when that runs: "normal" "eh" "all" (docs/exceptions.md). */
CIRC_API CircOp *circ_build_cleanup(CircBuilder *b, const char *kind);

/* ---- cir.try (5.10) ---- */

/* A try of a body alone: its first region, which is empty. Handlers are added in the order of the source, then the finally, each
 * when its text is read: circ_build_op() must know them at once. */
CIRC_API CircOp *circ_build_try(CircBuilder *b);
/* Each gives the entry block of a new region; blocks stay, but handles of the regions that the op had end, as if they were erased.
 * NULL after an error: no cir.try, or one that has its finally. Time and memory: linear in the handlers that it has. */

/* type_info: as of a CircHandler; NULL: a handler for all. The block has one argument, the token. */
CIRC_API CircBlock *circ_try_add_handler(CircModule *module, CircOp *op, const char *type_info);
/* A handler with a filter, for functions of circ's runtime. *filter: the filter's block, which has one argument, a !cir.ptr<!void> to
 * the record (CircRecord), and yields an s32 (CircAnswer of circ/runtime.h); NULL after an error. */
CIRC_API CircBlock *circ_try_add_when(CircModule *module, CircOp *op, CircBlock **filter);
CIRC_API CircBlock *circ_try_add_finally(CircModule *module, CircOp *op);
/* First in a handler: what it has caught, as a pointer of that type. The catch ends with the handler, whichever way that is left. */
CIRC_API CircValue *circ_build_catch_param(CircBuilder *b, CircType *pointer_type);
/* In a filter: what a handler of `type_info` in this module would get, as a pointer of that type; null where it would not take the exception. Calls
 * circ_object_as() of circ/runtime.h with the module's `circ.eh.language`. record: the argument of the filter's block. */
CIRC_API CircValue *circ_build_object_as(CircBuilder *b, CircValue *record, const char *type_info,
                                         CircType *pointer_type);

/* The same in a `filter` of circ_try_add_when(), which is empty: it answers 0 where the handler would not take the exception, and else what the builder
 * makes now: circ_builder_leave(b, answer), an s32, ends it. */
CIRC_API CircValue *circ_build_typed_filter(CircBuilder *b, CircBlock *filter, const char *type_info,
                                            CircType *pointer_type);

/* ---- calls (5.9) ---- */

/* The result type is the callee's; circ_op_result(op, 0) is the value. */
CIRC_API CircOp *circ_build_call(CircBuilder *b, CircOp *callee, CircValue *const *args, size_t nargs);
/* callee: a pointer to a function. */
CIRC_API CircOp *circ_build_call_indirect(CircBuilder *b, CircValue *callee, CircValue *const *args,
                                          size_t nargs);
/* Ends the block: goes on in `normal`, or in `unwind` when the callee throws. The result may
 * be used where `normal` dominates. */
CIRC_API CircOp *circ_build_try_call(CircBuilder *b, CircOp *callee, CircValue *const *args, size_t nargs,
                                     CircBlock *normal, CircBlock *unwind);

/* ---- exceptions in flat CIR (5.10, 5.11; docs/exceptions.md) ---- */

/* First in every block that try_call or try_throw unwinds to; gives the token of the exception. */
CIRC_API CircValue *circ_build_eh_initiate(CircBuilder *b, bool cleanup);

/* A destination of a dispatch. type_info: the symbol of a C++ type-info object, "_ZTIi", of an exception type, or of a
 * function of the module, s32 (record, frame), that is the filter of a `when`; NULL: catch (...), last. */
typedef struct CircHandler {
	const char *type_info;
	CircBlock *block; /* has one argument, the token */
} CircHandler;
/* Goes to the first handler whose type matches. unwind: where to go when none does, with the token; NULL
 * exactly when the last handler is catch (...). */
CIRC_API CircOp *circ_build_eh_dispatch(CircBuilder *b, CircValue *token, const CircHandler *handlers,
                                        size_t nhandlers, CircBlock *unwind);

CIRC_API CircValue *circ_build_begin_cleanup(CircBuilder *b, CircValue *token); /* gives the cleanup token */
CIRC_API CircOp *circ_build_end_cleanup(CircBuilder *b, CircValue *cleanup);
/* Gives the catch token, and in *object the caught object as a pointer of that type; object may be NULL. In
 * structured CIR the end of the catch follows it in its block, or first in the cleanup region of a
 * cir.cleanup.scope there, of kind "all", and means the same: whichever way the handler is left, its catch
 * ends once. */
CIRC_API CircValue *circ_build_begin_catch(CircBuilder *b, CircValue *token, CircType *pointer_type,
                                           CircValue **object);
CIRC_API CircOp *circ_build_end_catch(CircBuilder *b, CircValue *catch_token);
CIRC_API CircOp *circ_build_resume(CircBuilder *b, CircValue *token); /* unwinding goes on in the caller */

/* Memory for an exception object of `type`; the result points to it. */
CIRC_API CircValue *circ_build_alloc_exception(CircBuilder *b, CircType *type);
/* Throws the object; an unreachable op is to follow, or in functions of circ's runtime what is done when a filter sends the
 * program on. type_info: symbol. dtor: symbol of
 * its destructor, or NULL. */
CIRC_API CircOp *circ_build_throw(CircBuilder *b, CircValue *object, const char *type_info, const char *dtor);
CIRC_API CircOp *circ_build_rethrow(CircBuilder *b);
/* Throws unless `ok`, a bool, is true. kind: "null" "zero" "overflow" "bounds" "conversion" "store". What is thrown: docs/checks.md. */
CIRC_API CircOp *circ_build_check(CircBuilder *b, const char *kind, CircValue *ok);

#ifdef __cplusplus
}
#endif

#endif
