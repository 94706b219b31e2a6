/*
 * footprint DAEMON CONFIG [ROUNDS]: how long the daemon takes from its start to READY, what memory
 * it holds then, and how often it wakes up in 5 s in which nothing happens.
 */
#include "../process.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#define MAX_ROUNDS 99

static const char *const notify = "/tmp/touchroute-footprint.notify";

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1000 + (double)t.tv_nsec / 1e6;
}

static pid_t start(const char *daemon, const char *config) {
  pid_t pid = fork();
  if (pid == 0) {
    setenv("NOTIFY_SOCKET", notify, 1);
    execl(daemon, daemon, "--config", config, "--socket", "/tmp/touchroute-footprint.sock",
          "--control-socket", "/tmp/touchroute-footprint-control.sock", "--log-level", "warning",
          (char *)NULL);
    fail(daemon);
  }
  return pid;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

int main(int argc, char **argv) {
  int rounds = argc > 3 ? atoi(argv[3]) : 11;
  if (argc < 3 || argc > 4 || rounds < 1 || rounds > MAX_ROUNDS) {
    fprintf(stderr, "usage: footprint DAEMON CONFIG [ROUNDS]\n");
    return 64;
  }
  double ready[MAX_ROUNDS];
  long rss = 0, anonymous = 0, wake_ups = 0;
  int fd = listen_for_ready(notify);
  for (int round = 0; round < rounds; round++) {
    double begin = now_ms();
    pid_t pid = start(argv[1], argv[2]);
    wait_for_ready(fd);
    ready[round] = now_ms() - begin;
    if (round == rounds - 1) {
      sleep(1);
      rss = status_of(pid, "VmRSS:");
      anonymous = status_of(pid, "RssAnon:");
      wake_ups = status_of(pid, "voluntary_ctxt_switches:");
      sleep(5);
      wake_ups = status_of(pid, "voluntary_ctxt_switches:") - wake_ups;
    }
    kill(pid, SIGTERM);
    waitpid(pid, NULL, 0);
  }
  unlink(notify);
  qsort(ready, (size_t)rounds, sizeof ready[0], compare);
  printf("start to READY, ms, median of %d (min, max)   %.1f (%.1f, %.1f)\n", rounds,
         ready[rounds / 2], ready[0], ready[rounds - 1]);
  printf("resident memory, KiB (of that its own)        %ld (%ld)\n", rss, anonymous);
  printf("wake-ups in 5 s of nothing                    %ld\n", wake_ups);
  return 0;
}
