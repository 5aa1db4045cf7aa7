/* What is reported. A message names the function, and shows the instruction; its place is that of debug metadata, else the file alone. */
#include "raise/raiser.h"

#include <stdarg.h>
#include <stdio.h>

enum { SHOWN = 160 }; /* bytes of an instruction */

/* Without the indentation, in one line: those of landing pads and switches have several. */
static const char *shown(Raise *r)
{
	char *text = LLVMPrintValueToString(r->instruction);
	const char *at = text + strspn(text, " ");
	StrBuf out = {0};
	while (*at && out.len < SHOWN) {
		size_t line = strcspn(at, "\n"), room = SHOWN - out.len;
		buf_printf(r->arena, &out, "%.*s", (int)(line < room ? line : room), at);
		at += line;
		if (*at)
			buf_printf(r->arena, &out, " ");
		at += strspn(at, "\n ");
	}
	LLVMDisposeMessage(text);
	return out.len ? out.data : "";
}

void raise_error(Raise *r, const char *fmt, ...)
{
	char text[512];
	va_list args;
	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	size_t len;
	bool first = !r->failed;
	r->failed = true;
	if (!first)
		return;
	if (r->function && r->instruction)
		diag_error(r->d, raise_place(r, r->instruction), "function '%s': '%s' %s",
		           LLVMGetValueName2(r->function, &len), shown(r), text);
	else if (r->function)
		diag_error(r->d, raise_function_place(r, r->function), "function '%s' %s",
		           LLVMGetValueName2(r->function, &len), text);
	else
		diag_error(r->d, (Loc){0}, "module %s", text);
}

void raise_lose(Raise *r, Lost what)
{
	r->lost |= UINT64_C(1) << what;
}

void raise_tell_lost(Raise *r)
{
	static const char *const texts[LOST_COUNT] = {
	    [LOST_METADATA] = "metadata of instructions",
	    [LOST_BUNDLE] = "bundles of assumptions",
	    [LOST_RANGE] = "ranges of parameters and results",
	    [LOST_NOTAIL] = "'notail' of calls",
	    [LOST_DEBUG] = "types and variables of debug information",
	    [LOST_LINKER_OPTIONS] = "linker options",
	    [LOST_CODE_MODEL] = "code models of globals",
	};
	StrBuf list = {0};
	for (unsigned i = 0; i < LOST_COUNT; i++)
		if (r->lost >> i & 1)
			buf_printf(r->arena, &list, "%s%s", list.len ? ", " : "", texts[i]);
	if (list.len)
		diag_remark(r->d, (Loc){0}, "left out, because CIR has no counterpart: %.*s", (int)list.len,
		            list.data);
}
