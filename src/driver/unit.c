#include "driver/unit.h"

#include "driver/depfile.h"
#include "driver/large_heap.h"
#include "driver/llvm_messages.h"
#include "driver/options_check.h"
#include "driver/source.h"
#include "eh/microsoft/microsoft.h"
#include "eh/plan.h"
#include "ir/eh_runtime.h"
#include "lift/runtime.h"
#include "raise/raise.h"
#include "text/parse.h"
#include "text/print/print.h"

#include <stdlib.h>

static void drop_cir(Unit *u)
{
	ir_module_destroy(u->m);
	free((void *)(uintptr_t)u->text.data);
	u->m = NULL;
	u->pipeline.m = NULL;
	u->text = (Str){0};
	diag_set_source(&u->d, NULL);
}

static void enter_phase(void *unit, Phase phase)
{
	timing_enter(((Unit *)unit)->timing, phase);
}

/* LLVM needs the memory. */
static void release_cir(void *unit)
{
	drop_cir(unit);
}

PipelineOptions unit_pipeline_options(const Options *o)
{
	return (PipelineOptions){.cpu = o->cpu,
	                         .features = o->features,
	                         .opt = o->opt,
	                         .pic = o->pic,
	                         .pie = o->pie,
	                         .verify_each = o->verify_each,
	                         .no_asm_files = o->no_asm_files,
	                         .untrusted = o->untrusted,
	                         .lift = o->lift || o->product == MAKE_FLAT,
	                         .max_copied_ops = o->max_copied_ops,
	                         .max_data = o->max_data,
	                         .max_constant_parts = o->max_constant_parts,
	                         .part_ops = o->part_ops};
}

void unit_open(Unit *u, const Options *o, const Input *input, Report *r, Timing *t, Jobs *jobs)
{
	static const EmitFormat formats[PRODUCT_COUNT] = {
	    [MAKE_LLVM] = EMIT_LLVM_IR,  [MAKE_BITCODE] = EMIT_BITCODE, [MAKE_ASSEMBLY] = EMIT_ASSEMBLY,
	    [MAKE_OBJECT] = EMIT_OBJECT, [MAKE_PROGRAM] = EMIT_OBJECT,
	};
	*u = (Unit){.o = o, .input = input, .report = r, .timing = t};
	u->options = unit_pipeline_options(o);
	u->options.triple = o->triple;
	u->options.prefix_maps = &o->prefix_maps;
	u->options.debug = o->debug;
	u->options.format = formats[o->product];
	u->options.jobs = jobs;
	u->options.hooks = (PipelineHooks){.user = u, .enter = enter_phase, .release = release_cir};
	report_diagnostics(r, &u->d);
	if (o->untrusted)
		u->d.most = DIAG_MOST;
}

/* Still in reach, which is what tools that look for leaks ask; volatile, since nothing reads it. */
static volatile struct {
	LLVMContextRef context;
	LLVMModuleRef module;
	LLVMTargetMachineRef machine;
} left;

void unit_leave_llvm(Unit *u)
{
	Pipeline *p = &u->pipeline;
	left.context = p->context;
	left.module = p->module;
	left.machine = p->machine;
	p->context = NULL;
	p->module = NULL;
	p->machine = NULL;
}

void unit_finish(Unit *u)
{
	pipeline_drop_llvm(&u->pipeline);
	drop_cir(u);
	free(u->unused);
	u->unused = NULL;
}

void unit_close(Unit *u)
{
	unit_finish(u);
	pipeline_close(&u->pipeline);
}

static bool out_of_memory(Unit *u)
{
	report_failure(u->report, "out of memory");
	return false;
}

/* ---- CIR ---- */

static bool is_llvm(const Unit *u)
{
	return u->input->is_llvm;
}

const char *unit_name(const Unit *u)
{
	return u->o->source_name ? u->o->source_name : source_name(u->input->path);
}

/* --eh-runtime */
static bool read_table(Unit *u)
{
	Source table = {.name = u->o->eh_runtime};
	if (!table.name)
		return true;
	bool ok =
	    source_read_bytes(table.name, &table.text, u->report) && lift_set_table(u->m, &table, &u->d);
	free((void *)(uintptr_t)table.text.data);
	return ok;
}

bool unit_read(Unit *u)
{
	timing_enter(u->timing, PHASE_READ);
	u->unused = heap_prepare(source_size(u->input->path));
	if (!(is_llvm(u) ? source_read_bytes : source_read)(u->input->path, &u->text, u->report))
		return false;
	u->m = ir_module_create();
	if (!u->m)
		return out_of_memory(u);
	ir_module_guard(u->m, u->oom);
	if (!read_table(u))
		return false;
	const char *name = unit_name(u);
	bool read = is_llvm(u) ? raise_bytes(u->m, u->text, name, &u->d)
	                       : text_parse_as(u->m, name, u->text, u->o->from, &u->d);
	if (!read)
		return false;
	if (u->o->repair_given)
		u->m->repair = u->o->repair;
	u->m->repair_each = u->o->verbose;
	if (u->o->eh)
		ir_module_set_attr(u->m, ir_known_name(u->m, NAME_ms_eh),
		                   ir_attr_string(u->m, str_of(u->o->eh)));
	if (u->o->sjlj)
		ir_module_set_attr(u->m, ir_known_name(u->m, NAME_circ_eh_model),
		                   ir_attr_string(u->m, STR("sjlj")));
	if (u->o->faults)
		ir_module_set_attr(u->m, ir_known_name(u->m, NAME_circ_faults),
		                   ir_attr_string(u->m, str_of(u->o->faults)));
	u->sjlj = ir_module_is_sjlj(u->m);
	return pipeline_open(&u->pipeline, &u->options, u->m, &u->d);
}

bool unit_verify(Unit *u)
{
	const Pipeline *p = &u->pipeline;
	if (!pipeline_run(&u->pipeline, GOAL_VERIFIED))
		return false;
	bool raised = ir_module_attr(u->m, NAME_circ_llvm) != NULL;
	bool lowered = (p->stage == STAGE_ITANIUM && !raised) || p->stage == STAGE_MICROSOFT;
	if (u->o->product != MAKE_FLAT || !lowered || u->o->verify_only)
		return true;
	report_file_error(u->report, unit_name(u), "module is already in %s; '--emit=flat' cannot undo that",
	                  pipeline_stage_name(p->stage));
	return false;
}

bool unit_image(Unit *u)
{
	bool has_assembly =
	    u->m->made[OP_ASM] || u->m->made[OP_INLINE_ASM] || ir_module_attr(u->m, NAME_cir_module_asm);
	if (has_assembly)
		llvm_messages_hold();
	bool ok = pipeline_run(&u->pipeline, GOAL_IMAGE);
	if (has_assembly)
		llvm_messages_release();
	return ok;
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
	if (u->o->product == MAKE_OBJECT && emit_is_windows(u->pipeline.triple))
		suffix = ".obj";
	return path_with_suffix(path, suffix);
}

/* The rule is there before the output: one without a rule would not be made anew when it has to be. */
static bool write_output(Unit *u, Str bytes)
{
	char *path = output_path(u);
	if (!path)
		return out_of_memory(u);
	bool ok = options_check_output(u->o, path, u->report) &&
	          (!u->o->depfile || depfile_write(u->o, u->input, path, &u->d)) &&
	          emit_bytes(path, bytes, &u->d);
	free(path);
	return ok;
}

static bool write_text(Unit *u, const StrBuf *text)
{
	return write_output(u, (Str){text->data, text->len});
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
	const AbiTarget *target = u->pipeline.target;
	bool microsoft = target && target->shape == SHAPE_FUNCLETS;
	bool ok = microsoft ? abi_microsoft_dump_module(u->m, &u->d, &u->m->scratch, &text)
	                    : abi_plan_dump_module(u->m, &u->d, &u->m->scratch, &text);
	return ok && write_text(u, &text);
}

bool unit_write(Unit *u)
{
	timing_enter(u->timing, PHASE_EMIT);
	bool ok = write_output(u, u->pipeline.image.bytes);
	emit_image_destroy(&u->pipeline.image);
	return ok;
}
