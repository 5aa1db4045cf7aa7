/* jit/exceptions.c: what a program links as an archive is in libcirc for code of the JIT: libcircrt, and the static parts of libc and libgcc. */
#include "jit/internal.h"

#include "circ/runtime.h"

#include <stdlib.h>

typedef void Function(void);

typedef struct Row {
	const char *name;
	Function *function;
} Row;

int __circ_personality_v0(void); /* called by unwinders only */

#define ROW(name)                                                                                            \
	{                                                                                                    \
#name, (Function *)name                                                                      \
	}

#ifdef __x86_64__
/* libgcc: what __builtin_cpu_supports() reads. */
extern const unsigned __cpu_model[], __cpu_features2[];
int __cpu_indicator_init(void);
#endif

/* atexit() is not among them: jit/prepare.c. */
static const Row rows[] = {
#ifdef __x86_64__
    ROW(__cpu_indicator_init),
#endif
    ROW(at_quick_exit),
    ROW(pthread_atfork),
    ROW(__circ_personality_v0),
    ROW(circ_throw),
    ROW(circ_throw_noncontinuable),
    ROW(circ_set_release),
    ROW(circ_record),
    ROW(circ_allocate_exception),
    ROW(circ_free_exception),
    ROW(circ_rethrow),
    ROW(circ_end_catch),
    ROW(circ_begin_catch),
    ROW(circ_drop),
    ROW(circ_terminate),
    ROW(circ_set_match),
    ROW(circ_match_default),
    ROW(circ_set_throw_hook),
    ROW(circ_set_unhandled),
    ROW(circ_set_describe),
    ROW(circ_set_replaced),
    ROW(circ_frame_branch),
    ROW(circ_frames),
    ROW(circ_frame_label),
    ROW(circ_frame_name),
    ROW(circ_frame_unwind),
    ROW(circ_frame_source),
    ROW(circ_object_as),
    ROW(circ_raise),
    ROW(circ_fault_maps_register),
    ROW(circ_fault_maps_unregister),
    ROW(circ_faults_install),
    ROW(circ_faults_thread),
    ROW(circ_faults_register),
    ROW(circ_faults_register_code),
    ROW(circ_faults_unregister),
};

static const struct {
	const char *name;
	const void *address;
} data[] = {
#ifdef __x86_64__
    {"__cpu_model", __cpu_model}, {"__cpu_features2", __cpu_features2},
#endif
#define TYPE(name)                                                                                           \
	{                                                                                                    \
#name, &name                                                                                 \
	}
    TYPE(circ_type_fault),        TYPE(circ_type_access),
    TYPE(circ_type_zero),         TYPE(circ_type_overflow),
    TYPE(circ_type_bounds),       TYPE(circ_type_conversion),
    TYPE(circ_type_store),
};

void *jit_find_in_archives(const char *name)
{
	void *address = NULL;
	for (size_t i = 0; i < ARRAY_LEN(data); i++)
		if (strcmp(data[i].name, name) == 0)
			memcpy(&address, &data[i].address, sizeof address);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (strcmp(rows[i].name, name) == 0)
			memcpy(&address, &rows[i].function, sizeof address);
	return address;
}
