/* How often this program has allocated: malloc and its kin, counted by taking their place. */
#pragma once
#include <stdint.h>

/* Calls of malloc, calloc, realloc, aligned_alloc, memalign and posix_memalign so far. */
uint64_t allocation_count(void);
