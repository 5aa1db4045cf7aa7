#include "runtime/windows/operator_new.h"

struct Nothrow {
	char empty;
};

extern const Nothrow nothrow __asm__("?nothrow@std@@3Unothrow_t@1@B");
const Nothrow nothrow = {0};
