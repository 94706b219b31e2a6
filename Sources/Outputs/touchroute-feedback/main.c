/*
 * touchroute-feedback: the process of `touchroute output feedback`, which reads the command line
 * for it and says what may stand there. A client of touchrouted that hears what was hit, and
 * clicks.
 *
 * SPDX-License-Identifier: MIT
 */
#include "command.h"
#include "evdev.h"
#include "feed.h"
#include "sound.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The words of the command line, in their order. Five words for each rule follow. */
enum word { SOCKET = 1, SCREEN, DEVICE, MOST, RULES };
enum { KIND, NAME, WHAT, TIME, STRENGTH, RULE_WORDS };

#define EVERY_OTHER "*"

enum kind { SOUND, RUMBLE, PERIODIC, BEEP, RUN, KINDS };
static const char *const kinds[] = {"sound", "rumble", "periodic", "beep", "run"};

/* What one name of feedback does. */
struct rule {
  enum kind kind;
  const char *name;
  struct wave wave;
  struct evdev *evdev;
  const char *command;
  uint64_t next_us; /* not before */
};

struct output {
  struct rule *rules;
  int count;
  uint64_t gap_us;
  struct sound *sound;
};

static void give(struct output *output, struct rule *rule, const char *name, const char *target) {
  uint64_t now = feed_now_us();
  if (now < rule->next_us)
    return;
  rule->next_us = now + output->gap_us;
  switch (rule->kind) {
  case SOUND: sound_play(output->sound, &rule->wave, now); break;
  case RUN: command_run(rule->command, name, target); break;
  default: evdev_play(rule->evdev, now); break;
  }
}

static void on_feedback(void *data, struct feed *feed, const char *name, const char *target) {
  (void)feed;
  struct output *output = data;
  int is_named = 0;
  for (int i = 0; i < output->count; i++)
    if (strcmp(output->rules[i].name, name) == 0) {
      is_named = 1;
      give(output, &output->rules[i], name, target);
    }
  for (int i = 0; !is_named && i < output->count; i++)
    if (strcmp(output->rules[i].name, EVERY_OTHER) == 0)
      give(output, &output->rules[i], name, target);
}

static uint64_t due(void *data) {
  struct output *output = data;
  uint64_t due = output->sound != NULL ? sound_due(output->sound) : FEED_NEVER;
  for (int i = 0; i < output->count; i++)
    if (output->rules[i].evdev != NULL && evdev_due(output->rules[i].evdev) < due)
      due = evdev_due(output->rules[i].evdev);
  return due;
}

static void tick(void *data, uint64_t now_us) {
  struct output *output = data;
  if (output->sound != NULL && sound_due(output->sound) <= now_us)
    sound_tick(output->sound, now_us);
  for (int i = 0; i < output->count; i++)
    if (output->rules[i].evdev != NULL && evdev_due(output->rules[i].evdev) <= now_us)
      evdev_tick(output->rules[i].evdev, now_us);
}

/* The tool says no other. */
static enum kind kind_of(const char *word) {
  int kind = 0;
  while (kind < KINDS && strcmp(kinds[kind], word) != 0)
    kind++;
  if (kind == KINDS) {
    fprintf(stderr, "touchroute-feedback: there is no kind of feedback of that name\n");
    exit(64);
  }
  return (enum kind)kind;
}

static int make_wave(struct rule *rule, const char *file) {
  char problem[512];
  if (*file == '\0') {
    if (wave_make_click(&rule->wave) == 0)
      return 0;
    feed_say("there is no memory for a click");
    return -1;
  }
  if (wave_read(&rule->wave, file, problem, sizeof problem) == 0)
    return 0;
  feed_say("the sound %s can't be played: %s", file, problem);
  return -1;
}

static int make_evdev(struct rule *rule, char **words) {
  char problem[512];
  enum evdev_kind kind = rule->kind == RUMBLE     ? EVDEV_RUMBLE
                         : rule->kind == PERIODIC ? EVDEV_PERIODIC
                                                  : EVDEV_BEEP;
  unsigned ms = (unsigned)feed_number("touchroute-feedback", words[TIME], 1, 1000);
  unsigned strength = (unsigned)feed_number("touchroute-feedback", words[STRENGTH], 1,
                                            kind == EVDEV_BEEP ? 20000 : 100);
  rule->evdev = evdev_create(kind, words[WHAT], ms, strength, problem, sizeof problem);
  if (rule->evdev != NULL)
    return 0;
  feed_say("%s can't give feedback: %s", words[WHAT], problem);
  return -1;
}

/* Whether all of it can be done; what can't is said. */
static int make(struct output *output, char **words, const char *device) {
  char problem[512];
  for (int i = 0; i < output->count; i++, words += RULE_WORDS) {
    struct rule *rule = &output->rules[i];
    rule->kind = kind_of(words[KIND]);
    rule->name = words[NAME];
    int result = 0;
    if (rule->kind == SOUND)
      result = make_wave(rule, words[WHAT]);
    else if (rule->kind == RUN)
      rule->command = words[WHAT];
    else
      result = make_evdev(rule, words);
    if (result < 0)
      return -1;
    if (rule->kind != SOUND || output->sound != NULL)
      continue;
    output->sound = sound_create(device, problem, sizeof problem);
    if (output->sound == NULL) {
      feed_say("%s", problem);
      return -1;
    }
  }
  return 0;
}

static void destroy(struct output *output) {
  sound_destroy(output->sound);
  for (int i = 0; i < output->count; i++) {
    evdev_destroy(output->rules[i].evdev);
    wave_free(&output->rules[i].wave);
  }
  free(output->rules);
}

int main(int argc, char **argv) {
  if (argc <= RULES || (argc - RULES) % RULE_WORDS != 0) {
    fprintf(stderr, "touchroute-feedback: this is a part of touchroute; see touchroute output "
                    "feedback --help\n");
    return 64;
  }
  struct output output = {.count = (argc - RULES) / RULE_WORDS};
  output.gap_us = 1000000u / (uint64_t)feed_number("touchroute-feedback", argv[MOST], 1, 100);
  output.rules = calloc((size_t)output.count, sizeof *output.rules);
  if (output.rules == NULL) {
    feed_say("there is no memory");
    return 1;
  }
  struct feed_settings settings = {
      .socket = argv[SOCKET][0] != '\0' ? argv[SOCKET] : NULL,
      .name = "touchroute output feedback",
      .screen = argv[SCREEN][0] != '\0' ? argv[SCREEN] : NULL,
      .listener = {.feedback = on_feedback, .due = due, .tick = tick},
      .data = &output};
  feed_catch_signals();
  int status = make(&output, argv + RULES, argv[DEVICE]) == 0 ? feed_run(&settings) : 1;
  destroy(&output);
  return status;
}
