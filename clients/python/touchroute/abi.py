"""The C library's numbers, structs and functions. scripts/generate makes this file of the headers."""

from ctypes import (
    CFUNCTYPE, POINTER, Structure, c_char_p, c_double, c_float, c_int, c_int32, c_short, c_size_t, c_uint8,
    c_uint16, c_uint32, c_uint64, c_void_p, py_object,
)

MAGIC = 0x54524f54
VERSION = 1
MAX_REQUEST = 4096
MAX_CHANGE_VIEWS = 65536
MAX_MESSAGE = 65536
MAX_PATH = 3072
MAX_NAME = 255
DESCRIBE_PAGE = 128
NONE = 0xffffffff
SOCKET_PATH = "/run/touchroute/touchroute.sock"
CONTROL_SOCKET_PATH = "/run/touchroute/control.sock"
SOCKET_VARIABLE = "TOUCHROUTE_SOCKET"
MORE = 1
LATENCIES = 24
CLIENT_ATTACHMENTS = 256
CLIENT_PATHS = 65536
CLIENT_TOUCHES = 128
CLIENT_OUTPUT = 131072
CLIENT_RECOGNIZERS = 128
CLIENT_DESCRIPTIONS = 65536
CLIENT_GESTURES = 32
CLIENT_VIEWS = 2097152
CLIENT_BATCHES = 64
PHASE_BEGAN = 1
PHASE_MOVED = 2
PHASE_STATIONARY = 3
PHASE_ENDED = 4
PHASE_CANCELLED = 5
HANDLES_BEGAN = 1 << 0
HANDLES_MOVED = 1 << 1
HANDLES_ENDED = 1 << 2
HANDLES_CANCELLED = 1 << 3
HANDLES_ALL = 0xf
CANCEL_NONE = 0
CANCEL_DEVICE_REMOVED = 1
CANCEL_SUSPENDED = 2
CANCEL_PALM = 3
CANCEL_TARGET_REMOVED = 4
CANCEL_UNRESPONSIVE = 5
CANCEL_TAKEN_OVER = 6
CANCEL_STOPPING = 7
CANCEL_REQUESTED = 8
CANCEL_CONNECTION_LOST = 9
CANCEL_GESTURE = 10
CANCEL_STUCK = 11
CANCEL_GHOST = 12
CANCEL_DARK = 13
CANCEL_LOCKED = 14
DISCARD_NONE = 0
DISCARD_NO_WINDOW = 1
DISCARD_OUTSIDE_SCREEN = 2
DISCARD_UNHANDLED = 3
DISCARD_SINGLE_TOUCH = 4
DISCARD_EXCLUSIVE = 5
DISCARD_DECLINED = 6
DISCARD_LIMIT = 7
DISCARD_OVER = 8
DISCARD_GESTURE = 9
DISCARD_DARK = 10
DISCARD_LOCKED = 11
TOUCH_REPLAYED = 1 << 0
TOUCH_INJECTED = 1 << 1
TOUCH_COALESCED = 1 << 2
TOUCH_SECURE = 1 << 3
OUTCOME_NO_CLIENT = 0
OUTCOME_DELIVERED = 1
OUTCOME_NOT_HANDLED = 2
OUTCOME_UNRESPONSIVE = 3
OUTCOME_DECLINED = 4
GESTURE_TAP = 1
GESTURE_LONG_PRESS = 2
GESTURE_PAN = 3
GESTURE_SWIPE = 4
GESTURE_PINCH = 5
GESTURE_ROTATION = 6
GESTURE_EDGE_PAN = 7
GESTURE_RECOGNIZED = 1
GESTURE_BEGAN = 2
GESTURE_CHANGED = 3
GESTURE_ENDED = 4
GESTURE_CANCELLED = 5
GESTURE_FAILED = 6
GESTURE_POSSIBLE = 7
GESTURE_PASSED_BY = 8
DIRECTION_ANY = 0
DIRECTION_LEFT = 1
DIRECTION_RIGHT = 2
DIRECTION_UP = 3
DIRECTION_DOWN = 4
DIRECTION_HORIZONTAL = 5
DIRECTION_VERTICAL = 6
EDGE_NONE = 0
EDGE_LEFT = 1
EDGE_RIGHT = 2
EDGE_TOP = 3
EDGE_BOTTOM = 4
ERROR_PROTOCOL = 1
ERROR_VERSION = 2
ERROR_NO_RESPONDER = 3
ERROR_HELD = 4
ERROR_NOT_ALLOWED = 5
ERROR_LIMIT = 6
ERROR_NOT_SUPPORTED = 7
ERROR_NOT_ATTACHED = 8
ERROR_INVALID = 9
CLOSE_STOPPING = 1
CLOSE_PROTOCOL = 2
CLOSE_QUEUE_FULL = 3
CLOSE_LIMIT = 4
DETACH_REQUESTED = 0
DETACH_REMOVED = 1
DETACH_TAKEN_OVER = 2
DETACH_NOT_ALLOWED = 3
HELLO = 1
ATTACH = 2
DETACH = 3
ACCEPT = 4
DECLINE = 5
SET = 6
DESCRIBE = 7
PING = 8
ADD_GESTURE = 9
REMOVE_GESTURE = 10
CHANGE_VIEWS = 11
SET_SCREEN = 12
WATCH_SCREENS = 13
WATCH_IDLE = 14
UNWATCH_IDLE = 15
INHIBIT_IDLE = 21
LOCK = 22
UNLOCK = 23
WATCH_FEEDBACK = 24
STATUS = 16
OBSERVE = 17
RELOAD = 18
INJECT = 19
CANCEL = 20
UNGRAB = 25
ATTACH_TAKE_OVER = 1 << 0
ATTACH_HISTORY = 1 << 1
ATTACH_WAIT = 1 << 2
ATTACH_GESTURES = 1 << 3
OBSERVE_NOTHING = 0
OBSERVE_TOUCHES = 1
OBSERVE_CHANGES = 2
OBSERVE_HEALTH = 4
PROPERTY_HIDDEN = 1
PROPERTY_ALPHA = 2
PROPERTY_INTERACTION = 3
PROPERTY_FRAME = 4
PROPERTY_BOUNDS_ORIGIN = 5
PROPERTY_TRANSFORM = 6
PROPERTY_ORDER = 7
PROPERTY_CONFIGURED = 8
PROPERTY_OUTSET = 9
PROPERTY_SHAPE = 10
PROPERTY_INSIDE = 11
PROPERTY_HIT = 12
PROPERTY_SECURE = 13
PROPERTY_EXCLUSIVE_TOUCH = 14
PROPERTY_MULTIPLE_TOUCH = 15
PROPERTY_LEVEL = 16
PROPERTY_ENABLED = 17
PROPERTY_LABEL = 18
PROPERTY_FEEDBACK = 19
SHAPE_RECT = 0
SHAPE_ELLIPSE = 1
SHAPE_ROUNDED = 2
SHAPE_POLYGON = 3
INSIDE_BOUNDS = 0
INSIDE_ALWAYS = 1
INSIDE_NEVER = 2
INSIDE_CHILDREN = 3
HIT_DEFAULT = 0
HIT_SELF = 1
HIT_NONE = 2
HIT_PASS_THROUGH = 3
HIT_REDIRECT = 4
HIT_FIRST = 5
GESTURE_DISABLED = 1 << 0
GESTURE_KEEPS_TOUCHES = 1 << 1
GESTURE_PASSES_ENDED = 1 << 2
GESTURE_DELAYS_BEGAN = 1 << 3
GESTURE_HAS_PRIORITY = 1 << 4
GESTURE_UNHEARD = 1 << 5
GESTURE_CROWDED_OUT = 1 << 6
STEP_ADD = 1
STEP_REMOVE = 2
STEP_CHANGE = 3
SCREEN_ON = 1
SCREEN_DARK = 2
SCREEN_WAKING = 3
SCREEN_UNCHANGED = 0
SCREEN_REQUESTED = 1
SCREEN_WOKEN = 2
SCREEN_TIMED_OUT = 3
SCREEN_UNATTENDED = 4
SET_SCREEN_BLANKER = 1 << 0
LOCK_HOLD_CORNERS = 1 << 0
LOCK_TAPS = 1 << 1
LOCK_UNCHANGED = 0
LOCK_REQUESTED = 1
LOCK_TIME_IS_OVER = 2
LOCK_EXIT = 3
LOCK_CLIENT_LEFT = 4
IDLE_SEAT = 1
IDLE_SCREEN = 2
IDLE_WINDOW = 3
IDLE_IGNORES_INHIBITORS = 1 << 0
IDLE_IGNORES_INJECTED = 1 << 1
WELCOME = 0x100
ATTACHED = 0x101
DONE = 0x102
ERROR = 0x103
VIEW = 0x104
PONG = 0x105
DESCRIBED_GESTURE = 0x106
VIEW_DETAILS = 0x107
VIEW_PROPERTY = 0x108
TOUCHES = 0x110
LAYOUT = 0x111
DETACHED = 0x112
CLOSING = 0x113
HOLDER = 0x114
WAITING = 0x115
GESTURE = 0x116
SCREEN_STATE = 0x117
IDLE = 0x118
LOCK_STATE = 0x119
FEEDBACK = 0x11a
STATUS_DAEMON = 0x120
STATUS_CLIENT = 0x121
STATUS_ATTACHMENT = 0x122
STATUS_DEVICE = 0x123
STATUS_WAITING = 0x124
STATUS_SCREEN = 0x125
STATUS_INHIBITOR = 0x126
STATUS_LOCK = 0x127
STATUS_SIGNAL = 0x128
OBSERVED = 0x130
OBSERVED_GESTURE = 0x131
OBSERVED_SIGNAL = 0x132
OBSERVED_CHANGE = 0x133
VIEW_HIDDEN = 1 << 0
VIEW_NO_INTERACTION = 1 << 1
VIEW_SINGLE_TOUCH = 1 << 2
VIEW_EXCLUSIVE_TOUCH = 1 << 3
VIEW_SECURE = 1 << 4
DETAILS_ADDED = 1 << 0
DETAILS_RESIZABLE = 1 << 1
DETAILS_INCOMPLETE = 1 << 2
SETTER_NONE = 0
SETTER_ATTACHMENT = 1
SETTER_RULE = 2
SETTER_CONTROL = 3
FEEDBACK_TOUCH = 1
FEEDBACK_GESTURE = 2
FEEDBACK_SECURE = 1 << 0
COUNT_FRAMES = 0
COUNT_BEGAN = 1
COUNT_ENDED = 2
COUNT_CANCELLED = 3
COUNT_DELIVERED = 4
COUNT_DISCARDED_NO_WINDOW = 5
COUNT_DISCARDED_OUTSIDE_SCREEN = 6
COUNT_DISCARDED_UNHANDLED = 7
COUNT_DISCARDED_SINGLE_TOUCH = 8
COUNT_DISCARDED_EXCLUSIVE = 9
COUNT_DISCARDED_DECLINED = 10
COUNT_DISCARDED_LIMIT = 11
COUNT_STRAY_EVENTS = 12
COUNT_ORPHANED = 13
COUNT_UNKNOWN_TOUCHES = 14
COUNT_MESSAGES = 15
COUNT_VIOLATIONS = 16
COUNT_COALESCED = 17
COUNT_DROPPED_SAMPLES = 18
COUNT_UNRESPONSIVE = 19
COUNT_PASSED_ON = 20
COUNT_LATE_DECLINES = 21
COUNT_INJECTED = 22
COUNT_LOST_LOG_LINES = 23
COUNT_OMITTED_LOG_LINES = 24
COUNT_DISCARDED_GESTURE = 25
COUNT_DISCARDED_DARK = 26
COUNT_DISCARDED_LOCKED = 27
COUNTERS = 28
CLIENT_CONTROL = 1 << 0
CLIENT_OBSERVER = 1 << 1
CLIENT_UNRESPONSIVE = 1 << 2
DEVICE_GRABBED = 1 << 0
DEVICE_SUSPENDED = 1 << 1
DEVICE_IGNORED = 1 << 2
SIGNAL_BRIDGED = 1
SIGNAL_SHORT = 2
SIGNAL_SMOOTHED = 3
SIGNAL_OUTLIER = 4
SIGNAL_SPLIT = 5
SIGNAL_DEAD_ZONE = 6
SIGNAL_EDGE = 7
SIGNAL_GHOST = 8
SIGNAL_STUCK = 9
SIGNAL_PALM = 10
SIGNAL_SILENT = 32
SIGNAL_HELD = 33
SIGNAL_SLOWED = 34
SIGNAL_HAUNTED = 35
SIGNAL_OVERRUN = 36
SIGNAL_UNSTEADY = 37
SIGNAL_DRIFTED = 38
CHANGE_LAYOUT = 1
CHANGE_ATTACHED = 2
CHANGE_DETACHED = 3
CHANGE_GONE = 4
CHANGE_UNRESPONSIVE = 5
CHANGE_RESPONSIVE = 6
CHANGE_ACCEPTED = 7
CHANGE_DECLINED = 8
CHANGE_LOST = 9
CHANGE_LIFTED = 10
RECONNECT = 1 << 0


class touchroute_touch(Structure):
    _fields_ = [
        ("id", c_uint64),
        ("attachment", c_uint32),
        ("target", c_uint32),
        ("age_us", c_uint32),
        ("phase", c_uint8),
        ("cancel_reason", c_uint8),
        ("flags", c_uint16),
        ("tap_count", c_uint16),
        ("screen", c_uint16),
        ("sample_count", c_uint16),
        ("path_size", c_uint16),
        ("x", c_float),
        ("y", c_float),
        ("previous_x", c_float),
        ("previous_y", c_float),
        ("window_x", c_float),
        ("window_y", c_float),
        ("screen_x", c_float),
        ("screen_y", c_float),
    ]


class touchroute_sample(Structure):
    _fields_ = [
        ("time_us", c_uint64),
        ("x", c_float),
        ("y", c_float),
    ]


class touchroute_record(Structure):
    _fields_ = [
        ("touch", POINTER(touchroute_touch)),
        ("path", c_char_p),
        ("samples", POINTER(touchroute_sample)),
    ]


class touchroute_frame(Structure):
    _fields_ = [
        ("time_us", c_uint64),
        ("sequence", c_uint64),
        ("device", c_uint32),
        ("record_count", c_uint32),
        ("records", POINTER(touchroute_record)),
        ("more", c_int),
    ]


class touchroute_header(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("opcode", c_uint16),
        ("flags", c_uint16),
    ]


class touchroute_attached(Structure):
    _fields_ = [
        ("header", touchroute_header),
        ("serial", c_uint32),
        ("attachment", c_uint32),
        ("generation", c_uint32),
        ("screen", c_uint32),
        ("view_count", c_uint32),
        ("added_count", c_uint32),
        ("frame", c_double * 4),
        ("bounds", c_double * 4),
        ("transform", c_double * 6),
    ]


class touchroute_error(Structure):
    _fields_ = [
        ("header", touchroute_header),
        ("serial", c_uint32),
        ("code", c_uint32),
        ("request", c_uint32),
        ("text_size", c_uint32),
    ]


class touchroute_welcome(Structure):
    _fields_ = [
        ("header", touchroute_header),
        ("serial", c_uint32),
        ("version", c_uint32),
        ("max_request", c_uint32),
        ("max_attachments", c_uint32),
        ("decision_timeout_ms", c_uint32),
        ("unresponsive_after_ms", c_uint32),
        ("is_control", c_uint32),
        ("screen_count", c_uint32),
    ]


class touchroute_screen(Structure):
    _fields_ = [
        ("width", c_double),
        ("height", c_double),
        ("rotation", c_uint32),
        ("name_size", c_uint32),
    ]


class touchroute_screen_info(Structure):
    _fields_ = [
        ("screen", touchroute_screen),
        ("name", c_char_p),
    ]


class touchroute_view(Structure):
    _fields_ = [
        ("header", touchroute_header),
        ("serial", c_uint32),
        ("index", c_uint32),
        ("parent", c_uint32),
        ("flags", c_uint32),
        ("holder", c_int32),
        ("controller_holder", c_int32),
        ("frame", c_double * 4),
        ("bounds_origin", c_double * 2),
        ("transform", c_double * 6),
        ("alpha", c_double),
        ("path_size", c_uint32),
        ("controller_size", c_uint32),
    ]


class touchroute_status_daemon(Structure):
    _fields_ = [
        ("header", touchroute_header),
        ("serial", c_uint32),
        ("pid", c_int32),
        ("started_us", c_uint64),
        ("generation", c_uint32),
        ("window_count", c_uint32),
        ("view_count", c_uint32),
        ("live_touches", c_uint32),
        ("version_size", c_uint32),
        ("configuration_size", c_uint32),
        ("counter_count", c_uint32),
        ("latency_count", c_uint32),
    ]


class touchroute_status_client(Structure):
    _fields_ = [
        ("header", touchroute_header),
        ("serial", c_uint32),
        ("client", c_uint32),
        ("pid", c_int32),
        ("uid", c_uint32),
        ("gid", c_uint32),
        ("flags", c_uint32),
        ("queued", c_uint32),
        ("unread", c_uint32),
        ("messages", c_uint64),
        ("coalesced", c_uint64),
        ("dropped", c_uint64),
        ("live_touches", c_uint32),
        ("name_size", c_uint32),
    ]


class touchroute_status_attachment(Structure):
    _fields_ = [
        ("header", touchroute_header),
        ("serial", c_uint32),
        ("client", c_uint32),
        ("attachment", c_uint32),
        ("handles", c_uint16),
        ("passes", c_uint16),
        ("live_touches", c_uint32),
        ("path_size", c_uint32),
    ]


class touchroute_status_device(Structure):
    _fields_ = [
        ("header", touchroute_header),
        ("serial", c_uint32),
        ("device", c_uint32),
        ("screen", c_uint32),
        ("flags", c_uint32),
        ("bus", c_uint16),
        ("vendor", c_uint16),
        ("product", c_uint16),
        ("version", c_uint16),
        ("touch_count", c_uint32),
        ("live_touches", c_uint32),
        ("name_size", c_uint32),
        ("node_size", c_uint32),
        ("phys_size", c_uint32),
        ("reserved", c_uint32),
    ]


class touchroute_done(Structure):
    _fields_ = [
        ("header", touchroute_header),
        ("serial", c_uint32),
        ("total", c_uint32),
        ("generation", c_uint32),
        ("text_size", c_uint32),
    ]


class touchroute_observed_touch(Structure):
    _fields_ = [
        ("id", c_uint64),
        ("phase", c_uint8),
        ("cancel_reason", c_uint8),
        ("discard_reason", c_uint8),
        ("reserved", c_uint8),
        ("flags", c_uint16),
        ("tap_count", c_uint16),
        ("screen", c_uint32),
        ("path_size", c_uint32),
        ("chain_count", c_uint32),
        ("chain_total", c_uint32),
        ("screen_x", c_double),
        ("screen_y", c_double),
    ]


class touchroute_chain_entry(Structure):
    _fields_ = [
        ("pid", c_int32),
        ("outcome", c_uint16),
        ("phases", c_uint16),
        ("attachment", c_uint32),
        ("path_size", c_uint32),
    ]


class touchroute_chain_link(Structure):
    _fields_ = [
        ("entry", touchroute_chain_entry),
        ("path", c_char_p),
    ]


class touchroute_observed_record(Structure):
    _fields_ = [
        ("touch", touchroute_observed_touch),
        ("path", c_char_p),
        ("chain", POINTER(touchroute_chain_link)),
    ]


class touchroute_observation(Structure):
    _fields_ = [
        ("time_us", c_uint64),
        ("sequence", c_uint64),
        ("device", c_uint32),
        ("record_count", c_uint32),
        ("records", POINTER(touchroute_observed_record)),
        ("more", c_int),
    ]


class touchroute_holder(Structure):
    _fields_ = [
        ("header", touchroute_header),
        ("attachment", c_uint32),
        ("is_held", c_uint32),
        ("pid", c_int32),
        ("uid", c_uint32),
        ("handles", c_uint16),
        ("passes", c_uint16),
        ("path_size", c_uint32),
        ("name_size", c_uint32),
        ("reserved", c_uint32),
    ]


class touchroute_gesture(Structure):
    _fields_ = [
        ("header", touchroute_header),
        ("attachment", c_uint32),
        ("recognizer", c_uint32),
        ("time_us", c_uint64),
        ("kind", c_uint8),
        ("state", c_uint8),
        ("cancel_reason", c_uint8),
        ("direction", c_uint8),
        ("touches", c_uint16),
        ("taps", c_uint16),
        ("x", c_double),
        ("y", c_double),
        ("translation_x", c_double),
        ("translation_y", c_double),
        ("velocity_x", c_double),
        ("velocity_y", c_double),
        ("scale", c_double),
        ("scale_velocity", c_double),
        ("rotation", c_double),
        ("rotation_velocity", c_double),
        ("path_size", c_uint32),
        ("reserved", c_uint32),
    ]


class touchroute_observed_gesture(Structure):
    _fields_ = [
        ("header", touchroute_header),
        ("time_us", c_uint64),
        ("touch", c_uint64),
        ("recognizer", c_uint32),
        ("pid", c_int32),
        ("kind", c_uint8),
        ("state", c_uint8),
        ("cancel_reason", c_uint8),
        ("reserved", c_uint8),
        ("path_size", c_uint32),
        ("text_size", c_uint32),
        ("also_reserved", c_uint32),
    ]


class touchroute_described_gesture(Structure):
    _fields_ = [
        ("header", touchroute_header),
        ("serial", c_uint32),
        ("recognizer", c_uint32),
        ("index", c_uint32),
        ("view", c_uint32),
        ("screen", c_uint32),
        ("pid", c_int32),
        ("kind", c_uint8),
        ("fewest", c_uint8),
        ("most", c_uint8),
        ("taps", c_uint8),
        ("direction", c_uint8),
        ("edge", c_uint8),
        ("flags", c_uint16),
        ("duration_ms", c_uint32),
        ("interval_ms", c_uint32),
        ("gather_ms", c_uint32),
        ("path_size", c_uint32),
        ("to_size", c_uint32),
        ("after_size", c_uint32),
        ("simultaneous_size", c_uint32),
        ("reserved", c_uint32),
        ("slop", c_double),
        ("distance", c_double),
        ("margin", c_double),
        ("slop_degrees", c_double),
    ]


class touchroute_view_details(Structure):
    _fields_ = [
        ("header", touchroute_header),
        ("serial", c_uint32),
        ("index", c_uint32),
        ("screen", c_uint32),
        ("flags", c_uint32),
        ("pid", c_int32),
        ("application_size", c_uint32),
    ]


class touchroute_property_value(Structure):
    _fields_ = [
        ("property", c_uint16),
        ("point_count", c_uint16),
        ("words_size", c_uint16),
        ("value_count", c_uint16),
    ]


class touchroute_view_property(Structure):
    _fields_ = [
        ("header", touchroute_header),
        ("serial", c_uint32),
        ("index", c_uint32),
        ("setter", c_uint32),
        ("pid", c_int32),
        ("value", touchroute_property_value),
    ]


class touchroute_property_change(Structure):
    _fields_ = [
        ("path", c_char_p),
        ("property", c_uint32),
        ("values", c_double * 6),
        ("words", c_char_p),
        ("points", POINTER(c_double)),
        ("point_count", c_uint32),
    ]


class touchroute_screen_state(Structure):
    _fields_ = [
        ("header", touchroute_header),
        ("screen", c_uint32),
        ("power", c_uint16),
        ("cause", c_uint16),
        ("name_size", c_uint32),
        ("reserved", c_uint32),
    ]


class touchroute_idle(Structure):
    _fields_ = [
        ("header", touchroute_header),
        ("watch", c_uint32),
        ("is_idle", c_uint32),
    ]


class touchroute_status_screen(Structure):
    _fields_ = [
        ("header", touchroute_header),
        ("serial", c_uint32),
        ("screen", c_uint32),
        ("power", c_uint16),
        ("reserved", c_uint16),
        ("pid", c_int32),
        ("name_size", c_uint32),
        ("blanker_size", c_uint32),
    ]


class touchroute_lock_state(Structure):
    _fields_ = [
        ("header", touchroute_header),
        ("screen", c_uint32),
        ("remaining_ms", c_uint32),
        ("cause", c_uint16),
        ("reserved", c_uint16),
        ("name_size", c_uint32),
    ]


class touchroute_status_lock(Structure):
    _fields_ = [
        ("header", touchroute_header),
        ("serial", c_uint32),
        ("screen", c_uint32),
        ("remaining_ms", c_uint32),
        ("pid", c_int32),
        ("name_size", c_uint32),
        ("reserved", c_uint32),
    ]


class touchroute_status_signal(Structure):
    _fields_ = [
        ("header", touchroute_header),
        ("serial", c_uint32),
        ("device", c_uint32),
        ("finding", c_uint8),
        ("also_reserved", c_uint8),
        ("reserved", c_uint16),
        ("text_size", c_uint32),
        ("count", c_uint64),
        ("since_us", c_uint64),
    ]


class touchroute_observed_signal(Structure):
    _fields_ = [
        ("header", touchroute_header),
        ("time_us", c_uint64),
        ("touch", c_uint64),
        ("device", c_uint32),
        ("finding", c_uint8),
        ("is_over", c_uint8),
        ("reserved", c_uint16),
        ("screen", c_uint32),
        ("text_size", c_uint32),
        ("screen_x", c_double),
        ("screen_y", c_double),
    ]


class touchroute_observed_change(Structure):
    _fields_ = [
        ("header", touchroute_header),
        ("time_us", c_uint64),
        ("value", c_uint64),
        ("change", c_uint32),
        ("client", c_uint32),
        ("attachment", c_uint32),
        ("pid", c_int32),
        ("handles", c_uint16),
        ("passes", c_uint16),
        ("gestures", c_uint32),
        ("path_size", c_uint32),
        ("name_size", c_uint32),
    ]


class touchroute_feedback(Structure):
    _fields_ = [
        ("header", touchroute_header),
        ("time_us", c_uint64),
        ("screen", c_uint32),
        ("cause", c_uint16),
        ("flags", c_uint16),
        ("name_size", c_uint32),
        ("target_size", c_uint32),
    ]


class touchroute_listener(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("touches", CFUNCTYPE(None, py_object, c_void_p, POINTER(touchroute_frame))),
        ("attached", CFUNCTYPE(None, py_object, c_void_p, POINTER(touchroute_attached))),
        ("layout", CFUNCTYPE(None, py_object, c_void_p, POINTER(touchroute_attached))),
        ("detached", CFUNCTYPE(None, py_object, c_void_p, c_uint32, c_uint32, c_char_p)),
        ("error", CFUNCTYPE(None, py_object, c_void_p, POINTER(touchroute_error), c_char_p)),
        ("welcome", CFUNCTYPE(None, py_object, c_void_p, POINTER(touchroute_welcome), POINTER(touchroute_screen_info))),
        ("closing", CFUNCTYPE(None, py_object, c_void_p, c_uint32, c_char_p)),
        ("lost", CFUNCTYPE(None, py_object, c_void_p, c_char_p)),
        ("view", CFUNCTYPE(None, py_object, c_void_p, POINTER(touchroute_view), c_char_p, c_char_p)),
        ("pong", CFUNCTYPE(None, py_object, c_void_p, c_uint32)),
        ("status_daemon", CFUNCTYPE(None, py_object, c_void_p, POINTER(touchroute_status_daemon), POINTER(c_uint64), POINTER(c_uint64), c_char_p, c_char_p)),
        ("status_client", CFUNCTYPE(None, py_object, c_void_p, POINTER(touchroute_status_client), c_char_p)),
        ("status_attachment", CFUNCTYPE(None, py_object, c_void_p, POINTER(touchroute_status_attachment), c_char_p)),
        ("status_device", CFUNCTYPE(None, py_object, c_void_p, POINTER(touchroute_status_device), c_char_p, c_char_p, c_char_p)),
        ("done", CFUNCTYPE(None, py_object, c_void_p, POINTER(touchroute_done), c_char_p)),
        ("observed", CFUNCTYPE(None, py_object, c_void_p, POINTER(touchroute_observation))),
        ("holder", CFUNCTYPE(None, py_object, c_void_p, POINTER(touchroute_holder), c_char_p, c_char_p)),
        ("waiting", CFUNCTYPE(None, py_object, c_void_p, c_uint32, c_uint32, c_char_p)),
        ("gesture", CFUNCTYPE(None, py_object, c_void_p, POINTER(touchroute_gesture), c_char_p)),
        ("status_waiting", CFUNCTYPE(None, py_object, c_void_p, POINTER(touchroute_status_attachment), c_char_p)),
        ("observed_gesture", CFUNCTYPE(None, py_object, c_void_p, POINTER(touchroute_observed_gesture), c_char_p, c_char_p)),
        ("described_gesture", CFUNCTYPE(None, py_object, c_void_p, POINTER(touchroute_described_gesture), c_char_p, c_char_p, c_char_p, c_char_p)),
        ("view_details", CFUNCTYPE(None, py_object, c_void_p, POINTER(touchroute_view_details), c_char_p)),
        ("view_property", CFUNCTYPE(None, py_object, c_void_p, POINTER(touchroute_view_property), POINTER(touchroute_property_change))),
        ("screen_state", CFUNCTYPE(None, py_object, c_void_p, POINTER(touchroute_screen_state), c_char_p)),
        ("idle", CFUNCTYPE(None, py_object, c_void_p, POINTER(touchroute_idle))),
        ("status_screen", CFUNCTYPE(None, py_object, c_void_p, POINTER(touchroute_status_screen), c_char_p, c_char_p)),
        ("status_inhibitor", CFUNCTYPE(None, py_object, c_void_p, POINTER(touchroute_status_attachment), c_char_p)),
        ("lock_state", CFUNCTYPE(None, py_object, c_void_p, POINTER(touchroute_lock_state), c_char_p)),
        ("status_lock", CFUNCTYPE(None, py_object, c_void_p, POINTER(touchroute_status_lock), c_char_p)),
        ("status_signal", CFUNCTYPE(None, py_object, c_void_p, POINTER(touchroute_status_signal), c_char_p)),
        ("observed_signal", CFUNCTYPE(None, py_object, c_void_p, POINTER(touchroute_observed_signal), c_char_p)),
        ("observed_change", CFUNCTYPE(None, py_object, c_void_p, POINTER(touchroute_observed_change), c_char_p, c_char_p)),
        ("feedback", CFUNCTYPE(None, py_object, c_void_p, POINTER(touchroute_feedback), c_char_p, c_char_p)),
    ]


class touchroute_recognizer(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("view", c_char_p),
        ("to", c_char_p),
        ("kind", c_uint32),
        ("fewest", c_uint32),
        ("most", c_uint32),
        ("taps", c_uint32),
        ("direction", c_uint32),
        ("edge", c_uint32),
        ("flags", c_uint32),
        ("duration_ms", c_uint32),
        ("interval_ms", c_uint32),
        ("gather_ms", c_uint32),
        ("slop", c_double),
        ("distance", c_double),
        ("margin", c_double),
        ("slop_degrees", c_double),
        ("after", POINTER(c_char_p)),
        ("after_count", c_uint32),
        ("simultaneous", POINTER(c_char_p)),
        ("simultaneous_count", c_uint32),
    ]


class touchroute_view_change(Structure):
    _fields_ = [
        ("kind", c_uint32),
        ("path", c_char_p),
        ("controller", c_char_p),
        ("properties", POINTER(touchroute_property_change)),
        ("property_count", c_uint32),
    ]


class touchroute_contact(Structure):
    _fields_ = [
        ("slot", c_int32),
        ("phase", c_uint32),
        ("x", c_double),
        ("y", c_double),
    ]


FUNCTIONS = {
    "touchroute_connect": (c_void_p, [c_char_p, c_char_p, c_uint32, POINTER(touchroute_listener), py_object]),
    "touchroute_disconnect": (None, [c_void_p]),
    "touchroute_get_fd": (c_int, [c_void_p]),
    "touchroute_get_events": (c_short, [c_void_p]),
    "touchroute_dispatch": (c_int, [c_void_p, c_int]),
    "touchroute_flush": (c_int, [c_void_p]),
    "touchroute_error_text": (c_char_p, [c_void_p]),
    "touchroute_attach": (c_int, [c_void_p, c_char_p, c_uint32, c_uint32, c_uint32]),
    "touchroute_detach": (c_int, [c_void_p, c_uint32]),
    "touchroute_accept": (c_int, [c_void_p, c_uint32, c_uint64]),
    "touchroute_decline": (c_int, [c_void_p, c_uint32, c_uint64]),
    "touchroute_recognizer_of": (touchroute_recognizer, [c_uint32, c_char_p]),
    "touchroute_add_gesture": (c_int, [c_void_p, c_uint32, POINTER(touchroute_recognizer)]),
    "touchroute_add_gesture_with_feedback": (c_int, [c_void_p, c_uint32, POINTER(touchroute_recognizer), c_char_p]),
    "touchroute_remove_gesture": (c_int, [c_void_p, c_uint32]),
    "touchroute_enable_gesture": (c_int, [c_void_p, c_uint32, c_int]),
    "touchroute_set": (c_int, [c_void_p, POINTER(touchroute_property_change), c_uint32]),
    "touchroute_change_views": (c_int, [c_void_p, c_uint32, POINTER(touchroute_view_change), c_uint32]),
    "touchroute_describe": (c_int, [c_void_p, c_char_p, c_uint32, c_uint32]),
    "touchroute_set_screen": (c_int, [c_void_p, c_char_p, c_uint32, c_uint32]),
    "touchroute_lock": (c_int, [c_void_p, c_char_p, c_uint32, c_uint32, POINTER(c_char_p), c_uint32]),
    "touchroute_unlock": (c_int, [c_void_p, c_char_p]),
    "touchroute_watch_screens": (c_int, [c_void_p, c_int]),
    "touchroute_watch_feedback": (c_int, [c_void_p, c_char_p, c_int]),
    "touchroute_watch_idle": (c_int, [c_void_p, c_uint32, c_char_p, c_uint32, c_uint32]),
    "touchroute_unwatch_idle": (c_int, [c_void_p, c_uint32]),
    "touchroute_inhibit_idle": (c_int, [c_void_p, c_uint32, c_int]),
    "touchroute_ping": (c_int, [c_void_p]),
    "touchroute_status": (c_int, [c_void_p]),
    "touchroute_observe": (c_int, [c_void_p, c_int]),
    "touchroute_reload": (c_int, [c_void_p]),
    "touchroute_inject": (c_int, [c_void_p, c_uint32, POINTER(touchroute_contact), c_uint32]),
    "touchroute_cancel": (c_int, [c_void_p, c_uint64]),
    "touchroute_ungrab": (c_int, [c_void_p, c_uint32]),
    "touchroute_phase_name": (c_char_p, [c_uint32]),
    "touchroute_cancel_reason_name": (c_char_p, [c_uint32]),
    "touchroute_gesture_kind_name": (c_char_p, [c_uint32]),
    "touchroute_gesture_state_name": (c_char_p, [c_uint32]),
    "touchroute_direction_name": (c_char_p, [c_uint32]),
}
