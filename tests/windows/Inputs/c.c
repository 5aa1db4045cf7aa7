// C that declares what it uses, as a translator from another language would.
typedef unsigned long long size_t;
typedef struct FILE FILE;
int printf(const char *, ...), sprintf(char *, const char *, ...),
    snprintf(char *, size_t, const char *, ...);
int sscanf(const char *, const char *, ...), puts(const char *), fprintf(FILE *, const char *, ...),
    fclose(FILE *);
int fscanf(FILE *, const char *, ...), remove(const char *), strcmp(const char *, const char *), isalpha(int);
FILE *fopen(const char *, const char *);
char *strdup(const char *), *getenv(const char *);
void *malloc(size_t), *realloc(void *, size_t), *memcpy(void *, const void *, size_t),
    qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void free(void *);
double sin(double), pow(double, double), strtod(const char *, char **);
float sqrtf(float);
long long time(long long *);
long double cosl(long double);

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

int main(int argc, char **argv)
{
	char text[64];
	printf("%d %s %c %.2f %lld %x\n", -1, "two", '3', 4.5, 1LL << 40, 255u);
	printf("%d\n", snprintf(text, 4, "%s", "truncated"));
	puts(text);
	sprintf(text, "%05d", 42);
	puts(text);
	int n = 0;
	double x = 0;
	printf("%d", sscanf("17 2.5", "%d %lf", &n, &x));
	printf(" %d %g\n", n, x);
	int numbers[] = {3, 1, 2};
	qsort(numbers, 3, sizeof(int), compare);
	printf("%d%d%d\n", numbers[0], numbers[1], numbers[2]);
	char *copy = strdup("copied");
	copy = realloc(copy, 100);
	puts(copy);
	free(copy);
	printf("%.6f %.1f %.3f %.1f %.1f\n", sin(1), pow(2, 10), sqrtf(2), (double)cosl(0), strtod("1e3", 0));
	printf("%d %d\n", time(0) > 1000000000, isalpha('a') != 0);
	const char *name = argv[1];
	FILE *f = fopen(name, "w");
	fprintf(f, "%d\n", 99);
	fclose(f);
	f = fopen(name, "r");
	fscanf(f, "%d", &n);
	fclose(f);
	printf("%d %d %d\n", n, remove(name), argc);
	__int128 wide = (__int128)n << 100;
	volatile __int128 divisor = ((__int128)3 << 70) + 1;
	printf("%lld %lld\n", (long long)(wide / divisor), (long long)(-wide % divisor >> 64));
	return 0;
}
