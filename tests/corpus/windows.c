/* What the corpus' modules ask of libc++ and of the C library of Linux, for windows-msvc, where nobody has it under these names:
 * enough of it for most of them to run. The layouts are libc++'s, of x86_64 Linux; `long` is `long long` here. Names are those of the
 * Itanium C++ ABI, so that each function is one of theirs, called as circ has C functions called.
 */
typedef long long Long;
typedef unsigned long long Size;

_Noreturn void _exit(int status);
void *_aligned_malloc(Size size, Size alignment);
void _aligned_free(void *pointer);
void *memcpy(void *to, const void *from, Size size);
void *memset(void *to, int byte, Size size);
int memcmp(const void *a, const void *b, Size size);
Size strlen(const char *text);
int putchar(int c);
int atexit(void (*function)(void));

#define NAMED(name) __asm__(name)

_Noreturn void failed(const char *what, const char *file, unsigned line, const char *function)
    NAMED("__assert_fail");
void failed(const char *what, const char *file, unsigned line, const char *function)
{
	(void)what, (void)file, (void)line, (void)function;
	_exit(134); /* as a shell says SIGABRT */
}

/* operator new and delete */

void *new_aligned(Size size, Size alignment) NAMED("_ZnwmSt11align_val_t");
void *new_aligned(Size size, Size alignment)
{
	void *p = _aligned_malloc(size ? size : 1, alignment);
	if (!p)
		_exit(3);
	return p;
}

void *new_aligned_nothrow(Size size, Size alignment, const void *tag)
    NAMED("_ZnwmSt11align_val_tRKSt9nothrow_t");
void *new_aligned_nothrow(Size size, Size alignment, const void *tag)
{
	(void)tag;
	return _aligned_malloc(size ? size : 1, alignment);
}

void *new_one(Size size) NAMED("_Znwm");
void *new_one(Size size)
{
	return new_aligned(size, 16);
}

void *new_array(Size size) NAMED("_Znam");
void *new_array(Size size)
{
	return new_aligned(size, 16);
}

void *new_nothrow(Size size, const void *tag) NAMED("_ZnwmRKSt9nothrow_t");
void *new_nothrow(Size size, const void *tag)
{
	return new_aligned_nothrow(size, 16, tag);
}

const char nothrow NAMED("_ZSt7nothrow") = 0;

#define DELETE(id, name, ...)                                                                                \
	void id(__VA_ARGS__) NAMED(name);                                                                    \
	void id(__VA_ARGS__)                                                                                 \
	{                                                                                                    \
		_aligned_free(pointer);                                                                      \
	}
/* clang-format off: a definition a line */
DELETE(delete_one, "_ZdlPv", void *pointer)
DELETE(delete_sized, "_ZdlPvm", void *pointer, Size size)
DELETE(delete_aligned, "_ZdlPvSt11align_val_t", void *pointer, Size alignment)
DELETE(delete_sized_aligned, "_ZdlPvmSt11align_val_t", void *pointer, Size size, Size alignment)
DELETE(delete_array, "_ZdaPv", void *pointer)
DELETE(delete_array_sized, "_ZdaPvm", void *pointer, Size size)
/* clang-format on */

/* std::string: a long one has its lowest bit set. */

typedef struct String {
	union {
		struct {
			Size capacity; /* | 1 */
			Size size;
			char *data;
		} longer;
		struct {
			unsigned char twice_size;
			char data[23];
		} shorter;
	};
} String;

static char *string_make(String *s, Size size)
{
	memset(s, 0, sizeof *s);
	if (size < sizeof s->shorter.data) {
		s->shorter.twice_size = (unsigned char)(size * 2);
		return s->shorter.data;
	}
	Size capacity = (size + 16) & ~(Size)15;
	s->longer.capacity = capacity | 1;
	s->longer.size = size;
	s->longer.data = new_one(capacity);
	s->longer.data[size] = 0;
	return s->longer.data;
}

void string_destroy(String *s) NAMED("_ZNSt3__112basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEED2Ev");
void string_destroy(String *s)
{
	if (s->longer.capacity & 1)
		_aligned_free(s->longer.data);
}

void string_fill(String *s, Size size, char c)
    NAMED("_ZNSt3__112basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEE6__initEmc");
void string_fill(String *s, Size size, char c)
{
	memset(string_make(s, size), c, size);
}

void string_copy(String *s, const char *from, Size size)
    NAMED("_ZNSt3__112basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEE6__initEPKcm");
void string_copy(String *s, const char *from, Size size)
{
	memcpy(string_make(s, size), from, size);
}

String *string_assign(String *s, const char *from)
    NAMED("_ZNSt3__112basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEE6assignEPKc");
String *string_assign(String *s, const char *from)
{
	String old = *s;
	string_copy(s, from, strlen(from));
	string_destroy(&old);
	return s;
}

String *string_assign_char(String *s, char c)
    NAMED("_ZNSt3__112basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEEaSEc");
String *string_assign_char(String *s, char c)
{
	string_destroy(s);
	string_fill(s, 1, c);
	return s;
}

/* Places beyond the end are not asked for. */
int string_compare(const String *s, Size place, Size count, const char *other, Size size)
    NAMED("_ZNKSt3__112basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEE7compareEmmPKcm");
int string_compare(const String *s, Size place, Size count, const char *other, Size size)
{
	int is_long = (int)(s->longer.capacity & 1);
	const char *data = is_long ? s->longer.data : s->shorter.data;
	Size rest = (is_long ? s->longer.size : s->shorter.twice_size / 2u) - place;
	count = count < rest ? count : rest;
	int difference = memcmp(data + place, other, count < size ? count : size);
	return difference ? difference : (count > size) - (count < size);
}

String *string_erase(String *s, Size place, Size count)
    NAMED("_ZNSt3__112basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEE5eraseEmm");
String *string_erase(String *s, Size place, Size count)
{
	String old = *s;
	int is_long = (int)(old.longer.capacity & 1);
	const char *data = is_long ? old.longer.data : old.shorter.data;
	Size size = is_long ? old.longer.size : old.shorter.twice_size / 2u;
	count = count < size - place ? count : size - place;
	char *to = string_make(s, size - count);
	memcpy(to, data, place);
	memcpy(to + place, data + place + count, size - place - count);
	string_destroy(&old);
	return s;
}

void string_replace(String *s, Size old_capacity, Size more, Size old_size, Size before, Size removed,
                    Size added, const char *from)
    NAMED("_ZNSt3__112basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEE21__grow_by_and_replaceEmmmmmmPKc");
void string_replace(String *s, Size old_capacity, Size more, Size old_size, Size before, Size removed,
                    Size added, const char *from)
{
	(void)old_capacity, (void)more;
	String old = *s;
	const char *data = old.longer.capacity & 1 ? old.longer.data : old.shorter.data;
	char *to = string_make(s, old_size - removed + added);
	memcpy(to, data, before);
	memcpy(to + before, from, added);
	memcpy(to + before + added, data + before + removed, old_size - before - removed);
	string_destroy(&old);
}

/* The classes of exceptions: circ throws and catches them by their names, which Windows has, too. */

typedef struct Exception {
	const void *const *vtable;
	const char *what;
} Exception;

static const char *exception_text(const Exception *e)
{
	return e->what;
}

const char *exception_what(const Exception *e) NAMED("_ZNKSt9exception4whatEv");
const char *exception_what(const Exception *e)
{
	(void)e;
	return "std::exception";
}

static void exception_destroy(Exception *e)
{
	(void)e;
}

void plain_exception_destroy(Exception *e) NAMED("_ZNSt9exceptionD2Ev");
void plain_exception_destroy(Exception *e)
{
	(void)e;
}

const void *const exception_vtable[] NAMED("_ZTVSt9exception") = {0, 0, exception_destroy, exception_destroy,
                                                                  exception_what};
const void *const length_error_vtable[] NAMED("_ZTVSt12length_error") = {0, 0, exception_destroy,
                                                                         exception_destroy, exception_text};
const void *const out_of_range_vtable[] NAMED("_ZTVSt12out_of_range") = {0, 0, exception_destroy,
                                                                         exception_destroy, exception_text};
static const void *const bad_length_vtable[] = {0, 0, exception_destroy, exception_destroy, exception_text};

void logic_error_make(Exception *e, const char *what) NAMED("_ZNSt11logic_errorC2EPKc");
void logic_error_make(Exception *e, const char *what)
{
	e->vtable = length_error_vtable + 2;
	e->what = what; /* string literals, all of them */
}

void bad_length_make(Exception *e) NAMED("_ZNSt20bad_array_new_lengthC1Ev");
void bad_length_make(Exception *e)
{
	e->vtable = bad_length_vtable + 2; /* of one pointer: it has no text of its own */
}

/* clang-format off: a definition a line */
void length_error_destroy(Exception *e) NAMED("_ZNSt12length_errorD1Ev");
void length_error_destroy(Exception *e)
{
	(void)e;
}
void out_of_range_destroy(Exception *e) NAMED("_ZNSt12out_of_rangeD1Ev");
void out_of_range_destroy(Exception *e)
{
	(void)e;
}
void bad_length_destroy(Exception *e) NAMED("_ZNSt20bad_array_new_lengthD1Ev");
void bad_length_destroy(Exception *e)
{
	(void)e;
}
/* clang-format on */

/* std::cout: its functions that libc++ has inline reach through the virtual base to the buffer. */

typedef struct Buffer {
	const void *const *vtable;
} Buffer;

/* Kept until a flush or the end of the program: what it had not flushed when it aborted is lost, as on Linux. */
static char pending[4096];
static Size pending_size;

static void print_pending(void)
{
	for (Size i = 0; i < pending_size; i++)
		putchar(pending[i]);
	pending_size = 0;
}

static void print(char c)
{
	static _Bool at_exit;
	if (!at_exit)
		at_exit = !atexit(print_pending);
	if (pending_size == sizeof pending)
		print_pending();
	pending[pending_size++] = c;
}

static Long buffer_write(Buffer *buffer, const char *text, Long size)
{
	(void)buffer;
	for (Long i = 0; i < size; i++)
		print(text[i]);
	return size;
}

static const void *const buffer_vtable[13] = {[12] = buffer_write};
static Buffer buffer = {buffer_vtable};

typedef struct Ios {
	const void *const *vtable;
	unsigned flags;
	Long precision, width;
	unsigned state, exceptions;
	Buffer *buffer;
	void *rest[12];
	void *tie;
	int fill; /* -1: not asked for yet */
} Ios;

typedef struct Stream {
	const void *const *vtable;
	Ios ios;
} Stream;

static const struct {
	Long to_ios;
	const void *up, *type, *functions[2];
} stream_vtable = {sizeof(void *), 0, 0, {0}};

Stream cout NAMED("_ZNSt3__14coutE") = {stream_vtable.functions, {.buffer = &buffer, .fill = -1}};

typedef struct Sentry {
	_Bool ok;
	Stream *stream;
} Sentry;

void sentry_make(Sentry *sentry, Stream *stream)
    NAMED("_ZNSt3__113basic_ostreamIcNS_11char_traitsIcEEE6sentryC1ERS3_");
void sentry_make(Sentry *sentry, Stream *stream)
{
	*sentry = (Sentry){!stream->ios.state, stream};
}

void sentry_destroy(Sentry *sentry) NAMED("_ZNSt3__113basic_ostreamIcNS_11char_traitsIcEEE6sentryD1Ev");
void sentry_destroy(Sentry *sentry)
{
	(void)sentry;
}

void ios_clear(Ios *ios, unsigned state) NAMED("_ZNSt3__18ios_base5clearEj");
void ios_clear(Ios *ios, unsigned state)
{
	ios->state = state;
}

void ios_set_bad(Ios *ios) NAMED("_ZNSt3__18ios_base33__set_badbit_and_consider_rethrowEv");
void ios_set_bad(Ios *ios)
{
	ios->state |= 1;
}

Stream *cout_put(Stream *stream, char c) NAMED("_ZNSt3__113basic_ostreamIcNS_11char_traitsIcEEE3putEc");
Stream *cout_put(Stream *stream, char c)
{
	print(c);
	return stream;
}

Stream *cout_flush(Stream *stream) NAMED("_ZNSt3__113basic_ostreamIcNS_11char_traitsIcEEE5flushEv");
Stream *cout_flush(Stream *stream)
{
	print_pending();
	return stream;
}

Stream *cout_int(Stream *stream, int value) NAMED("_ZNSt3__113basic_ostreamIcNS_11char_traitsIcEEElsEi");
Stream *cout_int(Stream *stream, int value)
{
	char text[12], *p = text + sizeof text;
	unsigned rest = value < 0 ? 0u - (unsigned)value : (unsigned)value;
	do
		*--p = (char)('0' + rest % 10);
	while (rest /= 10);
	if (value < 0)
		*--p = '-';
	buffer_write(&buffer, p, text + sizeof text - p);
	return stream;
}

/* std::cin, which is at its end: nothing is written. */

typedef struct Input {
	const void *const *vtable;
	Long count;
	Ios ios;
} Input;

static const struct {
	Long to_ios;
	const void *up, *type, *functions[2];
} input_vtable = {2 * sizeof(void *), 0, 0, {0}};

Input cin NAMED("_ZNSt3__13cinE") = {input_vtable.functions, 0, {.buffer = &buffer, .fill = -1}};

Input *cin_int(Input *input, int *value) NAMED("_ZNSt3__113basic_istreamIcNS_11char_traitsIcEEErsERi");
Input *cin_int(Input *input, int *value)
{
	(void)value;
	input->ios.state |= 2 | 4; /* eofbit, failbit */
	return input;
}

/* std::locale, with one facet */

static char facet_widen(const void *facet, char c)
{
	(void)facet;
	return c;
}

static const void *const facet_vtable[8] = {[7] = facet_widen};
static const struct {
	const void *const *vtable;
} facet = {facet_vtable};

const int facet_id[3] NAMED("_ZNSt3__15ctypeIcE2idE") = {0};

void **locale_get(void **locale, const Ios *ios) NAMED("_ZNKSt3__18ios_base6getlocEv");
void **locale_get(void **locale, const Ios *ios)
{
	(void)ios;
	*locale = 0;
	return locale;
}

const void *locale_facet(void *const *locale, const void *id) NAMED("_ZNKSt3__16locale9use_facetERNS0_2idE");
const void *locale_facet(void *const *locale, const void *id)
{
	(void)locale;
	return id == facet_id ? &facet : 0;
}

void locale_destroy(void **locale) NAMED("_ZNSt3__16localeD1Ev");
void locale_destroy(void **locale)
{
	(void)locale;
}
