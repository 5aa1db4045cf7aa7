/* Runs the programs one after the other, a line for each; with an argument that one only. */
int printf(const char *format, ...);
int strcmp(const char *a, const char *b);
int fflush(void *stream);

int guarded(int (*program)(void));

#define DECLARE(name) int name(void);
#define ROW(name)     {#name, name},
PROGRAMS(DECLARE)

static const struct {
	const char *name;
	int (*run)(void);
} programs[] = {PROGRAMS(ROW)};

int main(int argc, char **argv)
{
	for (unsigned i = 0; i < sizeof programs / sizeof *programs; i++) {
		if (argc > 1 && strcmp(argv[1], programs[i].name))
			continue;
		printf("%s:", programs[i].name);
		fflush(0);
		printf(" returns %d\n", guarded(programs[i].run));
		fflush(0);
	}
	return 0;
}
