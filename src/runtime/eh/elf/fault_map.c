/* Maps of accesses that are null checks, too: LLVM's, of version 1 (llvm.org/docs/FaultMaps.html), one after the other as the linker has put
 * them:
 *
 * 	header    version: u8, reserved: u8, u16, functions: u32
 * 	function  address: u64, faults: u32, reserved: u32
 * 	fault     kind: u32, offset of the access: u32, offset of its handler: u32
 *
 * What is registered is copied: a signal handler reads it while another thread unloads the library that the map is of. Copies are
 * never freed, but taken for the next map that has room in them.
 */
#include "runtime/eh/elf/fault_map.h"

#include "runtime/eh/exception.h"
#include "runtime/eh/libc.h"

#include <stdatomic.h>

typedef struct Access {
	uintptr_t pc, handler;
} Access;

typedef struct Map {
	struct Map *next;
	const void *begin; /* null: it is free */
	unsigned users;
	size_t capacity;
	atomic_uint version; /* odd: it is being written */
	atomic_size_t n;     /* sorted by pc */
	Access accesses[];
} Map;

static _Atomic(Map *) maps;
static atomic_flag busy = ATOMIC_FLAG_INIT;

/* ---- reading LLVM's ---- */

enum { VERSION = 1, HEADER = 8, FUNCTION = 16, FAULT = 12 };

typedef struct Reader {
	const uint8_t *at, *end;
	Access *out; /* null: they are counted */
	size_t n;
} Reader;

static uint32_t word(const uint8_t *at)
{
	uint32_t value;
	memcpy(&value, at, sizeof value);
	return value;
}

/* Of a division it may be negative: it stands for its function (emit/zero_checks.c). */
static uint64_t offset(const uint8_t *at)
{
	return (uint64_t)(int64_t)(int32_t)word(at);
}

static void need(const Reader *r, uint64_t size)
{
	if ((uint64_t)(r->end - r->at) < size)
		circeh_fatal("a map of null checks ends too early");
}

static void read_function(Reader *r)
{
	uint64_t address;
	need(r, FUNCTION);
	memcpy(&address, r->at, sizeof address);
	uint64_t n = word(r->at + 8);
	r->at += FUNCTION;
	need(r, n * FAULT);
	for (; n; n--, r->at += FAULT, r->n++)
		if (r->out)
			r->out[r->n] = (Access){address + offset(r->at + 4), address + offset(r->at + 8)};
}

static size_t read_maps(const void *begin, const void *end, Access *out)
{
	Reader r = {.at = begin, .end = end, .out = out};
	while (r.at < r.end) {
		need(&r, HEADER);
		if (*r.at != VERSION)
			circeh_fatal("a map of null checks has a version that is not known");
		uint32_t functions = word(r.at + 4);
		r.at += HEADER;
		while (functions--)
			read_function(&r);
	}
	return r.n;
}

/* Shell's, since there may be no C library. */
static void sort(Access *a, size_t n)
{
	for (size_t gap = n / 2; gap; gap /= 2)
		for (size_t i = gap; i < n; i++) {
			Access moved = a[i];
			size_t k = i;
			for (; k >= gap && a[k - gap].pc > moved.pc; k -= gap)
				a[k] = a[k - gap];
			a[k] = moved;
		}
}

/* ---- registered ones ---- */

static void enter(void)
{
	while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
		;
}

static void leave(void)
{
	atomic_flag_clear_explicit(&busy, memory_order_release);
}

static Map *find(const void *begin)
{
	Map *m = atomic_load(&maps);
	while (m && m->begin != begin)
		m = m->next;
	return m;
}

static Map *make(size_t n)
{
	for (Map *m = atomic_load(&maps); m; m = m->next)
		if (!m->begin && m->capacity >= n)
			return m;
	Map *m = circeh_allocate(sizeof *m + n * sizeof *m->accesses);
	m->capacity = n;
	m->next = atomic_load(&maps);
	atomic_store(&maps, m);
	return m;
}

static void fill(Map *m, const void *begin, const void *end, size_t n)
{
	atomic_fetch_add(&m->version, 1);
	m->begin = begin;
	read_maps(begin, end, m->accesses);
	sort(m->accesses, n);
	atomic_store(&m->n, n);
	atomic_fetch_add(&m->version, 1);
}

void circeh_fault_maps_add(const void *begin, const void *end)
{
	enter();
	Map *m = find(begin);
	if (!m) {
		size_t n = read_maps(begin, end, NULL);
		m = make(n);
		fill(m, begin, end, n);
	}
	m->users++;
	leave();
}

void circ_fault_maps_unregister(const void *begin)
{
	enter();
	Map *m = begin ? find(begin) : NULL;
	if (m && --m->users == 0) {
		atomic_store(&m->n, 0);
		m->begin = NULL;
	}
	leave();
}

/* ---- faults ---- */

static uintptr_t handler_of(const Map *m, uintptr_t pc)
{
	size_t low = 0, high = atomic_load(&m->n);
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (m->accesses[middle].pc < pc)
			low = middle + 1;
		else
			high = middle;
	}
	return low < atomic_load(&m->n) && m->accesses[low].pc == pc ? m->accesses[low].handler : 0;
}

/* A map that is written meanwhile is not of the code that faults: that is loaded. */
bool circ_fault_map_redirect(uintptr_t *pc)
{
	for (const Map *m = atomic_load(&maps); m; m = m->next) {
		unsigned version = atomic_load(&m->version);
		uintptr_t handler = version & 1 ? 0 : handler_of(m, *pc);
		if (handler && atomic_load(&m->version) == version) {
			*pc = handler;
			return true;
		}
	}
	return false;
}
