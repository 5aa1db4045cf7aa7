// seh_handler.cpp: __C_specific_handler as Windows has it. Wine 8's goes on calling termination handlers around the __except that takes
// the exception (docs/internals/windows.md), so that what is in order on Windows would not be there.
//
// x64 exception handling: for each scope that the address is in, inner ones first. First phase: a filter answers -1 go on there, 0 search on,
// 1 take it. Second phase: termination handlers run up to the scope that takes it, or one that the target is in.
#ifdef _MSC_VER
typedef unsigned int Word;
typedef unsigned long long Address;

struct Record {
	Word code, flags;
};

struct Scope { // offsets from the beginning of the module
	Word begin, end, handler, target;
};

struct Scopes {
	Word count;
	Scope scopes[1];
};

struct Dispatcher { // DISPATCHER_CONTEXT
	Address pc, module;
	void *function;
	Address frame, target;
	void *context, *language_handler;
	const Scopes *scopes;
	void *history;
	Word scope;
};

struct Pointers {
	Record *record;
	void *context;
};

enum { UNWINDING = 2, EXIT_UNWIND = 4, TARGET_UNWIND = 0x20 };
enum { CONTINUE_EXECUTION = 0, CONTINUE_SEARCH = 1 };

extern "C" void RtlUnwindEx(void *frame, void *target, Record *record, void *result, void *context, void *history);

static int ask(const Dispatcher *d, const Scope &s, Pointers *pointers, void *frame)
{
	return s.handler == 1 ? 1 : ((int (*)(Pointers *, void *))(d->module + s.handler))(pointers, frame);
}

static int search(Record *record, void *frame, void *context, Dispatcher *d, Address pc)
{
	Pointers pointers = {record, context};
	for (Word i = d->scope; i < d->scopes->count; i++) {
		const Scope &s = d->scopes->scopes[i];
		if (pc < s.begin || pc >= s.end || !s.target)
			continue;
		int answer = ask(d, s, &pointers, frame);
		if (answer < 0)
			return CONTINUE_EXECUTION;
		if (answer > 0)
			RtlUnwindEx(frame, (void *)(d->module + s.target), record, (void *)(Address)record->code, d->context, d->history);
	}
	return CONTINUE_SEARCH;
}

static int unwind(const Record *record, void *frame, Dispatcher *d, Address pc)
{
	Address target = d->target - d->module;
	bool is_target = (record->flags & TARGET_UNWIND) != 0;
	for (Word i = d->scope; i < d->scopes->count; i++) {
		const Scope &s = d->scopes->scopes[i];
		if (pc < s.begin || pc >= s.end)
			continue;
		if (is_target && ((target >= s.begin && target < s.end) || target == s.target))
			break;
		if (s.target)
			continue;
		d->scope = i + 1;
		((void (*)(unsigned char, void *))(d->module + s.handler))(1, frame);
	}
	return CONTINUE_SEARCH;
}

extern "C" int __C_specific_handler(Record *record, void *frame, void *context, Dispatcher *d)
{
	Address pc = d->pc - d->module;
	return record->flags & (UNWINDING | EXIT_UNWIND) ? unwind(record, frame, d, pc) : search(record, frame, context, d, pc);
}
#endif
