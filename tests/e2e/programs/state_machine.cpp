#include "language.h"

struct Counts {
	int32_t others, comments, strings, lines, numbers;
};

struct Machine {
	int32_t pc, sp, registers[4], stack[8];
};

extern "C" {
int32_t scan(const char *text, Counts *counts);
int64_t parse_number(const char *text, double *out);
int32_t run(Machine *m, const int32_t *code);
void copy(char *to, const char *from, int32_t count);
}

static void show_scan(const char *text)
{
	Counts n = {};
	const int32_t end = scan(text, &n);
	printf("scan %d: %d %d %d %d %d\n", end, n.others, n.comments, n.strings, n.lines, n.numbers);
}

static void show_run(const char *what, const int32_t *code, int32_t input)
{
	Machine m = {};
	m.registers[0] = input;
	show(what, run(&m, code));
	printf("  at %d, %d left\n", m.pc, m.sp);
}

// Register 0 counts down, 1 is the product.
static const int32_t factorial[] = {1, 1, 9, 1, 8, 0, 7, 24, 8, 0, 8, 1, 4,  9,
                                    1, 8, 0, 1, 1, 3, 9, 0,  6, 4, 8, 1, 10, 0};
// Numbers and their remainders by 3, without end.
static const int32_t forever[] = {8, 0, 1, 3, 5, 9, 1, 8, 0, 1, 1, 2, 9, 0, 6, 0};
static const int32_t overflow[] = {1, 7, 6, 0};
static const int32_t underflow[] = {1, 7, 10, 10, 10, 2};
static const int32_t by_zero[] = {1, 7, 8, 0, 5, 10, 0};
static const int32_t unknown[] = {99};

int main()
{
	for (const char *text : {"", "a = b / c;", "x // all of it\ny/**/z", "/* a * b ** c **/ 12.5 + 3;7/2",
	                         "\"s /* \\\" */\" 1\n\"t\"", "\"open", "\"line\n\"", "/* open *", "a/",
	                         "1.2.3a4 55/6", "\"\\", "//"})
		show_scan(text);
	for (const char *text : {"", "0", "-", "-12x", "3.25", "1.", ".5", "1e3", "12.5e-2z", "1e", "1e-",
	                         "-0.1", "123456789012345678901", "2.5e20"}) {
		double value = -1;
		show("parse_number", parse_number(text, &value));
		show_double("value", value);
	}
	for (int32_t n = 0; n < 8; n++)
		show_run("factorial", factorial, n);
	show_run("forever", forever, 5);
	show_run("overflow", overflow, 0);
	show_run("underflow", underflow, 0);
	show_run("remainder", by_zero, 4);
	show_run("by zero", by_zero, 0);
	show_run("unknown", unknown, 0);
	for (int32_t n = 1; n < 14; n++) {
		char to[16] = {};
		copy(to, "abcdefghijklmnop", n);
		printf("copy %s\n", to);
	}
	return 0;
}

#ifdef TWIN
int32_t scan(const char *text, Counts *counts)
{
	enum { CODE, SLASH, LINE, COMMENT, STAR, STRING, ESCAPE, NUMBER } state = CODE;
	while (*text) {
		const char c = *text++;
		counts->lines += c == '\n';
	again:
		switch (state) {
		case CODE:
			if (c == '/')
				state = SLASH;
			else if (c == '"')
				state = STRING, counts->strings++;
			else if (c >= '0' && c <= '9')
				state = NUMBER, counts->numbers++;
			else if (c != ' ' && c != '\t' && c != '\n')
				counts->others++;
			break;
		case SLASH:
			if (c == '/') {
				state = LINE;
			} else if (c == '*') {
				state = COMMENT;
			} else {
				counts->others++;
				state = CODE;
				goto again;
			}
			break;
		case LINE:
			if (c == '\n')
				state = CODE;
			else
				counts->comments++;
			break;
		case STAR:
			if (c == '/') {
				state = CODE;
				break;
			}
			state = COMMENT;
			// fall through
		case COMMENT:
			counts->comments++;
			if (c == '*')
				state = STAR;
			break;
		case STRING:
			if (c == '\\')
				state = ESCAPE;
			else if (c == '"')
				state = CODE;
			else if (c == '\n')
				return -STRING;
			break;
		case ESCAPE:
			state = STRING;
			break;
		case NUMBER:
			if (c == '.' || (c >= '0' && c <= '9'))
				continue;
			state = CODE;
			goto again;
		}
	}
	counts->others += state == SLASH;
	return state >= COMMENT && state <= ESCAPE ? -state : 0;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

int64_t parse_number(const char *text, double *out)
{
	const char *p = text;
	const bool negative = *p == '-';
	p += negative;
	if (!is_digit(*p))
		return 0;
	double value = 0;
	int32_t scale = 0, exponent = 0;
	for (; is_digit(*p); p++)
		value = value * 10 + (*p - '0');
	if (*p == '.')
		for (p++; is_digit(*p); p++, scale--)
			value = value * 10 + (*p - '0');
	if (*p == 'e') {
		p++;
		const bool down = *p == '-';
		p += down;
		if (!is_digit(*p))
			return 0;
		for (; is_digit(*p); p++)
			exponent = exponent * 10 + (*p - '0');
		scale += down ? -exponent : exponent;
	}
	for (; scale > 0; scale--)
		value *= 10;
	for (; scale < 0; scale++)
		value /= 10;
	*out = negative ? -value : value;
	return p - text;
}

static bool push(Machine *m, int32_t value)
{
	if (m->sp == 8)
		return false;
	m->stack[m->sp++] = value;
	return true;
}

static bool pop(Machine *m, int32_t *out)
{
	if (m->sp == 0)
		return false;
	*out = m->stack[--m->sp];
	return true;
}

// One instruction: false after a fault.
static bool step(Machine *m, int32_t word, int32_t immediate)
{
	int32_t a, b;
	if (word == 1 || word == 8 || word == 9)
		m->pc++;
	switch (word) {
	case 1:
		return push(m, immediate);
	case 2:
	case 3:
	case 4:
	case 5:
		if (!pop(m, &b) || !pop(m, &a) || (word == 5 && b == 0))
			return false;
		return push(m, word == 2 ? a + b : word == 3 ? a - b : word == 4 ? a * b : a % b);
	case 6:
		m->pc = immediate;
		return true;
	case 7:
		if (!pop(m, &a))
			return false;
		m->pc = a ? m->pc + 1 : immediate;
		return true;
	case 8:
		return push(m, m->registers[immediate]);
	case 9:
		return pop(m, &m->registers[immediate]);
	case 10:
		if (!pop(m, &a))
			return false;
		printf("  prints %d\n", a);
		return true;
	}
	return false;
}

int32_t run(Machine *m, const int32_t *code)
{
	for (int32_t steps = 0; steps <= 500; steps++) {
		const int32_t word = code[m->pc++];
		if (word == 0)
			return steps;
		const bool has_immediate = word == 1 || (word >= 6 && word <= 9);
		if (!step(m, word, has_immediate ? code[m->pc] : 0))
			return -1;
	}
	return -2;
}

void copy(char *to, const char *from, int32_t count)
{
	memcpy(to, from, count);
}
#endif
