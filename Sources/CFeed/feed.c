/*
 * What the outputs over a network have in common: attaching, waiting, ending, and where touches
 * are. One thread, one loop.
 */
#include "feed.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Between attempts to attach again. */
#define RETRY_US 2000000u
/* The most that the loop sleeps: a signal that comes right before it does is seen then. */
#define MOST_SLEEP_MS 1000

struct feed {
  const struct feed_settings *settings;
  struct touchroute_connection *connection;
  int attachment; /* negative where there is none */
  int is_attached, is_application, is_over;
  double transform[6]; /* from points of its screen to its own */
  double origin_x, origin_y, width, height;
  uint64_t retry_us;
};

static volatile sig_atomic_t is_told_to_end;

static void on_signal(int number) {
  (void)number;
  is_told_to_end = 1;
}

void feed_catch_signals(void) {
  struct sigaction action = {.sa_handler = on_signal};
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGINT, &action, NULL);
}

uint64_t feed_now_us(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000u + (uint64_t)time.tv_nsec / 1000u;
}

void feed_say(const char *format, ...) {
  char line[4096];
  va_list arguments;
  va_start(arguments, format);
  int size = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (size < 0)
    return;
  for (char *at = line; *at != '\0'; at++)
    if ((unsigned char)*at < 0x20 || *at == 0x7f)
      *at = '?';
  fprintf(stderr, "touchroute: %s\n", line);
}

long feed_number(const char *program, const char *text, long least, long most) {
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  if (errno != 0 || end == text || *end != '\0' || value < least || value > most) {
    fprintf(stderr, "%s: %s is not from %ld to %ld\n", program, text, least, most);
    exit(64);
  }
  return value;
}

struct feed_place feed_place(const struct feed *feed, const struct touchroute_touch *touch) {
  const double *m = feed->transform;
  return (struct feed_place){
      .x = m[0] * touch->screen_x + m[2] * touch->screen_y + m[4] - feed->origin_x,
      .y = m[1] * touch->screen_x + m[3] * touch->screen_y + m[5] - feed->origin_y,
      .width = feed->width,
      .height = feed->height};
}

static void end(struct feed *feed, const char *text) {
  feed_say("%s", text);
  feed->is_over = 1;
}

static void set_attached(struct feed *feed, int is_attached) {
  if (feed->is_attached == is_attached)
    return;
  feed->is_attached = is_attached;
  if (feed->settings->listener.attached != NULL)
    feed->settings->listener.attached(feed->settings->data, feed, is_attached);
}

/* ---- Attaching ---- */

static void attach(struct feed *feed) {
  uint32_t asked = feed->settings->flags;
  uint32_t flags = (asked & FEED_WAIT ? TOUCHROUTE_ATTACH_WAIT : 0) |
                   (asked & FEED_TAKE_OVER ? TOUCHROUTE_ATTACH_TAKE_OVER : 0) |
                   (asked & FEED_GESTURES ? TOUCHROUTE_ATTACH_GESTURES : 0);
  feed->retry_us = FEED_NEVER;
  int attachment = touchroute_attach(feed->connection, feed->settings->path,
                                     TOUCHROUTE_HANDLES_ALL, 0, flags);
  if (attachment < 0)
    end(feed, touchroute_error_text(feed->connection));
  feed->attachment = attachment;
}

/* The attachment has come to nothing. Who waits tries again. */
static void lose(struct feed *feed, const char *text) {
  set_attached(feed, 0);
  if (!(feed->settings->flags & FEED_WAIT)) {
    end(feed, text);
    return;
  }
  if (feed->attachment >= 0)
    feed_say("%s; it is tried again", text);
  feed->attachment = -1;
  feed->retry_us = feed_now_us() + RETRY_US;
}

static void on_error(void *data, struct touchroute_connection *connection,
                     const struct touchroute_error *error, const char *text) {
  (void)connection;
  struct feed *feed = data;
  char sentence[1024];
  int may_wait = error->code == TOUCHROUTE_ERROR_HELD && !(feed->settings->flags & FEED_WAIT);
  snprintf(sentence, sizeof sentence, "%s%s", text,
           may_wait ? " (--take-over asks for it, --wait waits)" : "");
  lose(feed, sentence);
}

static void on_detached(void *data, struct touchroute_connection *connection, uint32_t attachment,
                        uint32_t reason, const char *text) {
  (void)connection, (void)attachment, (void)reason;
  lose(data, text);
}

static void on_waiting(void *data, struct touchroute_connection *connection, uint32_t attachment,
                       uint32_t reason, const char *text) {
  (void)connection, (void)attachment, (void)reason;
  struct feed *feed = data;
  set_attached(feed, 0);
  feed_say("waiting for %s: %s", feed->settings->path, text);
}

static void on_lost(void *data, struct touchroute_connection *connection, const char *text) {
  (void)connection;
  set_attached(data, 0);
  feed_say("%s; touchrouted is waited for", text);
}

/* ---- Where it is ---- */

static void on_welcome(void *data, struct touchroute_connection *connection,
                       const struct touchroute_welcome *welcome,
                       const struct touchroute_screen_info *screens) {
  (void)connection;
  struct feed *feed = data;
  if (!feed->is_application || welcome->screen_count == 0)
    return;
  feed->width = screens[0].screen.width;
  feed->height = screens[0].screen.height;
}

static void on_layout(void *data, struct touchroute_connection *connection,
                      const struct touchroute_attached *attached) {
  (void)connection;
  struct feed *feed = data;
  if (attached->screen == TOUCHROUTE_NONE)
    return;
  memcpy(feed->transform, attached->transform, sizeof feed->transform);
  feed->origin_x = attached->bounds[0];
  feed->origin_y = attached->bounds[1];
  feed->width = attached->bounds[2];
  feed->height = attached->bounds[3];
}

static void on_attached(void *data, struct touchroute_connection *connection,
                        const struct touchroute_attached *attached) {
  on_layout(data, connection, attached);
  set_attached(data, 1);
}

/* ---- What comes ---- */

static void on_touches(void *data, struct touchroute_connection *connection,
                       const struct touchroute_frame *frame) {
  (void)connection;
  struct feed *feed = data;
  if (feed->settings->listener.touches != NULL)
    feed->settings->listener.touches(feed->settings->data, feed, frame);
}

static void on_gesture(void *data, struct touchroute_connection *connection,
                       const struct touchroute_gesture *gesture, const char *path) {
  (void)connection;
  struct feed *feed = data;
  if (feed->settings->listener.gesture != NULL)
    feed->settings->listener.gesture(feed->settings->data, feed, gesture, path);
}

/* ---- The loop ---- */

static int time_left(const struct feed *feed, uint64_t now) {
  const struct feed_settings *settings = feed->settings;
  uint64_t due = FEED_NEVER;
  if (settings->listener.due != NULL)
    due = settings->listener.due(settings->data);
  if (feed->retry_us < due)
    due = feed->retry_us;
  if (due == FEED_NEVER || due > now + MOST_SLEEP_MS * 1000u)
    return MOST_SLEEP_MS;
  return due <= now ? 0 : (int)((due - now + 999) / 1000);
}

static void loop(struct feed *feed) {
  const struct feed_settings *settings = feed->settings;
  while (!feed->is_over && !is_told_to_end) {
    if (touchroute_dispatch(feed->connection, time_left(feed, feed_now_us())) < 0) {
      end(feed, touchroute_error_text(feed->connection));
      return;
    }
    uint64_t now = feed_now_us();
    if (feed->retry_us <= now)
      attach(feed);
    if (settings->listener.due != NULL && settings->listener.due(settings->data) <= now)
      settings->listener.tick(settings->data, now);
  }
}

int feed_run(const struct feed_settings *settings) {
  struct feed feed = {.settings = settings,
                      .attachment = -1,
                      .is_application = strncmp(settings->path, "app:", 4) == 0,
                      .transform = {1, 0, 0, 1, 0, 0},
                      .retry_us = FEED_NEVER};
  struct touchroute_listener listener = {
      .size = sizeof listener, .touches = on_touches,   .attached = on_attached,
      .layout = on_layout,     .detached = on_detached, .error = on_error,
      .welcome = on_welcome,   .lost = on_lost,         .waiting = on_waiting,
      .gesture = on_gesture,
  };
  feed_catch_signals();
  feed.connection = touchroute_connect(settings->socket, settings->name, TOUCHROUTE_RECONNECT,
                                       &listener, &feed);
  if (feed.connection == NULL)
    end(&feed, touchroute_error_text(NULL));
  else
    attach(&feed);
  loop(&feed);
  set_attached(&feed, 0);
  touchroute_disconnect(feed.connection);
  return is_told_to_end ? 0 : 1;
}
