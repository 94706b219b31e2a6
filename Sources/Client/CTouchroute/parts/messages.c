/* messages.c: which part takes which message, and the answers that no part waits for. */

#include "internal.h"

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
