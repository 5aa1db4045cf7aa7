#ifdef TWIN
#include "e2e.h"

#include <cstdlib>
#include <cstring>

static int live;
static char text[256];
static size_t length;

static void append_char(char c) noexcept
{
	if (length < sizeof(text) - 1) {
		text[length++] = c;
		text[length] = 0;
	}
}

static void append(const char *s) noexcept
{
	while (*s)
		append_char(*s++);
}

static void append_number(long long n) noexcept
{
	if (n < 0) {
		append_char('-');
		n = -n;
	}
	if (n >= 10)
		append_number(n / 10);
	append_char((char)('0' + n % 10));
}

static const char *take_text() noexcept
{
	length = 0;
	return text;
}

struct Error {
	long long value;
	explicit Error(long long value) noexcept : value(value) {}
	virtual ~Error()
	{
		event("~Error %lld", value);
	}
	virtual void describe() const noexcept
	{
		append("an error");
	}
};
struct Unbound : Error {
	const char *name;
	explicit Unbound(const char *name) noexcept : Error(1), name(name) {}
	void describe() const noexcept override
	{
		append(name);
		append(" has no value");
	}
};
struct DivisionByZero : Error {
	using Error::Error;
	void describe() const noexcept override
	{
		append_number(value);
		append(" divided by zero");
	}
};
struct NoRoom : Error {
	using Error::Error;
};

struct Binding {
	const char *name;
	long long value;
};

struct Node {
	Node() noexcept
	{
		live++;
	}
	virtual ~Node()
	{
		live--;
	}
	virtual long long eval(const Binding *env) const = 0;
	virtual void print() const noexcept = 0;
	virtual Node *clone() const = 0;
	virtual Node *derive(const char *name) const = 0;
	static void *operator new(size_t size)
	{
		if (number && live >= number)
			throw NoRoom(number);
		return malloc(size);
	}
	static void operator delete(void *p) noexcept
	{
		free(p);
	}
};

struct Owner {
	Node *node;
	explicit Owner(Node *node) noexcept : node(node) {}
	~Owner()
	{
		delete node;
	}
	Node *release() noexcept
	{
		Node *released = node;
		node = nullptr;
		return released;
	}
};

struct Number : Node {
	long long value;
	explicit Number(long long value) noexcept : value(value) {}
	long long eval(const Binding *) const override
	{
		return value;
	}
	void print() const noexcept override
	{
		append_number(value);
	}
	Node *clone() const override
	{
		return new Number(value);
	}
	Node *derive(const char *) const override
	{
		return new Number(0);
	}
};

struct Variable : Node {
	const char *name;
	explicit Variable(const char *name) noexcept : name(name) {}
	long long eval(const Binding *env) const override
	{
		point("eval");
		for (const Binding *b = env; b->name; b++) {
			if (strcmp(b->name, name) == 0)
				return b->value;
		}
		throw Unbound(name);
	}
	void print() const noexcept override
	{
		append(name);
	}
	Node *clone() const override
	{
		return new Variable(name);
	}
	Node *derive(const char *by) const override
	{
		return new Number(strcmp(name, by) == 0);
	}
};

struct Binary : Node {
	Node *left, *right;
	Binary(Owner &l, Owner &r) noexcept : left(l.release()), right(r.release()) {}
	~Binary() override
	{
		delete right;
		delete left;
	}
	void print_both(const char *symbol) const noexcept
	{
		append("(");
		left->print();
		append(symbol);
		right->print();
		append(")");
	}
};

struct Sum : Binary {
	using Binary::Binary;
	long long eval(const Binding *env) const override
	{
		long long l = left->eval(env);
		return l + right->eval(env);
	}
	void print() const noexcept override
	{
		print_both(" + ");
	}
	Node *clone() const override
	{
		Owner l(left->clone()), r(right->clone());
		return new Sum(l, r);
	}
	Node *derive(const char *name) const override
	{
		Owner l(left->derive(name)), r(right->derive(name));
		return new Sum(l, r);
	}
};

struct Product : Binary {
	using Binary::Binary;
	long long eval(const Binding *env) const override
	{
		long long l = left->eval(env);
		return l * right->eval(env);
	}
	void print() const noexcept override
	{
		print_both(" * ");
	}
	Node *clone() const override
	{
		Owner l(left->clone()), r(right->clone());
		return new Product(l, r);
	}
	Node *derive(const char *name) const override
	{
		Owner a(left->derive(name)), b(right->clone()), first(new Product(a, b));
		Owner c(left->clone()), d(right->derive(name)), second(new Product(c, d));
		return new Sum(first, second);
	}
};

static Node *make_minus(Owner &of)
{
	Owner factor(new Number(-1));
	return new Product(factor, of);
}

struct Quotient : Binary {
	using Binary::Binary;
	long long eval(const Binding *env) const override
	{
		long long l = left->eval(env), r = right->eval(env);
		if (r == 0)
			throw DivisionByZero(l);
		return l / r;
	}
	void print() const noexcept override
	{
		print_both(" / ");
	}
	Node *clone() const override
	{
		Owner l(left->clone()), r(right->clone());
		return new Quotient(l, r);
	}
	Node *derive(const char *name) const override
	{
		Owner a(left->derive(name)), b(right->clone()), first(new Product(a, b));
		Owner c(left->clone()), d(right->derive(name)), second(new Product(c, d));
		Owner minus(make_minus(second)), above(new Sum(first, minus));
		Owner e(right->clone()), f(right->clone()), below(new Product(e, f));
		return new Quotient(above, below);
	}
};

static Node *polynomial()
{
	Owner a(new Variable("x")), b(new Variable("x")), square(new Product(a, b));
	Owner c(new Number(3)), d(new Variable("y")), linear(new Product(c, d));
	return new Sum(square, linear);
}

static Node *fraction()
{
	Owner a(new Number(12)), b(new Variable("x")), c(new Number(-2)), below(new Sum(b, c));
	return new Quotient(a, below);
}

static Node *unbound()
{
	Owner a(new Variable("x")), b(new Variable("z"));
	return new Product(a, b);
}

static void show(const char *what, const Node *node) noexcept
{
	node->print();
	event("%s %s", what, take_text());
}

static void examine(const Owner &tree, long long x)
{
	const Binding env[] = {{"x", x}, {"y", 5}, {nullptr, 0}};
	show("tree", tree.node);
	Owner derivative(tree.node->derive("x"));
	show("derivative", derivative.node);
	event("at %lld: %lld", x, tree.node->eval(env));
	event("at %lld: %lld", x, derivative.node->eval(env));
}

static void run(Node *(*make)(), long long x)
{
	try {
		Owner tree(make());
		examine(tree, x);
	} catch (const NoRoom &error) {
		event("no room for more than %lld", error.value);
	} catch (const Error &error) {
		error.describe();
		event("error: %s", take_text());
	}
}

struct Count {
	~Count()
	{
		event("%d nodes", live);
	}
};

void test()
{
	Count last;
	for (long long x = 1; x <= 3; x++) {
		run(polynomial, x);
		run(fraction, x);
		Count now;
	}
	run(unbound, 7);
}
#endif
