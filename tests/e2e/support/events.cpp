// events.cpp: what e2e.h declares.
#include "e2e.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#ifndef _MSC_VER
#include <unwind.h>
#endif

Base base_object(50);
Derived derived_object(60);
int a_number = 70;
int number;

static char scenario_text[256];
static char get_values[64];

void event(const char *format, ...) noexcept
{
	char line[256];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	puts(line);
	fflush(stdout); // the program may be about to abort
}

void scenario(const char *text) noexcept
{
	snprintf(scenario_text, sizeof(scenario_text), "%s", text);
}

// Takes "NAME:KIND", or the N-th time "NAME#N:KIND" (N is one digit), out of the scenario.
static bool take(const char *name, char *kind, size_t size)
{
	size_t length = strlen(name);
	for (char *at = scenario_text; *at; at += strcspn(at, ","), at += *at == ',') {
		if (strncmp(at, name, length) != 0)
			continue;
		char *colon = at + length;
		if (*colon == '#') {
			if (colon[1]-- != '1')
				continue;
			colon += 2;
		}
		if (*colon != ':')
			continue;
		size_t end = strcspn(at, ",");
		snprintf(kind, size, "%.*s", (int)(at + end - colon - 1), colon + 1);
		memset(at, '.', end);
		return true;
	}
	return false;
}

void point(const char *name)
{
	char kind[32];
	if (take(name, kind, sizeof(kind)))
		throw_kind(kind);
}

#ifdef _MSC_VER
extern "C" void RaiseException(unsigned long code, unsigned long flags, unsigned long nparameters, const size_t *parameters);

// An exception of another language: what Windows hands around is a number.
static void throw_foreign()
{
	RaiseException(0xe0434952, 0, 0, nullptr);
	event("nobody catches the foreign exception");
	std::terminate();
}
#else
// An exception of another language: the C++ runtimes know nothing of it but its header.
static void throw_foreign()
{
	static _Unwind_Exception exception;
	memset(&exception, 0, sizeof(exception));
	memcpy(&exception.exception_class, "CIRCTEST", 8);
	exception.exception_cleanup = [](_Unwind_Reason_Code, _Unwind_Exception *) { event("foreign released"); };
	_Unwind_RaiseException(&exception);
	event("nobody catches the foreign exception");
	std::terminate();
}
#endif

void throw_kind(const char *kind)
{
	static char text[] = "hello";
	event("throw %s", kind);
	if (strcmp(kind, "int") == 0)
		throw 7;
	if (strcmp(kind, "float") == 0)
		throw 2.5f;
	if (strcmp(kind, "double") == 0)
		throw 3.25;
	if (strcmp(kind, "bool") == 0)
		throw true;
	if (strcmp(kind, "base") == 0)
		throw Base(5);
	if (strcmp(kind, "derived") == 0)
		throw Derived(6);
	if (strcmp(kind, "other") == 0)
		throw Other{9};
	if (strcmp(kind, "pointer") == 0)
		throw &base_object;
	if (strcmp(kind, "dpointer") == 0)
		throw &derived_object;
	if (strcmp(kind, "null") == 0)
		throw static_cast<Base *>(nullptr);
	if (strcmp(kind, "intp") == 0)
		throw &a_number;
	if (strcmp(kind, "cintp") == 0)
		throw static_cast<const int *>(&a_number);
	if (strcmp(kind, "text") == 0)
		throw text;
	if (strcmp(kind, "ctext") == 0)
		throw static_cast<const char *>(text);
	if (strcmp(kind, "exception") == 0)
		throw std::exception();
	if (strcmp(kind, "foreign") == 0)
		throw_foreign();
	event("no such kind: %s", kind);
	exit(2);
}

static void numbered(const char *prefix, int n)
{
	char name[16];
	snprintf(name, sizeof(name), "%s%d", prefix, n);
	point(name);
}

void f()
{
	point("f");
}

void step(int n)
{
	event("step %d", n);
	numbered("", n);
}

void cleanup(int n)
{
	event("cleanup %d", n);
	numbered("c", n);
}

void caught(int n) noexcept
{
	event("caught %d", n);
}

void done(int n) noexcept
{
	event("done %d", n);
}

void saw_int(int value) noexcept
{
	event("int %d", value);
}

void saw_float(float value) noexcept
{
	event("float %g", value);
}

void saw_text(const char *text) noexcept
{
	event("text %s", text);
}

void saw_base(const Base *base) noexcept
{
	if (base)
		event("base %d", base->tag);
	else
		event("base null");
}

Base::Base(const Base &other) : tag(other.tag)
{
	event("copy %d", tag);
	point("copy");
}

Base::~Base()
{
	if (this != &base_object && this != &derived_object) // those two die after main
		event("~Base %d", tag);
}

SomeClass::SomeClass() : id(1)
{
	event("ctor");
	point("ctor");
}

SomeClass::~SomeClass() noexcept(false)
{
	event("dtor");
	point("dtor");
}

void SomeClass::doSomething()
{
	event("doSomething");
	point("doSomething");
}

void next_get(const char *values) noexcept
{
	snprintf(get_values, sizeof(get_values), "%s", values);
}

int SomeClass::get()
{
	int value = atoi(get_values);
	char *rest = strchr(get_values, ',');
	if (rest)
		memmove(get_values, rest + 1, strlen(rest));
	event("get %d", value);
	point("get");
	return value;
}
