/* What is said in LLVM's or the machine's own words: inline assembly and intrinsics by
 * name (cir-reference 5.18).
 *
 * Only LLVM knows whether constraints fit the operands, or what an intrinsic takes. A
 * function that does nothing else
 *
 * 	define void @f(i32 %0, ptr %1) {
 * 	  %r = call i32 asm "…", "=r,r,*m"(i32 %0, ptr elementtype(i32) %1)
 * 	  ret i32 %r
 * 	}
 *
 * is written, read by LLVM and verified in a module of its own; what is wrong with it is reported at the op.
 * For an intrinsic that LLVM has retired, or given other arguments, reading puts what it has instead: that is copied.
 */
#include "lower/lowerer.h"

#include "ir/layout.h"

#include <strings.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/IRReader.h>

/* What LLVM gives */

static const char *hold_text(Lower *e, char *text)
{
	return e->held_text = text;
}

static void drop_text(Lower *e)
{
	LLVMDisposeMessage(e->held_text);
	e->held_text = NULL;
}

static void drop_trial(Lower *e)
{
	if (e->trial)
		LLVMDisposeModule(e->trial);
	e->trial = NULL;
}

void lower_asm_release(Lower *e)
{
	drop_text(e);
	drop_trial(e);
}

/* Text for LLVM */

static void put(Lower *e, StrBuf *text, const char *s)
{
	buf_put(e->scratch, text, str_of(s));
}

static void put_type(Lower *e, StrBuf *text, LLVMTypeRef type)
{
	put(e, text, hold_text(e, LLVMPrintTypeToString(type)));
	drop_text(e);
}

/* As LLVM quotes: what is not plain is two hexadecimal digits. */
static void put_quoted(Lower *e, StrBuf *text, const Name *s)
{
	put(e, text, "\"");
	for (size_t i = 0; i < s->len; i++) {
		char c = s->text[i];
		if (c >= ' ' && c < 127 && c != '"' && c != '\\')
			buf_char(e->scratch, text, c);
		else
			put(e, text, arena_printf(e->scratch, "\\%02X", (unsigned char)c));
	}
	put(e, text, "\"");
}

/* Constants stand for themselves: some arguments must be. */
static void put_argument(Lower *e, StrBuf *text, LLVMValueRef v, uint32_t i)
{
	if (LLVMIsAConstantInt(v)) {
		put(e, text, strchr(hold_text(e, LLVMPrintValueToString(v)), ' '));
		drop_text(e);
	} else {
		put(e, text, arena_printf(e->scratch, " %%%u", i));
	}
}

/* The trial */

typedef struct Trial {
	LLVMTypeRef result;       /* void if there is none */
	LLVMValueRef *args;       /* in the form of registers, booleans as bytes for assembly */
	LLVMTypeRef *elementtype; /* of each argument; NULL: none */
	uint32_t nargs;
	LLVMValueRef call; /* in it */
} Trial;

static void report(Lower *e, const char *message)
{
	const char *text = strstr(message, "error: ");
	text = text ? text + 7 : message;
	int len = (int)strcspn(text, "\n");
	lower_error(e, "is rejected by LLVM: %.*s", len, text);
}

/* callee: everything between the result's type and the arguments. */
static StrBuf trial_text(Lower *e, const Trial *t, Str callee)
{
	StrBuf text = {0};
	bool returns = LLVMGetTypeKind(t->result) != LLVMVoidTypeKind;
	put(e, &text, "define ");
	put_type(e, &text, t->result);
	put(e, &text, " @f(");
	for (uint32_t i = 0; i < t->nargs; i++) {
		put(e, &text, i ? ", " : "");
		put_type(e, &text, LLVMTypeOf(t->args[i]));
	}
	put(e, &text, returns ? ") {\n  %r = call " : ") {\n  call ");
	put_type(e, &text, t->result);
	buf_put(e->scratch, &text, callee);
	put(e, &text, "(");
	for (uint32_t i = 0; i < t->nargs; i++) {
		put(e, &text, i ? ", " : "");
		put_type(e, &text, LLVMTypeOf(t->args[i]));
		if (t->elementtype && t->elementtype[i]) {
			put(e, &text, " elementtype(");
			put_type(e, &text, t->elementtype[i]);
			put(e, &text, ")");
		}
		put_argument(e, &text, t->args[i], i);
	}
	put(e, &text, ")\n  ret ");
	put_type(e, &text, t->result);
	put(e, &text, returns ? " %r\n}\n" : "\n}\n");
	return text;
}

static bool read_text(Lower *e, const StrBuf *text)
{
	char *message = NULL;
	LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text->data, text->len, "");
	bool broken = LLVMParseIRInContext(e->context, buffer, &e->trial, &message);
	if (broken)
		report(e, hold_text(e, message));
	drop_text(e);
	return !broken;
}

/* Whoever gets true drops the trial. */
static bool try_call(Lower *e, Trial *t, Str callee)
{
	StrBuf text = trial_text(e, t, callee);
	char *message = NULL;
	if (!read_text(e, &text))
		return false;
	bool broken = LLVMVerifyModule(e->trial, LLVMReturnStatusAction, &message);
	hold_text(e, message);
	if (broken)
		report(e, message);
	drop_text(e);
	if (broken) {
		drop_trial(e);
		return false;
	}
	LLVMBasicBlockRef body = LLVMGetEntryBasicBlock(LLVMGetNamedFunction(e->trial, "f"));
	t->call = LLVMGetFirstInstruction(body);
	return true;
}

/* Results: several come as a structure of values, which CIR has as a record */

static LLVMTypeRef result_type(Lower *e, const IrOp *op)
{
	IrType *t = op->nresults ? op->results[0].type : NULL;
	if (!t)
		return LLVMVoidTypeInContext(e->context);
	if (t->kind != TYPE_RECORD)
		return lower_type(e, t);
	LLVMTypeRef *members = arena_array(e->scratch, LLVMTypeRef, t->nmembers + 1);
	if (!lower_type(e, t))
		return NULL;
	for (uint32_t i = 0; i < t->nmembers; i++)
		if (!(members[i] = lower_type(e, t->members[i])))
			return NULL;
	return LLVMStructTypeInContext(e->context, members, t->nmembers, false);
}

static void set_result(Lower *e, const IrOp *op, LLVMValueRef v)
{
	IrType *t = op->nresults ? op->results[0].type : NULL;
	if (!t)
		return;
	if (t->kind != TYPE_RECORD) {
		lower_result(e, op, v);
		return;
	}
	LLVMValueRef record = LLVMGetPoison(lower_type(e, t));
	for (uint32_t i = 0; i < t->nmembers; i++) {
		LLVMValueRef part = LLVMBuildExtractValue(e->b, v, i, "");
		record = LLVMBuildInsertValue(e->b, record, lower_to_memory(e, part, t->members[i]), i, "");
	}
	lower_result(e, op, record);
}

static void get_arguments(Lower *e, const IrOp *op, Trial *t)
{
	t->nargs = op->noperands;
	t->args = arena_array(e->scratch, LLVMValueRef, t->nargs + 1);
	for (uint32_t i = 0; i < t->nargs; i++)
		t->args[i] = lower_operand(e, op, i);
}

/* That the module has such a call. */
static void note_once(Lower *e, const char *list, LLVMValueRef place)
{
	if (!LLVMGetNamedMetadataNumOperands(e->module, list))
		LLVMAddNamedMetadataOperand(e->module, list, place);
}

/* Intrinsics by name */

static void note_place(Lower *e, const IrOp *op, LLVMValueRef call)
{
	note_once(e, "circ.intrinsics", lower_note_place(e, op, call));
}

static LLVMValueRef declare(Lower *e, LLVMValueRef found)
{
	size_t len;
	const char *name = LLVMGetValueName2(found, &len);
	LLVMValueRef f = LLVMGetNamedFunction(e->module, name);
	return f ? f : LLVMAddFunction(e->module, name, LLVMGlobalGetValueType(found));
}

static bool is_one_call(const Trial *t)
{
	return LLVMIsACallInst(t->call) && LLVMGetNumArgOperands(t->call) == t->nargs &&
	       LLVMIsATerminatorInst(LLVMGetNextInstruction(t->call));
}

/* What LLVM has put for the call, instruction by instruction, and its result (NULL: none). */
typedef struct Copies {
	LLVMValueRef *from, *to;
	unsigned n;
} Copies;

static LLVMValueRef copied(Lower *e, const Trial *t, const Copies *c, LLVMValueRef v)
{
	for (unsigned i = 0; i < c->n; i++)
		if (c->from[i] == v)
			return c->to[i];
	LLVMValueRef f = LLVMGetNamedFunction(e->trial, "f");
	for (unsigned i = 0; i < t->nargs; i++)
		if (LLVMGetParam(f, i) == v)
			return t->args[i];
	return LLVMIsAFunction(v) ? declare(e, v) : v;
}

static LLVMValueRef copy_block(Lower *e, const IrOp *op, const Trial *t)
{
	unsigned room = 0;
	for (LLVMValueRef i = t->call; i; i = LLVMGetNextInstruction(i))
		room++;
	Copies c = {.from = arena_array(e->scratch, LLVMValueRef, room),
	            .to = arena_array(e->scratch, LLVMValueRef, room)};
	for (LLVMValueRef i = t->call; i; i = LLVMGetNextInstruction(i)) {
		if (LLVMIsATerminatorInst(i))
			return LLVMGetNumOperands(i) ? copied(e, t, &c, LLVMGetOperand(i, 0)) : NULL;
		LLVMValueRef v = LLVMInstructionClone(i);
		for (unsigned o = 0; o < (unsigned)LLVMGetNumOperands(v); o++)
			LLVMSetOperand(v, o, copied(e, t, &c, LLVMGetOperand(v, o)));
		LLVMInsertIntoBuilder(e->b, v);
		if (e->options->places && LLVMIsACallInst(v))
			note_place(e, op, v);
		c.from[c.n] = i;
		c.to[c.n++] = v;
	}
	return NULL;
}

static LLVMValueRef call_as_written(Lower *e, const IrOp *op, const Trial *t)
{
	LLVMValueRef found = LLVMGetCalledValue(t->call);
	CallSite c = {.type = LLVMGlobalGetValueType(found), .args = t->args, .nargs = t->nargs};
	c.callee = declare(e, found);
	LLVMValueRef v = lower_call_site(e, &c);
	if (e->options->places)
		note_place(e, op, v);
	return v;
}

/* Also with types behind the name. */
static bool is_named(const char *name, const char *base)
{
	size_t len = strlen(base);
	return strncmp(name, base, len) == 0 && (!name[len] || name[len] == '.');
}

static bool is_alignment(LLVMValueRef v)
{
	if (!LLVMIsAConstantInt(v) || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64)
		return false;
	unsigned long long n = LLVMConstIntGetZExtValue(v);
	return n && !(n & (n - 1));
}

/* Of these it was an argument once, and LLVM's reader of such text ends the process over another value. */
static bool check_alignment(Lower *e, const char *name, const Trial *t)
{
	enum { ARGS = 4 };
	static const struct {
		const char *name;
		unsigned align;
	} rows[] = {{"masked.load", 1}, {"masked.gather", 1}, {"masked.store", 2}, {"masked.scatter", 2}};
	for (unsigned i = 0; i < ARRAY_LEN(rows); i++) {
		if (is_named(name, rows[i].name) && t->nargs == ARGS &&
		    !is_alignment(t->args[rows[i].align])) {
			lower_error(e, ": operand %u must be an alignment, a constant power of two",
			            rows[i].align);
			return false;
		}
	}
	return true;
}

static bool is_pointer(LLVMValueRef v)
{
	return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
}

/* LLVM's reader puts something else for these, and takes for granted what they have (AutoUpgrade.cpp). */
static bool check_rewritten(Lower *e, const char *name, const Trial *t)
{
	bool lifetime = is_named(name, "lifetime.start") || is_named(name, "lifetime.end");
	bool splice = is_named(name, "vector.splice") || is_named(name, "experimental.vector.splice");
	bool last = is_named(name, "experimental.vector.extract.last.active");
	uint32_t n = t->nargs;
	if (is_named(name, "dbg"))
		lower_error(e, ": '%s' describes the program to debuggers, which operands cannot express",
		            name);
	else if (lifetime && (n == 0 || n > 2 || !is_pointer(t->args[n - 1])))
		lower_error(e, ": '%s' takes a pointer, or a size and a pointer", name);
	else if (splice && (n != 3 || !LLVMIsAConstantInt(t->args[2])))
		lower_error(e, ": '%s' takes two vectors and a constant", name);
	else if (last && n != 3)
		lower_error(e, ": '%s' takes a vector, a mask and a value", name);
	else
		return true;
	return false;
}

/* LLVM's reader replaces the machine's own that were retired, too, and crashes over operands that they never had. */
static bool check_machine(Lower *e, const char *name)
{
	const char *own = e->target->machine->intrinsics;
	char *full = arena_printf(e->scratch, "llvm.%s", name);
	if (strncmp(name, own, strlen(own)) != 0 || LLVMLookupIntrinsicID(full, strlen(full)))
		return true;
	lower_error(e, ": '%s' is not an intrinsic of LLVM %u", name, e->llvm_major);
	return false;
}

void lower_call_llvm_intrinsic(Lower *e, const IrOp *op)
{
	const char *name = ir_op_attr(op, NAME_intrinsic_name)->name->text;
	Trial t = {.result = result_type(e, op)};
	if (!t.result)
		return;
	get_arguments(e, op, &t);
	if (!check_machine(e, name) || !check_alignment(e, name, &t) || !check_rewritten(e, name, &t) ||
	    !try_call(e, &t, str_of(arena_printf(e->scratch, " @llvm.%s", name))))
		return;
	LLVMValueRef v = NULL;
	bool one_block = LLVMCountBasicBlocks(LLVMGetNamedFunction(e->trial, "f")) == 1;
	if (is_one_call(&t))
		v = call_as_written(e, op, &t);
	else if (one_block)
		v = copy_block(e, op, &t);
	else
		lower_error(e, "calls '%s', which LLVM %u no longer has", name, e->llvm_major);
	drop_trial(e);
	if (v)
		set_result(e, op, v);
}

/* Inline assembly */

static LLVMAttributeRef type_attribute(Lower *e, const char *name, LLVMTypeRef type)
{
	return LLVMCreateTypeAttribute(e->context, LLVMGetEnumAttributeKindForName(name, strlen(name)), type);
}

/* Does the next constraint of the list (LangRef, Inline Asm Constraint String) take an
 * argument, and is that an address? */
static bool next_constraint(const char **at, bool *indirect)
{
	for (;;) {
		const char *c = *at;
		size_t len = 0;
		for (bool braces = false; c[len] && (c[len] != ',' || braces); len++)
			braces = c[len] == '{' || (braces && c[len] != '}');
		if (!len)
			return false;
		*at = c + len + (c[len] == ',');
		bool output = *c == '=';
		*indirect = c[output] == '*';
		if (*c != '~' && *c != '!' && (!output || *indirect))
			return true;
	}
}

/* The trial knows no named types: what lies in memory is its bytes. */
static LLVMTypeRef memory_type(Lower *e, IrType *pointee)
{
	LLVMTypeRef type = lower_step_type(e, pointee);
	bool named = pointee->kind == TYPE_RECORD || pointee->kind == TYPE_ARRAY;
	return type && named ? LLVMArrayType2(e->i8, ir_type_size(pointee)) : type;
}

/* What an address points to, for the constraints that want memory. */
static bool find_memory(Lower *e, const IrOp *op, Trial *t)
{
	const char *at = ir_op_attr(op, NAME_constraints)->name->text;
	bool indirect;
	t->elementtype = arena_array(e->scratch, LLVMTypeRef, t->nargs + 1);
	for (uint32_t i = 0; i < t->nargs && next_constraint(&at, &indirect); i++) {
		const IrType *type = ir_operand(op, i)->type;
		if (!indirect)
			continue;
		if (!ir_is_ptr(type)) {
			lower_error(e, ": operand #%u must be a pointer, because its constraint is memory",
			            i);
			return false;
		}
		t->elementtype[i] = memory_type(e, type->elem);
		if (!t->elementtype[i])
			return false;
	}
	return true;
}

static LLVMValueRef assembly(const IrOp *op, LLVMTypeRef type)
{
	const Name *text = ir_op_attr(op, NAME_asm_string)->name;
	const Name *constraints = ir_op_attr(op, NAME_constraints)->name;
	bool intel = ir_op_enum(op, NAME_asm_flavor, ASM_FLAVOR_X86_ATT) == ASM_FLAVOR_X86_INTEL;
	return LLVMGetInlineAsm(type, text->text, text->len, constraints->text, constraints->len,
	                        ir_op_has(op, NAME_side_effects), false,
	                        intel ? LLVMInlineAsmDialectIntel : LLVMInlineAsmDialectATT, false);
}

static Str assembly_text(Lower *e, const IrOp *op)
{
	StrBuf text = {0};
	put(e, &text, ir_op_has(op, NAME_side_effects) ? " asm sideeffect " : " asm ");
	if (ir_op_enum(op, NAME_asm_flavor, ASM_FLAVOR_X86_ATT) == ASM_FLAVOR_X86_INTEL)
		put(e, &text, "inteldialect ");
	put_quoted(e, &text, ir_op_attr(op, NAME_asm_string)->name);
	put(e, &text, ", ");
	put_quoted(e, &text, ir_op_attr(op, NAME_constraints)->name);
	return (Str){text.data, text.len};
}

static bool names_high_byte(const char *constraints)
{
	static const char *const names[] = {"{ah}", "{bh}", "{ch}", "{dh}"};
	for (const char *at = constraints; (at = strchr(at, '{')); at++)
		for (size_t i = 0; i < ARRAY_LEN(names); i++)
			if (strncasecmp(at, names[i], strlen(names[i])) == 0)
				return true;
	return false;
}

static void note_assembly(Lower *e, const IrOp *op, LLVMValueRef call)
{
	LLVMValueRef node = LLVMMetadataAsValue(e->context, lower_place_node(e, op->loc));
	LLVMSetMetadata(call, LLVMGetMDKindIDInContext(e->context, "srcloc", 6), node);
	if (names_high_byte(ir_op_attr(op, NAME_constraints)->name->text))
		note_once(e, "circ.high_bytes", node);
}

static LLVMValueRef build_assembly(Lower *e, const IrOp *op, const Trial *t)
{
	LLVMTypeRef *params = arena_array(e->scratch, LLVMTypeRef, t->nargs + 1);
	for (uint32_t i = 0; i < t->nargs; i++)
		params[i] = LLVMTypeOf(t->args[i]);
	LLVMTypeRef type = LLVMFunctionType(t->result, params, t->nargs, false);
	CallSite c = {.type = type, .callee = assembly(op, type), .args = t->args, .nargs = t->nargs};
	LLVMValueRef v = lower_call_site(e, &c);
	if (e->options->places)
		note_assembly(e, op, v);
	for (uint32_t i = 0; i < t->nargs; i++)
		if (t->elementtype[i])
			LLVMAddCallSiteAttribute(v, i + 1,
			                         type_attribute(e, "elementtype", t->elementtype[i]));
	return v;
}

/* A boolean is a byte in a register of the machine. */
void lower_asm(Lower *e, const IrOp *op)
{
	Trial t = {.result = result_type(e, op)};
	bool truth = op->nresults && op->results[0].type->kind == TYPE_BOOL;
	if (!t.result)
		return;
	if (truth)
		t.result = e->i8;
	get_arguments(e, op, &t);
	for (uint32_t i = 0; i < t.nargs; i++)
		if (ir_operand(op, i)->type->kind == TYPE_BOOL)
			t.args[i] = LLVMBuildZExt(e->b, t.args[i], e->i8, "");
	if (!find_memory(e, op, &t) || !try_call(e, &t, assembly_text(e, op)))
		return;
	drop_trial(e);
	LLVMValueRef v = build_assembly(e, op, &t);
	set_result(e, op, truth ? LLVMBuildTrunc(e->b, v, e->i1, "") : v);
}

/* %rbx, which position-independent code may need, is kept. */
void lower_cpuid(Lower *e, const IrOp *op)
{
	static const char text[] = "xchgq %rbx, ${1:q}\n\tcpuid\n\txchgq %rbx, ${1:q}";
	static const char constraints[] = "={ax},=r,={cx},={dx},0,2,~{dirflag},~{fpsr},~{flags}";
	LLVMTypeRef words[4] = {e->i32, e->i32, e->i32, e->i32};
	LLVMTypeRef type =
	    LLVMFunctionType(LLVMStructTypeInContext(e->context, words, 4, false), words, 2, false);
	LLVMValueRef args[2] = {lower_operand(e, op, 1), lower_operand(e, op, 2)};
	CallSite c = {.type = type, .args = args, .nargs = 2};
	c.callee = LLVMGetInlineAsm(type, text, sizeof text - 1, constraints, sizeof constraints - 1, false,
	                            false, LLVMInlineAsmDialectATT, false);
	LLVMValueRef v = lower_call_site(e, &c);
	for (unsigned i = 0; i < 4; i++) {
		LLVMValueRef index = LLVMConstInt(e->i64, i, false);
		LLVMValueRef at = LLVMBuildInBoundsGEP2(e->b, e->i32, lower_operand(e, op, 0), &index, 1, "");
		LLVMBuildStore(e->b, LLVMBuildExtractValue(e->b, v, i, ""), at);
	}
}
