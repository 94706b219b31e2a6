/*
 * uinput.h: a touchscreen of the kernel's that a program makes (linux/uinput.h).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COUTPUT_UINPUT_H
#define COUTPUT_UINPUT_H

#include <linux/input.h>
#include <stddef.h>
#include <stdint.h>

/* What its device is known by: udev's rules and touchrouted go by the physical path's beginning. */
#define UINPUT_PHYS_PREFIX "touchroute/"
/* Where 70-touchroute.rules makes a link to each. */
#define UINPUT_LINKS "/dev/input/touchroute/"
#define UINPUT_VENDOR 0x7472
#define UINPUT_PRODUCT 0x0001

struct uinput_settings {
  const char *name; /* of the output: its device is "touchroute NAME", its phys touchroute/NAME */
  int32_t width, height;
  uint32_t slots;
  int32_t resolution; /* units a millimetre */
};

struct uinput_device;

/*
 * Makes the device. Returns NULL with a sentence in `error` where /dev/uinput is not there or may
 * not be opened, where there is a device of that name already, or the kernel refuses.
 */
struct uinput_device *uinput_create(const struct uinput_settings *settings, char *error,
                                    size_t error_size);

/* Takes it away, and frees it; what is on it is lifted by the kernel. NULL is allowed. */
void uinput_destroy(struct uinput_device *device);

/* Its node, such as /dev/input/event5. */
const char *uinput_node(const struct uinput_device *device);

/* Whether udev's link of that name, UINPUT_LINKS and the name, leads to it. */
int uinput_is_linked(const struct uinput_device *device, const char *name);

/* Hands events to its readers. Never waits for one. 0, or a negative errno. */
int uinput_write(struct uinput_device *device, const struct input_event *events, uint32_t count);

#endif
