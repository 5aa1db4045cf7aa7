#include "target/data_layout.h"

#include "ir/spell.h"
#include "target/target.h"

#include <ctype.h>
#include <stdlib.h>

static bool check(IrModule *m, Diags *d, NameId attribute, const char *number)
{
	unsigned long own = ir_module_address_size(m) * 8UL;
	/* A size that is no plain number, as `dense<"0x…">` has it, is not judged. */
	unsigned long bits = isdigit((unsigned char)*number) ? strtoul(number, NULL, 10) : own;
	if (bits == own)
		return true;
	diag_error(d, m->attrs_loc,
	           "attribute '%s' of the module specifies pointers of %lu bits; expected %lu",
	           ir_known_name(m, attribute)->text, bits, own);
	return false;
}

static const char *attr_text(IrModule *m, NameId attribute)
{
	enum { LAYOUT_MAX = 1 << 20 };
	const IrAttr *a = ir_module_attr(m, attribute);
	Str text = a ? ir_attr_text(&m->scratch, a, LAYOUT_MAX) : STR("");
	return arena_printf(&m->scratch, "%.*s", (int)text.len, text.data);
}

/* LLVM's string: specifications with `-` between them; those of pointers are `p[address space]:size:…`. */
static bool check_string(IrModule *m, Diags *d)
{
	const char *at = attr_text(m, NAME_llvm_data_layout);
	for (at += *at == '"'; at; at = strchr(at, '-'), at += at != NULL) {
		unsigned space = at[0] == 'p' && at[1] == '0';
		if (at[0] == 'p' && at[1 + space] == ':' &&
		    !check(m, d, NAME_llvm_data_layout, at + 2 + space))
			return false;
	}
	return true;
}

/* How texts of each era begin what they say of a type; a number of bits follows. */
static const struct {
	const char *type, *begin;
} spellings[] = {
    {"!llvm.ptr", "dense<"}, {">", "#cir.ptr_spec<size"}, /* of any pointee */
};

static bool ends_in(const char *text, const char *end, const char *tail)
{
	size_t n = strlen(tail);
	return (size_t)(end - text) >= n && memcmp(end - n, tail, n) == 0;
}

/* Is the type in front of the specification the pointer, in no address space: `!cir.ptr<…, target_address_space(1)>`? */
static bool is_of(const char *text, const char *at, const char *type)
{
	static const char *const separators[] = {" = ", ", ", "=", ","};
	for (unsigned i = 0; i < ARRAY_LEN(separators); i++)
		if (ends_in(text, at, separators[i])) {
			at -= strlen(separators[i]);
			return ends_in(text, at, type) && !ends_in(text, at, ")>");
		}
	return false;
}

/* With spaces for what strings hold, which names no types. */
static const char *without_strings(Arena *mem, const char *text)
{
	char *copy = arena_printf(mem, "%s", text);
	bool inside = false;
	for (char *at = copy; *at; at++) {
		if (*at == '"') {
			inside = !inside;
		} else if (inside) {
			if (*at == '\\' && at[1])
				*at++ = ' ';
			*at = ' ';
		}
	}
	return copy;
}

static bool check_cxx_abi(IrModule *m, Diags *d)
{
	const IrAttr *given = ir_module_attr(m, NAME_cir_cxx_abi);
	Str triple = ir_module_triple(m);
	const AbiTarget *target = triple.len ? abi_target(triple) : NULL;
	if (!target || !given || given->kind != ATTR_STRING)
		return true;
	const char *abi = target->runtime == RUNTIME_MICROSOFT ? "microsoft" : "itanium";
	if (str_equal(name_str(given->name), str_of(abi)))
		return true;
	diag_error(d, m->attrs_loc,
	           "attribute 'cir.cxx_abi' of the module is '%s', but the C++ ABI of the target is '%s'",
	           given->name->text, abi);
	return false;
}

bool abi_check_layout(IrModule *m, Diags *d)
{
	ArenaMark mark = arena_mark(&m->scratch);
	bool ok = check_cxx_abi(m, d) && check_string(m, d);
	const char *text = without_strings(&m->scratch, attr_text(m, NAME_dlti_dl_spec));
	for (unsigned i = 0; i < ARRAY_LEN(spellings) && ok; i++) {
		const char *begin = spellings[i].begin, *at = text;
		for (; ok && (at = strstr(at, begin)); at += strlen(begin)) {
			const char *number = at + strlen(begin);
			if (is_of(text, at, spellings[i].type))
				ok = check(m, d, NAME_dlti_dl_spec, number + strspn(number, " =["));
		}
	}
	arena_release(&m->scratch, mark);
	return ok;
}
