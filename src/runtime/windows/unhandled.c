/* A C++ exception that nobody catches: std::terminate, as everywhere, but with a word about why. Nothing has
 * been unwound then: the filter runs in the first phase, when all frames were asked. */
#include "runtime/windows/crt.h"

typedef struct ExceptionRecord { /* EXCEPTION_RECORD */
	DWORD code, flags;
	struct ExceptionRecord *nested;
	void *address;
	DWORD nparameters;
	uintptr_t parameters[15];
} ExceptionRecord;

struct ExceptionPointers { /* EXCEPTION_POINTERS */
	const ExceptionRecord *record;
	void *context;
};

/* The tables of a throw; offsets are from the beginning of the module that threw. */
typedef struct ThrowInfo {
	uint32_t attributes, destructor, forward, catchable_types;
} ThrowInfo;

typedef struct CatchableTypes {
	uint32_t n, types[]; /* the type itself, then what it converts to */
} CatchableTypes;

typedef struct CatchableType {
	uint32_t properties, descriptor;
} CatchableType;

typedef struct TypeDescriptor {
	const void *vftable;
	char *undecorated;
	char decorated[];
} TypeDescriptor;

enum {
	CXX_EXCEPTION = (int)0xe06d7363, /* "msc" */
	PARAMETER_THROW_INFO = 2,
	PARAMETER_MODULE = 3,
	CONTINUE_SEARCH = 0,
};

char *__unDName(char *out, const char *decorated, int size, void *(*get)(size_t), void (*release)(void *),
                unsigned short flags);

enum { UNDNAME_TYPE_ONLY = 0x2800 }; /* a type, not a symbol */

static const char *thrown_type(const ExceptionRecord *e, char *out, int size)
{
	const char *module = (const char *)e->parameters[PARAMETER_MODULE];
	const ThrowInfo *info = (const ThrowInfo *)e->parameters[PARAMETER_THROW_INFO];
	if (e->nparameters <= PARAMETER_MODULE || !info)
		return NULL;
	const CatchableTypes *list = (const CatchableTypes *)(module + info->catchable_types);
	const CatchableType *type = (const CatchableType *)(module + list->types[0]);
	const TypeDescriptor *descriptor = (const TypeDescriptor *)(module + type->descriptor);
	/* ".H", ".?AUName@@": what is behind the dot is decorated like a type in a symbol. */
	return __unDName(out, descriptor->decorated + 1, size, malloc, free, UNDNAME_TYPE_ONLY);
}

static LONG on_unhandled(ExceptionPointers *info)
{
	char type[256];
	FILE *err = __acrt_iob_func(2);
	if (info->record->code != (DWORD)CXX_EXCEPTION)
		return CONTINUE_SEARCH;
	const char *name = thrown_type(info->record, type, sizeof type);
	fputs("terminating because of an uncaught exception", err);
	if (name) {
		fputs(" of type ", err);
		fputs(name, err);
	}
	fputs("\n", err);
	terminate();
}

void crt_filter_unhandled(void)
{
	SetUnhandledExceptionFilter(on_unhandled);
}
