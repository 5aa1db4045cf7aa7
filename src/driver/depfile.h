/* driver/depfile.h: -MD: a rule of make that says what an output is made of. */
#ifndef CIRC_DRIVER_DEPFILE_H
#define CIRC_DRIVER_DEPFILE_H

#include "driver/options.h"

/* Writes the rule of one input to -MF's file, else to one with the output's name and the suffix .d. What assembly in it reads by .incbin is not there, as with other compilers. False: reported. */
bool depfile_write(const Options *o, const Input *input, const char *output, Diags *d);

#endif
