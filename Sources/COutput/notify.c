/* What the service manager is told: sd_notify(3), which describes these datagrams as stable. */
#include "notify.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

void notify_manager(const char *text) {
  const char *path = getenv("NOTIFY_SOCKET");
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  size_t size = path != NULL ? strlen(path) : 0;
  if (size < 2 || size >= sizeof address.sun_path || (path[0] != '/' && path[0] != '@'))
    return;
  memcpy(address.sun_path, path, size);
  if (path[0] == '@')
    address.sun_path[0] = '\0';
  int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0)
    return;
  /* Nobody is helped by an end because of what can't be said. */
  (void)!sendto(fd, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT, (struct sockaddr *)&address,
                (socklen_t)(offsetof(struct sockaddr_un, sun_path) + size));
  close(fd);
}
