#define _GNU_SOURCE
#include "clinux.h"

#include <string.h>

int clinux_peer_credentials(int fd, int32_t *pid, uint32_t *uid, uint32_t *gid) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0)
    return -1;
  *pid = peer.pid;
  *uid = peer.uid;
  *gid = peer.gid;
  return 0;
}

int clinux_unread_by_peer(int fd) {
  int bytes = 0;
  return ioctl(fd, SIOCOUTQ, &bytes) < 0 ? -1 : bytes;
}

const char *clinux_error_text(int code) {
  const char *text = strerrordesc_np(code);
  return text ? text : "unknown error";
}
