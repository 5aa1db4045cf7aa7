/* windows_api.h: what the recorders use of Windows, whose headers not every compiler for it has. Names of functions are the
 * system's; layouts are those of EXCEPTION_RECORD, CONTEXT and DISPATCHER_CONTEXT of x64. */
#ifndef TRUTH_WINDOWS_API_H
#define TRUTH_WINDOWS_API_H

#include <stddef.h>
#include <stdint.h>

typedef struct ExceptionRecord {
	uint32_t code, flags;
	struct ExceptionRecord *older;
	void *address;
	uint32_t nparameters;
	uintptr_t parameters[15];
} ExceptionRecord;

/* CONTEXT: what is used of it, where it stands. */
typedef struct Context {
	uint64_t homes[6];
	uint32_t flags, mxcsr;
	uint16_t segments[6];
	uint32_t eflags;
	uint64_t debug[6];
	uint64_t registers[16]; /* rax rcx rdx rbx rsp rbp rsi rdi r8 … */
	uint64_t rip;
} Context;

typedef struct RuntimeFunction {
	uint32_t begin, end, unwind;
} RuntimeFunction;

typedef struct Dispatch {
	uint64_t pc, module;
	const RuntimeFunction *function;
	uint64_t frame, target;
	Context *context;
	void *language_handler;
	const void *handler_data;
	void *history;
	uint32_t scope;
} Dispatch;

typedef struct ExceptionPointers {
	ExceptionRecord *record;
	Context *context;
} ExceptionPointers;

enum { UNWINDING = 2, EXIT_UNWIND = 4, TARGET_UNWIND = 0x20 };           /* ExceptionRecord.flags */
enum { CONTINUE_EXECUTION = 0, CONTINUE_SEARCH = 1 };                    /* of a language's handler */
enum { VECTORED_CONTINUE_EXECUTION = -1, VECTORED_CONTINUE_SEARCH = 0 }; /* of a vectored one */
enum {
	FILE_APPEND_DATA = 4,
	FILE_SHARE_ALL = 7,
	OPEN_ALWAYS = 4,
	OPEN_EXISTING = 3,
	GENERIC_READ = (int)0x80000000
};
enum { PAGE_EXECUTE_READWRITE = 0x40 };

#define INVALID_HANDLE        ((void *)(intptr_t)-1)
#define EXCEPTION_BREAKPOINT  0x80000003u
#define EXCEPTION_SINGLE_STEP 0x80000004u
#define CXX_EXCEPTION         0xe06d7363u

typedef int LanguageHandler(ExceptionRecord *record, void *frame, Context *context, Dispatch *dispatch);

uint32_t GetEnvironmentVariableA(const char *name, char *value, uint32_t size);
void *CreateFileA(const char *name, uint32_t access, uint32_t share, void *security, uint32_t how,
                  uint32_t flags, void *like);
int WriteFile(void *file, const void *bytes, uint32_t n, uint32_t *written, void *overlapped);
int ReadFile(void *file, void *bytes, uint32_t n, uint32_t *got, void *overlapped);
int CloseHandle(void *handle);
void *GetModuleHandleA(const char *name);
void *GetProcAddress(void *module, const char *name);
void *AddVectoredExceptionHandler(uint32_t first, int32_t (*handler)(ExceptionPointers *));
int VirtualProtect(void *address, size_t size, uint32_t protection, uint32_t *former);

#endif
