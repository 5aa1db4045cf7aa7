/* call/win64.c: Microsoft's x64 calling convention ("x64 calling convention", "x64 ABI conventions" at
 * learn.microsoft.com), as clang has it for windows-msvc and windows-gnu.
 *
 * Records of 1, 2, 4 and 8 bytes go as integers, all others, and all scalars wider than a
 * register, by the address of a copy. LLVM does the same for vectors, counts the slots, and passes
 * floats twice where the callee is variadic.
 *
 * MSVC returns by address what is no aggregate of C++14 (call/record_trait.h), and every record from a member
 * function (call/ms_method.h).
 */
#include "call/type_passing.h"

#include "ir/layout.h"

static bool is_power_of_two(uint64_t n)
{
	return n && (n & (n - 1)) == 0;
}

static AbiPassing by_address(AbiTypes *types, IrType *t)
{
	return (AbiPassing){.how = PASS_ADDRESS, .align = abi_type_align(types, t)};
}

/* Made of parts: records, complex numbers, pointers to member functions. */
static AbiPassing pass_parts(AbiTypes *types, IrType *t)
{
	uint64_t size = ir_type_size(t);
	if (abi_goes_by_address(types, t) || abi_is_flexible(types, t) || size > 8 || !is_power_of_two(size))
		return by_address(types, t);
	return (AbiPassing){.how = PASS_PIECES, .npieces = 1, .pieces = {abi_int_of_size(types, size)}};
}

/* Scalars of more than 64 bits, _BitInt aside, come back in xmm0: GCC's rule for MinGW,
 * which clang follows on both. */
static AbiPassing pass_wide(AbiTypes *types, IrType *t, bool result)
{
	if (!result || ir_type_size(t) != 16)
		return by_address(types, t);
	IrType *xmm = ir_type_vector(types->m, types->m->u64, 2, false);
	return (AbiPassing){.how = PASS_PIECES, .npieces = 1, .pieces = {xmm}};
}

static AbiPassing pass(AbiTypes *types, IrType *t, bool result)
{
	if (!ir_type_sized(t))
		return (AbiPassing){.how = PASS_AS_IS};
	switch (t->kind) {
	case TYPE_RECORD:
	case TYPE_ARRAY:
	case TYPE_COMPLEX:
	case TYPE_METHOD:
		return pass_parts(types, t);
	case TYPE_INT:
		if (t->bitint && t->width > 64)
			return by_address(types, t);
		return t->width > 64 ? pass_wide(types, t, result) : (AbiPassing){.how = PASS_AS_IS};
	case TYPE_F128:
		return pass_wide(types, t, result);
	case TYPE_F80: /* GCC's rule for MinGW; clang has none for `ms_abi` elsewhere */
		return types->call_conv == CALL_WIN64 ? by_address(types, t)
		                                      : (AbiPassing){.how = PASS_AS_IS};
	case TYPE_LONG_DOUBLE:
		return pass(types, t->elem, result);
	default:
		return (AbiPassing){.how = PASS_AS_IS};
	}
}

static bool is_no_aggregate(const AbiTypes *types, const IrType *t)
{
	const IrAttr *told = t->kind == TYPE_RECORD ? abi_record_trait(types, t, NAME_aggregate) : NULL;
	return types->msvc && told && !told->bits && ir_type_sized(t);
}

static AbiPassing pass_result(AbiTypes *types, IrType *t)
{
	return is_no_aggregate(types, t) ? by_address(types, t) : pass(types, t, true);
}

/* What has no name is no class. */
static AbiPassing pass_method_result(AbiTypes *types, IrType *t)
{
	return t->kind == TYPE_RECORD && t->name ? by_address(types, t) : pass(types, t, true);
}

/* Does LLVM pass the address of one object of 16 bytes? Others it widens or takes apart. */
static bool is_xmm(IrType *t)
{
	return ir_type_size(t) == 16 && ir_type_size(t->elem) <= 8 && !abi_is_odd_vector(t);
}

/* Registers go by the position of the parameter, not by its type: LLVM counts them. Behind an ellipsis other vectors
 * are where va_arg, clang's too, looks for them; clang's own callers have them elsewhere. */
static AbiPassing pass_param(AbiTypes *types, IrType *t, AbiRegisters *free, bool named)
{
	(void)free;
	if (!named && t->kind == TYPE_VECTOR && !is_xmm(t))
		return pass_parts(types, t);
	return pass(types, t, false);
}

const AbiConvention abi_win64 = {
    .win64 = true, .list = ABI_LIST_SLOTS, .result = pass_result, .param = pass_param};
const AbiConvention abi_win64_method = {.win64 = true,
                                        .list = ABI_LIST_SLOTS,
                                        .behind_this = true,
                                        .result = pass_method_result,
                                        .param = pass_param};
