#include "jit/runtime.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Exit handlers */

bool jit_exits_add(JitExits *e, const JitExit *exit)
{
	JitExit *added = malloc(sizeof *added);
	if (!added)
		return false;
	*added = *exit;
	added->older = e->newest;
	e->newest = added;
	return true;
}

static bool is_of(const JitExit *exit, const void *owner)
{
	return exit->owner == owner || exit->group == owner;
}

bool jit_exits_take(JitExits *e, const void *owner, JitExit *out)
{
	for (JitExit **link = &e->newest; *link; link = &(*link)->older) {
		JitExit *exit = *link;
		if (!is_of(exit, owner))
			continue;
		*out = *exit;
		*link = exit->older;
		free(exit);
		return true;
	}
	return false;
}

/* Thread-local variables: a table of copies per thread, indexed by the slots of the variables. The tables are
 * chained, so that a variable that vanishes can take its copies along. */

typedef struct TlsTable {
	struct TlsTable *next, **link;
	JitExits exits;
	JitExit *running; /* of the thread, the innermost first */
	void **copies;
	size_t len;
} TlsTable;

static struct {
	/* of all that follows, of the chain, and of the size and the exits of each table */
	pthread_mutex_t lock;
	pthread_cond_t ran; /* an exit of some thread */
	pthread_key_t key;  /* its destructor frees the table of a thread that ends */
	TlsTable *tables;
	size_t *free_slots, nfree, cap;
	size_t nslots;
} tls = {.lock = PTHREAD_MUTEX_INITIALIZER, .ran = PTHREAD_COND_INITIALIZER};

static pthread_once_t tls_once = PTHREAD_ONCE_INIT;
static _Thread_local TlsTable *own_table;

/* owner NULL: of anybody. */
static void run_own_exits(TlsTable *table, const void *owner)
{
	JitExit exit;
	pthread_mutex_lock(&tls.lock);
	for (const JitExit *newest; (newest = table->exits.newest) &&
	                            jit_exits_take(&table->exits, owner ? owner : newest->owner, &exit);) {
		exit.older = table->running;
		table->running = &exit;
		pthread_mutex_unlock(&tls.lock);
		exit.function(exit.argument);
		pthread_mutex_lock(&tls.lock);
		table->running = exit.older;
		pthread_cond_broadcast(&tls.ran);
	}
	pthread_mutex_unlock(&tls.lock);
}

static bool runs_exit_of(const TlsTable *table, const void *owner)
{
	for (const JitExit *exit = table->running; exit; exit = exit->older)
		if (is_of(exit, owner))
			return true;
	return false;
}

bool jit_thread_runs_exit(const void *owner)
{
	return own_table && runs_exit_of(own_table, owner);
}

static bool runs_elsewhere(const void *owner)
{
	for (const TlsTable *t = tls.tables; t; t = t->next)
		if (t != own_table && runs_exit_of(t, owner))
			return true;
	return false;
}

static void free_table(void *p)
{
	TlsTable *table = p;
	run_own_exits(table, NULL);
	pthread_mutex_lock(&tls.lock);
	*table->link = table->next;
	if (table->next)
		table->next->link = table->link;
	pthread_mutex_unlock(&tls.lock);
	for (size_t i = 0; i < table->len; i++)
		free(table->copies[i]);
	free(table->copies);
	free(table);
	own_table = NULL;
}

static void make_key(void)
{
	if (pthread_key_create(&tls.key, free_table) != 0)
		abort();
}

/* As a program ends that cannot have its thread-local storage. */
static void *need(void *p)
{
	if (!p)
		abort();
	return p;
}

static TlsTable *new_table(void)
{
	TlsTable *table = need(calloc(1, sizeof *table));
	table->next = tls.tables;
	table->link = &tls.tables;
	if (table->next)
		table->next->link = &table->next;
	tls.tables = table;
	pthread_setspecific(tls.key, table);
	return own_table = table;
}

/* Locked from here on. */
static TlsTable *lock_own_table(void)
{
	pthread_once(&tls_once, make_key);
	pthread_mutex_lock(&tls.lock);
	return own_table ? own_table : new_table();
}

static uintptr_t take_slot(JitTls *v)
{
	if (!v->slot)
		v->slot = (tls.nfree ? tls.free_slots[--tls.nfree] : tls.nslots++) + 1;
	return v->slot;
}

static void *make_copy(JitTls *v)
{
	TlsTable *table = lock_own_table();
	size_t slot = take_slot(v) - 1;
	if (slot >= table->len) {
		size_t len = tls.nslots < 8 ? 8 : 2 * tls.nslots;
		table->copies = need(realloc(table->copies, len * sizeof *table->copies));
		memset(table->copies + table->len, 0, (len - table->len) * sizeof *table->copies);
		table->len = len;
	}
	size_t align = v->align < sizeof(void *) ? sizeof(void *) : v->align;
	void *copy = need(aligned_alloc(align, (v->size + align) / align * align));
	if (v->initial)
		memcpy(copy, v->initial, v->size);
	else
		memset(copy, 0, v->size);
	table->copies[slot] = copy;
	pthread_mutex_unlock(&tls.lock);
	return copy;
}

/* The dynamic loader's (ELF Handling For Thread-Local Storage, 3.4). */
typedef struct LoaderIndex {
	unsigned long module, offset;
} LoaderIndex;
extern void *__tls_get_addr(LoaderIndex *index);

JitTls jit_tls_of_loader(size_t module, size_t offset)
{
	return (JitTls){.size = module, .initial = (void *)offset};
}

void *jit_tls_address(JitTls *v)
{
	if (!v) /* a weak one, which no module defines */
		return NULL;
	uintptr_t slot = atomic_load_explicit(&v->slot, memory_order_relaxed);
	TlsTable *table = own_table;
	if (table && slot && slot <= table->len && table->copies[slot - 1])
		return table->copies[slot - 1];
	LoaderIndex index = {v->size, (uintptr_t)v->initial};
	return v->align ? make_copy(v) : __tls_get_addr(&index);
}

static void free_slot(size_t slot)
{
	if (tls.nfree == tls.cap) {
		size_t cap = tls.cap ? 2 * tls.cap : 16;
		size_t *slots = realloc(tls.free_slots, cap * sizeof *slots);
		if (!slots)
			return; /* the number is lost, nothing else */
		tls.free_slots = slots;
		tls.cap = cap;
	}
	tls.free_slots[tls.nfree++] = slot;
}

void jit_tls_forget(JitTls *v)
{
	pthread_mutex_lock(&tls.lock);
	if (v->slot) {
		size_t slot = v->slot - 1;
		for (TlsTable *t = tls.tables; t; t = t->next)
			if (slot < t->len) {
				free(t->copies[slot]);
				t->copies[slot] = NULL;
			}
		free_slot(slot);
		v->slot = 0;
	}
	pthread_mutex_unlock(&tls.lock);
}

bool jit_thread_exits_add(const JitExit *exit)
{
	bool ok = jit_exits_add(&lock_own_table()->exits, exit);
	pthread_mutex_unlock(&tls.lock);
	return ok;
}

void jit_thread_exits_run(const void *owner)
{
	JitExit forgotten;
	if (own_table)
		run_own_exits(own_table, owner);
	pthread_mutex_lock(&tls.lock);
	for (TlsTable *t = tls.tables; t; t = t->next)
		while (jit_exits_take(&t->exits, owner, &forgotten))
			continue;
	while (runs_elsewhere(owner))
		pthread_cond_wait(&tls.ran, &tls.lock);
	pthread_mutex_unlock(&tls.lock);
}

void jit_tls_lock(void)
{
	pthread_mutex_lock(&tls.lock);
}

void jit_tls_unlock(void)
{
	pthread_mutex_unlock(&tls.lock);
}

void jit_tls_unlock_in_child(void)
{
	for (TlsTable *t = tls.tables; t; t = t->next)
		if (t != own_table)
			t->running = NULL;
	pthread_cond_init(&tls.ran, NULL);
	pthread_mutex_unlock(&tls.lock);
}
