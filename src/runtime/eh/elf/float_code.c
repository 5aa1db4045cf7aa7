/* Why a floating point operation trapped (POSIX.1-2017, <signal.h>), as Windows says it. */
#include "runtime/eh/elf/fault_context.h"

uint32_t circeh_float_code(int why)
{
	switch (why) {
	case FPE_INTOVF:
		return FAULT_OVERFLOW;
	case FPE_FLTDIV:
		return FAULT_FLOAT_DIVIDE;
	case FPE_FLTOVF:
		return FAULT_FLOAT_OVERFLOW;
	case FPE_FLTUND:
		return FAULT_FLOAT_UNDERFLOW;
	case FPE_FLTRES:
		return FAULT_FLOAT_INEXACT;
	case FPE_FLTINV:
		return FAULT_FLOAT_INVALID;
	default:
		return 0;
	}
}
