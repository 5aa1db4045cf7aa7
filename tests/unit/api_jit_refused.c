/* The public interface: systems that give no memory for code (seccomp here; also SELinux, and systemd's MemoryDenyWriteExecute=). */
#include "api_jit_lazy.h"

#include <errno.h>
#include <stddef.h>

#ifdef __x86_64__

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* mmap(), mprotect(): the third argument has PROT_EXEC. Of the calling thread, and those that it starts. */
static bool refuse_code(void)
{
	struct sock_filter program[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 1, 0),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 3),
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
	    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog all = {sizeof program / sizeof *program, program};
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all) == 0;
}

static void *refused(void *run)
{
	EXPECT(refuse_code());
	as_function(run)(0);
	return NULL;
}

static void run_refused(Function *run)
{
	pthread_t thread;
	if (EXPECT(pthread_create(&thread, NULL, refused, as_address(run)) == 0))
		pthread_join(thread, NULL);
}

static CircJit *jit;

static int look_up(int n)
{
	EXPECT(circ_jit_lookup(jit, "third") == NULL);
	return n;
}

TEST(a_module_that_gets_no_memory_for_its_code_is_reported_and_can_be_removed)
{
	Heard h = {.errors = 0};
	jit = circ_jit_create(NULL, hear, &h);
	add(jit, throws, &h);
	Function *thrown = find(jit, "thrown");
	CircJitModule *m = add(jit, chain, &h);
	run_refused(look_up);
	EXPECT_CONTAINS(h.text, "ermission denied");
	EXPECT_EQ(h.errors, 0);
	EXPECT(h.failures > 0);
	forget(&h);
	EXPECT(circ_jit_remove_module(jit, m));
	add(jit, chain, &h);
	EXPECT_EQ(find(jit, "first")(1), 2);
	EXPECT_EQ(thrown(5), 5);
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}

static const char handles[] = "!s32i = !cir.int<s, 32>\n"
                              "!type = !cir.func<(!s32i)>\n"
                              "!ptr = !cir.ptr<!type>\n"
                              "cir.func private @signal(!s32i, !ptr) -> !ptr\n"
                              "cir.func @handle(%x: !s32i) -> !s32i {\n"
                              "  %ten = cir.const #cir.int<10> : !s32i\n" /* SIGUSR1 */
                              "  %p = cir.get_global @handler : !ptr\n"
                              "  %q = cir.call @signal(%ten, %p) : (!s32i, !ptr) -> !ptr\n"
                              "  cir.return %x : !s32i\n"
                              "}\n"
                              "cir.func internal @handler(%x: !s32i) {\n"
                              "  cir.return\n"
                              "}\n";

/* It is compiled early where a handler of signals is set. The last test: the process has one from then on. */
TEST(a_function_that_got_no_memory_when_it_was_compiled_early_is_compiled_when_it_is_called)
{
	Heard h = {.errors = 0};
	Told told = {.n = 0};
	CircJit *eager = circ_jit_create(NULL, hear, &h);
	jit = open_jit(&h, '0');
	add(eager, handles, &h);
	add(jit, passes, &h);
	circ_jit_set_code_handler(jit, note_code, &told);
	Function *handle = find(eager, "handle"), *outer = find(jit, "outer");
	run_refused(handle);
	EXPECT_STR(told.names, "");
	EXPECT(find(jit, "outer") == outer);
	EXPECT_EQ(outer(21), 42);
	EXPECT_CONTAINS(told.names, "outer");
	circ_jit_destroy(eager);
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}

#endif
