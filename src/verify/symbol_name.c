/* Names of symbols, as object files and assemblers have them. */
#include "verify/verifier.h"

bool verifier_is_reserved(const Name *name)
{
	return str_begins_with(name_str(name), STR("llvm."));
}

/* LLVM's lists of symbols to keep, which clang prints for __attribute__((used)). */
bool verifier_is_used_list(const IrOp *op)
{
	if (op->kind != OP_GLOBAL)
		return false;
	Str name = name_str(ir_symbol_name(op));
	return str_equal(name, STR("llvm.used")) || str_equal(name, STR("llvm.compiler.used"));
}

/* What LLVM asks of them (LangRef, "The 'llvm.used' Global Variable"). */
static bool check_used_list(Verifier *v, const IrOp *op)
{
	const IrAttr *list = ir_op_attr(op, NAME_initial_value), *section = ir_op_attr(op, NAME_section);
	bool ok = list && list->kind == ATTR_CONST_ARRAY && list->n && list->type->count == list->n &&
	          ir_op_enum(op, NAME_linkage, LINKAGE_EXTERNAL) == LINKAGE_APPENDING && section &&
	          section->kind == ATTR_STRING && str_equal(name_str(section->name), STR("llvm.metadata"));
	for (uint32_t i = 0; ok && i < list->n; i++)
		ok = list->elems[i]->kind == ATTR_GLOBAL_VIEW && !list->elems[i]->n &&
		     ir_is_ptr(list->elems[i]->type) && !list->elems[i]->type->attr;
	if (!ok)
		verifier_error(v, op,
		               ": '%s' must be an array of addresses of symbols, with appending linkage and "
		               "in section \"llvm.metadata\"",
		               ir_symbol_name(op)->text);
	return ok;
}

/* Sections of ELF and COFF. LLVM gives a section a symbol of its name, and ends the process,
 * or refers to the section, when there is another one. Which sections an object will have
 * shows only when code is generated. */
static bool is_section(Str s)
{
	static const char *const sections[] = {
	    ".text",       ".data",
	    ".bss",        ".rodata",
	    ".rdata",      ".tdata",
	    ".tbss",       ".tls",
	    ".ldata",      ".lbss",
	    ".lrodata",    ".ltext",
	    ".init",       ".fini",
	    ".ctors",      ".dtors",
	    ".init_array", ".fini_array",
	    ".pdata",      ".xdata",
	    ".eh_frame",   ".gcc_except_table",
	    ".symtab",     ".symtab_shndx",
	    ".strtab",     ".shstrtab",
	    ".rel",        ".rela",
	    ".group",      ".note",
	    ".comment",    ".stack_sizes",
	    ".CRT",        ".drectve",
	    ".idata",      ".edata",
	    ".rsrc",       ".reloc",
	    ".gfids",      ".giats",
	    ".gljmp",      ".gehcont",
	    ".sxdata",     ".preinit_array",
	};
	if (!str_begins_with(s, STR(".")))
		return false;
	if (str_begins_with(s, STR(".debug")) || str_begins_with(s, STR(".llvm")))
		return true;
	for (unsigned i = 0; i < ARRAY_LEN(sections); i++) {
		size_t len = strlen(sections[i]);
		if (s.len >= len && memcmp(s.data, sections[i], len) == 0 &&
		    (s.len == len || s.data[len] == '.' || s.data[len] == '$'))
			return true;
	}
	return false;
}

/* What COFF objects say of themselves in symbols: @feat.00, @comp.id, @vol.md. */
static bool is_of_format(Str s)
{
	return str_equal(s, STR("@feat.00")) || str_equal(s, STR("@comp.id")) || str_equal(s, STR("@vol.md"));
}

static bool is_local(const IrOp *op)
{
	unsigned linkage = ir_op_enum(op, NAME_linkage, LINKAGE_EXTERNAL);
	return linkage == LINKAGE_INTERNAL || linkage == LINKAGE_CIR_PRIVATE;
}

/* As it is in the object: a name that begins with LLVM's mark \01 goes there as it is.
 * Empty: it gets another one, or none. */
static Str name_in_object(const IrOp *op)
{
	Str s = name_str(ir_symbol_name(op));
	bool verbatim = s.len && s.data[0] == '\1';
	if (verbatim)
		return (Str){s.data + 1, s.len - 1};
	return ir_op_enum(op, NAME_linkage, LINKAGE_EXTERNAL) == LINKAGE_CIR_PRIVATE ? STR("") : s;
}

static bool check_name_in_object(Verifier *v, const IrOp *op)
{
	Str s = name_in_object(op);
	if (is_section(s))
		verifier_error(v, op,
		               ": '%.*s' cannot be the name of a symbol, since it is the name of a section",
		               (int)s.len, s.data);
	else if (is_of_format(s))
		verifier_error(v, op,
		               ": '%.*s' cannot be the name of a symbol, since COFF defines one of that name",
		               (int)s.len, s.data);
	else if (str_begins_with(s, STR(".L")) && !is_local(op))
		verifier_error(v, op,
		               ": '%.*s' needs internal or private linkage, since names that begin with '.L' "
		               "are local to their file",
		               (int)s.len, s.data);
	else
		return true;
	return false;
}

/* A section must not have the name of a symbol, for the same reason. */
static bool check_section(Verifier *v, const IrOp *op)
{
	const IrAttr *section = ir_op_attr(op, NAME_section);
	if (!section || section->kind != ATTR_STRING)
		return true;
	if (is_of_format(name_str(section->name))) {
		verifier_error(
		    v, op, ": '%s' cannot be the name of a section, since COFF defines a symbol of that name",
		    section->name->text);
		return false;
	}
	const IrOp *other = ir_symbol(section->name);
	if (!other || !name_in_object(other).len)
		return true;
	verifier_error(v, op, ": section '%s' has the name of a symbol", section->name->text);
	verifier_note(v, other->loc, "the symbol is here");
	return false;
}

/* It is that of a symbol of the object, and is one where op itself has none there. */
static bool check_comdat(Verifier *v, const IrOp *op)
{
	const IrAttr *group = ir_op_attr(op, NAME_comdat);
	bool own = group && group->kind != ATTR_STRING && !name_in_object(op).len;
	if (!group || (group->kind != ATTR_STRING && !own))
		return true;
	Str name = name_str(own ? ir_symbol_name(op) : group->name);
	if (name.len && !memchr(name.data, 0, name.len) && !str_begins_with(name, STR(".L")) &&
	    !is_section(name))
		return true;
	verifier_error(v, op, ": '%s' cannot be the name of a comdat", name.data);
	return false;
}

bool verifier_check_name(Verifier *v, const IrOp *op)
{
	const Name *name = ir_symbol_name(op);
	if (!name)
		verifier_error(v, op, "requires attribute 'sym_name'");
	else if (name->len == 0)
		verifier_error(v, op, ": the name of a symbol must not be empty");
	else if (memchr(name->text, 0, name->len))
		verifier_error(v, op, ": the name of a symbol must not contain a NUL byte");
	else if (verifier_is_reserved(name) && ir_module_attr(v->m, NAME_circ_llvm))
		return true; /* raised from LLVM IR; LLVM's verifier looks at them */
	else if (verifier_is_used_list(op))
		return check_used_list(v, op);
	else if (verifier_is_reserved(name))
		verifier_error(v, op, ": names that begin with 'llvm.' are reserved for LLVM");
	else
		return check_name_in_object(v, op) && check_section(v, op) && check_comdat(v, op);
	return false;
}
