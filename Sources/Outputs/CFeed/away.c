/* Where fingers go that are cancelled, for what reads a touchscreen and for what reads TUIO. */
#include "away.h"

static struct away_span stretch(struct away_span span, double value, double down, int is_first) {
  return (struct away_span){
      .least = is_first || value < span.least ? value : span.least,
      .most = is_first || value > span.most ? value : span.most,
      .down_least = is_first || down < span.down_least ? down : span.down_least,
      .down_most = is_first || down > span.down_most ? down : span.down_most};
}

void away_add(struct away_group *group, struct away_finger finger) {
  int is_first = group->count == 0;
  group->spans[0] = stretch(group->spans[0], finger.x, finger.down_x, is_first);
  group->spans[1] = stretch(group->spans[1], finger.y, finger.down_y, is_first);
  group->count++;
}

/* Beyond that end of the range which is farther from where a finger came down. */
static double beyond(struct away_range range, double down) {
  return down < range.half ? range.last + range.step : -range.step;
}

static int is_last_farther(struct away_range range, struct away_span span) {
  return span.down_least + (span.down_most - span.down_least) / 2 < range.half;
}

/* Likewise, each as far beyond as it is before or behind the others, as long as there is room. */
static double across(struct away_range range, struct away_span span, double value) {
  double extent = span.most - span.least, offset = value - span.least;
  if (extent > range.room) {
    offset = offset * range.room / extent;
    extent = range.room;
  }
  return is_last_farther(range, span) ? range.last + range.step + offset
                                      : -range.step - extent + offset;
}

/* At that end of the range which is farther away, all by the same way. */
static double along(struct away_range range, struct away_span span, double value) {
  return is_last_farther(range, span) ? value + range.last - span.most : value - span.least;
}

static double gone(double value, double down) { return value < down ? down - value : value - down; }

/*
 * One by itself leaves across the way that it has gone: what follows it along that way, such as a
 * list or a slider, stays where it is. As long as it may still be on what it has pressed, which is
 * rather wide than tall, it leaves up or down.
 */
static void alone(const struct away_range *ranges, struct away_finger finger, double *x,
                  double *y) {
  double sideways = gone(finger.x, finger.down_x), lengthways = gone(finger.y, finger.down_y);
  int is_dragged_along = lengthways > sideways && lengthways > ranges[1].half / 8;
  *x = is_dragged_along ? beyond(ranges[0], finger.down_x) : finger.x;
  *y = is_dragged_along ? finger.y : beyond(ranges[1], finger.down_y);
}

void away_place(const struct away_group *group, struct away_finger finger, double *x, double *y) {
  const struct away_range *ranges = group->ranges;
  const struct away_span *spans = group->spans;
  int goes_down_or_up = spans[1].most - spans[1].least <= spans[0].most - spans[0].least;
  struct away_span apart = spans[goes_down_or_up];
  if (group->count < 2) {
    alone(ranges, finger, x, y);
  } else if (apart.down_most - apart.down_least > ranges[goes_down_or_up].half) {
    *x = beyond(ranges[0], finger.down_x);
    *y = beyond(ranges[1], finger.down_y);
  } else if (goes_down_or_up) {
    *x = along(ranges[0], spans[0], finger.x);
    *y = across(ranges[1], spans[1], finger.y);
  } else {
    *x = across(ranges[0], spans[0], finger.x);
    *y = along(ranges[1], spans[1], finger.y);
  }
}
