/*
 * A program of the C library that does anything at random: program SOCKET NAME SEED.
 *
 * What it asks for and what it is told goes to the standard output, a line each, for worlds.py to
 * hold it to the contract. A line of the standard input says "settle", and from then on it asks for
 * nothing more; "ping", which it asks for; its end is the program's.
 */
#define _GNU_SOURCE
#include "touchroute.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ATTACHMENTS 12
#define GESTURES 12
#define ROWS 6

static const char *const paths[] = {"app:dash", "home",         "home/list", "home/list@rows",
                                    "home/bar", "home/bar/ok",  "side",      "side/pad",
                                    "nowhere",  "home/list/r0", "side@bar"};
#define PATHS (sizeof paths / sizeof *paths)

static struct touchroute_connection *connection;
static uint64_t state;
static uint32_t attachments[ATTACHMENTS], gestures[GESTURES];
static size_t attachment_count, gesture_count;
static uint64_t latest_touch;
static uint32_t latest_attachment;
static int is_settled;

static uint32_t below(uint32_t limit) {
  uint64_t mixed = state += 0x9e3779b97f4a7c15u;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return (uint32_t)((mixed ^ (mixed >> 31)) % limit);
}

static void forget(uint32_t *numbers, size_t *count, uint32_t number) {
  for (size_t i = 0; i < *count; i++)
    if (numbers[i] == number)
      numbers[i--] = numbers[--*count];
}

static uint32_t any(const uint32_t *numbers, size_t count) {
  return count == 0 ? 0 : numbers[below((uint32_t)count)];
}

/* ---- What it asks for ---- */

static void attach(void) {
  if (attachment_count == ATTACHMENTS)
    return;
  const char *path = paths[below(PATHS)];
  uint32_t flags = below(3) == 0 ? TOUCHROUTE_ATTACH_WAIT : 0;
  flags |= below(4) == 0 ? TOUCHROUTE_ATTACH_TAKE_OVER : 0;
  flags |= below(2) == 0 ? TOUCHROUTE_ATTACH_GESTURES : 0;
  flags |= below(4) == 0 ? TOUCHROUTE_ATTACH_HISTORY : 0;
  int serial = touchroute_attach(connection, path, TOUCHROUTE_HANDLES_ALL, 0, flags);
  if (serial <= 0)
    return;
  attachments[attachment_count++] = (uint32_t)serial;
  printf("asked %d attach %s\n", serial, path);
}

static void detach(uint32_t attachment) {
  int serial = touchroute_detach(connection, attachment);
  if (serial < 0)
    return;
  forget(attachments, &attachment_count, attachment);
  if (serial > 0)
    printf("asked %d detach %u\n", serial, attachment);
  else
    printf("over attachment %u\n", attachment);
}

static void add_gesture(uint32_t attachment) {
  static uint32_t number;
  if (gesture_count == GESTURES)
    return;
  char name[32];
  snprintf(name, sizeof name, "g%u-%d", number++ % 9, (int)getpid());
  struct touchroute_recognizer recognizer = touchroute_recognizer_of(
      below(2) == 0 ? TOUCHROUTE_GESTURE_PAN : TOUCHROUTE_GESTURE_TAP, name);
  int serial = touchroute_add_gesture(connection, attachment, &recognizer);
  if (serial <= 0)
    return;
  gestures[gesture_count++] = (uint32_t)serial;
  printf("asked %d add_gesture %u %s\n", serial, attachment, name);
}

static void remove_gesture(uint32_t gesture) {
  int serial = touchroute_remove_gesture(connection, gesture);
  if (serial < 0)
    return;
  forget(gestures, &gesture_count, gesture);
  if (serial > 0)
    printf("asked %d remove_gesture %u\n", serial, gesture);
  else
    printf("over gesture %u\n", gesture);
}

static void change_views(uint32_t attachment) {
  char path[16];
  uint32_t kinds[] = {TOUCHROUTE_STEP_ADD, TOUCHROUTE_STEP_ADD, TOUCHROUTE_STEP_REMOVE,
                      TOUCHROUTE_STEP_CHANGE};
  uint32_t kind = kinds[below(4)];
  snprintf(path, sizeof path, "r%u", below(ROWS));
  struct touchroute_property_change frame = {.property = TOUCHROUTE_PROPERTY_FRAME,
                                             .values = {below(90), below(90), 40, 40}};
  struct touchroute_view_change step = {.kind = kind,
                                        .path = path,
                                        .properties = &frame,
                                        .property_count = kind != TOUCHROUTE_STEP_REMOVE};
  int serial = touchroute_change_views(connection, attachment, &step, 1);
  const char *words[] = {"add", "remove", "change"};
  int word = kind == TOUCHROUTE_STEP_ADD ? 0 : kind == TOUCHROUTE_STEP_REMOVE ? 1 : 2;
  if (serial > 0)
    printf("asked %d views %u %s %s\n", serial, attachment, words[word], path);
}

static void plain(const char *what, int serial) {
  if (serial > 0)
    printf("asked %d %s\n", serial, what);
}

static void set(void) {
  const struct touchroute_property_change change = {.path = paths[1 + below(PATHS - 1)],
                                                    .property = TOUCHROUTE_PROPERTY_BOUNDS_ORIGIN,
                                                    .values = {0, below(50)}};
  plain("set", touchroute_set(connection, &change, 1));
}

static void decide(void) {
  if (latest_touch == 0)
    return;
  if (below(2) == 0) {
    touchroute_accept(connection, latest_attachment, latest_touch);
  } else if (touchroute_decline(connection, latest_attachment, latest_touch) >= 0) {
    printf("declined %u %" PRIu64 "\n", latest_attachment, latest_touch);
    latest_touch = 0;
  }
}

static void act(void) {
  uint32_t attachment = any(attachments, attachment_count);
  switch (below(16)) {
  case 0:
  case 1:
  case 2: attach(); break;
  case 3: detach(attachment); break;
  case 4:
  case 5: add_gesture(attachment); break;
  case 6: remove_gesture(any(gestures, gesture_count)); break;
  case 7: {
    uint32_t gesture = any(gestures, gesture_count);
    plain("enable", touchroute_enable_gesture(connection, gesture, (int)below(2)));
    break;
  }
  case 8:
  case 9:
  case 10: change_views(attachment); break;
  case 11: set(); break;
  case 12: plain("ping", touchroute_ping(connection)); break;
  case 13: plain("describe", touchroute_describe(connection, paths[below(PATHS)], 0, 0)); break;
  case 14: decide(); break;
  default: {
    int enable = below(2) == 0;
    int serial = touchroute_observe(connection, enable);
    plain(enable ? "observe" : "unobserve", serial);
    if (serial == 0)
      printf("over observe\n");
    break;
  }
  }
}

/* Now and then also from within a callback. */
static void meddle(void) {
  if (!is_settled && below(12) == 0)
    act();
}

/* ---- What it is told ---- */

static void on_touches(void *data, struct touchroute_connection *c,
                       const struct touchroute_frame *frame) {
  (void)data, (void)c;
  for (uint32_t i = 0; i < frame->record_count; i++) {
    const struct touchroute_touch *touch = frame->records[i].touch;
    printf("touch %u %" PRIu64 " %s\n", touch->attachment, touch->id,
           touchroute_phase_name(touch->phase));
    if (touch->phase == TOUCHROUTE_PHASE_BEGAN) {
      latest_touch = touch->id;
      latest_attachment = touch->attachment;
    }
  }
  meddle();
}

static void on_attached(void *data, struct touchroute_connection *c,
                        const struct touchroute_attached *attached) {
  (void)data, (void)c;
  printf("attached %u %u\n", attached->attachment, attached->added_count);
  meddle();
}

static void on_layout(void *data, struct touchroute_connection *c,
                      const struct touchroute_attached *attached) {
  (void)data, (void)c;
  printf("layout %u %u\n", attached->attachment, attached->added_count);
}

static void on_detached(void *data, struct touchroute_connection *c, uint32_t attachment,
                        uint32_t reason, const char *text) {
  (void)data, (void)c, (void)reason, (void)text;
  forget(attachments, &attachment_count, attachment);
  printf("detached %u\n", attachment);
  meddle();
}

static void on_waiting(void *data, struct touchroute_connection *c, uint32_t attachment,
                       uint32_t reason, const char *text) {
  (void)data, (void)c, (void)reason, (void)text;
  printf("waiting %u\n", attachment);
  meddle();
}

static void on_error(void *data, struct touchroute_connection *c,
                     const struct touchroute_error *error, const char *text) {
  (void)data, (void)c;
  forget(attachments, &attachment_count, error->serial);
  forget(gestures, &gesture_count, error->serial);
  printf("error %u %u %s\n", error->serial, error->code, text);
  meddle();
}

static void on_welcome(void *data, struct touchroute_connection *c,
                       const struct touchroute_welcome *welcome,
                       const struct touchroute_screen_info *screens) {
  (void)data, (void)c, (void)welcome, (void)screens;
  printf("welcome\n");
  meddle();
}

static void on_lost(void *data, struct touchroute_connection *c, const char *text) {
  (void)data, (void)c;
  latest_touch = 0; /* the next daemon may give its number to another one */
  printf("lost %s\n", text);
  meddle();
}

static void on_pong(void *data, struct touchroute_connection *c, uint32_t serial) {
  (void)data, (void)c;
  printf("pong %u\n", serial);
}

static void on_done(void *data, struct touchroute_connection *c,
                    const struct touchroute_done *done, const char *text) {
  (void)data, (void)c, (void)text;
  printf("done %u\n", done->serial);
  meddle();
}

static void on_gesture(void *data, struct touchroute_connection *c,
                       const struct touchroute_gesture *gesture, const char *path) {
  (void)data, (void)c;
  static const char *const states[] = {"?", "recognized", "began", "changed", "ended", "cancelled"};
  const char *word = gesture->state < 6 ? states[gesture->state] : "?";
  printf("gesture %u %u %s %s\n", gesture->attachment, gesture->recognizer, word, path);
}

/* ---- What it is to do ---- */

/* Takes in what the standard input says; 0 at its end. */
static int take_orders(void) {
  char orders[64];
  ssize_t count = read(STDIN_FILENO, orders, sizeof orders - 1);
  if (count == 0)
    return 0;
  orders[count > 0 ? count : 0] = 0;
  if (strstr(orders, "settle")) {
    is_settled = 1;
    printf("settled\n");
  }
  if (strstr(orders, "ping"))
    plain("ping", touchroute_ping(connection));
  return 1;
}

int main(int argument_count, char **arguments) {
  if (argument_count != 4) {
    fprintf(stderr, "usage: program SOCKET NAME SEED\n");
    return 64;
  }
  state = strtoull(arguments[3], NULL, 10);
  struct touchroute_listener listener = {.size = sizeof listener,
                                         .touches = on_touches,
                                         .attached = on_attached,
                                         .layout = on_layout,
                                         .detached = on_detached,
                                         .waiting = on_waiting,
                                         .error = on_error,
                                         .welcome = on_welcome,
                                         .lost = on_lost,
                                         .pong = on_pong,
                                         .done = on_done,
                                         .gesture = on_gesture};
  connection =
      touchroute_connect(arguments[1], arguments[2], TOUCHROUTE_RECONNECT, &listener, NULL);
  if (!connection) {
    fprintf(stderr, "program: %s\n", touchroute_error_text(NULL));
    return 1;
  }
  for (int is_running = 1; is_running;) {
    struct pollfd polled[] = {{.fd = touchroute_get_fd(connection), .events = POLLIN},
                              {.fd = STDIN_FILENO, .events = POLLIN}};
    poll(polled, 2, is_settled ? -1 : (int)below(6));
    if (!is_settled)
      act();
    if (polled[1].revents)
      is_running = take_orders();
    if (touchroute_dispatch(connection, 0) < 0) {
      printf("ended %s\n", touchroute_error_text(connection));
      break;
    }
    fflush(stdout);
  }
  touchroute_disconnect(connection);
  return 0;
}
