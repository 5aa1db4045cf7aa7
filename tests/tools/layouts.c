/* layouts: what circ takes the layout of every named record of a CIR file to be.
 *
 * 	layouts --numbers FILE.cir      constants for C++: cir::S::size, align, data_size, at[] (offsets by member)
 * 	layouts --check FILE.cir [TRIPLE]      the records themselves in C++, member by member, and static_asserts of those numbers
 *
 * Both are written to standard output; tests/layout/run.py gives them to clang.
 */
#include "ir/layout.h"
#include "ir/module.h"
#include "target/target.h"
#include "text/parse.h"

#include <stdio.h>
#include <stdlib.h>

static void print_message(const CircDiagnostic *d, void *user)
{
	(void)user;
	fprintf(stderr, "%s\n", d->message);
}

static char *read_all(const char *path, size_t *len)
{
	FILE *in = fopen(path, "rb");
	char *data = NULL;
	size_t n = 0, cap = 0;
	while (in) {
		if (n == cap && !(data = realloc(data, cap = cap ? cap * 2 : 65536)))
			abort();
		size_t got = fread(data + n, 1, cap - n, in);
		if (!got)
			break;
		n += got;
	}
	if (in)
		fclose(in);
	*len = n;
	return in ? data : NULL;
}

/* Names in C++: `S.base` is S_base. Types without a name are known by their number. */
static void put_name(const IrType *t)
{
	if (!t->name) {
		printf("anonymous%u", (unsigned)t->id);
		return;
	}
	for (const char *c = t->name->text; *c; c++)
		putchar(strchr(".:<>,* ", *c) ? '_' : *c);
}

static const char *simple_text(TypeKind kind)
{
	switch (kind) {
	case TYPE_BOOL:
		return "bool";
	case TYPE_HALF:
		return "_Float16";
	case TYPE_BF16:
		return "__bf16";
	case TYPE_FLOAT:
		return "float";
	case TYPE_DOUBLE:
		return "double";
	case TYPE_F80:
		return "long double";
	case TYPE_F128:
		return "__float128";
	case TYPE_PTR:
	case TYPE_VPTR:
		return "void *";
	case TYPE_DATA_MEMBER:
		return "__PTRDIFF_TYPE__";
	case TYPE_METHOD:
		return "Method";
	default:
		return NULL;
	}
}

static void put_int(const IrType *t)
{
	const char *sign = t->is_signed ? "signed " : "unsigned ";
	static const char *const words[] = {
	    [1] = "char", [2] = "short", [4] = "int", [8] = "long long", [16] = "__int128"};
	bool fundamental = !t->bitint && (t->width & (t->width - 1)) == 0 && t->width >= 8 && t->width <= 128;
	if (fundamental)
		printf("%s%s", sign, words[t->width / 8]);
	else
		printf("%s_BitInt(%u)", sign, t->width);
}

/* What stands before the declarator; arrays and vectors say more behind it. */
static void put_base(const IrType *t)
{
	while (t->kind == TYPE_ARRAY || t->kind == TYPE_LONG_DOUBLE || t->kind == TYPE_BITFIELD)
		t = t->elem;
	if (t->kind == TYPE_RECORD) {
		put_name(t);
	} else if (t->kind == TYPE_INT) {
		put_int(t);
	} else if (t->kind == TYPE_COMPLEX || t->kind == TYPE_VECTOR) {
		printf(t->kind == TYPE_COMPLEX ? "_Complex " : "Vector<%u, ", (unsigned)t->count);
		put_base(t->elem);
		if (t->kind == TYPE_VECTOR)
			putchar('>');
	} else {
		const char *text = simple_text(t->kind);
		CHECK(text);
		printf("%s", text);
	}
}

static void put_member(const IrType *t, const char *name, unsigned i)
{
	putchar('\t');
	put_base(t);
	printf(" %s%u", name, i);
	for (; t->kind == TYPE_ARRAY; t = t->elem)
		printf("[%llu]", (unsigned long long)t->count);
	printf(";\n");
}

static bool has_bytes(const IrType *member)
{
	return member->kind != TYPE_BITFIELD || member->elem;
}

/* The records inside come first. */
static void put_record(IrType *t, bool *done);

static void put_inner(const IrType *t, bool *done)
{
	while (t->kind == TYPE_ARRAY || t->kind == TYPE_BITFIELD || t->kind == TYPE_LONG_DOUBLE) {
		if (!t->elem)
			return;
		t = t->elem;
	}
	if (t->kind == TYPE_RECORD)
		put_record((IrType *)t, done);
}

/* A union's padding stands behind the member that the storage is. */
static void put_union_padding(IrType *t)
{
	uint32_t storage = ir_union_storage(t);
	if (!t->padding)
		return;
	printf("\tstruct __attribute__((packed)) {\n\t");
	if (storage != UINT32_MAX)
		put_member(t->members[storage], "s", 0);
	printf("\t");
	put_member(t->padding, "p", 0);
	printf("\t} padded;\n");
}

static void put_record(IrType *t, bool *done)
{
	if (done[t->id] || !ir_type_sized(t))
		return;
	done[t->id] = true;
	for (uint32_t i = 0; i < t->nmembers; i++)
		put_inner(t->members[i], done);
	printf("%s %s", t->record_kind == RECORD_UNION ? "union" : "struct",
	       t->packed ? "__attribute__((packed)) " : "");
	put_name(t);
	printf(" {\n");
	for (uint32_t i = 0; i < t->nmembers; i++)
		if (has_bytes(t->members[i]))
			put_member(t->members[i], "m", i);
	if (t->record_kind == RECORD_UNION)
		put_union_padding(t);
	printf("};\n");
}

static void put_asserts(IrType *t)
{
	printf("static_assert(sizeof(");
	put_name(t);
	printf(") == %llu && alignof(", (unsigned long long)ir_type_size(t));
	put_name(t);
	printf(") == %u, \"\");\n", (unsigned)ir_type_align(t));
	for (uint32_t i = 0; i < t->nmembers; i++) {
		if (!has_bytes(t->members[i]))
			continue;
		printf("static_assert(__builtin_offsetof(");
		put_name(t);
		printf(", m%u) == %llu, \"\");\n", i, (unsigned long long)ir_record_offset(t, i));
	}
}

static void put_numbers(IrType *t)
{
	printf("struct ");
	put_name(t);
	printf(" {\n\tstatic constexpr unsigned long long size = %llu, align = %u, data_size = %llu;\n",
	       (unsigned long long)ir_type_size(t), (unsigned)ir_type_align(t),
	       (unsigned long long)ir_record_data_size(t));
	printf("\tstatic constexpr unsigned long long at[] = {");
	for (uint32_t i = 0; i < t->nmembers; i++)
		printf("%llu, ", has_bytes(t->members[i]) ? (unsigned long long)ir_record_offset(t, i) : 0);
	printf("0};\n};\n");
}

static bool wanted(const IrType *t)
{
	return t->kind == TYPE_RECORD && t->name && t->complete && (t->nmembers || t->padding) &&
	       ir_type_sized(t);
}

static void put_module(IrModule *m, bool check)
{
	static const char head[] =
	    "#ifdef __wasm__\n#define __float128 long double\n#endif\n"
	    "template <unsigned n, class T> using Vector = T __attribute__((ext_vector_type(n)));\n"
	    "struct Method { __PTRDIFF_TYPE__ ptr, adj; };\n";
	bool *done = calloc(m->types.len + 1, sizeof *done);
	if (!done)
		abort();
	printf("%s", check ? head : "namespace cir {\n");
	for (uint32_t i = 0; i < m->types.len; i++) {
		IrType *t = m->types.held[i];
		if (!wanted(t))
			continue;
		if (check) {
			put_record(t, done);
			put_asserts(t);
		} else {
			put_numbers(t);
		}
	}
	printf("%s", check ? "" : "}\n");
	free(done);
}

int main(int argc, char **argv)
{
	size_t len;
	char *text = argc >= 3 ? read_all(argv[2], &len) : NULL;
	IrModule *m = text ? ir_module_create() : NULL;
	if (!m) {
		fprintf(stderr, "layouts --numbers|--check FILE.cir [TRIPLE]\n");
		return 2;
	}
	Diags d;
	diag_init(&d, print_message, NULL);
	bool ok = text_parse(m, argv[2], (Str){text, len}, &d);
	const AbiTarget *target = abi_target(argc > 3 ? str_of(argv[3]) : STR(""));
	if (target)
		ir_module_set_address_size(m, target->machine->address_size);
	if (ok)
		put_module(m, strcmp(argv[1], "--check") == 0);
	ir_module_destroy(m);
	free(text);
	return ok ? 0 : 1;
}
