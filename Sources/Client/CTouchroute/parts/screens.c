/* screens.c: screens that go dark, what nobody touches, and what is hit. Nothing of it is asked
   again. */

#include "internal.h"

PRIVATE int handle_screen_state(struct touchroute_connection *c,
                                const struct touchroute_header *header, struct cursor cursor) {
  struct touchroute_screen_state state;
  const char *name;
  if (!take_struct(&cursor, &state, sizeof state) ||
      !(name = take_text(c, &cursor, state.name_size)))
    return malformed(c, header, too_short);
  CALL(c, screen_state, &state, name);
  return 0;
}

PRIVATE int handle_idle(struct touchroute_connection *c, const struct touchroute_header *header,
                        struct cursor cursor) {
  struct touchroute_idle idle;
  if (!take_struct(&cursor, &idle, sizeof idle))
    return malformed(c, header, too_short);
  CALL(c, idle, &idle);
  return 0;
}

PRIVATE int handle_status_screen(struct touchroute_connection *c,
                                 const struct touchroute_header *header, struct cursor cursor) {
  struct touchroute_status_screen status;
  const char *name, *blanker;
  if (!take_struct(&cursor, &status, sizeof status) ||
      !(name = take_text(c, &cursor, status.name_size)) ||
      !(blanker = take_text(c, &cursor, status.blanker_size)))
    return malformed(c, header, too_short);
  CALL(c, status_screen, &status, name, blanker);
  return 0;
}

PRIVATE int handle_lock_state(struct touchroute_connection *c,
                              const struct touchroute_header *header, struct cursor cursor) {
  struct touchroute_lock_state state;
  const char *name;
  if (!take_struct(&cursor, &state, sizeof state) ||
      !(name = take_text(c, &cursor, state.name_size)))
    return malformed(c, header, too_short);
  CALL(c, lock_state, &state, name);
  return 0;
}

PRIVATE int handle_feedback(struct touchroute_connection *c, const struct touchroute_header *header,
                            struct cursor cursor) {
  struct touchroute_feedback feedback;
  const char *name, *target;
  if (!take_struct(&cursor, &feedback, sizeof feedback) ||
      !(name = take_text(c, &cursor, feedback.name_size)) ||
      !(target = take_text(c, &cursor, feedback.target_size)))
    return malformed(c, header, too_short);
  CALL(c, feedback, &feedback, name, target);
  return 0;
}

PRIVATE int handle_status_lock(struct touchroute_connection *c,
                               const struct touchroute_header *header, struct cursor cursor) {
  struct touchroute_status_lock status;
  const char *name;
  if (!take_struct(&cursor, &status, sizeof status) ||
      !(name = take_text(c, &cursor, status.name_size)))
    return malformed(c, header, too_short);
  CALL(c, status_lock, &status, name);
  return 0;
}

/* The size of the name of a screen or window, or a failure. */
static int name_size(struct touchroute_connection *c, const char *name) {
  size_t size = name ? strlen(name) : 0;
  if (size > TOUCHROUTE_MAX_NAME)
    return fail(c, EINVAL, "a name can have %u bytes, this has %zu: %.64s...", TOUCHROUTE_MAX_NAME,
                size, name);
  return (int)size;
}

/* The same of a screen, which has to be named. */
static int screen_size(struct touchroute_connection *c, const char *screen) {
  int size = name_size(c, screen);
  return size == 0 ? fail(c, EINVAL, "a screen has to be named") : size;
}

int touchroute_set_screen(struct touchroute_connection *c, const char *screen, uint32_t power,
                          uint32_t flags) {
  int result = check_connected(c);
  if (result < 0)
    return result;
  int size = screen_size(c, screen);
  if (size < 0)
    return size;
  if (power != TOUCHROUTE_SCREEN_ON && power != TOUCHROUTE_SCREEN_DARK)
    return fail(c, EINVAL, "a screen is set to on or dark: %u is neither", (unsigned)power);
  if (flags & ~(uint32_t)TOUCHROUTE_SET_SCREEN_BLANKER)
    return fail(c, EINVAL, "touchroute_set_screen has no flags %u", (unsigned)flags);
  struct touchroute_set_screen set = {.serial = take_serial(c),
                                      .power = (uint16_t)power,
                                      .flags = (uint16_t)flags,
                                      .name_size = (uint32_t)size};
  result = queue(c, &set, sizeof set, TOUCHROUTE_SET_SCREEN, screen, (size_t)size);
  return finish_request(c, result < 0 ? result : (int)set.serial);
}

int touchroute_lock(struct touchroute_connection *c, const char *screen, uint32_t duration_ms,
                    uint32_t exit, const char *const *except, uint32_t except_count) {
  int result = check_connected(c);
  if (result < 0)
    return result;
  int size = screen_size(c, screen);
  if (size < 0)
    return size;
  if (duration_ms < 1000)
    return fail(c, EINVAL, "%u ms: a lock lasts at least a second", (unsigned)duration_ms);
  if (exit & ~(uint32_t)(TOUCHROUTE_LOCK_HOLD_CORNERS | TOUCHROUTE_LOCK_TAPS))
    return fail(c, EINVAL, "nothing that ends a lock has the bits %u", (unsigned)exit);
  if (except_count > UINT16_MAX)
    return fail(c, EMSGSIZE, "%u exceptions of a lock are too many", (unsigned)except_count);
  size_t more = padded((size_t)size);
  for (uint32_t i = 0; i < except_count; i++) {
    size_t length = strlen(except[i]);
    if ((result = check_path(c, except[i], length)) < 0)
      return result;
    if (length == 0)
      return fail(c, EINVAL, "an exception of a lock has to be named");
    more += sizeof(struct touchroute_lock_exception) + padded(length);
  }
  struct touchroute_lock lock = {.serial = take_serial(c),
                                 .duration_ms = duration_ms,
                                 .exit = (uint16_t)exit,
                                 .except_count = (uint16_t)except_count,
                                 .name_size = (uint32_t)size};
  unsigned char *rest;
  result = queue_open(c, &lock, sizeof lock, TOUCHROUTE_LOCK, more, &rest);
  if (result == 0) {
    memcpy(rest, screen, (size_t)size);
    rest += padded((size_t)size);
    for (uint32_t i = 0; i < except_count; i++) {
      struct touchroute_lock_exception exception = {.path_size = (uint32_t)strlen(except[i])};
      memcpy(rest, &exception, sizeof exception);
      memcpy(rest + sizeof exception, except[i], exception.path_size);
      rest += sizeof exception + padded(exception.path_size);
    }
  }
  return finish_request(c, result < 0 ? result : (int)lock.serial);
}

int touchroute_unlock(struct touchroute_connection *c, const char *screen) {
  int result = check_connected(c);
  if (result < 0)
    return result;
  int size = screen_size(c, screen);
  if (size < 0)
    return size;
  struct touchroute_unlock unlock = {.serial = take_serial(c), .name_size = (uint32_t)size};
  result = queue(c, &unlock, sizeof unlock, TOUCHROUTE_UNLOCK, screen, (size_t)size);
  return finish_request(c, result < 0 ? result : (int)unlock.serial);
}

int touchroute_watch_screens(struct touchroute_connection *c, int enable) {
  int result = check_connected(c);
  if (result < 0)
    return result;
  struct touchroute_watch_screens watch = {.serial = take_serial(c), .enable = enable != 0};
  result = queue(c, &watch, sizeof watch, TOUCHROUTE_WATCH_SCREENS, NULL, 0);
  return finish_request(c, result < 0 ? result : (int)watch.serial);
}

int touchroute_watch_feedback(struct touchroute_connection *c, const char *screen, int enable) {
  int result = check_connected(c);
  if (result < 0)
    return result;
  int size = screen_size(c, screen);
  if (size < 0)
    return size;
  struct touchroute_watch_feedback watch = {
      .serial = take_serial(c), .enable = enable != 0, .name_size = (uint32_t)size};
  result = queue(c, &watch, sizeof watch, TOUCHROUTE_WATCH_FEEDBACK, screen, (size_t)size);
  return finish_request(c, result < 0 ? result : (int)watch.serial);
}

int touchroute_watch_idle(struct touchroute_connection *c, uint32_t scope, const char *name,
                          uint32_t duration_ms, uint32_t flags) {
  int result = check_connected(c);
  if (result < 0)
    return result;
  int size = name_size(c, name);
  if (size < 0)
    return size;
  if (scope < TOUCHROUTE_IDLE_SEAT || scope > TOUCHROUTE_IDLE_WINDOW)
    return fail(c, EINVAL, "the seat, a screen or a window may be idle: %u is none of these",
                (unsigned)scope);
  if ((scope == TOUCHROUTE_IDLE_SEAT) != (size == 0))
    return fail(c, EINVAL,
                size == 0 ? "a screen or window has to be named" : "the seat has no name");
  if (duration_ms < 1000 || duration_ms > 86400000)
    return fail(c, EINVAL, "%u ms: idle is watched for at least a second, and at most a day",
                (unsigned)duration_ms);
  if (flags & ~(uint32_t)(TOUCHROUTE_IDLE_IGNORES_INHIBITORS | TOUCHROUTE_IDLE_IGNORES_INJECTED))
    return fail(c, EINVAL, "touchroute_watch_idle has no flags %u", (unsigned)flags);
  struct touchroute_watch_idle watch = {.serial = take_serial(c),
                                        .scope = (uint16_t)scope,
                                        .flags = (uint16_t)flags,
                                        .duration_ms = duration_ms,
                                        .name_size = (uint32_t)size};
  result = queue(c, &watch, sizeof watch, TOUCHROUTE_WATCH_IDLE, name, (size_t)size);
  return finish_request(c, result < 0 ? result : (int)watch.serial);
}

int touchroute_unwatch_idle(struct touchroute_connection *c, uint32_t watch) {
  int result = check_connected(c);
  if (result < 0)
    return result;
  struct touchroute_unwatch_idle unwatch = {.serial = take_serial(c), .watch = watch};
  result = queue(c, &unwatch, sizeof unwatch, TOUCHROUTE_UNWATCH_IDLE, NULL, 0);
  return finish_request(c, result < 0 ? result : (int)unwatch.serial);
}

int touchroute_inhibit_idle(struct touchroute_connection *c, uint32_t attachment, int enable) {
  int result = check_connected(c);
  if (result < 0)
    return result;
  const struct attachment *a = attachment_with_handle(c, attachment);
  if (!a || a->state != ATTACHMENT_HELD)
    return fail(c, ENOENT, "there is no attachment %u, or it is not attached yet",
                (unsigned)attachment);
  struct touchroute_inhibit_idle inhibit = {
      .serial = take_serial(c), .attachment = a->id, .enable = enable != 0};
  result = queue(c, &inhibit, sizeof inhibit, TOUCHROUTE_INHIBIT_IDLE, NULL, 0);
  return finish_request(c, result < 0 ? result : (int)inhibit.serial);
}
