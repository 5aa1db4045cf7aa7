// Of a fault CircRecord has the code, the access and the address, in filter and handler; EXCEPTION_RECORD has the same.
// Faults are the system's exceptions on windows-msvc alone.
// only: msvc
// trace: c0000005 1 24 c0000005 1 24 returns 1
#include "seh.h"

typedef struct Record {
	unsigned code, flags;
	void *nested, *address;
	unsigned n;
	unsigned long long information[2];
} Record;

typedef struct Pointers {
	Record *record;
	void *context;
} Pointers;

static int keep(const Pointers *pointers, Record *kept)
{
	*kept = *pointers->record;
	say_code(kept->code);
	say((int)kept->information[0]);
	say((int)kept->information[1]);
	return 1;
}

int fault_record(void)
{
	Record kept;
	__try {
		write_to(24);
	} __except (keep((Pointers *)GetExceptionInformation(), &kept)) {
		say_code(GetExceptionCode());
		say((int)kept.information[0]);
		say((int)kept.information[1]);
	}
	return 1;
}
