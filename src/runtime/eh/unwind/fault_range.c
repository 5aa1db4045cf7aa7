/* Where code may fault: tables that the compiler writes, of places that are relative to themselves; sorted copies of them, found without
 * a lock. A copy that is replaced stays where it is, since a signal handler of another thread may be in it. */
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
	const void *from;
	bool is_code;    /* functions, and not operations in them */
	atomic_size_t n; /* 0: no longer */
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

static Table *allocate(const void *from, size_t n)
{
	Table *t = malloc(sizeof *t + n * sizeof t->ranges[0]);
	if (t) {
		t->from = from;
		t->is_code = false;
		atomic_init(&t->n, n);
	}
	return t;
}

static bool publish(Table *t)
{
	if (!t)
		return false;
	t->older = atomic_load(&newest);
	while (!atomic_compare_exchange_weak(&newest, &t->older, t))
		;
	return true;
}

bool circ_faults_register(const void *begin, const void *end)
{
	const Entry *from = begin;
	size_t n = (size_t)((const Entry *)end - from);
	Table *t = allocate(begin, n);
	for (size_t i = 0; t && i < n; i++) {
		t->ranges[i].begin = (uintptr_t)&from[i] + (uintptr_t)(intptr_t)from[i].begin;
		t->ranges[i].end = t->ranges[i].begin + from[i].size;
	}
	if (t)
		sort(t->ranges, n);
	return publish(t);
}

bool circeh_register_code(const void *begin, const void *end)
{
	Table *t = allocate(begin, 1);
	if (t) {
		t->is_code = true;
		t->ranges[0] = (Range){(uintptr_t)begin, (uintptr_t)end};
	}
	return publish(t);
}

void circ_faults_unregister(const void *begin)
{
	for (Table *t = atomic_load(&newest); t; t = t->older)
		if (t->from == begin)
			atomic_store(&t->n, 0);
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

static bool is_in_table(uintptr_t pc, bool of_code)
{
	for (const Table *t = atomic_load(&newest); t; t = t->older)
		if (t->is_code == of_code && has(t->ranges, atomic_load(&t->n), pc))
			return true;
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
