/* manual/table.h: driver/options.def as data. */
#ifndef CIRC_MANUAL_TABLE_H
#define CIRC_MANUAL_TABLE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum Form { FLAG, JOINED, ARG, EQUALS } Form;

typedef struct Option {
	const char *title; /* the heading that begins here, or NULL; then the rest is not there */
	const char *topic;
	const char *spelling;
	Form form;
	const char *value, *choices, *help; /* value, choices: or NULL */
} Option;

typedef struct Command {
	const char *name, *synopsis, *help;
} Command;

/* Those that --help shows; ended by a row of NULLs. */
extern const Option options[];
extern const Command commands[];

/* Is the value a file, or a folder? */
bool takes_file(const Option *o);
bool takes_folder(const Option *o);

/* The names of headings, one after the other with a blank between them. */
void put_topics(void);

void write_man(void);
void write_bash(void);
void write_zsh(void);
void write_fish(void);

#endif
