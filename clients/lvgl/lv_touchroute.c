/*
 * lv_touchroute.c: an input device of LVGL 9.4 or newer whose touches come from touchrouted.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* clock_gettime, which -std=c99 leaves out */
#endif

#include "lv_touchroute.h"

#include "touchroute.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FINGERS = 10, QUEUE = 64 };

struct finger {
  uint64_t touch;
  lv_point_t point;
  bool down, lifted;
  bool is_void; /* down, but nothing to LVGL any more: it was cancelled there */
};

/* One reading of LVGL's: the pointer, and all fingers. */
struct reading {
  uint32_t timestamp;
  lv_point_t point;
  bool pressed;
  bool cancelled;  /* the pointer is: what it has pressed is let go of without a click */
  bool only_moves; /* a later one of the same fingers may take its place */
  bool silent;     /* a finger was cancelled, so no gesture ends */
  uint8_t count;
  struct finger fingers[FINGERS];
};

struct driver {
  struct touchroute_connection *connection;
  lv_timer_t *timer;
  struct touchroute_attached geometry;
  struct finger fingers[FINGERS];
  uint64_t pointer; /* the touch that is LVGL's pointer, or 0 */
  struct reading last, queue[QUEUE];
  uint32_t first, waiting;
};

static struct reading *entry(struct driver *driver, uint32_t index) {
  return &driver->queue[(driver->first + index) % QUEUE];
}

/* LVGL takes nothing now, or too slowly: all of it is over, until fingers begin anew. */
static void drop_all(struct driver *driver) {
  for (int i = 0; i < FINGERS; i++)
    driver->fingers[i].is_void = driver->fingers[i].down;
  driver->pointer = 0;
  driver->waiting = 1;
  struct reading reset = {.cancelled = true, .silent = true, .count = FINGERS};
  reset.point = driver->last.point;
  for (int i = 0; i < FINGERS; i++)
    reset.fingers[i].lifted = true;
  *entry(driver, 0) = reset;
}

static void push(struct driver *driver, const struct reading *reading) {
  struct reading *newest = driver->waiting ? entry(driver, driver->waiting - 1) : NULL;
  if (driver->waiting < QUEUE)
    *entry(driver, driver->waiting++) = *reading;
  else if (newest->only_moves && reading->only_moves)
    *newest = *reading;
  else
    drop_all(driver);
}

/* Where a touch is on the display as it is mounted; LVGL turns it where that is rotated. */
static lv_point_t place(const lv_indev_t *indev, const struct touchroute_touch *touch) {
  const struct driver *driver = lv_indev_get_driver_data(indev);
  const double *t = driver->geometry.transform, *bounds = driver->geometry.bounds;
  lv_display_t *display = lv_indev_get_display(indev);
  int32_t width = lv_display_get_original_horizontal_resolution(display);
  int32_t height = lv_display_get_original_vertical_resolution(display);
  double x = touch->window_x, y = touch->window_y; /* of an application, which has no bounds */
  if (bounds[2] > 0 && bounds[3] > 0) {
    x = t[0] * touch->screen_x + t[2] * touch->screen_y + t[4] - bounds[0];
    y = t[1] * touch->screen_x + t[3] * touch->screen_y + t[5] - bounds[1];
    x *= width / bounds[2];
    y *= height / bounds[3];
  }
  /* A finger may go outside; LVGL knows no places there. */
  return (lv_point_t){.x = (int32_t)LV_CLAMP(0.0, x, width - 1.0),
                      .y = (int32_t)LV_CLAMP(0.0, y, height - 1.0)};
}

static struct finger *find(struct driver *driver, const struct touchroute_touch *touch) {
  struct finger *unused = NULL;
  for (int i = 0; i < FINGERS; i++) {
    if (driver->fingers[i].down && driver->fingers[i].touch == touch->id)
      return &driver->fingers[i];
    if (!driver->fingers[i].down && !driver->fingers[i].lifted && !unused)
      unused = &driver->fingers[i];
  }
  if (!unused || touch->phase != TOUCHROUTE_PHASE_BEGAN)
    return NULL;
  bool others = false;
  for (int i = 0; i < FINGERS; i++)
    others = others || (driver->fingers[i].down && !driver->fingers[i].is_void);
  if (!others)
    driver->pointer = touch->id;
  *unused = (struct finger){.touch = touch->id, .down = true};
  return unused;
}

static void apply(lv_indev_t *indev, const struct touchroute_touch *touch,
                  struct reading *reading) {
  struct driver *driver = lv_indev_get_driver_data(indev);
  struct finger *finger = find(driver, touch);
  if (!finger)
    return;
  bool cancelled = touch->phase == TOUCHROUTE_PHASE_CANCELLED;
  finger->point = place(indev, touch);
  finger->lifted = cancelled || touch->phase == TOUCHROUTE_PHASE_ENDED;
  finger->down = !finger->lifted;
  reading->only_moves =
      reading->only_moves && finger->down && touch->phase != TOUCHROUTE_PHASE_BEGAN;
  reading->silent = reading->silent || (cancelled && !finger->is_void);
  if (touch->id != driver->pointer)
    return;
  reading->point = finger->point;
  reading->cancelled = cancelled;
  if (finger->lifted)
    driver->pointer = 0;
}

static bool begins(const struct touchroute_touch *touch) {
  return touch->phase == TOUCHROUTE_PHASE_BEGAN;
}

static bool ends(const struct touchroute_touch *touch) {
  return touch->phase == TOUCHROUTE_PHASE_ENDED || touch->phase == TOUCHROUTE_PHASE_CANCELLED;
}

/* Whether a finger comes down in the frame in which another one goes. */
static bool has_both(const struct touchroute_frame *frame) {
  bool begun = false, ended = false;
  for (uint32_t i = 0; i < frame->record_count; i++) {
    begun = begun || begins(frame->records[i].touch);
    ended = ended || ends(frame->records[i].touch);
  }
  return begun && ended;
}

/* Makes a reading of a frame's fingers: of those that come down, of the others, or of both. */
static void take(lv_indev_t *indev, const struct touchroute_frame *frame, bool others,
                 bool begun) {
  struct driver *driver = lv_indev_get_driver_data(indev);
  struct reading reading = {.only_moves = true};
  reading.point = driver->waiting ? entry(driver, driver->waiting - 1)->point : driver->last.point;
  for (uint32_t i = 0; i < frame->record_count; i++)
    if (begins(frame->records[i].touch) ? begun : others)
      apply(indev, frame->records[i].touch, &reading);
  reading.pressed = driver->pointer != 0;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  uint64_t now_us = (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
  uint64_t age_us = now_us > frame->time_us ? now_us - frame->time_us : 0;
  reading.timestamp = lv_tick_get() - (uint32_t)(age_us / 1000);
  reading.count = FINGERS;
  memcpy(reading.fingers, driver->fingers, sizeof reading.fingers);
  for (int i = 0; i < FINGERS; i++)
    driver->fingers[i].lifted = false;
  push(driver, &reading);
}

static void on_touches(void *data, struct touchroute_connection *connection,
                       const struct touchroute_frame *frame) {
  (void)connection;
  if (!has_both(frame)) {
    take(data, frame, true, true);
    return;
  }
  /* LVGL has one pointer: it must see it go before another finger becomes it. */
  take(data, frame, true, false);
  take(data, frame, false, true);
}

static void recognize(lv_indev_t *indev, lv_indev_data_t *data, const struct reading *reading) {
#if LV_USE_GESTURE_RECOGNITION
  lv_indev_touch_data_t touches[FINGERS];
  uint16_t count = 0;
  for (int i = 0; i < reading->count; i++) {
    const struct finger *finger = &reading->fingers[i];
    if (finger->lifted || (finger->down && !finger->is_void))
      touches[count++] = (lv_indev_touch_data_t){
          .point = finger->point,
          .state = finger->down ? LV_INDEV_STATE_PRESSED : LV_INDEV_STATE_RELEASED,
          .id = (uint8_t)i,
          .timestamp = reading->timestamp};
  }
  lv_indev_gesture_recognizers_update(indev, touches, count);
  if (!reading->silent)
    lv_indev_gesture_recognizers_set_data(indev, data);
#else
  (void)indev, (void)data, (void)reading;
#endif
}

/* Takes what has come into the queue; gives up where the connection has ended for good. */
static int receive(struct driver *driver) {
  int result = driver->connection ? touchroute_dispatch(driver->connection, 0) : -ENOTCONN;
  if (result >= 0 || !driver->connection)
    return result < 0 ? result : 0;
  LV_LOG_ERROR("%s", touchroute_error_text(driver->connection));
  touchroute_disconnect(driver->connection);
  driver->connection = NULL;
  lv_timer_pause(driver->timer);
  return result;
}

/* Back from beyond its ends, along an axis on which nothing snaps. */
static void come_back(lv_obj_t *scrolled) {
  int32_t top = lv_obj_get_scroll_top(scrolled), bottom = lv_obj_get_scroll_bottom(scrolled);
  int32_t left = lv_obj_get_scroll_left(scrolled), right = lv_obj_get_scroll_right(scrolled);
  bool snaps_x = lv_obj_get_scroll_snap_x(scrolled) != LV_SCROLL_SNAP_NONE;
  bool snaps_y = lv_obj_get_scroll_snap_y(scrolled) != LV_SCROLL_SNAP_NONE;
  int32_t x = snaps_x || (left <= 0 && right <= 0) ? 0 : left < 0 ? left : right < 0 ? -right : 0;
  int32_t y = snaps_y || (top <= 0 && bottom <= 0) ? 0 : top < 0 ? top : bottom < 0 ? -bottom : 0;
  if (x != 0 || y != 0)
    lv_obj_scroll_by(scrolled, x, y, LV_ANIM_ON);
}

/*
 * Resets the device. What has been scrolled is let go of as by the lift of a finger that rested: it
 * snaps, comes back from beyond its ends, and hears that the scroll has ended. The reset alone would
 * leave a tileview between two tiles.
 */
static void cancel(lv_indev_t *indev) {
  lv_obj_t *scrolled = lv_indev_get_scroll_obj(indev);
  lv_indev_reset(indev, NULL);
  /* Its program may have deleted it when it heard of the reset. */
  if (!scrolled || !lv_obj_is_valid(scrolled))
    return;
  lv_obj_update_snap(scrolled, LV_ANIM_ON);
  come_back(scrolled);
  lv_obj_send_event(scrolled, LV_EVENT_SCROLL_END, indev);
}

/* One reading, or, where none waits, as it was: LVGL asks by itself while the pointer is down. */
static void read_one(lv_indev_t *indev, lv_indev_data_t *data) {
  struct driver *driver = lv_indev_get_driver_data(indev);
  if (!driver->waiting && lv_indev_get_mode(indev) == LV_INDEV_MODE_TIMER)
    receive(driver);
  if (driver->waiting) {
    driver->last = *entry(driver, 0);
    driver->first = (driver->first + 1) % QUEUE;
    driver->waiting--;
    if (driver->last.cancelled)
      cancel(indev);
    recognize(indev, data, &driver->last);
    data->timestamp = driver->last.timestamp;
  }
  data->point = driver->last.point;
  data->state = driver->last.pressed ? LV_INDEV_STATE_PRESSED : LV_INDEV_STATE_RELEASED;
  data->continue_reading = driver->waiting > 0;
}

static void on_geometry(void *data, struct touchroute_connection *connection,
                        const struct touchroute_attached *attached) {
  (void)connection;
  struct driver *driver = lv_indev_get_driver_data(data);
  driver->geometry = *attached;
}

static void on_waiting(void *data, struct touchroute_connection *connection, uint32_t attachment,
                       uint32_t reason, const char *text) {
  (void)data, (void)connection, (void)attachment, (void)reason;
  LV_LOG_WARN("%s", text);
  LV_UNUSED(text);
}

static void on_detached(void *data, struct touchroute_connection *connection, uint32_t attachment,
                        uint32_t reason, const char *text) {
  (void)data, (void)connection, (void)attachment, (void)reason;
  LV_LOG_ERROR("%s", text);
  LV_UNUSED(text);
}

static void on_error(void *data, struct touchroute_connection *connection,
                     const struct touchroute_error *error, const char *text) {
  (void)data, (void)connection, (void)error;
  LV_LOG_ERROR("%s", text);
  LV_UNUSED(text);
}

static void on_lost(void *data, struct touchroute_connection *connection, const char *text) {
  (void)data, (void)connection;
  LV_LOG_WARN("%s", text);
  LV_UNUSED(text);
}

int lv_touchroute_get_fd(lv_indev_t *indev) {
  struct driver *driver = lv_indev_get_driver_data(indev);
  lv_timer_pause(driver->timer);
  return driver->connection ? touchroute_get_fd(driver->connection) : -ENOTCONN;
}

int lv_touchroute_dispatch(lv_indev_t *indev) {
  struct driver *driver = lv_indev_get_driver_data(indev);
  int result = receive(driver);
  while (driver->waiting && lv_indev_get_mode(indev) == LV_INDEV_MODE_EVENT) {
    uint32_t before = driver->waiting;
    lv_indev_read(indev);
    if (driver->waiting != before)
      continue;
    drop_all(driver);
    break;
  }
  return result;
}

static void on_timer(lv_timer_t *timer) {
  lv_indev_t *indev = lv_timer_get_user_data(timer);
  if (lv_indev_get_mode(indev) == LV_INDEV_MODE_EVENT)
    lv_touchroute_dispatch(indev);
}

static void on_delete(lv_event_t *event) {
  struct driver *driver = lv_event_get_user_data(event);
  touchroute_disconnect(driver->connection);
  if (driver->timer)
    lv_timer_delete(driver->timer);
  free(driver);
}

lv_indev_t *lv_touchroute_create(const char *responder) {
  struct touchroute_listener listener = {.size = sizeof listener,
                                         .touches = on_touches,
                                         .attached = on_geometry,
                                         .layout = on_geometry,
                                         .detached = on_detached,
                                         .waiting = on_waiting,
                                         .error = on_error,
                                         .lost = on_lost};
  struct driver *driver = calloc(1, sizeof *driver);
  lv_indev_t *indev = driver ? lv_indev_create() : NULL;
  if (!indev) {
    free(driver);
    return NULL;
  }
  lv_indev_set_type(indev, LV_INDEV_TYPE_POINTER);
  lv_indev_set_mode(indev, LV_INDEV_MODE_EVENT);
  lv_indev_set_read_cb(indev, read_one);
  lv_indev_set_driver_data(indev, driver);
  lv_indev_add_event_cb(indev, on_delete, LV_EVENT_DELETE, driver);
#if LV_USE_GESTURE_RECOGNITION
  lv_indev_gesture_init(indev);
#endif
  driver->timer = lv_timer_create(on_timer, LV_DEF_REFR_PERIOD, indev);
  driver->connection = touchroute_connect(NULL, NULL, TOUCHROUTE_RECONNECT, &listener, indev);
  if (!driver->connection ||
      touchroute_attach(driver->connection, responder, TOUCHROUTE_HANDLES_ALL, 0,
                        TOUCHROUTE_ATTACH_WAIT) < 0) {
    LV_LOG_ERROR("%s", touchroute_error_text(driver->connection));
    lv_indev_delete(indev);
    return NULL;
  }
  return indev;
}
