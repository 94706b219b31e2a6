/*
 * A program of somebody else's, which says a line for each finger that comes down: how long after the
 * panel's event that line comes.
 */
#include "program.h"

#include "finger.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_TAPS 41

struct program {
  pid_t pid;
  int fd; /* of what it says */
  size_t size;
  char text[8192];
};

static struct program start_program(char **command) {
  struct program program = {0};
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0)
    fail("pipe2");
  program.pid = fork();
  if (program.pid == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    execvp(command[0], command);
    fail(command[0]);
  }
  close(ends[1]);
  program.fd = ends[0];
  return program;
}

/* When it has said that, in nanoseconds of CLOCK_MONOTONIC; 0 where it has not until then. */
static uint64_t hear(struct program *program, const char *words, uint64_t until) {
  for (;;) {
    uint64_t now = now_ns();
    int left = now < until ? (int)((until - now) / 1000000 + 1) : 0;
    struct pollfd ready = {program->fd, POLLIN, 0};
    if (poll(&ready, 1, left) <= 0)
      return 0;
    ssize_t size = read(program->fd, program->text + program->size,
                        sizeof program->text - 1 - program->size);
    now = now_ns();
    if (size <= 0)
      return 0;
    program->size += (size_t)size;
    program->text[program->size] = '\0';
    char *found = strstr(program->text, words);
    if (found != NULL) {
      program->size = 0;
      return now;
    }
    /* What may be the beginning of the words stays. */
    if (program->size > sizeof program->text / 2) {
      memmove(program->text, program->text + program->size - 256, 256);
      program->size = 256;
    }
  }
}

static int compare_times(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/* What it has said of former taps, as of several that waited for its start. */
static void forget(struct program *program) {
  struct pollfd ready = {program->fd, POLLIN, 0};
  while (poll(&ready, 1, 0) > 0 && read(program->fd, program->text, sizeof program->text) > 0)
    continue;
  program->size = 0;
}

static uint64_t tap(struct finger_device *device, struct program *program, const char *words,
                    int step, uint64_t patience) {
  uint64_t at = now_ns();
  finger_frame(device, 1, 1, step);
  uint64_t heard = hear(program, words, at + patience);
  sleep_until(now_ns() + 60000000);
  finger_frame(device, 1, 3, step);
  /* So that no two are a double tap, and all that it does about one is done. */
  sleep_until(now_ns() + 700000000);
  forget(program);
  return heard == 0 ? 0 : heard - at;
}

void time_program(struct finger_device *device, const char *name, const char *words, int taps,
                  char **command) {
  uint64_t times[MOST_TAPS], least_wait = 1000000000;
  struct program program = start_program(command);
  int count = 0;
  /* Until it is there. While it is read from the host's disk the guest's clock skips hours. */
  for (int tries = 0; tap(device, &program, words, tries % 40, least_wait) == 0; tries++)
    if (tries > 10000) {
      fprintf(stderr, "latency: %s has not said \"%s\" in 10,000 taps\n", name, words);
      exit(1);
    }
  for (int step = 0; step < taps && step < MOST_TAPS; step++) {
    uint64_t time = tap(device, &program, words, step % 40, 5 * least_wait);
    if (time != 0)
      times[count++] = time;
  }
  kill(program.pid, SIGKILL);
  close(program.fd);
  if (count == 0)
    exit(1);
  qsort(times, (size_t)count, sizeof times[0], compare_times);
  printf("%-28s says a press after: median %.0f us, 90 %% %.0f us, of %d taps\n", name,
         (double)times[count / 2] / 1000, (double)times[count * 9 / 10] / 1000, count);
  fflush(stdout);
}
