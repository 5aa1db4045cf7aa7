#include "language.h"

struct Hidden {
	int32_t n;
};

extern "C" {
int32_t open_it(Hidden *p);
int32_t through(Hidden *p);
int32_t fetch(int32_t *p);
int32_t open_it(Hidden *p) { return p->n; }
}

int main()
{
	Hidden hidden = {42};
	show("through", through(&hidden));
	show("fetch", fetch(&hidden.n));
	return 0;
}

#ifdef TWIN
int32_t through(Hidden *p) { return open_it(p); }
int32_t fetch(int32_t *p) { return *p; }
#endif
