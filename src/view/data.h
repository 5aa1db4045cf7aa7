/* view/data.h: the page's data: JSON as it may stand inside of <script>. */
#ifndef CIRC_VIEW_DATA_H
#define CIRC_VIEW_DATA_H

#include "base/vec.h"

typedef struct ViewData {
	Arena *mem;
	StrBuf *out;
	bool first; /* of the array or object being written */
} ViewData;

void data_open(ViewData *d, char bracket);
void data_close(ViewData *d, char bracket);
void data_key(ViewData *d, const char *key);
void data_string(ViewData *d, Str s);
void data_number(ViewData *d, uint64_t n);
void data_field(ViewData *d, const char *key, Str s);
void data_field_number(ViewData *d, const char *key, uint64_t n);
/* JSON that somebody else wrote, made safe. */
void data_json(ViewData *d, Str json);

#endif
