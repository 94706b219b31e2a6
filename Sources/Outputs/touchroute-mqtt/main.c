/*
 * touchroute-mqtt: the process of `touchroute output mqtt`, which reads the command line for it and
 * says what may stand there. A client of touchrouted that tells a broker of taps and gestures.
 *
 * SPDX-License-Identifier: MIT
 */
#include "broker.h"
#include "feed.h"
#include "printable.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

/* How far a finger may go in a tap, in points: the daemon's own, where nothing is configured. */
#define TAP_DISTANCE 45.0
#define CHECK_US 1000000u
/* The most that a path takes in a string of JSON: a daemon may send any bytes for one. */
#define MOST_SHOWN PRINTABLE_SIZE(TOUCHROUTE_MAX_PATH)

/* The words of the command line, in their order. */
enum word {
  SOCKET = 1,
  PATH,
  HOST,
  PORT,
  NAME,
  USER,
  PASSWORD_FILE,
  CA_FILE,
  CERTIFICATE_FILE,
  KEY_FILE,
  TLS,
  QOS,
  HOME_ASSISTANT,
  FLAGS,
  COUNT
};

struct output {
  struct broker *broker;
  uint64_t checked_us;
  struct finger {
    uint64_t touch; /* 0: none */
    float x, y;     /* where it began, in points of the screen */
    char view[TOUCHROUTE_MAX_PATH + 1];
  } fingers[TOUCHROUTE_CLIENT_TOUCHES];
};

static struct finger *find(struct output *output, uint64_t touch) {
  for (uint32_t i = 0; i < TOUCHROUTE_CLIENT_TOUCHES; i++)
    if (output->fingers[i].touch == touch)
      return &output->fingers[i];
  return NULL;
}

static void publish_tap(struct output *output, const struct finger *finger,
                        const struct touchroute_touch *touch, struct feed_place place,
                        uint64_t time_us) {
  char view[MOST_SHOWN], json[1024 + MOST_SHOWN];
  snprintf(json, sizeof json,
           "{\"event_type\":\"tap\",\"view\":\"%s\",\"count\":%u,\"x\":%.1f,\"y\":%.1f,"
           "\"view_x\":%.1f,\"view_y\":%.1f,\"touch\":%llu,\"time_us\":%llu}",
           printable(view, sizeof view, finger->view, PRINTABLE_JSON), touch->tap_count, place.x,
           place.y, (double)touch->x, (double)touch->y, (unsigned long long)touch->id,
           (unsigned long long)time_us);
  broker_publish(output->broker, "tap", json);
}

static void on_touches(void *data, struct feed *feed, const struct touchroute_frame *frame) {
  struct output *output = data;
  for (uint32_t i = 0; i < frame->record_count; i++) {
    const struct touchroute_touch *touch = frame->records[i].touch;
    int is_new = touch->phase == TOUCHROUTE_PHASE_BEGAN;
    struct finger *finger = find(output, is_new ? 0 : touch->id);
    if (finger == NULL)
      continue;
    if (is_new) {
      finger->touch = touch->id;
      finger->x = touch->screen_x;
      finger->y = touch->screen_y;
      snprintf(finger->view, sizeof finger->view, "%s", frame->records[i].path);
    }
    int is_ended = touch->phase == TOUCHROUTE_PHASE_ENDED;
    double way = hypot(touch->screen_x - finger->x, touch->screen_y - finger->y);
    if (is_ended && way <= TAP_DISTANCE)
      publish_tap(output, finger, touch, feed_place(feed, touch), frame->time_us);
    if (is_ended || touch->phase == TOUCHROUTE_PHASE_CANCELLED)
      finger->touch = 0;
  }
}

static const char *const kinds[] = {"",      "tap",      "long_press", "pan", "swipe",
                                    "pinch", "rotation", "edge_pan"};
static const char *const states[] = {"", "recognized", "began", "changed", "ended", "cancelled"};
static const char *const directions[] = {"", "left", "right", "up", "down"};

static void on_gesture(void *data, struct feed *feed, const struct touchroute_gesture *gesture,
                       const char *path) {
  (void)feed;
  struct output *output = data;
  if (gesture->state == TOUCHROUTE_GESTURE_CHANGED ||
      gesture->kind >= sizeof kinds / sizeof *kinds ||
      gesture->state >= sizeof states / sizeof *states)
    return;
  char name[MOST_SHOWN], json[1024 + MOST_SHOWN], direction[64] = "";
  if (gesture->direction > 0 && gesture->direction < sizeof directions / sizeof *directions)
    snprintf(direction, sizeof direction, "\"direction\":\"%s\",", directions[gesture->direction]);
  snprintf(json, sizeof json,
           "{\"event_type\":\"%s\",\"gesture\":\"%s\",\"state\":\"%s\",%s\"fingers\":%u,"
           "\"taps\":%u,\"x\":%.1f,\"y\":%.1f,\"translation_x\":%.1f,\"translation_y\":%.1f,"
           "\"velocity_x\":%.1f,\"velocity_y\":%.1f,\"scale\":%.3f,\"rotation\":%.1f,"
           "\"time_us\":%llu}",
           kinds[gesture->kind], printable(name, sizeof name, path, PRINTABLE_JSON),
           states[gesture->state], direction, gesture->touches, gesture->taps, gesture->x,
           gesture->y, gesture->translation_x, gesture->translation_y,
           gesture->velocity_x, gesture->velocity_y, gesture->scale, gesture->rotation,
           (unsigned long long)gesture->time_us);
  broker_publish(output->broker, "gesture", json);
}

static void on_attached(void *data, struct feed *feed, int is_attached) {
  (void)feed;
  struct output *output = data;
  if (!is_attached)
    for (uint32_t i = 0; i < TOUCHROUTE_CLIENT_TOUCHES; i++)
      output->fingers[i].touch = 0;
  broker_set_attached(output->broker, is_attached);
}

static uint64_t due(void *data) {
  struct output *output = data;
  return output->checked_us + CHECK_US;
}

static void tick(void *data, uint64_t now_us) {
  struct output *output = data;
  output->checked_us = now_us;
  broker_check(output->broker, now_us);
}

/* Signals are the main thread's, whose loop they wake. */
static struct broker *create_broker(const struct broker_settings *settings) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  struct broker *broker = broker_create(settings);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return broker;
}

static int run(char **argv, struct broker_settings *settings) {
  static struct output output;
  char name[TOUCHROUTE_MAX_NAME + 1];
  snprintf(name, sizeof name, "touchroute output mqtt %s", argv[PATH]);
  signal(SIGPIPE, SIG_IGN);
  feed_catch_signals();
  output.broker = create_broker(settings);
  if (output.broker == NULL)
    return 1;
  struct feed_settings feed = {
      .socket = argv[SOCKET][0] != '\0' ? argv[SOCKET] : NULL,
      .path = argv[PATH],
      .name = name,
      .flags = (uint32_t)feed_number("touchroute-mqtt", argv[FLAGS], 0, 3) | FEED_GESTURES,
      .listener = {.touches = on_touches, .gesture = on_gesture, .attached = on_attached,
                   .due = due, .tick = tick},
      .data = &output};
  int status = feed_run(&feed);
  return broker_destroy(output.broker) ? status : 1;
}

int main(int argc, char **argv) {
  if (argc != COUNT) {
    fprintf(stderr,
            "touchroute-mqtt: this is a part of touchroute; see touchroute output mqtt --help\n");
    return 64;
  }
  char base[1024];
  snprintf(base, sizeof base, "touchroute/%.200s/%.700s", argv[NAME], argv[PATH]);
  struct broker_settings settings = {
      .host = argv[HOST],
      .port = (int)feed_number("touchroute-mqtt", argv[PORT], 1, 65535),
      .base = base,
      .user = argv[USER],
      .password_file = argv[PASSWORD_FILE],
      .ca_file = argv[CA_FILE],
      .certificate_file = argv[CERTIFICATE_FILE],
      .key_file = argv[KEY_FILE],
      .is_encrypted = (int)feed_number("touchroute-mqtt", argv[TLS], 0, 1),
      .qos = (int)feed_number("touchroute-mqtt", argv[QOS], 0, 1),
      .is_for_home_assistant = (int)feed_number("touchroute-mqtt", argv[HOME_ASSISTANT], 0, 1),
      .name = argv[NAME],
      .path = argv[PATH],
  };
  return run(argv, &settings);
}
