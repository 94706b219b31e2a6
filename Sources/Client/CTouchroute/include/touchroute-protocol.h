/*
 * touchroute-protocol.h: the wire protocol of touchrouted. The daemon and its clients are compiled
 * with it. docs/protocol.md describes the same bytes in words.
 *
 * Every message is a touchroute_header and a fixed struct, then the trailing parts that the struct
 * names. Byte order is native: both ends are on one machine. Every message's size is a multiple of
 * 8, and so is the offset of every trailing part; the padding is zero. Strings are UTF-8, have a
 * counted length, and contain no zero byte.
 *
 * How it grows: a struct of one version never changes. A newer daemon may send further events, and
 * may add to a message after the last part named here. A client skips both. The daemon takes a
 * request at exactly its size, and refuses one that it does not know.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TOUCHROUTE_PROTOCOL_H
#define TOUCHROUTE_PROTOCOL_H

#include <stdint.h>

/* ---- Limits ---- */

#define TOUCHROUTE_MAGIC 0x54524f54u      /* "TORT" in memory on a little-endian machine */
#define TOUCHROUTE_VERSION 1u             /* of the protocol, as this header describes it */
#define TOUCHROUTE_MAX_REQUEST 4096u      /* bytes of a message to the daemon */
#define TOUCHROUTE_MAX_CHANGE_VIEWS 65536u /* bytes of a change_views, which may be larger */
#define TOUCHROUTE_MAX_MESSAGE 65536u     /* bytes of a message from the daemon */
#define TOUCHROUTE_MAX_PATH 3072u         /* bytes of a responder's path in a message */
#define TOUCHROUTE_MAX_NAME 255u          /* bytes of a client's, screen's or device's name */
#define TOUCHROUTE_DESCRIBE_PAGE 128u     /* views that one describe answers with at most */
#define TOUCHROUTE_NONE 0xffffffffu       /* no index */

#define TOUCHROUTE_SOCKET_PATH "/run/touchroute/touchroute.sock"
#define TOUCHROUTE_CONTROL_SOCKET_PATH "/run/touchroute/control.sock"
#define TOUCHROUTE_SOCKET_VARIABLE "TOUCHROUTE_SOCKET" /* overrides both in clients and the tool */

/* ---- Vocabulary ---- */

enum touchroute_phase {
  TOUCHROUTE_PHASE_BEGAN = 1,
  TOUCHROUTE_PHASE_MOVED = 2,
  TOUCHROUTE_PHASE_STATIONARY = 3, /* live and unchanged in this frame */
  TOUCHROUTE_PHASE_ENDED = 4,
  TOUCHROUTE_PHASE_CANCELLED = 5,
};

/* Sets of phases (rule R3). Stationary is in none: it comes with moved. */
enum touchroute_phases {
  TOUCHROUTE_HANDLES_BEGAN = 1 << 0,
  TOUCHROUTE_HANDLES_MOVED = 1 << 1,
  TOUCHROUTE_HANDLES_ENDED = 1 << 2,
  TOUCHROUTE_HANDLES_CANCELLED = 1 << 3,
  TOUCHROUTE_HANDLES_ALL = 0xf,
};

/* Why a touch was cancelled (rule R9). 0 in every record that is not cancelled. */
enum touchroute_cancel_reason {
  TOUCHROUTE_CANCEL_NONE = 0,
  TOUCHROUTE_CANCEL_DEVICE_REMOVED = 1,
  TOUCHROUTE_CANCEL_SUSPENDED = 2,
  TOUCHROUTE_CANCEL_PALM = 3,
  TOUCHROUTE_CANCEL_TARGET_REMOVED = 4,
  TOUCHROUTE_CANCEL_UNRESPONSIVE = 5,
  TOUCHROUTE_CANCEL_TAKEN_OVER = 6,
  TOUCHROUTE_CANCEL_STOPPING = 7,
  TOUCHROUTE_CANCEL_REQUESTED = 8,
  TOUCHROUTE_CANCEL_CONNECTION_LOST = 9, /* not on the wire: the library reports it */
  TOUCHROUTE_CANCEL_GESTURE = 10,        /* rule G9: a recognizer has recognized */
  TOUCHROUTE_CANCEL_STUCK = 11,          /* rule N9: it has not moved for too long */
  TOUCHROUTE_CANCEL_GHOST = 12,          /* rule N8: no finger was there */
  TOUCHROUTE_CANCEL_DARK = 13,           /* rule D3: its screen went dark */
  TOUCHROUTE_CANCEL_LOCKED = 14,         /* rule D9: its screen was locked */
};

/* Why a touch went to no client. Observers see it, and status counts it. */
enum touchroute_discard_reason {
  TOUCHROUTE_DISCARD_NONE = 0,
  TOUCHROUTE_DISCARD_NO_WINDOW = 1,      /* rule H7: nothing is there */
  TOUCHROUTE_DISCARD_OUTSIDE_SCREEN = 2, /* rule T8 */
  TOUCHROUTE_DISCARD_UNHANDLED = 3,      /* rule R4: no client up the chain handles began */
  TOUCHROUTE_DISCARD_SINGLE_TOUCH = 4,   /* rule T13: multiple_touch = false */
  TOUCHROUTE_DISCARD_EXCLUSIVE = 5,      /* rule T13: exclusive_touch */
  TOUCHROUTE_DISCARD_DECLINED = 6,       /* rule R5: every client declined */
  TOUCHROUTE_DISCARD_LIMIT = 7,          /* more live touches than the limit */
  TOUCHROUTE_DISCARD_OVER = 8,           /* rules R7, R9: it was over before its finger left */
  TOUCHROUTE_DISCARD_GESTURE = 9,        /* rule G9: a gesture in progress has it */
  TOUCHROUTE_DISCARD_DARK = 10,          /* rule D3: its screen is dark, or has just come on */
  TOUCHROUTE_DISCARD_LOCKED = 11,        /* rule D9: its screen is locked */
};

enum touchroute_touch_flags {
  TOUCHROUTE_TOUCH_REPLAYED = 1 << 0,  /* rule R5: happened earlier; another client declined it */
  TOUCHROUTE_TOUCH_INJECTED = 1 << 1,  /* made by the control socket, not by a finger */
  TOUCHROUTE_TOUCH_COALESCED = 1 << 2, /* rule F2: several moves were merged into this one */
  TOUCHROUTE_TOUCH_SECURE = 1 << 3,    /* rule F7: observers get no location */
};

/* What happened to a touch at one responder of a chain, for observers. */
enum touchroute_outcome {
  TOUCHROUTE_OUTCOME_NO_CLIENT = 0,
  TOUCHROUTE_OUTCOME_DELIVERED = 1,
  TOUCHROUTE_OUTCOME_NOT_HANDLED = 2, /* attached, but handles none of the phases that reached it */
  TOUCHROUTE_OUTCOME_UNRESPONSIVE = 3,
  TOUCHROUTE_OUTCOME_DECLINED = 4,
};

/* What a recognizer recognizes. */
enum touchroute_gesture_kind {
  TOUCHROUTE_GESTURE_TAP = 1,
  TOUCHROUTE_GESTURE_LONG_PRESS = 2,
  TOUCHROUTE_GESTURE_PAN = 3,
  TOUCHROUTE_GESTURE_SWIPE = 4,
  TOUCHROUTE_GESTURE_PINCH = 5,
  TOUCHROUTE_GESTURE_ROTATION = 6,
  TOUCHROUTE_GESTURE_EDGE_PAN = 7,
};

/* The state of a gesture (rules G3 and G12). A tap and a swipe are recognized; the other kinds
 * begin, change, and end or are cancelled. */
enum touchroute_gesture_state {
  TOUCHROUTE_GESTURE_RECOGNIZED = 1,
  TOUCHROUTE_GESTURE_BEGAN = 2,
  TOUCHROUTE_GESTURE_CHANGED = 3,
  TOUCHROUTE_GESTURE_ENDED = 4,
  TOUCHROUTE_GESTURE_CANCELLED = 5,
  TOUCHROUTE_GESTURE_FAILED = 6, /* for observers alone, as the next two: it can't recognize now */
  TOUCHROUTE_GESTURE_POSSIBLE = 7, /* with its first touch; without a touch: it is so again */
  TOUCHROUTE_GESTURE_PASSED_BY = 8, /* it takes no part in that touch (rule G2) */
};

/* In the coordinates of the recognizer's view. 0 is none, or any for a pan. */
enum touchroute_direction {
  TOUCHROUTE_DIRECTION_ANY = 0,
  TOUCHROUTE_DIRECTION_LEFT = 1, /* of a swipe, as the next three */
  TOUCHROUTE_DIRECTION_RIGHT = 2,
  TOUCHROUTE_DIRECTION_UP = 3,
  TOUCHROUTE_DIRECTION_DOWN = 4,
  TOUCHROUTE_DIRECTION_HORIZONTAL = 5, /* of a pan, as the next */
  TOUCHROUTE_DIRECTION_VERTICAL = 6,
};

/* The edge of a view at which an edge pan begins. */
enum touchroute_edge {
  TOUCHROUTE_EDGE_NONE = 0,
  TOUCHROUTE_EDGE_LEFT = 1,
  TOUCHROUTE_EDGE_RIGHT = 2,
  TOUCHROUTE_EDGE_TOP = 3,
  TOUCHROUTE_EDGE_BOTTOM = 4,
};

/* Why a request was refused, or what a client did wrong. */
enum touchroute_error_code {
  TOUCHROUTE_ERROR_PROTOCOL = 1,       /* malformed: the connection ends after it (rule F4) */
  TOUCHROUTE_ERROR_VERSION = 2,        /* no common version: the connection ends after it */
  TOUCHROUTE_ERROR_NO_RESPONDER = 3,   /* the layout has no responder at that path */
  TOUCHROUTE_ERROR_HELD = 4,           /* another client holds it */
  TOUCHROUTE_ERROR_NOT_ALLOWED = 5,    /* by the access rules, or not on this socket */
  TOUCHROUTE_ERROR_LIMIT = 6,          /* a limit was reached; the text names it */
  TOUCHROUTE_ERROR_NOT_SUPPORTED = 7,  /* reserved: touchrouted never sends it */
  TOUCHROUTE_ERROR_NOT_ATTACHED = 8,   /* this client has no such attachment */
  TOUCHROUTE_ERROR_INVALID = 9,        /* a value out of range; a configuration that is not valid */
};

/* Why the daemon ends a connection. */
enum touchroute_close_reason {
  TOUCHROUTE_CLOSE_STOPPING = 1,
  TOUCHROUTE_CLOSE_PROTOCOL = 2,
  TOUCHROUTE_CLOSE_QUEUE_FULL = 3, /* the client has not read and its queue reached the limit */
  TOUCHROUTE_CLOSE_LIMIT = 4,      /* too many clients */
};

/* Why an attachment ended, or lost its responder, without detach. */
enum touchroute_detach_reason {
  TOUCHROUTE_DETACH_REQUESTED = 0,
  TOUCHROUTE_DETACH_REMOVED = 1, /* the layout in force no longer has the responder */
  TOUCHROUTE_DETACH_TAKEN_OVER = 2,
  TOUCHROUTE_DETACH_NOT_ALLOWED = 3, /* by the access rules in force */
};

/* ---- The wire ---- */

struct touchroute_header {
  uint32_t size; /* of the whole message, this header included; a multiple of 8 */
  uint16_t opcode;
  uint16_t flags; /* TOUCHROUTE_MORE; the rest is zero */
};

#define TOUCHROUTE_MORE 1u /* another message of the same answer, or of the same frame, follows */

/*
 * Requests, from a client. Each has a serial that the client chooses, not 0; its answer has the
 * same one.
 */
enum touchroute_request {
  TOUCHROUTE_HELLO = 1, /* the first message; anything else before it is a protocol error */
  TOUCHROUTE_ATTACH = 2,
  TOUCHROUTE_DETACH = 3,
  TOUCHROUTE_ACCEPT = 4,
  TOUCHROUTE_DECLINE = 5,
  TOUCHROUTE_SET = 6,
  TOUCHROUTE_DESCRIBE = 7,
  TOUCHROUTE_PING = 8,
  TOUCHROUTE_ADD_GESTURE = 9,
  TOUCHROUTE_REMOVE_GESTURE = 10,
  TOUCHROUTE_CHANGE_VIEWS = 11,
  TOUCHROUTE_SET_SCREEN = 12,
  TOUCHROUTE_WATCH_SCREENS = 13,
  TOUCHROUTE_WATCH_IDLE = 14,
  TOUCHROUTE_UNWATCH_IDLE = 15,
  TOUCHROUTE_INHIBIT_IDLE = 21,
  TOUCHROUTE_LOCK = 22,
  TOUCHROUTE_UNLOCK = 23,
  TOUCHROUTE_WATCH_FEEDBACK = 24,
  /* On the control socket alone: */
  TOUCHROUTE_STATUS = 16,
  TOUCHROUTE_OBSERVE = 17,
  TOUCHROUTE_RELOAD = 18,
  TOUCHROUTE_INJECT = 19,
  TOUCHROUTE_CANCEL = 20,
  TOUCHROUTE_UNGRAB = 25,
};

struct touchroute_hello {
  struct touchroute_header header;
  uint32_t serial;
  uint32_t magic;     /* TOUCHROUTE_MAGIC */
  uint32_t version;   /* the newest that the client speaks */
  uint32_t name_size; /* 1 to TOUCHROUTE_MAX_NAME */
  /* name */
};

/* How an attachment is made. */
enum touchroute_attach_flags {
  /* take the responder from the client that holds it, where that is allowed (rule R2) */
  TOUCHROUTE_ATTACH_TAKE_OVER = 1 << 0,
  TOUCHROUTE_ATTACH_HISTORY = 1 << 1, /* merged moves come with their samples */
  TOUCHROUTE_ATTACH_WAIT = 1 << 2,    /* wait in the queue if another client holds it (rule R2) */
  TOUCHROUTE_ATTACH_GESTURES = 1 << 3, /* the attachment handles gestures (rule G13) */
};

struct touchroute_attach {
  struct touchroute_header header;
  uint32_t serial;
  uint16_t handles; /* enum touchroute_phases, at least one */
  uint16_t passes;  /* a subset of handles */
  uint32_t flags;   /* enum touchroute_attach_flags */
  uint32_t path_size;
  /* path */
};

struct touchroute_detach {
  struct touchroute_header header;
  uint32_t serial;
  uint32_t attachment;
};

/* accept, decline: have no answer; an unknown touch is counted and ignored (rule R5) */
struct touchroute_accept {
  struct touchroute_header header;
  uint32_t serial;
  uint32_t attachment; /* that decides: a client may get a touch through several */
  uint64_t touch;
};

struct touchroute_describe {
  struct touchroute_header header;
  uint32_t serial;
  uint32_t first; /* index of the first view wanted, among those of the path */
  uint32_t count; /* how many, at most TOUCHROUTE_DESCRIBE_PAGE; 0 for as many as that. Fewer may
                     come if they are long: continue at the first that did not come. */
  uint32_t path_size; /* 0: every view of every window, back to front */
  /* path */
};

struct touchroute_plain_request { /* ping, status, reload */
  struct touchroute_header header;
  uint32_t serial;
  uint32_t reserved;
};

/* What a client of the control socket observes. */
enum touchroute_observing {
  TOUCHROUTE_OBSERVE_NOTHING = 0,
  TOUCHROUTE_OBSERVE_TOUCHES = 1, /* observed, observed_gesture and _signal */
  TOUCHROUTE_OBSERVE_CHANGES = 2, /* observed_change too. Messages may be lost: see there */
  TOUCHROUTE_OBSERVE_HEALTH = 4,  /* observed_signal of faults alone (N10): nothing of touches */
};

struct touchroute_observe {
  struct touchroute_header header;
  uint32_t serial;
  uint32_t enable; /* enum touchroute_observing */
};

/* The properties of a view, a window or a recognizer that set can change, with their values. */
enum touchroute_property {
  TOUCHROUTE_PROPERTY_HIDDEN = 1,            /* 0 or 1 */
  TOUCHROUTE_PROPERTY_ALPHA = 2,             /* 0 to 1 */
  TOUCHROUTE_PROPERTY_INTERACTION = 3,       /* 0 or 1 */
  /* x, y, width, height in the superview's coordinates */
  TOUCHROUTE_PROPERTY_FRAME = 4,
  TOUCHROUTE_PROPERTY_BOUNDS_ORIGIN = 5,     /* x, y */
  /* a, b, c, d, tx, ty, about the frame's centre (rule L2) */
  TOUCHROUTE_PROPERTY_TRANSFORM = 6,
  /* index among its siblings, 0 at the back; at the front if there are fewer. A window's
     siblings are the windows of its level */
  TOUCHROUTE_PROPERTY_ORDER = 7,
  TOUCHROUTE_PROPERTY_CONFIGURED = 8,        /* none: all properties as the configuration says */
  TOUCHROUTE_PROPERTY_OUTSET = 9,            /* top, left, bottom, right (rule H3) */
  /* enum touchroute_shape, and the radius of a rounded one */
  TOUCHROUTE_PROPERTY_SHAPE = 10,
  TOUCHROUTE_PROPERTY_INSIDE = 11,           /* enum touchroute_inside */
  TOUCHROUTE_PROPERTY_HIT = 12,              /* enum touchroute_hit */
  TOUCHROUTE_PROPERTY_SECURE = 13,           /* 0 or 1 (rule F7) */
  TOUCHROUTE_PROPERTY_EXCLUSIVE_TOUCH = 14,  /* 0 or 1 (rule T13) */
  TOUCHROUTE_PROPERTY_MULTIPLE_TOUCH = 15,   /* 0 or 1 (rule T13) */
  /* a window's: a whole number from -1000000 to 1000000 */
  TOUCHROUTE_PROPERTY_LEVEL = 16,
  /* of a recognizer, by its path: 0 or 1 (rule G2). A recognizer has only this and configured */
  TOUCHROUTE_PROPERTY_ENABLED = 17,
  /* none; the words are a text of at most 80 characters (rule L2) */
  TOUCHROUTE_PROPERTY_LABEL = 18,
  /* none; the words are a name of at most 40 characters (rule D10) */
  TOUCHROUTE_PROPERTY_FEEDBACK = 19,
};

/* What refines the touchable region (rule H4). */
enum touchroute_shape {
  TOUCHROUTE_SHAPE_RECT = 0,
  TOUCHROUTE_SHAPE_ELLIPSE = 1,
  TOUCHROUTE_SHAPE_ROUNDED = 2,
  TOUCHROUTE_SHAPE_POLYGON = 3, /* with its points */
};

/* What replaces pointInside (rule H5). */
enum touchroute_inside {
  TOUCHROUTE_INSIDE_BOUNDS = 0,
  TOUCHROUTE_INSIDE_ALWAYS = 1,
  TOUCHROUTE_INSIDE_NEVER = 2,
  TOUCHROUTE_INSIDE_CHILDREN = 3, /* any subview, or those named in the words, with commas */
};

/* What replaces hitTest (rule H6). */
enum touchroute_hit {
  TOUCHROUTE_HIT_DEFAULT = 0,
  TOUCHROUTE_HIT_SELF = 1,
  TOUCHROUTE_HIT_NONE = 2,
  TOUCHROUTE_HIT_PASS_THROUGH = 3,
  TOUCHROUTE_HIT_REDIRECT = 4, /* the words are the descendant's path, from this view on */
  TOUCHROUTE_HIT_FIRST = 5,    /* likewise */
};

/* A batch: applied whole, between two frames, or not at all. Answered by done or error. */
struct touchroute_set {
  struct touchroute_header header;
  uint32_t serial;
  uint32_t change_count; /* at least 1 */
  /* change_count times: struct touchroute_change, path, words, points */
};

struct touchroute_change {
  uint16_t property;    /* enum touchroute_property */
  uint16_t point_count; /* of a polygon; otherwise 0 */
  uint16_t path_size;  /* of a view or window that the client holds, or of a view in it */
  uint16_t words_size; /* of names or a path, for inside and hit; of a text; or 0 */
  double values[6];    /* as many as the property has; the rest is 0 */
  /* path; words; point_count times x, y */
};

/* Options of a recognizer; 0 is the default of each (rules G2, G5, G9 to G11). */
enum touchroute_gesture_flags {
  TOUCHROUTE_GESTURE_DISABLED = 1 << 0,       /* enabled = false */
  TOUCHROUTE_GESTURE_KEEPS_TOUCHES = 1 << 1,  /* cancels_touches = false */
  TOUCHROUTE_GESTURE_PASSES_ENDED = 1 << 2,   /* delays_ended = false */
  TOUCHROUTE_GESTURE_DELAYS_BEGAN = 1 << 3,   /* delays_began = true */
  TOUCHROUTE_GESTURE_HAS_PRIORITY = 1 << 4,   /* priority = true */
  /* in described_gesture alone: no client that handles gestures would hear of it, so it takes no
   * part (rules G2 and G13) */
  TOUCHROUTE_GESTURE_UNHEARD = 1 << 5,
  /* in described_gesture alone: too many recognizers of programs come before it, so it takes no
   * part (rule G2) */
  TOUCHROUTE_GESTURE_CROWDED_OUT = 1 << 6,
};

/*
 * Adds a recognizer to a view that the client holds, or to a view in it (rule G1). It lasts as long
 * as the attachment. Answered by done, whose total is its number, or error. For the kind's default,
 * a small number is 0, a time TOUCHROUTE_NONE, and a distance negative. What the kind does not have
 * must be that.
 */
struct touchroute_add_gesture {
  struct touchroute_header header;
  uint32_t serial;
  uint32_t attachment; /* with which it ends */
  uint8_t kind;        /* enum touchroute_gesture_kind */
  uint8_t fewest;      /* fingers */
  uint8_t most;        /* fingers; not under fewest */
  uint8_t taps;
  uint8_t direction;   /* enum touchroute_direction */
  uint8_t edge;        /* enum touchroute_edge */
  uint16_t flags;      /* enum touchroute_gesture_flags */
  uint32_t duration_ms;
  uint32_t interval_ms;
  uint32_t gather_ms;
  uint32_t name_size;  /* its name, unique in its view */
  uint32_t view_size;  /* the path of its view */
  uint32_t to_size;    /* the path of the responder that gets its events; 0: up the chain */
  uint16_t after_count; /* recognizers that must fail before it recognizes (rule G7) */
  uint16_t simultaneous_count; /* recognizers that may go on beside it (rule G6) */
  uint32_t feedback_size; /* the name of its feedback (rule D10); 0: none */
  double slop;         /* points, as the next two */
  double distance;
  double margin;
  double slop_degrees;
  /* name, view, to; after_count and then simultaneous_count times: struct touchroute_gesture_name,
     path; feedback */
};

struct touchroute_gesture_name {
  uint32_t path_size; /* of a recognizer: "home/list#scroll" */
  uint32_t reserved;  /* 0 */
  /* path */
};

struct touchroute_remove_gesture {
  struct touchroute_header header;
  uint32_t serial;
  uint32_t recognizer; /* one that this client has added */
};

/* What a step of change_views does. */
enum touchroute_view_step_kind {
  TOUCHROUTE_STEP_ADD = 1,    /* a view, in front of its siblings */
  TOUCHROUTE_STEP_REMOVE = 2, /* a view that was added, with everything in it */
  TOUCHROUTE_STEP_CHANGE = 3, /* properties of a view, as set does */
};

/*
 * Adds, changes and removes views in a view that the client holds (rule L7). A batch: applied
 * whole, between two frames, or not at all. Answered by done or error.
 */
struct touchroute_change_views {
  struct touchroute_header header;
  uint32_t serial;
  uint32_t attachment; /* to the view, or its controller; the views end with it */
  uint32_t step_count; /* at least 1 */
  uint32_t reserved;   /* 0 */
  /* step_count times: struct touchroute_view_step, path, controller, properties */
};

struct touchroute_view_step {
  uint16_t kind;            /* enum touchroute_view_step_kind */
  uint16_t property_count;  /* 0 for remove, at least 1 for change */
  uint16_t path_size;       /* from the attachment's view on; 0 for change: that view itself */
  uint16_t controller_size; /* for add: the name of its controller, or 0 */
  /* path; controller; property_count times: struct touchroute_property_value, values, words,
     points */
};

/* A property as in struct touchroute_change, with only as many values as it has. */
struct touchroute_property_value {
  uint16_t property;    /* enum touchroute_property */
  uint16_t point_count; /* of a polygon; otherwise 0 */
  uint16_t words_size;  /* of names or a path, for inside and hit; of a text; or 0 */
  uint16_t value_count; /* as many as the property has */
  /* value_count values (double); words; point_count times x, y */
};

/* Whether a screen shows anything (rule D1). */
enum touchroute_screen_power {
  TOUCHROUTE_SCREEN_ON = 1,
  TOUCHROUTE_SCREEN_DARK = 2,
  TOUCHROUTE_SCREEN_WAKING = 3, /* a finger has woken it, and its blanker has yet to say on */
};

/* Why a screen has another state (rules D2, D4 and D5). */
enum touchroute_screen_cause {
  TOUCHROUTE_SCREEN_UNCHANGED = 0,  /* it has had it: to watch_screens */
  TOUCHROUTE_SCREEN_REQUESTED = 1,  /* its blanker or an administrator asked for it */
  TOUCHROUTE_SCREEN_WOKEN = 2,      /* a finger has woken it */
  TOUCHROUTE_SCREEN_TIMED_OUT = 3,  /* its blanker did not answer in time */
  TOUCHROUTE_SCREEN_UNATTENDED = 4, /* it has no blanker */
};

/* How set_screen is asked for. */
enum touchroute_set_screen_flags {
  TOUCHROUTE_SET_SCREEN_BLANKER = 1 << 0, /* become the screen's blanker (rule D2) */
};

/*
 * Says that a screen is about to be dark, or is on again (rule D2). Answered by done or error: HELD
 * if another client is its blanker.
 */
struct touchroute_set_screen {
  struct touchroute_header header;
  uint32_t serial;
  uint16_t power; /* enum touchroute_screen_power: on or dark */
  uint16_t flags; /* enum touchroute_set_screen_flags */
  uint32_t name_size; /* of the screen */
  uint32_t reserved;  /* 0 */
  /* name */
};

/* Begins or stops to tell of screens. Answered by done, then a screen_state for each. */
struct touchroute_watch_screens {
  struct touchroute_header header;
  uint32_t serial;
  uint32_t enable; /* 1 or 0 */
};

/* What fingers do to end a lock (rule D9). */
enum touchroute_lock_exit {
  TOUCHROUTE_LOCK_HOLD_CORNERS = 1 << 0, /* two rest in two corners of the screen for 3 s */
  TOUCHROUTE_LOCK_TAPS = 1 << 1,         /* one taps five times in a row */
};

/* Why a screen is locked, or no longer (rule D9). */
enum touchroute_lock_cause {
  TOUCHROUTE_LOCK_UNCHANGED = 0,    /* it has been locked: to watch_screens */
  TOUCHROUTE_LOCK_REQUESTED = 1,    /* somebody asked for it */
  TOUCHROUTE_LOCK_TIME_IS_OVER = 2,
  TOUCHROUTE_LOCK_EXIT = 3,         /* fingers did what ends it */
  TOUCHROUTE_LOCK_CLIENT_LEFT = 4,  /* who asked for it is gone, or may no longer */
};

/*
 * Locks a screen for a time: programs get no touch that begins there, but for those on some views
 * (rule D9). Answered by done or error: HELD if another client has locked it.
 */
struct touchroute_lock {
  struct touchroute_header header;
  uint32_t serial;
  uint32_t duration_ms;
  uint16_t exit;         /* enum touchroute_lock_exit; 0: none */
  uint16_t except_count; /* views that get touches all the same */
  uint32_t name_size;    /* of the screen */
  /* name; except_count times: struct touchroute_lock_exception, path */
};

struct touchroute_lock_exception {
  uint32_t path_size;
  uint32_t reserved; /* 0 */
  /* path */
};

/* Ends the lock of a screen: this client's, or on the control socket anybody's. */
struct touchroute_unlock {
  struct touchroute_header header;
  uint32_t serial;
  uint32_t name_size; /* of the screen */
  /* name */
};

/* Begins or stops to tell of what is hit on a screen (rule D11). Answered by done or error. */
struct touchroute_watch_feedback {
  struct touchroute_header header;
  uint32_t serial;
  uint32_t enable;    /* 1 or 0 */
  uint32_t name_size; /* of the screen */
  uint32_t reserved;  /* 0 */
  /* name */
};

/* What may be idle (rule D7). */
enum touchroute_idle_scope {
  TOUCHROUTE_IDLE_SEAT = 1,   /* every screen */
  TOUCHROUTE_IDLE_SCREEN = 2, /* the screen of a name */
  TOUCHROUTE_IDLE_WINDOW = 3, /* a window that the client holds, by its name */
};

/* What a watch of idle leaves out (rules D7 and D8). */
enum touchroute_idle_flags {
  TOUCHROUTE_IDLE_IGNORES_INHIBITORS = 1 << 0, /* tell also while a program inhibits idle (D8) */
  TOUCHROUTE_IDLE_IGNORES_INJECTED = 1 << 1,   /* injected touches are no activity */
};

/*
 * Asks to be told by idle once nobody has touched that for so long, and again when somebody does
 * (rule D7). Answered by done, whose total is the watch's number, or error.
 */
struct touchroute_watch_idle {
  struct touchroute_header header;
  uint32_t serial;
  uint16_t scope;       /* enum touchroute_idle_scope */
  uint16_t flags;       /* enum touchroute_idle_flags */
  uint32_t duration_ms; /* 1000 to 86400000 */
  uint32_t name_size;   /* of the screen or window; 0 for the seat */
  /* name */
};

struct touchroute_unwatch_idle {
  struct touchroute_header header;
  uint32_t serial;
  uint32_t watch; /* one of this client's */
};

/* Keeps others from being told that the attachment's window is idle, or no longer (rule D8). */
struct touchroute_inhibit_idle {
  struct touchroute_header header;
  uint32_t serial;
  uint32_t attachment;
  uint32_t enable;   /* 1 or 0 */
  uint32_t reserved; /* 0 */
};

/* One frame of a synthetic touchscreen, which belongs to the client and ends with it. */
struct touchroute_inject {
  struct touchroute_header header;
  uint32_t serial;
  uint32_t screen; /* index into the screens of welcome; it may change while no finger is down */
  uint32_t contact_count; /* at least 1 */
  uint32_t reserved;
  /* contact_count times struct touchroute_contact */
};

struct touchroute_contact {
  int32_t slot;   /* names the finger while it is down; once in a frame */
  uint32_t phase; /* began, moved, ended or cancelled */
  double x, y;    /* points of the screen; 0 for ended and cancelled: a finger ends where it was */
};

/* Cancels a touch for every client: REQUESTED. Answered by done, whose total counts the touches. */
struct touchroute_cancel {
  struct touchroute_header header;
  uint32_t serial;
  uint32_t reserved;
  uint64_t touch; /* 0: every touch that is live */
};

/* Lets other programs read a touchscreen that the daemon has grabbed, until the connection ends.
   Answered by done, whose total is 1 if the daemon had grabbed it. */
struct touchroute_ungrab {
  struct touchroute_header header;
  uint32_t serial;
  uint32_t device; /* its number, of status_device */
};

/* Answers and events, from the daemon. */
enum touchroute_event {
  TOUCHROUTE_WELCOME = 0x100,  /* to hello; with serial 0 when the screens have changed */
  TOUCHROUTE_ATTACHED = 0x101, /* to attach; with serial 0 to one that was waiting */
  TOUCHROUTE_DONE = 0x102,     /* to detach, set, observe, reload, inject, cancel, add_gesture,
                                  remove_gesture and change_views; ends the items of describe and
                                  status */
  TOUCHROUTE_ERROR = 0x103,    /* to any request; serial 0 if it answers none */
  TOUCHROUTE_VIEW = 0x104,     /* an item of describe */
  TOUCHROUTE_PONG = 0x105,
  TOUCHROUTE_DESCRIBED_GESTURE = 0x106, /* an item of describe, after the views */
  TOUCHROUTE_VIEW_DETAILS = 0x107,  /* an item of describe, after its view, as the next */
  TOUCHROUTE_VIEW_PROPERTY = 0x108,
  TOUCHROUTE_TOUCHES = 0x110,
  TOUCHROUTE_LAYOUT = 0x111,   /* as attached, with serial 0: an attachment's geometry changed */
  TOUCHROUTE_DETACHED = 0x112,
  TOUCHROUTE_CLOSING = 0x113,
  TOUCHROUTE_HOLDER = 0x114, /* another client holds something in the client's window (rule F6) */
  TOUCHROUTE_WAITING = 0x115, /* to attach; with serial 0 to one that has lost its responder */
  TOUCHROUTE_GESTURE = 0x116, /* to an attachment that handles gestures (rule G13) */
  TOUCHROUTE_SCREEN_STATE = 0x117, /* a screen is dark, waking or on (rule D2) */
  TOUCHROUTE_IDLE = 0x118,    /* of watch_idle: nobody has touched it, or somebody does (rule D7) */
  TOUCHROUTE_LOCK_STATE = 0x119, /* a screen is locked, or no longer (rule D9) */
  TOUCHROUTE_FEEDBACK = 0x11a, /* something was hit: to who watches the screen's (rule D10) */
  TOUCHROUTE_STATUS_DAEMON = 0x120, /* items of status */
  TOUCHROUTE_STATUS_CLIENT = 0x121,
  TOUCHROUTE_STATUS_ATTACHMENT = 0x122,
  TOUCHROUTE_STATUS_DEVICE = 0x123,
  TOUCHROUTE_STATUS_WAITING = 0x124, /* as status_attachment, for one that waits in the queue */
  TOUCHROUTE_STATUS_SCREEN = 0x125,
  TOUCHROUTE_STATUS_INHIBITOR = 0x126, /* as status_attachment: it inhibits idle (rule D8) */
  TOUCHROUTE_STATUS_LOCK = 0x127,
  TOUCHROUTE_STATUS_SIGNAL = 0x128, /* behind its device: its filters and its faults */
  TOUCHROUTE_OBSERVED = 0x130,
  TOUCHROUTE_OBSERVED_GESTURE = 0x131,
  TOUCHROUTE_OBSERVED_SIGNAL = 0x132, /* what a filter did, and what is wrong (N1, N10) */
  TOUCHROUTE_OBSERVED_CHANGE = 0x133, /* after observe with TOUCHROUTE_OBSERVE_CHANGES */
};

struct touchroute_welcome {
  struct touchroute_header header;
  uint32_t serial;
  uint32_t version; /* of this connection */
  uint32_t max_request;
  uint32_t max_attachments;
  uint32_t decision_timeout_ms;
  uint32_t unresponsive_after_ms;
  uint32_t is_control; /* 1 on the control socket */
  uint32_t screen_count;
  /* screen_count times: struct touchroute_screen, name */
};

struct touchroute_screen {
  double width, height; /* points */
  uint32_t rotation;    /* degrees clockwise: how the panel is mounted */
  uint32_t name_size;
  /* name */
};

/*
 * attached, and layout with serial 0. An application has no geometry: its screen is
 * TOUCHROUTE_NONE, its box and transform are all 0.
 */
struct touchroute_attached {
  struct touchroute_header header;
  uint32_t serial;
  uint32_t attachment;
  uint32_t generation; /* of the layout; goes up with each change, and wraps to 0 */
  uint32_t screen;     /* index into the screens of welcome */
  uint32_t view_count; /* the views that a touch's target can be: what describe of the path lists */
  uint32_t added_count; /* how many of them were added through the attachment (rule L7) */
  double frame[4];     /* x, y, width, height of the box around the view, on the screen */
  double bounds[4];    /* x, y, width, height of the view in its own coordinates */
  double transform[6]; /* a, b, c, d, tx, ty from screen to view: x' = a x + c y + tx,
                          y' = b x + d y + ty */
};

struct touchroute_done {
  struct touchroute_header header;
  uint32_t serial;
  uint32_t total; /* describe: all views of the path; status: items sent;
                     cancel: the touches; inject: the device number of its touches;
                     add_gesture: the recognizer's number */
  uint32_t generation;
  uint32_t text_size; /* reload: what changed, in words */
  /* text */
};

struct touchroute_error {
  struct touchroute_header header;
  uint32_t serial;
  uint32_t code; /* enum touchroute_error_code */
  uint32_t request; /* the opcode that it answers, or 0 */
  uint32_t text_size;
  /* text: what is wrong, as a sentence that a person can act on */
};

struct touchroute_pong {
  struct touchroute_header header;
  uint32_t serial;
  uint32_t reserved;
};

/* Properties of a view that are on or off. */
enum touchroute_view_flags {
  TOUCHROUTE_VIEW_HIDDEN = 1 << 0,          /* touches skip it and what is in it (rule H2) */
  TOUCHROUTE_VIEW_NO_INTERACTION = 1 << 1,  /* likewise, though it is seen */
  TOUCHROUTE_VIEW_SINGLE_TOUCH = 1 << 2,    /* rule T13: it takes one touch at a time */
  TOUCHROUTE_VIEW_EXCLUSIVE_TOUCH = 1 << 3, /* rule T13: its touch keeps out those of others */
  TOUCHROUTE_VIEW_SECURE = 1 << 4,          /* rule F7: observers get no location of its touches */
};

struct touchroute_view {
  struct touchroute_header header;
  uint32_t serial;
  uint32_t index;  /* among the views of the path described */
  uint32_t parent; /* likewise, or TOUCHROUTE_NONE */
  uint32_t flags;
  int32_t holder;            /* pid of the client that holds the view, or 0 */
  int32_t controller_holder; /* pid of the client that holds its controller, or 0 */
  double frame[4];           /* x, y, width, height in the superview's coordinates */
  double bounds_origin[2];
  double transform[6];
  double alpha;
  uint32_t path_size;
  uint32_t controller_size;
  /* path; controller's name */
};

/* Further flags of a view, in view_details. */
enum touchroute_view_details_flags {
  TOUCHROUTE_DETAILS_ADDED = 1 << 0,      /* a program has added it (rule L7) */
  TOUCHROUTE_DETAILS_RESIZABLE = 1 << 1,  /* a window's: resizable = true (rule L6) */
  TOUCHROUTE_DETAILS_INCOMPLETE = 1 << 2, /* a property has more words or points than a message */
};

/* Comes after the view of each window, and after each view that a program has added. */
struct touchroute_view_details {
  struct touchroute_header header;
  uint32_t serial;
  uint32_t index;  /* of the view */
  uint32_t screen; /* of a window: index into the screens of welcome; else TOUCHROUTE_NONE */
  uint32_t flags;  /* enum touchroute_view_details_flags */
  int32_t pid;     /* of the client that has added it, or 0 */
  uint32_t application_size;
  /* of a window: the name of its application */
};

/* Who has set a property, and so when the override ends (rule L6). */
enum touchroute_setter {
  TOUCHROUTE_SETTER_NONE = 0,       /* not overridden: as configured, or as it was added */
  TOUCHROUTE_SETTER_ATTACHMENT = 1, /* set through an attachment, and ends with it */
  TOUCHROUTE_SETTER_RULE = 2,       /* set by an access rule's right, and ends with the client */
  TOUCHROUTE_SETTER_CONTROL = 3,    /* set over the control socket, and stays */
};

/*
 * A property of a view, after the view: each override; and outset, shape, inside, hit and level
 * that differ from the default.
 */
struct touchroute_view_property {
  struct touchroute_header header;
  uint32_t serial;
  uint32_t index;  /* of the view */
  uint32_t setter; /* enum touchroute_setter */
  int32_t pid;     /* of the client through whose attachment it was set, or 0 */
  struct touchroute_property_value value;
  /* its values (double); words; x, y of each point */
};

/*
 * A recognizer of the views described. What its kind does not have is as in add_gesture: 0,
 * 0xffffffff, or a negative distance.
 */
struct touchroute_described_gesture {
  struct touchroute_header header;
  uint32_t serial;
  uint32_t recognizer; /* the daemon's number */
  uint32_t index;      /* among all items; the first recognizer's is the number of views */
  uint32_t view;       /* index of its view, or TOUCHROUTE_NONE */
  uint32_t screen;     /* index of its screen in welcome, or TOUCHROUTE_NONE */
  int32_t pid;         /* of the client that has added it; 0: it is the configuration's */
  uint8_t kind;
  uint8_t fewest;
  uint8_t most;
  uint8_t taps;
  uint8_t direction;
  uint8_t edge;
  uint16_t flags;
  uint32_t duration_ms;
  uint32_t interval_ms;
  uint32_t gather_ms;
  uint32_t path_size;
  uint32_t to_size;
  uint32_t after_size;
  uint32_t simultaneous_size;
  uint32_t reserved;
  double slop, distance, margin; /* in points */
  double slop_degrees;
  /* path; path of the responder; paths of after, and of simultaneous, with commas */
};

/*
 * One frame of one device, for one client: all its live touches of that device (rule T2). A frame
 * that does not fit into one message continues in the next, with the same sequence. All but the
 * last have TOUCHROUTE_MORE.
 */
struct touchroute_touches {
  struct touchroute_header header;
  uint64_t time_us;  /* CLOCK_MONOTONIC, the kernel's time of the frame */
  uint64_t sequence; /* of the frame; goes up, with gaps for frames not for this client */
  uint32_t device;
  uint16_t touch_count;
  uint16_t sample_count; /* in all */
  /* touch_count times struct touchroute_touch; then, in order, the samples and path of each */
};

/* Places are in single precision: within 1/512 point up to 65,536 points from the origin. */
struct touchroute_touch {
  uint64_t id;          /* never used again while the daemon runs */
  uint32_t attachment;
  uint32_t target;      /* the view that was hit: an index into those that describe lists */
  uint32_t age_us;      /* from this touch's last change to the frame's time; at most 2^32 - 1 */
  uint8_t phase;
  uint8_t cancel_reason;
  uint16_t flags;       /* enum touchroute_touch_flags */
  uint16_t tap_count;
  uint16_t screen;      /* index into the screens of welcome */
  uint16_t sample_count; /* merged moves that follow, oldest first (rule F2) */
  /* Of the target's path: with began, and with the first record that the attachment gets of the
   * touch. Otherwise 0, and if the path is over TOUCHROUTE_MAX_PATH. */
  uint16_t path_size;
  float x, y;           /* in the target's coordinates */
  float previous_x, previous_y; /* likewise */
  float window_x, window_y;     /* in the coordinates of the target's window */
  float screen_x, screen_y;     /* points */
};

struct touchroute_sample {
  uint64_t time_us;
  float x, y; /* in the target's coordinates */
};

/*
 * A gesture. After began come changed, then once ended or cancelled; recognized comes alone (rule
 * G12). Values are absolute, so of several changed that wait only the latest is sent (rule G14).
 * The values of rule G16 are in the coordinates of the recognizer's view, or of its screen. What
 * its kind does not have is 0, and scale 1.
 */
struct touchroute_gesture {
  struct touchroute_header header;
  uint32_t attachment; /* that hears of it */
  uint32_t recognizer; /* never used again while the daemon runs */
  uint64_t time_us;    /* CLOCK_MONOTONIC: of the frame, or of the time that decided it */
  uint8_t kind;          /* enum touchroute_gesture_kind */
  uint8_t state;         /* enum touchroute_gesture_state */
  uint8_t cancel_reason; /* enum touchroute_cancel_reason */
  uint8_t direction;     /* of a swipe */
  uint16_t touches;      /* fingers down; with recognized and ended the most down together */
  uint16_t taps;
  double x, y; /* the centroid of the fingers */
  double translation_x, translation_y;
  double velocity_x, velocity_y; /* points a second */
  double scale, scale_velocity;  /* of 1, a second */
  double rotation, rotation_velocity; /* degrees clockwise, a second */
  uint32_t path_size; /* of the recognizer: "home/list#scroll"; 0 if it is over the limit */
  uint32_t reserved;  /* 0 */
  /* path */
};

/* An attachment waits in the queue for its responder, until attached comes with serial 0. */
struct touchroute_waiting {
  struct touchroute_header header;
  uint32_t serial;     /* attach's, if another client holds the responder; 0 if it was lost */
  uint32_t attachment; /* its number, new with attach's serial */
  uint32_t reason;     /* 0 if another client holds it; else enum touchroute_detach_reason */
  uint32_t text_size;
  /* text, why */
};

struct touchroute_detached {
  struct touchroute_header header;
  uint32_t serial; /* always 0: a detach is answered by done */
  uint32_t attachment;
  uint32_t reason; /* enum touchroute_detach_reason */
  uint32_t text_size;
  /* text */
};

struct touchroute_closing {
  struct touchroute_header header;
  uint32_t reason; /* enum touchroute_close_reason */
  uint32_t text_size;
  /* text */
};

struct touchroute_holder {
  struct touchroute_header header;
  uint32_t attachment; /* the client's, to the window */
  uint32_t is_held;    /* 1: that client holds it now; 0: it no longer does */
  int32_t pid;
  uint32_t uid;
  uint16_t handles; /* enum touchroute_phases */
  uint16_t passes;  /* likewise */
  uint32_t path_size; /* of the responder: a view or a controller of the window */
  uint32_t name_size; /* what that program calls itself */
  uint32_t reserved;  /* 0 */
  /* path, name */
};

/* To a screen's blanker, and to who watches screens. */
struct touchroute_screen_state {
  struct touchroute_header header;
  uint32_t screen;    /* index into the screens of welcome */
  uint16_t power;     /* enum touchroute_screen_power */
  uint16_t cause;     /* enum touchroute_screen_cause */
  uint32_t name_size;
  uint32_t reserved;  /* 0 */
  /* name */
};

/* To who watches screens. */
struct touchroute_lock_state {
  struct touchroute_header header;
  uint32_t screen;       /* index into the screens of welcome */
  uint32_t remaining_ms; /* until the lock ends; 0: it has ended */
  uint16_t cause;        /* enum touchroute_lock_cause */
  uint16_t reserved;     /* 0 */
  uint32_t name_size;
  /* name */
};

/* What gives feedback (rule D10). */
enum touchroute_feedback_cause {
  TOUCHROUTE_FEEDBACK_TOUCH = 1,   /* a touch began on a view, and a client gets it */
  TOUCHROUTE_FEEDBACK_GESTURE = 2, /* a recognizer has recognized or begun */
};

/* What is special about feedback. */
enum touchroute_feedback_flags {
  TOUCHROUTE_FEEDBACK_SECURE = 1 << 0, /* rule D12: of a secure view, which is not named */
};

struct touchroute_feedback {
  struct touchroute_header header;
  uint64_t time_us;     /* CLOCK_MONOTONIC: when the touch began, or the recognizer recognized */
  uint32_t screen;      /* index into the screens of welcome */
  uint16_t cause;       /* enum touchroute_feedback_cause */
  uint16_t flags;       /* enum touchroute_feedback_flags */
  uint32_t name_size;
  uint32_t target_size; /* 0 if it is secure */
  /* name of the feedback, target: the path of the view or recognizer */
};

struct touchroute_idle {
  struct touchroute_header header;
  uint32_t watch;
  uint32_t is_idle; /* 1: nobody has touched it for so long; 0: somebody does again */
};

/* ---- The wire of the control socket ---- */

/* The counters of status: indices into the counters of touchroute_status_daemon. */
enum touchroute_counter {
  TOUCHROUTE_COUNT_FRAMES = 0,            /* frames from the devices */
  TOUCHROUTE_COUNT_BEGAN = 1,             /* touches that began */
  TOUCHROUTE_COUNT_ENDED = 2,             /* those that ended */
  TOUCHROUTE_COUNT_CANCELLED = 3,         /* those that were cancelled */
  TOUCHROUTE_COUNT_DELIVERED = 4,         /* touches that a client got */
  TOUCHROUTE_COUNT_DISCARDED_NO_WINDOW = 5,
  TOUCHROUTE_COUNT_DISCARDED_OUTSIDE_SCREEN = 6,
  TOUCHROUTE_COUNT_DISCARDED_UNHANDLED = 7,
  TOUCHROUTE_COUNT_DISCARDED_SINGLE_TOUCH = 8,
  TOUCHROUTE_COUNT_DISCARDED_EXCLUSIVE = 9,
  TOUCHROUTE_COUNT_DISCARDED_DECLINED = 10,
  TOUCHROUTE_COUNT_DISCARDED_LIMIT = 11,
  TOUCHROUTE_COUNT_STRAY_EVENTS = 12,     /* rule T6 */
  TOUCHROUTE_COUNT_ORPHANED = 13,         /* rule R7: touches whose client disconnected */
  TOUCHROUTE_COUNT_UNKNOWN_TOUCHES = 14,  /* accept or decline of an unknown touch */
  TOUCHROUTE_COUNT_MESSAGES = 15,         /* touches messages queued */
  TOUCHROUTE_COUNT_VIOLATIONS = 16,       /* rule T5: found by the checker; must stay 0 */
  TOUCHROUTE_COUNT_COALESCED = 17,        /* rule F2: frames merged into one still unsent */
  TOUCHROUTE_COUNT_DROPPED_SAMPLES = 18,  /* rule F2: samples dropped from a full history */
  TOUCHROUTE_COUNT_UNRESPONSIVE = 19,     /* rule F3: times a client became unresponsive */
  TOUCHROUTE_COUNT_PASSED_ON = 20,        /* rule R5: declines after which another one got it */
  TOUCHROUTE_COUNT_LATE_DECLINES = 21,    /* rule R5: too late, or after accept */
  TOUCHROUTE_COUNT_INJECTED = 22,         /* touches that began by inject */
  TOUCHROUTE_COUNT_LOST_LOG_LINES = 23,   /* the log's reader did not keep up */
  TOUCHROUTE_COUNT_OMITTED_LOG_LINES = 24, /* over the limit of their user's programs */
  TOUCHROUTE_COUNT_DISCARDED_GESTURE = 25, /* rule G9: began while a gesture had its fingers */
  TOUCHROUTE_COUNT_DISCARDED_DARK = 26,   /* rule D3: began on a dark screen */
  TOUCHROUTE_COUNT_DISCARDED_LOCKED = 27, /* rule D9: began on a locked screen */
  TOUCHROUTE_COUNTERS = 28,
};

struct touchroute_status_daemon {
  struct touchroute_header header;
  uint32_t serial;
  int32_t pid;
  uint64_t started_us; /* CLOCK_MONOTONIC */
  uint32_t generation;
  uint32_t window_count;
  uint32_t view_count;
  uint32_t live_touches;
  uint32_t version_size;
  uint32_t configuration_size;
  uint32_t counter_count; /* a newer daemon may count more */
  uint32_t latency_count; /* TOUCHROUTE_LATENCIES */
  /*
   * uint64_t counters[counter_count]; uint64_t latencies[latency_count]: index i counts the frames
   * that were sent from 2^(i-1) to less than 2^i us after the kernel's time, the last index the
   * rest; version; path of the configuration
   */
};

#define TOUCHROUTE_LATENCIES 24u

/* The state of a client. */
enum touchroute_client_flags {
  TOUCHROUTE_CLIENT_CONTROL = 1 << 0,      /* it is connected to the control socket */
  TOUCHROUTE_CLIENT_OBSERVER = 1 << 1,     /* it observes */
  TOUCHROUTE_CLIENT_UNRESPONSIVE = 1 << 2, /* rule F3: it does not read */
};

struct touchroute_status_client {
  struct touchroute_header header;
  uint32_t serial;
  uint32_t client; /* names it in the items that follow */
  int32_t pid;
  uint32_t uid;
  uint32_t gid;
  uint32_t flags;
  uint32_t queued; /* bytes that wait in the daemon */
  uint32_t unread; /* bytes that wait in the socket */
  uint64_t messages; /* sent to it */
  uint64_t coalesced; /* rule F2: frames merged into one still unsent */
  uint64_t dropped; /* rule F2: samples dropped from a full history */
  uint32_t live_touches;
  uint32_t name_size;
  /* name */
};

struct touchroute_status_attachment {
  struct touchroute_header header;
  uint32_t serial;
  uint32_t client;
  uint32_t attachment;
  uint16_t handles;
  uint16_t passes;
  uint32_t live_touches;
  uint32_t path_size;
  /* path */
};

/* The state of a device. */
enum touchroute_device_flags {
  TOUCHROUTE_DEVICE_GRABBED = 1 << 0,   /* no other program reads it */
  TOUCHROUTE_DEVICE_SUSPENDED = 1 << 1, /* it is not read now */
  TOUCHROUTE_DEVICE_IGNORED = 1 << 2,   /* the configuration leaves it alone */
};

struct touchroute_status_device {
  struct touchroute_header header;
  uint32_t serial;
  uint32_t device;
  uint32_t screen;
  uint32_t flags;
  uint16_t bus, vendor, product, version;
  uint32_t touch_count; /* how many fingers it can tell apart; 0 if it does not say */
  uint32_t live_touches;
  uint32_t name_size;
  uint32_t node_size;
  uint32_t phys_size;
  uint32_t reserved;
  /* name; path of its node; physical path */
};

struct touchroute_status_lock {
  struct touchroute_header header;
  uint32_t serial;
  uint32_t screen;       /* index into the screens of welcome */
  uint32_t remaining_ms; /* until it ends */
  int32_t pid;           /* of the client that asked for it; 0: an administrator's, who has gone */
  uint32_t name_size;
  uint32_t reserved;     /* 0 */
  /* name of the screen */
};

struct touchroute_status_screen {
  struct touchroute_header header;
  uint32_t serial;
  uint32_t screen; /* index into the screens of welcome */
  uint16_t power;  /* enum touchroute_screen_power */
  uint16_t reserved;
  int32_t pid;     /* of its blanker; 0: it has none */
  uint32_t name_size;
  uint32_t blanker_size; /* what its blanker calls itself */
  /* name, blanker */
};

/* What a filter of a device's signal did, or what is wrong with a device (rule N10). */
enum touchroute_signal_finding {
  TOUCHROUTE_SIGNAL_BRIDGED = 1,   /* rule N2: a contact went on after a gap */
  TOUCHROUTE_SIGNAL_SHORT = 2,     /* rule N3: a contact was too short to begin */
  TOUCHROUTE_SIGNAL_SMOOTHED = 3,  /* rule N4: a point was moved */
  TOUCHROUTE_SIGNAL_OUTLIER = 4,   /* rule N5: a point was dropped */
  TOUCHROUTE_SIGNAL_SPLIT = 5,     /* rule N5: another finger began in the contact's slot */
  TOUCHROUTE_SIGNAL_DEAD_ZONE = 6, /* rule N6: a contact began in a dead zone */
  TOUCHROUTE_SIGNAL_EDGE = 7,      /* rule N7: a contact never left the edge */
  TOUCHROUTE_SIGNAL_GHOST = 8,     /* rule N8: a contact was a ghost */
  TOUCHROUTE_SIGNAL_STUCK = 9,     /* rule N9: a contact was stuck */
  TOUCHROUTE_SIGNAL_PALM = 10,     /* rule N12: a contact was a palm */
  TOUCHROUTE_SIGNAL_SILENT = 32,   /* it reports nothing, though a finger is down */
  TOUCHROUTE_SIGNAL_HELD = 33,     /* a contact has been down for long */
  TOUCHROUTE_SIGNAL_SLOWED = 34,   /* it reports less often than it did */
  TOUCHROUTE_SIGNAL_HAUNTED = 35,  /* it has many ghosts */
  TOUCHROUTE_SIGNAL_OVERRUN = 36,  /* the kernel loses its events */
  TOUCHROUTE_SIGNAL_UNSTEADY = 37, /* it comes and goes */
  TOUCHROUTE_SIGNAL_DRIFTED = 38,  /* taps lie off what they hit, all to one side */
};

struct touchroute_status_signal {
  struct touchroute_header header;
  uint32_t serial;
  uint32_t device;
  uint8_t finding; /* enum touchroute_signal_finding */
  uint8_t also_reserved; /* 0 */
  uint16_t reserved;     /* 0 */
  uint32_t text_size;
  uint64_t count;    /* of a filter: how often, since it is in force; else 1 */
  uint64_t since_us; /* since when it is wrong; 0 of a filter */
  /* what is wrong, in words that follow the device's name; nothing of a filter */
};

/*
 * One frame as it was routed: every touch that changed, whichever client got it. Continues in
 * further messages as touches does.
 */
struct touchroute_observed {
  struct touchroute_header header;
  uint64_t time_us;
  uint64_t sequence;
  uint32_t device;
  uint32_t touch_count;
  /* touch_count times struct touchroute_observed_touch; then, in order, path and chain of each */
};

struct touchroute_observed_touch {
  uint64_t id;
  uint8_t phase;
  uint8_t cancel_reason;
  uint8_t discard_reason;
  uint8_t reserved;
  uint16_t flags;
  uint16_t tap_count;
  uint32_t screen;
  uint32_t path_size;   /* of the target; 0 if there is none */
  uint32_t chain_count; /* with began, the responders that follow, from the target up; else 0 */
  uint32_t chain_total; /* with began, all responders asked, even if they do not fit here */
  double screen_x, screen_y; /* not a number in a secure view (rule F7) */
};

struct touchroute_chain_entry {
  int32_t pid; /* of its client, or 0 */
  uint16_t outcome; /* enum touchroute_outcome */
  uint16_t phases;  /* those that it gets: enum touchroute_phases */
  uint32_t attachment; /* or TOUCHROUTE_NONE */
  uint32_t path_size;
  /* path */
};

/*
 * What happened to a recognizer that took a touch, for observers: all but changed. If the touch is
 * in a secure view, no distance is reported, and nothing of recognizers within it (rule F7).
 */
struct touchroute_observed_gesture {
  struct touchroute_header header;
  uint64_t time_us;
  uint64_t touch;      /* the id of one of its touches, or 0 */
  uint32_t recognizer;
  int32_t pid;         /* of the client that hears of it, or 0 */
  uint8_t kind;        /* enum touchroute_gesture_kind */
  uint8_t state;       /* enum touchroute_gesture_state */
  uint8_t cancel_reason;
  uint8_t reserved;    /* 0 */
  uint32_t path_size;  /* of the recognizer */
  uint32_t text_size;  /* with failed and passed_by */
  uint32_t also_reserved; /* 0 */
  /* path; why it failed or takes no part, in words */
};

/*
 * What a filter did, before the frame that it changed; or that a device has fallen ill, or is well
 * again.
 */
struct touchroute_observed_signal {
  struct touchroute_header header;
  uint64_t time_us;
  uint64_t touch; /* the id of the touch, or 0 if the contact has not begun */
  uint32_t device;
  uint8_t finding; /* enum touchroute_signal_finding */
  uint8_t is_over; /* 1: this is no longer wrong */
  uint16_t reserved;
  uint32_t screen; /* or TOUCHROUTE_NONE, as the place, if something is wrong */
  uint32_t text_size;
  double screen_x, screen_y; /* where the device says that it is; not a number in a secure view */
  /* what is wrong, in words that follow the device's name; nothing of a filter */
};

/* What else decides where touches go. */
enum touchroute_observed_change_kind {
  TOUCHROUTE_CHANGE_LAYOUT = 1,       /* another layout is in force, or other recognizers */
  TOUCHROUTE_CHANGE_ATTACHED = 2,     /* a client holds a responder */
  TOUCHROUTE_CHANGE_DETACHED = 3,     /* it no longer does */
  TOUCHROUTE_CHANGE_GONE = 4,         /* a client has disconnected, with all that it held */
  TOUCHROUTE_CHANGE_UNRESPONSIVE = 5, /* rule F3: it does not read */
  TOUCHROUTE_CHANGE_RESPONSIVE = 6,   /* it does again */
  TOUCHROUTE_CHANGE_ACCEPTED = 7,     /* rule R5: it keeps a touch */
  TOUCHROUTE_CHANGE_DECLINED = 8,     /* it does not want it */
  TOUCHROUTE_CHANGE_LOST = 9,         /* messages for this observer were dropped */
  TOUCHROUTE_CHANGE_LIFTED = 10,      /* rule G10: a finger was lifted, and the end is held back */
};

/*
 * What else decides where touches go, for observers that ask for changes, in order with observed.
 * When such a client begins to observe, layout, attached and unresponsive tell it what is so then,
 * before done. If it does not read, the daemon drops what it observes, and says with lost how much.
 */
struct touchroute_observed_change {
  struct touchroute_header header;
  uint64_t time_us;
  uint64_t value;      /* layout: its generation; accepted, declined, lifted: the touch;
                          lost: how many; detached: enum touchroute_detach_reason */
  uint32_t change;     /* enum touchroute_observed_change_kind */
  uint32_t client;     /* as in status_client, or TOUCHROUTE_NONE */
  uint32_t attachment; /* the daemon's number of it, or TOUCHROUTE_NONE */
  int32_t pid;         /* of the client, or 0 */
  uint16_t handles;    /* attached: enum touchroute_phases */
  uint16_t passes;     /* likewise */
  uint32_t gestures;   /* attached: 1 if it handles gestures */
  uint32_t path_size;  /* attached: the responder's */
  uint32_t name_size;  /* attached: what the client calls itself */
  /* path, name */
};

/* Every size, asserted: the two sides of a socket may come from different compilers. */
#ifdef __cplusplus
#define TOUCHROUTE_ASSERT_SIZE(type, bytes) \
  static_assert(sizeof(struct type) == (bytes), #type " has changed")
#else
#define TOUCHROUTE_ASSERT_SIZE(type, bytes) \
  _Static_assert(sizeof(struct type) == (bytes), #type " has changed")
#endif
TOUCHROUTE_ASSERT_SIZE(touchroute_header, 8);
TOUCHROUTE_ASSERT_SIZE(touchroute_hello, 24);
TOUCHROUTE_ASSERT_SIZE(touchroute_attach, 24);
TOUCHROUTE_ASSERT_SIZE(touchroute_detach, 16);
TOUCHROUTE_ASSERT_SIZE(touchroute_accept, 24);
TOUCHROUTE_ASSERT_SIZE(touchroute_describe, 24);
TOUCHROUTE_ASSERT_SIZE(touchroute_plain_request, 16);
TOUCHROUTE_ASSERT_SIZE(touchroute_observe, 16);
TOUCHROUTE_ASSERT_SIZE(touchroute_set, 16);
TOUCHROUTE_ASSERT_SIZE(touchroute_change, 56);
TOUCHROUTE_ASSERT_SIZE(touchroute_add_gesture, 88);
TOUCHROUTE_ASSERT_SIZE(touchroute_gesture_name, 8);
TOUCHROUTE_ASSERT_SIZE(touchroute_remove_gesture, 16);
TOUCHROUTE_ASSERT_SIZE(touchroute_change_views, 24);
TOUCHROUTE_ASSERT_SIZE(touchroute_view_step, 8);
TOUCHROUTE_ASSERT_SIZE(touchroute_property_value, 8);
TOUCHROUTE_ASSERT_SIZE(touchroute_set_screen, 24);
TOUCHROUTE_ASSERT_SIZE(touchroute_watch_screens, 16);
TOUCHROUTE_ASSERT_SIZE(touchroute_lock, 24);
TOUCHROUTE_ASSERT_SIZE(touchroute_lock_exception, 8);
TOUCHROUTE_ASSERT_SIZE(touchroute_unlock, 16);
TOUCHROUTE_ASSERT_SIZE(touchroute_watch_idle, 24);
TOUCHROUTE_ASSERT_SIZE(touchroute_unwatch_idle, 16);
TOUCHROUTE_ASSERT_SIZE(touchroute_inhibit_idle, 24);
TOUCHROUTE_ASSERT_SIZE(touchroute_inject, 24);
TOUCHROUTE_ASSERT_SIZE(touchroute_contact, 24);
TOUCHROUTE_ASSERT_SIZE(touchroute_cancel, 24);
TOUCHROUTE_ASSERT_SIZE(touchroute_ungrab, 16);
TOUCHROUTE_ASSERT_SIZE(touchroute_welcome, 40);
TOUCHROUTE_ASSERT_SIZE(touchroute_screen, 24);
TOUCHROUTE_ASSERT_SIZE(touchroute_attached, 144);
TOUCHROUTE_ASSERT_SIZE(touchroute_done, 24);
TOUCHROUTE_ASSERT_SIZE(touchroute_error, 24);
TOUCHROUTE_ASSERT_SIZE(touchroute_pong, 16);
TOUCHROUTE_ASSERT_SIZE(touchroute_view, 144);
TOUCHROUTE_ASSERT_SIZE(touchroute_view_details, 32);
TOUCHROUTE_ASSERT_SIZE(touchroute_view_property, 32);
TOUCHROUTE_ASSERT_SIZE(touchroute_described_gesture, 104);
TOUCHROUTE_ASSERT_SIZE(touchroute_touches, 32);
TOUCHROUTE_ASSERT_SIZE(touchroute_touch, 64);
TOUCHROUTE_ASSERT_SIZE(touchroute_sample, 16);
TOUCHROUTE_ASSERT_SIZE(touchroute_gesture, 120);
TOUCHROUTE_ASSERT_SIZE(touchroute_waiting, 24);
TOUCHROUTE_ASSERT_SIZE(touchroute_detached, 24);
TOUCHROUTE_ASSERT_SIZE(touchroute_closing, 16);
TOUCHROUTE_ASSERT_SIZE(touchroute_holder, 40);
TOUCHROUTE_ASSERT_SIZE(touchroute_screen_state, 24);
TOUCHROUTE_ASSERT_SIZE(touchroute_lock_state, 24);
TOUCHROUTE_ASSERT_SIZE(touchroute_idle, 16);
TOUCHROUTE_ASSERT_SIZE(touchroute_watch_feedback, 24);
TOUCHROUTE_ASSERT_SIZE(touchroute_feedback, 32);
TOUCHROUTE_ASSERT_SIZE(touchroute_status_lock, 32);
TOUCHROUTE_ASSERT_SIZE(touchroute_status_screen, 32);
TOUCHROUTE_ASSERT_SIZE(touchroute_status_daemon, 56);
TOUCHROUTE_ASSERT_SIZE(touchroute_status_client, 72);
TOUCHROUTE_ASSERT_SIZE(touchroute_status_attachment, 32);
TOUCHROUTE_ASSERT_SIZE(touchroute_status_device, 56);
TOUCHROUTE_ASSERT_SIZE(touchroute_observed, 32);
TOUCHROUTE_ASSERT_SIZE(touchroute_observed_touch, 48);
TOUCHROUTE_ASSERT_SIZE(touchroute_observed_gesture, 48);
TOUCHROUTE_ASSERT_SIZE(touchroute_status_signal, 40);
TOUCHROUTE_ASSERT_SIZE(touchroute_observed_signal, 56);
TOUCHROUTE_ASSERT_SIZE(touchroute_observed_change, 56);
TOUCHROUTE_ASSERT_SIZE(touchroute_chain_entry, 16);

#endif
