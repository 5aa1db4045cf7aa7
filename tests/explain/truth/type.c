/* type.c: what was thrown, as type infos of the Itanium C++ ABI say (2.9.5). */
#include "type.h"

#include <string.h>

typedef struct TypeInfo {
	void *const *vtable;
	const char *name;
} TypeInfo;

typedef struct BaseInfo {
	const TypeInfo *type;
	ptrdiff_t offset_flags; /* 1: virtual, 2: public */
} BaseInfo;

typedef struct SingleInfo {
	TypeInfo head;
	const TypeInfo *base;
} SingleInfo;

typedef struct MultipleInfo {
	TypeInfo head;
	unsigned flags, nbases;
	BaseInfo bases[];
} MultipleInfo;

typedef struct PointerInfo {
	TypeInfo head;
	unsigned flags;
	const TypeInfo *pointee;
} PointerInfo;

extern void *single_vtable[] __asm__("_ZTVN10__cxxabiv120__si_class_type_infoE");
extern void *multiple_vtable[] __asm__("_ZTVN10__cxxabiv121__vmi_class_type_infoE");
extern void *pointer_vtable[] __asm__("_ZTVN10__cxxabiv119__pointer_type_infoE");

static void add_type(Record *r, const TypeInfo *type);

static void add_base(Record *r, const char *before, const TypeInfo *type, ptrdiff_t flags)
{
	record_add(r, "%s{\"public\":%s,\"virtual\":%s,\"type\":", before, flags & 2 ? "true" : "false",
	           flags & 1 ? "true" : "false");
	add_type(r, type);
	record_add(r, "}");
}

static void add_bases(Record *r, const TypeInfo *type)
{
	record_add(r, ",\"bases\":[");
	if (type->vtable == single_vtable + 2)
		add_base(r, "", ((const SingleInfo *)type)->base, 2);
	if (type->vtable == multiple_vtable + 2) {
		const MultipleInfo *m = (const MultipleInfo *)type;
		for (unsigned i = 0; i < m->nbases; i++)
			add_base(r, i ? "," : "", m->bases[i].type, m->bases[i].offset_flags);
	}
	record_add(r, "]");
}

static void add_type(Record *r, const TypeInfo *type)
{
	record_add(r, "{\"name\":");
	record_add_text(r, type->name);
	add_bases(r, type);
	if (type->vtable == pointer_vtable + 2) {
		const PointerInfo *p = (const PointerInfo *)type;
		record_add(r, ",\"qualifiers\":%u,\"pointee\":", p->flags);
		add_type(r, p->pointee);
	}
	record_add(r, "}");
}

#ifdef _WIN32
enum { UNWIND_HEADER = 64 };
#else
enum { UNWIND_HEADER = 32 };
#endif

/* In __cxa_exception of both C++ libraries: before the eight pointers and two numbers that stand before the unwinder's header. What
 * std::rethrow_exception() throws has in libstdc++ the address of the object there, behind the exception that it was thrown with. */
enum { BEFORE_HEADER = 80 };

static const TypeInfo *thrown_type(const struct _Unwind_Exception *e, uint64_t exception_class)
{
	const void *word;
	memcpy(&word, (const char *)e - BEFORE_HEADER, sizeof word);
	if (exception_class == UINT64_C(0x474e5543432b2b01))
		memcpy(&word, (const char *)word - UNWIND_HEADER - BEFORE_HEADER, sizeof word);
	return word;
}

static bool is_cxx(uint64_t exception_class)
{
	uint64_t library = exception_class & ~UINT64_C(0xff);
	return library == UINT64_C(0x474e5543432b2b00) ||
	       library == UINT64_C(0x434c4e47432b2b00); /* GNUCC++\0, CLNGC++\0 */
}

void record_type(Record *r, const struct _Unwind_Exception *e, OwnType *own)
{
	uint64_t exception_class;
	memcpy(&exception_class, e, sizeof exception_class);
	if (is_cxx(exception_class))
		add_type(r, thrown_type(e, exception_class));
	else if (!own || !own(r, e))
		record_add(r, "null");
}
