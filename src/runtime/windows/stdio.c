/* printf, scanf and their family: inline functions of Microsoft's headers, on top of a few that ucrtbase.dll
 * has. For C that declares them itself. */
#include "runtime/windows/crt.h"

typedef struct Locale Locale;

enum {
	OPTION_LEGACY = 1,            /* no room for the terminator is not an error */
	OPTION_STANDARD_SNPRINTF = 2, /* the length that would have been */
	UNLIMITED = -1,
};

int __stdio_common_vfprintf(uint64_t options, FILE *f, const char *format, Locale *l, va_list args);
int __stdio_common_vfwprintf(uint64_t options, FILE *f, const wchar_t *format, Locale *l, va_list args);
int __stdio_common_vsprintf(uint64_t options, char *to, size_t size, const char *format, Locale *l,
                            va_list args);
int __stdio_common_vswprintf(uint64_t options, wchar_t *to, size_t size, const wchar_t *format, Locale *l,
                             va_list args);
int __stdio_common_vfscanf(uint64_t options, FILE *f, const char *format, Locale *l, va_list args);
int __stdio_common_vsscanf(uint64_t options, const char *from, size_t size, const char *format, Locale *l,
                           va_list args);

int vfprintf(FILE *f, const char *format, va_list args);
int fprintf(FILE *f, const char *format, ...);

int vfprintf(FILE *f, const char *format, va_list args)
{
	return __stdio_common_vfprintf(0, f, format, NULL, args);
}

int fprintf(FILE *f, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = vfprintf(f, format, args);
	va_end(args);
	return n;
}

int vprintf(const char *format, va_list args);
int printf(const char *format, ...);

int vprintf(const char *format, va_list args)
{
	return __stdio_common_vfprintf(0, __acrt_iob_func(1), format, NULL, args);
}

int printf(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = vprintf(format, args);
	va_end(args);
	return n;
}

int vsprintf(char *to, const char *format, va_list args);
int sprintf(char *to, const char *format, ...);

int vsprintf(char *to, const char *format, va_list args)
{
	return __stdio_common_vsprintf(OPTION_LEGACY, to, (size_t)UNLIMITED, format, NULL, args);
}

int sprintf(char *to, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = vsprintf(to, format, args);
	va_end(args);
	return n;
}

int vsnprintf(char *to, size_t size, const char *format, va_list args);
int snprintf(char *to, size_t size, const char *format, ...);

int vsnprintf(char *to, size_t size, const char *format, va_list args)
{
	return __stdio_common_vsprintf(OPTION_STANDARD_SNPRINTF, to, size, format, NULL, args);
}

int snprintf(char *to, size_t size, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = vsnprintf(to, size, format, args);
	va_end(args);
	return n;
}

int _vsnprintf(char *to, size_t size, const char *format, va_list args);
int _snprintf(char *to, size_t size, const char *format, ...);

int _vsnprintf(char *to, size_t size, const char *format, va_list args)
{
	return __stdio_common_vsprintf(OPTION_LEGACY, to, size, format, NULL, args);
}

int _snprintf(char *to, size_t size, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = _vsnprintf(to, size, format, args);
	va_end(args);
	return n;
}

int vfwprintf(FILE *f, const wchar_t *format, va_list args);
int fwprintf(FILE *f, const wchar_t *format, ...);

int vfwprintf(FILE *f, const wchar_t *format, va_list args)
{
	return __stdio_common_vfwprintf(0, f, format, NULL, args);
}

int fwprintf(FILE *f, const wchar_t *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = vfwprintf(f, format, args);
	va_end(args);
	return n;
}

int vwprintf(const wchar_t *format, va_list args);
int wprintf(const wchar_t *format, ...);

int vwprintf(const wchar_t *format, va_list args)
{
	return __stdio_common_vfwprintf(0, __acrt_iob_func(1), format, NULL, args);
}

int wprintf(const wchar_t *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = vwprintf(format, args);
	va_end(args);
	return n;
}

int vswprintf(wchar_t *to, size_t size, const wchar_t *format, va_list args);
int swprintf(wchar_t *to, size_t size, const wchar_t *format, ...);

int vswprintf(wchar_t *to, size_t size, const wchar_t *format, va_list args)
{
	return __stdio_common_vswprintf(0, to, size, format, NULL, args);
}

int swprintf(wchar_t *to, size_t size, const wchar_t *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = vswprintf(to, size, format, args);
	va_end(args);
	return n;
}

int vfscanf(FILE *f, const char *format, va_list args);
int fscanf(FILE *f, const char *format, ...);

int vfscanf(FILE *f, const char *format, va_list args)
{
	return __stdio_common_vfscanf(0, f, format, NULL, args);
}

int fscanf(FILE *f, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = vfscanf(f, format, args);
	va_end(args);
	return n;
}

int vscanf(const char *format, va_list args);
int scanf(const char *format, ...);

int vscanf(const char *format, va_list args)
{
	return __stdio_common_vfscanf(0, __acrt_iob_func(0), format, NULL, args);
}

int scanf(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = vscanf(format, args);
	va_end(args);
	return n;
}

int vsscanf(const char *from, const char *format, va_list args);
int sscanf(const char *from, const char *format, ...);

int vsscanf(const char *from, const char *format, va_list args)
{
	return __stdio_common_vsscanf(0, from, (size_t)UNLIMITED, format, NULL, args);
}

int sscanf(const char *from, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = vsscanf(from, format, args);
	va_end(args);
	return n;
}
