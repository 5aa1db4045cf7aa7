// What retry.cir needs of C++, and, with -DTWIN, the same function in C++.
#include <cstdio>

struct Timeout {
	int code;
	explicit Timeout(int c) : code(c) {}
	Timeout(const Timeout &) = delete;
	~Timeout() { std::printf("  timeout %d is over\n", code); }
};

static const int *answers; // positive: an answer; otherwise a timeout of that code

extern "C" int request(int i)
{
	std::printf("  request %d\n", i);
	if (answers[i] <= 0)
		throw Timeout(answers[i]);
	return answers[i];
}

extern "C" void note(int code) noexcept
{
	std::printf("  timeout %d\n", code);
}

extern "C" int fetch(int attempts);

#ifdef TWIN
int fetch(int attempts)
{
	for (int i = 0; i < attempts; i++) {
		try {
			return request(i);
		} catch (Timeout &t) {
			note(t.code);
			if (t.code == 0)
				throw;
			continue;
		}
	}
	return -1;
}
#endif

int main()
{
	static const int scripts[][3] = {{5, 0, 0}, {-1, -2, 7}, {-1, -2, -3}, {-1, 0, 9}};
	for (const auto &script : scripts) {
		answers = script;
		std::printf("fetch\n");
		try {
			std::printf("  gives %d\n", fetch(3));
		} catch (Timeout &t) {
			std::printf("  throws timeout %d\n", t.code);
		}
	}
}
