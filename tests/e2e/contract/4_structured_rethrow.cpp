#include "4_rethrow_reaches_outer.cpp" // the same program
