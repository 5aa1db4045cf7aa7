/* runtime/windows/crt.h: what the pieces of libcircrt use of each other and of Windows.
 *
 * libcircrt (circrt.lib) is the part of the Microsoft C runtime that is linked statically: what a program
 * needs beside ucrtbase.dll and vcruntime140.dll, which have the rest. It is compiled by clang for
 * x86_64-pc-windows-msvc, against no headers but the compiler's own, so everything of Windows is declared
 * here. Names, types and values are Microsoft's, as its documentation and its objects show them.
 *
 * Every file is one piece, which is in a program only when something there refers to it.
 */
#ifndef CIRCRT_CRT_H
#define CIRCRT_CRT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t DWORD;
typedef int32_t LONG;

typedef void CrtFunction(void);
typedef int CrtCheckedFunction(void); /* 0: all is well */

typedef void TlsCallback(void *module, DWORD reason, void *reserved);

/* A pointer in one of the arrays that the linker puts together from the sections of all objects, in the order
 * of the letters behind '$'. (https://learn.microsoft.com/cpp/c-runtime-library/crt-initialization) */
#define CRT_ENTRY(section_name) __attribute__((section(section_name), used))

/* init.c */
bool crt_run_initializers(void);

/* atexit.c */
int atexit(CrtFunction *f);
bool crt_in_dll(void);
void crt_own_exit_table(
    void); /* in a DLL, before its initialisers: what is registered runs when it is unloaded */
void crt_run_exit_table(void);

/* unhandled.c */
void crt_filter_unhandled(void);

/* The entry points, which the linker knows by name. */
int mainCRTStartup(void);
int wmainCRTStartup(void);
int _DllMainCRTStartup(void *module, DWORD reason, void *reserved);

/* exe.c: what both entry points do before and after main. */
int crt_run_program(int (*call_main)(void));

/* --- ucrtbase.dll --- */

typedef struct OnexitTable {
	CrtFunction **first, **last, **end;
} OnexitTable;

typedef enum AppType { APP_UNKNOWN, APP_CONSOLE, APP_GUI } AppType;
typedef enum ArgvMode { ARGV_NONE, ARGV_UNEXPANDED, ARGV_EXPANDED } ArgvMode;

typedef struct FILE FILE;
typedef struct ExceptionPointers ExceptionPointers;

void _set_app_type(AppType type);
int _seh_filter_exe(DWORD code, ExceptionPointers *info);
int _configure_narrow_argv(ArgvMode mode);
int _initialize_narrow_environment(void);
char **_get_initial_narrow_environment(void);
int *__p___argc(void);
char ***__p___argv(void);
int _configure_wide_argv(ArgvMode mode);
int _initialize_wide_environment(void);
wchar_t **_get_initial_wide_environment(void);
wchar_t ***__p___wargv(void);

void _initterm(CrtFunction **first, CrtFunction **last);
int _initterm_e(CrtCheckedFunction **first, CrtCheckedFunction **last);
int _crt_atexit(CrtFunction *f);
void _register_thread_local_exe_atexit_callback(TlsCallback *f);
int _initialize_onexit_table(OnexitTable *table);
int _register_onexit_function(OnexitTable *table, CrtFunction *f);
int _execute_onexit_table(OnexitTable *table);

_Noreturn void exit(int status);
_Noreturn void _exit(int status);
_Noreturn void terminate(void);

void *malloc(size_t size);
void free(void *p);
void *_aligned_malloc(size_t size, size_t align);
void _aligned_free(void *p);
int _callnewh(size_t size); /* calls the new-handler; 0: there is none */

FILE *__acrt_iob_func(unsigned n); /* 0 stdin, 1 stdout, 2 stderr */
int fputs(const char *text, FILE *f);

/* --- vcruntime140.dll --- */

_Noreturn void _CxxThrowException(void *object, const void *throw_info);

/* --- kernel32.dll --- */

typedef void *SrwLock;           /* SRWLOCK */
typedef void *ConditionVariable; /* CONDITION_VARIABLE */

enum { INFINITE = -1 };

typedef enum LoaderReason {
	PROCESS_DETACH,
	PROCESS_ATTACH,
	THREAD_ATTACH,
	THREAD_DETACH,
} LoaderReason;

typedef LONG UnhandledFilter(ExceptionPointers *info);

UnhandledFilter *SetUnhandledExceptionFilter(UnhandledFilter *filter);
void AcquireSRWLockExclusive(SrwLock *lock);
void ReleaseSRWLockExclusive(SrwLock *lock);
int SleepConditionVariableSRW(ConditionVariable *variable, SrwLock *lock, DWORD milliseconds, DWORD flags);
void WakeAllConditionVariable(ConditionVariable *variable);

#endif
