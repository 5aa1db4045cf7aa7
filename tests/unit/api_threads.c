/* The library on many threads at once, a module on each; worth most under the thread sanitizer (preset tsan). */
#include "api_common.h"

#include <pthread.h>

enum { THREADS = 8, ROUNDS = 3 };

/* Valgrind runs one thread at a time, and LLVM slowly. */
static unsigned how_many(unsigned n)
{
	return getenv("CIRC_VALGRIND") ? (n + 3) / 4 : n;
}

/* Records, a class caught by base, a cleanup, a loop, a string, locations: so that each
 * pass has something to do. */
static const char program[] =
    "!s32i = !cir.int<s, 32>\n"
    "!u8i = !cir.int<u, 8>\n"
    "!rec_Pair = !cir.struct<\"Pair\" {!s32i, !cir.double, !cir.array<!u8i x 20>}>\n"
    "cir.global \"private\" constant external @_ZTIi : !cir.ptr<!u8i>\n"
    "cir.global \"private\" internal @count = #cir.int<3> : !s32i\n"
    "cir.func private @work(!rec_Pair) -> !rec_Pair\n"
    "cir.func private @close(!cir.ptr<!rec_Pair>)\n"
    "cir.func @f(%arg0: !s32i) -> !s32i {\n"
    "  %0 = cir.alloca \"p\" align(8) : !cir.ptr<!rec_Pair> loc(\"f.cpp\":3:7)\n"
    "  %1 = cir.alloca \"n\" align(4) : !cir.ptr<!s32i>\n"
    "  cir.store %arg0, %1 : !s32i, !cir.ptr<!s32i>\n"
    "  cir.try {\n"
    "    cir.cleanup.scope {\n"
    "      %2 = cir.load %0 : !cir.ptr<!rec_Pair>, !rec_Pair\n"
    "      %3 = cir.call @work(%2) : (!rec_Pair) -> !rec_Pair loc(\"f.cpp\":5:1)\n"
    "      cir.store %3, %0 : !rec_Pair, !cir.ptr<!rec_Pair>\n"
    "      cir.yield\n"
    "    } cleanup all {\n"
    "      cir.call @close(%0) : (!cir.ptr<!rec_Pair>) -> ()\n"
    "      cir.yield\n"
    "    }\n"
    "    cir.yield\n"
    "  } catch [type #cir.global_view<@_ZTIi> : !cir.ptr<!u8i>] (%t: !cir.eh_token) {\n"
    "    %4, %5 = cir.begin_catch %t : !cir.eh_token -> (!cir.catch_token, !cir.ptr<!s32i>)\n"
    "    cir.end_catch %4 : !cir.catch_token\n"
    "    cir.yield\n"
    "  }\n"
    "  %6 = cir.load %1 : !cir.ptr<!s32i>, !s32i\n"
    "  cir.return %6 : !s32i\n"
    "}\n";

static const char wrong[] = "cir.func @f() {\n  cir.call @nobody() : () -> ()\n  cir.return\n}\n";

/* What is made of a program: one row of work. */
static const struct Kind {
	CircEmitOptions options;
	CircFormat format;
} kinds[] = {
    {{.triple = "x86_64-pc-linux-gnu"}, CIRC_OBJECT},
    {{.triple = "x86_64-pc-windows-msvc"}, CIRC_OBJECT},
    {{.triple = "x86_64-pc-linux-gnu", .opt = '2', .debug = true}, CIRC_OBJECT},
    {{.triple = "x86_64-w64-windows-gnu", .opt = 's', .cpu = "x86-64-v3", .features = "+avx2"},
     CIRC_ASSEMBLY},
    {{.triple = "x86_64-pc-windows-msvc", .opt = '1', .debug = true}, CIRC_LLVM_IR},
    {{.triple = "x86_64-pc-linux-gnu", .cpu = "native"}, CIRC_BITCODE},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

typedef struct Made {
	char *data;
	size_t len;
} Made;

typedef struct Worker {
	unsigned number;
	Made made[KINDS]; /* by this thread */
	bool ok;
} Worker;

static Made make(const struct Kind *k)
{
	Made made = {NULL, 0};
	CircModule *m = circ_module_parse("f.cir", program, strlen(program), NULL, NULL);
	if (!circ_module_emit_memory(m, &k->options, k->format, &made.data, &made.len))
		made.data = NULL;
	circ_module_destroy(m);
	return made;
}

static bool same(Made a, Made b)
{
	return a.data && b.data && a.len == b.len && memcmp(a.data, b.data, a.len) == 0;
}

/* Messages go to the handler of their module. */
static bool hear_what_is_wrong(void)
{
	Heard h = {.errors = 0};
	CircModule *m = circ_module_parse("wrong.cir", wrong, strlen(wrong), hear, &h);
	bool verified = m && circ_module_verify(m, CIRC_STAGE_STRUCTURED);
	circ_module_destroy(m);
	return !verified && h.errors == 1 && strstr(h.text, "nobody");
}

/* Each thread begins with something else. */
static void *emit_all(void *worker)
{
	Worker *w = worker;
	w->ok = true;
	for (unsigned i = 0; i < how_many(ROUNDS) * KINDS; i++) {
		unsigned k = (w->number + i) % KINDS;
		Made made = make(&kinds[k]);
		if (i < KINDS) {
			w->made[k] = made;
		} else {
			w->ok = same(made, w->made[k]) && w->ok;
			circ_free(made.data);
		}
		w->ok = hear_what_is_wrong() && w->ok;
	}
	return NULL;
}

typedef int Function(int);

/* A JIT of its own, while others have theirs. */
static void *run_all(void *worker)
{
	static const char text[] = "cir.func @own(%x: !cir.int<s, 32>) -> !cir.int<s, 32> {\n"
	                           "  cir.return %x : !cir.int<s, 32>\n"
	                           "}\n";
	Worker *w = worker;
	w->ok = true;
	for (unsigned i = 0; i < how_many(ROUNDS) && w->ok; i++) {
		CircJit *jit = circ_jit_create(NULL, NULL, NULL);
		CircModule *m = circ_module_parse("own.cir", text, strlen(text), NULL, NULL);
		bool added = circ_jit_add_module(jit, m) != NULL;
		circ_module_destroy(m);
		void *address = added ? circ_jit_lookup(jit, "own") : NULL;
		Function *own;
		memcpy(&own, &address, sizeof own);
		w->ok = own && own((int)w->number) == (int)w->number;
		circ_jit_destroy(jit);
	}
	return NULL;
}

static void on_all_threads(void *(*run)(void *), Worker workers[THREADS])
{
	pthread_t threads[THREADS];
	bool started[THREADS];
	for (unsigned i = 0; i < how_many(THREADS); i++) {
		workers[i] = (Worker){.number = i};
		started[i] = EXPECT(pthread_create(&threads[i], NULL, run, &workers[i]) == 0);
	}
	for (unsigned i = 0; i < how_many(THREADS); i++) {
		if (started[i])
			pthread_join(threads[i], NULL);
		EXPECT(workers[i].ok);
	}
}

/* The very first emissions of the process are among them, which set up LLVM's targets. */
TEST(a_module_on_each_thread)
{
	static Worker workers[THREADS];
	on_all_threads(emit_all, workers);
	for (unsigned k = 0; k < KINDS; k++) {
		for (unsigned i = 1; i < how_many(THREADS); i++)
			EXPECT(same(workers[0].made[k], workers[i].made[k]));
		Made alone = make(&kinds[k]);
		EXPECT(same(workers[0].made[k], alone));
		circ_free(alone.data);
	}
	for (unsigned i = 0; i < how_many(THREADS); i++)
		for (unsigned k = 0; k < KINDS; k++)
			circ_free(workers[i].made[k].data);
}

TEST(a_jit_on_each_thread)
{
	static Worker workers[THREADS];
	on_all_threads(run_all, workers);
}
