#ifdef TWIN
#include "e2e.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>

struct Symbol {
	Symbol *next;
	uint32_t hash, length, id, uses;
	char text[1];
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

// Frees a block when an exception leaves its scope.
struct Block {
	void *block;
	~Block()
	{
		if (block)
			release(block);
	}
};

static uint32_t hash_text(const char *text, uint32_t length) noexcept
{
	uint32_t hash = 2166136261u;
	for (uint32_t i = 0; i < length; i++)
		hash = (hash ^ (uint8_t)text[i]) * 16777619u;
	return hash;
}

static Symbol **find(const Table *table, const char *text, uint32_t length, uint32_t hash) noexcept
{
	Symbol **link = &table->buckets[hash & (table->capacity - 1)];
	for (; *link; link = &(*link)->next) {
		const Symbol *s = *link;
		if (s->hash == hash && s->length == length && memcmp(s->text, text, length) == 0)
			break;
	}
	return link;
}

static void grow(Table *table)
{
	uint32_t capacity = table->capacity * 2;
	Block fresh{allocate(capacity * sizeof(Symbol *))};
	point("grow");
	Symbol **buckets = (Symbol **)fresh.block;
	fresh.block = nullptr;
	event("grow to %u", capacity);
	for (uint32_t i = 0; i < table->capacity; i++) {
		Symbol *s = table->buckets[i];
		while (s) {
			Symbol *next = s->next, **bucket = &buckets[s->hash & (capacity - 1)];
			s->next = *bucket;
			*bucket = s;
			s = next;
		}
	}
	release(table->buckets);
	table->buckets = buckets;
	table->capacity = capacity;
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
	if (table->count * 4 >= table->capacity * 3)
		grow(table);
	Symbol *s = (Symbol *)allocate(24 + length + 1);
	s->hash = hash;
	s->length = length;
	s->id = table->count++;
	s->uses = 1;
	memcpy(s->text, text, length);
	*find(table, text, length, hash) = s;
	return s;
}

static bool erase(Table *table, const char *text) noexcept
{
	uint32_t length = (uint32_t)strlen(text);
	Symbol **link = find(table, text, length, hash_text(text, length)), *s = *link;
	if (!s)
		return false;
	*link = s->next;
	table->count--;
	release(s);
	return true;
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

static void add_words(Table *table, const char *text)
{
	const char *at = text;
	do {
		while (*at && separates(*at))
			at++;
		const char *start = at;
		while (!separates(*at))
			at++;
		if (at == start)
			continue;
		try {
			intern(table, start, (uint32_t)(at - start));
		} catch (int length) {
			event("refused %d", length);
		}
	} while (*at);
}

static int by_use(const Symbol *a, const Symbol *b) noexcept
{
	if (a->uses != b->uses)
		return a->uses > b->uses ? -1 : 1;
	return strcmp(a->text, b->text);
}

static int by_id(const Symbol *a, const Symbol *b) noexcept
{
	return a->id < b->id ? -1 : 1;
}

static void report(const Table *table, int (*compare)(const Symbol *, const Symbol *))
{
	Block block{allocate(table->count * sizeof(Symbol *))};
	Symbol **sorted = (Symbol **)block.block;
	uint32_t n = 0;
	for (uint32_t i = 0; i < table->capacity; i++) {
		for (Symbol *s = table->buckets[i]; s; s = s->next) {
			uint32_t at = n++;
			for (; at > 0; at--) {
				if (compare(sorted[at - 1], s) <= 0)
					break;
				sorted[at] = sorted[at - 1];
			}
			sorted[at] = s;
		}
	}
	point("report");
	for (uint32_t i = 0; i < n; i++)
		event("%u %s %u", sorted[i]->id, sorted[i]->text, sorted[i]->uses);
}

static void destroy(Table *table) noexcept
{
	for (uint32_t i = 0; i < table->capacity; i++) {
		while (Symbol *s = table->buckets[i]) {
			table->buckets[i] = s->next;
			release(s);
		}
	}
	release(table->buckets);
	event("%d blocks", blocks);
}

struct OwnedTable : Table {
	OwnedTable() noexcept : Table{(Symbol **)allocate(4 * sizeof(Symbol *)), 4, 0} {}
	~OwnedTable()
	{
		destroy(this);
	}
};

void test()
{
	OwnedTable table;
	add_words(&table, "the cat, the dog and the hedgehog.");
	add_words(&table, "a cat and a dog, but no incomprehensibilities.");
	add_words(&table, "");
	add_words(&table, " . one of the others, and of them the last");
	report(&table, by_use);
	event("erase %d", erase(&table, "cat"));
	event("erase %d", erase(&table, "cat"));
	event("erase %d", erase(&table, "others"));
	event("same %d", intern(&table, "hedgehogs", 8) == intern(&table, "hedgehog", 8));
	report(&table, by_id);
}
#endif
