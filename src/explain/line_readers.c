/* explain/line_readers.c: which readers an object's line tables need. */
#include "explain/lines.h"

void line_table_open(LineTable *t, const ObjectFile *o, Arena *mem)
{
	*t = (LineTable){.mem = mem};
	line_dwarf_read(t, o);
	if (o->format == OBJECT_COFF)
		line_codeview_read(t, o);
	line_table_sort(t);
}
