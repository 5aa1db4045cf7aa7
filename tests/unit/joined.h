/* joined.h: objects made of LLVM IR, joined (join/join.h), and looked at. */
#ifndef CIRC_TESTS_JOINED_H
#define CIRC_TESTS_JOINED_H

#include "test.h"

#include "emit/emit.h"
#include "join/join.h"

#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Object.h>
#include <stdio.h>
#include <stdlib.h>

static const JoinPrefixes prefixes = {.was_private = {"was.private.", 12}, .of_part = {"of.part.", 8}};

/* The object of a module as text; NULL: a failed EXPECT. */
static Str object_for(const char *triple, const char *ir)
{
	EmitTarget target = {.triple = triple, .opt = '0', .pic = true};
	Diags d;
	Str out = {0};
	EmitImage image = {0};
	char *message = NULL;
	diag_init(&d, NULL, NULL);
	LLVMTargetMachineRef machine = emit_target_machine(&target, &d);
	LLVMContextRef context = emit_context(&d);
	LLVMModuleRef module = NULL;
	LLVMMemoryBufferRef text = LLVMCreateMemoryBufferWithMemoryRangeCopy(ir, strlen(ir), "test.ll");
	if (EXPECT(!LLVMParseIRInContext(context, text, &module, &message)) &&
	    EXPECT(emit_image(module, machine, &(EmitTarget){.opt = '2'}, EMIT_OBJECT, &image, &d)))
		out.data = emit_image_take(&image, &out.len);
	emit_image_destroy(&image);
	LLVMDisposeMessage(message);
	emit_dispose(context, module, machine);
	return out;
}

static void give_back(Str object)
{
	free((void *)(uintptr_t)object.data);
}

static inline bool join_for(const char *triple, const char *a, const char *b, Str *joined)
{
	Str parts[2] = {object_for(triple, a), object_for(triple, b)};
	bool ok = parts[0].data && parts[1].data && emit_join(parts, 2, &prefixes, joined) == JOIN_DONE;
	give_back(parts[0]);
	give_back(parts[1]);
	EXPECT(ok == (joined->data != NULL));
	return ok;
}

/* The section of a symbol, and how often there is one of that name. */
static inline unsigned find_symbol(Str object, const char *name, char section[64])
{
	unsigned n = 0;
	char *message = NULL;
	LLVMMemoryBufferRef buffer =
	    LLVMCreateMemoryBufferWithMemoryRangeCopy(object.data, object.len, "joined");
	LLVMBinaryRef binary = LLVMCreateBinary(buffer, NULL, &message);
	if (!EXPECT(binary != NULL)) {
		LLVMDisposeMessage(message);
		LLVMDisposeMemoryBuffer(buffer);
		return 0;
	}
	LLVMSymbolIteratorRef s = LLVMObjectFileCopySymbolIterator(binary);
	LLVMSectionIteratorRef at = LLVMObjectFileCopySectionIterator(binary);
	for (; !LLVMObjectFileIsSymbolIteratorAtEnd(binary, s); LLVMMoveToNextSymbol(s)) {
		if (strcmp(LLVMGetSymbolName(s), name) != 0)
			continue;
		n++;
		LLVMMoveToContainingSection(at, s);
		if (!LLVMObjectFileIsSectionIteratorAtEnd(binary, at))
			snprintf(section, 64, "%s", LLVMGetSectionName(at));
		else
			snprintf(section, 64, "-");
	}
	LLVMDisposeSectionIterator(at);
	LLVMDisposeSymbolIterator(s);
	LLVMDisposeBinary(binary);
	LLVMDisposeMemoryBuffer(buffer);
	return n;
}

/* What is local to a part is found by a name that says which, and by no other. */
static inline void name_local_with_its_part(const char *triple)
{
	static const char *const references[] = {"x", "of.part.0.x", "of.part.2.x", "of.part.1.y",
	                                         "of.part.1.x"};
	for (size_t i = 0; i < ARRAY_LEN(references); i++) {
		char text[100];
		Str joined;
		snprintf(text, sizeof text, "@%s = external global i32\n@p = global ptr @%s\n", references[i],
		         references[i]);
		bool known = i == ARRAY_LEN(references) - 1;
		EXPECT_EQ(join_for(triple, text, "@x = internal global i32 1\n@q = global ptr @x\n", &joined),
		          known);
		if (joined.data)
			give_back(joined);
	}
}

/* What is no object, `texts`, is not joined. */
static inline void refuse_others(const char *const *texts, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		Str part = str_of(texts[i]), joined;
		EXPECT_EQ(emit_join(&part, 1, &prefixes, &joined), JOIN_UNFIT);
		EXPECT(joined.data == NULL);
	}
}

/* What is cut off anywhere is not joined; what has another byte somewhere may be, and ends nothing. */
static inline void break_object(Str whole)
{
	Str joined;
	for (size_t n = 0; whole.data && n < whole.len; n++) {
		char *cut = malloc(n + 1);
		memcpy(cut, whole.data, n);
		EXPECT_EQ(emit_join(&(Str){cut, n}, 1, &prefixes, &joined), JOIN_UNFIT);
		free(cut);
	}
	for (size_t n = 0; whole.data && n < whole.len * 3; n++) {
		static const char bytes[] = {0, 1, (char)0xff};
		char *other = malloc(whole.len);
		memcpy(other, whole.data, whole.len);
		other[n / 3] = bytes[n % 3] == 1 ? (char)(other[n / 3] + 1) : bytes[n % 3];
		if (emit_join(&(Str){other, whole.len}, 1, &prefixes, &joined) == JOIN_DONE)
			give_back(joined);
		else
			EXPECT(joined.data == NULL);
		free(other);
	}
}

#endif
