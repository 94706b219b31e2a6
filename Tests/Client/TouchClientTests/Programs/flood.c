/*
 * A program that misbehaves until it is killed: flood SOCKET KIND.
 *
 *   asks      says hello, then asks for every view of every window as fast as the daemon takes it
 *   deaf      the same, and reads nothing of the answers
 *   garbage   connects, sends bytes that mean nothing, with and without a hello, and goes
 *   vanishes  attaches to "left" and goes, without detaching, again and again
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <touchroute.h>
#include <unistd.h>

static const char *path;

static int open_socket(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0) {
    perror(path);
    exit(1);
  }
  return descriptor;
}

static void say_hello(int descriptor) {
  struct {
    struct touchroute_hello hello;
    char name[8];
  } request = {{{sizeof request, TOUCHROUTE_HELLO, 0}, 1, TOUCHROUTE_MAGIC, TOUCHROUTE_VERSION, 5},
               "flood"};
  send(descriptor, &request, sizeof request, MSG_NOSIGNAL);
}

static void ask(int reads) {
  int descriptor = open_socket();
  say_hello(descriptor);
  struct touchroute_describe requests[64];
  for (size_t i = 0; i < 64; i++)
    requests[i] = (struct touchroute_describe){
        .header = {sizeof *requests, TOUCHROUTE_DESCRIBE, 0}, .serial = (uint32_t)i + 1};
  static char drop[65536];
  for (size_t sent = 0;; sent %= sizeof requests) {
    struct pollfd ready = {.fd = descriptor, .events = (short)(POLLOUT | (reads ? POLLIN : 0))};
    poll(&ready, 1, -1);
    if ((ready.revents & POLLIN) && recv(descriptor, drop, sizeof drop, MSG_DONTWAIT) == 0)
      break;
    ssize_t count = send(descriptor, (char *)requests + sent, sizeof requests - sent,
                         MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0 && errno != EAGAIN)
      break;
    sent += count > 0 ? (size_t)count : 0;
  }
  close(descriptor);
}

static void send_garbage(unsigned *seed) {
  unsigned char bytes[512];
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (unsigned char)rand_r(seed);
  int descriptor = open_socket();
  if (rand_r(seed) % 2)
    say_hello(descriptor);
  if (rand_r(seed) % 2) { /* of a size that could be, so that its content is looked at */
    bytes[0] = 24, bytes[1] = bytes[2] = bytes[3] = 0;
    bytes[4] = (unsigned char)(rand_r(seed) % 24), bytes[5] = bytes[6] = bytes[7] = 0;
  }
  send(descriptor, bytes, sizeof bytes, MSG_NOSIGNAL);
  if (rand_r(seed) % 2)
    shutdown(descriptor, SHUT_WR);
  close(descriptor);
}

static void vanish(void) {
  struct touchroute_listener listener = {.size = sizeof listener};
  struct touchroute_connection *c = touchroute_connect(path, "vanishes", 0, &listener, NULL);
  if (!c)
    return;
  touchroute_attach(c, "left", TOUCHROUTE_HANDLES_ALL, 0, TOUCHROUTE_ATTACH_TAKE_OVER);
  touchroute_dispatch(c, 100);
  touchroute_disconnect(c);
}

int main(int count, char **arguments) {
  if (count != 3)
    return 64;
  path = arguments[1];
  unsigned seed = 1;
  for (;;) {
    if (!strcmp(arguments[2], "asks"))
      ask(1);
    else if (!strcmp(arguments[2], "deaf"))
      ask(0);
    else if (!strcmp(arguments[2], "garbage"))
      send_garbage(&seed);
    else if (!strcmp(arguments[2], "vanishes"))
      vanish();
    else
      return 64;
  }
}
