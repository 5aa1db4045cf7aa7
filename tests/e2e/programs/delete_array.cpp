#include "e2e.h"

#include <cstdint>
#include <cstdlib>
#include <new>

static int made;

static void *allocate(std::size_t size)
{
	made = 0;
	event("new %zu", size);
	return std::malloc(size);
}

static void give_back(void *p, std::size_t size) noexcept
{
	event("delete %zu", size);
	std::free(p);
}

struct Item {
	int n = ++made;
	~Item() noexcept(false);
	static void *operator new[](std::size_t size)
	{
		return allocate(size);
	}
	static void operator delete[](void *p, std::size_t size) noexcept;
};

Item::~Item() noexcept(false)
{
	cleanup(n);
}

void Item::operator delete[](void *p, std::size_t size) noexcept
{
	give_back(p, size);
}

struct Quiet {
	int n = ++made;
	~Quiet();
	static void *operator new[](std::size_t size)
	{
		return allocate(size);
	}
	static void operator delete[](void *p) noexcept;
};

Quiet::~Quiet()
{
	event("~quiet %d", n);
}

void Quiet::operator delete[](void *p) noexcept
{
	event("delete");
	std::free(p);
}

struct Plain {
	long n;
	static void *operator new[](std::size_t size)
	{
		return allocate(size);
	}
	static void operator delete[](void *p, std::size_t size) noexcept;
};

void Plain::operator delete[](void *p, std::size_t size) noexcept
{
	give_back(p, size);
}

// What C++17 does for an over-aligned class, by hand.
struct alignas(64) Wide {
	int n;
	~Wide();
};

Wide::~Wide()
{
	event("~wide %d", n);
}

extern "C" {
void free_wide(void *p, std::size_t size, std::size_t align) noexcept
{
	event("delete %zu %zu", size, align);
	std::free(p);
}

void drop_items(Item *p);
void drop_quiet(Quiet *p);
void drop_plain(Plain *p);
void drop_ints(int *p);
void drop_wide(Wide *p);
void drop_rows(Item (*p)[2]);
}

static Wide *make_wide(unsigned n)
{
	std::size_t size = 64 + n * sizeof(Wide);
	event("new %zu", size);
	char *p = static_cast<char *>(aligned_alloc(64, size));
	reinterpret_cast<std::uint64_t *>(p + 64)[-1] = n;
	Wide *first = reinterpret_cast<Wide *>(p + 64);
	for (unsigned i = 0; i < n; i++)
		first[i].n = (int)i + 1;
	return first;
}

void test()
{
	drop_items(nullptr);
	Item *three = new Item[3]; // in one expression with the call, g++ 12 destroys them once more when that throws
	drop_items(three);
	drop_items(new Item[0]);
	drop_quiet(new Quiet[2]);
	drop_quiet(nullptr);
	drop_plain(new Plain[3]);
	drop_plain(nullptr);
	drop_ints(new int[4]);
	drop_wide(make_wide(3));
	drop_wide(nullptr);
	drop_rows(new Item[2][2]);
}

#ifdef TWIN
void drop_items(Item *p)
{
	delete[] p;
}

void drop_quiet(Quiet *p)
{
	delete[] p;
}

void drop_plain(Plain *p)
{
	delete[] p;
}

void drop_ints(int *p)
{
	delete[] p;
}

void drop_wide(Wide *p)
{
	if (!p)
		return;
	std::uint64_t n = reinterpret_cast<std::uint64_t *>(p)[-1];
	for (std::uint64_t i = n; i-- > 0;)
		p[i].~Wide();
	free_wide(reinterpret_cast<char *>(p) - 64, 64 + n * sizeof(Wide), 64);
}

void drop_rows(Item (*p)[2])
{
	delete[] p;
}
#endif
