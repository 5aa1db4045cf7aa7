/* Faults and checks that fail, as docs/faults.md and docs/checks.md describe them: which operation faults, and who sees it. */
#include "interpret.h"

#include "ir/layout.h"
#include "ir/raise.h"
#include "ir/try.h"

#include <string.h>

/* Windows' codes, in the order of the kinds of circ.check. */
static const struct {
	const char *type;
	uint32_t code;
} statuses[] = {
    {"circ_type_access", STATUS_ACCESS},     {"circ_type_zero", STATUS_DIVIDE},
    {"circ_type_overflow", STATUS_OVERFLOW}, {"circ_type_bounds", 0xC000008C},
    {"circ_type_conversion", 0xC0000090},    {"circ_type_store", 0xC0000024},
};

uint32_t fault_status_of(const char *type)
{
	for (size_t i = 0; i < ARRAY_LEN(statuses); i++)
		if (strcmp(statuses[i].type, type) == 0)
			return statuses[i].code;
	return 0;
}

bool fault_is_status_type(const char *type)
{
	return strcmp(type, "circ_type_fault") == 0 || fault_status_of(type);
}

bool fault_is_of_type(uint32_t code, const char *type)
{
	return fault_is_status(code) &&
	       (strcmp(type, "circ_type_fault") == 0 || fault_status_of(type) == code);
}

bool fault_is_status(uint32_t code)
{
	return code && code != CODE_LANGUAGE;
}

/* No language's: typed handlers know it by its code. */
static Way throw_status(Interp *in, const Record *r)
{
	Exception *e = exception_new(in, "", 0);
	e->language = LANGUAGE_OTHER;
	e->record = *r;
	if (r->flags & RECORD_NONCONTINUABLE) /* a check */
		e->record.object = e->object;
	else
		e->object = NULL;
	return exception_throw(in, e);
}

Way fault_check(Interp *in, const IrOp *op)
{
	unsigned kind = ir_op_enum(op, NAME_kind, CHECK_NULL);
	if (exec_operand(in, op, 0).i)
		return WAY_END;
	IrOp *own = ir_module_raise(in->m, kind);
	Value none = {0};
	Way way =
	    own ? exec_call(in, ir_symbol_name(own), &none, 0, &none)
	        : throw_status(in, &(Record){.code = statuses[kind].code, .flags = RECORD_NONCONTINUABLE});
	return way == WAY_END ? fail(op, "what a check calls that fails does not return") : way;
}

/* Which faults */

typedef struct Access {
	const void *at;
	uint64_t size;
	bool is_write;
} Access;

static unsigned accesses_of(Interp *in, const IrOp *op, Access out[2])
{
	IrType *type;
	switch (op->kind) {
	case OP_LOAD:
		out[0] = (Access){exec_operand(in, op, 0).p, ir_type_size(op->results[0].type), false};
		return 1;
	case OP_STORE:
		out[0] = (Access){exec_operand(in, op, 1).p, ir_type_size(ir_operand(op, 0)->type), true};
		return 1;
	case OP_COPY:
		type = ir_operand(op, 0)->type->elem;
		out[0] = (Access){exec_operand(in, op, 0).p, ir_type_size(type), false};
		out[1] = (Access){exec_operand(in, op, 1).p, ir_type_size(type), true};
		return 2;
	case OP_LIBC_MEMCPY:
		out[0] = (Access){exec_operand(in, op, 1).p, exec_operand(in, op, 0).i, false};
		out[1] = (Access){exec_operand(in, op, 2).p, exec_operand(in, op, 0).i, true};
		return 2;
	case OP_LIBC_MEMSET:
		out[0] = (Access){exec_operand(in, op, 1).p, exec_operand(in, op, 0).i, true};
		return 1;
	default:
		return 0;
	}
}

static bool access_faults(Interp *in, const IrOp *op, Record *r)
{
	Access a[2];
	for (unsigned i = 0, n = accesses_of(in, op, a); i < n; i++) {
		if (!a[i].size || !fault_place_is_bad(&in->world, a[i].at))
			continue;
		*r = (Record){.code = STATUS_ACCESS, .info = {a[i].is_write, (uintptr_t)a[i].at}};
		return true;
	}
	return false;
}

/* Of integers, or 0. The least one by -1 is a quotient that is too large; of Wine 8 that is a division by zero. */
static uint32_t division_status(const Interp *in, const IrType *t, uint64_t a, uint64_t b)
{
	uint64_t least = t->width <= 64 ? (uint64_t)INT64_MIN >> (64 - t->width) : 0;
	bool is_least = t->width == 64 ? a == least : a == (uint64_t) - (int64_t)least;
	if (b == 0)
		return STATUS_DIVIDE;
	if (t->is_signed && t->width <= 64 && is_least && b == UINT64_MAX)
		return in->microsoft ? STATUS_DIVIDE : STATUS_OVERFLOW;
	return 0;
}

static bool division_faults(Interp *in, const IrOp *op, Record *r)
{
	const IrType *t = ir_operand(op, 0)->type;
	Value a = exec_operand(in, op, 0), b = exec_operand(in, op, 1);
	bool is_vector = t->kind == TYPE_VECTOR;
	for (uint64_t i = 0, n = is_vector ? t->count : 1; i < n; i++) {
		const IrType *scalar = ir_scalar(t);
		uint64_t x = is_vector ? eval_element(in, t, a, i).i : a.i;
		uint64_t y = is_vector ? eval_element(in, t, b, i).i : b.i;
		uint32_t status = division_status(in, scalar, x, y);
		if (!status)
			continue;
		*r = (Record){.code = status};
		return true;
	}
	return false;
}

bool fault_of(Interp *in, const IrOp *op, Record *r)
{
	return op->kind == OP_DIV || op->kind == OP_REM ? division_faults(in, op, r)
	                                                : access_faults(in, op, r);
}

/* Who sees it */

static bool is_async(const IrOp *op)
{
	for (const IrRegion *r = op->block->region; r->op->kind != OP_FUNC; r = r->op->block->region) {
		TryHandler h;
		TryRole role = ir_try_role(r, &h);
		if (role == TRY_ROLE_FILTER)
			return false;
		if (role == TRY_ROLE_BODY && ir_op_has(r->op, NAME_async))
			return true;
	}
	return false;
}

Way fault_raise(Interp *in, const IrOp *op, const Record *r)
{
	if (!is_async(op) && !ir_op_has(in->func, NAME_circ_may_fault))
		return fail(op, "faults where nothing may");
	return throw_status(in, r);
}
