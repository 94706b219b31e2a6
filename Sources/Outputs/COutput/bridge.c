/*
 * Touches of a feed to a virtual touchscreen, and when that is made: once its size is known, and
 * again where the size becomes another one.
 */
#include "bridge.h"

#include "printable.h"
#include "touchscreen.h"
#include "uinput.h"

#include <stdio.h>
#include <string.h>

/* How long a size must stay before the device follows it: an animation is no reason for hotplug. */
#define SETTLING_US 1000000u
/* How long udev has for its link before the device is announced without, and how often that is
 * looked for. */
#define LINKING_US 1000000u
#define LOOKING_US 20000u
/* No touchscreen has more units, and no layout more points. */
#define MOST_UNITS 65536.0

struct bridge {
  const struct bridge_settings *settings;
  struct uinput_device *device; /* ours; NULL until the size is known */
  struct feed *feed;            /* where there is a device */
  struct touchscreen screen;
  double width, height; /* of what is attached, in points */
  uint64_t resize_us;   /* when the device takes that size; FEED_NEVER: it has it */
  uint64_t look_us;     /* when udev's link is looked for; FEED_NEVER: the device is announced */
  uint64_t link_by_us;  /* when it is announced without */
  int has_told_left_out;
};

/* ---- The device ---- */

static void on_events(void *data, const struct input_event *events, uint32_t count) {
  struct bridge *bridge = data;
  int result = bridge->device != NULL ? uinput_write(bridge->device, events, count) : 0;
  char text[512];
  if (result == 0)
    return;
  snprintf(text, sizeof text, "%s can't be written: %s", uinput_node(bridge->device),
           strerror(-result));
  feed_end(bridge->feed, text);
}

static int32_t units(double points) {
  if (!(points > 2))
    return 2;
  if (points >= MOST_UNITS)
    return (int32_t)MOST_UNITS;
  int32_t whole = (int32_t)points;
  return whole < points ? whole + 1 : whole;
}

/* Says which device it is once udev has linked to it, or has not for a while. */
static void announce(struct bridge *bridge, uint64_t now_us) {
  const struct bridge_settings *settings = bridge->settings;
  char path[PRINTABLE_SIZE(TOUCHROUTE_MAX_PATH)], name[PRINTABLE_SIZE(TOUCHROUTE_MAX_NAME)];
  int is_linked = uinput_is_linked(bridge->device, settings->name);
  if (!is_linked && now_us < bridge->link_by_us) {
    bridge->look_us = now_us + LOOKING_US;
    return;
  }
  bridge->look_us = FEED_NEVER;
  printf("%s is the touchscreen %s, %d x %d",
         printable(path, sizeof path, settings->path, PRINTABLE_LINE),
         uinput_node(bridge->device), bridge->screen.width, bridge->screen.height);
  if (is_linked)
    printf(", also " UINPUT_LINKS "%s by udev\n",
           printable(name, sizeof name, settings->name, PRINTABLE_LINE));
  else
    printf("; udev has made no link to it\n");
  fflush(stdout);
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
  bridge->resize_us = FEED_NEVER;
  bridge->look_us = FEED_NEVER;
  if (bridge->device == NULL) {
    feed_end(bridge->feed, error);
    return;
  }
  bridge->screen.width = sheet.width;
  bridge->screen.height = sheet.height;
  touchscreen_start(&bridge->screen);
  bridge->has_told_left_out = 0;
  uint64_t now = feed_now_us();
  bridge->link_by_us = now + LINKING_US;
  announce(bridge, now);
}

/* The size is another one. A device without a size of its own follows, once that has settled. */
static void follow_size(struct bridge *bridge) {
  if (bridge->device == NULL) {
    make_device(bridge);
    return;
  }
  int is_same = bridge->settings->width != 0 || (units(bridge->width) == bridge->screen.width &&
                                                 units(bridge->height) == bridge->screen.height);
  bridge->resize_us = is_same ? FEED_NEVER : feed_now_us() + SETTLING_US;
}

/* ---- What the daemon says ---- */

/* Where that is in units of the device: inside of it, wherever the finger has gone (H1). */
static int32_t unit(double point, double size, int32_t units) {
  double unit = size > 0 ? point * (units / size) : 0;
  return unit >= units - 1 ? units - 1 : unit > 0 ? (int32_t)unit : 0;
}

static const uint8_t kinds[] = {
    [TOUCHROUTE_PHASE_BEGAN] = TOUCHSCREEN_DOWN,   [TOUCHROUTE_PHASE_MOVED] = TOUCHSCREEN_MOVE,
    [TOUCHROUTE_PHASE_STATIONARY] = 0,             [TOUCHROUTE_PHASE_ENDED] = TOUCHSCREEN_UP,
    [TOUCHROUTE_PHASE_CANCELLED] = TOUCHSCREEN_CANCEL,
};

static void on_touches(void *data, struct feed *feed, const struct touchroute_frame *frame) {
  struct bridge *bridge = data;
  uint64_t now = feed_now_us();
  if (bridge->device == NULL)
    return;
  for (uint32_t i = 0; i < frame->record_count; i++) {
    const struct touchroute_touch *touch = frame->records[i].touch;
    uint8_t kind = touch->phase < sizeof kinds ? kinds[touch->phase] : 0;
    if (kind == 0 || !feed_counts(feed, touch))
      continue;
    struct feed_place place = feed_place(feed, touch);
    struct touchscreen_change change = {
        .id = touch->id,
        .x = unit(place.x, place.width, bridge->screen.width),
        .y = unit(place.y, place.height, bridge->screen.height),
        .kind = kind,
        .replayed = (touch->flags & TOUCHROUTE_TOUCH_REPLAYED) != 0};
    touchscreen_add(&bridge->screen, change, now);
  }
  if (!frame->more)
    touchscreen_end_frame(&bridge->screen, now);
  if (bridge->screen.left_out > 0 && !bridge->has_told_left_out) {
    bridge->has_told_left_out = 1;
    feed_say("%s has %u slots, and a finger above that is left out (--slots)",
             bridge->settings->name, bridge->settings->slots);
  }
}

static void on_layout(void *data, struct feed *feed, double width, double height) {
  struct bridge *bridge = data;
  bridge->feed = feed;
  bridge->width = width;
  bridge->height = height;
  follow_size(bridge);
}

/* ---- What is due ---- */

static uint64_t due(void *data) {
  struct bridge *bridge = data;
  uint64_t due = touchscreen_due(&bridge->screen);
  if (bridge->look_us < due)
    due = bridge->look_us;
  return bridge->resize_us < due && touchscreen_is_idle(&bridge->screen) ? bridge->resize_us : due;
}

static void tick(void *data, uint64_t now_us) {
  struct bridge *bridge = data;
  touchscreen_tell(&bridge->screen, now_us);
  if (bridge->look_us <= now_us)
    announce(bridge, now_us);
  /* Not while a finger is down: who drags while the size changes keeps what it drags. */
  if (bridge->resize_us <= now_us && touchscreen_is_idle(&bridge->screen))
    make_device(bridge);
}

int bridge_run(const struct bridge_settings *settings) {
  /* Of which the queue is a large part; one bridge is all that a process has. */
  static struct bridge bridge;
  bridge = (struct bridge){
      .settings = settings,
      .resize_us = FEED_NEVER,
      .look_us = FEED_NEVER,
      .screen = {.slot_count = settings->slots, .cancel = settings->cancel,
                 .pace_us = settings->pace_ms * 1000u, .sink = on_events, .data = &bridge},
  };
  touchscreen_start(&bridge.screen);
  char name[TOUCHROUTE_MAX_NAME + 1];
  snprintf(name, sizeof name, "touchroute output uinput %s", settings->name);
  struct feed_settings feed = {
      .socket = settings->socket,
      .path = settings->path,
      .name = name,
      .screen = settings->screen,
      .flags = settings->flags,
      .listener = {.touches = on_touches, .layout = on_layout, .due = due, .tick = tick},
      .data = &bridge};
  int status = feed_run(&feed);
  uinput_destroy(bridge.device);
  return status;
}
