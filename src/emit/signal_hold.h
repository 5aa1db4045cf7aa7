/* emit/signal_hold.h: keeps the signals that end a process waiting while a temporary file has a name.
 *
 * With the signals held, a name that is taken away again before signal_release() is never left behind by ^C,
 * by a closed terminal or by kill(1). Signals that the process ignores are left alone.
 * Threads  the calling thread's mask; in a program of several threads another one may still take the signal.
 */
#ifndef CIRC_EMIT_SIGNAL_HOLD_H
#define CIRC_EMIT_SIGNAL_HOLD_H

#include <signal.h>

typedef struct SignalHold {
	sigset_t held;   /* of these, what signal_pending() looks for */
	sigset_t former; /* mask to return to */
} SignalHold;

void signal_hold(SignalHold *h);
/* A held signal that has arrived, or 0. */
int signal_pending(const SignalHold *h);
/* What has arrived is delivered now: the process ends here, unless it has a handler. */
void signal_release(const SignalHold *h);

#endif
