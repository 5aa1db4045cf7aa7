/* pipeline.c: what verifies goes through every pass for each ABI, to LLVM's verifier and
 * its code generator, in memory.
 *
 * After each pass the module must verify; what it prints must read back and verify, too. A pass may refuse a
 * module with an error, LLVM may not: what it finds in a module is a bug of circ, but for the text of inline
 * assembly and intrinsics by name, which only LLVM knows. */
#include "fuzz.h"

#include "abi/convention.h"
#include "abi/itanium.h"
#include "abi/microsoft.h"
#include "emit/emit.h"
#include "expand/expand.h"
#include "flatten/flatten.h"
#include "lower/lower.h"
#include "text/print.h"

#include <stdlib.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

const uint32_t fuzz_byte_mutations = 1;

/* How one input is compiled: by bits of its hash, so that a file behaves the same wherever it is run. */
typedef struct Choice {
	const char *triple;
	bool reads_back; /* every form is printed and read again */
	char opt;
	bool pic, debug;
	EmitFormat format;
} Choice;

static void llvm_ended(const char *reason)
{
	fuzz_fail("LLVM ends the process: %s", reason);
}

static void expect_reads_back(FuzzModule *f, const char *what)
{
	Arena a;
	StrBuf out = {0};
	FuzzModule again;
	arena_init(&a);
	text_print(f->m, PRINT_LOCATIONS, &a, &out);
	if (!fuzz_read_printed(&again, (Str){out.data, out.len}))
		fuzz_fail("what %s gives does not read back: %s\n%.*s", what, again.message, (int)out.len,
		          out.data);
	fuzz_close(&again);
	arena_free(&a);
}

/* After a pass. False: it refused the module, which it must have said. */
static bool passed(FuzzModule *f, const Choice *c, bool ok, Stage stage, const char *what)
{
	if (!ok && !f->d.errors)
		fuzz_fail("%s failed without a reason", what);
	if (!ok)
		return false;
	if (f->d.errors)
		fuzz_fail("%s reported an error, and went on: %s", what, f->message);
	f->stage = stage;
	fuzz_verify(f, stage, what);
	if (c->reads_back)
		expect_reads_back(f, what);
	return true;
}

static bool lower_exceptions(FuzzModule *f, const Choice *c, const AbiTarget *t)
{
	bool microsoft = t->runtime == RUNTIME_MICROSOFT;
	Stage form = microsoft ? STAGE_MICROSOFT : STAGE_ITANIUM;
	if (f->stage == STAGE_STRUCTURED &&
	    !(passed(f, c, expand_module(f->m, t, &f->d), STAGE_STRUCTURED, "expanding") &&
	      passed(f, c, flatten_module(f->m, &f->d), STAGE_FLAT, "flattening")))
		return false;
	if (f->stage != STAGE_FLAT)
		return f->stage == form;
	bool ok = microsoft ? abi_lower_microsoft(f->m, &f->d) : abi_lower_itanium(f->m, &f->d);
	return passed(f, c, ok, form, microsoft ? "the Microsoft lowering" : "the Itanium lowering");
}

typedef struct Lowering {
	FuzzModule *f;
	const Choice *c;
} Lowering;

static bool passed_abi(void *user, const char *pass)
{
	Lowering *l = user;
	return passed(l->f, l->c, true, l->f->stage, pass);
}

static bool lower_abi(FuzzModule *f, const Choice *c, const AbiTarget *t)
{
	Lowering l = {f, c};
	return lower_exceptions(f, c, t) &&
	       (abi_lower_convention(f->m, t, NULL, &f->d, passed_abi, &l) ||
	        passed(f, c, false, f->stage, "lowering to the calling convention"));
}

static bool is_forbidden(const IrOp *func)
{
	for (uint32_t i = 0; i < func->nattrs; i++)
		if (str_equal(ir_attr_llvm_key(func->attrs[i].name), STR("dontcall-error")))
			return true;
	return false;
}

/* What LLVM alone can judge: the text of assembly, which it gets as it is, distances of labels, of which the
 * optimiser may have dropped one, and whether it dropped all calls of what must not be called. */
static bool may_fail_in_llvm(const IrModule *m)
{
	if (ir_module_attr(m, NAME_cir_module_asm))
		return true;
	for (uint32_t i = 0; i < m->attrs.nheld; i++) {
		const IrAttr *a = m->attrs.held[i];
		if (a->kind == ATTR_BLOCK_DIFF)
			return true;
	}
	for (IrOp *op = ir_walk_first(&m->body); op; op = ir_walk_next(op, &m->body))
		if (op->kind == OP_ASM || (op->kind == OP_FUNC && is_forbidden(op)))
			return true;
	return false;
}

/* An intrinsic that the CPU lacks, high bytes that LLVM cannot encode. */
static bool may_be_refused_early(const IrModule *m)
{
	for (IrOp *op = ir_walk_first(&m->body); op; op = ir_walk_next(op, &m->body))
		if (op->kind == OP_CALL_LLVM_INTRINSIC || op->kind == OP_ASM)
			return true;
	return false;
}

/* How much data its object holds, counted as circ counts it against its own bound of 2 GiB: up to there all is written
 * as large as the text says, rightly, and code is made twice. This bound is of the harness alone. */
static bool is_small(LLVMModuleRef module)
{
	const unsigned long long most = 16 << 20; /* bytes */
	LLVMTargetDataRef layout = LLVMCreateTargetData(LLVMGetDataLayoutStr(module));
	unsigned long long left = most;
	LLVMValueRef g = LLVMGetFirstGlobal(module);
	for (; g; g = LLVMGetNextGlobal(g)) {
		LLVMValueRef init = LLVMGetInitializer(g);
		unsigned long long size = LLVMABISizeOfType(layout, LLVMGlobalGetValueType(g));
		if (!init || (LLVMIsNull(init) && !LLVMIsGlobalConstant(g) && !LLVMGetSection(g)))
			continue; /* elsewhere, or no bytes in the file */
		if (size > left)
			break;
		left -= size;
	}
	LLVMDisposeTargetData(layout);
	return !g;
}

/* What no library for Windows has, only the code tells (emit/libcalls.h). */
static bool lacks_function(const FuzzModule *f)
{
	return strstr(f->message, "LLVM makes this function call");
}

static void generate(FuzzModule *f, LLVMModuleRef module, LLVMTargetMachineRef machine, const Choice *c)
{
	char *data = NULL;
	size_t len;
	if (!emit_optimize(module, machine, c->opt, &f->d)) {
		if (!may_be_refused_early(f->m))
			fuzz_fail("LLVM does not optimise: %s", f->message);
		return;
	}
	bool may_fail = may_fail_in_llvm(f->m);
	if (!emit_memory(module, machine, c->format, &data, &len, &f->d) && !may_fail && !lacks_function(f))
		fuzz_fail("LLVM makes no code: %s", f->message);
	free(data);
}

static void make_llvm(FuzzModule *f, const Choice *c, char *triple)
{
	EmitTarget target = {.triple = triple, .opt = c->opt, .pic = c->pic};
	LLVMTargetMachineRef machine = emit_target_machine(&target, &f->d);
	if (!machine)
		fuzz_fail("no machine for %s: %s", triple, f->message);
	LLVMContextRef context = emit_context(&f->d);
	char *layout = emit_machine_data_layout(machine, &f->d);
	LowerOptions options = {.triple = triple,
	                        .data_layout = layout,
	                        .pic = c->pic,
	                        .pie = c->pic,
	                        .frame_pointers = c->opt == '0',
	                        .debug = c->debug ? 5 : 0,
	                        .optimized = c->opt != '0',
	                        .places = true};
	LLVMModuleRef module = lower_module(f->m, context, &options, &f->d);
	if (!module && !f->d.errors)
		fuzz_fail("lowering failed without a reason");
	if (module && !emit_verify(module, &f->d))
		fuzz_fail("%s", f->message);
	if (module && is_small(module))
		generate(f, module, machine, c);
	free(layout);
	emit_dispose(context, module, machine);
}

static bool compile(Str text, const Choice *c)
{
	FuzzModule f;
	if (!fuzz_read(&f, text))
		return false;
	char *triple = emit_triple(c->triple);
	ir_module_set_attr(f.m, ir_known_name(f.m, NAME_cir_triple), ir_attr_string(f.m, str_of(triple)));
	if (lower_abi(&f, c, abi_target(str_of(triple))))
		make_llvm(&f, c, triple);
	free(triple);
	fuzz_close(&f);
	return true;
}

/* The choices for an input must stay what they are: inputs that found something are kept. FNV-1a, folded by words. */
static uint32_t choices_of(const uint8_t *p, size_t len)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325) ^ len;
	for (; len >= 8; p += 8, len -= 8) {
		uint64_t word;
		memcpy(&word, p, 8);
		h = (h ^ word) * UINT64_C(0x9E3779B97F4A7C15);
		h ^= h >> 29;
	}
	for (; len; p++, len--)
		h = (h ^ *p) * UINT64_C(0x100000001b3);
	return (uint32_t)(h ^ (h >> 32));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static bool ready;
	Str text = {(const char *)data, size};
	if (!size)
		return 0;
	if (!ready)
		emit_on_fatal_error(llvm_ended);
	ready = true;
	uint32_t hash = choices_of(data, size);
	Choice c = {.triple = "x86_64-pc-linux-gnu",
	            .reads_back = hash % 4 == 0,
	            .opt = "00000120"[hash >> 2 & 7],
	            .pic = hash >> 5 & 1,
	            .debug = (hash >> 6 & 3) == 0,
	            .format = hash >> 8 & 1 ? EMIT_OBJECT : EMIT_ASSEMBLY};
	if (!compile(text, &c))
		return 0;
	c.triple = hash >> 9 & 3 ? "x86_64-pc-windows-msvc" : "x86_64-w64-windows-gnu";
	compile(text, &c);
	return 0;
}
