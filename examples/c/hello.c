/* Prints the touches of a window: hello [RESPONDER]. cc hello.c touchroute.c or -ltouchroute. */
#include <stdio.h>
#include <stdlib.h>
#include <touchroute.h>

static void on_touches(void *data, struct touchroute_connection *connection,
                       const struct touchroute_frame *frame) {
  (void)data, (void)connection;
  for (uint32_t i = 0; i < frame->record_count; i++) {
    const struct touchroute_record *it = &frame->records[i];
    printf("%s %s %.1f %.1f\n", touchroute_phase_name(it->touch->phase), it->path, it->touch->x,
           it->touch->y);
  }
  fflush(stdout);
}

static void on_error(void *data, struct touchroute_connection *connection,
                     const struct touchroute_error *error, const char *text) {
  (void)data, (void)connection, (void)error;
  fprintf(stderr, "%s\n", text);
  exit(1);
}

int main(int count, char **arguments) {
  struct touchroute_listener listener = {
      .size = sizeof listener, .touches = on_touches, .error = on_error};
  struct touchroute_connection *connection = touchroute_connect(NULL, "hello", 0, &listener, NULL);
  if (!connection) {
    fprintf(stderr, "%s\n", touchroute_error_text(NULL));
    return 1;
  }
  touchroute_attach(connection, count > 1 ? arguments[1] : "home", TOUCHROUTE_HANDLES_ALL, 0, 0);
  while (touchroute_dispatch(connection, -1) >= 0) {
  }
  fprintf(stderr, "%s\n", touchroute_error_text(connection));
  touchroute_disconnect(connection);
  return 1;
}
