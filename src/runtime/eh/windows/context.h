/* runtime/eh/windows/context.h: walking the stack by the functions of Windows; types are Microsoft's by other names
 * (CONTEXT, RUNTIME_FUNCTION). */
#ifndef CIRC_RUNTIME_EH_WINDOWS_CONTEXT_H
#define CIRC_RUNTIME_EH_WINDOWS_CONTEXT_H

#include "circ/runtime.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Context {
	_Alignas(16) uint64_t home[6];
	uint32_t flags, mxcsr;
	uint16_t segments[6];
	uint32_t eflags;
	uint64_t debug[6];
	uint64_t rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15, rip;
	uint8_t legacy[160]; /* XSAVE_FORMAT up to the vectors */
	uint64_t xmm[16][2];
	uint8_t rest[1232 - 0x2a0];
} Context;

_Static_assert(offsetof(Context, xmm) == 0x1a0 && sizeof(Context) == 1232, "CONTEXT of x64");

enum { CIRCEH_FRAME = 28 }; /* the establisher frame in CircFrame.registers */

typedef struct RuntimeFunction { /* offsets from the beginning of the module */
	uint32_t begin, end, unwind;
} RuntimeFunction;

void RtlCaptureContext(Context *c);
RuntimeFunction *RtlLookupFunctionEntry(uint64_t pc, uint64_t *module, void *history);
void *RtlVirtualUnwind(uint32_t kind, uint64_t module, uint64_t pc, RuntimeFunction *f, Context *c,
                       void **data, uint64_t *frame, void *pointers);
void RtlRestoreContext(Context *c, void *record);
void RtlUnwindEx(void *frame, void *target, void *record, void *result, Context *c, void *history);

/* frames.c: of this thread, from that of the caller on, or farther out the one that has `inside` in it, as long as it says so. */
typedef bool CircehVisit(const CircFrame *f, uint64_t module, void *with);
void circeh_visit_frames(const void *inside, CircehVisit *visit, void *with);

#endif
