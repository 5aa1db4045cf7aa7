/* call/wasm32.c: the Basic C ABI of WebAssembly (tool-conventions, BasicCABI.md), "Function arguments and return values".
 *
 * A record of one scalar and no padding goes as that scalar, any other in memory: a copy that the caller makes, or the
 * address of where to make the result. Complex numbers and pointers to member functions are such records of two. One without
 * members is not passed. Small integers are widened by who makes them.
 */
#include "call/type_passing.h"

#include "ir/layout.h"

static AbiPassing as_it_is(const AbiTypes *types, const IrType *t)
{
	bool widened = t->kind == TYPE_INT && t->width < 32 && !types->keeps_width;
	return (AbiPassing){.how = widened ? PASS_EXTENDED : PASS_AS_IS};
}

static bool is_made_of_parts(const IrType *t)
{
	return abi_is_aggregate(t) || t->kind == TYPE_COMPLEX || t->kind == TYPE_METHOD;
}

/* A member of an empty class is one. */
static bool is_empty(const AbiTypes *types, IrType *t)
{
	if (!ir_type_size(t) || abi_is_told_empty(types, t))
		return true;
	for (uint32_t i = 0; t->kind == TYPE_RECORD && i < t->nmembers; i++)
		if (abi_member_counts(t, i))
			return false;
	return t->kind == TYPE_RECORD;
}

/* The type of the only bit-field with a name in a unit. */
static IrType *sole_field(const IrType *unit)
{
	IrType *found = NULL;
	for (uint32_t i = 0; i < unit->nmembers; i++) {
		bool unnamed = unit->marks && unit->marks[i];
		if (found && !unnamed)
			return NULL;
		if (!unnamed)
			found = unit->members[i];
	}
	return found;
}

static IrType *sole_scalar(AbiTypes *types, IrType *t);

/* Of a member: of one element if it is an array. */
static IrType *scalar_of_member(AbiTypes *types, IrType *t)
{
	while (t->kind == TYPE_ARRAY && t->count == 1)
		t = t->elem;
	if (t->kind == TYPE_BITFIELD)
		return sole_field(t);
	if (t->kind == TYPE_RECORD)
		return sole_scalar(types, t);
	return is_made_of_parts(t) ? NULL : t;
}

/* The scalar that is all of a record; NULL: there is none. */
static IrType *sole_scalar(AbiTypes *types, IrType *t)
{
	IrType *found = NULL;
	if (t->kind != TYPE_RECORD || abi_is_flexible(types, t))
		return NULL;
	for (uint32_t i = 0; i < t->nmembers; i++) {
		if (!abi_member_counts(t, i))
			continue;
		if (found)
			return NULL;
		found = scalar_of_member(types, t->members[i]);
		if (!found)
			return NULL;
	}
	return found && ir_type_size(found) == ir_type_size(t) ? found : NULL;
}

static AbiPassing pass_parts(AbiTypes *types, IrType *t, AbiPass in_memory)
{
	uint32_t align = abi_type_align(types, t);
	if (abi_goes_by_address(types, t))
		return (AbiPassing){.how = PASS_ADDRESS, .align = align};
	if (abi_is_aggregate(t) && is_empty(types, t))
		return (AbiPassing){.how = PASS_NOTHING};
	IrType *scalar = sole_scalar(types, t);
	if (scalar && scalar->kind == TYPE_BOOL) /* which nobody widens */
		scalar = ir_type_int(types->m, 1, false, false);
	if (scalar)
		return (AbiPassing){.how = PASS_PIECES, .npieces = 1, .pieces = {scalar}};
	return (AbiPassing){.how = in_memory, .align = align};
}

static AbiPassing pass_result(AbiTypes *types, IrType *t)
{
	bool parts = ir_type_sized(t) && is_made_of_parts(t);
	return parts ? pass_parts(types, t, PASS_ADDRESS) : as_it_is(types, t);
}

/* LLVM puts what is behind an ellipsis into a buffer (call/va_arg_buffer.c). */
static AbiPassing pass_param(AbiTypes *types, IrType *t, AbiRegisters *free, bool named)
{
	(void)free;
	(void)named;
	bool parts = ir_type_sized(t) && is_made_of_parts(t);
	return parts ? pass_parts(types, t, PASS_BYVAL) : as_it_is(types, t);
}

const AbiConvention abi_wasm32 = {
    .list = ABI_LIST_BUFFER, .widens = true, .result = pass_result, .param = pass_param};
