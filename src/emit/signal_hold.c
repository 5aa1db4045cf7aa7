#include "emit/signal_hold.h"

#include "base/base.h"

/* The first ones ask to end, also where the program has handlers for them; the others end only what has none. */
static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM, SIGXCPU, SIGUSR1, SIGUSR2};
enum { ASKING = 4 };

void signal_hold(SignalHold *h)
{
	sigemptyset(&h->held);
	for (size_t i = 0; i < ARRAY_LEN(ending); i++) {
		struct sigaction action;
		if (sigaction(ending[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN &&
		    (i < ASKING || action.sa_handler == SIG_DFL))
			sigaddset(&h->held, ending[i]);
	}
	pthread_sigmask(SIG_BLOCK, &h->held, &h->former);
}

int signal_pending(const SignalHold *h)
{
	sigset_t arrived;
	if (sigpending(&arrived) != 0)
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(ending); i++)
		if (sigismember(&h->held, ending[i]) && sigismember(&arrived, ending[i]))
			return ending[i];
	return 0;
}

void signal_release(const SignalHold *h)
{
	pthread_sigmask(SIG_SETMASK, &h->former, NULL);
}
