#include "e2e.h"

#ifdef TWIN
#include <cstdlib>
#include <cstring>

struct ParseError {
	const char *what;
	int position;
};

static int alive;

static void *allocate(unsigned long long size)
{
	point("alloc");
	alive++;
	return malloc(size);
}

static void release(void *memory) noexcept
{
	if (memory) {
		alive--;
		free(memory);
	}
}

namespace {
enum Kind { Null, False, True, Number, String, Array, Object };

struct Value {
	int kind;
	int count = 0;
	double number = 0;
	char *text = nullptr;
	char *key = nullptr;
	Value *first = nullptr;
	Value *next = nullptr;

	explicit Value(int kind) : kind(kind) {}
	~Value()
	{
		release(text);
		release(key);
		for (Value *child = first; child;) {
			Value *following = child->next;
			delete child;
			child = following;
		}
	}
	static void *operator new(size_t size)
	{
		return allocate(size);
	}
	static void operator delete(void *memory)
	{
		release(memory);
	}
};

// What is not taken back is released.
struct Text {
	char *text;
	~Text()
	{
		release(text);
	}
	char *take()
	{
		char *taken = text;
		text = nullptr;
		return taken;
	}
};

struct Tree {
	Value *value;
	~Tree()
	{
		delete value;
	}
	Value *take()
	{
		Value *taken = value;
		value = nullptr;
		return taken;
	}
};

struct Buffer {
	char *data = nullptr;
	int size = 0, capacity = 0;

	~Buffer()
	{
		release(data);
	}
	void put(int c)
	{
		int n = size, room = capacity;
		if (n == room) {
			int larger = room ? room * 2 : 8;
			char *fresh = static_cast<char *>(allocate(larger)), *old = data;
			if (room)
				memcpy(fresh, old, n);
			release(old);
			data = fresh;
			capacity = larger;
		}
		data[n] = static_cast<char>(c);
		size = n + 1;
	}
	void put_text(const char *text)
	{
		while (*text)
			put(*text++);
	}
	void put_digit(long long digit)
	{
		put('0' + static_cast<int>(digit));
	}
	void put_digits(long long n)
	{
		if (n > 9)
			put_digits(n / 10);
		put_digit(n % 10);
	}
	void put_number(double number)
	{
		if (number < 0) {
			put('-');
			number = -number;
		}
		long long thousandths = static_cast<long long>(number * 1000 + 0.5);
		put_digits(thousandths / 1000);
		thousandths %= 1000;
		if (thousandths)
			put('.');
		for (long long scale = 100; thousandths; scale /= 10) {
			put_digit(thousandths / scale);
			thousandths %= scale;
		}
	}
	void put_utf8_byte(int mark, int code, int shift, int mask)
	{
		put(mark | (code >> shift & mask));
	}
	void put_utf8(int code)
	{
		if (code < 0x80) {
			put(code);
			return;
		}
		if (code < 0x800) {
			put_utf8_byte(0xc0, code, 6, 0x3f);
		} else {
			put_utf8_byte(0xe0, code, 12, 0x3f);
			put_utf8_byte(0x80, code, 6, 0x3f);
		}
		put_utf8_byte(0x80, code, 0, 0x3f);
	}
	void put_quoted(const char *text)
	{
		put('"');
		for (; *text; text++) {
			int c = *text;
			switch (c) {
			case '"':
			case '\\':
				put('\\');
				put(c);
				break;
			case '\n':
				put_text("\\n");
				break;
			default:
				put(c);
			}
		}
		put('"');
	}
	void put_value(const Value *value)
	{
		const char *key = value->key;
		if (key) {
			put_quoted(key);
			put(':');
		}
		int kind = value->kind;
		switch (kind) {
		case Null:
			return put_text("null");
		case False:
			return put_text("false");
		case True:
			return put_text("true");
		case Number:
			return put_number(value->number);
		case String:
			return put_quoted(value->text);
		}
		put(kind == Array ? '[' : '{');
		const Value *first = value->first;
		for (const Value *child = first; child; child = child->next) {
			if (child != first)
				put(',');
			put_value(child);
		}
		put(kind == Array ? ']' : '}');
	}
};

struct Deeper {
	int &depth;
	explicit Deeper(int &depth) : depth(++depth) {}
	~Deeper()
	{
		depth--;
	}
};

struct Parser {
	const char *text;
	int at = 0, depth = 0;

	explicit Parser(const char *text) : text(text) {}
	[[noreturn]] void fail(const char *what)
	{
		throw ParseError{what, at};
	}
	int current()
	{
		return static_cast<unsigned char>(text[at]);
	}
	int peek()
	{
		while (current() == ' ' || current() == '\n')
			at++;
		return current();
	}
	void word(const char *letters)
	{
		for (; *letters; letters++, at++)
			if (text[at] != *letters)
				fail("no such word");
	}
	int hex4()
	{
		int code = 0;
		for (int i = 0; i < 4; i++, at++) {
			int c = current();
			if (c >= '0' && c <= '9')
				code = code * 16 + c - '0';
			else if (c >= 'A' && c <= 'F')
				code = code * 16 + c - 'A' + 10;
			else if (c >= 'a' && c <= 'f')
				code = code * 16 + c - 'a' + 10;
			else
				fail("not a hexadecimal digit");
		}
		return code;
	}
	void escape(Buffer &buffer)
	{
		int c = current();
		switch (c) {
		case '"':
		case '\\':
		case '/':
			buffer.put(c);
			break;
		case 'n':
			buffer.put('\n');
			break;
		case 'u':
			at++;
			buffer.put_utf8(hex4());
			return;
		default:
			fail("unknown escape");
		}
		at++;
	}
	char *string()
	{
		Buffer buffer;
		at++;
		for (;;) {
			int c = current();
			if (c < ' ')
				fail("unterminated string");
			at++;
			if (c == '"')
				break;
			if (c == '\\')
				escape(buffer);
			else
				buffer.put(c);
		}
		buffer.put(0);
		char *taken = buffer.data;
		buffer.data = nullptr;
		return taken;
	}
	double digits(double value, int &count)
	{
		for (count = 0; current() >= '0' && current() <= '9'; count++)
			value = value * 10 + (text[at++] - '0');
		if (!count)
			fail("expected a digit");
		return value;
	}
	double number()
	{
		int count;
		bool negative = current() == '-';
		if (negative)
			at++;
		double value = digits(0, count);
		if (current() == '.') {
			at++;
			value = digits(value, count);
			for (; count; count--)
				value /= 10;
		}
		if ((current() | 0x20) == 'e') {
			at++;
			for (double exponent = digits(0, count); exponent > 0; exponent -= 1)
				value *= 10;
		}
		return negative ? -value : value;
	}
	Value *array()
	{
		Tree array{new Value(Array)};
		Value **tail = &array.value->first;
		at++;
		if (peek() == ']') {
			at++;
			return array.take();
		}
		for (;;) {
			Value *child = value();
			*tail = child;
			tail = &child->next;
			array.value->count++;
			int c = peek();
			if (c != ',' && c != ']')
				fail("expected ',' or ']'");
			at++;
			if (c == ']')
				return array.take();
		}
	}
	Value *object()
	{
		Tree object{new Value(Object)};
		Value **tail = &object.value->first;
		at++;
		if (peek() == '}') {
			at++;
			return object.take();
		}
		for (;;) {
			if (peek() != '"')
				fail("expected a key");
			Text key{string()};
			for (const Value *other = object.value->first; other; other = other->next)
				if (strcmp(other->key, key.text) == 0)
					fail("duplicate key");
			if (peek() != ':')
				fail("expected ':'");
			at++;
			Value *child = value();
			child->key = key.take();
			*tail = child;
			tail = &child->next;
			object.value->count++;
			int c = peek();
			if (c != ',' && c != '}')
				fail("expected ',' or '}'");
			at++;
			if (c == '}')
				return object.take();
		}
	}
	Value *scalar(int kind)
	{
		Tree scalar{new Value(kind)};
		switch (kind) {
		case Null:
			word("null");
			break;
		case False:
			word("false");
			break;
		case True:
			word("true");
			break;
		case Number:
			scalar.value->number = number();
			break;
		default:
			scalar.value->text = string();
		}
		return scalar.take();
	}
	Value *value()
	{
		Deeper deeper(depth);
		if (depth > 8)
			fail("nested too deeply");
		switch (peek()) {
		case '[':
			return array();
		case '{':
			return object();
		case '"':
			return scalar(String);
		case 'n':
			return scalar(Null);
		case 'f':
			return scalar(False);
		case 't':
			return scalar(True);
		}
		return scalar(Number);
	}
	Value *document()
	{
		Tree tree{value()};
		if (peek())
			fail("text after the value");
		return tree.take();
	}
};

} // namespace

static double sum(const Value *value)
{
	double total = value->number;
	for (const Value *child = value->first; child; child = child->next)
		total += sum(child);
	return total;
}

static void check(const char *text)
{
	try {
		Parser parser(text);
		Tree tree{parser.document()};
		Buffer buffer;
		buffer.put_value(tree.value);
		buffer.put(0);
		event("%s", buffer.data);
		event("sum %g, %d members", sum(tree.value), tree.value->count);
	} catch (const ParseError &error) {
		event("error at %d: %s", error.position, error.what);
	} catch (...) {
		event("out of memory");
	}
	event("alive %d", alive);
}

void test()
{
	check("[]");
	check(" { \"name\" : \"circ\", \"tags\": [\"a\", \"b\\n\\\"\\u0041\\u00E9\\u20ac\"],\n \"n\": "
	      "{\"one\": 1, \"half\": -0.5, \"big\": 1.25e3}} ");
	check("[null, true, false, {}, [[[]]], 12.0625, \"a string that makes the buffer grow\"]");
	check("");
	check("[1, 2");
	check("[1 2]");
	check("{\"a\": [1, {\"b\": nul}]}");
	check("{\"a\": 1, \"a\": 2}");
	check("{\"a\" 1}");
	check("{1}");
	check("[\"ab");
	check("[\"\\x\"]");
	check("[\"\\u00\0210\"]");
	check("-.5");
	check("[1]]");
	check("[[[[[[[[[0]]]]]]]]]");
}
#endif
