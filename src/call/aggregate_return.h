/* call/aggregate_return.h: classes that are aggregates in the sense of the Microsoft C++ ABI.
 *
 * Free functions and static members return records of 1, 2, 4 and 8 bytes in a register if they are aggregates of
 * C++14, more or less, and by address if not ("x64 calling convention", "Return values", at learn.microsoft.com; clang:
 * MicrosoftCXXABI.cpp). Which are, the attribute of the module specifies
 *
 * 	cir.record_traits = {Money = {aggregate = false}, Point = {aggregate = true}}
 *
 * and `has_trivial_dtor = false` of cir.record_layouts, and in older texts (call/guess) the functions of the module
 * (call/guess/no_aggregate.c). A record of which nothing is specified is an aggregate.
 */
#ifndef CIRC_CALL_AGGREGATE_RETURN_H
#define CIRC_CALL_AGGREGATE_RETURN_H

#include "ir/module.h"

/* needs    what ms_mark_methods() gives
 * changes  adds to cir.record_traits what it found, of records for which it matters
 * reports  a warning for each record for which it matters and of which nothing is specified */
void ms_mark_aggregates(IrModule *m, Diags *d);

#endif
