/* Where a frame is in the source. */
#include "runtime/eh/exception.h"

#include "runtime/eh/libc.h"

static char *decimal(uint32_t value, char digits[11])
{
	char *at = digits + 10;
	*at = '\0';
	do
		*--at = (char)('0' + value % 10);
	while (value /= 10);
	return at;
}

/* A return address may be that of the next line, or function. */
bool circeh_frame_place(const CircFrame *f, CircehPlace *place)
{
	enum { AT_FAULT = 1 };
	return circeh_find_place(f->pc - !(f->flags & AT_FAULT), place);
}

/* Code without a place has line 0, as calls that several checks share. */
bool circ_frame_source(const CircFrame *f, char *out, size_t size)
{
	CircehPlace place;
	char digits[12] = ":";
	if (!circeh_frame_place(f, &place) || !place.file[0] || !place.line)
		return false;
	char number[11];
	const char *at = decimal(place.line, number);
	memcpy(digits + 1, at, strlen(at) + 1);
	return circeh_join(out, size, place.file, digits);
}
