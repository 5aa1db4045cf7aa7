/* Destructors of thread-local variables: registered by the thread that constructed them, run when
 * it ends, the last first. For the main thread of a program that is the beginning of exit(),
 * while standard output is still open. */
#include "runtime/windows/crt.h"

typedef struct Registered {
	struct Registered *before;
	CrtFunction *destructor;
} Registered;

static _Thread_local Registered *registered;

int __tlregdtor(CrtFunction *destructor);

int __tlregdtor(CrtFunction *destructor)
{
	Registered *r = malloc(sizeof *r);
	if (!r)
		return -1;
	*r = (Registered){registered, destructor};
	registered = r;
	return 0;
}

static void on_detach(void *module, DWORD reason, void *reserved)
{
	(void)module;
	(void)reserved;
	if (reason != THREAD_DETACH && reason != PROCESS_DETACH)
		return;
	while (registered) { /* a destructor may construct another one */
		Registered *r = registered;
		registered = r->before;
		r->destructor();
		free(r);
	}
}

static int at_program_exit(void)
{
	if (!crt_in_dll())
		_register_thread_local_exe_atexit_callback(on_detach);
	return 0;
}

CRT_ENTRY(".CRT$XIU") static CrtCheckedFunction *const initializer[1] = {at_program_exit};
CRT_ENTRY(".CRT$XLD") static TlsCallback *const callback[1] = {on_detach};
