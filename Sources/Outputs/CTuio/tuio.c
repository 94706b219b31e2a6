/* The bundles that the specification of TUIO 1.1 at tuio.org describes; liblo makes their bytes. */
#include "tuio.h"

#include "away.h"

#include <lo/lo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PROFILE "/tuio/2Dcur"

static struct tuio_cursor *find(struct tuio *tuio, uint64_t touch) {
  for (uint32_t i = 0; i < tuio->count; i++)
    if (tuio->cursors[i].touch == touch)
      return &tuio->cursors[i];
  return NULL;
}

static void begin(struct tuio *tuio, uint64_t touch, float x, float y, uint64_t time_us) {
  if (tuio->count == TUIO_CURSORS) {
    tuio->left_out++;
    return;
  }
  tuio->next_session = tuio->next_session < INT32_MAX ? tuio->next_session + 1 : 1;
  tuio->cursors[tuio->count++] = (struct tuio_cursor){.touch = touch,
                                                      .session = tuio->next_session,
                                                      .x = x,
                                                      .y = y,
                                                      .down_x = x,
                                                      .down_y = y,
                                                      .time_us = time_us,
                                                      .is_changed = 1};
}

/* X, Y and m of the specification: of what lies between two places, and of two such speeds. */
static void move(struct tuio_cursor *cursor, float x, float y, uint64_t time_us) {
  float seconds = (float)(time_us - cursor->time_us) / 1e6f;
  if (time_us > cursor->time_us) {
    float before = cursor->speed;
    cursor->vx = (x - cursor->x) / seconds;
    cursor->vy = (y - cursor->y) / seconds;
    cursor->speed = hypotf(cursor->vx, cursor->vy);
    cursor->acceleration = (cursor->speed - before) / seconds;
    cursor->time_us = time_us;
  }
  cursor->x = x;
  cursor->y = y;
  cursor->is_changed = 1;
}

void tuio_add(struct tuio *tuio, uint64_t touch, enum tuio_change change, float x, float y,
              uint64_t time_us) {
  struct tuio_cursor *cursor = find(tuio, touch);
  if (cursor == NULL && change == TUIO_DOWN)
    begin(tuio, touch, x, y, time_us);
  if (cursor == NULL)
    return;
  if (change == TUIO_MOVE)
    move(cursor, x, y, time_us);
  cursor->is_over = cursor->is_over || change == TUIO_UP || change == TUIO_CANCEL;
  cursor->is_cancelled = cursor->is_cancelled || change == TUIO_CANCEL;
}

static void add_alive(lo_bundle bundle, const struct tuio *tuio) {
  lo_message message = lo_message_new();
  lo_message_add_string(message, "alive");
  for (uint32_t i = 0; i < tuio->count; i++)
    lo_message_add_int32(message, tuio->cursors[i].session);
  lo_bundle_add_message(bundle, PROFILE, message);
}

static void add_cursor(lo_bundle bundle, const struct tuio_cursor *cursor) {
  lo_message message = lo_message_new();
  lo_message_add_string(message, "set");
  lo_message_add_int32(message, cursor->session);
  lo_message_add_float(message, cursor->x);
  lo_message_add_float(message, cursor->y);
  lo_message_add_float(message, cursor->vx);
  lo_message_add_float(message, cursor->vy);
  lo_message_add_float(message, cursor->acceleration);
  lo_bundle_add_message(bundle, PROFILE, message);
}

/* All that is alive, with every cursor: a datagram that is lost takes nothing with it. */
static void send_bundle(struct tuio *tuio, int32_t frame, uint64_t now_us) {
  static char bytes[TUIO_BUNDLE];
  lo_bundle bundle = lo_bundle_new(LO_TT_IMMEDIATE);
  lo_message source = lo_message_new(), sequence = lo_message_new();
  lo_message_add_string(source, "source");
  lo_message_add_string(source, tuio->source);
  lo_bundle_add_message(bundle, PROFILE, source);
  add_alive(bundle, tuio);
  for (uint32_t i = 0; i < tuio->count; i++)
    add_cursor(bundle, &tuio->cursors[i]);
  lo_message_add_string(sequence, "fseq");
  lo_message_add_int32(sequence, frame);
  lo_bundle_add_message(bundle, PROFILE, sequence);
  size_t size = lo_bundle_length(bundle);
  if (size <= sizeof bytes && lo_bundle_serialise(bundle, bytes, &size) != NULL)
    tuio->sink(tuio->data, bytes, size);
  lo_bundle_free_recursive(bundle);
  tuio->sent_us = now_us;
}

static void send_frame(struct tuio *tuio, uint64_t now_us) {
  tuio->frame = tuio->frame < INT32_MAX ? tuio->frame + 1 : 1;
  send_bundle(tuio, tuio->frame, now_us);
}

/* Those that rest have no velocity any more. */
static void settle(struct tuio *tuio) {
  for (uint32_t i = 0; i < tuio->count; i++) {
    struct tuio_cursor *cursor = &tuio->cursors[i];
    if (!cursor->is_changed)
      cursor->vx = cursor->vy = cursor->speed = cursor->acceleration = 0;
    cursor->is_changed = 0;
  }
}

static void remove_those_over(struct tuio *tuio) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < tuio->count; i++)
    if (!tuio->cursors[i].is_over)
      tuio->cursors[kept++] = tuio->cursors[i];
  tuio->count = kept;
}

static struct away_finger finger_of(const struct tuio_cursor *cursor) {
  return (struct away_finger){cursor->x, cursor->y, cursor->down_x, cursor->down_y};
}

/* Takes those that are cancelled out of the surface; returns whether any is. */
static int take_back(struct tuio *tuio) {
  struct away_range range = {.last = 1, .half = 0.5, .step = 0.02, .room = 0.03};
  struct away_group group = {.ranges = {range, range}};
  for (uint32_t i = 0; i < tuio->count; i++)
    if (tuio->cursors[i].is_cancelled)
      away_add(&group, finger_of(&tuio->cursors[i]));
  for (uint32_t i = 0; i < tuio->count; i++) {
    struct tuio_cursor *cursor = &tuio->cursors[i];
    double x, y;
    if (!cursor->is_cancelled)
      continue;
    away_place(&group, finger_of(cursor), &x, &y);
    cursor->x = (float)x;
    cursor->y = (float)y;
  }
  return group.count > 0;
}

void tuio_end_frame(struct tuio *tuio, uint64_t now_us) {
  int is_changed = 0;
  for (uint32_t i = 0; i < tuio->count; i++) {
    const struct tuio_cursor *cursor = &tuio->cursors[i];
    is_changed |= cursor->is_changed | cursor->is_over;
  }
  if (!is_changed)
    return;
  if (take_back(tuio))
    send_frame(tuio, now_us);
  remove_those_over(tuio);
  settle(tuio);
  send_frame(tuio, now_us);
}

void tuio_repeat(struct tuio *tuio, uint64_t now_us) {
  settle(tuio);
  send_bundle(tuio, -1, now_us);
}

void tuio_clear(struct tuio *tuio, uint64_t now_us) {
  for (uint32_t i = 0; i < tuio->count; i++)
    tuio->cursors[i].is_over = tuio->cursors[i].is_cancelled = 1;
  tuio_end_frame(tuio, now_us);
}
