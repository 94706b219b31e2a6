/*
 * bridge.h: a client of touchrouted (touchroute.h) whose touches go to a virtual touchscreen.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COUTPUT_BRIDGE_H
#define COUTPUT_BRIDGE_H

#include <stdint.h>

enum bridge_flags {
  BRIDGE_WAIT = 1 << 0,      /* stand in line where another program holds the responder */
  BRIDGE_TAKE_OVER = 1 << 1, /* take it from that program */
};

/* What `touchroute output uinput` was told. Strings are the caller's, for the bridge's life. */
struct bridge_settings {
  const char *socket; /* NULL: TOUCHROUTE_SOCKET, then the daemon's own */
  const char *path;   /* the responder's */
  const char *name;   /* the output's */
  const char *screen; /* of an application, the screen whose touches count; empty: the first */
  uint32_t slots;
  int32_t width, height; /* units; 0: as large as what it is attached to */
  int32_t resolution;    /* units a millimetre */
  uint32_t cancel;       /* enum touchscreen_cancel */
  uint32_t pace_ms;
  uint32_t flags; /* enum bridge_flags */
};

/*
 * Attaches, makes the touchscreen and hands on touches until that is of no use any more. Returns
 * the exit status, 1; why has been said on standard error.
 */
int bridge_run(const struct bridge_settings *settings);

#endif
