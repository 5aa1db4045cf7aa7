/* Names and lines by dbghelp.dll, which reads PDBs, and is loaded if it is there. It is for one thread at a time. */
#include "runtime/eh/exception.h"

#include <stdatomic.h>

void *LoadLibraryA(const char *name);
void *GetProcAddress(void *library, const char *name);
void *GetCurrentProcess(void);

typedef struct Symbol { /* SYMBOL_INFO */
	uint32_t size, type;
	uint64_t reserved[2];
	uint32_t index, length;
	uint64_t module;
	uint32_t flags;
	uint64_t value, address;
	uint32_t reg, scope, tag, name_length, most;
	char name[256];
} Symbol;
_Static_assert(offsetof(Symbol, name) == 84, "SYMBOL_INFO");

typedef struct Line { /* IMAGEHLP_LINE64 */
	uint32_t size;
	void *key;
	uint32_t number;
	char *file;
	uint64_t address;
} Line;

enum { SYMBOL_SIZE = 88, FROM_EXPORTS = 0x200 };
enum { UNDECORATED = 2, DEFERRED = 4, LINES = 16 }; /* SYMOPT_… */

typedef struct Library {
	uint32_t (*set_options)(uint32_t options);
	int (*initialize)(void *process, const char *path, int all);
	int (*symbol)(void *process, uint64_t address, uint64_t *offset, Symbol *out);
	int (*line)(void *process, uint64_t address, uint32_t *offset, Line *out);
	int (*refresh)(void *process);
} Library;

static atomic_flag taken = ATOMIC_FLAG_INIT; /* for what follows */
static Library library;
static bool tried, there;

static bool find(void *dll, const char *name, void *function)
{
	void *address = GetProcAddress(dll, name);
	__builtin_memcpy(function, &address, sizeof address);
	return address;
}

static bool load(void)
{
	void *dll = LoadLibraryA("dbghelp.dll");
	Library *l = &library;
	if (!dll || !find(dll, "SymSetOptions", &l->set_options) ||
	    !find(dll, "SymInitialize", &l->initialize) || !find(dll, "SymFromAddr", &l->symbol) ||
	    !find(dll, "SymGetLineFromAddr64", &l->line) || !find(dll, "SymRefreshModuleList", &l->refresh))
		return false;
	l->set_options(UNDECORATED | DEFERRED | LINES);
	return l->initialize(GetCurrentProcess(), NULL, 1) != 0;
}

/* Without a PDB the nearest export is given, which may be of another function. */
static bool tell_function(uintptr_t address, CircehPlace *place)
{
	Symbol s = {.size = SYMBOL_SIZE, .most = sizeof s.name};
	uint64_t offset;
	return library.symbol(GetCurrentProcess(), address, &offset, &s) && !(s.flags & FROM_EXPORTS) &&
	       s.name[0] && circeh_join(place->function, sizeof place->function, s.name, "");
}

static bool tell_line(uintptr_t address, CircehPlace *place)
{
	Line l = {.size = sizeof l};
	uint32_t offset;
	if (!library.line(GetCurrentProcess(), address, &offset, &l) || !l.file)
		return false;
	place->line = l.number;
	return circeh_join(place->file, sizeof place->file, l.file, "");
}

bool circeh_find_place(uintptr_t address, CircehPlace *place)
{
	*place = (CircehPlace){.line = 0};
	while (atomic_flag_test_and_set(&taken))
		;
	if (!tried)
		there = load();
	else if (there)
		library.refresh(GetCurrentProcess());
	tried = true;
	bool named = there && tell_function(address, place), lined = there && tell_line(address, place);
	atomic_flag_clear(&taken);
	return named || lined;
}
