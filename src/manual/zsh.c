/* manual/zsh.c: for zsh, by _arguments. */
#include "manual/table.h"

#include <stdio.h>
#include <string.h>

/* In single quotes, where brackets and colons mean something to _arguments. */
static void put(const char *text)
{
	for (const char *c = text; *c; c++) {
		if (*c == '\'')
			fputs("'\\''", stdout);
		else if (strchr("[]:\\", *c))
			printf("\\%c", *c);
		else
			putchar(*c);
	}
}

static void put_option(const Option *o)
{
	static const char *const mark[] = {[FLAG] = "", [JOINED] = "-", [ARG] = "+", [EQUALS] = "=-"};
	printf("\t'*%s%s[", o->spelling, mark[o->form]);
	put(o->help);
	putchar(']');
	if (o->form != FLAG) {
		printf(":%s:", o->value);
		if (o->choices)
			printf("(%s)", o->choices);
		else if (takes_folder(o))
			fputs("_files -/", stdout);
		else if (takes_file(o))
			fputs("_files", stdout);
	}
	puts("' \\");
}

void write_zsh(void)
{
	puts("#compdef circ\n"
	     "_circ_first()\n"
	     "{\n"
	     "\tlocal -a commands=(");
	for (const Command *c = commands + 1; c->name; c++) {
		printf("\t\t'%s:", c->name);
		put(c->help);
		puts("'");
	}
	puts("\t)\n\t_describe -t commands 'command' commands\n\t_files\n}\n\n_arguments -s \\");
	for (const Option *o = options; o->title || o->spelling; o++)
		if (o->help)
			put_option(o);
	puts("\t'1:command or file:_circ_first' \\\n\t'*:file:_files'");
}
