/* The module: symbols, initialisers, bodies, and what is said of the whole. */
#include "raise/raiser.h"

static void set_module(Raise *r, NameId name, const IrAttr *value)
{
	ir_module_set_attr(r->m, ir_known_name(r->m, name), value);
}

static void raise_properties(Raise *r)
{
	size_t len;
	const char *triple = LLVMGetTarget(r->module), *layout = LLVMGetDataLayoutStr(r->module);
	set_module(r, NAME_circ_llvm, ir_attr_unit(r->m));
	if (*triple)
		set_module(r, NAME_cir_triple, ir_attr_string(r->m, str_of(triple)));
	if (*layout)
		set_module(r, NAME_llvm_data_layout, ir_attr_string(r->m, str_of(layout)));
	raise_module_flags(r);
	const char *text = LLVMGetModuleInlineAsm(r->module, &len);
	if (len) {
		const IrAttr *line = ir_attr_string(r->m, (Str){text, len});
		set_module(r, NAME_cir_module_asm, ir_attr_array(r->m, &line, 1));
	}
}

/* The file that debuggers call the unit by. Without debug information it is a path that means nothing. */
static void name_unit(Raise *r)
{
	size_t len;
	const char *file = LLVMGetSourceFileName(r->module, &len);
	if (len && LLVMGetNamedMetadataNumOperands(r->module, "llvm.dbg.cu"))
		r->m->name = ir_name(r->m, (Str){file, len});
}

/* Labels have to be known before the bodies that they are in. */
static void find_labels(Raise *r)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(r->module); f; f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
			for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(b)); use;
			     use = LLVMGetNextUse(use))
				if (LLVMIsABlockAddress(LLVMGetUser(use)))
					raise_label(r, b);
}

static void raise_bodies(Raise *r)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(r->module); f && !r->failed; f = LLVMGetNextFunction(f)) {
		if (LLVMIsDeclaration(f))
			continue;
		ArenaMark mark = arena_mark(&r->body);
		raise_body(r, f, ir_symbol(raise_symbol_name(r, f)));
		arena_release(&r->body, mark);
	}
}

/* Of the module itself. */
static void lose_metadata(Raise *r)
{
	static const struct {
		const char *name;
		Lost what;
	} rows[] = {{"llvm.dbg.cu", LOST_DEBUG}, {"llvm.linker.options", LOST_LINKER_OPTIONS}};
	for (unsigned i = 0; i < ARRAY_LEN(rows); i++)
		if (LLVMGetNamedMetadataNumOperands(r->module, rows[i].name))
			raise_lose(r, rows[i].what);
}

bool raise_module(IrModule *m, LLVMModuleRef module, const char *name, Diags *d)
{
	Raise r = {.m = m, .d = d, .arena = &m->scratch, .module = module};
	ArenaMark mark = arena_mark(&m->scratch);
	r.body.oom = m->scratch.oom;
	r.context = LLVMGetModuleContext(module);
	r.data = LLVMGetModuleDataLayout(module);
	r.i1 = ir_type_int(m, 1, false, false);
	r.bool_type = ir_type_simple(m, TYPE_BOOL);
	r.ptr = m->voidp;
	m->repair = REPAIR_NONE;
	m->source = (Source){.name = arena_copy(&m->arena, name, strlen(name))};
	diag_set_source(d, &m->source);
	raise_properties(&r);
	name_unit(&r);
	find_labels(&r);
	if (raise_read_headers(&r))
		raise_declare_symbols(&r);
	if (!r.failed)
		raise_define_globals(&r);
	if (!r.failed)
		raise_define_aliases(&r);
	if (!r.failed)
		raise_bodies(&r);
	if (!r.failed) {
		lose_metadata(&r);
		raise_tell_lost(&r);
	}
	arena_free(&r.body);
	arena_release(&m->scratch, mark);
	return !r.failed;
}
