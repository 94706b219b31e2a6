/* gestures.c: the recognizers that the program has added, to add them again on the next daemon; and
   gestures in progress. */

#include "internal.h"

PRIVATE int recognizers_use(const struct touchroute_connection *c, uint32_t serial) {
  for (size_t i = 0; i < c->recognizers.count; i++) {
    const struct recognizer *r = &c->recognizers.list[i];
    if (r->state != RECOGNIZER_FREE && (r->handle == serial || r->remove_serial == serial))
      return 1;
  }
  return 0;
}

/* The owed recognizer that was added first, of those whose request begins at an offset or later. */
static struct recognizer *owed_from(struct touchroute_connection *c, uint32_t at) {
  struct recognizer *first = NULL;
  for (size_t i = 0; i < c->recognizers.count; i++) {
    struct recognizer *r = &c->recognizers.list[i];
    if (r->state == RECOGNIZER_OWED && r->at >= at && (!first || r->at < first->at))
      first = r;
  }
  return first;
}

/* Whether an attachment, or one whose views it waits for, is in line: that may last. */
static int is_in_line(struct touchroute_connection *c, const struct attachment *a) {
  while (a && a->state == ATTACHMENT_OWED)
    a = awaited(c, a);
  return a && a->state == ATTACHMENT_WAITING;
}

/*
 * Queues each add_gesture that is owed, in the order in which they were added, which is their rank:
 * one may also name those before it. Those of an attachment that is in line come once it is
 * granted.
 */
static void pay_added(struct touchroute_connection *c) {
  struct recognizer *r;
  for (uint32_t at = 0; c->recognizers.owed > 0 && (r = owed_from(c, at)); at = r->at + 1) {
    const struct attachment *a = attachment_with_handle(c, r->attachment);
    if (!a || a->detach_serial || is_in_line(c, a))
      continue;
    if (!has_views(c, a))
      return;
    struct touchroute_add_gesture add;
    memcpy(&add, c->recognizers.requests + r->at, sizeof add);
    add.serial = r->handle;
    add.attachment = a->id;
    const char *rest = (const char *)c->recognizers.requests + r->at + sizeof add;
    if (queue(c, &add, sizeof add, TOUCHROUTE_ADD_GESTURE, rest, r->size - sizeof add) < 0)
      return;
    r->state = RECOGNIZER_SENT;
    c->recognizers.owed--;
  }
}

/* Queues each add_gesture and remove_gesture that is owed. */
PRIVATE void pay_recognizers(struct touchroute_connection *c) {
  for (size_t i = 0; c->recognizers.owed > 0 && i < c->recognizers.count; i++) {
    struct recognizer *r = &c->recognizers.list[i];
    if (r->state != RECOGNIZER_ADDED || !r->remove_serial || r->remove_sent)
      continue;
    struct touchroute_remove_gesture remove = {.serial = r->remove_serial, .recognizer = r->id};
    if (queue(c, &remove, sizeof remove, TOUCHROUTE_REMOVE_GESTURE, NULL, 0) < 0)
      return;
    r->remove_sent = 1;
    c->recognizers.owed--;
  }
  pay_added(c);
}

static struct recognizer *recognizer_with(struct touchroute_connection *c, uint32_t handle) {
  for (size_t i = 0; i < c->recognizers.count; i++)
    if (c->recognizers.list[i].state != RECOGNIZER_FREE &&
        c->recognizers.list[i].state != RECOGNIZER_OVER && c->recognizers.list[i].handle == handle)
      return &c->recognizers.list[i];
  return NULL;
}

static void free_last_recognizers(struct touchroute_connection *c) {
  while (c->recognizers.count > 0 &&
         c->recognizers.list[c->recognizers.count - 1].state == RECOGNIZER_FREE)
    c->recognizers.count--;
}

/* Frees a recognizer that is over, once its last answer is told. */
static void free_told_recognizer(struct touchroute_connection *c, struct recognizer *over) {
  if (over->handle || over->remove_serial)
    return;
  memset(over, 0, sizeof *over);
  free_last_recognizers(c);
}

/* Ends a recognizer. What is left of it are the answers that the program waits for. */
static void forget_recognizer(struct touchroute_connection *c, struct recognizer *gone) {
  struct recognizer over = {.state = RECOGNIZER_OVER};
  over.is_silent = gone->state == RECOGNIZER_SENT && gone->is_answered;
  if (over.is_silent || (gone->state != RECOGNIZER_ADDED && !gone->is_answered))
    over.handle = gone->handle;
  over.is_asked = over.handle && gone->state == RECOGNIZER_SENT;
  if (!gone->remove_sent)
    over.remove_serial = gone->remove_serial;
  if (gone->state == RECOGNIZER_OWED ||
      (gone->state == RECOGNIZER_ADDED && gone->remove_serial && !gone->remove_sent))
    c->recognizers.owed--;
  unsigned char *request = c->recognizers.requests + gone->at;
  c->recognizers.requests_used -= gone->size;
  memmove(request, request + gone->size, c->recognizers.requests_used - gone->at);
  for (size_t i = 0; i < c->recognizers.count; i++)
    if (c->recognizers.list[i].at > gone->at)
      c->recognizers.list[i].at -= gone->size;
  memset(gone, 0, sizeof *gone);
  if (over.handle || over.remove_serial) {
    *gone = over;
    owe_answers(c, (size_t)(over.handle && !over.is_asked) + (over.remove_serial != 0));
  }
  free_last_recognizers(c);
}

/* Ends the recognizers of an attachment. */
PRIVATE void forget_recognizers(struct touchroute_connection *c, uint32_t attachment) {
  for (size_t i = c->recognizers.count; i-- > 0;)
    if (c->recognizers.list[i].state != RECOGNIZER_FREE &&
        c->recognizers.list[i].attachment == attachment)
      forget_recognizer(c, &c->recognizers.list[i]);
}

/* The daemon has forgotten the recognizers of an attachment that lost its responder. */
PRIVATE void owe_recognizers(struct touchroute_connection *c, uint32_t handle) {
  for (size_t i = 0; i < c->recognizers.count; i++) {
    struct recognizer *r = &c->recognizers.list[i];
    if (r->attachment != handle || r->remove_serial)
      continue;
    r->is_overtaken = r->state == RECOGNIZER_SENT;
    if (r->state != RECOGNIZER_ADDED)
      continue;
    r->state = RECOGNIZER_OWED;
    c->recognizers.owed++;
  }
}

/* After a lost connection: the library answers the open requests of ended recognizers. */
static void lose_ended_recognizers(struct touchroute_connection *c) {
  for (size_t i = 0; i < c->recognizers.count; i++) {
    struct recognizer *r = &c->recognizers.list[i];
    r->is_overtaken = 0;
    if (r->is_silent)
      r->handle = 0;
    else
      owe_answers(c, (size_t)r->is_asked);
    r->is_asked = r->is_silent = 0;
    if (r->state == RECOGNIZER_OVER)
      free_told_recognizer(c, r);
  }
}

/* After a lost connection: every recognizer is owed again, except those being removed. */
PRIVATE void lose_recognizers(struct touchroute_connection *c) {
  lose_ended_recognizers(c);
  c->recognizers.owed = 0;
  for (size_t i = c->recognizers.count; i-- > 0;) {
    struct recognizer *r = &c->recognizers.list[i];
    if (r->state == RECOGNIZER_FREE || r->state == RECOGNIZER_OVER)
      continue;
    int gone = r->remove_serial != 0;
    r->state = RECOGNIZER_OWED;
    r->remove_sent = 0;
    r->remove_serial = 0; /* what had no answer yet gets none */
    r->is_answered |= gone;
    c->recognizers.owed++;
    if (gone)
      forget_recognizer(c, r);
  }
}

/*
 * Takes the answer to add_gesture. If the attachment went back into the queue before the daemon
 * read the request, it is owed again: its view may be, too. The program hears of a repeated one
 * only if it is refused.
 */
static int take_added(struct touchroute_connection *c, struct recognizer *r, uint32_t id,
                      uint32_t error) {
  int is_told = error || !r->is_answered;
  int is_early = error == TOUCHROUTE_ERROR_NOT_ATTACHED || error == TOUCHROUTE_ERROR_NO_RESPONDER;
  if (is_early && r->is_overtaken && !r->remove_serial) {
    r->is_overtaken = 0;
    r->state = RECOGNIZER_OWED;
    c->recognizers.owed++;
    return 0;
  }
  r->is_answered = 1;
  if (error) {
    r->handle = 0; /* nothing more comes of it */
    forget_recognizer(c, r);
    return 1;
  }
  r->state = RECOGNIZER_ADDED;
  r->is_overtaken = 0;
  r->id = id;
  if (r->remove_serial)
    c->recognizers.owed++;
  return is_told;
}

/*
 * Takes the answer to add_gesture or remove_gesture, if it is that. error: the code, 0 for done.
 * Returns whether to tell the program.
 */
PRIVATE int take_recognizer_answer(struct touchroute_connection *c, uint32_t serial, uint32_t id,
                                   uint32_t error) {
  for (size_t i = 0; i < c->recognizers.count; i++) {
    struct recognizer *r = &c->recognizers.list[i];
    if (r->state == RECOGNIZER_FREE)
      continue;
    if (r->remove_sent && r->remove_serial == serial) {
      forget_recognizer(c, r);
      return 1;
    }
    if (r->is_asked && r->handle == serial) {
      int is_told = !r->is_silent;
      r->handle = 0;
      r->is_asked = 0;
      free_told_recognizer(c, r);
      return is_told;
    }
    if (r->state == RECOGNIZER_SENT && r->handle == serial)
      return take_added(c, r, id, error);
  }
  return 1;
}

/* Forgets an answer about a recognizer that the daemon will not give. Returns its serial, or 0. */
PRIVATE uint32_t take_unanswered_recognizer(struct touchroute_connection *c, uint32_t *opcode) {
  for (size_t i = 0; i < c->recognizers.count; i++) {
    struct recognizer *r = &c->recognizers.list[i];
    int is_removal = r->remove_serial != 0;
    if (r->state != RECOGNIZER_OVER || (r->is_asked && !is_removal))
      continue;
    uint32_t *told = is_removal ? &r->remove_serial : &r->handle, serial = *told;
    *opcode = is_removal ? TOUCHROUTE_REMOVE_GESTURE : TOUCHROUTE_ADD_GESTURE;
    *told = 0;
    free_told_recognizer(c, r);
    return serial;
  }
  return 0;
}

/*
 * A view is removed: marks the recognizers of it and of views in it. Or it is added: unmarks its
 * own. So a view that one batch removes and adds keeps its recognizers.
 */
PRIVATE void mark_orphans(struct touchroute_connection *c, const struct attachment *a,
                          const char *path, size_t size, int is_removed) {
  for (size_t i = 0; i < c->recognizers.count; i++) {
    struct recognizer *r = &c->recognizers.list[i];
    if (r->state != RECOGNIZER_SENT && r->state != RECOGNIZER_ADDED)
      continue;
    struct touchroute_add_gesture add;
    memcpy(&add, c->recognizers.requests + r->at, sizeof add);
    size_t view_size = add.view_size;
    const char *view = path_below(
        c, a, (const char *)c->recognizers.requests + r->at + sizeof add + padded(add.name_size),
        &view_size);
    if (view && is_in(view, view_size, path, size) && (is_removed || view_size == size))
      r->is_orphan = is_removed;
  }
}

PRIVATE void forget_orphans(struct touchroute_connection *c) {
  for (size_t i = c->recognizers.count; i-- > 0;)
    if (c->recognizers.list[i].is_orphan)
      forget_recognizer(c, &c->recognizers.list[i]);
}

/* Remembers a gesture in progress, so that a lost connection can cancel it. */
static void track_gesture(struct touchroute_connection *c, uint32_t id,
                          const struct touchroute_gesture *gesture, const char *path) {
  int lasts = gesture->state == TOUCHROUTE_GESTURE_BEGAN ||
              gesture->state == TOUCHROUTE_GESTURE_CHANGED;
  struct live_gesture *entry = NULL;
  for (size_t i = 0; i < TOUCHROUTE_CLIENT_GESTURES; i++) {
    struct live_gesture *known = &c->gestures.live[i];
    if (known->live && known->id == id) {
      entry = known;
      break;
    }
    if (!known->live && !entry)
      entry = known;
  }
  if (!entry || (!lasts && !entry->live))
    return;
  entry->live = lasts;
  entry->id = id;
  entry->last = *gesture;
  snprintf(entry->path, sizeof entry->path, "%.*s", (int)TOUCHROUTE_MAX_PATH, path);
}

/* Cancels the gestures in progress of an attachment, or all (handle 0). */
PRIVATE void cancel_gestures(struct touchroute_connection *c, uint32_t handle, uint8_t reason) {
  for (size_t i = 0; i < TOUCHROUTE_CLIENT_GESTURES; i++) {
    struct live_gesture *gesture = &c->gestures.live[i];
    if (!gesture->live || (handle && gesture->last.attachment != handle))
      continue;
    gesture->live = 0;
    gesture->last.state = TOUCHROUTE_GESTURE_CANCELLED;
    gesture->last.cancel_reason = reason;
    gesture->last.time_us = now_us();
    CALL(c, gesture, &gesture->last, gesture->path);
  }
}

PRIVATE int handle_gesture(struct touchroute_connection *c, const struct touchroute_header *header,
                           struct cursor cursor) {
  struct touchroute_gesture gesture;
  const char *path;
  if (!take_struct(&cursor, &gesture, sizeof gesture) || gesture.path_size > TOUCHROUTE_MAX_PATH ||
      !(path = take_text(c, &cursor, gesture.path_size)))
    return malformed(c, header, too_short);
  if (gesture.state < TOUCHROUTE_GESTURE_RECOGNIZED ||
      gesture.state > TOUCHROUTE_GESTURE_CANCELLED)
    return malformed(c, header, "it names an unknown state");
  const struct attachment *a = attachment_with_id(c, gesture.attachment);
  if (!a)
    return 0;
  uint32_t id = gesture.recognizer;
  gesture.attachment = a->handle;
  gesture.recognizer = 0;
  for (size_t i = 0; i < c->recognizers.count; i++)
    if (c->recognizers.list[i].state == RECOGNIZER_ADDED && c->recognizers.list[i].id == id)
      gesture.recognizer = c->recognizers.list[i].handle;
  track_gesture(c, id, &gesture, path);
  CALL(c, gesture, &gesture, path);
  return 0;
}

struct touchroute_recognizer touchroute_recognizer_of(uint32_t kind, const char *name) {
  return (struct touchroute_recognizer){.name = name,
                                        .kind = kind,
                                        .duration_ms = TOUCHROUTE_NONE,
                                        .interval_ms = TOUCHROUTE_NONE,
                                        .gather_ms = TOUCHROUTE_NONE,
                                        .slop = -1,
                                        .distance = -1,
                                        .margin = -1,
                                        .slop_degrees = -1};
}

static int is_number(double value) { return value - value == 0; }

/* What is wrong with a recognizer, whatever the layout; NULL: nothing. */
static const char *wrong_recognizer(const struct touchroute_recognizer *r) {
  if (!r->name || !r->name[0] || strlen(r->name) > TOUCHROUTE_MAX_NAME)
    return "it needs a name, of 255 bytes at most";
  if (r->kind < TOUCHROUTE_GESTURE_TAP || r->kind > TOUCHROUTE_GESTURE_EDGE_PAN)
    return "there is no such kind";
  if (r->fewest > 10 || r->most > 10 || (r->most > 0 && r->fewest > r->most) || r->taps > 10)
    return "fingers and taps must be 10 at most, and the fewest fingers no more than the most";
  if ((r->kind == TOUCHROUTE_GESTURE_PINCH || r->kind == TOUCHROUTE_GESTURE_ROTATION) &&
      (r->fewest == 1 || r->most == 1))
    return "a pinch and a rotation need two fingers at least";
  if (r->direction > TOUCHROUTE_DIRECTION_VERTICAL || r->edge > TOUCHROUTE_EDGE_BOTTOM)
    return "there is no such direction or edge";
  if (r->kind == TOUCHROUTE_GESTURE_SWIPE && r->direction == TOUCHROUTE_DIRECTION_ANY)
    return "a swipe needs a direction";
  if (r->kind == TOUCHROUTE_GESTURE_EDGE_PAN && r->edge == TOUCHROUTE_EDGE_NONE)
    return "an edge pan needs an edge";
  if (!is_number(r->slop) || !is_number(r->distance) || !is_number(r->margin) ||
      !is_number(r->slop_degrees))
    return "its distances have to be finite numbers";
  if (r->flags > 0x1f || r->after_count > UINT16_MAX || r->simultaneous_count > UINT16_MAX)
    return "it has unknown flags, or names more than 65535 other recognizers";
  return NULL;
}

static int add_part(unsigned char *to, size_t *size, const void *part, size_t part_size) {
  if (padded(part_size) > TOUCHROUTE_MAX_REQUEST - *size)
    return 0;
  memset(to + *size, 0, padded(part_size));
  if (part_size > 0)
    memcpy(to + *size, part, part_size);
  *size += padded(part_size);
  return 1;
}

static int add_names(unsigned char *to, size_t *size, const char *const *names, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    struct touchroute_gesture_name name = {.path_size = (uint32_t)strlen(names[i])};
    if (!add_part(to, size, &name, sizeof name) || !add_part(to, size, names[i], name.path_size))
      return 0;
  }
  return 1;
}

/* Writes the request without serial and attachment. Returns its size, or 0 if it is too long. */
static size_t write_recognizer(unsigned char *to, const struct touchroute_recognizer *r,
                               const char *view, size_t view_size, const char *feedback) {
  const char *target = r->to ? r->to : "";
  struct touchroute_add_gesture add = {.kind = (uint8_t)r->kind,
                                       .fewest = (uint8_t)r->fewest,
                                       .most = (uint8_t)r->most,
                                       .taps = (uint8_t)r->taps,
                                       .direction = (uint8_t)r->direction,
                                       .edge = (uint8_t)r->edge,
                                       .flags = (uint16_t)r->flags,
                                       .duration_ms = r->duration_ms,
                                       .interval_ms = r->interval_ms,
                                       .gather_ms = r->gather_ms,
                                       .name_size = (uint32_t)strlen(r->name),
                                       .view_size = (uint32_t)view_size,
                                       .to_size = (uint32_t)strlen(target),
                                       .after_count = (uint16_t)r->after_count,
                                       .simultaneous_count = (uint16_t)r->simultaneous_count,
                                       .feedback_size = (uint32_t)strlen(feedback),
                                       .slop = r->slop,
                                       .distance = r->distance,
                                       .margin = r->margin,
                                       .slop_degrees = r->slop_degrees};
  size_t size = 0;
  if (!add_part(to, &size, &add, sizeof add) || !add_part(to, &size, r->name, add.name_size) ||
      !add_part(to, &size, view, view_size) || !add_part(to, &size, target, add.to_size) ||
      !add_names(to, &size, r->after, r->after_count) ||
      !add_names(to, &size, r->simultaneous, r->simultaneous_count) ||
      !add_part(to, &size, feedback, add.feedback_size))
    return 0;
  return size;
}

static struct recognizer *free_recognizer(struct touchroute_connection *c) {
  for (size_t i = 0; i < c->recognizers.count; i++)
    if (c->recognizers.list[i].state == RECOGNIZER_FREE)
      return &c->recognizers.list[i];
  return c->recognizers.count < TOUCHROUTE_CLIENT_RECOGNIZERS
             ? &c->recognizers.list[c->recognizers.count++]
             : NULL;
}

int touchroute_add_gesture(struct touchroute_connection *c, uint32_t attachment,
                           const struct touchroute_recognizer *wanted) {
  return touchroute_add_gesture_with_feedback(c, attachment, wanted, NULL);
}

int touchroute_add_gesture_with_feedback(struct touchroute_connection *c, uint32_t attachment,
                                         const struct touchroute_recognizer *wanted,
                                         const char *feedback) {
  const struct attachment *a = changeable_attachment(c, attachment);
  if (!a)
    return link_failure(c) ? link_failure(c) : -ENOENT;
  const char *wrong = wrong_recognizer(wanted);
  if (wrong)
    return fail(c, EINVAL, "the gesture %.64s can't be: %s", wanted->name ? wanted->name : "",
                wrong);
  unsigned char request[TOUCHROUTE_MAX_REQUEST];
  const char *view = wanted->view ? wanted->view : attachment_path(c, a);
  size_t size = write_recognizer(request, wanted, view,
                                 wanted->view ? strlen(wanted->view) : a->path_size,
                                 feedback ? feedback : "");
  if (size == 0)
    return fail(c, EMSGSIZE, "the gesture %.64s is over the daemon's limit of %u bytes",
                wanted->name, TOUCHROUTE_MAX_REQUEST);
  struct recognizers *all = &c->recognizers;
  if (size > sizeof all->requests - all->requests_used)
    return fail(c, ENOSPC, "the recognizers of a connection can have %u bytes together",
                TOUCHROUTE_CLIENT_DESCRIPTIONS);
  uint32_t serial = take_serial(c);
  struct recognizer *r = free_recognizer(c);
  if (!r)
    return fail(c, ENOSPC, "a connection can have %u recognizers", TOUCHROUTE_CLIENT_RECOGNIZERS);
  *r = (struct recognizer){.handle = serial,
                           .attachment = attachment,
                           .state = RECOGNIZER_OWED,
                           .at = (uint32_t)all->requests_used,
                           .size = (uint32_t)size};
  memcpy(all->requests + r->at, request, size);
  all->requests_used += size;
  all->owed++;
  pay_owed(c);
  return finish_request(c, (int)serial);
}

int touchroute_remove_gesture(struct touchroute_connection *c, uint32_t recognizer) {
  if (link_failure(c))
    return link_failure(c);
  struct recognizer *r = recognizer_with(c, recognizer);
  if (!r || r->remove_serial)
    return fail(c, ENOENT, "there is no recognizer %u, or it is being removed",
                (unsigned)recognizer);
  if (r->state == RECOGNIZER_OWED) {
    r->is_answered = 1; /* by this call */
    forget_recognizer(c, r);
    return 0;
  }
  r->remove_serial = take_serial(c);
  int serial = (int)r->remove_serial;
  if (r->state == RECOGNIZER_ADDED)
    c->recognizers.owed++; /* otherwise when it has been added */
  pay_owed(c);
  return finish_request(c, serial);
}

int touchroute_enable_gesture(struct touchroute_connection *c, uint32_t recognizer,
                              int is_enabled) {
  if (link_failure(c))
    return link_failure(c);
  const struct recognizer *r = recognizer_with(c, recognizer);
  if (!r || r->remove_serial)
    return fail(c, ENOENT, "there is no recognizer %u, or it is being removed",
                (unsigned)recognizer);
  unsigned char *request = c->recognizers.requests + r->at;
  struct touchroute_add_gesture add;
  memcpy(&add, request, sizeof add);
  int result = 0;
  if (r->state != RECOGNIZER_OWED) {
    char path[TOUCHROUTE_MAX_REQUEST + 2];
    snprintf(path, sizeof path, "%.*s#%.*s", (int)add.view_size,
             (const char *)request + sizeof add + padded(add.name_size), (int)add.name_size,
             (const char *)request + sizeof add);
    result = touchroute_set(c,
                            &(struct touchroute_property_change){
                                .path = path,
                                .property = TOUCHROUTE_PROPERTY_ENABLED,
                                .values = {is_enabled ? 1 : 0}},
                            1);
  }
  if (result < 0)
    return result;
  add.flags = (uint16_t)((add.flags & ~TOUCHROUTE_GESTURE_DISABLED) |
                         (is_enabled ? 0 : TOUCHROUTE_GESTURE_DISABLED));
  memcpy(request, &add, sizeof add);
  return result;
}
