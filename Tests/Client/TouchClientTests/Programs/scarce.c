/*
 * A program whose memory fails once, at each place in turn where the library allocates. It plays the
 * daemon too. It adds a view and moves it, asking again where it is told that there is no memory;
 * then it loses its connection. The daemon has to be asked for the view where it was last, and
 * nothing may be kept when all is over. The program includes the library, whose calls it replaces.
 */

#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>

static int left = -1; /* allocations before the one that fails; below 0, none fails any more */
static long kept;     /* allocated and not freed */

static int fails(void) { return left >= 0 && left-- == 0; }

static void *scarce_calloc(size_t count, size_t size) {
  void *memory = fails() ? NULL : calloc(count, size);
  kept += memory != NULL;
  return memory;
}

static void *scarce_malloc(size_t size) {
  void *memory = fails() ? NULL : malloc(size);
  kept += memory != NULL;
  return memory;
}

static void *scarce_realloc(void *old, size_t size) {
  void *memory = fails() ? NULL : realloc(old, size);
  kept += memory != NULL && old == NULL;
  return memory;
}

static void scarce_free(void *memory) {
  kept -= memory != NULL;
  free(memory);
}

#define calloc scarce_calloc
#define malloc scarce_malloc
#define realloc scarce_realloc
#define free scarce_free
#include "touchroute.c"

enum { MOVES = 20 };

static int daemon_socket; /* where the daemon listens */
static int client;        /* the daemon's end of the connection */

static void require(int holds, const char *what) {
  if (holds)
    return;
  fprintf(stderr, "%s\n", what);
  exit(1);
}

static void receive(void *to, size_t size) {
  require(recv(client, to, size, MSG_WAITALL) == (ssize_t)size, "the client's requests end");
}

/* The next request of that kind, whole; others before it are dropped. */
static const unsigned char *request(uint16_t opcode) {
  static unsigned char bytes[TOUCHROUTE_MAX_CHANGE_VIEWS];
  struct touchroute_header header;
  do {
    receive(bytes, sizeof header);
    memcpy(&header, bytes, sizeof header);
    require(header.size <= sizeof bytes, "a request is too long");
    receive(bytes + sizeof header, header.size - sizeof header);
  } while (header.opcode != opcode);
  return bytes;
}

static void answer(struct touchroute_connection *c, const void *event, size_t size) {
  require(send(client, event, size, MSG_NOSIGNAL) == (ssize_t)size, "the client takes no answer");
  require(touchroute_dispatch(c, 0) >= 0, "the connection is over");
}

/* Takes a connection, and answers its attach. */
static void greet(struct touchroute_connection *c) {
  client = accept(daemon_socket, NULL, NULL);
  struct touchroute_welcome welcome = {.header = {sizeof welcome, TOUCHROUTE_WELCOME, 0},
                                       .serial = 1,
                                       .version = TOUCHROUTE_VERSION,
                                       .max_request = TOUCHROUTE_MAX_REQUEST};
  answer(c, &welcome, sizeof welcome);
  struct touchroute_attach attach;
  memcpy(&attach, request(TOUCHROUTE_ATTACH), sizeof attach);
  struct touchroute_attached attached = {.header = {sizeof attached, TOUCHROUTE_ATTACHED, 0},
                                         .serial = attach.serial,
                                         .attachment = 1};
  answer(c, &attached, sizeof attached);
}

/* Answers a change_views. Returns how many steps it has. y: what its last property says. */
static uint32_t take_change(struct touchroute_connection *c, double *y) {
  struct touchroute_change_views change;
  const unsigned char *bytes = request(TOUCHROUTE_CHANGE_VIEWS);
  memcpy(&change, bytes, sizeof change);
  double frame[4];
  memcpy(frame, bytes + change.header.size - sizeof frame, sizeof frame);
  *y = frame[1];
  struct touchroute_done done = {.header = {sizeof done, TOUCHROUTE_DONE, 0},
                                 .serial = change.serial};
  answer(c, &done, sizeof done);
  return change.step_count;
}

/* Puts the view at y, and asks once more where there is no memory. */
static void place(struct touchroute_connection *c, uint32_t attachment, uint32_t kind, double y) {
  struct touchroute_property_change frame = {.property = TOUCHROUTE_PROPERTY_FRAME,
                                             .values = {0, y, 480, 40}};
  struct touchroute_view_change step = {
      .kind = kind, .path = "row", .properties = &frame, .property_count = 1};
  double seen;
  int result = touchroute_change_views(c, attachment, &step, 1);
  if (result == -ENOMEM)
    result = touchroute_change_views(c, attachment, &step, 1);
  require(result > 0, "a change is refused although there is memory");
  require(take_change(c, &seen) == 1 && seen == y, "another change is sent");
}

static struct touchroute_connection *scarce_connect(const char *path) {
  static const struct touchroute_listener listener = {.size = sizeof listener};
  struct touchroute_connection *c =
      touchroute_connect(path, "scarce", TOUCHROUTE_RECONNECT, &listener, NULL);
  if (c)
    return c;
  require(errno == ENOMEM, "no connection, for another reason than memory");
  return touchroute_connect(path, "scarce", TOUCHROUTE_RECONNECT, &listener, NULL);
}

/* Returns how many steps the daemon is asked for anew. */
static uint32_t run(const char *path) {
  struct touchroute_connection *c = scarce_connect(path);
  require(c != NULL, "no connection");
  int attachment = touchroute_attach(c, "home", TOUCHROUTE_HANDLES_ALL, 0, 0);
  require(attachment > 0, "no attachment");
  greet(c);
  place(c, (uint32_t)attachment, TOUCHROUTE_STEP_ADD, 0);
  for (int move = 1; move <= MOVES; move++)
    place(c, (uint32_t)attachment, TOUCHROUTE_STEP_CHANGE, move);
  close(client);
  require(touchroute_dispatch(c, 0) >= 0, "the connection is over");
  greet(c);
  double y;
  uint32_t steps = take_change(c, &y);
  require(y == MOVES, "the view is elsewhere once the connection was lost");
  touchroute_disconnect(c);
  close(client);
  require(kept == 0, "memory is kept that nobody has any more");
  return steps;
}

int main(void) {
  char folder[] = "/tmp/touchroute-scarce-XXXXXX";
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  require(mkdtemp(folder) != NULL, "no folder");
  snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", folder);
  daemon_socket = socket(AF_UNIX, SOCK_STREAM, 0);
  require(bind(daemon_socket, (struct sockaddr *)&address, sizeof address) == 0 &&
              listen(daemon_socket, 1) == 0,
          "no socket");
  uint32_t fewest = run(address.sun_path), most = fewest;
  int number = 0;
  for (;; number++) {
    left = number;
    uint32_t steps = run(address.sun_path);
    if (left >= 0)
      break;
    most = steps > most ? steps : most;
  }
  close(daemon_socket);
  unlink(address.sun_path);
  rmdir(folder);
  printf("%d allocations failed in turn; %u steps were asked for anew, %u without memory\n", number,
         (unsigned)fewest, (unsigned)most);
  return 0;
}
