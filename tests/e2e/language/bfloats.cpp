#define HALF bf16
#include "halves.h"

int main()
{
	show_all();
	return 0;
}

#ifdef TWIN // in halves.h
#endif
