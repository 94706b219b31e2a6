/*
 * How the library connects: it waits longer from try to try, takes any descriptor for what it is, 0
 * too, which a program without standard input is given, and waits for room only while it needs
 * some. The program includes the library.
 */

#include <poll.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum call { OF_NONE, OF_EPOLL, OF_TIMER, OF_SOCKET };

static enum call gets_zero; /* the call whose descriptor is to be 0 */

static long waits_ms; /* how long it last decided to wait */

static long ms_of(const struct itimerspec *when) {
  return when->it_value.tv_sec * 1000 + when->it_value.tv_nsec / 1000000;
}

static void free_zero(enum call call) {
  if (gets_zero == call)
    close(0);
}

#define epoll_create1(flags) (free_zero(OF_EPOLL), epoll_create1(flags))
#define timerfd_create(clock, flags) (free_zero(OF_TIMER), timerfd_create(clock, flags))
#define timerfd_settime(timer, flags, when, old)                                                   \
  (waits_ms = ms_of(when), timerfd_settime(timer, flags, when, old))
#define socket(domain, type, protocol) (free_zero(OF_SOCKET), socket(domain, type, protocol))
#include "touchroute.c"
#undef socket

static int failures;

static void expect(int holds, const char *what) {
  if (holds)
    return;
  fprintf(stderr, "%s\n", what);
  failures++;
}

static const struct touchroute_listener listener = {.size = sizeof listener};

static int is_open(int descriptor) { return fcntl(descriptor, F_GETFD) >= 0; }

static void connect_with_zero(const char *path, enum call call, const char *what) {
  expect(is_open(0) || open("/dev/null", O_RDONLY) == 0, "0 is in use");
  gets_zero = call;
  struct touchroute_connection *c =
      touchroute_connect(path, "links", TOUCHROUTE_RECONNECT, &listener, NULL);
  expect(c != NULL, what);
  expect(is_open(0), what);
  expect(c == NULL || touchroute_dispatch(c, 0) >= 0, what);
  touchroute_disconnect(c);
  expect(!is_open(0), what);
  gets_zero = OF_NONE;
}

static void wait_longer(const char *path) {
  static const long delays[] = {100, 200, 400, 800, 1600, 3200, 5000, 5000};
  struct touchroute_connection *c =
      touchroute_connect(path, "links", TOUCHROUTE_RECONNECT, &listener, NULL);
  expect(c != NULL, "no daemon is a failure");
  for (size_t i = 0; c && i < sizeof delays / sizeof *delays; i++) {
    expect(waits_ms == delays[i], "it waits for another time");
    wait_before_retry(c, -ENOENT);
  }
  touchroute_disconnect(c);
}

static void read_all(int client) {
  static char bytes[65536];
  while (recv(client, bytes, sizeof bytes, MSG_DONTWAIT) > 0)
    ;
}

/* While the daemon does not read, the library waits for room, and no longer once all is sent. */
static void stop_waiting_for_room(const char *path, int server) {
  struct touchroute_connection *c =
      touchroute_connect(path, "links", TOUCHROUTE_RECONNECT, &listener, NULL);
  int client = accept(server, NULL, NULL);
  struct touchroute_welcome welcome = {.header = {sizeof welcome, TOUCHROUTE_WELCOME, 0},
                                       .serial = 1,
                                       .version = TOUCHROUTE_VERSION,
                                       .max_request = TOUCHROUTE_MAX_REQUEST};
  expect(send(client, &welcome, sizeof welcome, MSG_NOSIGNAL) == sizeof welcome, "no welcome");
  expect(touchroute_dispatch(c, 0) >= 0, "the connection is over");
  while (touchroute_ping(c) > 0)
    ;
  expect(touchroute_dispatch(c, 0) >= 0, "the connection is over");
  expect(waiting_bytes(c) > 0, "the socket takes everything");
  struct pollfd events = {.fd = touchroute_get_fd(c), .events = POLLIN};
  expect(poll(&events, 1, 0) == 0, "there is room");
  read_all(client);
  expect(poll(&events, 1, 0) == 1, "it is not told of room");
  expect(touchroute_dispatch(c, 0) >= 0, "the connection is over");
  expect(waiting_bytes(c) == 0, "the socket does not take the rest");
  read_all(client);
  expect(poll(&events, 1, 0) == 0, "it still waits for room");
  touchroute_disconnect(c);
  close(client);
}

int main(void) {
  char folder[] = "/tmp/touchroute-links-XXXXXX";
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (!mkdtemp(folder))
    return 1;
  snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", folder);
  wait_longer(address.sun_path);
  int server = socket(AF_UNIX, SOCK_STREAM, 0);
  if (bind(server, (struct sockaddr *)&address, sizeof address) || listen(server, 8))
    return 1;
  stop_waiting_for_room(address.sun_path, server);
  connect_with_zero(address.sun_path, OF_EPOLL, "epoll's descriptor is 0");
  connect_with_zero(address.sun_path, OF_TIMER, "the timer's descriptor is 0");
  connect_with_zero(address.sun_path, OF_SOCKET, "the socket's descriptor is 0");
  close(server);
  unlink(address.sun_path);
  rmdir(folder);
  return failures > 0;
}
