/* link/link.h: objects to a program or a shared library, by the linker of the platform,
 * started without a shell.
 *
 * ELF: clang++ or g++ from $PATH, whichever is the first that can link the C++ library that is
 * asked for; it knows where the start files and libraries of the system are, and which linker to
 * use. circ adds only what the exceptions need:
 *   libc++      libc++, libc++abi and LLVM's libunwind
 *   libstdc++   libstdc++ and libgcc's unwinder
 * MinGW: its own g++, with libstdc++ and libgcc inside of the program.
 * windows-msvc: lld-link, with circ's runtime (src/runtime/windows), or with the libraries of a Windows SDK.
 *
 * The program is linked inside a folder of its own for temporary files, and written to its place
 * like every other file (emit/output.h).
 *
 * Errors   false: reported. CIRC_ERROR when the linker rejects what it was given (its own messages are on
 *          standard error), CIRC_FAILURE when there is none, when it dies, or when a file cannot be written.
 * Signals  SIGINT, SIGTERM, SIGHUP, SIGQUIT and others that would end the process are held while the folder is
 *          there; when one arrives, the linker is ended, the folder is removed, and only then the signal is
 *          delivered.
 */
#ifndef CIRC_LINK_LINK_H
#define CIRC_LINK_LINK_H

#include "base/arena.h"
#include "base/diag.h"

typedef enum CxxLib { CXXLIB_LIBCXX, CXXLIB_LIBSTDCXX } CxxLib;

/* Argument of the linker, in the order of the command line: a file or an option as it
 * is, or an object in memory. */
typedef struct LinkInput {
	const char *arg; /* "x.o", "-lm", "-Wl,-O1"; of an object in memory the name to give it, "x.o" */
	Str object;      /* data NULL: not in memory */
} LinkInput;

/* Shows a command before it is run. */
typedef void LinkShow(const char *const *argv, void *user);

typedef struct LinkJob {
	const char *triple; /* in LLVM's normal form, of the objects; NULL: the host's */
	bool cxxlib_given;  /* else libstdc++ where that comes with a cross compiler */
	CxxLib cxxlib;      /* ELF only */
	bool sjlj;          /* libcircrt without tables */
	bool pie;           /* ELF only */
	bool pthread;       /* not windows-msvc, WebAssembly: the library for threads */
	bool is_static;     /* ELF: no shared libraries; windows-gnu has none anyway */
	/* a shared library or DLL; a windows-msvc one gets an import library, NAME.lib, beside it */
	bool shared;
	const char *winsdk; /* windows-msvc: folder of a Windows SDK; NULL: circ's own runtime */
	const LinkInput *inputs;
	size_t ninputs;
	const char *output; /* "-": standard output */
	LinkShow *show;     /* or NULL */
	void *user;
	bool dry_run; /* only show */
} LinkJob;

bool link_program(const LinkJob *job, Arena *scratch, Diags *d);

#endif
