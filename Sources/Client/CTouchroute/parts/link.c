/* link.c: the socket, what was read from it, and connecting again. */

#include "internal.h"

#define FIRST_DELAY_MS 100u
/* The first pause if too many connections wait for touchrouted. */
#define FULL_DELAY_MS 1u
/* How long to wait in that case without TOUCHROUTE_RECONNECT. */
#define FULL_WAIT_S 1
#define LAST_DELAY_MS 5000u

PRIVATE int link_failure(const struct touchroute_connection *c) { return c->link.failure; }

/* Whether hello is sent or queued. */
PRIVATE int is_connected(const struct touchroute_connection *c) {
  return c->link.state == LINK_GREETED || c->link.state == LINK_WELCOME;
}

/* 0 if a request can be queued now, else a failure. */
PRIVATE int check_connected(struct touchroute_connection *c) {
  if (c->link.failure)
    return c->link.failure;
  if (c->link.state == LINK_WAITING)
    return fail(c, ENOTCONN, "there is no connection to %s at the moment", c->link.socket_path);
  return 0;
}

PRIVATE int is_welcome(const struct touchroute_connection *c) {
  return c->link.state == LINK_WELCOME;
}

PRIVATE void take_welcome(struct touchroute_connection *c) { c->link.state = LINK_WELCOME; }

/* The daemon says why connecting again would not help. */
PRIVATE void take_fatal_error(struct touchroute_connection *c, int useless, const char *text) {
  c->link.useless = useless;
  snprintf(c->link.last_words, sizeof c->link.last_words, "%.*s",
           (int)sizeof c->link.last_words - 1, text);
}

/* The daemon says why it ends the connection. An earlier error says it better. */
PRIVATE void take_closing(struct touchroute_connection *c, int useless, const char *text) {
  if (!c->link.useless)
    c->link.useless = useless;
  if (!c->link.last_words[0])
    take_fatal_error(c, c->link.useless, text);
}

PRIVATE const char *socket_path(const struct touchroute_connection *c) {
  return c->link.socket_path;
}

/*
 * Sends what the socket takes. -1: it takes nothing now, or there is none. If the daemon is gone,
 * all counts as sent: the next read finds that out, after the daemon's last messages.
 */
PRIVATE ssize_t send_bytes(struct touchroute_connection *c, const void *bytes, size_t size) {
  while (c->link.socket >= 0) {
    ssize_t sent = send(c->link.socket, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0 || errno == EAGAIN)
      return sent;
    if (errno != EINTR)
      return (ssize_t)size;
  }
  return -1;
}

/* Has epoll wait for room in the socket too, while requests wait. */
PRIVATE void update_interest(struct touchroute_connection *c) {
  if (c->link.epoll < 0 || c->link.socket < 0)
    return;
  uint32_t wanted = EPOLLIN | (waiting_bytes(c) > 0 ? EPOLLOUT : 0u);
  if (wanted == c->link.interest)
    return;
  struct epoll_event event = {.events = wanted};
  if (epoll_ctl(c->link.epoll, EPOLL_CTL_MOD, c->link.socket, &event) == 0)
    c->link.interest = wanted;
}

static int set_timer(struct touchroute_connection *c, uint32_t milliseconds) {
  struct itimerspec when = {.it_value = {.tv_sec = milliseconds / 1000,
                                         .tv_nsec = (long)(milliseconds % 1000) * 1000000}};
  return timerfd_settime(c->link.timer, 0, &when, NULL);
}

static void wait_before_retry(struct touchroute_connection *c, int error) {
  c->link.state = LINK_WAITING;
  if (c->link.delay_ms == 0)
    c->link.delay_ms = error == -EAGAIN ? FULL_DELAY_MS : FIRST_DELAY_MS;
  set_timer(c, c->link.delay_ms);
  c->link.delay_ms = c->link.delay_ms > LAST_DELAY_MS / 2 ? LAST_DELAY_MS : c->link.delay_ms * 2;
}

static int queue_hello(struct touchroute_connection *c) {
  struct touchroute_hello hello = {.serial = take_serial(c),
                                   .magic = TOUCHROUTE_MAGIC,
                                   .version = TOUCHROUTE_VERSION,
                                   .name_size = (uint32_t)strlen(c->link.name)};
  return queue(c, &hello, sizeof hello, TOUCHROUTE_HELLO, c->link.name, hello.name_size);
}

static void name_user(uid_t uid, char *name, size_t size) {
  char buffer[4096];
  struct passwd entry, *found = NULL;
  if (getpwuid_r(uid, &entry, buffer, sizeof buffer, &found) == 0 && found)
    snprintf(name, size, "%s", found->pw_name);
  else
    snprintf(name, size, "%u", (unsigned)uid);
}

static void name_group(gid_t gid, char *name, size_t size) {
  char buffer[4096];
  struct group entry, *found = NULL;
  if (getgrgid_r(gid, &entry, buffer, sizeof buffer, &found) == 0 && found)
    snprintf(name, size, "%s", found->gr_name);
  else
    snprintf(name, size, "%u", (unsigned)gid);
}

/* Says who may open the socket, and how this program's user gets that right. */
static int explain_refusal(struct touchroute_connection *c, int error) {
  char user[64], owner[64], group[64];
  struct stat status;
  name_user(geteuid(), user, sizeof user);
  if (stat(c->link.socket_path, &status) < 0)
    return fail(c, error, "user %s may not open %s: the user may not search its folder", user,
                c->link.socket_path);
  name_user(status.st_uid, owner, sizeof owner);
  name_group(status.st_gid, group, sizeof group);
  if (!(status.st_mode & S_IWGRP) || status.st_gid == 0)
    return fail(c, error, "user %s may not open %s: only user %s may, as with sudo", user,
                c->link.socket_path, owner);
  return fail(c, error,
              "user %s may not open %s: it is for the group %s. Join it (sudo usermod -aG %s %s), "
              "then log in or start the service anew",
              user, c->link.socket_path, group, group, user);
}

static int explain_connect(struct touchroute_connection *c, int error) {
  const char *path = c->link.socket_path;
  switch (error) {
  case ENOENT: return fail(c, error, "there is no socket at %s: is touchrouted running?", path);
  case ECONNREFUSED:
    return fail(c, error, "no program listens at %s: is touchrouted running?", path);
  case EACCES: return explain_refusal(c, error);
  case EAGAIN:
    return fail(c, error, "touchrouted at %s has too many connections that wait for it", path);
  default: return fail(c, error, "connecting to touchrouted at %s: %s", path, strerror(error));
  }
}

/* Connects a socket and makes it non-blocking. 0, or -1 with errno set. */
static int connect_socket(const struct touchroute_connection *c, int descriptor) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  memcpy(address.sun_path, c->link.socket_path, sizeof address.sun_path);
  struct timeval most = {.tv_sec = FULL_WAIT_S};
  if (!(c->link.flags & TOUCHROUTE_RECONNECT)) {
    if (setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most) < 0 ||
        connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0)
      return -1;
    return fcntl(descriptor, F_SETFL, O_NONBLOCK);
  }
  if (fcntl(descriptor, F_SETFL, O_NONBLOCK) < 0)
    return -1;
  return connect(descriptor, (struct sockaddr *)&address, sizeof address);
}

/* Opens the socket and queues hello and what is owed. */
static int open_socket(struct touchroute_connection *c) {
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0)
    return explain_connect(c, errno);
  struct epoll_event event = {.events = EPOLLIN};
  if (connect_socket(c, descriptor) < 0 ||
      (c->link.epoll >= 0 && epoll_ctl(c->link.epoll, EPOLL_CTL_ADD, descriptor, &event) < 0)) {
    int error = errno;
    close(descriptor);
    return explain_connect(c, error);
  }
  c->link.socket = descriptor;
  c->link.interest = event.events;
  c->link.state = LINK_GREETED;
  c->link.connected_us = now_us();
  c->link.input_used = 0;
  c->link.useless = 0;
  c->link.last_words[0] = 0;
  clear_requests(c);
  queue_hello(c);
  pay_owed(c);
  flush_output(c);
  return 0;
}

/*
 * Tries at once: if a service manager holds the socket, the next daemon finds the connection there.
 * Later tries wait, until a connection has lasted for LAST_DELAY_MS.
 */
static void connect_again(struct touchroute_connection *c) {
  int error = c->link.delay_ms == 0 ? open_socket(c) : -ECONNRESET;
  if (error < 0)
    wait_before_retry(c, error);
  else
    c->link.delay_ms = FIRST_DELAY_MS;
}

/* The connection has ended, and c->error says why. Tells the program, then connects again. */
static int lose(struct touchroute_connection *c, int failure) {
  int again = (c->link.flags & TOUCHROUTE_RECONNECT) && !c->link.useless;
  c->link.failure = again ? 0 : c->link.useless ? c->link.useless : failure;
  c->link.state = again ? LINK_WAITING : LINK_ENDED;
  c->link.input_used = 0;
  clear_requests(c);
  if (c->link.epoll >= 0) {
    /* a forked child may hold it open */
    epoll_ctl(c->link.epoll, EPOLL_CTL_DEL, c->link.socket, NULL);
    close(c->link.socket);
    c->link.socket = -1;
  }
  cancel_all(c, 0, TOUCHROUTE_CANCEL_CONNECTION_LOST);
  if (again) {
    owe_everything(c);
    if (now_us() - c->link.connected_us >= LAST_DELAY_MS * UINT64_C(1000))
      c->link.delay_ms = 0;
  }
  char text[ERROR_SIZE];
  memcpy(text, c->error, sizeof text);
  CALL(c, lost, text);
  if (again && !is_doomed(c))
    connect_again(c);
  memcpy(c->error, text, sizeof text);
  return c->link.failure;
}

static int lose_at_end(struct touchroute_connection *c, int error) {
  if (c->link.last_words[0])
    fail(c, ECONNRESET, "touchrouted at %s ended the connection: %.400s", c->link.socket_path,
         c->link.last_words);
  else if (error && error != ECONNRESET) /* which only says that it had not read everything */
    fail(c, ECONNRESET, "the connection to touchrouted at %s broke: %s", c->link.socket_path,
         strerror(error));
  else
    fail(c, ECONNRESET, "touchrouted at %s ended the connection%s", c->link.socket_path,
         c->link.input_used ? " in the middle of a message" : "");
  return lose(c, -ECONNRESET);
}

/* Handles every whole message of the input, and keeps the rest. */
static int handle_input(struct touchroute_connection *c) {
  size_t start = 0;
  while (c->link.input_used - start >= sizeof(struct touchroute_header) && !is_doomed(c)) {
    struct touchroute_header header;
    memcpy(&header, c->link.input + start, sizeof header);
    if (header.size < sizeof header || header.size % 8 != 0 ||
        header.size > TOUCHROUTE_MAX_MESSAGE) {
      int failure = malformed(c, &header, "no message has such a size");
      return lose(c, failure);
    }
    if (header.size > c->link.input_used - start)
      break;
    struct cursor cursor = {.at = c->link.input + start, .left = header.size};
    int failure = handle_message(c, &header, cursor);
    if (failure < 0)
      return lose(c, failure);
    start += header.size;
  }
  c->link.input_used -= start;
  if (c->link.input_used > 0)
    memmove(c->link.input, c->link.input + start, c->link.input_used);
  return 0;
}

static int read_socket(struct touchroute_connection *c) {
  struct link *link = &c->link;
  ssize_t count =
      recv(link->socket, link->input + link->input_used, sizeof link->input - link->input_used, 0);
  if (count > 0) {
    link->input_used += (size_t)count;
    return handle_input(c);
  }
  if (count < 0 && (errno == EAGAIN || errno == EINTR))
    return 0;
  return lose_at_end(c, count < 0 ? errno : 0);
}

static void retry(struct touchroute_connection *c) {
  uint64_t expirations;
  int error;
  if (read(c->link.timer, &expirations, sizeof expirations) == (ssize_t)sizeof expirations &&
      (error = open_socket(c)) < 0)
    wait_before_retry(c, error);
}

/* Reads once; or connects again, if it is time. Returns a failure if the connection has ended. */
PRIVATE int read_link(struct touchroute_connection *c) {
  if (c->link.state != LINK_WAITING)
    return read_socket(c);
  retry(c);
  return 0;
}

/*
 * Waits for the socket or the timer itself. With the epoll that programs poll, the kernel would
 * wake a second queue for each message.
 */
PRIVATE void wait_for_link(const struct touchroute_connection *c, int timeout_ms) {
  struct pollfd ready = {.fd = c->link.timer, .events = POLLIN};
  if (c->link.state != LINK_WAITING)
    ready = (struct pollfd){.fd = c->link.socket,
                            .events = waiting_bytes(c) > 0 ? POLLIN | POLLOUT : POLLIN};
  poll(&ready, 1, timeout_ms);
}

int touchroute_get_fd(const struct touchroute_connection *c) {
  return c->link.epoll >= 0 ? c->link.epoll : c->link.socket;
}

short touchroute_get_events(const struct touchroute_connection *c) {
  return c->link.epoll < 0 && waiting_bytes(c) > 0 ? POLLIN | POLLOUT : POLLIN;
}

/* Copies as much of a name as hello has room for, without half a letter at the end. */
static void copy_name(char to[TOUCHROUTE_MAX_NAME + 1], const char *name) {
  size_t size = strnlen(name, TOUCHROUTE_MAX_NAME + 1);
  if (size > TOUCHROUTE_MAX_NAME) {
    size = TOUCHROUTE_MAX_NAME;
    while (size > 0 && ((unsigned char)name[size] & 0xc0) == 0x80)
      size--;
  }
  memcpy(to, name, size);
  to[size] = 0;
}

/* Sets the socket's path and the program's name. NULL: by the environment, and the file's name. */
static int name_link(struct touchroute_connection *c, const char *path, const char *name) {
  if (!path)
    path = getenv(TOUCHROUTE_SOCKET_VARIABLE);
  if (!path || !path[0])
    path = TOUCHROUTE_SOCKET_PATH;
  if (strlen(path) >= sizeof c->link.socket_path)
    return fail(c, ENAMETOOLONG, "the path of a socket can have %zu bytes at most: %.300s",
                sizeof c->link.socket_path - 1, path);
  memcpy(c->link.socket_path, path, strlen(path));
  if (!name || !name[0])
    name = program_invocation_short_name;
  copy_name(c->link.name, name && name[0] ? name : "unnamed");
  return 0;
}

/* Connects; with TOUCHROUTE_RECONNECT it is no failure if no daemon runs yet. */
PRIVATE int open_link(struct touchroute_connection *c, const char *path, const char *name,
                      uint32_t flags) {
  struct link *link = &c->link;
  link->flags = flags;
  link->socket = link->epoll = link->timer = -1;
  int result = name_link(c, path, name);
  if (result < 0 || !(flags & TOUCHROUTE_RECONNECT))
    return result < 0 ? result : open_socket(c);
  struct epoll_event event = {.events = EPOLLIN};
  if ((link->epoll = epoll_create1(EPOLL_CLOEXEC)) < 0 ||
      (link->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)) < 0 ||
      epoll_ctl(link->epoll, EPOLL_CTL_ADD, link->timer, &event) < 0)
    return fail(c, errno, "preparing to connect to %s: %s", link->socket_path, strerror(errno));
  result = open_socket(c);
  if (result == -ENOENT || result == -ECONNREFUSED || result == -EAGAIN) {
    wait_before_retry(c, result);
    return 0;
  }
  return result;
}

PRIVATE void close_link(struct touchroute_connection *c) {
  if (c->link.socket >= 0)
    close(c->link.socket);
  if (c->link.timer >= 0)
    close(c->link.timer);
  if (c->link.epoll >= 0)
    close(c->link.epoll);
}
