/* msvc.c: records for windows-msvc what the system asks __CxxFrameHandler3 and __C_specific_handler, what is raised, and which
 * funclets run. The program's own definitions come before those of the import libraries.
 *
 * Handlers call funclets themselves, so a funclet is seen when it begins: a breakpoint stands at each address that the file
 * $CIRC_TRUTH_CODE has, which the judge writes. It steps over the instruction and is set again. */
#include "handler.h"

_Noreturn void abort(void);
void *bsearch(const void *key, const void *elements, size_t n, size_t size,
              int (*compare)(const void *, const void *));

extern char image[] __asm__("__ImageBase");

typedef struct ThrowInfo {
	uint32_t attributes, destructor, forward, catchable_types;
} ThrowInfo;

typedef struct CatchableType {
	uint32_t properties, descriptor;
} CatchableType;

typedef struct TypeDescriptor {
	const void *vftable;
	char *undecorated;
	char name[1];
} TypeDescriptor;

static void add_types(Record *r, uintptr_t module, const ThrowInfo *info)
{
	const uint32_t *types = (const uint32_t *)(module + info->catchable_types);
	record_add(r, "{\"attributes\":%u,\"names\":[", info->attributes);
	for (uint32_t i = 0; i < types[0]; i++) {
		const CatchableType *type = (const CatchableType *)(module + types[i + 1]);
		record_add(r, i ? "," : "");
		record_add_text(r, ((const TypeDescriptor *)(module + type->descriptor))->name);
	}
	record_add(r, "]");
}

/* null: it is not of C++; {}: what is handled is thrown on. */
static void add_type(Record *r, const ExceptionRecord *e)
{
	if (e->code != CXX_EXCEPTION || e->nparameters < 4) {
		record_add(r, "null");
		return;
	}
	if (e->parameters[2])
		add_types(r, e->parameters[3], (const ThrowInfo *)e->parameters[2]);
	else
		record_add(r, "{");
	record_add(r, "}");
}

LanguageHandler __CxxFrameHandler3, __C_specific_handler;
LanguageHandler truth_C_specific_handler; /* tests/e2e/support/seh_handler.cpp */

int __CxxFrameHandler3(ExceptionRecord *e, void *frame, Context *context, Dispatch *dispatch)
{
	static LanguageHandler *real;
	if (!real)
		real = (LanguageHandler *)GetProcAddress(GetModuleHandleA("vcruntime140.dll"),
		                                         "__CxxFrameHandler3");
	return record_handler("__CxxFrameHandler3", real, add_type, e, frame, context, dispatch);
}

int __C_specific_handler(ExceptionRecord *e, void *frame, Context *context, Dispatch *dispatch)
{
	return record_handler("__C_specific_handler", truth_C_specific_handler, add_type, e, frame, context,
	                      dispatch);
}

/* --- breakpoints --- */

enum { MAX_POINTS = 16384, INT3 = 0xcc, TRAP_FLAG = 0x100, RSP = 4 };

typedef struct Point {
	uint32_t offset;
	uint8_t byte;
} Point;

static Point points[MAX_POINTS]; /* ascending */
static size_t npoints;
static const Point *stepping;

static int compare_points(const void *key, const void *point)
{
	uint32_t a = *(const uint32_t *)key, b = ((const Point *)point)->offset;
	return a < b ? -1 : a > b;
}

static const Point *find_point(uint64_t address)
{
	uint32_t offset = (uint32_t)(address - (uintptr_t)image);
	return address - (uintptr_t)image > UINT32_MAX
	           ? NULL
	           : bsearch(&offset, points, npoints, sizeof *points, compare_points);
}

static void put_byte(const Point *p, uint8_t byte)
{
	*(volatile uint8_t *)((uintptr_t)image + p->offset) = byte;
}

static int32_t on_breakpoint(Context *context)
{
	Record r = {.n = 0};
	const Point *p = find_point(context->rip);
	if (!p)
		p = find_point(context->rip - 1);
	if (!p)
		return VECTORED_CONTINUE_SEARCH;
	record_add(&r, "{\"enter\":%u,\"sp\":%llu}", p->offset, (unsigned long long)context->registers[RSP]);
	record_write(&r);
	put_byte(p, p->byte);
	stepping = p;
	context->rip = (uintptr_t)image + p->offset;
	context->eflags |= TRAP_FLAG;
	return VECTORED_CONTINUE_EXECUTION;
}

static int32_t on_step(Context *context)
{
	if (!stepping)
		return VECTORED_CONTINUE_SEARCH;
	put_byte(stepping, INT3);
	stepping = NULL;
	context->eflags &= ~(uint32_t)TRAP_FLAG;
	return VECTORED_CONTINUE_EXECUTION;
}

static int32_t on_exception(ExceptionPointers *pointers)
{
	const ExceptionRecord *e = pointers->record;
	if (e->code == EXCEPTION_BREAKPOINT)
		return on_breakpoint(pointers->context);
	if (e->code == EXCEPTION_SINGLE_STEP)
		return on_step(pointers->context);
	Record r = {.n = 0};
	record_add(&r, "{\"raise\":%u,\"code\":%u,\"type\":", record_next(), e->code);
	add_type(&r, e);
	record_add(&r, "}");
	record_write(&r);
	return VECTORED_CONTINUE_SEARCH;
}

static void plant(uint32_t offset)
{
	uint32_t former;
	uint8_t *at = (uint8_t *)(uintptr_t)image + offset;
	if (npoints == MAX_POINTS || (npoints && points[npoints - 1].offset >= offset))
		abort();
	if (!VirtualProtect(at, 1, PAGE_EXECUTE_READWRITE, &former))
		abort();
	points[npoints++] = (Point){offset, *at};
	put_byte(&points[npoints - 1], INT3);
}

/* The file has the offsets as little-endian words of 32 bits. */
__attribute__((constructor)) static void plant_all(void)
{
	char path[1024];
	uint32_t offset, got;
	if (!GetEnvironmentVariableA("CIRC_TRUTH_CODE", path, sizeof path))
		abort();
	void *file = CreateFileA(path, (uint32_t)GENERIC_READ, FILE_SHARE_ALL, NULL, OPEN_EXISTING, 0, NULL);
	if (file == INVALID_HANDLE)
		abort();
	while (ReadFile(file, &offset, sizeof offset, &got, NULL) && got == sizeof offset)
		plant(offset);
	CloseHandle(file);
	AddVectoredExceptionHandler(1, on_exception);
}
