/* Another user for the calling thread alone, as the kernel keeps them; glibc's functions change the
 * whole process. For tests that run as root. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Becomes that user, until thread_become_root. 0, or -1 with errno set. */
int thread_become(uint32_t uid, uint32_t gid, const uint32_t *groups, size_t count);
int thread_become_root(void);
