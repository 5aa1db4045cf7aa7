#include "6_begin_catch_gives_the_object.cpp" // the same program
