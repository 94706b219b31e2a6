/* The latency benchmark: a finger of uinput's, and how long its frames take to a second process. */
#pragma once

#include "../process.h"

#include <errno.h>
#include <stdint.h>
#include <time.h>

#define FINGERS 10
#define FRAME_NS 8333333 /* 120 Hz */

/* What a consumer reports of one frame: CLOCK_MONOTONIC both. */
struct sample {
  uint64_t kernel_us;  /* the kernel's time of the frame */
  uint64_t arrived_ns; /* when the consumer's read had returned */
};

static inline uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The consumer's half: what arrives goes into a shared table and to nobody, so that reporting costs no wake-up. */
struct samples {
  uint64_t count;
  /* Of a reader of a node: fingers that came down and were lifted, times that the kernel had lost something for it, and
   * values that are out of range. */
  uint64_t begun, ended, lost, outside;
  struct sample samples[1 << 20];
};

/*
 * A bare C program: libinput to a second process over a socketpair, each frame by itself or all that were read together.
 * Never returns.
 */
void run_bare(struct samples *samples, const char *pid_file, int batches);

/* The node of the device of that name; NULL while there is none. It is overwritten by the next call. */
const char *node_named(const char *name);

/* A program that reads the touchscreen of that name, once it is there. Never returns. */
void run_reader(struct samples *samples, const char *name);

/* A program attached to touchrouted. Never returns. */
void run_client(struct samples *samples, const char *socket_path, const char *path);

/* The same with gestures that are due at a time, each of which is a sample: when it was, and when it was heard of. */
void run_timed_client(struct samples *samples, const char *socket_path, const char *path);

struct finger_device;

/* Makes such gestures, and prints how late they were. */
void play_timed(struct finger_device *device, struct samples *samples);

/* Sleeps until a time of CLOCK_MONOTONIC, in nanoseconds. */
static inline void sleep_until(uint64_t at) {
  struct timespec t = {(time_t)(at / 1000000000u), (long)(at % 1000000000u)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) {
  }
}
