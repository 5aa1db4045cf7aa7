/* What may fault in a `cir.try async`: an invoke of inline assembly that may unwind.
 *
 * 	%v = invoke i32 asm sideeffect unwind "nop; movl ($1), $0", "={ax},r,~{memory},~{rcx},…"(ptr %p) to … unwind …
 *
 * To LLVM it is a call of which nothing is known: nothing is moved over it (`precise`), and it is deleted, merged or made speculative by
 * nothing. To unwinders it is a call site. Hence what stands in the text and in the constraints:
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
#include "lower/lowerer.h"

#include "ir/async.h"
#include "ir/layout.h"
#include "lower/attribute.h"

#include <llvm-c/Comdat.h>

#define KEPT_BY_NO_ABI "~{memory},~{dirflag},~{fpsr},~{flags}"
/* System V x86-64 ABI 3.2.1, and Microsoft's x64 calling convention. The result's register, or what an operation uses, is written apart. */
#define SYSV_VECTORS                                                                                         \
	",~{xmm0},~{xmm1},~{xmm2},~{xmm3},~{xmm4},~{xmm5},~{xmm6},~{xmm7},~{xmm8},~{xmm9},~{xmm10},~{xmm11}" \
	","                                                                                                  \
	"~{xmm12},~{xmm13},~{xmm14},~{xmm15}"
#define WIN64_VECTORS ",~{xmm0},~{xmm1},~{xmm2},~{xmm3},~{xmm4},~{xmm5}"
#define AVX512                                                                                               \
	",~{xmm16},~{xmm17},~{xmm18},~{xmm19},~{xmm20},~{xmm21},~{xmm22},~{xmm23},~{xmm24},~{xmm25},~{"      \
	"xmm26},"                                                                                            \
	"~{xmm27},~{xmm28},~{xmm29},~{xmm30},~{xmm31},~{k0},~{k1},~{k2},~{k3},~{k4},~{k5},~{k6},~{k7}"
#define X87 ",~{st},~{st(1)},~{st(2)},~{st(3)},~{st(4)},~{st(5)},~{st(6)},~{st(7)}"

/* General registers that calls do not keep. */
static const char *const scratch[] = {"ax", "cx", "dx", "r8", "r9", "r10", "r11", "si", "di"};
enum { WIN64_SCRATCH = 7 };

/* One operation, as it is written. */
typedef struct Assembly {
	const char *text;
	const char *outputs, *inputs; /* constraints, each is followed by a comma; or empty */
	const char *used;             /* registers of `scratch` that are written apart, each in braces */
	LLVMTypeRef result;
	LLVMValueRef args[3];
	unsigned nargs;
} Assembly;

static char *clobbers(Lower *e, const Assembly *a)
{
	StrBuf s = {0};
	unsigned n = e->coff ? WIN64_SCRATCH : ARRAY_LEN(scratch);
	buf_put(e->scratch, &s, str_of(KEPT_BY_NO_ABI));
	for (unsigned i = 0; i < n; i++) {
		const char *name = arena_printf(e->scratch, "{%s}", scratch[i]);
		if (!strstr(a->used, name))
			buf_put(e->scratch, &s,
			        str_of(arena_printf(e->scratch, ",~{%s%s}", scratch[i][0] == 'r' ? "" : "r",
			                            scratch[i])));
	}
	buf_put(e->scratch, &s,
	        str_of(e->coff ? WIN64_VECTORS AVX512 X87 : SYSV_VECTORS AVX512 X87 ",~{r15}"));
	buf_char(e->scratch, &s, '\0');
	return s.data;
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

static bool is_raised(Lower *e)
{
	if (e->target->machine->faults_are_raised)
		return true;
	lower_error(e, "may fault in a 'cir.try async', but on target '%s' faults are no exceptions",
	            e->target->name);
	return false;
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

static LLVMValueRef invoke(Lower *e, const IrOp *op, const Assembly *a)
{
	if (!is_raised(e) || !is_seen(e))
		return LLVMGetPoison(a->result);
	keep_in_group(e);

	LLVMTypeRef params[ARRAY_LEN(a->args)];
	ArenaMark mark = arena_mark(e->scratch);
	for (unsigned i = 0; i < a->nargs; i++)
		params[i] = LLVMTypeOf(a->args[i]);
	LLVMTypeRef type = LLVMFunctionType(a->result, params, a->nargs, false);
	const char *text = text_of(e, a);
	char *constraints = arena_printf(e->scratch, "%s%s%s", a->outputs, a->inputs, clobbers(e, a));
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

/* By the size of the value: the name of an instruction ends so. */
static char suffix(uint64_t size)
{
	static const char suffixes[] = "bwlq";
	unsigned log = 0;
	while (UINT64_C(1) << log < size)
		log++;
	CHECK(log < 4);
	return suffixes[log];
}

void lower_try_load(Lower *e, const IrOp *op)
{
	IrType *t = op->results[0].type;
	Assembly a = {.text = arena_printf(e->scratch, "mov%c ($1), $0", suffix(ir_type_size(t))),
	              .outputs = "={ax},",
	              .inputs = "r,",
	              .used = "{ax}",
	              .result = lower_type(e, t),
	              .args = {lower_operand(e, op, 0)},
	              .nargs = 1};
	if (a.result)
		lower_result(e, op, invoke(e, op, &a));
}

void lower_try_store(Lower *e, const IrOp *op)
{
	uint64_t size = ir_type_size(ir_operand(op, 0)->type);
	Assembly a = {.text = arena_printf(e->scratch, "mov%c $0, ($1)", suffix(size)),
	              .outputs = "",
	              .inputs = "r,r,",
	              .used = "",
	              .result = LLVMVoidTypeInContext(e->context),
	              .args = {lower_operand(e, op, 0), lower_operand(e, op, 1)},
	              .nargs = 2};
	invoke(e, op, &a);
}

/* Copies */

enum { UNROLLED_MAX = 64 };

/* Each part of the copy is as large as can be: 11 bytes are 8, 2 and 1. */
static char *unrolled_copy(Lower *e, uint64_t size)
{
	StrBuf s = {0};
	unsigned at = 0;
	for (unsigned part = 8; part; part /= 2)
		for (; size - at >= part; at += part) {
			const char *reg = part == 8 ? "rax" : part == 4 ? "eax" : part == 2 ? "ax" : "al";
			char c = suffix(part);
			buf_put(e->scratch, &s,
			        str_of(arena_printf(e->scratch, "%smov%c %u($0), %%%s\n\tmov%c %%%s, %u($1)",
			                            s.len ? "\n\t" : "", c, at, reg, c, reg, at)));
		}
	buf_char(e->scratch, &s, '\0');
	return s.data;
}

/* The registers of a string instruction: it leaves others in them, so that they are results, too. */
static LLVMTypeRef moved(const Lower *e, bool is_copy)
{
	LLVMTypeRef types[] = {e->i64, e->ptr, e->ptr};
	return LLVMStructTypeInContext(e->context, types, is_copy ? 3 : 2, false);
}

void lower_try_copy(Lower *e, const IrOp *op)
{
	LLVMValueRef size = lower_operand(e, op, 0), from = lower_operand(e, op, 1),
	             to = lower_operand(e, op, 2);
	uint64_t n = LLVMIsAConstantInt(size) ? LLVMConstIntGetZExtValue(size) : UINT64_MAX;
	Assembly a = {.text = "rep movsb",
	              .outputs = "={cx},={si},={di},",
	              .inputs = "0,1,2,",
	              .used = "{cx}{si}{di}",
	              .result = moved(e, true),
	              .args = {size, from, to},
	              .nargs = 3};
	if (n <= UNROLLED_MAX)
		a = (Assembly){.text = unrolled_copy(e, n),
		               .outputs = "",
		               .inputs = "r,r,",
		               .used = "",
		               .result = LLVMVoidTypeInContext(e->context),
		               .args = {from, to},
		               .nargs = 2};
	invoke(e, op, &a);
}

/* As in C, the value counts as an unsigned char. */
void lower_try_set(Lower *e, const IrOp *op)
{
	LLVMValueRef byte = lower_resize(e, lower_operand(e, op, 2), false, e->i8);
	Assembly a = {.text = "rep stosb",
	              .outputs = "={cx},={di},",
	              .inputs = "0,1,{ax},",
	              .used = "{cx}{di}{ax}",
	              .result = moved(e, false),
	              .args = {lower_operand(e, op, 0), lower_operand(e, op, 1), byte},
	              .nargs = 3};
	invoke(e, op, &a);
}

/* Division: the dividend is in EDX:EAX, or RDX:RAX, or AX; and so are quotient and remainder (AL and AH) */

static const struct {
	const char *signed_div, *unsigned_div;
} divisions[] = {
    {"movsbw $1, %ax\n\tidivb $2", "movzbw $1, %ax\n\tdivb $2"},
    {"movw $1, %ax\n\tcwtd\n\tidivw $2", "movw $1, %ax\n\txorl %edx, %edx\n\tdivw $2"},
    {"movl $1, %eax\n\tcltd\n\tidivl $2", "movl $1, %eax\n\txorl %edx, %edx\n\tdivl $2"},
    {"movq $1, %rax\n\tcqto\n\tidivq $2", "movq $1, %rax\n\txorl %edx, %edx\n\tdivq $2"},
};

void lower_try_div(Lower *e, const IrOp *op)
{
	const IrType *t = op->results[0].type;
	bool div = op->kind == OP_TRY_DIV || op->kind == OP_DIV, byte = t->width == 8;
	unsigned row = t->width == 64 ? 3 : t->width / 16U;
	const char *text = t->is_signed ? divisions[row].signed_div : divisions[row].unsigned_div;
	Assembly a = {.text = text,
	              .outputs = div ? "=&{ax}," : "=&{dx},",
	              .inputs = "r,r,",
	              .used = div ? "{ax}" : "{dx}",
	              .result = lower_type(e, op->results[0].type),
	              .args = {lower_operand(e, op, 0), lower_operand(e, op, 1)},
	              .nargs = 2};
	if (byte && !div)
		a.text = arena_printf(e->scratch, "%s\n\tmovb %%ah, %%dl", text);
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
