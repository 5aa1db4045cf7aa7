// The language programs print what circ's functions give; their twins compute the same in C++, and the outputs must agree.
#ifndef E2E_LANGUAGE_H
#define E2E_LANGUAGE_H

#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>

// Where integer arithmetic goes wrong first.
static const int64_t edges[] = {0,
                                1,
                                2,
                                5,
                                -1,
                                -2,
                                -7,
                                100,
                                127,
                                128,
                                -128,
                                255,
                                256,
                                32767,
                                -32768,
                                65535,
                                INT32_MAX,
                                INT32_MIN,
                                UINT32_MAX,
                                INT64_MAX,
                                INT64_MIN,
                                0x123456789abcdef};

// Not as PRId64, which is %ld on Linux: tests/lift runs what was compiled for Linux on Windows.
static inline void show(const char *what, int64_t value)
{
	printf("%s %lld\n", what, (long long)value);
}

// Every bit of it; NaNs are all alike.
static inline void show_double(const char *what, double value)
{
	if (value != value)
		printf("%s nan\n", what);
	else
		printf("%s %a\n", what, value);
}

#endif
