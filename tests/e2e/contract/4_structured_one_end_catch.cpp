#include "4_one_end_catch.cpp" // the same program
