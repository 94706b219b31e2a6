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
