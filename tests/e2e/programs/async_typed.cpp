#include "async.cpp"
