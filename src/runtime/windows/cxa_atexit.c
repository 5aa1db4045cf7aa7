/* Destructors of globals of code that was compiled for the Itanium C++ ABI (section 3.3.6): run in the opposite order when the program
 * ends, or the DLL is unloaded. atexit() takes no argument, so that one function runs the last of a list. */
#include "runtime/windows/crt.h"

typedef struct Registered {
	void (*destructor)(void *object);
	void *object;
	struct Registered *before;
} Registered;

extern char __dso_handle;
int __cxa_atexit(void (*destructor)(void *object), void *object, void *module);

char __dso_handle; /* its address means this module */

static Registered *registered;
static SrwLock lock;

static void run_last(void)
{
	AcquireSRWLockExclusive(&lock);
	Registered *r = registered;
	registered = r->before;
	ReleaseSRWLockExclusive(&lock);
	r->destructor(r->object);
	free(r);
}

/* Locked until atexit() has it: both lists have the same order then. */
int __cxa_atexit(void (*destructor)(void *object), void *object, void *module)
{
	(void)module;
	Registered *r = malloc(sizeof *r);
	if (!r)
		return -1;
	AcquireSRWLockExclusive(&lock);
	*r = (Registered){destructor, object, registered};
	int status = atexit(run_last);
	if (status == 0)
		registered = r;
	ReleaseSRWLockExclusive(&lock);
	if (status != 0)
		free(r);
	return status;
}
