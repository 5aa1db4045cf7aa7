/* manual/main.c: circ-manual KIND prints the manual page, or the completions of a shell. */
#include "manual/table.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *kind;
	void (*write)(void);
} outputs[] = {{"man", write_man}, {"bash", write_bash}, {"zsh", write_zsh}, {"fish", write_fish}};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 2 && i < sizeof outputs / sizeof *outputs; i++)
		if (strcmp(argv[1], outputs[i].kind) == 0) {
			outputs[i].write();
			return fflush(stdout) == 0 ? 0 : 3;
		}
	fputs("usage: circ-manual man|bash|zsh|fish\n", stderr);
	return 2;
}
