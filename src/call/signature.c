#include "call/signature.h"

#include "call/ms_method.h"
#include "ir/layout.h"
#include "ir/mangled.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const attr_texts[ABI_ATTR_COUNT] = {
    [ABI_ATTR_ALIGN] = "llvm.align",
    [ABI_ATTR_ALIGNSTACK] = "llvm.alignstack",
    [ABI_ATTR_BYVAL] = "llvm.byval",
    [ABI_ATTR_DEAD_ON_RETURN] = "llvm.dead_on_return",
    [ABI_ATTR_DEAD_ON_UNWIND] = "llvm.dead_on_unwind",
    [ABI_ATTR_INREG] = "llvm.inreg",
    [ABI_ATTR_NEST] = "llvm.nest",
    [ABI_ATTR_NOALIAS] = "llvm.noalias",
    [ABI_ATTR_NOUNDEF] = "llvm.noundef",
    [ABI_ATTR_SIGNEXT] = "llvm.signext",
    [ABI_ATTR_SRET] = "llvm.sret",
    [ABI_ATTR_WRITABLE] = "llvm.writable",
    [ABI_ATTR_ZEROEXT] = "llvm.zeroext",
};

/* What the source says of places */

static const IrAttr *dict_of(const IrAttr *list, uint32_t i)
{
	const IrAttr *a = list && list->kind == ATTR_ARRAY && i < list->n ? list->elems[i] : NULL;
	return a && a->kind == ATTR_DICT ? a : NULL;
}

static bool has_attr(const AbiSignatures *s, const IrAttr *dict, AbiAttr a)
{
	return ir_dict_get(dict, s->attrs[a]->id) != NULL;
}

/* Does the module name one of them at all? */
static bool says_any(const AbiSignatures *s, const AbiAttr *attrs, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (s->said[attrs[i]])
			return true;
	return false;
}

static bool has_any(const AbiSignatures *s, const IrAttr *list, const AbiAttr *attrs, unsigned n)
{
	for (uint32_t i = 0; list && list->kind == ATTR_ARRAY && i < list->n; i++)
		for (unsigned k = 0; dict_of(list, i) && k < n; k++)
			if (has_attr(s, list->elems[i], attrs[k]))
				return true;
	return false;
}

static bool is_whole(const IrType *t)
{
	return abi_is_aggregate(t) || t->kind == TYPE_COMPLEX || t->kind == TYPE_METHOD;
}

bool abi_is_source_signature(const IrType *func)
{
	for (uint32_t i = 0; i < func->nmembers; i++)
		if (is_whole(func->members[i]))
			return true;
	return is_whole(func->elem) && (func->elem->kind != TYPE_RECORD || func->elem->name);
}

/* Does the function or the call show by itself that its signature is lowered, or which small integers are widened? */
static bool says_lowered(const void *signatures, const IrOp *op)
{
	static const AbiAttr shows[] = {ABI_ATTR_SIGNEXT, ABI_ATTR_ZEROEXT, ABI_ATTR_SRET, ABI_ATTR_BYVAL};
	const AbiSignatures *s = signatures;
	return says_any(s, shows, ARRAY_LEN(shows)) &&
	       (has_any(s, ir_op_attr(op, NAME_arg_attrs), shows, ARRAY_LEN(shows)) ||
	        has_any(s, ir_op_attr(op, NAME_res_attrs), shows, ARRAY_LEN(shows)));
}

void abi_signatures_init(AbiSignatures *s, IrModule *m, const AbiTarget *target, const char *features,
                         Arena *mem)
{
	static const AbiConvention *const conventions[] = {
	    [CALL_SYSV_X86_64] = &abi_sysv_x86_64,
	    [CALL_WIN64] = &abi_win64,
	    [CALL_AAPCS64] = &abi_aapcs64,
	    [CALL_AAPCS64_APPLE] = &abi_aapcs64_apple,
	    [CALL_AAPCS64_WINDOWS] = &abi_aapcs64_windows,
	    [CALL_WASM32] = &abi_wasm32,
	};
	const AbiConvention *own = conventions[target->call_conv];
	*s = (AbiSignatures){.c = own,
	                     .method = own == &abi_win64 ? &abi_win64_method : &abi_aapcs64_windows_method,
	                     .wincall = target->machine->has_conventions ? &abi_win64 : own,
	                     .has_conventions = target->machine->has_conventions,
	                     .returns_this = target->machine->returns_this,
	                     .has_methods = target->type_info == TYPE_INFO_MICROSOFT};
	abi_types_init(&s->types, m, mem, features);
	s->types.call_conv = target->call_conv;
	s->types.msvc = s->has_methods;
	for (unsigned i = 0; i < ABI_ATTR_COUNT; i++) {
		s->said[i] = name_find(&m->names, str_of(attr_texts[i])) != NULL;
		s->attrs[i] = ir_name(m, str_of(attr_texts[i]));
	}
	s->types.keeps_width = abi_guess_lowered(m, says_lowered, s);
}

const AbiConvention *abi_convention_of(const AbiSignatures *s, const IrOp *op)
{
	if (ir_op_enum(op, NAME_calling_conv, CALLING_CONV_C) == CALLING_CONV_X86_WINCALL)
		return s->wincall;
	return s->has_methods && !ir_call_callee(op) && ms_is_method(op) ? s->method : s->c;
}

/* Types */

static IrType *pair_type(IrModule *m, IrType *const pieces[2])
{
	RecordBody body = {.members = pieces, .nmembers = 2};
	return ir_type_anon_record(m, RECORD_STRUCT, &body);
}

IrType *abi_pieces_type(AbiSignatures *s, const AbiPassing *p)
{
	return p->npieces == 1 ? p->pieces[0] : pair_type(s->types.m, p->pieces);
}

/* Do both have one type in LLVM? */
static bool same_scalar(const IrType *a, const IrType *b)
{
	if (a->kind == TYPE_INT && b->kind == TYPE_INT)
		return a->width == b->width && !a->bitint;
	bool pointers = (a->kind == TYPE_PTR && !a->attr) || a->kind == TYPE_VPTR;
	return pointers ? b->kind == TYPE_PTR : a == b;
}

/* Is a result of the source the record of its two pieces? LLVM returns it in their registers then. */
static bool is_pair_itself(IrType *t, const AbiPassing *p)
{
	if (p->npieces != 2 || p->offset)
		return false;
	if (t->kind == TYPE_COMPLEX)
		return same_scalar(t->elem, p->pieces[0]) && same_scalar(t->elem, p->pieces[1]);
	return t->kind == TYPE_RECORD && t->record_kind != RECORD_UNION && !t->packed && t->nmembers == 2 &&
	       abi_member_counts(t, 0) && abi_member_counts(t, 1) &&
	       same_scalar(t->members[0], p->pieces[0]) && same_scalar(t->members[1], p->pieces[1]);
}

static AbiPassing pass_result(AbiSignatures *s, const AbiConvention *c, IrType *t)
{
	AbiPassing p = c->result(&s->types, t);
	if (p.how == PASS_PIECES && is_pair_itself(t, &p))
		p.how = PASS_AS_IS;
	return p;
}

/* The function type that LLVM is given. */
static IrType *lowered_type(AbiSignatures *s, const AbiSignature *sig)
{
	IrModule *m = s->types.m;
	IrType *source = sig->source, *result = source->elem;
	ArenaMark mark = arena_mark(&m->scratch);
	IrType **params = arena_array(&m->scratch, IrType *, (size_t)source->nmembers * 2 + 1);
	uint32_t n = 0;
	if (sig->result.how == PASS_PIECES)
		result = abi_pieces_type(s, &sig->result);
	else if (sig->result.how == PASS_THIS)
		result = source->members[0];
	else if (sig->result.how == PASS_ADDRESS || sig->result.how == PASS_NOTHING)
		result = NULL;
	if (abi_sret_is_behind(sig, 0))
		params[n++] = ir_type_ptr(m, source->elem);
	for (uint32_t i = 0; i < source->nmembers; i++) {
		const AbiPassing *p = &sig->params[i];
		if (p->how == PASS_AS_IS || p->how == PASS_EXTENDED)
			params[n++] = source->members[i];
		else if (p->how == PASS_BYVAL || p->how == PASS_ADDRESS)
			params[n++] = ir_type_ptr(m, source->members[i]);
		for (uint32_t k = 0; p->how == PASS_PIECES && k < p->npieces; k++)
			params[n++] = p->pieces[k];
		if (abi_sret_is_behind(sig, i + 1))
			params[n++] = ir_type_ptr(m, source->elem);
	}
	IrType *type = ir_type_func(m, params, n, result, source->variadic);
	arena_release(&m->scratch, mark);
	return type;
}

/* Signatures */

/* A parameter that the source has lowered: an address that goes in memory, or in a register of its own. */
static bool is_lowered(const AbiSignatures *s, const IrAttr *dict)
{
	return dict && (has_attr(s, dict, ABI_ATTR_BYVAL) || has_attr(s, dict, ABI_ATTR_NEST));
}

static void place_values(AbiSignatures *s, const AbiConvention *c, AbiSignature *sig, const IrAttr *args)
{
	const IrType *source = sig->source;
	sig->left = c->registers;
	sig->left.variadic = source->variadic;
	if (source->elem->kind != TYPE_VOID)
		sig->result = pass_result(s, c, source->elem);
	sig->behind_this = c->behind_this && source->elem->kind == TYPE_RECORD && source->elem->name;
	if (sig->result.how == PASS_ADDRESS && sig->left.ints)
		sig->left.ints--;
	sig->same = sig->result.how == PASS_AS_IS;
	for (uint32_t i = 0; i < source->nmembers; i++) {
		if (!is_lowered(s, dict_of(args, i)))
			sig->params[i] = c->param(&s->types, source->members[i], &sig->left, true);
		sig->same &= sig->params[i].how == PASS_AS_IS;
	}
}

/* op: whose attributes count; NULL: none. */
static AbiSignature *make_signature(AbiSignatures *s, const AbiConvention *c, IrType *source, const IrOp *op)
{
	AbiSignature *sig = arena_new(s->types.mem, AbiSignature);
	sig->source = source;
	sig->type = source;
	sig->same = true;
	sig->params = arena_array(s->types.mem, AbiPassing, source->nmembers);
	if (ir_signature_incomplete(source)) /* nobody can call it yet */
		return sig;
	bool keeps_width = s->types.keeps_width;
	s->types.keeps_width =
	    (keeps_width || (op && says_lowered(s, op))) && !abi_is_source_signature(source);
	place_values(s, c, sig, op ? ir_op_attr(op, NAME_arg_attrs) : NULL);
	s->types.keeps_width = keeps_width;
	if (!sig->same)
		sig->type = lowered_type(s, sig);
	return sig;
}

/* Does the signature depend on more than its type? */
static bool depends_on_attrs(const AbiSignatures *s, const IrOp *op)
{
	static const AbiAttr lowered[] = {ABI_ATTR_BYVAL, ABI_ATTR_NEST};
	return (says_any(s, lowered, ARRAY_LEN(lowered)) &&
	        has_any(s, ir_op_attr(op, NAME_arg_attrs), lowered, ARRAY_LEN(lowered))) ||
	       (!s->types.keeps_width && says_lowered(s, op));
}

static const AbiSignature *find_signature(AbiSignatures *s, const AbiConvention *c, IrType *source,
                                          const IrOp *op)
{
	if (depends_on_attrs(s, op))
		return make_signature(s, c, source, op);
	PtrMap *map = c->behind_this ? &s->by_method : c == s->c ? &s->by_type : &s->by_wintype;
	AbiSignature *sig = ptrmap_get(map, source);
	if (!sig) {
		sig = make_signature(s, c, source, NULL);
		ptrmap_put(s->types.mem, map, source, sig);
	}
	return sig;
}

/* A constructor, or a destructor that does not delete, as CIR has it: without a result. */
static bool is_structor(const IrOp *func)
{
	const IrType *t = ir_func_type(func);
	return t->elem->kind == TYPE_VOID && t->nmembers && ir_is_ptr(t->members[0]) &&
	       mangled_is_structor(name_str(ir_symbol_name(func)));
}

static const AbiSignature *with_this(AbiSignatures *s, const AbiSignature *plain)
{
	AbiSignature *sig = arena_new(s->types.mem, AbiSignature);
	*sig = *plain;
	sig->result.how = PASS_THIS;
	sig->same = false;
	sig->type = lowered_type(s, sig);
	return sig;
}

const AbiSignature *abi_signature_of(AbiSignatures *s, const IrOp *func)
{
	const AbiSignature *sig = ptrmap_get(&s->by_func, func);
	if (!sig) {
		sig = find_signature(s, abi_convention_of(s, func), ir_func_type(func), func);
		if (s->returns_this && is_structor(func))
			sig = with_this(s, sig);
		ptrmap_put(s->types.mem, &s->by_func, func, (void *)(uintptr_t)sig);
	}
	return sig;
}

const AbiSignature *abi_signature_of_call(AbiSignatures *s, const IrOp *call, IrType *source)
{
	return find_signature(s, abi_convention_of(s, call), source, call);
}

/* Attributes */

typedef struct Entry {
	AbiAttr key;
	const IrAttr *value;
} Entry;

/* A dictionary of `old`, unless that is NULL, and more entries; keys are sorted, as MLIR has them. */
static const IrAttr *make_dict(AbiSignatures *s, const IrAttr *old, const Entry *entries, uint32_t n)
{
	enum { MORE = 8 };
	Arena *mem = &s->types.m->scratch;
	ArenaMark mark = arena_mark(mem);
	uint32_t total = old ? old->n : 0;
	Name **keys = arena_array(mem, Name *, total + MORE);
	const IrAttr **values = arena_array(mem, const IrAttr *, total + MORE);
	for (uint32_t i = 0; i < total; i++) {
		keys[i] = old->keys[i];
		values[i] = old->elems[i];
	}
	CHECK(n <= MORE);
	for (uint32_t i = 0; i < n; i++) {
		Name *key = s->attrs[entries[i].key];
		if (old && ir_dict_get(old, key->id))
			continue;
		uint32_t at = total++;
		for (; at && strcmp(keys[at - 1]->text, key->text) > 0; at--) {
			keys[at] = keys[at - 1];
			values[at] = values[at - 1];
		}
		keys[at] = key;
		values[at] = entries[i].value;
	}
	const IrAttr *dict = ir_attr_dict(s->types.m, total ? keys : NULL, total ? values : NULL, total);
	arena_release(mem, mark);
	return dict;
}

static const IrAttr *extended(AbiSignatures *s, IrType *t, const IrAttr *old)
{
	if (old && (has_attr(s, old, ABI_ATTR_SIGNEXT) || has_attr(s, old, ABI_ATTR_ZEROEXT)))
		return old;
	Entry e = {t->is_signed ? ABI_ATTR_SIGNEXT : ABI_ATTR_ZEROEXT, ir_attr_unit(s->types.m)};
	return make_dict(s, old, &e, 1);
}

static const IrAttr *address_dict(AbiSignatures *s, IrType *t, const AbiPassing *p)
{
	IrModule *m = s->types.m;
	const IrAttr *unit = ir_attr_unit(m), *align = ir_attr_i64(m, p->align);
	if (p->how == PASS_BYVAL) {
		Entry e[] = {
		    {ABI_ATTR_BYVAL, ir_attr_type(m, t)}, {ABI_ATTR_ALIGN, align}, {ABI_ATTR_NOUNDEF, unit}};
		return make_dict(s, NULL, e, ARRAY_LEN(e));
	}
	/* An object with an identity may outlive the call: who calls destroys it. */
	Entry e[] = {{ABI_ATTR_NOUNDEF, unit}, {ABI_ATTR_DEAD_ON_RETURN, unit}};
	return make_dict(s, NULL, e, abi_goes_by_address(&s->types, t) ? 1 : 2);
}

static const IrAttr *sret_dict(AbiSignatures *s, const AbiSignature *sig)
{
	IrModule *m = s->types.m;
	const IrAttr *unit = ir_attr_unit(m);
	Entry e[] = {{ABI_ATTR_SRET, ir_attr_type(m, sig->source->elem)},
	             {ABI_ATTR_ALIGN, ir_attr_i64(m, sig->result.align)},
	             {ABI_ATTR_DEAD_ON_UNWIND, unit},
	             {ABI_ATTR_NOALIAS, unit},
	             {ABI_ATTR_WRITABLE, unit},
	             {ABI_ATTR_INREG, unit}};
	return make_dict(s, NULL, e, ARRAY_LEN(e) - !sig->result.among_params);
}

/* Of what the source says of a value, only this is true of its pieces. */
static const IrAttr *piece_dict(AbiSignatures *s, const IrAttr *old, uint32_t stack_align)
{
	Entry e[2];
	uint32_t n = 0;
	if (old && has_attr(s, old, ABI_ATTR_NOUNDEF))
		e[n++] = (Entry){ABI_ATTR_NOUNDEF, ir_attr_unit(s->types.m)};
	if (stack_align)
		e[n++] = (Entry){ABI_ATTR_ALIGNSTACK, ir_attr_i64(s->types.m, stack_align)};
	return make_dict(s, NULL, e, n);
}

typedef struct Dicts {
	AbiSignatures *s;
	const IrAttr **data;
	uint32_t n;
	bool any; /* one of them is not empty */
} Dicts;

static void push_dict(Dicts *d, const IrAttr *dict)
{
	d->any |= dict && dict->n;
	d->data[d->n++] = dict ? dict : make_dict(d->s, NULL, NULL, 0);
}

static void push_param(Dicts *d, IrType *t, const AbiPassing *p, const IrAttr *old)
{
	switch (p->how) {
	case PASS_AS_IS:
		push_dict(d, old);
		break;
	case PASS_EXTENDED:
		push_dict(d, extended(d->s, t, old));
		break;
	case PASS_PIECES:
		for (uint32_t k = 0; k < p->npieces; k++)
			push_dict(d, piece_dict(d->s, old, p->align));
		break;
	case PASS_BYVAL:
	case PASS_ADDRESS:
		push_dict(d, address_dict(d->s, t, p));
		break;
	case PASS_NOTHING:
	case PASS_THIS: /* of results alone */
		break;
	}
}

static const IrAttr *result_attrs(AbiSignatures *s, const AbiSignature *sig, const IrAttr *res)
{
	const IrAttr *old = dict_of(res, 0), *dict = old;
	if (sig->result.how == PASS_EXTENDED)
		dict = extended(s, sig->source->elem, old);
	else if (sig->result.how == PASS_PIECES)
		dict = sig->result.npieces == 1 ? piece_dict(s, old, 0) : NULL;
	else if (sig->result.how != PASS_AS_IS)
		dict = NULL;
	return dict && dict->n ? ir_attr_array(s->types.m, &dict, 1) : NULL;
}

static bool goes_in_memory(const AbiPassing *p)
{
	return p->how == PASS_BYVAL || p->how == PASS_ADDRESS;
}

static bool any_in_memory(const AbiPassing *p, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (goes_in_memory(&p[i]))
			return true;
	return false;
}

static uint32_t places_of(const AbiPassing *p)
{
	return p->how == PASS_NOTHING ? 0 : p->how == PASS_PIECES ? p->npieces : 1;
}

/* False: the parameter is not passed as the one value that it is. */
static bool find_place(const AbiSignature *sig, uint32_t param, uint32_t *place)
{
	if (param >= sig->source->nmembers ||
	    (sig->params[param].how != PASS_AS_IS && sig->params[param].how != PASS_EXTENDED))
		return false;
	*place = sig->result.how == PASS_ADDRESS && param >= sig->behind_this;
	for (uint32_t i = 0; i < param; i++)
		*place += places_of(&sig->params[i]);
	return true;
}

static const IrAttr *alloc_size(AbiSignatures *s, const AbiSignature *sig, const IrAttr *old)
{
	uint32_t params[2], places[2], n;
	char text[64];
	if (!old || !ir_attr_get_numbers(old, params, ARRAY_LEN(params), &n) || !n)
		return NULL;
	for (uint32_t i = 0; i < n; i++)
		if (!find_place(sig, params[i], &places[i]))
			return NULL;
	if (n == 1)
		snprintf(text, sizeof text, "array<i32: %" PRIu32 ">", places[0]);
	else
		snprintf(text, sizeof text, "array<i32: %" PRIu32 ", %" PRIu32 ">", places[0], places[1]);
	IrAttr key = {.kind = ATTR_OPAQUE, .name = ir_name(s->types.m, str_of(text))};
	return ir_attr_intern(s->types.m, &key);
}

AbiPlaces abi_place_attrs(AbiSignatures *s, const AbiSignature *sig, const IrOp *op, const AbiPassing *more,
                          IrType *const *types, uint32_t nmore)
{
	const IrAttr *args = ir_op_attr(op, NAME_arg_attrs), *res = ir_op_attr(op, NAME_res_attrs);
	uint32_t nparams = sig->source->nmembers;
	Arena *mem = &s->types.m->scratch;
	ArenaMark mark = arena_mark(mem);
	Dicts d = {.s = s};
	d.data = arena_array(mem, const IrAttr *, ((size_t)nparams + nmore) * 2 + 1);
	if (abi_sret_is_behind(sig, 0))
		push_dict(&d, sret_dict(s, sig));
	for (uint32_t i = 0; i < nparams; i++) {
		push_param(&d, sig->source->members[i], &sig->params[i], dict_of(args, i));
		if (abi_sret_is_behind(sig, i + 1))
			push_dict(&d, sret_dict(s, sig));
	}
	for (uint32_t i = 0; i < nmore; i++)
		push_param(&d, types[i], &more[i], dict_of(args, nparams + i));
	AbiPlaces places = {.args = d.any ? ir_attr_array(s->types.m, d.data, d.n) : NULL,
	                    .res = result_attrs(s, sig, res),
	                    .alloc_size = alloc_size(s, sig, ir_op_attr(op, NAME_allocsize)),
	                    .memory = goes_in_memory(&sig->result) || any_in_memory(sig->params, nparams) ||
	                              any_in_memory(more, nmore)};
	arena_release(mem, mark);
	return places;
}
