/* The daemon as a process of a benchmark: when it is ready, and what the kernel says of it. */
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static inline void fail(const char *what) {
  perror(what);
  exit(1);
}

/* The socket of NOTIFY_SOCKET, in place of one that is there. */
static inline int listen_for_ready(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  unlink(path);
  snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) < 0)
    fail(path);
  return fd;
}

/* Waits for READY on it; 60 s are the bound of failure. */
static inline void wait_for_ready(int fd) {
  char text[1024] = "";
  while (!strstr(text, "READY=1")) {
    struct pollfd wait = {fd, POLLIN, 0};
    if (poll(&wait, 1, 60000) <= 0) {
      fprintf(stderr, "the daemon was not ready in 60 s\n");
      exit(1);
    }
    ssize_t size = recv(fd, text, sizeof text - 1, 0);
    text[size > 0 ? size : 0] = '\0';
  }
}

/*
 * What the daemon's unit has, so that a touch waits for the daemon alone, and for no other process'
 * turn; what this process starts has an ordinary policy. Needs root.
 */
static inline bool be_real_time(int priority) {
  struct sched_param parameter = {.sched_priority = priority};
  return sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &parameter) == 0;
}

/* A daemon with its files, once it is ready; with an ordinary policy where the priority is 0. */
static inline pid_t start_listening_daemon(const char *daemon, const char *notify_path,
                                           const char *config_path, const char *socket_path,
                                           const char *control_path, int priority) {
  int fd = listen_for_ready(notify_path);
  pid_t pid = fork();
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(null, STDERR_FILENO);
    setenv("NOTIFY_SOCKET", notify_path, 1);
    if (priority > 0)
      be_real_time(priority);
    execl(daemon, daemon, "--config", config_path, "--socket", socket_path, "--control-socket",
          control_path, (char *)NULL);
    _exit(1);
  }
  wait_for_ready(fd);
  /* It tells of reloads too, and would wait for one who doesn't read that. */
  close(fd);
  return pid;
}

/* A number of /proc/PID/status, of memory in KiB; -1 where there is none. */
static inline long status_of(pid_t pid, const char *key) {
  char path[64], line[256];
  long value = -1;
  snprintf(path, sizeof path, "/proc/%d/status", pid);
  FILE *file = fopen(path, "r");
  if (!file)
    return -1;
  while (fgets(line, sizeof line, file))
    if (strncmp(line, key, strlen(key)) == 0)
      value = atol(line + strlen(key));
  fclose(file);
  return value;
}
