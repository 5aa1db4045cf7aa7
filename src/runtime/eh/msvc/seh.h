/* runtime/eh/msvc/seh.h: what the files of this folder share. */
#ifndef CIRC_RUNTIME_EH_MSVC_SEH_H
#define CIRC_RUNTIME_EH_MSVC_SEH_H

#include "runtime/eh/exception.h"

/* The record that C++ means: one that is thrown on comes without object and type. */
ExceptionRecord *circeh_meant(ExceptionRecord *r);

/* A foreign exception that a handler takes, which outlives the frames of the throw; for circ_begin_catch().
 * slot: the handler's variable; stack: an address there when it was thrown */
void *circeh_keep_foreign(const ExceptionRecord *r, uintptr_t frame, void *const *slot, uintptr_t stack);
/* The newest that is on its way to the handler with that variable, or `native` if it is; null: none. stack: set to that of it */
void *circeh_kept_for(void *const *slot, const void *native, uintptr_t *stack);

/* throw_info.c: fills e->native; the exception that was raised so, unchecked, null: it is foreign. */
void circeh_describe_native(CircException *e);
CircException *circeh_raised(const ExceptionRecord *r);

/* cxx_frames.c: what frames of C++ have noted before the search for that one. circeh_free() frees it; null: no frame needs it. */
struct CircehNotes *circeh_notes_before(const CircException *e);
/* The search is over without a handler: execution goes on where something was thrown. */
void circeh_forget_search(const struct CircehNotes *before);

/* unhandled.c: sees what no frame takes. */
void circeh_watch_unhandled(void);

#endif
