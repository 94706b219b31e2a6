/*
 * touchroute.h: a client of touchrouted, in C11, with libc alone. Copy touchroute.h,
 * touchroute-protocol.h and touchroute.c into your program, or link libtouchroute.
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
 * A connection to touchrouted. The examples' hello.c is a whole program.
 *
 * Threads: use a connection from one thread at a time. Two connections share nothing.
 * Blocking: touchroute_dispatch waits if its time is not 0. touchroute_connect waits for up to 1 s,
 * without TOUCHROUTE_RECONNECT and only if too many connections already wait for touchrouted.
 * Nothing else waits.
 * Memory: touchroute_connect allocates once: 1 MiB of address space, which takes memory only as it
 * is used. If you add views, touchroute_change_views and touchroute_dispatch allocate room for
 * these. Nothing else allocates.
 * Callbacks: only touchroute_dispatch calls the listener. In a callback you may call every function
 * except touchroute_dispatch. The library owns what a callback's pointers point at; it is valid
 * until the callback returns. Strings end in a zero byte and are never NULL, except where said.
 * Errors: a function that returns int returns a negative errno if it fails. touchroute_error_text
 * then says in a sentence what is wrong.
 * Processes: descriptors are close-on-exec. The library raises no signal (SIGPIPE) and catches
 * none. After a fork only the parent may use the connection.
 */
struct touchroute_connection;

/* What the library holds at most. */
#define TOUCHROUTE_CLIENT_ATTACHMENTS 256u /* attachments of a connection */
#define TOUCHROUTE_CLIENT_PATHS 65536u     /* bytes of their paths together */
#define TOUCHROUTE_CLIENT_TOUCHES 128u     /* live touches whose paths it keeps */
#define TOUCHROUTE_CLIENT_OUTPUT 131072u   /* bytes of requests that wait for the socket */
#define TOUCHROUTE_CLIENT_RECOGNIZERS 128u /* recognizers that a connection has added */
#define TOUCHROUTE_CLIENT_DESCRIPTIONS 65536u /* bytes of their requests together */
#define TOUCHROUTE_CLIENT_GESTURES 32u     /* gestures in progress whose last event it keeps */
#define TOUCHROUTE_CLIENT_VIEWS 2097152u   /* bytes of the views that a connection has added */
#define TOUCHROUTE_CLIENT_BATCHES 64u      /* change_views that wait for their answer */

/* One touch of a frame, as one attachment sees it. */
struct touchroute_record {
  /* As on the wire, but attachment is what touchroute_attach returned. */
  const struct touchroute_touch *touch;
  /* The target's path; empty if it is longer than TOUCHROUTE_MAX_PATH. */
  const char *path;
  const struct touchroute_sample *samples; /* touch->sample_count */
};

/* All live touches of one device that this connection gets (rule T2). */
struct touchroute_frame {
  uint64_t time_us;
  uint64_t sequence; /* the last frame's, if the library itself reports cancelled */
  uint32_t device;
  uint32_t record_count; /* at least 1 */
  const struct touchroute_record *records;
  int more; /* 1: the next call has further touches of the same frame */
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
 * The functions that touchroute_dispatch calls. Any of them may be NULL. An answer's serial is the
 * number that the request returned. Each function gets a struct of the wire; its trailing parts
 * follow as arguments.
 */
struct touchroute_listener {
  size_t size; /* sizeof(struct touchroute_listener), so that the struct can grow */

  /* Touches. If the connection is lost, live touches are cancelled: CONNECTION_LOST. */
  void (*touches)(void *data, struct touchroute_connection *, const struct touchroute_frame *);

  /*
   * An attachment is in force: after touchroute_attach, after each reconnection, and when it no
   * longer waits.
   */
  void (*attached)(void *data, struct touchroute_connection *, const struct touchroute_attached *);
  /* An attachment's geometry changed. Comes before the first touch that the change affects. */
  void (*layout)(void *data, struct touchroute_connection *, const struct touchroute_attached *);
  /* An attachment has ended, not by touchroute_detach. Its live touches are cancelled first. */
  void (*detached)(void *data, struct touchroute_connection *, uint32_t attachment,
                   uint32_t reason, const char *text);
  /* A request failed. If the serial is an attachment's number, that attachment has ended. */
  void (*error)(void *data, struct touchroute_connection *, const struct touchroute_error *,
                const char *text);

  /* The daemon answers: after touchroute_connect, each reconnection, and a change of screens. */
  void (*welcome)(void *data, struct touchroute_connection *, const struct touchroute_welcome *,
                  const struct touchroute_screen_info *screens);
  /* The daemon is about to end the connection. */
  void (*closing)(void *data, struct touchroute_connection *, uint32_t reason, const char *text);
  /* The connection has ended. With TOUCHROUTE_RECONNECT the library now reconnects. */
  void (*lost)(void *data, struct touchroute_connection *, const char *text);

  /* Answers: view to describe, pong to ping, status_... to status. done ends those of describe and
     status, and answers every other request but attach and ping. */
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
   * Another program now holds, or no longer holds, a view or controller in the window that this
   * program is attached to (rule F6). path is the responder's; name is what that program calls
   * itself.
   */
  void (*holder)(void *data, struct touchroute_connection *, const struct touchroute_holder *,
                 const char *path, const char *name);

  /*
   * An attachment made with TOUCHROUTE_ATTACH_WAIT waits in the queue for its responder. Either
   * another client holds it (reason 0), or the attachment lost it by a change of the configuration
   * (enum touchroute_detach_reason); its live touches are cancelled first. attached follows.
   */
  void (*waiting)(void *data, struct touchroute_connection *, uint32_t attachment, uint32_t reason,
                  const char *text);

  /*
   * A gesture, for an attachment made with TOUCHROUTE_ATTACH_GESTURES (rules G12, G13 and G16). As
   * on the wire, but attachment is what touchroute_attach returned. recognizer is what
   * touchroute_add_gesture returned, or 0 if this program did not add it. The path, such as
   * "home/list#scroll", names it in any case. If the connection is lost, gestures that had begun
   * are cancelled: CONNECTION_LOST.
   */
  void (*gesture)(void *data, struct touchroute_connection *, const struct touchroute_gesture *,
                  const char *path);

  /* Of status: an attachment that waits in the queue for its responder, and has no touches. */
  void (*status_waiting)(void *data, struct touchroute_connection *,
                         const struct touchroute_status_attachment *, const char *path);

  /* Control socket, after touchroute_observe: what a recognizer came to, and why it failed. */
  void (*observed_gesture)(void *data, struct touchroute_connection *,
                           const struct touchroute_observed_gesture *, const char *path,
                           const char *text);

  /*
   * Of describe: a recognizer. after and simultaneous are paths of other recognizers, separated by
   * commas.
   */
  void (*described_gesture)(void *data, struct touchroute_connection *,
                            const struct touchroute_described_gesture *, const char *path,
                            const char *to, const char *after, const char *simultaneous);

  /*
   * Of describe, after the view: further properties of a window, and of a view that a program has
   * added.
   */
  void (*view_details)(void *data, struct touchroute_connection *,
                       const struct touchroute_view_details *, const char *application);

  /*
   * Of describe, after the view: a property that struct touchroute_view has no field for, or an
   * override, with who set it (enum touchroute_setter). The property's path is NULL.
   */
  void (*view_property)(void *data, struct touchroute_connection *,
                        const struct touchroute_view_property *,
                        const struct touchroute_property_change *property);

  /* A screen is dark, waking or on (rule D2). Its blanker hears it, and who watches screens. */
  void (*screen_state)(void *data, struct touchroute_connection *,
                       const struct touchroute_screen_state *, const char *name);
  /* Nobody has touched what touchroute_watch_idle is about for so long, or somebody does again. */
  void (*idle)(void *data, struct touchroute_connection *, const struct touchroute_idle *);

  /* Of status: a screen, and an attachment that inhibits idle. blanker is what it calls itself. */
  void (*status_screen)(void *data, struct touchroute_connection *,
                        const struct touchroute_status_screen *, const char *name,
                        const char *blanker);
  void (*status_inhibitor)(void *data, struct touchroute_connection *,
                           const struct touchroute_status_attachment *, const char *path);

  /* A screen is locked, or no longer (rule D9): after touchroute_watch_screens. */
  void (*lock_state)(void *data, struct touchroute_connection *,
                     const struct touchroute_lock_state *, const char *name);
  /* Of status: a screen's lock. */
  void (*status_lock)(void *data, struct touchroute_connection *,
                      const struct touchroute_status_lock *, const char *name);

  /* Of status, after status_device: what its filters have done, and what is wrong with it. */
  void (*status_signal)(void *data, struct touchroute_connection *,
                        const struct touchroute_status_signal *, const char *text);

  /* Control socket, after touchroute_observe: what a filter did, and what is wrong. */
  void (*observed_signal)(void *data, struct touchroute_connection *,
                          const struct touchroute_observed_signal *, const char *text);

  /*
   * Control socket, after touchroute_observe with TOUCHROUTE_OBSERVE_CHANGES: what else decides
   * where touches go. path is the responder's; name is what the client calls itself.
   */
  void (*observed_change)(void *data, struct touchroute_connection *,
                          const struct touchroute_observed_change *, const char *path,
                          const char *name);

  /*
   * Something was hit (rules D10 to D12), after touchroute_watch_feedback. name is the feedback's;
   * target the path of the view or recognizer, "" if it is secure.
   */
  void (*feedback)(void *data, struct touchroute_connection *, const struct touchroute_feedback *,
                   const char *name, const char *target);
};

enum touchroute_connect_flags {
  /*
   * Survive the daemon's restart, and wait for its start. The library connects again, at once, then
   * after pauses that grow from 100 ms to 5 s. Then it attaches, observes and adds views and
   * recognizers again, under the same numbers. Such a request has one answer: no second done comes,
   * and an error only if it is over. Other requests without an answer so far get none. The library
   * gives up only if trying is of no use: no common version, or the daemon says that this client
   * breaks the protocol.
   */
  TOUCHROUTE_RECONNECT = 1 << 0,
};

/*
 * Connects and says hello; does not wait for the answer. You can make requests at once.
 *
 * path: the socket's path. NULL: the environment's TOUCHROUTE_SOCKET, then TOUCHROUTE_SOCKET_PATH.
 * name: what the daemon's status and log call this program. NULL: the name it was started by.
 * flags: enum touchroute_connect_flags, or 0.
 * listener: the functions to call; the library copies the struct.
 * data: passed to each of these functions; the library does not look at it.
 *
 * Returns NULL and sets errno if it fails; touchroute_error_text(NULL) then says why. With
 * TOUCHROUTE_RECONNECT it is no failure if no daemon runs yet.
 */
struct touchroute_connection *touchroute_connect(const char *path, const char *name,
                                                 uint32_t flags,
                                                 const struct touchroute_listener *listener,
                                                 void *data);

/*
 * Ends the connection and frees it. The daemon ends its attachments. The listener is not called.
 * You may call it in a callback, which is then the last one. NULL is allowed.
 */
void touchroute_disconnect(struct touchroute_connection *connection);

/*
 * Returns the descriptor to poll. It stays the same for the connection's life; the library owns it.
 * When poll reports that it is ready, for any reason, call touchroute_dispatch.
 */
int touchroute_get_fd(const struct touchroute_connection *connection);

/*
 * Returns the events to poll the descriptor for. They are POLLIN, and POLLOUT while requests wait
 * for the socket. Call it before each poll. With TOUCHROUTE_RECONNECT they are always POLLIN.
 */
short touchroute_get_events(const struct touchroute_connection *connection);

/*
 * Sends waiting requests, reads once, and calls the listener for what has come.
 *
 * timeout_ms: how long to wait until something happens. 0 never blocks, -1 waits for ever.
 *
 * Returns how many times it called the listener. 0: the time was over, a signal came, or no whole
 * message has come yet. Negative:
 *   -ECONNRESET       the connection has ended
 *   -EPROTO           it has ended by a malformed message, or this client broke the protocol
 *   -EPROTONOSUPPORT  it has ended, as there is no common version of the protocol
 *   -EBUSY            you called it in a callback
 *   -ECANCELED        a callback has called touchroute_disconnect: the connection is gone
 *
 * When the connection ends, the library reports cancelled for what was live, then lost, and every
 * later call returns the same.
 */
int touchroute_dispatch(struct touchroute_connection *connection, int timeout_ms);

/*
 * Sends waiting requests. You rarely need it: a request is sent when you make it. Those made in a
 * callback are sent together, before touchroute_dispatch returns. What the socket does not take is
 * sent by the next touchroute_dispatch. Returns 0, or -EAGAIN if some still wait.
 */
int touchroute_flush(struct touchroute_connection *connection);

/*
 * Returns the connection's last failure as a sentence, or an empty string. With NULL it returns
 * the failure of this thread's last touchroute_connect. Valid until the next call of the library.
 */
const char *touchroute_error_text(const struct touchroute_connection *connection);

/*
 * The requests. Each returns the serial of its answer, which is over 0, or:
 *   -EINVAL        an argument is out of range, or a number is not finite
 *   -ENAMETOOLONG  the path is longer than TOUCHROUTE_MAX_PATH
 *   -EMSGSIZE      the request is longer than the daemon takes: max_request of welcome
 *   -EAGAIN        TOUCHROUTE_CLIENT_OUTPUT is full; try again when poll says POLLOUT
 *   -ENOTCONN      there is no connection now; the library is reconnecting
 *   or what touchroute_dispatch returned when the connection ended.
 */

/*
 * Attaches to the responder at a path: a window, view, controller or application (rules R2, R3).
 *
 * handles: the phases that you want, at least one (enum touchroute_phases).
 * passes: those of them that the next responder up gets too.
 * flags: enum touchroute_attach_flags, or 0.
 *
 * Returns a number that names the attachment in every event. It is valid until touchroute_detach is
 * done, or until detached or an error with that number has come. Answered by attached or error.
 * With TOUCHROUTE_ATTACH_WAIT, waiting may come first, and attached once the responder is free.
 *
 * Never fails with -EAGAIN or -ENOTCONN: the request is sent as soon as possible. -ENOSPC: a limit
 * of the library is reached; the text names it.
 */
int touchroute_attach(struct touchroute_connection *connection, const char *path,
                      uint32_t handles, uint32_t passes, uint32_t flags);

/*
 * Ends an attachment. Its touches still come until the answer, done; live ones are cancelled first.
 * Returns 0 if the daemon does not have the attachment: there is no connection, or attach was not
 * sent yet. It has then ended at once, and no answer comes.
 *
 * However an attachment ends, each request made of it is answered. If the daemon had yet to be
 * asked, the library answers in the next touchroute_dispatch, with error NOT_ATTACHED.
 *
 * -ENOENT: there is no such attachment, or it is being detached. Never -EAGAIN or -ENOTCONN.
 */
int touchroute_detach(struct touchroute_connection *connection, uint32_t attachment);

/*
 * Accepts a touch, as otherwise happens decision_timeout_ms after began (rule R5). Has no answer.
 * The daemon ignores it if the touch has ended meanwhile.
 * -ENOENT: there is no such attachment, it is not attached, or the touch was declined for it.
 */
int touchroute_accept(struct touchroute_connection *connection, uint32_t attachment,
                      uint64_t touch);

/*
 * Declines a touch. The next responder up gets all of it, from its beginning (rule R5). Has no
 * answer. Decline within decision_timeout_ms after began, and before you accept; the touch may have
 * ended meanwhile. The daemon ignores a decline that comes later. Either way this attachment hears
 * nothing more of the touch, not even its end.
 * -ENOENT: there is no such attachment, or it is not attached.
 */
int touchroute_decline(struct touchroute_connection *connection, uint32_t attachment,
                       uint64_t touch);

/* A recognizer. Start with touchroute_recognizer_of, then change what you want otherwise. */
struct touchroute_recognizer {
  const char *name;  /* its path is the view's, then #, then this */
  const char *view;  /* the path of its view; NULL: the attachment's view */
  const char *to;    /* the responder of this client that hears of it; NULL: up the chain (G13) */
  uint32_t kind;     /* enum touchroute_gesture_kind */
  uint32_t fewest, most; /* fingers; 0: the kind's default; a pinch or rotation needs at least 2 */
  uint32_t taps;     /* of a tap; of a long press, the taps before it */
  uint32_t direction; /* enum touchroute_direction: of a swipe and a pan */
  uint32_t edge;     /* enum touchroute_edge: of an edge pan */
  uint32_t flags;    /* enum touchroute_gesture_flags */
  uint32_t duration_ms, interval_ms, gather_ms;  /* TOUCHROUTE_NONE: the kind's default */
  double slop, distance, margin, slop_degrees; /* negative: the kind's default */
  const char *const *after; /* paths of recognizers that must fail before it recognizes (G7) */
  uint32_t after_count;
  const char *const *simultaneous; /* paths of recognizers that may go on beside it (G6) */
  uint32_t simultaneous_count;
};

/* Returns a recognizer of a kind and name, with the kind's defaults. */
struct touchroute_recognizer touchroute_recognizer_of(uint32_t kind, const char *name);

/*
 * Adds a recognizer to the view of an attachment, or to a view in it (rule G1). It lasts as long as
 * the attachment. Like UIKit's addGestureRecognizer:
 *
 *   struct touchroute_recognizer scroll =
 *       touchroute_recognizer_of(TOUCHROUTE_GESTURE_PAN, "scroll");
 *   touchroute_add_gesture(c, list, &scroll);
 *
 * Returns a number that names it in gesture events and in touchroute_remove_gesture. Answered by
 * done, or by error, which ends it. The library adds it once the attachment is in force. It adds it
 * again, under the same number, after each reconnection, and whenever the attachment has waited in
 * the queue. The program hears of that only if it is refused.
 *
 * Never fails with -EAGAIN or -ENOTCONN: the request is sent as soon as possible. -ENOENT: there is
 * no such attachment. -ENOSPC: a limit of the library is reached; the text names it.
 */
int touchroute_add_gesture(struct touchroute_connection *connection, uint32_t attachment,
                           const struct touchroute_recognizer *recognizer);

/*
 * As touchroute_add_gesture. The recognizer also gives feedback, such as "click", as it recognizes
 * or begins (rule D10). NULL and "" are none. At a name a daemon older than 0.2 disconnects.
 */
int touchroute_add_gesture_with_feedback(struct touchroute_connection *connection,
                                         uint32_t attachment,
                                         const struct touchroute_recognizer *recognizer,
                                         const char *feedback);

/*
 * Removes a recognizer. A gesture that has begun with it is cancelled before the answer, done.
 * Returns 0 if the daemon does not have it yet, or if there is no connection. It is then removed at
 * once, and no answer comes.
 * -ENOENT: there is no such recognizer, or it is being removed.
 */
int touchroute_remove_gesture(struct touchroute_connection *connection, uint32_t recognizer);

/*
 * Enables or disables a recognizer that this program has added. Like UIKit's isEnabled. If you
 * disable it, a gesture that has begun with it is cancelled before the answer, done. If you enable
 * it, it takes touches that begin from then on. It stays so over reconnections. Returns 0 if the
 * daemon does not have it yet: it is then added so, and no answer comes. For other recognizers,
 * such as the configuration's, use TOUCHROUTE_PROPERTY_ENABLED of touchroute_set.
 * -ENOENT: there is no such recognizer, or it is being removed.
 */
int touchroute_enable_gesture(struct touchroute_connection *connection, uint32_t recognizer,
                              int is_enabled);

/* A new value for a property of a view, a window or a recognizer (home/list#scroll). */
struct touchroute_property_change {
  const char *path;
  uint32_t property; /* enum touchroute_property */
  double values[6];  /* as many as the property has; the others are ignored */
  /* For inside and hit: subviews' names, separated by commas, or a descendant's path. For a
     property that is a text: the text. Else NULL. */
  const char *words;
  /* For shape: x and y of each point of a polygon; else NULL and 0. */
  const double *points;
  uint32_t point_count;
};

/*
 * Overrides properties of views and windows that this program holds, and of views in them. Other
 * views need an access rule that names this program's user, or the control socket. The changes take
 * effect in their order and all at once, between two frames. If one is impossible, none takes
 * effect. Answered by done or error. One change:
 *
 *   touchroute_set(c, &(struct touchroute_property_change){
 *       .path = "home/list", .property = TOUCHROUTE_PROPERTY_BOUNDS_ORIGIN,
 *       .values = {0, scrolled}}, 1);
 *
 * An override ends with the attachment through which it was set. One by a rule's right ends with
 * the connection. One of the control socket stays (rule L6). All survive a reload of the
 * configuration, and a restart by the service manager. None survives a daemon that dies, and the
 * library does not repeat them. So set what you need after each attached, or after each welcome if
 * you need no attachment for it.
 * -EMSGSIZE: so many changes do not fit into one request.
 */
int touchroute_set(struct touchroute_connection *connection,
                   const struct touchroute_property_change *changes, uint32_t count);

/* A step of touchroute_change_views. */
struct touchroute_view_change {
  uint32_t kind;          /* enum touchroute_view_step_kind */
  const char *path;       /* from the attachment's view on: "row-1", "row-1/icon". For a change,
                             NULL or empty means that view itself */
  const char *controller; /* for an added view, the name of its controller; else NULL */
  /* An added view needs at least the frame. Their paths are ignored. */
  const struct touchroute_property_change *properties;
  uint32_t property_count;
};

/*
 * Adds, changes and removes views of this program's own in the view of an attachment (rule L7). All
 * steps take effect at once, between two frames. If one is impossible, none takes effect. Answered
 * by done, or by error, which names the step. The daemon first adds and removes views, in the order
 * of the steps, then sets properties. One row of a list:
 *
 *   touchroute_change_views(c, list, &(struct touchroute_view_change){
 *       .kind = TOUCHROUTE_STEP_ADD, .path = "row-1", .property_count = 1,
 *       .properties = &(struct touchroute_property_change){
 *           .property = TOUCHROUTE_PROPERTY_FRAME, .values = {0, 0, 480, 40}}}, 1);
 *
 * The views end with the attachment. A request is sent once the attachment is in force.
 *
 * The library remembers the steps. When it reconnects, it adds the views again, before the
 * attachments to them and before their recognizers. It asks for every view that was added and not
 * removed. If one is impossible, it leaves out that view and what lies in it, and calls error with
 * serial 0. After 32 of these it does not try the rest.
 *
 * A new configuration may not keep some views. The added_count of layout is then smaller: it counts
 * the views added through the attachment that still exist. touchroute_describe says which
 * (TOUCHROUTE_DETAILS_ADDED).
 *
 * -EMSGSIZE: the steps do not fit into TOUCHROUTE_MAX_CHANGE_VIEWS bytes. About 1,100 rows with
 * short names do.
 * -ENOSPC: TOUCHROUTE_CLIENT_VIEWS is reached.
 * -EAGAIN: TOUCHROUTE_CLIENT_BATCHES is reached.
 */
int touchroute_change_views(struct touchroute_connection *connection, uint32_t attachment,
                            const struct touchroute_view_change *steps, uint32_t count);

/*
 * Asks for the views of a responder, in the order in which a touch's target counts them.
 *
 * path: the responder's. NULL or empty: every view of every window.
 * first: the index of the first view that you want.
 * count: how many; 0 for as many as one answer has room for.
 *
 * Answered by view for each, with view_details and view_property. Then come described_gesture for
 * each recognizer, and done, whose total says how many views there are.
 */
int touchroute_describe(struct touchroute_connection *connection, const char *path,
                        uint32_t first, uint32_t count);

/*
 * Says that a screen is about to be dark, before its light goes off, or that it is on again (rules
 * D1 to D6). Answered by done, or by error: HELD if another program is its blanker.
 *
 * power: TOUCHROUTE_SCREEN_DARK or TOUCHROUTE_SCREEN_ON.
 * flags: TOUCHROUTE_SET_SCREEN_BLANKER makes this program the screen's blanker, or 0.
 *
 * The library does not ask again after a reconnection: a daemon that has died knows of no dark
 * screen. Ask again after welcome. The same holds for the seven requests that follow.
 */
int touchroute_set_screen(struct touchroute_connection *connection, const char *screen,
                          uint32_t power, uint32_t flags);

/*
 * Locks a screen for duration_ms, 1000 or more: a child lock, or to clean it (rule D9). Answered by
 * done, or by error: HELD if another program has locked it. A lock of a program's own replaces the
 * one before. It ends with its time, by touchroute_unlock, by exit, and with the connection; on the
 * control socket it outlives that.
 *
 * exit: what fingers do to end it, enum touchroute_lock_exit, or 0.
 * except: the paths of except_count views that get touches all the same.
 */
int touchroute_lock(struct touchroute_connection *connection, const char *screen,
                    uint32_t duration_ms, uint32_t exit, const char *const *except,
                    uint32_t except_count);

/* Ends the lock of a screen. Answered by done or error. */
int touchroute_unlock(struct touchroute_connection *connection, const char *screen);

/* Asks for screen_state and lock_state of every screen, or ends that (enable 0). Answered by done;
 * then the state of each comes. */
int touchroute_watch_screens(struct touchroute_connection *connection, int enable);

/* Asks for feedback of what is hit on a screen, or ends that (enable 0; rule D11). Answered by done
 * or error. */
int touchroute_watch_feedback(struct touchroute_connection *connection, const char *screen,
                              int enable);

/*
 * Asks for idle, once nobody has touched the scope for duration_ms, and once somebody does again
 * (rule D7). Answered by done, whose total is the watch's number, or error.
 *
 * scope: enum touchroute_idle_scope. name: of the screen, or of a window that this program holds;
 * NULL for the seat. duration_ms: 1000 (a second) to 86400000 (a day). flags: enum
 * touchroute_idle_flags, or 0.
 */
int touchroute_watch_idle(struct touchroute_connection *connection, uint32_t scope,
                          const char *name, uint32_t duration_ms, uint32_t flags);

/* Ends a watch, by its number. Answered by done or error. */
int touchroute_unwatch_idle(struct touchroute_connection *connection, uint32_t watch);

/*
 * Inhibits idle for an attachment's window, its screen and the seat, or no longer (enable 0). It
 * ends with the attachment (rule D8). Answered by done or error.
 * -ENOENT: there is no such attachment, or it is not attached.
 */
int touchroute_inhibit_idle(struct touchroute_connection *connection, uint32_t attachment,
                            int enable);

/* Asks for pong, which comes after the answers to all earlier requests. */
int touchroute_ping(struct touchroute_connection *connection);

/*
 * Control socket. Asks for the daemon's status. Answered by status_daemon, status_client,
 * status_attachment, status_waiting, status_device, status_signal, status_screen, status_lock and
 * status_inhibitor, then done.
 */
int touchroute_status(struct touchroute_connection *connection);

/*
 * Control socket. Asks for observed, observed_gesture and observed_signal (enable 1), for
 * observed_change too (TOUCHROUTE_OBSERVE_CHANGES), for faults of touchscreens alone
 * (TOUCHROUTE_OBSERVE_HEALTH), or ends them (enable 0). Answered by done, once. The library asks
 * again after each reconnection. You hear of that only if it is refused, by error, which ends it.
 * Returns 0 if you end it while there is no connection: no answer comes.
 */
int touchroute_observe(struct touchroute_connection *connection, int enable);

/*
 * Control socket. Makes the daemon read its configuration again. Answered by done, or by error with
 * the configuration's problems.
 */
int touchroute_reload(struct touchroute_connection *connection);

/*
 * Control socket. Plays one frame of a synthetic touchscreen that belongs to this connection. The
 * frame has the fingers that change, and the time at which the daemon reads it. When the connection
 * ends or is lost, the touchscreen's touches are cancelled: DEVICE_REMOVED. Answered by done, whose
 * total is the device number of these touches. An impossible frame is answered by error: a finger
 * that begins twice, or moves without being down.
 *
 * screen: an index into the screens of welcome. It may change only while no finger is down.
 * -EMSGSIZE: so many contacts do not fit into one request.
 */
int touchroute_inject(struct touchroute_connection *connection, uint32_t screen,
                      const struct touchroute_contact *contacts, uint32_t count);

/*
 * Control socket. Cancels a touch for every client that gets it, with the reason requested. Touch 0
 * means every live touch. Answered by done, whose total says how many were live.
 */
int touchroute_cancel(struct touchroute_connection *connection, uint64_t touch);

/*
 * Control socket. Lets other programs read a touchscreen that the daemon has grabbed (grab = true),
 * until the connection ends or is lost; touches go on. device is its number, of status_device.
 * Answered by done, whose total is 1 if the daemon had grabbed it, else 0.
 */
int touchroute_ungrab(struct touchroute_connection *connection, uint32_t device);

/* Returns the word of the tool and the logs: "began", "device removed"; or "unknown". */
const char *touchroute_phase_name(uint32_t phase);
const char *touchroute_cancel_reason_name(uint32_t reason);
/* Returns the word of the configuration, and of listen's --json and --exec: "long_press". */
const char *touchroute_gesture_kind_name(uint32_t kind);
const char *touchroute_gesture_state_name(uint32_t state);
const char *touchroute_direction_name(uint32_t direction);

#ifdef __cplusplus
}
#endif
#endif
