// What states.cpp needs to be linked.
struct Error {
	int code;
	virtual ~Error();
};
struct Guard {
	~Guard();
	int value;
};

Error::~Error() {}
Guard::~Guard() {}
void fail(int);
int parse(int);

void work(int n)
{
	fail(n);
}

void other(int) {}

int main(int argc, char **)
{
	try {
		return parse(argc);
	} catch (...) {
		return 3;
	}
}
