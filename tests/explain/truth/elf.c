/* elf.c: records for programs of ELF what the unwinder asks __gxx_personality_v0, and what that answers. The program's own definition
 * comes before the C++ library's, which it calls.
 *
 * circ's personality is in an archive: own_elf.c. */
#define _GNU_SOURCE
#include "personality.h"
#include "type.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

static const char *phase_of(_Unwind_Action actions)
{
	return actions & _UA_SEARCH_PHASE ? "search" : actions & _UA_HANDLER_FRAME ? "handler" : "cleanup";
}

static int take_program(struct dl_phdr_info *info, size_t size, void *range)
{
	(void)size;
	uintptr_t *to = range;
	to[0] = info->dlpi_addr;
	for (unsigned i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD)
			to[1] = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
	return 1; /* the program is the first */
}

static const uintptr_t *program(void)
{
	static uintptr_t range[2];
	if (!range[1])
		dl_iterate_phdr(take_program, range);
	return range;
}

uintptr_t record_in_file(uintptr_t address)
{
	return address - program()[0];
}

static bool is_of_program(uintptr_t address)
{
	return address - program()[0] < program()[1] - program()[0];
}

static unsigned write_question(const Question *q)
{
	Record r = {.n = 0};
	unsigned n = record_next();
	int at_fault = 0;
	uintptr_t pc = _Unwind_GetIPInfo(q->context, &at_fault);
	record_add(&r, "{\"ask\":%u,\"personality\":\"%s\",\"phase\":\"%s\",\"pc\":%lu,\"fault\":%s,", n,
	           q->personality, phase_of(q->actions), record_in_file(pc), at_fault ? "true" : "false");
	record_add(&r, "\"function\":%lu,\"frame\":%lu,\"exception\":%lu,",
	           record_in_file(_Unwind_GetRegionStart(q->context)), _Unwind_GetCFA(q->context),
	           (uintptr_t)q->exception);
	record_add(&r, "\"class\":\"%016lx\",\"type\":", q->exception->exception_class);
	record_type(&r, q->exception, q->own);
	record_add(&r, "}");
	record_write(&r);
	return n;
}

static void write_answer(unsigned n, const Question *q, _Unwind_Reason_Code code)
{
	Record r = {.n = 0};
	record_add(&r, "{\"answer\":%u,\"is\":", n);
	if (code == _URC_CONTINUE_UNWIND)
		record_add(&r, "\"continue\"");
	else if (code == _URC_HANDLER_FOUND)
		record_add(&r, "\"found\"");
	else if (code == _URC_FATAL_PHASE1_ERROR &&
	         q->own) /* a filter said so; src/runtime/eh/unwind/raise.h */
		record_add(&r, "\"execution\"");
	else if (code == _URC_INSTALL_CONTEXT)
		record_add(&r, "\"install\",\"pad\":%lu,\"selector\":%ld",
		           record_in_file(_Unwind_GetIP(q->context)),
		           (long)(int)_Unwind_GetGR(q->context, __builtin_eh_return_data_regno(1)));
	else
		record_add(&r, "\"code %d\"", (int)code);
	record_add(&r, "}");
	record_write(&r);
}

_Unwind_Reason_Code record_personality(Personality *real, const Question *q)
{
	_Unwind_Exception_Class kind = q->exception->exception_class;
	if (!is_of_program(_Unwind_GetIP(q->context)))
		return real(1, q->actions, kind, q->exception, q->context);
	unsigned n = write_question(q);
	_Unwind_Reason_Code code = real(1, q->actions, kind, q->exception, q->context);
	write_answer(n, q, code);
	return code;
}

_Unwind_Reason_Code __gxx_personality_v0(int version, _Unwind_Action actions, _Unwind_Exception_Class kind,
                                         struct _Unwind_Exception *exception, struct _Unwind_Context *context)
{
	static Personality *real;
	(void)version, (void)kind;
	if (!real) {
		void *symbol = dlsym(RTLD_NEXT, "__gxx_personality_v0");
		memcpy(&real, &symbol, sizeof real);
	}
	Question q = {"__gxx_personality_v0", actions, exception, context, NULL};
	return record_personality(real, &q);
}
