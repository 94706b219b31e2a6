/*
 * feed.h: a client of touchrouted (touchroute.h) that hands one responder's touches, or feedback,
 * to something that is no program of ours: what all outputs have in common.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef CFEED_FEED_H
#define CFEED_FEED_H

#include "touchroute.h"

#include <stdint.h>

enum feed_flags {
  FEED_WAIT = 1 << 0,      /* stand in line where another program holds the responder */
  FEED_TAKE_OVER = 1 << 1, /* take it from that program */
  FEED_GESTURES = 1 << 2,  /* handle gestures too */
};

#define FEED_NEVER UINT64_MAX

struct feed;

/* What the feed calls; any may be NULL, tick only with due. data is that of feed_settings. */
struct feed_listener {
  void (*touches)(void *data, struct feed *feed, const struct touchroute_frame *frame);
  void (*gesture)(void *data, struct feed *feed, const struct touchroute_gesture *gesture,
                  const char *path);
  /* Of a feed without a path: something was hit (rule D10). */
  void (*feedback)(void *data, struct feed *feed, const char *name, const char *target);
  /* Whether it is attached; comes with each change. */
  void (*attached)(void *data, struct feed *feed, int is_attached);
  /* How large it is, in points: before the first attached, and with each change of the layout. */
  void (*layout)(void *data, struct feed *feed, double width, double height);
  /* When tick is due, in microseconds of CLOCK_MONOTONIC; FEED_NEVER. */
  uint64_t (*due)(void *data);
  void (*tick)(void *data, uint64_t now_us);
};

/* Strings are the caller's, for the feed's life. */
struct feed_settings {
  const char *socket; /* NULL: TOUCHROUTE_SOCKET, then the daemon's own */
  const char *path;   /* the responder's; NULL: it listens to feedback instead (rule D11) */
  const char *name;   /* what the daemon calls this client */
  /* Of an application, the screen whose touches count; "": the first; NULL: all do. Of feedback,
     the screen that is listened to; NULL: all are. */
  const char *screen;
  uint32_t flags;     /* enum feed_flags */
  struct feed_listener listener;
  void *data;
};

/* Where a touch is in what is attached, in points from its upper left corner, and its size. */
struct feed_place {
  double x, y, width, height;
};
struct feed_place feed_place(const struct feed *feed, const struct touchroute_touch *touch);

/* Whether a touch is on the screen that is asked for (feed_settings.screen). */
int feed_counts(const struct feed *feed, const struct touchroute_touch *touch);

/*
 * Attaches and hands on until that is of no use any more, or SIGTERM or SIGINT comes; the listener
 * hears attached with 0 in any case, and that ends what is live. The service manager is told that
 * it is ready, without waiting, once it is attached, or stands in line. Who waits (FEED_WAIT) and
 * has got so far tries again where the responder is gone. Returns the exit status: 0 after a
 * signal, else 1, and why has been said on standard error.
 */
int feed_run(const struct feed_settings *settings);

/*
 * From here on SIGTERM and SIGINT end feed_run, one that has not begun too. feed_run calls it; who
 * has threads that send them calls it before those are there.
 */
void feed_catch_signals(void);

/* Says that sentence, and ends the feed before it waits again. */
void feed_end(struct feed *feed, const char *text);

/* CLOCK_MONOTONIC, in microseconds. */
uint64_t feed_now_us(void);

/* A sentence on standard error, in which nothing steers a terminal. */
__attribute__((format(printf, 1, 2))) void feed_say(const char *format, ...);

/* A whole number of the command line from least to most, or the end of the program with 64. */
long feed_number(const char *program, const char *text, long least, long most);

#endif
