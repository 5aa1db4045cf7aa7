#include "base/suggest.h"

#include <ctype.h>

enum { WORD_MAX = 40 }; /* longer words are nobody's slip of the finger */

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	unsigned least = a < b ? a : b;
	return least < c ? least : c;
}

/* Insertions, deletions, replacements and swaps of neighbours that turn one word into
 * the other; capitals do not count. */
static unsigned edit_distance(Str a, Str b)
{
	unsigned row[3][WORD_MAX + 1]; /* of the matrix: before last, last, this */
	unsigned *two = row[0], *one = row[1], *now = row[2];
	for (unsigned j = 0; j <= b.len; j++)
		one[j] = j;
	for (unsigned i = 1; i <= a.len; i++) {
		now[0] = i;
		for (unsigned j = 1; j <= b.len; j++) {
			bool same =
			    tolower((unsigned char)a.data[i - 1]) == tolower((unsigned char)b.data[j - 1]);
			now[j] = min3(one[j] + 1, now[j - 1] + 1, one[j - 1] + !same);
			if (i > 1 && j > 1 && a.data[i - 1] == b.data[j - 2] &&
			    a.data[i - 2] == b.data[j - 1] && two[j - 2] + 1 < now[j])
				now[j] = two[j - 2] + 1;
		}
		unsigned *oldest = two;
		two = one;
		one = now;
		now = oldest;
	}
	return one[b.len];
}

/* One slip in three letters is still recognised. */
Suggestion suggest_begin(Str word)
{
	return (Suggestion){.word = word, .distance = (unsigned)(word.len / 3) + 1};
}

void suggest_try(Suggestion *s, const char *candidate)
{
	Str c = str_of(candidate);
	if (s->word.len > WORD_MAX || c.len > WORD_MAX || c.len < 3)
		return;
	unsigned distance = edit_distance(s->word, c);
	if (distance < s->distance) {
		s->distance = distance;
		s->best = candidate;
	}
}
