/*
 * A program with a loop of its own: own_loop RESPONDER... It polls the connection beside standard
 * input, survives the daemon's restart, and ends with its input. It counts the fingers that are
 * down for each responder.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <touchroute.h>
#include <unistd.h>

enum { MOST_RESPONDERS = 16 };

struct responder {
  const char *path;
  uint32_t attachment;
  int fingers;
};

struct program {
  struct responder responders[MOST_RESPONDERS];
  size_t count;
};

static struct responder *find(struct program *program, uint32_t attachment) {
  for (size_t i = 0; i < program->count; i++)
    if (program->responders[i].attachment == attachment)
      return &program->responders[i];
  return NULL;
}

static void on_touches(void *data, struct touchroute_connection *connection,
                       const struct touchroute_frame *frame) {
  (void)connection;
  for (uint32_t i = 0; i < frame->record_count; i++) {
    const struct touchroute_touch *touch = frame->records[i].touch;
    struct responder *responder = find(data, touch->attachment);
    int change = touch->phase == TOUCHROUTE_PHASE_BEGAN       ? 1
                 : touch->phase == TOUCHROUTE_PHASE_ENDED     ? -1
                 : touch->phase == TOUCHROUTE_PHASE_CANCELLED ? -1
                                                              : 0;
    if (!responder || change == 0)
      continue;
    responder->fingers += change;
    printf("%s: %d down", responder->path, responder->fingers);
    if (touch->phase == TOUCHROUTE_PHASE_CANCELLED)
      printf(" (%s)", touchroute_cancel_reason_name(touch->cancel_reason));
    printf("\n");
  }
}

static void on_attached(void *data, struct touchroute_connection *connection,
                        const struct touchroute_attached *attached) {
  (void)connection;
  const struct responder *responder = find(data, attached->attachment);
  if (responder)
    printf("%s: %.0f x %.0f points\n", responder->path, attached->bounds[2], attached->bounds[3]);
}

static void on_error(void *data, struct touchroute_connection *connection,
                     const struct touchroute_error *error, const char *text) {
  (void)data, (void)connection, (void)error;
  printf("refused: %s\n", text);
}

static void on_lost(void *data, struct touchroute_connection *connection, const char *text) {
  (void)data, (void)connection;
  printf("lost: %s\n", text);
}

int main(int count, char **arguments) {
  struct touchroute_listener listener = {.size = sizeof listener,
                                         .touches = on_touches,
                                         .attached = on_attached,
                                         .error = on_error,
                                         .lost = on_lost};
  struct program program = {.count = 0};
  struct touchroute_connection *connection =
      touchroute_connect(NULL, "own_loop", TOUCHROUTE_RECONNECT, &listener, &program);
  if (!connection) {
    fprintf(stderr, "%s\n", touchroute_error_text(NULL));
    return 1;
  }
  for (int i = 1; i < count && program.count < MOST_RESPONDERS; i++) {
    int attachment = touchroute_attach(connection, arguments[i], TOUCHROUTE_HANDLES_ALL, 0, 0);
    if (attachment < 0) {
      fprintf(stderr, "%s\n", touchroute_error_text(connection));
      return 1;
    }
    program.responders[program.count++] =
        (struct responder){.path = arguments[i], .attachment = (uint32_t)attachment};
  }
  for (;;) {
    fflush(stdout);
    struct pollfd ready[2] = {
        {.fd = touchroute_get_fd(connection), .events = touchroute_get_events(connection)},
        {.fd = STDIN_FILENO, .events = POLLIN}};
    poll(ready, 2, -1);
    char drop[256];
    if (ready[1].revents && read(STDIN_FILENO, drop, sizeof drop) <= 0)
      break;
    if (ready[0].revents && touchroute_dispatch(connection, 0) < 0) {
      fprintf(stderr, "%s\n", touchroute_error_text(connection));
      return 1;
    }
  }
  touchroute_disconnect(connection);
  return 0;
}
