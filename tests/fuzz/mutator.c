/* mutator.c: libFuzzer's custom mutator. A text that reads as a module is changed as a module (edit.h): some
 * random edits, each of which is taken only if what comes out still verifies, and now and then one that does
 * not. Other texts, and sometimes these, too, are changed as bytes. Two modules are crossed by putting
 * definitions of one into the other. */
#include "edit.h"
#include "fuzz.h"

#include "text/parse.h"
#include "text/print/print.h"
#include "verify/verify.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2, size_t size2,
                                 uint8_t *out, size_t max_size, unsigned seed);

static const struct {
	bool (*edit)(Edit *e);
	uint32_t weight;
} edits[] = {
    {edit_delete, 4},
    {edit_double, 2},
    {edit_move, 4},
    {edit_copy, 12},
    {edit_operand, 8},
    {edit_successor, 5},
    {edit_function, 1},
    {edit_wrap, 10},
    {edit_unwrap, 3},
    {edit_leave, 7},
    {edit_swap_regions, 2},
    {edit_call, 4},
    {edit_split, 3},
    {edit_attribute, 12},
    {edit_attribute_from_elsewhere, 5},
    {edit_attribute_everywhere, 3},
    {edit_type, 3},
    {edit_type_everywhere, 6},
    {edit_type_info, 8},
};

bool edit_random(Edit *e)
{
	uint32_t sum = 0, i = 0;
	for (size_t k = 0; k < ARRAY_LEN(edits); k++)
		sum += edits[k].weight;
	uint32_t at = pick_below(e, sum);
	while (at >= edits[i].weight)
		at -= edits[i++].weight;
	return edits[i].edit(e);
}

/* What the mutator finds wrong itself, while it tries an edit, would leave no file: libFuzzer only knows the
 * input before it. The folder CIRC_FUZZ_TRIED gets the text that is being tried; it stays there when the
 * process does not end as it should. */
static char *tried_path;

static void forget_tried(void)
{
	remove(tried_path);
	free(tried_path);
}

static void keep_tried(Str text)
{
	static int fd = -1;
	const char *folder = getenv("CIRC_FUZZ_TRIED");
	if (folder && !tried_path && asprintf(&tried_path, "%s/tried-%ld.cir", folder, (long)getpid()) > 0) {
		fd = open(tried_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		atexit(forget_tried);
	}
	if (fd >= 0 &&
	    (pwrite(fd, text.data, text.len, 0) != (ssize_t)text.len || ftruncate(fd, (off_t)text.len) != 0))
		fuzz_fail("cannot write %s", tried_path);
}

/* A module, or NULL when the text is none. */
static IrModule *read_module(Str text)
{
	IrModule *m = ir_module_create();
	Diags d;
	if (!m)
		fuzz_fail("out of memory");
	keep_tried(text);
	diag_init(&d, NULL, NULL);
	if (text_parse(m, "mutated", text, &d))
		return m;
	ir_module_destroy(m);
	return NULL;
}

static bool verifies(IrModule *m)
{
	Diags d;
	diag_init(&d, NULL, NULL);
	return ir_verify(m, ir_module_stage(m), &d);
}

static Str print_module(IrModule *m, unsigned flags, Arena *a)
{
	StrBuf out = {0};
	text_print(m, flags, a, &out);
	return (Str){out.data, out.len};
}

/* One edit of a text. What verifies is printed as people write it, the rest in the generic form, which has
 * room for everything. data NULL: nothing could be changed. */
static Str edit_text(Str text, uint64_t random, Arena *a, bool *verified)
{
	Str out = {0};
	IrModule *m = read_module(text);
	Edit e = {.m = m, .arena = a, .random = random};
	*verified = false;
	if (m && edit_random(&e))
		out = print_module(m, PRINT_GENERIC, a);
	ir_module_destroy(m);
	m = out.data ? read_module(out) : NULL;
	if (m && verifies(m)) {
		*verified = true;
		out = print_module(m, 0, a);
	}
	ir_module_destroy(m);
	return out;
}

static Str edit_several(Str text, uint64_t random, size_t max_size, Arena *a)
{
	Edit e = {.random = random};
	uint32_t wanted = 1 + pick_below(&e, 4), taken = 0;
	bool accepts_wrong = pick_one_in(&e, 10);
	for (uint32_t tries = 0; tries < 12 && taken < wanted; tries++) {
		bool verified;
		pick_below(&e, 2);
		Str edited = edit_text(text, e.random, a, &verified);
		if (!edited.data || edited.len > max_size || (!verified && !accepts_wrong))
			continue;
		text = edited;
		if (!verified)
			break;
		taken++;
	}
	return text;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	Edit e = {.random = seed};
	if (!size || pick_below(&e, 16) < fuzz_byte_mutations)
		return LLVMFuzzerMutate(data, size, max_size);
	Arena a;
	arena_init(&a);
	Str text = {(const char *)data, size};
	Str edited = edit_several(text, e.random, max_size, &a);
	bool changed = edited.data != text.data;
	if (changed)
		memcpy(data, edited.data, edited.len);
	arena_free(&a);
	return changed ? edited.len : LLVMFuzzerMutate(data, size, max_size);
}

/* Of its definitions, some; none that the other has. */
static void keep_some(Edit *e, IrModule *other)
{
	IR_FOR_OPS_SAFE (op, ir_module_block(e->m)) {
		Name *name = op_info[op->kind].flags & OPF_SYMBOL ? ir_symbol_name(op) : NULL;
		Name *taken = name ? name_find(&other->names, name_str(name)) : NULL;
		if (ir_symbol(taken) || pick_one_in(e, 5))
			ir_op_erase(op);
	}
}

/* `aliases module … { ops }` into its two parts. */
static void part_text(Str text, Str *aliases, Str *ops)
{
	const char *module = memmem(text.data, text.len, "\nmodule", 7);
	size_t head = module ? (size_t)(module + 1 - text.data) : 0;
	const char *open = memchr(text.data + head, '\n', text.len - head);
	const char *begin = open ? open + 1 : text.data + text.len;
	const char *end = memrchr(begin, '}', (size_t)(text.data + text.len - begin));
	end = end ? end : begin;
	*aliases = (Str){text.data, (size_t)(begin - text.data)};
	*ops = (Str){begin, (size_t)(end - begin)};
}

/* The aliases that the other has not. */
static void put_new_lines(Edit *e, Str lines, Str other, StrBuf *out)
{
	for (const char *at = lines.data, *end = at + lines.len, *next; at < end; at = next) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		next = newline ? newline + 1 : end;
		if (*at != 'm' && !memmem(other.data, other.len, at, (size_t)(next - at)))
			buf_put(e->arena, out, (Str){at, (size_t)(next - at)});
	}
}

/* The ops of both, in the module line of the first. */
static void join(Edit *e, Str x, Str y, StrBuf *out)
{
	Str head, ops, more_head, more;
	part_text(x, &head, &ops);
	part_text(y, &more_head, &more);
	bool first = pick_one_in(e, 2);
	put_new_lines(e, more_head, head, out);
	buf_put(e->arena, out, head);
	buf_put(e->arena, out, first ? ops : more);
	buf_put(e->arena, out, first ? more : ops);
	buf_put(e->arena, out, STR("}\n"));
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2, size_t size2,
                                 uint8_t *out, size_t max_size, unsigned seed)
{
	Arena a;
	size_t len = 0;
	IrModule *x = read_module((Str){(const char *)data1, size1}),
	         *y = read_module((Str){(const char *)data2, size2});
	arena_init(&a);
	if (x && y) {
		Edit e = {.m = y, .arena = &a, .random = seed};
		StrBuf joined = {0};
		keep_some(&e, x);
		join(&e, print_module(x, PRINT_GENERIC, &a), print_module(y, PRINT_GENERIC, &a), &joined);
		if (joined.len <= max_size) {
			memcpy(out, joined.data, joined.len);
			len = joined.len;
		}
	}
	ir_module_destroy(x);
	ir_module_destroy(y);
	arena_free(&a);
	return len;
}
