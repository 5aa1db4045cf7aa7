/* Where exceptions land in a frame: its table is one of ELF's kind, behind what names the personality. */
#include "runtime/eh/exception.h"
#include "runtime/eh/unwind/lsda.h"

void __circ_personality_seh0(void);

void *circ_frame_label(const CircFrame *f)
{
	Lsda lsda;
	LsdaSite site;
	LsdaBases bases = {.function = f->function};
	if (f->handler != (uintptr_t)__circ_personality_seh0)
		return NULL;
	circeh_lsda_open(&lsda, (const uint8_t *)f->table, &bases);
	return circeh_lsda_find(&lsda, f->pc - 1, &site) ? (void *)site.pad : NULL;
}
