/*
 * away.h: where fingers go that are cancelled, before they are lifted, for readers that know no
 * cancel: out of the range, where a lift presses nothing. Numbers alone.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef CFEED_AWAY_H
#define CFEED_AWAY_H

#include <stdint.h>

/* An axis of what is read, from 0 to last. */
struct away_range {
  double last;
  double half; /* what is from there on is in the last half */
  double step; /* how far beyond an end they go at least */
  double room; /* and so much farther at most */
};

/* A finger: where it is, and where it came down. */
struct away_finger {
  double x, y, down_x, down_y;
};

struct away_span {
  double least, most, down_least, down_most;
};

/* Those that a frame cancels. All of it 0: none. */
struct away_group {
  struct away_range ranges[2]; /* of x and y; the caller's */
  struct away_span spans[2];
  uint32_t count;
};

/* Adds a finger. */
void away_add(struct away_group *group, struct away_finger finger);

/*
 * Where a finger of the group goes, once all have been added. One goes beyond the edge that is
 * farther from where it came down: the upper or the lower, or, where it has been dragged up or down
 * by more than a sixteenth of the range, the left or the right. Several that each chose for
 * themselves could meet, which is a pinch to whatever zooms, and one without an end to GTK, which
 * ignores fingers at one place. So they are all beyond one edge, that across the shorter way: along
 * it they stay as far from each other as they are, and across it as far as there is room. So they
 * come closer, by less than a third, and never farther apart, also where a reader puts what is
 * outside at the edge. Where they are more than half of the range apart both ways, each goes to its
 * own corner: at an edge one of them would hardly move.
 */
void away_place(const struct away_group *group, struct away_finger finger, double *x, double *y);

#endif
