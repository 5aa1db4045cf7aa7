#include "driver/llvm_messages.h"

#include "base/escape.h"
#include "emit/emit.h"
#include "emit/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static unsigned holders; /* this and the next two: under emit_hold_standard_error() */
static int file = -1;
static int former = -1;

static void begin(void)
{
	file = output_anonymous();
	former = file < 0 ? -1 : dup(STDERR_FILENO);
	if (former >= 0)
		dup2(file, STDERR_FILENO);
}

/* What driver/report.c sets colours with. Others could hide text, or make it blink. */
static size_t colour_at(Str s)
{
	static const char *const ours[] = {"\033[0m",    "\033[1m",    "\033[0;1m",  "\033[1;31m",
	                                   "\033[1;32m", "\033[1;34m", "\033[1;35m", "\033[1;36m"};
	for (size_t i = 0; i < ARRAY_LEN(ours); i++)
		if (str_begins_with(s, (Str){ours[i], strlen(ours[i])}))
			return strlen(ours[i]);
	return 0;
}

/* Lines stay lines, and tabs of excerpts stay. */
static size_t kept_at(Str s)
{
	return s.data[0] == '\n' || s.data[0] == '\t' ? 1 : colour_at(s);
}

static void print_escaped(Str s)
{
	char piece[256];
	while (s.len) {
		size_t n = kept_at(s);
		if (n) {
			fwrite(s.data, 1, n, stderr);
		} else {
			while (n < s.len && n < sizeof piece / 4 && !kept_at((Str){s.data + n, s.len - n}))
				n++;
			escape_into(piece, sizeof piece, (Str){s.data, n});
			fputs(piece, stderr);
		}
		s = (Str){s.data + n, s.len - n};
	}
}

static void end(void)
{
	fflush(stderr);
	if (former >= 0) {
		dup2(former, STDERR_FILENO);
		close(former);
		Str said = output_map(file);
		print_escaped(said);
		output_unmap(said);
	}
	if (file >= 0)
		close(file);
	file = former = -1;
}

void llvm_messages_hold(void)
{
	emit_hold_standard_error();
	if (holders++ == 0)
		begin();
	emit_release_standard_error();
}

void llvm_messages_release(void)
{
	emit_hold_standard_error();
	if (--holders == 0)
		end();
	emit_release_standard_error();
}

void llvm_messages_flush(void)
{
	if (holders)
		end();
}
