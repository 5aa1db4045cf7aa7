/* What the tests of the public interface share: a handler that remembers. */
#ifndef CIRC_TESTS_UNIT_API_COMMON_H
#define CIRC_TESTS_UNIT_API_COMMON_H

#include "test.h"

#include <circ/circ.h>

#include <stdlib.h>

typedef struct Heard {
	char text[4096]; /* "error: message\n" each, or with "line:column: " where there is a place */
	unsigned errors, failures;
} Heard;

static inline void hear(const CircDiagnostic *d, void *user)
{
	static const char *const severities[] = {"note", "remark", "warning", "error", "failure"};
	Heard *h = user;
	size_t len = strlen(h->text);
	h->errors += d->severity == CIRC_ERROR;
	h->failures += d->severity == CIRC_FAILURE;
	if (d->line)
		snprintf(h->text + len, sizeof h->text - len, "%u:%u: %s: %s\n", d->line, d->column,
		         severities[d->severity], d->message);
	else
		snprintf(h->text + len, sizeof h->text - len, "%s: %s\n", severities[d->severity],
		         d->message);
}

static inline void forget(Heard *h)
{
	*h = (Heard){.errors = 0};
}

/* The last thing heard was one error of this text. */
#define EXPECT_REFUSED(heard, message)                                                                       \
	do {                                                                                                 \
		EXPECT_EQ((heard)->errors, 1);                                                               \
		EXPECT_STR((heard)->text, "error: " message "\n");                                           \
		forget(heard);                                                                               \
	} while (0)

static inline void expect_printed(CircModule *m, const char *want)
{
	char *text;
	size_t len;
	if (EXPECT(circ_module_print(m, 0, &text, &len))) {
		EXPECT_EQ(len, strlen(text));
		EXPECT_STR(text, want);
	}
	circ_free(text);
}

#endif
