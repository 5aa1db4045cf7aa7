/* unwind_hook.c: gdb's `next`, `step`, `until` and `finish` over calls that throw stop
 * where the exception lands.
 *
 *   gcc -O1 -g -shared -fPIC unwind_hook.c -o unwind_hook.so
 *   (gdb) set environment LD_PRELOAD ./unwind_hook.so
 *
 * gdb learns where an exception lands from libgcc's unwinder: from its probe "libgcc:unwind", or from the
 * debug information of its function _Unwind_DebugHook (check_exception_resume in gdb/infrun.c). Many libgcc
 * have neither, libunwind never has. Personality routines tell every unwinder where to land through
 * _Unwind_SetIP (Itanium C++ ABI: Exception Handling, 1.5, Context Management); in front of that one, here,
 * stands such a function, with debug information. For programs that the dynamic loader starts.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

struct _Unwind_Context;
typedef uintptr_t GetCfa(struct _Unwind_Context *context);
typedef void SetIp(struct _Unwind_Context *context, uintptr_t ip);

void _Unwind_DebugHook(void *cfa, void *handler);
SetIp _Unwind_SetIP;

/* gdb has a breakpoint here, and looks at the second parameter: where execution goes on. */
__attribute__((noinline)) void _Unwind_DebugHook(void *cfa, void *handler)
{
	__asm__ volatile("" : : "r"(cfa), "r"(handler));
}

/* The unwinder's; looked for each time, since dlsym() is little beside what a throw costs. */
static void *next_of(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

void _Unwind_SetIP(struct _Unwind_Context *context, uintptr_t ip)
{
	void *found[] = {next_of("_Unwind_GetCFA"), next_of("_Unwind_SetIP")};
	GetCfa *get_cfa;
	SetIp *set_ip;
	memcpy(&get_cfa, &found[0], sizeof get_cfa); /* ISO C has no such cast, POSIX has such functions */
	memcpy(&set_ip, &found[1], sizeof set_ip);
	_Unwind_DebugHook((void *)get_cfa(context), (void *)ip);
	set_ip(context, ip);
}
