/* runtime/eh/sjlj/native.h: what an exception knows of the way that it takes through the chain of frames. */
#ifndef CIRC_RUNTIME_EH_SJLJ_NATIVE_H
#define CIRC_RUNTIME_EH_SJLJ_NATIVE_H

/* The way is in CircehDecision, the chain in the thread: nothing is kept here. */
typedef struct CircehNative {
	void *unused;
} CircehNative;

#endif
