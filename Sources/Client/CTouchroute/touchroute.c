/*
 * touchroute.c: the client of touchrouted's protocol. The contract is in touchroute.h.
 *
 * scripts/generate makes this file of those in Sources/Client/CTouchroute/parts: change these.
 *
 * SPDX-License-Identifier: MIT
 */
#define PRIVATE static

/*
 * internal.h: what the parts of the C client know of one another.
 *
 * scripts/generate makes touchroute.c of the parts, which is what everybody compiles and copies.
 * A part owns one or two structs of the connection: no other part reads or writes their fields.
 *
 * One block of memory holds a connection, but for the views that it has added: what has come and is
 * not whole yet, what waits to be sent, the attachments (so that they can be made again), the live
 * touches (so that each record can name its target, and a lost connection can cancel them), and
 * room for what one callback is shown.
 *
 * A message is checked completely before it has any effect. If its sizes do not add up, the
 * connection ends. If it is about something unknown, it is skipped.
 */
#ifndef TOUCHROUTE_INTERNAL_H
#define TOUCHROUTE_INTERNAL_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* program_invocation_short_name */
#endif

#include "touchroute.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* What one part does for others. In touchroute.c it is static. */
#ifndef PRIVATE
#define PRIVATE
#endif

#if defined(__GNUC__)
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#else
#define PRINTF_LIKE(text, first)
#endif

#define ERROR_SIZE 512u

#define RECORDS (TOUCHROUTE_MAX_MESSAGE / sizeof(struct touchroute_touch))
#define OBSERVED_RECORDS (TOUCHROUTE_MAX_MESSAGE / sizeof(struct touchroute_observed_touch))
#define CHAIN_LINKS (TOUCHROUTE_MAX_MESSAGE / sizeof(struct touchroute_chain_entry))
#define SCREENS (TOUCHROUTE_MAX_MESSAGE / sizeof(struct touchroute_screen))

/* ---- wire.c: the parts of a message ---- */

/* What is left of a message. Both fields stay multiples of 8. */
struct cursor {
  unsigned char *at;
  size_t left;
};

#define TEXT_SIZE (TOUCHROUTE_MAX_MESSAGE + TOUCHROUTE_MAX_MESSAGE / 8u)

/* The strings of the message at hand, each with its zero byte. */
struct strings {
  size_t used;
  char text[TEXT_SIZE];
};

static const char too_short[] = "it is too short for what it announces";

PRINTF_LIKE(3, 4)
PRIVATE int fail(struct touchroute_connection *c, int error, const char *format, ...);
PRIVATE uint64_t now_us(void);
PRIVATE size_t padded(size_t size);
PRIVATE void *take_array(struct cursor *cursor, size_t count, size_t size);
PRIVATE int take_struct(struct cursor *cursor, void *into, size_t size);
PRIVATE const char *take_text(struct touchroute_connection *c, struct cursor *cursor, size_t size);
PRINTF_LIKE(2, 3)
PRIVATE const char *write_text(struct touchroute_connection *c, const char *format, ...);
PRIVATE void clear_texts(struct touchroute_connection *c);
PRIVATE int malformed(struct touchroute_connection *c, const struct touchroute_header *header,
                      const char *what);
PRIVATE int is_phase(uint32_t phase);

/* ---- requests.c: what waits to be sent ---- */

struct requests {
  uint32_t next_serial;
  uint32_t own_serial; /* of the last request that the program did not make */
  uint32_t limit;      /* bytes of one that the daemon takes */
  size_t unanswered;   /* those that the daemon will not answer: what they are of has ended */
  size_t start, end;   /* of what waits */
  unsigned char bytes[TOUCHROUTE_CLIENT_OUTPUT];
};

PRIVATE void clear_requests(struct touchroute_connection *c);
PRIVATE void limit_requests(struct touchroute_connection *c, uint32_t size);
PRIVATE uint32_t request_limit(const struct touchroute_connection *c);
PRIVATE size_t waiting_bytes(const struct touchroute_connection *c);
PRIVATE int flush_output(struct touchroute_connection *c);
PRIVATE int queue_open(struct touchroute_connection *c, void *request, size_t size,
                       uint16_t opcode, size_t more, unsigned char **rest);
PRIVATE int queue(struct touchroute_connection *c, void *request, size_t size, uint16_t opcode,
                  const char *text, size_t text_size);
PRIVATE uint32_t take_serial(struct touchroute_connection *c);
PRIVATE uint32_t take_own_serial(struct touchroute_connection *c);
PRIVATE int is_own_serial(uint32_t serial);
PRIVATE void owe_answers(struct touchroute_connection *c, size_t count);
PRIVATE void answer_rest(struct touchroute_connection *c);
PRIVATE int check_path(struct touchroute_connection *c, const char *path, size_t size);

/* ---- kept_views.c: the steps to ask for again ---- */

/*
 * What the program has added, removed and changed through an attachment, to be asked for again: the
 * steps of change_views as they were in force, each behind its size (8 bytes). Those that later
 * ones make void are dropped together, once they may be half of it.
 */
struct kept_views {
  unsigned char *steps;
  size_t used, capacity;
  size_t tidied;    /* used, when the void ones were dropped last */
  size_t next;      /* those from here on the daemon does not have */
  size_t asked;     /* for those up to here it is asked, in one request; next: for none */
  size_t most;      /* steps to ask for in one request; 0: as many as it has room for */
  uint32_t serial;  /* of that request, or 0 */
  uint32_t refused; /* steps that this daemon has refused to make again */
};

/* A part of the kept steps that fits into one request. */
struct kept_page {
  size_t end, size;
  uint32_t count;
};

#define REFUSED 32u /* steps that can't be made again, after which the others are not tried */

PRIVATE size_t step_size_at(const unsigned char *at);
PRIVATE int is_in(const char *path, size_t size, const char *view, size_t view_size);
PRIVATE int adds_kept(const struct kept_views *views, const char *path, size_t size);
PRIVATE int make_kept_room(struct kept_views *views, size_t size);
PRIVATE void keep_step(struct kept_views *views, const unsigned char *step, size_t step_size,
                       int is_there);
PRIVATE void tidy_kept(struct kept_views *views);
PRIVATE void owe_kept(struct kept_views *views);
PRIVATE struct kept_page next_page(const struct kept_views *views, size_t room);
PRIVATE void write_page(struct kept_views *views, struct kept_page page, uint32_t serial,
                        unsigned char *to);
PRIVATE int take_page_answer(struct kept_views *views, int is_refused, long *untried);

/* ---- attachments.c ---- */

enum attachment_state {
  ATTACHMENT_FREE,
  ATTACHMENT_OWED, /* attach could not be queued yet */
  ATTACHMENT_SENT,
  ATTACHMENT_WAITING, /* in the daemon's queue; has its number */
  ATTACHMENT_HELD,
};

/* Others read it, and only views.c its views. */
struct attachment {
  uint32_t handle; /* the program's number: the serial of attach */
  uint32_t id;     /* the daemon's, while held or waiting */
  enum attachment_state state;
  uint32_t detach_serial; /* not 0: the program wants it gone */
  int detach_sent;
  uint32_t handles, passes, flags;
  uint32_t path, path_size; /* in paths */
  struct kept_views views;
};

struct attachments {
  size_t count; /* those from here on are free */
  size_t owed;  /* those with something to send; 0 spares the search */
  size_t paths_used;
  struct attachment list[TOUCHROUTE_CLIENT_ATTACHMENTS];
  char paths[TOUCHROUTE_CLIENT_PATHS];
};

PRIVATE struct attachment *next_attachment(struct touchroute_connection *c,
                                           const struct attachment *previous);
PRIVATE struct attachment *attachment_with_handle(struct touchroute_connection *c,
                                                  uint32_t handle);
PRIVATE struct attachment *attachment_with_id(struct touchroute_connection *c, uint32_t id);
PRIVATE struct attachment *changeable_attachment(struct touchroute_connection *c,
                                                 uint32_t handle);
PRIVATE int is_in_force(const struct attachment *a);
PRIVATE const char *attachment_path(const struct touchroute_connection *c,
                                    const struct attachment *a);
PRIVATE const char *path_below(const struct touchroute_connection *c, const struct attachment *a,
                               const char *path, size_t *size);
PRIVATE int attachments_use(const struct touchroute_connection *c, uint32_t serial);
PRIVATE int pay_attachments(struct touchroute_connection *c);
PRIVATE void owe_attachments(struct touchroute_connection *c);
PRIVATE void take_detach_answer(struct touchroute_connection *c, uint32_t serial);
PRIVATE uint32_t take_attachment_error(struct touchroute_connection *c, uint32_t serial);
PRIVATE int handle_attached(struct touchroute_connection *c,
                            const struct touchroute_header *header, struct cursor cursor);
PRIVATE int handle_waiting(struct touchroute_connection *c,
                           const struct touchroute_header *header, struct cursor cursor);
PRIVATE int handle_detached(struct touchroute_connection *c,
                            const struct touchroute_header *header, struct cursor cursor);
PRIVATE int handle_holder(struct touchroute_connection *c,
                          const struct touchroute_header *header, struct cursor cursor);

/* ---- views.c ---- */

/* A change_views that has no answer yet. */
struct batch {
  uint32_t serial;
  uint32_t attachment; /* the program's number of it; 0: it has ended, which is to be told */
  int sent;
  int is_overtaken; /* sent before its attachment went back into the queue, and not answered yet */
  unsigned char *request; /* whole, but for the daemon's number */
  size_t size, kept_size; /* of it, and of what is kept of it until void ones are dropped */
};

struct views {
  size_t count;
  size_t bytes; /* of views that are kept, and of batches that will be */
  struct batch batches[TOUCHROUTE_CLIENT_BATCHES]; /* in their order */
};

PRIVATE int has_views(const struct touchroute_connection *c, const struct attachment *a);
PRIVATE const struct attachment *awaited(struct touchroute_connection *c,
                                         const struct attachment *a);
PRIVATE int views_use(const struct touchroute_connection *c, uint32_t serial);
PRIVATE void forget_views(struct touchroute_connection *c, struct attachment *a);
PRIVATE void owe_views(struct touchroute_connection *c, struct attachment *a, int is_lost);
PRIVATE void lose_ended_views(struct touchroute_connection *c);
PRIVATE void pay_views(struct touchroute_connection *c);
PRIVATE int take_views_answer(struct touchroute_connection *c, uint32_t *serial,
                              const char **error);
PRIVATE uint32_t take_unanswered_views(struct touchroute_connection *c);
PRIVATE void free_views(struct touchroute_connection *c);

/* ---- properties.c ---- */

PRIVATE const char *wrong_step(const struct touchroute_view_change *step);
PRIVATE size_t step_size(const struct touchroute_view_change *step);
PRIVATE unsigned char *write_step(const struct touchroute_view_change *from, unsigned char *to);

/* ---- gestures.c ---- */

enum recognizer_state {
  RECOGNIZER_FREE,
  RECOGNIZER_OWED, /* add_gesture could not be queued yet */
  RECOGNIZER_SENT,
  RECOGNIZER_ADDED, /* has the daemon's number */
  RECOGNIZER_OVER,  /* it has ended, and the program does not know yet */
};

/* A recognizer that the program has added: what is asked for, to be asked for again. */
struct recognizer {
  uint32_t handle;     /* the program's number: the serial of add_gesture */
  uint32_t id;         /* the daemon's, while added */
  uint32_t attachment; /* the program's number of it */
  enum recognizer_state state;
  uint32_t remove_serial; /* not 0: the program wants it gone */
  int remove_sent;
  int is_answered;   /* the program knows what has come of add_gesture */
  int is_asked;      /* it is over, and the daemon has yet to answer add_gesture */
  int is_silent;     /* likewise, and the answer is not for the program: it has had one */
  int is_overtaken;  /* its attachment waited again before add_gesture was answered */
  int is_orphan;     /* its view is removed by the steps at hand */
  uint32_t at, size; /* in requests: the request, whole */
};

struct recognizers {
  size_t count; /* those from here on are free */
  size_t owed;  /* those with something to send */
  size_t requests_used;
  struct recognizer list[TOUCHROUTE_CLIENT_RECOGNIZERS];
  _Alignas(8) unsigned char requests[TOUCHROUTE_CLIENT_DESCRIPTIONS];
};

/* A gesture that has begun, as it was told last. */
struct live_gesture {
  int live;
  uint32_t id; /* the daemon's number of the recognizer */
  struct touchroute_gesture last;
  char path[TOUCHROUTE_MAX_PATH + 1];
};

struct gestures {
  struct live_gesture live[TOUCHROUTE_CLIENT_GESTURES];
};

PRIVATE int recognizers_use(const struct touchroute_connection *c, uint32_t serial);
PRIVATE void pay_recognizers(struct touchroute_connection *c);
PRIVATE void owe_recognizers(struct touchroute_connection *c, uint32_t attachment);
PRIVATE void lose_recognizers(struct touchroute_connection *c);
PRIVATE void forget_recognizers(struct touchroute_connection *c, uint32_t attachment);
PRIVATE void mark_orphans(struct touchroute_connection *c, const struct attachment *a,
                          const char *path, size_t size, int is_removed);
PRIVATE void forget_orphans(struct touchroute_connection *c);
PRIVATE int take_recognizer_answer(struct touchroute_connection *c, uint32_t serial, uint32_t id,
                                   uint32_t error);
PRIVATE uint32_t take_unanswered_recognizer(struct touchroute_connection *c, uint32_t *opcode);
PRIVATE void cancel_gestures(struct touchroute_connection *c, uint32_t handle, uint8_t reason);
PRIVATE int handle_gesture(struct touchroute_connection *c,
                           const struct touchroute_header *header, struct cursor cursor);

/* ---- touches.c ---- */

/* A live touch of an attachment. What a search looks at is apart from the bulk of it. */
struct live_key {
  uint64_t touch;
  uint64_t heard; /* the number of the last message that told of it */
  uint32_t handle;
  uint32_t device;
  int live, began;
  int declined; /* live, but of no interest to the program any more */
};

struct live_value {
  struct touchroute_touch last;
  char path[TOUCHROUTE_MAX_PATH + 1];
};

struct touches {
  uint64_t message; /* counts those of touches */
  uint64_t last_sequence;
  size_t count; /* those from here on are not used */
  size_t next;  /* where to look first: behind the one found last, in a frame's order */
  struct live_key keys[TOUCHROUTE_CLIENT_TOUCHES];
  struct live_value values[TOUCHROUTE_CLIENT_TOUCHES];
};

PRIVATE void cancel_live(struct touchroute_connection *c, uint32_t handle, uint8_t reason);
PRIVATE int handle_touches(struct touchroute_connection *c,
                           const struct touchroute_header *header, struct cursor cursor);

/* ---- observing.c ---- */

struct observing {
  uint32_t serial; /* not 0: observing was asked for */
  int enable;      /* what was: enum touchroute_observing */
  int owed;
  int answered;   /* the program knows what has come of observe */
  uint32_t again; /* not 0: the one that is asked for again, and is not answered */
};

PRIVATE int observing_uses(const struct touchroute_connection *c, uint32_t serial);
PRIVATE int pay_observing(struct touchroute_connection *c);
PRIVATE void owe_observing(struct touchroute_connection *c);
PRIVATE int take_observe_answer(struct touchroute_connection *c, uint32_t serial, uint32_t error);
PRIVATE int handle_observed(struct touchroute_connection *c,
                            const struct touchroute_header *header, struct cursor cursor);
PRIVATE int handle_observed_gesture(struct touchroute_connection *c,
                                    const struct touchroute_header *header,
                                    struct cursor cursor);
PRIVATE int handle_observed_signal(struct touchroute_connection *c,
                                   const struct touchroute_header *header, struct cursor cursor);
PRIVATE int handle_observed_change(struct touchroute_connection *c,
                                   const struct touchroute_header *header, struct cursor cursor);

/* ---- messages.c: the answers that no part waits for ---- */

PRIVATE int handle_message(struct touchroute_connection *c,
                           const struct touchroute_header *header, struct cursor cursor);
PRIVATE void answer_done(struct touchroute_connection *c, uint32_t serial);

/* ---- link.c: the socket, and making it again ---- */

enum link_state {
  LINK_ENDED,   /* failure says why */
  LINK_WAITING, /* no socket; the timer says when to try again */
  LINK_GREETED, /* hello is sent or queued */
  LINK_WELCOME, /* and answered */
};

#define INPUT_SIZE (2u * TOUCHROUTE_MAX_MESSAGE)

struct link {
  uint32_t flags;
  enum link_state state;
  int failure;       /* negative errno once it has ended */
  int socket;        /* or -1 */
  int epoll;         /* with TOUCHROUTE_RECONNECT: watches socket and timer; otherwise -1 */
  int timer;         /* likewise */
  uint32_t interest; /* what epoll waits for on the socket */
  uint32_t delay_ms; /* before the next try; 0: at once */
  uint64_t connected_us;
  int useless; /* negative errno where connecting again would not help */
  char socket_path[sizeof(((struct sockaddr_un *)0)->sun_path)];
  char name[TOUCHROUTE_MAX_NAME + 1];
  char last_words[ERROR_SIZE]; /* what the daemon said last, before it ended the connection */
  size_t input_used;
  _Alignas(8) unsigned char input[INPUT_SIZE];
};

PRIVATE int open_link(struct touchroute_connection *c, const char *path, const char *name,
                      uint32_t flags);
PRIVATE void close_link(struct touchroute_connection *c);
PRIVATE int link_failure(const struct touchroute_connection *c);
PRIVATE int is_connected(const struct touchroute_connection *c);
PRIVATE int check_connected(struct touchroute_connection *c);
PRIVATE int is_welcome(const struct touchroute_connection *c);
PRIVATE void take_welcome(struct touchroute_connection *c);
PRIVATE void take_fatal_error(struct touchroute_connection *c, int useless, const char *text);
PRIVATE void take_closing(struct touchroute_connection *c, int useless, const char *text);
PRIVATE const char *socket_path(const struct touchroute_connection *c);
PRIVATE ssize_t send_bytes(struct touchroute_connection *c, const void *bytes, size_t size);
PRIVATE void update_interest(struct touchroute_connection *c);
PRIVATE void wait_for_link(const struct touchroute_connection *c, int timeout_ms);
PRIVATE int read_link(struct touchroute_connection *c);

/* ---- screens.c ---- */

PRIVATE int handle_screen_state(struct touchroute_connection *c,
                                const struct touchroute_header *header, struct cursor cursor);
PRIVATE int handle_idle(struct touchroute_connection *c, const struct touchroute_header *header,
                        struct cursor cursor);
PRIVATE int handle_feedback(struct touchroute_connection *c, const struct touchroute_header *header,
                            struct cursor cursor);
PRIVATE int handle_lock_state(struct touchroute_connection *c,
                              const struct touchroute_header *header, struct cursor cursor);
PRIVATE int handle_status_lock(struct touchroute_connection *c,
                               const struct touchroute_header *header, struct cursor cursor);
PRIVATE int handle_status_screen(struct touchroute_connection *c,
                                 const struct touchroute_header *header, struct cursor cursor);

/* ---- connection.c: the parts together ---- */

/* Whom to tell, and where touchroute_dispatch is. Every part tells the listener, by CALL. */
struct listening {
  struct touchroute_listener listener;
  void *data;
  int dispatching;
  int doomed; /* disconnected in a callback: freed when dispatch returns */
  int calls;  /* of the listener in this dispatch */
};

PRIVATE void pay_owed(struct touchroute_connection *c);
PRIVATE int finish_request(struct touchroute_connection *c, int result);
PRIVATE int is_doomed(const struct touchroute_connection *c);
PRIVATE void cancel_all(struct touchroute_connection *c, uint32_t handle, uint8_t reason);
PRIVATE void owe_everything(struct touchroute_connection *c);

struct touchroute_connection {
  struct listening listening;
  struct link link;
  struct requests requests;
  struct attachments attachments;
  struct recognizers recognizers;
  struct views views;
  struct touches touches;
  struct gestures gestures;
  struct observing observing;
  struct strings strings;
  union { /* what one callback is shown */
    struct touchroute_record touches[RECORDS];
    struct touchroute_screen_info screens[SCREENS];
    struct {
      struct touchroute_observed_record records[OBSERVED_RECORDS];
      struct touchroute_chain_link links[CHAIN_LINKS];
    } observed;
  } shown;
  char error[ERROR_SIZE];
};

#define CALL(connection, function, ...)                                                           \
  do {                                                                                            \
    struct listening *told = &(connection)->listening;                                            \
    if (told->listener.function && !told->doomed) {                                               \
      told->calls++;                                                                              \
      told->listener.function(told->data, (connection), __VA_ARGS__);                             \
    }                                                                                             \
  } while (0)

#endif

/* wire.c: takes a message apart, and checks each part against what is left of it; names of the
   wire's numbers. */

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

/* requests.c: the requests that wait for the socket, their serials, and the simple ones. */

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

/* attachments.c: the program's attachments, to make them again on the next daemon. */

static int has_id(const struct attachment *a) {
  return a->state == ATTACHMENT_HELD || a->state == ATTACHMENT_WAITING;
}

/* The attachment after that one. previous NULL: the first. NULL: there is no further one. */
PRIVATE struct attachment *next_attachment(struct touchroute_connection *c,
                                           const struct attachment *previous) {
  size_t i = previous ? (size_t)(previous - c->attachments.list) + 1 : 0;
  for (; i < c->attachments.count; i++)
    if (c->attachments.list[i].state != ATTACHMENT_FREE)
      return &c->attachments.list[i];
  return NULL;
}

PRIVATE struct attachment *attachment_with_handle(struct touchroute_connection *c,
                                                  uint32_t handle) {
  for (size_t i = 0; i < c->attachments.count; i++)
    if (c->attachments.list[i].state != ATTACHMENT_FREE && c->attachments.list[i].handle == handle)
      return &c->attachments.list[i];
  return NULL;
}

PRIVATE struct attachment *attachment_with_id(struct touchroute_connection *c, uint32_t id) {
  for (size_t i = 0; i < c->attachments.count; i++)
    if (has_id(&c->attachments.list[i]) && c->attachments.list[i].id == id)
      return &c->attachments.list[i];
  return NULL;
}

static struct attachment *attachment_with_detach(struct touchroute_connection *c,
                                                 uint32_t serial) {
  for (size_t i = 0; i < c->attachments.count; i++) {
    struct attachment *a = &c->attachments.list[i];
    if (a->state != ATTACHMENT_FREE && a->detach_serial == serial)
      return a;
  }
  return NULL;
}

/* The attachment, if requests about it are still possible. NULL: there is none, it is being
   detached, or the connection has ended; the error says which. */
PRIVATE struct attachment *changeable_attachment(struct touchroute_connection *c,
                                                 uint32_t handle) {
  if (link_failure(c))
    return NULL;
  struct attachment *a = attachment_with_handle(c, handle);
  if (a && !a->detach_serial)
    return a;
  fail(c, ENOENT, "there is no attachment %u, or it is being detached", (unsigned)handle);
  return NULL;
}

/* Whether an attachment is in force and not being detached. */
PRIVATE int is_in_force(const struct attachment *a) {
  return a->state == ATTACHMENT_HELD && !a->detach_serial;
}

/* An attachment's path, of path_size bytes, without a zero byte. */
PRIVATE const char *attachment_path(const struct touchroute_connection *c,
                                    const struct attachment *a) {
  return c->attachments.paths + a->path;
}

/* The rest of a path below the attachment's view, without the slash; NULL: it is not below it. */
PRIVATE const char *path_below(const struct touchroute_connection *c, const struct attachment *a,
                               const char *path, size_t *size) {
  const char *view = c->attachments.paths + a->path;
  const char *controller = memchr(view, '@', a->path_size);
  size_t view_size = controller ? (size_t)(controller - view) : a->path_size;
  if (*size <= view_size || path[view_size] != '/' || memcmp(path, view, view_size) != 0)
    return NULL;
  *size -= view_size + 1;
  return path + view_size + 1;
}

PRIVATE int attachments_use(const struct touchroute_connection *c, uint32_t serial) {
  for (size_t i = 0; i < c->attachments.count; i++) {
    const struct attachment *a = &c->attachments.list[i];
    if (a->state != ATTACHMENT_FREE && (a->handle == serial || a->detach_serial == serial))
      return 1;
  }
  return 0;
}

/* Queues the attach or detach that is owed. False: there is no room for it. */
static int pay_attachment(struct touchroute_connection *c, struct attachment *a) {
  if (a->state == ATTACHMENT_OWED && !awaited(c, a)) {
    struct touchroute_attach attach = {.serial = a->handle,
                                       .handles = (uint16_t)a->handles,
                                       .passes = (uint16_t)a->passes,
                                       .flags = a->flags,
                                       .path_size = a->path_size};
    if (queue(c, &attach, sizeof attach, TOUCHROUTE_ATTACH, attachment_path(c, a),
              a->path_size) < 0)
      return 0;
    a->state = ATTACHMENT_SENT;
    c->attachments.owed--;
  } else if (has_id(a) && a->detach_serial && !a->detach_sent) {
    struct touchroute_detach detach = {.serial = a->detach_serial, .attachment = a->id};
    if (queue(c, &detach, sizeof detach, TOUCHROUTE_DETACH, NULL, 0) < 0)
      return 0;
    a->detach_sent = 1;
    c->attachments.owed--;
  }
  return 1;
}

/* Queues every attach and detach that is owed. False: there is no room for all. */
PRIVATE int pay_attachments(struct touchroute_connection *c) {
  for (size_t i = 0; c->attachments.owed > 0 && i < c->attachments.count; i++)
    if (!pay_attachment(c, &c->attachments.list[i]))
      return 0;
  return 1;
}

static void forget_attachment(struct touchroute_connection *c, struct attachment *gone) {
  struct attachments *all = &c->attachments;
  forget_views(c, gone);
  forget_recognizers(c, gone->handle);
  if (gone->state == ATTACHMENT_OWED || (has_id(gone) && gone->detach_serial && !gone->detach_sent))
    all->owed--;
  all->paths_used -= gone->path_size;
  memmove(all->paths + gone->path, all->paths + gone->path + gone->path_size,
          all->paths_used - gone->path);
  for (size_t i = 0; i < all->count; i++)
    if (all->list[i].path > gone->path)
      all->list[i].path -= gone->path_size;
  memset(gone, 0, sizeof *gone);
  while (all->count > 0 && all->list[all->count - 1].state == ATTACHMENT_FREE)
    all->count--;
}

/* After a lost connection: every attachment is owed again, except those being detached. */
PRIVATE void owe_attachments(struct touchroute_connection *c) {
  c->attachments.owed = 0;
  for (size_t i = c->attachments.count; i-- > 0;) {
    struct attachment *a = &c->attachments.list[i];
    if (a->state == ATTACHMENT_FREE)
      continue;
    owe_views(c, a, 1);
    if (a->detach_serial) {
      a->detach_sent = 1; /* keeps forget_attachment from counting it */
      forget_attachment(c, a);
    } else {
      a->state = ATTACHMENT_OWED;
      c->attachments.owed++;
    }
  }
}

/* The serial of a detach that is not sent yet, or 0. */
static uint32_t unsent_detach(const struct attachment *a) {
  return a->detach_sent ? 0 : a->detach_serial;
}

/* Ends the attachment, if this done answers its detach. */
PRIVATE void take_detach_answer(struct touchroute_connection *c, uint32_t serial) {
  struct attachment *a = attachment_with_detach(c, serial);
  if (!a)
    return;
  cancel_all(c, a->handle, TOUCHROUTE_CANCEL_REQUESTED);
  forget_attachment(c, a);
}

/* Ends the attachment, if this error answers its attach or detach. Returns the serial of a detach
   that is not sent yet, or 0. */
PRIVATE uint32_t take_attachment_error(struct touchroute_connection *c, uint32_t serial) {
  struct attachment *a = attachment_with_detach(c, serial);
  if (!a)
    a = attachment_with_handle(c, serial);
  if (!a)
    return 0;
  uint32_t unsent = unsent_detach(a);
  cancel_all(c, a->handle, TOUCHROUTE_CANCEL_REQUESTED);
  forget_attachment(c, a);
  return unsent;
}

/*
 * Puts an attachment in a new state: the one whose attach is answered, with the daemon's number for
 * it, or with serial 0 the one of that number. NULL: there is none, or it is in that state already.
 */
static struct attachment *take_place(struct touchroute_connection *c, uint32_t serial, uint32_t id,
                                     enum attachment_state state) {
  struct attachment *a = serial ? attachment_with_handle(c, serial) : attachment_with_id(c, id);
  if (!a || a->state == state || (serial && a->state != ATTACHMENT_SENT))
    return NULL;
  if (serial && a->detach_serial)
    c->attachments.owed++;
  a->state = state;
  a->id = id;
  return a;
}

static uint32_t cancel_reason(uint32_t detach_reason) {
  switch (detach_reason) {
  case TOUCHROUTE_DETACH_REMOVED: return TOUCHROUTE_CANCEL_TARGET_REMOVED;
  case TOUCHROUTE_DETACH_TAKEN_OVER: return TOUCHROUTE_CANCEL_TAKEN_OVER;
  default: return TOUCHROUTE_CANCEL_REQUESTED;
  }
}

PRIVATE int handle_attached(struct touchroute_connection *c, const struct touchroute_header *header,
                            struct cursor cursor) {
  struct touchroute_attached attached;
  if (!take_struct(&cursor, &attached, sizeof attached))
    return malformed(c, header, too_short);
  if (header->opcode == TOUCHROUTE_LAYOUT) {
    struct attachment *a = attachment_with_id(c, attached.attachment);
    if (!a)
      return 0;
    attached.serial = 0;
    attached.attachment = a->handle;
    CALL(c, layout, &attached);
    return 0;
  }
  struct attachment *a = take_place(c, attached.serial, attached.attachment, ATTACHMENT_HELD);
  if (!a)
    return 0;
  attached.serial = attached.attachment = a->handle;
  CALL(c, attached, &attached);
  return 0;
}

PRIVATE int handle_waiting(struct touchroute_connection *c,
                           const struct touchroute_header *header, struct cursor cursor) {
  struct touchroute_waiting waiting;
  const char *text;
  if (!take_struct(&cursor, &waiting, sizeof waiting) ||
      !(text = take_text(c, &cursor, waiting.text_size)))
    return malformed(c, header, too_short);
  struct attachment *a = take_place(c, waiting.serial, waiting.attachment, ATTACHMENT_WAITING);
  if (!a)
    return 0;
  uint32_t handle = a->handle;
  cancel_all(c, handle, cancel_reason(waiting.reason));
  owe_recognizers(c, handle);
  owe_views(c, a, 0);
  CALL(c, waiting, handle, waiting.reason, text);
  return 0;
}

PRIVATE int handle_detached(struct touchroute_connection *c,
                            const struct touchroute_header *header, struct cursor cursor) {
  struct touchroute_detached detached;
  const char *text;
  if (!take_struct(&cursor, &detached, sizeof detached) ||
      !(text = take_text(c, &cursor, detached.text_size)))
    return malformed(c, header, too_short);
  struct attachment *a = attachment_with_id(c, detached.attachment);
  if (!a)
    return 0;
  uint32_t handle = a->handle, unsent = unsent_detach(a);
  cancel_all(c, handle, cancel_reason(detached.reason));
  forget_attachment(c, a);
  CALL(c, detached, handle, detached.reason, text);
  answer_done(c, unsent);
  return 0;
}

PRIVATE int handle_holder(struct touchroute_connection *c, const struct touchroute_header *header,
                          struct cursor cursor) {
  struct touchroute_holder holder;
  const char *path, *name;
  if (!take_struct(&cursor, &holder, sizeof holder) ||
      !(path = take_text(c, &cursor, holder.path_size)) ||
      !(name = take_text(c, &cursor, holder.name_size)))
    return malformed(c, header, too_short);
  const struct attachment *a = attachment_with_id(c, holder.attachment);
  if (!a)
    return 0;
  holder.attachment = a->handle;
  CALL(c, holder, &holder, path, name);
  return 0;
}

static struct attachment *free_attachment(struct touchroute_connection *c) {
  for (size_t i = 0; i < c->attachments.count; i++)
    if (c->attachments.list[i].state == ATTACHMENT_FREE)
      return &c->attachments.list[i];
  return c->attachments.count < TOUCHROUTE_CLIENT_ATTACHMENTS
             ? &c->attachments.list[c->attachments.count++]
             : NULL;
}

int touchroute_attach(struct touchroute_connection *c, const char *path, uint32_t handles,
                      uint32_t passes, uint32_t flags) {
  if (link_failure(c))
    return link_failure(c);
  size_t size = path ? strlen(path) : 0;
  if (size == 0)
    return fail(c, EINVAL, "attaching needs the path of a responder");
  int result = check_path(c, path, size);
  if (result < 0)
    return result;
  if (handles == 0 || (handles & ~(uint32_t)TOUCHROUTE_HANDLES_ALL) || (passes & ~handles))
    return fail(c, EINVAL,
                "attaching to %.256s: handles (%#x) has to name phases, and passes (%#x) only "
                "phases that it handles",
                path, (unsigned)handles, (unsigned)passes);
  struct attachments *all = &c->attachments;
  if (size > sizeof all->paths - all->paths_used)
    return fail(c, ENOSPC, "the paths of a connection's attachments can have %u bytes together",
                TOUCHROUTE_CLIENT_PATHS);
  uint32_t serial = take_serial(c);
  struct attachment *a = free_attachment(c);
  if (!a)
    return fail(c, ENOSPC, "a connection can have %u attachments", TOUCHROUTE_CLIENT_ATTACHMENTS);
  *a = (struct attachment){.handle = serial,
                           .state = ATTACHMENT_OWED,
                           .handles = handles,
                           .passes = passes,
                           .flags = flags,
                           .path = (uint32_t)all->paths_used,
                           .path_size = (uint32_t)size};
  memcpy(all->paths + all->paths_used, path, size);
  all->paths_used += size;
  all->owed++;
  pay_owed(c);
  return finish_request(c, (int)serial);
}

int touchroute_detach(struct touchroute_connection *c, uint32_t attachment) {
  struct attachment *a = changeable_attachment(c, attachment);
  if (!a)
    return link_failure(c) ? link_failure(c) : -ENOENT;
  if (a->state == ATTACHMENT_OWED) {
    forget_attachment(c, a);
    return 0;
  }
  a->detach_serial = take_serial(c);
  int serial = (int)a->detach_serial;
  if (has_id(a))
    c->attachments.owed++; /* otherwise when it has been attached */
  pay_owed(c);
  return finish_request(c, serial);
}

/* kept_views.c: the steps of change_views that the next daemon is asked for. A step that a later
   one makes void is dropped. */

/* A view that later steps add or remove, or a property of one that they set. */
struct later {
  const char *path;
  uint32_t path_size, property;
  int is_moved; /* of one that is added: it is where it is to be */
};

#define ADDED UINT32_MAX         /* in place of a property: the view itself */
#define REMOVED (UINT32_MAX - 1) /* and all that lies in it */

/* What the later steps do, in an open hash table. */
struct later_table {
  struct later *entries;
  size_t mask;
};

/* The kept step at an offset. Its path follows it. */
static struct touchroute_view_step *kept_step(const struct kept_views *views, size_t at) {
  return (struct touchroute_view_step *)(void *)(views->steps + at + 8);
}

static size_t kept_size(const struct kept_views *views, size_t at) {
  uint64_t size;
  memcpy(&size, views->steps + at, sizeof size);
  return (size_t)size;
}

static const char *kept_path(const struct kept_views *views, size_t at) {
  return (const char *)views->steps + at + 8 + sizeof(struct touchroute_view_step);
}

static size_t property_size(const unsigned char *at) {
  struct touchroute_property_value value;
  memcpy(&value, at, sizeof value);
  return sizeof value + value.value_count * sizeof(double) + padded(value.words_size) +
         (size_t)value.point_count * 2 * sizeof(double);
}

static size_t head_size(const struct touchroute_view_step *step) {
  return sizeof *step + padded(step->path_size) + padded(step->controller_size);
}

/* The size of a step in a request. */
PRIVATE size_t step_size_at(const unsigned char *at) {
  struct touchroute_view_step step;
  memcpy(&step, at, sizeof step);
  size_t size = head_size(&step);
  for (uint16_t i = 0; i < step.property_count; i++)
    size += property_size(at + size);
  return size;
}

/* Whether a path names a view or something in it: after the view's path comes nothing, / or @. */
PRIVATE int is_in(const char *path, size_t size, const char *view, size_t view_size) {
  return size >= view_size && memcmp(path, view, view_size) == 0 &&
         (size == view_size || path[view_size] == '/' || path[view_size] == '@');
}

/* Whether a kept step adds the view of that path, or a view around it. */
PRIVATE int adds_kept(const struct kept_views *views, const char *path, size_t size) {
  for (size_t at = 0; at < views->used; at += kept_size(views, at)) {
    const struct touchroute_view_step *step = kept_step(views, at);
    if (step->kind == TOUCHROUTE_STEP_ADD &&
        is_in(path, size, kept_path(views, at), step->path_size))
      return 1;
  }
  return 0;
}

/* Makes room for so many bytes of steps in all. False: there is no memory. */
PRIVATE int make_kept_room(struct kept_views *views, size_t size) {
  if (size <= views->capacity)
    return 1;
  unsigned char *steps = realloc(views->steps, size * 2);
  if (!steps)
    return 0;
  views->steps = steps;
  views->capacity = size * 2;
  return 1;
}

/*
 * Keeps a step that was done. is_there: whether the daemon has it still; otherwise it is owed.
 * make_kept_room has made room for it.
 */
PRIVATE void keep_step(struct kept_views *views, const unsigned char *step, size_t step_size,
                       int is_there) {
  uint64_t size = 8 + step_size;
  size_t at = is_there ? views->next : views->used;
  unsigned char *to = views->steps + at;
  memmove(to + size, to, views->used - at);
  memcpy(to, &size, sizeof size);
  memcpy(to + 8, step, step_size);
  views->used += (size_t)size;
  if (!is_there)
    return;
  views->next += (size_t)size;
  views->asked += (size_t)size;
}

static uint32_t hash_byte(uint32_t hash, char byte) {
  return (hash ^ (unsigned char)byte) * UINT32_C(16777619); /* FNV-1a */
}

static uint32_t hash_path(const char *path, size_t size) {
  uint32_t hash = UINT32_C(2166136261);
  for (size_t i = 0; i < size; i++)
    hash = hash_byte(hash, path[i]);
  return hash;
}

/* The entry, or the free place where it would be. */
static struct later *find_later(const struct later_table *table, uint32_t hash, const char *path,
                                size_t size, uint32_t property) {
  hash += property * UINT32_C(2654435761);
  for (size_t i = (hash ^ hash >> 15) & table->mask;; i = (i + 1) & table->mask) {
    struct later *entry = &table->entries[i];
    if (!entry->path || (entry->property == property && entry->path_size == size &&
                         memcmp(entry->path, path, size) == 0))
      return entry;
  }
}

static int is_later(const struct later_table *table, uint32_t hash, const char *path, size_t size,
                    uint32_t property) {
  return find_later(table, hash, path, size, property)->path != NULL;
}

static void add_later(const struct later_table *table, uint32_t hash, const char *path,
                      size_t size, uint32_t property) {
  *find_later(table, hash, path, size, property) =
      (struct later){.path = path, .path_size = (uint32_t)size, .property = property};
}

/* Whether later steps remove a view, or a view around it. */
static int is_void(const struct later_table *table, const char *path, size_t size) {
  uint32_t hash = hash_path(path, 0);
  for (size_t i = 0; i < size; i++) {
    if (path[i] == '/' && is_later(table, hash, path, i, REMOVED))
      return 1;
    hash = hash_byte(hash, path[i]);
  }
  return size > 0 && is_later(table, hash, path, size, REMOVED);
}

/*
 * Drops the properties of a change that later steps set or reset, and those before a configured of
 * its own. Returns the size of what is left.
 */
static size_t tidy_change(const struct later_table *table, struct touchroute_view_step *step,
                          const char *path) {
  uint32_t hash = hash_path(path, step->path_size);
  unsigned char *start = (unsigned char *)step + head_size(step), *from = start, *to = start;
  int ends_all = is_later(table, hash, path, step->path_size, TOUCHROUTE_PROPERTY_CONFIGURED);
  uint16_t left = 0;
  for (uint16_t i = 0; i < step->property_count; i++) {
    size_t size = property_size(from);
    struct touchroute_property_value value;
    memcpy(&value, from, sizeof value);
    if (value.property == TOUCHROUTE_PROPERTY_CONFIGURED) {
      to = start;
      left = 0;
      add_later(table, hash, path, step->path_size, TOUCHROUTE_PROPERTY_CONFIGURED);
    } else if (!ends_all && !is_later(table, hash, path, step->path_size, value.property)) {
      memmove(to, from, size);
      to += size;
      left++;
    }
    from += size;
  }
  step->property_count = left;
  for (from = start; left > 0; left--, from += property_size(from)) {
    struct touchroute_property_value value;
    memcpy(&value, from, sizeof value);
    add_later(table, hash, path, step->path_size, value.property);
  }
  return step->property_count > 0 ? (size_t)(to - (unsigned char *)step) : 0;
}

/* Drops of a step what later steps make void. Returns its size with the 8 bytes before it, or 0. */
static size_t tidy_step(const struct later_table *table, struct kept_views *views, size_t at) {
  struct touchroute_view_step *step = kept_step(views, at);
  const char *path = kept_path(views, at);
  uint32_t hash = hash_path(path, step->path_size);
  if (is_void(table, path, step->path_size))
    return 0;
  if (step->kind == TOUCHROUTE_STEP_REMOVE) {
    add_later(table, hash, path, step->path_size, REMOVED);
    return 0;
  }
  if (is_later(table, hash, path, step->path_size, ADDED))
    return 0; /* added once more: a reload has dropped it */
  if (step->kind == TOUCHROUTE_STEP_CHANGE) {
    size_t size = tidy_change(table, step, path);
    return size > 0 ? size + 8 : 0;
  }
  add_later(table, hash, path, step->path_size, ADDED);
  return kept_size(views, at);
}

/* The entry of the view that has to be added before a step: the superview of an added view, or the
   view that a change is about. NULL: no kept step adds it. */
static struct later *find_needed(const struct later_table *table, const struct kept_views *views,
                                 size_t at) {
  const struct touchroute_view_step *step = kept_step(views, at);
  const char *path = kept_path(views, at);
  size_t size = step->path_size;
  if (step->kind == TOUCHROUTE_STEP_ADD)
    while (size > 0 && path[--size] != '/') {
    }
  struct later *entry = find_later(table, hash_path(path, size), path, size, ADDED);
  return size > 0 && entry->path ? entry : NULL;
}

/*
 * Moves the remaining steps into other memory, in their order, except that a superview comes before
 * its subviews: a batch may add it after them. Returns the bytes used.
 */
static size_t move_steps(const struct later_table *table, const struct kept_views *views,
                         size_t (*places)[2], size_t count, unsigned char *to) {
  size_t left = 0, before;
  do {
    before = left;
    for (size_t i = 0; i < count; i++) {
      uint64_t size = places[i][1];
      const struct later *needed = size ? find_needed(table, views, places[i][0]) : NULL;
      if (size == 0 || (needed && !needed->is_moved))
        continue;
      const struct touchroute_view_step *step = kept_step(views, places[i][0]);
      const char *path = kept_path(views, places[i][0]);
      if (step->kind == TOUCHROUTE_STEP_ADD)
        find_later(table, hash_path(path, step->path_size), path, step->path_size, ADDED)
            ->is_moved = 1;
      memcpy(to + left, &size, sizeof size);
      memcpy(to + left + 8, step, (size_t)size - 8);
      left += (size_t)size;
      places[i][1] = 0;
    }
  } while (left > before);
  return left;
}

/* Allocates an array for the steps' offsets and sizes, and a table for what they do. */
static int measure_kept(const struct kept_views *views, size_t (**places)[2], size_t *count,
                        struct later_table *table) {
  size_t entries = 0;
  *count = 0;
  for (size_t at = 0; at < views->used; at += kept_size(views, at)) {
    entries += 1u + kept_step(views, at)->property_count;
    (*count)++;
  }
  size_t capacity = 16;
  while (capacity < entries * 2)
    capacity *= 2;
  *places = calloc(*count + 1, sizeof **places);
  table->entries = calloc(capacity, sizeof *table->entries);
  table->mask = capacity - 1;
  if (*places && table->entries)
    return 1;
  free(*places);
  free(table->entries);
  return 0;
}

/* Drops void steps. It does so only if the daemon has all of them, or none. */
PRIVATE void tidy_kept(struct kept_views *views) {
  size_t(*places)[2], count;
  struct later_table table;
  int has_all = views->next == views->used;
  if (views->used == 0 || (!has_all && views->asked > 0))
    return;
  unsigned char *steps = malloc(views->capacity);
  if (!steps || !measure_kept(views, &places, &count, &table)) {
    free(steps);
    return; /* without memory they stay, and are made again in their order */
  }
  count = 0;
  for (size_t at = 0; at < views->used; at += kept_size(views, at))
    places[count++][0] = at;
  for (size_t i = count; i-- > 0;)
    places[i][1] = tidy_step(&table, views, places[i][0]);
  size_t left = move_steps(&table, views, places, count, steps);
  free(places);
  free(table.entries);
  free(views->steps);
  views->steps = steps;
  views->used = views->tidied = left;
  views->next = views->asked = has_all ? left : 0;
}

/* The daemon has forgotten all views: all steps are owed again. */
PRIVATE void owe_kept(struct kept_views *views) {
  views->next = views->asked = views->most = 0;
  views->refused = 0;
  views->serial = 0;
  tidy_kept(views);
}

/* The next steps to ask for: as many as fit, or most, if a request was refused before. */
PRIVATE struct kept_page next_page(const struct kept_views *views, size_t room) {
  struct kept_page page = {.end = views->next};
  while (page.end < views->used && (views->most == 0 || page.count < views->most)) {
    size_t step = kept_size(views, page.end) - 8;
    if (page.size + step > room)
      break;
    page.size += step;
    page.end += step + 8;
    page.count++;
  }
  return page;
}

/* Writes the page into the request with that serial. */
PRIVATE void write_page(struct kept_views *views, struct kept_page page, uint32_t serial,
                        unsigned char *to) {
  for (size_t at = views->next; at < page.end; at += kept_size(views, at)) {
    memcpy(to, views->steps + at + 8, kept_size(views, at) - 8);
    to += kept_size(views, at) - 8;
  }
  views->asked = page.end;
  views->serial = serial;
}

/* Drops the refused step, which was asked for alone. If it adds a view, drops all in that, too. */
static void drop_refused(struct kept_views *views) {
  size_t first = views->next, left = first, path_size = kept_step(views, first)->path_size;
  int is_add = kept_step(views, first)->kind == TOUCHROUTE_STEP_ADD;
  char path[TOUCHROUTE_MAX_PATH];
  memcpy(path, kept_path(views, first), path_size);
  size_t size = kept_size(views, first);
  for (size_t at = first + size; at < views->used; at += size) {
    size = kept_size(views, at);
    if (is_add && is_in(kept_path(views, at), kept_step(views, at)->path_size, path, path_size))
      continue;
    memmove(views->steps + left, views->steps + at, size);
    left += size;
  }
  views->used = left;
}

/*
 * Takes the answer to a page. A refused page is asked for again in halves, until the bad step is
 * alone. Then this returns 1: the program hears of the error. After REFUSED of these, the rest is
 * given up. untried: how many steps that were, or -1.
 */
PRIVATE int take_page_answer(struct kept_views *views, int is_refused, long *untried) {
  size_t count = 0;
  for (size_t at = views->next; at < views->asked; at += kept_size(views, at))
    count++;
  *untried = -1;
  views->serial = 0;
  if (!is_refused) {
    views->next = views->asked;
    views->most *= 2; /* some day 0 again: no limit */
    return 0;
  }
  views->asked = views->next;
  views->most = count > 1 ? count / 2 : 1;
  if (count > 1)
    return 0;
  drop_refused(views);
  if (++views->refused < REFUSED)
    return 1;
  *untried = 0;
  for (size_t at = views->next; at < views->used; at += kept_size(views, at))
    ++*untried;
  views->used = views->next;
  return 1;
}

/* views.c: the views that the program has added, and its requests about them. */

/* Whether the daemon has all views of an attachment, with all changes since. */
PRIVATE int has_views(const struct touchroute_connection *c, const struct attachment *a) {
  if (!is_in_force(a) || a->views.next < a->views.used)
    return 0;
  for (size_t i = 0; i < c->views.count; i++)
    if (c->views.batches[i].attachment == a->handle && !c->views.batches[i].sent)
      return 0;
  return 1;
}

/* The attachment whose added view another one is attached to, while the daemon lacks that view. */
PRIVATE const struct attachment *awaited(struct touchroute_connection *c,
                                         const struct attachment *a) {
  for (struct attachment *b = NULL; (b = next_attachment(c, b));) {
    size_t size = a->path_size;
    const char *path;
    if (b == a || b->views.used == 0 ||
        (b->state == ATTACHMENT_HELD && b->views.next == b->views.used) ||
        !(path = path_below(c, b, attachment_path(c, a), &size)))
      continue;
    if (adds_kept(&b->views, path, size))
      return b;
  }
  return NULL;
}

PRIVATE int views_use(const struct touchroute_connection *c, uint32_t serial) {
  for (size_t i = 0; i < c->views.count; i++)
    if (c->views.batches[i].serial == serial)
      return 1;
  return 0;
}

static void forget_batch(struct touchroute_connection *c, size_t index) {
  c->views.bytes -= c->views.batches[index].kept_size;
  free(c->views.batches[index].request);
  c->views.count--;
  memmove(&c->views.batches[index], &c->views.batches[index + 1],
          (c->views.count - index) * sizeof *c->views.batches);
}

/* Forgets the views of an attachment that has ended, and its open requests. The daemon answers
   those that are sent, and the library the others. */
PRIVATE void forget_views(struct touchroute_connection *c, struct attachment *a) {
  c->views.bytes -= a->views.used;
  free(a->views.steps);
  a->views = (struct kept_views){0};
  for (size_t i = c->views.count; i-- > 0;) {
    struct batch *batch = &c->views.batches[i];
    if (batch->attachment != a->handle)
      continue;
    c->views.bytes -= batch->kept_size;
    free(batch->request);
    *batch = (struct batch){.serial = batch->serial, .sent = batch->sent};
    owe_answers(c, batch->sent ? 0 : 1);
  }
}

static void tidy_views(struct touchroute_connection *c, struct kept_views *views) {
  c->views.bytes -= views->used;
  tidy_kept(views);
  c->views.bytes += views->used;
}

/* The daemon has forgotten the views of an attachment. After a lost connection, open requests are
   sent again, too; otherwise those that are refused for it. */
PRIVATE void owe_views(struct touchroute_connection *c, struct attachment *a, int is_lost) {
  c->views.bytes -= a->views.used;
  owe_kept(&a->views);
  c->views.bytes += a->views.used;
  for (size_t i = 0; i < c->views.count; i++) {
    struct batch *batch = &c->views.batches[i];
    if (batch->attachment != a->handle)
      continue;
    batch->is_overtaken = batch->sent && !is_lost;
    if (is_lost)
      batch->sent = 0;
  }
}

/* After a lost connection: the library answers the open requests of ended attachments. */
PRIVATE void lose_ended_views(struct touchroute_connection *c) {
  for (size_t i = 0; i < c->views.count; i++) {
    struct batch *batch = &c->views.batches[i];
    owe_answers(c, batch->attachment == 0 && batch->sent);
    batch->sent = 0; /* others are sent again */
  }
}

/* Asks for the next page of kept steps, once the one before is answered. Returns whether the daemon
   has them all. */
static int pay_kept(struct touchroute_connection *c, struct attachment *a) {
  struct kept_views *views = &a->views;
  if (views->next == views->used)
    return 1;
  if (views->serial)
    return 0;
  struct touchroute_change_views request = {.serial = take_own_serial(c), .attachment = a->id};
  struct kept_page page = next_page(views, TOUCHROUTE_MAX_CHANGE_VIEWS - sizeof request);
  request.step_count = page.count;
  unsigned char *rest;
  if (queue_open(c, &request, sizeof request, TOUCHROUTE_CHANGE_VIEWS, page.size, &rest) == 0)
    write_page(views, page, request.serial, rest);
  return 0;
}

/* Queues the kept views of attachments in force, then the open requests. */
PRIVATE void pay_views(struct touchroute_connection *c) {
  int has_all = 1;
  if (c->views.bytes == 0)
    return;
  for (struct attachment *a = NULL; (a = next_attachment(c, a));)
    if (is_in_force(a))
      has_all &= pay_kept(c, a);
  for (size_t i = 0; has_all && i < c->views.count; i++) {
    struct batch *batch = &c->views.batches[i];
    const struct attachment *a = batch->sent ? NULL : attachment_with_handle(c, batch->attachment);
    if (!a || !is_in_force(a))
      continue;
    struct touchroute_change_views request;
    memcpy(&request, batch->request, sizeof request);
    request.attachment = a->id;
    if (queue(c, &request, sizeof request, TOUCHROUTE_CHANGE_VIEWS,
              (const char *)batch->request + sizeof request, batch->size - sizeof request) < 0)
      return;
    batch->sent = 1;
  }
}

/* Keeps the steps of a request that is done: first those that add and remove, then the changes. */
static void keep_steps(struct touchroute_connection *c, struct attachment *a,
                       const struct batch *batch) {
  const unsigned char *end = batch->request + batch->size;
  for (int changes = 0; changes <= 1; changes++) {
    const unsigned char *at = batch->request + sizeof(struct touchroute_change_views);
    for (size_t size; at < end; at += size) {
      struct touchroute_view_step step;
      memcpy(&step, at, sizeof step);
      size = step_size_at(at);
      if ((step.kind == TOUCHROUTE_STEP_CHANGE) != changes)
        continue;
      if (!changes)
        mark_orphans(c, a, (const char *)at + sizeof step, step.path_size,
                     step.kind == TOUCHROUTE_STEP_REMOVE);
      c->views.bytes -= a->views.used;
      keep_step(&a->views, at, size, a->state == ATTACHMENT_HELD);
      c->views.bytes += a->views.used;
    }
  }
  if (a->views.used > 2 * a->views.tidied + TOUCHROUTE_MAX_CHANGE_VIEWS)
    tidy_views(c, &a->views);
}

/* Takes the answer to a page of kept steps. Returns the error to tell the program, or NULL. */
static const char *take_kept_answer(struct touchroute_connection *c, struct kept_views *views,
                                    const char *error) {
  long untried;
  c->views.bytes -= views->used;
  int is_told = take_page_answer(views, error != NULL, &untried);
  c->views.bytes += views->used;
  if (!is_told || untried <= 0)
    return is_told ? error : NULL;
  return write_text(c, "%s; %u were refused, and %ld more are not tried", error, REFUSED, untried);
}

/* Does what take_views_answer does, for a page of kept steps. */
static int is_kept_answer(struct touchroute_connection *c, uint32_t *serial, const char **error) {
  if (!is_own_serial(*serial))
    return 0;
  const char *told = NULL; /* nothing, where the attachment has ended or waits since */
  for (struct attachment *a = NULL; (a = next_attachment(c, a));)
    if (a->views.serial == *serial)
      told = take_kept_answer(c, &a->views, *error);
  *error = told;
  *serial = 0;
  return 1;
}

/*
 * Takes the answer to change_views, if it is that, and keeps the steps that are in force. error:
 * the daemon's text, or NULL for done. Returns whether to tell the program, with that serial and
 * error.
 */
PRIVATE int take_views_answer(struct touchroute_connection *c, uint32_t *serial,
                              const char **error) {
  if (is_kept_answer(c, serial, error))
    return *error != NULL;
  for (size_t i = 0; i < c->views.count; i++) {
    struct batch batch = c->views.batches[i];
    if (!batch.sent || batch.serial != *serial)
      continue;
    struct attachment *a = attachment_with_handle(c, batch.attachment);
    if (*error && batch.is_overtaken) { /* asked again, behind the views that it may be about */
      c->views.batches[i].sent = c->views.batches[i].is_overtaken = 0;
      return 0;
    }
    c->views.batches[i].request = NULL;
    forget_batch(c, i);
    if (a && !*error)
      keep_steps(c, a, &batch);
    forget_orphans(c);
    free(batch.request);
    return 1;
  }
  return 1;
}

/* Forgets a change_views that the daemon will not answer. Returns its serial, or 0. */
PRIVATE uint32_t take_unanswered_views(struct touchroute_connection *c) {
  for (size_t i = 0; i < c->views.count; i++) {
    uint32_t serial = c->views.batches[i].serial;
    if (c->views.batches[i].attachment != 0 || c->views.batches[i].sent)
      continue;
    forget_batch(c, i);
    return serial;
  }
  return 0;
}

PRIVATE void free_views(struct touchroute_connection *c) {
  for (struct attachment *a = NULL; (a = next_attachment(c, a));)
    free(a->views.steps);
  for (size_t i = 0; i < c->views.count; i++)
    free(c->views.batches[i].request);
}

/* Checks the steps, and measures the request. Returns 0 or a failure. */
static int measure_steps(struct touchroute_connection *c,
                         const struct touchroute_view_change *steps, uint32_t count,
                         struct batch *batch) {
  batch->size = sizeof(struct touchroute_change_views);
  for (uint32_t i = 0; i < count; i++) {
    const char *wrong = wrong_step(&steps[i]);
    if (wrong)
      return fail(c, EINVAL, "step %u of %u, of \"%.256s\": %s", (unsigned)i + 1, (unsigned)count,
                  steps[i].path ? steps[i].path : "", wrong);
    batch->size += step_size(&steps[i]);
    if (batch->size > TOUCHROUTE_MAX_CHANGE_VIEWS)
      return fail(c, EMSGSIZE,
                  "%u of %u steps fit into a request of %u bytes: ask for fewer at once",
                  (unsigned)i, (unsigned)count, TOUCHROUTE_MAX_CHANGE_VIEWS);
  }
  batch->kept_size = batch->size - sizeof(struct touchroute_change_views) + 8u * count;
  return 0;
}

/* Checks that the steps can be kept, and drops void ones for that. Removing is always possible. */
static int check_kept(struct touchroute_connection *c, const struct touchroute_view_change *steps,
                      uint32_t count, const struct batch *batch) {
  int only_removes = 1;
  for (uint32_t i = 0; i < count; i++)
    only_removes &= steps[i].kind == TOUCHROUTE_STEP_REMOVE;
  if (only_removes || c->views.bytes + batch->kept_size <= TOUCHROUTE_CLIENT_VIEWS)
    return 0;
  for (struct attachment *a = NULL; (a = next_attachment(c, a));)
    tidy_views(c, &a->views);
  if (c->views.bytes + batch->kept_size <= TOUCHROUTE_CLIENT_VIEWS)
    return 0;
  return fail(c, ENOSPC, "the views that a connection has added can have %u bytes together",
              TOUCHROUTE_CLIENT_VIEWS);
}

/* Allocates the request, and room to keep its steps and those of earlier requests. */
static int make_room(struct touchroute_connection *c, struct attachment *a, struct batch *batch) {
  size_t needed = a->views.used + batch->kept_size;
  for (size_t i = 0; i < c->views.count; i++)
    if (c->views.batches[i].attachment == a->handle)
      needed += c->views.batches[i].kept_size;
  if (make_kept_room(&a->views, needed) && (batch->request = calloc(1, batch->size)))
    return 0;
  return fail(c, ENOMEM, "no memory for the views of a connection");
}

int touchroute_change_views(struct touchroute_connection *c, uint32_t attachment,
                            const struct touchroute_view_change *steps, uint32_t count) {
  struct attachment *a = changeable_attachment(c, attachment);
  if (!a)
    return link_failure(c) ? link_failure(c) : -ENOENT;
  if (count == 0)
    return fail(c, EINVAL, "there is nothing to change");
  if (c->views.count == TOUCHROUTE_CLIENT_BATCHES)
    return fail(c, EAGAIN, "%u change_views wait for their answers", TOUCHROUTE_CLIENT_BATCHES);
  struct batch batch = {.attachment = attachment};
  int result = measure_steps(c, steps, count, &batch);
  if (result == 0)
    result = check_kept(c, steps, count, &batch);
  if (result == 0)
    result = make_room(c, a, &batch);
  if (result < 0)
    return result;
  batch.serial = take_serial(c);
  struct touchroute_change_views request = {.serial = batch.serial, .step_count = count};
  memcpy(batch.request, &request, sizeof request);
  unsigned char *to = batch.request + sizeof request;
  for (uint32_t i = 0; i < count; i++)
    to = write_step(&steps[i], to);
  c->views.bytes += batch.kept_size;
  c->views.batches[c->views.count++] = batch;
  pay_owed(c);
  return finish_request(c, (int)batch.serial);
}

/* properties.c: properties of views, checked and written. It keeps nothing. */

/* The kinds of values. */
enum form {
  FORM_UNKNOWN,
  FORM_NUMBERS,
  FORM_WHOLE, /* a whole number */
  FORM_SHAPE,
  FORM_INSIDE,
  FORM_HIT,
  FORM_TEXT, /* its words, of so many characters at most */
  FORM_NAME, /* the same of letters, digits, _, . and - */
  FORM_NOTHING,
};

/* What the value of a property is. */
struct property_form {
  enum form form;
  int value_count;
  int32_t least, most;
  const char *wrong; /* what a value has to be */
};

/* By its number. scripts/properties writes these lines. */
static const struct property_form property_forms[] = {
    [TOUCHROUTE_PROPERTY_HIDDEN] = {FORM_WHOLE, 1, 0, 1,
        "its value has to be 0 or 1"},
    [TOUCHROUTE_PROPERTY_ALPHA] = {FORM_NUMBERS, 1, 0, 0, NULL},
    [TOUCHROUTE_PROPERTY_INTERACTION] = {FORM_WHOLE, 1, 0, 1,
        "its value has to be 0 or 1"},
    [TOUCHROUTE_PROPERTY_FRAME] = {FORM_NUMBERS, 4, 0, 0, NULL},
    [TOUCHROUTE_PROPERTY_BOUNDS_ORIGIN] = {FORM_NUMBERS, 2, 0, 0, NULL},
    [TOUCHROUTE_PROPERTY_TRANSFORM] = {FORM_NUMBERS, 6, 0, 0, NULL},
    [TOUCHROUTE_PROPERTY_ORDER] = {FORM_WHOLE, 1, 0, 2147483647,
        "its value has to be a whole number from 0 to 2147483647"},
    [TOUCHROUTE_PROPERTY_CONFIGURED] = {FORM_NOTHING, 0, 0, 0, NULL},
    [TOUCHROUTE_PROPERTY_OUTSET] = {FORM_NUMBERS, 4, 0, 0, NULL},
    [TOUCHROUTE_PROPERTY_SHAPE] = {FORM_SHAPE, 2, 0, 0, NULL},
    [TOUCHROUTE_PROPERTY_INSIDE] = {FORM_INSIDE, 1, 0, 0, NULL},
    [TOUCHROUTE_PROPERTY_HIT] = {FORM_HIT, 1, 0, 0, NULL},
    [TOUCHROUTE_PROPERTY_SECURE] = {FORM_WHOLE, 1, 0, 1,
        "its value has to be 0 or 1"},
    [TOUCHROUTE_PROPERTY_EXCLUSIVE_TOUCH] = {FORM_WHOLE, 1, 0, 1,
        "its value has to be 0 or 1"},
    [TOUCHROUTE_PROPERTY_MULTIPLE_TOUCH] = {FORM_WHOLE, 1, 0, 1,
        "its value has to be 0 or 1"},
    [TOUCHROUTE_PROPERTY_LEVEL] = {FORM_WHOLE, 1, -1000000, 1000000,
        "its value has to be a whole number from -1000000 to 1000000"},
    [TOUCHROUTE_PROPERTY_ENABLED] = {FORM_WHOLE, 1, 0, 1,
        "its value has to be 0 or 1"},
    [TOUCHROUTE_PROPERTY_LABEL] = {FORM_TEXT, 0, 0, 80,
        "its words have to be a text of at most 80 characters, without control characters"},
    [TOUCHROUTE_PROPERTY_FEEDBACK] = {FORM_NAME, 0, 0, 40,
        "its words have to be a name of at most 40 letters, digits, _, . and -"},
};

/* Never NULL. */
static const struct property_form *form_of(uint32_t property) {
  size_t count = sizeof property_forms / sizeof *property_forms;
  return &property_forms[property < count ? property : 0];
}

static int is_property(uint32_t property) { return form_of(property)->form != FORM_UNKNOWN; }

static int value_count(uint32_t property) { return form_of(property)->value_count; }

static int is_whole(double value, int32_t least, int32_t most) {
  return value >= least && value <= most && value == (double)(int32_t)value;
}

static int are_finite(const double *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!(values[i] - values[i] == 0)) /* not of infinities, and not of what is no number */
      return 0;
  return 1;
}

/* What is wrong with a property's numbers whatever view it is of; NULL where nothing is. */
static const char *wrong_values(uint32_t property, const double *values) {
  if (!are_finite(values, (size_t)value_count(property)))
    return "its values have to be finite numbers";
  const struct property_form *form = form_of(property);
  switch (form->form) {
  case FORM_WHOLE: return is_whole(values[0], form->least, form->most) ? NULL : form->wrong;
  case FORM_SHAPE:
    if (!is_whole(values[0], TOUCHROUTE_SHAPE_RECT, TOUCHROUTE_SHAPE_POLYGON))
      return "its first value has to be one of enum touchroute_shape";
    return values[0] == TOUCHROUTE_SHAPE_ROUNDED || values[1] == 0
               ? NULL
               : "a radius is for TOUCHROUTE_SHAPE_ROUNDED alone";
  case FORM_INSIDE:
    return is_whole(values[0], TOUCHROUTE_INSIDE_BOUNDS, TOUCHROUTE_INSIDE_CHILDREN)
               ? NULL
               : "its value has to be one of enum touchroute_inside";
  case FORM_HIT:
    return is_whole(values[0], TOUCHROUTE_HIT_DEFAULT, TOUCHROUTE_HIT_FIRST)
               ? NULL
               : "its value has to be one of enum touchroute_hit";
  default: return NULL;
  }
}

static size_t words_size(const struct touchroute_property_change *change) {
  return change->words ? strlen(change->words) : 0;
}

/* Whether a text is for people, and has at most so many characters. The daemon knows more of the
   characters of control and format. */
static int is_text(const char *text, int32_t most) {
  int32_t count = 0;
  for (const unsigned char *byte = (const unsigned char *)text; *byte; byte++) {
    if (*byte < ' ' || *byte == 0x7f)
      return 0;
    count += (*byte & 0xc0) != 0x80; /* the first of a character */
    if (count > most)
      return 0;
  }
  return 1;
}

/* Whether a name is made as those of paths are, and has at most so many characters. */
static int is_name(const char *name, int32_t most) {
  static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";
  size_t size = strspn(name, allowed);
  return name[size] == '\0' && size <= (size_t)most;
}

/* What is wrong with the words and points of a change; NULL where nothing is. */
static const char *wrong_parts(const struct touchroute_property_change *change) {
  int rule = (int)change->values[0];
  enum form form = form_of(change->property)->form;
  int needs_words =
      form == FORM_HIT && (rule == TOUCHROUTE_HIT_REDIRECT || rule == TOUCHROUTE_HIT_FIRST);
  int may_have_words = needs_words || form == FORM_TEXT || form == FORM_NAME ||
                       (form == FORM_INSIDE && rule == TOUCHROUTE_INSIDE_CHILDREN);
  if (needs_words && words_size(change) == 0)
    return "its words have to be the path of a descendant";
  if (!may_have_words && words_size(change) > 0)
    return "it has no words";
  const struct property_form *text = form_of(change->property);
  if (form == FORM_TEXT && change->words && !is_text(change->words, text->most))
    return text->wrong;
  if (form == FORM_NAME && change->words && !is_name(change->words, text->most))
    return text->wrong;
  int is_polygon = form == FORM_SHAPE && rule == TOUCHROUTE_SHAPE_POLYGON;
  if (!is_polygon)
    return change->point_count == 0 ? NULL : "it has no points";
  if (change->point_count < 3 || !change->points)
    return "a polygon has at least 3 points";
  if (change->point_count > TOUCHROUTE_MAX_REQUEST / 16)
    return NULL; /* too many for a request, which is said of them all */
  return are_finite(change->points, (size_t)change->point_count * 2)
             ? NULL
             : "its points have to be finite numbers";
}

/* The bytes of a change in a request. */
static size_t change_size(const struct touchroute_property_change *change) {
  return sizeof(struct touchroute_change) + padded(strlen(change->path)) +
         padded(words_size(change)) + (size_t)change->point_count * 2 * sizeof(double);
}

/* The bytes that the changes take in a request, or a failure. */
static long measure_changes(struct touchroute_connection *c,
                            const struct touchroute_property_change *changes, uint32_t count) {
  size_t total = 0;
  for (uint32_t i = 0; i < count; i++) {
    const char *path = changes[i].path;
    size_t size = path ? strlen(path) : 0;
    if (size == 0)
      return fail(c, EINVAL, "change %u of %u has no path: set needs that of a view or window",
                  (unsigned)i + 1, (unsigned)count);
    int result = check_path(c, path, size);
    if (result < 0)
      return result;
    if (!is_property(changes[i].property))
      return fail(c, EINVAL, "setting %.256s: there is no property %u", path,
                  (unsigned)changes[i].property);
    const char *wrong = wrong_values(changes[i].property, changes[i].values);
    if (!wrong)
      wrong = wrong_parts(&changes[i]);
    if (wrong)
      return fail(c, EINVAL, "setting %.256s: property %u: %s", path,
                  (unsigned)changes[i].property, wrong);
    total += change_size(&changes[i]);
    if (total > request_limit(c) - sizeof(struct touchroute_set))
      return fail(c, EMSGSIZE,
                  "%u of %u changes fit into a request of %u bytes, the daemon's limit: set fewer "
                  "at once",
                  (unsigned)i, (unsigned)count, (unsigned)request_limit(c));
  }
  return (long)total;
}

/* Writes a change that was measured; what is between its parts is zero. */
static void write_change(const struct touchroute_property_change *from, unsigned char *to) {
  struct touchroute_change change = {.property = (uint16_t)from->property,
                                     .point_count = (uint16_t)from->point_count,
                                     .path_size = (uint16_t)strlen(from->path),
                                     .words_size = (uint16_t)words_size(from)};
  memcpy(change.values, from->values,
         (size_t)value_count(change.property) * sizeof *change.values);
  memcpy(to, &change, sizeof change);
  to += sizeof change;
  memcpy(to, from->path, change.path_size);
  to += padded(change.path_size);
  if (change.words_size > 0)
    memcpy(to, from->words, change.words_size);
  to += padded(change.words_size);
  if (change.point_count > 0)
    memcpy(to, from->points, change.point_count * 2 * sizeof(double));
}

int touchroute_set(struct touchroute_connection *c,
                   const struct touchroute_property_change *changes, uint32_t count) {
  int result = check_connected(c);
  if (result < 0)
    return result;
  if (count == 0)
    return fail(c, EINVAL, "there is nothing to set");
  long size = measure_changes(c, changes, count);
  if (size < 0)
    return (int)size;
  struct touchroute_set set = {.serial = take_serial(c), .change_count = count};
  unsigned char *rest;
  result = queue_open(c, &set, sizeof set, TOUCHROUTE_SET, (size_t)size, &rest);
  for (uint32_t i = 0; result == 0 && i < count; i++) {
    write_change(&changes[i], rest);
    rest += change_size(&changes[i]);
  }
  return finish_request(c, result < 0 ? result : (int)set.serial);
}

/* What is wrong with a step whatever the daemon knows of it; NULL where nothing is. */
PRIVATE const char *wrong_step(const struct touchroute_view_change *step) {
  size_t size = step->path ? strlen(step->path) : 0;
  int is_add = step->kind == TOUCHROUTE_STEP_ADD, has_frame = 0;
  if (step->kind < TOUCHROUTE_STEP_ADD || step->kind > TOUCHROUTE_STEP_CHANGE)
    return "there is no such kind of step";
  if (size > TOUCHROUTE_MAX_PATH || (size == 0 && step->kind != TOUCHROUTE_STEP_CHANGE))
    return "it needs a path, of 3072 bytes at most";
  if (step->controller && (!is_add || strlen(step->controller) > TOUCHROUTE_MAX_NAME))
    return "a controller is for one that is added, with a name of 255 bytes at most";
  if (step->kind == TOUCHROUTE_STEP_REMOVE)
    return step->property_count == 0 ? NULL : "one that is removed has no properties";
  if (step->property_count > UINT16_MAX || (step->property_count == 0 && !is_add))
    return "it needs a property, and not more than 65535";
  for (uint32_t i = 0; i < step->property_count; i++) {
    const struct touchroute_property_change *property = &step->properties[i];
    if (!is_property(property->property))
      return "there is no such property";
    const char *wrong = wrong_values(property->property, property->values);
    if (!wrong)
      wrong = wrong_parts(property);
    if (wrong)
      return wrong;
    if (property->point_count > UINT16_MAX || words_size(property) > UINT16_MAX)
      return "its words or points are too many for a request";
    has_frame |= property->property == TOUCHROUTE_PROPERTY_FRAME;
  }
  return is_add && !has_frame ? "one that is added needs a frame" : NULL;
}

static size_t value_size(const struct touchroute_property_change *property) {
  return sizeof(struct touchroute_property_value) +
         (size_t)value_count(property->property) * sizeof(double) + padded(words_size(property)) +
         (size_t)property->point_count * 2 * sizeof(double);
}

/* The bytes of a step in a request. */
PRIVATE size_t step_size(const struct touchroute_view_change *step) {
  size_t size = sizeof(struct touchroute_view_step) +
                padded(step->path ? strlen(step->path) : 0) +
                padded(step->controller ? strlen(step->controller) : 0);
  for (uint32_t i = 0; i < step->property_count; i++)
    size += value_size(&step->properties[i]);
  return size;
}

static unsigned char *write_value(const struct touchroute_property_change *from,
                                  unsigned char *to) {
  struct touchroute_property_value value = {.property = (uint16_t)from->property,
                                            .point_count = (uint16_t)from->point_count,
                                            .words_size = (uint16_t)words_size(from),
                                            .value_count = (uint16_t)value_count(from->property)};
  memcpy(to, &value, sizeof value);
  to += sizeof value;
  memcpy(to, from->values, value.value_count * sizeof(double));
  to += value.value_count * sizeof(double);
  if (value.words_size > 0)
    memcpy(to, from->words, value.words_size);
  to += padded(value.words_size);
  if (value.point_count > 0)
    memcpy(to, from->points, value.point_count * 2 * sizeof(double));
  return to + value.point_count * 2 * sizeof(double);
}

PRIVATE unsigned char *write_step(const struct touchroute_view_change *from, unsigned char *to) {
  const char *path = from->path ? from->path : "";
  const char *controller = from->controller ? from->controller : "";
  struct touchroute_view_step step = {.kind = (uint16_t)from->kind,
                                      .property_count = (uint16_t)from->property_count,
                                      .path_size = (uint16_t)strlen(path),
                                      .controller_size = (uint16_t)strlen(controller)};
  memcpy(to, &step, sizeof step);
  to += sizeof step;
  memcpy(to, path, step.path_size);
  to += padded(step.path_size);
  memcpy(to, controller, step.controller_size);
  to += padded(step.controller_size);
  for (uint32_t i = 0; i < from->property_count; i++)
    to = write_value(&from->properties[i], to);
  return to;
}

/* gestures.c: the recognizers that the program has added, to add them again on the next daemon; and
   gestures in progress. */

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

/* touches.c: live touches, so that each record names its target, and a lost connection cancels
   them. */

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

/* observing.c: whether the program observes, to ask the next daemon for it; and what it sees. */

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

/* screens.c: screens that go dark, what nobody touches, and what is hit. Nothing of it is asked
   again. */

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

/* messages.c: which part takes which message, and the answers that no part waits for. */

static int handle_welcome(struct touchroute_connection *c, const struct touchroute_header *header,
                          struct cursor cursor) {
  struct touchroute_welcome welcome;
  if (!take_struct(&cursor, &welcome, sizeof welcome) ||
      welcome.screen_count > cursor.left / sizeof(struct touchroute_screen))
    return malformed(c, header, too_short);
  for (uint32_t i = 0; i < welcome.screen_count; i++) {
    struct touchroute_screen_info *info = &c->shown.screens[i];
    if (!take_struct(&cursor, &info->screen, sizeof info->screen) ||
        !(info->name = take_text(c, &cursor, info->screen.name_size)))
      return malformed(c, header, too_short);
  }
  if (welcome.version == 0 || welcome.version > TOUCHROUTE_VERSION)
    return malformed(c, header, "it names a version that was not offered");
  if (welcome.max_request < sizeof(struct touchroute_attach))
    return malformed(c, header, "its limit of a request's size is too small for any");
  limit_requests(c, welcome.max_request);
  take_welcome(c);
  CALL(c, welcome, &welcome, c->shown.screens);
  return 0;
}

/* Tells the program done, for a request that the daemon will not answer. serial 0: nothing. */
PRIVATE void answer_done(struct touchroute_connection *c, uint32_t serial) {
  struct touchroute_done done = {.serial = serial};
  if (serial)
    CALL(c, done, &done, "");
}

static int handle_done(struct touchroute_connection *c, const struct touchroute_header *header,
                       struct cursor cursor) {
  struct touchroute_done done;
  const char *text;
  if (!take_struct(&cursor, &done, sizeof done) ||
      !(text = take_text(c, &cursor, done.text_size)))
    return malformed(c, header, too_short);
  if (done.serial)
    take_detach_answer(c, done.serial);
  const char *error = NULL;
  if (!done.serial || (take_recognizer_answer(c, done.serial, done.total, 0) &&
                       take_observe_answer(c, done.serial, 0) &&
                       take_views_answer(c, &done.serial, &error)))
    CALL(c, done, &done, text);
  return 0;
}

static int handle_error(struct touchroute_connection *c, const struct touchroute_header *header,
                        struct cursor cursor) {
  struct touchroute_error error;
  const char *text;
  if (!take_struct(&cursor, &error, sizeof error) ||
      !(text = take_text(c, &cursor, error.text_size)))
    return malformed(c, header, too_short);
  uint32_t unsent = 0;
  if (error.serial) {
    unsent = take_attachment_error(c, error.serial);
    if (!take_recognizer_answer(c, error.serial, 0, error.code) ||
        !take_observe_answer(c, error.serial, error.code) ||
        !take_views_answer(c, &error.serial, &text))
      return 0;
    error.text_size = (uint32_t)strlen(text);
  }
  if (error.code == TOUCHROUTE_ERROR_PROTOCOL)
    take_fatal_error(c, -EPROTO, text);
  if (error.code == TOUCHROUTE_ERROR_VERSION)
    take_fatal_error(c, -EPROTONOSUPPORT, text);
  CALL(c, error, &error, text);
  answer_done(c, unsent);
  return 0;
}

static int handle_view(struct touchroute_connection *c, const struct touchroute_header *header,
                       struct cursor cursor) {
  struct touchroute_view view;
  const char *path, *controller;
  if (!take_struct(&cursor, &view, sizeof view) ||
      !(path = take_text(c, &cursor, view.path_size)) ||
      !(controller = take_text(c, &cursor, view.controller_size)))
    return malformed(c, header, too_short);
  CALL(c, view, &view, path, controller);
  return 0;
}

static int handle_view_details(struct touchroute_connection *c,
                               const struct touchroute_header *header, struct cursor cursor) {
  struct touchroute_view_details details;
  const char *application;
  if (!take_struct(&cursor, &details, sizeof details) ||
      !(application = take_text(c, &cursor, details.application_size)))
    return malformed(c, header, too_short);
  CALL(c, view_details, &details, application);
  return 0;
}

static int handle_view_property(struct touchroute_connection *c,
                                const struct touchroute_header *header, struct cursor cursor) {
  struct touchroute_view_property item;
  struct touchroute_property_change property = {0};
  const double *values;
  if (!take_struct(&cursor, &item, sizeof item) ||
      !(values = take_array(&cursor, item.value.value_count, sizeof *values)) ||
      !(property.words = take_text(c, &cursor, item.value.words_size)) ||
      !(property.points = take_array(&cursor, item.value.point_count, 2 * sizeof(double))))
    return malformed(c, header, too_short);
  size_t known = sizeof property.values / sizeof *property.values;
  if (item.value.value_count > known)
    return 0; /* of a newer daemon */
  memcpy(property.values, values, item.value.value_count * sizeof *values);
  property.property = item.value.property;
  property.point_count = item.value.point_count;
  if (property.point_count == 0)
    property.points = NULL;
  CALL(c, view_property, &item, &property);
  return 0;
}

static int handle_described_gesture(struct touchroute_connection *c,
                                    const struct touchroute_header *header, struct cursor cursor) {
  struct touchroute_described_gesture gesture;
  const char *path, *to, *after, *simultaneous;
  if (!take_struct(&cursor, &gesture, sizeof gesture) ||
      !(path = take_text(c, &cursor, gesture.path_size)) ||
      !(to = take_text(c, &cursor, gesture.to_size)) ||
      !(after = take_text(c, &cursor, gesture.after_size)) ||
      !(simultaneous = take_text(c, &cursor, gesture.simultaneous_size)))
    return malformed(c, header, too_short);
  CALL(c, described_gesture, &gesture, path, to, after, simultaneous);
  return 0;
}

static int handle_pong(struct touchroute_connection *c, const struct touchroute_header *header,
                       struct cursor cursor) {
  struct touchroute_pong pong;
  if (!take_struct(&cursor, &pong, sizeof pong))
    return malformed(c, header, too_short);
  CALL(c, pong, pong.serial);
  return 0;
}

static int handle_closing(struct touchroute_connection *c, const struct touchroute_header *header,
                          struct cursor cursor) {
  struct touchroute_closing closing;
  const char *text;
  if (!take_struct(&cursor, &closing, sizeof closing) ||
      !(text = take_text(c, &cursor, closing.text_size)))
    return malformed(c, header, too_short);
  /* What it says follows "touchrouted ... ended the connection: ". */
  take_closing(c, closing.reason == TOUCHROUTE_CLOSE_PROTOCOL ? -EPROTO : 0,
               closing.reason == TOUCHROUTE_CLOSE_STOPPING ? "it is stopping" : text);
  CALL(c, closing, closing.reason, text);
  return 0;
}

static int handle_status_daemon(struct touchroute_connection *c,
                                const struct touchroute_header *header, struct cursor cursor) {
  struct touchroute_status_daemon status;
  const void *counters, *latencies;
  const char *version, *configuration;
  if (!take_struct(&cursor, &status, sizeof status) ||
      !(counters = take_array(&cursor, status.counter_count, sizeof(uint64_t))) ||
      !(latencies = take_array(&cursor, status.latency_count, sizeof(uint64_t))) ||
      !(version = take_text(c, &cursor, status.version_size)) ||
      !(configuration = take_text(c, &cursor, status.configuration_size)))
    return malformed(c, header, too_short);
  CALL(c, status_daemon, &status, counters, latencies, version, configuration);
  return 0;
}

static int handle_status_client(struct touchroute_connection *c,
                                const struct touchroute_header *header, struct cursor cursor) {
  struct touchroute_status_client status;
  const char *name;
  if (!take_struct(&cursor, &status, sizeof status) ||
      !(name = take_text(c, &cursor, status.name_size)))
    return malformed(c, header, too_short);
  CALL(c, status_client, &status, name);
  return 0;
}

static int handle_status_attachment(struct touchroute_connection *c,
                                    const struct touchroute_header *header,
                                    struct cursor cursor) {
  struct touchroute_status_attachment status;
  const char *path;
  if (!take_struct(&cursor, &status, sizeof status) ||
      !(path = take_text(c, &cursor, status.path_size)))
    return malformed(c, header, too_short);
  if (header->opcode == TOUCHROUTE_STATUS_WAITING)
    CALL(c, status_waiting, &status, path);
  else if (header->opcode == TOUCHROUTE_STATUS_INHIBITOR)
    CALL(c, status_inhibitor, &status, path);
  else
    CALL(c, status_attachment, &status, path);
  return 0;
}

static int handle_status_device(struct touchroute_connection *c,
                                const struct touchroute_header *header, struct cursor cursor) {
  struct touchroute_status_device status;
  const char *name, *node, *phys;
  if (!take_struct(&cursor, &status, sizeof status) ||
      !(name = take_text(c, &cursor, status.name_size)) ||
      !(node = take_text(c, &cursor, status.node_size)) ||
      !(phys = take_text(c, &cursor, status.phys_size)))
    return malformed(c, header, too_short);
  CALL(c, status_device, &status, name, node, phys);
  return 0;
}

static int handle_status_signal(struct touchroute_connection *c,
                                const struct touchroute_header *header, struct cursor cursor) {
  struct touchroute_status_signal status;
  const char *text;
  if (!take_struct(&cursor, &status, sizeof status) ||
      !(text = take_text(c, &cursor, status.text_size)))
    return malformed(c, header, too_short);
  CALL(c, status_signal, &status, text);
  return 0;
}

PRIVATE int handle_message(struct touchroute_connection *c,
                           const struct touchroute_header *header, struct cursor cursor) {
  clear_texts(c);
  if (!is_welcome(c) && header->opcode != TOUCHROUTE_WELCOME &&
      header->opcode != TOUCHROUTE_ERROR && header->opcode != TOUCHROUTE_CLOSING)
    return malformed(c, header, "it came before welcome");
  switch (header->opcode) {
  case TOUCHROUTE_WELCOME: return handle_welcome(c, header, cursor);
  case TOUCHROUTE_ATTACHED: return handle_attached(c, header, cursor);
  case TOUCHROUTE_WAITING: return handle_waiting(c, header, cursor);
  case TOUCHROUTE_DONE: return handle_done(c, header, cursor);
  case TOUCHROUTE_ERROR: return handle_error(c, header, cursor);
  case TOUCHROUTE_VIEW: return handle_view(c, header, cursor);
  case TOUCHROUTE_DESCRIBED_GESTURE: return handle_described_gesture(c, header, cursor);
  case TOUCHROUTE_VIEW_DETAILS: return handle_view_details(c, header, cursor);
  case TOUCHROUTE_VIEW_PROPERTY: return handle_view_property(c, header, cursor);
  case TOUCHROUTE_PONG: return handle_pong(c, header, cursor);
  case TOUCHROUTE_TOUCHES: return handle_touches(c, header, cursor);
  case TOUCHROUTE_LAYOUT: return handle_attached(c, header, cursor);
  case TOUCHROUTE_DETACHED: return handle_detached(c, header, cursor);
  case TOUCHROUTE_CLOSING: return handle_closing(c, header, cursor);
  case TOUCHROUTE_HOLDER: return handle_holder(c, header, cursor);
  case TOUCHROUTE_GESTURE: return handle_gesture(c, header, cursor);
  case TOUCHROUTE_STATUS_DAEMON: return handle_status_daemon(c, header, cursor);
  case TOUCHROUTE_STATUS_CLIENT: return handle_status_client(c, header, cursor);
  case TOUCHROUTE_SCREEN_STATE: return handle_screen_state(c, header, cursor);
  case TOUCHROUTE_IDLE: return handle_idle(c, header, cursor);
  case TOUCHROUTE_LOCK_STATE: return handle_lock_state(c, header, cursor);
  case TOUCHROUTE_FEEDBACK: return handle_feedback(c, header, cursor);
  case TOUCHROUTE_STATUS_LOCK: return handle_status_lock(c, header, cursor);
  case TOUCHROUTE_STATUS_SCREEN: return handle_status_screen(c, header, cursor);
  case TOUCHROUTE_STATUS_INHIBITOR:
  case TOUCHROUTE_STATUS_ATTACHMENT:
  case TOUCHROUTE_STATUS_WAITING: return handle_status_attachment(c, header, cursor);
  case TOUCHROUTE_STATUS_DEVICE: return handle_status_device(c, header, cursor);
  case TOUCHROUTE_STATUS_SIGNAL: return handle_status_signal(c, header, cursor);
  case TOUCHROUTE_OBSERVED: return handle_observed(c, header, cursor);
  case TOUCHROUTE_OBSERVED_GESTURE: return handle_observed_gesture(c, header, cursor);
  case TOUCHROUTE_OBSERVED_SIGNAL: return handle_observed_signal(c, header, cursor);
  case TOUCHROUTE_OBSERVED_CHANGE: return handle_observed_change(c, header, cursor);
  default: return 0; /* of a newer daemon */
  }
}

/* link.c: the socket, what was read from it, and connecting again. */

#define FIRST_DELAY_MS 100u
/* The first pause if too many connections wait for touchrouted. */
#define FULL_DELAY_MS 1u
/* How long to wait in that case without TOUCHROUTE_RECONNECT. */
#define FULL_WAIT_S 1
#define LAST_DELAY_MS 5000u

PRIVATE int link_failure(const struct touchroute_connection *c) { return c->link.failure; }

/* Whether hello is sent or queued. */
PRIVATE int is_connected(const struct touchroute_connection *c) {
  return c->link.state == LINK_GREETED || c->link.state == LINK_WELCOME;
}

/* 0 if a request can be queued now, else a failure. */
PRIVATE int check_connected(struct touchroute_connection *c) {
  if (c->link.failure)
    return c->link.failure;
  if (c->link.state == LINK_WAITING)
    return fail(c, ENOTCONN, "there is no connection to %s at the moment", c->link.socket_path);
  return 0;
}

PRIVATE int is_welcome(const struct touchroute_connection *c) {
  return c->link.state == LINK_WELCOME;
}

PRIVATE void take_welcome(struct touchroute_connection *c) { c->link.state = LINK_WELCOME; }

/* The daemon says why connecting again would not help. */
PRIVATE void take_fatal_error(struct touchroute_connection *c, int useless, const char *text) {
  c->link.useless = useless;
  snprintf(c->link.last_words, sizeof c->link.last_words, "%.*s",
           (int)sizeof c->link.last_words - 1, text);
}

/* The daemon says why it ends the connection. An earlier error says it better. */
PRIVATE void take_closing(struct touchroute_connection *c, int useless, const char *text) {
  if (!c->link.useless)
    c->link.useless = useless;
  if (!c->link.last_words[0])
    take_fatal_error(c, c->link.useless, text);
}

PRIVATE const char *socket_path(const struct touchroute_connection *c) {
  return c->link.socket_path;
}

/*
 * Sends what the socket takes. -1: it takes nothing now, or there is none. If the daemon is gone,
 * all counts as sent: the next read finds that out, after the daemon's last messages.
 */
PRIVATE ssize_t send_bytes(struct touchroute_connection *c, const void *bytes, size_t size) {
  while (c->link.socket >= 0) {
    ssize_t sent = send(c->link.socket, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0 || errno == EAGAIN)
      return sent;
    if (errno != EINTR)
      return (ssize_t)size;
  }
  return -1;
}

/* Has epoll wait for room in the socket too, while requests wait. */
PRIVATE void update_interest(struct touchroute_connection *c) {
  if (c->link.epoll < 0 || c->link.socket < 0)
    return;
  uint32_t wanted = EPOLLIN | (waiting_bytes(c) > 0 ? EPOLLOUT : 0u);
  if (wanted == c->link.interest)
    return;
  struct epoll_event event = {.events = wanted};
  if (epoll_ctl(c->link.epoll, EPOLL_CTL_MOD, c->link.socket, &event) == 0)
    c->link.interest = wanted;
}

static int set_timer(struct touchroute_connection *c, uint32_t milliseconds) {
  struct itimerspec when = {.it_value = {.tv_sec = milliseconds / 1000,
                                         .tv_nsec = (long)(milliseconds % 1000) * 1000000}};
  return timerfd_settime(c->link.timer, 0, &when, NULL);
}

static void wait_before_retry(struct touchroute_connection *c, int error) {
  c->link.state = LINK_WAITING;
  if (c->link.delay_ms == 0)
    c->link.delay_ms = error == -EAGAIN ? FULL_DELAY_MS : FIRST_DELAY_MS;
  set_timer(c, c->link.delay_ms);
  c->link.delay_ms = c->link.delay_ms > LAST_DELAY_MS / 2 ? LAST_DELAY_MS : c->link.delay_ms * 2;
}

static int queue_hello(struct touchroute_connection *c) {
  struct touchroute_hello hello = {.serial = take_serial(c),
                                   .magic = TOUCHROUTE_MAGIC,
                                   .version = TOUCHROUTE_VERSION,
                                   .name_size = (uint32_t)strlen(c->link.name)};
  return queue(c, &hello, sizeof hello, TOUCHROUTE_HELLO, c->link.name, hello.name_size);
}

static void name_user(uid_t uid, char *name, size_t size) {
  char buffer[4096];
  struct passwd entry, *found = NULL;
  if (getpwuid_r(uid, &entry, buffer, sizeof buffer, &found) == 0 && found)
    snprintf(name, size, "%s", found->pw_name);
  else
    snprintf(name, size, "%u", (unsigned)uid);
}

static void name_group(gid_t gid, char *name, size_t size) {
  char buffer[4096];
  struct group entry, *found = NULL;
  if (getgrgid_r(gid, &entry, buffer, sizeof buffer, &found) == 0 && found)
    snprintf(name, size, "%s", found->gr_name);
  else
    snprintf(name, size, "%u", (unsigned)gid);
}

/* Says who may open the socket, and how this program's user gets that right. */
static int explain_refusal(struct touchroute_connection *c, int error) {
  char user[64], owner[64], group[64];
  struct stat status;
  name_user(geteuid(), user, sizeof user);
  if (stat(c->link.socket_path, &status) < 0)
    return fail(c, error, "user %s may not open %s: the user may not search its folder", user,
                c->link.socket_path);
  name_user(status.st_uid, owner, sizeof owner);
  name_group(status.st_gid, group, sizeof group);
  if (!(status.st_mode & S_IWGRP) || status.st_gid == 0)
    return fail(c, error, "user %s may not open %s: only user %s may, as with sudo", user,
                c->link.socket_path, owner);
  return fail(c, error,
              "user %s may not open %s: it is for the group %s. Join it (sudo usermod -aG %s %s), "
              "then log in or start the service anew",
              user, c->link.socket_path, group, group, user);
}

static int explain_connect(struct touchroute_connection *c, int error) {
  const char *path = c->link.socket_path;
  switch (error) {
  case ENOENT: return fail(c, error, "there is no socket at %s: is touchrouted running?", path);
  case ECONNREFUSED:
    return fail(c, error, "no program listens at %s: is touchrouted running?", path);
  case EACCES: return explain_refusal(c, error);
  case EAGAIN:
    return fail(c, error, "touchrouted at %s has too many connections that wait for it", path);
  default: return fail(c, error, "connecting to touchrouted at %s: %s", path, strerror(error));
  }
}

/* Connects a socket and makes it non-blocking. 0, or -1 with errno set. */
static int connect_socket(const struct touchroute_connection *c, int descriptor) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  memcpy(address.sun_path, c->link.socket_path, sizeof address.sun_path);
  struct timeval most = {.tv_sec = FULL_WAIT_S};
  if (!(c->link.flags & TOUCHROUTE_RECONNECT)) {
    if (setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most) < 0 ||
        connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0)
      return -1;
    return fcntl(descriptor, F_SETFL, O_NONBLOCK);
  }
  if (fcntl(descriptor, F_SETFL, O_NONBLOCK) < 0)
    return -1;
  return connect(descriptor, (struct sockaddr *)&address, sizeof address);
}

/* Opens the socket and queues hello and what is owed. */
static int open_socket(struct touchroute_connection *c) {
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0)
    return explain_connect(c, errno);
  struct epoll_event event = {.events = EPOLLIN};
  if (connect_socket(c, descriptor) < 0 ||
      (c->link.epoll >= 0 && epoll_ctl(c->link.epoll, EPOLL_CTL_ADD, descriptor, &event) < 0)) {
    int error = errno;
    close(descriptor);
    return explain_connect(c, error);
  }
  c->link.socket = descriptor;
  c->link.interest = event.events;
  c->link.state = LINK_GREETED;
  c->link.connected_us = now_us();
  c->link.input_used = 0;
  c->link.useless = 0;
  c->link.last_words[0] = 0;
  clear_requests(c);
  queue_hello(c);
  pay_owed(c);
  flush_output(c);
  return 0;
}

/*
 * Tries at once: if a service manager holds the socket, the next daemon finds the connection there.
 * Later tries wait, until a connection has lasted for LAST_DELAY_MS.
 */
static void connect_again(struct touchroute_connection *c) {
  int error = c->link.delay_ms == 0 ? open_socket(c) : -ECONNRESET;
  if (error < 0)
    wait_before_retry(c, error);
  else
    c->link.delay_ms = FIRST_DELAY_MS;
}

/* The connection has ended, and c->error says why. Tells the program, then connects again. */
static int lose(struct touchroute_connection *c, int failure) {
  int again = (c->link.flags & TOUCHROUTE_RECONNECT) && !c->link.useless;
  c->link.failure = again ? 0 : c->link.useless ? c->link.useless : failure;
  c->link.state = again ? LINK_WAITING : LINK_ENDED;
  c->link.input_used = 0;
  clear_requests(c);
  if (c->link.epoll >= 0) {
    /* a forked child may hold it open */
    epoll_ctl(c->link.epoll, EPOLL_CTL_DEL, c->link.socket, NULL);
    close(c->link.socket);
    c->link.socket = -1;
  }
  cancel_all(c, 0, TOUCHROUTE_CANCEL_CONNECTION_LOST);
  if (again) {
    owe_everything(c);
    if (now_us() - c->link.connected_us >= LAST_DELAY_MS * UINT64_C(1000))
      c->link.delay_ms = 0;
  }
  char text[ERROR_SIZE];
  memcpy(text, c->error, sizeof text);
  CALL(c, lost, text);
  if (again && !is_doomed(c))
    connect_again(c);
  memcpy(c->error, text, sizeof text);
  return c->link.failure;
}

static int lose_at_end(struct touchroute_connection *c, int error) {
  if (c->link.last_words[0])
    fail(c, ECONNRESET, "touchrouted at %s ended the connection: %.400s", c->link.socket_path,
         c->link.last_words);
  else if (error && error != ECONNRESET) /* which only says that it had not read everything */
    fail(c, ECONNRESET, "the connection to touchrouted at %s broke: %s", c->link.socket_path,
         strerror(error));
  else
    fail(c, ECONNRESET, "touchrouted at %s ended the connection%s", c->link.socket_path,
         c->link.input_used ? " in the middle of a message" : "");
  return lose(c, -ECONNRESET);
}

/* Handles every whole message of the input, and keeps the rest. */
static int handle_input(struct touchroute_connection *c) {
  size_t start = 0;
  while (c->link.input_used - start >= sizeof(struct touchroute_header) && !is_doomed(c)) {
    struct touchroute_header header;
    memcpy(&header, c->link.input + start, sizeof header);
    if (header.size < sizeof header || header.size % 8 != 0 ||
        header.size > TOUCHROUTE_MAX_MESSAGE) {
      int failure = malformed(c, &header, "no message has such a size");
      return lose(c, failure);
    }
    if (header.size > c->link.input_used - start)
      break;
    struct cursor cursor = {.at = c->link.input + start, .left = header.size};
    int failure = handle_message(c, &header, cursor);
    if (failure < 0)
      return lose(c, failure);
    start += header.size;
  }
  c->link.input_used -= start;
  if (c->link.input_used > 0)
    memmove(c->link.input, c->link.input + start, c->link.input_used);
  return 0;
}

static int read_socket(struct touchroute_connection *c) {
  struct link *link = &c->link;
  ssize_t count =
      recv(link->socket, link->input + link->input_used, sizeof link->input - link->input_used, 0);
  if (count > 0) {
    link->input_used += (size_t)count;
    return handle_input(c);
  }
  if (count < 0 && (errno == EAGAIN || errno == EINTR))
    return 0;
  return lose_at_end(c, count < 0 ? errno : 0);
}

static void retry(struct touchroute_connection *c) {
  uint64_t expirations;
  int error;
  if (read(c->link.timer, &expirations, sizeof expirations) == (ssize_t)sizeof expirations &&
      (error = open_socket(c)) < 0)
    wait_before_retry(c, error);
}

/* Reads once; or connects again, if it is time. Returns a failure if the connection has ended. */
PRIVATE int read_link(struct touchroute_connection *c) {
  if (c->link.state != LINK_WAITING)
    return read_socket(c);
  retry(c);
  return 0;
}

/*
 * Waits for the socket or the timer itself. With the epoll that programs poll, the kernel would
 * wake a second queue for each message.
 */
PRIVATE void wait_for_link(const struct touchroute_connection *c, int timeout_ms) {
  struct pollfd ready = {.fd = c->link.timer, .events = POLLIN};
  if (c->link.state != LINK_WAITING)
    ready = (struct pollfd){.fd = c->link.socket,
                            .events = waiting_bytes(c) > 0 ? POLLIN | POLLOUT : POLLIN};
  poll(&ready, 1, timeout_ms);
}

int touchroute_get_fd(const struct touchroute_connection *c) {
  return c->link.epoll >= 0 ? c->link.epoll : c->link.socket;
}

short touchroute_get_events(const struct touchroute_connection *c) {
  return c->link.epoll < 0 && waiting_bytes(c) > 0 ? POLLIN | POLLOUT : POLLIN;
}

/* Copies as much of a name as hello has room for, without half a letter at the end. */
static void copy_name(char to[TOUCHROUTE_MAX_NAME + 1], const char *name) {
  size_t size = strnlen(name, TOUCHROUTE_MAX_NAME + 1);
  if (size > TOUCHROUTE_MAX_NAME) {
    size = TOUCHROUTE_MAX_NAME;
    while (size > 0 && ((unsigned char)name[size] & 0xc0) == 0x80)
      size--;
  }
  memcpy(to, name, size);
  to[size] = 0;
}

/* Sets the socket's path and the program's name. NULL: by the environment, and the file's name. */
static int name_link(struct touchroute_connection *c, const char *path, const char *name) {
  if (!path)
    path = getenv(TOUCHROUTE_SOCKET_VARIABLE);
  if (!path || !path[0])
    path = TOUCHROUTE_SOCKET_PATH;
  if (strlen(path) >= sizeof c->link.socket_path)
    return fail(c, ENAMETOOLONG, "the path of a socket can have %zu bytes at most: %.300s",
                sizeof c->link.socket_path - 1, path);
  memcpy(c->link.socket_path, path, strlen(path));
  if (!name || !name[0])
    name = program_invocation_short_name;
  copy_name(c->link.name, name && name[0] ? name : "unnamed");
  return 0;
}

/* Connects; with TOUCHROUTE_RECONNECT it is no failure if no daemon runs yet. */
PRIVATE int open_link(struct touchroute_connection *c, const char *path, const char *name,
                      uint32_t flags) {
  struct link *link = &c->link;
  link->flags = flags;
  link->socket = link->epoll = link->timer = -1;
  int result = name_link(c, path, name);
  if (result < 0 || !(flags & TOUCHROUTE_RECONNECT))
    return result < 0 ? result : open_socket(c);
  struct epoll_event event = {.events = EPOLLIN};
  if ((link->epoll = epoll_create1(EPOLL_CLOEXEC)) < 0 ||
      (link->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)) < 0 ||
      epoll_ctl(link->epoll, EPOLL_CTL_ADD, link->timer, &event) < 0)
    return fail(c, errno, "preparing to connect to %s: %s", link->socket_path, strerror(errno));
  result = open_socket(c);
  if (result == -ENOENT || result == -ECONNREFUSED || result == -EAGAIN) {
    wait_before_retry(c, result);
    return 0;
  }
  return result;
}

PRIVATE void close_link(struct touchroute_connection *c) {
  if (c->link.socket >= 0)
    close(c->link.socket);
  if (c->link.timer >= 0)
    close(c->link.timer);
  if (c->link.epoll >= 0)
    close(c->link.epoll);
}

/* connection.c: the parts together: connecting, dispatching, disconnecting. */

static _Thread_local char connect_error[ERROR_SIZE];

/* Queues requests that a full buffer or a missing connection kept back. The rest stays owed. */
PRIVATE void pay_owed(struct touchroute_connection *c) {
  if (!is_connected(c) || !pay_observing(c) || !pay_attachments(c))
    return;
  pay_views(c);
  pay_recognizers(c);
}

/* Queues and sends what is owed, as long as the daemon reads: sending makes room for more. Nothing
   else would wake a program that waits for the daemon. */
static void send_owed(struct touchroute_connection *c) {
  size_t queued;
  do {
    pay_owed(c);
    queued = waiting_bytes(c);
  } while (flush_output(c) == 0 && queued > 0);
}

/* Sends a request at once. In a callback it does not: dispatch sends all of them together. */
PRIVATE int finish_request(struct touchroute_connection *c, int result) {
  if (result >= 0 && !c->listening.dispatching)
    flush_output(c);
  return result;
}

PRIVATE int is_doomed(const struct touchroute_connection *c) { return c->listening.doomed; }

/* Cancels the touches and gestures of an attachment, or all (handle 0). */
PRIVATE void cancel_all(struct touchroute_connection *c, uint32_t handle, uint8_t reason) {
  cancel_live(c, handle, reason);
  cancel_gestures(c, handle, reason);
}

/* The daemon's end of the connection is gone. What the program asked for is owed to the next. */
PRIVATE void owe_everything(struct touchroute_connection *c) {
  lose_ended_views(c);
  lose_recognizers(c);
  owe_observing(c);
  owe_attachments(c);
}

int touchroute_dispatch(struct touchroute_connection *c, int timeout_ms) {
  if (c->listening.dispatching)
    return fail(c, EBUSY, "touchroute_dispatch may not be called in a callback");
  if (link_failure(c))
    return link_failure(c);
  c->listening.dispatching = 1;
  c->listening.calls = 0;
  answer_rest(c);
  send_owed(c);
  if (timeout_ms != 0 && c->listening.calls == 0)
    wait_for_link(c, timeout_ms);
  int result = read_link(c);
  if (result >= 0)
    answer_rest(c);
  c->listening.dispatching = 0;
  if (c->listening.doomed) {
    touchroute_disconnect(c);
    return -ECANCELED;
  }
  send_owed(c);
  return result < 0 ? result : c->listening.calls;
}

int touchroute_flush(struct touchroute_connection *c) {
  if (link_failure(c))
    return link_failure(c);
  send_owed(c);
  if (waiting_bytes(c) > 0)
    return fail(c, EAGAIN, "%zu bytes of requests wait for touchrouted, which does not read them",
                waiting_bytes(c));
  return 0;
}

const char *touchroute_error_text(const struct touchroute_connection *c) {
  return c ? c->error : connect_error;
}

static int take_listener(struct touchroute_connection *c,
                         const struct touchroute_listener *listener, void *data) {
  size_t known = sizeof c->listening.listener;
  if (!listener || listener->size < sizeof listener->size)
    return fail(c, EINVAL, "listener.size has to be sizeof(struct touchroute_listener)");
  memcpy(&c->listening.listener, listener, listener->size < known ? listener->size : known);
  c->listening.data = data;
  return 0;
}

struct touchroute_connection *touchroute_connect(const char *path, const char *name,
                                                 uint32_t flags,
                                                 const struct touchroute_listener *listener,
                                                 void *data) {
  struct touchroute_connection *c = calloc(1, sizeof *c);
  if (!c) {
    snprintf(connect_error, sizeof connect_error, "no memory for a connection to touchrouted");
    errno = ENOMEM;
    return NULL;
  }
  int result = take_listener(c, listener, data);
  if (result == 0 && (result = open_link(c, path, name, flags)) < 0)
    close_link(c);
  if (result < 0) {
    memcpy(connect_error, c->error, sizeof connect_error);
    free(c);
    errno = -result;
    return NULL;
  }
  connect_error[0] = 0;
  return c;
}

void touchroute_disconnect(struct touchroute_connection *c) {
  if (!c)
    return;
  if (c->listening.dispatching) {
    c->listening.doomed = 1;
    return;
  }
  close_link(c);
  free_views(c);
  free(c);
}
