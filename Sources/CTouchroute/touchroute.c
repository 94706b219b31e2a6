/*
 * touchroute.c: the client of touchrouted's protocol. The contract is in touchroute.h.
 *
 * One block of memory holds a connection, but for the views that it has added: what has come and is
 * not whole yet, what waits to be sent, the attachments (so that they can be made again), the live
 * touches (so that each record can name its target, and a lost connection can cancel them), and
 * room for what one callback is shown.
 *
 * A message is taken apart completely before anything is believed or anybody is told. One whose
 * sizes do not add up ends the connection; one that speaks of what is not there is skipped.
 *
 * SPDX-License-Identifier: MIT
 */
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

#define INPUT_SIZE (2u * TOUCHROUTE_MAX_MESSAGE)
#define TEXT_SIZE (TOUCHROUTE_MAX_MESSAGE + TOUCHROUTE_MAX_MESSAGE / 8u)
#define ERROR_SIZE 512u
#define FIRST_DELAY_MS 100u
/* The first where touchrouted is there, and has many to accept. */
#define FULL_DELAY_MS 1u
/* Who does not try again waits for so long in that case. */
#define FULL_WAIT_S 1
#define LAST_DELAY_MS 5000u
#define OWN_SERIALS 0x80000000u /* from here on: requests that the program did not make */
#define DECLINED 16u /* touches that were declined, of which something may still be on its way */
#define REFUSED 32u  /* steps that can't be made again, after which the others are not tried */

#define RECORDS (TOUCHROUTE_MAX_MESSAGE / sizeof(struct touchroute_touch))
#define OBSERVED_RECORDS (TOUCHROUTE_MAX_MESSAGE / sizeof(struct touchroute_observed_touch))
#define CHAIN_LINKS (TOUCHROUTE_MAX_MESSAGE / sizeof(struct touchroute_chain_entry))
#define SCREENS (TOUCHROUTE_MAX_MESSAGE / sizeof(struct touchroute_screen))

#if defined(__GNUC__)
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#else
#define PRINTF_LIKE(text, first)
#endif

enum state {
  STATE_ENDED,   /* failure says why */
  STATE_WAITING, /* no socket; the timer says when to try again */
  STATE_GREETED, /* hello is sent or queued */
  STATE_WELCOME, /* and answered */
};

enum attachment_state {
  ATTACHMENT_FREE,
  ATTACHMENT_OWED, /* attach could not be queued yet */
  ATTACHMENT_SENT,
  ATTACHMENT_WAITING, /* in the daemon's line; has its number */
  ATTACHMENT_HELD,
};

/*
 * What the program has added, removed and changed through an attachment, to be asked for again: the
 * steps of change_views as they were in force, each behind its size (8 bytes). Those that later
 * ones make void are dropped together, once they may be half of it.
 */
struct kept_views {
  unsigned char *steps;
  size_t used, capacity;
  size_t tidied; /* used, when the void ones were dropped last */
  size_t next;   /* those from here on the daemon does not have */
  size_t asked;  /* for those up to here it is asked, in one request; next: for none */
  size_t most;   /* steps to ask for in one request; 0: as many as it has room for */
  uint32_t serial;   /* of that request, or 0 */
  uint32_t refused;  /* steps that this daemon has refused to make again */
};

/* A change_views that has no answer yet. */
struct batch {
  uint32_t serial;
  uint32_t attachment; /* the program's number of it; 0: it has ended, which is yet to be told */
  int sent;
  unsigned char *request; /* whole, but for the daemon's number */
  size_t size, kept_size; /* of it, and of what is kept of it until void ones are dropped */
};

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

enum recognizer_state {
  RECOGNIZER_FREE,
  RECOGNIZER_OWED, /* add_gesture could not be queued yet */
  RECOGNIZER_SENT,
  RECOGNIZER_ADDED, /* has the daemon's number */
  RECOGNIZER_OVER,  /* it has ended, which is yet to be told */
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
  int is_overtaken;  /* its attachment stood in line again before add_gesture was answered */
  int is_orphan;     /* its view is removed by the steps at hand */
  uint32_t at, size; /* in descriptions: the request, whole */
};

/* A gesture that has begun, as it was told last. */
struct live_gesture {
  int live;
  uint32_t id; /* the daemon's number of the recognizer */
  struct touchroute_gesture last;
  char path[TOUCHROUTE_MAX_PATH + 1];
};

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

struct touchroute_connection {
  struct touchroute_listener listener;
  void *data;
  uint32_t flags;
  enum state state;
  int failure; /* negative errno once it has ended */
  int dispatching;
  int doomed; /* disconnected in a callback: freed when dispatch returns */
  int calls;  /* of the listener in this dispatch */

  int socket; /* or -1 */
  int epoll;  /* with TOUCHROUTE_RECONNECT: watches socket and timer; otherwise -1 */
  int timer;
  uint32_t interest; /* what epoll waits for on the socket */
  uint32_t delay_ms; /* before the next try; 0: at once */
  uint64_t connected_us;
  int useless; /* negative errno where connecting again would not help */

  uint32_t next_serial;
  uint32_t own_serial; /* of the last request that the program did not make */
  uint32_t max_request;
  uint32_t observe_serial; /* not 0: observing was asked for */
  int observe_owed;
  int observe_answered;   /* the program knows what has come of observe */
  uint32_t observe_again; /* not 0: the one that is asked for again, and is not answered */
  uint64_t message; /* counts those of touches */
  uint64_t last_sequence;

  size_t attachment_count; /* those from here on are free */
  size_t owed;             /* attachments with something to send; 0 spares the search */
  size_t paths_used;
  size_t recognizer_count; /* those from here on are free */
  size_t recognizers_owed; /* those with something to send */
  size_t descriptions_used;
  size_t batch_count;
  size_t unanswered; /* requests that the daemon will not answer: what they are of has ended */
  size_t views_used; /* bytes of views that are kept, and of batches that will be */
  size_t live_count; /* those from here on are not used */
  size_t live_next;  /* where to look first: behind the one found last, in a frame's order */
  size_t input_used;
  size_t output_start, output_end;
  size_t text_used;

  char socket_path[sizeof(((struct sockaddr_un *)0)->sun_path)];
  char name[TOUCHROUTE_MAX_NAME + 1];
  char error[ERROR_SIZE];
  char last_words[ERROR_SIZE]; /* what the daemon said last, before it ended the connection */

  struct attachment attachments[TOUCHROUTE_CLIENT_ATTACHMENTS];
  struct recognizer recognizers[TOUCHROUTE_CLIENT_RECOGNIZERS];
  struct batch batches[TOUCHROUTE_CLIENT_BATCHES]; /* in their order */
  struct live_key keys[TOUCHROUTE_CLIENT_TOUCHES];
  _Alignas(8) unsigned char input[INPUT_SIZE];
  unsigned char output[TOUCHROUTE_CLIENT_OUTPUT];
  char text[TEXT_SIZE]; /* the strings of the message at hand, each with its zero byte */
  char paths[TOUCHROUTE_CLIENT_PATHS];
  _Alignas(8) unsigned char descriptions[TOUCHROUTE_CLIENT_DESCRIPTIONS];
  union {
    struct touchroute_record touches[RECORDS];
    struct touchroute_screen_info screens[SCREENS];
    struct {
      struct touchroute_observed_record records[OBSERVED_RECORDS];
      struct touchroute_chain_link links[CHAIN_LINKS];
    } observed;
  } shown;
  struct live_value values[TOUCHROUTE_CLIENT_TOUCHES];
  struct live_gesture gestures[TOUCHROUTE_CLIENT_GESTURES];
};

static _Thread_local char connect_error[ERROR_SIZE];

/* ---- Small things ---- */

#define CALL(connection, function, ...)                                                   \
  do {                                                                                    \
    if ((connection)->listener.function && !(connection)->doomed) {                       \
      (connection)->calls++;                                                              \
      (connection)->listener.function((connection)->data, (connection), __VA_ARGS__);     \
    }                                                                                     \
  } while (0)

PRINTF_LIKE(3, 4)
static int fail(struct touchroute_connection *c, int error, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(c->error, sizeof c->error, format, arguments);
  va_end(arguments);
  return -error;
}

static uint64_t now_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

static size_t padded(size_t size) { return (size + 7u) & ~(size_t)7u; }

const char *touchroute_phase_name(uint32_t phase) {
  static const char *const names[] = {
      "unknown", "began", "moved", "stationary", "ended", "cancelled"};
  return names[phase < sizeof names / sizeof *names ? phase : 0];
}

const char *touchroute_cancel_reason_name(uint32_t reason) {
  static const char *const names[] = {
      "none",         "device removed", "suspended", "palm",      "target removed",
      "unresponsive", "taken over",     "stopping",  "requested", "connection lost",
      "gesture"};
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
  case TOUCHROUTE_STATUS_DAEMON: return "status_daemon";
  case TOUCHROUTE_STATUS_CLIENT: return "status_client";
  case TOUCHROUTE_STATUS_ATTACHMENT: return "status_attachment";
  case TOUCHROUTE_STATUS_DEVICE: return "status_device";
  case TOUCHROUTE_STATUS_WAITING: return "status_waiting";
  case TOUCHROUTE_OBSERVED: return "observed";
  case TOUCHROUTE_OBSERVED_GESTURE: return "observed gesture";
  default: return "unknown";
  }
}

/* ---- Taking a message apart ---- */

/* What is left of a message. Both fields stay multiples of 8. */
struct cursor {
  unsigned char *at;
  size_t left;
};

static void *take(struct cursor *cursor, size_t size) {
  if (size > cursor->left)
    return NULL;
  void *start = cursor->at;
  cursor->at += padded(size);
  cursor->left -= padded(size);
  return start;
}

static void *take_array(struct cursor *cursor, size_t count, size_t size) {
  return count > cursor->left / size ? NULL : take(cursor, count * size);
}

static int take_struct(struct cursor *cursor, void *into, size_t size) {
  const void *start = take(cursor, size);
  if (start)
    memcpy(into, start, size);
  return start != NULL;
}

/* A copy with a zero byte, valid until the next message; NULL where the message ends before it. */
static const char *take_text(struct touchroute_connection *c, struct cursor *cursor, size_t size) {
  if (size == 0)
    return "";
  const void *start = take(cursor, size);
  if (!start || memchr(start, 0, size) || size >= TEXT_SIZE - c->text_used)
    return NULL;
  char *copy = c->text + c->text_used;
  memcpy(copy, start, size);
  copy[size] = 0;
  c->text_used += size + 1;
  return copy;
}

static int malformed(struct touchroute_connection *c, const struct touchroute_header *header,
                     const char *what) {
  return fail(c, EPROTO, "touchrouted at %s sent a malformed %s message (opcode %#x, %u bytes): %s",
              c->socket_path, opcode_name(header->opcode), (unsigned)header->opcode,
              (unsigned)header->size, what);
}

static const char too_short[] = "it is too short for what it announces";
static const char no_phase[] = "it names a phase that there is not";

static int is_phase(uint32_t phase) {
  return phase >= TOUCHROUTE_PHASE_BEGAN && phase <= TOUCHROUTE_PHASE_CANCELLED;
}

/* ---- Sending ---- */

static void update_interest(struct touchroute_connection *c) {
  if (c->epoll < 0 || c->socket < 0)
    return;
  uint32_t wanted = EPOLLIN | (c->output_end > c->output_start ? EPOLLOUT : 0u);
  if (wanted == c->interest)
    return;
  struct epoll_event event = {.events = wanted};
  if (epoll_ctl(c->epoll, EPOLL_CTL_MOD, c->socket, &event) == 0)
    c->interest = wanted;
}

/* A connection that is gone is found by reading it, after what the daemon said last. */
static int flush_output(struct touchroute_connection *c) {
  while (c->socket >= 0 && c->output_start < c->output_end) {
    ssize_t sent = send(c->socket, c->output + c->output_start, c->output_end - c->output_start,
                        MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) {
      c->output_start += (size_t)sent;
    } else if (errno != EINTR) {
      if (errno != EAGAIN)
        c->output_start = c->output_end;
      break;
    }
  }
  if (c->output_start == c->output_end)
    c->output_start = c->output_end = 0;
  update_interest(c);
  return c->output_end ? -EAGAIN : 0;
}

/*
 * Appends a request of that struct and more bytes after it, which are zero and the caller's to
 * fill; says where they are.
 */
static int queue_open(struct touchroute_connection *c, void *request, size_t size, uint16_t opcode,
                      size_t more, unsigned char **rest) {
  size_t total = size + more;
  size_t limit = opcode == TOUCHROUTE_CHANGE_VIEWS ? TOUCHROUTE_MAX_CHANGE_VIEWS : c->max_request;
  if (total > limit)
    return fail(c, EMSGSIZE, "a request of %zu bytes is over the daemon's limit of %zu", total,
                limit);
  if (c->output_start > 0) {
    memmove(c->output, c->output + c->output_start, c->output_end - c->output_start);
    c->output_end -= c->output_start;
    c->output_start = 0;
  }
  if (total > sizeof c->output - c->output_end)
    return fail(c, EAGAIN, "%zu bytes of requests wait for touchrouted, which does not read them",
                c->output_end);
  struct touchroute_header header = {.size = (uint32_t)total, .opcode = opcode};
  memcpy(request, &header, sizeof header);
  memcpy(c->output + c->output_end, request, size);
  *rest = memset(c->output + c->output_end + size, 0, more);
  c->output_end += total;
  return 0;
}

/* Appends a request whose struct's trailing part is a text of that size. */
static int queue(struct touchroute_connection *c, void *request, size_t size, uint16_t opcode,
                 const char *text, size_t text_size) {
  unsigned char *rest;
  int result = queue_open(c, request, size, opcode, padded(text_size), &rest);
  if (result == 0 && text_size > 0)
    memcpy(rest, text, text_size);
  return result;
}

static uint32_t take_serial(struct touchroute_connection *c) {
  for (;;) {
    uint32_t serial = c->next_serial;
    int used = serial == c->observe_serial || serial == c->observe_again;
    c->next_serial = serial == INT32_MAX ? 1 : serial + 1;
    for (size_t i = 0; i < c->attachment_count; i++)
      used |= c->attachments[i].state != ATTACHMENT_FREE &&
              (c->attachments[i].handle == serial || c->attachments[i].detach_serial == serial);
    for (size_t i = 0; i < c->recognizer_count; i++)
      used |= c->recognizers[i].state != RECOGNIZER_FREE &&
              (c->recognizers[i].handle == serial || c->recognizers[i].remove_serial == serial);
    for (size_t i = 0; i < c->batch_count; i++)
      used |= c->batches[i].serial == serial;
    if (!used)
      return serial;
  }
}

/* That of a request of the library's own. Where nobody waits for its answer any more, nothing is
   to be kept of it: the program is not told of such an answer. */
static uint32_t take_own_serial(struct touchroute_connection *c) {
  c->own_serial = (c->own_serial + 1) | OWN_SERIALS;
  return c->own_serial;
}

static int has_id(const struct attachment *a) {
  return a->state == ATTACHMENT_HELD || a->state == ATTACHMENT_WAITING;
}

static struct attachment *attachment_with_handle(struct touchroute_connection *c, uint32_t handle) {
  for (size_t i = 0; i < c->attachment_count; i++)
    if (c->attachments[i].state != ATTACHMENT_FREE && c->attachments[i].handle == handle)
      return &c->attachments[i];
  return NULL;
}

/* ---- Views that are kept ---- */

/* The step at an index of the kept ones: behind it its path lies. */
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

/* Whether a path is that of a view, or of what lies in it: behind it nothing comes, or / or @. */
static int is_in(const char *path, size_t size, const char *view, size_t view_size) {
  return size >= view_size && memcmp(path, view, view_size) == 0 &&
         (size == view_size || path[view_size] == '/' || path[view_size] == '@');
}

/* Whether more is asked of the daemon for an attachment: it is in force, and is to stay so. */
static int is_in_force(const struct attachment *a) {
  return a->state == ATTACHMENT_HELD && !a->detach_serial;
}

/* Whether the daemon has all views of an attachment, and what was asked for since. */
static int has_views(const struct touchroute_connection *c, const struct attachment *a) {
  if (!is_in_force(a) || a->views.next < a->views.used)
    return 0;
  for (size_t i = 0; i < c->batch_count; i++)
    if (c->batches[i].attachment == a->handle && !c->batches[i].sent)
      return 0;
  return 1;
}

/* The part of a path behind a view's and its slash, where it lies in that; else NULL. */
static const char *path_below(const struct touchroute_connection *c, const struct attachment *a,
                              const char *path, size_t *size) {
  const char *view = c->paths + a->path;
  const char *controller = memchr(view, '@', a->path_size);
  size_t view_size = controller ? (size_t)(controller - view) : a->path_size;
  if (*size <= view_size || path[view_size] != '/' || memcmp(path, view, view_size) != 0)
    return NULL;
  *size -= view_size + 1;
  return path + view_size + 1;
}

/* Whether an attachment is to a view that this program has added and the daemon has yet to. */
static int waits_for_views(const struct touchroute_connection *c, const struct attachment *a) {
  for (size_t i = 0; i < c->attachment_count; i++) {
    const struct attachment *b = &c->attachments[i];
    size_t size = a->path_size;
    const char *path;
    if (b == a || b->state == ATTACHMENT_FREE || b->views.used == 0 ||
        (b->state == ATTACHMENT_HELD && b->views.next == b->views.used) ||
        !(path = path_below(c, b, c->paths + a->path, &size)))
      continue;
    for (size_t at = 0; at < b->views.used; at += kept_size(&b->views, at)) {
      const struct touchroute_view_step *step = kept_step(&b->views, at);
      if (step->kind == TOUCHROUTE_STEP_ADD &&
          is_in(path, size, kept_path(&b->views, at), step->path_size))
        return 1;
    }
  }
  return 0;
}

static void forget_batch(struct touchroute_connection *c, size_t index) {
  c->views_used -= c->batches[index].kept_size;
  free(c->batches[index].request);
  c->batch_count--;
  memmove(&c->batches[index], &c->batches[index + 1],
          (c->batch_count - index) * sizeof *c->batches);
}

/* Forgets what was added through an attachment, and what was asked for: the daemon answers what is
   sent, the library the rest. */
static void forget_views(struct touchroute_connection *c, struct attachment *a) {
  c->views_used -= a->views.used;
  free(a->views.steps);
  a->views = (struct kept_views){0};
  for (size_t i = c->batch_count; i-- > 0;) {
    struct batch *batch = &c->batches[i];
    if (batch->attachment != a->handle)
      continue;
    c->views_used -= batch->kept_size;
    free(batch->request);
    *batch = (struct batch){.serial = batch->serial, .sent = batch->sent};
    c->unanswered += !batch->sent;
  }
}

/* ---- Steps that later ones make void ---- */

/* A view that later steps add or remove, or a property of one that they set. */
struct later {
  const char *path;
  uint32_t path_size, property;
  int is_moved; /* of one that is added: it is where it is to be */
};

#define ADDED UINT32_MAX         /* in place of a property: the view itself */
#define REMOVED (UINT32_MAX - 1) /* and all that lies in it */

/* Those of the steps behind the one at hand, in an open hash table. */
struct later_table {
  struct later *entries;
  size_t mask;
};

static uint32_t hash_byte(uint32_t hash, char byte) {
  return (hash ^ (unsigned char)byte) * UINT32_C(16777619); /* FNV-1a */
}

static uint32_t hash_path(const char *path, size_t size) {
  uint32_t hash = UINT32_C(2166136261);
  for (size_t i = 0; i < size; i++)
    hash = hash_byte(hash, path[i]);
  return hash;
}

/* The place of that entry, or of none where it would be. */
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

/* Whether later steps remove a view, or one in which it lies. */
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
 * Drops the properties of a change that later steps set, or take back, as it does with those before
 * a configured of its own; the size that is left of it.
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

/* What is left of a step, given those behind it: its size with that of its size, or 0. */
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

/* The entry of the view that a step needs before it, where that is added through the same
   attachment: of one that is added its superview, of a change the view itself; else NULL. */
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
 * Moves the steps that are left into other memory, in their order, but for those that come before
 * what they need: a batch may add a superview behind what lies in it. The bytes that they take.
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

/* Where steps lie, and how large they are; and a table with room for what they do. */
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

/* Drops what is void of the steps of an attachment, all of which the daemon has or has to get. */
static void tidy_views(struct touchroute_connection *c, struct kept_views *views) {
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
  c->views_used -= views->used - left;
  views->used = views->tidied = left;
  views->next = views->asked = has_all ? left : 0;
}

/* ---- Adding views again ---- */

/* The daemon has forgotten the views of an attachment; what it has not answered is sent again only
   where it will not be. */
static void owe_views(struct touchroute_connection *c, struct attachment *a, int is_lost) {
  struct kept_views *views = &a->views;
  views->next = views->asked = views->most = 0;
  views->refused = 0;
  views->serial = 0;
  tidy_views(c, views);
  for (size_t i = 0; is_lost && i < c->batch_count; i++)
    if (c->batches[i].attachment == a->handle)
      c->batches[i].sent = 0;
}

/*
 * Asks for the next of the kept steps of an attachment, as many as there is room for, once those
 * before are there; false where not all are. One that can't be made must not take others along.
 */
static int pay_kept(struct touchroute_connection *c, struct attachment *a) {
  struct kept_views *views = &a->views;
  if (views->next == views->used)
    return 1;
  if (views->serial)
    return 0;
  struct touchroute_change_views request = {.serial = take_own_serial(c), .attachment = a->id};
  size_t size = 0, end = views->next;
  while (end < views->used && (views->most == 0 || request.step_count < views->most)) {
    size_t step = kept_size(views, end) - 8;
    if (size + step > TOUCHROUTE_MAX_CHANGE_VIEWS - sizeof request)
      break;
    size += step;
    end += step + 8;
    request.step_count++;
  }
  unsigned char *rest;
  if (queue_open(c, &request, sizeof request, TOUCHROUTE_CHANGE_VIEWS, size, &rest) < 0)
    return 0;
  for (size_t at = views->next; at < end; at += kept_size(views, at)) {
    memcpy(rest, views->steps + at + 8, kept_size(views, at) - 8);
    rest += kept_size(views, at) - 8;
  }
  views->asked = end;
  views->serial = request.serial;
  return 0;
}

/* Queues the views of attachments that are in force, then what was asked for since. */
static void pay_views(struct touchroute_connection *c) {
  int has_all = 1;
  for (size_t i = 0; i < c->attachment_count; i++)
    if (is_in_force(&c->attachments[i]))
      has_all &= pay_kept(c, &c->attachments[i]);
  for (size_t i = 0; has_all && i < c->batch_count; i++) {
    struct batch *batch = &c->batches[i];
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

/* Queues the recognizers of attachments that are in force, and those that are to go. */
static void pay_recognizers(struct touchroute_connection *c) {
  for (size_t i = 0; c->recognizers_owed > 0 && i < c->recognizer_count; i++) {
    struct recognizer *r = &c->recognizers[i];
    if (r->state == RECOGNIZER_OWED) {
      const struct attachment *a = attachment_with_handle(c, r->attachment);
      if (!a || !has_views(c, a))
        continue;
      struct touchroute_add_gesture add;
      memcpy(&add, c->descriptions + r->at, sizeof add);
      add.serial = r->handle;
      add.attachment = a->id;
      if (queue(c, &add, sizeof add, TOUCHROUTE_ADD_GESTURE,
                (const char *)c->descriptions + r->at + sizeof add, r->size - sizeof add) < 0)
        return;
      r->state = RECOGNIZER_SENT;
      c->recognizers_owed--;
    } else if (r->state == RECOGNIZER_ADDED && r->remove_serial && !r->remove_sent) {
      struct touchroute_remove_gesture remove = {.serial = r->remove_serial, .recognizer = r->id};
      if (queue(c, &remove, sizeof remove, TOUCHROUTE_REMOVE_GESTURE, NULL, 0) < 0)
        return;
      r->remove_sent = 1;
      c->recognizers_owed--;
    }
  }
}

/* Queues what a full buffer or a missing connection kept back. What does not fit stays owed. */
static void pay_owed(struct touchroute_connection *c) {
  if (c->state != STATE_GREETED && c->state != STATE_WELCOME)
    return;
  if (c->observe_owed) {
    struct touchroute_observe observe = {.serial = c->observe_serial, .enable = 1};
    if (queue(c, &observe, sizeof observe, TOUCHROUTE_OBSERVE, NULL, 0) < 0)
      return;
    c->observe_owed = 0;
    c->observe_again = c->observe_answered ? c->observe_serial : 0;
  }
  for (size_t i = 0; c->owed > 0 && i < c->attachment_count; i++) {
    struct attachment *a = &c->attachments[i];
    if (a->state == ATTACHMENT_OWED) {
      if (waits_for_views(c, a))
        continue;
      struct touchroute_attach attach = {.serial = a->handle,
                                         .handles = (uint16_t)a->handles,
                                         .passes = (uint16_t)a->passes,
                                         .flags = a->flags,
                                         .path_size = a->path_size};
      if (queue(c, &attach, sizeof attach, TOUCHROUTE_ATTACH, c->paths + a->path, a->path_size) < 0)
        return;
      a->state = ATTACHMENT_SENT;
      c->owed--;
    } else if (has_id(a) && a->detach_serial && !a->detach_sent) {
      struct touchroute_detach detach = {.serial = a->detach_serial, .attachment = a->id};
      if (queue(c, &detach, sizeof detach, TOUCHROUTE_DETACH, NULL, 0) < 0)
        return;
      a->detach_sent = 1;
      c->owed--;
    }
  }
  pay_views(c);
  pay_recognizers(c);
}

/* Queues what is owed and sends what is queued, as long as the daemon reads: sending makes room for
   more of what is owed. Nothing else would wake a program that waits for the daemon. */
static void send_owed(struct touchroute_connection *c) {
  size_t queued;
  do {
    pay_owed(c);
    queued = c->output_end;
  } while (flush_output(c) == 0 && queued > 0);
}

/* Sends a request at once, but in a callback, where dispatch sends all of them together. */
static int finish_request(struct touchroute_connection *c, int result) {
  if (result >= 0 && !c->dispatching)
    flush_output(c);
  return result;
}

/* ---- Attachments ---- */

static struct attachment *attachment_with_id(struct touchroute_connection *c, uint32_t id) {
  for (size_t i = 0; i < c->attachment_count; i++)
    if (has_id(&c->attachments[i]) && c->attachments[i].id == id)
      return &c->attachments[i];
  return NULL;
}

static struct attachment *attachment_with_detach(struct touchroute_connection *c, uint32_t serial) {
  for (size_t i = 0; i < c->attachment_count; i++)
    if (c->attachments[i].state != ATTACHMENT_FREE && c->attachments[i].detach_serial == serial)
      return &c->attachments[i];
  return NULL;
}

static struct recognizer *recognizer_with(struct touchroute_connection *c, uint32_t handle) {
  for (size_t i = 0; i < c->recognizer_count; i++)
    if (c->recognizers[i].state != RECOGNIZER_FREE &&
        c->recognizers[i].state != RECOGNIZER_OVER && c->recognizers[i].handle == handle)
      return &c->recognizers[i];
  return NULL;
}

static void free_last_recognizers(struct touchroute_connection *c) {
  while (c->recognizer_count > 0 &&
         c->recognizers[c->recognizer_count - 1].state == RECOGNIZER_FREE)
    c->recognizer_count--;
}

/* Frees one that is over, once there is nothing left to tell. */
static void free_told_recognizer(struct touchroute_connection *c, struct recognizer *over) {
  if (over->handle || over->remove_serial)
    return;
  memset(over, 0, sizeof *over);
  free_last_recognizers(c);
}

/* Forgets all of it but what the program waits for. */
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
    c->recognizers_owed--;
  c->descriptions_used -= gone->size;
  memmove(c->descriptions + gone->at, c->descriptions + gone->at + gone->size,
          c->descriptions_used - gone->at);
  for (size_t i = 0; i < c->recognizer_count; i++)
    if (c->recognizers[i].at > gone->at)
      c->recognizers[i].at -= gone->size;
  memset(gone, 0, sizeof *gone);
  if (over.handle || over.remove_serial) {
    *gone = over;
    c->unanswered += (over.handle && !over.is_asked) + (over.remove_serial != 0);
  }
  free_last_recognizers(c);
}

/*
 * The answer to add_gesture of one that is there. One whose attachment came to stand in line before
 * the daemon heard of it is asked for again; of one that is asked for again only its end is told.
 */
static int take_added(struct touchroute_connection *c, struct recognizer *r, uint32_t id,
                      uint32_t error) {
  int is_told = error || !r->is_answered;
  if (error == TOUCHROUTE_ERROR_NOT_ATTACHED && r->is_overtaken && !r->remove_serial) {
    r->is_overtaken = 0;
    r->state = RECOGNIZER_OWED;
    c->recognizers_owed++;
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
    c->recognizers_owed++;
  return is_told;
}

/*
 * The answer to adding or removing a recognizer, if it is that; error is its code, 0 of done. Says
 * whether the program is to hear of it.
 */
static int take_recognizer_answer(struct touchroute_connection *c, uint32_t serial, uint32_t id,
                                  uint32_t error) {
  for (size_t i = 0; i < c->recognizer_count; i++) {
    struct recognizer *r = &c->recognizers[i];
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

/* The answer to observe, if it is that. Says whether the program is to hear of it: where it was
   asked for again, only of its end. */
static int take_observe_answer(struct touchroute_connection *c, uint32_t serial, uint32_t error) {
  int is_again = serial == c->observe_again;
  if (is_again)
    c->observe_again = 0;
  if (serial != c->observe_serial)
    return !is_again;
  c->observe_answered = 1;
  if (error)
    c->observe_serial = 0;
  return error || !is_again;
}

static void forget_attachment(struct touchroute_connection *c, struct attachment *gone) {
  forget_views(c, gone);
  for (size_t i = c->recognizer_count; i-- > 0;)
    if (c->recognizers[i].state != RECOGNIZER_FREE &&
        c->recognizers[i].attachment == gone->handle)
      forget_recognizer(c, &c->recognizers[i]);
  if (gone->state == ATTACHMENT_OWED ||
      (has_id(gone) && gone->detach_serial && !gone->detach_sent))
    c->owed--;
  c->paths_used -= gone->path_size;
  memmove(c->paths + gone->path, c->paths + gone->path + gone->path_size,
          c->paths_used - gone->path);
  for (size_t i = 0; i < c->attachment_count; i++)
    if (c->attachments[i].path > gone->path)
      c->attachments[i].path -= gone->path_size;
  memset(gone, 0, sizeof *gone);
  while (c->attachment_count > 0 &&
         c->attachments[c->attachment_count - 1].state == ATTACHMENT_FREE)
    c->attachment_count--;
}

/* ---- Views that come and go ---- */

/*
 * Marks the recognizers of a view that is removed and of all in it, or no longer those of one that
 * is added: a view that is both is there all the time.
 */
static void mark_orphans(struct touchroute_connection *c, const struct attachment *a,
                         const char *path, size_t size, int is_removed) {
  for (size_t i = 0; i < c->recognizer_count; i++) {
    struct recognizer *r = &c->recognizers[i];
    if (r->state != RECOGNIZER_SENT && r->state != RECOGNIZER_ADDED)
      continue;
    struct touchroute_add_gesture add;
    memcpy(&add, c->descriptions + r->at, sizeof add);
    size_t view_size = add.view_size;
    const char *view = path_below(
        c, a, (const char *)c->descriptions + r->at + sizeof add + padded(add.name_size),
        &view_size);
    if (view && is_in(view, view_size, path, size) && (is_removed || view_size == size))
      r->is_orphan = is_removed;
  }
}

static size_t request_step_size(const unsigned char *at) {
  struct touchroute_view_step step;
  memcpy(&step, at, sizeof step);
  size_t size = head_size(&step);
  for (uint16_t i = 0; i < step.property_count; i++)
    size += property_size(at + size);
  return size;
}

/* Keeps a step that is in force; there is room for it. */
static void keep_step(struct touchroute_connection *c, struct kept_views *views,
                      const unsigned char *step, size_t step_size) {
  uint64_t size = 8 + step_size;
  unsigned char *to = views->steps + views->used;
  memcpy(to, &size, sizeof size);
  memcpy(to + 8, step, step_size);
  if (views->next == views->used)
    views->next = views->asked = views->used + (size_t)size;
  views->used += (size_t)size;
  c->views_used += (size_t)size;
}

/* Keeps what a request of the program's has come to: first views come and go, then they change. */
static void keep_steps(struct touchroute_connection *c, struct attachment *a,
                       const struct batch *batch) {
  const unsigned char *end = batch->request + batch->size;
  for (int changes = 0; changes <= 1; changes++) {
    const unsigned char *at = batch->request + sizeof(struct touchroute_change_views);
    for (size_t size; at < end; at += size) {
      struct touchroute_view_step step;
      memcpy(&step, at, sizeof step);
      size = request_step_size(at);
      if ((step.kind == TOUCHROUTE_STEP_CHANGE) != changes)
        continue;
      if (!changes)
        mark_orphans(c, a, (const char *)at + sizeof step, step.path_size,
                     step.kind == TOUCHROUTE_STEP_REMOVE);
      keep_step(c, &a->views, at, size);
    }
  }
  if (a->views.used > 2 * a->views.tidied + TOUCHROUTE_MAX_CHANGE_VIEWS)
    tidy_views(c, &a->views);
}

/* Drops the step that the daemon was asked for alone and refused; of a view all that lies in it. */
static void drop_refused(struct touchroute_connection *c, struct kept_views *views) {
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
  c->views_used -= views->used - left;
  views->used = left;
}

/* Gives up what is left of an attachment's steps, where too many can't be made; says so. */
static const char *give_up(struct touchroute_connection *c, struct kept_views *views,
                           const char *text) {
  size_t left = 0;
  for (size_t at = views->next; at < views->used; at += kept_size(views, at))
    left++;
  c->views_used -= views->used - views->next;
  views->used = views->next;
  char *words = c->text + c->text_used;
  snprintf(words, TEXT_SIZE - c->text_used, "%s; %u were refused, and %zu more are not tried", text,
           REFUSED, left);
  return words;
}

/*
 * The answer to steps that were to be made again. Where one of several can't be, they are asked for
 * in smaller parts, until it is alone: its error is for the program, without a serial.
 */
static const char *take_kept_answer(struct touchroute_connection *c, struct kept_views *views,
                                    const char *error) {
  size_t count = 0;
  for (size_t at = views->next; at < views->asked; at += kept_size(views, at))
    count++;
  views->serial = 0;
  if (!error) {
    views->next = views->asked;
    views->most *= 2; /* some day 0 again: no limit */
    return NULL;
  }
  views->asked = views->next;
  views->most = count > 1 ? count / 2 : 1;
  if (count > 1)
    return NULL;
  drop_refused(c, views);
  return ++views->refused == REFUSED ? give_up(c, views, error) : error;
}

/* As take_views_answer, where steps are made again. */
static int is_kept_answer(struct touchroute_connection *c, uint32_t *serial, const char **error) {
  if (!(*serial & OWN_SERIALS))
    return 0;
  const char *told = NULL; /* nothing, where the attachment has ended or waits since */
  for (size_t i = 0; i < c->attachment_count; i++) {
    struct attachment *a = &c->attachments[i];
    if (a->state != ATTACHMENT_FREE && a->views.serial == *serial)
      told = take_kept_answer(c, &a->views, *error);
  }
  *error = told;
  *serial = 0;
  return 1;
}

/*
 * The answer to change_views, if it is that: what is in force is kept. error is what is wrong, or
 * NULL. Says whether the program is to hear of the answer, with that serial and that error.
 */
static int take_views_answer(struct touchroute_connection *c, uint32_t *serial,
                             const char **error) {
  if (is_kept_answer(c, serial, error))
    return *error != NULL;
  for (size_t i = 0; i < c->batch_count; i++) {
    struct batch batch = c->batches[i];
    if (!batch.sent || batch.serial != *serial)
      continue;
    struct attachment *a = attachment_with_handle(c, batch.attachment);
    c->batches[i].request = NULL;
    forget_batch(c, i);
    if (a && !*error)
      keep_steps(c, a, &batch);
    for (size_t r = c->recognizer_count; r-- > 0;)
      if (c->recognizers[r].is_orphan)
        forget_recognizer(c, &c->recognizers[r]);
    free(batch.request);
    return 1;
  }
  return 1;
}

/* ---- Live touches ---- */

static size_t find_live(struct touchroute_connection *c, uint32_t handle, uint64_t touch) {
  size_t i = c->live_next;
  for (size_t left = c->live_count; left > 0; left--, i++) {
    if (i >= c->live_count)
      i = 0;
    if (c->keys[i].touch == touch && c->keys[i].handle == handle && c->keys[i].live) {
      c->live_next = i + 1;
      return i;
    }
  }
  return TOUCHROUTE_CLIENT_TOUCHES;
}

/*
 * A slot for one more: a free one, or that of the touch not heard of for longest (which happens
 * only with more fingers than there are slots, or where an attachment is never told that a touch
 * ended). A slot that the message at hand speaks of is not taken: its path is still to be shown.
 */
static size_t find_slot(struct touchroute_connection *c) {
  size_t oldest = TOUCHROUTE_CLIENT_TOUCHES;
  for (size_t i = 0; i < c->live_count; i++) {
    if (c->keys[i].heard == c->message)
      continue;
    if (!c->keys[i].live)
      return i;
    if (oldest == TOUCHROUTE_CLIENT_TOUCHES || c->keys[i].heard < c->keys[oldest].heard)
      oldest = i;
  }
  return c->live_count < TOUCHROUTE_CLIENT_TOUCHES ? c->live_count++ : oldest;
}

/*
 * The program hears no more of the touch in that slot. What the daemon sent before it knows is
 * still to come, so the slot is kept: for a while, as nothing says when that is over.
 */
static void decline_slot(struct touchroute_connection *c, size_t slot) {
  size_t count = 0, oldest = slot;
  c->keys[slot].declined = 1;
  for (size_t i = 0; i < c->live_count; i++) {
    if (!c->keys[i].live || !c->keys[i].declined)
      continue;
    count++;
    if (c->keys[i].heard < c->keys[oldest].heard)
      oldest = i;
  }
  if (count > DECLINED)
    c->keys[oldest].live = 0;
}

/*
 * Keeps a record in mind, and shows it with the path that came with its touch's first. Says whether
 * the program is to see it.
 */
static int track(struct touchroute_connection *c, uint32_t device,
                 struct touchroute_record *record) {
  const struct touchroute_touch *touch = record->touch;
  int over = touch->phase == TOUCHROUTE_PHASE_ENDED || touch->phase == TOUCHROUTE_PHASE_CANCELLED;
  size_t slot = find_live(c, touch->attachment, touch->id);
  if (slot == TOUCHROUTE_CLIENT_TOUCHES) {
    if (over || (slot = find_slot(c)) == TOUCHROUTE_CLIENT_TOUCHES)
      return 1;
    c->keys[slot] = (struct live_key){.touch = touch->id, .handle = touch->attachment, .live = 1};
    c->values[slot].path[0] = 0;
  }
  struct live_key *key = &c->keys[slot];
  struct live_value *value = &c->values[slot];
  key->heard = c->message;
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

/* Says cancelled of what is live for an attachment, or for all (handle 0), a frame a device. */
static void cancel_live(struct touchroute_connection *c, uint32_t handle, uint8_t reason) {
  for (size_t first = 0; first < c->live_count; first++) {
    if (!c->keys[first].live || (handle && c->keys[first].handle != handle))
      continue;
    struct touchroute_frame frame = {.time_us = now_us(),
                                     .sequence = c->last_sequence,
                                     .device = c->keys[first].device,
                                     .records = c->shown.touches};
    for (size_t i = first; i < c->live_count; i++) {
      struct live_key *key = &c->keys[i];
      if (!key->live || key->device != frame.device || (handle && key->handle != handle))
        continue;
      const struct attachment *a = attachment_with_handle(c, key->handle);
      key->live = 0;
      if (!a || !key->began || key->declined || !(a->handles & TOUCHROUTE_HANDLES_CANCELLED))
        continue;
      struct touchroute_touch *touch = &c->values[i].last;
      touch->phase = TOUCHROUTE_PHASE_CANCELLED;
      touch->cancel_reason = reason;
      touch->sample_count = 0;
      touch->path_size = 0;
      touch->age_us = 0;
      touch->previous_x = touch->x;
      touch->previous_y = touch->y;
      c->shown.touches[frame.record_count++] =
          (struct touchroute_record){.touch = touch, .path = c->values[i].path};
    }
    if (frame.record_count > 0)
      CALL(c, touches, &frame);
  }
}

/* ---- Gestures that last ---- */

/* Keeps in mind what has begun, so that a lost connection can end it. */
static void track_gesture(struct touchroute_connection *c, uint32_t id,
                          const struct touchroute_gesture *gesture, const char *path) {
  int lasts = gesture->state == TOUCHROUTE_GESTURE_BEGAN ||
              gesture->state == TOUCHROUTE_GESTURE_CHANGED;
  struct live_gesture *entry = NULL;
  for (size_t i = 0; i < TOUCHROUTE_CLIENT_GESTURES; i++) {
    struct live_gesture *known = &c->gestures[i];
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

/* Says cancelled of the gestures that last, of an attachment or of all (handle 0). */
static void cancel_gestures(struct touchroute_connection *c, uint32_t handle, uint8_t reason) {
  for (size_t i = 0; i < TOUCHROUTE_CLIENT_GESTURES; i++) {
    struct live_gesture *gesture = &c->gestures[i];
    if (!gesture->live || (handle && gesture->last.attachment != handle))
      continue;
    gesture->live = 0;
    gesture->last.state = TOUCHROUTE_GESTURE_CANCELLED;
    gesture->last.cancel_reason = reason;
    gesture->last.time_us = now_us();
    CALL(c, gesture, &gesture->last, gesture->path);
  }
}

/* ---- The daemon's messages ---- */

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
  c->max_request = welcome.max_request < TOUCHROUTE_MAX_REQUEST ? welcome.max_request
                                                                : TOUCHROUTE_MAX_REQUEST;
  c->state = STATE_WELCOME;
  CALL(c, welcome, &welcome, c->shown.screens);
  return 0;
}

/*
 * The attachment that holds or waits from now on: the answer to attach, which says the daemon's
 * number of it, or with serial 0 one of that number. NULL where there is none of which it is news.
 */
static struct attachment *take_place(struct touchroute_connection *c, uint32_t serial, uint32_t id,
                                     enum attachment_state state) {
  struct attachment *a = serial ? attachment_with_handle(c, serial) : attachment_with_id(c, id);
  if (!a || a->state == state || (serial && a->state != ATTACHMENT_SENT))
    return NULL;
  if (serial && a->detach_serial)
    c->owed++;
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

static int handle_attached(struct touchroute_connection *c, const struct touchroute_header *header,
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

/* The daemon has forgotten the recognizers of an attachment that lost its responder. */
static void owe_recognizers(struct touchroute_connection *c, uint32_t handle) {
  for (size_t i = 0; i < c->recognizer_count; i++) {
    struct recognizer *r = &c->recognizers[i];
    if (r->attachment != handle || r->remove_serial)
      continue;
    r->is_overtaken = r->state == RECOGNIZER_SENT;
    if (r->state != RECOGNIZER_ADDED)
      continue;
    r->state = RECOGNIZER_OWED;
    c->recognizers_owed++;
  }
}

static int handle_waiting(struct touchroute_connection *c, const struct touchroute_header *header,
                          struct cursor cursor) {
  struct touchroute_waiting waiting;
  const char *text;
  if (!take_struct(&cursor, &waiting, sizeof waiting) ||
      !(text = take_text(c, &cursor, waiting.text_size)))
    return malformed(c, header, too_short);
  struct attachment *a = take_place(c, waiting.serial, waiting.attachment, ATTACHMENT_WAITING);
  if (!a)
    return 0;
  uint32_t handle = a->handle;
  cancel_live(c, handle, cancel_reason(waiting.reason));
  cancel_gestures(c, handle, cancel_reason(waiting.reason));
  owe_recognizers(c, handle);
  owe_views(c, a, 0);
  CALL(c, waiting, handle, waiting.reason, text);
  return 0;
}

/* The serial of detach, where that was asked for and not sent; else 0. */
static uint32_t unsent_detach(const struct attachment *a) {
  return a->detach_sent ? 0 : a->detach_serial;
}

/* Says done to the program of a request that it would never be answered; 0: of none. */
static void answer_done(struct touchroute_connection *c, uint32_t serial) {
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
  struct attachment *a = done.serial ? attachment_with_detach(c, done.serial) : NULL;
  if (a) {
    cancel_live(c, a->handle, TOUCHROUTE_CANCEL_REQUESTED);
    cancel_gestures(c, a->handle, TOUCHROUTE_CANCEL_REQUESTED);
    forget_attachment(c, a);
  }
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
    struct attachment *a = attachment_with_detach(c, error.serial);
    if (!a)
      a = attachment_with_handle(c, error.serial);
    if (a) {
      unsent = unsent_detach(a);
      cancel_live(c, a->handle, TOUCHROUTE_CANCEL_REQUESTED);
      cancel_gestures(c, a->handle, TOUCHROUTE_CANCEL_REQUESTED);
      forget_attachment(c, a);
    }
    if (!take_recognizer_answer(c, error.serial, 0, error.code) ||
        !take_observe_answer(c, error.serial, error.code) ||
        !take_views_answer(c, &error.serial, &text))
      return 0;
    error.text_size = (uint32_t)strlen(text);
  }
  if (error.code == TOUCHROUTE_ERROR_PROTOCOL || error.code == TOUCHROUTE_ERROR_VERSION) {
    c->useless = error.code == TOUCHROUTE_ERROR_VERSION ? -EPROTONOSUPPORT : -EPROTO;
    snprintf(c->last_words, sizeof c->last_words, "%.*s", (int)sizeof c->last_words - 1, text);
  }
  CALL(c, error, &error, text);
  answer_done(c, unsent);
  return 0;
}

static int handle_gesture(struct touchroute_connection *c, const struct touchroute_header *header,
                          struct cursor cursor) {
  struct touchroute_gesture gesture;
  const char *path;
  if (!take_struct(&cursor, &gesture, sizeof gesture) || gesture.path_size > TOUCHROUTE_MAX_PATH ||
      !(path = take_text(c, &cursor, gesture.path_size)))
    return malformed(c, header, too_short);
  if (gesture.state < TOUCHROUTE_GESTURE_RECOGNIZED ||
      gesture.state > TOUCHROUTE_GESTURE_CANCELLED)
    return malformed(c, header, "it names a state that there is not");
  const struct attachment *a = attachment_with_id(c, gesture.attachment);
  if (!a)
    return 0;
  uint32_t id = gesture.recognizer;
  gesture.attachment = a->handle;
  gesture.recognizer = 0;
  for (size_t i = 0; i < c->recognizer_count; i++)
    if (c->recognizers[i].state == RECOGNIZER_ADDED && c->recognizers[i].id == id)
      gesture.recognizer = c->recognizers[i].handle;
  track_gesture(c, id, &gesture, path);
  CALL(c, gesture, &gesture, path);
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

/*
 * Shows the records of a touches message where they lie, with the program's numbers of the
 * attachments; says how many are ours, or -EPROTO.
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
      return malformed(c, header, no_phase);
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

static int handle_touches(struct touchroute_connection *c, const struct touchroute_header *header,
                          struct cursor cursor) {
  struct touchroute_touches head;
  if (!take_struct(&cursor, &head, sizeof head))
    return malformed(c, header, too_short);
  int count = take_records(c, header, cursor, &head);
  if (count <= 0)
    return count;
  c->message++;
  c->live_next = 0;
  while (c->live_count > 0 && !c->keys[c->live_count - 1].live)
    c->live_count--;
  c->last_sequence = head.sequence;
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

static int handle_detached(struct touchroute_connection *c, const struct touchroute_header *header,
                           struct cursor cursor) {
  struct touchroute_detached detached;
  const char *text;
  if (!take_struct(&cursor, &detached, sizeof detached) ||
      !(text = take_text(c, &cursor, detached.text_size)))
    return malformed(c, header, too_short);
  struct attachment *a = attachment_with_id(c, detached.attachment);
  if (!a)
    return 0;
  uint32_t handle = a->handle, unsent = unsent_detach(a);
  cancel_live(c, handle, cancel_reason(detached.reason));
  cancel_gestures(c, handle, cancel_reason(detached.reason));
  forget_attachment(c, a);
  CALL(c, detached, handle, detached.reason, text);
  answer_done(c, unsent);
  return 0;
}

static int handle_holder(struct touchroute_connection *c, const struct touchroute_header *header,
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

static int handle_closing(struct touchroute_connection *c, const struct touchroute_header *header,
                          struct cursor cursor) {
  struct touchroute_closing closing;
  const char *text;
  if (!take_struct(&cursor, &closing, sizeof closing) ||
      !(text = take_text(c, &cursor, closing.text_size)))
    return malformed(c, header, too_short);
  if (closing.reason == TOUCHROUTE_CLOSE_PROTOCOL && !c->useless)
    c->useless = -EPROTO;
  if (!c->last_words[0]) /* they follow "touchrouted ... ended the connection: " */
    snprintf(c->last_words, sizeof c->last_words, "%.*s", (int)sizeof c->last_words - 1,
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

/* The path and the chain of one observed touch. The links that were used before are not touched. */
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

static int handle_observed(struct touchroute_connection *c, const struct touchroute_header *header,
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
      return malformed(c, header, no_phase);
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

static int handle_observed_gesture(struct touchroute_connection *c,
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

static int handle_message(struct touchroute_connection *c, const struct touchroute_header *header,
                          struct cursor cursor) {
  c->text_used = 0;
  if (c->state != STATE_WELCOME && header->opcode != TOUCHROUTE_WELCOME &&
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
  case TOUCHROUTE_STATUS_ATTACHMENT:
  case TOUCHROUTE_STATUS_WAITING: return handle_status_attachment(c, header, cursor);
  case TOUCHROUTE_STATUS_DEVICE: return handle_status_device(c, header, cursor);
  case TOUCHROUTE_OBSERVED: return handle_observed(c, header, cursor);
  case TOUCHROUTE_OBSERVED_GESTURE: return handle_observed_gesture(c, header, cursor);
  default: return 0; /* of a newer daemon */
  }
}

/* ---- Connecting, and losing the connection ---- */

static int set_timer(struct touchroute_connection *c, uint32_t milliseconds) {
  struct itimerspec when = {.it_value = {.tv_sec = milliseconds / 1000,
                                         .tv_nsec = (long)(milliseconds % 1000) * 1000000}};
  return timerfd_settime(c->timer, 0, &when, NULL);
}

static void wait_before_retry(struct touchroute_connection *c, int error) {
  c->state = STATE_WAITING;
  if (c->delay_ms == 0)
    c->delay_ms = error == -EAGAIN ? FULL_DELAY_MS : FIRST_DELAY_MS;
  set_timer(c, c->delay_ms);
  c->delay_ms = c->delay_ms > LAST_DELAY_MS / 2 ? LAST_DELAY_MS : c->delay_ms * 2;
}

static int queue_hello(struct touchroute_connection *c) {
  struct touchroute_hello hello = {.serial = take_serial(c),
                                   .magic = TOUCHROUTE_MAGIC,
                                   .version = TOUCHROUTE_VERSION,
                                   .name_size = (uint32_t)strlen(c->name)};
  return queue(c, &hello, sizeof hello, TOUCHROUTE_HELLO, c->name, hello.name_size);
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

/* Says who may open the socket, and how this program's user comes to be one of them. */
static int explain_refusal(struct touchroute_connection *c, int error) {
  char user[64], owner[64], group[64];
  struct stat status;
  name_user(geteuid(), user, sizeof user);
  if (stat(c->socket_path, &status) < 0)
    return fail(c, error, "user %s may not open %s, as its folder may not be searched", user,
                c->socket_path);
  name_user(status.st_uid, owner, sizeof owner);
  name_group(status.st_gid, group, sizeof group);
  if (!(status.st_mode & S_IWGRP) || status.st_gid == 0)
    return fail(c, error, "user %s may not open %s: only user %s may, as with sudo", user,
                c->socket_path, owner);
  return fail(c, error,
              "user %s may not open %s: it is for the group %s. Join it (sudo usermod -aG %s %s), "
              "then log in or start the service anew",
              user, c->socket_path, group, group, user);
}

static int explain_connect(struct touchroute_connection *c, int error) {
  switch (error) {
  case ENOENT:
    return fail(c, error, "there is no socket at %s: is touchrouted running?", c->socket_path);
  case ECONNREFUSED:
    return fail(c, error, "nobody listens at %s: is touchrouted running?", c->socket_path);
  case EACCES: return explain_refusal(c, error);
  case EAGAIN:
    return fail(c, error, "touchrouted at %s has too many connections that wait for it",
                c->socket_path);
  default:
    return fail(c, error, "connecting to touchrouted at %s: %s", c->socket_path, strerror(error));
  }
}

/* Connects a socket, which does not block from then on. 0, or -1 with errno set. */
static int connect_socket(const struct touchroute_connection *c, int descriptor) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  memcpy(address.sun_path, c->socket_path, sizeof address.sun_path);
  struct timeval most = {.tv_sec = FULL_WAIT_S};
  if (!(c->flags & TOUCHROUTE_RECONNECT)) {
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
      (c->epoll >= 0 && epoll_ctl(c->epoll, EPOLL_CTL_ADD, descriptor, &event) < 0)) {
    int error = errno;
    close(descriptor);
    return explain_connect(c, error);
  }
  c->socket = descriptor;
  c->interest = event.events;
  c->state = STATE_GREETED;
  c->connected_us = now_us();
  c->max_request = TOUCHROUTE_MAX_REQUEST;
  c->input_used = c->output_start = c->output_end = 0;
  c->useless = 0;
  c->last_words[0] = 0;
  queue_hello(c);
  pay_owed(c);
  flush_output(c);
  return 0;
}

/* The daemon will not answer any more what it was asked of attachments that have ended since. */
static void owe_answers(struct touchroute_connection *c) {
  for (size_t i = 0; i < c->batch_count; i++) {
    struct batch *batch = &c->batches[i];
    c->unanswered += batch->attachment == 0 && batch->sent;
    batch->sent = 0; /* others are sent again */
  }
  for (size_t i = 0; i < c->recognizer_count; i++) {
    struct recognizer *r = &c->recognizers[i];
    r->is_overtaken = 0;
    if (r->is_silent)
      r->handle = 0;
    else
      c->unanswered += (size_t)r->is_asked;
    r->is_asked = r->is_silent = 0;
    if (r->state == RECOGNIZER_OVER)
      free_told_recognizer(c, r);
  }
}

/* What the daemon's end of the connection had is gone; what the program asked for is still owed. */
static void owe_everything(struct touchroute_connection *c) {
  owe_answers(c);
  c->recognizers_owed = 0;
  for (size_t i = c->recognizer_count; i-- > 0;) {
    struct recognizer *r = &c->recognizers[i];
    if (r->state == RECOGNIZER_FREE || r->state == RECOGNIZER_OVER)
      continue;
    int gone = r->remove_serial != 0;
    r->state = RECOGNIZER_OWED;
    r->remove_sent = 0;
    r->remove_serial = 0; /* what had no answer yet gets none */
    r->is_answered |= gone;
    c->recognizers_owed++;
    if (gone)
      forget_recognizer(c, r);
  }
  c->observe_owed = c->observe_serial != 0;
  c->observe_again = 0;
  c->owed = 0;
  for (size_t i = c->attachment_count; i-- > 0;) {
    struct attachment *a = &c->attachments[i];
    if (a->state == ATTACHMENT_FREE)
      continue;
    owe_views(c, a, 1);
    a->detach_sent = 1; /* keeps forget_attachment from counting it */
    if (a->state == ATTACHMENT_OWED)
      a->state = ATTACHMENT_SENT;
    if (a->detach_serial) {
      forget_attachment(c, a);
    } else {
      a->state = ATTACHMENT_OWED;
      a->detach_sent = 0;
      c->owed++;
    }
  }
}

/*
 * The first try is made at once: where a service manager holds the socket, the next daemon finds it
 * waiting. Those after it wait, until a connection has lasted.
 */
static void connect_again(struct touchroute_connection *c) {
  int error = c->delay_ms == 0 ? open_socket(c) : -ECONNRESET;
  if (error < 0)
    wait_before_retry(c, error);
  else
    c->delay_ms = FIRST_DELAY_MS;
}

/* The connection has ended for the reason that error holds: tells the program, then tries again. */
static int lose(struct touchroute_connection *c, int failure) {
  int again = (c->flags & TOUCHROUTE_RECONNECT) && !c->useless;
  c->failure = again ? 0 : c->useless ? c->useless : failure;
  c->state = again ? STATE_WAITING : STATE_ENDED;
  c->input_used = c->output_start = c->output_end = 0;
  if (c->epoll >= 0) {
    epoll_ctl(c->epoll, EPOLL_CTL_DEL, c->socket, NULL); /* a forked child may hold it open */
    close(c->socket);
    c->socket = -1;
  }
  cancel_live(c, 0, TOUCHROUTE_CANCEL_CONNECTION_LOST);
  cancel_gestures(c, 0, TOUCHROUTE_CANCEL_CONNECTION_LOST);
  if (again) {
    owe_everything(c);
    if (now_us() - c->connected_us >= LAST_DELAY_MS * UINT64_C(1000))
      c->delay_ms = 0;
  }
  char text[ERROR_SIZE];
  memcpy(text, c->error, sizeof text);
  CALL(c, lost, text);
  if (again && !c->doomed)
    connect_again(c);
  memcpy(c->error, text, sizeof text);
  return c->failure;
}

static int lose_at_end(struct touchroute_connection *c, int error) {
  if (c->last_words[0])
    fail(c, ECONNRESET, "touchrouted at %s ended the connection: %.400s", c->socket_path,
         c->last_words);
  else if (error && error != ECONNRESET) /* which only says that it had not read everything */
    fail(c, ECONNRESET, "the connection to touchrouted at %s broke: %s", c->socket_path,
         strerror(error));
  else
    fail(c, ECONNRESET, "touchrouted at %s ended the connection%s", c->socket_path,
         c->input_used ? " in the middle of a message" : "");
  return lose(c, -ECONNRESET);
}

/* ---- Dispatching ---- */

/* Calls the listener for every whole message of the input and keeps the rest. */
static int handle_input(struct touchroute_connection *c) {
  size_t start = 0;
  while (c->input_used - start >= sizeof(struct touchroute_header) && !c->doomed) {
    struct touchroute_header header;
    memcpy(&header, c->input + start, sizeof header);
    if (header.size < sizeof header || header.size % 8 != 0 ||
        header.size > TOUCHROUTE_MAX_MESSAGE) {
      int failure = malformed(c, &header, "no message has such a size");
      return lose(c, failure);
    }
    if (header.size > c->input_used - start)
      break;
    int failure =
        handle_message(c, &header, (struct cursor){.at = c->input + start, .left = header.size});
    if (failure < 0)
      return lose(c, failure);
    start += header.size;
  }
  c->input_used -= start;
  if (c->input_used > 0)
    memmove(c->input, c->input + start, c->input_used);
  return 0;
}

static int read_socket(struct touchroute_connection *c) {
  ssize_t count = recv(c->socket, c->input + c->input_used, sizeof c->input - c->input_used, 0);
  if (count > 0) {
    c->input_used += (size_t)count;
    return handle_input(c);
  }
  if (count < 0 && (errno == EAGAIN || errno == EINTR))
    return 0;
  return lose_at_end(c, count < 0 ? errno : 0);
}

static void retry(struct touchroute_connection *c) {
  uint64_t expirations;
  int error;
  if (read(c->timer, &expirations, sizeof expirations) == (ssize_t)sizeof expirations &&
      (error = open_socket(c)) < 0)
    wait_before_retry(c, error);
}

/*
 * For what can happen in this state itself: the epoll that programs wait for would be a second
 * queue that the kernel wakes for each message.
 */
static void wait_until_ready(const struct touchroute_connection *c, int timeout_ms) {
  struct pollfd ready = {.fd = c->timer, .events = POLLIN};
  if (c->state != STATE_WAITING)
    ready = (struct pollfd){.fd = c->socket,
                            .events = c->output_end > c->output_start ? POLLIN | POLLOUT : POLLIN};
  poll(&ready, 1, timeout_ms);
}

/* A request that the daemon will not answer, which is then forgotten; 0 where there is none. */
static uint32_t take_unanswered(struct touchroute_connection *c, uint32_t *opcode) {
  for (size_t i = 0; i < c->batch_count; i++) {
    uint32_t serial = c->batches[i].serial;
    if (c->batches[i].attachment != 0 || c->batches[i].sent)
      continue;
    forget_batch(c, i);
    *opcode = TOUCHROUTE_CHANGE_VIEWS;
    return serial;
  }
  for (size_t i = 0; i < c->recognizer_count; i++) {
    struct recognizer *r = &c->recognizers[i];
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

/* Answers in the daemon's place what it was never asked: what that is of has ended before. */
static void answer_rest(struct touchroute_connection *c) {
  static const char text[] = "its attachment has ended before the daemon was asked";
  for (size_t left = c->unanswered; left > 0 && !c->doomed; left--) {
    uint32_t opcode = 0, serial = take_unanswered(c, &opcode);
    struct touchroute_error error = {.serial = serial,
                                     .code = TOUCHROUTE_ERROR_NOT_ATTACHED,
                                     .request = opcode,
                                     .text_size = sizeof text - 1};
    c->unanswered--;
    if (opcode == TOUCHROUTE_REMOVE_GESTURE)
      answer_done(c, serial);
    else
      CALL(c, error, &error, text);
  }
}

int touchroute_dispatch(struct touchroute_connection *c, int timeout_ms) {
  if (c->dispatching)
    return fail(c, EBUSY, "touchroute_dispatch may not be called in a callback");
  if (c->failure)
    return c->failure;
  c->dispatching = 1;
  c->calls = 0;
  answer_rest(c);
  send_owed(c);
  if (timeout_ms != 0 && c->calls == 0)
    wait_until_ready(c, timeout_ms);
  int result = 0;
  if (c->state == STATE_WAITING)
    retry(c);
  else
    result = read_socket(c);
  if (result >= 0)
    answer_rest(c);
  c->dispatching = 0;
  if (c->doomed) {
    touchroute_disconnect(c);
    return -ECANCELED;
  }
  send_owed(c);
  return result < 0 ? result : c->calls;
}

int touchroute_flush(struct touchroute_connection *c) {
  if (c->failure)
    return c->failure;
  send_owed(c);
  if (c->output_end > 0)
    return fail(c, EAGAIN, "%zu bytes of requests wait for touchrouted, which does not read them",
                c->output_end - c->output_start);
  return 0;
}

int touchroute_get_fd(const struct touchroute_connection *c) {
  return c->epoll >= 0 ? c->epoll : c->socket;
}

short touchroute_get_events(const struct touchroute_connection *c) {
  return c->epoll < 0 && c->output_end > c->output_start ? POLLIN | POLLOUT : POLLIN;
}

const char *touchroute_error_text(const struct touchroute_connection *c) {
  return c ? c->error : connect_error;
}

/* ---- Beginning and end ---- */

/* The part of a name that hello has room for: cut between letters, never within one's bytes. */
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

static int prepare(struct touchroute_connection *c, const char *path, const char *name,
                   const struct touchroute_listener *listener) {
  if (!listener || listener->size < sizeof listener->size)
    return fail(c, EINVAL, "listener.size has to be sizeof(struct touchroute_listener)");
  memcpy(&c->listener, listener,
         listener->size < sizeof c->listener ? listener->size : sizeof c->listener);
  if (!path)
    path = getenv(TOUCHROUTE_SOCKET_VARIABLE);
  if (!path || !path[0])
    path = TOUCHROUTE_SOCKET_PATH;
  if (strlen(path) >= sizeof c->socket_path)
    return fail(c, ENAMETOOLONG, "the path of a socket can have %zu bytes at most: %.300s",
                sizeof c->socket_path - 1, path);
  memcpy(c->socket_path, path, strlen(path));
  if (!name || !name[0])
    name = program_invocation_short_name;
  copy_name(c->name, name && name[0] ? name : "unnamed");
  if (!(c->flags & TOUCHROUTE_RECONNECT))
    return open_socket(c);
  struct epoll_event event = {.events = EPOLLIN};
  if ((c->epoll = epoll_create1(EPOLL_CLOEXEC)) < 0 ||
      (c->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)) < 0 ||
      epoll_ctl(c->epoll, EPOLL_CTL_ADD, c->timer, &event) < 0)
    return fail(c, errno, "preparing to connect to %s: %s", c->socket_path, strerror(errno));
  int result = open_socket(c);
  if (result == -ENOENT || result == -ECONNREFUSED || result == -EAGAIN) {
    wait_before_retry(c, result);
    return 0;
  }
  return result;
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
  c->data = data;
  c->flags = flags;
  c->socket = c->epoll = c->timer = -1;
  c->next_serial = 1;
  int result = prepare(c, path, name, listener);
  if (result < 0) {
    memcpy(connect_error, c->error, sizeof connect_error);
    touchroute_disconnect(c);
    errno = -result;
    return NULL;
  }
  connect_error[0] = 0;
  return c;
}

void touchroute_disconnect(struct touchroute_connection *c) {
  if (!c)
    return;
  if (c->dispatching) {
    c->doomed = 1;
    return;
  }
  if (c->socket >= 0)
    close(c->socket);
  if (c->timer >= 0)
    close(c->timer);
  if (c->epoll >= 0)
    close(c->epoll);
  for (size_t i = 0; i < c->attachment_count; i++)
    free(c->attachments[i].views.steps);
  for (size_t i = 0; i < c->batch_count; i++)
    free(c->batches[i].request);
  free(c);
}

/* ---- Requests ---- */

/* 0 where a request can be queued now. */
static int check_connected(struct touchroute_connection *c) {
  if (c->failure)
    return c->failure;
  if (c->state == STATE_WAITING)
    return fail(c, ENOTCONN, "there is no connection to %s at the moment", c->socket_path);
  return 0;
}

static int check_path(struct touchroute_connection *c, const char *path, size_t size) {
  if (size > TOUCHROUTE_MAX_PATH)
    return fail(c, ENAMETOOLONG, "a responder's path can have %u bytes, this has %zu: %.64s...",
                TOUCHROUTE_MAX_PATH, size, path);
  return 0;
}

static struct attachment *free_attachment(struct touchroute_connection *c) {
  for (size_t i = 0; i < c->attachment_count; i++)
    if (c->attachments[i].state == ATTACHMENT_FREE)
      return &c->attachments[i];
  return c->attachment_count < TOUCHROUTE_CLIENT_ATTACHMENTS
             ? &c->attachments[c->attachment_count++]
             : NULL;
}

int touchroute_attach(struct touchroute_connection *c, const char *path, uint32_t handles,
                      uint32_t passes, uint32_t flags) {
  if (c->failure)
    return c->failure;
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
  if (size > sizeof c->paths - c->paths_used)
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
                           .path = (uint32_t)c->paths_used,
                           .path_size = (uint32_t)size};
  memcpy(c->paths + c->paths_used, path, size);
  c->paths_used += size;
  c->owed++;
  pay_owed(c);
  return finish_request(c, (int)serial);
}

int touchroute_detach(struct touchroute_connection *c, uint32_t attachment) {
  if (c->failure)
    return c->failure;
  struct attachment *a = attachment_with_handle(c, attachment);
  if (!a || a->detach_serial)
    return fail(c, ENOENT, "there is no attachment %u, or it is being detached",
                (unsigned)attachment);
  if (a->state == ATTACHMENT_OWED) {
    forget_attachment(c, a);
    return 0;
  }
  a->detach_serial = take_serial(c);
  int serial = (int)a->detach_serial;
  if (has_id(a))
    c->owed++; /* otherwise when it has been attached */
  pay_owed(c);
  return finish_request(c, serial);
}

/* accept and decline. The touch may have ended in what was read before its beginning was looked at,
   so it need not be live. */
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
  if (slot != TOUCHROUTE_CLIENT_TOUCHES && c->keys[slot].declined)
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

/* What is wrong with a recognizer whatever the daemon knows of it; NULL where nothing is. */
static const char *wrong_recognizer(const struct touchroute_recognizer *r) {
  if (!r->name || !r->name[0] || strlen(r->name) > TOUCHROUTE_MAX_NAME)
    return "it needs a name, of 255 bytes at most";
  if (r->kind < TOUCHROUTE_GESTURE_TAP || r->kind > TOUCHROUTE_GESTURE_EDGE_PAN)
    return "there is no such kind";
  if (r->fewest > 10 || r->most > 10 || (r->most > 0 && r->fewest > r->most) || r->taps > 10)
    return "fingers and taps are 10 at most, and the fewest fingers not more than the most";
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
    return "it has flags, or so many other recognizers, that there are not";
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

/* Writes the request, but for its serial and attachment; its size, or 0 where it is too long. */
static size_t write_recognizer(unsigned char *to, const struct touchroute_recognizer *r,
                               const char *view, size_t view_size) {
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
                                       .slop = r->slop,
                                       .distance = r->distance,
                                       .margin = r->margin,
                                       .slop_degrees = r->slop_degrees};
  size_t size = 0;
  if (!add_part(to, &size, &add, sizeof add) || !add_part(to, &size, r->name, add.name_size) ||
      !add_part(to, &size, view, view_size) || !add_part(to, &size, target, add.to_size) ||
      !add_names(to, &size, r->after, r->after_count) ||
      !add_names(to, &size, r->simultaneous, r->simultaneous_count))
    return 0;
  return size;
}

static struct recognizer *free_recognizer(struct touchroute_connection *c) {
  for (size_t i = 0; i < c->recognizer_count; i++)
    if (c->recognizers[i].state == RECOGNIZER_FREE)
      return &c->recognizers[i];
  return c->recognizer_count < TOUCHROUTE_CLIENT_RECOGNIZERS
             ? &c->recognizers[c->recognizer_count++]
             : NULL;
}

int touchroute_add_gesture(struct touchroute_connection *c, uint32_t attachment,
                           const struct touchroute_recognizer *wanted) {
  if (c->failure)
    return c->failure;
  const struct attachment *a = attachment_with_handle(c, attachment);
  if (!a || a->detach_serial)
    return fail(c, ENOENT, "there is no attachment %u, or it is being detached",
                (unsigned)attachment);
  const char *wrong = wrong_recognizer(wanted);
  if (wrong)
    return fail(c, EINVAL, "the gesture %.64s can't be: %s", wanted->name ? wanted->name : "",
                wrong);
  unsigned char request[TOUCHROUTE_MAX_REQUEST];
  const char *view = wanted->view ? wanted->view : c->paths + a->path;
  size_t size = write_recognizer(request, wanted, view,
                                 wanted->view ? strlen(wanted->view) : a->path_size);
  if (size == 0)
    return fail(c, EMSGSIZE, "the gesture %.64s is over the daemon's limit of %u bytes",
                wanted->name, TOUCHROUTE_MAX_REQUEST);
  if (size > sizeof c->descriptions - c->descriptions_used)
    return fail(c, ENOSPC, "the recognizers of a connection can have %u bytes together",
                TOUCHROUTE_CLIENT_DESCRIPTIONS);
  uint32_t serial = take_serial(c);
  struct recognizer *r = free_recognizer(c);
  if (!r)
    return fail(c, ENOSPC, "a connection can have %u recognizers", TOUCHROUTE_CLIENT_RECOGNIZERS);
  *r = (struct recognizer){.handle = serial,
                           .attachment = attachment,
                           .state = RECOGNIZER_OWED,
                           .at = (uint32_t)c->descriptions_used,
                           .size = (uint32_t)size};
  memcpy(c->descriptions + r->at, request, size);
  c->descriptions_used += size;
  c->recognizers_owed++;
  pay_owed(c);
  return finish_request(c, (int)serial);
}

int touchroute_remove_gesture(struct touchroute_connection *c, uint32_t recognizer) {
  if (c->failure)
    return c->failure;
  struct recognizer *r = recognizer_with(c, recognizer);
  if (!r || r->remove_serial)
    return fail(c, ENOENT, "there is no recognizer %u, or it is being taken away",
                (unsigned)recognizer);
  if (r->state == RECOGNIZER_OWED) {
    r->is_answered = 1; /* by this call */
    forget_recognizer(c, r);
    return 0;
  }
  r->remove_serial = take_serial(c);
  int serial = (int)r->remove_serial;
  if (r->state == RECOGNIZER_ADDED)
    c->recognizers_owed++; /* otherwise when it has been added */
  pay_owed(c);
  return finish_request(c, serial);
}

/* How many values a property has; -1 where there is no such property. */
static int value_count(uint32_t property) {
  switch (property) {
  case TOUCHROUTE_PROPERTY_HIDDEN:
  case TOUCHROUTE_PROPERTY_ALPHA:
  case TOUCHROUTE_PROPERTY_INTERACTION:
  case TOUCHROUTE_PROPERTY_ORDER:
  case TOUCHROUTE_PROPERTY_INSIDE:
  case TOUCHROUTE_PROPERTY_HIT:
  case TOUCHROUTE_PROPERTY_SECURE:
  case TOUCHROUTE_PROPERTY_EXCLUSIVE_TOUCH:
  case TOUCHROUTE_PROPERTY_MULTIPLE_TOUCH:
  case TOUCHROUTE_PROPERTY_LEVEL:
  case TOUCHROUTE_PROPERTY_ENABLED: return 1;
  case TOUCHROUTE_PROPERTY_BOUNDS_ORIGIN:
  case TOUCHROUTE_PROPERTY_SHAPE: return 2;
  case TOUCHROUTE_PROPERTY_FRAME:
  case TOUCHROUTE_PROPERTY_OUTSET: return 4;
  case TOUCHROUTE_PROPERTY_TRANSFORM: return 6;
  case TOUCHROUTE_PROPERTY_CONFIGURED: return 0;
  default: return -1;
  }
}

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
  switch (property) {
  case TOUCHROUTE_PROPERTY_HIDDEN:
  case TOUCHROUTE_PROPERTY_INTERACTION:
  case TOUCHROUTE_PROPERTY_SECURE:
  case TOUCHROUTE_PROPERTY_EXCLUSIVE_TOUCH:
  case TOUCHROUTE_PROPERTY_MULTIPLE_TOUCH:
  case TOUCHROUTE_PROPERTY_ENABLED:
    return is_whole(values[0], 0, 1) ? NULL : "its value has to be 0 or 1";
  case TOUCHROUTE_PROPERTY_ORDER:
    return is_whole(values[0], 0, INT32_MAX)
               ? NULL
               : "its value has to be a whole number from 0 to 2147483647";
  case TOUCHROUTE_PROPERTY_LEVEL:
    return is_whole(values[0], -1000000, 1000000)
               ? NULL
               : "its value has to be a whole number from -1000000 to 1000000";
  case TOUCHROUTE_PROPERTY_SHAPE:
    if (!is_whole(values[0], TOUCHROUTE_SHAPE_RECT, TOUCHROUTE_SHAPE_POLYGON))
      return "its first value has to be one of enum touchroute_shape";
    return values[0] == TOUCHROUTE_SHAPE_ROUNDED || values[1] == 0
               ? NULL
               : "a radius is for TOUCHROUTE_SHAPE_ROUNDED alone";
  case TOUCHROUTE_PROPERTY_INSIDE:
    return is_whole(values[0], TOUCHROUTE_INSIDE_BOUNDS, TOUCHROUTE_INSIDE_CHILDREN)
               ? NULL
               : "its value has to be one of enum touchroute_inside";
  case TOUCHROUTE_PROPERTY_HIT:
    return is_whole(values[0], TOUCHROUTE_HIT_DEFAULT, TOUCHROUTE_HIT_FIRST)
               ? NULL
               : "its value has to be one of enum touchroute_hit";
  default: return NULL;
  }
}

static size_t words_size(const struct touchroute_property_change *change) {
  return change->words ? strlen(change->words) : 0;
}

/* What is wrong with the words and points of a change; NULL where nothing is. */
static const char *wrong_parts(const struct touchroute_property_change *change) {
  int rule = (int)change->values[0];
  int is_hit = change->property == TOUCHROUTE_PROPERTY_HIT;
  int needs_words = is_hit && (rule == TOUCHROUTE_HIT_REDIRECT || rule == TOUCHROUTE_HIT_FIRST);
  int may_have_words = needs_words || (change->property == TOUCHROUTE_PROPERTY_INSIDE &&
                                       rule == TOUCHROUTE_INSIDE_CHILDREN);
  if (needs_words && words_size(change) == 0)
    return "its words have to be the path of a descendant";
  if (!may_have_words && words_size(change) > 0)
    return "it has no words";
  int is_polygon =
      change->property == TOUCHROUTE_PROPERTY_SHAPE && rule == TOUCHROUTE_SHAPE_POLYGON;
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
    if (value_count(changes[i].property) < 0)
      return fail(c, EINVAL, "setting %.256s: there is no property %u", path,
                  (unsigned)changes[i].property);
    const char *wrong = wrong_values(changes[i].property, changes[i].values);
    if (!wrong)
      wrong = wrong_parts(&changes[i]);
    if (wrong)
      return fail(c, EINVAL, "setting %.256s: property %u: %s", path,
                  (unsigned)changes[i].property, wrong);
    total += change_size(&changes[i]);
    if (total > c->max_request - sizeof(struct touchroute_set))
      return fail(c, EMSGSIZE,
                  "%u of %u changes fit into a request of %u bytes, the daemon's limit: set fewer "
                  "at once",
                  (unsigned)i, (unsigned)count, (unsigned)c->max_request);
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
static const char *wrong_step(const struct touchroute_view_change *step) {
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
    if (value_count(property->property) < 0)
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
static size_t step_size(const struct touchroute_view_change *step) {
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

static unsigned char *write_step(const struct touchroute_view_change *from, unsigned char *to) {
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

/* Measures steps, which have to fit into a request; a failure, or 0. */
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

/* Whether as much may be kept, once what is void is dropped. To remove views is possible always. */
static int check_kept(struct touchroute_connection *c, const struct touchroute_view_change *steps,
                      uint32_t count, const struct batch *batch) {
  int only_removes = 1;
  for (uint32_t i = 0; i < count; i++)
    only_removes &= steps[i].kind == TOUCHROUTE_STEP_REMOVE;
  if (only_removes || c->views_used + batch->kept_size <= TOUCHROUTE_CLIENT_VIEWS)
    return 0;
  for (size_t i = 0; i < c->attachment_count; i++)
    tidy_views(c, &c->attachments[i].views);
  if (c->views_used + batch->kept_size <= TOUCHROUTE_CLIENT_VIEWS)
    return 0;
  return fail(c, ENOSPC, "the views that a connection has added can have %u bytes together",
              TOUCHROUTE_CLIENT_VIEWS);
}

/* Memory for a request, and for what is kept of this one and of those before it. */
static int make_room(struct touchroute_connection *c, struct attachment *a, struct batch *batch) {
  size_t needed = a->views.used + batch->kept_size;
  for (size_t i = 0; i < c->batch_count; i++)
    if (c->batches[i].attachment == a->handle)
      needed += c->batches[i].kept_size;
  if (needed > a->views.capacity) {
    size_t capacity = needed * 2;
    unsigned char *steps = realloc(a->views.steps, capacity);
    if (!steps)
      return fail(c, ENOMEM, "no memory for the views of a connection");
    a->views.steps = steps;
    a->views.capacity = capacity;
  }
  batch->request = calloc(1, batch->size);
  return batch->request ? 0 : fail(c, ENOMEM, "no memory for the views of a connection");
}

int touchroute_change_views(struct touchroute_connection *c, uint32_t attachment,
                            const struct touchroute_view_change *steps, uint32_t count) {
  if (c->failure)
    return c->failure;
  struct attachment *a = attachment_with_handle(c, attachment);
  if (!a || a->detach_serial)
    return fail(c, ENOENT, "there is no attachment %u, or it is being detached",
                (unsigned)attachment);
  if (count == 0)
    return fail(c, EINVAL, "there is nothing to change");
  if (c->batch_count == TOUCHROUTE_CLIENT_BATCHES)
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
  c->views_used += batch.kept_size;
  c->batches[c->batch_count++] = batch;
  pay_owed(c);
  return finish_request(c, (int)batch.serial);
}

int touchroute_enable_gesture(struct touchroute_connection *c, uint32_t recognizer,
                              int is_enabled) {
  if (c->failure)
    return c->failure;
  const struct recognizer *r = recognizer_with(c, recognizer);
  if (!r || r->remove_serial)
    return fail(c, ENOENT, "there is no recognizer %u, or it is being taken away",
                (unsigned)recognizer);
  unsigned char *request = c->descriptions + r->at;
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

int touchroute_observe(struct touchroute_connection *c, int enable) {
  int result = check_connected(c);
  if (result == -ENOTCONN && !enable) {
    c->observe_serial = 0;
    c->observe_owed = 0;
    return 0;
  }
  if (result < 0)
    return result;
  struct touchroute_observe observe = {.serial = take_serial(c), .enable = enable != 0};
  result = queue(c, &observe, sizeof observe, TOUCHROUTE_OBSERVE, NULL, 0);
  if (result < 0)
    return result;
  c->observe_serial = enable ? observe.serial : 0;
  c->observe_owed = c->observe_answered = 0;
  return finish_request(c, (int)observe.serial);
}

int touchroute_inject(struct touchroute_connection *c, uint32_t screen,
                      const struct touchroute_contact *contacts, uint32_t count) {
  int result = check_connected(c);
  if (result < 0)
    return result;
  if (count == 0)
    return fail(c, EINVAL, "a frame to inject needs a contact");
  size_t most = (c->max_request - sizeof(struct touchroute_inject)) / sizeof *contacts;
  if (count > most)
    return fail(c, EMSGSIZE,
                "a frame to inject can have %zu contacts, in a request of %u bytes, the daemon's "
                "limit; this has %u",
                most, (unsigned)c->max_request, (unsigned)count);
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
  unsigned char *rest;
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
