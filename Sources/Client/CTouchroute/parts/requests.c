/* requests.c: the requests that wait for the socket, their serials, and the simple ones. */

#include "internal.h"

#define OWN_SERIALS 0x80000000u /* from here on: requests that the program did not make */

/* For a new connection: nothing waits, and the daemon has not said its limit yet. */
PRIVATE void clear_requests(struct touchroute_connection *c) {
  c->requests.limit = TOUCHROUTE_MAX_REQUEST;
  c->requests.start = c->requests.end = 0;
}

PRIVATE void limit_requests(struct touchroute_connection *c, uint32_t size) {
  c->requests.limit = size < TOUCHROUTE_MAX_REQUEST ? size : TOUCHROUTE_MAX_REQUEST;
}

PRIVATE uint32_t request_limit(const struct touchroute_connection *c) { return c->requests.limit; }

PRIVATE size_t waiting_bytes(const struct touchroute_connection *c) {
  return c->requests.end - c->requests.start;
}

/* Sends what waits. Returns 0, or -EAGAIN if the socket did not take all of it. */
PRIVATE int flush_output(struct touchroute_connection *c) {
  struct requests *waiting = &c->requests;
  while (waiting->start < waiting->end) {
    ssize_t sent = send_bytes(c, waiting->bytes + waiting->start, waiting_bytes(c));
    if (sent < 0)
      break;
    waiting->start += (size_t)sent;
  }
  if (waiting->start == waiting->end)
    waiting->start = waiting->end = 0;
  update_interest(c);
  return waiting->end ? -EAGAIN : 0;
}

/*
 * Appends a request: that struct, and more bytes after it, which are zero. The caller fills them:
 * rest is where they are.
 */
PRIVATE int queue_open(struct touchroute_connection *c, void *request, size_t size,
                       uint16_t opcode, size_t more, unsigned char **rest) {
  struct requests *waiting = &c->requests;
  size_t total = size + more;
  size_t limit = opcode == TOUCHROUTE_CHANGE_VIEWS ? TOUCHROUTE_MAX_CHANGE_VIEWS : waiting->limit;
  if (total > limit)
    return fail(c, EMSGSIZE, "a request of %zu bytes is over the daemon's limit of %zu", total,
                limit);
  if (waiting->start > 0) {
    memmove(waiting->bytes, waiting->bytes + waiting->start, waiting->end - waiting->start);
    waiting->end -= waiting->start;
    waiting->start = 0;
  }
  if (total > sizeof waiting->bytes - waiting->end)
    return fail(c, EAGAIN, "%zu bytes of requests wait for touchrouted, which does not read them",
                waiting->end);
  struct touchroute_header header = {.size = (uint32_t)total, .opcode = opcode};
  memcpy(request, &header, sizeof header);
  memcpy(waiting->bytes + waiting->end, request, size);
  *rest = memset(waiting->bytes + waiting->end + size, 0, more);
  waiting->end += total;
  return 0;
}

/* Appends a request: that struct, and a text after it. */
PRIVATE int queue(struct touchroute_connection *c, void *request, size_t size, uint16_t opcode,
                  const char *text, size_t text_size) {
  unsigned char *rest = NULL;
  int result = queue_open(c, request, size, opcode, padded(text_size), &rest);
  if (result == 0 && text_size > 0)
    memcpy(rest, text, text_size);
  return result;
}

PRIVATE uint32_t take_serial(struct touchroute_connection *c) {
  for (;;) {
    uint32_t serial = c->requests.next_serial > 0 ? c->requests.next_serial : 1;
    c->requests.next_serial = serial == INT32_MAX ? 1 : serial + 1;
    if (!attachments_use(c, serial) && !recognizers_use(c, serial) && !views_use(c, serial) &&
        !observing_uses(c, serial))
      return serial;
  }
}

/* A serial for a request of the library's own, whose answer the program never hears of. */
PRIVATE uint32_t take_own_serial(struct touchroute_connection *c) {
  c->requests.own_serial = (c->requests.own_serial + 1) | OWN_SERIALS;
  return c->requests.own_serial;
}

PRIVATE int is_own_serial(uint32_t serial) { return (serial & OWN_SERIALS) != 0; }

/* The library will answer so many more requests. */
PRIVATE void owe_answers(struct touchroute_connection *c, size_t count) {
  c->requests.unanswered += count;
}

/* Answers requests that the daemon was never asked, because their attachment has ended. */
PRIVATE void answer_rest(struct touchroute_connection *c) {
  static const char text[] = "its attachment has ended before the daemon was asked";
  for (size_t left = c->requests.unanswered; left > 0 && !is_doomed(c); left--) {
    uint32_t opcode = TOUCHROUTE_CHANGE_VIEWS, serial = take_unanswered_views(c);
    if (!serial)
      serial = take_unanswered_recognizer(c, &opcode);
    struct touchroute_error error = {.serial = serial,
                                     .code = TOUCHROUTE_ERROR_NOT_ATTACHED,
                                     .request = opcode,
                                     .text_size = sizeof text - 1};
    c->requests.unanswered--;
    if (opcode == TOUCHROUTE_REMOVE_GESTURE)
      answer_done(c, serial);
    else
      CALL(c, error, &error, text);
  }
}

PRIVATE int check_path(struct touchroute_connection *c, const char *path, size_t size) {
  if (size > TOUCHROUTE_MAX_PATH)
    return fail(c, ENAMETOOLONG, "a responder's path can have %u bytes, this has %zu: %.64s...",
                TOUCHROUTE_MAX_PATH, size, path);
  return 0;
}

int touchroute_describe(struct touchroute_connection *c, const char *path, uint32_t first,
                        uint32_t count) {
  int result = check_connected(c);
  size_t size = path ? strlen(path) : 0;
  if (result == 0)
    result = check_path(c, path, size);
  if (result < 0)
    return result;
  if (count > TOUCHROUTE_DESCRIBE_PAGE)
    return fail(c, EINVAL, "one answer describes %u views at most", TOUCHROUTE_DESCRIBE_PAGE);
  struct touchroute_describe describe = {
      .serial = take_serial(c), .first = first, .count = count, .path_size = (uint32_t)size};
  result = queue(c, &describe, sizeof describe, TOUCHROUTE_DESCRIBE, path, size);
  return finish_request(c, result < 0 ? result : (int)describe.serial);
}

static int plain_request(struct touchroute_connection *c, uint16_t opcode) {
  int result = check_connected(c);
  if (result < 0)
    return result;
  struct touchroute_plain_request request = {.serial = take_serial(c)};
  result = queue(c, &request, sizeof request, opcode, NULL, 0);
  return finish_request(c, result < 0 ? result : (int)request.serial);
}

int touchroute_ping(struct touchroute_connection *c) { return plain_request(c, TOUCHROUTE_PING); }

int touchroute_status(struct touchroute_connection *c) {
  return plain_request(c, TOUCHROUTE_STATUS);
}

int touchroute_reload(struct touchroute_connection *c) {
  return plain_request(c, TOUCHROUTE_RELOAD);
}

int touchroute_inject(struct touchroute_connection *c, uint32_t screen,
                      const struct touchroute_contact *contacts, uint32_t count) {
  int result = check_connected(c);
  if (result < 0)
    return result;
  if (count == 0)
    return fail(c, EINVAL, "a frame to inject needs a contact");
  size_t most = (c->requests.limit - sizeof(struct touchroute_inject)) / sizeof *contacts;
  if (count > most)
    return fail(c, EMSGSIZE,
                "a frame to inject can have %zu contacts, in a request of %u bytes, the daemon's "
                "limit; this has %u",
                most, (unsigned)c->requests.limit, (unsigned)count);
  for (uint32_t i = 0; i < count; i++) {
    if (!is_phase(contacts[i].phase) || contacts[i].phase == TOUCHROUTE_PHASE_STATIONARY)
      return fail(c, EINVAL, "a contact begins, moves, ends or is cancelled: %u is none of these",
                  (unsigned)contacts[i].phase);
    if (!(contacts[i].x - contacts[i].x == 0 && contacts[i].y - contacts[i].y == 0))
      return fail(c, EINVAL, "the x and y of contact %ld have to be finite numbers",
                  (long)contacts[i].slot);
  }
  struct touchroute_inject inject = {
      .serial = take_serial(c), .screen = screen, .contact_count = count};
  size_t size = count * sizeof *contacts;
  unsigned char *rest = NULL;
  result = queue_open(c, &inject, sizeof inject, TOUCHROUTE_INJECT, size, &rest);
  if (result == 0)
    memcpy(rest, contacts, size);
  return finish_request(c, result < 0 ? result : (int)inject.serial);
}

int touchroute_cancel(struct touchroute_connection *c, uint64_t touch) {
  int result = check_connected(c);
  if (result < 0)
    return result;
  struct touchroute_cancel cancel = {.serial = take_serial(c), .touch = touch};
  result = queue(c, &cancel, sizeof cancel, TOUCHROUTE_CANCEL, NULL, 0);
  return finish_request(c, result < 0 ? result : (int)cancel.serial);
}

int touchroute_ungrab(struct touchroute_connection *c, uint32_t device) {
  int result = check_connected(c);
  if (result < 0)
    return result;
  struct touchroute_ungrab ungrab = {.serial = take_serial(c), .device = device};
  result = queue(c, &ungrab, sizeof ungrab, TOUCHROUTE_UNGRAB, NULL, 0);
  return finish_request(c, result < 0 ? result : (int)ungrab.serial);
}
