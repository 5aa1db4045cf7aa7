/* faults/scenarios.h: what is done while allocations fail; each function is one use of
 * circ, from beginning to end. */
#ifndef CIRC_TESTS_FAULTS_SCENARIOS_H
#define CIRC_TESTS_FAULTS_SCENARIOS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Attempt {
	const char *path, *text; /* of the input */
	size_t text_len;
	const char *triple;
	char opt;
	bool debug;
	const char *args[8]; /* of the command, ended by NULL; FILE and TRIPLE stand for the above */
	/* What came of it: */
	char heard[4096]; /* messages of errors */
	char *made;       /* of circ_free(), or NULL */
	size_t made_len;
	const char *wrong; /* the run ended as none may, or NULL */
} Attempt;

/* False: it failed. They run in a folder of their own, beside which there is one `tmp`;
 * they leave the file `out`. */
typedef bool Scenario(Attempt *a);

Scenario scenario_text, scenario_passes, scenario_object, scenario_file, scenario_builder, scenario_jit,
    scenario_explain, scenario_link, scenario_command;

#endif
