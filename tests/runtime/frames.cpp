// Walks without unwinding: names, labels, and both ways into a frame. n 1 branches to the innermost label, 2 to the next one, 3 unwinds there.
#include "circ/runtime.h"

extern "C" {
int printf(const char *, ...);
int strcmp(const char *, const char *);
int outer(int);
void land(const char *);
void thrower(int);
}

void land(const char *where)
{
	printf("  lands in %s\n", where);
}

struct Guard {
	~Guard() { printf("  ~Guard\n"); }
};

static void go(int n)
{
	CircFrame frames[32];
	size_t count = circ_frames(frames, 32), labels = 0;
	for (size_t i = 0; i < count; i++) {
		char name[100];
		void *label = circ_frame_label(&frames[i]);
		bool named = circ_frame_name(&frames[i], name, sizeof name);
		if (named && (!strcmp(name, "inner") || !strcmp(name, "outer") || !strcmp(name, "thrower")))
			printf("  at %s%s\n", name, label ? ", has a label" : "");
		if (!named || strcmp(name, "thrower") == 0 || !label)
			continue; // the label of thrower is its Guard
		labels++;
		if (n == 3 && labels == 2)
			circ_frame_unwind(&frames[i], label, nullptr);
		if (n == (int)labels && n < 3)
			circ_frame_branch(&frames[i], label, nullptr);
	}
	printf("  nowhere to go\n");
}

void thrower(int n)
{
	Guard g;
	if (n)
		go(n);
}

int main()
{
	for (int n = 0; n <= 3; n++) {
		printf("%d\n", n);
		printf("  = %d\n", outer(n));
	}
}
