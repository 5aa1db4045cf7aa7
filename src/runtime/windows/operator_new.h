/* runtime/windows/operator_new.h: the C++ operators by their decorated names. Each has a file of its own,
 * so that a program may replace any. */
#ifndef CIRCRT_OPERATOR_NEW_H
#define CIRCRT_OPERATOR_NEW_H

#include "runtime/windows/crt.h"

typedef struct Nothrow Nothrow; /* std::nothrow_t */

/* std_exception.c: throw std::bad_alloc() */
_Noreturn void crt_throw_bad_alloc(void);

/* new (size) */
void *operator_new(size_t) __asm__("??2@YAPEAX_K@Z");
void *operator_new_array(size_t) __asm__("??_U@YAPEAX_K@Z");
void *operator_new_aligned(size_t, size_t) __asm__("??2@YAPEAX_KW4align_val_t@std@@@Z");
void *operator_new_array_aligned(size_t, size_t) __asm__("??_U@YAPEAX_KW4align_val_t@std@@@Z");
void *operator_new_nothrow(size_t, const Nothrow *) __asm__("??2@YAPEAX_KAEBUnothrow_t@std@@@Z");
void *operator_new_array_nothrow(size_t, const Nothrow *) __asm__("??_U@YAPEAX_KAEBUnothrow_t@std@@@Z");

/* delete (p), (p, size), (p, align), (p, size, align) */
void operator_delete(void *) __asm__("??3@YAXPEAX@Z");
void operator_delete_array(void *) __asm__("??_V@YAXPEAX@Z");
void operator_delete_sized(void *, size_t) __asm__("??3@YAXPEAX_K@Z");
void operator_delete_array_sized(void *, size_t) __asm__("??_V@YAXPEAX_K@Z");
void operator_delete_aligned(void *, size_t) __asm__("??3@YAXPEAXW4align_val_t@std@@@Z");
void operator_delete_array_aligned(void *, size_t) __asm__("??_V@YAXPEAXW4align_val_t@std@@@Z");
void operator_delete_sized_aligned(void *, size_t, size_t) __asm__("??3@YAXPEAX_KW4align_val_t@std@@@Z");
void operator_delete_array_sized_aligned(void *, size_t,
                                         size_t) __asm__("??_V@YAXPEAX_KW4align_val_t@std@@@Z");
void operator_delete_nothrow(void *, const Nothrow *) __asm__("??3@YAXPEAXAEBUnothrow_t@std@@@Z");
void operator_delete_array_nothrow(void *, const Nothrow *) __asm__("??_V@YAXPEAXAEBUnothrow_t@std@@@Z");

#endif
