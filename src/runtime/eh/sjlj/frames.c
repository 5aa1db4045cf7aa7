/* The stack is not walked without tables: there are no frames to look at, and none to go to. */
#include "runtime/eh/exception.h"

size_t circ_frames(CircFrame *frames, size_t max)
{
	(void)frames;
	(void)max;
	return 0;
}

void *circ_frame_label(const CircFrame *f)
{
	(void)f;
	return NULL;
}

bool circ_frame_name(const CircFrame *f, char *out, size_t size)
{
	return circeh_place((const void *)f->pc, out, size);
}

_Noreturn void circ_frame_branch(const CircFrame *f, void *label, void *exception)
{
	(void)f;
	(void)label;
	(void)exception;
	circeh_fatal("circ_frame_branch(): there are no frames without tables");
}

_Noreturn void circ_frame_unwind(const CircFrame *f, void *label, void *exception)
{
	(void)f;
	(void)label;
	(void)exception;
	circeh_fatal("circ_frame_unwind(): there are no frames without tables");
}
