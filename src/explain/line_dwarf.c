/* explain/line_dwarf.c: `.debug_line` of DWARF 2 to 5 (DWARF 5, 6.2). */
#include "explain/bytes.h"
#include "explain/lines.h"

#include "base/name.h"

#include <inttypes.h>

typedef struct File {
	Str name;
	uint64_t folder;
	uint32_t index; /* 1 + its index in the LineTable; 0: no row has used it */
} File;

typedef struct Unit {
	uint64_t begin;
	unsigned version, offset_size, address_size;
	unsigned step, opcode_base, line_range;
	int line_base;
	unsigned char operands[256];
} Unit;

typedef struct Reader {
	LineTable *t;
	const ObjectFile *o;
	uint32_t section;
	Unit unit;
	VEC(Str) folders; /* of the unit */
	VEC(File) files;
	NameTable paths; /* Name.symbol: 1 + the index in the LineTable */
	StrBuf path;
} Reader;

/* The state machine's registers. */
typedef struct Registers {
	ObjectPlace at;
	uint64_t file;
	uint32_t line, column;
	bool any; /* a row of the sequence was added */
} Registers;

static ObjectPlace place(const Reader *r, uint64_t offset)
{
	return (ObjectPlace){r->section, offset};
}

/* An address or an offset in another section. */
static ObjectPlace reference(const Reader *r, Bytes *b, unsigned size, bool *relocated)
{
	const ObjectReloc *reloc = object_reloc_at(r->o, place(r, b->at));
	ObjectPlace at = place(r, b->at);
	uint64_t value = bytes_uint(b, size);
	*relocated = reloc != NULL;
	if (reloc)
		return object_reloc_target(r->o, reloc, at).place;
	return (ObjectPlace){OBJECT_NONE, value};
}

/* Strings */

static Str text_in(const Reader *r, Bytes *b, const char *section_name)
{
	bool relocated;
	ObjectPlace at = reference(r, b, r->unit.offset_size, &relocated);
	if (!relocated)
		at.section = object_section(r->o, section_name, 0);
	if (b->failed || at.section >= r->o->nsections || r->o->sections[at.section].compressed)
		return (Str){"", 0};
	Bytes text = bytes_of(r->o->sections[at.section].bytes, at.offset, UINT64_MAX);
	return bytes_text(&text);
}

enum { FORM_DATA2 = 0x05, FORM_DATA4 = 0x06, FORM_DATA8 = 0x07, FORM_STRING = 0x08, FORM_BLOCK = 0x09 };
enum { FORM_DATA1 = 0x0b, FORM_STRP = 0x0e, FORM_UDATA = 0x0f, FORM_DATA16 = 0x1e, FORM_LINE_STRP = 0x1f };

static void read_form(const Reader *r, Bytes *b, uint64_t form, Str *text, uint64_t *number)
{
	switch (form) {
	case FORM_STRING:
		*text = bytes_text(b);
		break;
	case FORM_LINE_STRP:
		*text = text_in(r, b, ".debug_line_str");
		break;
	case FORM_STRP:
		*text = text_in(r, b, ".debug_str");
		break;
	case FORM_DATA1:
		*number = bytes_uint(b, 1);
		break;
	case FORM_DATA2:
		*number = bytes_uint(b, 2);
		break;
	case FORM_DATA4:
		*number = bytes_uint(b, 4);
		break;
	case FORM_DATA8:
		*number = bytes_uint(b, 8);
		break;
	case FORM_UDATA:
		*number = bytes_uleb(b);
		break;
	case FORM_DATA16:
		bytes_skip(b, 16);
		break;
	case FORM_BLOCK:
		bytes_skip(b, bytes_uleb(b));
		break;
	default:
		bytes_fail(b, "unknown form of a file name");
	}
}

/* Headers */

static void add_entry(Reader *r, bool folders, Str name, uint64_t folder)
{
	File file = {.name = name, .folder = folder};
	if (folders)
		vec_push(r->t->mem, &r->folders, name);
	else
		vec_push(r->t->mem, &r->files, file);
}

/* DWARF 5: the fields of an entry are described first. */
static void read_entries(Reader *r, Bytes *b, bool folders)
{
	enum { CONTENT_PATH = 1, CONTENT_FOLDER = 2 };
	struct {
		uint64_t content, form;
	} fields[256];
	unsigned nfields = (unsigned)bytes_uint(b, 1);
	for (unsigned i = 0; i < nfields; i++) {
		fields[i].content = bytes_uleb(b);
		fields[i].form = bytes_uleb(b);
	}
	uint64_t n = bytes_uleb(b);
	if (n && !nfields)
		bytes_fail(b, "entries of file names have no fields");
	for (uint64_t i = 0; i < n && !b->failed; i++) {
		Str name = {"", 0};
		uint64_t folder = 0;
		for (unsigned k = 0; k < nfields && !b->failed; k++) {
			Str text = {"", 0};
			uint64_t number = 0;
			read_form(r, b, fields[k].form, &text, &number);
			if (fields[k].content == CONTENT_PATH)
				name = text;
			else if (fields[k].content == CONTENT_FOLDER)
				folder = number;
		}
		add_entry(r, folders, name, folder);
	}
}

/* DWARF 2 to 4; the first of both is what the compilation unit has, and is not in the lists. */
static void read_old_entries(Reader *r, Bytes *b)
{
	Str name;
	add_entry(r, true, (Str){"", 0}, 0);
	add_entry(r, false, (Str){"", 0}, 0);
	while ((name = bytes_text(b)).len)
		add_entry(r, true, name, 0);
	while (!b->failed && (name = bytes_text(b)).len) {
		uint64_t folder = bytes_uleb(b);
		bytes_uleb(b); /* time */
		bytes_uleb(b); /* size */
		add_entry(r, false, name, folder);
	}
}

/* *b becomes the program. */
static void read_header(Reader *r, Bytes *b)
{
	Unit *u = &r->unit;
	u->version = (unsigned)bytes_uint(b, 2);
	if (u->version < 2 || u->version > 5)
		bytes_fail(b, "expected a line table of version 2 to 5");
	u->address_size = 8;
	if (u->version == 5) {
		u->address_size = (unsigned)bytes_uint(b, 1);
		bytes_skip(b, 1);
	}
	uint64_t length = bytes_uint(b, u->offset_size), program = b->at + length;
	if (!b->failed && length > b->end - b->at)
		bytes_fail(b, "header of the line table is cut off");
	u->step = (unsigned)bytes_uint(b, 1);
	if (u->version >= 4)
		bytes_skip(b, 1); /* operations of an instruction */
	bytes_skip(b, 1);         /* default_is_stmt */
	u->line_base = (int)bytes_int(b, 1);
	u->line_range = (unsigned)bytes_uint(b, 1);
	u->opcode_base = (unsigned)bytes_uint(b, 1);
	for (unsigned i = 1; i < u->opcode_base; i++)
		u->operands[i] = (unsigned char)bytes_uint(b, 1);
	if (!b->failed && !u->line_range)
		bytes_fail(b, "line table has a line range of 0");
	r->folders.len = r->files.len = 0;
	Bytes header = *b;
	if (!b->failed)
		header.end = program;
	if (u->version == 5) {
		read_entries(r, &header, true);
		read_entries(r, &header, false);
	} else {
		read_old_entries(r, &header);
	}
	if (header.failed)
		*b = header;
	else
		b->at = program;
}

/* Rows */

static uint32_t file_index(Reader *r, uint64_t number)
{
	if (number >= r->files.len)
		return UINT32_MAX;
	File *f = &r->files.data[number];
	if (f->index)
		return f->index - 1;
	Str folder = f->folder && f->folder < r->folders.len ? r->folders.data[f->folder] : (Str){"", 0};
	r->path.len = 0;
	if (folder.len && f->name.len && f->name.data[0] != '/') {
		buf_put(r->t->mem, &r->path, folder);
		buf_char(r->t->mem, &r->path, '/');
	}
	buf_put(r->t->mem, &r->path, f->name);
	Name *path = name_intern(&r->paths, (Str){r->path.data, r->path.len});
	if (!path->symbol)
		path->symbol = (void *)((uintptr_t)line_table_add_file(r->t, name_str(path)) + 1);
	f->index = (uint32_t)(uintptr_t)path->symbol;
	return f->index - 1;
}

static void add_row(Reader *r, Registers *reg, bool end)
{
	if (reg->at.section >= r->o->nsections || !r->o->sections[reg->at.section].code || (end && !reg->any))
		return;
	LineRow row = {.offset = reg->at.offset, .section = reg->at.section};
	if (!end) {
		row.file = file_index(r, reg->file);
		row.line = reg->line;
		row.column = reg->column;
	}
	LineRow *last = reg->any ? &r->t->rows.data[r->t->rows.len - 1] : NULL;
	if (last && last->offset == row.offset && !end) {
		row.order = last->order;
		*last = row;
	} else if (!last || last->line != row.line || last->column != row.column || last->file != row.file) {
		line_table_add(r->t, row);
	}
	reg->any = true;
}

static void set_address(const Reader *r, Registers *reg, Bytes *b, uint64_t size)
{
	bool relocated;
	if (!size || size > 8) {
		bytes_fail(b, "line table has an address of more than 8 bytes");
		return;
	}
	reg->at = reference(r, b, (unsigned)size, &relocated);
	if (!relocated && r->o->linked)
		reg->at = object_place_of(r->o, reg->at.offset);
	reg->any = false;
}

static Registers fresh(void)
{
	return (Registers){.at = {OBJECT_NONE, 0}, .file = 1, .line = 1};
}

static void run_extended(Reader *r, Registers *reg, Bytes *b)
{
	enum { END_SEQUENCE = 1, SET_ADDRESS = 2 };
	uint64_t length = bytes_uleb(b), begin = b->at;
	if (!b->failed && (!length || length > b->end - b->at))
		bytes_fail(b, "instruction of a line table is cut off");
	uint64_t op = bytes_uint(b, 1);
	if (op == END_SEQUENCE && !b->failed) {
		add_row(r, reg, true);
		*reg = fresh();
	} else if (op == SET_ADDRESS && !b->failed) {
		set_address(r, reg, b, length - 1);
	}
	if (!b->failed)
		b->at = begin + length;
}

static void advance_pc(const Reader *r, Registers *reg, uint64_t n)
{
	reg->at.offset += n * r->unit.step;
}

static void run_standard(Reader *r, Registers *reg, Bytes *b, unsigned op)
{
	enum { COPY = 1, ADVANCE_PC, ADVANCE_LINE, SET_FILE, SET_COLUMN, NEGATE_STMT, BASIC_BLOCK };
	enum { CONST_ADD_PC = BASIC_BLOCK + 1, FIXED_ADVANCE_PC };
	switch (op) {
	case COPY:
		add_row(r, reg, false);
		break;
	case ADVANCE_PC:
		advance_pc(r, reg, bytes_uleb(b));
		break;
	case ADVANCE_LINE:
		reg->line += (uint32_t)bytes_sleb(b);
		break;
	case SET_FILE:
		reg->file = bytes_uleb(b);
		break;
	case SET_COLUMN:
		reg->column = (uint32_t)bytes_uleb(b);
		break;
	case CONST_ADD_PC:
		advance_pc(r, reg, (255 - r->unit.opcode_base) / r->unit.line_range);
		break;
	case FIXED_ADVANCE_PC:
		reg->at.offset += bytes_uint(b, 2);
		break;
	default:
		for (unsigned i = 0; i < r->unit.operands[op]; i++)
			bytes_uleb(b);
	}
}

static void run_program(Reader *r, Bytes *b)
{
	Registers reg = fresh();
	const Unit *u = &r->unit;
	while (b->at < b->end && !b->failed) {
		unsigned op = (unsigned)bytes_uint(b, 1);
		if (op >= u->opcode_base) {
			op -= u->opcode_base;
			advance_pc(r, &reg, op / u->line_range);
			reg.line += (uint32_t)(u->line_base + (int)(op % u->line_range));
			add_row(r, &reg, false);
		} else if (op) {
			run_standard(r, &reg, b, op);
		} else {
			run_extended(r, &reg, b);
		}
	}
}

static void read_section(Reader *r)
{
	const uint32_t extended = 0xffffffff;
	Bytes all = bytes_of(r->o->sections[r->section].bytes, 0, UINT64_MAX);
	while (bytes_left(&all) >= 4) {
		r->unit = (Unit){.begin = all.at, .offset_size = 4};
		uint64_t length = bytes_uint(&all, 4);
		if (length == extended) {
			length = bytes_uint(&all, 8);
			r->unit.offset_size = 8;
		}
		if (length > bytes_left(&all)) {
			object_warning(r->o, place(r, r->unit.begin), "line table is cut off");
			return;
		}
		Bytes b = all;
		b.end = b.at + length;
		bytes_skip(&all, length);
		read_header(r, &b);
		run_program(r, &b);
		if (b.failed)
			object_warning(r->o, place(r, b.at), "%s", b.failed);
	}
}

void line_dwarf_read(LineTable *t, const ObjectFile *o)
{
	Reader r = {.t = t, .o = o};
	names_init(&r.paths, t->mem);
	for (uint32_t i = 0; (i = object_section(o, ".debug_line", i)) != OBJECT_NONE; i++) {
		r.section = i;
		if (o->sections[i].compressed)
			object_warning(o, place(&r, 0),
			               "section is compressed, which circ does not read; "
			               "objcopy can decompress it, for places in the source");
		else
			read_section(&r);
	}
}
