/* driver/help.h: --help and --version, on standard output (-v: on standard error). */
#ifndef CIRC_DRIVER_HELP_H
#define CIRC_DRIVER_HELP_H

void help_print(void);
void version_print(void);
/* The same in one line on standard error, for -v. */
void version_show(void);

#endif
