// What the functions of tries.ll and tries-msvc.ll ask.
#include "circ/runtime.h"

#include <stdint.h>

struct Try {
	void (*body)(Try *);
	void (*cleanup)(Try *, int exceptional, int *local);
	int (*filter)(Try *, CircRecord *, int *local);
	int (*handler)(Try *, int which, void *object, void *native, int *local); // which: 1 for the first clause
};

extern "C" {
// catch when, [type type_error], [type plain], all
int try_when_error_plain_all(Try *);
int try_when(Try *);
int try_other(Try *);
int try_own(Try *); // all, of this language
// The same of language 5.
int try5_when_error_plain_all(Try *);
int try5_own(Try *);

extern const CircExceptionType type_base, type_error, type_other;
extern const char plain;
}
