/* x86_64, by one instruction each: it faults where the operation would. Divisions trap. */
#include "lower/async_machine.h"

#define KEPT_BY_NO_ABI "~{memory},~{dirflag},~{fpsr},~{flags}"
/* System V x86-64 ABI 3.2.1, and Microsoft's x64 calling convention. The result's register, or what an operation uses, is written apart. */
#define SYSV_VECTORS                                                                                         \
	",~{xmm0},~{xmm1},~{xmm2},~{xmm3},~{xmm4},~{xmm5},~{xmm6},~{xmm7},~{xmm8},~{xmm9},~{xmm10},~{xmm11}" \
	","                                                                                                  \
	"~{xmm12},~{xmm13},~{xmm14},~{xmm15}"
#define WIN64_VECTORS ",~{xmm0},~{xmm1},~{xmm2},~{xmm3},~{xmm4},~{xmm5}"
#define AVX512                                                                                               \
	",~{xmm16},~{xmm17},~{xmm18},~{xmm19},~{xmm20},~{xmm21},~{xmm22},~{xmm23},~{xmm24},~{xmm25},~{"      \
	"xmm26},"                                                                                            \
	"~{xmm27},~{xmm28},~{xmm29},~{xmm30},~{xmm31},~{k0},~{k1},~{k2},~{k3},~{k4},~{k5},~{k6},~{k7}"
#define X87 ",~{st},~{st(1)},~{st(2)},~{st(3)},~{st(4)},~{st(5)},~{st(6)},~{st(7)}"

/* General registers that calls do not keep. */
static const char *const scratch[] = {"ax", "cx", "dx", "r8", "r9", "r10", "r11", "si", "di"};
enum { WIN64_SCRATCH = 7 };

static const char *clobbers(Lower *e, const Assembly *a)
{
	StrBuf s = {0};
	unsigned n = e->coff ? WIN64_SCRATCH : ARRAY_LEN(scratch);
	buf_put(e->scratch, &s, str_of(KEPT_BY_NO_ABI));
	for (unsigned i = 0; i < n; i++) {
		const char *name = arena_printf(e->scratch, "{%s}", scratch[i]);
		if (!strstr(a->used, name))
			buf_put(e->scratch, &s,
			        str_of(arena_printf(e->scratch, ",~{%s%s}", scratch[i][0] == 'r' ? "" : "r",
			                            scratch[i])));
	}
	buf_put(e->scratch, &s,
	        str_of(e->coff ? WIN64_VECTORS AVX512 X87 : SYSV_VECTORS AVX512 X87 ",~{r15}"));
	buf_char(e->scratch, &s, '\0');
	return s.data;
}

/* By the size of the value: the name of an instruction ends so. */
static char suffix(uint64_t size)
{
	static const char suffixes[] = "bwlq";
	unsigned log = 0;
	while (UINT64_C(1) << log < size)
		log++;
	CHECK(log < 4);
	return suffixes[log];
}

static void load(Lower *e, Assembly *a, uint64_t size)
{
	a->text = arena_printf(e->scratch, "mov%c ($1), $0", suffix(size));
	a->outputs = "={ax},";
	a->inputs = "r,";
	a->used = "{ax}";
}

static void store(Lower *e, Assembly *a, uint64_t size)
{
	a->text = arena_printf(e->scratch, "mov%c $0, ($1)", suffix(size));
	a->outputs = "";
	a->inputs = "r,r,";
	a->used = "";
}

static const char *copy_part(Lower *e, unsigned size, unsigned at)
{
	const char *reg = size == 8 ? "rax" : size == 4 ? "eax" : size == 2 ? "ax" : "al";
	char c = suffix(size);
	return arena_printf(e->scratch, "mov%c %u($0), %%%s\n\tmov%c %%%s, %u($1)", c, at, reg, c, reg, at);
}

static void copy(Lower *e, Assembly *a)
{
	(void)e;
	a->text = "rep movsb";
	a->outputs = "={cx},={si},={di},";
	a->inputs = "0,1,2,";
	a->used = "{cx}{si}{di}";
}

static void set(Lower *e, Assembly *a)
{
	(void)e;
	a->text = "rep stosb";
	a->outputs = "={cx},={di},";
	a->inputs = "0,1,{ax},";
	a->used = "{cx}{di}{ax}";
}

/* Division: the dividend is in EDX:EAX, or RDX:RAX, or AX; and so are quotient and remainder (AL and AH) */

static const struct {
	const char *signed_div, *unsigned_div;
} divisions[] = {
    {"movsbw $1, %ax\n\tidivb $2", "movzbw $1, %ax\n\tdivb $2"},
    {"movw $1, %ax\n\tcwtd\n\tidivw $2", "movw $1, %ax\n\txorl %edx, %edx\n\tdivw $2"},
    {"movl $1, %eax\n\tcltd\n\tidivl $2", "movl $1, %eax\n\txorl %edx, %edx\n\tdivl $2"},
    {"movq $1, %rax\n\tcqto\n\tidivq $2", "movq $1, %rax\n\txorl %edx, %edx\n\tdivq $2"},
};

static void divide(Lower *e, Assembly *a, const IrType *type, bool remainder)
{
	unsigned row = type->width == 64 ? 3 : type->width / 16U;
	a->text = type->is_signed ? divisions[row].signed_div : divisions[row].unsigned_div;
	a->outputs = remainder ? "=&{dx}," : "=&{ax},";
	a->inputs = "r,r,";
	a->used = remainder ? "{dx}" : "{ax}";
	if (type->width == 8 && remainder)
		a->text = arena_printf(e->scratch, "%s\n\tmovb %%ah, %%dl", a->text);
}

const AsyncMachine async_x86_64 = {clobbers, load, store, copy_part, copy, set, divide};
