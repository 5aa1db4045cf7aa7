/* lower/debug_unit.c: the compile unit.
 *
 * gdb believes an index of names (.debug_names) to be that of the whole program: where only some objects
 * have one, it does not see the others. So clang leaves it out, and so do we. LLVM-C cannot say that
 * when it makes a unit; its text can. DIBuilder works in a module of its own, with a unit that is
 * replaced at the end by one that was read.
 */
#include "lower/debug.h"

#include <stdio.h>

#include <llvm-c/IRReader.h>

/* Operands of DICompileUnit and DISubprogram, as LLVM's DebugInfoMetadata.h has them. */
enum { UNIT_FILE = 0, UNIT_PRODUCER = 1, UNIT_GLOBALS = 6, SUBPROGRAM_UNIT = 5 };

/* DWARF 5, 7.12 */
static unsigned language(const IrModule *m)
{
	enum { C11 = 0x1d, CXX_14 = 0x21 };
	int64_t own;
	const IrAttr *a = ir_module_attr(m, NAME_circ_debug_language);
	if (a && ir_attr_get_i64(a, &own))
		return (unsigned)own;
	return ir_module_lang(m) == LANG_C ? C11 : CXX_14;
}

static LLVMModuleRef read_unit(Lower *e)
{
	static const char format[] =
	    "!llvm.dbg.cu = !{!0}\n"
	    "!llvm.module.flags = !{!2}\n"
	    "!0 = distinct !DICompileUnit(language: %u, file: !1, producer: \"circ " CIRC_VERSION "\", "
	    "isOptimized: %s, runtimeVersion: 0, emissionKind: FullDebug, nameTableKind: None)\n"
	    "!1 = !DIFile(filename: \"unit\", directory: \".\")\n"
	    "!2 = !{i32 2, !\"Debug Info Version\", i32 %u}\n";
	char text[sizeof format + 64], *message = NULL;
	LLVMModuleRef module = NULL;
	snprintf(text, sizeof text, format, language(e->m), e->options->optimized ? "true" : "false",
	         LLVMDebugMetadataVersion());
	LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "unit");
	if (LLVMParseIRInContext(e->context, buffer, &module, &message)) {
		lower_error(e, "has no debug information, because LLVM cannot read '%s'", message);
		LLVMDisposeMessage(message);
	}
	return module;
}

static void set_producer(Lower *e, LLVMValueRef unit)
{
	const IrAttr *own = ir_module_attr(e->m, NAME_circ_debug_producer);
	if (own)
		LLVMReplaceMDNodeOperandWith(
		    unit, UNIT_PRODUCER, LLVMMDStringInContext2(e->context, own->name->text, own->name->len));
}

bool debug_open_unit(Lower *e)
{
	static const char unit[] = "llvm.dbg.cu";
	Debug *g = e->debug;
	LLVMModuleRef read = read_unit(e);
	if (!read)
		return false;
	LLVMGetNamedMetadataOperands(read, unit, &g->unit);
	LLVMDisposeModule(read);
	set_producer(e, g->unit);
	LLVMAddNamedMetadataOperand(e->module, unit, g->unit);
	g->scratch = LLVMModuleCreateWithNameInContext("", e->context);
	g->builder = LLVMCreateDIBuilder(g->scratch);
	return true;
}

void debug_set_unit_file(Lower *e, LLVMMetadataRef file)
{
	Debug *g = e->debug;
	LLVMReplaceMDNodeOperandWith(g->unit, UNIT_FILE, file);
	g->stand_in = LLVMDIBuilderCreateCompileUnit(g->builder, LLVMDWARFSourceLanguageC_plus_plus_14, file,
	                                             "", 0, e->options->optimized, "", 0, 0, "", 0,
	                                             LLVMDWARFEmissionFull, 0, false, false, "", 0, "", 0);
}

void debug_close_unit(Lower *e)
{
	Debug *g = e->debug;
	LLVMDIBuilderFinalize(g->builder);
	LLVMValueRef stand_in = LLVMMetadataAsValue(e->context, g->stand_in);
	LLVMValueRef *operands = arena_array(e->scratch, LLVMValueRef, LLVMGetMDNodeNumOperands(stand_in));
	LLVMGetMDNodeOperands(stand_in, operands);
	if (operands[UNIT_GLOBALS])
		LLVMReplaceMDNodeOperandWith(g->unit, UNIT_GLOBALS,
		                             LLVMValueAsMetadata(operands[UNIT_GLOBALS]));
	LLVMMetadataRef unit = LLVMValueAsMetadata(g->unit);
	for (uint32_t i = 0; i < g->subprograms.len; i++)
		LLVMReplaceMDNodeOperandWith(LLVMMetadataAsValue(e->context, g->subprograms.data[i]),
		                             SUBPROGRAM_UNIT, unit);
}

void debug_dispose(Lower *e)
{
	if (e->debug && e->debug->builder) {
		debug_drop_announced(e);
		LLVMDisposeDIBuilder(e->debug->builder);
		LLVMDisposeModule(e->debug->scratch);
	}
}
