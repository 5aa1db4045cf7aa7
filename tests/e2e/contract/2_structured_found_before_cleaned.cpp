#include "2_found_before_cleaned.cpp" // the same program
