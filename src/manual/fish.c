/* manual/fish.c: for fish. */
#include "manual/table.h"

#include <stdio.h>
#include <string.h>

static void put(const char *text)
{
	putchar('\'');
	for (const char *c = text; *c; c++) {
		if (*c == '\'' || *c == '\\')
			putchar('\\');
		putchar(*c);
	}
	putchar('\'');
}

/* fish knows options of one letter, those of more with one '-', and those with two. */
static void put_option(const Option *o)
{
	bool is_long = strncmp(o->spelling, "--", 2) == 0;
	const char *name = o->spelling + (is_long ? 2 : 1);
	printf("complete -c circ %s ", is_long ? "-l" : name[1] ? "-o" : "-s");
	put(name);
	if (o->choices) {
		fputs(" -x -a ", stdout);
		put(o->choices);
	} else if (o->form != FLAG) {
		fputs(takes_file(o) || takes_folder(o) ? " -r" : " -x", stdout);
	}
	fputs(" -d ", stdout);
	put(o->help);
	putchar('\n');
}

void write_fish(void)
{
	for (const Command *c = commands + 1; c->name; c++) {
		printf("complete -c circ -n __fish_use_subcommand -a %s -d ", c->name);
		put(c->help);
		putchar('\n');
	}
	fputs("complete -c circ -n '__fish_seen_subcommand_from help' -x -a '", stdout);
	put_topics();
	puts("'");
	for (const Option *o = options; o->title || o->spelling; o++)
		if (o->help)
			put_option(o);
}
