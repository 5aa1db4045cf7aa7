/* manual/bash.c: for bash. It takes "--emit=obj" for three words, which is undone first. */
#include "manual/table.h"

#include <stdio.h>

static void put_spellings(void)
{
	for (const Option *o = options; o->title || o->spelling; o++)
		if (o->help)
			printf("%s%s%s", o == options + 1 ? "" : " ", o->spelling,
			       o->form == EQUALS ? "=" : "");
}

/* The words that follow an option. */
static void put_values(const Option *o)
{
	if (o->form == FLAG || o->form == JOINED || !o->help)
		return;
	printf("\t'%s')\n\t\t", o->spelling);
	if (o->choices)
		printf("COMPREPLY=($(compgen -W '%s' -- \"$cur\"))\n", o->choices);
	else if (takes_folder(o))
		puts("COMPREPLY=($(compgen -d -- \"$cur\"))");
	else if (takes_file(o))
		puts("COMPREPLY=($(compgen -f -- \"$cur\"))");
	else
		puts("COMPREPLY=()");
	puts("\t\treturn ;;");
}

static void put_joined(const Option *o)
{
	if (o->form != JOINED || !o->choices)
		return;
	printf("\t%s*)\n\t\tCOMPREPLY=($(compgen -P %s -W '%s' -- \"${cur#%s}\"))\n\t\treturn ;;\n",
	       o->spelling, o->spelling, o->choices, o->spelling);
}

void write_bash(void)
{
	puts("# bash completion for circ\n"
	     "_circ()\n"
	     "{\n"
	     "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
	     "\tif [[ $cur == = ]]; then\n"
	     "\t\tcur=\n"
	     "\telif [[ $prev == = ]]; then\n"
	     "\t\tprev=${COMP_WORDS[COMP_CWORD-2]}\n"
	     "\tfi\n"
	     "\tcase $prev in");
	for (const Option *o = options; o->title || o->spelling; o++)
		if (o->spelling)
			put_values(o);
	fputs("\thelp)\n\t\tCOMPREPLY=($(compgen -W '", stdout);
	for (const Command *c = commands; c->name; c++)
		printf("%s ", c->name);
	put_topics();
	puts("' -- \"$cur\"))\n\t\treturn ;;\n\tesac\n\tcase $cur in");
	for (const Option *o = options; o->title || o->spelling; o++)
		if (o->spelling)
			put_joined(o);
	fputs("\t-*)\n\t\tCOMPREPLY=($(compgen -W '", stdout);
	put_spellings();
	puts("' -- \"$cur\"))\n\t\t[[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null\n"
	     "\t\treturn ;;\n\tesac\n\tCOMPREPLY=($(compgen -f -- \"$cur\"))");
	fputs("\t[[ $COMP_CWORD != 1 ]] || COMPREPLY+=($(compgen -W '", stdout);
	for (const Command *c = commands + 1; c->name; c++)
		printf("%s%s", c == commands + 1 ? "" : " ", c->name);
	puts("' -- \"$cur\"))\n}\ncomplete -o filenames -F _circ circ");
}
