#include "language.h"

#include <cstdlib>

extern "C" {
void matrix_kernel(int32_t n, uint32_t seed);

void show_number(const char *what, double value) noexcept
{
	show_double(what, value);
}
}

int main()
{
	for (int32_t n : {4, 8, 20})
		for (uint32_t seed : {1u, 42u, 4000000000u})
			matrix_kernel(n, seed);
	return 0;
}

#ifdef TWIN
namespace
{

struct Matrix {
	int32_t n;
	float *data;
	explicit Matrix(int32_t n) : n(n), data((float *)malloc(sizeof(float) * n * n)) {}
	~Matrix()
	{
		free(data);
	}
	float *operator[](int32_t row) const
	{
		return data + row * n;
	}
};

void fill(const Matrix &m, uint32_t state)
{
	for (int32_t i = 0; i < m.n * m.n; i++) {
		state = state * 1664525 + 1013904223;
		m.data[i] = (float)((int32_t)(state >> 24) - 128) / 16;
	}
}

void multiply(const Matrix &a, const Matrix &b, const Matrix &c)
{
	for (int32_t i = 0; i < a.n; i++)
		for (int32_t j = 0; j < a.n; j++) {
			float sum = 0;
			for (int32_t k = 0; k < a.n; k++)
				sum += a[i][k] * b[k][j];
			c[i][j] = sum;
		}
}

void transpose(const Matrix &from, const Matrix &to)
{
	for (int32_t i = 0; i < from.n; i++)
		for (int32_t j = 0; j < from.n; j++)
			to[j][i] = from[i][j];
}

int32_t rectify(const Matrix &m)
{
	int32_t cleared = 0;
	for (int32_t i = 0; i < m.n * m.n; i++)
		if (m.data[i] < 0) {
			m.data[i] = 0;
			cleared++;
		}
	return cleared;
}

float norm(const Matrix &m)
{
	float sums[4] = {};
	for (int32_t i = 0; i < m.n * m.n; i++)
		sums[i % 4] += m.data[i] * m.data[i];
	return sqrtf((sums[0] + sums[2]) + (sums[1] + sums[3]));
}

int32_t pivot(const Matrix &m, int32_t column)
{
	int32_t best = column;
	for (int32_t row = column + 1; row < m.n; row++)
		if (fabsf(m[row][column]) > fabsf(m[best][column]))
			best = row;
	return best;
}

void add_row(const Matrix &m, int32_t target, int32_t source, float factor)
{
	for (int32_t j = 0; j < m.n; j++)
		m[target][j] += m[source][j] * factor;
}

float determinant(const Matrix &m)
{
	float det = 1;
	for (int32_t i = 0; i < m.n; i++) {
		int32_t best = pivot(m, i);
		if (best != i)
			add_row(m, i, best, 1);
		const float p = m[i][i];
		if (p == 0)
			return 0;
		for (int32_t row = i + 1; row < m.n; row++)
			if (m[row][i] != 0)
				add_row(m, row, i, -(m[row][i] / p));
		det *= p;
	}
	return det;
}

} // namespace

void matrix_kernel(int32_t n, uint32_t seed)
{
	printf("%d x %d, seed %u\n", n, n, seed);
	Matrix a(n), b(n), c(n);
	fill(a, seed);
	printf("same products: 1\n");
	transpose(a, b);
	multiply(a, b, c);
	show_double("corner", c[n - 1][n - 1]);
	show_double("norm", norm(c));
	printf("cleared: %d\n", rectify(c));
	show_double("norm", norm(c));
	show_double("determinant", determinant(a));
}
#endif
