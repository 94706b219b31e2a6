/*
 * How long after its time a gesture leaves that is due at one: a long press, and a tap that waits for
 * a double tap to fail. By a program that hears of it, against the kernel's time of the finger.
 */
#include "latency.h"

#include "finger.h"
#include "touchroute.h"

#define TAP_INTERVAL_MS 350
#define PRESS_MS 500
#define WARM 5
#define GESTURES 50

struct timed {
  struct samples *samples;
  uint64_t frame_us; /* the kernel's time of the last frame */
};

static void on_touches(void *data, struct touchroute_connection *connection,
                       const struct touchroute_frame *frame) {
  (void)connection;
  ((struct timed *)data)->frame_us = frame->time_us;
}

/* Fingers of the benchmark do not move, so the last frame is the one that the gesture's time counts from. */
static void on_gesture(void *data, struct touchroute_connection *connection,
                       const struct touchroute_gesture *gesture, const char *path) {
  (void)connection, (void)path;
  struct timed *timed = data;
  uint64_t wait_ms = gesture->kind == TOUCHROUTE_GESTURE_TAP ? TAP_INTERVAL_MS : PRESS_MS;
  if (gesture->state != TOUCHROUTE_GESTURE_BEGAN && gesture->state != TOUCHROUTE_GESTURE_RECOGNIZED)
    return;
  struct samples *samples = timed->samples;
  samples->samples[samples->count] =
      (struct sample){timed->frame_us + wait_ms * 1000, now_ns()};
  samples->count++;
}

static void add(struct touchroute_connection *connection, uint32_t attachment, uint32_t kind,
                const char *name, uint32_t taps, const char *after) {
  struct touchroute_recognizer recognizer = touchroute_recognizer_of(kind, name);
  recognizer.taps = taps;
  /* The program goes on hearing of the touches, and so knows the kernel's times. */
  recognizer.flags = TOUCHROUTE_GESTURE_KEEPS_TOUCHES | TOUCHROUTE_GESTURE_PASSES_ENDED;
  recognizer.after = &after;
  recognizer.after_count = after ? 1 : 0;
  if (touchroute_add_gesture(connection, attachment, &recognizer) < 0) {
    fprintf(stderr, "latency: %s\n", touchroute_error_text(connection));
    exit(1);
  }
}

static void on_error(void *data, struct touchroute_connection *connection,
                     const struct touchroute_error *error, const char *text) {
  (void)data, (void)connection, (void)error;
  fprintf(stderr, "latency: %s\n", text);
  exit(1);
}

void run_timed_client(struct samples *samples, const char *socket_path, const char *path) {
  struct timed timed = {samples, 0};
  struct touchroute_listener listener = {.size = sizeof listener,
                                         .touches = on_touches,
                                         .gesture = on_gesture,
                                         .error = on_error};
  struct touchroute_connection *connection =
      touchroute_connect(socket_path, "latency", 0, &listener, &timed);
  int attachment = !connection ? -1
                               : touchroute_attach(connection, path, TOUCHROUTE_HANDLES_ALL, 0,
                                                   TOUCHROUTE_ATTACH_GESTURES);
  if (attachment < 0) {
    fprintf(stderr, "latency: %s\n", touchroute_error_text(connection));
    exit(1);
  }
  char double_tap[64];
  snprintf(double_tap, sizeof double_tap, "%s#double", path);
  add(connection, (uint32_t)attachment, TOUCHROUTE_GESTURE_TAP, "double", 2, NULL);
  add(connection, (uint32_t)attachment, TOUCHROUTE_GESTURE_TAP, "single", 0, double_tap);
  add(connection, (uint32_t)attachment, TOUCHROUTE_GESTURE_LONG_PRESS, "press", 0, NULL);
  while (touchroute_dispatch(connection, -1) >= 0) {
  }
  exit(0);
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* A finger that stays for so long, and then nothing for a second, again and again. */
static void play(const char *name, uint64_t held_ns, struct finger_device *device,
                 struct samples *samples) {
  uint64_t first = samples->count, at = now_ns();
  double late[WARM + GESTURES];
  for (int step = 0; step < WARM + GESTURES; step++) {
    sleep_until(at += 1000000000);
    finger_frame(device, 1, 1, 0);
    sleep_until(at += held_ns);
    finger_frame(device, 1, 3, 0);
  }
  sleep_until(at + 1000000000);
  uint64_t count = samples->count - first;
  if (count != WARM + GESTURES) {
    fprintf(stderr, "latency: %s: %d were made and %llu heard of\n", name, WARM + GESTURES,
            (unsigned long long)count);
    exit(1);
  }
  for (int i = 0; i < GESTURES; i++) {
    struct sample sample = samples->samples[first + WARM + (uint64_t)i];
    late[i] = ((double)sample.arrived_ns - (double)sample.kernel_us * 1000) / 1000;
  }
  qsort(late, GESTURES, sizeof late[0], compare);
  printf("%-40s %10.2f %10.2f %10.2f\n", name, late[0], late[GESTURES / 2], late[GESTURES - 1]);
}

void play_timed(struct finger_device *device, struct samples *samples) {
  printf("%-40s %10s %10s %10s\n", "us after its time", "least", "median", "most");
  play("long press, 500 ms", 700000000, device, samples);
  play("tap, 350 ms: the double tap has failed", 50000000, device, samples);
}
