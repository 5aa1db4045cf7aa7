#include "eh/microsoft/runtime.h"

#include "ir/function_entry.h"

static const char what[] = "function of the C++ runtime";

static const LibFn rows[MS_FN_COUNT] = {
    [MS_THROW] = {"_CxxThrowException", "vpp", false, true, what},
    [MS_TERMINATE] = {NULL, "v", true, true, what}, /* the target's name for it */
    [MS_CURRENT] = {"__current_exception", "p", true, false, what},
};

/* What __cxa_allocate_exception promises: enough for every type that is not over-aligned. */
enum { EXCEPTION_ALIGN = 16 };

void ms_runtime_init(MsRuntime *r, IrModule *m, const AbiTarget *target, Diags *d)
{
	*r = (MsRuntime){.rt = {.m = m, .target = target, .d = d, .ok = true}};
	r->rt.personality_routine = target->personality;
	ms_types_init(&r->types, m, d);
}

static IrOp *call(MsRuntime *r, IrBuilder *b, MsFn fn, IrValue *const *args, uint32_t nargs,
                  const IrSuccSpec *edges)
{
	LibFn row = rows[fn];
	if (fn == MS_TERMINATE)
		row.name = r->rt.target->terminate;
	return runtime_call(&r->rt, b, &row, &r->uses[fn], args, nargs, edges);
}

static IrValue *null_pointer(IrBuilder *b)
{
	return ir_build_const(b, ir_attr_null(b->m, b->m->voidp));
}

static bool thrown(MsRuntime *r, IrBuilder *b, IrOp *op, IrValue *args[2])
{
	if (ir_op_nmain(op) == 0) {
		args[0] = null_pointer(b);
		args[1] = null_pointer(b);
		return true;
	}
	Name *info = ms_throw_info(&r->types, ir_op_symbol(op, NAME_type_info), ir_op_symbol(op, NAME_dtor),
	                           ir_operand(op, 0)->type->elem, op->loc);
	if (!info) {
		r->rt.ok = false;
		return false;
	}
	args[0] = ir_operand(op, 0);
	args[1] = runtime_address(b, info);
	return true;
}

void ms_lower_throw(MsRuntime *r, IrOp *op, const IrSuccSpec *edges)
{
	IrBuilder b = ir_before(r->rt.m, op);
	IrValue *args[2];
	if (thrown(r, &b, op, args))
		call(r, &b, MS_THROW, args, 2, edges);
}

void ms_lower_alloc_exception(MsRuntime *r, IrOp *func, IrOp *op)
{
	IrModule *m = r->rt.m;
	uint64_t size = ir_op_uint(op, NAME_size, 0);
	IrBuilder entry = ir_before(m, abi_entry_front(func));
	entry.loc = op->loc;
	IrType *bytes = ir_type_array(m, m->u8, size ? size : 1);
	IrValue *slot = ir_build_alloca(&entry, bytes, STR("__exception"), EXCEPTION_ALIGN);
	IrBuilder b = ir_before(m, op);
	runtime_replace_ptr(&b, &op->results[0], slot);
}

/* EXCEPTION_RECORD.ExceptionInformation[1], which _CxxThrowException fills with the address of the object. */
IrValue *ms_current_object(MsRuntime *r, IrBuilder *b)
{
	enum { OFFSET = 40 };
	IrModule *m = r->rt.m;
	IrType *bytes = ir_type_ptr(m, m->u8), *object = ir_type_ptr(m, m->voidp);
	IrOp *current = call(r, b, MS_CURRENT, NULL, 0, NULL);
	if (!current)
		return ir_build_const(b, ir_attr_null(m, m->voidp));
	IrValue *slot = ir_build_bitcast(b, &current->results[0], ir_type_ptr(m, bytes));
	IrValue *step[] = {ir_build_load(b, slot), ir_build_const_int(b, m->s64, OFFSET)};
	IrOp *field = ir_build(b, OP_PTR_STRIDE, bytes, step, 2);
	return ir_build_load(b, ir_build_bitcast(b, &field->results[0], object));
}

void ms_end_in_terminate(MsRuntime *r, IrBuilder *b)
{
	IrOp *done = call(r, b, MS_TERMINATE, NULL, 0, NULL);
	if (done)
		ir_set_flag(r->rt.m, done, NAME_nothrow);
	ir_build(b, OP_UNREACHABLE, NULL, NULL, 0);
}
