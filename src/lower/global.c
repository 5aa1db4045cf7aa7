/* Variables and aliases. All symbols are declared before the first function or
 * initialiser, which may name them. */
#include "lower/debug.h"

#include "ir/layout.h"

#include <stdlib.h>

#include <llvm-c/Comdat.h>

/* Linkage and the like */

static LLVMLinkage linkage_of(unsigned word)
{
	static const LLVMLinkage words[] = {
	    [LINKAGE_EXTERNAL] = LLVMExternalLinkage,
	    [LINKAGE_AVAILABLE_EXTERNALLY] = LLVMAvailableExternallyLinkage,
	    [LINKAGE_LINKONCE] = LLVMLinkOnceAnyLinkage,
	    [LINKAGE_LINKONCE_ODR] = LLVMLinkOnceODRLinkage,
	    [LINKAGE_WEAK] = LLVMWeakAnyLinkage,
	    [LINKAGE_WEAK_ODR] = LLVMWeakODRLinkage,
	    [LINKAGE_APPENDING] = LLVMAppendingLinkage,
	    [LINKAGE_INTERNAL] = LLVMInternalLinkage,
	    [LINKAGE_CIR_PRIVATE] = LLVMPrivateLinkage,
	    [LINKAGE_EXTERN_WEAK] = LLVMExternalWeakLinkage,
	    [LINKAGE_COMMON] = LLVMCommonLinkage,
	};
	CHECK(word < ARRAY_LEN(words));
	return words[word];
}

static bool is_local(LLVMLinkage linkage)
{
	return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

/* May code in this module take the symbol for one of the same linked image? As clang decides
 * for ELF; COFF symbols are anyway. */
static bool is_dso_local(const Lower *e, const IrOp *symbol, LLVMLinkage linkage, bool definition)
{
	if (ir_op_has(symbol, NAME_dso_local))
		return true;
	if (e->whole)
		return false;
	/* Others than strong ones may be another library's when the program has been loaded. */
	if (e->target->object == ABI_OBJECT_MACHO)
		return definition && linkage == LLVMExternalLinkage;
	bool is_static = !e->options->pic && !e->options->pie;
	if (!is_static && !e->options->pie)
		return false;
	if (definition && linkage != LLVMAvailableExternallyLinkage)
		return true;
	if (linkage == LLVMExternalWeakLinkage)
		return false;
	return is_static && !ir_op_has(symbol, NAME_tls_model);
}

static LLVMVisibility visibility_of(const IrOp *symbol)
{
	static const LLVMVisibility visibilities[] = {
	    [VISIBILITY_DEFAULT] = LLVMDefaultVisibility,
	    [VISIBILITY_HIDDEN] = LLVMHiddenVisibility,
	    [VISIBILITY_PROTECTED] = LLVMProtectedVisibility,
	};
	return visibilities[ir_op_enum(symbol, NAME_visibility, VISIBILITY_DEFAULT)];
}

/* May it be out of a relative address's reach, whatever is said of it? A definition that may be another module's is, too. */
static bool is_far(const Lower *e, const IrOp *symbol, LLVMLinkage linkage, bool definition)
{
	if (lower_is_foreign(e, symbol))
		return e->options->far_parts;
	return e->options->in_process && !is_local(linkage) &&
	       (!definition || linkage != LLVMExternalLinkage);
}

/* LLVM-C has no setter for dso_local. Hidden symbols get it implicitly, and keep it when
 * they are made visible again. */
static void set_visibility(LLVMValueRef v, LLVMVisibility visibility, bool dso_local)
{
	if (dso_local)
		LLVMSetVisibility(v, LLVMHiddenVisibility);
	LLVMSetVisibility(v, visibility);
}

/* On COFF the symbol that a group is named after leads it, and must be in it. */
static bool has_leader(const Name *group)
{
	const IrOp *leader = ir_symbol(group);
	const IrAttr *own = leader ? ir_op_attr(leader, NAME_comdat) : NULL;
	return own && (own->kind != ATTR_STRING || own->name == group);
}

/* COFF's own word for what the linker merges is a COMDAT. What LLVM makes of these linkages without
 * one, weak externals that have a definition in each object, Microsoft's linker refuses; clang
 * gives all of them a COMDAT there. */
static bool is_merged(LLVMLinkage linkage)
{
	return linkage == LLVMLinkOnceAnyLinkage || linkage == LLVMLinkOnceODRLinkage ||
	       linkage == LLVMWeakODRLinkage;
}

static void set_comdat(Lower *e, LLVMValueRef v, const IrOp *symbol)
{
	const IrAttr *group = ir_op_attr(symbol, NAME_comdat);
	bool implied = !group && e->coff && !e->whole && is_merged(LLVMGetLinkage(v));
	bool none =
	    e->target->object == ABI_OBJECT_MACHO; /* it has no groups: the linker merges by linkage */
	if (none || (!group && !implied))
		return;
	const Name *name = group && group->kind == ATTR_STRING ? group->name : ir_symbol_name(symbol);
	if (e->coff && !implied && !has_leader(name))
		lower_error(e, ": comdat '%s' must contain a symbol of that name on COFF", name->text);
	else if (e->coff && name == ir_symbol_name(symbol) && LLVMGetLinkage(v) == LLVMPrivateLinkage)
		lower_error(e, ": symbol with linkage 'cir_private' cannot lead a comdat on COFF");
	LLVMSetComdat(v, LLVMGetOrInsertComdat(e->module, name->text));
}

/* To the assembler that name is ELF's table, whatever it is declared as, and COFF has no relocation for that. */
static void check_coff_name(Lower *e, const IrOp *symbol)
{
	static const char table[] = "_GLOBAL_OFFSET_TABLE_";
	const char *name = ir_symbol_name(symbol)->text;
	if (e->coff && strcmp(name + (*name == '\1'), table) == 0)
		lower_error(e, ": '%s' cannot be the name of a symbol in COFF", table);
}

void lower_linkage(Lower *e, LLVMValueRef v, const IrOp *symbol, bool definition)
{
	check_coff_name(e, symbol);
	LLVMLinkage linkage = linkage_of(ir_op_enum(symbol, NAME_linkage, LINKAGE_EXTERNAL));
	definition = definition && (linkage != LLVMAvailableExternallyLinkage || lower_is_own(e, symbol));
	if (!definition && linkage == LLVMAvailableExternallyLinkage)
		linkage = LLVMExternalLinkage;
	bool far = is_far(e, symbol, linkage, definition);
	bool dso_local = !far && (is_local(linkage) || lower_part_is_dso_local(e, symbol) ||
	                          (is_dso_local(e, symbol, linkage, definition) && !lower_imports(symbol)));
	linkage = lower_part_linkage(e, symbol, linkage);
	LLVMSetLinkage(v, linkage);
	if (!is_local(linkage))
		set_visibility(v, far ? LLVMDefaultVisibility : visibility_of(symbol), dso_local);
	bool emitted = definition && linkage != LLVMAvailableExternallyLinkage && lower_is_own(e, symbol);
	if (emitted && !ir_op_has(symbol, NAME_aliasee))
		set_comdat(e, v, symbol);
	const IrAttr *unnamed = ir_op_attr(symbol, NAME_circ_unnamed_addr);
	if (unnamed && unnamed->kind == ATTR_STRING)
		LLVMSetUnnamedAddress(v, str_is(name_str(unnamed->name), "local") ? LLVMLocalUnnamedAddr
		                                                                  : LLVMGlobalUnnamedAddr);
	if (!lower_is_foreign(e, symbol))
		lower_dll(e, v, symbol, definition);
}

/* SEGMENT,SECTION, and what may follow in front of other types than the usual. LLVM ends the process over others. */
static bool is_macho_section(const char *name)
{
	enum { NAME_SIZE = 16 };
	static const char *const ends[] = {"", ",regular", ",regular,no_dead_strip",
	                                   ",regular,pure_instructions"};
	size_t segment = strcspn(name, ",");
	const char *section = name + segment + (name[segment] == ',');
	size_t n = strcspn(section, ",");
	bool known = false;
	for (unsigned i = 0; i < ARRAY_LEN(ends); i++)
		known |= strcmp(section + n, ends[i]) == 0;
	if (strcmp(name, "llvm.metadata") == 0) /* which LLVM reads, and writes nowhere */
		return true;
	return segment && segment <= NAME_SIZE && n && n <= NAME_SIZE && known && !strchr(name, ' ');
}

void lower_section(Lower *e, LLVMValueRef v, const IrOp *symbol)
{
	const IrAttr *section = ir_op_attr(symbol, NAME_section);
	if (!section)
		return;
	bool macho = e->target->object == ABI_OBJECT_MACHO;
	if (section->kind != ATTR_STRING || memchr(section->name->text, 0, section->name->len))
		lower_error(e, ": attribute 'section' must be a string without NUL bytes");
	else if (macho && !is_macho_section(section->name->text))
		lower_error(e, ": section '%s' must be 'SEGMENT,SECTION' in Mach-O, of up to 16 bytes each",
		            section->name->text);
	else
		LLVMSetSection(v, section->name->text);
}

/* LLVM knows by the name of a section that it has no bytes in the file, and ends the
 * process when it gets some. */
void lower_check_zero_section(Lower *e, const IrOp *symbol, LLVMValueRef value)
{
	const IrAttr *section = ir_op_attr(symbol, NAME_section);
	const char *name = section && section->kind == ATTR_STRING ? section->name->text : "";
	size_t len = strncmp(name, ".tbss", 5) == 0 ? 5 : strncmp(name, ".bss", 4) == 0 ? 4 : 0;
	bool only_zeros = len && (name[len] == 0 || name[len] == '.');
	if (only_zeros && (!value || !(LLVMIsNull(value) || LLVMIsUndef(value))))
		lower_error(e, ": section '%s' cannot hold a value that is not zero", name);
}

bool lower_check_align(Lower *e, uint64_t align)
{
	const uint64_t max = UINT64_C(1) << 31; /* the C interface takes an unsigned */
	if (align <= max)
		return true;
	lower_error(e, ": alignment %llu is larger than the target supports (limit %llu)",
	            (unsigned long long)align, (unsigned long long)max);
	return false;
}

void lower_alignment(Lower *e, LLVMValueRef v, uint64_t align)
{
	if (align && lower_check_align(e, align))
		LLVMSetAlignment(v, (unsigned)align);
}

/* What LLVM gives a common symbol, which may be more than what is asked for; 0: it is none. */
static uint64_t common_align(const Lower *e, LLVMValueRef v, uint64_t align)
{
	if (LLVMGetLinkage(v) != LLVMCommonLinkage)
		return 0;
	uint64_t preferred = LLVMPreferredAlignmentOfGlobal(e->data, v);
	return preferred > align ? preferred : align;
}

void lower_symbol_alignment(Lower *e, LLVMValueRef v, uint64_t align)
{
	/* The second keeps files in bounds: a section begins at a multiple of its alignment in the file, too. */
	enum {
		COFF_ALIGN_MAX = 8192,
		COFF_COMMON_ALIGN_MAX = 32,
		MACHO_ALIGN_MAX = 1 << 15,
		ALIGN_MAX = 1 << 29
	};
	if (e->coff && align > COFF_ALIGN_MAX)
		lower_error(e, ": alignment %llu is larger than COFF supports (limit %d)",
		            (unsigned long long)align, COFF_ALIGN_MAX);
	else if (e->microsoft && common_align(e, v, align) > COFF_COMMON_ALIGN_MAX)
		lower_error(e, ": alignment %llu is larger than a common symbol of COFF supports (limit %d)",
		            (unsigned long long)common_align(e, v, align), COFF_COMMON_ALIGN_MAX);
	else if (e->target->object == ABI_OBJECT_MACHO && align > MACHO_ALIGN_MAX)
		lower_error(e, ": alignment %llu is larger than Mach-O supports (limit %d)",
		            (unsigned long long)align, MACHO_ALIGN_MAX);
	else if (align > ALIGN_MAX)
		lower_error(e, ": alignment %llu is larger than an object file supports (limit %d)",
		            (unsigned long long)align, ALIGN_MAX);
	else
		lower_alignment(e, v, align);
}

/* Variables */

static bool is_definition(const IrOp *g)
{
	return ir_op_has(g, NAME_initial_value) ||
	       ir_op_enum(g, NAME_linkage, LINKAGE_EXTERNAL) == LINKAGE_COMMON;
}

static void set_thread_local(LLVMValueRef v, const IrOp *g)
{
	static const LLVMThreadLocalMode modes[] = {
	    [TLS_MODEL_TLS_DYN] = LLVMGeneralDynamicTLSModel,
	    [TLS_MODEL_TLS_LOCAL_DYN] = LLVMLocalDynamicTLSModel,
	    [TLS_MODEL_TLS_INIT_EXEC] = LLVMInitialExecTLSModel,
	    [TLS_MODEL_TLS_LOCAL_EXEC] = LLVMLocalExecTLSModel,
	};
	if (ir_op_has(g, NAME_tls_model))
		LLVMSetThreadLocalMode(v, modes[ir_op_enum(g, NAME_tls_model, TLS_MODEL_TLS_DYN)]);
}

static unsigned space_of(const IrOp *g)
{
	const IrAttr *space = ir_op_attr(g, NAME_addr_space);
	return space && space->kind == ATTR_INT ? (unsigned)space->bits : 0;
}

/* Where clang, unlike LLVM's C interface, finds copies of a thread by calls (`__emutls_get_address`): LLVM's Triple::hasDefaultEmulatedTLS(). */
static bool emulates_thread_local(const char *triple)
{
	enum { FIRST_ANDROID_WITHOUT = 29 };
	const char *android = strstr(triple, "-android");
	if (android) {
		android += strcspn(android, "0123456789");
		return strtol(android, NULL, 10) < FIRST_ANDROID_WITHOUT;
	}
	return strstr(triple, "-openbsd") || strstr(triple, "-ohos");
}

/* Of Windows, LLVM finds copies of a thread by a 64-bit offset, and ends the process over an address of 32. */
static void check_thread_local(Lower *e, const IrOp *g)
{
	enum { PTR32_SPTR = 270, PTR32_UPTR = 271 };
	unsigned space = space_of(g);
	if (e->coff && ir_op_has(g, NAME_tls_model) && (space == PTR32_SPTR || space == PTR32_UPTR))
		lower_error(e, ": a thread-local variable cannot be in address space %u in COFF", space);
	const char *triple = LLVMGetTarget(e->module);
	if (ir_op_has(g, NAME_tls_model) && emulates_thread_local(triple))
		lower_error(
		    e,
		    ": a thread-local variable is emulated on target '%s', which circ does not do; Android "
		    "has others from 29 on, e.g. 'aarch64-linux-android29'",
		    triple);
}

/* A declaration may be of a type without a size: nothing but its address is used. */
static LLVMTypeRef variable_type(Lower *e, const IrOp *g)
{
	const IrAttr *init = ir_op_attr(g, NAME_initial_value);
	IrType *t = ir_symbol_type(g);
	if (init)
		return lower_constant_type(e, init);
	return ir_type_sized(t) ? lower_memory_type(e, t) : e->i8;
}

/* Front ends print virtual tables and the names of types without the word. */
static bool is_constant(const Lower *e, const IrOp *g)
{
	if (e->whole)
		return ir_op_has(g, NAME_constant);
	const IrAttr *init = ir_op_attr(g, NAME_initial_value);
	bool type_name = init && strncmp(ir_symbol_name(g)->text, "_ZTS", 4) == 0;
	return ir_op_has(g, NAME_constant) || type_name || (init && init->kind == ATTR_VTABLE);
}

/* Where a constant is that no object file names, as text literals are, means nothing: linkers may merge equal ones. */
static void set_unnamed(LLVMValueRef v)
{
	if (LLVMIsGlobalConstant(v) && LLVMGetLinkage(v) == LLVMPrivateLinkage)
		LLVMSetUnnamedAddress(v, LLVMGlobalUnnamedAddr);
}

void lower_declare_global(Lower *e, const IrOp *g)
{
	const Name *name = ir_symbol_name(g);
	LLVMTypeRef type = variable_type(e, g);
	if (!type || !lower_check_space(e, space_of(g)))
		return;
	IrType *t = ir_symbol_type(g);
	LLVMValueRef v = LLVMAddGlobalInAddressSpace(e->module, type, lower_part_name(e, g), space_of(g));
	e->symbols[name->id] = v;
	lower_linkage(e, v, g, is_definition(g) || ir_op_has(g, NAME_aliasee));
	LLVMSetGlobalConstant(v, is_constant(e, g));
	if (!e->whole)
		set_unnamed(v);
	uint64_t natural = e->whole ? 0 : ir_type_sized(t) ? ir_type_align(t) : 1;
	lower_symbol_alignment(e, v, ir_op_uint(g, NAME_alignment, natural));
	if (ir_op_has(g, NAME_circ_externally_initialized))
		LLVMSetExternallyInitialized(v, true);
	set_thread_local(v, g);
	check_thread_local(e, g);
	lower_section(e, v, g);
}

/* False: reported. */
static bool count_data(Lower *e, uint64_t size)
{
	const uint64_t data_max = e->m->budget.data;
	bool can_raise = data_max < INT32_MAX;
	if (size > data_max || e->data_size > data_max - size) {
		lower_error(
		    e, ": initialised data exceeds %llu bytes; %s%s%s", (unsigned long long)data_max,
		    e->target->machine->writes_zeros
		        ? "objects for the target have the bytes of zeros, too"
		        : "put zeros into variables of their own with '#cir.zero' that are not constant",
		    can_raise ? ", or raise " : "", can_raise ? diag_setting(e->d, SETTING_MAX_DATA) : "");
		return false;
	}
	e->data_size += size;
	return true;
}

/* Zeros or instructions that do nothing are in the object in front of what is aligned. */
bool lower_count_padding(Lower *e, LLVMValueRef v)
{
	enum { PAGE = 4096 }; /* less is no matter */
	unsigned align = LLVMGetAlignment(v);
	return align <= PAGE || count_data(e, align - 1);
}

/* A section has a place in the file even where it has no bytes there. */
static bool count_padding_of_zeros(Lower *e, LLVMValueRef v)
{
	unsigned align = LLVMGetAlignment(v);
	if (align <= e->zero_align)
		return true;
	e->zero_align = align;
	return lower_count_padding(e, v);
}

/* LLVM writes every byte of what is not zero-filled memory, zeros behind the first byte
 * that is none and zeros of constants, too. More could not be linked either: the small code
 * model has 2 GiB for a whole program. */
static bool check_data(Lower *e, const IrOp *g, LLVMValueRef v, LLVMValueRef value)
{
	const char *section = LLVMGetSection(v);
	bool named =
	    section && *section && strncmp(section, ".bss", 4) != 0 && strncmp(section, ".tbss", 5) != 0;
	bool written = named || e->target->machine->writes_zeros;
	if (LLVMIsNull(value) && !LLVMIsGlobalConstant(v) && !written)
		return count_padding_of_zeros(e, v);
	uint64_t size = ir_type_sized(ir_symbol_type(g)) ? LLVMABISizeOfType(e->data, LLVMTypeOf(value)) : 0;
	return count_data(e, size) && lower_count_padding(e, v);
}

void lower_define_global(Lower *e, const IrOp *g)
{
	const IrAttr *init = ir_op_attr(g, NAME_initial_value);
	LLVMValueRef v = lower_symbol(e, ir_symbol_name(g)), value = NULL;
	if (!v || !is_definition(g))
		return;
	if (init && !lower_count_parts(e, init))
		return;
	if (init)
		value = lower_memory_constant(e, init);
	else
		value = LLVMConstNull(LLVMGlobalGetValueType(v));
	if (!value || !lower_check_initializer(e, value, ir_symbol_type(g)))
		return;
	if (!check_data(e, g, v, value))
		return;
	lower_check_zero_section(e, g, value);
	LLVMSetInitializer(v, value);
	if (lower_is_own(e, g))
		debug_global(e, g, v);
}

/* Aliases */

/* An alias of an alias that was not made yet is made first; the verifier has seen that the chain has an end. */
static const IrOp *next_aliased(Lower *e, const IrOp *symbol)
{
	const IrOp *target = ir_symbol(ir_op_symbol(symbol, NAME_aliasee));
	if (ir_op_has(target, NAME_aliasee) && !e->symbols[ir_symbol_name(target)->id])
		lower_alias(e, target);
	return target;
}

void lower_alias(Lower *e, const IrOp *symbol)
{
	if (e->symbols[ir_symbol_name(symbol)->id])
		return;
	const Name *name = ir_symbol_name(symbol);
	const IrOp *target = e->whole ? next_aliased(e, symbol) : lower_aliased(symbol);
	LLVMValueRef v = lower_symbol(e, ir_symbol_name(target));
	IrType *t = ir_symbol_type(symbol);
	LLVMTypeRef type = symbol->kind == OP_FUNC ? lower_type(e, t) : lower_memory_type(e, t);
	if (!type || !v)
		return;
	unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(v));
	const char *own = lower_part_name(e, symbol);
	LLVMValueRef alias = ir_op_has(symbol, NAME_circ_ifunc)
	                         ? LLVMAddGlobalIFunc(e->module, own, strlen(own), type, space, v)
	                         : LLVMAddAlias2(e->module, type, space, v, own);
	e->symbols[name->id] = alias;
	lower_linkage(e, alias, symbol, true);
	if (e->whole && symbol->kind == OP_GLOBAL)
		set_thread_local(alias, symbol);
}
