#include "5_cleanups_and_noexcept_terminate.cpp" // the same program
