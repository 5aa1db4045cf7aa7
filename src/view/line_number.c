#include "view/line_number.h"

uint32_t *count_lines(const ViewLines *shown, void *plain, void *numbered, NextInstruction *next, Arena *mem)
{
	uint32_t *numbers = arena_array(mem, uint32_t, (size_t)shown->n + 1);
	uint32_t line = 0, end, none, other = 0, other_end, number;
	for (;;) {
		bool more = next(plain, &line, &end, &none);
		if (next(numbered, &other, &other_end, &number) != more) {
			memset(numbers, 0, sizeof *numbers * shown->n);
			return numbers;
		}
		if (!more)
			return numbers;
		for (; line < end; line++)
			numbers[line] = number;
		other = other_end;
	}
}
