/*
 * tuio.h: cursors as bundles of TUIO 1.1, profile 2Dcur. Bytes and numbers alone: no socket, no
 * clock.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef CTUIO_TUIO_H
#define CTUIO_TUIO_H

#include <stddef.h>
#include <stdint.h>

#define TUIO_CURSORS 32u         /* at most; further fingers are left out */
#define TUIO_BUNDLE 4096u        /* bytes: more than a bundle of so many cursors has */
#define TUIO_REPEAT_US 1000000u  /* how long after the last bundle all of it is said again */

enum tuio_change { TUIO_DOWN = 1, TUIO_MOVE, TUIO_UP, TUIO_CANCEL };

/* Cursors. Zero but for source and sink at the start. */
struct tuio {
  const char *source; /* application@address */
  void (*sink)(void *data, const void *bytes, size_t size);
  void *data;
  struct tuio_cursor {
    uint64_t touch;
    int32_t session;
    float x, y;   /* 0 to 1 of the surface */
    float down_x, down_y;
    float vx, vy; /* surfaces a second */
    float speed, acceleration; /* surfaces a second; of it, a second */
    uint64_t time_us;
    uint8_t is_changed, is_over, is_cancelled;
  } cursors[TUIO_CURSORS];
  uint32_t count;
  int32_t next_session;
  int32_t frame; /* the last fseq */
  uint64_t sent_us; /* when, of the clock that tuio_repeat is told; 0: never */
  uint64_t left_out; /* fingers over TUIO_CURSORS */
};

/* One finger's change in a frame. x and y: 0 to 1; what is beyond is the caller's to allow. */
void tuio_add(struct tuio *tuio, uint64_t touch, enum tuio_change change, float x, float y,
              uint64_t time_us);

/*
 * Ends the frame: hands a bundle to the sink where anything changed. TUIO has no cancel: what is
 * taken away is lifted, which is a click for many. So where cursors were cancelled, a bundle before
 * has them out of the surface, as away.h says.
 */
void tuio_end_frame(struct tuio *tuio, uint64_t now_us);

/* Says all of it again, as fseq -1: a lost datagram leaves no finger for longer than this takes. */
void tuio_repeat(struct tuio *tuio, uint64_t now_us);

/* Cancels all cursors, as the source has ended. */
void tuio_clear(struct tuio *tuio, uint64_t now_us);

#endif
