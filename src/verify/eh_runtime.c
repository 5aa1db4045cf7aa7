/* Whose exceptions the function being walked has. */
#include "ir/eh_runtime.h"

#include "base/suggest.h"
#include "verify/verifier.h"

#define HOW_TO_HAVE_CIRC                                                                                     \
	"add 'personality(@" CIRC_PERSONALITY                                                                \
	")' to the function, or 'circ.eh.runtime = \"circ\"' to the module"

bool verifier_is_circ(const Verifier *v)
{
	return ir_func_eh_runtime(v->m, v->symbol) == EH_RUNTIME_CIRC;
}

bool verifier_check_circ(Verifier *v, const IrOp *op, const char *what)
{
	if (verifier_is_circ(v))
		return true;
	verifier_error(v, op, ": %s needs the exceptions of circ's runtime; " HOW_TO_HAVE_CIRC, what);
	return false;
}

bool verifier_is_cxx_personality(const Name *name)
{
	static const char *const cxx[] = {"__gxx_personality_v0", "__gxx_personality_seh0",
	                                  "__gxx_personality_sj0", "__gxx_wasm_personality_v0",
	                                  "__CxxFrameHandler3"};
	for (unsigned i = 0; i < ARRAY_LEN(cxx); i++)
		if (str_is(name_str(name), cxx[i]))
			return true;
	return false;
}

static const char *similar_personality(const Name *name)
{
	Suggestion s = suggest_begin(name_str(name));
	suggest_try(&s, STR(CIRC_PERSONALITY));
	return s.best.len ? "; did you mean '@" CIRC_PERSONALITY "'?" : "";
}

/* In a module of circ's runtime, who names another personality means C++'s; a third one reads other tables. */
bool verifier_check_runtime(Verifier *v, const IrOp *func)
{
	static const char prefix[] = "__circ_";
	const Name *name = ir_op_symbol(func, NAME_personality);
	bool before_abi = v->stage == STAGE_STRUCTURED || v->stage == STAGE_FLAT;
	if (!name || !before_abi || ir_is_circ_personality(name) || verifier_is_cxx_personality(name))
		return true;
	if (strncmp(name->text, prefix, strlen(prefix)) != 0 && !ir_module_attr(v->m, NAME_circ_eh_runtime))
		return true;
	verifier_error(v, func, ": personality '@%s' is neither circ's nor that of C++%s", name->text,
	               similar_personality(name));
	return false;
}

/* Types */

static bool is_of_cxx(const Name *name)
{
	return strncmp(name->text, "_ZTI", 4) == 0 || strncmp(name->text, "??_R0", 5) == 0;
}

bool verifier_check_circ_type(Verifier *v, const IrOp *op, const Name *name)
{
	const IrOp *symbol = ir_symbol(name);
	if (is_of_cxx(name))
		verifier_error(v, op,
		               ": '@%s' is a type info of C++, but the function has the exceptions of circ's "
		               "runtime; name a 'circ.exception_type' or another global",
		               name->text);
	else if (!symbol)
		verifier_error(v, op, ": the module has no exception type or global '@%s'%s", name->text,
		               verifier_similar_symbol(v, name, OP_COUNT));
	else if (symbol->kind == OP_FUNC)
		verifier_error(v, op, ": '@%s' is a function; name a 'circ.exception_type' or a global",
		               name->text);
	else
		return true;
	return false;
}
