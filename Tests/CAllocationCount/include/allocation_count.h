/*
 * Counts allocations, for tests that say that something allocates nothing. It stands in for the C
 * library's functions in every program that it is linked into.
 */
#ifndef ALLOCATION_COUNT_H
#define ALLOCATION_COUNT_H

/* How often the calling thread has asked for memory since it began. */
unsigned long allocation_count(void);

#endif
