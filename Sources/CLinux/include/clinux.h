/* What Glibc's Swift module leaves out: declarations behind _GNU_SOURCE, variadic calls and macros. */
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <linux/sockios.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>

/* The peer of a connected Unix socket, as SO_PEERCRED gives it. 0, or -1 with errno set. */
int clinux_peer_credentials(int fd, int32_t *pid, uint32_t *uid, uint32_t *gid);

/* The bytes of a Unix stream socket that the peer has not read yet (SIOCOUTQ). -1 with errno set on failure. */
int clinux_unread_by_peer(int fd);
