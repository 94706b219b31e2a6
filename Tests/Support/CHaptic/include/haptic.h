/* haptic.h: a kernel device with force feedback and a beeper, whose driver is a test (uinput). */
#ifndef HAPTIC_H
#define HAPTIC_H

#include <stddef.h>
#include <stdint.h>

/* What the kernel has asked the driver for. */
struct haptic_event {
  uint16_t type;      /* EV_UINPUT: an effect was uploaded; EV_FF and EV_SND: played */
  uint16_t code;      /* the effect's number, or the sound */
  int32_t value;      /* how often; of a tone Hertz */
  uint16_t effect;    /* of an upload: FF_RUMBLE or FF_PERIODIC */
  uint16_t length;    /* of an upload: milliseconds */
  uint16_t magnitude; /* of an upload */
};

/* Makes the device, with its node's path; the descriptor, which never blocks, or -1 with errno. */
int haptic_create(char *node, size_t size);

/* Takes one event, and answers it; 1, or 0 if there is none. */
int haptic_take(int descriptor, struct haptic_event *event);

/* Unplugs it. */
void haptic_destroy(int descriptor);

#endif
