/* Walks over the frames of this thread, and ways into one of them, by what every unwinder has. The processor's part is
 * which registers calls keep, and to have them again. A walk does not read these, since few frames are gone to: that would be
 * most of what it costs beside the unwinder. */
#include "runtime/eh/fault.h"
#include "runtime/eh/unwind/lsda.h"
#include "runtime/eh/unwind/unwind.h"

#if defined(__x86_64__)
static const int kept[] = {3, 6, 12, 13, 14, 15}; /* RBX, RBP, R12 … R15 (System V ABI, figure 3.36) */
#elif defined(__aarch64__)
static const int kept[] = {19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29};
#endif

enum { KEPT = sizeof kept / sizeof kept[0], AT_FAULT = 1 };

/* Where faults are raised from, in programs that have any. */
extern void circeh_fault_thunk(void) __attribute__((weak, visibility("hidden")));

typedef struct Walk {
	CircFrame *at, *end;
	bool below;    /* in what only walks */
	bool in_thunk; /* the frame before */
} Walk;

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *user)
{
	Walk *w = user;
	int at_fault = 0;
	if (w->below) {
		w->below = false;
		return _URC_NO_REASON;
	}
	if (w->at == w->end)
		return _URC_END_OF_STACK;
	CircFrame *f = w->at++;
	*f = (CircFrame){
	    .pc = _Unwind_GetIPInfo(context, &at_fault),
	    .sp = _Unwind_GetCFA(context),
	    .function = _Unwind_GetRegionStart(context),
	    .table = (uintptr_t)_Unwind_GetLanguageSpecificData(context),
	};
	f->flags = at_fault ? AT_FAULT : 0;
	f->pc -= w->in_thunk ? FAULT_INSIDE : 0;
	w->in_thunk = f->function && f->function == (uintptr_t)circeh_fault_thunk;
	return _URC_NO_REASON;
}

__attribute__((noinline)) size_t circ_frames(CircFrame *frames, size_t max)
{
	Walk w = {.at = frames, .end = frames + max, .below = true};
	_Unwind_Backtrace(step, &w);
	return (size_t)(w.at - frames);
}

void *circ_frame_label(const CircFrame *f)
{
	Lsda lsda;
	LsdaSite site;
	LsdaBases bases = {.function = f->function};
	if (!f->table)
		return NULL;
	circeh_lsda_open(&lsda, (const uint8_t *)f->table, &bases);
	uintptr_t pc = f->flags & AT_FAULT ? f->pc : f->pc - 1;
	return circeh_lsda_find(&lsda, pc, &site) ? (void *)site.pad : NULL;
}

bool circ_frame_name(const CircFrame *f, char *out, size_t size)
{
	CircehPlace place;
	if (f->function && circeh_symbol((const void *)f->function, out, size))
		return true;
	if (circeh_frame_place(f, &place) && place.function[0])
		return circeh_join(out, size, place.function, "");
	return circeh_place((const void *)f->pc, out, size);
}

/* A frame, as its function has it while it waits for its callee. */
typedef struct Waiting {
	uintptr_t sp;
	uintptr_t registers[KEPT];
} Waiting;

static Waiting waiting(struct _Unwind_Context *context)
{
	Waiting w = {.sp = _Unwind_GetCFA(context)};
	for (size_t i = 0; i < KEPT; i++)
		w.registers[i] = _Unwind_GetGR(context, kept[i]);
	return w;
}

/* A landing pad finds the exception in RAX and the selector in RDX, whatever was in the others is gone. */
static _Noreturn void enter(const Waiting *w, void *label, void *exception)
{
#if defined(__x86_64__)
	_Static_assert(offsetof(Waiting, sp) == 0 && offsetof(Waiting, registers) == 8, "below");
	__asm__ volatile("movq 8(%%rsi), %%rbx\n\t"
	                 "movq 16(%%rsi), %%rbp\n\t"
	                 "movq 24(%%rsi), %%r12\n\t"
	                 "movq 32(%%rsi), %%r13\n\t"
	                 "movq 40(%%rsi), %%r14\n\t"
	                 "movq 48(%%rsi), %%r15\n\t"
	                 "movq (%%rsi), %%rsp\n\t"
	                 "jmpq *%%rcx"
	                 :
	                 : "S"(w), "c"(label), "a"(exception), "d"((intptr_t)0)
	                 : "memory");
	__builtin_unreachable();
#elif defined(__aarch64__)
	/* X0 and X1 there. The vector registers D8 to D15 are not the unwinder's to tell. */
	_Static_assert(offsetof(Waiting, sp) == 0 && offsetof(Waiting, registers) == 8, "below");
	register uintptr_t x0 __asm__("x0") = (uintptr_t)exception;
	register uintptr_t x1 __asm__("x1") = 0;
	register const Waiting *x2 __asm__("x2") = w;
	register void *x3 __asm__("x3") = label;
	__asm__ volatile("ldp x19, x20, [x2, #8]\n\t"
	                 "ldp x21, x22, [x2, #24]\n\t"
	                 "ldp x23, x24, [x2, #40]\n\t"
	                 "ldp x25, x26, [x2, #56]\n\t"
	                 "ldp x27, x28, [x2, #72]\n\t"
	                 "ldr x29, [x2, #88]\n\t"
	                 "ldr x4, [x2]\n\t"
	                 "mov sp, x4\n\t"
	                 "br x3"
	                 :
	                 : "r"(x0), "r"(x1), "r"(x2), "r"(x3)
	                 : "memory");
	__builtin_unreachable();
#else
	(void)w;
	(void)label;
	(void)exception;
	circeh_fatal("circ_frame_branch() is not there for this processor");
#endif
}

typedef struct Search {
	const CircFrame *to;
	bool found;
	Waiting frame;
} Search;

static _Unwind_Reason_Code look(struct _Unwind_Context *context, void *user)
{
	Search *s = user;
	if (_Unwind_GetCFA(context) != s->to->sp)
		return _URC_NO_REASON;
	s->found = true;
	s->frame = waiting(context);
	return _URC_END_OF_STACK;
}

_Noreturn void circ_frame_branch(const CircFrame *f, void *label, void *exception)
{
	Search s = {.to = f};
	_Unwind_Backtrace(look, &s);
	if (!s.found)
		circeh_fatal("circ_frame_branch(): the frame is no longer on the stack");
	enter(&s.frame, label, exception);
}

/* Unwinding by force up to a frame. It lies beside the stack, which is used anew on the way. */
typedef struct Way {
	struct _Unwind_Exception native;
	uintptr_t sp;
	void *label, *exception;
} Way;

static _Unwind_Reason_Code stop(int version, _Unwind_Action actions, _Unwind_Exception_Class kind,
                                struct _Unwind_Exception *native, struct _Unwind_Context *context, void *user)
{
	(void)version;
	(void)kind;
	(void)native;
	Way *way = user;
	if (actions & _UA_END_OF_STACK)
		circeh_fatal("circ_frame_unwind(): the frame is no longer on the stack");
	if (_Unwind_GetCFA(context) != way->sp)
		return _URC_NO_REASON;
	Way here = *way;
	Waiting frame = waiting(context);
	circeh_free(way);
	enter(&frame, here.label, here.exception);
}

_Noreturn void circ_frame_unwind(const CircFrame *f, void *label, void *exception)
{
	Way *way = circeh_allocate(sizeof *way);
	way->sp = f->sp;
	way->label = label;
	way->exception = exception;
	way->native.exception_class = CIRCEH_WAY_CLASS;
	way->native.exception_cleanup = circeh_refuse_way;
	_Unwind_ForcedUnwind(&way->native, stop, way);
	circeh_fatal("circ_frame_unwind() cannot unwind");
}
