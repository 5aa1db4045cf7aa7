/* api/shorthand.c: the frequent ops, each a circ_build_op() with its attributes. */
#include "api/api.h"
#include "ir/eh_runtime.h"

static IrModule *module_of(const CircBuilder *b)
{
	return b ? b->m : NULL;
}

static CircValue *result_of(IrOp *op)
{
	return op && op->nresults ? &op->results[0] : NULL;
}

/* An op with operands only. */
static IrOp *simple_op(const char *function, CircBuilder *b, const char *mnemonic, IrType *result,
                       CircValue *const *operands, size_t n)
{
	CircOpSpec s = {.mnemonic = mnemonic, .operands = operands, .noperands = n};
	s.result_types = result ? &result : NULL;
	s.nresults = result != NULL;
	return api_make_op(function, b, &s);
}

/* Reports misuse that only the shorthand can see. Returns NULL. */
static void *refuse(const char *function, CircBuilder *b, const char *why)
{
	ApiCall c;
	if (!b || !api_begin(&c, b->m, function))
		return NULL;
	c.loc = b->at.loc;
	api_error(&c, "%s", why);
	api_end(&c);
	return NULL;
}

static bool is_live(const CircBuilder *b, const CircValue *v)
{
	return b && api_is_our_value(b->m, v);
}

/* Regions */

/* NULL: the builder has no place, or is in a function. */
static IrOp *surrounding_op(const CircBuilder *b)
{
	IrOp *op = b->at.block && api_is_ours(b->m, b->at.block) ? b->at.block->region->op : NULL;
	return op && !(op_info[op->kind].flags & OPF_SYMBOL) ? op : NULL;
}

bool circ_builder_leave(CircBuilder *b, CircValue *value)
{
	IrOp *op = b ? surrounding_op(b) : NULL;
	if (!op)
		return refuse(__func__, b, "builder is not in a region of an op in a function") != NULL;
	bool reached = !circ_builder_ended(b);
	if (reached && !simple_op(__func__, b, "cir.yield", NULL, value ? &value : NULL, value != NULL))
		return false;
	b->at.block = api_hand_out(b->m, op->block);
	b->at.before = op->next;
	return reached;
}

bool circ_builder_ended(const CircBuilder *b)
{
	const IrOp *last = circ_block_last_op(circ_builder_block(b));
	return last && circ_op_is_terminator(last);
}

bool circ_builder_enter(CircBuilder *b, CircOp *op, size_t region)
{
	CircModule *m = module_of(b);
	if (!m || !api_is_our_op(m, op) || region >= op->nregions)
		return refuse(__func__, b, "'op' is not an op of this module with such a region") != NULL;
	IrRegion *r = &op->regions[region];
	CircBlock *block = r->last ? api_hand_out(m, r->last) : circ_block_create(m, r);
	return block && circ_builder_at_end(b, block);
}

/* Values */

static CircValue *build_const(const char *function, CircBuilder *b, const CircAttr *value)
{
	CircNamedAttr attr = {"value", value};
	return result_of(
	    api_make_op(function, b, &(CircOpSpec){.mnemonic = "cir.const", .attrs = &attr, .nattrs = 1}));
}

CircValue *circ_build_const(CircBuilder *b, const CircAttr *value)
{
	return build_const(__func__, b, value);
}

CircValue *circ_build_int(CircBuilder *b, CircType *type, int64_t value)
{
	const CircAttr *a = circ_attr_int(module_of(b), type, value);
	return a ? build_const(__func__, b, a) : NULL;
}

CircValue *circ_build_bool(CircBuilder *b, bool value)
{
	const CircAttr *a = circ_attr_bool(module_of(b), value);
	return a ? build_const(__func__, b, a) : NULL;
}

CircValue *circ_build_null(CircBuilder *b, CircType *pointer_type)
{
	const CircAttr *a = circ_attr_null(module_of(b), pointer_type);
	return a ? build_const(__func__, b, a) : NULL;
}

/* An op with an attribute `kind`. */
static IrOp *kind_op(const char *function, CircBuilder *b, const char *mnemonic, const char *enumeration,
                     const char *word, IrType *result, CircValue *const *operands, size_t n)
{
	CircNamedAttr attr = {"kind", api_make_enum(function, module_of(b), enumeration, word)};
	if (!attr.value)
		return NULL;
	CircOpSpec s = {
	    .mnemonic = mnemonic, .operands = operands, .noperands = n, .attrs = &attr, .nattrs = 1};
	s.result_types = result ? &result : NULL;
	s.nresults = result != NULL;
	return api_make_op(function, b, &s);
}

CircValue *circ_build_cast(CircBuilder *b, const char *kind, CircValue *value, CircType *to)
{
	return result_of(kind_op(__func__, b, "cir.cast", "cast", kind, to, &value, 1));
}

CircValue *circ_build_cmp(CircBuilder *b, const char *kind, CircValue *lhs, CircValue *rhs)
{
	CircValue *operands[] = {lhs, rhs};
	return result_of(kind_op(__func__, b, "cir.cmp", "cmp", kind, NULL, operands, 2));
}

CircValue *circ_build_binary(CircBuilder *b, const char *mnemonic, CircValue *lhs, CircValue *rhs)
{
	CircValue *operands[] = {lhs, rhs};
	return result_of(simple_op(__func__, b, mnemonic, NULL, operands, 2));
}

CircValue *circ_build_unary(CircBuilder *b, const char *mnemonic, CircValue *operand)
{
	return result_of(simple_op(__func__, b, mnemonic, NULL, &operand, 1));
}

CircValue *circ_build_select(CircBuilder *b, CircValue *cond, CircValue *then_value, CircValue *else_value)
{
	CircValue *operands[] = {cond, then_value, else_value};
	return result_of(simple_op(__func__, b, "cir.select", NULL, operands, 3));
}

/* Memory */

CircValue *circ_build_alloca(CircBuilder *b, CircType *type, const char *name, unsigned align)
{
	CircModule *m = module_of(b);
	CircType *ptr = circ_type_ptr(m, type);
	if (!ptr)
		return NULL;
	if (align & (align - 1))
		return refuse(__func__, b, "'align' is not a power of two");
	CircNamedAttr attrs[] = {
	    {"name", circ_attr_string(m, name ? name : "", name ? strlen(name) : 0)},
	    {"alignment", circ_attr_i64(m, align)},
	};
	CircOpSpec s = {.mnemonic = "cir.alloca",
	                .result_types = &ptr,
	                .nresults = 1,
	                .attrs = attrs,
	                .nattrs = align ? 2 : 1};
	return attrs[0].value && attrs[1].value ? result_of(api_make_op(__func__, b, &s)) : NULL;
}

CircValue *circ_build_load(CircBuilder *b, CircValue *ptr)
{
	IrType *type = is_live(b, ptr) && ir_is_ptr(ptr->type) ? ptr->type->elem : NULL;
	return result_of(simple_op(__func__, b, "cir.load", type, &ptr, 1));
}

CircOp *circ_build_store(CircBuilder *b, CircValue *value, CircValue *ptr)
{
	CircValue *operands[] = {value, ptr};
	return simple_op(__func__, b, "cir.store", NULL, operands, 2);
}

CircValue *circ_build_get_global(CircBuilder *b, CircOp *symbol)
{
	CircModule *m = module_of(b);
	if (!m || !api_is_our_op(m, symbol) || !(op_info[symbol->kind].flags & OPF_SYMBOL))
		return refuse(__func__, b, "'symbol' is not a function or global of this module");
	CircType *ptr = circ_type_ptr(m, ir_symbol_type(symbol));
	CircNamedAttr attr = {"symbol", api_make_symbol(__func__, m, ir_symbol_name(symbol)->text)};
	CircOpSpec s = {
	    .mnemonic = "cir.get_global", .result_types = &ptr, .nresults = 1, .attrs = &attr, .nattrs = 1};
	return ptr && attr.value ? result_of(api_make_op(__func__, b, &s)) : NULL;
}

/* What a pointer to a member points to: of a bit-field, its storage. */
static IrType *member_type(const IrValue *ptr, unsigned index)
{
	const IrType *record = ir_is_ptr(ptr->type) ? ptr->type->elem : NULL;
	if (!record || record->kind != TYPE_RECORD || index >= record->nmembers)
		return NULL;
	IrType *member = record->members[index];
	return member->kind == TYPE_BITFIELD ? member->elem : member;
}

static CircOp *string_global(const char *function, CircModule *m, CircType *byte, const char *bytes,
                             size_t len)
{
	CircType *array = circ_type_array(m, byte, len + 1);
	const CircAttr *value = array ? circ_attr_const_string(m, array, bytes, len) : NULL;
	const char *name = value ? api_free_name(function, m, ".str") : NULL;
	CircOp *global = name ? circ_global_create(m, name, array, "internal", value) : NULL;
	return global && circ_op_set_flag(m, global, "constant") ? global : NULL;
}

CircValue *circ_build_string(CircBuilder *b, const char *bytes, size_t len)
{
	CircModule *m = module_of(b);
	CircType *byte = circ_type_int(m, 8, true);
	CircOp *global = byte ? string_global(__func__, m, byte, bytes, len) : NULL;
	CircValue *array = global ? circ_build_get_global(b, global) : NULL;
	if (global && !array)
		circ_op_erase(m, global);
	return array ? circ_build_cast(b, "array_to_ptrdecay", array, circ_type_ptr(m, byte)) : NULL;
}

CircValue *circ_build_get_member(CircBuilder *b, CircValue *ptr, unsigned index, const char *name)
{
	CircModule *m = module_of(b);
	IrType *member = is_live(b, ptr) ? member_type(ptr, index) : NULL;
	if (!member)
		return refuse(__func__, b, "'ptr' does not point to a record with such a member");
	CircType *result = circ_type_ptr(m, member);
	CircNamedAttr attrs[] = {{"index", circ_attr_i64(m, index)},
	                         {"name", circ_attr_string(m, name ? name : "", name ? strlen(name) : 0)}};
	CircOpSpec s = {.mnemonic = "cir.get_member",
	                .operands = &ptr,
	                .noperands = 1,
	                .result_types = &result,
	                .nresults = 1,
	                .attrs = attrs,
	                .nattrs = name ? 2 : 1};
	return result && attrs[0].value && attrs[1].value ? result_of(api_make_op(__func__, b, &s)) : NULL;
}

CircValue *circ_build_ptr_stride(CircBuilder *b, CircValue *ptr, CircValue *index)
{
	CircValue *operands[] = {ptr, index};
	return result_of(simple_op(__func__, b, "cir.ptr_stride", NULL, operands, 2));
}

/* Control flow */

CircOp *circ_build_br(CircBuilder *b, CircBlock *dest, CircValue *const *args, size_t nargs)
{
	CircSuccessor edge = {dest, args, nargs};
	return api_make_op(__func__, b,
	                   &(CircOpSpec){.mnemonic = "cir.br", .successors = &edge, .nsuccessors = 1});
}

CircOp *circ_build_brcond(CircBuilder *b, CircValue *cond, CircSuccessor then_edge, CircSuccessor else_edge)
{
	CircSuccessor edges[] = {then_edge, else_edge};
	CircOpSpec s = {.mnemonic = "cir.brcond",
	                .operands = &cond,
	                .noperands = 1,
	                .successors = edges,
	                .nsuccessors = 2};
	return api_make_op(__func__, b, &s);
}

CircOp *circ_build_return(CircBuilder *b, CircValue *value)
{
	return simple_op(__func__, b, "cir.return", NULL, &value, value != NULL);
}

CircOp *circ_build_unreachable(CircBuilder *b)
{
	return simple_op(__func__, b, "cir.unreachable", NULL, NULL, 0);
}

/* Ops with regions */

CircOp *circ_build_scope(CircBuilder *b)
{
	return simple_op(__func__, b, "cir.scope", NULL, NULL, 0);
}

CircOp *circ_build_if(CircBuilder *b, CircValue *cond)
{
	return simple_op(__func__, b, "cir.if", NULL, &cond, 1);
}

CircOp *circ_build_ternary(CircBuilder *b, CircValue *cond, CircType *type)
{
	return simple_op(__func__, b, "cir.ternary", type, &cond, 1);
}

CircOp *circ_build_cleanup(CircBuilder *b, const char *kind)
{
	return kind_op(__func__, b, "cir.cleanup.scope", "cleanup_kind", kind, NULL, NULL, 0);
}

/* Calls */

/* callee: a function, or NULL for a pointer in front of the arguments. type: of the function. */
static IrOp *call_op(const char *function, CircBuilder *b, const IrOp *callee, const IrType *type,
                     CircOpSpec *s)
{
	CircNamedAttr attr = {"callee", NULL};
	IrType *result = type->elem;
	if (callee) {
		attr.value = api_make_symbol(function, module_of(b), ir_symbol_name(callee)->text);
		if (!attr.value)
			return NULL;
		s->attrs = &attr;
		s->nattrs = 1;
	}
	s->result_types = &result;
	s->nresults = result->kind != TYPE_VOID;
	return api_make_op(function, b, s);
}

static bool is_callee(const CircBuilder *b, const CircOp *callee)
{
	return b && api_is_our_op(b->m, callee) && callee->kind == OP_FUNC;
}

CircOp *circ_build_call(CircBuilder *b, CircOp *callee, CircValue *const *args, size_t nargs)
{
	if (!is_callee(b, callee))
		return refuse(__func__, b, "'callee' is not a function of this module");
	CircOpSpec s = {.mnemonic = "cir.call", .operands = args, .noperands = nargs};
	return call_op(__func__, b, callee, ir_func_type(callee), &s);
}

static IrOp *call_indirect(const char *function, CircBuilder *b, CircValue *callee, CircValue *const *args,
                           size_t nargs)
{
	ApiCall c;
	if (!api_begin(&c, b->m, function))
		return NULL;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return NULL;
	}
	IrOp *op = NULL;
	if (api_count(&c, nargs, args, "args")) {
		CircValue **operands = arena_array(&b->m->scratch, CircValue *, nargs + 1);
		operands[0] = callee;
		if (nargs)
			memcpy(operands + 1, args, nargs * sizeof(CircValue *));
		CircOpSpec s = {.mnemonic = "cir.call", .operands = operands, .noperands = nargs + 1};
		op = call_op(function, b, NULL, callee->type->elem, &s);
	}
	api_end(&c);
	return op;
}

CircOp *circ_build_call_indirect(CircBuilder *b, CircValue *callee, CircValue *const *args, size_t nargs)
{
	if (!is_live(b, callee) || !ir_is_ptr(callee->type) || callee->type->elem->kind != TYPE_FUNC)
		return refuse(__func__, b, "'callee' is not a pointer to a function");
	return call_indirect(__func__, b, callee, args, nargs);
}

CircOp *circ_build_try_call(CircBuilder *b, CircOp *callee, CircValue *const *args, size_t nargs,
                            CircBlock *normal, CircBlock *unwind)
{
	if (!is_callee(b, callee))
		return refuse(__func__, b, "'callee' is not a function of this module");
	CircSuccessor edges[] = {{normal, NULL, 0}, {unwind, NULL, 0}};
	CircOpSpec s = {.mnemonic = "cir.try_call",
	                .operands = args,
	                .noperands = nargs,
	                .successors = edges,
	                .nsuccessors = 2};
	return call_op(__func__, b, callee, ir_func_type(callee), &s);
}

/* Exceptions */

CircValue *circ_build_eh_initiate(CircBuilder *b, bool cleanup)
{
	CircNamedAttr attr = {"cleanup", circ_attr_unit(module_of(b))};
	CircOpSpec s = {.mnemonic = "cir.eh.initiate", .attrs = &attr, .nattrs = cleanup};
	return attr.value ? result_of(api_make_op(__func__, b, &s)) : NULL;
}

static bool is_filter(const IrModule *m, const char *name)
{
	const IrOp *symbol = ir_symbol(name_find(&m->names, str_of(name)));
	return symbol && symbol->kind == OP_FUNC;
}

/* The attributes and edges of a dispatch, in the arrays of the call. */
static IrOp *dispatch(const char *function, CircBuilder *b, CircValue *token, const CircHandler *handlers,
                      size_t n, CircBlock *unwind)
{
	CircModule *m = b->m;
	size_t ntypes = unwind ? n : n - 1;
	const CircAttr **types = arena_array(&m->scratch, const CircAttr *, ntypes);
	CircSuccessor *edges = arena_array(&m->scratch, CircSuccessor, ntypes + 1);
	CircType *view = circ_type_ptr(m, m->u8);
	for (size_t i = 0; i < ntypes; i++) {
		types[i] = is_filter(m, handlers[i].type_info)
		               ? api_make_symbol(function, m, handlers[i].type_info)
		               : circ_attr_global_view(m, view, handlers[i].type_info, NULL, 0);
		edges[i].block = handlers[i].block;
		if (!types[i])
			return NULL;
	}
	edges[ntypes].block = unwind ? unwind : handlers[n - 1].block;
	CircNamedAttr attrs[2] = {{"catch_types", circ_attr_array(m, types, ntypes)},
	                          {"default_is_catch_all", circ_attr_unit(m)}};
	CircOpSpec s = {.mnemonic = "cir.eh.dispatch",
	                .operands = &token,
	                .noperands = 1,
	                .successors = edges,
	                .nsuccessors = ntypes + 1,
	                .attrs = ntypes ? attrs : attrs + 1,
	                .nattrs = (size_t)(ntypes > 0) + (unwind == NULL)};
	return attrs[0].value && attrs[1].value ? api_make_op(function, b, &s) : NULL;
}

/* Handlers of types and filters first; behind them either catch (...) or a way on. */
static const char *wrong_handlers(const CircHandler *handlers, size_t n, const CircBlock *unwind)
{
	if (n && !handlers)
		return "'handlers' is NULL";
	for (size_t i = 0; i + 1 < n; i++)
		if (!handlers[i].type_info)
			return "'handlers' has one after catch (...); put catch (...) last";
	bool catch_all = n && !handlers[n - 1].type_info;
	if (catch_all && unwind)
		return "'unwind' must be NULL when 'handlers' has catch (...)";
	return catch_all || unwind ? NULL : "expected either a catch (...) handler or 'unwind'";
}

CircOp *circ_build_eh_dispatch(CircBuilder *b, CircValue *token, const CircHandler *handlers,
                               size_t nhandlers, CircBlock *unwind)
{
	const char *wrong = wrong_handlers(handlers, nhandlers, unwind);
	ApiCall c;
	if (wrong)
		return refuse(__func__, b, wrong);
	if (!b || !api_begin(&c, b->m, __func__))
		return NULL;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return NULL;
	}
	IrOp *op = api_count(&c, nhandlers, handlers, "handlers")
	               ? dispatch(__func__, b, token, handlers, nhandlers, unwind)
	               : NULL;
	api_end(&c);
	return op;
}

CircValue *circ_build_begin_cleanup(CircBuilder *b, CircValue *token)
{
	return result_of(simple_op(__func__, b, "cir.begin_cleanup", NULL, &token, 1));
}

CircOp *circ_build_end_cleanup(CircBuilder *b, CircValue *cleanup)
{
	return simple_op(__func__, b, "cir.end_cleanup", NULL, &cleanup, 1);
}

CircValue *circ_build_begin_catch(CircBuilder *b, CircValue *token, CircType *pointer_type,
                                  CircValue **object)
{
	CircType *types[] = {circ_type_simple(module_of(b), CIRC_TYPE_CATCH_TOKEN), pointer_type};
	CircOpSpec s = {.mnemonic = "cir.begin_catch",
	                .operands = &token,
	                .noperands = 1,
	                .result_types = types,
	                .nresults = 2};
	IrOp *op = types[0] ? api_make_op(__func__, b, &s) : NULL;
	if (object)
		*object = op ? &op->results[1] : NULL;
	return result_of(op);
}

CircOp *circ_build_end_catch(CircBuilder *b, CircValue *catch_token)
{
	return simple_op(__func__, b, "cir.end_catch", NULL, &catch_token, 1);
}

CircOp *circ_build_resume(CircBuilder *b, CircValue *token)
{
	return simple_op(__func__, b, "cir.resume", NULL, &token, 1);
}

CircValue *circ_build_catch_param(CircBuilder *b, CircType *pointer_type)
{
	return result_of(simple_op(__func__, b, "cir.catch_param", pointer_type, NULL, 0));
}

/* void *circ_object_as(const CircRecord *record, uint32_t language, const CircType *type) of circ/runtime.h */
static CircOp *declare_object_as(CircModule *m, CircType *address, CircType *number)
{
	CircType *params[] = {address, number, address};
	CircOp *f = circ_func_declare(m, "circ_object_as", circ_type_func(m, params, 3, address, false));
	return f && circ_op_set_flag(m, f, "nothrow") ? f : NULL;
}

CircValue *circ_build_object_as(CircBuilder *b, CircValue *record, const char *type_info,
                                CircType *pointer_type)
{
	CircModule *m = module_of(b);
	uint32_t language = 0;
	if (m && !ir_module_eh_language(m, &language))
		return refuse(__func__, b,
		              "'circ.eh.language' of the module is not an integer from 0 to 4294967295");
	CircType *address = circ_type_ptr(m, circ_type_simple(m, CIRC_TYPE_VOID));
	CircType *number = circ_type_int(m, 32, true);
	CircOp *f = address && number ? declare_object_as(m, address, number) : NULL;
	const CircAttr *type = f ? circ_attr_global_view(m, address, type_info, NULL, 0) : NULL;
	if (!type)
		return NULL;
	CircValue *args[] = {circ_build_cast(b, "bitcast", record, address),
	                     circ_build_int(b, number, (int32_t)language), build_const(__func__, b, type)};
	if (!args[0] || !args[1] || !args[2])
		return NULL;
	CircOp *call = circ_build_call(b, f, args, 3);
	return call ? circ_build_cast(b, "bitcast", circ_op_result(call, 0), pointer_type) : NULL;
}

CircValue *circ_build_alloc_exception(CircBuilder *b, CircType *type)
{
	CircModule *m = module_of(b);
	uint64_t size;
	CircType *ptr = circ_type_ptr(m, type);
	if (!ptr)
		return NULL;
	if (!circ_type_layout(type, &size, NULL) || size > INT64_MAX)
		return refuse(__func__, b, "'type' has no size");
	CircNamedAttr attr = {"size", circ_attr_i64(m, (int64_t)size)};
	CircOpSpec s = {.mnemonic = "cir.alloc.exception",
	                .result_types = &ptr,
	                .nresults = 1,
	                .attrs = &attr,
	                .nattrs = 1};
	return attr.value ? result_of(api_make_op(__func__, b, &s)) : NULL;
}

CircOp *circ_build_throw(CircBuilder *b, CircValue *object, const char *type_info, const char *dtor)
{
	CircModule *m = module_of(b);
	CircNamedAttr attrs[] = {{"type_info", api_make_symbol(__func__, m, type_info)},
	                         {"dtor", dtor ? api_make_symbol(__func__, m, dtor) : NULL}};
	CircOpSpec s = {.mnemonic = "cir.throw",
	                .operands = &object,
	                .noperands = 1,
	                .attrs = attrs,
	                .nattrs = dtor ? 2 : 1};
	return attrs[0].value && (!dtor || attrs[1].value) ? api_make_op(__func__, b, &s) : NULL;
}

CircOp *circ_build_rethrow(CircBuilder *b)
{
	return simple_op(__func__, b, "cir.throw", NULL, NULL, 0);
}

CircOp *circ_build_check(CircBuilder *b, const char *kind, CircValue *ok)
{
	return kind_op(__func__, b, "circ.check", "check", kind, NULL, &ok, 1);
}
