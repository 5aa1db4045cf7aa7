/* The types of faults and of checks that fail (circ/runtime.h). An exception is of one by its code alone: whoever raised it, the processor
 * included, in whichever copy of this library. */
#include "runtime/eh/exception.h"

#define TYPE(symbol, text)                                                                                   \
	const CircExceptionType symbol = {.name = text, .nbases = 1, .bases = {&circ_type_fault}}

const CircExceptionType circ_type_fault = {.name = "circ.fault"};
TYPE(circ_type_access, "circ.access");
TYPE(circ_type_zero, "circ.zero");
TYPE(circ_type_overflow, "circ.overflow");
TYPE(circ_type_bounds, "circ.bounds");
TYPE(circ_type_conversion, "circ.conversion");
TYPE(circ_type_store, "circ.store");

/* Windows' names of the codes: EXCEPTION_… of minwinbase.h, and STATUS_OBJECT_TYPE_MISMATCH. */
static const struct {
	CircClause clause;
	uint32_t code;
	const char *message;
} faults[] = {
#define FAULT(check, type, code, message) [check] = {{CIRC_CLAUSE_EXCEPTION_TYPE, 0, &type}, code, message}
    FAULT(CIRC_CHECK_NULL, circ_type_access, 0xC0000005, "access through an invalid pointer"),
    FAULT(CIRC_CHECK_ZERO, circ_type_zero, 0xC0000094, "division by zero"),
    FAULT(CIRC_CHECK_OVERFLOW, circ_type_overflow, 0xC0000095, "integer overflow"),
    FAULT(CIRC_CHECK_BOUNDS, circ_type_bounds, 0xC000008C, "index out of bounds"),
    FAULT(CIRC_CHECK_CONVERSION, circ_type_conversion, 0xC0000090, "conversion that has no result"),
    FAULT(CIRC_CHECK_STORE, circ_type_store, 0xC0000024, "store of another type"),
#undef FAULT
};

enum { KINDS = sizeof faults / sizeof *faults };

static size_t index_of(const void *type)
{
	size_t i = 0;
	while (i < KINDS && faults[i].clause.what != type)
		i++;
	return i;
}

const CircClause *circeh_check_clause(uint32_t check)
{
	if (check >= KINDS)
		circeh_fatal("a check of an unknown kind failed");
	return &faults[check].clause;
}

const CircClause *circeh_clause_of_code(uint32_t code)
{
	static const CircClause any = {CIRC_CLAUSE_EXCEPTION_TYPE, 0, &circ_type_fault};
	for (size_t i = 0; i < KINDS; i++)
		if (faults[i].code == code)
			return &faults[i].clause;
	return &any;
}

uint32_t circeh_code_of_type(const void *type)
{
	size_t i = index_of(type);
	return i < KINDS ? faults[i].code : CIRC_CODE_LANGUAGE;
}

bool circeh_is_status(uint32_t code)
{
	return code != CIRC_CODE_FOREIGN && code != CIRC_CODE_LANGUAGE;
}

bool circeh_is_status_type(const void *type)
{
	return type == &circ_type_fault || index_of(type) < KINDS;
}

bool circeh_status_is(uint32_t code, const void *type)
{
	return circeh_is_status(code) && (type == &circ_type_fault || circeh_code_of_type(type) == code);
}

const char *circeh_status_message(uint32_t code)
{
	for (size_t i = 0; i < KINDS; i++)
		if (faults[i].code == code)
			return faults[i].message;
	return NULL;
}
