/* view/line_number.h: the same code as two texts, of which one has the numbers of ops. Private to src/view. */
#ifndef CIRC_VIEW_LINE_NUMBER_H
#define CIRC_VIEW_LINE_NUMBER_H

#include "view/stage.h"

/* The next instruction at or behind `line`: the lines [line, end) are its own, `number` is that of its op or 0. False: no
 * more. user: of one of the texts. */
typedef bool NextInstruction(void *user, uint32_t *line, uint32_t *end, uint32_t *number);

/* The number of each line of the plain text: its n-th instruction is the n-th of the numbered text. Debug information changes no
 * code; if there are not as many, no line has a number. */
uint32_t *count_lines(const ViewLines *shown, void *plain, void *numbered, NextInstruction *next, Arena *mem);

#endif
