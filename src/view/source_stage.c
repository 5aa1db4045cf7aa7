/* view/source_stage.c: the files that the module was made from, where they can be read: as `loc` names them, from here or from the
 * folder of the CIR. */
#include "view/stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { SOURCE_FILES_MAX = 4096, SOURCE_SIZE_MAX = 64 << 20 };

typedef struct SourceFile {
	Str name;
	VEC(uint32_t) pairs; /* line from 0, op */
} SourceFile;

typedef struct Sources {
	NameTable names;
	VEC(SourceFile) files;
	uint32_t *of_name; /* 1 + index in files, by Name.id */
} Sources;

static void note(Sources *s, const IrOp *op, Arena *mem)
{
	const LocInfo *at = loc_file(op->loc.info);
	if (!at || !at->line || !at->name.len || !op->loc.pos)
		return;
	Name *name = name_intern(&s->names, at->name);
	if (name->id >= SOURCE_FILES_MAX)
		return;
	if (!s->of_name[name->id]) {
		vec_push(mem, &s->files, ((SourceFile){.name = at->name}));
		s->of_name[name->id] = s->files.len;
	}
	SourceFile *file = &s->files.data[s->of_name[name->id] - 1];
	vec_push(mem, &file->pairs, at->line - 1);
	vec_push(mem, &file->pairs, op->loc.pos);
}

/* Regular files only: a `loc` may name a device that never ends. */
static bool read_file(const char *path, Arena *mem, Str *text)
{
	struct stat st;
	FILE *f = fopen(path, "rb");
	if (!f)
		return false;
	bool ok = fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= SOURCE_SIZE_MAX;
	size_t size = ok ? (size_t)st.st_size : 0;
	char *bytes = arena_array(mem, char, size + 1);
	ok = ok && fread(bytes, 1, size, f) == size;
	fclose(f);
	*text = (Str){bytes, size};
	return ok;
}

static bool find_file(Str name, const char *cir, Arena *mem, Str *text)
{
	const char *slash = strrchr(cir, '/');
	const char *path = arena_copy(mem, name.data, name.len);
	if (strlen(path) != name.len) /* a zero in it */
		return false;
	if (read_file(path, mem, text))
		return true;
	if (path[0] == '/' || !slash)
		return false;
	return read_file(arena_printf(mem, "%.*s/%s", (int)(slash - cir), cir, path), mem, text);
}

static void put_file(ViewData *d, const SourceFile *f, Str text)
{
	stage_begin(d, "source", f->name, NULL, text);
	data_key(d, "ops");
	data_open(d, '[');
	for (uint32_t i = 0; i < f->pairs.len; i++)
		data_number(d, f->pairs.data[i]);
	data_close(d, ']');
	data_close(d, '}');
}

void source_stages(ViewData *d, IrModule *m, const char *path)
{
	Sources s = {.of_name = arena_array(d->mem, uint32_t, SOURCE_FILES_MAX)};
	names_init(&s.names, d->mem);
	for (IrOp *op = ir_walk_first(&m->body); op; op = ir_walk_next(op, &m->body))
		note(&s, op, d->mem);
	for (uint32_t i = 0; i < s.files.len; i++) {
		Str text;
		if (find_file(s.files.data[i].name, path, d->mem, &text))
			put_file(d, &s.files.data[i], text);
	}
}
