/* What the reader gets of this folder. */
#include "text/old/old.h"

static const Spelling spellings[] = {
#define OLD(op, name, text)          {.mnemonic = name, .kind = OP_##op, .format = text, .is_older = true},
#define OLD_CUSTOM(op, name, parse)  {.mnemonic = name, .kind = OP_##op, .custom = parse, .is_older = true},
#define ALSO(op, name, text)         {.mnemonic = name, .kind = OP_##op, .format = text},
#define ALSO_CUSTOM(op, name, parse) {.mnemonic = name, .kind = OP_##op, .custom = parse},
#include "text/old/ops.def"
};

static void end_of_text(Parser *p)
{
	parse_old_exceptions(p);
	parse_untyped_calls(p);
	parse_old_statics(p);
}

const OldText old_text = {
    .spellings = spellings,
    .nspellings = sizeof spellings / sizeof *spellings,
    .modernise = parse_modernise,
    .modernise_numbers = parse_modernise_numbers,
    .wrap_call = parse_wrap_call,
    .name_try = parse_early_try,
    .note_access = parse_note_access,
    .tell_padding = parse_tell_padding,
    .end_of_text = end_of_text,
    .records_known = parse_padded,
};
