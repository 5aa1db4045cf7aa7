/* manual/man.c: circ.1, in the macros of man(7). */
#include "manual/table.h"

#include <stdio.h>
#include <string.h>

/* A '-' is written as the character that can be copied; a line must not begin with a dot or a quote. */
static void put(const char *text)
{
	for (const char *c = text; *c; c++) {
		if (c == text && (*c == '.' || *c == '\''))
			fputs("\\&", stdout);
		if (*c == '-')
			fputs("\\-", stdout);
		else if (*c == '\\')
			fputs("\\e", stdout);
		else
			putchar(*c);
	}
}

static void put_command_name(const Command *c)
{
	printf(".B circ%s%s\n", c == commands ? "" : " ", c == commands ? "" : c->name);
}

static void put_commands(void)
{
	puts(".SH SYNOPSIS");
	for (const Command *c = commands; c->name; c++) {
		puts(c == commands ? ".nh\n.ad l" : ".br");
		put_command_name(c);
		put(c->synopsis);
		puts(*c->synopsis ? "" : "\\&");
	}
	puts(".SH DESCRIPTION");
	for (const Command *c = commands; c->name; c++) {
		puts(".TP");
		put_command_name(c);
		put(c->help);
		if (strcmp(c->name, "help") == 0) {
			putchar(' ');
			put_topics();
		}
		putchar('\n');
	}
}

static void put_option(const Option *o)
{
	static const char *const between[] = {[FLAG] = "", [JOINED] = "", [ARG] = " ", [EQUALS] = "="};
	fputs(".TP\n\\fB", stdout);
	put(o->spelling);
	printf("\\fR%s", between[o->form]);
	if (o->value) {
		fputs("\\fI", stdout);
		put(o->value);
		fputs("\\fR", stdout);
	}
	putchar('\n');
	put(o->help);
	putchar('\n');
}

void write_man(void)
{
	puts(".TH CIRC 1 \"\" \"circ " CIRC_VERSION "\" \"User Commands\"");
	puts(".SH NAME\ncirc \\- compile CIR, the ClangIR dialect, to objects and programs");
	put_commands();
	puts(".SH OPTIONS");
	for (const Option *o = options; o->title || o->spelling; o++)
		if (o->title) {
			fputs(".SS \"", stdout);
			put(o->title);
			puts("\"");
		} else if (o->help) {
			put_option(o);
		}
	puts(".SH EXIT STATUS\n"
	     ".TP\n0\nSuccess.\n"
	     ".TP\n1\nThe input is wrong.\n"
	     ".TP\n2\nThe command line is wrong.\n"
	     ".TP\n3\nThe system or LLVM failed.");
	puts(".SH ENVIRONMENT\n"
	     ".TP\n.B PATH\nWhere the linker is looked for.\n"
	     ".TP\n.B TMPDIR\nWhere objects are kept while they are linked.\n"
	     ".TP\n.BR NO_COLOR \", \" TERM\nWhether messages are coloured.");
}
