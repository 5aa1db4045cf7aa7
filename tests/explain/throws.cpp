// What compare_elf.py compiles: each shape that tables of exceptions have.
#include <cstdio>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct Guard {
	explicit Guard(int n);
	~Guard();
	int n;
};
struct Error : std::runtime_error {
	using std::runtime_error::runtime_error;
};
struct Left : virtual Error {
	Left();
};
struct Right : virtual Error, private Guard {
	Right();
};
struct Both : Left, Right {
	Both();
};
void work();
void work(int n);
int value();

int one_type()
{
	Guard a(1);
	try {
		work();
		work(2);
	} catch (const Error &) {
		return 1;
	}
	return 0;
}

int many_types(std::string &text)
{
	Guard a(1);
	try {
		Guard b(2);
		try {
			work(3);
		} catch (int n) {
			work(n);
		} catch (const Left &l) {
			text += l.what();
			throw;
		} catch (char *) {
			return value();
		}
	} catch (const std::exception &x) {
		text += x.what();
	} catch (...) {
		work(4);
	}
	return value();
}

void never() noexcept
{
	Guard a(1);
	work();
}

#if __cplusplus < 201703L
void listed(int n) throw(int, Both)
{
	Guard a(n);
	work();
}

void none() throw()
{
	try {
		work();
	} catch (Both &) {
		work(1);
	}
}

void listed_around(int n) throw(Left)
{
	try {
		listed(n);
		none();
	} catch (const char *) {
		throw Both();
	}
}
#endif

std::map<std::string, std::vector<std::string>> containers(const std::string &line)
{
	std::map<std::string, std::vector<std::string>> out;
	std::unique_ptr<Guard> guard(new Guard(3));
	for (int i = 0; i < value(); i++) {
		out[line + std::to_string(i)].push_back(line.substr((size_t)i));
		if (out.size() > 4)
			throw std::out_of_range(line);
	}
	return out;
}

inline void in_a_group(int n)
{
	Guard a(n);
	work(n);
}

template <int N> int deep()
{
	try {
		Guard g(N);
		in_a_group(N);
		return deep<N - 1>();
	} catch (const Error &) {
		return N;
	}
}

template <> int deep<0>()
{
	return value();
}

int nested()
{
	return deep<12>();
}
