/* driver/help.h: --help and --version, on standard output (-v: on standard error). */
#ifndef CIRC_DRIVER_HELP_H
#define CIRC_DRIVER_HELP_H

#include "driver/report.h"

void help_print(void);
/* `circ help TOPIC`: a command, a group of options, or an option. Another topic is wrong usage. */
void help_print_topic(const char *topic, Report *r);
void version_print(void);
/* The same in one line on standard error, for -v. */
void version_show(void);

#endif
