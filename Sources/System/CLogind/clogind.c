#include "clogind.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

static const char service[] = "org.freedesktop.login1";
static const char path[] = "/org/freedesktop/login1";
static const char manager[] = "org.freedesktop.login1.Manager";
static const char refused[] = "logind does not have sleep wait";

struct clogind {
  sd_bus *bus;
  char *who, *why;
  /* Sleep waits while it is open; -1 where it does not. */
  int inhibitor;
  /* What has been heard, and nobody has asked for yet. */
  enum clogind_event event;
  /* Why the next sleep does not wait. */
  char refusal[256];
};

static int fail(char *text, int size, const char *what, int error, const sd_bus_error *detail) {
  const char *reason = detail && detail->message ? detail->message : strerror(-error);
  snprintf(text, (size_t)size, "%s: %s", what, reason);
  return -1;
}

static int hear(sd_bus_message *message, void *data, sd_bus_error *error) {
  (void)error;
  struct clogind *logind = data;
  int sleeps = 0;
  if (sd_bus_message_read(message, "b", &sleeps) >= 0)
    logind->event = sleeps ? CLOGIND_SLEEPS : CLOGIND_WAKES;
  return 0;
}

/* Takes the inhibitor of an answer. 0, or what has failed. */
static int take_inhibitor(struct clogind *logind, sd_bus_message *reply) {
  int descriptor = -1;
  int result = sd_bus_message_read(reply, "h", &descriptor);
  if (result < 0)
    return result;
  clogind_release(logind);
  /* The message owns its descriptor. */
  logind->inhibitor = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
  return logind->inhibitor < 0 ? -errno : 0;
}

static int inhibit_now(struct clogind *logind, char *text, int size) {
  sd_bus_error error = SD_BUS_ERROR_NULL;
  sd_bus_message *reply = NULL;
  int result = sd_bus_call_method(logind->bus, service, path, manager, "Inhibit", &error, &reply,
                                  "ssss", "sleep", logind->who, logind->why, "delay");
  if (result >= 0)
    result = take_inhibitor(logind, reply);
  if (result < 0)
    fail(text, size, refused, result, &error);
  sd_bus_error_free(&error);
  sd_bus_message_unref(reply);
  return result < 0 ? -1 : 0;
}

static int hear_answer(sd_bus_message *reply, void *data, sd_bus_error *unused) {
  (void)unused;
  struct clogind *logind = data;
  const sd_bus_error *error = sd_bus_message_get_error(reply);
  int result = error ? -sd_bus_message_get_errno(reply) : take_inhibitor(logind, reply);
  if (result < 0) {
    fail(logind->refusal, sizeof logind->refusal, refused, result, error);
    logind->event = CLOGIND_REFUSES;
  }
  return 0;
}

struct clogind *clogind_open(const char *who, const char *why, char *text, int size) {
  struct clogind *logind = calloc(1, sizeof *logind);
  if (!logind)
    return NULL;
  logind->inhibitor = -1;
  logind->who = strdup(who);
  logind->why = strdup(why);
  int result = logind->who && logind->why ? sd_bus_open_system(&logind->bus) : -ENOMEM;
  if (result < 0) {
    fail(text, size, "the system's D-Bus can't be reached", result, NULL);
  } else if ((result = sd_bus_match_signal(logind->bus, NULL, service, path, manager,
                                           "PrepareForSleep", hear, logind)) < 0) {
    fail(text, size, "D-Bus does not tell of sleep", result, NULL);
  } else {
    result = inhibit_now(logind, text, size);
  }
  if (result >= 0)
    return logind;
  clogind_close(logind);
  return NULL;
}

void clogind_close(struct clogind *logind) {
  clogind_release(logind);
  sd_bus_flush_close_unref(logind->bus);
  free(logind->who);
  free(logind->why);
  free(logind);
}

int clogind_fd(const struct clogind *logind) { return sd_bus_get_fd(logind->bus); }

int clogind_next(struct clogind *logind, char *text, int size) {
  for (;;) {
    int result = sd_bus_process(logind->bus, NULL);
    if (result < 0)
      return fail(text, size, "logind is no longer heard", result, NULL);
    enum clogind_event event = logind->event;
    logind->event = CLOGIND_NOTHING;
    if (event == CLOGIND_REFUSES)
      snprintf(text, (size_t)size, "%s", logind->refusal);
    if (event != CLOGIND_NOTHING || result == 0)
      return event;
  }
}

void clogind_release(struct clogind *logind) {
  if (logind->inhibitor >= 0)
    close(logind->inhibitor);
  logind->inhibitor = -1;
}

int clogind_inhibit(struct clogind *logind, char *text, int size) {
  int result = logind->inhibitor >= 0
                   ? 0
                   : sd_bus_call_method_async(logind->bus, NULL, service, path, manager, "Inhibit",
                                              hear_answer, logind, "ssss", "sleep", logind->who,
                                              logind->why, "delay");
  return result < 0 ? fail(text, size, refused, result, NULL) : 0;
}
