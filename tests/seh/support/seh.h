/* What the programs call: support.c. */
#ifndef SEH_H
#define SEH_H

#ifdef _MSC_VER
#define GetExceptionCode        _exception_code
#define GetExceptionInformation _exception_info
#define AbnormalTermination     _abnormal_termination
#endif

void say(int n);
void say_code(unsigned code);
void say_arguments(const void *pointers); /* of EXCEPTION_POINTERS */

void raise_code(unsigned code);
void raise_with(unsigned code, unsigned first, unsigned second);
void raise_noncontinuable(unsigned code);

int yes(void); /* 1, which no compiler knows */

#endif
