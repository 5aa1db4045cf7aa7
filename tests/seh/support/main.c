/* Runs the programs one after the other, a line for each; with an argument those only whose names do not begin so. */
int printf(const char *format, ...);
unsigned long long strlen(const char *text);
int strncmp(const char *a, const char *b, unsigned long long most);
int fflush(void *stream);

int guarded(int (*program)(void));

#ifndef _MSC_VER
#include "circ/runtime.h" /* faults are exceptions after circ_faults_install() */
#endif

#define DECLARE(name) int name(void);
#define ROW(name)     {#name, name},
PROGRAMS(DECLARE)

static const struct {
	const char *name;
	int (*run)(void);
} programs[] = {PROGRAMS(ROW)};

int main(int argc, char **argv)
{
#ifndef _MSC_VER
	if (argc == 1 && !circ_faults_install())
		return 2;
#endif
	for (unsigned i = 0; i < sizeof programs / sizeof *programs; i++) {
		if (argc > 1 && !strncmp(programs[i].name, argv[1], strlen(argv[1])))
			continue;
		printf("%s:", programs[i].name);
		fflush(0);
		printf(" returns %d\n", guarded(programs[i].run));
		fflush(0);
	}
	return 0;
}
