// Tries in tries and in handlers, cleanups around and between, what ends the program, what is thrown with its bases.
struct Error {
	int code;
	virtual ~Error();
};
struct Timeout : Error {
	int seconds;
};
struct Guard {
	~Guard();
	int value;
};

void work(int);
void other(int);

int parse(int n)
{
	Guard outer;
	try {
		Guard inner;
		work(n);
		try {
			work(2);
		} catch (Timeout &e) {
			other(e.seconds);
			try {
				work(5);
			} catch (int) {
				Guard last;
				other(1);
			}
		}
	} catch (const Error &e) {
		other(e.code);
	} catch (int i) {
		other(i);
	} catch (...) {
		other(3);
		throw;
	}
	work(9);
	return 0;
}

void quiet(int n) noexcept
{
	Guard g;
	work(n);
}

void fail(int n)
{
	if (n)
		throw Timeout();
	throw 3;
}
