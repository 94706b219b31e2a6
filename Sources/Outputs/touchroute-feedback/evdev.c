/* Force feedback (EV_FF) and beepers (EV_SND) of input devices. */
#include "evdev.h"

#include "feed.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define RETRY_US 2000000u
/* How fast the waves of a periodic effect are, in milliseconds each: 160 a second. */
#define PERIOD_MS 6u
#define BITS(count) (((count) + 7) / 8)

struct evdev {
  enum evdev_kind kind;
  char node[256];
  unsigned ms, strength;
  int descriptor;    /* -1: it is gone */
  int16_t effect;    /* the kernel's number of it */
  uint16_t tone;     /* SND_TONE or SND_BELL */
  uint64_t due_us, retry_us;
};

static int has(const uint8_t *bits, unsigned number) { return bits[number / 8] >> number % 8 & 1; }

/* Hands an effect to the kernel; 0 or -1. */
static int upload(struct evdev *evdev) {
  struct ff_effect effect = {.id = -1, .replay = {.length = (uint16_t)evdev->ms}};
  if (evdev->kind == EVDEV_RUMBLE) {
    effect.type = FF_RUMBLE;
    effect.u.rumble.strong_magnitude = (uint16_t)(0xffffu * evdev->strength / 100);
    effect.u.rumble.weak_magnitude = effect.u.rumble.strong_magnitude;
  } else {
    effect.type = FF_PERIODIC;
    effect.u.periodic.waveform = FF_SINE;
    effect.u.periodic.period = PERIOD_MS;
    effect.u.periodic.magnitude = (int16_t)(0x7fffu * evdev->strength / 100);
  }
  if (ioctl(evdev->descriptor, EVIOCSFF, &effect) < 0)
    return -1;
  evdev->effect = effect.id;
  return 0;
}

/* What a device lacks; NULL if it can do it. */
static const char *lack(struct evdev *evdev) {
  uint8_t types[BITS(EV_CNT)] = {0}, effects[BITS(FF_CNT)] = {0}, sounds[BITS(SND_CNT)] = {0};
  if (ioctl(evdev->descriptor, EVIOCGBIT(0, sizeof types), types) < 0)
    return "it is no input device";
  if (evdev->kind == EVDEV_BEEP) {
    if (!has(types, EV_SND) ||
        ioctl(evdev->descriptor, EVIOCGBIT(EV_SND, sizeof sounds), sounds) < 0)
      return "it has no beeper";
    evdev->tone = has(sounds, SND_TONE) ? SND_TONE : SND_BELL;
    return has(sounds, evdev->tone) ? NULL : "its beeper has no tone and no bell";
  }
  if (!has(types, EV_FF) || ioctl(evdev->descriptor, EVIOCGBIT(EV_FF, sizeof effects), effects) < 0)
    return "it has no force feedback";
  if (evdev->kind == EVDEV_RUMBLE)
    return has(effects, FF_RUMBLE) ? NULL : "it can't rumble: try --periodic";
  return has(effects, FF_PERIODIC) && has(effects, FF_SINE)
             ? NULL
             : "it can't play a sine wave: try --rumble";
}

/* Opens the device; 0, or -1, and problem says why. */
static int open_node(struct evdev *evdev, char *problem, size_t size) {
  struct stat info;
  evdev->descriptor = open(evdev->node, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (evdev->descriptor < 0) {
    snprintf(problem, size, "it can't be opened: %s", strerror(errno));
    return -1;
  }
  const char *problem_of_it = fstat(evdev->descriptor, &info) < 0 || !S_ISCHR(info.st_mode)
                                  ? "it is no input device"
                                  : lack(evdev);
  if (problem_of_it == NULL && (evdev->kind == EVDEV_BEEP || upload(evdev) == 0))
    return 0;
  if (problem_of_it != NULL)
    snprintf(problem, size, "%s", problem_of_it);
  else
    snprintf(problem, size, "it does not take the effect: %s", strerror(errno));
  close(evdev->descriptor);
  evdev->descriptor = -1;
  return -1;
}

struct evdev *evdev_create(enum evdev_kind kind, const char *node, unsigned ms, unsigned strength,
                           char *problem, size_t size) {
  struct evdev *evdev = calloc(1, sizeof *evdev);
  if (evdev == NULL || strlen(node) >= sizeof evdev->node) {
    snprintf(problem, size, evdev == NULL ? "there is no memory for it" : "its name is too long");
    free(evdev);
    return NULL;
  }
  evdev->kind = kind;
  evdev->ms = ms;
  evdev->strength = strength;
  evdev->due_us = FEED_NEVER;
  memcpy(evdev->node, node, strlen(node) + 1);
  if (open_node(evdev, problem, size) == 0)
    return evdev;
  free(evdev);
  return NULL;
}

/* It is gone. That is said once, as it was there until now. */
static void lose(struct evdev *evdev, uint64_t now_us) {
  feed_say("%s is gone (%s): no feedback by it until it is back", evdev->node, strerror(errno));
  close(evdev->descriptor);
  evdev->descriptor = -1;
  evdev->retry_us = now_us + RETRY_US;
  evdev->due_us = FEED_NEVER;
}

/* 0, or -1 if the device does not take it. */
static int send_event(struct evdev *evdev, unsigned type, unsigned code, int value) {
  struct input_event event = {.type = (uint16_t)type, .code = (uint16_t)code, .value = value};
  ssize_t size = write(evdev->descriptor, &event, sizeof event);
  return size == (ssize_t)sizeof event || (size < 0 && errno == EAGAIN) ? 0 : -1;
}

static int is_back(struct evdev *evdev, uint64_t now_us) {
  char problem[256];
  if (evdev->descriptor >= 0)
    return 1;
  if (now_us < evdev->retry_us)
    return 0;
  evdev->retry_us = now_us + RETRY_US;
  if (open_node(evdev, problem, sizeof problem) < 0)
    return 0;
  feed_say("%s is back", evdev->node);
  return 1;
}

void evdev_play(struct evdev *evdev, uint64_t now_us) {
  if (!is_back(evdev, now_us))
    return;
  int is_beep = evdev->kind == EVDEV_BEEP;
  int result = is_beep ? send_event(evdev, EV_SND, evdev->tone,
                                    evdev->tone == SND_TONE ? (int)evdev->strength : 1)
                       : send_event(evdev, EV_FF, (unsigned)evdev->effect, 1);
  if (result < 0)
    lose(evdev, now_us);
  else if (is_beep)
    evdev->due_us = now_us + (uint64_t)evdev->ms * 1000;
}

uint64_t evdev_due(const struct evdev *evdev) { return evdev->due_us; }

void evdev_tick(struct evdev *evdev, uint64_t now_us) {
  evdev->due_us = FEED_NEVER;
  if (evdev->descriptor >= 0 && send_event(evdev, EV_SND, evdev->tone, 0) < 0)
    lose(evdev, now_us);
}

void evdev_destroy(struct evdev *evdev) {
  if (evdev == NULL)
    return;
  if (evdev->descriptor >= 0 && evdev->due_us != FEED_NEVER)
    send_event(evdev, EV_SND, evdev->tone, 0);
  /* The kernel forgets the effect, and ends it, as the device is closed. */
  if (evdev->descriptor >= 0)
    close(evdev->descriptor);
  free(evdev);
}
