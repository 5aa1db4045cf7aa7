/* runtime/eh/elf/stay_loaded.h: code that the system calls must not be unloaded. */
#ifndef CIRC_RUNTIME_EH_ELF_STAY_LOADED_H
#define CIRC_RUNTIME_EH_ELF_STAY_LOADED_H

/* The shared library that this copy of libcircrt is in stays, whoever calls dlclose(). */
void circeh_stay_loaded(void);

#endif
