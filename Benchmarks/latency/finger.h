/* A ten-finger touchscreen of uinput's. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct finger_device;

/* Makes the device; ends the program where uinput can't be used. */
struct finger_device *finger_create(const char *name);
/* A frame (1 down, 2 moved, else lifted) of one finger at a point, in units of the axes, 0 to 4095. */
void finger_at(struct finger_device *device, int phase, int x, int y);

void finger_destroy(struct finger_device *device);

/* One frame, in one write: `count` fingers, all down (`phase` 1), moved (2) or lifted (3), at step `step` of a drag. */
void finger_frame(struct finger_device *device, int count, int phase, int step);

/* The same of ten fingers that pan, pinch and turn at once. */
void finger_frame_around(struct finger_device *device, int phase, int step);
