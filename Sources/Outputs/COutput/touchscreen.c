/*
 * Touches to the kernel's multitouch protocol, type B (Documentation/input/multi-touch-protocol).
 *
 * Changes wait in a ring, frame by frame, until they are due. That is at once, but where a touch is
 * replayed (rule R5): its beginning and its end then come in one moment, and a reader that looks
 * once in 30 ms would see neither.
 */
#include "touchscreen.h"

#include "away.h"

#include <stddef.h>
#include <string.h>

void touchscreen_start(struct touchscreen *screen) {
  memset(screen->slots, 0, sizeof screen->slots);
  screen->touch_count = 0;
  screen->left_out = 0;
  screen->up_us = 0;
  screen->slot = 0;
  screen->x = -1;
  screen->y = -1;
  screen->fingers = 0;
  screen->told_fingers = 0;
  screen->first = 0;
  screen->count = 0;
  screen->event_count = 0;
}

/* ---- Events ---- */

static void put(struct touchscreen *screen, uint16_t type, uint16_t code, int32_t value) {
  /* No daemon that keeps the rules has one touch change twice in a frame; memory is safe anyway. */
  if (screen->event_count == sizeof screen->events / sizeof screen->events[0])
    return;
  screen->events[screen->event_count++] =
      (struct input_event){.type = type, .code = code, .value = value};
}

static void put_axis(struct touchscreen *screen, uint16_t code, int32_t value) {
  put(screen, EV_ABS, code, value);
}

/*
 * Where a finger comes down. The kernel keeps what has not changed to itself, and readers such as
 * Qt's and SDL's, when they start, do not ask where the last finger was: so it always changes.
 */
static void put_first(struct touchscreen *screen, uint16_t code, int32_t former, int32_t value) {
  if (former == value)
    put_axis(screen, code, value > 0 ? value - 1 : value + 1);
  put_axis(screen, code, value);
}

static void turn_to(struct touchscreen *screen, const struct touchscreen_slot *slot) {
  int32_t number = (int32_t)(slot - screen->slots);
  if (number == screen->slot)
    return;
  put_axis(screen, ABS_MT_SLOT, number);
  screen->slot = number;
}

/* The one finger that readers of one finger see: that which has been down longest, as the kernel's
   drivers have it. */
static void put_one_finger(struct touchscreen *screen) {
  const struct touchscreen_slot *oldest = NULL;
  for (uint32_t i = 0; i < screen->slot_count; i++) {
    const struct touchscreen_slot *slot = &screen->slots[i];
    if (slot->order != 0 && (oldest == NULL || slot->order < oldest->order))
      oldest = slot;
  }
  int begins = oldest != NULL && screen->told_fingers == 0;
  if ((screen->fingers == 0) != (screen->told_fingers == 0))
    put(screen, EV_KEY, BTN_TOUCH, screen->fingers != 0);
  screen->told_fingers = screen->fingers;
  if (oldest == NULL)
    return;
  if (begins || oldest->x != screen->x)
    put_first(screen, ABS_X, screen->x, oldest->x);
  if (begins || oldest->y != screen->y)
    put_first(screen, ABS_Y, screen->y, oldest->y);
  screen->x = oldest->x;
  screen->y = oldest->y;
}

/* Hands on what has been put, if anything has. */
static void finish(struct touchscreen *screen) {
  put_one_finger(screen);
  if (screen->event_count == 0)
    return;
  put(screen, EV_SYN, SYN_REPORT, 0);
  screen->sink(screen->data, screen->events, screen->event_count);
  screen->event_count = 0;
}

/* ---- One touch ---- */

static struct touchscreen_slot *slot_of(struct touchscreen *screen, uint64_t id) {
  for (uint32_t i = 0; i < screen->slot_count; i++)
    if (screen->slots[i].order != 0 && screen->slots[i].id == id)
      return &screen->slots[i];
  return NULL;
}

static void move(struct touchscreen *screen, struct touchscreen_slot *slot, int32_t x,
                 int32_t y) {
  if (x == slot->x && y == slot->y)
    return;
  turn_to(screen, slot);
  if (x != slot->x)
    put_axis(screen, ABS_MT_POSITION_X, x);
  if (y != slot->y)
    put_axis(screen, ABS_MT_POSITION_Y, y);
  slot->x = x;
  slot->y = y;
}

/* One for which there is no slot is left out, for all of its life. */
static void put_down(struct touchscreen *screen, const struct touchscreen_change *change,
                     uint64_t now_us) {
  struct touchscreen_slot *slot = screen->slots;
  if (slot_of(screen, change->id) != NULL)
    return;
  while (slot < screen->slots + screen->slot_count && slot->order != 0)
    slot++;
  if (slot == screen->slots + screen->slot_count) {
    screen->left_out++;
    return;
  }
  screen->touch_count++;
  int is_used = slot->id != 0;
  int32_t former_x = is_used ? slot->x : -1, former_y = is_used ? slot->y : -1;
  *slot = (struct touchscreen_slot){.id = change->id,
                                    .order = screen->touch_count,
                                    .down_us = now_us,
                                    .x = change->x,
                                    .y = change->y,
                                    .down_x = change->x,
                                    .down_y = change->y,
                                    .replayed = change->replayed};
  turn_to(screen, slot);
  /* First, as libinput looks at it when the id comes: a touch that begins as a palm stays one. */
  if (screen->cancel == TOUCHSCREEN_CANCEL_PALM)
    put_axis(screen, ABS_MT_TOOL_TYPE, MT_TOOL_FINGER);
  put_axis(screen, ABS_MT_TRACKING_ID, (int32_t)(screen->touch_count & 0xffff));
  put_first(screen, ABS_MT_POSITION_X, former_x, change->x);
  put_first(screen, ABS_MT_POSITION_Y, former_y, change->y);
  screen->fingers++;
}

static void lift(struct touchscreen *screen, struct touchscreen_slot *slot, uint64_t now_us) {
  turn_to(screen, slot);
  put_axis(screen, ABS_MT_TRACKING_ID, -1);
  slot->order = 0;
  screen->fingers--;
  screen->up_us = now_us;
}

/* Where a finger is, and where it came down. */
static struct away_finger finger_of(const struct touchscreen_slot *slot) {
  return (struct away_finger){slot->x, slot->y, slot->down_x, slot->down_y};
}

static int32_t rounded_down(double value) {
  int32_t whole = (int32_t)value;
  return whole > value ? whole - 1 : whole;
}

static int32_t within(int32_t value, int32_t size) {
  return value < 0 ? 0 : value < size ? value : size - 1;
}

/* What comes before the lift of a touch that is cancelled, with the others of that group. */
static void take_back(struct touchscreen *screen, struct touchscreen_slot *slot,
                      const struct away_group *group) {
  if (screen->cancel == TOUCHSCREEN_CANCEL_AWAY) {
    double x, y;
    away_place(group, finger_of(slot), &x, &y);
    slot->away_x = rounded_down(x);
    slot->away_y = rounded_down(y);
    move(screen, slot, within(slot->away_x, screen->width), within(slot->away_y, screen->height));
  } else if (screen->cancel == TOUCHSCREEN_CANCEL_PALM) {
    turn_to(screen, slot);
    put_axis(screen, ABS_MT_TOOL_TYPE, MT_TOOL_PALM);
  }
}

/* ---- One frame ---- */

static const struct touchscreen_change *waiting_at(const struct touchscreen *screen,
                                                   uint32_t index) {
  return &screen->waiting[(screen->first + index) % TOUCHSCREEN_MOST_CHANGES];
}

static int ends(const struct touchscreen_change *change) {
  return change->kind == TOUCHSCREEN_UP || change->kind == TOUCHSCREEN_CANCEL;
}

/* 2 % beyond an end, and more only up to 5 %, of which libinput warns. */
static struct away_range range_of(int32_t size) {
  int32_t step = 1 + size / 50, room = (size - 1) / 20 - step;
  return (struct away_range){
      .last = size - 1, .half = size / 2, .step = step, .room = room > 0 ? room : 0};
}

/* The fingers that are cancelled in the first changes. */
static struct away_group cancelled(struct touchscreen *screen, uint32_t count) {
  struct away_group group = {.ranges = {range_of(screen->width), range_of(screen->height)}};
  for (uint32_t i = 0; i < count; i++) {
    const struct touchscreen_change *change = waiting_at(screen, i);
    const struct touchscreen_slot *slot =
        change->kind == TOUCHSCREEN_CANCEL ? slot_of(screen, change->id) : NULL;
    if (slot != NULL)
      away_add(&group, finger_of(slot));
  }
  return group;
}

/* Where fingers have gone. Returns whether it must be seen before lifts are. */
static int tell_moves(struct touchscreen *screen, uint32_t size) {
  int is_first = 0;
  struct away_group group = cancelled(screen, size);
  for (uint32_t i = 0; i < size; i++) {
    const struct touchscreen_change *change = waiting_at(screen, i);
    struct touchscreen_slot *slot =
        change->kind == TOUCHSCREEN_DOWN ? NULL : slot_of(screen, change->id);
    if (slot == NULL)
      continue;
    if (change->kind == TOUCHSCREEN_CANCEL) {
      take_back(screen, slot, &group);
      is_first = 1;
    } else {
      is_first |= ends(change) && (slot->x != change->x || slot->y != change->y);
      move(screen, slot, change->x, change->y);
    }
  }
  return is_first;
}

/*
 * Those that are cancelled go from the edge to what is beyond it. Readers that know no place there
 * have seen the edge: wlroots 0.15's sway and cage drop a move that is on no window, and would lift
 * the finger where it was.
 */
static void tell_away(struct touchscreen *screen, uint32_t size) {
  for (uint32_t i = 0; i < size; i++) {
    const struct touchscreen_change *change = waiting_at(screen, i);
    struct touchscreen_slot *slot =
        change->kind == TOUCHSCREEN_CANCEL ? slot_of(screen, change->id) : NULL;
    if (slot != NULL)
      move(screen, slot, slot->away_x, slot->away_y);
  }
  finish(screen);
}

/*
 * A frame in up to four of the kernel's: where fingers have gone, in two of them those that are
 * cancelled, then who is lifted, then who comes down. So no slot ends and begins in one frame, and
 * readers of one finger see it lifted where another comes down.
 */
static void tell_frame(struct touchscreen *screen, uint32_t size, uint64_t now_us) {
  int has_ends = 0;
  if (tell_moves(screen, size)) {
    finish(screen);
    if (screen->cancel == TOUCHSCREEN_CANCEL_AWAY)
      tell_away(screen, size);
  }
  for (uint32_t i = 0; i < size; i++) {
    const struct touchscreen_change *change = waiting_at(screen, i);
    struct touchscreen_slot *slot = ends(change) ? slot_of(screen, change->id) : NULL;
    if (slot == NULL)
      continue;
    lift(screen, slot, now_us);
    has_ends = 1;
  }
  if (has_ends)
    finish(screen);
  for (uint32_t i = 0; i < size; i++)
    if (waiting_at(screen, i)->kind == TOUCHSCREEN_DOWN)
      put_down(screen, waiting_at(screen, i), now_us);
  finish(screen);
}

/* ---- Those that wait ---- */

/* The changes of the first frame, without its mark; -1 where none is whole. */
static int32_t first_frame(const struct touchscreen *screen) {
  for (uint32_t i = 0; i < screen->count; i++)
    if (waiting_at(screen, i)->kind == TOUCHSCREEN_MARK)
      return (int32_t)i;
  return -1;
}

/* When a change may be told: a replayed touch stays for a while, and so does its being gone. */
static uint64_t due_of(const struct touchscreen *screen,
                       const struct touchscreen_change *change) {
  if (change->kind == TOUCHSCREEN_DOWN && change->replayed && screen->up_us != 0)
    return screen->up_us + screen->pace_us;
  if (!ends(change))
    return 0;
  for (uint32_t i = 0; i < screen->slot_count; i++) {
    const struct touchscreen_slot *slot = &screen->slots[i];
    if (slot->order != 0 && slot->id == change->id)
      return slot->replayed ? slot->down_us + screen->pace_us : 0;
  }
  return 0;
}

uint64_t touchscreen_due(const struct touchscreen *screen) {
  int32_t size = first_frame(screen);
  uint64_t due = 0;
  if (size < 0)
    return TOUCHSCREEN_NEVER;
  for (uint32_t i = 0; i < (uint32_t)size; i++) {
    uint64_t of_change = due_of(screen, waiting_at(screen, i));
    if (of_change > due)
      due = of_change;
  }
  return due;
}

/* Tells the first changes, and forgets them with what follows them to be forgotten. */
static void tell_first(struct touchscreen *screen, uint32_t size, uint32_t forgotten,
                       uint64_t now_us) {
  tell_frame(screen, size, now_us);
  screen->first = (screen->first + forgotten) % TOUCHSCREEN_MOST_CHANGES;
  screen->count -= forgotten;
}

void touchscreen_tell(struct touchscreen *screen, uint64_t now_us) {
  while (touchscreen_due(screen) <= now_us && screen->count > 0) {
    uint32_t size = (uint32_t)first_frame(screen);
    tell_first(screen, size, size + 1, now_us);
  }
}

static void make_room(struct touchscreen *screen, uint64_t now_us) {
  int32_t size = first_frame(screen);
  if (size >= 0)
    tell_first(screen, (uint32_t)size, (uint32_t)size + 1, now_us);
  else
    tell_first(screen, screen->count, screen->count, now_us);
}

/* The move of that touch that waits, with nothing else of it behind. */
static struct touchscreen_change *waiting_move(struct touchscreen *screen, uint64_t id) {
  for (uint32_t i = screen->count; i > 0; i--) {
    uint32_t index = (screen->first + i - 1) % TOUCHSCREEN_MOST_CHANGES;
    struct touchscreen_change *change = &screen->waiting[index];
    if (change->kind != TOUCHSCREEN_MARK && change->id == id)
      return change->kind == TOUCHSCREEN_MOVE ? change : NULL;
  }
  return NULL;
}

/* Whether that touch comes down in the frame that is not whole yet. */
static int begins_in_last_frame(const struct touchscreen *screen, uint64_t id) {
  for (uint32_t i = screen->count; i > 0; i--) {
    const struct touchscreen_change *change = waiting_at(screen, i - 1);
    if (change->kind == TOUCHSCREEN_MARK)
      return 0;
    if (change->kind == TOUCHSCREEN_DOWN && change->id == id)
      return 1;
  }
  return 0;
}

void touchscreen_add(struct touchscreen *screen, struct touchscreen_change change,
                     uint64_t now_us) {
  struct touchscreen_change *former =
      change.kind == TOUCHSCREEN_MOVE ? waiting_move(screen, change.id) : NULL;
  if (former != NULL) {
    *former = change;
    return;
  }
  /* A frame's ends are told first: one whose beginning is in the same frame finds no finger. */
  if (ends(&change) && begins_in_last_frame(screen, change.id))
    touchscreen_add(screen, (struct touchscreen_change){.kind = TOUCHSCREEN_MARK}, now_us);
  if (screen->count == TOUCHSCREEN_MOST_CHANGES)
    make_room(screen, now_us);
  screen->waiting[(screen->first + screen->count) % TOUCHSCREEN_MOST_CHANGES] = change;
  screen->count++;
}

void touchscreen_end_frame(struct touchscreen *screen, uint64_t now_us) {
  uint32_t last = screen->count;
  if (last > 0 && waiting_at(screen, last - 1)->kind != TOUCHSCREEN_MARK)
    touchscreen_add(screen, (struct touchscreen_change){.kind = TOUCHSCREEN_MARK}, now_us);
  touchscreen_tell(screen, now_us);
}

int touchscreen_is_idle(const struct touchscreen *screen) {
  return screen->fingers == 0 && screen->count == 0;
}
