#define _GNU_SOURCE
#include "clinux.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <grp.h>
#include <linux/input.h>
#include <malloc.h>
#include <pwd.h>
#include <signal.h>
#include <stddef.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wchar.h>

#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83
#endif

int clinux_peer_credentials(int fd, int32_t *pid, uint32_t *uid, uint32_t *gid) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0)
    return -1;
  *pid = peer.pid;
  *uid = peer.uid;
  *gid = peer.gid;
  return 0;
}

int clinux_peer_groups(int fd, uint32_t *groups, uint32_t *count) {
  socklen_t size = *count * sizeof *groups;
  int result = getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &size);
  *count = size / sizeof *groups;
  return result;
}

int clinux_unread_by_peer(int fd) {
  int bytes = 0;
  return ioctl(fd, SIOCOUTQ, &bytes) < 0 ? -1 : bytes;
}

ssize_t clinux_receive(int fd, void *bytes, size_t size) {
  struct iovec room = {.iov_base = bytes, .iov_len = size};
  struct msghdr seen = {.msg_iov = &room, .msg_iovlen = 1};
  ssize_t count = recvmsg(fd, &seen, MSG_PEEK | MSG_DONTWAIT);
  if (count <= 0)
    return count;
  if (seen.msg_flags & MSG_CTRUNC) {
    errno = EBADMSG;
    return -1;
  }
  return recv(fd, bytes, (size_t)count, MSG_DONTWAIT);
}

int clinux_accept(int fd) { return accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC); }

int clinux_always_readable(void) { return eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK); }

int clinux_out_of_band_inline(int fd) {
  int on = 1;
  return setsockopt(fd, SOL_SOCKET, SO_OOBINLINE, &on, sizeof on);
}

int clinux_refuse_descriptors(int fd) {
  int off = 0;
  return setsockopt(fd, SOL_SOCKET, SO_PASSRIGHTS, &off, sizeof off);
}

uint64_t clinux_socket_cookie(int fd) {
  uint64_t cookie = 0;
  socklen_t size = sizeof cookie;
  return getsockopt(fd, SOL_SOCKET, SO_COOKIE, &cookie, &size) < 0 ? 0 : cookie;
}

int clinux_open_path(int directory, const char *name, int is_directory) {
  return openat(
      directory, name, O_PATH | O_CLOEXEC | (is_directory ? O_DIRECTORY : O_NOFOLLOW));
}

int clinux_set_group(int fd, uint32_t group) {
  return fchownat(fd, "", (uid_t)-1, group, AT_EMPTY_PATH);
}

int clinux_set_mode(int fd, uint32_t mode) {
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  return chmod(path, mode);
}

int clinux_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

const char *clinux_error_text(int code) {
  const char *text = strerrordesc_np(code);
  return text ? text : "unknown error";
}

int clinux_notify_connect(const char *address) {
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  size_t size = strlen(address);
  if ((address[0] != '/' && address[0] != '@') || size < 2) {
    errno = EAFNOSUPPORT;
    return -1;
  }
  if (size >= sizeof name.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  memcpy(name.sun_path, address, size);
  if (address[0] == '@')
    name.sun_path[0] = '\0';
  int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0)
    return -1;
  socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + size);
  if (connect(fd, (struct sockaddr *)&name, length) == 0)
    return fd;
  int error = errno;
  close(fd);
  errno = error;
  return -1;
}

int clinux_notify_send(int fd, const char *state, const int *descriptors, size_t count) {
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(253 * sizeof(int))];
  } control;
  struct iovec text = {.iov_base = (void *)state, .iov_len = strlen(state)};
  struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1};
  if (count > 253) {
    errno = E2BIG;
    return -1;
  }
  if (count > 0) {
    memset(&control, 0, sizeof control);
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(count * sizeof(int));
    memcpy(CMSG_DATA(&control.header), descriptors, count * sizeof(int));
    message.msg_control = &control;
    message.msg_controllen = CMSG_SPACE(count * sizeof(int));
  }
  ssize_t sent;
  do
    sent = sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent < 0 ? -1 : 0;
}

int clinux_evdev_grab(int fd, int grab) {
  return ioctl(fd, EVIOCGRAB, grab ? (void *)1 : NULL);
}

int clinux_evdev_resolution(int fd, int axis) {
  struct input_absinfo info;
  return ioctl(fd, EVIOCGABS(axis), &info) == 0 && info.maximum > info.minimum ? info.resolution
                                                                               : -1;
}

int64_t clinux_evdev_units(int fd, int axis) {
  struct input_absinfo info;
  if (ioctl(fd, EVIOCGABS(axis), &info) != 0 || info.maximum <= info.minimum)
    return 0;
  return (int64_t)info.maximum - info.minimum + 1;
}

int clinux_evdev_says_time(int fd) {
  unsigned long bits[MSC_MAX / (8 * sizeof(unsigned long)) + 1] = {0};
  int size = ioctl(fd, EVIOCGBIT(EV_MSC, sizeof bits), bits);
  return size >= 0 && (bits[0] >> MSC_TIMESTAMP & 1) != 0;
}

int clinux_evdev_maximum(int fd, int axis) {
  struct input_absinfo info;
  return ioctl(fd, EVIOCGABS(axis), &info) == 0 && info.maximum >= info.minimum ? info.maximum : -1;
}

int clinux_evdev_slots(int fd, int axis, int32_t *values, size_t count) {
  values[0] = axis;
  return ioctl(fd, EVIOCGMTSLOTS((count + 1) * sizeof *values), values) < 0 ? -1 : 0;
}

int clinux_pattern_matches(const char *pattern, const char *text) {
  return fnmatch(pattern, text, 0) == 0;
}

/* Stops at a line that is longer than the buffer: names behind it are not found. */
int clinux_user_name(uint32_t uid, char *name, size_t size) {
  FILE *file = fopen("/etc/passwd", "re");
  char buffer[4096];
  struct passwd entry, *found = NULL;
  if (!file)
    return -1;
  while (fgetpwent_r(file, &entry, buffer, sizeof buffer, &found) == 0 && entry.pw_uid != uid)
    found = NULL;
  if (found)
    snprintf(name, size, "%s", entry.pw_name);
  fclose(file);
  return found ? 0 : -1;
}

int clinux_group_name(uint32_t gid, char *name, size_t size) {
  FILE *file = fopen("/etc/group", "re");
  char buffer[65536];
  struct group entry, *found = NULL;
  if (!file)
    return -1;
  while (fgetgrent_r(file, &entry, buffer, sizeof buffer, &found) == 0 && entry.gr_gid != gid)
    found = NULL;
  if (found)
    snprintf(name, size, "%s", entry.gr_name);
  fclose(file);
  return found ? 0 : -1;
}

int clinux_next_option(
    int argc, char *const *argv, const struct option *options, const char **value, int *next) {
  opterr = 0;
  optarg = NULL;
  optind = *next;
  int result = getopt_long(argc, argv, ":", options, NULL);
  *value = optarg;
  *next = optind;
  return result;
}

int clinux_signal_descriptor(const int *signals, size_t count) {
  sigset_t set;
  sigemptyset(&set);
  for (size_t i = 0; i < count; i++) {
    struct sigaction action;
    if (sigaction(signals[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
      sigaddset(&set, signals[i]);
  }
  if (sigprocmask(SIG_BLOCK, &set, NULL) < 0)
    return -1;
  return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int clinux_character_width(uint32_t character) { return wcwidth((wchar_t)character); }

int clinux_terminal_size(int fd, int *columns, int *rows) {
  struct winsize size;
  if (ioctl(fd, TIOCGWINSZ, &size) < 0)
    return -1;
  *columns = size.ws_col;
  *rows = size.ws_row;
  return 0;
}

int clinux_next_signal(int fd) {
  struct signalfd_siginfo signal;
  return read(fd, &signal, sizeof signal) == sizeof signal ? (int)signal.ssi_signo : 0;
}

int32_t clinux_start_shell(char *const *words) {
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);
  posix_spawnattr_t how;
  posix_spawn_file_actions_t files;
  posix_spawnattr_init(&how);
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_setflags(
      &how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup(&how, 0);
  posix_spawnattr_setsigmask(&how, &none);
  posix_spawnattr_setsigdefault(&how, &usual);
  pid_t pid = -1;
  int error = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (error == 0)
    error = posix_spawn(&pid, "/bin/sh", &files, &how, words, environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&how);
  errno = error;
  return error == 0 ? pid : -1;
}

void clinux_return_memory(void) { malloc_trim(0); }

void clinux_set_up_allocator(int32_t arenas) {
  mallopt(M_ARENA_MAX, arenas);
  // malloc_trim leaves the ends of all arenas but the first. Without these the bounds would rise
  // with the pieces that are freed, to 32 and 64 MiB.
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 128 << 10);
}
