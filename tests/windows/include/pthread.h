// POSIX threads as far as the tests use them, on those of Windows.
#pragma once
#include <stddef.h>
extern "C" {
void *CreateThread(void *security, size_t stack, unsigned long (*f)(void *), void *argument,
                   unsigned long flags, unsigned long *id);
unsigned long WaitForSingleObject(void *handle, unsigned long milliseconds);
int CloseHandle(void *handle);
}
struct CircTestThread {
	void *(*f)(void *);
	void *argument, *result, *handle;
};
using pthread_t = CircTestThread *;

static inline int pthread_create(pthread_t *thread, const void *, void *(*f)(void *), void *argument)
{
	CircTestThread *t = *thread = new CircTestThread{f, argument, nullptr, nullptr};
	t->handle = CreateThread(
	    nullptr, 0,
	    [](void *p) {
		    CircTestThread *self = (CircTestThread *)p;
		    self->result = self->f(self->argument);
		    return 0ul;
	    },
	    t, 0, nullptr);
	return t->handle == nullptr;
}

static inline int pthread_join(pthread_t thread, void **result)
{
	WaitForSingleObject(thread->handle, 0xffffffff);
	CloseHandle(thread->handle);
	if (result)
		*result = thread->result;
	delete thread;
	return 0;
}
