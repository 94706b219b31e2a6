/* Sleep as logind tells of it, over the system's D-Bus. */
#pragma once
#include <stdint.h>

struct clogind;

/* What has happened. */
enum clogind_event {
  CLOGIND_NOTHING,
  /* The machine is about to sleep, and waits for clogind_release. */
  CLOGIND_SLEEPS,
  /* It has slept. */
  CLOGIND_WAKES,
  /* What clogind_inhibit has asked for is refused: the next sleep does not wait. */
  CLOGIND_REFUSES,
};

/*
 * Connects, hears of sleep, and has sleep wait for clogind_release, for as long as logind allows
 * (InhibitDelayMaxSec=). `who` and `why` are what logind says of it. NULL on failure, with what has
 * failed and why in `text`.
 */
struct clogind *clogind_open(const char *who, const char *why, char *text, int size);

/* Closes it. Sleep no longer waits. */
void clogind_close(struct clogind *logind);

/* The descriptor to poll for POLLIN. The same for its life. */
int clogind_fd(const struct clogind *logind);

/*
 * The next of what has happened, without waiting; ask until there is nothing. With CLOGIND_REFUSES
 * `text` says why. -1 on failure, with why in `text`: the connection is lost.
 */
int clogind_next(struct clogind *logind, char *text, int size);

/* Sleep no longer waits. */
void clogind_release(struct clogind *logind);

/*
 * Asks logind to have the next sleep wait, and does not wait for its answer. 0, or -1 on failure,
 * with why in `text`.
 */
int clogind_inhibit(struct clogind *logind, char *text, int size);
