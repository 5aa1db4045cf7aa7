// Walks without unwinding: functions, names, labels, and both ways into a frame. n 1 branches to the innermost label, 2 to the next one, 3 unwinds
// there. With an argument 4: through a handler of C++ that throws on; 5: through one that keeps what it was not meant to see.
#include "circ/runtime.h"

extern "C" {
int printf(const char *, ...);
int fflush(void *);
int strcmp(const char *, const char *);
int inner(int);
int outer(int);
void land(const char *, int *);
void thrower(int);
}

#define printf(...) (printf(__VA_ARGS__), fflush(nullptr)) // what a program has said that dies

static int passed = 5;

void land(const char *where, int *exception)
{
	if (exception)
		printf("  lands in %s with %d\n", where, *exception);
	else
		printf("  lands in %s\n", where);
}

struct Guard {
	~Guard() { printf("  ~Guard\n"); }
};

static const char *name_of(const CircFrame &f)
{
	const char *name = f.function == (uintptr_t)inner     ? "inner"
	                   : f.function == (uintptr_t)outer   ? "outer"
	                   : f.function == (uintptr_t)thrower ? "thrower"
	                                                      : nullptr;
	char text[100];
	if (name && (!circ_frame_name(&f, text, sizeof text) || !text[0]))
		printf("  %s has no name\n", name);
#ifndef _WIN32 // whose programs have no names in them
	if (name && strcmp(name, text))
		printf("  %s is called %s\n", name, text);
#endif
	return name;
}

static void go(int n)
{
	CircFrame frames[32];
	size_t count = circ_frames(frames, 32), labels = 0;
	for (size_t i = 0; i < count; i++) {
		const char *name = name_of(frames[i]);
		void *label = circ_frame_label(&frames[i]);
		if (name)
			printf("  at %s%s\n", name, label ? ", has a label" : "");
		if (!name || strcmp(name, "thrower") == 0 || !label)
			continue; // the label of thrower is its Guard
		labels++;
		if (n >= 3 && labels == 2)
			circ_frame_unwind(&frames[i], label, &passed);
		if (n == (int)labels && n < 3)
			circ_frame_branch(&frames[i], label, nullptr);
	}
	printf("  nowhere to go\n");
}

static void go_through_handler(int n)
{
	try {
		go(n);
	} catch (...) {
		printf("  catch (...)\n");
		if (n == 4)
			throw;
	}
}

void thrower(int n)
{
	Guard g;
	if (n > 3)
		go_through_handler(n);
	else if (n)
		go(n);
}

static void run(int n)
{
	printf("%d\n", n);
	printf("  = %d\n", outer(n));
}

int main(int argc, char **argv)
{
	if (argc > 1)
		run(argv[1][0] - '0');
	for (int n = 0; n <= 3 && argc == 1; n++)
		run(n);
}
