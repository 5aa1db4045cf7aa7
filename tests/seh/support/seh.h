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

#define READ(address)         (*(int *)(unsigned long long)(address))
#define WRITE(address, value) (*(int *)(unsigned long long)(address) = (value))

int yes(void); /* 1, which no compiler knows */

/* peer.c, on windows-msvc. f: called in a __try that has a __finally, or an __except whose filter answers 0, 1 or -1, or a __finally that
 * raises */
void through(void (*f)(void));
void passed(void (*f)(void));
void taken(void (*f)(void));
void resumed(void (*f)(void));
void replaced(void (*f)(void));

void jumped(void (*f)(void)); /* f: called behind setjmp() */
void jump_out(void);          /* longjmp() */

/* What faults. */
int read_from(unsigned address);
void write_to(unsigned address);
int load_from(unsigned address); /* by an instruction of two bytes, into RAX */
int divide(int a, int b);
void illegal(void);
void touch_guard_page(void);
void say_fault(const void *pointers,
               const void *function); /* the function that faulted is `function`: 1 or 0 */

#endif
