#include "pipeline/pipeline.h"

#include <stdlib.h>

const char *pipeline_stage_name(Stage s)
{
	return s == STAGE_STRUCTURED ? "the structured form"
	       : s == STAGE_FLAT     ? "the flat form"
	       : s == STAGE_ITANIUM  ? "the Itanium form"
	                             : "the Microsoft form";
}

static Name *triple_name(IrModule *m)
{
	return ir_known_name(m, NAME_cir_triple);
}

/* In LLVM's normal form. */
static char *find_triple(const PipelineOptions *o, IrModule *m)
{
	Str own = ir_module_triple(m);
	const char *given = o->triple ? o->triple
	                    : own.len ? arena_copy(&m->scratch, own.data, own.len)
	                              : NULL;
	return emit_triple(given);
}

void pipeline_adopt_target(IrModule *m)
{
	const AbiTarget *own = abi_target(ir_module_triple(m));
	if (own)
		ir_module_set_address_size(m, own->machine->address_size);
}

bool pipeline_open(Pipeline *p, const PipelineOptions *o, IrModule *m, Diags *d)
{
	*p = (Pipeline){.o = o, .m = m, .d = d, .triple = find_triple(o, m)};
	if (!p->triple) {
		diag_failure(d, "out of memory");
		return false;
	}
	p->former_budget = m->budget;
	if (o->max_copied_ops)
		m->budget.copied_ops = o->max_copied_ops;
	if (o->max_data)
		m->budget.data = o->max_data;
	if (o->max_constant_parts)
		m->budget.constant_parts = o->max_constant_parts;
	p->target = abi_target(str_of(p->triple));
	p->former_address_size = ir_module_address_size(m);
	if (p->target)
		ir_module_set_address_size(m, p->target->machine->address_size);
	p->stage = ir_module_stage(m);
	p->form = p->target && p->target->runtime == RUNTIME_MICROSOFT ? STAGE_MICROSOFT : STAGE_ITANIUM;
	p->former_triple = ir_module_attr(m, NAME_cir_triple);
	if (o->triple)
		ir_module_set_attr(m, triple_name(m), ir_attr_string(m, str_of(p->triple)));
	return true;
}

void pipeline_drop_llvm(Pipeline *p)
{
	emit_dispose(p->context, p->module, p->machine);
	p->context = NULL;
	p->module = NULL;
	p->machine = NULL;
}

void pipeline_close(Pipeline *p)
{
	if (p->m && p->o->triple && p->triple && !p->changed) {
		ir_module_set_attr(p->m, triple_name(p->m), p->former_triple);
		ir_module_set_address_size(p->m, p->former_address_size);
	}
	if (p->m && p->triple)
		p->m->budget = p->former_budget;
	pipeline_drop_llvm(p);
	emit_image_destroy(&p->image);
	free(p->triple);
	p->triple = NULL;
}
