#include "7_foreign_exceptions.cpp" // the same program
