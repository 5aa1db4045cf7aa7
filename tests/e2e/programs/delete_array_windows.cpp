#include "e2e.h"

#include <cstdlib>

static int made;

static void *allocate(std::size_t size)
{
	made = 0;
	event("new %zu", size);
	return std::malloc(size);
}

struct Item;
struct Quiet;
struct Plain;

extern "C" {
void destroy_item(Item *p);
void destroy_quiet(Quiet *p);
void give_back_sized(void *p, std::size_t size) noexcept;
void give_back(void *p) noexcept;

void drop_items(Item *p);
void drop_quiet(Quiet *p);
void drop_plain(Plain *p);
void drop_rows(Item (*p)[2]);
}

struct Item {
	int n = ++made;
	~Item() noexcept(false) { cleanup(n); }
	static void *operator new[](std::size_t size) { return allocate(size); }
	static void operator delete[](void *p, std::size_t size) noexcept { give_back_sized(p, size); }
};

struct Quiet {
	int n = ++made;
	~Quiet() { event("~quiet %d", n); }
	static void *operator new[](std::size_t size) { return allocate(size); }
	static void operator delete[](void *p) noexcept { give_back(p); }
};

struct Plain {
	long long n;
	static void *operator new[](std::size_t size) { return allocate(size); }
	static void operator delete[](void *p, std::size_t size) noexcept { give_back_sized(p, size); }
};

void destroy_item(Item *p) { p->~Item(); }
void destroy_quiet(Quiet *p) { p->~Quiet(); }

void give_back_sized(void *p, std::size_t size) noexcept
{
	event("delete %zu", size);
	std::free(p);
}

void give_back(void *p) noexcept
{
	event("delete");
	std::free(p);
}

void test()
{
	if (number) {
		drop_plain(new Plain[3]);
		drop_plain(nullptr);
		return;
	}
	drop_items(nullptr);
	Item *three = new Item[3]; // in one expression with the call, g++ 12 destroys them once more when that throws
	drop_items(three);
	drop_items(new Item[0]);
	drop_quiet(new Quiet[2]);
	drop_quiet(nullptr);
	drop_rows(new Item[2][2]);
}

#ifdef TWIN
void drop_items(Item *p) { delete[] p; }
void drop_quiet(Quiet *p) { delete[] p; }
void drop_plain(Plain *p) { delete[] p; }
void drop_rows(Item (*p)[2]) { delete[] p; }
#endif
