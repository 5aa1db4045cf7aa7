/* Bitcode or text of LLVM IR, as LLVM reads it. What it says of the input goes to the Diags. */
#include "raise/raise.h"

#include <stdlib.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Transforms/PassBuilder.h>

typedef struct Reading {
	Diags *d;
	const char *name;
	bool told;
} Reading;

/* ":LINE:COLUMN" */
static bool read_place(const char *text, LocInfo *place)
{
	char *end;
	if (*text != ':')
		return false;
	place->line = (uint32_t)strtoul(text + 1, &end, 10);
	if (*end != ':')
		return false;
	place->col = (uint32_t)strtoul(end + 1, NULL, 10);
	return true;
}

/* LLVM's parser of text says "NAME:LINE:COLUMN: error: …". */
static void tell(Reading *r, const char *message)
{
	static const char mark[] = ": error: ";
	LocInfo place = {.kind = LOC_FILE, .name = str_of(r->name), .depth = 1};
	size_t name = strlen(r->name);
	const char *found = strstr(message, mark);
	if (found && strncmp(message, r->name, name) == 0 && read_place(message + name, &place))
		message = found + sizeof mark - 1;
	if (!r->told)
		diag_error(r->d, (Loc){.info = &place}, "LLVM cannot read the module: %.*s",
		           (int)strcspn(message, "\n"), message);
	r->told = true;
}

static void on_diagnostic(LLVMDiagnosticInfoRef info, void *user)
{
	if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
		return;
	char *text = LLVMGetDiagInfoDescription(info);
	tell(user, text);
	LLVMDisposeMessage(text);
}

bool raise_is_bitcode(Str bytes)
{
	return str_begins_with(bytes, STR("BC\xC0\xDE")) || str_begins_with(bytes, STR("\xDE\xC0\x17\x0B"));
}

/* Text begins with whatever the parser says of it, "<stdin>:1:2: error: expected …". */
static LLVMModuleRef read_module(Reading *r, LLVMContextRef context, Str bytes)
{
	LLVMMemoryBufferRef buffer =
	    LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes.data, bytes.len, r->name);
	LLVMModuleRef module = NULL;
	char *message = NULL;
	bool broken;
	if (raise_is_bitcode(bytes)) {
		broken = LLVMParseBitcodeInContext2(context, buffer, &module);
		LLVMDisposeMemoryBuffer(buffer);
	} else {
		broken = LLVMParseIRInContext(context, buffer, &module, &message);
	}
	if (broken) {
		tell(r, message ? message : "unknown error");
		module = NULL;
	}
	LLVMDisposeMessage(message);
	return module;
}

static bool verify(Reading *r, LLVMModuleRef module)
{
	char *message = NULL;
	bool broken = LLVMVerifyModule(module, LLVMReturnStatusAction, &message);
	if (broken)
		tell(r, message);
	LLVMDisposeMessage(message);
	return !broken;
}

bool raise_checked(IrModule *m, LLVMModuleRef module, const char *name, Diags *d)
{
	Reading r = {.d = d, .name = name};
	return verify(&r, module) && raise_module(m, module, name, d);
}

/* Compilers of other languages keep an exception and its selector in members of one variable at -O0, and share cleanups between both ways
 * out. Lifting takes neither apart. */
static bool prepare(Reading *r, LLVMModuleRef module)
{
	LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
	LLVMErrorRef error = LLVMRunPasses(module, "sroa,jump-threading", NULL, options);
	LLVMDisposePassBuilderOptions(options);
	if (!error)
		return true;
	char *message = LLVMGetErrorMessage(error);
	diag_failure(r->d, "%s: LLVM cannot run its passes: %s", r->name, message);
	LLVMDisposeErrorMessage(message);
	return false;
}

bool raise_bytes(IrModule *m, Str bytes, const char *name, Diags *d)
{
	Reading r = {.d = d, .name = name};
	if (!bytes.len) {
		const LocInfo file = {.kind = LOC_FILE, .name = str_of(name), .depth = 1};
		diag_error(d, (Loc){.info = &file}, "input is empty; expected LLVM IR");
		return false;
	}
	LLVMContextRef context = LLVMContextCreate();
	LLVMContextSetDiagnosticHandler(context, on_diagnostic, &r);
	LLVMModuleRef module = read_module(&r, context, bytes);
	bool ok = module && verify(&r, module) && (!m->eh_table.len || prepare(&r, module)) &&
	          raise_module(m, module, name, d);
	if (module)
		LLVMDisposeModule(module);
	LLVMContextDispose(context);
	return ok;
}
