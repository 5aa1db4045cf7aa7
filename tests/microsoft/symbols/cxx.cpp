// The C++ of cxx.cir, name by name.
extern "C" {
int plain = 1;
int zero;
extern const int constant = 5;
static int hidden = 6;
int *address = &hidden;
__declspec(selectany) int any = 4;
__attribute__((weak)) int weak = 5;
__attribute__((weak)) int weak_zero;
__attribute__((weak)) void weak_function() {}
extern int maybe __attribute__((weak));
int *address_of_maybe = &maybe;
__attribute__((weak)) void maybe_function();
void (*address_of_function)() = &maybe_function;
__attribute__((section("named$a"))) int named = 7;
__attribute__((section("mycode"))) void code() {}
__attribute__((section("ro"))) extern const int read_only = 7;
__attribute__((section(".CRT$XLB"))) extern void *const callback = (void *)&code;
alignas(64) int aligned = 8;
alignas(64) int aligned_zero;
thread_local int local = 1;
thread_local int local_zero;
static thread_local int local_hidden = 3;
int *address_of_local() { return &local_hidden; }
__attribute__((constructor)) void before() {}
__attribute__((constructor(200))) void before_200() {}
__attribute__((constructor(150))) void before_150() {}
__attribute__((constructor(300))) void before_300() {}
__attribute__((constructor(65535))) void before_last() {}
__attribute__((destructor)) void after() {}
__attribute__((destructor(200))) void after_200() {}
inline int merged() { return 1; }
int (*address_of_merged)() = &merged;
__declspec(dllexport) int exported = 1;
__declspec(dllexport) void exported_function() {}
extern __declspec(dllimport) int imported;
__declspec(dllimport) void imported_function();
int import()
{
	imported_function();
	return imported;
}
}
inline int variable = 3;
int *address_of_variable = &variable;
