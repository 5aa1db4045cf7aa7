/* Local statics of code that was compiled for the Itanium C++ ABI (section 3.3.3): the guard's first byte says that the variable is
 * initialised, the second that a thread is at it. */
#include "runtime/windows/crt.h"

int __cxa_guard_acquire(uint8_t *guard);
void __cxa_guard_release(uint8_t *guard);
void __cxa_guard_abort(uint8_t *guard);

static SrwLock lock;
static ConditionVariable changed;

static void leave(uint8_t *guard, uint8_t done)
{
	AcquireSRWLockExclusive(&lock);
	__atomic_store_n(&guard[0], done, __ATOMIC_RELEASE); /* which code reads without the lock */
	guard[1] = 0;
	ReleaseSRWLockExclusive(&lock);
	WakeAllConditionVariable(&changed);
}

int __cxa_guard_acquire(uint8_t *guard)
{
	AcquireSRWLockExclusive(&lock);
	while (guard[1])
		SleepConditionVariableSRW(&changed, &lock, (DWORD)INFINITE, 0);
	bool first = !guard[0];
	guard[1] = first;
	ReleaseSRWLockExclusive(&lock);
	return first;
}

void __cxa_guard_release(uint8_t *guard)
{
	leave(guard, 1);
}

void __cxa_guard_abort(uint8_t *guard)
{
	leave(guard, 0);
}
