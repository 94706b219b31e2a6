/*
 * A program of the C library whose daemon means ill. Its listener looks at every byte that it is
 * shown, and makes requests, detaches and disconnects at random, so that a sanitizer has something
 * to see.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "cfuzzclient.h"
#include "touchroute.h"

static uint64_t state;
static volatile double seen; /* what was shown, so that the compiler keeps the looking */
static int attachment;
static int is_lost; /* the listener was told that the connection has ended */
static const char *fault;
static struct touchroute_contact contacts[200];
static struct sockaddr_un address = {.sun_family = AF_UNIX};

static uint64_t next_random(void) {
  uint64_t mixed = state += 0x9e3779b97f4a7c15u;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return mixed ^ (mixed >> 31);
}

static void look(const void *memory, size_t size) {
  const unsigned char *bytes = memory;
  for (size_t i = 0; i < size; i++)
    seen += bytes[i];
}

static void read_text(const char *text) { look(text, strlen(text) + 1); }

static void meddle(struct touchroute_connection *connection) {
  switch (next_random() % 24) {
  case 0: touchroute_ping(connection); break;
  case 1: touchroute_attach(connection, "home/c", 15, 0, 0); break;
  case 2: touchroute_detach(connection, (uint32_t)attachment); break;
  case 3: touchroute_describe(connection, "home", 0, 0); break;
  case 4: touchroute_flush(connection); break;
  case 5: touchroute_observe(connection, (int)(next_random() & 1)); break;
  case 6: touchroute_detach(connection, (uint32_t)(next_random() % 8)); break;
  case 7: touchroute_accept(connection, (uint32_t)attachment, next_random() % 8); break;
  case 8: touchroute_decline(connection, (uint32_t)attachment, next_random() % 8); break;
  case 9: touchroute_inject(connection, 0, contacts, (uint32_t)(next_random() % 200)); break;
  case 10: {
    const double points[] = {0, 0, 9, 0, 9, 9};
    const struct touchroute_property_change change = {
        "home", (uint32_t)(next_random() % 18), {(double)(next_random() % 5)},
        next_random() % 2 ? "a" : NULL, points, (uint32_t)(next_random() % 4)};
    touchroute_set(connection, &change, (uint32_t)(next_random() % 2));
    break;
  }
  case 11:
    if (next_random() % 8 == 0)
      touchroute_disconnect(connection);
    break;
  default: break;
  }
}

static void on_touches(void *data, struct touchroute_connection *c,
                       const struct touchroute_frame *frame) {
  (void)data;
  if (is_lost)
    fault = "the program was told of touches after the end of its connection";
  for (uint32_t i = 0; i < frame->record_count; i++) {
    look(frame->records[i].touch, sizeof *frame->records[i].touch);
    look(frame->records[i].samples,
         frame->records[i].touch->sample_count * sizeof *frame->records[i].samples);
    read_text(frame->records[i].path);
  }
  meddle(c);
}

static void on_attached(void *data, struct touchroute_connection *c,
                        const struct touchroute_attached *attached) {
  (void)data;
  look(attached, sizeof *attached);
  meddle(c);
}

static void on_detached(void *data, struct touchroute_connection *c, uint32_t handle,
                        uint32_t reason, const char *text) {
  (void)data;
  seen += handle + reason;
  read_text(text);
  meddle(c);
}

static void on_error(void *data, struct touchroute_connection *c,
                     const struct touchroute_error *error, const char *text) {
  (void)data;
  look(error, sizeof *error);
  read_text(text);
  meddle(c);
}

static void on_welcome(void *data, struct touchroute_connection *c,
                       const struct touchroute_welcome *welcome,
                       const struct touchroute_screen_info *screens) {
  (void)data;
  for (uint32_t i = 0; i < welcome->screen_count; i++)
    read_text(screens[i].name);
  meddle(c);
}

static void on_closing(void *data, struct touchroute_connection *c, uint32_t reason,
                       const char *text) {
  (void)data;
  seen += reason;
  read_text(text);
  meddle(c);
}

static void on_lost(void *data, struct touchroute_connection *c, const char *text) {
  (void)data;
  if (is_lost)
    fault = "the program was told twice that its connection has ended";
  read_text(text);
  is_lost = 1;
  meddle(c);
}

static void on_view(void *data, struct touchroute_connection *c, const struct touchroute_view *view,
                    const char *path, const char *controller) {
  (void)data;
  look(view, sizeof *view);
  read_text(path);
  read_text(controller);
  meddle(c);
}

static void on_pong(void *data, struct touchroute_connection *c, uint32_t serial) {
  (void)data;
  seen += serial;
  meddle(c);
}

static void on_daemon(void *data, struct touchroute_connection *c,
                      const struct touchroute_status_daemon *status, const uint64_t *counters,
                      const uint64_t *latencies, const char *version,
                      const char *configuration) {
  (void)data;
  look(counters, status->counter_count * sizeof *counters);
  look(latencies, status->latency_count * sizeof *latencies);
  read_text(version);
  read_text(configuration);
  meddle(c);
}

static void on_client(void *data, struct touchroute_connection *c,
                      const struct touchroute_status_client *status, const char *name) {
  (void)data;
  look(status, sizeof *status);
  read_text(name);
  meddle(c);
}

static void on_attachment(void *data, struct touchroute_connection *c,
                          const struct touchroute_status_attachment *status, const char *path) {
  (void)data;
  look(status, sizeof *status);
  read_text(path);
  meddle(c);
}

static void on_device(void *data, struct touchroute_connection *c,
                      const struct touchroute_status_device *status, const char *name,
                      const char *node, const char *phys) {
  (void)data;
  look(status, sizeof *status);
  read_text(name);
  read_text(node);
  read_text(phys);
  meddle(c);
}

static void on_done(void *data, struct touchroute_connection *c, const struct touchroute_done *done,
                    const char *text) {
  (void)data;
  look(done, sizeof *done);
  read_text(text);
  meddle(c);
}

static void on_observed(void *data, struct touchroute_connection *c,
                        const struct touchroute_observation *observation) {
  (void)data;
  for (uint32_t i = 0; i < observation->record_count; i++) {
    const struct touchroute_observed_record *record = &observation->records[i];
    read_text(record->path);
    for (uint32_t j = 0; j < record->touch.chain_count; j++)
      read_text(record->chain[j].path);
  }
  meddle(c);
}

static void on_gesture(void *data, struct touchroute_connection *c,
                       const struct touchroute_gesture *gesture, const char *path) {
  (void)data;
  look(gesture, sizeof *gesture);
  read_text(path);
  meddle(c);
}

static void on_observed_gesture(void *data, struct touchroute_connection *c,
                                const struct touchroute_observed_gesture *gesture,
                                const char *path, const char *text) {
  (void)data;
  look(gesture, sizeof *gesture);
  read_text(path);
  read_text(text);
  meddle(c);
}

static void on_observed_change(void *data, struct touchroute_connection *c,
                               const struct touchroute_observed_change *change, const char *path,
                               const char *name) {
  (void)data;
  look(change, sizeof *change);
  read_text(path);
  read_text(name);
  meddle(c);
}

static void on_holder(void *data, struct touchroute_connection *c,
                      const struct touchroute_holder *holder, const char *path,
                      const char *name) {
  (void)data;
  look(holder, sizeof *holder);
  read_text(path);
  read_text(name);
  meddle(c);
}

static void on_status_signal(void *data, struct touchroute_connection *c,
                             const struct touchroute_status_signal *status, const char *text) {
  (void)data;
  look(status, sizeof *status);
  read_text(text);
  meddle(c);
}

static void on_observed_signal(void *data, struct touchroute_connection *c,
                               const struct touchroute_observed_signal *signal,
                               const char *text) {
  (void)data;
  look(signal, sizeof *signal);
  read_text(text);
  meddle(c);
}

static const struct touchroute_listener listener = {
    .size = sizeof listener,
    .touches = on_touches,
    .attached = on_attached,
    .layout = on_attached,
    .detached = on_detached,
    .error = on_error,
    .welcome = on_welcome,
    .closing = on_closing,
    .lost = on_lost,
    .view = on_view,
    .pong = on_pong,
    .status_daemon = on_daemon,
    .status_client = on_client,
    .status_attachment = on_attachment,
    .status_device = on_device,
    .done = on_done,
    .observed = on_observed,
    .holder = on_holder,
    .observed_gesture = on_observed_gesture,
    .status_signal = on_status_signal,
    .observed_signal = on_observed_signal,
    .observed_change = on_observed_change,
    .gesture = on_gesture,
};

static void remove_socket(void) {
  unlink(address.sun_path);
  *strrchr(address.sun_path, '/') = 0;
  rmdir(address.sun_path);
}

/* The daemon's socket, made with the first call; -1 where it can't be. */
static int listen_once(void) {
  static int server = -1;
  if (server >= 0)
    return server;
  char folder[] = "/tmp/touchroute-fuzz-XXXXXX";
  if (!mkdtemp(folder))
    return -1;
  snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", folder);
  server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (server < 0 || bind(server, (struct sockaddr *)&address, sizeof address) || listen(server, 4))
    return -1;
  atexit(remove_socket);
  for (size_t i = 0; i < sizeof contacts / sizeof *contacts; i++)
    contacts[i] = (struct touchroute_contact){.phase = TOUCHROUTE_PHASE_MOVED};
  return server;
}

/* Everything to one connection, in pieces, until it has ended. */
const char *cfuzzclient_play(const unsigned char *bytes, size_t size, uint64_t seed) {
  int server = listen_once();
  if (server < 0)
    return "no socket can be made in /tmp";
  state = seed;
  is_lost = 0;
  fault = NULL;
  struct touchroute_connection *c =
      touchroute_connect(address.sun_path, "fuzz", 0, &listener, NULL);
  if (!c)
    return touchroute_error_text(NULL);
  int client = accept(server, NULL, NULL);
  attachment = touchroute_attach(c, "home", 15, 0, 0);
  touchroute_attach(c, "home/b", 15, 0, 0);
  int result = 0;
  for (size_t sent = 0; sent < size && result >= 0;) {
    size_t piece = next_random() % 900 + 1;
    piece = piece > size - sent ? size - sent : piece;
    sent += send(client, bytes + sent, piece, MSG_NOSIGNAL) > 0 ? piece : size;
    result = touchroute_dispatch(c, 0);
  }
  close(client);
  while (result >= 0)
    result = touchroute_dispatch(c, 0);
  if (result != -ECANCELED) {
    if (!is_lost && !fault)
      fault = "the program was not told that its connection has ended";
    touchroute_disconnect(c);
  }
  return fault;
}
