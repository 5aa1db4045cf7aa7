#include "3_clauses_are_transitive.cpp" // the same program
