/* ir/eh_runtime.h: whose exceptions a function throws and catches. */
#ifndef CIRC_IR_EH_RUNTIME_H
#define CIRC_IR_EH_RUNTIME_H

#include "ir/module.h"

typedef enum EhRuntime {
	EH_RUNTIME_CXX,  /* of the C++ library, or of what else the function's personality belongs to */
	EH_RUNTIME_CIRC, /* of libcircrt (include/circ/runtime.h) */
	EH_RUNTIME_COUNT
} EhRuntime;

/* EH_RUNTIME_CIRC: its personality is circ's, or it names none and the module says `circ.eh.runtime = "circ"`. A global, whose
 * ctor and dtor regions become functions without one, may be asked about, too. */
EhRuntime ir_func_eh_runtime(const IrModule *m, const IrOp *func);

/* `circ.eh.language` of the module: the number under which its exceptions are thrown, 0 by default. False: it is none. */
bool ir_module_eh_language(const IrModule *m, uint32_t *language);

/* `circ.eh.model = "sjlj"` of the module: exceptions come by setjmp and longjmp, without tables (eh/sjlj). Those of C++ functions go through
 * libcircrt, too. */
bool ir_module_is_sjlj(const IrModule *m);

/* `circ.eh.filters = "nested"` of the module: an exception that leaves a filter goes on from there, as in Microsoft's C; else it means
 * that the filter says no. */
bool ir_module_nests_filters(const IrModule *m);

/* What functions of EH_RUNTIME_CIRC name before an ABI is chosen. */
#define CIRC_PERSONALITY "__circ_personality_v0"

/* That, or what it becomes on some target (__circ_personality_seh0). */
bool ir_is_circ_personality(const Name *name);

/* Of a function that lands nowhere, once an ABI is chosen: no table names a personality that the target does not have. */
void ir_func_drop_circ_personality(IrModule *m, IrOp *func);

#endif
