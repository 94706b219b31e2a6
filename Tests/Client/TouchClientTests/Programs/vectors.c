/*
 * Plays the vectors to the C library: vectors FOLDER. It plays each one whole, in single bytes and
 * in pieces of 61 bytes. Prints how many there were. The first that fails ends it with status 1.
 *
 * This is for machines on which Swift and Python are not at hand: it needs libc and the library
 * alone. The vectors must be in the machine's byte order (Vectors/make.py --big-endian).
 */
#define _FILE_OFFSET_BITS 64 /* folders of large file systems, on 32 bits */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "touchroute.h"

enum {
  MOST_VECTORS = 256,
  MOST_BYTES = 1 << 18,
  MOST_TEXT = 1 << 18,
  MOST_EVENTS = 256,
  MOST_PARTS = 16
};

/* Where the vector fails: the vector, the piece, and what. */
static const char *playing;
static size_t piece;

static void fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
static void fail(const char *format, ...) {
  va_list values;
  va_start(values, format);
  fprintf(stderr, "%s, in pieces of %zu: ", playing, piece);
  vfprintf(stderr, format, values);
  fprintf(stderr, "\n");
  va_end(values);
  exit(1);
}

/* ---- What the program is told, as the vectors write it ---- */

static char *told[MOST_EVENTS];
static size_t told_first, told_count;
static char line[MOST_TEXT];
static size_t length;

static void put(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void put(const char *format, ...) {
  va_list values;
  va_start(values, format);
  int written = vsnprintf(line + length, sizeof line - length, format, values);
  va_end(values);
  if (written < 0 || (size_t)written >= sizeof line - length)
    fail("an event of more than %zu bytes", sizeof line);
  length += (size_t)written;
}

static void begin(void) { length = 0; }

static void end(void) {
  if (told_count == MOST_EVENTS || !(told[told_count++] = strdup(line)))
    fail("more than %d events", MOST_EVENTS);
}

/* A number with as many decimals as tell it apart, and one at least. */
static void put_number(double value) {
  char text[512];
  int decimals = 0;
  do
    snprintf(text, sizeof text, "%.*f", ++decimals, value);
  while (decimals < 17 && strtod(text, NULL) != value);
  put("%s", text);
}

static void put_numbers(const double *values, size_t count) {
  put("[");
  for (size_t i = 0; i < count; i++) {
    put(i ? ", " : "");
    put_number(values[i]);
  }
  put("]");
}

static void put_place(double x, double y) { put_numbers((const double[]){x, y}, 2); }

static void put_time(uint64_t time) {
  if (time < 1000000)
    put("%" PRIu64, time);
  else
    put("now");
}

/* A number that TOUCHROUTE_NONE stands for the absence of. */
static void put_index(uint32_t value, const char *absent) {
  if (value == TOUCHROUTE_NONE)
    put("%s", absent);
  else
    put("%" PRIu32, value);
}

static const char *reason_of(uint32_t reason) {
  return reason ? touchroute_cancel_reason_name(reason) : "none";
}

static void on_touches(void *data, struct touchroute_connection *c,
                       const struct touchroute_frame *frame) {
  (void)data, (void)c;
  begin();
  put("touches time=");
  put_time(frame->time_us);
  put(" sequence=%" PRIu64 " device=%" PRIu32 " more=%d", frame->sequence, frame->device,
      frame->more);
  for (uint32_t i = 0; i < frame->record_count; i++) {
    const struct touchroute_record *record = &frame->records[i];
    const struct touchroute_touch *touch = record->touch;
    put("\n  %s %" PRIu64 " attachment=%" PRIu32 " target=%" PRIu32 " path=\"%s\" time=",
        touchroute_phase_name(touch->phase), touch->id, touch->attachment, touch->target,
        record->path);
    put_time(frame->time_us - touch->age_us);
    put(" reason=\"%s\" flags=%u taps=%u screen=%u at=", reason_of(touch->cancel_reason),
        touch->flags, touch->tap_count, touch->screen);
    put_place(touch->x, touch->y);
    put(" previous=");
    put_place(touch->previous_x, touch->previous_y);
    put(" window=");
    put_place(touch->window_x, touch->window_y);
    put(" panel=");
    put_place(touch->screen_x, touch->screen_y);
    for (uint32_t s = 0; s < touch->sample_count; s++) {
      put("\n    sample time=");
      put_time(record->samples[s].time_us);
      put(" at=");
      put_place(record->samples[s].x, record->samples[s].y);
    }
  }
  end();
}

static void tell_geometry(const char *name, const struct touchroute_attached *it) {
  begin();
  put("%s %" PRIu32 " generation=%" PRIu32 " screen=", name, it->attachment, it->generation);
  put_index(it->screen, "none");
  put(" views=%" PRIu32 " added=%" PRIu32 " frame=", it->view_count, it->added_count);
  put_numbers(it->frame, 4);
  put(" bounds=");
  put_numbers(it->bounds, 4);
  put(" transform=");
  put_numbers(it->transform, 6);
  end();
}

static void on_attached(void *data, struct touchroute_connection *c,
                        const struct touchroute_attached *it) {
  (void)data, (void)c;
  tell_geometry("attached", it);
}

static void on_layout(void *data, struct touchroute_connection *c,
                      const struct touchroute_attached *it) {
  (void)data, (void)c;
  tell_geometry("layout", it);
}

static void tell_text(const char *name, uint32_t number, uint32_t reason, const char *text) {
  begin();
  put("%s %" PRIu32 " reason=%" PRIu32 " text=\"%s\"", name, number, reason, text);
  end();
}

static void on_detached(void *data, struct touchroute_connection *c, uint32_t attachment,
                        uint32_t reason, const char *text) {
  (void)data, (void)c;
  tell_text("detached", attachment, reason, text);
}

static void on_waiting(void *data, struct touchroute_connection *c, uint32_t attachment,
                       uint32_t reason, const char *text) {
  (void)data, (void)c;
  tell_text("waiting", attachment, reason, text);
}

static void on_error(void *data, struct touchroute_connection *c,
                     const struct touchroute_error *error, const char *text) {
  (void)data, (void)c;
  begin();
  put("error %" PRIu32 " code=%" PRIu32 " text=\"%s\"", error->serial, error->code, text);
  end();
}

static void on_welcome(void *data, struct touchroute_connection *c,
                       const struct touchroute_welcome *it,
                       const struct touchroute_screen_info *screens) {
  (void)data, (void)c;
  begin();
  put("welcome version=%" PRIu32 " attachments=%" PRIu32 " decision=%" PRIu32
      " unresponsive=%" PRIu32 " control=%" PRIu32,
      it->version, it->max_attachments, it->decision_timeout_ms, it->unresponsive_after_ms,
      it->is_control);
  for (uint32_t i = 0; i < it->screen_count; i++) {
    put("\n  screen \"%s\" size=", screens[i].name);
    put_place(screens[i].screen.width, screens[i].screen.height);
    put(" rotation=%" PRIu32, screens[i].screen.rotation);
  }
  end();
}

static void on_closing(void *data, struct touchroute_connection *c, uint32_t reason,
                       const char *text) {
  (void)data, (void)c;
  begin();
  put("closing reason=%" PRIu32 " text=\"%s\"", reason, text);
  end();
}

static void on_lost(void *data, struct touchroute_connection *c, const char *text) {
  (void)data, (void)c;
  begin();
  put("lost");
  end();
  if (!strstr(text, "touchrouted"))
    fail("the connection was lost, \"%s\"", text);
}

static void on_view(void *data, struct touchroute_connection *c, const struct touchroute_view *it,
                    const char *path, const char *controller) {
  (void)data, (void)c;
  begin();
  put("view %" PRIu32 " index=%" PRIu32 " parent=", it->serial, it->index);
  put_index(it->parent, "none");
  put(" path=\"%s\" controller=\"%s\" flags=%" PRIu32 " holder=%" PRId32
      " controller_holder=%" PRId32 " frame=",
      path, controller, it->flags, it->holder, it->controller_holder);
  put_numbers(it->frame, 4);
  put(" origin=");
  put_numbers(it->bounds_origin, 2);
  put(" transform=");
  put_numbers(it->transform, 6);
  put(" alpha=");
  put_number(it->alpha);
  end();
}

static void on_view_details(void *data, struct touchroute_connection *c,
                            const struct touchroute_view_details *it, const char *application) {
  (void)data, (void)c;
  begin();
  put("view_details %" PRIu32 " view=%" PRIu32 " screen=", it->serial, it->index);
  put_index(it->screen, "none");
  put(" flags=%" PRIu32 " pid=%" PRId32 " application=\"%s\"", it->flags, it->pid, application);
  end();
}

static void on_view_property(void *data, struct touchroute_connection *c,
                             const struct touchroute_view_property *it,
                             const struct touchroute_property_change *property) {
  (void)data, (void)c;
  begin();
  put("view_property %" PRIu32 " view=%" PRIu32 " property=%" PRIu32 " setter=%" PRIu32
      " pid=%" PRId32 " values=",
      it->serial, it->index, property->property, it->setter, it->pid);
  put_numbers(property->values, it->value.value_count);
  put(" words=\"%s\" points=", property->words ? property->words : "");
  put_numbers(property->points, 2 * (size_t)property->point_count);
  end();
}

static void put_length(double value) {
  if (value < 0)
    put("-");
  else
    put_number(value);
}

static void on_described_gesture(void *data, struct touchroute_connection *c,
                                 const struct touchroute_described_gesture *it, const char *path,
                                 const char *to, const char *after, const char *simultaneous) {
  (void)data, (void)c;
  begin();
  put("described_gesture %" PRIu32 " number=%" PRIu32 " index=%" PRIu32 " view=", it->serial,
      it->recognizer, it->index);
  put_index(it->view, "-");
  put(" screen=");
  put_index(it->screen, "-");
  put(" pid=%" PRId32
      " path=\"%s\" kind=%u fingers=%u-%u taps=%u direction=%u edge=%u flags=%u times=",
      it->pid, path, it->kind, it->fewest, it->most, it->taps, it->direction, it->edge, it->flags);
  put_index(it->duration_ms, "-");
  put(",");
  put_index(it->interval_ms, "-");
  put(",");
  put_index(it->gather_ms, "-");
  put(" lengths=");
  put_length(it->slop);
  put(",");
  put_length(it->distance);
  put(",");
  put_length(it->margin);
  put(",");
  put_length(it->slop_degrees);
  put(" to=\"%s\" after=\"%s\" simultaneous=\"%s\"", to, after, simultaneous);
  end();
}

static void on_pong(void *data, struct touchroute_connection *c, uint32_t serial) {
  (void)data, (void)c;
  begin();
  put("pong %" PRIu32, serial);
  end();
}

static void put_counters(const char *name, const uint64_t *counters, uint32_t count) {
  put(" %s=[", name);
  for (uint32_t i = 0; i < count; i++)
    put("%s%" PRIu64, i ? ", " : "", counters[i]);
  put("]");
}

static void on_status_daemon(void *data, struct touchroute_connection *c,
                             const struct touchroute_status_daemon *it, const uint64_t *counters,
                             const uint64_t *latencies, const char *version,
                             const char *configuration) {
  (void)data, (void)c;
  begin();
  put("status %" PRIu32 " daemon pid=%" PRId32 " started=", it->serial, it->pid);
  put_time(it->started_us);
  put(" generation=%" PRIu32 " windows=%" PRIu32 " views=%" PRIu32 " live=%" PRIu32
      " version=\"%s\" configuration=\"%s\"",
      it->generation, it->window_count, it->view_count, it->live_touches, version, configuration);
  put_counters("counters", counters, it->counter_count);
  put_counters("latencies", latencies, it->latency_count);
  end();
}

static void on_status_client(void *data, struct touchroute_connection *c,
                             const struct touchroute_status_client *it, const char *name) {
  (void)data, (void)c;
  begin();
  put("status %" PRIu32 " client %" PRIu32 " name=\"%s\" pid=%" PRId32 " uid=%" PRIu32
      " gid=%" PRIu32 " flags=%" PRIu32 " queued=%" PRIu32 " unread=%" PRIu32,
      it->serial, it->client, name, it->pid, it->uid, it->gid, it->flags, it->queued, it->unread);
  put(" messages=%" PRIu64 " coalesced=%" PRIu64 " dropped=%" PRIu64 " live=%" PRIu32, it->messages,
      it->coalesced, it->dropped, it->live_touches);
  end();
}

static void tell_attachment(const char *name, const struct touchroute_status_attachment *it,
                            const char *path) {
  begin();
  put("status %" PRIu32 " %s %" PRIu32 " client=%" PRIu32
      " path=\"%s\" handles=%u passes=%u live=%" PRIu32,
      it->serial, name, it->attachment, it->client, path, it->handles, it->passes,
      it->live_touches);
  end();
}

static void on_status_attachment(void *data, struct touchroute_connection *c,
                                 const struct touchroute_status_attachment *it, const char *path) {
  (void)data, (void)c;
  tell_attachment("attachment", it, path);
}

static void on_status_waiting(void *data, struct touchroute_connection *c,
                              const struct touchroute_status_attachment *it, const char *path) {
  (void)data, (void)c;
  tell_attachment("waiting", it, path);
}

static void on_status_inhibitor(void *data, struct touchroute_connection *c,
                                const struct touchroute_status_attachment *it, const char *path) {
  (void)data, (void)c;
  tell_attachment("inhibitor", it, path);
}

static void on_status_device(void *data, struct touchroute_connection *c,
                             const struct touchroute_status_device *it, const char *name,
                             const char *node, const char *phys) {
  (void)data, (void)c;
  begin();
  put("status %" PRIu32 " device %" PRIu32
      " name=\"%s\" node=\"%s\" phys=\"%s\" id=%u:%u:%u:%u screen=",
      it->serial, it->device, name, node, phys, it->bus, it->vendor, it->product, it->version);
  put_index(it->screen, "none");
  put(" flags=%" PRIu32 " touches=", it->flags);
  put_index(it->touch_count ? it->touch_count : TOUCHROUTE_NONE, "none");
  put(" live=%" PRIu32, it->live_touches);
  end();
}

static void on_status_signal(void *data, struct touchroute_connection *c,
                             const struct touchroute_status_signal *it, const char *text) {
  (void)data, (void)c;
  begin();
  put("status %" PRIu32 " signal %" PRIu32 " finding=%u count=%" PRIu64 " since=", it->serial,
      it->device, it->finding, it->count);
  if (it->since_us)
    put("%" PRIu64, it->since_us);
  else
    put("none");
  put(" text=\"%s\"", text);
  end();
}

static void on_status_screen(void *data, struct touchroute_connection *c,
                             const struct touchroute_status_screen *it, const char *name,
                             const char *blanker) {
  (void)data, (void)c;
  begin();
  put("status %" PRIu32 " screen %" PRIu32 " name=\"%s\" power=%u pid=%" PRId32 " blanker=\"%s\"",
      it->serial, it->screen, name, it->power, it->pid, blanker);
  end();
}

static void on_status_lock(void *data, struct touchroute_connection *c,
                           const struct touchroute_status_lock *it, const char *name) {
  (void)data, (void)c;
  begin();
  put("status %" PRIu32 " lock %" PRIu32 " name=\"%s\" remaining=%" PRIu32 " pid=%" PRId32,
      it->serial, it->screen, name, it->remaining_ms, it->pid);
  end();
}

static void on_done(void *data, struct touchroute_connection *c, const struct touchroute_done *it,
                    const char *text) {
  (void)data, (void)c;
  begin();
  put("done %" PRIu32 " total=%" PRIu32 " generation=%" PRIu32 " text=\"%s\"", it->serial,
      it->total, it->generation, text);
  end();
}

static void on_observed(void *data, struct touchroute_connection *c,
                        const struct touchroute_observation *it) {
  (void)data, (void)c;
  begin();
  put("observed time=");
  put_time(it->time_us);
  put(" sequence=%" PRIu64 " device=%" PRIu32 " more=%d", it->sequence, it->device, it->more);
  for (uint32_t i = 0; i < it->record_count; i++) {
    const struct touchroute_observed_record *record = &it->records[i];
    const struct touchroute_observed_touch *touch = &record->touch;
    put("\n  %s %" PRIu64 " reason=\"%s\" discarded=%u flags=%u taps=%u screen=%" PRIu32 " panel=",
        touchroute_phase_name(touch->phase), touch->id, reason_of(touch->cancel_reason),
        touch->discard_reason, touch->flags, touch->tap_count, touch->screen);
    if (touch->screen_x == touch->screen_x)
      put_place(touch->screen_x, touch->screen_y);
    else
      put("none");
    put(" path=\"%s\" total=%" PRIu32, record->path, touch->chain_total);
    for (uint32_t j = 0; j < touch->chain_count; j++) {
      const struct touchroute_chain_link *link = &record->chain[j];
      put("\n    asked \"%s\" pid=%" PRId32 " outcome=%u phases=%u attachment=", link->path,
          link->entry.pid, link->entry.outcome, link->entry.phases);
      put_index(link->entry.attachment, "none");
    }
  }
  end();
}

static void on_holder(void *data, struct touchroute_connection *c,
                      const struct touchroute_holder *it, const char *path, const char *name) {
  (void)data, (void)c;
  begin();
  put("holder %" PRIu32 " path=\"%s\" held=%" PRIu32 " pid=%" PRId32 " uid=%" PRIu32
      " name=\"%s\" handles=%u passes=%u",
      it->attachment, path, it->is_held, it->pid, it->uid, name, it->handles, it->passes);
  end();
}

static void on_gesture(void *data, struct touchroute_connection *c,
                       const struct touchroute_gesture *it, const char *path) {
  (void)data, (void)c;
  begin();
  put("gesture %" PRIu32 " recognizer=%" PRIu32 " path=\"%s\" kind=%u state=%u reason=\"%s\" time=",
      it->attachment, it->recognizer, path, it->kind, it->state, reason_of(it->cancel_reason));
  put_time(it->time_us);
  put(" touches=%u taps=%u direction=%u values=", it->touches, it->taps, it->direction);
  put_numbers((const double[]){it->x, it->y, it->translation_x, it->translation_y, it->velocity_x,
                               it->velocity_y, it->scale, it->scale_velocity, it->rotation,
                               it->rotation_velocity},
              10);
  end();
}

static void on_observed_gesture(void *data, struct touchroute_connection *c,
                                const struct touchroute_observed_gesture *it, const char *path,
                                const char *text) {
  (void)data, (void)c;
  if (it->state > TOUCHROUTE_GESTURE_PASSED_BY)
    return; /* a newer daemon's; the vectors leave it out, as the next */
  begin();
  put("observed_gesture %" PRIu32 " path=\"%s\" kind=%u state=%u reason=\"%s\" time=",
      it->recognizer, path, it->kind, it->state, reason_of(it->cancel_reason));
  put_time(it->time_us);
  put(" touch=%" PRIu64 " pid=%" PRId32 " text=\"%s\"", it->touch, it->pid, text);
  end();
}

static void on_observed_signal(void *data, struct touchroute_connection *c,
                               const struct touchroute_observed_signal *it, const char *text) {
  (void)data, (void)c;
  begin();
  put("observed_signal %" PRIu32 " finding=%u touch=%" PRIu64 " time=", it->device, it->finding,
      it->touch);
  put_time(it->time_us);
  put(" screen=");
  put_index(it->screen, "none");
  if (it->screen_x == it->screen_x)
    put(" place=%g,%g", it->screen_x, it->screen_y);
  else
    put(" place=secure");
  put(" over=%u text=\"%s\"", it->is_over, text);
  end();
}

static void on_observed_change(void *data, struct touchroute_connection *c,
                               const struct touchroute_observed_change *it, const char *path,
                               const char *name) {
  (void)data, (void)c;
  if (it->change > TOUCHROUTE_CHANGE_LIFTED)
    return;
  begin();
  put("observed_change %" PRIu32 " time=", it->change);
  put_time(it->time_us);
  put(" value=%" PRIu64 " client=", it->value);
  put_index(it->client, "-");
  put(" attachment=");
  put_index(it->attachment, "-");
  put(" pid=%" PRId32 " handles=%u passes=%u gestures=%" PRIu32 " path=\"%s\" name=\"%s\"", it->pid,
      it->handles, it->passes, it->gestures, path, name);
  end();
}

static void on_screen_state(void *data, struct touchroute_connection *c,
                            const struct touchroute_screen_state *it, const char *name) {
  (void)data, (void)c;
  begin();
  put("screen %" PRIu32 " name=\"%s\" power=%u cause=%u", it->screen, name, it->power, it->cause);
  end();
}

static void on_lock_state(void *data, struct touchroute_connection *c,
                          const struct touchroute_lock_state *it, const char *name) {
  (void)data, (void)c;
  begin();
  put("lock %" PRIu32 " name=\"%s\" remaining=%" PRIu32 " cause=%u", it->screen, name,
      it->remaining_ms, it->cause);
  end();
}

static void on_feedback(void *data, struct touchroute_connection *c,
                        const struct touchroute_feedback *it, const char *name,
                        const char *target) {
  (void)data, (void)c;
  begin();
  put("feedback %" PRIu32 " time=%" PRIu64 " cause=%u name=\"%s\" target=\"%s\"", it->screen,
      it->time_us, it->cause, name, target);
  end();
}

static void on_idle(void *data, struct touchroute_connection *c, const struct touchroute_idle *it) {
  (void)data, (void)c;
  begin();
  put("idle %" PRIu32 " is_idle=%" PRIu32, it->watch, it->is_idle);
  end();
}

static const struct touchroute_listener listener = {
    .size = sizeof listener,
    .touches = on_touches,
    .attached = on_attached,
    .layout = on_layout,
    .detached = on_detached,
    .error = on_error,
    .welcome = on_welcome,
    .closing = on_closing,
    .lost = on_lost,
    .view = on_view,
    .pong = on_pong,
    .status_daemon = on_status_daemon,
    .status_client = on_status_client,
    .status_attachment = on_status_attachment,
    .status_device = on_status_device,
    .done = on_done,
    .observed = on_observed,
    .holder = on_holder,
    .waiting = on_waiting,
    .gesture = on_gesture,
    .status_waiting = on_status_waiting,
    .observed_gesture = on_observed_gesture,
    .described_gesture = on_described_gesture,
    .view_details = on_view_details,
    .view_property = on_view_property,
    .screen_state = on_screen_state,
    .idle = on_idle,
    .status_screen = on_status_screen,
    .status_inhibitor = on_status_inhibitor,
    .lock_state = on_lock_state,
    .feedback = on_feedback,
    .status_lock = on_status_lock,
    .status_signal = on_status_signal,
    .observed_signal = on_observed_signal,
    .observed_change = on_observed_change,
};

/* ---- The requests of the vectors ---- */

/* Splits a text in place; the number of its parts. */
static size_t split(char *text, const char *separator, char *parts[MOST_PARTS]) {
  size_t count = 0;
  for (char *part; (part = strsep(&text, separator));)
    if (count < MOST_PARTS)
      parts[count++] = part;
  return count;
}

/* The number in "12" and in "handles=12". */
static uint32_t number(const char *word) {
  const char *value = strchr(word, '=');
  return (uint32_t)strtoul(value ? value + 1 : word, NULL, 10);
}

/* "home", without its quotes. */
static char *unquoted(char *word) {
  word[strlen(word) - 1] = 0;
  return word + 1;
}

static size_t numbers(char *text, double *values, size_t most) {
  char *parts[MOST_PARTS];
  size_t count = split(text, ",", parts), kept = 0;
  for (size_t i = 0; i < count && kept < most; i++)
    if (*parts[i])
      values[kept++] = strtod(parts[i], NULL);
  return kept;
}

static uint32_t property_of(const char *name) {
  static const char *const names[] = {
      "hidden", "alpha",           "interaction",    "frame", "bounds_origin", "transform",
      "order",  "configured",      "outset",         "shape", "inside",        "hit",
      "secure", "exclusive_touch", "multiple_touch", "level", "enabled"};
  for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(names[i], name))
      return i + 1;
  fail("the vectors know no property %s", name);
}

static double corners[MOST_PARTS][MOST_PARTS];

/* A property as the vectors write it: shape=3;;0,0,44,0,22.5,40 */
static struct touchroute_property_change property(const char *path, char *words, size_t index) {
  struct touchroute_property_change change = {.path = path};
  char *sides[MOST_PARTS], *parts[MOST_PARTS];
  split(words, "=", sides);
  change.property = property_of(sides[0]);
  size_t count = split(sides[1], ";", parts);
  numbers(parts[0], change.values, 6);
  if (count > 1 && *parts[1])
    change.words = parts[1];
  if (count > 2) {
    change.points = corners[index];
    change.point_count = (uint32_t)numbers(parts[2], corners[index], MOST_PARTS) / 2;
  }
  return change;
}

/* Changes as the vectors write them: home/list:bounds_origin=0,120 */
static int set(struct touchroute_connection *c, char **words, size_t count) {
  struct touchroute_property_change changes[MOST_PARTS];
  for (size_t i = 0; i < count; i++) {
    char *parts[MOST_PARTS];
    split(words[i], ":", parts);
    changes[i] = property(parts[0], parts[1], i);
  }
  return touchroute_set(c, changes, (uint32_t)count);
}

/* Steps as the vectors write them: add:row-1@pages:frame=0,0,480,40:hidden=1 */
static int change_views(struct touchroute_connection *c, char **words, size_t count) {
  struct touchroute_view_change steps[MOST_PARTS];
  struct touchroute_property_change changes[MOST_PARTS];
  size_t used = 0;
  for (size_t i = 1; i < count; i++) {
    char *parts[MOST_PARTS], *path[MOST_PARTS];
    size_t part_count = split(words[i], ":", parts);
    path[1] = NULL;
    split(parts[1], "@", path);
    steps[i - 1] = (struct touchroute_view_change){
        .kind = !strcmp(parts[0], "add")      ? TOUCHROUTE_STEP_ADD
                : !strcmp(parts[0], "remove") ? TOUCHROUTE_STEP_REMOVE
                                              : TOUCHROUTE_STEP_CHANGE,
        .path = path[0],
        .controller = path[1],
        .properties = &changes[used],
        .property_count = (uint32_t)part_count - 2};
    for (size_t p = 2; p < part_count; p++, used++)
      changes[used] = property(NULL, parts[p], used);
  }
  return touchroute_change_views(c, number(words[0]), steps, (uint32_t)count - 1);
}

/* Contacts as the vectors write them: 7:moved=401,2 */
static int inject(struct touchroute_connection *c, char **words, size_t count) {
  struct touchroute_contact contacts[MOST_PARTS];
  for (size_t i = 1; i < count; i++) {
    char *parts[MOST_PARTS], *sides[MOST_PARTS];
    double place[2] = {0, 0};
    uint32_t phase = TOUCHROUTE_PHASE_BEGAN;
    split(words[i], ":", parts);
    split(parts[1], "=", sides);
    while (strcmp(touchroute_phase_name(phase), sides[0]))
      if (++phase > TOUCHROUTE_PHASE_CANCELLED)
        fail("the vectors know no phase %s", sides[0]);
    numbers(sides[1], place, 2);
    contacts[i - 1] = (struct touchroute_contact){atoi(parts[0]), phase, place[0], place[1]};
  }
  return touchroute_inject(c, number(words[0]), contacts, (uint32_t)count - 1);
}

/* A recognizer as the vectors write it: 2 pages kind=3 direction=5 */
static int add_gesture(struct touchroute_connection *c, char **words, size_t count) {
  struct touchroute_recognizer it = touchroute_recognizer_of(number(words[2]), words[1]);
  const char *after[1], *feedback = NULL;
  for (size_t i = 3; i < count; i++) {
    char *sides[MOST_PARTS];
    split(words[i], "=", sides);
    uint32_t value = number(sides[1]);
    if (!strcmp(sides[0], "direction"))
      it.direction = value;
    else if (!strcmp(sides[0], "fewest"))
      it.fewest = value;
    else if (!strcmp(sides[0], "most"))
      it.most = value;
    else if (!strcmp(sides[0], "taps"))
      it.taps = value;
    else if (!strcmp(sides[0], "flags"))
      it.flags = value;
    else if (!strcmp(sides[0], "duration"))
      it.duration_ms = value;
    else if (!strcmp(sides[0], "slop"))
      it.slop = strtod(sides[1], NULL);
    else if (!strcmp(sides[0], "to"))
      it.to = sides[1];
    else if (!strcmp(sides[0], "after"))
      after[0] = sides[1], it.after = after, it.after_count = 1;
    else if (!strcmp(sides[0], "feedback"))
      feedback = sides[1];
    else
      fail("the vectors know no key %s of recognizers", sides[0]);
  }
  if (feedback)
    return touchroute_add_gesture_with_feedback(c, number(words[0]), &it, feedback);
  return touchroute_add_gesture(c, number(words[0]), &it);
}

/* The vectors' serial of a request that has no answer. */
static int unanswered(int result) { return result < 0 ? result : 0; }

/* Makes the request of a line; what the function returned. */
static int call(struct touchroute_connection *c, char *request) {
  char *words[MOST_PARTS];
  size_t count = split(request, " ", words) - 1;
  const char *name = words[0];
  char **rest = words + 1;
  if (!strcmp(name, "attach"))
    return touchroute_attach(c, unquoted(rest[0]), number(rest[1]), number(rest[2]),
                             number(rest[3]));
  if (!strcmp(name, "detach"))
    return touchroute_detach(c, number(rest[0]));
  if (!strcmp(name, "accept"))
    return unanswered(touchroute_accept(c, number(rest[0]), number(rest[1])));
  if (!strcmp(name, "decline"))
    return unanswered(touchroute_decline(c, number(rest[0]), number(rest[1])));
  if (!strcmp(name, "add_gesture"))
    return add_gesture(c, rest, count);
  if (!strcmp(name, "remove_gesture"))
    return touchroute_remove_gesture(c, number(rest[0]));
  if (!strcmp(name, "enable_gesture"))
    return touchroute_enable_gesture(c, number(rest[0]), (int)number(rest[1]));
  if (!strcmp(name, "change_views"))
    return change_views(c, rest, count);
  if (!strcmp(name, "set"))
    return set(c, rest, count);
  if (!strcmp(name, "inject"))
    return inject(c, rest, count);
  if (!strcmp(name, "cancel"))
    return touchroute_cancel(c, number(rest[0]));
  if (!strcmp(name, "ungrab"))
    return touchroute_ungrab(c, number(rest[0]));
  if (!strcmp(name, "describe"))
    return touchroute_describe(c, unquoted(rest[0]), number(rest[1]), number(rest[2]));
  if (!strcmp(name, "observe"))
    return touchroute_observe(c, (int)number(rest[0]));
  if (!strcmp(name, "ping"))
    return touchroute_ping(c);
  if (!strcmp(name, "status"))
    return touchroute_status(c);
  if (!strcmp(name, "reload"))
    return touchroute_reload(c);
  fail("the vectors know no request %s", name);
}

/* ---- Playing ---- */

static struct sockaddr_un address = {.sun_family = AF_UNIX};

static void remove_socket(void) {
  unlink(address.sun_path);
  *strrchr(address.sun_path, '/') = 0;
  rmdir(address.sun_path);
}

/* The daemon's end: what it has sent, and what it has received. */
static struct {
  int socket;
  unsigned char received[MOST_BYTES];
  size_t received_count;
} peer;

/* How the connection ended, in the vectors' words; NULL: it has not. */
static const char *ended;

static void dispatch(struct touchroute_connection *c) {
  if (ended)
    return;
  int result = touchroute_dispatch(c, 0);
  if (result >= 0)
    return;
  ended = result == -ECONNRESET        ? "reset"
          : result == -EPROTO          ? "malformed"
          : result == -EPROTONOSUPPORT ? "version"
                                       : strerror(-result);
  if (!strstr(touchroute_error_text(c), "touchrouted"))
    fail("the connection ended, \"%s\"", touchroute_error_text(c));
}

static void receive(void) {
  for (ssize_t count; (count = recv(peer.socket, peer.received + peer.received_count,
                                    sizeof peer.received - peer.received_count, MSG_DONTWAIT)) > 0;)
    peer.received_count += (size_t)count;
}

/* Ends the daemon's end, once it has kept what the client asked for. */
static void finish(struct touchroute_connection *c) {
  if (peer.socket < 0)
    return;
  receive();
  close(peer.socket);
  peer.socket = -1;
  while (!ended)
    dispatch(c);
}

static void deliver(struct touchroute_connection *c, const unsigned char *bytes, size_t count) {
  for (size_t sent = 0; sent < count && !ended;) {
    size_t part = count - sent < piece ? count - sent : piece;
    if (send(peer.socket, bytes + sent, part, MSG_NOSIGNAL) != (ssize_t)part)
      return; /* the client has gone already */
    sent += part;
    dispatch(c);
  }
}

static void expect(struct touchroute_connection *c, const char *event) {
  if (told_first == told_count)
    finish(c);
  const char *found = told_first < told_count ? told[told_first] : "nothing";
  if (strcmp(found, event))
    fail("the program was told\n%s\nin place of\n%s", found, event);
  free(told[told_first++]);
}

static size_t read_file(const char *folder, const char *name, const char *suffix, void *bytes,
                        size_t most) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s%s", folder, name, suffix);
  FILE *file = fopen(path, "rb");
  if (!file)
    fail("%s: %s", path, strerror(errno));
  size_t count = fread(bytes, 1, most, file);
  fclose(file);
  if (count == most)
    fail("%s has more than %zu bytes", path, most - 1);
  return count;
}

/* The next step: its line, and those of an event that follow. NULL: there is none. */
static char *next_step(char **rest) {
  char *step = *rest, *stop = step;
  if (!*step)
    return NULL;
  do
    stop = strchrnul(stop, '\n') + 1;
  while (*stop == ' ');
  stop[-1] = 0;
  *rest = stop;
  return step;
}

static void play(int server, const char *folder, const char *name) {
  static char script[MOST_TEXT];
  static unsigned char bytes[MOST_BYTES], requests[MOST_BYTES];
  script[read_file(folder, name, ".txt", script, sizeof script)] = 0;
  size_t byte_count = read_file(folder, name, ".bin", bytes, sizeof bytes), sent = 0;
  size_t request_count = read_file(folder, name, ".requests.bin", requests, sizeof requests);
  ended = NULL;
  told_first = told_count = peer.received_count = 0;
  struct touchroute_connection *c =
      touchroute_connect(address.sun_path, "vectors", 0, &listener, NULL);
  if (!c)
    fail("%s", touchroute_error_text(NULL));
  peer.socket = accept(server, NULL, NULL);
  for (char *rest = script, *step; (step = next_step(&rest));) {
    if (!strncmp(step, "send ", 5)) {
      size_t count = strtoul(step + 5, NULL, 10);
      deliver(c, bytes + sent, count);
      sent += count;
    } else if (!strncmp(step, "call ", 5)) {
      char *serial = strrchr(step, '=');
      long expected = strtol(serial + 1, NULL, 10);
      serial[-1] = 0;
      char request[512];
      snprintf(request, sizeof request, "%s", step + 5);
      long found = call(c, step + 5);
      if (found != expected)
        fail("%s returned %ld in place of %ld", request, found, expected);
    } else if (!strncmp(step, "event ", 6)) {
      expect(c, step + 6);
    } else if (!strncmp(step, "end ", 4)) {
      finish(c);
      if (strcmp(ended, step + 4))
        fail("the connection ended with %s in place of %s", ended, step + 4);
    } else if (*step != '#') {
      fail("the vectors know no step %s", step);
    }
  }
  if (told_first != told_count)
    fail("the program was also told\n%s", told[told_first]);
  if (sent != byte_count)
    fail("the script sends %zu bytes of %zu", sent, byte_count);
  if (peer.received_count != request_count || memcmp(peer.received, requests, request_count))
    fail("the client sent other requests than it must");
  touchroute_disconnect(c);
}

static int listen_once(void) {
  char folder[] = "/tmp/touchroute-vectors-XXXXXX";
  int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (!mkdtemp(folder) || server < 0)
    return -1;
  snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", folder);
  atexit(remove_socket);
  return bind(server, (struct sockaddr *)&address, sizeof address) || listen(server, 4) ? -1
                                                                                        : server;
}

int main(int count, char **arguments) {
  if (count != 2) {
    fprintf(stderr, "vectors FOLDER\n");
    return 64;
  }
  DIR *directory = opendir(arguments[1]);
  int server = listen_once();
  if (!directory || server < 0) {
    perror(directory ? address.sun_path : arguments[1]);
    return 1;
  }
  int played = 0;
  for (struct dirent *entry; (entry = readdir(directory));) {
    char *suffix = strrchr(entry->d_name, '.');
    if (!suffix || strcmp(suffix, ".txt"))
      continue;
    *suffix = 0;
    playing = entry->d_name;
    static const size_t pieces[] = {MOST_BYTES, 1, 61};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
      piece = pieces[i];
      play(server, arguments[1], entry->d_name);
    }
    played++;
  }
  closedir(directory);
  printf("%d vectors\n", played);
  return played ? 0 : 1;
}
