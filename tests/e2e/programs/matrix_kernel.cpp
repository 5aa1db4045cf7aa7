#include "language.h"

#include <cstdlib>

extern "C" {
void matrix_kernel(int32_t n, uint32_t seed);
void show_number(const char *what, double value) noexcept;
}

#ifndef TWIN_ALONE
void show_number(const char *what, double value) noexcept
{
	show_double(what, value);
}

int main()
{
	for (int32_t n : {4, 8, 20})
		for (uint32_t seed : {1u, 42u, 4000000000u})
			matrix_kernel(n, seed);
	return 0;
}
#endif

#ifdef TWIN
namespace
{

typedef float Float4 __attribute__((vector_size(16)));
typedef int32_t Int4 __attribute__((vector_size(16)));

struct Matrix {
	int32_t n;
	float *data;
	explicit Matrix(int32_t n) : n(n), data((float *)malloc(sizeof(float) * n * n)) {}
	~Matrix()
	{
		free(data);
	}
	float *at(int32_t row, int32_t column) const
	{
		return data + (row * n + column);
	}
	// Four elements; rows are not aligned.
	Float4 load4(int32_t row, int32_t column) const
	{
		Float4 values;
		memcpy(&values, at(row, column), sizeof values);
		return values;
	}
	void store4(int32_t row, int32_t column, Float4 values) const
	{
		memcpy(at(row, column), &values, sizeof values);
	}
};

Float4 splat(float x)
{
	return Float4{x, x, x, x};
}

void fill(const Matrix &m, uint32_t state)
{
	for (int32_t i = 0; i < m.n * m.n; i++) {
		state = state * 1664525 + 1013904223;
		*m.at(0, i) = (float)((int32_t)(state >> 24) - 128) / 16;
	}
}

void multiply(const Matrix &a, const Matrix &b, const Matrix &c)
{
	const int32_t n = a.n;
	for (int32_t i = 0; i < n; i++)
		for (int32_t j = 0; j < n; j++) {
			float sum = 0;
			for (int32_t k = 0; k < n; k++)
				sum += *a.at(i, k) * *b.at(k, j);
			*c.at(i, j) = sum;
		}
}

void multiply4(const Matrix &a, const Matrix &b, const Matrix &c)
{
	const int32_t n = a.n;
	for (int32_t i = 0; i < n; i++)
		for (int32_t j = 0; j < n; j += 4) {
			Float4 sums = {};
			for (int32_t k = 0; k < n; k++)
				sums += splat(*a.at(i, k)) * b.load4(k, j);
			c.store4(i, j, sums);
		}
}

void transpose_block(const Matrix &from, const Matrix &to, int32_t row, int32_t column)
{
	const Float4 a = from.load4(row, column), b = from.load4(row + 1, column);
	const Float4 c = from.load4(row + 2, column), d = from.load4(row + 3, column);
	to.store4(column, row, Float4{a[0], b[0], c[0], d[0]});
	to.store4(column + 1, row, Float4{a[1], b[1], c[1], d[1]});
	to.store4(column + 2, row, Float4{a[2], b[2], c[2], d[2]});
	to.store4(column + 3, row, Float4{a[3], b[3], c[3], d[3]});
}

void transpose(const Matrix &from, const Matrix &to)
{
	for (int32_t row = 0; row < from.n; row += 4)
		for (int32_t column = 0; column < from.n; column += 4)
			transpose_block(from, to, row, column);
}

int32_t rectify(const Matrix &m)
{
	const int32_t count = m.n * m.n;
	Int4 counts = {};
	for (int32_t i = 0; i < count; i += 4) {
		const Float4 values = m.load4(0, i), zeros = {};
		const Int4 mask = values < zeros;
		m.store4(0, i, mask ? zeros : values);
		counts -= mask;
	}
	return (counts[0] + counts[1]) + (counts[2] + counts[3]);
}

float norm(const Matrix &m)
{
	const int32_t count = m.n * m.n;
	Float4 sums = {};
	for (int32_t i = 0; i < count; i += 4) {
		const Float4 values = m.load4(0, i);
		sums += values * values;
	}
	return sqrtf((sums[0] + sums[2]) + (sums[1] + sums[3]));
}

int32_t pivot(const Matrix &m, int32_t column)
{
	int32_t best = column;
	for (int32_t row = column + 1; row < m.n; row++)
		if (fabsf(*m.at(row, column)) > fabsf(*m.at(best, column)))
			best = row;
	return best;
}

void add_row(const Matrix &m, int32_t target, int32_t source, float factor)
{
	const int32_t n = m.n;
	for (int32_t j = 0; j < n; j += 4)
		m.store4(target, j, m.load4(target, j) + m.load4(source, j) * splat(factor));
}

float determinant(const Matrix &m)
{
	const int32_t n = m.n;
	float det = 1;
	for (int32_t i = 0; i < n; i++) {
		const int32_t best = pivot(m, i);
		if (best != i)
			add_row(m, i, best, 1);
		const float p = *m.at(i, i);
		if (p == 0)
			return 0;
		for (int32_t row = i + 1; row < n; row++) {
			const float v = *m.at(row, i);
			if (v != 0)
				add_row(m, row, i, -(v / p));
		}
		det *= p;
	}
	return det;
}

bool same(const Matrix &a, const Matrix &b)
{
	for (int32_t i = 0; i < a.n * a.n; i++)
		if (*a.at(0, i) != *b.at(0, i))
			return false;
	return true;
}

} // namespace

void matrix_kernel(int32_t n, uint32_t seed)
{
	printf("%d x %d, seed %u\n", n, n, seed);
	Matrix a(n), b(n), c(n);
	fill(a, seed);
	multiply(a, a, b);
	multiply4(a, a, c);
	printf("same products: %d\n", same(b, c));
	transpose(a, b);
	multiply4(a, b, c);
	show_number("corner", *c.at(n - 1, n - 1));
	show_number("norm", norm(c));
	printf("cleared: %d\n", rectify(c));
	show_number("norm", norm(c));
	show_number("determinant", determinant(a));
}
#endif
