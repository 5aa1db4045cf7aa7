/* driver/llvm_messages.h: what LLVM itself writes on standard error, without the bytes that a terminal obeys.
 *
 * For an error in an included file LLVM's assembler prints "Included from NAME:" past the handler of diagnostics, and NAME
 * is whatever the module's assembly says. So, while code is made of assembly, standard error is a file.
 *
 * Threads  any; the file is there until the last one has released it
 */
#ifndef CIRC_DRIVER_LLVM_MESSAGES_H
#define CIRC_DRIVER_LLVM_MESSAGES_H

void llvm_messages_hold(void);
/* The last one prints what has come, control bytes escaped. Our own colours stay. */
void llvm_messages_release(void);
/* For an end of the process on the way: prints what has come, whoever holds it. */
void llvm_messages_flush(void);

#endif
