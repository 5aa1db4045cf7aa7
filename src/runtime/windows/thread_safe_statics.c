/* Local statics are initialised once, by one thread; the others wait. The compiler's
 * code for `static T x = f();` is
 *
 * 	if (guard > _Init_thread_epoch) {      // a thread that has seen a later epoch has seen this one done
 * 		_Init_thread_header(&guard);
 * 		if (guard == BEGUN) { x = f(); _Init_thread_footer(&guard); }    // or _Init_thread_abort, when f throws
 * 	}
 */
#include "runtime/windows/crt.h"

enum { NOT_BEGUN = 0, BEGUN = -1, FIRST_EPOCH = INT32_MIN }; /* else: the epoch in which it was done */

extern _Thread_local int _Init_thread_epoch;
void _Init_thread_header(int *guard);
void _Init_thread_footer(int *guard);
void _Init_thread_abort(int *guard);

_Thread_local int _Init_thread_epoch = FIRST_EPOCH;

static int epoch = FIRST_EPOCH;
static SrwLock lock;
static ConditionVariable changed;

void _Init_thread_header(int *guard)
{
	AcquireSRWLockExclusive(&lock);
	while (*guard == BEGUN)
		SleepConditionVariableSRW(&changed, &lock, (DWORD)INFINITE, 0);
	if (*guard == NOT_BEGUN)
		*guard = BEGUN;
	else
		_Init_thread_epoch = epoch;
	ReleaseSRWLockExclusive(&lock);
}

void _Init_thread_footer(int *guard)
{
	AcquireSRWLockExclusive(&lock);
	_Init_thread_epoch = *guard = ++epoch;
	ReleaseSRWLockExclusive(&lock);
	WakeAllConditionVariable(&changed);
}

void _Init_thread_abort(int *guard)
{
	AcquireSRWLockExclusive(&lock);
	*guard = NOT_BEGUN;
	ReleaseSRWLockExclusive(&lock);
	WakeAllConditionVariable(&changed);
}
