/* runtime/eh/unwind/cxx.h: the C++ runtime of the program, if it has one (Itanium C++ ABI: Exception Handling,
 * 2.5). Told of handlers that take its exceptions, std::uncaught_exceptions() and std::current_exception() stay right. */
#ifndef CIRC_RUNTIME_EH_UNWIND_CXX_H
#define CIRC_RUNTIME_EH_UNWIND_CXX_H

typedef struct CxxRuntime {
	void *(*begin_catch)(void *native);
	void (*end_catch)(void);
	void (*rethrow)(void); /* never returns */
} CxxRuntime;

/* Null members: there is none, or not all of it. */
CxxRuntime circeh_cxx_runtime(void);

#endif
