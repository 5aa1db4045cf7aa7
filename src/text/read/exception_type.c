/* circ.exception_type @E extends @Base, @Other : !rec_E {release = @f} */
#include "text/read/parser.h"

/* `@Base, @Other`, of which there is at least one. */
static bool bases(Parser *p)
{
	uint32_t base = p->elems.len;
	do {
		Name *name = at(p, TOK_SYMBOL) ? parse_symbol(p) : NULL;
		if (!name)
			return at(p, TOK_SYMBOL) ? false : expected(p, "an exception type, '@name'");
		vec_push(p->mem, &p->elems, ir_attr_symbol(p->m, name));
	} while (accept(p, ','));
	push_attr(p, p->known[NAME_bases], ir_attr_array(p->m, p->elems.data + base, p->elems.len - base));
	p->elems.len = base;
	return true;
}

Parsed parse_custom_exception_type(Parser *p, Frame *f)
{
	(void)f;
	if (!at(p, TOK_SYMBOL))
		return expected(p, "a symbol name, '@name'"), PARSED_NO;
	Name *name = parse_symbol(p);
	if (!name)
		return PARSED_NO;
	push_attr(p, p->known[NAME_sym_name], ir_attr_symbol(p->m, name));
	if (accept_word(p, STR("extends")) && !bases(p))
		return PARSED_NO;
	IrType *type = expect(p, ':') ? parse_type(p) : NULL;
	if (!type)
		return PARSED_NO;
	push_attr(p, p->known[NAME_sym_type], ir_attr_type(p->m, type));
	return PARSED_ALL;
}
