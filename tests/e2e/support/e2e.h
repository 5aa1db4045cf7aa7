// The vocabulary of the programs: events, points where the scenario may throw, and the things that are thrown.
#ifndef E2E_H
#define E2E_H

extern "C" {
// One line of the trace.
void event(const char *format, ...) noexcept __attribute__((format(printf, 1, 2)));

// Sets what is thrown where: "f:int,c1#3:float" throws an int at point "f" and a float the third time at point "c1".
void scenario(const char *text) noexcept;
// Throws, when the scenario names this point. A kind is one of: int float double bool base derived other pointer dpointer
// null intp cintp text ctext exception (a std::exception) foreign.
void point(const char *name);
// Throws this kind.
void throw_kind(const char *kind);

void f();            // point "f"
void step(int n);    // event "step N", point "N"
void cleanup(int n); // event "cleanup N", point "cN"

void caught(int n) noexcept; // event "caught N"
void done(int n) noexcept;   // event "done N"
void saw_int(int value) noexcept;
void saw_float(float value) noexcept;
void saw_text(const char *text) noexcept;

// The program's way in, defined in CIR (and by its twin in C++).
void test();
}

struct Base {
	int tag;
	explicit Base(int tag) noexcept : tag(tag) {}
	Base(const Base &other); // event "copy N", point "copy"
	~Base();                 // event "~Base N"
};

struct Other {
	long long other_tag;
};

// Its Base is not at offset 0: a handler for Base must be given an adjusted pointer.
struct Derived : Other, Base {
	explicit Derived(int tag) noexcept : Other{-1}, Base(tag) {}
};

extern "C" {
extern Base base_object;       // what kind "pointer" points to, tag 50
extern Derived derived_object; // what kind "dpointer" points to, tag 60
extern int a_number;           // what kinds "intp" and "cintp" point to
extern int number;             // set by the scenario, for programs that need one

void saw_base(const Base *base) noexcept; // event "base TAG" or "base null"
}

// The class of the design document.
struct SomeClass {
	int id;
	SomeClass();        // event "ctor", point "ctor"
	~SomeClass() noexcept(false); // event "dtor", point "dtor"
	void doSomething(); // event "doSomething", point "doSomething"
	int get();          // event "get N", point "get"; the values of next_get in turn
};

extern "C" void next_get(const char *values) noexcept; // "1,2,7"

#endif
