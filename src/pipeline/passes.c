/* pipeline/passes.c: the list of passes, in their order, and what runs it.
 *
 * A new pass is a row. What takes no stage of the module at hand is passed over, so that a module may come in at any
 * stage; what gives a form of exceptions is for targets of that form.
 */
#include "pipeline/pipeline.h"

#include "call/callconv.h"
#include "call/complex.h"
#include "call/unspecified.h"
#include "call/va_arg.h"
#include "eh/itanium/itanium.h"
#include "eh/microsoft/microsoft.h"
#include "eh/sjlj/sjlj.h"
#include "eh/wasm/wasm.h"
#include "expand/expand.h"
#include "flatten/flatten.h"
#include "ir/eh_runtime.h"
#include "lift/lift.h"
#include "lower/lower.h"
#include "pipeline/parts.h"
#include "repair/repair.h"
#include "target/data_layout.h"
#include "verify/asm_files.h"
#include "verify/untrusted.h"
#include "verify/verify.h"

#include <stdlib.h>

enum {
	STRUCTURED = STAGE_STRUCTURED,
	FLAT = STAGE_FLAT,
	ITANIUM = STAGE_ITANIUM,
	MICROSOFT = STAGE_MICROSOFT,
	FORMS = ITANIUM | MICROSOFT,
	ANY = STRUCTURED | FLAT | FORMS,
};

/* ---- CIR ---- */

static bool verify(Pipeline *p)
{
	return ir_verify(p->m, p->stage, p->d);
}

static bool check_assembly(Pipeline *p)
{
	return !p->o->no_asm_files || verify_no_asm_files(p->m, p->d);
}

static bool check_untrusted(Pipeline *p)
{
	return !p->o->untrusted || verify_untrusted(p->m, p->d);
}

/* What says the triple. */
static Loc triple_place(const Pipeline *p)
{
	Loc nowhere = {0};
	return p->o->triple ? nowhere : p->m->attrs_loc;
}

/* Raised from LLVM IR: a front end has done what passes give. */
static bool is_whole(const Pipeline *p)
{
	return p->m && ir_module_attr(p->m, NAME_circ_llvm);
}

/* Is it to be compiled for another target than its own? */
static bool is_foreign(const Pipeline *p)
{
	const IrAttr *own = is_whole(p) ? p->former_triple : NULL;
	char *triple = own && own->kind == ATTR_STRING ? emit_triple(own->name->text) : NULL;
	bool other = triple && strcmp(triple, p->triple) != 0;
	free(triple);
	return other;
}

static bool is_lifted(const Pipeline *p)
{
	return is_whole(p) && p->stage == STAGE_ITANIUM &&
	       (p->o->lift || p->form == STAGE_MICROSOFT || is_foreign(p));
}

/* Sizes, calls and symbols of LLVM IR are those of its target; what it is lifted for keeps those of its processor. */
static bool check_own_target(Pipeline *p)
{
	const IrAttr *own = is_whole(p) ? p->former_triple : NULL;
	char *triple = own && own->kind == ATTR_STRING ? emit_triple(own->name->text) : NULL;
	const AbiTarget *from = triple ? abi_target(str_of(triple)) : NULL;
	bool same_machine = from && p->target && from->machine == p->target->machine;
	bool other = triple && strcmp(triple, p->triple) != 0 && !same_machine;
	if (other)
		diag_error(p->d, triple_place(p),
		           "module was made for target '%s', and cannot be compiled for '%s'", triple,
		           p->triple);
	free(triple);
	return !other;
}

bool pipeline_check_asked_target(const Pipeline *p)
{
	bool has_code = p->target || !p->o->triple;
	if (!has_code)
		emit_report_unsupported(p->triple, triple_place(p), p->d);
	return has_code;
}

static bool check_target(Pipeline *p)
{
	if (!check_own_target(p))
		return false;
	if (!p->target)
		emit_report_unsupported(p->triple, triple_place(p), p->d);
	return p->target && abi_check_layout(p->m, p->d);
}

static bool lift(Pipeline *p)
{
	if (is_foreign(p)) {
		ir_module_set_attr(p->m, ir_known_name(p->m, NAME_llvm_data_layout), NULL);
		ir_module_set_attr(p->m, ir_known_name(p->m, NAME_circ_flags), NULL); /* of another system */
		if (emit_is_windows(p->triple)) {
			lift_warn_of_foreign(p->m, p->d);
			lift_keep_variadics(p->m);
		}
		if (emit_is_windows(p->triple) && p->form != STAGE_MICROSOFT)
			lift_name_sizes(p->m);
	}
	ir_module_set_attr(p->m, ir_known_name(p->m, NAME_circ_llvm), ir_attr_string(p->m, STR("flat")));
	return lift_module(p->m, p->d);
}

static bool repair(Pipeline *p)
{
	return repair_module(p->m, p->target, &p->stage, p->d);
}

static bool expand(Pipeline *p)
{
	return expand_module(p->m, p->target, p->d);
}

static bool flatten(Pipeline *p)
{
	return flatten_module(p->m, p->d);
}

/* Lifted LLVM IR has a form again. */
static void end_lift(Pipeline *p)
{
	if (is_whole(p))
		ir_module_set_attr(p->m, ir_known_name(p->m, NAME_circ_llvm), ir_attr_unit(p->m));
}

static bool lower_itanium(Pipeline *p)
{
	end_lift(p);
	return abi_lower_itanium(p->m, p->d) && sjlj_lower(p->m, p->d) && wasm_lower(p->m, p->target, p->d);
}

static bool lower_microsoft(Pipeline *p)
{
	end_lift(p);
	if (ir_module_is_sjlj(p->m) && !lower_itanium(p))
		return false; /* no exception is left then */
	return abi_lower_microsoft(p->m, p->d);
}

static bool check_passing(Pipeline *p)
{
	if (is_whole(p))
		return true;
	if (!abi_check_padding(p->m, p->target, p->o->features, p->d))
		return false;
	abi_warn_of_unspecified(p->m, p->target, p->o->features, p->d);
	return true;
}

static bool lower_va_args(Pipeline *p)
{
	abi_lower_va_args(p->m, p->target, p->o->features);
	return true;
}

static bool expand_complex(Pipeline *p)
{
	return abi_expand_complex(p->m, p->target, p->d);
}

static bool lower_calls(Pipeline *p)
{
	return abi_lower_calls(p->m, p->target, p->o->features, p->d);
}

/* ---- LLVM ---- */

/* Funclets are found by tables. */
static bool check_model(Pipeline *p)
{
	bool funclets = p->m->made[OP_CLEANUPPAD] || p->m->made[OP_CATCHSWITCH];
	if (!funclets || !ir_module_is_sjlj(p->m))
		return true;
	diag_error(p->d, triple_place(p),
	           "module is in %s, which cannot do without exception tables ('circ.eh.model = \"sjlj\"')",
	           pipeline_stage_name(STAGE_MICROSOFT));
	return false;
}

static bool check_form(Pipeline *p)
{
	bool lowered = p->stage & FORMS && !is_lifted(p);
	if (lowered && p->stage != p->form)
		diag_error(p->d, triple_place(p), "module is in %s, but target '%s' requires %s",
		           pipeline_stage_name(p->stage), p->triple, pipeline_stage_name(p->form));
	return (!lowered || p->stage == p->form) && check_model(p);
}

static bool is_pic(const Pipeline *p)
{
	return p->o->pic && !p->target->is_static;
}

static EmitTarget emit_target(const Pipeline *p)
{
	return (EmitTarget){.triple = p->triple,
	                    .cpu = p->o->cpu,
	                    .features = p->o->features,
	                    .opt = p->o->opt,
	                    .pic = is_pic(p),
	                    .known = p->split};
}

static bool open_machine(Pipeline *p)
{
	EmitTarget target = emit_target(p);
	target.at = triple_place(p);
	p->machine = emit_target_machine(&target, p->d);
	if (p->machine)
		p->context = emit_context(p->d);
	return p->context != NULL;
}

static bool compile_part(Pipeline *part)
{
	return open_machine(part) && pipeline_run(part, GOAL_IMAGE);
}

static bool compile_parts(Pipeline *p)
{
	if (is_whole(p))
		return true;
	p->done_before = p->done;
	PartsResult result = parts_compile(p, compile_part);
	if (result == PARTS_DONE)
		p->done = UINT32_MAX;
	return result != PARTS_FAILED;
}

static bool lower(Pipeline *p)
{
	const PipelineOptions *o = p->o;
	bool code = o->format == EMIT_OBJECT || o->format == EMIT_ASSEMBLY, whole = !p->split;
	char *layout = emit_machine_data_layout(p->machine, p->d);
	LowerOptions options = {.triple = p->triple,
	                        .data_layout = layout,
	                        .pic = is_pic(p),
	                        .pie = o->pie && !p->target->is_static,
	                        .in_process = o->in_process,
	                        .far_parts = o->lazy,
	                        .consume = whole && o->hooks.release,
	                        .frame_pointers = o->opt == '0',
	                        .debug = o->debug,
	                        .optimized = o->opt != '0',
	                        .op_numbers = o->op_numbers,
	                        .code_only = code && o->opt == '0',
	                        .plain_cpu = !o->cpu && !o->features,
	                        .tail_calls =
	                            abi_has_tail_calls(p->target->machine, str_of(o->cpu ? o->cpu : ""),
	                                               str_of(o->features ? o->features : "")),
	                        .places = code,
	                        .prefix_maps = o->prefix_maps,
	                        .split = p->split,
	                        .part = p->part};
	p->module = layout ? lower_module(p->m, p->context, &options, p->d) : NULL;
	free(layout);
	if (whole && o->hooks.release) {
		p->m = NULL;
		o->hooks.release(o->hooks.user);
	}
	return p->module != NULL;
}

static bool check_llvm(Pipeline *p)
{
	return emit_verify(p->module, p->d);
}

static bool optimize(Pipeline *p)
{
	return emit_optimize(p->module, p->machine, p->o->opt, p->d);
}

static bool adapt(Pipeline *p)
{
	const PipelineHooks *h = &p->o->hooks;
	return !h->adapt || h->adapt(h->user, p->module, p->split ? SPLIT_LOCAL : NULL, p->d);
}

static bool emit(Pipeline *p)
{
	if (p->o->untrusted && emit_starts_program(p->module, p->o->format)) {
		diag_error(
		    p->d, triple_place(p),
		    "exceptions of WebAssembly are written by clang, which is not started for an untrusted "
		    "module");
		return false;
	}
	EmitTarget target = emit_target(p);
	return emit_image(p->module, p->machine, &target, p->o->format, &p->image, p->d);
}

/* ---- The list ---- */

typedef struct Pass {
	const char *name;
	Phase phase;
	Goal goal;      /* the first that needs it */
	unsigned takes; /* one of these stages */
	unsigned gives; /* 0: it leaves the CIR alone. More than one: it changes it, but not its stage */
	bool (*run)(Pipeline *p);
} Pass;

/* clang-format off */
static const Pass passes[] = {
	/* Before anything is changed: a module that is refused here stays as it was. */
	{ "the verifier",                PHASE_VERIFY,   GOAL_VERIFIED, ANY,        0,                verify },
	{ "checking assembly for files", PHASE_VERIFY,   GOAL_VERIFIED, ANY,        0,                check_assembly },
	{ "checking what strangers may say", PHASE_VERIFY, GOAL_VERIFIED, ANY,      0,                check_untrusted },
	{ "checking the target",         PHASE_ABI,      GOAL_ABI,      ANY,        0,                check_target },
	{ "checking the form",           PHASE_ABI,      GOAL_IMAGE,    FORMS,      0,                check_form },
	{ "opening the target machine",  PHASE_TARGET,   GOAL_IMAGE,    ANY,        0,                open_machine },
	/* CIR to CIR */
	{ "repairing",                   PHASE_FLATTEN,  GOAL_FLAT,     STRUCTURED | FLAT | ITANIUM, STRUCTURED | FLAT, repair },
	{ "lifting",                     PHASE_FLATTEN,  GOAL_FLAT,     ITANIUM,    FLAT,             lift },
	{ "expanding",                   PHASE_FLATTEN,  GOAL_FLAT,     STRUCTURED, STRUCTURED,       expand },
	{ "flattening",                  PHASE_FLATTEN,  GOAL_FLAT,     STRUCTURED, FLAT,             flatten },
	{ "the Itanium lowering",        PHASE_ABI,      GOAL_FORM,     FLAT | ITANIUM, ITANIUM,      lower_itanium },
	{ "the Microsoft lowering",      PHASE_ABI,      GOAL_FORM,     FLAT,       MICROSOFT,        lower_microsoft },
	{ "checking what is passed",     PHASE_ABI,      GOAL_ABI,      FORMS,      0,                check_passing },
	{ "reading variadic arguments",  PHASE_ABI,      GOAL_ABI,      FORMS,      FORMS,            lower_va_args },
	{ "expanding complex numbers",   PHASE_ABI,      GOAL_ABI,      FORMS,      FORMS,            expand_complex },
	{ "the calling convention pass", PHASE_ABI,      GOAL_ABI,      FORMS,      FORMS,            lower_calls },
	/* To LLVM and code: of all parts, or else of the whole */
	{ "compiling parts",             PHASE_PARTS,    GOAL_IMAGE,    FORMS,      0,                compile_parts },
	{ "lowering to LLVM",            PHASE_LOWER,    GOAL_IMAGE,    FORMS,      0,                lower },
	{ "LLVM's verifier",             PHASE_CHECK,    GOAL_IMAGE,    FORMS,      0,                check_llvm },
	{ "optimising",                  PHASE_OPTIMIZE, GOAL_IMAGE,    FORMS,      0,                optimize },
	{ "adapting",                    PHASE_EMIT,     GOAL_IMAGE,    FORMS,      0,                adapt },
	{ "emitting",                    PHASE_EMIT,     GOAL_IMAGE,    FORMS,      0,                emit },
};
/* clang-format on */

static void enter(const Pipeline *p, Phase phase)
{
	if (p->o->hooks.enter)
		p->o->hooks.enter(p->o->hooks.user, phase);
}

static bool is_one(unsigned stages)
{
	return !(stages & (stages - 1));
}

static bool applies(const Pipeline *p, const Pass *pass)
{
	bool of_form = !(pass->gives & FORMS) || pass->gives & p->form;
	if (pass->run == lift)
		return is_lifted(p);
	bool done = is_whole(p) && pass->run != lower_va_args; /* LLVM IR may have the instruction */
	if (pass->gives && done && !(p->stage == STAGE_FLAT && pass->gives & FORMS))
		return false;
	return pass->takes & p->stage && of_form;
}

static bool gives_what_verifies(Pipeline *p, const Pass *pass)
{
	if (!p->o->verify_each)
		return true;
	enter(p, PHASE_VERIFY);
	if (ir_verify(p->m, p->stage, p->d))
		return true;
	diag_failure(p->d, "result of %s does not verify; this is a bug in circ, please report it",
	             pass->name);
	return false;
}

static bool run_pass(Pipeline *p, const Pass *pass)
{
	const PipelineHooks *h = &p->o->hooks;
	enter(p, pass->phase);
	if (!pass->gives)
		return pass->run(p);
	bool warned = p->m->warned;
	p->changed = true;
	p->broken = true; /* until it has ended well */
	if (!pass->run(p))
		return false;
	p->m->warned = warned;
	if (is_one(pass->gives))
		p->stage = (Stage)pass->gives;
	if (!gives_what_verifies(p, pass) || (h->passed && !h->passed(h->user, pass->name)))
		return false;
	p->broken = false;
	return true;
}

bool pipeline_run(Pipeline *p, Goal goal)
{
	for (uint32_t i = 0; i < ARRAY_LEN(passes); i++) {
		uint32_t bit = UINT32_C(1) << i;
		if (passes[i].goal > goal || p->done & bit || !applies(p, &passes[i]))
			continue;
		p->done |= bit;
		if (!run_pass(p, &passes[i]))
			return false;
	}
	return true;
}

bool pipeline_compile_part(const Pipeline *whole, uint32_t i, EmitImage *image, Diags *d)
{
	Pipeline part = *whole;
	part.d = d;
	part.machine = NULL;
	part.context = NULL;
	part.done = whole->done_before;
	part.split = &whole->divided;
	part.part = i;
	bool ok = compile_part(&part);
	*image = part.image;
	pipeline_drop_llvm(&part);
	return ok;
}
