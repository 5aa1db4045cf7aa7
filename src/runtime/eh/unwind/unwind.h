/* runtime/eh/unwind/unwind.h: what the files of this folder share. */
#ifndef CIRC_RUNTIME_EH_UNWIND_UNWIND_H
#define CIRC_RUNTIME_EH_UNWIND_UNWIND_H

#include "runtime/eh/exception.h"

#include <unwind.h>

#define CIRCEH_CLASS (UINT64_C(0x43495243) << 32) /* "CIRC"; below, the language */

/* The exception that holds it, unchecked; null: it is foreign. */
CircException *circeh_unwinds(struct _Unwind_Exception *native);

/* "CIRUAY": nobody's exception, by which circ_frame_unwind() unwinds; and what is said when one of C++'s handlers keeps it. */
#define CIRCEH_WAY_CLASS UINT64_C(0x4349525541590000)
void circeh_refuse_way(_Unwind_Reason_Code reason, struct _Unwind_Exception *native);

/* What llvm.localrecover counts from in a frame of a function with filters. */
void *circeh_frame_of_filters(struct _Unwind_Context *context);
/* Tells frames of one stack apart, and is the same in both phases. */
uintptr_t circeh_frame(struct _Unwind_Context *context);

/* What the first phase returns so that execution goes on where the exception was thrown. */
_Unwind_Reason_Code circeh_continue_execution(void);

/* memo.c: what was decided for a foreign exception. */
void circeh_memo_set(const void *native, const CircehDecision *decision);
bool circeh_memo_take(const void *native, CircehDecision *decision); /* false: there is none */

#ifdef CIRCEH_EXPORTED
#pragma GCC visibility push(default)
#endif
_Unwind_Reason_Code __circ_personality_v0(int version, _Unwind_Action actions, _Unwind_Exception_Class kind,
                                          struct _Unwind_Exception *native, struct _Unwind_Context *context);
#ifdef CIRCEH_EXPORTED
#pragma GCC visibility pop
#endif

#endif
