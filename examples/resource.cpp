// What resource.cir needs of C++, and, with -DTWIN, the same function in C++.
#include <cstdio>

static const char *script; // what reading file i gives: + - 0, ! throws, x cannot be opened

struct File {
	int number;
	explicit File(int n);
	~File();
	int read();
};

File::File(int n) : number(n)
{
	if (script[n] == 'x') {
		std::printf("  cannot open %d\n", n);
		throw n;
	}
	std::printf("  open %d\n", n);
}

File::~File()
{
	std::printf("  close %d\n", number);
}

int File::read()
{
	if (script[number] == '!')
		throw 100 + number;
	return script[number] == '+' ? 1 : script[number] == '-' ? -1 : 0;
}

extern "C" int first_negative(int n);

#ifdef TWIN
int first_negative(int n)
{
	int found = -1;
	for (int i = 0; i < n; i++) {
		File file(i);
		int value = file.read();
		if (value < 0) {
			found = i;
			break;
		}
		if (value == 0)
			return i;
	}
	return found;
}
#endif

int main()
{
	static const char *const scripts[] = {"++", "+-+", "+0-", "+!-", "x"};
	for (const char *s : scripts) {
		script = s;
		int n = 0;
		while (s[n])
			n++;
		std::printf("%s\n", s);
		try {
			std::printf("  gives %d\n", first_negative(n));
		} catch (int e) {
			std::printf("  throws %d\n", e);
		}
	}
}
