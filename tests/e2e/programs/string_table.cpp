#ifdef TWIN
#include "e2e.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>

struct Symbol {
	Symbol *next;
	uint32_t hash, length, id, uses;
	char text[];
};

struct Table {
	Symbol **buckets;
	uint32_t capacity, count;
};

static int blocks;

static void *allocate(size_t size) noexcept
{
	blocks++;
	return calloc(1, size);
}

static void release(void *block) noexcept
{
	blocks--;
	free(block);
}

static Symbol **allocate_links(uint32_t n) noexcept
{
	return (Symbol **)allocate(n * sizeof(Symbol *));
}

static void release_links(Symbol **links) noexcept
{
	release(links);
}

// Frees links when their scope is left.
struct Links {
	Symbol **links;
	~Links() { release_links(links); }
};

// Frees them when an exception leaves their scope.
struct Fresh {
	Symbol **links;
	bool kept;
	~Fresh()
	{
		if (!kept)
			release_links(links);
	}
};

static uint32_t hash_text(const char *text, uint32_t length) noexcept
{
	uint32_t hash = 2166136261u;
	for (uint32_t i = 0; i < length; i++)
		hash = (hash ^ (uint8_t)text[i]) * 16777619u;
	return hash;
}

static char *text_of(Symbol *symbol) noexcept
{
	return symbol->text;
}

static Symbol **bucket(Symbol **buckets, uint32_t capacity, uint32_t hash) noexcept
{
	return &buckets[hash & (capacity - 1)];
}

static bool matches(Symbol *symbol, const char *text, uint32_t length, uint32_t hash) noexcept
{
	bool likely = (symbol->hash == hash) & (symbol->length == length);
	return likely ? memcmp(text_of(symbol), text, length) == 0 : false;
}

static Symbol **find(const Table *table, const char *text, uint32_t length, uint32_t hash) noexcept
{
	Symbol **link = bucket(table->buckets, table->capacity, hash);
	for (; *link; link = &(*link)->next)
		if (matches(*link, text, length, hash))
			break;
	return link;
}

static void rehash(Symbol *list, Symbol **buckets, uint32_t capacity) noexcept
{
	Symbol *s = list;
	while (s) {
		Symbol *next = s->next, **first = bucket(buckets, capacity, s->hash);
		s->next = *first;
		*first = s;
		s = next;
	}
}

static void grow(Table *table)
{
	uint32_t old_capacity = table->capacity, capacity = old_capacity * 2;
	Symbol **buckets = allocate_links(capacity);
	{
		Fresh fresh{buckets, false};
		point("grow");
		fresh.kept = true;
	}
	event("grow to %u", capacity);
	Symbol **old = table->buckets;
	for (uint32_t i = 0; i < old_capacity; i++)
		rehash(old[i], buckets, capacity);
	release_links(old);
	table->buckets = buckets;
	table->capacity = capacity;
}

static Symbol *make_symbol(const char *text, uint32_t length, uint32_t hash, uint32_t id) noexcept
{
	size_t n = length;
	Symbol *s = (Symbol *)allocate(25 + n);
	s->hash = hash;
	s->length = length;
	s->id = id;
	s->uses = 1;
	memcpy(text_of(s), text, n);
	return s;
}

static Symbol *intern(Table *table, const char *text, uint32_t length)
{
	if (length > 12)
		throw(int) length;
	uint32_t hash = hash_text(text, length);
	Symbol *known = *find(table, text, length, hash);
	if (known) {
		known->uses++;
		return known;
	}
	uint32_t count = table->count;
	if (count * 4 >= table->capacity * 3)
		grow(table);
	Symbol *s = make_symbol(text, length, hash, count);
	table->count = count + 1;
	*find(table, text, length, hash) = s;
	return s;
}

static bool erase(Table *table, const char *text) noexcept
{
	uint32_t length = (uint32_t)strlen(text), hash = hash_text(text, length);
	Symbol **link = find(table, text, length, hash), *s = *link;
	if (!s)
		return false;
	*link = s->next;
	table->count--;
	release(s);
	return true;
}

static void make_table(Table *table) noexcept
{
	table->buckets = allocate_links(4);
	table->capacity = 4;
	table->count = 0;
}

static void destroy(Table *table) noexcept
{
	Symbol **buckets = table->buckets;
	uint32_t capacity = table->capacity;
	for (uint32_t i = 0; i < capacity; i++) {
		Symbol **link = &buckets[i];
		while (Symbol *s = *link) {
			*link = s->next;
			release(s);
		}
	}
	release_links(buckets);
	event("%d blocks", blocks);
}

static bool separates(char c) noexcept
{
	switch (c) {
	case ' ':
	case ',':
	case '.':
	case 0:
		return true;
	default:
		return false;
	}
}

static void skip(const char **at, bool wanted) noexcept
{
	while ((**at != 0) & (separates(**at) == wanted))
		++*at;
}

static void add_words(Table *table, const char *text)
{
	const char *at = text;
	do {
		skip(&at, true);
		const char *start = at;
		skip(&at, false);
		const char *end = at;
		if (end == start)
			continue;
		uint32_t length = (uint32_t)(end - start);
		try {
			intern(table, start, length);
		} catch (int refused) {
			event("refused %d", refused);
		}
	} while (*at);
}

static int by_use(Symbol *a, Symbol *b) noexcept
{
	if (a->uses != b->uses)
		return a->uses > b->uses ? -1 : 1;
	return strcmp(text_of(a), text_of(b));
}

static int by_id(Symbol *a, Symbol *b) noexcept
{
	return a->id < b->id ? -1 : 1;
}

static void insert(Symbol **sorted, uint32_t n, Symbol *s, int (*compare)(Symbol *, Symbol *) noexcept) noexcept
{
	uint32_t i = n;
	for (; i > 0; i--) {
		Symbol *other = sorted[i - 1];
		if (compare(other, s) <= 0)
			break;
		sorted[i] = other;
	}
	sorted[i] = s;
}

static uint32_t collect(const Table *table, Symbol **sorted, int (*compare)(Symbol *, Symbol *) noexcept) noexcept
{
	uint32_t n = 0;
	Symbol **buckets = table->buckets;
	uint32_t capacity = table->capacity;
	for (uint32_t i = 0; i < capacity; i++) {
		Symbol **link = &buckets[i];
		for (Symbol *s = *link; s; s = s->next) {
			insert(sorted, n, s, compare);
			n++;
		}
	}
	return n;
}

static void show(Symbol *s) noexcept
{
	event("%u %s %u", s->id, text_of(s), s->uses);
}

static void report(const Table *table, int (*compare)(Symbol *, Symbol *) noexcept)
{
	Links sorted{allocate_links(table->count)};
	uint32_t n = collect(table, sorted.links, compare);
	point("report");
	for (uint32_t i = 0; i < n; i++)
		show(sorted.links[i]);
}

static void erase_and_tell(Table *table, const char *text) noexcept
{
	event("erase %d", erase(table, text));
}

namespace {
struct OwnedTable : Table {
	OwnedTable() noexcept { make_table(this); }
	~OwnedTable() { destroy(this); }
};
} // namespace

void test()
{
	OwnedTable table;
	add_words(&table, "the cat, the dog and the hedgehog.");
	add_words(&table, "a cat and a dog, but no incomprehensibilities.");
	add_words(&table, "");
	add_words(&table, " . one of the others, and of them the last");
	report(&table, by_use);
	erase_and_tell(&table, "cat");
	erase_and_tell(&table, "cat");
	erase_and_tell(&table, "others");
	Symbol *a = intern(&table, "hedgehogs", 8);
	Symbol *b = intern(&table, "hedgehog", 8);
	event("same %d", a == b);
	report(&table, by_id);
}
#endif
