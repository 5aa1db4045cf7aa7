/* emit/join_format.h: emit/join.h for each object format. Memory is mem's, and returns to nobody singly. */
#ifndef CIRC_EMIT_JOIN_FORMAT_H
#define CIRC_EMIT_JOIN_FORMAT_H

#include "base/arena.h"
#include "emit/join.h"

JoinResult join_elf(const Str *parts, uint32_t n, const char *prefix, Arena *mem, Str *object);

#endif
