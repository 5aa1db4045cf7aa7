#include "language.h"

extern "C" {
int32_t newest(int32_t n);
int32_t upstream(int32_t n);
int32_t incubator(int32_t n);
}

int main()
{
	for (int32_t n : {-5, 0, 1, 2, 21}) {
		show("newest", newest(n));
		show("upstream", upstream(n));
		show("incubator", incubator(n));
	}
	return 0;
}

#ifdef TWIN
int32_t newest(int32_t n) { return n * 2 < 2 ? -(n * 2) : n * 2; }
int32_t upstream(int32_t n) { return newest(n); }
int32_t incubator(int32_t n) { return newest(n); }
#endif
