#include "driver/help.h"

#include "driver/options.h"
#include "emit/emit.h"

#include <stdio.h>
#include <stdlib.h>

enum { OPTION_WIDTH = 24, LINE_WIDTH = 100 };

static const char usage[] =
    "usage: circ [options] FILE.cir... [FILE.o|.obj|.a|.lib|.so...]\n"
    "\n"
    "Compiles CIR to objects or a program. By default all files are linked to the program a.out;\n"
    "FILE - is standard input.\n"
    "\n"
    "       circ run [options] FILE.cir... [FILE.o...] [-- argument...]\n"
    "\n"
    "Compiles and runs the program in this process.\n"
    "\n"
    "       circ explain [--throw=TYPE [--at=PLACE]] [--json] FILE.cir|.o|.obj|.so|.exe|.dll\n"
    "\n"
    "Says for each call what an exception that leaves it runs, and where it ends.\n"
    "\n"
    "       circ view [options] [--target=TRIPLE...] [-o FILE.html] [--open] FILE.cir\n"
    "\n"
    "Writes a page that shows the module at all stages, for each target.\n";

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

static void print_group(const char *title)
{
	printf("\n%s\n", title);
}

static void print_option(const char *spelling, OptionForm form, const char *value, const char *help)
{
	static const char *const between[] = {[FLAG] = "", [JOINED] = "", [ARG] = " ", [EQUALS] = "="};
	if (!help)
		return;
	int n = printf("  %s%s%s", spelling, between[form], value ? value : "");
	if (n > OPTION_WIDTH - 2)
		printf("\n%*s", OPTION_WIDTH, "");
	else
		printf("%*s", OPTION_WIDTH - n, "");
	print_wrapped(help, OPTION_WIDTH);
}

void help_print(void)
{
	fputs(usage, stdout);
#define GROUP(title)                            print_group(title);
#define OPTION(id, spelling, form, value, help) print_option(spelling, form, value, help);
#include "driver/options.def"
	fputs(examples, stdout);
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
