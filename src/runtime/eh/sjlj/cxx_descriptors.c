/* cxx_types.h by Microsoft's type descriptors. They hold a name, without what pointers point to being const, and no bases: the rest is in tables of
 * throws and handlers, which there are none of here. So types are the same or not, and pointers to objects convert to void *. */
#ifdef _MSC_VER
#include "runtime/eh/libc.h"
#include "runtime/eh/sjlj/cxx_types.h"

typedef struct Descriptor {
	const void *vftable;
	char *undecorated;
	char name[1];
} Descriptor;

/* `.PEAUFoo@@`: a pointer of 64 bits. With Q in place of A, and what follows, it is to a member of a class. */
static bool is_to_object(const char *name)
{
	return name[1] == 'P' && name[2] == 'E' && name[3] >= 'A' && name[3] <= 'D';
}

static bool is_to_function(const char *name)
{
	return name[1] == 'P' && name[2] == '6';
}

bool circeh_cxx_takes(const void *thrown, const void *wanted, void **object)
{
	const char *t = ((const Descriptor *)thrown)->name, *w = ((const Descriptor *)wanted)->name;
	bool takes = strcmp(t, w) == 0 || (is_to_object(t) && strcmp(w, ".PEAX") == 0);
	if (takes && (is_to_object(t) || is_to_function(t)))
		*object = *(void **)*object;
	return takes;
}
#endif
