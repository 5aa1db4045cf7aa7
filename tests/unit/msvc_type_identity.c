/* Microsoft names of Itanium type infos, as clang writes them for the same C++ type. */
#include "msvc/type_identity.h"
#include "test.h"
#include "text/parse.h"

typedef struct Fixture {
	IrModule *m;
	Diags d;
	MsTypes types;
	char message[6000]; /* some hold a long name */
} Fixture;

static void note_message(const CircDiagnostic *diagnostic, void *user)
{
	Fixture *f = user;
	if (diagnostic->severity == CIRC_ERROR)
		snprintf(f->message, sizeof f->message, "%s", diagnostic->message);
}

static const char records[] =
    "!S = !cir.struct<\"S\" {data !cir.int<s, 32>}>\n"
    "!C = !cir.struct<class \"ns::C\" {data !cir.int<s, 32>}>\n"
    "!U = !cir.union<\"U\" {!cir.int<s, 32>}>\n"
    "!B = !cir.struct<\"Box<int, ns::C *>\" {data !S}>\n"
    "!I = !cir.struct<class \"ns::Box<S>::Inner\" {data !B}>\n"
    "!N = !cir.struct<\"Box<>\" {data !S}>\n"
    "!P = !cir.ptr<!cir.int<u, 8>>\n"
    "cir.global \"private\" external @u1 : !C\n"
    "cir.global \"private\" external @u2 : !U\n"
    "cir.global \"private\" external @u3 : !I\n"
    "cir.global \"private\" external @u4 : !N\n"
    "cir.global \"private\" constant external @_ZTI1E : !P {cir.ms.tag = \"enum\"}\n"
    "cir.global \"private\" constant external @_ZTIN12_GLOBAL__N_11XE : !P "
    "{cir.ms.name = \".?AUX@?A0x12345678@@\"}\n";

static bool begin(Fixture *f)
{
	*f = (Fixture){.m = ir_module_create()};
	diag_init(&f->d, note_message, f);
	ms_types_init(&f->types, f->m, &f->d);
	return EXPECT(text_parse(f->m, "records", STR(records), &f->d));
}

static void end(Fixture *f)
{
	ir_module_destroy(f->m);
}

typedef struct Row {
	const char *type_info, *descriptor;
	uint32_t adjectives;
} Row;

static void expect_rows(const Row *rows, size_t n)
{
	Fixture f;
	if (!begin(&f))
		return;
	for (size_t i = 0; i < n; i++) {
		MsCatch handler;
		bool ok =
		    ms_catch_type(&f.types, ir_name(f.m, str_of(rows[i].type_info)), (Loc){0}, &handler);
		if (!EXPECT(ok)) {
			printf("  %s: %s\n", rows[i].type_info, f.message);
			continue;
		}
		EXPECT_STR(handler.descriptor->text, rows[i].descriptor);
		EXPECT_EQ(handler.adjectives, rows[i].adjectives);
	}
	end(&f);
}

TEST(builtin_types_and_pointers)
{
	static const Row rows[] = {
	    {"_ZTIi", "??_R0H@8", 0},
	    {"_ZTIb", "??_R0_N@8", 0},
	    {"_ZTIx", "??_R0_J@8", 0},
	    {"_ZTIDn", "??_R0$$T@8", 0},
	    {"_ZTIPv", "??_R0PEAX@8", 0},
	    {"_ZTIPKc", "??_R0PEAD@8", MS_CONST},
	    {"_ZTIPVKi", "??_R0PEAH@8", MS_CONST | MS_VOLATILE},
	    {"_ZTIPKPKc", "??_R0PEAPEBD@8", MS_CONST},
	    {"_ZTIPFvvE", "??_R0P6AXXZ@8", 0},
	    {"_ZTIPFiPKcS0_zE", "??_R0P6AHPEBD0ZZ@8", 0},
	    {"_ZTIPA3_i", "??_R0PEAY02H@8", 0},
	};
	expect_rows(rows, sizeof rows / sizeof *rows);
}

TEST(classes_get_their_tag_from_the_record)
{
	static const Row rows[] = {
	    {"_ZTI1S", "??_R0?AUS@@@8", 0},
	    {"_ZTIN2ns1CE", "??_R0?AVC@ns@@@8", 0},
	    {"_ZTI1U", "??_R0?ATU@@@8", 0},
	    {"_ZTI1E", "??_R0?AW4E@@@8", 0},
	    {"_ZTI3BoxIiPN2ns1CEE", "??_R0?AU?$Box@HPEAVC@ns@@@@@8", 0},
	    {"_ZTIPKN2ns3BoxI1SE5InnerE", "??_R0PEAVInner@?$Box@US@@@ns@@@8", MS_CONST},
	    {"_ZTIM1SFivE", "??_R0P8S@@EAAHXZ@8", 0},
	    {"_ZTIM1SKi", "??_R0PEQS@@H@8", MS_CONST},
	    {"_ZTISt9exception", "??_R0?AVexception@std@@@8", 0},
	    {"_ZTISs", "??_R0?AV?$basic_string@DU?$char_traits@D@std@@V?$allocator@D@2@@std@@@8", 0},
	};
	expect_rows(rows, sizeof rows / sizeof *rows);
}

TEST(an_attribute_names_what_cannot_be_derived)
{
	static const Row rows[] = {
	    {"_ZTIN12_GLOBAL__N_11XE", "??_R0?AUX@?A0x12345678@@@8", 0},
	    {"_ZTIPKN12_GLOBAL__N_11XE", "??_R0PEAUX@?A0x12345678@@@8", MS_CONST},
	};
	expect_rows(rows, sizeof rows / sizeof *rows);
}

TEST(what_has_no_name_is_reported_with_the_attribute)
{
	static const struct {
		const char *type_info, *message;
	} rows[] = {
	    {"_ZTIN12_GLOBAL__N_11YE", "add 'cir.ms.tag'"},
	    {"_ZTIZ4mainE1L", "contains a name that is local to a function; add 'cir.ms.name'"},
	    {"_ZTIZ4mainEUlvE_", "contains a name that is local to a function"},
	    {"_ZTI1Z", "add 'cir.ms.tag'"},
	    {"_ZTI", "contains something that is not a type of the Itanium C++ ABI"},
	    {"_ZTI3ab", "contains something that is not a type of the Itanium C++ ABI"},
	    {"_ZTIS5_", "contains something that is not a type of the Itanium C++ ABI"},
	    {"_ZTIii", "contains something that is not a type of the Itanium C++ ABI"},
	    {"_ZTI3BoxIJEE", "contains an empty pack"},
	    {"other", "is not in the module, and its name does not begin with '_ZTI'"},
	};
	Fixture f;
	if (!begin(&f))
		return;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		MsCatch handler;
		EXPECT(!ms_catch_type(&f.types, ir_name(f.m, str_of(rows[i].type_info)), (Loc){0}, &handler));
		EXPECT_CONTAINS(f.message, rows[i].message);
	}
	end(&f);
}

static void expect_refused(const char *type_info, const char *why)
{
	Fixture f;
	MsCatch handler;
	if (!begin(&f))
		return;
	EXPECT(!ms_catch_type(&f.types, ir_name(f.m, str_of(type_info)), (Loc){0}, &handler));
	EXPECT_CONTAINS(f.message, why);
	end(&f);
}

TEST(types_nested_without_end_are_refused)
{
	char text[2000] = "_ZTI";
	memset(text + 4, 'P', sizeof text - 6);
	text[sizeof text - 2] = 'i';
	expect_refused(text, "contains types that are nested too deeply");
}

/* One that holds the one before, 300 times: each of them is short. */
TEST(types_nested_by_substitution_are_refused)
{
	char text[4000];
	int n = snprintf(text, sizeof text, "_ZTI1SIJPi");
	for (unsigned i = 0; i < 300; i++) {
		static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
		n += snprintf(text + n, sizeof text - (size_t)n, "PS%.1s%c_", i / 36 ? &digits[i / 36] : "",
		              digits[i % 36]);
	}
	snprintf(text + n, sizeof text - (size_t)n, "EE");
	expect_refused(text, "contains types that are nested too deeply");
}

TEST(names_longer_than_symbols_are_refused)
{
	char text[5000];
	int n = snprintf(text, sizeof text, "_ZTIP4500");
	memset(text + n, 'x', 4500);
	text[n + 4500] = 0;
	static const char module[] = "!P = !cir.ptr<!cir.int<u, 8>>\n";
	IrModule *m = ir_module_create();
	Fixture f = {.m = m};
	diag_init(&f.d, note_message, &f);
	ms_types_init(&f.types, m, &f.d);
	EXPECT(text_parse(m, "module", STR(module), &f.d));
	IrType *record = ir_type_record(m, RECORD_STRUCT, (Str){text + n, 4500});
	MsCatch handler;
	EXPECT(record != NULL);
	EXPECT(!ms_catch_type(&f.types, ir_name(m, str_of(text)), (Loc){0}, &handler));
	EXPECT_CONTAINS(f.message, "too long for Microsoft's symbols");
	end(&f);
}

TEST(catch_all_has_no_descriptor)
{
	Fixture f;
	MsCatch handler;
	if (!begin(&f))
		return;
	EXPECT(ms_catch_type(&f.types, NULL, (Loc){0}, &handler));
	EXPECT(!handler.descriptor);
	EXPECT_EQ(handler.adjectives, MS_CATCH_ALL);
	end(&f);
}

TEST(a_throw_of_an_int_has_the_tables_of_clang)
{
	Fixture f;
	if (!begin(&f))
		return;
	Name *table = ms_throw_info(&f.types, ir_name(f.m, STR("_ZTIi")), NULL, NULL, (Loc){0});
	EXPECT_STR(table ? table->text : NULL, "_TI1H");
	EXPECT(ir_symbol(ir_name(f.m, STR("_CTA1H"))) != NULL);
	EXPECT(ir_symbol(ir_name(f.m, STR("_CT??_R0H@84"))) != NULL);
	EXPECT(ms_throw_info(&f.types, ir_name(f.m, STR("_ZTIi")), NULL, NULL, (Loc){0}) == table);
	end(&f);
}
