/* A program attached to touchrouted, as README shows one, that notes when each frame came. */
#include "latency.h"

#include "touchroute.h"

static void on_touches(void *data, struct touchroute_connection *connection,
                       const struct touchroute_frame *frame) {
  (void)connection;
  struct samples *samples = data;
  samples->samples[samples->count] = (struct sample){frame->time_us, now_ns()};
  samples->count++;
}

void run_client(struct samples *samples, const char *socket_path, const char *path) {
  struct touchroute_listener listener = {.size = sizeof listener, .touches = on_touches};
  struct touchroute_connection *connection =
      touchroute_connect(socket_path, "latency", 0, &listener, samples);
  if (!connection || touchroute_attach(connection, path, TOUCHROUTE_HANDLES_ALL, 0,
                                          TOUCHROUTE_ATTACH_GESTURES) < 0) {
    fprintf(stderr, "latency: %s\n", touchroute_error_text(connection));
    exit(1);
  }
  while (touchroute_dispatch(connection, -1) >= 0) {
  }
  exit(0);
}
