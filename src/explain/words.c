#include "explain/words.h"

const char *explain_step_word(CircStepKind kind)
{
	static const char *const words[] = {
	    [CIRC_STEP_CLEANUP] = "cleanup",     [CIRC_STEP_FINALLY] = "finally",
	    [CIRC_STEP_CATCH] = "catch",         [CIRC_STEP_CATCH_ALL] = "catch_all",
	    [CIRC_STEP_WHEN] = "when",           [CIRC_STEP_SPECIFICATION] = "specification",
	    [CIRC_STEP_TERMINATE] = "terminate",
	};
	return words[kind];
}

const char *explain_end_word(CircEnd end)
{
	static const char *const words[] = {
	    [CIRC_END_LEAVES] = "leaves",
	    [CIRC_END_CAUGHT] = "caught",
	    [CIRC_END_TERMINATES] = "terminates",
	    [CIRC_END_UNDEFINED] = "undefined",
	};
	return words[end];
}

const char *explain_table_word(CircTableKind kind)
{
	static const char *const words[] = {
	    [CIRC_TABLE_NONE] = "none",   [CIRC_TABLE_LSDA] = "lsda",   [CIRC_TABLE_CXX] = "cxx",
	    [CIRC_TABLE_SCOPE] = "scope", [CIRC_TABLE_OTHER] = "other", [CIRC_TABLE_MODULE] = "module",
	};
	return words[kind];
}
