/* wire.c: takes a message apart, and checks each part against what is left of it; names of the
   wire's numbers. */

#include "internal.h"

PRINTF_LIKE(3, 4)
PRIVATE int fail(struct touchroute_connection *c, int error, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(c->error, sizeof c->error, format, arguments);
  va_end(arguments);
  return -error;
}

PRIVATE uint64_t now_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

PRIVATE size_t padded(size_t size) { return (size + 7u) & ~(size_t)7u; }

const char *touchroute_phase_name(uint32_t phase) {
  static const char *const names[] = {
      "unknown", "began", "moved", "stationary", "ended", "cancelled"};
  return names[phase < sizeof names / sizeof *names ? phase : 0];
}

const char *touchroute_cancel_reason_name(uint32_t reason) {
  static const char *const names[] = {
      "none",         "device removed", "suspended", "palm",      "target removed",
      "unresponsive", "taken over",     "stopping",  "requested", "connection lost",
      "gesture",      "stuck",          "ghost",     "dark",           "locked"};
  return reason < sizeof names / sizeof *names ? names[reason] : "unknown";
}

const char *touchroute_gesture_kind_name(uint32_t kind) {
  static const char *const names[] = {"unknown", "tap",   "long_press", "pan",
                                      "swipe",   "pinch", "rotation",   "edge_pan"};
  return names[kind < sizeof names / sizeof *names ? kind : 0];
}

const char *touchroute_gesture_state_name(uint32_t state) {
  static const char *const names[] = {"unknown",   "recognized", "began",    "changed",  "ended",
                                      "cancelled", "failed",     "possible", "passed_by"};
  return names[state < sizeof names / sizeof *names ? state : 0];
}

const char *touchroute_direction_name(uint32_t direction) {
  static const char *const names[] = {"any",  "left",       "right",   "up",
                                      "down", "horizontal", "vertical"};
  return direction < sizeof names / sizeof *names ? names[direction] : "unknown";
}

static const char *opcode_name(uint32_t opcode) {
  switch (opcode) {
  case TOUCHROUTE_WELCOME: return "welcome";
  case TOUCHROUTE_ATTACHED: return "attached";
  case TOUCHROUTE_DONE: return "done";
  case TOUCHROUTE_ERROR: return "error";
  case TOUCHROUTE_VIEW: return "view";
  case TOUCHROUTE_DESCRIBED_GESTURE: return "described gesture";
  case TOUCHROUTE_VIEW_DETAILS: return "view details";
  case TOUCHROUTE_VIEW_PROPERTY: return "view property";
  case TOUCHROUTE_PONG: return "pong";
  case TOUCHROUTE_TOUCHES: return "touches";
  case TOUCHROUTE_LAYOUT: return "layout";
  case TOUCHROUTE_DETACHED: return "detached";
  case TOUCHROUTE_WAITING: return "waiting";
  case TOUCHROUTE_CLOSING: return "closing";
  case TOUCHROUTE_HOLDER: return "holder";
  case TOUCHROUTE_GESTURE: return "gesture";
  case TOUCHROUTE_SCREEN_STATE: return "screen_state";
  case TOUCHROUTE_IDLE: return "idle";
  case TOUCHROUTE_LOCK_STATE: return "lock_state";
  case TOUCHROUTE_FEEDBACK: return "feedback";
  case TOUCHROUTE_STATUS_DAEMON: return "status_daemon";
  case TOUCHROUTE_STATUS_CLIENT: return "status_client";
  case TOUCHROUTE_STATUS_ATTACHMENT: return "status_attachment";
  case TOUCHROUTE_STATUS_DEVICE: return "status_device";
  case TOUCHROUTE_STATUS_WAITING: return "status_waiting";
  case TOUCHROUTE_STATUS_LOCK: return "status_lock";
  case TOUCHROUTE_STATUS_SCREEN: return "status_screen";
  case TOUCHROUTE_STATUS_INHIBITOR: return "status_inhibitor";
  case TOUCHROUTE_OBSERVED: return "observed";
  case TOUCHROUTE_OBSERVED_GESTURE: return "observed gesture";
  case TOUCHROUTE_STATUS_SIGNAL: return "status_signal";
  case TOUCHROUTE_OBSERVED_SIGNAL: return "observed_signal";
  case TOUCHROUTE_OBSERVED_CHANGE: return "observed_change";
  default: return "unknown";
  }
}

static void *take(struct cursor *cursor, size_t size) {
  if (size > cursor->left)
    return NULL;
  void *start = cursor->at;
  cursor->at += padded(size);
  cursor->left -= padded(size);
  return start;
}

PRIVATE void *take_array(struct cursor *cursor, size_t count, size_t size) {
  return count > cursor->left / size ? NULL : take(cursor, count * size);
}

PRIVATE int take_struct(struct cursor *cursor, void *into, size_t size) {
  const void *start = take(cursor, size);
  if (start)
    memcpy(into, start, size);
  return start != NULL;
}

/* A copy with a zero byte, valid until the next message. NULL: the message ends before it. */
PRIVATE const char *take_text(struct touchroute_connection *c, struct cursor *cursor, size_t size) {
  if (size == 0)
    return "";
  const void *start = take(cursor, size);
  if (!start || memchr(start, 0, size) || size >= TEXT_SIZE - c->strings.used)
    return NULL;
  char *copy = c->strings.text + c->strings.used;
  memcpy(copy, start, size);
  copy[size] = 0;
  c->strings.used += size + 1;
  return copy;
}

PRINTF_LIKE(2, 3)
PRIVATE const char *write_text(struct touchroute_connection *c, const char *format, ...) {
  char *text = c->strings.text + c->strings.used;
  size_t room = TEXT_SIZE - c->strings.used;
  va_list arguments;
  va_start(arguments, format);
  int size = vsnprintf(text, room, format, arguments);
  va_end(arguments);
  if (size < 0)
    return "";
  c->strings.used += (size_t)size < room ? (size_t)size + 1 : room;
  return text;
}

/* Begins a message: the strings of the one before are gone. */
PRIVATE void clear_texts(struct touchroute_connection *c) { c->strings.used = 0; }

PRIVATE int malformed(struct touchroute_connection *c, const struct touchroute_header *header,
                      const char *what) {
  return fail(c, EPROTO, "touchrouted at %s sent a malformed %s message (opcode %#x, %u bytes): %s",
              socket_path(c), opcode_name(header->opcode), (unsigned)header->opcode,
              (unsigned)header->size, what);
}

PRIVATE int is_phase(uint32_t phase) {
  return phase >= TOUCHROUTE_PHASE_BEGAN && phase <= TOUCHROUTE_PHASE_CANCELLED;
}
