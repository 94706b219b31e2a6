/*
 * notify.h: what an output tells the service manager.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef CFEED_NOTIFY_H
#define CFEED_NOTIFY_H

/*
 * Says READY=1 at NOTIFY_SOCKET, and never waits, as sd_notify does where the service manager does
 * not read. 0 where that was said, or nobody can be told; -1 where it is to be tried again.
 */
int notify_ready(void);

#endif
