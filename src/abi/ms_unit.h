/* abi/ms_unit.h: a name for the module itself in Microsoft names, that of its anonymous namespaces. */
#ifndef CIRC_ABI_MS_UNIT_H
#define CIRC_ABI_MS_UNIT_H

#include "ir/module.h"

/* ?A0x and eight digits, in the module's memory. */
Str ms_unit_name(IrModule *m);

#endif
