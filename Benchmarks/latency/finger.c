#include "finger.h"
#include "latency.h"

#include <libevdev/libevdev-uinput.h>
#include <libevdev/libevdev.h>
#include <linux/input.h>
#include <string.h>
#include <unistd.h>

struct finger_device {
  struct libevdev_uinput *uinput;
  int next_id;
};

static void axis(struct libevdev *description, unsigned code, int maximum, int resolution) {
  struct input_absinfo info = {.maximum = maximum, .resolution = resolution};
  libevdev_enable_event_code(description, EV_ABS, code, &info);
}

struct finger_device *finger_create(const char *name) {
  struct finger_device *device = calloc(1, sizeof *device);
  struct libevdev *description = libevdev_new();
  libevdev_set_name(description, name);
  libevdev_set_id_bustype(description, BUS_USB);
  libevdev_set_id_vendor(description, 0x1234);
  libevdev_set_id_product(description, 0x5678);
  libevdev_enable_property(description, INPUT_PROP_DIRECT);
  libevdev_enable_event_code(description, EV_KEY, BTN_TOUCH, NULL);
  axis(description, ABS_X, 4095, 16);
  axis(description, ABS_Y, 4095, 27);
  axis(description, ABS_MT_SLOT, FINGERS - 1, 0);
  axis(description, ABS_MT_TRACKING_ID, 65535, 0);
  axis(description, ABS_MT_POSITION_X, 4095, 16);
  axis(description, ABS_MT_POSITION_Y, 4095, 27);
  int error = libevdev_uinput_create_from_device(
      description, LIBEVDEV_UINPUT_OPEN_MANAGED, &device->uinput);
  libevdev_free(description);
  if (error < 0) {
    fprintf(stderr, "latency: uinput can't be used: %s\n", strerror(-error));
    exit(1);
  }
  return device;
}

void finger_destroy(struct finger_device *device) {
  libevdev_uinput_destroy(device->uinput);
  free(device);
}

static void put(struct input_event **to, int type, int code, int value) {
  memset(*to, 0, sizeof **to);
  (*to)->type = (unsigned short)type;
  (*to)->code = (unsigned short)code;
  (*to)->value = value;
  (*to)++;
}

/* A triangle wave of 200 steps, so that every step moves every finger. */
static int wave_at(int step) { return step % 400 < 200 ? step % 400 : 400 - step % 400; }

/* Of fingers that all go the same way. */
static void place_along(int finger, int step, int *x, int *y) {
  *x = 300 + finger * 350 + wave_at(step);
  *y = 600 + finger * 200 + wave_at(step) * 4;
}

/* Of ten fingers in a circle that grows, turns and goes on. */
static void place_around(int finger, int step, int *x, int *y) {
  static const int across[FINGERS] = {1000, 809, 309, -309, -809, -1000, -809, -309, 309, 809};
  static const int down[FINGERS] = {0, 588, 951, 951, 588, 0, -588, -951, -951, -588};
  int wave = wave_at(step), arm = 500 + 3 * wave;
  *x = 2048 + (arm * across[finger] - 3 * wave * down[finger]) / 1000;
  *y = 1900 + (arm * down[finger] + 3 * wave * across[finger]) / 1000 + wave;
}

static void write_frame(struct finger_device *device, int count, int phase, int step,
                        void (*place)(int, int, int *, int *)) {
  struct input_event events[FINGERS * 4 + 8], *to = events;
  for (int finger = 0; finger < count; finger++) {
    int x, y;
    place(finger, step, &x, &y);
    put(&to, EV_ABS, ABS_MT_SLOT, finger);
    if (phase == 1)
      put(&to, EV_ABS, ABS_MT_TRACKING_ID, device->next_id++ & 0xffff);
    if (phase == 3) {
      put(&to, EV_ABS, ABS_MT_TRACKING_ID, -1);
    } else {
      put(&to, EV_ABS, ABS_MT_POSITION_X, x);
      put(&to, EV_ABS, ABS_MT_POSITION_Y, y);
    }
    if (finger == 0 && phase != 2)
      put(&to, EV_KEY, BTN_TOUCH, phase == 1);
    if (finger == 0 && phase != 3) {
      put(&to, EV_ABS, ABS_X, x);
      put(&to, EV_ABS, ABS_Y, y);
    }
  }
  put(&to, EV_SYN, SYN_REPORT, 0);
  size_t size = (size_t)((char *)to - (char *)events);
  if (write(libevdev_uinput_get_fd(device->uinput), events, size) != (ssize_t)size)
    fail("write to uinput");
}

void finger_frame(struct finger_device *device, int count, int phase, int step) {
  write_frame(device, count, phase, step, place_along);
}

void finger_frame_around(struct finger_device *device, int phase, int step) {
  write_frame(device, FINGERS, phase, step, place_around);
}

void finger_at(struct finger_device *device, int phase, int x, int y) {
  struct input_event events[8], *to = events;
  put(&to, EV_ABS, ABS_MT_SLOT, 0);
  if (phase == 1)
    put(&to, EV_ABS, ABS_MT_TRACKING_ID, device->next_id++ & 0xffff);
  if (phase == 1 || phase == 2) {
    put(&to, EV_ABS, ABS_MT_POSITION_X, x);
    put(&to, EV_ABS, ABS_MT_POSITION_Y, y);
  } else {
    put(&to, EV_ABS, ABS_MT_TRACKING_ID, -1);
  }
  if (phase != 2)
    put(&to, EV_KEY, BTN_TOUCH, phase == 1);
  put(&to, EV_SYN, SYN_REPORT, 0);
  size_t size = (size_t)((char *)to - (char *)events);
  if (write(libevdev_uinput_get_fd(device->uinput), events, size) != (ssize_t)size)
    fail("write to uinput");
}
