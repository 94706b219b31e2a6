/* Closing descriptors whose close may wait: in threads that nobody waits for. */
#pragma once
#include <stddef.h>

/*
 * A queue of descriptors, and a thread while there is something in it. A close waits where it drops
 * the last reference to another's file: a TCP socket with SO_LINGER and unsent bytes, say, which
 * lies unread in a Unix socket. Only a task that exits does not wait for such a one. So a second
 * thread takes copies of all descriptors (unshare with CLONE_FILES), the first closes its own, and
 * the copies go as the second exits. Where the kernel refuses such copies, the first thread's close
 * waits instead.
 *
 * Its functions are for one thread, and never wait. The end of the process waits for nothing.
 */
struct clinux_closer;

/* NULL where memory is short. */
struct clinux_closer *clinux_closer_make(void);

/*
 * Closes a descriptor, which is the closer's from here on. 0, or -1 where memory is short: nothing
 * has happened then. Where no thread is to be had, it stays open until clinux_closer_pending or a
 * further close tries again.
 */
int clinux_closer_close(struct clinux_closer *closer, int fd);

/* How many descriptors are not closed yet. */
size_t clinux_closer_pending(struct clinux_closer *closer);

/* Lets go of it; what is not closed yet still will be. */
void clinux_closer_release(struct clinux_closer *closer);
