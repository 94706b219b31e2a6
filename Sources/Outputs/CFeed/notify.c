/* One datagram of sd_notify's protocol. */
#include "notify.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int notify_ready(void) {
  static const char text[] = "READY=1";
  const char *path = getenv("NOTIFY_SOCKET");
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  size_t size = path != NULL ? strlen(path) : 0;
  if (size < 2 || size >= sizeof address.sun_path || (path[0] != '/' && path[0] != '@'))
    return 0;
  memcpy(address.sun_path, path, size);
  if (path[0] == '@')
    address.sun_path[0] = '\0';
  int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0)
    return 0;
  socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + size);
  ssize_t sent = sendto(fd, text, sizeof text - 1, MSG_DONTWAIT | MSG_NOSIGNAL,
                        (struct sockaddr *)&address, length);
  int is_full = sent < 0 && (errno == EAGAIN || errno == EINTR);
  close(fd);
  return is_full ? -1 : 0;
}
