/* The C library against a daemon that means ill: for the fuzzer, and for tests. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * Says these bytes to a program of the library, in pieces, and hangs up.
 *
 * seed: of what the program does meanwhile, and of the sizes of the pieces.
 * Returns what it was told that makes no sense, as a sentence; NULL where there is nothing.
 */
const char *cfuzzclient_play(const unsigned char *bytes, size_t size, uint64_t seed);
