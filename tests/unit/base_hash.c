/* hashes of tables: spread over what compilers write, and what was made to collide */
#include "ir/module.h"
#include "msvc/cxx_type.h"
#include "test.h"

#include <stdio.h>

static const uint64_t odd = UINT64_C(0x9E3779B97F4A7C15), inverse = UINT64_C(0xF1DE83E19937733D);

/* Of names that differ in their last characters, few share a slot of a table: that takes the low bits. */
static unsigned most_in_a_slot(const HashKey *key, const char *format)
{
	enum { NAMES = 4096, SLOTS = 8192 };
	static unsigned char used[SLOTS];
	unsigned most = 0;
	memset(used, 0, sizeof used);
	for (unsigned i = 0; i < NAMES; i++) {
		char name[64];
		int len = snprintf(name, sizeof name, format, i);
		unsigned n = ++used[hash_bytes(key, name, (size_t)len) & (SLOTS - 1)];
		most = n > most ? n : most;
	}
	return most;
}

TEST(hashes_of_names_that_end_differently_are_spread)
{
	static const char *const formats[] = {"v%u",           "%05u",
	                                      "f_%05u",        "_ZTV%06u",
	                                      "value_%x",      "arg.addr.%u",
	                                      "function_%05u", "xxxxxxxxx%09u",
	                                      "_ZN1a%04uE",    "a_longer_name_of_a_symbol_with_number_%u"};
	for (uint64_t k = 1; k <= 8; k++) {
		HashKey key = {k * odd, (k * k * odd ^ 0x5555) | 1};
		for (size_t i = 0; i < ARRAY_LEN(formats); i++)
			EXPECT(most_in_a_slot(&key, formats[i]) <= 10);
	}
}

TEST(keys_differ_and_so_do_hashes)
{
	HashKey a = hash_key(), b = hash_key();
	EXPECT(a.a != b.a && a.b != b.b);
	EXPECT(hash_bytes(&a, "a name of some length", 21) != hash_bytes(&b, "a name of some length", 21) ||
	       hash_bytes(&a, "another", 7) != hash_bytes(&b, "another", 7));
	EXPECT_EQ(hash_bytes(&a, "a name", 6), hash_bytes(&a, "a name", 6));
}

/* Where all that is mixed in is known, a product of one word can be undone by the next: the middle of these names is
 * chosen so that nothing is left of their beginning. */
static void write_colliding_name(char name[24], uint64_t i)
{
	uint64_t h = ((UINT64_C(0xcbf29ce484222325) ^ 24) ^ i) * odd;
	h ^= h >> 29;
	memcpy(name, &i, 8);
	memcpy(name + 8, &h, 8);
	memcpy(name + 16, "the same", 8);
}

/* Slots that are looked at to find each name once. */
static uint64_t steps_to_all(const NameTable *t)
{
	uint64_t steps = 0;
	for (uint32_t i = 0; i < t->cap; i++)
		if (t->slots[i].name)
			steps += 1 + ((i - t->slots[i].hash) & (t->cap - 1));
	return steps;
}

TEST(names_that_were_made_to_collide_are_found_in_few_steps)
{
	enum { N = 4096 };
	Arena a;
	NameTable t;
	arena_init(&a);
	names_init(&t, &a);
	for (uint64_t i = 0; i < N; i++) {
		char name[24];
		write_colliding_name(name, i);
		name_intern(&t, (Str){name, sizeof name});
	}
	EXPECT_EQ(t.len, N);
	EXPECT(steps_to_all(&t) < 4 * N);
	arena_free(&a);
}

static uint32_t plain_mix(uint32_t h, uint64_t v)
{
	uint64_t x = (h ^ v) * odd;
	return (uint32_t)(x ^ (x >> 32));
}

/* Numbers that plain_mix() makes one hash of. */
static uint64_t colliding_number(uint32_t h, uint64_t i)
{
	return ((i << 32 | (i ^ 0x12345678)) * inverse) ^ h;
}

enum { LONGEST = 24 };

#define EXPECT_SHORT_CHAINS(Type, table)                                                                     \
	for (uint32_t slot = 0; slot < (table).cap; slot++) {                                                \
		unsigned length = 0;                                                                         \
		for (const Type *one = (table).slots[slot]; one; one = one->next)                            \
			length++;                                                                            \
		EXPECT(length <= LONGEST);                                                                   \
	}

/* The same of attributes, and of types. */
static uint64_t steps_to_attrs(const AttrTable *t)
{
	uint64_t steps = 0;
	for (uint32_t i = 0; i < t->cap; i++)
		if (t->slots[i].attr)
			steps += 1 + ((i - t->slots[i].hash) & (t->cap - 1));
	return steps;
}

static uint64_t steps_to_types(const TypeTable *t)
{
	uint64_t steps = 0;
	for (uint32_t i = 0; i < t->cap; i++)
		if (t->slots[i].type)
			steps += 1 + ((i - t->slots[i].hash) & (t->cap - 1));
	return steps;
}

TEST(numbers_that_were_made_to_collide_are_found_in_few_steps)
{
	enum { N = 4096 };
	IrModule *m = ir_module_create();
	EXPECT_EQ(odd * inverse, 1);
	EXPECT_EQ(plain_mix(ATTR_INT, colliding_number(ATTR_INT, 7)), 0x12345678);
	for (uint64_t i = 1; i <= N; i++) {
		ir_attr_int(m, m->u64, colliding_number(ATTR_INT, i));
		ir_type_array(m, m->u8, colliding_number(plain_mix(plain_mix(TYPE_ARRAY, 0), 0), i));
	}
	EXPECT(m->attrs.len >= N && m->types.len >= N);
	EXPECT(steps_to_attrs(&m->attrs) < 4 * (uint64_t)m->attrs.nheld);
	EXPECT(steps_to_types(&m->types) < 4 * (uint64_t)m->types.len);
	ir_module_destroy(m);
}

TEST(bounds_in_mangled_names_that_were_made_to_collide_are_found_in_few_steps)
{
	Arena a;
	CxxTypes t;
	arena_init(&a);
	cxx_types_init(&t, &a);
	for (uint64_t i = 1; i <= 1 << 16; i++) {
		uint64_t number = colliding_number(plain_mix(CXX_ARRAY, 0), i);
		if (number % 16 == 0) /* below are flags */
			cxx_type(&t, &(CxxType){.kind = CXX_ARRAY, .value = number >> 4});
	}
	EXPECT(t.len > 1000);
	EXPECT_SHORT_CHAINS(CxxType, t)
	arena_free(&a);
}

/* What differs in nothing but the purpose of its members. */
TEST(records_of_the_same_members_are_found_in_few_steps)
{
	enum { MEMBERS = 12 };
	IrModule *m = ir_module_create();
	IrType *members[MEMBERS];
	uint8_t marks[MEMBERS];
	for (unsigned i = 0; i < MEMBERS; i++)
		members[i] = m->u8;
	for (unsigned set = 0; set < 1u << MEMBERS; set++) {
		for (unsigned i = 0; i < MEMBERS; i++)
			marks[i] = set >> i & 1 ? MARK_PAD : MARK_DATA;
		ir_type_anon_record(m, RECORD_STRUCT,
		                    &(RecordBody){.members = members, .marks = marks, .nmembers = MEMBERS});
	}
	EXPECT(m->types.len > 1u << MEMBERS);
	EXPECT(steps_to_types(&m->types) < 4 * (uint64_t)m->types.len);
	ir_module_destroy(m);
}
