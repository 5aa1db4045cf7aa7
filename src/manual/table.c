#include "manual/table.h"

#include <stdio.h>
#include <string.h>

const Option options[] = {
#define GROUP(topic, title)                              {title, topic, NULL, FLAG, NULL, NULL, NULL},
#define OPTION(id, spelling, form, value, choices, help) {NULL, NULL, spelling, form, value, choices, help},
#include "driver/options.def"
    {NULL, NULL, NULL, FLAG, NULL, NULL, NULL},
};

const Command commands[] = {
#define COMMAND(id, name, synopsis, help) {name, synopsis, help},
#include "driver/options.def"
    {NULL, NULL, NULL},
};

static bool is_called(const Option *o, const char *name)
{
	return o->value && strcmp(o->value, name) == 0;
}

bool takes_file(const Option *o)
{
	return is_called(o, "FILE") || is_called(o, "LIB");
}

bool takes_folder(const Option *o)
{
	return is_called(o, "DIR");
}

void put_topics(void)
{
	const char *between = "";
	for (const Option *o = options; o->title || o->spelling; o++)
		if (o->title) {
			printf("%s%s", between, o->topic);
			between = " ";
		}
}
