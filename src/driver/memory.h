/* driver/memory.h: when LLVM has no memory, the command says so and ends with status 3. LLVM would abort. */
#ifndef CIRC_DRIVER_MEMORY_H
#define CIRC_DRIVER_MEMORY_H

void memory_watch(void);
/* Before a program runs in this process. */
void memory_release(void);

#endif
