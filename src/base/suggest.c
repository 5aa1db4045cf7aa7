#include "base/suggest.h"

#include <ctype.h>
#include <limits.h>

enum { WORD_MAX = 40 }; /* longer words are nobody's slip of the finger */

static bool same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

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
			bool same = same_letter(a.data[i - 1], b.data[j - 1]);
			now[j] = min3(one[j] + 1, now[j - 1] + 1, one[j - 1] + !same);
			if (i > 1 && j > 1 && same_letter(a.data[i - 1], b.data[j - 2]) &&
			    same_letter(a.data[i - 2], b.data[j - 1]) && two[j - 2] + 1 < now[j])
				now[j] = two[j - 2] + 1;
		}
		unsigned *oldest = two;
		two = one;
		one = now;
		now = oldest;
	}
	return one[b.len];
}

static bool have_same_letters(Str a, Str b)
{
	int sum[UCHAR_MAX + 1] = {0};
	for (size_t i = 0; i < a.len && a.len == b.len; i++) {
		sum[tolower((unsigned char)a.data[i])]++;
		sum[tolower((unsigned char)b.data[i])]--;
	}
	for (size_t i = 0; i < ARRAY_LEN(sum); i++)
		if (sum[i])
			return false;
	return a.len == b.len;
}

/* Which slip: letters are left out more often than they change places, are added, or are others. */
static unsigned slip(Str word, Str meant)
{
	if (meant.len > word.len)
		return 0;
	if (have_same_letters(word, meant))
		return 1;
	return meant.len < word.len ? 2 : 3;
}

static unsigned rank(unsigned distance, Str word, Str meant)
{
	enum { SLIPS = 4 };
	return (distance * 2 + !same_letter(word.data[0], meant.data[0])) * SLIPS + slip(word, meant);
}

Suggestion suggest_begin(Str word)
{
	return (Suggestion){.word = word, .rank = UINT_MAX, .most = (unsigned)(word.len / 3)};
}

void suggest_try(Suggestion *s, Str candidate)
{
	enum { CANDIDATE_MIN = 3 };
	Str w = s->word, c = candidate;
	unsigned allowed = s->most;
	if (w.len > WORD_MAX || c.len < CANDIDATE_MIN || c.len > w.len + allowed || c.len + allowed < w.len ||
	    c.len > WORD_MAX)
		return;
	unsigned distance = edit_distance(w, c);
	if (distance > allowed || rank(distance, w, c) >= s->rank)
		return;
	s->rank = rank(distance, w, c);
	s->best = c;
}
