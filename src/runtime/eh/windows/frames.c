/* Walks over the frames of this thread by the tables of unwinding, and ways into one of them. */
#include "runtime/eh/exception.h"
#include "runtime/eh/libc.h"
#include "runtime/eh/windows/context.h"

/* What CircFrame.registers has: general ones, then XMM6 … XMM15, then the frame as the system counts (context.h). */
enum { GENERAL = 8, VECTORS = 10, HAS_HANDLER = 1 };
_Static_assert(GENERAL + 2 * VECTORS == CIRCEH_FRAME, "where the frame is");

static void keep_registers(CircFrame *f, const Context *c)
{
	const uint64_t general[GENERAL] = {c->rbx, c->rbp, c->rsi, c->rdi, c->r12, c->r13, c->r14, c->r15};
	memcpy(f->registers, general, sizeof general);
	memcpy(f->registers + GENERAL, c->xmm[6], VECTORS * sizeof c->xmm[0]);
}

static void give_registers(const CircFrame *f, Context *c)
{
	uint64_t *const general[GENERAL] = {&c->rbx, &c->rbp, &c->rsi, &c->rdi,
	                                    &c->r12, &c->r13, &c->r14, &c->r15};
	for (size_t i = 0; i < GENERAL; i++)
		*general[i] = f->registers[i];
	memcpy(c->xmm[6], f->registers + GENERAL, VECTORS * sizeof c->xmm[0]);
	c->rsp = f->sp;
}

/* Describes the frame that the context is in, and makes it its caller's. False: there is no table for it. */
static bool step(Context *c, CircFrame *f, uint64_t *module)
{
	uint64_t frame;
	void *data = NULL;
	*f = (CircFrame){.pc = c->rip, .sp = c->rsp};
	keep_registers(f, c);
	RuntimeFunction *function = RtlLookupFunctionEntry(c->rip, module, NULL);
	if (!function)
		return false;
	void *handler = RtlVirtualUnwind(HAS_HANDLER, *module, c->rip, function, c, &data, &frame, NULL);
	f->function = *module + function->begin;
	f->handler = (uintptr_t)handler;
	f->table = handler ? (uintptr_t)data : 0;
	f->registers[CIRCEH_FRAME] = frame;
	return true;
}

__attribute__((noinline)) size_t circ_frames(CircFrame *frames, size_t max)
{
	Context c;
	CircFrame own;
	uint64_t module;
	size_t n = 0;
	RtlCaptureContext(&c);
	step(&c, &own, &module);
	while (n < max && c.rip && step(&c, &frames[n], &module))
		n++;
	return n;
}

__attribute__((noinline)) void circeh_visit_frames(const void *inside, CircehVisit *visit, void *with)
{
	Context c;
	CircFrame f;
	uint64_t module;
	RtlCaptureContext(&c);
	step(&c, &f, &module);
	while (c.rip && step(&c, &f, &module) && (c.rsp <= (uintptr_t)inside || visit(&f, module, with)))
		;
}

bool circ_frame_name(const CircFrame *f, char *out, size_t size)
{
	CircehPlace place;
	if (circeh_frame_place(f, &place) && place.function[0])
		return circeh_join(out, size, place.function, "");
	return circeh_place((const void *)f->pc, out, size);
}

_Noreturn void circ_frame_branch(const CircFrame *f, void *label, void *exception)
{
	Context c;
	RtlCaptureContext(&c);
	give_registers(f, &c);
	c.rip = (uintptr_t)label;
	c.rax = (uintptr_t)exception;
	RtlRestoreContext(&c, NULL);
	__builtin_unreachable();
}
