/*
 * touchroute-tuio: the process of `touchroute output tuio`, which reads the command line for it and
 * says what may stand there. A client of touchrouted that tells of cursors over UDP.
 *
 * SPDX-License-Identifier: MIT
 */
#include "feed.h"
#include "tuio.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The words of the command line, in their order. */
enum word { SOCKET = 1, PATH, HOST, PORT, SOURCE, LIFTS, FLAGS, COUNT };

/* How long no datagram must have failed before that is said. */
#define SETTLED_US 2500000u
/* So many refusals in a row are tries of other addresses; beyond that nobody listens at any. */
#define MOST_REFUSALS 4

struct output {
  struct tuio tuio;
  const char *host, *port;
  struct addrinfo *addresses, *address; /* of the host: all, and the one that is sent to */
  int fd;
  int refusals;      /* in a row, each of another address where there are others */
  int error;         /* of the datagrams: 0, or an errno that has been said */
  uint64_t error_us; /* when it last was one */
  int lifts;         /* what is cancelled is lifted where it is */
  int has_left_out;  /* that has been said */
};

/* ---- The network ---- */

/* A socket to an address; -1 where there can be none. */
static int open_socket(const struct addrinfo *address) {
  int type = address->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK;
  int fd = socket(address->ai_family, type, address->ai_protocol);
  int one = 1; /* a table may listen on an address of all */
  if (fd >= 0)
    setsockopt(fd, SOL_SOCKET, SO_BROADCAST, &one, sizeof one);
  if (fd >= 0 && connect(fd, address->ai_addr, address->ai_addrlen) < 0) {
    int error = errno;
    close(fd);
    errno = error;
    fd = -1;
  }
  return fd;
}

/* Goes on with the next address of the host, if there can be a socket for one; returns whether. */
static int take_next(struct output *output) {
  struct addrinfo *at = output->address;
  int fd = -1;
  while (fd < 0) {
    at = at->ai_next != NULL ? at->ai_next : output->addresses;
    if (at == output->address)
      return 0;
    fd = open_socket(at);
  }
  close(output->fd);
  output->fd = fd;
  output->address = at;
  return 1;
}

/* A socket to the host, or -1. Its name is looked up once: another try is a new start. */
static int connect_to(struct output *output) {
  struct addrinfo hints = {.ai_socktype = SOCK_DGRAM, .ai_flags = AI_ADDRCONFIG};
  int result = getaddrinfo(output->host, output->port, &hints, &output->addresses);
  if (result != 0) {
    feed_say("%s can't be found: %s", output->host,
             result == EAI_SYSTEM ? strerror(errno) : gai_strerror(result));
    return -1;
  }
  int fd = -1;
  for (struct addrinfo *at = output->addresses; at != NULL && fd < 0; at = at->ai_next) {
    fd = open_socket(at);
    output->address = at;
  }
  if (fd < 0)
    feed_say("%s port %s can't be reached: %s", output->host, output->port, strerror(errno));
  return fd;
}

/* A datagram that is lost is said again within a second; that none gets through is said once. */
static void on_bundle(void *data, const void *bytes, size_t size) {
  struct output *output = data;
  uint64_t now = feed_now_us();
  int error = send(output->fd, bytes, size, MSG_NOSIGNAL) < 0 ? errno : 0;
  if (error == EAGAIN || error == ENOBUFS)
    return;
  /* What a host answers to one datagram is told to the next, which has not been sent then. */
  /* Who listens may do so at another of its addresses. */
  if (error == ECONNREFUSED) {
    int is_other = take_next(output) && output->refusals++ < MOST_REFUSALS;
    int again = send(output->fd, bytes, size, MSG_NOSIGNAL) < 0 ? errno : 0;
    error = again != 0 || is_other ? again : error;
  } else if (error == 0) {
    output->refusals = 0;
  }
  if (error != 0) {
    if (output->error == 0)
      feed_say("%s port %s does not take what is sent (%s); it goes on", output->host,
               output->port, strerror(error));
    output->error = error;
    output->error_us = now;
  } else if (output->error != 0 && now - output->error_us > SETTLED_US) {
    feed_say("%s port %s takes what is sent again", output->host, output->port);
    output->error = 0;
  }
}

/* ---- What the daemon says ---- */

static const uint8_t changes[] = {
    [TOUCHROUTE_PHASE_BEGAN] = TUIO_DOWN,  [TOUCHROUTE_PHASE_MOVED] = TUIO_MOVE,
    [TOUCHROUTE_PHASE_STATIONARY] = 0,     [TOUCHROUTE_PHASE_ENDED] = TUIO_UP,
    [TOUCHROUTE_PHASE_CANCELLED] = TUIO_CANCEL,
};

static float part(double place, double size) {
  return size > 0 ? (float)(place < 0 ? 0 : place > size ? 1 : place / size) : 0;
}

static void on_touches(void *data, struct feed *feed, const struct touchroute_frame *frame) {
  struct output *output = data;
  for (uint32_t i = 0; i < frame->record_count; i++) {
    const struct touchroute_touch *touch = frame->records[i].touch;
    uint8_t change = touch->phase < sizeof changes ? changes[touch->phase] : 0;
    if (change == TUIO_CANCEL && output->lifts)
      change = TUIO_UP;
    struct feed_place place = feed_place(feed, touch);
    if (change != 0)
      tuio_add(&output->tuio, touch->id, change, part(place.x, place.width),
               part(place.y, place.height), frame->time_us);
  }
  if (!frame->more)
    tuio_end_frame(&output->tuio, feed_now_us());
  if (output->tuio.left_out > 0 && !output->has_left_out) {
    output->has_left_out = 1;
    feed_say("a finger over %u is left out", TUIO_CURSORS);
  }
}

static void on_attached(void *data, struct feed *feed, int is_attached) {
  (void)feed;
  struct output *output = data;
  if (!is_attached)
    tuio_clear(&output->tuio, feed_now_us());
}

static uint64_t due(void *data) {
  struct output *output = data;
  return output->tuio.sent_us + TUIO_REPEAT_US;
}

static void tick(void *data, uint64_t now_us) {
  struct output *output = data;
  tuio_repeat(&output->tuio, now_us);
}

int main(int argc, char **argv) {
  if (argc != COUNT) {
    fprintf(stderr,
            "touchroute-tuio: this is a part of touchroute; see touchroute output tuio --help\n");
    return 64;
  }
  static struct output output;
  static char source[512], name[TOUCHROUTE_MAX_NAME + 1];
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  snprintf(source, sizeof source, "%.200s@%s", argv[SOURCE], host);
  snprintf(name, sizeof name, "touchroute output tuio %s", argv[PATH]);
  output = (struct output){.host = argv[HOST], .port = argv[PORT]};
  output.lifts = feed_number("touchroute-tuio", argv[LIFTS], 0, 1) == 1;
  output.tuio = (struct tuio){.source = source, .sink = on_bundle, .data = &output};
  output.fd = connect_to(&output);
  if (output.fd < 0)
    return 1;
  struct feed_settings settings = {
      .socket = argv[SOCKET][0] != '\0' ? argv[SOCKET] : NULL,
      .path = argv[PATH],
      .name = name,
      .flags = (uint32_t)feed_number("touchroute-tuio", argv[FLAGS], 0, FEED_WAIT | FEED_TAKE_OVER),
      .listener = {.touches = on_touches, .attached = on_attached, .due = due, .tick = tick},
      .data = &output};
  int status = feed_run(&settings);
  close(output.fd);
  freeaddrinfo(output.addresses);
  return status;
}
