// What array.cir needs of C++, and, with -DTWIN, the same function in C++.
#include <cstdio>

static int made, fails_at;

struct Item {
	int number;
	Item();
	~Item();
};

Item::Item() : number(++made)
{
	if (number == fails_at)
		throw number;
	std::printf("  item %d\n", number);
}

Item::~Item()
{
	std::printf("  item %d is gone\n", number);
}

extern "C" int total(Item *items, int n)
{
	if (n > 6)
		throw n;
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += items[i].number;
	return sum;
}

extern "C" int sum(int n);

#ifdef TWIN
int sum(int n)
{
	Item items[2][3];
	return total(items[0], n);
}
#endif

int main()
{
	static const int runs[][2] = {{0, 6}, {1, 6}, {4, 6}, {0, 7}}; // fails_at, n
	for (const auto &run : runs) {
		made = 0;
		fails_at = run[0];
		std::printf("sum(%d)\n", run[1]);
		try {
			std::printf("  gives %d\n", sum(run[1]));
		} catch (int e) {
			std::printf("  throws %d\n", e);
		}
	}
}
