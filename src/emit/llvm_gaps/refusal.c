/* emit/llvm_gaps/refusal.c
 *
 * What selection refuses (a constraint that has no register) comes with the number of the assembly; what the
 * assembler refuses (a mnemonic) comes with none. Then each call of assembly is compiled alone
 * (emit/llvm_gaps/trial.h), and the one of which LLVM says the same is it. After the message LLVM shows the line with its operands, which are
 * other registers where the call is alone. So what no call has said word for word is compared by the message without that line: first with calls
 * that have no error yet, then with all.
 */
#include "emit/llvm_gaps/refusal.h"

#include "emit/llvm_gaps/high_byte.h"
#include "emit/llvm_gaps/trial.h"
#include "emit/source_place.h"

#include <stdlib.h>

#include <llvm-c/Core.h>

static void keep(LLVMDiagnosticInfoRef info, void *user)
{
	Refusals *r = user;
	if (LLVMGetDiagInfoSeverity(info) != LLVMDSError) {
		if (r->former)
			r->former(info, r->former_user);
	} else if (r->n < DIAG_LIMIT) {
		r->messages[r->n++] = LLVMGetDiagInfoDescription(info);
	} else {
		r->lost++;
	}
}

void refusals_begin(Refusals *r, LLVMModuleRef module, Diags *d)
{
	LLVMContextRef context = LLVMGetModuleContext(module);
	*r = (Refusals){.module = module,
	                .d = d,
	                .former = LLVMContextGetDiagnosticHandler(context),
	                .former_user = LLVMContextGetDiagnosticContext(context)};
	LLVMContextSetDiagnosticHandler(context, keep, r);
}

/* Places */

static LLVMValueRef srcloc(LLVMValueRef call)
{
	return LLVMGetMetadata(call,
	                       LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(call)), "srcloc", 6));
}

/* Takes "<inline asm>:2:1: " off the message. 0: it does not begin so. */
static unsigned take_line(const char **message)
{
	static const char head[] = "<inline asm>:";
	char *end;
	if (strncmp(*message, head, sizeof head - 1) != 0)
		return 0;
	unsigned long line = strtoul(*message + sizeof head - 1, &end, 10);
	if (*end != ':' || line > UINT32_MAX)
		return 0;
	(void)strtoul(end + 1, &end, 10);
	if (strncmp(end, ": ", 2) != 0)
		return 0;
	*message = end + 2;
	return (unsigned)line;
}

/* "<inline asm>:2:1: invalid …", the line itself and a caret below it. */
static void report_at(const Refusals *r, LLVMValueRef call, LLVMValueRef node, const char *message)
{
	const char *what = call ? "'cir.asm' op" : "attribute 'cir.module_asm'";
	unsigned line = take_line(&message);
	bool intel = call && LLVMGetInlineAsmDialect(LLVMGetCalledValue(call)) == LLVMInlineAsmDialectIntel;
	line -= intel && line > 1; /* LLVM puts a directive before it */
	Place place = place_of(r->d, node);
	if (!place.pos && !place.info.name.len) { /* bitcode carries no places */
		size_t len;
		place.info.name.data = LLVMGetSourceFileName(r->module, &len);
		place.info.name.len = len;
	}
	Loc loc = {.pos = place.pos, .info = place.info.name.len ? &place.info : NULL};
	int end = (int)strcspn(message, "\n");
	if (line)
		diag_error(r->d, loc, "%s is rejected by LLVM in line %u of its text: %.*s", what, line, end,
		           message);
	else
		diag_error(r->d, loc, "%s is rejected by LLVM: %.*s", what, end, message);
}

/* Calls */

typedef struct Search {
	Refusals *r;
	LLVMTargetMachineRef machine;
	uint64_t number;                 /* of the call that is looked for; 0: any that is refused */
	unsigned left;                   /* messages without a place */
	LLVMValueRef placed[DIAG_LIMIT]; /* calls that an error was reported at */
	unsigned nplaced;
	bool loosely;    /* only the message itself is compared */
	bool placed_too; /* calls that have an error are compared again */
	CompileBudget budget;
} Search;

static void drop(Search *s, unsigned i)
{
	LLVMDisposeMessage(s->r->messages[i]);
	s->r->messages[i] = NULL;
	s->left--;
}

static bool is_same(const Search *s, const char *a, const char *b)
{
	size_t n = strcspn(a, "\n");
	return s->loosely ? strcspn(b, "\n") == n && strncmp(a, b, n) == 0 : strcmp(a, b) == 0;
}

/* The same assembly may have been copied: one report is enough. */
static bool take(Search *s, const char *message)
{
	bool found = false;
	for (unsigned i = 0; i < s->r->n && !(s->loosely && found); i++)
		if (s->r->messages[i] && is_same(s, s->r->messages[i], message)) {
			drop(s, i);
			found = true;
		}
	return found;
}

static bool is_placed(const Search *s, LLVMValueRef call)
{
	for (unsigned i = 0; i < s->nplaced; i++)
		if (s->placed[i] == call)
			return true;
	return false;
}

/* What LLVM says of the module that it did not say before; disposes of it. */
static void compile_alone(Search *s, LLVMModuleRef module, Refusals *said)
{
	LLVMMemoryBufferRef buffer = NULL;
	char *message = NULL;
	refusals_begin(said, module, s->r->d);
	if (LLVMTargetMachineEmitToMemoryBuffer(s->machine, module, LLVMObjectFile, &message, &buffer))
		LLVMDisposeMessage(message);
	else
		LLVMDisposeMemoryBuffer(buffer);
	LLVMContextSetDiagnosticHandler(LLVMGetModuleContext(module), said->former, said->former_user);
	LLVMDisposeModule(module);
}

static void match(Search *s, Refusals *said, LLVMValueRef call, LLVMValueRef node)
{
	for (unsigned i = 0; i < said->n; i++) {
		if (take(s, said->messages[i])) {
			report_at(s->r, call, node, said->messages[i]);
			if (s->nplaced < DIAG_LIMIT)
				s->placed[s->nplaced++] = call;
		}
		LLVMDisposeMessage(said->messages[i]);
	}
}

static void visit_call(Search *s, LLVMValueRef call, LLVMValueRef parent)
{
	Refusals said;
	if (!s->placed_too && is_placed(s, call))
		return;
	LLVMModuleRef alone = trial_module(s->r->module);
	/* A byte in ah that LLVM could move in its own function may be elsewhere in this one. */
	if (!trial_add_call(alone, call, parent) || high_byte_ends_process(alone, s->machine, &s->budget)) {
		LLVMDisposeModule(alone);
		return;
	}
	compile_alone(s, alone, &said);
	match(s, &said, call, srcloc(call));
}

/* The call with the number, or NULL; without a number, all are compiled until each message has its place. */
static LLVMValueRef search_block(Search *s, LLVMBasicBlockRef b, LLVMValueRef parent)
{
	for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
		if (!LLVMIsACallInst(i) || !LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
			continue;
		if (!s->number && s->left)
			visit_call(s, i, parent);
		else if (s->number && place_of(s->r->d, srcloc(i)).number == s->number)
			return i;
	}
	return NULL;
}

static LLVMValueRef search(Search *s)
{
	LLVMValueRef found = NULL;
	for (LLVMValueRef f = LLVMGetFirstFunction(s->r->module); f && !found; f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b && !found;
		     b = LLVMGetNextBasicBlock(b))
			found = search_block(s, b, f);
	return found;
}

/* "couldn't allocate … at line 3": LLVM's name for the number. */
static void report_numbered(Search *s)
{
	static const char mark[] = " at line ";
	for (unsigned i = 0; i < s->r->n; i++) {
		char *message = s->r->messages[i], *at = NULL;
		for (char *next = message; message && (next = strstr(next, mark)); next++)
			at = next;
		char *end = NULL;
		s->number = at ? strtoull(at + strlen(mark), &end, 10) : 0;
		LLVMValueRef call = s->number && !*end ? search(s) : NULL;
		if (!call)
			continue;
		*at = '\0';
		report_at(s->r, call, srcloc(call), message);
		drop(s, i);
	}
	s->number = 0;
}

/* The module's own */

/* What is refused while bitcode is written, which has a table of the assembly's symbols, is in no line, though it is in one
 * when the assembly is compiled. */
static void take_nowhere(Search *s, LLVMValueRef node)
{
	static const char nowhere[] = "<unknown>:0: ";
	for (unsigned i = 0; i < s->r->n; i++) {
		const char *message = s->r->messages[i];
		if (!message || strncmp(message, nowhere, sizeof nowhere - 1) != 0)
			continue;
		report_at(s->r, NULL, node, message + sizeof nowhere - 1);
		drop(s, i);
	}
}

static void try_module_assembly(Search *s)
{
	Refusals said;
	LLVMValueRef node;
	LLVMModuleRef alone = trial_module_assembly(s->r->module, &node);
	if (!alone)
		return;
	compile_alone(s, alone, &said);
	match(s, &said, NULL, node);
	if (said.n)
		take_nowhere(s, node);
}

void refusals_end(Refusals *r, LLVMTargetMachineRef machine)
{
	Search s = {.r = r, .machine = machine, .left = r->n, .budget = compile_budget};
	LLVMContextSetDiagnosticHandler(LLVMGetModuleContext(r->module), r->former, r->former_user);
	if (s.left)
		report_numbered(&s);
	if (s.left)
		try_module_assembly(&s);
	if (s.left)
		search(&s);
	s.loosely = true;
	if (s.left)
		search(&s);
	s.placed_too = true; /* an assembly of two lines has two messages */
	if (s.left)
		search(&s);
	bool placed = !s.left; /* what was not kept is of the same assembly */
	for (unsigned i = 0; i < r->n; i++)
		if (r->messages[i]) {
			diag_failure(r->d, "LLVM: %s", r->messages[i]);
			drop(&s, i);
		}
	if (r->lost && placed)
		diag_error(r->d, (Loc){0}, "LLVM rejects assembly with %u more errors", r->lost);
	else if (r->lost)
		diag_failure(r->d, "LLVM: %u more errors", r->lost);
}
