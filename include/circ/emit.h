/* circ/emit.h: modules to LLVM IR, bitcode, assembly, objects and programs. The rules at the head of
 * circ/circ.h hold for every function here. */
#ifndef CIRC_EMIT_H
#define CIRC_EMIT_H

#include "circ/module.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum CircFormat { CIRC_LLVM_IR, CIRC_BITCODE, CIRC_ASSEMBLY, CIRC_OBJECT } CircFormat;

/* A name of a file that begins with `from` begins with `to` in what is written; with debug_only in debug information alone. */
typedef struct CircPrefixMap {
	const char *from, *to; /* not NULL; may be empty */
	bool debug_only;
} CircPrefixMap;

/* All zero: the target of the module, position independent code, -O0. */
typedef struct CircEmitOptions {
	const char *triple;   /* NULL: the module's own "cir.triple", else the host's */
	const char *cpu;      /* LLVM's name, "native" for the host's; NULL: generic */
	const char *features; /* LLVM's "+avx2,-sse4a"; NULL: the CPU's */
	char opt;             /* '0' '1' '2' '3' 's'; 0: '0' */
	bool debug;  /* debug information, lines, variables and types: DWARF 5, CodeView for windows-msvc */
	bool no_pic; /* code that does not fit into shared libraries and PIE programs */
	/* refuse assembly that may read files of this machine (.incbin, .include): docs/command.md. For modules of others */
	bool no_asm_files;
	/* the module is a stranger's: refuse assembly, and options for the linker, and deliver at most 100 warnings, remarks and notes
	 * (docs/untrusted.md, which also says what the process has to bound: time and memory). The text of one is to be read as CIR, never as LLVM IR */
	bool untrusted;
	/* refuse a module that grows beyond: operations that cleanups are copied to, bytes of initialised data, parts of
	 * constants (docs/command.md). 0: 250,000, 268,435,456 and 16,777,216; at most 2,147,483,647 */
	unsigned max_copied_ops, max_data, max_constant_parts;
	/* so that no path of this machine is in the output. If several fit, the last one counts */
	const CircPrefixMap *prefix_maps;
	size_t nprefix_maps;
} CircEmitOptions;

/* Compiles the module to a file, or to memory. What is missing on the way there is done first: verifying,
 * flattening and the lowering to the target's ABI, of a copy: the module stays as it is, handles of it too,
 * and can be emitted again, for another target or with other options. options: NULL: all zero. path: "-" is standard output. A file appears whole or not at all, and replaces an old one only
 * then. *data: malloc'ed, for circ_free(); NULL and 0 after a failure. False: options, target or CPU are wrong,
 * it does not verify, something in it cannot be lowered for that target, or LLVM refuses it; CIRC_FAILURE for
 * the system and for LLVM. A large
 * module is compiled in parts that are joined, as the command does, so both make the same object. LLVM itself ends the process on a few errors of its own that it cannot
 * return. Threads: several modules may be emitted at once. */
CIRC_API bool circ_module_emit_file(CircModule *module, const CircEmitOptions *options, CircFormat format,
                                    const char *path);
CIRC_API bool circ_module_emit_memory(CircModule *module, const CircEmitOptions *options, CircFormat format,
                                      char **data, size_t *len);

typedef enum CircCxxLib { CIRC_LIBCXX, CIRC_LIBSTDCXX } CircCxxLib;

typedef struct CircLinkOptions {
	const char *triple; /* of the objects; NULL: the host's */
	CircCxxLib cxxlib;  /* ELF: libc++ + libc++abi + libunwind, or libstdc++ + libgcc */
	bool no_pie;        /* ELF */
	/* objects, archives, libraries and options "-lm", "-L/dir", "-Wl,…", in the linker's order */
	const char *const *inputs;
	size_t ninputs;
	const char *output; /* path of the program; none of the inputs */
	/* a program that needs no shared library: ELF, windows-gnu, windows-msvc with `winsdk`. Not with `shared` */
	bool is_static;
	/* make a shared library or DLL; a windows-msvc one gets an import library, NAME.lib, beside it */
	bool shared;
	/* windows-msvc: folder of a Windows SDK; NULL: link with circ's own runtime, which lies in lib/circ
	 * beside libcirc */
	const char *winsdk;
	/* the runtime without tables, for objects of modules with circ.eh.model = "sjlj" (docs/exceptions.md). circ_module_link() sees it itself */
	bool sjlj;
} CircLinkOptions;

/* Links objects to a program with the linker of the platform from $PATH, started without a shell:
 * clang++ or g++ for ELF, MinGW's g++ for windows-gnu, lld-link for windows-msvc. It may print on
 * standard error itself. False: reported to the handler, which may be NULL; CIRC_ERROR when the
 * linker rejects its input, CIRC_FAILURE when there is none, or when a file cannot be written.
 * Threads: while the linker runs, this function holds back SIGINT, SIGTERM, SIGHUP and SIGQUIT in the
 * calling thread; one call at a time per process. */
CIRC_API bool circ_link(const CircLinkOptions *options, CircDiagnosticHandler *handler, void *user);

/* Compiles the module as circ_module_emit_file() does, and links the object, in front of `link->inputs`, as circ_link() does: for the target of
 * `options`; link->triple is not looked at. */
CIRC_API bool circ_module_link(CircModule *module, const CircEmitOptions *options,
                               const CircLinkOptions *link);

#ifdef __cplusplus
}
#endif

#endif
