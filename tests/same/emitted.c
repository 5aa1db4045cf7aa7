/* emitted library|newest|jit TRIPLE O[g] FOLDER FILE.cir...: what libcirc makes of each file, all in one process, as FOLDER/NAME.o; what it
 * refuses makes none. TRIPLE: `host` for the host's; O: a level, with `g` behind it for debug information.
 *
 * library   circ_module_emit_memory(), every module in one thread, a clone of it in another: they must make the same
 * newest    as library, each text read as CIRC_DIALECT_NEWEST
 * jit       the object that the JIT is given of the module, before it is fitted to the process: which weak definitions
 *           count, where frame tables end (jit/object.h)
 */
#include "jit/jit.h"

#include <circ/circ.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Bytes {
	char *data; /* malloc'ed, or NULL: refused */
	size_t len;
} Bytes;

typedef struct Work {
	const char *triple;
	char opt;
	bool debug;
	CircDialect dialect;
	char **files;
	int nfiles;
	Bytes *made;
} Work;

static Bytes copy(const char *data, size_t len)
{
	Bytes b = {malloc(len + 1), len};
	if (!b.data)
		abort();
	memcpy(b.data, data, len);
	return b;
}

static Bytes read_whole(const char *path)
{
	static char text[1 << 24];
	FILE *f = fopen(path, "rb");
	size_t len = f ? fread(text, 1, sizeof text, f) : 0;
	if (!f || len == sizeof text) {
		fprintf(stderr, "emitted: cannot read %s\n", path);
		exit(1);
	}
	fclose(f);
	return copy(text, len);
}

/* Modules are read before there are threads. */
static CircModule *parse(const Work *w, const char *path, const Bytes *text)
{
	return circ_module_parse_as(w->dialect, path, text->data, text->len, NULL, NULL);
}

/* The library */

typedef struct Thread {
	const Work *work;
	Bytes *texts, *made;
	bool clones;
} Thread;

/* The original is lowered for another target meanwhile, and gone before the clone is emitted. */
static CircModule *clone_of(CircModule *m)
{
	CircModule *copy = m ? circ_module_clone(m, NULL, NULL) : NULL;
	if (m)
		circ_module_flatten(m);
	circ_module_destroy(m);
	return copy;
}

static void *emit_each(void *thread)
{
	Thread *t = thread;
	const Work *w = t->work;
	CircEmitOptions options = {.triple = w->triple, .opt = w->opt, .debug = w->debug};
	for (int i = 0; i < w->nfiles; i++) {
		char *data = NULL;
		size_t len = 0;
		CircModule *m = parse(w, w->files[i], &t->texts[i]);
		if (t->clones)
			m = clone_of(m);
		if (m && circ_module_emit_memory(m, &options, CIRC_OBJECT, &data, &len))
			t->made[i] = copy(data, len);
		circ_free(data);
		circ_module_destroy(m);
	}
	return NULL;
}

static bool agree(const Bytes *a, const Bytes *b)
{
	return !a->data ? !b->data : b->data && a->len == b->len && memcmp(a->data, b->data, a->len) == 0;
}

static bool emit_twice(Work *w, Bytes *texts, Bytes *other)
{
	Thread threads[2] = {{w, texts, w->made, false}, {w, texts, other, true}};
	pthread_t id;
	if (pthread_create(&id, NULL, emit_each, &threads[1]) != 0)
		return false;
	emit_each(&threads[0]);
	pthread_join(id, NULL);
	bool same = true;
	for (int i = 0; i < w->nfiles; i++) {
		if (!agree(&w->made[i], &other[i])) {
			fprintf(stderr, "%s: a clone makes another object\n", w->files[i]);
			same = false;
		}
	}
	return same;
}

/* The JIT */

static Bytes compiled; /* last */

JitModule *__real_jit_end_module(JitModule *m, Str object, const SymbolUse *uses, size_t nuses, Diags *d);
JitModule *__wrap_jit_end_module(JitModule *m, Str object, const SymbolUse *uses, size_t nuses, Diags *d);

JitModule *__wrap_jit_end_module(JitModule *m, Str object, const SymbolUse *uses, size_t nuses, Diags *d)
{
	free(compiled.data);
	compiled = copy(object.data, object.len);
	return __real_jit_end_module(m, object, uses, nuses, d);
}

static void add_each(Work *w, const Bytes *texts)
{
	CircJitOptions options = {.opt = w->opt, .debug = w->debug};
	for (int i = 0; i < w->nfiles; i++) {
		CircModule *m = parse(w, w->files[i], &texts[i]);
		CircJit *jit = circ_jit_create(&options, NULL, NULL);
		if (m && circ_jit_add_module(jit, m)) {
			w->made[i] = compiled;
			compiled = (Bytes){NULL, 0};
		}
		circ_jit_destroy(jit);
		circ_module_destroy(m);
	}
}

static bool write_each(const Work *w, const char *folder)
{
	for (int i = 0; i < w->nfiles; i++) {
		char path[4096];
		const char *name = strrchr(w->files[i], '/') ? strrchr(w->files[i], '/') + 1 : w->files[i];
		snprintf(path, sizeof path, "%s/%.*s.o", folder, (int)strcspn(name, "."), name);
		FILE *f = w->made[i].data ? fopen(path, "wb") : NULL;
		if (!f && w->made[i].data)
			return false;
		bool written = !f || fwrite(w->made[i].data, 1, w->made[i].len, f) == w->made[i].len;
		bool closed = !f || fclose(f) == 0;
		if (!written || !closed)
			return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	if (argc < 6) {
		fprintf(stderr, "usage: emitted library|newest|jit TRIPLE O[g] FOLDER FILE.cir...\n");
		return 2;
	}
	Work w = {.triple = strcmp(argv[2], "host") ? argv[2] : NULL,
	          .opt = argv[3][0],
	          .debug = argv[3][1] == 'g',
	          .dialect = strcmp(argv[1], "newest") ? CIRC_DIALECT_AUTO : CIRC_DIALECT_NEWEST,
	          .files = argv + 5,
	          .nfiles = argc - 5};
	Bytes *texts = calloc((size_t)w.nfiles, sizeof *texts),
	      *other = calloc((size_t)w.nfiles, sizeof *other);
	w.made = calloc((size_t)w.nfiles, sizeof *w.made);
	if (!texts || !other || !w.made)
		return 1;
	for (int i = 0; i < w.nfiles; i++)
		texts[i] = read_whole(w.files[i]);
	bool ok = true;
	if (strcmp(argv[1], "jit") == 0)
		add_each(&w, texts);
	else
		ok = emit_twice(&w, texts, other);
	ok = write_each(&w, argv[4]) && ok;
	for (int i = 0; i < w.nfiles; i++) {
		free(texts[i].data);
		free(other[i].data);
		free(w.made[i].data);
	}
	free(texts);
	free(other);
	free(w.made);
	return ok ? 0 : 1;
}
