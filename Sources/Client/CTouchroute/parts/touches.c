/* touches.c: live touches, so that each record names its target, and a lost connection cancels
   them. */

#include "internal.h"

#define DECLINED 16u /* declined touches of which records may still arrive */

static size_t find_live(struct touchroute_connection *c, uint32_t handle, uint64_t touch) {
  size_t i = c->touches.next;
  for (size_t left = c->touches.count; left > 0; left--, i++) {
    if (i >= c->touches.count)
      i = 0;
    const struct live_key *key = &c->touches.keys[i];
    if (key->touch == touch && key->handle == handle && key->live) {
      c->touches.next = i + 1;
      return i;
    }
  }
  return TOUCHROUTE_CLIENT_TOUCHES;
}

/*
 * A slot for one more touch: a free one, else the one without a record for longest. (That happens
 * with more fingers than slots, or if an attachment does not handle ended.) Slots of the message at
 * hand are not taken, because their paths are still to be shown.
 */
static size_t find_slot(struct touchroute_connection *c) {
  size_t oldest = TOUCHROUTE_CLIENT_TOUCHES;
  for (size_t i = 0; i < c->touches.count; i++) {
    const struct live_key *key = &c->touches.keys[i];
    if (key->heard == c->touches.message)
      continue;
    if (!key->live)
      return i;
    if (oldest == TOUCHROUTE_CLIENT_TOUCHES || key->heard < c->touches.keys[oldest].heard)
      oldest = i;
  }
  return c->touches.count < TOUCHROUTE_CLIENT_TOUCHES ? c->touches.count++ : oldest;
}

/*
 * The program hears no more of this touch. Records that the daemon sent before it read the decline
 * may still arrive, so the slot is kept for a while.
 */
static void decline_slot(struct touchroute_connection *c, size_t slot) {
  size_t count = 0, oldest = slot;
  c->touches.keys[slot].declined = 1;
  for (size_t i = 0; i < c->touches.count; i++) {
    if (!c->touches.keys[i].live || !c->touches.keys[i].declined)
      continue;
    count++;
    if (c->touches.keys[i].heard < c->touches.keys[oldest].heard)
      oldest = i;
  }
  if (count > DECLINED)
    c->touches.keys[oldest].live = 0;
}

/*
 * Remembers a record, and gives it the path that came with its touch's first record. Returns
 * whether to show it to the program.
 */
static int track(struct touchroute_connection *c, uint32_t device,
                 struct touchroute_record *record) {
  const struct touchroute_touch *touch = record->touch;
  int over = touch->phase == TOUCHROUTE_PHASE_ENDED || touch->phase == TOUCHROUTE_PHASE_CANCELLED;
  size_t slot = find_live(c, touch->attachment, touch->id);
  if (slot == TOUCHROUTE_CLIENT_TOUCHES) {
    if (over || (slot = find_slot(c)) == TOUCHROUTE_CLIENT_TOUCHES)
      return 1;
    c->touches.keys[slot] =
        (struct live_key){.touch = touch->id, .handle = touch->attachment, .live = 1};
    c->touches.values[slot].path[0] = 0;
  }
  struct live_key *key = &c->touches.keys[slot];
  struct live_value *value = &c->touches.values[slot];
  key->heard = c->touches.message;
  key->device = device;
  key->live = !over;
  if (key->declined)
    return 0;
  key->began |= touch->phase == TOUCHROUTE_PHASE_BEGAN;
  value->last = *touch;
  if (touch->path_size > 0) /* take_records checked it */
    memcpy(value->path, record->path, touch->path_size + 1u);
  record->path = value->path;
  return 1;
}

/* Cancels the live touches of an attachment, or all (handle 0), with a frame for each device. */
PRIVATE void cancel_live(struct touchroute_connection *c, uint32_t handle, uint8_t reason) {
  for (size_t first = 0; first < c->touches.count; first++) {
    if (!c->touches.keys[first].live || (handle && c->touches.keys[first].handle != handle))
      continue;
    struct touchroute_frame frame = {.time_us = now_us(),
                                     .sequence = c->touches.last_sequence,
                                     .device = c->touches.keys[first].device,
                                     .records = c->shown.touches};
    for (size_t i = first; i < c->touches.count; i++) {
      struct live_key *key = &c->touches.keys[i];
      if (!key->live || key->device != frame.device || (handle && key->handle != handle))
        continue;
      const struct attachment *a = attachment_with_handle(c, key->handle);
      key->live = 0;
      if (!a || !key->began || key->declined || !(a->handles & TOUCHROUTE_HANDLES_CANCELLED))
        continue;
      struct touchroute_touch *touch = &c->touches.values[i].last;
      touch->phase = TOUCHROUTE_PHASE_CANCELLED;
      touch->cancel_reason = reason;
      touch->sample_count = 0;
      touch->path_size = 0;
      touch->age_us = 0;
      touch->previous_x = touch->x;
      touch->previous_y = touch->y;
      c->shown.touches[frame.record_count++] =
          (struct touchroute_record){.touch = touch, .path = c->touches.values[i].path};
    }
    if (frame.record_count > 0)
      CALL(c, touches, &frame);
  }
}

/*
 * Lists the records of a touches message, without copying them, with the program's numbers of the
 * attachments. Returns how many there are, or -EPROTO.
 */
static int take_records(struct touchroute_connection *c, const struct touchroute_header *header,
                        struct cursor cursor, const struct touchroute_touches *head) {
  struct touchroute_touch *touch = take_array(&cursor, head->touch_count, sizeof *touch);
  if (!touch)
    return malformed(c, header, too_short);
  const struct attachment *a = NULL;
  uint32_t samples = 0;
  int count = 0;
  for (const struct touchroute_touch *end = touch + head->touch_count; touch < end; touch++) {
    struct touchroute_record *record = &c->shown.touches[count];
    samples += touch->sample_count;
    record->touch = touch;
    record->samples = take_array(&cursor, touch->sample_count, sizeof(struct touchroute_sample));
    if (!record->samples || touch->path_size > TOUCHROUTE_MAX_PATH ||
        !(record->path = take_text(c, &cursor, touch->path_size)))
      return malformed(c, header, too_short);
    if (!is_phase(touch->phase))
      return malformed(c, header, "it names an unknown phase");
    if (!a || a->id != touch->attachment)
      a = attachment_with_id(c, touch->attachment);
    if (!a)
      continue;
    touch->attachment = a->handle;
    count++;
  }
  if (samples != head->sample_count)
    return malformed(c, header, "its samples do not add up");
  return count;
}

PRIVATE int handle_touches(struct touchroute_connection *c, const struct touchroute_header *header,
                           struct cursor cursor) {
  struct touchroute_touches head;
  if (!take_struct(&cursor, &head, sizeof head))
    return malformed(c, header, too_short);
  int count = take_records(c, header, cursor, &head);
  if (count <= 0)
    return count;
  c->touches.message++;
  c->touches.next = 0;
  while (c->touches.count > 0 && !c->touches.keys[c->touches.count - 1].live)
    c->touches.count--;
  c->touches.last_sequence = head.sequence;
  uint32_t shown = 0;
  for (int i = 0; i < count; i++)
    if (track(c, head.device, &c->shown.touches[i]))
      c->shown.touches[shown++] = c->shown.touches[i];
  if (shown == 0)
    return 0;
  struct touchroute_frame frame = {.time_us = head.time_us,
                                   .sequence = head.sequence,
                                   .device = head.device,
                                   .record_count = shown,
                                   .records = c->shown.touches,
                                   .more = (header->flags & TOUCHROUTE_MORE) != 0};
  CALL(c, touches, &frame);
  return 0;
}

/* Accepts or declines. The touch need not be live: it may have ended in the same read. */
static int decide(struct touchroute_connection *c, uint32_t attachment, uint64_t touch,
                  uint16_t opcode) {
  int result = check_connected(c);
  if (result < 0)
    return result;
  const struct attachment *a = attachment_with_handle(c, attachment);
  if (!a || a->state != ATTACHMENT_HELD)
    return fail(c, ENOENT, "there is no attachment %u, or it is not attached yet",
                (unsigned)attachment);
  struct touchroute_accept decision = {
      .serial = take_serial(c), .attachment = a->id, .touch = touch};
  result = queue(c, &decision, sizeof decision, opcode, NULL, 0);
  return finish_request(c, result < 0 ? result : (int)decision.serial);
}

int touchroute_accept(struct touchroute_connection *c, uint32_t attachment, uint64_t touch) {
  size_t slot = find_live(c, attachment, touch);
  if (slot != TOUCHROUTE_CLIENT_TOUCHES && c->touches.keys[slot].declined)
    return fail(c, ENOENT, "touch %llu was declined for attachment %u", (unsigned long long)touch,
                (unsigned)attachment);
  return decide(c, attachment, touch, TOUCHROUTE_ACCEPT);
}

int touchroute_decline(struct touchroute_connection *c, uint32_t attachment, uint64_t touch) {
  int result = decide(c, attachment, touch, TOUCHROUTE_DECLINE);
  size_t slot = find_live(c, attachment, touch);
  if (result >= 0 && slot != TOUCHROUTE_CLIENT_TOUCHES)
    decline_slot(c, slot);
  return result;
}
