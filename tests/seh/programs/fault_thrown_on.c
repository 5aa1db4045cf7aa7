// A handler throws a fault on: what faulted does not wait any longer, and filters see that nothing can go on there. In C the handler raises it
// again as one that cannot be continued.
// Faults are the system's exceptions on windows-msvc alone.
// only: msvc
// trace: 1 c0000005 1 2 returns 1
#include "seh.h"

typedef struct Record {
	unsigned code, flags;
} Record;

typedef struct Pointers {
	Record *record;
	void *context;
} Pointers;

static int look(const Pointers *pointers)
{
	say_code(pointers->record->code);
	say((int)(pointers->record->flags & 1));
	return 1;
}

int fault_thrown_on(void)
{
	__try {
		__try {
			write_to(24);
		} __except (1) {
			say(1);
			raise_noncontinuable(0xc0000005);
		}
	} __except (look((Pointers *)GetExceptionInformation())) {
		say(2);
	}
	return 1;
}
