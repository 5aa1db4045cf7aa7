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

#ifndef TWIN_ALONE
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
#endif

#ifdef TWIN
static char take(const char **cursor)
{
	return *(*cursor)++;
}

extern "C" void count(int32_t *p)
{
	++*p;
}

int32_t scan(const char *text, Counts *counts)
{
	enum { CODE, SLASH, LINE, COMMENT, STAR, STRING, ESCAPE, NUMBER };
	const char *cursor = text;
	int32_t state = CODE;
	while (*cursor) {
		const char c = take(&cursor);
		if (c == '\n')
			count(&counts->lines);
	again:
		switch (state) {
		case CODE:
			switch (c) {
			case '/':
				state = SLASH;
				break;
			case '"':
				state = STRING;
				count(&counts->strings);
				break;
			case '0':
			case '1':
			case '2':
			case '3':
			case '4':
			case '5':
			case '6':
			case '7':
			case '8':
			case '9':
				state = NUMBER;
				count(&counts->numbers);
				break;
			case ' ':
			case '\t':
			case '\n':
				break;
			default:
				count(&counts->others);
			}
			break;
		case SLASH:
			switch (c) {
			case '/':
				state = LINE;
				break;
			default:
				count(&counts->others);
				state = CODE;
				goto again;
			case '*':
				state = COMMENT;
			}
			break;
		case LINE:
			if (c == '\n') {
				state = CODE;
				break;
			}
			count(&counts->comments);
			continue;
		case STAR:
			if (c == '/') {
				state = CODE;
				break;
			}
			state = COMMENT;
			// fall through
		case COMMENT:
			count(&counts->comments);
			if (c == '*')
				state = STAR;
			break;
		case STRING:
			switch (c) {
			case '\\':
				state = ESCAPE;
				continue;
			case '"':
				state = CODE;
				break;
			case '\n':
				goto unfinished;
			}
			break;
		case ESCAPE:
			state = STRING;
			break;
		default:
			switch (c) {
			case '.':
			case '0':
			case '1':
			case '2':
			case '3':
			case '4':
			case '5':
			case '6':
			case '7':
			case '8':
			case '9':
				continue;
			}
			state = CODE;
			goto again;
		}
	}
	switch (state) {
	case COMMENT:
	case STAR:
	case STRING:
	case ESCAPE:
		goto unfinished;
	case SLASH:
		count(&counts->others);
	}
	return 0;
unfinished:
	return -state;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int32_t digit(char c)
{
	return c - '0';
}

static void append(double *value, char c)
{
	*value = *value * 10 + digit(c);
}

int64_t parse_number(const char *text, double *out)
{
	const char *cursor = text;
	double value = 0;
	int32_t scale = 0, exponent = 0;
	bool negative = false, down = false;
	char c;
	if (*cursor == '-') {
		take(&cursor);
		negative = true;
	}
	if (!is_digit(*cursor))
		goto bad;
integer:
	c = *cursor;
	if (is_digit(c)) {
		append(&value, take(&cursor));
		goto integer;
	}
	if (c == '.') {
		take(&cursor);
		goto fraction;
	}
	goto after;
fraction:
	if (is_digit(*cursor)) {
		append(&value, take(&cursor));
		scale--;
		goto fraction;
	}
after:
	if (*cursor != 'e')
		goto finish;
	take(&cursor);
	if (*cursor == '-') {
		take(&cursor);
		down = true;
	}
	do {
		c = take(&cursor);
		if (!is_digit(c))
			goto bad;
		exponent = exponent * 10 + digit(c);
	} while (is_digit(*cursor));
	scale += down ? -exponent : exponent;
finish:
	for (; scale > 0; scale--)
		value *= 10;
	for (; scale < 0; scale++)
		value /= 10;
	*out = negative ? -value : value;
	return cursor - text;
bad:
	return 0;
}

static bool push(Machine *m, int32_t value)
{
	if (m->sp == 8)
		return false;
	m->stack[m->sp] = value;
	count(&m->sp);
	return true;
}

static bool pop(Machine *m, int32_t *out)
{
	if (m->sp == 0)
		return false;
	*out = m->stack[--m->sp];
	return true;
}

int32_t run(Machine *m, const int32_t *code)
{
	int32_t steps = 0, a, b;
	for (;; count(&steps)) {
		if (steps > 500)
			goto timeout;
		const int32_t pc = m->pc;
		count(&m->pc);
		const int32_t word = code[pc], *immediate = &code[pc + 1];
		switch (word) {
		case 0:
			goto halt;
		case 1:
			b = *immediate;
			count(&m->pc);
			if (push(m, b))
				break;
			goto fault;
		case 2:
		case 3:
		case 4:
		case 5:
			if (!(pop(m, &b) && pop(m, &a)))
				goto fault;
			switch (word) {
			case 2:
				a += b;
				break;
			case 3:
				a -= b;
				break;
			case 4:
				a *= b;
				break;
			default:
				if (b == 0)
					goto fault;
				a %= b;
			}
			push(m, a);
			break;
		case 7:
			if (!pop(m, &a))
				goto fault;
			if (a != 0) {
				count(&m->pc);
				break;
			}
			// fall through
		case 6:
			m->pc = *immediate;
			break;
		case 8:
		case 9: {
			int32_t *reg = &m->registers[*immediate];
			count(&m->pc);
			if (word == 8 ? push(m, *reg) : pop(m, reg))
				break;
			goto fault;
		}
		case 10:
			if (pop(m, &a)) {
				printf("  prints %d\n", a);
				break;
			}
			// fall through
		default:
			goto fault;
		}
	}
fault:
	return -1;
timeout:
	return -2;
halt:
	return steps;
}

static void copy_one(char **to, const char **from)
{
	*(*to)++ = take(from);
}

void copy(char *to, const char *from, int32_t count)
{
	int32_t rounds = (count + 3) / 4;
	switch (count % 4) {
	case 0:
		do {
			copy_one(&to, &from);
			// fall through
		case 3:
			copy_one(&to, &from);
			// fall through
		case 2:
			copy_one(&to, &from);
			// fall through
		case 1:
			copy_one(&to, &from);
		} while (--rounds > 0);
	}
}
#endif
