#include "driver/help.h"

#include "base/suggest.h"
#include "driver/options.h"
#include "emit/emit.h"

#include <stdio.h>
#include <stdlib.h>

enum { OPTION_WIDTH = 24, LINE_WIDTH = 100 };

typedef struct Usage {
	const char *topic, *synopsis, *text;
} Usage;

static const Usage usages[] = {
#define COMMAND(id, name, synopsis, help) {name, synopsis, help},
#include "driver/options.def"
};

static const char *const group_topics[] = {
#define GROUP(topic, title) topic,
#include "driver/options.def"
};

static const char examples[] =
    "\nExamples\n"
    "  circ -O2 -c shapes.cir -o shapes.o       an object\n"
    "  circ main.cir lib.o -lm -o main          a program, with libc++\n"
    "  circ --emit=abi --target=x86_64-pc-linux-gnu f.cir\n"
    "                                           CIR in the form of the exception-handling ABI\n"
    "  circ --emit=llvm f.cir | opt -S -O2      LLVM IR for other tools\n"
    "  gen | circ -c - -o gen.o                 a generator's output\n"
    "\n"
    "Exit status: 0 success, 1 wrong input, 2 wrong command line, 3 failure of the system or of LLVM.\n";

/* Breaks the text between words, every line after the first one indented to its column. */
static void print_wrapped(const char *text, int column)
{
	int at = column;
	while (*text) {
		int n = (int)strcspn(text, " ");
		if (at > column && at + 1 + n > LINE_WIDTH) {
			printf("\n%*s", column, "");
			at = column;
		} else if (at > column) {
			putchar(' ');
			at++;
		}
		printf("%.*s", n, text);
		at += n;
		text += n + (text[n] == ' ');
	}
	putchar('\n');
}

static const char *list_topics(char *buffer, size_t size)
{
	size_t n = 0;
	for (size_t i = 0; i < ARRAY_LEN(group_topics) && n < size; i++)
		n += (size_t)snprintf(buffer + n, size - n, "%s%s", i ? ", " : "", group_topics[i]);
	return buffer;
}

static void print_usage(const Usage *u, const char *before)
{
	char topics[256];
	bool named = u != &usages[COMMAND_COMPILE];
	printf("%scirc%s%s%s%s\n\n", before, named ? " " : "", named ? u->topic : "", *u->synopsis ? " " : "",
	       u->synopsis);
	print_wrapped(u->text, 0);
	if (strcmp(u->topic, "help") == 0)
		print_wrapped(list_topics(topics, sizeof topics), 0);
}

/* What is shown. */
typedef struct Filter {
	const char *topic; /* a group's, or an option's spelling; NULL: everything */
	const char *group; /* that the next options are in */
	const char *title; /* of it, that is not printed yet, or NULL */
	bool found;
} Filter;

static bool is_shown(const Filter *f, const char *spelling)
{
	return !f->topic || strcmp(f->topic, f->group) == 0 || strcmp(f->topic, spelling) == 0;
}

static void print_option(Filter *f, const char *spelling, OptionForm form, const char *value,
                         const char *help)
{
	static const char *const between[] = {[FLAG] = "", [JOINED] = "", [ARG] = " ", [EQUALS] = "="};
	if (!help || !is_shown(f, spelling))
		return;
	if (f->title)
		printf("\n%s\n", f->title);
	f->title = NULL;
	f->found = true;
	int n = printf("  %s%s%s", spelling, between[form], value ? value : "");
	if (n > OPTION_WIDTH - 2)
		printf("\n%*s", OPTION_WIDTH, "");
	else
		printf("%*s", OPTION_WIDTH - n, "");
	print_wrapped(help, OPTION_WIDTH);
}

static void print_options(Filter *f)
{
#define GROUP(topic, heading)                                                                                \
	f->group = (topic);                                                                                  \
	f->title = (heading);
#define OPTION(id, spelling, form, value, choices, help) print_option(f, spelling, form, value, help);
#include "driver/options.def"
}

void help_print(void)
{
	for (size_t i = 0; i < ARRAY_LEN(usages); i++)
		print_usage(&usages[i], i == 0 ? "usage: " : "\n       ");
	print_options(&(Filter){0});
	fputs(examples, stdout);
}

static void refuse_topic(const char *topic, Report *r)
{
	char topics[256];
	Suggestion s = suggest_begin(str_of(topic));
	for (size_t i = 0; i < ARRAY_LEN(usages); i++)
		suggest_try(&s, str_of(usages[i].topic));
	for (size_t i = 0; i < ARRAY_LEN(group_topics); i++)
		suggest_try(&s, str_of(group_topics[i]));
	if (s.best.len)
		report_usage(r, "unknown topic '%s'; did you mean '%s'?", topic, s.best.data);
	else
		report_usage(r, "unknown topic '%s'; expected a command, an option, or one of %s", topic,
		             list_topics(topics, sizeof topics));
}

void help_print_topic(const char *topic, Report *r)
{
	Filter f = {.topic = topic};
	for (size_t i = 0; i < ARRAY_LEN(usages); i++)
		if (strcmp(usages[i].topic, topic) == 0) {
			print_usage(&usages[i], "usage: ");
			f.found = true;
		}
	print_options(&f);
	if (!f.found)
		refuse_topic(topic, r);
}

void version_print(void)
{
	char llvm[32], *host = emit_triple(NULL);
	emit_llvm_version(llvm, sizeof llvm);
	printf("circ " CIRC_VERSION "\nLLVM %s\nhost %s\n", llvm, host ? host : "unknown");
	free(host);
}

void version_show(void)
{
	char llvm[32];
	emit_llvm_version(llvm, sizeof llvm);
	fprintf(stderr, "circ " CIRC_VERSION " (LLVM %s)\n", llvm);
}
