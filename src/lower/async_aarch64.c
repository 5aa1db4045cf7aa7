/* AArch64. No division traps: where it would on x86_64, an undefined instruction stands in front of it, by whose operand libcircrt knows why
 * (runtime/eh/elf/aarch64/context.c).
 *
 * The vector registers are clobbered as wholes, since calls keep halves of some (AAPCS64, 6.1.2); X30, since it holds something else in the
 * landing pad. Since calls change it, it is also the register that has LLVM set up the frame first.
 */
#include "lower/async_machine.h"

#define UNDEFINED_ZERO     ".inst 0xc094"
#define UNDEFINED_OVERFLOW ".inst 0xc095"

enum { SCRATCH = 19, VECTORS = 32, PREDICATES = 16 }; /* X0 to X18 */

static void put_registers(Lower *e, StrBuf *s, char letter, unsigned n, const char *used)
{
	for (unsigned i = 0; i < n; i++) {
		const char *name = arena_printf(e->scratch, "{%c%u}", letter, i);
		if (!strstr(used, name))
			buf_put(e->scratch, s, str_of(arena_printf(e->scratch, ",~%s", name)));
	}
}

static const char *clobbers(Lower *e, const Assembly *a)
{
	StrBuf s = {0};
	buf_put(e->scratch, &s, STR("~{memory},~{cc},~{ffr},~{x30}"));
	put_registers(e, &s, 'x', SCRATCH, a->used);
	put_registers(e, &s, 'v', VECTORS, "");
	put_registers(e, &s, 'p', PREDICATES, "");
	buf_char(e->scratch, &s, '\0');
	return s.data;
}

/* By the number of bytes: how the instruction ends, and the register's name begins. */
static const struct {
	const char *suffix;
	char reg;
} parts[] = {[1] = {"b", 'w'}, [2] = {"h", 'w'}, [4] = {"", 'w'}, [8] = {"", 'x'}};

static void load(Lower *e, Assembly *a, uint64_t size)
{
	a->text = arena_printf(e->scratch, "ldr%s ${0:%c}, [$1]", parts[size].suffix, parts[size].reg);
	a->outputs = "={x0},";
	a->inputs = "r,";
	a->used = "{x0}";
}

static void store(Lower *e, Assembly *a, uint64_t size)
{
	a->text = arena_printf(e->scratch, "str%s ${0:%c}, [$1]", parts[size].suffix, parts[size].reg);
	a->outputs = "";
	a->inputs = "r,r,";
	a->used = "";
}

static const char *copy_part(Lower *e, unsigned size, unsigned at)
{
	const char *suffix = parts[size].suffix;
	char reg = parts[size].reg;
	return arena_printf(e->scratch, "ldr%s %c9, [$0, #%u]\n\tstr%s %c9, [$1, #%u]", suffix, reg, at,
	                    suffix, reg, at);
}

/* A step changes its registers behind the access that may fault. */
#define STEPS(many, one)                                                                                     \
	"1:\n\tcmp $0, #8\n\tb.lo 2f\n\t" many "\n\tsub $0, $0, #8\n\tb 1b\n2:\n\tcbz $0, 3f\n\t" one        \
	"\n\tsub $0, $0, #1\n\tb 2b\n3:"

static void copy(Lower *e, Assembly *a)
{
	(void)e;
	a->text = STEPS("ldr x9, [$1]\n\tstr x9, [$2], #8\n\tadd $1, $1, #8",
	                "ldrb w9, [$1]\n\tstrb w9, [$2], #1\n\tadd $1, $1, #1");
	a->outputs = "={x0},={x1},={x2},";
	a->inputs = "0,1,2,";
	a->used = "{x0}{x1}{x2}";
}

static void set(Lower *e, Assembly *a)
{
	(void)e;
	a->text = "and x9, x2, #0xff\n\tmov x10, #0x0101010101010101\n\tmul x9, x9, x10\n" STEPS(
	    "str x9, [$1], #8", "strb w9, [$1], #1");
	a->outputs = "={x0},={x1},";
	a->inputs = "0,1,{x2},";
	a->used = "{x0}{x1}{x2}";
}

/* The dividend is brought to X9, or W9, the divisor to X10. A narrow dividend is shifted first, so that its least value is the least of
 * 32 bits, too. */

typedef struct Division {
	const char *take_signed, *take_unsigned, *shift_back;
	char reg;
} Division;

static const Division divisions[] = {
    [1] = {"lsl w9, ${1:w}, #24\n\tsxtb w10, ${2:w}", "uxtb w9, ${1:w}\n\tuxtb w10, ${2:w}",
           "\n\tasr w9, w9, #24", 'w'},
    [2] = {"lsl w9, ${1:w}, #16\n\tsxth w10, ${2:w}", "uxth w9, ${1:w}\n\tuxth w10, ${2:w}",
           "\n\tasr w9, w9, #16", 'w'},
    [4] = {"mov w9, ${1:w}\n\tmov w10, ${2:w}", "mov w9, ${1:w}\n\tmov w10, ${2:w}", "", 'w'},
    [8] = {"mov x9, $1\n\tmov x10, $2", "mov x9, $1\n\tmov x10, $2", "", 'x'},
};

/* The least integer less 1 overflows. */
static const char *check_overflow(Lower *e, const Division *d)
{
	return arena_printf(
	    e->scratch, "\n\tcmn %c10, #1\n\tccmp %c9, #1, #0, eq\n\tb.vc 2f\n\t" UNDEFINED_OVERFLOW "\n2:%s",
	    d->reg, d->reg, d->shift_back);
}

static void divide(Lower *e, Assembly *a, const IrType *type, bool remainder)
{
	const Division *d = &divisions[type->width / 8];
	bool is_signed = type->is_signed;
	char r = d->reg;
	a->text = arena_printf(
	    e->scratch,
	    "%s\n\tcbnz %c10, 1f\n\t" UNDEFINED_ZERO "\n1:%s\n\t%cdiv %c11, %c9, %c10\n\t%s ${0:%c}, %c11%s",
	    is_signed ? d->take_signed : d->take_unsigned, r, is_signed ? check_overflow(e, d) : "",
	    is_signed ? 's' : 'u', r, r, r, remainder ? "msub" : "mov", r, r,
	    remainder ? arena_printf(e->scratch, ", %c10, %c9", r, r) : "");
	a->outputs = "={x0},";
	a->inputs = "r,r,";
	a->used = "{x0}";
}

const AsyncMachine async_aarch64 = {clobbers, load, store, copy_part, copy, set, divide};
