/* emit/process.h: runs another program and waits for it; no shell, arguments arrive as they are.
 *
 * The program gets a process group of its own, so that it can be ended with all it
 * started, and an empty standard input, unless it is given files. When one of the held signals arrives, the group is
 * told to end, after a second it is killed.
 * Threads  no shared state.
 */
#ifndef CIRC_EMIT_PROCESS_H
#define CIRC_EMIT_PROCESS_H

#include "base/arena.h"
#include "emit/signal_hold.h"

typedef struct ProcessEnd {
	int error;       /* errno when it could not be started, else 0 */
	int status;      /* exit status */
	int signal;      /* that ended it, or 0 */
	int interrupted; /* held signal because of which it was ended, or 0 */
} ProcessEnd;

/* Open files that become standard input, output and error. */
typedef struct ProcessFiles {
	int in, out, err;
} ProcessFiles;

/* path: of the program; argv: ended by NULL. The program gets the signal mask from before the hold. files: NULL: an empty input, and the
 * output and errors of this process. */
ProcessEnd process_run(const char *path, const char *const *argv, const ProcessFiles *files,
                       const SignalHold *hold);

/* The program of that name on $PATH, or NULL. */
const char *process_find(const char *name, Arena *a);

#endif
