/* base/diag.h: places in a text, and messages about them.
 *
 * Ownership  a Diags borrows its Source and handler; messages are borrowed by the handler for the call.
 * Errors     reporting never fails. After `limit` errors further errors are counted, not delivered (a final
 *            note says so), and diag_full() tells a recovering parser to stop.
 * Threads    a Diags belongs to one thread at a time.
 */
#ifndef CIRC_BASE_DIAG_H
#define CIRC_BASE_DIAG_H

#include "base/base.h"
#include "base/diag_memory.h"
#include "circ/diagnostic.h"

enum {
	DIAG_LIMIT = 20, /* errors reported per run (design.md section 8) */
	DIAG_MOST = 100  /* Diags.most, where a stranger wrote the module */
};

/* A text that was read; borrowed bytes. Offsets into it fit 32 bits. */
typedef struct Source {
	const char *name;
	Str text;
} Source;

typedef enum LocKind { LOC_UNKNOWN, LOC_FILE, LOC_NAME, LOC_CALLSITE, LOC_FUSED } LocKind;

/* A `loc(...)` of the text (reference 1.8) or a location given to the builder. */
typedef struct LocInfo {
	LocKind kind : 8;
	uint32_t depth : 24; /* of locations in it, itself included */
	uint32_t ninner;     /* LOC_NAME 0 or 1; LOC_CALLSITE 2 (callee, caller); LOC_FUSED any; else 0 */
	Str name;            /* LOC_FILE: the file. LOC_NAME: the name */
	uint32_t line, col;  /* LOC_FILE: from 1 */
	union {
		struct {
			uint32_t end_line, end_col; /* LOC_FILE with a range; else 0 */
		};
		const struct LocInfo **inner; /* other kinds */
	};
} LocInfo;

/* Where something stands: its place in the text, and what the text says of its origin. */
typedef struct Loc {
	uint32_t pos;        /* offset in the Source plus 1; 0: not from a text */
	uint32_t scope;      /* the block of the source: 1 + index in the module's scopes; 0: the function */
	const LocInfo *info; /* or NULL */
} Loc;

/* What a message may name as a remedy. */
typedef enum Setting {
#define SETTING(id, library, option) SETTING_##id,
#include "base/setting.def"
	SETTING_COUNT
} Setting;

typedef struct Diags {
	CircDiagnosticHandler *handler; /* NULL: only count */
	void *user;
	const Source *source; /* diag_set_source() */
	uint32_t line, begin; /* of the source: the line of the last message, and its offset; 0: none yet */
	uint32_t errors;      /* CIRC_ERROR and CIRC_FAILURE so far, delivered or not */
	uint32_t limit;
	uint32_t most;   /* notes, remarks and warnings that are delivered; 0: all */
	uint32_t lesser; /* of these so far, delivered or not */
	bool muted;      /* the last message was not delivered: its notes are not either */
	const char *const *
	    settings; /* what those who read the messages call each Setting; NULL: as users of the library do */
	DiagMemory *memory; /* warnings and remarks that it knows are not delivered again; NULL: all are */
} Diags;

void diag_init(Diags *d, CircDiagnosticHandler *handler, void *user);
/* What Loc.pos points into; NULL for a module that was built. */
void diag_set_source(Diags *d, const Source *source);

void diag_error(Diags *d, Loc loc, const char *fmt, ...) BASE_PRINTF(3, 4);
void diag_warning(Diags *d, Loc loc, const char *fmt, ...) BASE_PRINTF(3, 4);
void diag_remark(Diags *d, Loc loc, const char *fmt, ...) BASE_PRINTF(3, 4);
void diag_note(Diags *d, Loc loc, const char *fmt, ...) BASE_PRINTF(3, 4);
/* The system or LLVM failed; there is no place. */
void diag_failure(Diags *d, const char *fmt, ...) BASE_PRINTF(2, 3);

/* The name of a setting, for a message. */
const char *diag_setting(const Diags *d, Setting setting);

static inline bool diag_full(const Diags *d)
{
	return d->errors >= d->limit;
}

/* The innermost file:line:col of a location tree, or NULL. */
const LocInfo *loc_file(const LocInfo *info);

/* A symbol that is used, and where. */
typedef struct SymbolUse {
	Str name;
	LocInfo place; /* line 0: unknown */
} SymbolUse;

#endif
