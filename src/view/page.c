/* view/page.c: the page: page/page.html with what stands between "@@" replaced. */
#include "view/page_files.h"
#include "view/stage.h"

static void put_title(Str title, Arena *mem, StrBuf *page)
{
	for (size_t i = 0; i < title.len; i++) {
		char c = title.data[i];
		if (c == '<' || c == '&' || c == '>')
			buf_printf(mem, page, "&#%d;", c);
		else if ((unsigned char)c >= 0x20 && (unsigned char)c < 0x7F)
			buf_char(mem, page, c);
		else
			buf_char(mem, page, '?');
	}
}

void page_put(Str title, Str data, Arena *mem, StrBuf *page)
{
	static const char mark[] = "@@";
	Str rest = {(const char *)view_html, view_html_size};
	const Str parts[] = {{(const char *)view_style, view_style_size},
	                     {(const char *)view_script, view_script_size}};
	for (;;) {
		const char *begin = memmem(rest.data, rest.len, mark, 2);
		buf_put(mem, page, (Str){rest.data, begin ? (size_t)(begin - rest.data) : rest.len});
		if (!begin)
			return;
		Str name = {begin + 2, rest.len - (size_t)(begin + 2 - rest.data)};
		name.len = (size_t)((const char *)memmem(name.data, name.len, mark, 2) - name.data);
		rest.len -= (size_t)(name.data + name.len + 2 - rest.data);
		rest.data = name.data + name.len + 2;
		if (str_is(name, "title"))
			put_title(title, mem, page);
		else if (str_is(name, "data"))
			buf_put(mem, page, data);
		else
			buf_put(mem, page, parts[str_is(name, "script")]);
	}
}
