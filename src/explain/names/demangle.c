/* explain/names/demangle.c: LLVM's demanglers are C++ and have no C interface, so they are called by their symbols, the same in
 * LLVM 19 to 22. A std::string_view of libstdc++ is passed as a length and a pointer; cmake/llvm.cmake calls them once, and
 * where that fails names stay as they are. */
#include "explain/names/demangle.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#if defined(CIRC_HAVE_DEMANGLERS)
char *demangle_itanium(size_t len, const char *symbol, bool with_parameters) __asm__(
    "_ZN4llvm15itaniumDemangleESt17basic_string_viewIcSt11char_traitsIcEEb");
char *demangle_microsoft(size_t len, const char *symbol, size_t *n, int *status, int flags) __asm__(
    "_ZN4llvm17microsoftDemangleESt17basic_string_viewIcSt11char_traitsIcEEPmPiNS_15MSDemangleFlagsE");

char *demangle_rust(size_t len, const char *symbol) __asm__(
    "_ZN4llvm12rustDemangleESt17basic_string_viewIcSt11char_traitsIcEE");

/* llvm::MSDemangleFlags: what a reader of tables does not ask for. */
enum {
	NO_ACCESS = 2,
	NO_CALLING_CONVENTION = 4,
	NO_RETURN_TYPE = 8,
	NO_MEMBER_TYPE = 16,
	NO_VARIABLE_TYPE = 32
};

char *explain_demangle(const char *symbol)
{
	size_t len = strlen(symbol);
	if (strncmp(symbol, "_Z", 2) == 0)
		return demangle_itanium(len, symbol, true);
	if (symbol[0] == '?' || strncmp(symbol, ".?", 2) == 0) {
		bool is_rtti =
		    strncmp(symbol, "??_R", 4) == 0; /* whose "variable type" is the type that it describes */
		int flags = NO_ACCESS | NO_CALLING_CONVENTION | NO_RETURN_TYPE | NO_MEMBER_TYPE;
		return demangle_microsoft(len, symbol, NULL, NULL,
		                          is_rtti ? flags : flags | NO_VARIABLE_TYPE);
	}
	return strncmp(symbol, "_R", 2) == 0 ? demangle_rust(len, symbol) : NULL;
}
#else
char *explain_demangle(const char *symbol)
{
	(void)symbol;
	return NULL;
}
#endif
