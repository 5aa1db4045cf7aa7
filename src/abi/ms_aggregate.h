/* abi/ms_aggregate.h: classes that are aggregates in the sense of the Microsoft C++ ABI.
 *
 * Free functions and static members return records of 1, 2, 4 and 8 bytes in a register if they are aggregates of
 * C++14, more or less, and by address if not ("x64 calling convention", "Return values", at learn.microsoft.com; clang:
 * MicrosoftCXXABI.cpp). No aggregate is what has
 *
 * 	a constructor that somebody wrote		special_member<#cir.cxx_ctor<…>>, ??0S@@QEAA@H@Z
 * 	a destructor or copy assignment that is not trivial	special_member<#cir.cxx_dtor<…>>, …; ??1S@@QEAA@XZ
 * 	a base						cir.base_class_addr, cir.derived_class_addr
 * 	the closure of a lambda				lambda
 * 	a private or protected field, a reference	nothing tells
 *
 * Where nothing tells, neither that one is nor that it is none, the module's attribute has to:
 *
 * 	cir.record_traits = {Money = {aggregate = false}, Point = {aggregate = true}}
 */
#ifndef CIRC_ABI_MS_AGGREGATE_H
#define CIRC_ABI_MS_AGGREGATE_H

#include "ir/module.h"

/* needs    what ms_mark_methods() gives
 * changes  adds to cir.record_traits what else tells, of records for which it matters
 * reports  a warning for each record for which it matters and of which nothing tells: it is taken for an aggregate */
void ms_mark_aggregates(IrModule *m, Diags *d);

#endif
