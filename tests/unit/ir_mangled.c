/* names that the Itanium C++ ABI mangles */
#include "ir/mangled.h"
#include "test.h"

TEST(structors_that_give_back_their_object)
{
	static const char *const are[] = {"_ZN1AC1Ev",
	                                  "_ZN1AC2ERKS_",
	                                  "_ZN1AD1Ev",
	                                  "_ZN1AD2Ev",
	                                  "_ZN2ns3BoxIiEC1IdEET_",
	                                  "_ZN1ACI21BEi",
	                                  "_ZZ1fvEN5LocalC1Ei",
	                                  "_ZN1AB5cxx11C1Ev",
	                                  "_ZN3BoxIN1BEED2Ev",
	                                  "_ZNSt6vectorIiE1AD1Ev",
	                                  "_ZN1AILi3EED1Ev"};
	for (unsigned i = 0; i < ARRAY_LEN(are); i++)
		EXPECT(mangled_is_structor(str_of(are[i])));
}

TEST(names_that_are_of_none)
{
	static const char *const others[] = {
	    "",
	    "_Z",
	    "_ZN",
	    "_ZN1A",
	    "_ZN1AC1",
	    "C1Ev",
	    "main",
	    "_Z1fv",
	    "_ZN1AD0Ev",              /* frees the object */
	    "_ZN1A2C1Ev",             /* a function named C1 */
	    "_ZN1A4D1EvEv",           /* one named D1Ev */
	    "_ZZN1AC1EvE1x",          /* a variable of the constructor */
	    "_ZZN1AC1EvENKUlvE_clEv", /* a lambda in it */
	    "_ZN3BoxIXadL_ZN1AC1EvEEE1fEv",
	    "_Z1fIXadL_ZN1AC1EvEEEvv",
	    "_ZN9999999999999999999999AC1Ev",
	    "_ZTV1A",
	};
	for (unsigned i = 0; i < ARRAY_LEN(others); i++)
		EXPECT(!mangled_is_structor(str_of(others[i])));
}
