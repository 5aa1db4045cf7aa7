#include "language.h"

#include <pthread.h>

struct Pair {
	int32_t first;
	int32_t *second;
};

extern "C" {
extern int32_t counter;
extern const double ratio;
extern bool flag;
extern int32_t zeroes[4], numbers[3], sparse[5];
extern const char *text;
extern Pair pair;
extern int32_t (*function)(int32_t);
extern int32_t *null;
extern int8_t aligned;
extern int32_t placed;
extern int32_t __start_circ_test, __stop_circ_test; // made by the linker for the section
int32_t overridden = 2;                             // wins over the weak one
extern int32_t shared_constant;
extern __thread int32_t per_thread;
int32_t from_cxx = 23;
int32_t add_counter(int32_t n);
int64_t hidden();
int32_t thread_step();
int32_t read_from_cxx();
int32_t read_overridden();
int32_t other_name(int32_t n);

void report(int32_t value)
{
	show("at the end", value);
	fflush(stdout);
}
}

static void *in_thread(void *)
{
	show("other thread", thread_step());
	return nullptr;
}

int main()
{
	show("counter", counter);
	show_double("ratio", ratio);
	show("flag", flag);
	for (int32_t value : zeroes)
		show("zeroes", value);
	for (int32_t value : numbers)
		show("numbers", value);
	for (int32_t value : sparse)
		show("sparse", value);
	puts(text);
	show("pair", pair.first * 100 + *pair.second);
	show("pair", pair.second - numbers);
	show("function", function(2));
	show("null", null == nullptr);
	show("aligned", ((uintptr_t)&aligned % 64) * 10 + aligned);
	show("placed", &placed >= &__start_circ_test && &placed < &__stop_circ_test);
	show("overridden", read_overridden());
	show("shared_constant", shared_constant);
	show("thread", thread_step());
	pthread_t thread;
	pthread_create(&thread, nullptr, in_thread, nullptr);
	pthread_join(thread, nullptr);
	show("thread", thread_step() * 10 + per_thread);
	show("hidden", hidden() + hidden());
	show("from_cxx", read_from_cxx());
	show("alias", other_name(3));
	return 0;
}

#ifdef TWIN
int32_t counter = 40;
extern const double ratio = 2.5;
bool flag = true;
int32_t zeroes[4], numbers[3] = {1, -2, 3}, sparse[5] = {9};
const char *text = "caf\303\251";
Pair pair = {7, &numbers[2]};
int32_t (*function)(int32_t) = add_counter;
int32_t *null;
alignas(64) int8_t aligned = 3;
__attribute__((section("circ_test"))) int32_t placed = 4;
int32_t shared_constant = 11;
__thread int32_t per_thread = 5;
int32_t add_counter(int32_t n) { return counter += n; }
int64_t hidden()
{
	static int64_t hidden_counter = -2;
	return --hidden_counter;
}
int32_t thread_step() { return ++per_thread; }
int32_t read_from_cxx() { return from_cxx; }
int32_t read_overridden() { return overridden; }
int32_t other_name(int32_t n) { return add_counter(n); }
__attribute__((constructor)) static void at_start() { add_counter(100); }
__attribute__((constructor(200))) static void at_early_start() { counter *= 2; }
__attribute__((destructor)) static void at_end() { report(add_counter(1)); }
#endif
