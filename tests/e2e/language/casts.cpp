#include "language.h"

extern "C" {
int8_t narrow(int64_t a);
int64_t widen_s(int8_t a);
int64_t widen_u(uint8_t a);
int64_t resign(uint32_t a);
bool truth(int32_t a);
uint8_t untruth(bool a);
int32_t bool_memory(bool *p);
float to_float(double a);
double to_double(float a);
double to_long_double_and_back(double a);
int32_t float_to_s(double a);
uint64_t float_to_u(double a);
bool float_truth(double a);
double s_to_float(int64_t a);
float u_to_float(uint64_t a);
double bool_to_float(bool a);
uint64_t address(int *p);
int *pointer(uint64_t a);
bool pointer_truth(int *p);
uint32_t float_bits(float a);
}

int main()
{
	for (int64_t a : edges) {
		show("narrow", narrow(a));
		show("widen_s", widen_s((int8_t)a));
		show("widen_u", widen_u((uint8_t)a));
		show("resign", resign((uint32_t)a));
		show("truth", truth((int32_t)a));
		show("untruth", untruth(a != 0));
		show_double("s_to_float", s_to_float(a));
		show_double("u_to_float", u_to_float((uint64_t)a));
	}
	for (double a : {0.0, -0.0, 1.0, -1.5, 3.99, -3.99, 1e9, 1e-300, 0.1}) {
		show_double("to_float", to_float(a));
		show_double("to_double", to_double((float)a));
		show_double("to_long_double_and_back", to_long_double_and_back(a));
		show("float_to_s", float_to_s(a));
		show("float_to_u", (int64_t)float_to_u(fabs(a) * 4));
		show("float_truth", float_truth(a));
		show("float_bits", float_bits((float)a));
	}
	show("float_truth", float_truth(NAN));
	show_double("bool_to_float", bool_to_float(true) + bool_to_float(false) * 10);
	bool b = false;
	show("bool_memory", bool_memory(&b) * 2 + b);
	show("bool_memory", bool_memory(&b) * 2 + b);
	int object = 0;
	show("address", pointer(address(&object)) == &object);
	show("pointer_truth", pointer_truth(&object) * 2 + pointer_truth(nullptr));
	return 0;
}

#ifdef TWIN
int8_t narrow(int64_t a) { return (int8_t)a; }
int64_t widen_s(int8_t a) { return a; }
int64_t widen_u(uint8_t a) { return a; }
int64_t resign(uint32_t a) { return (int32_t)a; }
bool truth(int32_t a) { return a; }
uint8_t untruth(bool a) { return !a; }
int32_t bool_memory(bool *p)
{
	*p = !*p;
	unsigned char byte;
	memcpy(&byte, p, 1);
	return byte;
}
float to_float(double a) { return (float)a; }
double to_double(float a) { return a; }
double to_long_double_and_back(double a) { return (double)(((long double)a / 3) * 3); }
int32_t float_to_s(double a) { return (int32_t)a; }
uint64_t float_to_u(double a) { return (uint64_t)a; }
bool float_truth(double a) { return a != 0; }
double s_to_float(int64_t a) { return (double)a; }
float u_to_float(uint64_t a) { return (float)a; }
double bool_to_float(bool a) { return a; }
uint64_t address(int *p) { return (uint64_t)p; }
int *pointer(uint64_t a) { return (int *)a; }
bool pointer_truth(int *p) { return p; }
uint32_t float_bits(float a)
{
	uint32_t r;
	memcpy(&r, &a, 4);
	return r;
}
#endif
