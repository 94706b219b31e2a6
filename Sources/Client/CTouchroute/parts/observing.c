/* observing.c: whether the program observes, to ask the next daemon for it; and what it sees. */

#include "internal.h"

PRIVATE int observing_uses(const struct touchroute_connection *c, uint32_t serial) {
  return serial == c->observing.serial || serial == c->observing.again;
}

/* Queues observe if it is owed. False: there is no room for it. */
PRIVATE int pay_observing(struct touchroute_connection *c) {
  struct touchroute_observe observe = {.serial = c->observing.serial,
                                       .enable = (uint32_t)c->observing.enable};
  if (!c->observing.owed)
    return 1;
  if (queue(c, &observe, sizeof observe, TOUCHROUTE_OBSERVE, NULL, 0) < 0)
    return 0;
  c->observing.owed = 0;
  c->observing.again = c->observing.answered ? c->observing.serial : 0;
  return 1;
}

/* After a lost connection: observe is owed again. */
PRIVATE void owe_observing(struct touchroute_connection *c) {
  c->observing.owed = c->observing.serial != 0;
  c->observing.again = 0;
}

/* Takes the answer to observe, if it is that. Returns whether to tell the program: of a repeated
   observe, only its refusal. */
PRIVATE int take_observe_answer(struct touchroute_connection *c, uint32_t serial, uint32_t error) {
  int is_again = serial == c->observing.again;
  if (is_again)
    c->observing.again = 0;
  if (serial != c->observing.serial)
    return !is_again;
  c->observing.answered = 1;
  if (error)
    c->observing.serial = 0;
  return error || !is_again;
}

/* Reads the path and the chain of one observed touch, with links behind those used so far. */
static int take_chain(struct touchroute_connection *c, struct cursor *cursor,
                      struct touchroute_observed_record *record, size_t *links_used) {
  struct touchroute_chain_link *links = c->shown.observed.links + *links_used;
  if (!(record->path = take_text(c, cursor, record->touch.path_size)) ||
      record->touch.chain_count > CHAIN_LINKS - *links_used)
    return 0;
  for (uint32_t i = 0; i < record->touch.chain_count; i++)
    if (!take_struct(cursor, &links[i].entry, sizeof links[i].entry) ||
        !(links[i].path = take_text(c, cursor, links[i].entry.path_size)))
      return 0;
  record->chain = links;
  *links_used += record->touch.chain_count;
  return 1;
}

PRIVATE int handle_observed(struct touchroute_connection *c, const struct touchroute_header *header,
                            struct cursor cursor) {
  const size_t size = sizeof(struct touchroute_observed_touch);
  struct touchroute_observed observed;
  const unsigned char *touches;
  if (!take_struct(&cursor, &observed, sizeof observed) ||
      !(touches = take_array(&cursor, observed.touch_count, size)))
    return malformed(c, header, too_short);
  size_t links_used = 0;
  for (uint32_t i = 0; i < observed.touch_count; i++) {
    struct touchroute_observed_record *record = &c->shown.observed.records[i];
    memcpy(&record->touch, touches + i * size, size);
    if (!take_chain(c, &cursor, record, &links_used))
      return malformed(c, header, too_short);
    if (!is_phase(record->touch.phase))
      return malformed(c, header, "it names an unknown phase");
  }
  struct touchroute_observation observation = {.time_us = observed.time_us,
                                               .sequence = observed.sequence,
                                               .device = observed.device,
                                               .record_count = observed.touch_count,
                                               .records = c->shown.observed.records,
                                               .more = (header->flags & TOUCHROUTE_MORE) != 0};
  CALL(c, observed, &observation);
  return 0;
}

PRIVATE int handle_observed_gesture(struct touchroute_connection *c,
                                    const struct touchroute_header *header,
                                    struct cursor cursor) {
  struct touchroute_observed_gesture gesture;
  const char *path, *text;
  if (!take_struct(&cursor, &gesture, sizeof gesture) ||
      !(path = take_text(c, &cursor, gesture.path_size)) ||
      !(text = take_text(c, &cursor, gesture.text_size)))
    return malformed(c, header, too_short);
  CALL(c, observed_gesture, &gesture, path, text);
  return 0;
}

PRIVATE int handle_observed_signal(struct touchroute_connection *c,
                                   const struct touchroute_header *header, struct cursor cursor) {
  struct touchroute_observed_signal signal;
  const char *text;
  if (!take_struct(&cursor, &signal, sizeof signal) ||
      !(text = take_text(c, &cursor, signal.text_size)))
    return malformed(c, header, too_short);
  CALL(c, observed_signal, &signal, text);
  return 0;
}

PRIVATE int handle_observed_change(struct touchroute_connection *c,
                                   const struct touchroute_header *header,
                                   struct cursor cursor) {
  struct touchroute_observed_change change;
  const char *path, *name;
  if (!take_struct(&cursor, &change, sizeof change) ||
      !(path = take_text(c, &cursor, change.path_size)) ||
      !(name = take_text(c, &cursor, change.name_size)))
    return malformed(c, header, too_short);
  CALL(c, observed_change, &change, path, name);
  return 0;
}

int touchroute_observe(struct touchroute_connection *c, int enable) {
  int result = check_connected(c);
  if (result == -ENOTCONN && !enable) {
    c->observing.serial = 0;
    c->observing.owed = 0;
    return 0;
  }
  if (result < 0)
    return result;
  struct touchroute_observe observe = {.serial = take_serial(c), .enable = (uint32_t)enable};
  result = queue(c, &observe, sizeof observe, TOUCHROUTE_OBSERVE, NULL, 0);
  if (result < 0)
    return result;
  c->observing.serial = enable ? observe.serial : 0;
  c->observing.enable = enable;
  c->observing.owed = c->observing.answered = 0;
  return finish_request(c, (int)observe.serial);
}
