/*
 * load DAEMON CONFIG [-r ROUNDS] [-s SECONDS] [-a | -i] [POLICY[/POLICY]]...: how long a finger's events take to a
 * program, at rest and with every processor kept busy by two ordinary processes. A policy is how the
 * daemon is scheduled, and behind the slash how the program is: other, nice-10, rr1, fifo1 and so on.
 * -a: the program is one that draws, 4 ms of work for each frame.
 * -i: in place of a finger, how long after their time idle events come (rule D7). A process of the
 * highest priority asks for one each 10 ms, each due a second later, so it hears of it at once.
 *
 * The finger is uinput's where there is one; otherwise it is the control socket's, injected. Its events
 * are written by a process of the highest priority, as an interrupt would bring them, and the time is
 * taken there and in the program. Runs as root. Everything it starts ends with it.
 */
#include "../latency/finger.h"
#include "../latency/latency.h"

#include "touchroute.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_STEPS 8000
#define MAX_CASES 16
#define SOCKET "/tmp/touchroute-load.sock"
#define CONTROL "/tmp/touchroute-load-control.sock"

static struct shared {
  volatile uint64_t frames; /* that have come to the program */
  volatile uint32_t known;  /* the steps that have */
  uint64_t sent[MAX_STEPS], arrived[MAX_STEPS];
} *shared;

struct figures {
  double median_us, p99_us, worst_us;
  uint64_t samples[MAX_STEPS * 8];
  size_t count;
};

struct test_case {
  const char *name;
  char daemon[16], program[16];
  struct figures idle, busy;
};

static double work_ms;
static int measures_idle;
static int has_uinput;

/* A child that dies with its parent. */
static pid_t spawn(void) {
  pid_t pid = fork();
  if (pid < 0)
    fail("fork");
  if (pid == 0)
    prctl(PR_SET_PDEATHSIG, SIGKILL);
  return pid;
}

static void end(pid_t pid, int signal) {
  kill(pid, signal);
  waitpid(pid, NULL, 0);
}

/* Schedules this process as the name says; what it executes keeps that. */
static void schedule(const char *name) {
  struct sched_param parameter = {0};
  int value = 0;
  if (strcmp(name, "other") == 0) {
    /* Whoever makes the burden is of the highest priority. */
    if (sched_setscheduler(0, SCHED_OTHER, &parameter) < 0)
      fail(name);
    return;
  }
  if (sscanf(name, "nice%d", &value) == 1) {
    if (setpriority(PRIO_PROCESS, 0, value) < 0)
      fail(name);
    return;
  }
  int policy = sscanf(name, "rr%d", &value) == 1     ? SCHED_RR
               : sscanf(name, "fifo%d", &value) == 1 ? SCHED_FIFO
                                                     : -1;
  parameter.sched_priority = value;
  if (policy < 0) {
    fprintf(stderr, "load: no policy is called \"%s\"\n", name);
    exit(64);
  }
  if (sched_setscheduler(0, policy, &parameter) < 0)
    fail(name);
}

/* What a finger is at after so many steps, in points of the screen, and back. */
static double x_of(uint32_t step) { return (double)(step % 3200) * 0.25; }

static void on_touches(void *data, struct touchroute_connection *connection,
                       const struct touchroute_frame *frame) {
  (void)data;
  (void)connection;
  uint64_t now = now_ns();
  const struct touchroute_touch *touch = frame->records[0].touch;
  uint32_t step = (uint32_t)(touch->screen_x * 4 + 0.5);
  uint32_t known = shared->known;
  /* Frames that were merged into this one have come with it. */
  if (touch->phase == TOUCHROUTE_PHASE_MOVED)
    for (; known < MAX_STEPS; known++) {
      shared->arrived[known] = now;
      if (known % 3200 == step) {
        shared->known = known + 1;
        break;
      }
    }
  shared->frames++;
  uint64_t until = now + (uint64_t)(work_ms * 1e6);
  while (now_ns() < until) {
  }
}

static struct touchroute_connection *connect_to(const char *path,
                                                const struct touchroute_listener *listener) {
  struct touchroute_connection *connection = NULL;
  for (int tries = 0; tries < 500; tries++) {
    connection = touchroute_connect(path, "load", 0, listener, NULL);
    if (connection && access(CONTROL, F_OK) == 0)
      return connection;
    touchroute_disconnect(connection);
    usleep(20000);
  }
  fprintf(stderr, "load: the daemon does not answer on %s\n", path);
  exit(1);
}

static void run_program(const char *policy) {
  struct touchroute_listener listener = {.size = sizeof listener, .touches = on_touches};
  struct touchroute_connection *connection = connect_to(SOCKET, &listener);
  if (touchroute_attach(connection, "main", TOUCHROUTE_HANDLES_ALL, 0, 0) < 0)
    fail("attach");
  schedule(policy);
  while (touchroute_dispatch(connection, -1) >= 0) {
  }
  exit(0);
}

/* The finger, of whichever kind. */
struct finger {
  struct finger_device *device;
  struct touchroute_connection *control;
};

static void put_finger(struct finger *finger, uint32_t phase, uint32_t step) {
  if (finger->device) {
    finger_at(finger->device, (int)phase, (int)(x_of(step) / 800 * 4096 + 0.5), 2000);
    return;
  }
  struct touchroute_contact contact = {.phase = phase};
  if (phase != TOUCHROUTE_PHASE_ENDED) {
    contact.x = x_of(step);
    contact.y = 200;
  }
  if (touchroute_inject(finger->control, 0, &contact, 1) < 0)
    fail("inject");
  /* The answer is not waited for, but read. */
  touchroute_dispatch(finger->control, 0);
}

static void await_program(struct finger *finger) {
  for (int tries = 0; shared->frames == 0; tries++) {
    if (tries > 200) {
      fprintf(stderr, "load: no frame came through in 20 s\n");
      exit(1);
    }
    put_finger(finger, TOUCHROUTE_PHASE_BEGAN, 0);
    usleep(50000);
    put_finger(finger, TOUCHROUTE_PHASE_ENDED, 0);
    usleep(50000);
  }
}

static void play(struct finger *finger, double seconds, struct figures *figures) {
  uint32_t steps = (uint32_t)(seconds * 120);
  memset(shared->arrived, 0, sizeof shared->arrived);
  put_finger(finger, TOUCHROUTE_PHASE_BEGAN, 0);
  usleep(200000);
  shared->known = 1;
  uint64_t at = now_ns();
  for (uint32_t step = 1; step < steps; step++) {
    at += FRAME_NS;
    sleep_until(at);
    shared->sent[step] = now_ns();
    put_finger(finger, TOUCHROUTE_PHASE_MOVED, step);
  }
  usleep(300000);
  put_finger(finger, TOUCHROUTE_PHASE_ENDED, 0);
  usleep(100000);
  for (uint32_t step = 1; step < steps; step++)
    if (shared->arrived[step] && figures->count < sizeof figures->samples / sizeof(uint64_t))
      figures->samples[figures->count++] = shared->arrived[step] - shared->sent[step];
}

/* Idle events that were asked for: their requests, and when they are due. */
static struct idle_watches {
  uint32_t serials[MAX_STEPS], numbers[MAX_STEPS];
  uint64_t due[MAX_STEPS];
  uint32_t asked, heard;
  struct figures *figures;
} watches;

static void on_done(void *data, struct touchroute_connection *connection,
                    const struct touchroute_done *done, const char *text) {
  (void)data;
  (void)connection;
  (void)text;
  for (uint32_t i = watches.asked; i-- > 0;)
    if (watches.serials[i] == done->serial)
      watches.numbers[i] = done->total;
}

static void on_idle(void *data, struct touchroute_connection *connection,
                    const struct touchroute_idle *idle) {
  (void)data;
  uint64_t now = now_ns();
  for (uint32_t i = 0; i < watches.asked; i++)
    if (watches.numbers[i] == idle->watch && idle->is_idle) {
      struct figures *figures = watches.figures;
      if (figures->count < sizeof figures->samples / sizeof(uint64_t))
        figures->samples[figures->count++] = now > watches.due[i] ? now - watches.due[i] : 0;
      watches.heard++;
      if (touchroute_unwatch_idle(connection, idle->watch) < 0)
        fail("unwatch_idle");
    }
}

static void dispatch_until(struct touchroute_connection *control, uint64_t time) {
  for (uint64_t now; (now = now_ns()) < time;)
    if (touchroute_dispatch(control, (int)((time - now) / 1000000 + 1)) < 0)
      fail("dispatch");
}

static void await_idle(struct touchroute_connection *control, double seconds,
                       struct figures *figures) {
  watches = (struct idle_watches){.figures = figures};
  uint64_t at = now_ns();
  for (uint32_t count = (uint32_t)(seconds * 100); watches.asked < count;) {
    dispatch_until(control, at += 10000000);
    watches.due[watches.asked] = now_ns() + 1000000000;
    int serial = touchroute_watch_idle(control, TOUCHROUTE_IDLE_SEAT, NULL, 1000, 0);
    if (serial < 0)
      fail("watch_idle");
    watches.serials[watches.asked++] = (uint32_t)serial;
  }
  dispatch_until(control, at + 3000000000);
  if (watches.heard != watches.asked) {
    fprintf(stderr, "load: of %u idle events came %u\n", watches.asked, watches.heard);
    exit(1);
  }
}

static int compare(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

static void evaluate(struct figures *figures) {
  if (figures->count == 0) {
    fprintf(stderr, "load: nothing arrived\n");
    exit(1);
  }
  qsort(figures->samples, figures->count, sizeof figures->samples[0], compare);
  figures->median_us = (double)figures->samples[figures->count / 2] / 1000;
  figures->p99_us = (double)figures->samples[figures->count * 99 / 100] / 1000;
  figures->worst_us = (double)figures->samples[figures->count - 1] / 1000;
}

/* Two ordinary processes for each processor, which never sleep. */
static int start_burden(pid_t *pids, int count) {
  for (int i = 0; i < count; i++)
    if ((pids[i] = spawn()) == 0) {
      schedule("other");
      alarm(60);
      for (volatile unsigned long n = 0;;)
        n = n + 1;
    }
  return count;
}

static void measure(struct finger *finger, double seconds, struct figures *figures) {
  if (measures_idle)
    await_idle(finger->control, seconds, figures);
  else
    play(finger, seconds, figures);
}

/* How many came later than so long. */
static size_t later_than(const struct figures *figures, double us) {
  size_t count = 0;
  for (size_t i = 0; i < figures->count; i++)
    count += (double)figures->samples[i] / 1000 > us;
  return count;
}

/* Plays at rest and under load beside one daemon; the processes are in the order of their dying. */
static void run_round(const char *daemon, const char *config, double seconds,
                      struct test_case *test) {
  pid_t burden[256];
  int cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
  unlink(SOCKET);
  unlink(CONTROL);
  shared->frames = 0;
  pid_t router = spawn();
  if (router == 0) {
    schedule(test->daemon);
    execl(daemon, daemon, "--log-level", "warning", "--config", config, "--socket", SOCKET,
          "--control-socket", CONTROL, (char *)NULL);
    fail(daemon);
  }
  pid_t program = spawn();
  if (program == 0)
    run_program(test->program);
  pid_t finger_process = spawn();
  if (finger_process == 0) {
    struct touchroute_listener listener = {
        .size = sizeof listener, .done = on_done, .idle = on_idle};
    struct finger finger = {.control = connect_to(CONTROL, &listener)};
    if (has_uinput && !measures_idle)
      finger.device = finger_create("touchroute load");
    schedule("fifo50");
    if (!measures_idle)
      await_program(&finger);
    measure(&finger, seconds, &test->idle);
    int count = start_burden(burden, cores * 2 > 256 ? 256 : cores * 2);
    usleep(300000);
    measure(&finger, seconds, &test->busy);
    while (count > 0)
      end(burden[--count], SIGKILL);
    exit(0);
  }
  int status = 0;
  waitpid(finger_process, &status, 0);
  end(program, SIGKILL);
  end(router, SIGTERM);
  if (status != 0)
    exit(1);
}

static void parse_case(struct test_case *test, const char *text) {
  test->name = text;
  strcpy(test->program, "other");
  if (sscanf(text, "%15[^/]/%15s", test->daemon, test->program) < 1) {
    fprintf(stderr, "load: \"%s\" is no policy\n", text);
    exit(64);
  }
}

int main(int argc, char **argv) {
  int rounds = 3, option;
  double seconds = 3;
  while ((option = getopt(argc, argv, "+r:s:ai")) != -1) {
    if (option == 'r')
      rounds = atoi(optarg);
    else if (option == 's')
      seconds = atof(optarg);
    else if (option == 'a')
      work_ms = 4;
    else if (option == 'i')
      measures_idle = 1;
    else
      return 64;
  }
  argc -= optind;
  argv += optind;
  if (argc < 3 || argc > 2 + MAX_CASES || rounds < 1 || rounds > 8 || seconds < 0.1 ||
      seconds * 120 > MAX_STEPS) {
    fprintf(stderr,
            "usage: load [-r ROUNDS] [-s SECONDS] [-a | -i] DAEMON CONFIG POLICY[/POLICY]...\n");
    return 64;
  }
  size_t size = (size_t)(argc - 2) * sizeof(struct test_case);
  int protection = PROT_READ | PROT_WRITE, flags = MAP_SHARED | MAP_ANONYMOUS;
  shared = mmap(NULL, sizeof *shared, protection, flags, -1, 0);
  struct test_case *cases = mmap(NULL, size, protection, flags, -1, 0);
  if (shared == MAP_FAILED || cases == MAP_FAILED)
    fail("mmap");
  has_uinput = access("/dev/uinput", W_OK) == 0;
  for (int i = 2; i < argc; i++)
    parse_case(&cases[i - 2], argv[i]);
  /* Whatever stands still, nothing of the highest priority outlives this. */
  alarm((unsigned)(30 + rounds * (argc - 2) * (2 * seconds + 15)));
  for (int round = 0; round < rounds; round++)
    for (int i = 0; i < argc - 2; i++)
      run_round(argv[0], argv[1], seconds, &cases[i]);
  printf("%s, %ld processors, %d rounds of %.1f s; us at rest, and beside two busy processes each\n",
         measures_idle ? "an idle event's time to its coming"
         : has_uinput  ? "kernel event to program"
                       : "injected event to program",
         sysconf(_SC_NPROCESSORS_ONLN), rounds, seconds);
  printf("%-16s %8s %8s %8s   %8s %8s %8s   %s\n", "daemon/program", "median", "99 %", "worst",
         "median", "99 %", "worst", "99 %, ratio");
  for (int i = 0; i < argc - 2; i++) {
    struct figures *idle = &cases[i].idle, *busy = &cases[i].busy;
    evaluate(idle);
    evaluate(busy);
    printf("%-16s %8.0f %8.0f %8.0f   %8.0f %8.0f %8.0f   %.2f\n", cases[i].name, idle->median_us,
           idle->p99_us, idle->worst_us, busy->median_us, busy->p99_us, busy->worst_us,
           busy->p99_us / idle->p99_us);
    if (measures_idle)
      printf("%-16s later than 10 ms: %zu of %zu at rest, %zu of %zu beside them\n", "",
             later_than(idle, 10000), idle->count, later_than(busy, 10000), busy->count);
  }
  return 0;
}
