/*
 * The loop of `touchroute output uinput`. One thread; it waits for the daemon, and for what of its
 * own is due: a frame that is paced, another size, another attempt to attach.
 */
#include "bridge.h"

#include "notify.h"
#include "touchroute.h"
#include "touchscreen.h"
#include "uinput.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* How long a size must stay before the device follows it: an animation is no reason for hotplug. */
#define SETTLING_US 1000000u
/* Between attempts to attach again. */
#define RETRY_US 2000000u
/* No touchscreen has more units, and no layout more points. */
#define MOST_UNITS 65536.0

struct bridge {
  const struct bridge_settings *settings;
  struct touchroute_connection *connection;
  struct uinput_device *device; /* ours; NULL until the size is known */
  struct touchscreen screen;
  int attachment; /* negative where there is none */

  /* Where the responder's view is: from points of its screen to units of its own. */
  double transform[6];
  double origin_x, origin_y;
  double width, height;    /* its size */
  uint32_t layout_screen;  /* the screen that touches count on */
  uint32_t is_application;

  uint64_t resize_us; /* when the device takes that size; TOUCHSCREEN_NEVER: it has it */
  uint64_t retry_us;
  uint64_t told_left_out;
  int is_ready; /* the service manager has been told */
  int is_over;
};

static uint64_t now_us(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000u + (uint64_t)time.tv_nsec / 1000u;
}

/* ---- Saying ---- */

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...) {
  char line[4096];
  va_list arguments;
  va_start(arguments, format);
  int size = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (size < 0)
    return;
  /* What others have named is in it: nothing of that steers a terminal. */
  for (char *at = line; *at != '\0'; at++)
    if ((unsigned char)*at < 0x20 || *at == 0x7f)
      *at = '?';
  fprintf(stderr, "touchroute: %s\n", line);
}

static void get_ready(struct bridge *bridge) {
  if (bridge->is_ready)
    return;
  bridge->is_ready = 1;
  notify_manager("READY=1");
}

static void end(struct bridge *bridge, const char *text) {
  say("%s", text);
  bridge->is_over = 1;
}

/* ---- The device ---- */

static void on_events(void *data, const struct input_event *events, uint32_t count) {
  struct bridge *bridge = data;
  int result = bridge->device != NULL ? uinput_write(bridge->device, events, count) : 0;
  if (result == 0)
    return;
  say("%s can't be written: %s", uinput_node(bridge->device), strerror(-result));
  bridge->is_over = 1;
}

static int32_t units(double points) {
  if (!(points > 2))
    return 2;
  if (points >= MOST_UNITS)
    return (int32_t)MOST_UNITS;
  int32_t whole = (int32_t)points;
  return whole < points ? whole + 1 : whole;
}

/* Makes the device, in place of a former one: those that read that see it go, and the new come. */
static void make_device(struct bridge *bridge) {
  const struct bridge_settings *settings = bridge->settings;
  struct uinput_settings sheet = {
      .name = settings->name,
      .width = settings->width != 0 ? settings->width : units(bridge->width),
      .height = settings->height != 0 ? settings->height : units(bridge->height),
      .slots = settings->slots,
      .resolution = settings->resolution,
  };
  char error[512];
  uinput_destroy(bridge->device);
  bridge->device = uinput_create(&sheet, error, sizeof error);
  bridge->resize_us = TOUCHSCREEN_NEVER;
  if (bridge->device == NULL) {
    end(bridge, error);
    return;
  }
  bridge->screen.width = sheet.width;
  bridge->screen.height = sheet.height;
  touchscreen_start(&bridge->screen);
  bridge->told_left_out = 0;
  printf("%s is the touchscreen %s, %d x %d, also /dev/input/" UINPUT_PHYS_PREFIX "%s by udev\n",
         settings->path, uinput_node(bridge->device), sheet.width, sheet.height, settings->name);
  fflush(stdout);
}

/* The size is another one. A device without a size of its own follows, once that has settled. */
static void follow_size(struct bridge *bridge) {
  if (bridge->device == NULL) {
    make_device(bridge);
    return;
  }
  int is_same = bridge->settings->width != 0 || (units(bridge->width) == bridge->screen.width &&
                                                 units(bridge->height) == bridge->screen.height);
  bridge->resize_us = is_same ? TOUCHSCREEN_NEVER : now_us() + SETTLING_US;
}

/* ---- What the daemon says ---- */

static void on_welcome(void *data, struct touchroute_connection *connection,
                       const struct touchroute_welcome *welcome,
                       const struct touchroute_screen_info *screens) {
  (void)connection;
  struct bridge *bridge = data;
  const char *name = bridge->settings->screen;
  uint32_t index = 0;
  while (index < welcome->screen_count && *name != '\0' && strcmp(screens[index].name, name) != 0)
    index++;
  if (index >= welcome->screen_count) {
    say("there is no screen %s: touchroute tree shows those there are", name);
    bridge->is_over = 1;
    return;
  }
  bridge->layout_screen = index;
  if (!bridge->is_application)
    return;
  bridge->width = screens[index].screen.width;
  bridge->height = screens[index].screen.height;
  if (bridge->device != NULL)
    follow_size(bridge);
}

static void on_layout(void *data, struct touchroute_connection *connection,
                      const struct touchroute_attached *attached) {
  (void)connection;
  struct bridge *bridge = data;
  if (attached->screen != TOUCHROUTE_NONE) {
    memcpy(bridge->transform, attached->transform, sizeof bridge->transform);
    bridge->origin_x = attached->bounds[0];
    bridge->origin_y = attached->bounds[1];
    bridge->width = attached->bounds[2];
    bridge->height = attached->bounds[3];
  }
  follow_size(bridge);
}

static void on_attached(void *data, struct touchroute_connection *connection,
                        const struct touchroute_attached *attached) {
  struct bridge *bridge = data;
  on_layout(data, connection, attached);
  if (!bridge->is_over)
    get_ready(bridge);
}

/* Where a touch is, in units of the device: inside of it, wherever the finger has gone (H1). */
static void place(const struct bridge *bridge, const struct touchroute_touch *touch,
                  struct touchscreen_change *change) {
  const double *m = bridge->transform;
  double x = m[0] * touch->screen_x + m[2] * touch->screen_y + m[4] - bridge->origin_x;
  double y = m[1] * touch->screen_x + m[3] * touch->screen_y + m[5] - bridge->origin_y;
  const struct touchscreen *screen = &bridge->screen;
  x *= bridge->width > 0 ? screen->width / bridge->width : 0;
  y *= bridge->height > 0 ? screen->height / bridge->height : 0;
  change->x = x >= screen->width - 1 ? screen->width - 1 : x > 0 ? (int32_t)x : 0;
  change->y = y >= screen->height - 1 ? screen->height - 1 : y > 0 ? (int32_t)y : 0;
}

static const uint8_t kinds[] = {
    [TOUCHROUTE_PHASE_BEGAN] = TOUCHSCREEN_DOWN,   [TOUCHROUTE_PHASE_MOVED] = TOUCHSCREEN_MOVE,
    [TOUCHROUTE_PHASE_STATIONARY] = 0,             [TOUCHROUTE_PHASE_ENDED] = TOUCHSCREEN_UP,
    [TOUCHROUTE_PHASE_CANCELLED] = TOUCHSCREEN_CANCEL,
};

static void on_touches(void *data, struct touchroute_connection *connection,
                       const struct touchroute_frame *frame) {
  (void)connection;
  struct bridge *bridge = data;
  uint64_t now = now_us();
  if (bridge->device == NULL)
    return;
  for (uint32_t i = 0; i < frame->record_count; i++) {
    const struct touchroute_touch *touch = frame->records[i].touch;
    uint8_t kind = touch->phase < sizeof kinds ? kinds[touch->phase] : 0;
    if (kind == 0 || (bridge->is_application && touch->screen != bridge->layout_screen))
      continue;
    struct touchscreen_change change = {
        .id = touch->id, .kind = kind, .replayed = (touch->flags & TOUCHROUTE_TOUCH_REPLAYED) != 0};
    place(bridge, touch, &change);
    touchscreen_add(&bridge->screen, change, now);
  }
  if (!frame->more)
    touchscreen_end_frame(&bridge->screen, now);
  if (bridge->screen.left_out > 0 && bridge->told_left_out == 0) {
    bridge->told_left_out = 1;
    say("%s has %u slots, and a finger above that is left out (--slots)", bridge->settings->name,
        bridge->settings->slots);
  }
}

/* ---- Attaching ---- */

static void attach(struct bridge *bridge) {
  uint32_t flags = (bridge->settings->flags & BRIDGE_WAIT ? TOUCHROUTE_ATTACH_WAIT : 0) |
                   (bridge->settings->flags & BRIDGE_TAKE_OVER ? TOUCHROUTE_ATTACH_TAKE_OVER : 0);
  bridge->retry_us = TOUCHSCREEN_NEVER;
  bridge->attachment = touchroute_attach(bridge->connection, bridge->settings->path,
                                         TOUCHROUTE_HANDLES_ALL, 0, flags);
  if (bridge->attachment < 0)
    end(bridge, touchroute_error_text(bridge->connection));
}

/* The attachment has come to nothing. Who waits tries again, where readers have the device. */
static void lose(struct bridge *bridge, const char *text) {
  if (!(bridge->settings->flags & BRIDGE_WAIT) || bridge->device == NULL) {
    end(bridge, text);
    return;
  }
  if (bridge->attachment >= 0)
    say("%s; the touchscreen stays, without touches, until it can be attached again", text);
  bridge->attachment = -1;
  bridge->retry_us = now_us() + RETRY_US;
}

static void on_error(void *data, struct touchroute_connection *connection,
                     const struct touchroute_error *error, const char *text) {
  (void)connection;
  struct bridge *bridge = data;
  char sentence[1024];
  int may_wait = error->code == TOUCHROUTE_ERROR_HELD && !(bridge->settings->flags & BRIDGE_WAIT);
  snprintf(sentence, sizeof sentence, "%s%s", text,
           may_wait ? " (--take-over asks for it, --wait waits)" : "");
  lose(bridge, sentence);
}

static void on_detached(void *data, struct touchroute_connection *connection, uint32_t attachment,
                        uint32_t reason, const char *text) {
  (void)connection, (void)attachment, (void)reason;
  lose(data, text);
}

static void on_waiting(void *data, struct touchroute_connection *connection, uint32_t attachment,
                       uint32_t reason, const char *text) {
  (void)connection, (void)attachment, (void)reason;
  struct bridge *bridge = data;
  say("waiting for %s: %s", bridge->settings->path, text);
  get_ready(bridge);
}

static void on_lost(void *data, struct touchroute_connection *connection, const char *text) {
  (void)data, (void)connection;
  say("%s; the touchscreen stays, and touchrouted is waited for", text);
}

/* ---- The loop ---- */

/* How long nothing of our own is due, for poll: milliseconds, rounded up. */
static int time_left(const struct bridge *bridge, uint64_t now) {
  uint64_t due = touchscreen_due(&bridge->screen);
  if (bridge->resize_us < due && touchscreen_is_idle(&bridge->screen))
    due = bridge->resize_us;
  if (bridge->retry_us < due)
    due = bridge->retry_us;
  if (due == TOUCHSCREEN_NEVER)
    return -1;
  return due <= now ? 0 : (int)((due - now + 999) / 1000);
}

/* Whether anything of our own is to be done at any time. Mostly not: then no clock is asked. */
static int has_plans(const struct bridge *bridge) {
  return bridge->screen.count > 0 || bridge->resize_us != TOUCHSCREEN_NEVER ||
         bridge->retry_us != TOUCHSCREEN_NEVER;
}

static void do_what_is_due(struct bridge *bridge, uint64_t now) {
  touchscreen_tell(&bridge->screen, now);
  /* Not while a finger is down: who drags while the size changes keeps what it drags. */
  if (bridge->resize_us <= now && touchscreen_is_idle(&bridge->screen))
    make_device(bridge);
  if (bridge->retry_us <= now)
    attach(bridge);
}

static struct touchroute_connection *connect_to_daemon(struct bridge *bridge) {
  struct touchroute_listener listener = {
      .size = sizeof listener, .touches = on_touches,   .attached = on_attached,
      .layout = on_layout,     .detached = on_detached, .error = on_error,
      .welcome = on_welcome,   .lost = on_lost,         .waiting = on_waiting,
  };
  char name[TOUCHROUTE_MAX_NAME + 1];
  snprintf(name, sizeof name, "touchroute output uinput %s", bridge->settings->name);
  return touchroute_connect(bridge->settings->socket, name, TOUCHROUTE_RECONNECT, &listener,
                            bridge);
}

int bridge_run(const struct bridge_settings *settings) {
  /* Of which the queue is a large part; one bridge is all that a process has. */
  static struct bridge bridge;
  bridge = (struct bridge){
      .settings = settings,
      .transform = {1, 0, 0, 1, 0, 0},
      .is_application = strncmp(settings->path, "app:", 4) == 0,
      .resize_us = TOUCHSCREEN_NEVER,
      .retry_us = TOUCHSCREEN_NEVER,
      .screen = {.slot_count = settings->slots, .cancel = settings->cancel,
                 .pace_us = settings->pace_ms * 1000u, .sink = on_events, .data = &bridge},
  };
  touchscreen_start(&bridge.screen);
  bridge.connection = connect_to_daemon(&bridge);
  if (bridge.connection == NULL)
    end(&bridge, touchroute_error_text(NULL));
  else
    attach(&bridge);
  while (!bridge.is_over) {
    int left = has_plans(&bridge) ? time_left(&bridge, now_us()) : -1;
    if (touchroute_dispatch(bridge.connection, left) < 0)
      end(&bridge, touchroute_error_text(bridge.connection));
    else if (has_plans(&bridge))
      do_what_is_due(&bridge, now_us());
  }
  touchroute_disconnect(bridge.connection);
  uinput_destroy(bridge.device);
  return 1;
}
