/* call/record_trait.h: what the Microsoft C++ ABI asks of a class that its members do not show.
 *
 * aggregate    Free functions and static members return records in registers if they are aggregates of C++14, more or less, and by address
 *              if not ("x64 calling convention", "Return values", at learn.microsoft.com; clang: MicrosoftCXXABI.cpp): on x86_64 those
 *              of 1, 2, 4 and 8 bytes, on AArch64 those of up to 16 and homogeneous ones. On AArch64 it matters of larger ones,
 *              too: it decides in which register their address goes.
 * homogeneous  On AArch64, up to four members of one floating-point or vector type are passed in vector registers if the class has no
 *              default constructor, copy assignment or destructor that is not trivial, and no base without members.
 *
 * The attribute of the module specifies them
 *
 * 	cir.record_traits = {Money = {aggregate = false}, Point = {aggregate = true, homogeneous = true}}
 *
 * and `has_trivial_dtor = false` of cir.record_layouts, and in older texts (call/guess) the functions of the module
 * (call/guess/no_aggregate.c). A record of which nothing is specified is an aggregate, and homogeneous.
 */
#ifndef CIRC_CALL_RECORD_TRAIT_H
#define CIRC_CALL_RECORD_TRAIT_H

#include "ir/module.h"
#include "target/target.h"

/* needs    what ms_mark_methods() gives
 * changes  adds to cir.record_traits what it found, of records for which it matters
 * reports  a warning for each record for which it matters and of which nothing is specified */
void ms_mark_records(IrModule *m, const AbiTarget *target, Diags *d);

#endif
