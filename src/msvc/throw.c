/* The tables of a throw: what _CxxThrowException is given. Their layout and names are those
 * of clang and of Microsoft's compiler:
 *
 * 	_TI2PEAH    ThrowInfo           { attributes, destructor, 0, array }
 * 	_CTA2PEAH   CatchableTypeArray  { n, [n x catchable type] }
 * 	_CT??_R0PEAH@88  CatchableType  { properties, descriptor, mdisp, pdisp, vdisp, size, copy constructor }
 *
 * all addresses relative to the image. What a class is caught as, and how it is copied and destroyed, depends
 * on functions and on the layout of the module that throws it. Its tables, and those of pointers to it, are
 * internal to the object, so that the linker cannot take them for those of C++. */
#include "ir/data.h"
#include "msvc/bases.h"
#include "msvc/object_size.h"

/* One throw of a type may give a destructor, another may not. */
struct MsThrown {
	Name *dtor, *table;
	struct MsThrown *next;
};
typedef struct MsThrown MsThrown;

typedef enum Property {
	IS_SIMPLE = 1, /* copied by bytes */
	HAS_VIRTUAL_BASE = 4,
	IS_BAD_ALLOC = 16,
} Property;

typedef VEC(Name *) Catchables;

typedef struct Throw {
	MsTypes *t;
	const MsInfo *info;
	IrType *object; /* what is thrown; NULL: not told */
	Loc loc;
	Catchables catchables;
	bool ok;
} Throw;

static Name *make_name(IrModule *m, StrBuf *text)
{
	return ir_name(m, (Str){text->data, text->len});
}

/* Functions */

/* The relocation needs a definition or declaration, not an alias of one. */
static Name *behind_aliases(Name *symbol)
{
	const IrOp *op = ir_symbol(symbol);
	while (op && ir_op_has(op, NAME_aliasee)) {
		symbol = ir_op_symbol(op, NAME_aliasee);
		op = ir_symbol(symbol);
	}
	return symbol;
}

/* void (S *, const S *), as constructors are in both ABIs. */
static bool is_copy_ctor(const IrOp *op)
{
	const IrType *type = op && op->kind == OP_FUNC ? ir_func_type(op) : NULL;
	return type && type->nmembers == 2 && !type->variadic && ir_is_ptr(type->members[0]) &&
	       ir_is_ptr(type->members[1]);
}

/* False: reported. */
static bool copy_ctor(Throw *w, const MsInfo *info, Name **out)
{
	static const char shape[] = "a function of the module that takes two pointers";
	*out = NULL;
	if (!info->op || !ir_op_has(info->op, NAME_ms_copy_ctor))
		return true;
	const IrAttr *a = ms_info_attr(w->t, info->op, NAME_ms_copy_ctor, ATTR_SYMBOL, shape);
	if (a && is_copy_ctor(ir_symbol(a->name))) {
		*out = behind_aliases(a->name);
		return true;
	}
	if (a)
		diag_error(w->t->d, info->op->loc,
		           "attribute 'cir.ms.copy_ctor' of type info '%s' must be %s", info->symbol->text,
		           shape);
	return false;
}

/* Catchable types */

static bool is_bad_alloc(Throw *w, MsInfo *info)
{
	MsInfo *pointee = ms_info_is_pointer(info) ? ms_info_pointed_class(w->t, info, w->loc) : info;
	return pointee && str_equal(pointee->name, STR("?AVbad_alloc@std@@"));
}

static const IrAttr *catchable_value(IrModule *m, const MsBase *base, unsigned properties, Name *descriptor,
                                     uint64_t size, Name *copy)
{
	const IrAttr *elems[] = {
	    ir_attr_int(m, m->u32, properties),
	    ir_data_image_relative(m, descriptor),
	    ir_attr_int(m, m->s32, (uint64_t)(int64_t)base->place.mdisp),
	    ir_attr_int(m, m->s32, (uint64_t)(int64_t)base->place.pdisp),
	    ir_attr_int(m, m->s32, (uint64_t)(int64_t)base->place.vdisp),
	    ir_attr_int(m, m->u32, size),
	    ir_data_image_relative(m, copy),
	};
	return ir_data_record(m, elems, ARRAY_LEN(elems));
}

/* _CT <descriptor> [<copy constructor>] <size> [<place>] */
static Name *catchable_name(IrModule *m, const MsPlace *place, const Name *descriptor, uint64_t size,
                            const Name *copy)
{
	StrBuf text = {0};
	Arena *a = &m->scratch;
	buf_printf(a, &text, "_CT%s%s%llu", descriptor->text, copy ? copy->text : "",
	           (unsigned long long)size);
	if (place->pdisp != -1)
		buf_printf(a, &text, "%d%d%d", (int)place->mdisp, (int)place->pdisp, (int)place->vdisp);
	else if (place->mdisp)
		buf_printf(a, &text, "%d", (int)place->mdisp);
	return make_name(m, &text);
}

/* LLVM IR often has no record of a base: what is thrown is as large at least. */
static bool tells_size(const Throw *w, const MsBase *base)
{
	return base->info == w->info || ir_module_attr(w->t->m, NAME_circ_llvm);
}

static void add_catchable(Throw *w, const MsBase *base)
{
	IrModule *m = w->t->m;
	Name *copy = NULL, *descriptor = ms_info_descriptor(w->t, base->info, w->loc);
	uint64_t size =
	    descriptor ? ms_size(w->t, base->info, tells_size(w, base) ? w->object : NULL, w->loc) : 0;
	w->ok = size && copy_ctor(w, base->info, &copy) && w->ok;
	if (!w->ok)
		return;
	unsigned properties = ms_info_is_class(w->t, base->info) ? 0 : IS_SIMPLE;
	properties |= base->has_virtual ? HAS_VIRTUAL_BASE : 0;
	properties |= is_bad_alloc(w, base->info) ? IS_BAD_ALLOC : 0;
	Name *name = catchable_name(m, &base->place, descriptor, size, copy);
	if (!ir_symbol(name))
		ir_data_define(m, name, catchable_value(m, base, properties, descriptor, size, copy),
		               IR_DATA_CONSTANT | IR_DATA_XDATA | (copy ? 0 : IR_DATA_SHARED), w->loc);
	for (uint32_t i = 0; i < w->catchables.len; i++)
		if (w->catchables.data[i] == name)
			return;
	vec_push(&m->scratch, &w->catchables, name);
}

/* ?AUname@@, PEAUname@@: where the tag is; 0: the type has none. */
static size_t place_of_tag(Str name)
{
	static const char *const before[] = {"?A", "PEA"};
	for (unsigned i = 0; i < ARRAY_LEN(before); i++) {
		size_t at = strlen(before[i]);
		if (str_begins_with(name, str_of(before[i])) && name.len > at &&
		    (name.data[at] == 'U' || name.data[at] == 'V'))
			return at;
	}
	return 0;
}

/* LLVM IR does not always tell a struct from a class: what is thrown is caught as either. */
static void add_either(Throw *w, const MsBase *base)
{
	add_catchable(w, base);
	IrModule *m = w->t->m;
	size_t at = place_of_tag(base->info->name);
	if (!w->ok || !at || !ir_module_attr(m, NAME_circ_llvm))
		return;
	char *name = arena_copy(&m->arena, base->info->name.data, base->info->name.len);
	name[at] = name[at] == 'U' ? 'V' : 'U';
	MsInfo *info = arena_new(&m->arena, MsInfo);
	*info = *base->info;
	info->name.data = name;
	info->descriptor = NULL;
	MsBase other = *base;
	other.info = info;
	add_catchable(w, &other);
}

static void add_same(Throw *w, MsInfo *info)
{
	w->ok = info && w->ok;
	if (w->ok)
		add_either(w, &(MsBase){.info = info, .place = {.pdisp = -1}});
}

/* Is it a class of namespace std that Microsoft's library has? */
static bool is_library_class(MsTypes *t, const MsInfo *class)
{
	const CxxType *type = class->type;
	const MsStd *std = type && type->kind == CXX_NAMED ? ms_class(t, class->type)->std : NULL;
	return std && !std->is_value && !ms_info_value(class->op);
}

static bool has_itanium_table(MsTypes *t, const MsInfo *class)
{
	enum { PREFIX = 4 };
	if (!ms_name_begins(class->symbol, "_ZTI"))
		return false;
	Arena *mem = &t->m->scratch;
	ArenaMark mark = arena_mark(mem);
	const char *text = arena_printf(mem, "_ZTV%s", class->symbol->text + PREFIX);
	bool found = ir_symbol(ir_name(t->m, str_of(text))) != NULL;
	arena_release(mem, mark);
	return found;
}

/* C++ catches it by that base, and calls what() there, in the wrong slot of a table of another ABI. */
static void check_table(Throw *w, const MsInfo *class, const MsBases *bases)
{
	const MsInfo *base = NULL;
	for (uint32_t i = 1; i < bases->len && !base; i++)
		base = is_library_class(w->t, bases->data[i].info) ? bases->data[i].info : NULL;
	if (base && !is_library_class(w->t, class) && has_itanium_table(w->t, class))
		diag_warning(w->t->d, w->loc,
		             "'%s' can be caught as '%s', whose functions are called by Microsoft's virtual "
		             "table, but '_ZTV%s' has the Itanium layout; leave that base out of "
		             "'cir.ms.bases' of the type info",
		             ms_info_spelling(w->t, class), ms_info_spelling(w->t, base),
		             class->symbol->text + 4);
}

/* The class and its bases, or pointers to them. */
static void add_classes(Throw *w, MsInfo *class, bool pointers)
{
	MsBases bases = {0};
	w->ok = ms_bases(w->t, class, w->loc, &bases);
	if (w->ok)
		check_table(w, class, &bases);
	for (uint32_t i = 0; w->ok && i < bases.len; i++) {
		MsBase base = bases.data[i];
		if (pointers) {
			base.info = ms_info_of_pointer(w->t, base.info);
		}
		add_either(w, &base);
	}
}

static void add_void_pointer(Throw *w)
{
	CxxTypes *types = &w->t->types;
	CxxType *pointer = cxx_type_of(types, CXX_POINTER, cxx_type_builtin(types, CXX_VOID));
	add_same(w, ms_info_of_type(w->t, pointer, w->loc));
}

static bool points_to_function(const MsInfo *info)
{
	return info->type && info->type->kind == CXX_POINTER && info->type->elem->kind == CXX_FUNCTION;
}

/* Pointers to objects convert to void pointers. So does nullptr to any pointer, but they cannot all be
 * listed: Microsoft lists that one. */
static void add_all(Throw *w, MsInfo *info)
{
	bool null = info->type && info->type->kind == CXX_BUILTIN && info->type->builtin == CXX_NULLPTR;
	MsInfo *pointee = ms_info_pointed_class(w->t, info, w->loc);
	if (pointee)
		add_classes(w, pointee, true);
	else if (ms_info_is_class(w->t, info))
		add_classes(w, info, false);
	else
		add_same(w, info);
	if ((ms_info_is_pointer(info) && !points_to_function(info)) || null)
		add_void_pointer(w);
}

/* The whole */

/* Not shared: in an object, another throw of the type may have made one with another destructor. */
static Name *define(Throw *w, StrBuf *text, const IrAttr *value, bool shared)
{
	IrModule *m = w->t->m;
	Name *name = shared ? make_name(m, text) : ir_free_name(m, (Str){text->data, text->len});
	if (!ir_symbol(name))
		ir_data_define(m, name, value,
		               IR_DATA_CONSTANT | IR_DATA_XDATA | (shared ? IR_DATA_SHARED : 0), w->loc);
	return name;
}

/* _CTA <n> <type> */
static Name *define_array(Throw *w, const MsInfo *info, bool shared)
{
	IrModule *m = w->t->m;
	uint32_t n = w->catchables.len;
	StrBuf text = {0};
	const IrAttr **types = arena_array(&m->scratch, const IrAttr *, n);
	for (uint32_t i = 0; i < n; i++)
		types[i] = ir_data_image_relative(m, w->catchables.data[i]);
	const IrAttr *elems[] = {ir_attr_int(m, m->u32, n), ir_data_array(m, m->u32, types, n)};
	buf_printf(&m->scratch, &text, "_CTA%u%.*s", n, (int)info->name.len, info->name.data);
	return define(w, &text, ir_data_record(m, elems, ARRAY_LEN(elems)), shared);
}

/* _TI [C] [V] <n> <type> */
static Name *define_info(Throw *w, const MsInfo *info, Name *array, Name *dtor, bool shared)
{
	IrModule *m = w->t->m;
	StrBuf text = {0};
	const IrAttr *elems[] = {ir_attr_int(m, m->u32, info->adjectives), ir_data_image_relative(m, dtor),
	                         ir_attr_int(m, m->u32, 0), ir_data_image_relative(m, array)};
	buf_printf(&m->scratch, &text, "_TI%s%s%u%.*s", info->adjectives & MS_CONST ? "C" : "",
	           info->adjectives & MS_VOLATILE ? "V" : "", w->catchables.len, (int)info->name.len,
	           info->name.data);
	return define(w, &text, ir_data_record(m, elems, ARRAY_LEN(elems)), shared);
}

static Name *make_table(MsTypes *t, MsInfo *info, Name *dtor, IrType *object, Loc loc)
{
	Throw w = {.t = t, .info = info, .object = object, .loc = loc, .ok = true};
	ArenaMark mark = arena_mark(&t->m->scratch);
	bool of_class = ms_info_is_class(t, info) || ms_info_pointed_class(t, info, loc);
	bool shared = !of_class && !dtor;
	Name *table = NULL;
	add_all(&w, info);
	if (w.ok)
		table = define_info(&w, info, define_array(&w, info, shared), dtor, shared);
	arena_release(&t->m->scratch, mark);
	return table;
}

Name *ms_throw_info(MsTypes *t, Name *type_info, Name *dtor, IrType *object, Loc loc)
{
	MsInfo *info = ms_info(t, type_info, loc);
	if (!info)
		return NULL;
	dtor = behind_aliases(dtor);
	if (dtor && !ir_symbol(dtor)) {
		diag_error(t->d, loc, "destructor '%s' is not in the module", dtor->text);
		return NULL;
	}
	MsThrown *thrown = info->thrown;
	while (thrown && thrown->dtor != dtor)
		thrown = thrown->next;
	if (!thrown) {
		thrown = arena_new(&t->m->arena, MsThrown);
		*thrown = (MsThrown){
		    .dtor = dtor, .table = make_table(t, info, dtor, object, loc), .next = info->thrown};
		info->thrown = thrown;
	}
	return thrown->table;
}
