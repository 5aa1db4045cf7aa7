/* What a module may not have if a stranger wrote it: what LLVM's assembler executes, since its directives read files and make
 * objects of any size, and what linkers take for their own options or hand to a compiler.
 *
 * 	cir.module_asm, cir.asm, circ.inline_asm     assembly
 * 	cir.linker_options                           options of the linker
 * 	section = ".drectve"                         the same as data: a linker reads the section's bytes
 * 	section = ".gnu.lto_.opts"                   a linker starts a compiler, which reads them
 * 	@"a\22 /out:b"                               a name that LLVM quotes in the options of an exported symbol, and that ends the quotes
 */
#include "verify/untrusted.h"

typedef struct Section {
	const char *begins; /* its name */
	const char *has;
} Section;

static const Section sections[] = {
    {".drectve", "options for the linker"}, /* COFF */
    {".deplibs", "options for the linker"}, /* ELF */
    {".linker-options", "options for the linker"},   {".gnu.lto_", "code for the linker's compiler"},
    {".llvm.lto", "code for the linker's compiler"},
};

/* What circ itself puts there, for thread-local variables of windows-msvc (expand/thread_local_ms.c). */
static bool is_own_option(const IrAttr *option)
{
	return option->kind == ATTR_STRING &&
	       str_equal(name_str(option->name), STR("/include:__dyn_tls_init"));
}

static bool has_linker_options(const IrModule *m)
{
	const IrAttr *list = ir_module_attr(m, NAME_cir_linker_options);
	for (uint32_t i = 0; list && i < list->n; i++)
		if (!is_own_option(list->elems[i]))
			return true;
	return false;
}

/* What linkers read in a section of that name; NULL: nothing. */
static const char *read_by_linkers(const IrAttr *section)
{
	for (size_t i = 0; section && section->kind == ATTR_STRING && i < ARRAY_LEN(sections); i++)
		if (str_begins_with(name_str(section->name), str_of(sections[i].begins)))
			return sections[i].has;
	return NULL;
}

/* LLVM's mark \1, "as it is", is no part of the name. */
static bool is_plain(Str name)
{
	for (size_t i = 0; i < name.len; i++) {
		unsigned char c = (unsigned char)name.data[i];
		if (c == '"' || c == 127 || (c < ' ' && (i || c != 1)))
			return false;
	}
	return true;
}

static void check_op(const IrOp *op, Diags *d)
{
	const IrAttr *section =
	    op->kind == OP_FUNC || op->kind == OP_GLOBAL ? ir_op_attr(op, NAME_section) : NULL;
	const char *has = read_by_linkers(section);
	const Name *name = ir_symbol_name(op);
	if (op->kind == OP_ASM || op->kind == OP_INLINE_ASM)
		diag_error(d, op->loc, "'%s' op is assembly, which is not allowed in an untrusted module",
		           op_info[op->kind].name);
	if (has)
		diag_error(d, op->loc,
		           "'%s' op: section '%s' has %s, which is not allowed in an untrusted module",
		           op_info[op->kind].name, section->name->text, has);
	if (name && !is_plain(name_str(name)))
		diag_error(d, op->loc,
		           "'%s' op: a name with quotes or control characters is not allowed in an untrusted "
		           "module",
		           op_info[op->kind].name);
}

bool verify_untrusted(const IrModule *m, Diags *d)
{
	uint32_t errors = d->errors;
	if (ir_module_attr(m, NAME_cir_module_asm))
		diag_error(
		    d, m->attrs_loc,
		    "attribute 'cir.module_asm' is assembly, which is not allowed in an untrusted module");
	if (has_linker_options(m))
		diag_error(d, m->attrs_loc,
		           "attribute 'cir.linker_options' is not allowed in an untrusted module");
	for (IrOp *op = ir_walk_first(&m->body); op && !diag_full(d); op = ir_walk_next(op, &m->body))
		check_op(op, d);
	return d->errors == errors;
}
