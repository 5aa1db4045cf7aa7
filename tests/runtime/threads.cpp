// Exceptions of a language's own on several threads at once, with memory and without: threads.exe THREADS TIMES. Half of them are made while malloc()
// has nothing to give. ELF alone: the linker is told --wrap=malloc.
#include "tries.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

static thread_local bool no_memory;
static thread_local int cleanups, handled, released;
static std::atomic<int> refused;

extern "C" void *__real_malloc(size_t);
extern "C" void *__wrap_malloc(size_t size)
{
	if (!no_memory)
		return __real_malloc(size);
	refused++;
	return nullptr;
}

static void release(void *)
{
	released++;
}

extern "C" {
const CircExceptionType type_base = {"my.Base", sizeof(int), nullptr, 0, {}};
const CircExceptionType type_error = {"my.Error", sizeof(int), release, 1, {&type_base}};
const CircExceptionType type_other = {"my.Other", sizeof(int), release, 0, {}};
const char plain = 0;
}
static const CircClause error = {CIRC_CLAUSE_EXCEPTION_TYPE, 0, &type_error};

struct Guard {
	~Guard()
	{
		cleanups++;
	}
};

static void throw_error(Try *)
{
	int *object = (int *)circ_allocate_exception(sizeof(int));
	*object = 1;
	circ_throw_noncontinuable(object, &error, nullptr);
}

static void count_cleanup(Try *, int exceptional, int *)
{
	cleanups += exceptional;
}

static int pass(Try *, CircRecord *, int *)
{
	return CIRC_CONTINUE_SEARCH;
}

static int count_handler(Try *, int which, void *object, void *, int *)
{
	handled += which == 2 && object && *(int *)object == 1;
	return which;
}

// Through C++, and through a try that does not take it.
static void throw_far(Try *)
{
	Guard guard;
	Try inner = {throw_error, count_cleanup, pass, count_handler};
	try_other(&inner);
}

static void work(int times, std::atomic<int> *wrong)
{
	for (int i = 0; i < times; i++) {
		cleanups = handled = released = 0;
		no_memory = i & 1;
		Try t = {i % 3 ? throw_far : throw_error, count_cleanup, pass, count_handler};
		int which = try_when_error_plain_all(&t);
		no_memory = false;
		*wrong += which != 2 || handled != 1 || released != 1 || cleanups != (i % 3 ? 3 : 1);
	}
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	std::atomic<int> wrong(0);
	std::vector<std::thread> threads;
	for (int i = 0; i < atoi(argv[1]); i++)
		threads.emplace_back(work, atoi(argv[2]), &wrong);
	for (auto &thread : threads)
		thread.join();
	printf("%d wrong, %s\n", wrong.load(), refused ? "some without memory" : "malloc was never asked");
	return wrong || !refused;
}
