// C++ for Linux: what it calls of the C++ runtime there, circrt.lib has, too.
extern "C" int printf(const char *, ...);
struct FILE;
extern "C" FILE *stdout;
extern "C" int fputs(const char *, FILE *);

namespace std
{
class type_info
{
      public:
	virtual ~type_info();
	bool operator==(const type_info &other) const
	{
		return this == &other;
	}
};
int uncaught_exceptions() noexcept;
} // namespace std

struct Said {
	const char *name;
	Said(const char *n) : name(n)
	{
		printf("%s begins\n", name);
	}
	~Said()
	{
		printf("%s ends\n", name);
	}
};

static Said first("first global"), second("second global");

static int calls;

static int fails_once()
{
	if (calls++ == 0)
		throw 1;
	return calls;
}

int once()
{
	static int n = fails_once();
	static Said local("local");
	return n;
}

struct Base {
	virtual ~Base() {}
};
struct Derived : Base {
	int n = 5;
};
struct Other : Base {
};

static int cast(Base &b)
{
	try {
		return dynamic_cast<Derived &>(b).n;
	} catch (...) {
		return -1;
	}
}

static int type(Base *b)
{
	try {
		return typeid(*b) == typeid(Derived);
	} catch (...) {
		return -1;
	}
}

struct Counts {
	int *to;
	~Counts()
	{
		*to = std::uncaught_exceptions();
	}
};

int main()
{
	fputs("on stdout\n", stdout);
	for (int i = 0; i < 3; i++)
		try {
			printf("once %d\n", once());
		} catch (int n) {
			printf("threw %d\n", n);
		}
	Derived d;
	Other o;
	printf("cast %d %d type %d %d %d\n", cast(d), cast(o), type(&d), type(&o), type(nullptr));
	Base *one = new Derived, *many = new Base[3];
	delete one;
	delete[] many;
	int seen = -1;
	try {
		Counts c{&seen};
		throw 2;
	} catch (int) {
	}
	printf("uncaught %d\n", seen);
}
