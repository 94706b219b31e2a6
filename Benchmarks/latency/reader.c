/* A program that knows nothing of touchroute: it reads a node, and notes when each frame came. */
#include "latency.h"

#include <fcntl.h>
#include <linux/input.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

const char *node_named(const char *wanted) {
  static char path[64];
  for (int number = 0; number < 64; number++) {
    char name[256] = "";
    snprintf(path, sizeof path, "/dev/input/event%d", number);
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
      continue;
    int is_it = ioctl(fd, EVIOCGNAME(sizeof name - 1), name) >= 0 && strcmp(name, wanted) == 0;
    close(fd);
    if (is_it)
      return path;
  }
  return NULL;
}

static void count(struct samples *samples, struct input_event event, uint64_t arrived) {
  if (event.type == EV_SYN && event.code == SYN_REPORT)
    samples->samples[samples->count++] = (struct sample){0, arrived};
  else if (event.type == EV_SYN && event.code == SYN_DROPPED)
    samples->lost++;
  else if (event.type == EV_ABS && event.code == ABS_MT_TRACKING_ID)
    event.value < 0 ? samples->ended++ : samples->begun++;
  else if (event.type == EV_ABS)
    samples->outside += event.value < 0 || event.value > (event.code == ABS_MT_SLOT ? 9 : 4095);
}

void run_reader(struct samples *samples, const char *name) {
  struct input_event events[128];
  int fd;
  const char *path;
  while ((path = node_named(name)) == NULL)
    usleep(1000);
  if ((fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)) < 0)
    fail(path);
  for (;;) {
    struct pollfd wait = {fd, POLLIN, 0};
    if (poll(&wait, 1, -1) < 0)
      fail("poll");
    ssize_t size = read(fd, events, sizeof events);
    if (size <= 0)
      continue;
    uint64_t arrived = now_ns();
    for (size_t i = 0; i < (size_t)size / sizeof events[0]; i++)
      count(samples, events[i], arrived);
  }
}
