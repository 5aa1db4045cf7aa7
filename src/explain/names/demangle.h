/* explain/names/demangle.h: mangled names of C++ and of Rust (v0) as those write them, by LLVM's demanglers. */
#ifndef CIRC_EXPLAIN_NAMES_DEMANGLE_H
#define CIRC_EXPLAIN_NAMES_DEMANGLE_H

/* malloc'ed. NULL: it is no mangled name, or circ was built with an LLVM whose demanglers it cannot call. */
char *explain_demangle(const char *symbol);

#endif
