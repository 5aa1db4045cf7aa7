/* Address points of virtual tables, as the incubator wrote them: two keys for the place,
 * of a global or of an address.
 *
 * 	%a = cir.vtable.address_point(@_ZTV1B, vtable_index = 0, address_point_index = 2) : P
 * 	%b = cir.vtable.address_point( %vptr : P, vtable_index = 0, address_point_index = -2) : P
 *
 * The latter is a step from the address: cir.ptr_stride now.
 */
#include "text/read/parser.h"

static bool step_from_address(Parser *p, const Frame *f, const IrAttr *group, const IrAttr *slot)
{
	uint64_t index;
	if (!ir_attr_get_u64(group, &index) || index)
		return parse_fail(p, f->at, "expected vtable_index = 0, since the table is not named");
	IrType *type = ir_type_int(p->m, 64, true, false);
	parse_old_push_const(p, f, type, ir_attr_int(p->m, type, slot->bits));
	return true;
}

bool parse_old_address_point(Parser *p, Frame *f)
{
	const IrAttr *group = pushed_attr(p, f, NAME_index), *slot = pushed_attr(p, f, NAME_offset);
	if (f->generic || !group || !slot)
		return true;
	p->attrs.len -= 2; /* they were pushed last */
	if (f->kind == OP_PTR_STRIDE)
		return step_from_address(p, f, group, slot);
	const IrAttr *elems[] = {[ADDRESS_POINT_INDEX] = group, [ADDRESS_POINT_OFFSET] = slot};
	IrAttr point = {
	    .kind = ATTR_PARAMS, .row = ATTR_ROW_ADDRESS_POINT, .elems = elems, .n = ARRAY_LEN(elems)};
	push_attr(p, p->known[NAME_address_point], ir_attr_intern(p->m, &point));
	return true;
}
