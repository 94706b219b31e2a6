/*
 * touchroute.h: a client of touchrouted (touchroute.c), C11 and libc alone. Copy touchroute.h,
 * touchroute-protocol.h and touchroute.c into a program, or link libtouchroute.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TOUCHROUTE_H
#define TOUCHROUTE_H

#include "touchroute-protocol.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A connection to touchrouted.
 *
 * Threads: a connection belongs to one thread at a time; two connections have nothing in common.
 * Blocking: touchroute_dispatch with a time other than 0 waits. So does touchroute_connect without
 * TOUCHROUTE_RECONNECT, for up to 1 s, where too many connections wait for touchrouted before it.
 * Nothing else does.
 * Memory: touchroute_connect allocates once (1 MiB of addresses, of which only what is used is
 * ever touched); nothing else allocates.
 * Callbacks: touchroute_dispatch calls the listener, nothing else does. In a callback every
 * function may be called but touchroute_dispatch. What a callback's pointers point at is the
 * library's, and valid until it returns. Strings end in a zero byte and are never NULL.
 * Errors: a function that returns int returns a negative errno where it failed, and
 * touchroute_error_text says what was wrong, in a sentence.
 * Processes: descriptors are close-on-exec, no signal is raised (SIGPIPE) and none is caught.
 * After a fork the connection is the parent's: the child does not touch it.
 */
struct touchroute_connection;

/* What the library holds at most. */
#define TOUCHROUTE_CLIENT_ATTACHMENTS 256u /* attachments of a connection */
#define TOUCHROUTE_CLIENT_PATHS 65536u     /* bytes of their paths together */
#define TOUCHROUTE_CLIENT_TOUCHES 128u     /* live touches whose paths it keeps */
#define TOUCHROUTE_CLIENT_OUTPUT 131072u   /* bytes of requests that wait for the socket */
#define TOUCHROUTE_CLIENT_RECOGNIZERS 128u /* recognisers that a connection has added */
#define TOUCHROUTE_CLIENT_DESCRIPTIONS 65536u /* bytes of what they are, together */
#define TOUCHROUTE_CLIENT_GESTURES 32u     /* gestures that last, of which it keeps the latest */
#define TOUCHROUTE_CLIENT_VIEWS 2097152u   /* bytes of the views that a connection has added */
#define TOUCHROUTE_CLIENT_BATCHES 64u      /* change_views that wait for their answer */

/* One touch of a frame, as one attachment sees it. */
struct touchroute_record {
  /* As on the wire, but attachment is what touchroute_attach returned. */
  const struct touchroute_touch *touch;
  /* The target's; empty where it is over the limit. */
  const char *path;
  const struct touchroute_sample *samples; /* touch->sample_count */
};

/* All live touches of one device that this connection gets (rule T2). */
struct touchroute_frame {
  uint64_t time_us;
  uint64_t sequence; /* of the last frame, where the library itself says cancelled */
  uint32_t device;
  uint32_t record_count; /* at least 1 */
  const struct touchroute_record *records;
  int more; /* 1: the same frame goes on, with other touches, in the next call */
};

struct touchroute_screen_info {
  struct touchroute_screen screen;
  const char *name;
};

struct touchroute_chain_link {
  struct touchroute_chain_entry entry; /* attachment is the daemon's number */
  const char *path;
};

struct touchroute_observed_record {
  struct touchroute_observed_touch touch;
  const char *path;
  const struct touchroute_chain_link *chain; /* touch.chain_count */
};

struct touchroute_observation {
  uint64_t time_us;
  uint64_t sequence;
  uint32_t device;
  uint32_t record_count;
  const struct touchroute_observed_record *records;
  int more; /* as in touchroute_frame */
};

struct touchroute_property_change; /* see touchroute_set */

/*
 * What touchroute_dispatch calls. Any function may be NULL. An answer's serial is what the request
 * returned. A struct here is that of the wire, and its trailing parts follow as arguments.
 */
struct touchroute_listener {
  size_t size; /* sizeof(struct touchroute_listener), so that the struct can grow */

  /* Touches. Where the connection is lost, what was live is cancelled: CONNECTION_LOST. */
  void (*touches)(void *data, struct touchroute_connection *, const struct touchroute_frame *);

  /*
   * An attachment is in force: after touchroute_attach, again after each reconnection, and once it
   * need not wait any longer.
   */
  void (*attached)(void *data, struct touchroute_connection *, const struct touchroute_attached *);
  /* Its geometry changed. Comes before the first touch that the change affects. */
  void (*layout)(void *data, struct touchroute_connection *, const struct touchroute_attached *);
  /* It is no more, though nobody asked. Its live touches have been cancelled before. */
  void (*detached)(void *data, struct touchroute_connection *, uint32_t attachment,
                   uint32_t reason, const char *text);
  /* A request failed. One that bears the number of an attachment ends that attachment. */
  void (*error)(void *data, struct touchroute_connection *, const struct touchroute_error *,
                const char *text);

  /* The daemon answers: after touchroute_connect and each reconnection, or its screens changed. */
  void (*welcome)(void *data, struct touchroute_connection *, const struct touchroute_welcome *,
                  const struct touchroute_screen_info *screens);
  /* The daemon is about to end the connection. */
  void (*closing)(void *data, struct touchroute_connection *, uint32_t reason, const char *text);
  /* The connection has ended. With TOUCHROUTE_RECONNECT it is being made again. */
  void (*lost)(void *data, struct touchroute_connection *, const char *text);

  /* Answers to describe, ping, status, detach, set, observe, reload, inject, cancel, and to adding
     and removing gestures. */
  void (*view)(void *data, struct touchroute_connection *, const struct touchroute_view *,
               const char *path, const char *controller);
  void (*pong)(void *data, struct touchroute_connection *, uint32_t serial);
  void (*status_daemon)(void *data, struct touchroute_connection *,
                        const struct touchroute_status_daemon *, const uint64_t *counters,
                        const uint64_t *latencies, const char *version,
                        const char *configuration);
  void (*status_client)(void *data, struct touchroute_connection *,
                        const struct touchroute_status_client *, const char *name);
  void (*status_attachment)(void *data, struct touchroute_connection *,
                            const struct touchroute_status_attachment *, const char *path);
  void (*status_device)(void *data, struct touchroute_connection *,
                        const struct touchroute_status_device *, const char *name,
                        const char *node, const char *phys);
  void (*done)(void *data, struct touchroute_connection *, const struct touchroute_done *,
               const char *text);

  /* A frame as it was routed, after touchroute_observe. */
  void (*observed)(void *data, struct touchroute_connection *,
                   const struct touchroute_observation *);

  /*
   * Another program holds, or has let go of, a view or controller in the window that this one is
   * attached to (rule F6): the path says which, the name is that program's own.
   */
  void (*holder)(void *data, struct touchroute_connection *, const struct touchroute_holder *,
                 const char *path, const char *name);

  /*
   * An attachment that was made with TOUCHROUTE_ATTACH_WAIT stands in line: another client holds
   * its responder (reason 0), or it has lost it by a change of the configuration (enum
   * touchroute_detach_reason), and its live touches have been cancelled before. attached follows.
   */
  void (*waiting)(void *data, struct touchroute_connection *, uint32_t attachment, uint32_t reason,
                  const char *text);

  /*
   * What a gesture has come to, for an attachment made with TOUCHROUTE_ATTACH_GESTURES (rules G12,
   * G13 and G16). As on the wire, but attachment is what touchroute_attach returned, recognizer
   * what touchroute_add_gesture did, or 0 where another one declared it: the path, such as
   * "home/list#scroll", names it in any case. Where the connection is lost, what had begun is
   * cancelled: CONNECTION_LOST.
   */
  void (*gesture)(void *data, struct touchroute_connection *, const struct touchroute_gesture *,
                  const char *path);

  /* Of status: an attachment that stands in line for its responder, and has no touches. */
  void (*status_waiting)(void *data, struct touchroute_connection *,
                         const struct touchroute_status_attachment *, const char *path);

  /* Control socket, for those who observe: what any recogniser came to, and why it failed. */
  void (*observed_gesture)(void *data, struct touchroute_connection *,
                           const struct touchroute_observed_gesture *, const char *path,
                           const char *text);

  /*
   * Of describe: a recogniser. after and simultaneous are the paths of others, with commas between
   * them.
   */
  void (*described_gesture)(void *data, struct touchroute_connection *,
                            const struct touchroute_described_gesture *, const char *path,
                            const char *to, const char *after, const char *simultaneous);

  /*
   * Of describe, behind its view: what else there is to be said of a window, and of a view that a
   * program has added.
   */
  void (*view_details)(void *data, struct touchroute_connection *,
                       const struct touchroute_view_details *, const char *application);

  /*
   * Of describe, behind its view: a property that view has no place for, or that somebody has set
   * (enum touchroute_setter). Its path is NULL.
   */
  void (*view_property)(void *data, struct touchroute_connection *,
                        const struct touchroute_view_property *,
                        const struct touchroute_property_change *property);
};

enum touchroute_connect_flags {
  /*
   * Survive the daemon's restart, and wait for its start: connect again, at once, then after
   * 100 ms growing to 5 s, then attach, observe and add views and recognisers again, with the same
   * numbers. What is asked for again has one answer: no second done comes of it, and an error only
   * where it is over. Other requests that had no answer yet get none. Connecting is given up only
   * where it is of no use: no common version, or the daemon says that this client breaks the
   * protocol.
   */
  TOUCHROUTE_RECONNECT = 1 << 0,
};

/*
 * Connects and says hello; does not wait for the answer. Requests can be made at once.
 *
 * path: of the socket. NULL: the environment's TOUCHROUTE_SOCKET, then TOUCHROUTE_SOCKET_PATH.
 * name: what the daemon's status and log call this program. NULL: the name it was started by.
 * listener: is copied. data: is handed to its functions, and is the caller's.
 *
 * Returns NULL with errno set where it failed; touchroute_error_text(NULL) then says why. With
 * TOUCHROUTE_RECONNECT a daemon that is not there is no failure.
 */
struct touchroute_connection *touchroute_connect(const char *path, const char *name,
                                                 uint32_t flags,
                                                 const struct touchroute_listener *listener,
                                                 void *data);

/*
 * Ends the connection and frees it; the daemon detaches what it held. The listener is not called.
 * May be called in a callback, which is then the last. NULL is allowed.
 */
void touchroute_disconnect(struct touchroute_connection *connection);

/*
 * The descriptor to poll, the same for the connection's life and the library's own. When poll says
 * that it is ready, for whatever reason, call touchroute_dispatch.
 */
int touchroute_get_fd(const struct touchroute_connection *connection);

/* What to poll it for: POLLIN, and POLLOUT while requests wait. Ask before each poll. */
short touchroute_get_events(const struct touchroute_connection *connection);

/*
 * Sends what waits, reads once what has come and calls the listener for it.
 *
 * timeout_ms: how long to wait for something to happen. 0 never blocks, -1 waits for ever.
 *
 * Returns how many times the listener was called; 0 where the time was over, a signal came, or
 * there was no whole message yet. Negative where the connection has ended, and from then on:
 * -ECONNRESET, -EPROTO for a malformed message or a breach of protocol, -EPROTONOSUPPORT without a
 * common version. What was live has been cancelled by then, and lost been called.
 * -EBUSY in a callback; -ECANCELED where a callback has disconnected: the connection is then gone.
 */
int touchroute_dispatch(struct touchroute_connection *connection, int timeout_ms);

/*
 * Sends what waits. Rarely needed: a request is sent when it is made, but in a callback, where
 * touchroute_dispatch sends all of them together before it returns; what the socket does not take
 * goes with the next touchroute_dispatch. Returns 0, or -EAGAIN where some still waits.
 */
int touchroute_flush(struct touchroute_connection *connection);

/*
 * The last failure of this connection as a sentence, or an empty string. Of NULL: that of this
 * thread's last touchroute_connect. Valid until the next call of the library.
 */
const char *touchroute_error_text(const struct touchroute_connection *connection);

/*
 * The requests. Each returns the serial that its answer will bear, over 0, or:
 *   -EINVAL        an argument is out of range, or a value is no finite number
 *   -ENAMETOOLONG  the path is longer than TOUCHROUTE_MAX_PATH
 *   -EMSGSIZE      the request would be longer than the daemon takes: max_request of welcome
 *   -EAGAIN        TOUCHROUTE_CLIENT_OUTPUT is full; try again when poll says POLLOUT
 *   -ENOTCONN      there is no connection now; it is being made again
 *   or what touchroute_dispatch returned when the connection ended.
 */

/*
 * Attaches to the responder of that path: a window, view, controller or application (rules R2, R3).
 *
 * handles: enum touchroute_phases, at least one. passes: a subset of them, the phases that the next
 * responder up gets too. flags: enum touchroute_attach_flags.
 *
 * The number returned names the attachment in every event, until touchroute_detach is done, or
 * detached or an error that bears it has come. Answered by attached or error; with
 * TOUCHROUTE_ATTACH_WAIT also by waiting, and then by attached once nobody else holds the
 * responder. Never -EAGAIN or -ENOTCONN: it is sent when it can be. -ENOSPC: a limit of the
 * library, which the text names.
 */
int touchroute_attach(struct touchroute_connection *connection, const char *path,
                      uint32_t handles, uint32_t passes, uint32_t flags);

/*
 * Ends an attachment. Its touches still come until the answer, done; what is live then is cancelled
 * first. Returns 0 where the daemon does not have it, as there is no connection or attach was not
 * sent yet: it is over at once, and no answer comes.
 * However an attachment ends, what was asked of it is answered: where the daemon had yet to be
 * asked, by the library in the next touchroute_dispatch, with error NOT_ATTACHED.
 * -ENOENT: there is no such attachment, or it is being detached. Never -EAGAIN or -ENOTCONN.
 */
int touchroute_detach(struct touchroute_connection *connection, uint32_t attachment);

/*
 * Accepts a touch, as decision_timeout_ms after began would (rule R5). Has no answer; the daemon
 * ignores it where the touch has ended meanwhile.
 * -ENOENT: there is no such attachment, it is not attached, or the touch was declined for it.
 */
int touchroute_accept(struct touchroute_connection *connection, uint32_t attachment,
                      uint64_t touch);

/*
 * Declines a touch: the next responder up gets all of it, from its beginning (rule R5). Has no
 * answer. Possible for decision_timeout_ms after began, unless the touch was accepted, and then
 * even where it has ended meanwhile; the daemon ignores what comes later. Either way this
 * attachment is told nothing more of the touch, not even its end.
 * -ENOENT: there is no such attachment, or it is not attached.
 */
int touchroute_decline(struct touchroute_connection *connection, uint32_t attachment,
                       uint64_t touch);

/* A recogniser: what touchroute_recognizer_of returns, and what is to be otherwise. */
struct touchroute_recognizer {
  const char *name;  /* its path is that of its view, # and this */
  const char *view;  /* the path of its view; NULL: what the attachment is of */
  const char *to;    /* the responder of its client that is told; NULL: up the chain (rule G13) */
  uint32_t kind;     /* enum touchroute_gesture_kind */
  uint32_t fewest, most; /* fingers; 0: the kind's own; of a pinch and a rotation 2 at least */
  uint32_t taps;     /* of a tap; of a long press, before it */
  uint32_t direction; /* enum touchroute_direction: of a swipe and a pan */
  uint32_t edge;     /* enum touchroute_edge: of an edge pan */
  uint32_t flags;    /* enum touchroute_gesture_flags */
  uint32_t duration_ms, interval_ms, gather_ms;  /* TOUCHROUTE_NONE: the kind's own */
  double slop, distance, margin, slop_degrees; /* negative: the kind's own */
  const char *const *after; /* paths of those that must fail before it recognises (rule G7) */
  uint32_t after_count;
  const char *const *simultaneous; /* paths of those that may go on beside it (rule G6) */
  uint32_t simultaneous_count;
};

/* A recogniser of that kind and name, as nearly all want it. */
struct touchroute_recognizer touchroute_recognizer_of(uint32_t kind, const char *name);

/*
 * Adds a recogniser to the view of an attachment, or to one that lies in it; it lasts as long as
 * the attachment (rule G1). As UIKit's addGestureRecognizer:
 *
 *   struct touchroute_recognizer scroll =
 *       touchroute_recognizer_of(TOUCHROUTE_GESTURE_PAN, "scroll");
 *   touchroute_add_gesture(c, list, &scroll);
 *
 * The number returned names it in gesture events and in touchroute_remove_gesture. Answered by
 * done, or by error, which ends it. It is added once the attachment is in force, and again after
 * each reconnection and each time that the attachment has stood in line, with the same number: of
 * that the program hears only where it is refused. Never -EAGAIN or -ENOTCONN: it is sent when it
 * can be. -ENOENT: there is no such attachment. -ENOSPC: a limit of the library, which the text
 * names.
 */
int touchroute_add_gesture(struct touchroute_connection *connection, uint32_t attachment,
                           const struct touchroute_recognizer *recognizer);

/*
 * Takes a recogniser away; what has begun with it is cancelled before the answer, done. Returns 0
 * where the daemon does not have it yet, or there is no connection: it is over at once, and no
 * answer comes. -ENOENT: there is no such recogniser, or it is being taken away.
 */
int touchroute_remove_gesture(struct touchroute_connection *connection, uint32_t recognizer);

/*
 * Has a recogniser that this program has added take part, or not: UIKit's isEnabled. What has begun
 * with one that is disabled is cancelled before the answer, done; it takes touches again that begin
 * once it is enabled. It stays so over reconnections. Returns 0 where the daemon does not have it
 * yet: it is added so, and no answer comes. Others, such as those that the configuration declares,
 * are enabled with TOUCHROUTE_PROPERTY_ENABLED of touchroute_set. -ENOENT: there is no such
 * recogniser, or it is being taken away.
 */
int touchroute_enable_gesture(struct touchroute_connection *connection, uint32_t recognizer,
                              int is_enabled);

/* A property of a view or window, or of a recogniser (home/list#scroll), as it is to be. */
struct touchroute_property_change {
  const char *path;
  uint32_t property; /* enum touchroute_property */
  double values[6];  /* those that it has; the rest is not looked at */
  /* Of inside and hit: the subviews' names, with commas, or the descendant's path; else NULL. */
  const char *words;
  /* Of shape: x and y of each point of a polygon; else NULL and 0. */
  const double *points;
  uint32_t point_count;
};

/*
 * Changes views and windows that this program holds, or that are in one that it holds; on the
 * control socket any. The changes are made in their order and all at once, between two frames, or,
 * where one cannot be made, none is. Answered by done or error. One change:
 *
 *   touchroute_set(c, &(struct touchroute_property_change){
 *       .path = "home/list", .property = TOUCHROUTE_PROPERTY_BOUNDS_ORIGIN,
 *       .values = {0, scrolled}}, 1);
 *
 * What is set goes with the attachment through which it was set; what is set by a rule's right with
 * the connection; what is set on the control socket stays (rule L6). All of it outlasts a reload of
 * the configuration, not a daemon that dies, and the library does not repeat it. A program that
 * needs it sets it where it hears welcome, which comes from each new daemon; what was asked before,
 * such as attach, is carried out before.
 * -EMSGSIZE: so many changes do not fit into one request.
 */
int touchroute_set(struct touchroute_connection *connection,
                   const struct touchroute_property_change *changes, uint32_t count);

/* A step of touchroute_change_views. */
struct touchroute_view_change {
  uint32_t kind;          /* enum touchroute_view_step_kind */
  const char *path;       /* from the attachment's view on: "row-1", "row-1/icon"; of a change NULL
                             or empty: that view itself */
  const char *controller; /* of one that is added: the name of its controller; else NULL */
  /* Of one that is added at least the frame; their paths are not looked at. */
  const struct touchroute_property_change *properties;
  uint32_t property_count;
};

/*
 * Adds views of this program's own in the view of an attachment, changes them, and removes those
 * that it has added (rule L7): all steps at once, between two frames, or, where one cannot be made,
 * none. Answered by done or error, which names the step. First views come and go, in the order of
 * the steps, then properties are set. One row of a list:
 *
 *   touchroute_change_views(c, list, &(struct touchroute_view_change){
 *       .kind = TOUCHROUTE_STEP_ADD, .path = "row-1", .property_count = 1,
 *       .properties = &(struct touchroute_property_change){
 *           .property = TOUCHROUTE_PROPERTY_FRAME, .values = {0, 0, 480, 40}}}, 1);
 *
 * The views go with the attachment. The library keeps what was done and adds the views again where
 * the connection is made again, before the attachments to them and their recognisers. Those that a
 * new configuration does not keep are gone: the added_count of layout, which counts those that were
 * added through the attachment and are there, is smaller, and touchroute_describe says which are
 * left (TOUCHROUTE_DETAILS_ADDED). Another daemon is asked for those too: for all that was added
 * and not removed. A view that can't be added again is left out with what lies in it, and error
 * says so, with serial 0; after 32 of them the others are not tried. A request is sent once the
 * attachment is in force.
 * -EMSGSIZE: so many steps do not fit into TOUCHROUTE_MAX_CHANGE_VIEWS bytes: some 900 rows do.
 * -ENOSPC: TOUCHROUTE_CLIENT_VIEWS is reached. -EAGAIN: TOUCHROUTE_CLIENT_BATCHES is.
 */
int touchroute_change_views(struct touchroute_connection *connection, uint32_t attachment,
                            const struct touchroute_view_change *steps, uint32_t count);

/*
 * Asks for the views of a responder, in the order that touches' targets count: from the first,
 * count of them or, where that is 0, as many as one answer holds. An empty path or NULL: every view
 * of every window. Answered by view, several times, then done, whose total is how many there are.
 */
int touchroute_describe(struct touchroute_connection *connection, const char *path,
                        uint32_t first, uint32_t count);

/* Answered by pong, after the answers to everything asked before. */
int touchroute_ping(struct touchroute_connection *connection);

/* Control socket. Answered by status_daemon, _client, _attachment and _device, then done. */
int touchroute_status(struct touchroute_connection *connection);

/*
 * Control socket. Asks for observed, or ends it (enable 0). Answered by done, once: where it is
 * asked for again after a reconnection, by error alone, which ends it. Returns 0 where it is
 * to end and there is no connection: no answer comes.
 */
int touchroute_observe(struct touchroute_connection *connection, int enable);

/* Control socket. Has the configuration read again. Answered by done, or error: its problems. */
int touchroute_reload(struct touchroute_connection *connection);

/*
 * Control socket. A frame of a touchscreen that there is not, at the time at which the daemon reads
 * it: the fingers that change in it. The touchscreen is this connection's, and when that ends, or
 * is lost, its touches are cancelled: DEVICE_REMOVED. Answered by done, whose total is the device
 * that its touches are of, or error where the frame cannot be: a finger that begins twice, or moves
 * without being down.
 * screen: index into those of welcome; another one than before only with no finger down.
 * -EMSGSIZE: so many contacts do not fit into one request.
 */
int touchroute_inject(struct touchroute_connection *connection, uint32_t screen,
                      const struct touchroute_contact *contacts, uint32_t count);

/*
 * Control socket. Cancels a touch for everybody who gets it, REQUESTED; 0: every touch that is
 * live. Answered by done, whose total says how many were.
 */
int touchroute_cancel(struct touchroute_connection *connection, uint64_t touch);

/* The words that the tool and the logs use: "began", "device removed". "unknown" for any other. */
const char *touchroute_phase_name(uint32_t phase);
const char *touchroute_cancel_reason_name(uint32_t reason);
/* The words of the configuration, of `touchroute listen --json` and of its --exec: "long_press". */
const char *touchroute_gesture_kind_name(uint32_t kind);
const char *touchroute_gesture_state_name(uint32_t state);
const char *touchroute_direction_name(uint32_t direction);

#ifdef __cplusplus
}
#endif
#endif
