/* Names and lines by elfutils' libdw (libdwfl.h, libdw.h), which is loaded if it is there: no program needs it. It allocates, and is for reports. */
#include "runtime/eh/exception.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <unistd.h>

/* A program without a C library need not have them. */
#pragma weak dlopen
#pragma weak dlsym
#pragma weak getpid

typedef struct Dwfl Dwfl;
typedef struct Module Module;
typedef struct Line Line;
typedef struct Unit Unit; /* a Dwarf_Die */
typedef int Found(void);  /* called by libdw alone */

typedef struct Callbacks { /* Dwfl_Callbacks */
	Found *find_elf, *find_debuginfo, *section_address;
	char **debuginfo_path;
} Callbacks;

typedef struct Library {
	Dwfl *(*begin)(const Callbacks *callbacks);
	int (*report)(Dwfl *d, pid_t process);
	int (*report_end)(Dwfl *d, void *removed, void *user);
	void (*end)(Dwfl *d);
	Module *(*module)(Dwfl *d, uint64_t address);
	const char *(*name)(Module *m, uint64_t address);
	Unit *(*next_unit)(Module *m, Unit *before, uint64_t *bias);
	int (*has)(Unit *u, uint64_t address);
	Line *(*line)(Unit *u, uint64_t address);
	const char *(*line_file)(Line *l, uint64_t *time, uint64_t *length);
	int (*line_number)(Line *l, int *number);
	Found *find_elf, *find_debuginfo;
} Library;

static atomic_flag taken = ATOMIC_FLAG_INIT; /* for what follows */
static Library library;
static Callbacks callbacks;
static bool tried, there;

/* POSIX: an address of dlsym() is a function's, too. */
static bool find(void *handle, const char *name, void *function)
{
	void *address = dlsym(handle, name);
	__builtin_memcpy(function, &address, sizeof address);
	return address;
}

static bool load(void)
{
	if (!dlopen || !dlsym || !getpid)
		return false;
	void *h = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
	Library *l = &library;
	bool ok = h && find(h, "dwfl_begin", &l->begin) && find(h, "dwfl_linux_proc_report", &l->report) &&
	          find(h, "dwfl_report_end", &l->report_end) && find(h, "dwfl_end", &l->end) &&
	          find(h, "dwfl_addrmodule", &l->module) && find(h, "dwfl_module_addrname", &l->name) &&
	          find(h, "dwfl_module_nextcu", &l->next_unit) && find(h, "dwarf_haspc", &l->has) &&
	          find(h, "dwarf_getsrc_die", &l->line) && find(h, "dwarf_linesrc", &l->line_file) &&
	          find(h, "dwarf_lineno", &l->line_number) &&
	          find(h, "dwfl_linux_proc_find_elf", &l->find_elf) &&
	          find(h, "dwfl_standard_find_debuginfo", &l->find_debuginfo);
	callbacks = (Callbacks){.find_elf = l->find_elf, .find_debuginfo = l->find_debuginfo};
	return ok;
}

/* What is loaded now: libraries come and go. */
static Dwfl *begin(void)
{
	if (!tried)
		there = load();
	tried = true;
	Dwfl *d = there ? library.begin(&callbacks) : NULL;
	if (d && (library.report(d, getpid()) != 0 || library.report_end(d, NULL, NULL) != 0)) {
		library.end(d);
		return NULL;
	}
	return d;
}

/* Not dwfl_module_getsrc(): that needs .debug_aranges, which clang and circ do not write. */
static Line *find_line(Module *m, uintptr_t address)
{
	uint64_t bias = 0;
	for (Unit *u = library.next_unit(m, NULL, &bias); u; u = library.next_unit(m, u, &bias))
		if (library.has(u, address - bias) > 0)
			return library.line(u, address - bias);
	return NULL;
}

static bool tell(Module *m, uintptr_t address, CircehPlace *place)
{
	int number = 0;
	const char *name = library.name(m, address);
	Line *line = find_line(m, address);
	const char *file = line ? library.line_file(line, NULL, NULL) : NULL;
	if (file && library.line_number(line, &number) != 0)
		file = NULL;
	if (name)
		circeh_join(place->function, sizeof place->function, name, "");
	if (file)
		circeh_join(place->file, sizeof place->file, file, "");
	place->line = file ? (uint32_t)number : 0;
	return name || file;
}

bool circeh_find_place(uintptr_t address, CircehPlace *place)
{
	*place = (CircehPlace){.line = 0};
	while (atomic_flag_test_and_set(&taken))
		;
	Dwfl *d = begin();
	Module *m = d ? library.module(d, address) : NULL;
	bool ok = m && tell(m, address, place);
	if (d)
		library.end(d);
	atomic_flag_clear(&taken);
	return ok;
}
