/* explain/line_codeview.c: the line tables of CodeView in objects: section .debug$S, which begins with 4 and holds subsections of
 * a kind, a size and that many bytes, to a multiple of 4. Of programs they are in a PDB file, which circ does not read. */
#include "explain/lines.h"

enum {
	SIGNATURE = 4,
	LINES = 0xf2,
	STRINGS = 0xf3,
	CHECKSUMS = 0xf4,
	HAVE_COLUMNS = 1,
	LINES_HEADER = 12,
	BLOCK_HEADER = 12,
	NO_STEP = 0xfeefee, /* lines of compilers: not in a source */
	NO_STEP_INTO = 0xf00f00,
};

typedef struct Subsection {
	uint32_t kind;
	ObjectPlace at;
	uint64_t size;
} Subsection;

typedef struct Codeview {
	LineTable *t;
	const ObjectFile *o;
	Subsection strings, checksums;
	uint32_t
	    *files; /* of each offset in the checksums, by 4: index in the table + 1; 0: not asked for yet */
	uint64_t names_left; /* bytes: many files may have one long name */
} Codeview;

static ObjectPlace after(ObjectPlace p, uint64_t n)
{
	p.offset += n;
	return p;
}

static uint32_t word_at(const ObjectFile *o, ObjectPlace at)
{
	uint64_t value;
	object_read(o, at, 4, &value);
	return (uint32_t)value;
}

/* The subsection at a place; false: the last was before, or it is wrong, which is reported. */
static bool next_subsection(const Codeview *c, ObjectPlace *at, Subsection *s)
{
	uint64_t size = c->o->sections[at->section].bytes.len;
	if (at->offset >= size || size - at->offset < 8)
		return false;
	*s = (Subsection){word_at(c->o, *at), after(*at, 8), word_at(c->o, after(*at, 4))};
	if (s->size > size - s->at.offset) {
		object_warning(c->o, *at,
		               "expected %llu bytes of debug information, found the end of the section",
		               (unsigned long long)s->size);
		return false;
	}
	at->offset = s->at.offset + ((s->size + 3) & ~(uint64_t)3);
	return true;
}

/* A file's name is in the strings, where its checksum says. */
static bool file_index(Codeview *c, ObjectPlace block, uint32_t checksum, uint32_t *index)
{
	uint32_t *known = checksum < c->checksums.size ? &c->files[checksum / 4] : NULL;
	if (known && *known) {
		*index = *known - 1;
		return true;
	}
	uint64_t begin = known && c->checksums.size - checksum >= 4
	                     ? word_at(c->o, after(c->checksums.at, checksum))
	                     : UINT64_MAX;
	if (begin >= c->strings.size) {
		object_warning(c->o, block,
		               "expected the name of a file, found none at 0x%x of the checksums", checksum);
		return false;
	}
	const char *name = c->o->sections[c->strings.at.section].bytes.data + c->strings.at.offset + begin;
	const char *end = memchr(name, 0, (size_t)(c->strings.size - begin));
	Str path = {name, end ? (size_t)(end - name) : (size_t)(c->strings.size - begin)};
	if (path.len > c->names_left)
		path.len = (size_t)c->names_left;
	c->names_left -= path.len;
	*index = line_table_add_file(c->t, path);
	*known = *index + 1;
	return true;
}

static void add_row(Codeview *c, ObjectPlace code, uint32_t file, ObjectPlace at, ObjectPlace column)
{
	uint64_t column_begin = 0;
	uint32_t line = word_at(c->o, after(at, 4)) & 0xffffff;
	if (column.section != OBJECT_NONE)
		object_read(c->o, column, 2, &column_begin);
	if (line == NO_STEP || line == NO_STEP_INTO)
		line = 0;
	line_table_add(c->t, (LineRow){.offset = code.offset + word_at(c->o, at),
	                               .section = code.section,
	                               .file = file,
	                               .line = line,
	                               .column = (uint32_t)column_begin});
}

/* The lines of one function: blocks, each of one file. */
static void read_lines(Codeview *c, const Subsection *s)
{
	ObjectTarget code;
	if (s->size < LINES_HEADER || !object_pointer(c->o, s->at, 4, OBJECT_RELOC_OTHER, &code) ||
	    code.place.section >= c->o->nsections) {
		object_warning(c->o, s->at, "expected the address of code before its lines, found none");
		return;
	}
	uint64_t end = s->at.offset + s->size;
	bool columns = word_at(c->o, after(s->at, 4)) >> 16 & HAVE_COLUMNS;
	uint64_t code_size = word_at(c->o, after(s->at, 8));
	for (ObjectPlace at = after(s->at, LINES_HEADER); end - at.offset >= BLOCK_HEADER;) {
		uint64_t n = word_at(c->o, after(at, 4)), room = end - at.offset - BLOCK_HEADER;
		uint32_t file;
		if (n > room / (columns ? 12 : 8)) {
			object_warning(c->o, at, "expected %llu lines, found the end of the subsection",
			               (unsigned long long)n);
			return;
		}
		if (!file_index(c, at, word_at(c->o, at), &file))
			return;
		ObjectPlace row = after(at, BLOCK_HEADER), column = after(row, 8 * n);
		for (uint64_t i = 0; i < n; i++, row.offset += 8, column.offset += 4)
			add_row(c, code.place, file, row, columns ? column : (ObjectPlace){OBJECT_NONE, 0});
		at = after(at, BLOCK_HEADER + n * (columns ? 12 : 8));
	}
	line_table_add(c->t,
	               (LineRow){.offset = code.place.offset + code_size, .section = code.place.section});
}

static bool has_signature(const ObjectFile *o, uint32_t section)
{
	const ObjectSection *s = &o->sections[section];
	return str_is(s->name, ".debug$S") && s->bytes.len >= 4 &&
	       word_at(o, (ObjectPlace){section, 0}) == SIGNATURE;
}

/* Strings and checksums may be in another section than the lines that need them, as those of COMDATs are. */
static void find_files(Codeview *c)
{
	for (uint32_t i = 0; i < c->o->nsections; i++) {
		ObjectPlace at = {i, 4};
		Subsection s;
		while (has_signature(c->o, i) && next_subsection(c, &at, &s)) {
			if (s.kind == STRINGS && !c->strings.size)
				c->strings = s;
			else if (s.kind == CHECKSUMS && !c->checksums.size)
				c->checksums = s;
		}
	}
}

void line_codeview_read(LineTable *t, const ObjectFile *o)
{
	Codeview c = {.t = t, .o = o, .names_left = o->bytes.len};
	find_files(&c);
	c.files = arena_array(t->mem, uint32_t, c.checksums.size / 4 + 1);
	for (uint32_t i = 0; i < o->nsections; i++) {
		ObjectPlace at = {i, 4};
		Subsection s;
		while (has_signature(o, i) && next_subsection(&c, &at, &s))
			if (s.kind == LINES)
				read_lines(&c, &s);
	}
}
