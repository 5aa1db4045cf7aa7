/* msvc/symbol_callee.h: which functions take `this`. The names are clang's, for windows-msvc. */
#include "msvc/symbol_callee.h"
#include "test.h"

#include <stdlib.h>

static MsCallee callee(const char *name)
{
	return ms_symbol_callee(str_of(name));
}

static const char *const methods[] = {
    "?m@S@@QEAA?AUP@@XZ",
    "?m@S@@AEBA?AUP@@XZ",
    "?m@S@@IEAA?AUP@@XZ",
    "?v@S@@UEAA?AUP@@XZ",
    "?v@S@@EEAA?AUP@@XZ",
    "?v@S@@MEAA?AUP@@XZ",
    "?v@S@@W7EAA?AUP@@XZ",
    "?v@S@@$4PPPPPPPM@A@EAA?AUP@@XZ",
    "?rr@S@@QEHAA?AUP@@XZ",
    "??BS@@QEAA?AUP@@XZ",
    "??RS@@QEAA?AUP@@H@Z",
    "??_GS@@UEAAPEAXI@Z",
    "??0S@@QEAA@AEBU0@@Z",
    "??__LS@@QEAA?AUP@@XZ",
    "?get@In@?A0x2F8A@ns@@QEBA?AUP@2@XZ",
    "?get@?$Box@H@@QEAA?AUP@@XZ",
    "??$t@P8S@@EAA?AUP@@XZ@S@@QEAA?AUP@@P80@EAA?AU1@XZ@Z",
    "??$t@P6A?AUP@@H@Z@S@@QEAA?AUP@@P6A?AU1@H@Z@Z",
    "??$t@PEQSS@@H@S@@QEAA?AUP@@PEQSS@@H@Z",
    "??$n@$0?BCM@@S@@QEAA?AUP@@XZ",
    "??$pack@$$V@S@@QEAA?AUP@@XZ",
    "??$au@$1?gi@@3HA@S@@QEAA?AUP@@XZ",
    "??$au@$M_J0A@@S@@QEAA?AUP@@XZ",
    "?get@?$Box@$$BY02H@@QEAA?AUP@@XZ",
    "?get@?$Box@$$A6AHH@Z@@QEAA?AUP@@XZ",
    "?get@?$Box@$$A8@@EBAHXZ@@QEAA?AUP@@XZ",
    "?get@?$Box@$$A6AHXZ_E@@QEAA?AUP@@XZ",
    "?get@?$Box@$$CDH@@QEAA?AUP@@XZ",
    "?get@?$Box@$$QEAH@@QEAA?AUP@@XZ",
    "?get@?$Box@$$T@@QEAA?AUP@@XZ",
    "?get@?$Box@PEAY01H@@QEAA?AUP@@XZ",
    "?get@?$Box@W4E@ns@@@@QEAA?AUP@@XZ",
    "?get@?$TTA@$$YAl@@@@QEAA?AUP@@XZ",
    "?get@?$MF@$1?m@S@@QEAA?AUP@@XZ@@QEAA?AUP@@XZ",
    "?get@?$MF@$H??_9S@@$BA@AAA@@@QEAA?AUP@@XZ",
    "?get@?$MF@$1??_9S@@$B7AA@@QEAA?AUP@@XZ",
    "?get@?$DF@$F7A@@@QEAA?AUP@@XZ",
    "?get@?$FT@$ADPMAAAAA@@@QEAA?AUP@@XZ",
    "?get@?$CN@$2UNT@@H00W4En@@003H01@02@@@@@QEAA?AUP@ns@@XZ",
    "?m@?$Q@$HA@@n@@QEAA?AUP@@XZ",
    "?m@?$Q@$JA@A@?0@n@@QEAA?AUP@@XZ",
    "?m@?$Q@$7TU@n@@i@0?6@@n@@QEAA?AUP@@XZ",
    "?m@?$Q@$7TU@n@@f@ADPMAAAAA@@@n@@QEAA?AUP@@XZ",
    "?m@?$Q@$MPEAHC1?ga@@3PAHA01@@n@@QEAA?AUP@@XZ",
    "?m@?$Q@$MPEAHC61?gstruct@@3UA@n@@Ay@@00@@n@@QEAA?AUP@@XZ",
    "?m@?$QW@$2UW@n@@W4E@2@0A@_N0A@$$T0A@PEQA@2@HN@@n@@QEAA?AUP@@XZ",
    "?m@?$Q@$2UW@n@@W4E@2@0?4_N00$$T0A@PEQA@2@H842@x@@@@n@@QEAA?AUP@@XZ",
    "?f@L@?1??g@@YAXXZ@QEAA?AUP@@XZ",
    "?f@L@?L@??g@@YAXXZ@QEAA?AUP@@XZ",
    "?f@L@?1???R<lambda_0>@@QEBA?A?<auto>@@H@Z@QEAA?AUP@@XZ",
    "?f@L@?0???__Ex@@YAXXZ@QEAA?AUP@@XZ",
    "?f@L@?0???__E?x@@3HA@@YAXXZ@QEAA?AUP@@XZ",
    "?f@L@?0???__E?$tv@H@@YAXXZ@QEAA?AUP@@XZ",
    "??$t@$1?pm@@3P8D1@n@@EAA?AUP@@XZEQ12@@S@@QEAA?AUP@@XZ",
};

static const char *const plain[] = {
    "?f@@YA?AUP@@XZ",
    "?f@ns@@YA?AUP@1@HZZ",
    "?s@S@@SA?AUP@@XZ",
    "?s@S@@KA?AUP@@XZ",
    "?s@S@@CA?AUP@@XZ",
    "?f@@$$J0YA?AUP@@XZ",
    "??3@YAXPEAX_K@Z",
    "??__K_x@@YA?AUP@@_K@Z",
    "??$st@PEBD@S@@SA?AUP@@PEBD@Z",
    "??HS@@SA?AUP@@AEBU0@0@Z",
    "?g@L@?1??f@@YAXXZ@SA?AUP@@XZ",
    "?g@L@?1??m@S@@QEAAXXZ@SA?AUP@@XZ",
};

static const char *const untold[] = {
    "",
    "f",
    "_ZN1S1mEv",
    "?",
    "??",
    "?f",
    "?f@",
    "?f@@",
    "?x@@3HA",
    "??_7S@@6B@",
    "??_R0H@8",
    "??_C@_01A@a?$AA@",
    "??@0123456789abcdef0123456789abcdef@",
    "?f@?$Box@$T@@QEAA?AUP@@XZ",
    "?f@?Z@@QEAAXXZ",
};

TEST(methods)
{
	for (unsigned i = 0; i < ARRAY_LEN(methods); i++)
		if (!EXPECT_EQ(callee(methods[i]), MS_CALLEE_METHOD))
			printf("  %s\n", methods[i]);
}

TEST(others)
{
	for (unsigned i = 0; i < ARRAY_LEN(plain); i++)
		if (!EXPECT_EQ(callee(plain[i]), MS_CALLEE_PLAIN))
			printf("  %s\n", plain[i]);
}

TEST(no_function)
{
	for (unsigned i = 0; i < ARRAY_LEN(untold); i++)
		if (!EXPECT_EQ(callee(untold[i]), MS_CALLEE_UNTOLD))
			printf("  %s\n", untold[i]);
}

/* What ends too early is read up to there, and not beyond. */
TEST(cut_short)
{
	for (unsigned i = 0; i < ARRAY_LEN(methods); i++)
		for (size_t n = 0; n < strlen(methods[i]); n++) {
			char *copy = strndup(methods[i], n);
			MsCallee got = ms_symbol_callee((Str){copy, n});
			EXPECT(got == MS_CALLEE_UNTOLD || got == MS_CALLEE_METHOD);
			free(copy);
		}
}

TEST(nested_too_deep)
{
	static char name[40000] = "?f@", deep[40000] = "?f@";
	for (unsigned i = 0; i < 3000; i++)
		strcat(name, "?$B@PEAV");
	EXPECT_EQ(callee(name), MS_CALLEE_UNTOLD);
	for (unsigned i = 0; i < 200; i++)
		strcat(deep, "?$B@PEAV");
	strcat(deep, "C@@");
	for (unsigned i = 0; i < 200; i++)
		strcat(deep, i < 199 ? "@@" : "@");
	strcat(deep, "@QEAA?AUP@@XZ");
	EXPECT_EQ(callee(deep), MS_CALLEE_METHOD);
}
