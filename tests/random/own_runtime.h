// Between own_runtime.cpp and fault_runtime.cpp.
#ifndef OWN_RUNTIME_H
#define OWN_RUNTIME_H

struct CircRecord;

void own_raise(int n); // throws anything, where nothing can go on

void fault_start();                     // of each run
bool is_fault(const CircRecord *r);     // or a check that failed: has it a code of Windows?
void fault_say(const CircRecord *r);    // an event
bool fault_repair(const CircRecord *r); // false: it cannot be continued

#endif
