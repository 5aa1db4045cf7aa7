/* Where code may fault: tables that the compiler writes, of places that are relative to themselves; sorted copies of them, found without
 * a lock. A copy is never freed, since a signal handler of another thread may be in it, but taken for the next table that has room in it. */
#include "runtime/eh/fault.h"

#include "runtime/eh/libc.h"
#include <stdatomic.h>

/* As lower/op_async.c writes it. */
typedef struct Entry {
	int32_t begin; /* from here */
	uint32_t size;
} Entry;

typedef struct Range {
	uintptr_t begin, end;
} Range;

typedef struct Table {
	struct Table *older;
	_Atomic(const void *) from; /* null: it is free */
	size_t capacity;
	atomic_uint version; /* odd: it is being written */
	atomic_size_t n;     /* 0: no longer */
	atomic_bool is_code; /* functions, and not operations in them */
	Range ranges[];
} Table;

static _Atomic(Table *) newest;

static void sift(Range *r, size_t at, size_t n)
{
	for (size_t child; (child = 2 * at + 1) < n; at = child) {
		if (child + 1 < n && r[child + 1].begin > r[child].begin)
			child++;
		if (r[at].begin >= r[child].begin)
			return;
		Range larger = r[child];
		r[child] = r[at];
		r[at] = larger;
	}
}

static void sort(Range *r, size_t n)
{
	for (size_t i = n / 2; i-- > 0;)
		sift(r, i, n);
	for (size_t i = n; i-- > 1;) {
		Range last = r[i];
		r[i] = r[0];
		r[0] = last;
		sift(r, 0, i);
	}
}

static Table *reuse(const void *from, size_t n)
{
	for (Table *t = atomic_load(&newest); t; t = t->older) {
		const void *none = NULL;
		if (t->capacity >= n && atomic_compare_exchange_strong(&t->from, &none, from))
			return t;
	}
	return NULL;
}

static Table *allocate(const void *from, size_t n)
{
	Table *t = malloc(sizeof *t + n * sizeof t->ranges[0]);
	if (!t)
		return NULL;
	t->capacity = n;
	atomic_init(&t->from, from);
	atomic_init(&t->version, 0);
	atomic_init(&t->n, 0);
	atomic_init(&t->is_code, false);
	t->older = atomic_load(&newest);
	while (!atomic_compare_exchange_weak(&newest, &t->older, t))
		;
	return t;
}

/* Room for n ranges, which nobody reads until it is closed. NULL: no memory. */
static Table *open_table(const void *from, size_t n, bool is_code)
{
	Table *t = reuse(from, n);
	if (!t)
		t = allocate(from, n);
	if (t) {
		atomic_fetch_add(&t->version, 1);
		atomic_store(&t->is_code, is_code);
	}
	return t;
}

static void close_table(Table *t, size_t n)
{
	sort(t->ranges, n);
	atomic_store(&t->n, n);
	atomic_fetch_add(&t->version, 1);
}

bool circ_faults_register(const void *begin, const void *end)
{
	const Entry *from = begin;
	size_t n = (size_t)((const Entry *)end - from);
	if (n == 0)
		return true;
	Table *t = open_table(begin, n, false);
	if (!t)
		return false;
	for (size_t i = 0; i < n; i++) {
		t->ranges[i].begin = (uintptr_t)&from[i] + (uintptr_t)(intptr_t)from[i].begin;
		t->ranges[i].end = t->ranges[i].begin + from[i].size;
	}
	close_table(t, n);
	return true;
}

bool circ_faults_register_code(const void *begin, const void *end)
{
	Table *t = open_table(begin, 1, true);
	if (!t)
		return false;
	t->ranges[0] = (Range){(uintptr_t)begin, (uintptr_t)end};
	close_table(t, 1);
	return true;
}

void circ_faults_unregister(const void *begin)
{
	for (Table *t = atomic_load(&newest); t; t = t->older)
		if (atomic_load(&t->from) == begin) {
			atomic_store(&t->n, 0);
			atomic_store(&t->from, NULL);
		}
}

static bool has(const Range *r, size_t n, uintptr_t pc)
{
	while (n > 0) {
		size_t half = n / 2;
		if (pc >= r[half].begin) {
			if (pc < r[half].end)
				return true;
			r += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return false;
}

/* A table that is written meanwhile is not of the code that faults: that is loaded. */
static bool is_in_table(uintptr_t pc, bool of_code)
{
	for (const Table *t = atomic_load(&newest); t; t = t->older) {
		unsigned version = atomic_load(&t->version);
		if (!(version & 1) && atomic_load(&t->is_code) == of_code &&
		    has(t->ranges, atomic_load(&t->n), pc) && atomic_load(&t->version) == version)
			return true;
	}
	return false;
}

bool circeh_is_operation(uintptr_t pc)
{
	return is_in_table(pc, false);
}

bool circeh_may_fault(uintptr_t pc)
{
	return is_in_table(pc, false) || is_in_table(pc, true);
}
