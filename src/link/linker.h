/* link/linker.h: inside linking: which program links for a target, and with what command.
 *
 * link.c does what is the same everywhere: a folder for the files, running, putting the result in its place.
 * A linker is a row of two functions. Both work on a Linking, whose strings live in its arena.
 */
#ifndef CIRC_LINK_LINKER_H
#define CIRC_LINK_LINKER_H

#include "base/vec.h"
#include "emit/signal_hold.h"
#include "link/link.h"

typedef struct LinkDriver LinkDriver;

typedef struct Linking {
	const LinkJob *job;
	Arena *a;
	Diags *d;
	const LinkDriver *driver; /* link/driver.c: the row of `program` */
	const char *program;      /* path of what links */
	const char *runtime;      /* link/msvc.c: folder of circrt.lib; NULL: with a Windows SDK */
	const char *folder;       /* for the files of this link; NULL: not made yet */
	const char *result;       /* the program, in a folder below */
	const char *import_lib;   /* made beside it, if it exports anything; or NULL */
	const char *pdb;          /* made beside it with -Wl,/debug; or NULL */
	VEC(const char *) args;   /* ended by NULL */
	SignalHold hold;
} Linking;

typedef struct Linker {
	/* Sets `program`, and finds whatever else is needed. False: reported. */
	bool (*find)(Linking *l);
	/* Adds everything but the inputs: options before, libraries after them. */
	void (*add_options)(Linking *l);
	void (*add_input)(Linking *l, const char *arg);
	void (*add_libraries)(Linking *l);
} Linker;

extern const Linker linker_driver; /* a compiler driver: ELF, MinGW */
extern const Linker linker_msvc;   /* lld-link: windows-msvc */

/* link/command_line.c */
void link_add(Linking *l, const char *arg);

/* "clang++-%u" with the major version of circ's LLVM. */
const char *link_tool_name(Linking *l, const char *pattern);

#endif
