/*
 * touchscreen.h: what a virtual touchscreen says. Touches go in, frames of the kernel's events
 * come out: slots, tracking ids, one finger for readers of one finger, and when. It knows neither
 * a device nor a daemon, and time comes in from outside.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COUTPUT_TOUCHSCREEN_H
#define COUTPUT_TOUCHSCREEN_H

#include <linux/input.h>
#include <stdint.h>

#define TOUCHSCREEN_MOST_SLOTS 32u
#define TOUCHSCREEN_MOST_CHANGES 512u /* that wait to be told; see touchscreen_add */
#define TOUCHSCREEN_NEVER UINT64_MAX

/* How readers are told of a touch that was cancelled, which evdev has no word for. */
enum touchscreen_cancel {
  TOUCHSCREEN_CANCEL_AWAY = 0, /* it goes to an edge, out of the range (away.h), and is lifted */
  TOUCHSCREEN_CANCEL_PALM = 1, /* MT_TOOL_PALM, of which libinput makes a cancel; then a lift */
  TOUCHSCREEN_CANCEL_LIFT = 2, /* a lift where it is, which clicks */
};

enum touchscreen_kind {
  TOUCHSCREEN_DOWN = 1,
  TOUCHSCREEN_MOVE = 2,
  TOUCHSCREEN_UP = 3,
  TOUCHSCREEN_CANCEL = 4,
  TOUCHSCREEN_MARK = 5, /* the end of a frame */
};

/* What becomes of one touch in a frame. */
struct touchscreen_change {
  uint64_t id;
  int32_t x, y; /* units of the device */
  uint8_t kind; /* enum touchscreen_kind */
  uint8_t replayed;
};

/* A slot; free where order is 0. */
struct touchscreen_slot {
  uint64_t id;
  uint64_t order;   /* the how manieth touch it is, from 1 */
  uint64_t down_us; /* when its coming down was told */
  int32_t x, y;
  int32_t down_x, down_y;
  int32_t away_x, away_y; /* where it goes when it is cancelled */
  uint8_t replayed;
};

/* Takes the events of one frame, with its mark. */
typedef void (*touchscreen_sink)(void *data, const struct input_event *events, uint32_t count);

struct touchscreen {
  int32_t width, height; /* units: ranges are 0 to one less */
  uint32_t slot_count;
  uint32_t cancel; /* enum touchscreen_cancel */
  /* What a reader that looks once in so long must not miss: how long a replayed touch stays. */
  uint64_t pace_us;
  touchscreen_sink sink;
  void *data;

  struct touchscreen_slot slots[TOUCHSCREEN_MOST_SLOTS];
  uint64_t touch_count; /* that have come down */
  uint64_t left_out;    /* touches for which there was no slot */
  uint64_t up_us;       /* when a lift was last told; 0 before */
  int32_t slot;         /* that readers are at */
  int32_t x, y;         /* of the one finger */
  uint32_t fingers;     /* as readers know them */
  uint32_t told_fingers;

  struct touchscreen_change waiting[TOUCHSCREEN_MOST_CHANGES];
  uint32_t first, count; /* of those */

  struct input_event events[TOUCHSCREEN_MOST_SLOTS * 7 + 6]; /* what a frame needs at most */
  uint32_t event_count;
};

/* A touchscreen without a finger on it. Its other fields are the caller's to set before. */
void touchscreen_start(struct touchscreen *screen);

/*
 * Adds a change to the frame at hand. A move of a touch of which a move waits already replaces it.
 * Where no more changes can wait, the oldest are told without regard to their time.
 */
void touchscreen_add(struct touchscreen *screen, struct touchscreen_change change,
                     uint64_t now_us);

/* Ends the frame at hand, and tells all that is due. */
void touchscreen_end_frame(struct touchscreen *screen, uint64_t now_us);

/* Tells all that is due at that time. */
void touchscreen_tell(struct touchscreen *screen, uint64_t now_us);

/* When the next frame is due; TOUCHSCREEN_NEVER where none waits. */
uint64_t touchscreen_due(const struct touchscreen *screen);

/* Whether no finger is down and nothing waits. */
int touchscreen_is_idle(const struct touchscreen *screen);

#endif
