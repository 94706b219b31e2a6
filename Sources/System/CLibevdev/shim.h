#pragma once
#include <libevdev/libevdev.h>
#include <libevdev/libevdev-uinput.h>
#include <linux/uinput.h>
#include <stdint.h>
#include <sys/fsuid.h>
#include <sys/ioctl.h>

/*
 * Gives a device that is yet to be made its physical path (UI_SET_PHYS), which libevdev does not.
 * 0, or -1 with errno.
 */
static inline int uinput_set_phys(int fd, const char *phys) {
  return ioctl(fd, UI_SET_PHYS, phys);
}

/* When an event happened, in microseconds. */
static inline uint64_t clibevdev_time(const struct input_event *event) {
  return (uint64_t)event->input_event_sec * 1000000 + (uint64_t)event->input_event_usec;
}
