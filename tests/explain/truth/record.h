/* record.h: what all recorders share. A record is a line of JSON in the file that $CIRC_TRUTH names, appended at once, since a
 * program may end at any time.
 *
 *   {"ask": N, "personality": SYMBOL, "phase": PHASE, "pc": A, "function": A, "frame": F, "type": T, …}   a frame is asked
 *   {"answer": N, "is": WHAT, …}                                                                        and has answered
 *   {"call": SYMBOL, "pc": A, "sp": F}                                                                  a function is called (calls.S)
 *
 * Addresses A are those of the image as it is in the file. Only frames of the program itself are recorded. */
#ifndef TRUTH_RECORD_H
#define TRUTH_RECORD_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Record {
	char text[8192];
	size_t n;
} Record;

void record_add(Record *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* As a string in quotes. NULL: null. */
void record_add_text(Record *r, const char *text);
/* Ends the line and appends it to the file; the record is empty again. */
void record_write(Record *r);

unsigned record_next(void);

/* sp: of the caller, at the call; pc: where the call returns to. */
void record_call(const char *name, uintptr_t pc, uintptr_t sp);

/* An address of the program, as it is in its file; on Windows the offset from the image's begin. */
uintptr_t record_in_file(uintptr_t address);

#endif
