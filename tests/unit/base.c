/* arena, pool, vectors, names, diagnostics */
#include "base/diag.h"
#include "base/escape.h"
#include "base/name.h"
#include "base/pool.h"
#include "base/vec.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

TEST(arena_memory_is_zero_and_aligned)
{
	Arena a;
	arena_init(&a);
	for (unsigned i = 0; i < 10000; i++) {
		char *p = arena_alloc(&a, i % 37 + 1, 8);
		EXPECT_EQ((uintptr_t)p % 8, 0);
		bool zero = true;
		for (unsigned k = 0; k <= i % 37; k++)
			zero = zero && p[k] == 0;
		if (!EXPECT(zero))
			break;
		memset(p, 0xff, i % 37 + 1);
	}
	arena_free(&a);
}

TEST(arena_release_gives_back_what_came_after_the_mark)
{
	Arena a;
	arena_init(&a);
	char *kept = arena_copy(&a, "kept", 4);
	ArenaMark mark = arena_mark(&a);
	size_t before = a.reserved;
	arena_alloc(&a, 1 << 20, 8);
	EXPECT(a.reserved > before);
	arena_release(&a, mark);
	EXPECT_EQ(a.reserved, before);
	EXPECT_STR(kept, "kept");
	arena_free(&a);
}

TEST(arena_exhaustion_goes_to_the_guard)
{
	Arena a;
	arena_init(&a);
	OomGuard guard;
	a.oom = &guard;
	volatile int caught = 0;
	if (setjmp(guard.env) == 0)
		arena_alloc_n(&a, SIZE_MAX / 2, 3, 8); /* the product does not fit */
	else
		caught = 1;
	EXPECT_EQ(caught, 1);
	arena_free(&a);
}

TEST(pool_memory_is_zero_and_aligned)
{
	static const size_t sizes[] = {1, 24, 1000, 70000, 300000};
	Arena a;
	Pool p;
	arena_init(&a);
	pool_init(&p, &a, &a);
	for (unsigned i = 0; i < 2000; i++) {
		size_t size = sizes[i % ARRAY_LEN(sizes)];
		char *object = pool_alloc(&p, 1, size);
		EXPECT_EQ((uintptr_t)object % 8, 0);
		EXPECT(object[0] == 0 && object[size - 1] == 0);
		EXPECT(pool_owner(object) == &a);
		memset(object, 0xff, size);
		if (i % 3)
			pool_drop(object);
	}
	pool_free(&p);
	EXPECT(!p.blocks);
}

TEST(pool_gives_a_block_back_when_its_last_object_goes)
{
	enum { N = 160000 };
	static uint64_t *objects[N];
	Arena a;
	Pool p;
	arena_init(&a);
	pool_init(&p, &a, NULL);
	uint64_t *first = pool_new(&p, uint64_t);
	const PoolBlock *oldest = p.blocks;
	for (unsigned i = 0; i < N; i++)
		*(objects[i] = pool_array(&p, uint64_t, 4)) = i;
	EXPECT(p.blocks != oldest);
	for (unsigned i = 1; i < N; i += 2) /* in no order */
		pool_drop(objects[i]);
	for (unsigned i = N; i > 0; i -= 2) {
		EXPECT_EQ(*objects[i - 2], i - 2);
		pool_drop(objects[i - 2]);
	}
	EXPECT(p.blocks != oldest); /* the one that is being filled stays */
	*first = 1;
	pool_drop(first);
	pool_drop(NULL);
	*pool_new(&p, uint64_t) = 2;
	pool_free(&p);
}

TEST(pool_exhaustion_goes_to_the_guard_of_the_arena)
{
	Arena a;
	Pool p;
	arena_init(&a);
	pool_init(&p, &a, NULL);
	OomGuard guard;
	a.oom = &guard;
	volatile int caught = 0;
	if (setjmp(guard.env) == 0)
		pool_alloc(&p, SIZE_MAX / 2, 3);
	else
		caught = 1;
	EXPECT_EQ(caught, 1);
	pool_free(&p);
}

TEST(vectors_grow_and_keep_their_elements)
{
	Arena a;
	arena_init(&a);
	VEC(uint32_t) v = {0};
	for (uint32_t i = 0; i < 5000; i++)
		vec_push(&a, &v, i * 3);
	EXPECT_EQ(v.len, 5000);
	EXPECT_EQ(v.data[4999], 14997);
	EXPECT_EQ(vec_pop(&v), 14997);
	EXPECT_EQ(v.len, 4999);
	arena_free(&a);
}

TEST(buffers_take_bytes_and_formats)
{
	Arena a;
	arena_init(&a);
	StrBuf b = {0};
	buf_put(&a, &b, STR("x="));
	buf_printf(&a, &b, "%d", 42);
	buf_char(&a, &b, ';');
	EXPECT_TEXT(b, "x=42;");
	arena_free(&a);
}

TEST(names_are_equal_when_their_bytes_are)
{
	Arena a;
	arena_init(&a);
	NameTable t;
	names_init(&t, &a);
	Name *x = name_intern(&t, STR("a\0b"));
	EXPECT(x == name_intern(&t, (Str){"a\0bc", 3}));
	EXPECT(x != name_intern(&t, STR("a")));
	EXPECT(name_find(&t, STR("nowhere")) == NULL);
	for (int i = 0; i < 5000; i++) { /* the table grows */
		char text[16];
		int n = snprintf(text, sizeof text, "n%d", i);
		EXPECT_EQ(name_intern(&t, (Str){text, (size_t)n})->id, i + 2);
	}
	EXPECT(x == name_find(&t, STR("a\0b")));
	arena_free(&a);
}

typedef struct Seen {
	int count;
	CircSeverity severity;
	char file[32], message[64], line_text[64];
	uint32_t line, col;
} Seen;

static void see(const CircDiagnostic *d, void *user)
{
	Seen *s = user;
	s->count++;
	s->severity = d->severity;
	snprintf(s->file, sizeof s->file, "%s", d->file ? d->file : "");
	snprintf(s->message, sizeof s->message, "%s", d->message);
	snprintf(s->line_text, sizeof s->line_text, "%.*s", (int)d->source_line_len,
	         d->source_line ? d->source_line : "");
	s->line = d->line;
	s->col = d->column;
}

TEST(an_error_in_a_text_has_its_line)
{
	Source source = {"a.cir", STR("one\ntwo three\nfour")};
	Seen seen = {0};
	Diags d;
	diag_init(&d, see, &seen);
	diag_set_source(&d, &source);
	diag_error(&d, (Loc){.pos = 9}, "expected '%s'", "four");
	EXPECT_EQ(seen.severity, CIRC_ERROR);
	EXPECT_STR(seen.file, "a.cir");
	EXPECT_EQ(seen.line, 2);
	EXPECT_EQ(seen.col, 5);
	EXPECT_STR(seen.line_text, "two three");
	EXPECT_STR(seen.message, "expected 'four'");
	EXPECT_EQ(d.errors, 1);
}

TEST(errors_have_their_lines_in_any_order)
{
	static const struct {
		uint32_t pos;
		unsigned line, col;
	} places[] = {{9, 2, 5}, {15, 3, 1}, {16, 3, 2},  {1, 1, 1},
	              {4, 1, 4}, {5, 2, 1},  {100, 3, 5}, {14, 2, 10}};
	Source source = {"a.cir", STR("one\ntwo three\nfour")}, other = {"b.cir", STR("\n\n\n\nfive")};
	Seen seen = {0};
	Diags d;
	diag_init(&d, see, &seen);
	for (unsigned i = 0; i < 2 * ARRAY_LEN(places); i++) {
		unsigned at = i % ARRAY_LEN(places);
		diag_set_source(&d, &other);
		diag_warning(&d, (Loc){.pos = 6}, "another text");
		EXPECT_EQ(seen.line, 5);
		diag_set_source(&d, &source);
		for (unsigned k = at; k < ARRAY_LEN(places); k++) {
			diag_warning(&d, (Loc){.pos = places[k].pos}, "a place");
			EXPECT_EQ(seen.line, places[k].line);
			EXPECT_EQ(seen.col, places[k].col);
		}
	}
}

TEST(an_error_past_the_end_is_at_the_end)
{
	Source source = {"a.cir", STR("one\ntwo")};
	Seen seen = {0};
	Diags d;
	diag_init(&d, see, &seen);
	diag_set_source(&d, &source);
	diag_error(&d, (Loc){.pos = 100}, "unexpected end of text");
	EXPECT_EQ(seen.line, 2);
	EXPECT_EQ(seen.col, 4);
}

TEST(without_a_text_the_origin_is_the_place)
{
	LocInfo file = {.kind = LOC_FILE, .name = STR("f.cpp"), .line = 3, .col = 7};
	const LocInfo *inner[] = {&file};
	LocInfo fused = {.kind = LOC_FUSED, .ninner = 1, .inner = inner};
	Seen seen = {0};
	Diags d;
	diag_init(&d, see, &seen);
	diag_error(&d, (Loc){.info = &fused}, "bad");
	EXPECT_STR(seen.file, "f.cpp");
	EXPECT_EQ(seen.line, 3);
	EXPECT_EQ(seen.col, 7);
}

TEST(errors_past_the_limit_are_counted_and_not_delivered)
{
	Seen seen = {0};
	Diags d;
	diag_init(&d, see, &seen);
	for (int i = 0; i < 50; i++) {
		diag_error(&d, (Loc){0}, "error %d", i);
		diag_note(&d, (Loc){0}, "its note");
	}
	EXPECT_EQ(d.errors, 50);
	EXPECT(diag_full(&d));
	EXPECT_EQ(seen.count, 2 * DIAG_LIMIT + 1); /* and one note that says so */
	EXPECT_CONTAINS(seen.message, "too many errors");
}

TEST(a_message_is_one_line)
{
	Seen seen = {0};
	Diags d;
	diag_init(&d, see, &seen);
	diag_error(&d, (Loc){0}, "no function '%s'", "a\nb");
	EXPECT_STR(seen.message, "no function 'a\\0Ab'");
}

TEST(control_bytes_are_escaped_and_nothing_else)
{
	const struct {
		Str text;
		const char *escaped;
	} rows[] = {
	    {STR(""), ""},
	    {STR("a b\\"), "a b\\"},
	    {STR("a\n\x1b[2J\x7f"), "a\\0A\\1B[2J\\7F"},
	    {STR("a\0b"), "a\\00b"},
	    {STR("\xc2\x9b\xc2\xa0\xc2"), "\\C2\\9B\xc2\xa0\xc2"},
	    {STR("\xe2\x80\x99\xff\x9b"), "\xe2\x80\x99\xff\x9b"},
	};
	Arena a;
	arena_init(&a);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char out[64];
		EXPECT_EQ(escape_into(out, sizeof out, rows[i].text), strlen(rows[i].escaped));
		EXPECT_STR(out, rows[i].escaped);
		Str name = escape_name(&a, rows[i].text);
		EXPECT(str_is(name, rows[i].escaped));
		EXPECT((name.data == rows[i].text.data) == (name.len == rows[i].text.len));
	}
	arena_free(&a);
}

TEST(an_escape_is_written_whole_or_not_at_all)
{
	static const char *const cut[] = {"", "", "x", "x", "x", "x\\0A", "x\\0Ay", "x\\0Ay"};
	for (size_t size = 0; size < ARRAY_LEN(cut); size++) {
		char out[16] = "";
		EXPECT_EQ(escape_into(out, size, STR("x\ny")), 5);
		EXPECT_STR(out, cut[size]);
		EXPECT_EQ(out[size], '\0');
	}
	EXPECT_EQ(escape_into(NULL, 0, STR("\n\n")), 6);
}

static void keep_message(const CircDiagnostic *d, void *user)
{
	snprintf(user, 4096, "%s", d->message);
}

TEST(a_long_message_ends_in_dots_also_when_it_is_escaped)
{
	static char kept[4096], bells[4096];
	Diags d;
	diag_init(&d, keep_message, kept);
	memset(bells, '\a', sizeof bells - 1);
	static const size_t lengths[] = {1, 500, 511, 512, 600, 2047, 2048, 4000};
	for (size_t i = 0; i < ARRAY_LEN(lengths); i++) {
		diag_error(&d, (Loc){0}, "%.*s\n", (int)lengths[i], bells);
		size_t len = strlen(kept);
		EXPECT(strspn(kept, "\\07.") == len);
		EXPECT(lengths[i] <= 600 && lengths[i] * 3 < 2048
		           ? len == lengths[i] * 3 && !strchr(kept, '.')
		           : len < 2048 && strcmp(kept + len - 3, "...") == 0);
	}
}
