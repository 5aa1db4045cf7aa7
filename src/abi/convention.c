#include "abi/convention.h"

#include "abi/callconv.h"
#include "abi/complex.h"
#include "abi/guess.h"
#include "abi/untold.h"
#include "abi/va_arg.h"

static bool tell_nobody(void *user, const char *pass)
{
	(void)user;
	(void)pass;
	return true;
}

bool abi_lower_convention(IrModule *m, const AbiTarget *target, const char *features, Diags *d,
                          AbiPassed *passed, void *user)
{
	if (!passed)
		passed = tell_nobody;
	if (!abi_check_untold(m, target, features, d))
		return false;
	abi_warn_of_guesses(m, target, features, d);
	abi_lower_va_args(m, target, features);
	return passed(user, "reading variadic arguments") && abi_expand_complex(m, target, d) &&
	       passed(user, "expanding complex numbers") && abi_lower_calls(m, target, features, d) &&
	       passed(user, "the calling convention pass");
}
