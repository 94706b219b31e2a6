/*
 * Counts allocations, for tests that say that something allocates nothing. It stands in for the C
 * library's functions in every program that it is linked into.
 */
#ifndef ALLOCATION_COUNT_H
#define ALLOCATION_COUNT_H

/* How often the calling thread has asked for memory since it began. */
unsigned long allocation_count(void);

/* The bytes of the heap that are in use, with what the C library itself needs for each piece. */
unsigned long allocated_bytes(void);

#endif
