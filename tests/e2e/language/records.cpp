#include "language.h"

struct Point {
	int32_t x;
	double y;
};
struct __attribute__((packed)) Packed {
	int8_t a;
	int32_t b;
	int16_t c;
};
struct Line {
	Point from, to;
	int8_t flag;
	int16_t shorts[3];
};
union Either {
	int32_t i;
	double d;
	uint8_t bytes[12];
};
struct Tail {
	int64_t value;
	int8_t small;
	uint8_t rest[7];
};
struct Short {
	int32_t value;
	int8_t small;
};
struct Node {
	int32_t value;
	Node *next;
};

extern "C" {
double get_y(Point *p);
void set_packed(Packed *p, int8_t a, int32_t b, int16_t c);
void swap_ends(Line *l);
int16_t last_short(Line *l, uint64_t i);
int32_t punned(Either *u, double x);
int64_t distance(Line *p, Line *q);
Line *stride(Line *p, int32_t n);
void set_tail(Tail *p, Tail *from);
void set_short(Short *p, Short *from);
int32_t sum_list(Node *head);
int32_t by_value(Point *p, int32_t x);
Point *offset_base(Line *p);
Line *offset_derived(Point *p);
}

static void show_bytes(const char *what, const void *object, size_t size)
{
	printf("%s", what);
	for (size_t i = 0; i < size; i++)
		printf(" %02x", static_cast<const unsigned char *>(object)[i]);
	puts("");
}

int main()
{
	Line line;
	memset(&line, 0, sizeof(line));
	line = {{1, 2.5}, {3, 4.5}, 5, {6, -7, 8}};
	show_double("get_y", get_y(&line.to));
	Packed packed = {1, 2, 3};
	set_packed(&packed, -4, 0x01020304, -6);
	show_bytes("packed", &packed, sizeof(packed));
	swap_ends(&line);
	show("swapped", line.from.x * 10 + line.to.x);
	for (uint64_t i = 0; i < 3; i++)
		show("short", last_short(&line, i));
	Either either;
	show("punned", punned(&either, 1.1));
	Line lines[9];
	show("distance", distance(&lines[7], &lines[2]));
	show("distance", distance(&lines[2], &lines[7]));
	show("stride", stride(&lines[4], -3) - lines);
	Tail a, b;
	memset(&a, 0x11, sizeof(a));
	memset(&b, 0x22, sizeof(b));
	set_tail(&a, &b);
	show_bytes("tail", &a, sizeof(a));
	Short c, d;
	memset(&c, 0x11, sizeof(c));
	memset(&d, 0x22, sizeof(d));
	set_short(&c, &d);
	show_bytes("short", &c, sizeof(c));
	Node third = {30, nullptr}, second = {20, &third}, first = {10, &second};
	show("list", sum_list(&first));
	show("list", sum_list(nullptr));
	show("by_value", by_value(&line.from, 77) * 100 + line.from.x);
	show("base", (char *)offset_base(&line) - (char *)&line);
	show("base", offset_base(nullptr) == nullptr);
	show("derived", offset_derived(&line.to) == &line);
	return 0;
}

#ifdef TWIN
double get_y(Point *p) { return p->y; }
void set_packed(Packed *p, int8_t a, int32_t b, int16_t c) { *p = {a, b, c}; }
void swap_ends(Line *l)
{
	Point t = l->from;
	l->from = l->to;
	l->to = t;
}
int16_t last_short(Line *l, uint64_t i) { return l->shorts[i]; }
int32_t punned(Either *u, double x)
{
	u->d = x;
	return u->i;
}
int64_t distance(Line *p, Line *q) { return p - q; }
Line *stride(Line *p, int32_t n) { return p + n; }
void set_tail(Tail *p, Tail *from) { memcpy(p, from, 9); }
void set_short(Short *p, Short *from) { memcpy(p, from, 5); }
int32_t sum_list(Node *head) { return head ? head->value + sum_list(head->next) : 0; }
int32_t by_value(Point *p, int32_t x)
{
	int32_t old = p->x;
	p->x = x;
	return old;
}
Point *offset_base(Line *p) { return p ? &p->to : nullptr; }
Line *offset_derived(Point *p) { return (Line *)((char *)p - 16); }
#endif
