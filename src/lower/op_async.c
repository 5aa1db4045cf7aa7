/* What may fault in a `cir.try async`: an invoke of inline assembly that may unwind.
 *
 * 	%v = invoke i32 asm sideeffect unwind "nop; movl ($1), $0", "={ax},r,~{memory},~{rcx},…"(ptr %p) to … unwind …
 *
 * To LLVM it is a call of which nothing is known: nothing is moved over it (`precise`), and it is deleted, merged or made speculative by
 * nothing. To unwinders it is a call site. Hence what stands in the text and in the constraints (async_x86_64.c, async_aarch64.c):
 *
 * - A `nop` comes first: personalities look for the call at the byte before the address, which is that of the instruction that faults.
 * - The registers that calls do not keep are clobbered. Without that, a value that the landing pad reads could be in one of them, and
 *   unwinders restore the others only. Operands are in registers that calls keep, so that the instruction may be started again.
 * - One register that calls keep is clobbered, too, where LLVM would set up the frame later than here, in the landing pad: since what is no call
 *   needs none, it would come to stand before the place where the pad is entered (ShrinkWrap.cpp, not for COFF).
 * - Memory is clobbered: a handler and a filter see what was stored before, and what they store is seen after it.
 *
 * Where nothing of the function unwinds, in a cleanup for windows-msvc, it is a call.
 *
 * On ELF and windows-gnu the place goes into a table, since the system does not ask personalities about faults (runtime/eh/faults).
 */
#include "lower/async_machine.h"

#include "ir/async.h"
#include "ir/layout.h"
#include "lower/attribute.h"

#include <llvm-c/Comdat.h>

static const AsyncMachine *machine(const Lower *e)
{
	static const AsyncMachine *const rows[PROCESSOR_COUNT] = {
	    [PROCESSOR_X86_64] = &async_x86_64,
	    [PROCESSOR_AARCH64] = &async_aarch64,
	};
	return rows[e->target->machine->processor];
}

#define BEGIN ".Lcirc_fault${:uid}"
#define END   ".Lcirc_fault_end${:uid}"

/* The section of the table goes where the function goes: ELF links it to the section of the code, wherever LLVM puts that; on COFF it
 * belongs to the function's group, and the code must stay there (keep_in_group). */
static const char *section_of(Lower *e)
{
	size_t n;
	if (!e->coff)
		return "circ_fault_ranges,\"ao?\",@progbits," BEGIN;
	if (!LLVMGetComdat(e->function))
		return ".circfr$$m,\"dr\"";
	return arena_printf(e->scratch, ".circfr$$m,\"dr\",associative,\"%s\"",
	                    LLVMGetValueName2(e->function, &n));
}

/* Else code that was inlined elsewhere would name a group that may be gone. */
static void keep_in_group(Lower *e)
{
	Holder function = {e->function, false};
	if (!e->coff || e->microsoft || !LLVMGetComdat(e->function))
		return;
	if (attribute_has(e, function, LLVM_alwaysinline))
		lower_error(e, "is in a function that is inlined and in a COMDAT, which has no table of "
		               "faulting code on windows-gnu; remove 'always_inline'");
	else
		attribute_add(function, ATTRIBUTE_OF_FUNCTION, attribute_unit(e, LLVM_noinline));
}

/* The place is that of the instructions alone. */
static const char *text_of(Lower *e, const Assembly *a)
{
	if (e->microsoft)
		return arena_printf(e->scratch, "nop\n\t%s", a->text);
	return arena_printf(e->scratch,
	                    BEGIN ":\n\tnop\n\t%s\n" END ":\n\t.pushsection %s\n\t.long " BEGIN "-., " END
	                          "-" BEGIN "\n\t.popsection",
	                    a->text, section_of(e));
}

/* Microsoft's tables of C++ do not name what is no call, unless they say that the system's exceptions are seen. */
static bool is_seen(Lower *e)
{
	static const char cxx[] = "__CxxFrameHandler3";
	const Name *personality = ir_op_symbol(e->func, NAME_personality);
	if (!e->microsoft || !personality || strcmp(personality->text, cxx) != 0 ||
	    lower_sees_structured_exceptions(e))
		return true;
	lower_error(e,
	            "is in a function of C++, where handlers for windows-msvc see no exceptions of the "
	            "system; add %s",
	            diag_setting(e->d, SETTING_EH_ASYNC));
	return false;
}

/* Such a machine has no row of operations. */
static bool is_refused(Lower *e, const IrOp *op)
{
	if (!e->target->machine->faults_end_program)
		return false;
	lower_error(e, "is not available on target '%s', where faults are no exceptions", e->target->name);
	if (op->nresults)
		lower_result(e, op, LLVMGetPoison(lower_type(e, op->results[0].type)));
	return true;
}

static LLVMValueRef invoke(Lower *e, const IrOp *op, const Assembly *a)
{
	if (!is_seen(e))
		return LLVMGetPoison(a->result);
	keep_in_group(e);

	LLVMTypeRef params[ARRAY_LEN(a->args)];
	ArenaMark mark = arena_mark(e->scratch);
	for (unsigned i = 0; i < a->nargs; i++)
		params[i] = LLVMTypeOf(a->args[i]);
	LLVMTypeRef type = LLVMFunctionType(a->result, params, a->nargs, false);
	const char *text = text_of(e, a);
	char *constraints =
	    arena_printf(e->scratch, "%s%s%s", a->outputs, a->inputs, machine(e)->clobbers(e, a));
	LLVMValueRef args[ARRAY_LEN(a->args)];
	memcpy(args, a->args, sizeof args);
	CallSite c = {.type = type, .args = args, .nargs = a->nargs};
	c.callee = LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints), true, false,
	                            LLVMInlineAsmDialectATT, true);
	if (op->nsuccs) {
		c.normal = lower_split_edge(e, &op->succs[0]);
		c.unwind = lower_edge(e, &op->succs[1]);
	}
	LLVMValueRef v = lower_call_site(e, &c);
	arena_release(e->scratch, mark);
	return v;
}

void lower_try_load(Lower *e, const IrOp *op)
{
	if (is_refused(e, op))
		return;
	IrType *t = op->results[0].type;
	Assembly a = {.result = lower_type(e, t), .args = {lower_operand(e, op, 0)}, .nargs = 1};
	machine(e)->load(e, &a, ir_type_size(t));
	if (a.result)
		lower_result(e, op, invoke(e, op, &a));
}

void lower_try_store(Lower *e, const IrOp *op)
{
	if (is_refused(e, op))
		return;
	Assembly a = {.result = LLVMVoidTypeInContext(e->context),
	              .args = {lower_operand(e, op, 0), lower_operand(e, op, 1)},
	              .nargs = 2};
	machine(e)->store(e, &a, ir_type_size(ir_operand(op, 0)->type));
	invoke(e, op, &a);
}

/* Each part of the copy is as large as can be: 11 bytes are 8, 2 and 1. */
static void copy_few(Lower *e, Assembly *a, uint64_t size)
{
	StrBuf s = {0};
	unsigned at = 0;
	for (unsigned part = 8; part; part /= 2)
		for (; size - at >= part; at += part) {
			if (s.len)
				buf_put(e->scratch, &s, STR("\n\t"));
			buf_put(e->scratch, &s, str_of(machine(e)->copy_part(e, part, at)));
		}
	buf_char(e->scratch, &s, '\0');
	a->text = s.data;
	a->outputs = "";
	a->inputs = "r,r,";
	a->used = "";
}

/* The registers of a loop: it leaves others in them, so that they are results, too. */
static LLVMTypeRef moved(const Lower *e, bool is_copy)
{
	LLVMTypeRef types[] = {e->i64, e->ptr, e->ptr};
	return LLVMStructTypeInContext(e->context, types, is_copy ? 3 : 2, false);
}

void lower_try_copy(Lower *e, const IrOp *op)
{
	if (is_refused(e, op))
		return;
	enum { UNROLLED_MAX = 64 };
	LLVMValueRef size = lower_operand(e, op, 0), from = lower_operand(e, op, 1),
	             to = lower_operand(e, op, 2);
	uint64_t n = LLVMIsAConstantInt(size) ? LLVMConstIntGetZExtValue(size) : UINT64_MAX;
	bool few = n <= UNROLLED_MAX;
	Assembly a = {.result = moved(e, true), .args = {size, from, to}, .nargs = 3};
	if (few)
		a = (Assembly){.result = LLVMVoidTypeInContext(e->context), .args = {from, to}, .nargs = 2};
	if (few)
		copy_few(e, &a, n);
	else
		machine(e)->copy(e, &a);
	invoke(e, op, &a);
}

/* As in C, the value counts as an unsigned char. */
void lower_try_set(Lower *e, const IrOp *op)
{
	if (is_refused(e, op))
		return;
	LLVMValueRef byte = lower_resize(e, lower_operand(e, op, 2), false, e->i8);
	Assembly a = {.result = moved(e, false),
	              .args = {lower_operand(e, op, 0), lower_operand(e, op, 1), byte},
	              .nargs = 3};
	machine(e)->set(e, &a);
	invoke(e, op, &a);
}

void lower_try_div(Lower *e, const IrOp *op)
{
	if (is_refused(e, op))
		return;
	Assembly a = {.result = lower_type(e, op->results[0].type),
	              .args = {lower_operand(e, op, 0), lower_operand(e, op, 1)},
	              .nargs = 2};
	machine(e)->divide(e, &a, op->results[0].type, op->kind == OP_TRY_REM || op->kind == OP_REM);
	if (a.result)
		lower_result(e, op, invoke(e, op, &a));
}

bool lower_async(Lower *e, const IrOp *op)
{
	switch (op->kind) {
	case OP_LOAD:
		lower_try_load(e, op);
		return true;
	case OP_STORE:
		lower_try_store(e, op);
		return true;
	case OP_LIBC_MEMCPY:
		lower_try_copy(e, op);
		return true;
	case OP_LIBC_MEMSET:
		lower_try_set(e, op);
		return true;
	case OP_DIV:
	case OP_REM:
		lower_try_div(e, op);
		return true;
	default:
		return false;
	}
}
