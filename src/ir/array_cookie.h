/* ir/array_cookie.h: the number of elements that new[] keeps in front of them (Itanium C++ ABI, 2.7). */
#ifndef CIRC_IR_ARRAY_COOKIE_H
#define CIRC_IR_ARRAY_COOKIE_H

#include "ir/module.h"

/* Until May of 2026 clang took the memory of new[] for pointers where it stepped over the number, by 8 of them:
 *
 *	%p = cir.cast bitcast %memory : !cir.ptr<!void> -> !cir.ptr<!cir.ptr<!u8i>>
 *	cir.store %n, (cir.cast bitcast %p -> !cir.ptr<!u64i>); %first = cir.ptr_stride %p, 8
 *
 * or, for an alignment N of the elements of more than 8, with steps to the number, by N - 8, and to the
 * elements, by N. Nothing else uses %p; what the steps make is cast once: to no pointers to pointers, which
 * would be the elements of a table. Is op such a cast? */
typedef struct CookieWalk { /* zeros at first */
	const Name *callee; /* of the call that was looked at last */
	bool is_new;
} CookieWalk;

bool ir_is_cookie_of_pointers(CookieWalk *w, const IrModule *m, const IrOp *op);
bool ir_module_has_cookies_of_pointers(const IrModule *m);

#endif
