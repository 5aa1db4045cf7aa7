/* link/command_line.c: what the command lines of all linkers are made of. */
#include "emit/emit.h"
#include "link/linker.h"

const char *link_tool_name(Linking *l, const char *pattern)
{
	char version[32];
	emit_llvm_version(version, sizeof version);
	version[strcspn(version, ".")] = '\0';
	const char *percent = strchr(pattern, '%');
	return percent ? arena_printf(l->a, "%.*s%s", (int)(percent - pattern), pattern, version) : pattern;
}

void link_add(Linking *l, const char *arg)
{
	vec_push(l->a, &l->args, arg);
}
