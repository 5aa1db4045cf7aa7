/* explain/unwind_codes.c: unwind codes, in words. */
#include "explain/pdata.h"

enum {
	PUSH_NONVOL,
	ALLOC_LARGE,
	ALLOC_SMALL,
	SET_FPREG,
	SAVE_NONVOL,
	SAVE_NONVOL_FAR,
	EPILOG, /* of version 2 */
	SPARE_CODE,
	SAVE_XMM128,
	SAVE_XMM128_FAR,
	PUSH_MACHFRAME,
};

static const char registers[16][4] = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
                                      "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};

/* Slots of 2 bytes that a code takes; 0: there is no such code. */
static unsigned slots_of(unsigned op, unsigned operand)
{
	switch (op) {
	case PUSH_NONVOL:
	case ALLOC_SMALL:
	case SET_FPREG:
	case EPILOG:
		return 1;
	case ALLOC_LARGE:
		return operand == 0 ? 2 : operand == 1 ? 3 : 0;
	case PUSH_MACHFRAME:
		return operand <= 1 ? 1 : 0;
	case SAVE_NONVOL:
	case SAVE_XMM128:
		return 2;
	case SAVE_NONVOL_FAR:
	case SAVE_XMM128_FAR:
		return 3;
	default:
		return 0;
	}
}

/* What stands behind a code: scaled where it fills one slot. */
static uint64_t operand_behind(const ObjectFile *o, ObjectPlace code, unsigned slots, unsigned scale)
{
	uint64_t value;
	object_read(o, (ObjectPlace){code.section, code.offset + 2}, slots == 2 ? 2 : 4, &value);
	return slots == 2 ? value * scale : value;
}

static const char *rule_of(const ObjectFile *o, const UnwindInfo *info, ObjectPlace code, unsigned op,
                           unsigned operand)
{
	unsigned slots = slots_of(op, operand);
	Arena *mem = o->mem;
	switch (op) {
	case PUSH_NONVOL:
		return arena_printf(mem, "push %s", registers[operand]);
	case ALLOC_SMALL:
		return arena_printf(mem, "alloc %u", operand * 8 + 8);
	case ALLOC_LARGE:
		return arena_printf(mem, "alloc %llu", (unsigned long long)operand_behind(o, code, slots, 8));
	case SET_FPREG:
		return arena_printf(mem, "frame %s=rsp+%u", registers[info->frame_register],
		                    info->frame_offset);
	case SAVE_NONVOL:
	case SAVE_NONVOL_FAR:
		return arena_printf(mem, "save %s at %llu", registers[operand],
		                    (unsigned long long)operand_behind(o, code, slots, 8));
	case SAVE_XMM128:
	case SAVE_XMM128_FAR:
		return arena_printf(mem, "save xmm%u at %llu", operand,
		                    (unsigned long long)operand_behind(o, code, slots, 16));
	default:
		return operand ? "machine frame with error code" : "machine frame";
	}
}

/* The first code of epilogs holds their size, and whether one is at the end; each of the others, where one begins, from there. */
static void add_epilog(const ObjectFile *o, const UnwindInfo *info, uint64_t function_size, unsigned number,
                       uint64_t word, UnwindRowVec *rows)
{
	uint64_t first;
	object_read(o, info->codes, 2, &first);
	uint64_t length = first & 255, from_end = (word & 255) | (word >> 12) << 8;
	if (number == 0)
		from_end = word >> 12 & 1 ? length : 0;
	if (from_end == 0 || from_end > function_size) /* no epilog, or only to fill a pair */
		return;
	CircUnwindRow row = {function_size - from_end,
	                     arena_printf(o->mem, "epilog of %llu bytes", (unsigned long long)length)};
	vec_push(o->mem, rows, row);
}

static void reverse(UnwindRowVec *rows, uint32_t from)
{
	for (uint32_t i = from, k = rows->len; i + 1 < k; i++) {
		CircUnwindRow row = rows->data[--k];
		rows->data[k] = rows->data[i];
		rows->data[i] = row;
	}
}

void unwind_rows(const ObjectFile *o, const UnwindInfo *info, uint64_t function_size, UnwindRowVec *rows)
{
	UnwindRowVec epilogs = {0};
	uint32_t from = rows->len, nepilogs = 0;
	for (unsigned i = 0; i < info->ncodes;) {
		ObjectPlace code = {info->codes.section, info->codes.offset + 2 * (uint64_t)i};
		uint64_t word;
		object_read(o, code, 2, &word);
		unsigned op = word >> 8 & 15, operand = word >> 12 & 15, slots = slots_of(op, operand);
		if (!slots || i + slots > info->ncodes || (op == EPILOG && info->version < 2)) {
			object_warning(o, code, "expected an unwind code, found operation %u with operand %u",
			               op, operand);
			break;
		}
		i += slots;
		if (op == EPILOG) {
			add_epilog(o, info, function_size, nepilogs++, word, &epilogs);
			continue;
		}
		CircUnwindRow row = {word & 255, rule_of(o, info, code, op, operand)};
		vec_push(o->mem, rows, row);
	}
	reverse(rows, from);
	reverse(&epilogs, 0);
	for (uint32_t i = 0; i < epilogs.len; i++)
		vec_push(o->mem, rows, epilogs.data[i]);
}
