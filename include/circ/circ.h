/* circ/circ.h: libcirc, a compiler for CIR (ClangIR). This header includes all others.
 *
 * 	circ/diagnostic.h  how problems are reported
 * 	circ/module.h      modules: made, read from text, verified, passed on to the next form, printed
 * 	circ/type.h        types
 * 	circ/attr.h        attributes and constants
 * 	circ/build.h       functions, globals, blocks and ops, made in memory
 * 	circ/inspect.h     walking what is there
 * 	circ/emit.h        LLVM IR, bitcode, assembly, objects and programs
 * 	circ/jit.h         running modules in this process
 * 	circ/explain.h     what an exception does, read from modules and from objects
 *
 * Not of it: circ/runtime.h, what compiled programs that have exceptions of their own call.
 *
 * Rules for every function, unless it says otherwise:
 *
 * Ownership  a module owns everything made in it: types, attributes, ops, blocks, values,
 *            builders. Nothing of it is freed singly; circ_module_destroy() frees it all. Strings
 *            and arrays given to a function are copied.
 * Lifetime   a handle is valid until its module is destroyed. Handles of ops, blocks, regions and values
 *            inside functions also end when the op is erased or when a pass (circ_module_flatten,
 *            circ_module_lower_*, circ_module_emit_*) runs; using one later is reported by the functions that
 *            take the module or a builder, too, and wrong for the others. Handles of types, attributes,
 *            functions and globals survive passes.
 * Errors     a function that fails reports why to the module's handler, and returns NULL or false; the module
 *            is as it was before. Wrong use is an error like any other: NULL, a handle of another module, a
 *            type that does not fit, a number out of its range, nesting deeper than 256. Exceptions: a
 *            destroyed module, and memory that is not what the parameter's type says, cannot be recognized.
 *            NULL for the module itself only makes the call fail, since it has no handler.
 * Memory     when the system has none left, the call fails with a CIRC_FAILURE, and the module
 *            may from then on only be destroyed.
 * Threads    a module and what belongs to it may be used by one thread at a time. Different modules
 *            are independent: there is no global state, except LLVM's registry of targets, which the
 *            first emission fills under a lock.
 * Strings    a `const char *` ends with NUL. Where a length is given beside it, any bytes may stand in it.
 * Language   docs/operations.md lists every operation with its operands, results and attributes, and the words
 *            of every enumeration; numbers in parentheses, "(5.9)", are its sections.
 */
#ifndef CIRC_CIRC_H
#define CIRC_CIRC_H

#include "circ/attr.h"
#include "circ/build.h"
#include "circ/diagnostic.h"
#include "circ/emit.h"
#include "circ/explain.h"
#include "circ/inspect.h"
#include "circ/jit.h"
#include "circ/module.h"
#include "circ/type.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library, "major.minor.patch". Never fails; the string is static. Any thread. */
CIRC_API const char *circ_version(void);

/* Gives back what a function of this library returned as "malloc'ed". NULL is allowed. Any thread. */
CIRC_API void circ_free(void *memory);

#ifdef __cplusplus
}
#endif

#endif
