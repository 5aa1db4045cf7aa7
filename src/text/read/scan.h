/* text/read/scan.h: where a run of characters ends; 16 characters at a time where the machine
 * has SSE2 and the text that much left.
 *
 * Each function looks at [p, end) only, and returns the first place that does not belong to the run, or end.
 */
#ifndef CIRC_TEXT_READ_SCAN_H
#define CIRC_TEXT_READ_SCAN_H

#include "base/base.h"

#if defined(__SSE2__) && defined(__GNUC__)
#define SCAN_SSE2 1
#include <emmintrin.h>
#endif

/* Character classes; a name is made of IDENT characters, a suffix id may hold SUFFIX ones too. */
enum { SPACE = 1, DIGIT = 2, LETTER = 4, IDENT = 8, SUFFIX = 16, HEX = 32, PUNCT = 64, TYPE_STOP = 128 };

enum { SCAN_WIDTH = 16 };

extern const uint8_t scan_classes[256];

static inline bool scan_is(char c, unsigned class)
{
	return scan_classes[(unsigned char)c] & class;
}

static inline const char *scan_class(const char *p, const char *end, unsigned class)
{
	while (p < end && scan_is(*p, class))
		p++;
	return p;
}

#ifdef SCAN_SSE2

static inline __m128i scan_load(const char *p)
{
	return _mm_loadu_si128((const __m128i *)(const void *)p);
}

static inline __m128i scan_equal(__m128i v, char c)
{
	return _mm_cmpeq_epi8(v, _mm_set1_epi8(c));
}

/* first <= c < first + n, unsigned */
static inline __m128i scan_range(__m128i v, char first, char n)
{
	__m128i from = _mm_sub_epi8(v, _mm_set1_epi8(first));
	return _mm_cmpeq_epi8(_mm_min_epu8(from, _mm_set1_epi8((char)(n - 1))), from);
}

/* One bit for each character: IDENT */
static inline unsigned scan_ident_bits(__m128i v)
{
	__m128i letters = scan_range(_mm_or_si128(v, _mm_set1_epi8(0x20)), 'a', 26);
	__m128i digits = scan_range(v, '0', 10);
	__m128i others =
	    _mm_or_si128(_mm_or_si128(scan_equal(v, '_'), scan_equal(v, '$')), scan_equal(v, '.'));
	return (unsigned)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(letters, digits), others));
}

static inline unsigned scan_suffix_bits(__m128i v)
{
	return scan_ident_bits(v) | (unsigned)_mm_movemask_epi8(scan_equal(v, '-'));
}

static inline unsigned scan_space_bits(__m128i v)
{
	__m128i lines = _mm_or_si128(scan_equal(v, '\n'), scan_equal(v, '\r'));
	__m128i blanks = _mm_or_si128(scan_equal(v, ' '), scan_equal(v, '\t'));
	return (unsigned)_mm_movemask_epi8(_mm_or_si128(lines, blanks));
}

static inline unsigned scan_blank_bits(__m128i v)
{
	return (unsigned)_mm_movemask_epi8(_mm_or_si128(scan_equal(v, ' '), scan_equal(v, '\t')));
}

/* Neither the end of a string, nor of its line, nor an escape. */
static inline unsigned scan_plain_bits(__m128i v)
{
	__m128i stop =
	    _mm_or_si128(_mm_or_si128(scan_equal(v, '"'), scan_equal(v, '\\')), scan_equal(v, '\n'));
	return ~(unsigned)_mm_movemask_epi8(stop) & 0xffff;
}

/* Brackets, and what may hide some: strings, comments and the like. */
static inline unsigned scan_plain_type_bits(__m128i v)
{
	__m128i stop = _mm_or_si128(scan_equal(v, '<'), scan_equal(v, '>'));
	stop = _mm_or_si128(stop, _mm_or_si128(scan_equal(v, '"'), scan_equal(v, '{')));
	stop = _mm_or_si128(stop, _mm_or_si128(scan_equal(v, '/'), scan_equal(v, '#')));
	stop = _mm_or_si128(stop, _mm_or_si128(scan_equal(v, '\n'), scan_equal(v, '}')));
	return ~(unsigned)_mm_movemask_epi8(stop) & 0xffff;
}

/* Over whole groups of 16, up to the first character that is not in the run. */
static inline const char *scan_wide(const char *p, const char *end, unsigned (*bits)(__m128i))
{
	for (; end - p >= SCAN_WIDTH; p += SCAN_WIDTH) {
		unsigned others = ~bits(scan_load(p)) & 0xffff;
		if (others)
			return p + __builtin_ctz(others);
	}
	return p;
}

#else

#define scan_wide(p, end, bits) (p)

#endif

static inline const char *scan_ident(const char *p, const char *end)
{
	return scan_class(scan_wide(p, end, scan_ident_bits), end, IDENT);
}

static inline const char *scan_suffix(const char *p, const char *end)
{
	return scan_class(scan_wide(p, end, scan_suffix_bits), end, SUFFIX);
}

static inline const char *scan_space(const char *p, const char *end)
{
	return scan_class(scan_wide(p, end, scan_space_bits), end, SPACE);
}

#ifdef SCAN_SSE2

enum { SCAN_BLOCK = 4 * SCAN_WIDTH };

/* One bit for each of the block's characters. */
static inline uint64_t scan_block_bits(const char *p, unsigned (*bits)(__m128i))
{
	uint64_t all = 0;
	for (int i = 3; i >= 0; i--)
		all = all << SCAN_WIDTH | bits(scan_load(p + i * SCAN_WIDTH));
	return all;
}

static inline unsigned scan_line_bits(__m128i v)
{
	return (unsigned)_mm_movemask_epi8(scan_equal(v, '\n'));
}

static inline unsigned scan_sigil_bits(__m128i v)
{
	return (unsigned)_mm_movemask_epi8(_mm_or_si128(scan_equal(v, '#'), scan_equal(v, '!')));
}

/* Over whole blocks. *fresh: does nothing but blanks stand before p on its line? */
static inline const char *scan_blocks_to_definition(const char *p, const char *end, bool *fresh)
{
	for (; end - p >= SCAN_BLOCK; p += SCAN_BLOCK) {
		uint64_t lines = scan_block_bits(p, scan_line_bits);
		uint64_t blanks = scan_block_bits(p, scan_blank_bits);
		uint64_t starts = lines << 1 | *fresh;
		/* The addition carries each start over the blanks behind it. */
		uint64_t over = blanks + (starts & blanks);
		uint64_t found =
		    ((over & ~blanks) | (starts & ~blanks)) & scan_block_bits(p, scan_sigil_bits);
		if (found) {
			*fresh = true;
			return p + __builtin_ctzll(found);
		}
		*fresh = over < blanks || lines >> (SCAN_BLOCK - 1);
	}
	return p;
}

#else

#define scan_blocks_to_definition(p, end, fresh) (p)

#endif

/* Up to a `#` or `!` that is the first on its line but for blanks, as in the definition of an alias. A line begins at
 * p. */
static inline const char *scan_to_definition(const char *p, const char *end)
{
	bool fresh = true;
	for (p = scan_blocks_to_definition(p, end, &fresh); p < end; p++) {
		if (fresh && (*p == '#' || *p == '!'))
			break;
		fresh = *p == '\n' || (fresh && (*p == ' ' || *p == '\t'));
	}
	return p;
}

/* Up to a quote, a backslash or the end of the line. */
static inline const char *scan_plain(const char *p, const char *end)
{
	p = scan_wide(p, end, scan_plain_bits);
	while (p < end && *p != '"' && *p != '\\' && *p != '\n')
		p++;
	return p;
}

/* Over blanks that do not end the line. */
static inline const char *scan_blanks(const char *p, const char *end)
{
	p = scan_wide(p, end, scan_blank_bits);
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

#ifdef SCAN_SSE2 /* little-endian, then */

/* The digits at p as a number, eight characters at once: the bits above 0x7f tell which are none, up to the first. */
static inline const char *scan_eight_digits(const char *p, uint32_t *out)
{
	uint64_t v;
	memcpy(&v, p, sizeof v);
	v ^= UINT64_C(0x3030303030303030);
	uint64_t others = ((v + UINT64_C(0x7676767676767676)) | v) & UINT64_C(0x8080808080808080);
	unsigned n = others ? (unsigned)__builtin_ctzll(others) / 8 : 8;
	v = n ? v << (64 - 8 * n) : 0; /* zeros in front */
	v = v * 10 + (v >> 8);
	const uint64_t pairs = UINT64_C(0x000000ff000000ff);
	v = (v & pairs) * UINT64_C(0x000f424000000064) + (v >> 16 & pairs) * UINT64_C(0x0000271000000001);
	*out = (uint32_t)(v >> 32);
	return p + n;
}

#endif

/* The first digits at p, eight at most, as a number: 0 where there is none. */
static inline const char *scan_number(const char *p, const char *end, uint32_t *out)
{
#ifdef SCAN_SSE2
	if (BASE_LIKELY(end - p >= 8))
		return scan_eight_digits(p, out);
#endif
	uint32_t n = 0;
	for (const char *last = end - p < 8 ? end : p + 8; p < last && scan_is(*p, DIGIT); p++)
		n = n * 10 + (uint32_t)(*p - '0');
	*out = n;
	return p;
}

/* Up to the first `a` with a `b` behind it. */
static inline const char *scan_to_pair(const char *p, const char *end, char a, char b)
{
#ifdef SCAN_SSE2
	for (; end - p > SCAN_WIDTH; p += SCAN_WIDTH) {
		__m128i pairs = _mm_and_si128(scan_equal(scan_load(p), a), scan_equal(scan_load(p + 1), b));
		unsigned bits = (unsigned)_mm_movemask_epi8(pairs);
		if (bits)
			return p + __builtin_ctz(bits);
	}
#endif
	for (; end - p > 1; p++)
		if (p[0] == a && p[1] == b)
			return p;
	return end;
}

/* Up to a bracket of a type or dictionary, or something that may hold or hide one. */
static inline const char *scan_plain_type(const char *p, const char *end)
{
	p = scan_wide(p, end, scan_plain_type_bits);
	while (p < end && !scan_is(*p, TYPE_STOP))
		p++;
	return p;
}

#endif
