/* atexit() belongs to the module that calls it: what a DLL registers, its destructors of globals above all,
 * must run before the DLL is unloaded. A program registers with ucrtbase.dll. */
#include "runtime/windows/crt.h"

static OnexitTable table;
static bool own_table;

bool crt_in_dll(void)
{
	return own_table;
}

void crt_own_exit_table(void)
{
	own_table = _initialize_onexit_table(&table) == 0;
}

void crt_run_exit_table(void)
{
	if (own_table)
		_execute_onexit_table(&table);
}

int atexit(CrtFunction *f)
{
	return own_table ? _register_onexit_function(&table, f) : _crt_atexit(f);
}
