/* jit/code.c: where code that was linked is; whoever wants to know is told. */
#include "jit/internal.h"

#include "jit/object.h"

#include <stdio.h>
#include <stdlib.h>

/* Of the unwinder that frame tables are registered with, libgcc's or libunwind's; both say in bases what the FDE is for. */
typedef struct FrameBases {
	void *text, *data, *function;
} FrameBases;
extern const void *_Unwind_Find_FDE(void *pc, FrameBases *bases);

void *jit_look_up(Jit *j, const char *name, Diags *d)
{
	LLVMOrcExecutorAddress address = 0;
	return jit_check(jit_debug_look_up(j, &address, name), d, "look up a symbol")
	           ? (void *)(uintptr_t)address
	           : NULL;
}

void *jit_code_address(JitModule *m, const char *symbol, Diags *d)
{
	return jit_look_up(m->jit, symbol, d);
}

void jit_set_code_hook(Jit *j, JitCodeHook *hook, void *user)
{
	jit_enter(j, NULL);
	j->code_hook = hook;
	j->code_user = user;
	jit_leave(j);
}

bool jit_name_code(JitModule *m, Diags *d)
{
	ObjectSection at = {0};
	char name[64];
	while (object_next_code((Str){m->object, m->object_len}, &at)) {
		snprintf(name, sizeof name, "circ.jit.code.%llu.%zu", (unsigned long long)m->number,
		         at.index);
		switch (object_add_symbol(&m->object, &m->object_len, at.index, name)) {
		case OBJECT_NO_MEMORY:
			return jit_no_memory(d);
		case OBJECT_TOO_MANY_SECTIONS: /* the code handler does not hear of its functions */
			return true;
		default:
			break;
		}
	}
	return true;
}

bool jit_keep_object(JitModule *m, Diags *d)
{
	if (!m->jit->code_hook || m->lazy) /* stubs are nobody's functions */
		return true;
	m->linked_object = malloc(m->object_len);
	if (!m->linked_object)
		return jit_no_memory(d);
	memcpy(m->linked_object, m->object, m->object_len);
	char prefix[64]; /* who explains it knows functions by their own names */
	snprintf(prefix, sizeof prefix, "%s%llu.", JIT_LOCAL_PREFIX,
	         (unsigned long long)jit_whole(m)->number);
	if (m->whole)
		object_strip_prefix(m->linked_object, m->object_len, prefix);
	return true;
}

bool jit_tell_of_code(JitModule *m, Diags *d)
{
	Jit *j = m->jit;
	if (!m->linked_object)
		return true;
	Str object = {m->linked_object, m->object_len};
	if (j->code_hook && !j->code_hook(m, object, j->code_user, d))
		return false;
	free(m->linked_object);
	m->linked_object = NULL;
	return true;
}

void jit_keep_code(JitModule *m, void *code, JitDrop *drop)
{
	m->code = code;
	m->drop_code = drop;
}

/* An FDE begins with the number of bytes that follow (LSB 5.0 Core, 10.6.1.2). */
const void *jit_unwind_info(const void *function, size_t *size)
{
	FrameBases bases = {0};
	uint32_t length = 0;
	const void *fde = _Unwind_Find_FDE((void *)(uintptr_t)function, &bases);
	if (fde)
		memcpy(&length, fde, sizeof length);
	*size = fde ? sizeof length + (size_t)length : 0;
	return fde;
}
