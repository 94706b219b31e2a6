/*
 * bridge.h: a feed (feed.h) whose touches go to a virtual touchscreen.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COUTPUT_BRIDGE_H
#define COUTPUT_BRIDGE_H

#include "feed.h"

#include <stdint.h>

/* What `touchroute output uinput` was told. Strings are the caller's, for the bridge's life. */
struct bridge_settings {
  const char *socket; /* NULL: TOUCHROUTE_SOCKET, then the daemon's own */
  const char *path;   /* the responder's */
  const char *name;   /* the output's */
  const char *screen; /* of an application, the screen whose touches count; "": the first */
  uint32_t slots;
  int32_t width, height; /* units; 0: as large as what it is attached to */
  int32_t resolution;    /* units a millimetre */
  uint32_t cancel;       /* enum touchscreen_cancel */
  uint32_t pace_ms;
  uint32_t flags; /* enum feed_flags; no gestures */
};

/*
 * Makes the touchscreen once it is attached, and runs the feed; see feed_run for how it ends, and
 * for what is returned. Those that read a touchscreen keep it while the daemon is away.
 */
int bridge_run(const struct bridge_settings *settings);

#endif
