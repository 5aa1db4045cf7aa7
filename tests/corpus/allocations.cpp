// Around main(): the allocation of number argv[1] fails. Linked with --wrap=main.
//
//     0  it did, the exception came out of main(), and all that was allocated was freed once
//     1  it did, and something was not freed, or another exception came out
//     2  something was freed twice, or was not allocated
//     3  it was not reached: main() returned, threw or failed an assertion before
#include <cstdio>
#include <cstdlib>
#include <new>
#include <set>
#include <unistd.h>

extern "C" int __real_main(int argc, char **argv);

static long fails_at, count;
static bool counting;

// What is allocated, of memory of its own.
template <class T> struct Plain {
	using value_type = T;
	Plain() = default;
	template <class U> Plain(const Plain<U> &) {}
	T *allocate(std::size_t n) { return static_cast<T *>(std::malloc(n * sizeof(T))); }
	void deallocate(T *p, std::size_t) { std::free(p); }
	bool operator==(const Plain &) const { return true; }
	bool operator!=(const Plain &) const { return false; }
};
static std::set<void *, std::less<void *>, Plain<void *>> *live;

static void *allocate(std::size_t size, std::size_t alignment)
{
	if (!counting)
		return std::aligned_alloc(alignment, (size + alignment) / alignment * alignment);
	if (++count == fails_at)
		throw std::bad_alloc();
	void *p = std::aligned_alloc(alignment, (size + alignment) / alignment * alignment);
	live->insert(p);
	return p;
}

static void *allocate_or_null(std::size_t size, std::size_t alignment) noexcept
{
	try {
		return allocate(size, alignment);
	} catch (const std::bad_alloc &) {
		return nullptr;
	}
}

static void release(void *p) noexcept
{
	if (p && counting && !live->erase(p))
		_exit(2);
	std::free(p);
}

void *operator new(std::size_t n) { return allocate(n, 16); }
void *operator new[](std::size_t n) { return allocate(n, 16); }
void *operator new(std::size_t n, const std::nothrow_t &) noexcept { return allocate_or_null(n, 16); }
void *operator new[](std::size_t n, const std::nothrow_t &) noexcept { return allocate_or_null(n, 16); }
void *operator new(std::size_t n, std::align_val_t a) { return allocate(n, std::size_t(a)); }
void *operator new(std::size_t n, std::align_val_t a, const std::nothrow_t &) noexcept { return allocate_or_null(n, std::size_t(a)); }
void operator delete(void *p) noexcept { release(p); }
void operator delete[](void *p) noexcept { release(p); }
void operator delete(void *p, std::size_t) noexcept { release(p); }
void operator delete[](void *p, std::size_t) noexcept { release(p); }
void operator delete(void *p, std::align_val_t) noexcept { release(p); }
void operator delete(void *p, std::size_t, std::align_val_t) noexcept { release(p); }

extern "C" void __assert_fail(const char *, const char *, unsigned, const char *) noexcept
{
	_exit(counting && count >= fails_at ? 1 : 3);
}

extern "C" int __wrap_main(int argc, char **argv)
{
	live = new std::set<void *, std::less<void *>, Plain<void *>>;
	fails_at = std::atol(argv[1]);
	bool thrown = false;
	counting = true;
	try {
		__real_main(argc, argv);
	} catch (const std::bad_alloc &) {
		thrown = true;
	} catch (...) {
	}
	counting = false;
	_exit(count < fails_at ? 3 : thrown && live->empty() ? 0 : 1);
}
