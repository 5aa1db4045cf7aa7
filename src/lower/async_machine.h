/* lower/async_machine.h: how a processor loads, stores, copies and divides in the body of a `cir.try async` (op_async.c): a file and a row for each. */
#ifndef CIRC_LOWER_ASYNC_MACHINE_H
#define CIRC_LOWER_ASYNC_MACHINE_H

#include "lower/lowerer.h"

/* One operation, as it is written. */
typedef struct Assembly {
	const char *text;
	const char *outputs, *inputs; /* constraints, each is followed by a comma; or empty */
	const char *used; /* registers that calls do not keep and that are written apart, each in braces */
	LLVMTypeRef result;
	LLVMValueRef args[3];
	unsigned nargs;
} Assembly;

/* Each but the first and copy_part fills in text, outputs, inputs and used. */
typedef struct AsyncMachine {
	/* What the operation may change besides its outputs: constraints. */
	const char *(*clobbers)(Lower *e, const Assembly *a);
	/* Operand 0 is the address; the value has so many bytes. */
	void (*load)(Lower *e, Assembly *a, uint64_t size);
	/* 0: the value, 1: the address */
	void (*store)(Lower *e, Assembly *a, uint64_t size);
	/* 0: from, 1: to; gives the text that copies 1, 2, 4 or 8 bytes at an offset */
	const char *(*copy_part)(Lower *e, unsigned size, unsigned at);
	/* 0: number of bytes, 1: from, 2: to; the results are what is left of them */
	void (*copy)(Lower *e, Assembly *a);
	/* 0: number of bytes, 1: to, 2: a byte; the results are what is left of the first two */
	void (*set)(Lower *e, Assembly *a);
	/* 0 by 1, integers of so many bytes */
	void (*divide)(Lower *e, Assembly *a, const IrType *type, bool remainder);
} AsyncMachine;

extern const AsyncMachine async_x86_64, async_aarch64;

#endif
