#include "driver/options_check.h"

#include "emit/emit.h"
#include "emit/output.h"

#include <stdlib.h>
#include <unistd.h>

static uint32_t count_files(const Options *o)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < o->inputs.len; i++)
		n += !o->inputs.data[i].is_option;
	return n;
}

static bool check_inputs(const Options *o, Report *r)
{
	bool links = o->product == MAKE_PROGRAM && !o->verify_only;
	uint32_t standard_inputs = 0;
	if (count_files(o) == 0) {
		report_usage(r, "no input file; run 'circ --help' for usage");
		return false;
	}
	if (!links && o->ncir == 0) {
		report_usage(r, "no CIR among the input files");
		return false;
	}
	for (uint32_t i = 0; i < o->inputs.len; i++) {
		const Input *in = &o->inputs.data[i];
		standard_inputs += strcmp(in->path, "-") == 0;
		if (!links && !in->is_cir && !in->is_option)
			report_warning(r, "'%s' is ignored, because nothing is linked", in->path);
	}
	if (standard_inputs > 1) {
		report_usage(r, "standard input ('-') can be read only once");
		return false;
	}
	return true;
}

/* The file name without folder and last suffix, as the default names of outputs begin. */
static Str stem(const char *path)
{
	const char *base = path_base(path), *dot = strrchr(base, '.');
	return dot && dot != base ? (Str){base, (size_t)(dot - base)} : str_of(base);
}

static bool check_default_names(const Options *o, Report *r)
{
	for (uint32_t i = 0; i < o->inputs.len; i++)
		for (uint32_t j = 0; j < i; j++) {
			const Input *a = &o->inputs.data[j], *b = &o->inputs.data[i];
			if (!a->is_cir || !b->is_cir || !str_equal(stem(a->path), stem(b->path)))
				continue;
			report_usage(r, "'%s' and '%s' would both be written to '%.*s%s'", a->path, b->path,
			             (int)stem(a->path).len, stem(a->path).data,
			             product_info[o->product].suffix);
			return false;
		}
	return true;
}

static bool check_number_of_outputs(const Options *o, Report *r)
{
	if (o->product == MAKE_PROGRAM || o->ncir == 1)
		return true;
	if (o->output) {
		report_usage(r,
		             "'-o %s' names one output file, but %u are written; remove it or pass one input",
		             o->output, o->ncir);
		return false;
	}
	if (!product_info[o->product].suffix) {
		report_usage(r, "'--emit=%s' prints one module, but %u files are given; pass one",
		             product_info[o->product].name, o->ncir);
		return false;
	}
	return check_default_names(o, r);
}

/* Text of CIR may replace its own input, which has been read completely by then; nothing
 * else may replace any. */
bool options_check_output(const Options *o, const char *path, Report *r)
{
	for (uint32_t i = 0; i < o->inputs.len; i++) {
		const Input *input = &o->inputs.data[i];
		bool may = input->is_option ||
		           (input->is_cir && o->product <= MAKE_ABI && o->command != COMMAND_VIEW);
		if (!may && output_replaces(path, input->path)) {
			report_usage(r, "output '%s' is also an input; choose another name", path);
			return false;
		}
	}
	return true;
}

static bool check_terminal(const Options *o, Report *r)
{
	bool binary = o->product == MAKE_BITCODE || o->product >= MAKE_OBJECT;
	bool standard = o->output ? strcmp(o->output, "-") == 0
	                          : o->product != MAKE_PROGRAM && strcmp(o->inputs.data[0].path, "-") == 0;
	if (!binary || !standard || !isatty(STDOUT_FILENO))
		return true;
	report_usage(r, "standard output is a terminal, and '--emit=%s' is not text; add '-o FILE'",
	             product_info[o->product].name);
	return false;
}

static bool is_object(const char *path)
{
	size_t n = strlen(path);
	return n > 2 && strcmp(path + n - 2, ".o") == 0;
}

/* An output that -MD would replace, or an input. */
static bool check_depfile_name(const Options *o, Report *r)
{
	const char *name = o->depfile_name;
	if (!name)
		return true;
	for (uint32_t i = 0; i < o->inputs.len; i++)
		if (!o->inputs.data[i].is_option && output_replaces(name, o->inputs.data[i].path)) {
			report_usage(r, "'-MF %s' names an input; choose another name", name);
			return false;
		}
	if (o->output && strcmp(o->output, name) == 0) {
		report_usage(r, "'-MF %s' names the output, too; choose another name", name);
		return false;
	}
	return true;
}

static bool writes_standard_output(const Options *o)
{
	if (o->output)
		return strcmp(o->output, "-") == 0;
	for (uint32_t i = 0; i < o->inputs.len; i++)
		if (o->inputs.data[i].is_cir && strcmp(o->inputs.data[i].path, "-") == 0)
			return true;
	return !product_info[o->product].suffix;
}

static bool check_depfile(const Options *o, Report *r)
{
	const char *by = o->depfile_name ? "-MF" : o->depfile_targets.len ? "-MT" : NULL;
	bool named = o->depfile_name && o->depfile_targets.len;
	if (!o->depfile && (by || o->depfile_phony))
		report_usage(r, "'%s' requires '-MD'", by ? by : "-MP");
	else if (!o->depfile)
		return true;
	else if (o->product == MAKE_PROGRAM)
		report_usage(r, "'-MD' requires '-c', '-S' or '--emit' of one output for each input");
	else if (by && o->ncir > 1)
		report_usage(r, "'%s' is of one input, but %u are given", by, o->ncir);
	else if (!named && writes_standard_output(o))
		report_usage(r, "'-MD' requires '-MF FILE' and '-MT NAME' for standard output");
	else
		return check_depfile_name(o, r);
	return false;
}

static bool check_source_name(const Options *o, Report *r)
{
	if (!o->source_name || o->ncir <= 1)
		return true;
	report_usage(r, "'--source-name' names one input, but %u are given", o->ncir);
	return false;
}

/* A DLL of windows-gnu contains its libraries anyway, and builds for MinGW say so. */
static bool check_static(const Options *o, Report *r)
{
	if (!o->is_static || !o->shared)
		return true;
	char *triple = o->triple ? emit_triple(o->triple) : NULL;
	bool ok = triple && emit_is_mingw(triple);
	free(triple);
	if (!ok)
		report_usage(r, "'-static' cannot be combined with '-shared'");
	return ok;
}

/* docs/untrusted.md. A linker reads and starts what this process would not. */
static bool check_untrusted(const Options *o, Report *r)
{
	const char *limit = o->max_time ? "--max-time" : o->max_memory ? "--max-memory" : NULL;
	if (!o->untrusted && limit)
		report_usage(r, "'%s' requires '--untrusted'", limit);
	else if (o->untrusted && o->product == MAKE_PROGRAM && !o->verify_only)
		report_usage(r, "'--untrusted' links nothing; add '-c', '-S', '--emit' or '--verify-only'");
	else
		return true;
	return false;
}

/* LLVM makes no promise about what its readers do with bytes of strangers. */
static bool check_untrusted_inputs(const Options *o, Report *r)
{
	for (uint32_t i = 0; o->untrusted && i < o->inputs.len; i++) {
		const Input *in = &o->inputs.data[i];
		const char *what = in->is_option ? "an option for the linker"
		                   : !in->is_cir ? "for the linker"
		                   : in->is_llvm ? "LLVM IR"
		                                 : NULL;
		if (!what)
			continue;
		report_usage(r, "'%s' is %s, which '--untrusted' does not take", in->path, what);
		return false;
	}
	return true;
}

/* What only compiling to files has. */
static bool check_no_files(const Options *o, const char *command, Report *r)
{
	const char *stray = o->depfile               ? "-MD"
	                    : o->depfile_name        ? "-MF"
	                    : o->depfile_targets.len ? "-MT"
	                    : o->depfile_phony       ? "-MP"
	                    : o->source_name         ? "--source-name"
	                    : o->prefix_maps.len     ? "-ffile-prefix-map"
	                    : o->is_static           ? "-static"
	                    : o->untrusted           ? "--untrusted"
	                    : o->max_time            ? "--max-time"
	                    : o->max_memory          ? "--max-memory"
	                                             : NULL;
	if (stray)
		report_usage(r, "'%s' cannot be used with 'circ %s'", stray, command);
	return !stray;
}

/* `circ run` makes no files. */
static bool check_run(const Options *o, Report *r)
{
	if (o->product_given_by || o->output || o->verify_only || o->dry_run) {
		report_usage(r, "'circ run' writes no file, so '%s' cannot be used with it",
		             o->product_given_by ? o->product_given_by
		             : o->output         ? "-o"
		             : o->verify_only    ? "--verify-only"
		                                 : "-###");
		return false;
	}
	if (o->jobs_given) {
		report_usage(r, "'circ run' compiles on one thread, so '-j' cannot be used with it");
		return false;
	}
	for (uint32_t i = 0; i < o->inputs.len; i++)
		if (!o->inputs.data[i].is_cir && !is_object(o->inputs.data[i].path)) {
			report_usage(r, "'circ run' cannot link '%s'; use '--load' for shared libraries",
			             o->inputs.data[i].path);
			return false;
		}
	return check_inputs(o, r);
}

/* `circ explain` writes what it finds on standard output. */
static bool check_explain(const Options *o, Report *r)
{
	if (o->product_given_by || o->output) {
		report_usage(r, "'circ explain' writes to standard output, so '%s' cannot be used with it",
		             o->product_given_by ? o->product_given_by : "-o");
		return false;
	}
	uint32_t files = count_files(o);
	if (files != o->inputs.len || files < 1 || files > 2) {
		report_usage(
		    r, "'circ explain' requires one file, or an object and the CIR that it was made of");
		return false;
	}
	if (o->at && !o->thrown) {
		report_usage(r, "'--at' requires '--throw=TYPE'");
		return false;
	}
	return true;
}

/* `circ view` writes one page of one module. */
static bool check_view(const Options *o, Report *r)
{
	const char *stray = o->product_given_by ? o->product_given_by
	                    : o->debug          ? "-g"
	                    : o->verify_only    ? "--verify-only"
	                    : o->dry_run        ? "-###"
	                                        : NULL;
	if (stray) {
		report_usage(r, "'%s' cannot be used with 'circ view', which shows all stages", stray);
		return false;
	}
	if (o->inputs.len != 1 || o->ncir != 1) {
		report_usage(r, "'circ view' requires one CIR file");
		return false;
	}
	bool standard = o->output && strcmp(o->output, "-") == 0;
	if (o->open && standard) {
		report_usage(r, "'--open' requires a file; name one with '-o FILE'");
		return false;
	}
	if (o->inputs.data[0].is_llvm) {
		report_usage(r,
		             "'circ view' shows CIR, not LLVM IR; convert it with 'circ --emit=cir %s "
		             "-o FILE.cir'",
		             o->inputs.data[0].path);
		return false;
	}
	return !o->output || options_check_output(o, o->output, r);
}

/* Texts come in messages, and so does what is asked of them. */
static bool check_lsp(const Options *o, Report *r)
{
	const char *stray = o->product_given_by ? o->product_given_by
	                    : o->output         ? "-o"
	                    : o->debug          ? "-g"
	                    : o->verify_only    ? "--verify-only"
	                    : o->inputs.len     ? o->inputs.data[0].path
	                                        : NULL;
	if (stray)
		report_usage(r, "'circ lsp' takes no '%s'; editors send it texts", stray);
	return !stray;
}

bool options_check(const Options *o, Report *r)
{
	if (o->command == COMMAND_LSP)
		return check_no_files(o, "lsp", r) && check_lsp(o, r);
	if (o->command == COMMAND_RUN)
		return check_no_files(o, "run", r) && check_run(o, r);
	if (o->command == COMMAND_EXPLAIN)
		return check_no_files(o, "explain", r) && check_explain(o, r);
	if (o->command == COMMAND_VIEW)
		return check_no_files(o, "view", r) && check_view(o, r);
	const char *stray = o->thrown        ? "--throw"
	                    : o->at          ? "--at"
	                    : o->json        ? "--json"
	                    : o->unwind_rows ? "--unwind-rows"
	                                     : NULL;
	if (stray) {
		report_usage(r, "'%s' can only be used with 'circ explain'", stray);
		return false;
	}
	if (o->open) {
		report_usage(r, "'--open' can only be used with 'circ view'");
		return false;
	}
	if (o->loads.len) {
		report_usage(r, "'--load' can only be used with 'circ run'");
		return false;
	}
	if (o->lazy) {
		report_usage(r, "'%s' can only be used with 'circ run'", o->lazy);
		return false;
	}
	if (!check_untrusted(o, r) || !check_untrusted_inputs(o, r))
		return false;
	if (!check_inputs(o, r) || !check_source_name(o, r) || !check_static(o, r))
		return false;
	return o->verify_only ||
	       (check_number_of_outputs(o, r) && check_depfile(o, r) &&
	        (!o->output || options_check_output(o, o->output, r)) && check_terminal(o, r));
}
