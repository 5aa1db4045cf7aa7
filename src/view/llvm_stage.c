/* view/llvm_stage.c: LLVM IR, and the op of each instruction: the `!dbg` of the same module with line tables. */
#include "view/line_number.h"

static bool begins_with(Str s, const char *head)
{
	return str_begins_with(s, str_of(head));
}

/* The digits at `at`; 0: none. */
static uint32_t number_at(Str s, size_t at)
{
	uint64_t n = 0;
	for (; at < s.len && s.data[at] >= '0' && s.data[at] <= '9' && n <= UINT32_MAX; at++)
		n = n * 10 + (uint64_t)(s.data[at] - '0');
	return n <= UINT32_MAX ? (uint32_t)n : 0;
}

/* What stands behind the last `key` of a line; `none`: it has none. */
static uint32_t number_behind(Str line, const char *key, uint32_t none)
{
	size_t n = strlen(key);
	for (size_t i = line.len; i-- > 0;)
		if (line.len - i >= n && memcmp(line.data + i, key, n) == 0)
			return number_at(line, i + n);
	return none;
}

/* "!7 = !DILocation(line: 12, …" gives places[7] = 12. */
static uint32_t *find_locations(const ViewLines *l, Arena *mem)
{
	uint32_t *places = arena_array(mem, uint32_t, (size_t)l->n + 1);
	for (uint32_t i = 0; i < l->n; i++) {
		Str line = view_line(l, i);
		bool node = begins_with(line, "!") && memmem(line.data, line.len, "!DILocation(", 12);
		uint32_t id = node ? number_at(line, 1) : 0;
		if (node && id <= l->n) /* there are no more nodes than lines */
			places[id] = number_behind(line, "(line: ", 0);
	}
	return places;
}

/* In a function an instruction begins with two blanks; what belongs to it has more, or is the end of a switch. */
static bool begins_instruction(Str line)
{
	return line.len > 2 && begins_with(line, "  ") && line.data[2] != ' ' && line.data[2] != ']';
}

static bool is_debug_record(Str line)
{
	return begins_with(line, "    #dbg_");
}

/* The end of the instruction has the place of all of it. */
static uint32_t instruction_number(const ViewLines *l, uint32_t first, uint32_t end, const uint32_t *places)
{
	for (uint32_t i = end; i-- > first;) {
		uint32_t node = number_behind(view_line(l, i), "!dbg !", UINT32_MAX);
		if (node <= l->n)
			return places[node];
	}
	return 0;
}

typedef struct LlvmCount {
	const ViewLines *lines;
	const uint32_t *places;
	bool in_function;
} LlvmCount;

static bool next_instruction(void *user, uint32_t *line, uint32_t *end, uint32_t *number)
{
	LlvmCount *c = user;
	for (; *line < c->lines->n; ++*line) {
		Str s = view_line(c->lines, *line);
		if (begins_with(s, "define "))
			c->in_function = true;
		else if (begins_with(s, "}"))
			c->in_function = false;
		else if (c->in_function && begins_instruction(s) && !is_debug_record(s))
			break;
	}
	if (*line >= c->lines->n)
		return false;
	for (*end = *line + 1; *end < c->lines->n; ++*end) {
		Str s = view_line(c->lines, *end);
		if (!begins_with(s, "  ") || begins_instruction(s) || is_debug_record(s))
			break;
	}
	*number = c->places ? instruction_number(c->lines, *line, *end, c->places) : 0;
	return true;
}

void llvm_stage(ViewData *d, const char *triple, Str plain, Str numbered)
{
	ViewLines shown = view_lines(plain, d->mem), other = view_lines(numbered, d->mem);
	LlvmCount a = {.lines = &shown};
	LlvmCount b = {.lines = &other, .places = find_locations(&other, d->mem)};
	stage_begin(d, "llvm", STR("LLVM IR"), triple, plain);
	stage_ops(d, count_lines(&shown, &a, &b, next_instruction, d->mem), shown.n);
	data_close(d, '}');
}
