/* touchrouted and touchroute in one file, as systemd-udevd and udevadm are: 6 MB of it is the Swift
 * runtime, and would be there twice. Its name says which of the two it is. */
#include <string.h>

int touchrouted_main(int count, char **arguments);
int touchroute_main(int count, char **arguments);

int main(int count, char **arguments) {
  const char *path = count > 0 ? arguments[0] : "";
  const char *slash = strrchr(path, '/');
  if (strcmp(slash ? slash + 1 : path, "touchrouted") == 0)
    return touchrouted_main(count, arguments);
  return touchroute_main(count, arguments);
}
