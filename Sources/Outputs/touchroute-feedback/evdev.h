/*
 * evdev.h: an input device that gives feedback: by force feedback, or by its beeper.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef EVDEV_H
#define EVDEV_H

#include <stddef.h>
#include <stdint.h>

/* What the device does. */
enum evdev_kind { EVDEV_RUMBLE, EVDEV_PERIODIC, EVDEV_BEEP };

struct evdev;

/*
 * Opens a device, such as /dev/input/event5.
 *
 * ms: how long. strength: per cent of a rumble or a wave; of a beeper, Hertz. NULL, and problem
 * says why behind the device's name.
 */
struct evdev *evdev_create(enum evdev_kind kind, const char *node, unsigned ms, unsigned strength,
                           char *problem, size_t size);

/* Gives feedback. A device that is gone is said once, and tried again until it is back. */
void evdev_play(struct evdev *evdev, uint64_t now_us);

/* When evdev_tick is due; FEED_NEVER. */
uint64_t evdev_due(const struct evdev *evdev);

/* Ends a beep. */
void evdev_tick(struct evdev *evdev, uint64_t now_us);

void evdev_destroy(struct evdev *evdev);

#endif
