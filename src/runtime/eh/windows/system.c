#include "runtime/eh/exception.h"
#include "runtime/eh/libc.h"

enum { FROM_ADDRESS = 4, UNCHANGED_COUNT = 2, MOST_PATH = 260 };
static const uint32_t error_handle = (uint32_t)-12;

void *GetStdHandle(uint32_t which);
int WriteFile(void *file, const void *bytes, uint32_t n, uint32_t *written, void *overlapped);
int GetModuleHandleExA(uint32_t flags, const void *address, void **module);
uint32_t GetModuleFileNameA(void *module, char *out, uint32_t size);

void circeh_write(const char *text, size_t n)
{
	uint32_t written;
	WriteFile(GetStdHandle(error_handle), text, (uint32_t)n, &written, NULL);
}

/* Windows has no table of names in its files. */
bool circeh_symbol(const void *address, char *out, size_t size)
{
	(void)address;
	(void)out;
	(void)size;
	return false;
}

bool circeh_place(const void *address, char *out, size_t size)
{
	char path[MOST_PATH], digits[2 * sizeof(uintptr_t) + 4];
	void *module;
	if (!GetModuleHandleExA(FROM_ADDRESS | UNCHANGED_COUNT, address, &module) ||
	    !GetModuleFileNameA(module, path, sizeof path))
		return false;
	const char *name = path;
	for (const char *p = path; *p; p++)
		if (*p == '\\')
			name = p + 1;
	char *offset = circeh_hex((uintptr_t)address - (uintptr_t)module, digits + 1);
	*--offset = '+';
	return circeh_join(out, size, name, offset);
}
