/*
 * What all outputs have in common: attaching, waiting, ending, and where touches are. One thread,
 * one loop, which sleeps until the daemon says something or the listener has something due.
 */
#include "feed.h"

#include "notify.h"
#include "printable.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Between attempts to attach again. */
#define RETRY_US 2000000u
/* How long touchrouted may be away, and how long it may take to answer, before that is said. */
#define MOMENT_US 1000000u
#define ANSWER_US 10000000u
/* Between attempts to tell the service manager, where it does not read. */
#define NOTIFY_US 200000u

struct feed {
  const struct feed_settings *settings;
  struct touchroute_connection *connection;
  int attachment; /* negative where there is none */
  int is_application, is_placed, is_attached, is_ready, is_over;
  int has_said_waiting; /* that touchrouted is, since it was last there */
  double transform[6]; /* from points of its screen to its own */
  double origin_x, origin_y, width, height;
  uint32_t screen; /* of an application: the index of the one whose touches count */
  uint64_t retry_us;
  uint64_t notify_us; /* when the service manager is to be told; FEED_NEVER */
  uint64_t begun_us, silence_us; /* when that it is not there is to be said; FEED_NEVER */
};

static volatile sig_atomic_t is_told_to_end;

/* It comes again in a second: where the loop was about to sleep, that ends its sleep. */
static void on_signal(int number) {
  (void)number;
  is_told_to_end = 1;
  alarm(1);
}

void feed_catch_signals(void) {
  struct sigaction action = {.sa_handler = on_signal};
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGALRM, &action, NULL);
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
  /* Touches do not wait for somebody who does not read what is said. */
  struct pollfd errors = {.fd = STDERR_FILENO, .events = POLLOUT};
  if (poll(&errors, 1, 0) != 1)
    return;
  char shown[PRINTABLE_SIZE(sizeof line)];
  fprintf(stderr, "touchroute: %s\n", printable(shown, sizeof shown, line, PRINTABLE_LINE));
}

long feed_number(const char *program, const char *text, long least, long most) {
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  if (errno != 0 || end == text || *end != '\0' || value < least || value > most) {
    char shown[PRINTABLE_SIZE(64)];
    fprintf(stderr, "%s: %s is not from %ld to %ld\n", program,
            printable(shown, sizeof shown, text, PRINTABLE_LINE), least, most);
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

int feed_counts(const struct feed *feed, const struct touchroute_touch *touch) {
  return !feed->is_application || feed->settings->screen == NULL || touch->screen == feed->screen;
}

void feed_end(struct feed *feed, const char *text) {
  feed_say("%s", text);
  feed->is_over = 1;
}

/* Tells the service manager, which may have to be tried again: no touch waits for that. */
static void tell_ready(struct feed *feed) {
  feed->notify_us = notify_ready() < 0 ? feed_now_us() + NOTIFY_US : FEED_NEVER;
}

/* The first time: who starts after it finds it in its place. */
static void get_ready(struct feed *feed) {
  if (!feed->is_ready)
    tell_ready(feed);
  feed->is_ready = 1;
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
  if (feed->settings->path == NULL)
    return; /* it asks for feedback once it knows the screens */
  uint32_t asked = feed->settings->flags;
  uint32_t flags = (asked & FEED_WAIT ? TOUCHROUTE_ATTACH_WAIT : 0) |
                   (asked & FEED_TAKE_OVER ? TOUCHROUTE_ATTACH_TAKE_OVER : 0) |
                   (asked & FEED_GESTURES ? TOUCHROUTE_ATTACH_GESTURES : 0);
  feed->retry_us = FEED_NEVER;
  int attachment = touchroute_attach(feed->connection, feed->settings->path,
                                     TOUCHROUTE_HANDLES_ALL, 0, flags);
  if (attachment < 0)
    feed_end(feed, touchroute_error_text(feed->connection));
  feed->attachment = attachment;
}

/* The attachment has come to nothing. Who waits tries again, where there was one at any time. */
static void lose(struct feed *feed, const char *text) {
  set_attached(feed, 0);
  if (!(feed->settings->flags & FEED_WAIT) || !feed->is_ready) {
    feed_end(feed, text);
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
           may_wait ? " (--take-over or --wait)" : "");
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
  get_ready(feed);
}

static void on_lost(void *data, struct touchroute_connection *connection, const char *text) {
  (void)connection;
  struct feed *feed = data;
  set_attached(feed, 0);
  /* A daemon that takes connections and drops them is lost again and again, and waited for once. */
  if (!feed->has_said_waiting)
    feed_say("%s; touchrouted is waited for", text);
  feed->has_said_waiting = 1;
}

/* Why no connection comes about is the last attempt's text; where one was taken there is none. */
static void say_waiting(struct feed *feed, uint64_t now) {
  const char *text = touchroute_error_text(feed->connection);
  if (*text == '\0' && now - feed->begun_us < ANSWER_US) {
    feed->silence_us = feed->begun_us + ANSWER_US;
    return;
  }
  feed->silence_us = FEED_NEVER;
  if (feed->has_said_waiting)
    return;
  feed->has_said_waiting = 1;
  if (*text == '\0')
    feed_say("touchrouted has its socket, and does not answer; it is waited for (systemctl status "
             "touchrouted)");
  else
    feed_say("touchrouted is waited for: %s (sudo systemctl start touchrouted.socket starts it; "
             "--socket names another)", text);
}

static void stop_waiting(struct feed *feed) {
  if (feed->has_said_waiting)
    feed_say("touchrouted is there");
  feed->has_said_waiting = 0;
  feed->silence_us = FEED_NEVER;
}

/* ---- Where it is ---- */

/* Asks for the feedback of a screen; done or error follows. */
static void listen_to(struct feed *feed, const char *screen) {
  if (touchroute_watch_feedback(feed->connection, screen, 1) < 0)
    feed_end(feed, touchroute_error_text(feed->connection));
}

static void tell_layout(struct feed *feed) {
  const struct feed_listener *listener = &feed->settings->listener;
  if (listener->layout != NULL)
    listener->layout(feed->settings->data, feed, feed->width, feed->height);
}

/* An application has no place of its own: it is as large as its screen. */
static void on_welcome(void *data, struct touchroute_connection *connection,
                       const struct touchroute_welcome *welcome,
                       const struct touchroute_screen_info *screens) {
  (void)connection;
  struct feed *feed = data;
  stop_waiting(feed);
  const char *name = feed->settings->screen;
  int is_named = name != NULL && *name != '\0';
  uint32_t index = 0;
  while (is_named && index < welcome->screen_count && strcmp(screens[index].name, name) != 0)
    index++;
  if (is_named && index == welcome->screen_count) {
    char text[512];
    snprintf(text, sizeof text,
             "no screen is named %s; `touchroute tree`, run as root, lists them all", name);
    feed_end(feed, text);
    return;
  }
  for (uint32_t i = 0; feed->settings->path == NULL && i < welcome->screen_count; i++)
    if (!is_named || i == index)
      listen_to(feed, screens[i].name);
  if (!feed->is_application || welcome->screen_count == 0)
    return;
  feed->screen = index;
  feed->width = screens[index].screen.width;
  feed->height = screens[index].screen.height;
  /* A daemon that has started anew, with other screens maybe. */
  if (feed->is_placed)
    tell_layout(feed);
}

static void on_layout(void *data, struct touchroute_connection *connection,
                      const struct touchroute_attached *attached) {
  (void)connection;
  struct feed *feed = data;
  if (attached->screen != TOUCHROUTE_NONE) {
    memcpy(feed->transform, attached->transform, sizeof feed->transform);
    feed->origin_x = attached->bounds[0];
    feed->origin_y = attached->bounds[1];
    feed->width = attached->bounds[2];
    feed->height = attached->bounds[3];
  }
  feed->is_placed = 1;
  tell_layout(feed);
}

static void on_attached(void *data, struct touchroute_connection *connection,
                        const struct touchroute_attached *attached) {
  struct feed *feed = data;
  on_layout(data, connection, attached);
  if (feed->is_over)
    return;
  set_attached(feed, 1);
  get_ready(feed);
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

static void on_done(void *data, struct touchroute_connection *connection,
                    const struct touchroute_done *done, const char *text) {
  (void)connection, (void)done, (void)text;
  struct feed *feed = data;
  if (feed->settings->path == NULL)
    get_ready(feed);
}

static void on_feedback(void *data, struct touchroute_connection *connection,
                        const struct touchroute_feedback *feedback, const char *name,
                        const char *target) {
  (void)connection, (void)feedback;
  struct feed *feed = data;
  if (feed->settings->listener.feedback != NULL)
    feed->settings->listener.feedback(feed->settings->data, feed, name, target);
}

/* ---- The loop ---- */

/* When anything of our own is next to be done. Mostly never: then no clock is asked. */
static uint64_t next_due(const struct feed *feed) {
  const struct feed_settings *settings = feed->settings;
  uint64_t due = settings->listener.due != NULL ? settings->listener.due(settings->data)
                                                : FEED_NEVER;
  due = feed->silence_us < due ? feed->silence_us : due;
  due = feed->notify_us < due ? feed->notify_us : due;
  return feed->retry_us < due ? feed->retry_us : due;
}

static int milliseconds_until(uint64_t due) {
  if (due == FEED_NEVER)
    return -1;
  uint64_t now = feed_now_us();
  return due <= now ? 0 : (int)((due - now + 999) / 1000);
}

static void do_what_is_due(struct feed *feed) {
  const struct feed_settings *settings = feed->settings;
  uint64_t now = feed_now_us();
  if (feed->silence_us <= now)
    say_waiting(feed, now);
  if (feed->retry_us <= now)
    attach(feed);
  if (feed->notify_us <= now)
    tell_ready(feed);
  if (settings->listener.due != NULL && settings->listener.due(settings->data) <= now)
    settings->listener.tick(settings->data, now);
}

static void loop(struct feed *feed) {
  uint64_t due = next_due(feed);
  while (!feed->is_over && !is_told_to_end) {
    if (touchroute_dispatch(feed->connection, milliseconds_until(due)) < 0) {
      feed_end(feed, touchroute_error_text(feed->connection));
      return;
    }
    if ((due = next_due(feed)) == FEED_NEVER)
      continue;
    do_what_is_due(feed);
    due = next_due(feed);
  }
}

int feed_run(const struct feed_settings *settings) {
  struct feed feed = {.settings = settings,
                      .attachment = -1,
                      .is_application = settings->path != NULL &&
                                        strncmp(settings->path, "app:", 4) == 0,
                      .transform = {1, 0, 0, 1, 0, 0},
                      .retry_us = FEED_NEVER,
                      .notify_us = FEED_NEVER,
                      .begun_us = feed_now_us()};
  feed.silence_us = feed.begun_us + MOMENT_US;
  struct touchroute_listener listener = {
      .size = sizeof listener, .touches = on_touches,   .attached = on_attached,
      .layout = on_layout,     .detached = on_detached, .error = on_error,
      .welcome = on_welcome,   .lost = on_lost,         .waiting = on_waiting,
      .gesture = on_gesture,   .done = on_done,         .feedback = on_feedback,
  };
  feed_catch_signals();
  feed.connection = touchroute_connect(settings->socket, settings->name, TOUCHROUTE_RECONNECT,
                                       &listener, &feed);
  if (feed.connection == NULL)
    feed_end(&feed, touchroute_error_text(NULL));
  else
    attach(&feed);
  loop(&feed);
  set_attached(&feed, 0);
  touchroute_disconnect(feed.connection);
  return is_told_to_end ? 0 : 1;
}
