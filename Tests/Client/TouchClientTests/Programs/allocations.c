/*
 * Counts what the C library allocates: allocations FRAMES. The program plays the daemon too, sends
 * itself ten-finger frames of moves and prints the allocations of connecting, and those of all that
 * follows. Linked with --wrap for malloc, calloc, realloc and free.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <touchroute.h>
#include <unistd.h>

enum { FINGERS = 10 };

static long allocations;
static long records;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);

void *__wrap_malloc(size_t size) {
  allocations++;
  return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
  allocations++;
  return __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size) {
  allocations++;
  return __real_realloc(old, size);
}

static void on_touches(void *data, struct touchroute_connection *connection,
                       const struct touchroute_frame *frame) {
  (void)data, (void)connection;
  records += frame->record_count;
}

static const struct touchroute_listener listener = {.size = sizeof listener,
                                                    .touches = on_touches};

struct frame {
  struct touchroute_touches head;
  struct touchroute_touch touches[FINGERS];
};

static int send_all(int client, const void *bytes, size_t size) {
  return send(client, bytes, size, MSG_NOSIGNAL) == (ssize_t)size;
}

static int greet(int client, uint32_t serial) {
  struct touchroute_welcome welcome = {.header = {sizeof welcome, TOUCHROUTE_WELCOME, 0},
                                       .serial = 1,
                                       .version = TOUCHROUTE_VERSION,
                                       .max_request = TOUCHROUTE_MAX_REQUEST};
  struct touchroute_attached attached = {
      .header = {sizeof attached, TOUCHROUTE_ATTACHED, 0}, .serial = serial, .attachment = 1};
  return send_all(client, &welcome, sizeof welcome) && send_all(client, &attached, sizeof attached);
}

int main(int count, char **arguments) {
  char folder[] = "/tmp/touchroute-allocations-XXXXXX";
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int server = socket(AF_UNIX, SOCK_STREAM, 0);
  if (count != 2 || !mkdtemp(folder))
    return 64;
  snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", folder);
  if (bind(server, (struct sockaddr *)&address, sizeof address) || listen(server, 1))
    return 1;
  struct touchroute_connection *c =
      touchroute_connect(address.sun_path, "allocations", TOUCHROUTE_RECONNECT, &listener, NULL);
  if (!c)
    return 1;
  long of_connecting = allocations;
  int client = accept(server, NULL, NULL);
  int attachment = touchroute_attach(c, "home", TOUCHROUTE_HANDLES_ALL, 0, 0);
  if (!greet(client, (uint32_t)attachment))
    return 1;
  struct frame frame = {.head = {.header = {sizeof frame, TOUCHROUTE_TOUCHES, 0},
                                 .touch_count = FINGERS}};
  long frames = atol(arguments[1]);
  for (long number = 0; number < frames; number++) {
    for (int i = 0; i < FINGERS; i++)
      frame.touches[i] = (struct touchroute_touch){
          .id = (uint64_t)i + 1,
          .attachment = 1,
          .phase = number == 0 ? TOUCHROUTE_PHASE_BEGAN : TOUCHROUTE_PHASE_MOVED,
          .x = (float)number};
    if (!send_all(client, &frame, sizeof frame) || touchroute_dispatch(c, 0) < 0)
      return 1;
    if (number % 100 == 0)
      touchroute_accept(c, (uint32_t)attachment, 1 + (uint64_t)number % FINGERS);
  }
  close(client);
  if (touchroute_dispatch(c, 0) < 0) /* the loss, with ten touches cancelled */
    return 1;
  long of_the_rest = allocations - of_connecting;
  touchroute_disconnect(c);
  close(server);
  unlink(address.sun_path);
  rmdir(folder);
  printf("connecting %ld, then %ld for %ld records\n", of_connecting, of_the_rest, records);
  return 0;
}
