/* pipeline.c: what verifies goes through every pass for each ABI, to LLVM's verifier and
 * its code generator, in memory.
 *
 * After each pass the module must verify; what it prints must read back and verify, too. A pass may refuse a
 * module with an error, LLVM may not: what it finds in a module is a bug of circ, but for the text of inline
 * assembly and intrinsics by name, which only LLVM knows. */
#include "fuzz.h"

#include "pipeline/pipeline.h"
#include "text/print/print.h"

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

static const char too_large[] = "too much data for the fuzzer";

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

typedef struct Run {
	FuzzModule f;
	const Choice *c;
	Pipeline p;
	Phase phase; /* that is under way */
} Run;

static void enter(void *run, Phase phase)
{
	((Run *)run)->phase = phase;
}

static bool passed(void *run, const char *pass)
{
	Run *r = run;
	if (r->f.d.errors)
		fuzz_fail("%s reported an error, and went on: %s", pass, r->f.message);
	r->f.stage = r->p.stage;
	fuzz_verify(&r->f, r->p.stage, pass);
	if (r->c->reads_back)
		expect_reads_back(&r->f, pass);
	return true;
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

/* What no library for Windows has, only the code tells (emit/llvm_gaps/libcalls.h). */
static bool lacks_function(const FuzzModule *f)
{
	return strstr(f->message, "this function needs ");
}

/* No code is made of what is large. */
static bool stop_large(void *run, LLVMModuleRef module, const char *part_prefix, Diags *d)
{
	(void)run;
	(void)part_prefix;
	bool small = is_small(module);
	if (!small)
		diag_error(d, (Loc){0}, "%s", too_large);
	return small;
}

static bool may_fail(const Run *r)
{
	switch (r->phase) {
	case PHASE_TARGET:
	case PHASE_CHECK:
	case PHASE_VERIFY:
		return false;
	case PHASE_OPTIMIZE:
		return may_be_refused_early(r->f.m);
	case PHASE_EMIT:
		return may_fail_in_llvm(r->f.m) || lacks_function(&r->f) || strstr(r->f.message, too_large);
	default:
		return true; /* a pass of CIR, or the lowering, refuses what it cannot do */
	}
}

static bool compile(Str text, const Choice *c)
{
	Run r = {.c = c};
	if (!fuzz_read(&r.f, text))
		return false;
	PipelineOptions options = {
	    .triple = c->triple,
	    .opt = c->opt,
	    .debug = c->debug ? 5 : 0,
	    .pic = c->pic,
	    .pie = c->pic,
	    .format = c->format,
	    .hooks = {.user = &r, .enter = enter, .passed = passed, .adapt = stop_large},
	};
	if (!pipeline_open(&r.p, &options, r.f.m, &r.f.d))
		fuzz_fail("the pipeline does not open: %s", r.f.message);
	if (!pipeline_run(&r.p, GOAL_IMAGE)) {
		if (!r.f.d.errors)
			fuzz_fail("the pipeline ends in phase %d without a reason", (int)r.phase);
		if (!may_fail(&r))
			fuzz_fail("phase %d refuses what verifies: %s", (int)r.phase, r.f.message);
	}
	pipeline_close(&r.p);
	fuzz_close(&r.f);
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
