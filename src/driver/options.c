#include "driver/options.h"

#include "base/suggest.h"
#include "driver/arguments.h"
#include "text/print/print.h"

#include <stdlib.h>

enum { JOBS_MAX = 256 };

typedef enum OptionId {
#define OPTION(id, spelling, form, value, choices, help) OPTION_##id,
#include "driver/options.def"
	OPTION_COUNT
} OptionId;

typedef struct OptionRow {
	const char *spelling;
	OptionForm form;
	const char *choices; /* NULL: not looked at here */
	const char *help;    /* NULL: for those who work on circ, never suggested */
} OptionRow;

static const OptionRow rows[OPTION_COUNT] = {
#define OPTION(id, spelling, form, value, choices, help) [OPTION_##id] = {spelling, form, choices, help},
#include "driver/options.def"
};

const ProductInfo product_info[PRODUCT_COUNT] = {
    [MAKE_CIR] = {"cir", NULL},    [MAKE_FLAT] = {"flat", NULL},   [MAKE_ABI] = {"abi", NULL},
    [MAKE_LLVM] = {"llvm", NULL},  [MAKE_BITCODE] = {"bc", ".bc"}, [MAKE_ASSEMBLY] = {"asm", ".s"},
    [MAKE_OBJECT] = {"obj", ".o"}, [MAKE_PROGRAM] = {"exe", ""},
};

/* -x */
typedef enum Language { LANGUAGE_BY_NAME, LANGUAGE_CIR, LANGUAGE_LLVM } Language;

typedef struct Reader {
	Arguments arguments;
	Options *o;
	Arena *arena;
	Report *r;
	Language language; /* of the inputs that follow */
} Reader;

/* What the end of a file's name says about it. */
typedef struct Suffix {
	const char *text;
	const char *is;   /* NULL: for the linker */
	const char *hint; /* what to do with it */
} Suffix;

static const char compile_first[] = "compile it with 'clang++ -c' and pass the object to circ";
static const Suffix suffixes[] = {
    {".o", NULL, NULL},
    {".obj", NULL, NULL},
    {".a", NULL, NULL},
    {".lib", NULL, NULL},
    {".so", NULL, NULL},
    {".dll", NULL, NULL},
    {".c", "a C source", compile_first},
    {".h", "a C header", compile_first},
    {".cc", "a C++ source", compile_first},
    {".cpp", "a C++ source", compile_first},
    {".cxx", "a C++ source", compile_first},
    {".c++", "a C++ source", compile_first},
    {".C", "a C++ source", compile_first},
    {".hpp", "a C++ header", compile_first},
    {".s", "assembly", compile_first},
    {".S", "assembly", compile_first},
};

const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

char *path_with_suffix(const char *path, const char *suffix)
{
	const char *base = path_base(path), *dot = strrchr(base, '.');
	size_t stem = dot && dot != base ? (size_t)(dot - path) : strlen(path);
	char *out = malloc(stem + strlen(suffix) + 1);
	if (out) {
		memcpy(out, path, stem);
		strcpy(out + stem, suffix);
	}
	return out;
}

static const Suffix *find_suffix(const char *path)
{
	const char *base = path_base(path), *dot = strrchr(base, '.');
	for (size_t i = 0; dot && i < ARRAY_LEN(suffixes); i++)
		if (strcmp(dot, suffixes[i].text) == 0)
			return &suffixes[i];
	return strstr(base, ".so.") ? &suffixes[4] : NULL; /* libx.so.1.2 */
}

static bool is_llvm(const Reader *in, const char *path)
{
	const char *dot = strrchr(path_base(path), '.');
	return in->language ? in->language == LANGUAGE_LLVM
	                    : dot && (strcmp(dot, ".ll") == 0 || strcmp(dot, ".bc") == 0);
}

/* "a, b or c" of "a b c". */
static const char *list_choices(Arena *arena, const char *choices)
{
	const char *last = strrchr(choices, ' ');
	StrBuf text = {0};
	for (const char *c = choices; *c; c++)
		if (*c == ' ')
			buf_put(arena, &text, c == last ? STR(" or ") : STR(", "));
		else
			buf_char(arena, &text, *c);
	buf_char(arena, &text, '\0');
	return text.data;
}

/* The number of the value among those that the table has. */
static bool choose(Reader *in, OptionId id, const char *value, unsigned *number)
{
	const char *word = rows[id].choices;
	size_t n = strcspn(word, " ");
	for (unsigned i = 0; *word; i++) {
		if (strlen(value) == n && memcmp(word, value, n) == 0) {
			*number = i;
			return true;
		}
		word += n + (word[n] == ' ');
		n = strcspn(word, " ");
	}
	report_usage(in->r, "unknown value '%s' of '%s'; expected %s", value, rows[id].spelling,
	             list_choices(in->arena, rows[id].choices));
	return false;
}

static bool set_language(Reader *in, const char *value)
{
	static const Language languages[] = {LANGUAGE_CIR, LANGUAGE_LLVM, LANGUAGE_BY_NAME, LANGUAGE_BY_NAME};
	unsigned i = 0;
	if (!choose(in, OPTION_LANGUAGE, value, &i))
		return false;
	in->language = languages[i];
	return true;
}

static bool add_input(Reader *in, const char *path)
{
	const Suffix *suffix = in->language ? NULL : find_suffix(path);
	if (suffix && suffix->is) {
		report_usage(in->r, "'%s' is %s, not CIR; %s", path, suffix->is, suffix->hint);
		return false;
	}
	bool is_cir = !suffix;
	if (path[0] == '-' && path[1]) /* behind "--"; the linker would take it for an option */
		path = arena_printf(in->arena, "./%s", path);
	vec_push(in->arena, &in->o->inputs, ((Input){path, is_cir, false, is_llvm(in, path)}));
	in->o->ncir += is_cir;
	return true;
}

static bool set_product(Reader *in, Product product, const char *by)
{
	Options *o = in->o;
	if (o->product_given_by && o->product != product) {
		report_usage(in->r, "'%s' cannot be combined with '%s'", by, o->product_given_by);
		return false;
	}
	o->product = product;
	o->product_given_by = by;
	return true;
}

static bool set_emit(Reader *in, const char *value)
{
	unsigned i = 0;
	return choose(in, OPTION_EMIT, value, &i) &&
	       set_product(in, (Product)i, arena_printf(in->arena, "--emit=%s", value));
}

static bool set_opt(Reader *in, const char *value)
{
	unsigned i = 0;
	if (!choose(in, OPTION_OPTIMIZE, value, &i))
		return false;
	in->o->opt = *value;
	return true;
}

static bool set_dialect(Reader *in, const char *value)
{
	static const Dialect dialects[] = {DIALECT_AUTO, DIALECT_NEWEST, DIALECT_EARLIEST};
	unsigned i = 0;
	if (!choose(in, OPTION_FROM, value, &i))
		return false;
	in->o->from = dialects[i];
	return true;
}

static bool set_repair(Reader *in, const char *value)
{
	static const RepairMode modes[] = {REPAIR_AUTO, REPAIR_CLANG, REPAIR_NONE};
	unsigned i = 0;
	if (!choose(in, OPTION_REPAIR, value, &i))
		return false;
	in->o->repair = modes[i];
	in->o->repair_given = true;
	return true;
}

static bool set_number(Reader *in, const char *option, const char *value, unsigned max, unsigned *out)
{
	size_t digits = strspn(value, "0123456789");
	unsigned long n = digits <= 10 ? strtoul(value, NULL, 10) : 0;
	if (value[digits] || !n || n > max) {
		report_usage(in->r, "unknown value '%s' of '%s'; expected a number from 1 to %u", value,
		             option, max);
		return false;
	}
	*out = (unsigned)n;
	return true;
}

static bool set_cxxlib(Reader *in, const char *value)
{
	static const CxxLib libraries[] = {CXXLIB_LIBCXX, CXXLIB_LIBSTDCXX};
	unsigned i = 0;
	if (!choose(in, OPTION_CXXLIB, value, &i))
		return false;
	in->o->cxxlib = libraries[i];
	in->o->cxxlib_given = true;
	return true;
}

static bool set_eh(Reader *in, const char *value)
{
	unsigned i = 0;
	if (!choose(in, OPTION_EH, value, &i))
		return false;
	in->o->sjlj = i == 2;
	in->o->eh = i == 0 ? "a" : i == 1 ? "s" : NULL;
	return true;
}

static bool set_faults(Reader *in, const char *value)
{
	unsigned i = 0;
	if (!choose(in, OPTION_FAULTS, value, &i))
		return false;
	in->o->faults = value;
	return true;
}

static bool add_prefix_map(Reader *in, OptionId id, const char *value)
{
	if (prefix_map_add(in->arena, &in->o->prefix_maps, value, id == OPTION_DEBUG_PREFIX))
		return true;
	report_usage(in->r, "unknown value '%s' of '%s'; expected OLD=NEW", value, rows[id].spelling);
	return false;
}

/* At once, for messages about the command line. */
static bool set_colour(Reader *in, bool colour)
{
	in->r->colour = colour;
	return true;
}

static void add_linker_option(Reader *in, const char *spelling, const char *value)
{
	const char *arg = arena_printf(in->arena, "%s%s", spelling, value);
	vec_push(in->arena, &in->o->inputs, ((Input){arg, false, true}));
}

static bool set_code_model(Options *o, bool pic, bool pie)
{
	o->pic = pic;
	o->pie = pie;
	return true;
}

static bool set_debug(Options *o, unsigned dwarf)
{
	o->debug = dwarf;
	return true;
}

/* Several lists of features add up, the last word on a feature wins. */
static bool add_features(Reader *in, const char *value)
{
	const char *before = in->o->features;
	in->o->features = before ? arena_printf(in->arena, "%s,%s", before, value) : value;
	return true;
}

/* What an option sets that only says yes; NULL: it does more. */
static bool *flag_of(Options *o, OptionId id)
{
	switch (id) {
	case OPTION_VERIFY_ONLY:
		return &o->verify_only;
	case OPTION_NO_ASM_FILES:
		return &o->no_asm_files;
	case OPTION_UNTRUSTED:
		return &o->untrusted;
	case OPTION_VERBOSE:
		return &o->verbose;
	case OPTION_DRY_RUN:
		return &o->dry_run;
	case OPTION_TIME_PASSES:
		return &o->time_passes;
	case OPTION_VERSION:
		return &o->version;
	case OPTION_HELP:
	case OPTION_HELP_SHORT:
		return &o->help;
	case OPTION_VERIFY_EACH:
		return &o->verify_each;
	case OPTION_JSON:
		return &o->json;
	case OPTION_UNWIND_ROWS:
		return &o->unwind_rows;
	case OPTION_OPEN:
		return &o->open;
	case OPTION_DEPFILE:
	case OPTION_DEPFILE_USER:
		return &o->depfile;
	case OPTION_DEPFILE_PHONY:
		return &o->depfile_phony;
	case OPTION_STATIC:
		return &o->is_static;
	case OPTION_PTHREAD:
		return &o->pthread;
	default:
		return NULL;
	}
}

/* Where the value of an option is kept that is not looked at here; NULL: it is. */
static const char **text_of(Options *o, OptionId id)
{
	switch (id) {
	case OPTION_OUTPUT:
		return &o->output;
	case OPTION_CPU:
	case OPTION_ARCH:
		return &o->cpu;
	case OPTION_WINSDK:
		return &o->winsdk;
	case OPTION_EH_RUNTIME:
		return &o->eh_runtime;
	case OPTION_THROW:
		return &o->thrown;
	case OPTION_AT:
		return &o->at;
	case OPTION_DEPFILE_NAME:
		return &o->depfile_name;
	case OPTION_SOURCE_NAME:
		return &o->source_name;
	default:
		return NULL;
	}
}

static bool apply_other(Reader *in, OptionId id, const char *value)
{
	Options *o = in->o;
	switch (id) {
	case OPTION_COMPILE:
		return set_product(in, MAKE_OBJECT, "-c");
	case OPTION_ASSEMBLY:
		return set_product(in, MAKE_ASSEMBLY, "-S");
	case OPTION_TARGET:
		vec_push(in->arena, &o->triples, value);
		o->triple = value;
		break;
	case OPTION_EMIT:
		return set_emit(in, value);
	case OPTION_LANGUAGE:
		return set_language(in, value);
	case OPTION_FROM:
		return set_dialect(in, value);
	case OPTION_REPAIR:
		return set_repair(in, value);
	case OPTION_OPTIMIZE:
		return set_opt(in, value);
	case OPTION_FEATURES:
		return add_features(in, value);
	case OPTION_DEBUG:
	case OPTION_DEBUG_5:
		return set_debug(o, 5);
	case OPTION_DEBUG_4:
		return set_debug(o, 4);
	case OPTION_PIE:
		return set_code_model(o, true, true);
	case OPTION_PIC:
		return set_code_model(o, true, false);
	case OPTION_NO_PIC:
		return set_code_model(o, false, false);
	case OPTION_SHARED:
		o->shared = true;
		return set_code_model(o, true, false);
	case OPTION_CXXLIB:
		return set_cxxlib(in, value);
	case OPTION_LIBRARY_PATH:
	case OPTION_LIBRARY:
	case OPTION_LINKER:
		add_linker_option(in, rows[id].spelling, value);
		break;
	case OPTION_USE_LINKER:
		add_linker_option(in, "-fuse-ld=", value);
		break;
	case OPTION_EXPORT_ALL:
		add_linker_option(in, rows[id].spelling, "");
		break;
	case OPTION_DEPFILE_TARGET:
	case OPTION_DEPFILE_QUOTED:
		vec_push(in->arena, &o->depfile_targets,
		         ((DepfileTarget){value, id == OPTION_DEPFILE_QUOTED}));
		break;
	case OPTION_FILE_PREFIX:
	case OPTION_DEBUG_PREFIX:
		return add_prefix_map(in, id, value);
	case OPTION_COLOUR:
	case OPTION_NO_COLOUR:
		return set_colour(in, id == OPTION_COLOUR);
	case OPTION_LAZY:
	case OPTION_NO_LAZY:
		o->lazy = rows[id].spelling;
		break;
	case OPTION_LOAD:
		vec_push(in->arena, &o->loads, value);
		break;
	case OPTION_JOBS:
		o->jobs_given = value;
		return set_number(in, "-j", value, JOBS_MAX, &o->jobs);
	case OPTION_EH:
		return set_eh(in, value);
	case OPTION_FAULTS:
		return set_faults(in, value);
	case OPTION_LIFT:
		o->lift = true;
		return true;
	case OPTION_MAX_COPIED_OPS:
		return set_number(in, "--max-copied-ops", value, INT32_MAX, &o->max_copied_ops);
	case OPTION_MAX_DATA:
		return set_number(in, "--max-data", value, INT32_MAX, &o->max_data);
	case OPTION_MAX_CONSTANT_PARTS:
		return set_number(in, "--max-constant-parts", value, INT32_MAX, &o->max_constant_parts);
	case OPTION_MAX_TIME:
		return set_number(in, "--max-time", value, 86400, &o->max_time);
	case OPTION_MAX_MEMORY:
		return set_number(in, "--max-memory", value, 1 << 24, &o->max_memory);
	case OPTION_PART_OPS:
		return set_number(in, "--part-ops", value, INT32_MAX, &o->part_ops);
	case OPTION_PRINT_GENERIC:
		o->print_flags |= PRINT_GENERIC;
		break;
	case OPTION_PRINT_LOCATIONS:
		o->print_flags |= PRINT_LOCATIONS;
		break;
	case OPTION_DUMP_PLAN:
		o->dump_plan = true; /* made of flat CIR, and printed like it */
		return set_product(in, MAKE_FLAT, "--dump-plan");
	default: /* flag_of() and text_of() have the others */
		CHECK(false);
	}
	return true;
}

static bool apply(Reader *in, OptionId id, const char *value)
{
	bool *flag = flag_of(in->o, id);
	const char **text = text_of(in->o, id);
	if (flag)
		*flag = true;
	else if (text)
		*text = value;
	else
		return apply_other(in, id, value);
	return true;
}

/* Does the argument begin with this option? Where its value begins, NULL for "the next argument", else. */
static bool matches(const OptionRow *row, const char *arg, const char **value)
{
	size_t n = strlen(row->spelling);
	*value = NULL;
	if (strncmp(arg, row->spelling, n) != 0)
		return false;
	if (row->form == FLAG)
		return arg[n] == '\0';
	if (row->form == EQUALS) {
		*value = arg[n] == '=' ? arg + n + 1 : NULL;
		return arg[n] == '=' || (arg[n] == '\0' && arg[1] == '-');
	}
	*value = arg[n] || row->form == JOINED ? arg + n : NULL;
	return true;
}

static OptionId find_option(const char *arg, const char **value)
{
	for (unsigned id = 0; id < OPTION_COUNT; id++)
		if (matches(&rows[id], arg, value))
			return (OptionId)id;
	return OPTION_COUNT;
}

static bool unknown_option(Reader *in, const char *arg)
{
	Suggestion s = suggest_begin((Str){arg, strcspn(arg, "=")});
	for (unsigned i = 0; i < OPTION_COUNT; i++)
		if (rows[i].help)
			suggest_try(&s, str_of(rows[i].spelling));
	if (s.best.len)
		report_usage(in->r, "unknown option '%s'; did you mean '%s'?", arg, s.best.data);
	else
		report_usage(in->r, "unknown option '%s'; run 'circ --help' for a list", arg);
	return false;
}

static bool read_option(Reader *in, const char *arg)
{
	const char *value;
	OptionId id = find_option(arg, &value);
	if (id == OPTION_COUNT)
		return unknown_option(in, arg);
	if (rows[id].form == FLAG)
		return apply(in, id, NULL);
	if (!value)
		value = arguments_next(&in->arguments);
	if (!value || !*value) {
		report_usage(in->r, "'%s' requires a value", rows[id].spelling);
		return false;
	}
	return apply(in, id, value);
}

static void take_program_arguments(Reader *in)
{
	ArgumentList list = {0};
	for (char *arg; (arg = arguments_next(&in->arguments));)
		vec_push(in->arena, &list, arg);
	in->o->args = list.data;
	in->o->nargs = (int)list.len;
}

/* Is it the name of a command? */
static bool read_command(Reader *in, const char *arg)
{
	static const char *const names[] = {
#define COMMAND(id, name, synopsis, help) name,
#include "driver/options.def"
	};
	for (unsigned i = COMMAND_RUN; i < COMMAND_COUNT; i++)
		if (strcmp(arg, names[i]) == 0) {
			in->o->command = (Command)i;
			return true;
		}
	return false;
}

/* `circ help [TOPIC]`, `circ version`. */
static bool read_topic(Reader *in)
{
	const char *stray;
	if (in->o->command == COMMAND_HELP)
		in->o->topic = arguments_next(&in->arguments);
	stray = arguments_next(&in->arguments);
	if (!stray)
		return true;
	report_usage(in->r, "'circ %s' takes %s; remove '%s'",
	             in->o->command == COMMAND_HELP ? "help" : "version",
	             in->o->command == COMMAND_HELP ? "one topic" : "no arguments", stray);
	return false;
}

static bool read_argument(Reader *in, const char *arg, bool first)
{
	if (first && read_command(in, arg))
		return in->o->command < COMMAND_HELP || read_topic(in);
	return arg[0] == '-' && arg[1] ? read_option(in, arg) : add_input(in, arg);
}

/* Files of arguments are looked for where an option may stand, so that the value of one may begin with '@'. */
static bool read_arguments(Reader *in)
{
	bool only_files = false, first = true;
	for (const char *arg; (arg = arguments_next(&in->arguments));) {
		if (only_files) {
			if (!add_input(in, arg))
				return false;
		} else if (strcmp(arg, "--") == 0) {
			only_files = true;
			if (in->o->command == COMMAND_RUN)
				take_program_arguments(in);
		} else if (arg[0] == '@' && arg[1]) {
			if (!arguments_open(&in->arguments, arg + 1))
				return false;
			continue;
		} else if (!read_argument(in, arg, first)) {
			return false;
		}
		first = false;
	}
	return true;
}

bool options_parse(Options *o, int argc, char **argv, Arena *arena, Report *r)
{
	*o = (Options){.product = MAKE_PROGRAM, .opt = '0', .pic = true, .pie = true, .jobs = 1};
#ifndef NDEBUG
	o->verify_each = true; /* every pass keeps its contract */
#endif
	Reader in = {.o = o, .arena = arena, .r = r};
	arguments_init(&in.arguments, argc, argv, arena, r);
	return read_arguments(&in);
}
