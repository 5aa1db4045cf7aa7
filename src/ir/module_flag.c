#include "ir/module_flag.h"

enum { ERROR = 1, OVERRIDE = 4, KEEP_MAX = 7, KEEP_MIN = 8 };

/* Others are circ's own to set (src/lower/module_flags.c), or are read by no code generator of its targets; those of Windows' guards make
 * tables of symbols by their numbers, which src/join would have to know. */
static const ModuleFlag known[] = {
    {"cf-protection-branch", KEEP_MIN, false},
    {"cf-protection-return", KEEP_MIN, false},
    {"branch-target-enforcement", KEEP_MIN, false},
    {"branch-protection-pauth-lr", KEEP_MIN, false},
    {"guarded-control-stack", KEEP_MIN, false},
    {"sign-return-address", KEEP_MIN, false},
    {"sign-return-address-all", KEEP_MIN, false},
    {"sign-return-address-with-bkey", KEEP_MIN, false},
    {"stack-protector-guard", ERROR, true},
    {"stack-protector-guard-reg", ERROR, true},
    {"stack-protector-guard-symbol", ERROR, true},
    {"stack-protector-guard-offset", ERROR, false},
    {"RtLibUseGOT", KEEP_MAX, false},
    {"direct-access-external-data", KEEP_MAX, false},
    {"indirect_branch_cs_prefix", OVERRIDE, false},
    {"SkipRaxSetup", OVERRIDE, false},
};

const ModuleFlag *ir_module_flag(Str name)
{
	for (unsigned i = 0; i < ARRAY_LEN(known); i++)
		if (str_is(name, known[i].name))
			return &known[i];
	return NULL;
}

static bool is_value(const ModuleFlag *flag, const IrAttr *a)
{
	int64_t n;
	if (flag->is_text)
		return a->kind == ATTR_STRING;
	int64_t least = flag->behavior < KEEP_MAX ? INT32_MIN : 0;
	return ir_attr_get_i64(a, &n) && n >= least && n <= INT32_MAX;
}

bool ir_are_module_flags(const IrAttr *a)
{
	bool ok = a->kind == ATTR_DICT;
	for (uint32_t i = 0; ok && i < a->n; i++) {
		const ModuleFlag *flag = ir_module_flag(name_str(a->keys[i]));
		ok = flag && is_value(flag, a->elems[i]);
	}
	return ok;
}
