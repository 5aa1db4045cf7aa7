#include "language.h"

union Either {
	int32_t i;
	int64_t l;
};

struct Box {
	Either e;
	int32_t n;
};

extern "C" void assign_box(Box *to, Box *from);

#ifdef TWIN
void assign_box(Box *to, Box *from)
{
	*to = static_cast<Box &&>(*from);
}
#endif

int main()
{
	for (int64_t value : edges) {
		Box from = {{}, 3}, to = {{}, 4};
		from.e.l = value;
		to.e.l = ~value;
		assign_box(&to, &from);
		show("l", to.e.l);
		show("n", to.n);
		assign_box(&to, &to);
		show("itself", to.e.l);
	}
	return 0;
}
