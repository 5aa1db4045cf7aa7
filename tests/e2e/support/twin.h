// What the C++ twins use for cleanups.
#ifndef E2E_TWIN_H
#define E2E_TWIN_H

#include "e2e.h"

// Runs cleanup(n) when its scope is left, as a cleanup of kind `all` does; it may throw.
struct Cleanup {
	int n;
	explicit Cleanup(int n) : n(n) {}
	~Cleanup() noexcept(false) { cleanup(n); }
};

// The kind `eh`: not when the scope is left after leave().
struct EhCleanup {
	int n;
	bool armed = true;
	explicit EhCleanup(int n) : n(n) {}
	void leave() { armed = false; }
	~EhCleanup() noexcept(false)
	{
		if (armed)
			cleanup(n);
	}
};

#endif
