// main.cpp: runs test() with the scenario of argv[1]. A leading "bare," calls it outside of any try, so that an exception
// has nowhere to go; then "get=1;2;7," sets what SomeClass::get gives and "n=3," sets `number`.
#include "e2e.h"

#include <cstdlib>
#include <cstring>
#include <exception>
#if !defined _WIN32 && !defined __wasm__
#include <dlfcn.h>
#endif

// What the library remembers of exceptions: the one whose handler runs, and how many are in flight.
struct Globals {
	void *caught;
	unsigned uncaught;
};

#ifdef _MSC_VER
static Globals get_globals()
{
	return {*__current_exception(), (unsigned)__uncaught_exceptions()};
}
#else
// The first two members are the Itanium C++ ABI's (2.2.2). libc++abi's <cxxabi.h> keeps it to itself.
extern "C" Globals *__cxa_get_globals() noexcept;

static Globals get_globals()
{
	return *__cxa_get_globals();
}
#endif

static void on_terminate()
{
	event("terminate");
	abort();
}

#if !defined(_WIN32) && !defined(__wasm__) && !defined(E2E_SJLJ)
static void check_library(void *address, const char *wanted)
{
	Dl_info info;
	if (!dladdr(address, &info) || !strstr(info.dli_fname, wanted))
		event("not of %s: %s", wanted, info.dli_fname);
}

// Are these the libraries that this run claims to test?
static void check_libraries()
{
	check_library(dlsym(RTLD_DEFAULT, "__cxa_throw"), E2E_RUNTIME);
	check_library(dlsym(RTLD_DEFAULT, "_Unwind_RaiseException"), E2E_UNWINDER);
}
#else
static void check_libraries() {} // they are inside of the program
#endif

extern "C" {
void main_int(int value) noexcept
{
	event("main: int %d", value);
}

void main_float(float value) noexcept
{
	event("main: float %g", value);
}

void main_base(int tag) noexcept
{
	event("main: base %d", tag);
}

void main_pointer(const Base *base) noexcept
{
	event("main: pointer %d", base ? base->tag : 0);
}

void main_something() noexcept
{
	event("main: something");
}
}

#ifdef E2E_SJLJ
extern "C" void guarded_test(); // sjlj/guarded.cir
#else
static void guarded_test()
{
	try {
		test();
	} catch (int value) {
		main_int(value);
	} catch (float value) {
		main_float(value);
	} catch (const Base &base) {
		main_base(base.tag);
	} catch (Base *base) {
		main_pointer(base);
	} catch (...) {
		main_something();
	}
}
#endif

// Takes "NAME=VALUE," from the front of the text.
static const char *setting(const char *text, const char *name, void (*set)(char *value))
{
	size_t length = strlen(name);
	if (strncmp(text, name, length) != 0 || text[length] != '=')
		return text;
	char value[64] = "";
	text += length + 1;
	size_t end = strcspn(text, ",");
	memcpy(value, text, end < sizeof(value) ? end : sizeof(value) - 1);
	set(value);
	return text + end + (text[end] == ',');
}

static void set_get(char *values)
{
	for (char *at = values; *at; at++)
		*at = *at == ';' ? ',' : *at;
	next_get(values);
}

static void set_number(char *value)
{
	number = atoi(value);
}

int main(int argc, char **argv)
{
	const char *text = argc > 1 ? argv[1] : "";
	bool bare = strncmp(text, "bare,", 5) == 0;
	text += bare ? 5 : 0;
	text = setting(text, "get", set_get);
	text = setting(text, "n", set_number);
	scenario(text);
	std::set_terminate(on_terminate);
	check_libraries();

	if (bare)
		test();
	else
		guarded_test();

	// A handler that was left without its end_catch, or ended twice, shows here.
	const Globals globals = get_globals();
	if (globals.caught)
		event("a handler was left open");
	// libstdc++ never stops counting a foreign exception that was thrown again.
	if (globals.uncaught && !strstr(text, "foreign"))
		event("%u exceptions still in flight", globals.uncaught);
	event("end");
	return 0;
}
