// Faults on ELF, one scenario each: faults.py says what it ends with.
#include "circ/runtime.h"

#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int Function(int *p);
extern "C" {
int load(int *p);
int store(int *p, int v);
long divide(long a, long b);
int plain(int *p);
int flags(int *p);
int plain_with_cleanup(int *p);
int plain_between(int *p);
int plain_recursive(int *p);
int called(Function *f, int *p);
void untaken(int *p);
int precise(int *p, int *m, int n);
int after(int *p, int n);
int many(int *p, const int *m);
extern int seen;
int decide(CircRecord *r);
void nothing() {}
bool deeper();
}

static int depth;
bool deeper()
{
	return depth-- > 0;
}

static thread_local int (*filter)(CircRecord *r);
extern "C" int decide(CircRecord *r)
{
	return filter(r);
}

static int *const null = nullptr;
static size_t page = (size_t)sysconf(_SC_PAGESIZE);

static int *map(int protect)
{
	return (int *)mmap(nullptr, page, protect, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void say(const char *what)
{
	printf("%s\n", what);
	fflush(stdout);
}

static void check(bool ok, const char *what)
{
	if (ok)
		return;
	say(what);
	exit(1);
}

static int show(CircRecord *r)
{
	printf("%x %d %d %d\n", r->code, (int)r->info[0], (int)r->info[1], r->object == nullptr);
	return 1;
}

static void codes()
{
	filter = show;
	int value = 7;
	check(load(&value) == 7 && store(&value, 8) == 8 && value == 8 && divide(7, 2) == 3, "no fault");
	check(load((int *)16) == -2, "load");
	check(store((int *)32, 1) == -2, "store");
	check(load((int *)(1UL << 63)) == -2, "not canonical");
	check(divide(1, 0) == -2, "divide");
	check(divide(-0x7fffffffffffffff - 1, -1) == -2, "overflow");
	int *ro = map(PROT_READ);
	check(load(ro) == 0 && store(ro, 1) == -2 && *ro == 0, "read only");
}

struct Guard {
	~Guard()
	{
		say("~Guard");
	}
};

static int through(int *p)
{
	Guard g;
	return plain(p);
}

static int caught(int *p)
{
	try {
		return plain(p);
	} catch (...) {
		say("catch (...)");
		throw;
	}
}

static void may_fault()
{
	filter = show;
	int value = 7;
	check(plain(&value) == 14 && called(plain, &value) == 14, "no fault");
	check(called(plain, null) == -2, "called");
	check(called(plain_with_cleanup, null) == -2, "with a cleanup");
	check(called(plain_between, null) == -2, "between calls of a handler");
	depth = 1;
	check(called(plain_recursive, null) == -2, "where a call of itself returns to");
	check(called(through, null) == -2, "through");
	check(called(caught, null) == -2, "caught");
}

static std::atomic<int> repaired;

static int repair(CircRecord *r)
{
	mprotect((void *)(r->info[1] & ~(page - 1)), page, PROT_READ | PROT_WRITE);
	repaired++;
	return CIRC_CONTINUE_EXECUTION;
}

static void repair_loop(int times)
{
	filter = repair;
	int *p = map(PROT_NONE);
	for (int i = 0; i < times; i++) {
		mprotect(p, page, PROT_NONE);
		if (i % 3 == 0)
			check(store(p, i) == i && *p == i, "store again");
		else if (i % 3 == 1)
			check(load(p) == i - 1, "load again");
		else
			check(called(plain, p) == 2 * (i - 2), "plain again");
	}
	munmap(p, page);
}

static void *repair_thread(void *times)
{
	repair_loop(*(int *)times);
	return nullptr;
}

static void repairs(int times, int nthreads)
{
	pthread_t threads[64];
	for (int i = 0; i < nthreads; i++)
		pthread_create(&threads[i], nullptr, repair_thread, &times);
	for (int i = 0; i < nthreads; i++)
		pthread_join(threads[i], nullptr);
	printf("%d\n", (int)repaired);
}

static sigjmp_buf out;
static int calls;

static void former(int, siginfo_t *, void *)
{
	calls++;
	siglongjmp(out, 1);
}

static void plain_former(int)
{
	calls++;
	siglongjmp(out, 1);
}

static void set(int signal, void (*f)(int, siginfo_t *, void *), int flags, struct sigaction *old)
{
	struct sigaction a = {};
	a.sa_sigaction = f;
	a.sa_flags = flags | SA_SIGINFO;
	sigaction(signal, &a, old);
}

static volatile int *volatile nowhere;

// A fault that is not of our code goes to the former handler, once; ours still are exceptions.
static void faults_elsewhere()
{
	filter = show;
	calls = 0;
	if (!sigsetjmp(out, 1))
		*nowhere = 1;
	check(calls == 1, "C++'s code");
	if (!sigsetjmp(out, 1))
		calls += (int)strlen((const char *)nowhere);
	check(calls == 2, "libc");
	check(load(null) == -2 && calls == 2, "ours");
}

static struct sigaction under;

static void chains(int signal, siginfo_t *info, void *context)
{
	calls++;
	under.sa_sigaction(signal, info, context);
}

static int in_filter(CircRecord *)
{
	return load(null);
}

static int nested_filter(CircRecord *)
{
	filter = show;
	int v = load((int *)4);
	filter = nested_filter;
	return v == -2;
}

static int faulty_filter(CircRecord *)
{
	return *nowhere;
}

static int change(CircRecord *r)
{
	seen = 9;
	return repair(r);
}

static int look(CircRecord *)
{
	printf("seen %d\n", seen);
	return 1;
}

static int recurse(volatile int n)
{
	volatile char room[4096];
	room[0] = (char)n;
	return recurse(n + 1) + room[0];
}

static void used_up(int, siginfo_t *, void *)
{
	static const char text[] = "used up\n";
	_exit(write(1, text, sizeof text - 1) > 0 ? 3 : 4);
}

static void run(const char *name, int times)
{
	if (!strcmp(name, "codes")) {
		codes();
	} else if (!strcmp(name, "may_fault")) {
		may_fault();
	} else if (!strcmp(name, "flags")) {
		filter = repair;
		check(called(flags, map(PROT_NONE)) == 6, "the carry flag");
	} else if (!strcmp(name, "repairs")) {
		repairs(times, 8);
	} else if (!strcmp(name, "elsewhere")) {
		faults_elsewhere();
	} else if (!strcmp(name, "later")) { // somebody else's, later, who calls what was there
		set(SIGSEGV, chains, SA_ONSTACK, &under);
		filter = show;
		check(load(null) == -2 && calls == 1, "chained");
	} else if (!strcmp(name, "replaced")) { // and who does not
		set(SIGSEGV, former, 0, nullptr);
		filter = show;
		if (!sigsetjmp(out, 1))
			load(null);
		check(calls == 1, "replaced");
	} else if (!strcmp(name, "again")) {
		check(circ_faults_install(), "again");
		faults_elsewhere();
	} else if (!strcmp(name, "fork")) {
		filter = show;
		if (!fork()) {
			check(load(null) == -2, "child");
			fflush(stdout);
			_exit(0);
		}
		int status;
		wait(&status);
		check(status == 0 && load(null) == -2, "parent");
	} else if (!strcmp(name, "nested")) {
		filter = nested_filter;
		check(load((int *)8) == -2, "nested");
	} else if (!strcmp(name, "precise")) {
		filter = look;
		int v = 4;
		check(precise(&v, nullptr, 5) == 1 && seen == 1, "no fault");
		printf("%d\n", precise(null, nullptr, 5));
	} else if (!strcmp(name, "many")) {
		static int m[32];
		for (int i = 0; i < 32; i++)
			m[i] = i + 1;
		printf("%d\n", many(null, m));
	} else if (!strcmp(name, "after")) {
		filter = change;
		printf("%d\n", after(map(PROT_NONE), 5));
	} else if (!strcmp(name, "untaken")) {
		untaken(null);
	} else if (!strcmp(name, "filter")) {
		filter = faulty_filter;
		load(null);
	} else if (!strcmp(name, "sent")) { // no fault
		kill(getpid(), SIGSEGV);
	} else if (!strcmp(name, "stack")) {
		return (void)recurse(0);
	}
}

int main(int argc, char **argv)
{
	const char *name = argv[1], *before = argc > 3 ? argv[3] : "";
	struct sigaction a = {};
	if (!strcmp(before, "info"))
		set(SIGSEGV, former, 0, nullptr);
	if (!strcmp(before, "nodefer"))
		set(SIGSEGV, former, SA_NODEFER | SA_ONSTACK, nullptr);
	if (!strcmp(before, "stack"))
		set(SIGSEGV, used_up, SA_ONSTACK, nullptr);
	if (!strcmp(before, "once"))
		set(SIGSEGV, former, (int)SA_RESETHAND, nullptr);
	if (!strcmp(before, "plain") || !strcmp(before, "ignore")) {
		a.sa_handler = before[0] == 'p' ? plain_former : SIG_IGN;
		sigaction(SIGSEGV, &a, nullptr);
	}
	check(circ_faults_install(), "install");
	if (!strcmp(before, "nostack")) {
		stack_t none = {};
		none.ss_flags = SS_DISABLE;
		sigaltstack(&none, nullptr);
	}
	run(name, argc > 2 ? atoi(argv[2]) : 0);
	sigset_t blocked;
	sigprocmask(SIG_BLOCK, nullptr, &blocked);
	check(!sigismember(&blocked, SIGSEGV) && !sigismember(&blocked, SIGALRM), "signals are blocked");
	say("end");
}
