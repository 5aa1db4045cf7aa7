/* types, attributes and layout */
#include "ir/layout.h"
#include "ir/module.h"
#include "test.h"

TEST(what_holds_addresses_is_as_large_as_the_module_says)
{
	IrModule *m = ir_module_create();
	IrType *record = ir_type_record(m, RECORD_STRUCT, STR("S")), *members[] = {m->u8, m->voidp, m->u8};
	EXPECT(ir_record_set_body(m, record, &(RecordBody){.members = members, .nmembers = 3}));
	IrType *method =
	    ir_type_member_pointer(m, TYPE_METHOD, ir_type_func(m, NULL, 0, NULL, false), record, MS_UNTOLD);
	EXPECT_EQ(ir_type_size(record), 24);
	EXPECT_EQ(ir_type_size(method), 16);
	EXPECT_EQ(ir_type_size(m->size), 8);
	ir_module_set_address_size(m, 4);
	EXPECT_EQ(ir_type_size(record), 12);
	EXPECT_EQ(ir_record_offset(record, 2), 8);
	EXPECT_EQ(ir_type_size(method), 8);
	EXPECT_EQ(ir_type_align(method), 4);
	EXPECT_EQ(ir_type_size(ir_type_simple(m, TYPE_VPTR)), 4);
	EXPECT_EQ(ir_type_size(ir_type_ptr(m, record)), 4);
	EXPECT_EQ(ir_type_size(m->difference), 4);
	EXPECT(m->difference == m->s32 && m->size == m->u32);
	ir_module_set_address_size(m, 8);
	EXPECT_EQ(ir_type_size(record), 24);
	ir_module_destroy(m);
}

TEST(equal_types_are_one_pointer)
{
	IrModule *m = ir_module_create();
	EXPECT(ir_type_int(m, 32, true, false) == m->s32);
	EXPECT(ir_type_int(m, 32, false, false) != m->s32);
	EXPECT(ir_type_ptr(m, m->s32) == ir_type_ptr(m, m->s32));
	EXPECT(ir_type_array(m, m->s32, 4) == ir_type_array(m, m->s32, 4));
	EXPECT(ir_type_array(m, m->s32, 4) != ir_type_array(m, m->s32, 5));
	IrType *params[] = {m->s32, m->voidp};
	EXPECT(ir_type_func(m, params, 2, NULL, false) ==
	       ir_type_func(m, params, 2, ir_type_simple(m, TYPE_VOID), false));
	EXPECT(ir_type_func(m, params, 2, NULL, false) != ir_type_func(m, params, 2, NULL, true));
	ir_module_destroy(m);
}

TEST(many_types_stay_distinct)
{
	IrModule *m = ir_module_create();
	IrType *first = ir_type_array(m, m->u8, 1);
	for (uint64_t n = 2; n < 3000; n++)
		EXPECT(ir_type_array(m, m->u8, n)->count == n);
	EXPECT(first == ir_type_array(m, m->u8, 1));
	ir_module_destroy(m);
}

TEST(struct_and_class_of_a_name_are_one_record_a_union_is_another)
{
	IrModule *m = ir_module_create();
	IrType *s = ir_type_record(m, RECORD_STRUCT, STR("S"));
	EXPECT(s == ir_type_record(m, RECORD_CLASS, STR("S")));
	EXPECT(s != ir_type_record(m, RECORD_UNION, STR("S")));
	ir_module_destroy(m);
}

TEST(a_record_takes_one_body)
{
	IrModule *m = ir_module_create();
	IrType *s = ir_type_record(m, RECORD_STRUCT, STR("S"));
	EXPECT(!ir_type_sized(s));
	RecordBody body = {.members = &m->s32, .nmembers = 1};
	EXPECT(ir_record_set_body(m, s, &body));
	EXPECT(ir_record_set_body(m, s, &body)); /* the same again */
	EXPECT(ir_type_sized(s));
	EXPECT_EQ(ir_type_size(s), 4);
	RecordBody other = {.members = &m->u64, .nmembers = 1};
	EXPECT(!ir_record_set_body(m, s, &other));
	ir_module_destroy(m);
}

TEST(a_mark_that_says_data_is_no_difference)
{
	IrModule *m = ir_module_create();
	uint8_t data[] = {MARK_DATA}, pad[] = {MARK_PAD};
	RecordBody plain = {.members = &m->s32, .nmembers = 1};
	RecordBody marked = {.members = &m->s32, .nmembers = 1, .marks = data};
	RecordBody padded = {.members = &m->s32, .nmembers = 1, .marks = pad};
	IrType *t = ir_type_anon_record(m, RECORD_STRUCT, &plain);
	EXPECT(t == ir_type_anon_record(m, RECORD_STRUCT, &marked));
	EXPECT(t != ir_type_anon_record(m, RECORD_STRUCT, &padded));
	ir_module_destroy(m);
}

static void expect_layout(IrType *t, uint64_t size, uint32_t align, const char *what)
{
	if (!EXPECT(ir_type_sized(t)))
		return;
	if (!EXPECT_EQ(ir_type_size(t), size) || !EXPECT_EQ(ir_type_align(t), align))
		printf("  of %s\n", what);
}

TEST(scalars_have_their_x86_64_layout)
{
	IrModule *m = ir_module_create();
	expect_layout(ir_type_simple(m, TYPE_BOOL), 1, 1, "bool");
	expect_layout(m->s32, 4, 4, "s32");
	expect_layout(ir_type_int(m, 128, true, false), 16, 16, "s128");
	expect_layout(ir_type_int(m, 17, true, false), 4, 4, "s17");
	expect_layout(ir_type_int(m, 37, true, true), 8, 8, "_BitInt(37)");
	expect_layout(ir_type_int(m, 129, true, true), 24, 8, "_BitInt(129)");
	expect_layout(ir_type_simple(m, TYPE_F80), 16, 16, "f80");
	expect_layout(m->voidp, 8, 8, "pointer");
	expect_layout(ir_type_complex(m, ir_type_simple(m, TYPE_FLOAT)), 8, 4, "complex float");
	expect_layout(ir_type_vector(m, m->s32, 3, false), 16, 16, "3 x s32");
	EXPECT(!ir_type_sized(ir_type_simple(m, TYPE_VOID)));
	EXPECT(!ir_type_sized(ir_type_simple(m, TYPE_EH_TOKEN)));
	ir_module_destroy(m);
}

TEST(members_stand_at_their_alignment_unless_packed)
{
	IrModule *m = ir_module_create();
	IrType *members[] = {m->u8, m->u64, m->u8};
	RecordBody body = {.members = members, .nmembers = 3};
	IrType *natural = ir_type_anon_record(m, RECORD_STRUCT, &body);
	expect_layout(natural, 24, 8, "{u8, u64, u8}");
	EXPECT_EQ(ir_record_offset(natural, 1), 8);
	EXPECT_EQ(ir_record_offset(natural, 2), 16);
	body.packed = true;
	IrType *packed = ir_type_anon_record(m, RECORD_STRUCT, &body);
	expect_layout(packed, 10, 1, "packed {u8, u64, u8}");
	EXPECT_EQ(ir_record_offset(packed, 2), 9);
	ir_module_destroy(m);
}

TEST(the_data_size_leaves_out_tail_padding)
{
	IrModule *m = ir_module_create();
	IrType *members[] = {m->u64, m->u8, ir_type_array(m, m->u8, 7)};
	uint8_t marks[] = {MARK_DATA, MARK_DATA, MARK_PAD};
	RecordBody body = {.members = members, .nmembers = 3, .marks = marks};
	IrType *t = ir_type_anon_record(m, RECORD_STRUCT, &body);
	EXPECT_EQ(ir_type_size(t), 16);
	EXPECT_EQ(ir_record_data_size(t), 9);
	ir_module_destroy(m);
}

TEST(a_union_is_its_most_aligned_then_largest_member)
{
	IrModule *m = ir_module_create();
	IrType *members[] = {ir_type_array(m, m->u8, 9), m->u32, m->u64};
	RecordBody body = {.members = members, .nmembers = 3};
	IrType *t = ir_type_anon_record(m, RECORD_UNION, &body);
	expect_layout(t, 16, 8, "union");
	EXPECT_EQ(ir_union_storage(t), 2);
	EXPECT_EQ(ir_record_offset(t, 2), 0);
	ir_module_destroy(m);
}

TEST(a_record_inside_itself_has_no_size)
{
	IrModule *m = ir_module_create();
	IrType *s = ir_type_record(m, RECORD_STRUCT, STR("S"));
	RecordBody body = {.members = &s, .nmembers = 1};
	EXPECT(ir_record_set_body(m, s, &body));
	EXPECT(!ir_type_sized(s));
	ir_module_destroy(m);
}

TEST(an_array_larger_than_memory_has_no_size)
{
	IrModule *m = ir_module_create();
	IrType *t = ir_type_array(m, ir_type_array(m, m->u64, UINT64_MAX), 2);
	EXPECT(!ir_type_sized(t));
	ir_module_destroy(m);
}

TEST(integers_are_kept_by_signedness)
{
	IrModule *m = ir_module_create();
	IrType *s8 = ir_type_int(m, 8, true, false);
	int64_t i;
	uint64_t u;
	EXPECT(ir_attr_int(m, s8, 0xff) == ir_attr_int(m, s8, UINT64_MAX));
	EXPECT(ir_attr_get_i64(ir_attr_int(m, s8, 0xff), &i));
	EXPECT_EQ(i, -1);
	EXPECT(!ir_attr_get_u64(ir_attr_int(m, s8, 0xff), &u));
	EXPECT(ir_attr_get_u64(ir_attr_int(m, m->u64, UINT64_MAX), &u));
	EXPECT(u == UINT64_MAX);
	EXPECT(!ir_attr_get_i64(ir_attr_int(m, m->u64, UINT64_MAX), &i));
	IrType *s128 = ir_type_int(m, 128, true, false);
	EXPECT(ir_attr_get_i64(ir_attr_int(m, s128, (uint64_t)-5), &i));
	EXPECT_EQ(i, -5);
	ir_module_destroy(m);
}

TEST(wide_integers_hold_no_more_words_than_their_value_needs)
{
	IrModule *m = ir_module_create();
	IrType *s = ir_type_int(m, 1 << 23, true, false), *u = ir_type_int(m, 100, false, false);
	const uint64_t minus_one[] = {UINT64_MAX, UINT64_MAX, UINT64_MAX}, large[] = {UINT64_MAX, 0, 0},
	               lowest[] = {0, UINT64_MAX << 35};
	const IrAttr *one = ir_attr_wide_int(m, s, minus_one, 3), *two = ir_attr_wide_int(m, s, large, 3);
	EXPECT(one == ir_attr_int(m, s, UINT64_MAX));
	EXPECT_EQ(one->bits, 1);
	EXPECT(ir_attr_word(one, 131071) == UINT64_MAX);
	EXPECT_EQ(two->bits, 2);
	EXPECT(ir_attr_word(two, 0) == UINT64_MAX && ir_attr_word(two, 1) == 0 && ir_attr_word(two, 2) == 0);
	uint64_t value;
	EXPECT(ir_attr_get_u64(two, &value) && value == UINT64_MAX);
	EXPECT(ir_attr_wide_int(m, u, minus_one, 1) == ir_attr_wide_int(m, u, large, 2));
	EXPECT_EQ(ir_attr_wide_int(m, u, minus_one, 1)->bits, 1);
	IrType *signed_one = ir_type_int(m, 100, true, false);
	EXPECT(ir_attr_word(ir_attr_wide_int(m, signed_one, lowest, 2), 2) == UINT64_MAX);
	ir_module_destroy(m);
}

TEST(dictionaries_are_asked_by_name)
{
	IrModule *m = ir_module_create();
	Name *keys[] = {ir_known_name(m, NAME_alignment), ir_name(m, STR("other"))};
	const IrAttr *values[] = {ir_attr_i64(m, 8), ir_attr_unit(m)};
	const IrAttr *dict = ir_attr_dict(m, keys, values, 2);
	EXPECT(ir_dict_get(dict, NAME_alignment) == values[0]);
	EXPECT(ir_dict_get(dict, NAME_section) == NULL);
	EXPECT(dict == ir_attr_dict(m, keys, values, 2));
	ir_module_destroy(m);
}

TEST(words_of_an_enumeration_are_found_by_class)
{
	EXPECT_EQ(ir_enum_find(ENUM_CAST, STR("bitcast")), CAST_BITCAST);
	EXPECT_EQ(ir_enum_find(ENUM_LINKAGE, STR("linkonce_odr")), LINKAGE_LINKONCE_ODR);
	EXPECT_EQ(ir_enum_find(ENUM_CAST, STR("linkonce_odr")), -1);
}
