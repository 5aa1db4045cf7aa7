#include "1_cleanups_on_every_exit.cpp" // the same program
