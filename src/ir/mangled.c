#include "ir/mangled.h"

#include <ctype.h>
#include <string.h>

/* Of numbers of 64 bits; what has more is not looked through at each of its letters. */
enum { DIGITS_MAX = 20 };

/* Behind a source name of its length; NULL: there is none, or it ends behind end. */
static const char *skip_source_name(const char *at, const char *end)
{
	size_t len = 0;
	if (at == end || !isdigit((unsigned char)*at))
		return NULL;
	for (; at < end && isdigit((unsigned char)*at) && len < (size_t)(end - at); at++)
		len = len * 10 + (size_t)(*at - '0');
	return len <= (size_t)(end - at) ? at + len : NULL;
}

static const char *skip_digits(const char *at, const char *end)
{
	while (at < end && isdigit((unsigned char)*at))
		at++;
	return at;
}

/* `L <type> <number> E`, also of an enumeration; before a name L says that it is internal. */
static const char *skip_literal(const char *at, const char *end)
{
	const char *type = at + 1, *number = skip_source_name(type, end);
	if (!number && type < end && islower((unsigned char)*type))
		number = type + 1;
	if (!number)
		return type;
	const char *digits = number < end && *number == 'n' ? number + 1 : number;
	const char *close = skip_digits(digits, end);
	return close > digits && close < end && *close == 'E' ? close + 1 : number;
}

const char *mangled_skip_discriminator(const char *at, const char *end)
{
	if (at == end || *at != '_')
		return at;
	if (at + 1 == end || at[1] != '_')
		return skip_digits(at + 1, end);
	at = skip_digits(at + 2, end);
	return at < end && *at == '_' ? at + 1 : at;
}

/* `C1`, `D0`; `CI2` stands in front of the name of a base */
static const char *skip_structor(const char *at, const char *end)
{
	const char *kind = at + 1;
	if (kind < end && *at == 'C' && *kind == 'I')
		kind++;
	return kind < end && isdigit((unsigned char)*kind) ? kind + 1 : at + 1;
}

/* Behind one of the letters of the grammar and the number that belongs to it: `S1_`, `T0_`, `A10_`, `E_0`. */
static const char *skip_letter(const char *at, const char *end)
{
	if (*at == 'L')
		return skip_literal(at, end);
	if (*at == 'E')
		return mangled_skip_discriminator(at + 1, end);
	if (*at == 'C' || *at == 'D')
		return skip_structor(at, end);
	if (!strchr("STAv", *at++))
		return at;
	const char *number = at, *last = end - at > DIGITS_MAX ? at + DIGITS_MAX : end;
	while (number < last && (isdigit((unsigned char)*number) || isupper((unsigned char)*number)))
		number++;
	return number < end && *number == '_' ? number + 1 : at;
}

const char *mangled_skip(const char *at, const char *end)
{
	return isdigit((unsigned char)*at) ? skip_source_name(at, end) : skip_letter(at, end);
}

static bool is_structor_at(const char *at, const char *end)
{
	const char *kind = at + 1;
	if (*at == 'C' && kind < end && *kind == 'I')
		kind++;
	return kind < end && ((*at == 'C' && strchr("123", *kind)) || (*at == 'D' && strchr("12", *kind)));
}

/* Looks at the last part of a nested name; template arguments may follow it. What is local to a function comes after the
 * function's own name: `_ZZ1fvEN1AC1Ev`. */
bool mangled_is_structor(Str name)
{
	const char *at = name.data + 2, *end = name.data + name.len;
	bool structor = false;
	unsigned depth = 0;
	char outermost = 0;
	if (!str_begins_with(name, STR("_Z")))
		return false;
	while (at && at < end) {
		if (memchr("NIXJFZ", *at, 6)) {
			outermost = depth++ ? outermost : *at;
			at++;
		} else if (*at == 'E') {
			if (depth <= 1 && outermost != 'Z')
				return outermost == 'N' && structor;
			if (!depth)
				return false;
			depth--;
			at++;
		} else {
			structor |= depth == 1 && outermost == 'N' && is_structor_at(at, end);
			at = mangled_skip(at, end);
		}
	}
	return false;
}
