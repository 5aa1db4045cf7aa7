#include "driver/unit.h"

#include "abi/convention.h"
#include "abi/itanium.h"
#include "abi/layout.h"
#include "abi/microsoft.h"
#include "abi/plan.h"
#include "abi/target.h"
#include "driver/heap.h"
#include "driver/options_check.h"
#include "driver/source.h"
#include "emit/emit.h"
#include "expand/expand.h"
#include "flatten/flatten.h"
#include "ir/verify.h"
#include "lower/lower.h"
#include "text/parse.h"
#include "text/print.h"

#include <stdlib.h>

void unit_open(Unit *u, const Options *o, const Input *input, Report *r, Timing *t, Jobs *jobs)
{
	*u = (Unit){.o = o, .input = input, .report = r, .timing = t, .jobs = jobs};
	diag_init(&u->d, report_diagnostic, r);
}

static void drop_cir(Unit *u)
{
	ir_module_destroy(u->m);
	free((void *)(uintptr_t)u->text.data);
	u->m = NULL;
	u->text = (Str){0};
	diag_set_source(&u->d, NULL);
}

static void drop_llvm(Unit *u)
{
	emit_dispose(u->context, u->module, u->machine);
	u->context = NULL;
	u->module = NULL;
	u->machine = NULL;
}

/* Still in reach, which is what tools that look for leaks ask; volatile, since nothing reads it. */
static volatile struct {
	LLVMContextRef context;
	LLVMModuleRef module;
	LLVMTargetMachineRef machine;
} left;

void unit_leave_llvm(Unit *u)
{
	left.context = u->context;
	left.module = u->module;
	left.machine = u->machine;
	u->context = NULL;
	u->module = NULL;
	u->machine = NULL;
}

void unit_finish(Unit *u)
{
	drop_llvm(u);
	drop_cir(u);
	free(u->unused);
	u->unused = NULL;
}

void unit_close(Unit *u)
{
	unit_finish(u);
	free(u->triple);
	emit_image_destroy(&u->image);
}

static bool out_of_memory(Unit *u)
{
	report_failure(u->report, "out of memory");
	return false;
}

/* ---- CIR ---- */

static const char *stage_name(Stage s)
{
	return s == STAGE_STRUCTURED ? "structured CIR"
	       : s == STAGE_FLAT     ? "flat CIR"
	       : s == STAGE_ITANIUM  ? "CIR in the Itanium form"
	                             : "CIR in the Microsoft form";
}

static bool is_lowered(Stage s)
{
	return s == STAGE_ITANIUM || s == STAGE_MICROSOFT;
}

/* --target wins over the module's own triple, and what is printed says so. */
static bool set_triple(Unit *u)
{
	Str own = ir_module_triple(u->m);
	const char *given = u->o->triple ? u->o->triple
	                    : own.len    ? arena_copy(&u->m->scratch, own.data, own.len)
	                                 : NULL;
	u->triple = emit_triple(given);
	if (u->o->triple && u->triple)
		ir_module_set_attr(u->m, ir_known_name(u->m, NAME_cir_triple),
		                   ir_attr_string(u->m, str_of(u->triple)));
	return u->triple || out_of_memory(u);
}

static Loc triple_place(const Unit *u)
{
	Loc nowhere = {0};
	return u->o->triple ? nowhere : u->m->attrs_loc;
}

bool unit_read(Unit *u)
{
	timing_enter(u->timing, PHASE_READ);
	u->unused = heap_prepare(source_size(u->input->path));
	if (!source_read(u->input->path, &u->text, u->report))
		return false;
	u->m = ir_module_create();
	if (!u->m)
		return out_of_memory(u);
	ir_module_guard(u->m, u->oom);
	const char *name = source_name(u->input->path);
	if (!text_parse_as(u->m, name, u->text, u->o->from, &u->d) || !set_triple(u))
		return false;
	u->stage = ir_module_stage(u->m);
	return true;
}

static bool check_reachable(Unit *u)
{
	if (u->o->product != MAKE_FLAT || !is_lowered(u->stage) || u->o->verify_only)
		return true;
	report_file_error(u->report, source_name(u->input->path),
	                  "this is %s already; --emit=flat cannot undo that", stage_name(u->stage));
	return false;
}

bool unit_verify(Unit *u)
{
	timing_enter(u->timing, PHASE_VERIFY);
	return ir_verify(u->m, u->stage, &u->d) && check_reachable(u);
}

/* After a pass of ours: what it gives must verify. */
static bool passed(Unit *u, Stage stage, const char *pass)
{
	u->stage = stage;
	if (!u->o->verify_each)
		return true;
	timing_enter(u->timing, PHASE_VERIFY);
	if (ir_verify(u->m, stage, &u->d))
		return true;
	report_failure(u->report, "the result of %s does not verify, which is a bug of circ", pass);
	return false;
}

bool unit_flatten(Unit *u)
{
	if (u->stage != STAGE_STRUCTURED)
		return true;
	timing_enter(u->timing, PHASE_FLATTEN);
	return expand_module(u->m, abi_target(str_of(u->triple)), &u->d) &&
	       passed(u, STAGE_STRUCTURED, "expanding") && flatten_module(u->m, &u->d) &&
	       passed(u, STAGE_FLAT, "flattening");
}

static bool check_form(Unit *u, Stage form)
{
	if (u->stage == form || u->o->product == MAKE_ABI)
		return true;
	report_file_error(u->report, source_name(u->input->path), "this is %s, but target '%s' needs %s",
	                  stage_name(u->stage), u->triple, stage_name(form));
	return false;
}

static bool lower_exceptions(Unit *u, const AbiTarget *target)
{
	Stage form = target->runtime == RUNTIME_MICROSOFT ? STAGE_MICROSOFT : STAGE_ITANIUM;
	if (is_lowered(u->stage) && !check_form(u, form))
		return false;
	if (is_lowered(u->stage) && !(u->stage == form && form == STAGE_ITANIUM))
		return true;
	if (form == STAGE_MICROSOFT)
		return abi_lower_microsoft(u->m, &u->d) &&
		       passed(u, STAGE_MICROSOFT, "the Microsoft lowering");
	return abi_lower_itanium(u->m, &u->d) && passed(u, STAGE_ITANIUM, "the Itanium lowering");
}

static bool passed_abi(void *user, const char *pass)
{
	Unit *u = user;
	bool ok = passed(u, u->stage, pass);
	timing_enter(u->timing, PHASE_ABI);
	return ok;
}

bool unit_lower_abi(Unit *u)
{
	timing_enter(u->timing, PHASE_ABI);
	const AbiTarget *target = abi_target(str_of(u->triple));
	if (!target) {
		emit_report_unsupported(u->triple, triple_place(u), &u->d);
		return false;
	}
	if (!abi_check_layout(u->m, &u->d) || !lower_exceptions(u, target))
		return false;
	timing_enter(u->timing, PHASE_ABI);
	return abi_lower_convention(u->m, target, u->o->features, &u->d, passed_abi, u);
}

/* ---- outputs ---- */

/* -o, else the name of the input with another suffix, in the current folder; malloc'ed. */
static char *output_path(const Unit *u)
{
	const char *suffix = product_info[u->o->product].suffix, *path = NULL;
	if (u->o->output)
		return strdup(u->o->output);
	if (!suffix || strcmp(u->input->path, "-") == 0)
		return strdup("-");
	path = path_base(u->input->path);
	if (u->o->product == MAKE_OBJECT && emit_is_windows(u->triple))
		suffix = ".obj";
	const char *dot = strrchr(path, '.');
	size_t stem = dot && dot != path ? (size_t)(dot - path) : strlen(path);
	char *out = malloc(stem + strlen(suffix) + 1);
	if (out) {
		memcpy(out, path, stem);
		strcpy(out + stem, suffix);
	}
	return out;
}

static bool write_text(Unit *u, const StrBuf *text)
{
	char *path = output_path(u);
	if (!path)
		return out_of_memory(u);
	bool ok = emit_bytes(path, (Str){text->data, text->len}, &u->d);
	free(path);
	return ok;
}

bool unit_print(Unit *u)
{
	timing_enter(u->timing, PHASE_EMIT);
	StrBuf text = {0};
	text_print(u->m, u->o->print_flags, &u->m->scratch, &text);
	return write_text(u, &text);
}

bool unit_dump_plan(Unit *u)
{
	timing_enter(u->timing, PHASE_ABI);
	StrBuf text = {0};
	const AbiTarget *target = abi_target(str_of(u->triple));
	bool microsoft = target && target->shape == SHAPE_FUNCLETS;
	bool ok = microsoft ? abi_microsoft_dump_module(u->m, &u->d, &u->m->scratch, &text)
	                    : abi_plan_dump_module(u->m, &u->d, &u->m->scratch, &text);
	return ok && write_text(u, &text);
}

/* ---- LLVM ---- */

bool unit_open_machine(Unit *u, bool known)
{
	timing_enter(u->timing, PHASE_TARGET);
	EmitTarget target = {.triple = u->triple,
	                     .at = triple_place(u),
	                     .cpu = u->o->cpu,
	                     .features = u->o->features,
	                     .opt = u->o->opt,
	                     .pic = u->o->pic,
	                     .known = known};
	if (!u->machine)
		u->machine = emit_target_machine(&target, &u->d);
	if (u->machine && !u->context)
		u->context = emit_context(&u->d);
	return u->context != NULL;
}

bool unit_make_llvm(Unit *u, const LowerSplit *split, uint32_t i)
{
	bool code = u->o->product != MAKE_LLVM && u->o->product != MAKE_BITCODE;
	char *layout = emit_machine_data_layout(u->machine, &u->d);
	LowerOptions options = {.triple = u->triple,
	                        .data_layout = layout,
	                        .pic = u->o->pic,
	                        .pie = u->o->pie,
	                        .consume = !split,
	                        .frame_pointers = u->o->opt == '0',
	                        .debug = u->o->debug,
	                        .optimized = u->o->opt != '0',
	                        .code_only = code && u->o->opt == '0',
	                        .plain_cpu = !u->o->cpu && !u->o->features,
	                        .places = code,
	                        .split = split,
	                        .part = i};
	u->module = layout ? lower_module(u->m, u->context, &options, &u->d) : NULL;
	free(layout);
	if (!split)
		drop_cir(u);
	timing_enter(u->timing, PHASE_CHECK);
	return u->module && emit_verify(u->module, &u->d);
}

bool unit_lower(Unit *u)
{
	if (!unit_open_machine(u, false))
		return false;
	timing_enter(u->timing, PHASE_LOWER);
	return unit_make_llvm(u, NULL, 0);
}

bool unit_optimize(Unit *u)
{
	timing_enter(u->timing, PHASE_OPTIMIZE);
	return emit_optimize(u->module, u->machine, u->o->opt, &u->d);
}

bool unit_emit(Unit *u)
{
	static const EmitFormat formats[PRODUCT_COUNT] = {
	    [MAKE_LLVM] = EMIT_LLVM_IR,  [MAKE_BITCODE] = EMIT_BITCODE, [MAKE_ASSEMBLY] = EMIT_ASSEMBLY,
	    [MAKE_OBJECT] = EMIT_OBJECT, [MAKE_PROGRAM] = EMIT_OBJECT,
	};
	timing_enter(u->timing, PHASE_EMIT);
	return emit_image(u->module, u->machine, formats[u->o->product], &u->image, &u->d);
}

bool unit_write(Unit *u)
{
	timing_enter(u->timing, PHASE_EMIT);
	char *path = output_path(u);
	if (!path)
		return out_of_memory(u);
	bool ok = options_check_output(u->o, path, u->report) && emit_bytes(path, u->image.bytes, &u->d);
	free(path);
	emit_image_destroy(&u->image);
	return ok;
}
