/*
 * latency DAEMON CONFIG [ROUNDS]: what touchrouted adds to libinput and a socketpair, on taps, on a
 * one-finger and on a ten-finger drag at 120 Hz. Both sides get fresh devices in turn; medians, and
 * ratios within the run.
 * latency --cases DAEMON ROUNDS [NAME CONFIG PATHS]...: the same of other configurations, with programs that hold these
 * paths, of which the first is measured; and how many frames a second come through, of bare C's.
 * latency --load DAEMON CONFIG: how long 2,000 frames take of which 8 are on their way at any time.
 * latency --timed DAEMON CONFIG: how long after their time gestures leave that are due at one.
 * latency --mallocs LIBRARY DAEMON CONFIG: what the daemon allocates in 10,000 frames of moves.
 * latency --output BRIDGE LIBRARY DAEMON CONFIG: the same of touchroute output uinput, from the panel to
 * a reader of its virtual touchscreen: latency, CPU time of the bridge, memory, and what it allocates.
 * latency --minute BRIDGE DAEMON CONFIG [SECONDS]: the same with ten fingers at 1,000 Hz, for a minute: what
 * is lost, what memory grows, and CPU time.
 * latency --program BRIDGE DAEMON CONFIG TAPS NAME WORDS COMMAND...: how long after the panel's event a program of
 * somebody else's says those words, by the panel itself and by the bridge; "@" in the command is the node.
 * Runs as root where /dev/uinput is.
 */
#include "finger.h"
#include "latency.h"
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATTERNS 4
#define AROUND 3 /* what only cases have */
#define MAX_CASES 8
#define MAX_ROUNDS 9
#define FRAMES 600
#define LOAD_FRAMES 2000
#define IN_FLIGHT 8

static const char *const pattern_names[PATTERNS] = {"taps", "one-finger drag", "ten-finger drag",
                                                    "ten fingers around"};

struct result {
  double median_ns, p99_ns, cpu_ns_per_frame;
};

struct subject {
  pid_t router;   /* whose CPU time is counted */
  pid_t consumer; /* or 0 where it is the router's child, or there is none */
  int is_group;   /* whether the router leads a group of processes */
};

static char pid_file[64] = "/tmp/latency.pid";

/*
 * Waits without sleeping. Where the guest's clock counts instructions it jumps while nobody runs,
 * whatever udev or the daemon still wait to be read from the host's disk.
 */
static void spin_until(uint64_t at) {
  while (now_ns() < at)
    sched_yield();
}

/* Nanoseconds on a processor, kernel's share included. */
static uint64_t cpu_ns(pid_t pid) {
  char path[64];
  unsigned long long ns = 0;
  snprintf(path, sizeof path, "/proc/%d/schedstat", pid);
  FILE *file = fopen(path, "r");
  if (!file || fscanf(file, "%llu", &ns) != 1)
    fail(path);
  fclose(file);
  return ns;
}

static pid_t start_bare(struct samples *samples, int batches) {
  unlink(pid_file);
  pid_t pid = fork();
  if (pid == 0) {
    setpgid(0, 0);
    run_bare(samples, pid_file, batches);
  }
  setpgid(pid, pid);
  return pid;
}

/* When each frame was written, of the play at hand; and whether that is what counts. */
static uint64_t sent_ns[1 << 20];
static int counts_from_write;

typedef void run_program(struct samples *samples, const char *socket_path, const char *path);

/* The daemon, with a program that is its client, or without. */
static struct subject start_daemon(const char *daemon, const char *config, run_program *program,
                                   struct samples *samples) {
  struct subject subject = {0};
  unlink("/tmp/latency.sock");
  subject.router = fork();
  if (subject.router == 0) {
    execl(daemon, daemon, "--config", config, "--socket", "/tmp/latency.sock", "--control-socket",
          "/tmp/latency-control.sock", (char *)NULL);
    fail(daemon);
  }
  for (int tries = 0; access("/tmp/latency.sock", F_OK) < 0; tries++) {
    if (tries > 1000)
      fail("the daemon made no socket");
    spin_until(now_ns() + 20000000);
  }
  if (!program)
    return subject;
  subject.consumer = fork();
  if (subject.consumer == 0)
    program(samples, "/tmp/latency.sock", "main");
  return subject;
}

/* A bare program, with a frame for each message or one for all that were read together; the daemon. */
enum who { BARE, BARE_IN_BATCHES, DAEMON };

static struct subject start_subject(enum who who, const char *daemon, const char *config,
                                    struct samples *samples) {
  samples->count = 0;
  if (who == DAEMON)
    return start_daemon(daemon, config, run_client, samples);
  return (struct subject){.router = start_bare(samples, who == BARE_IN_BATCHES), .is_group = 1};
}

static void stop(struct subject subject) {
  if (subject.consumer)
    kill(subject.consumer, SIGKILL);
  kill(subject.is_group ? -subject.router : subject.router, subject.is_group ? SIGKILL : SIGTERM);
  while (waitpid(-1, NULL, 0) > 0) {
  }
}

/* Taps until the first frame comes through: then everybody has the device. */
static void wait_until_served(struct finger_device *device, struct samples *samples) {
  for (int tries = 0; samples->count == 0; tries++) {
    if (tries > 300) {
      fprintf(stderr, "latency: no frame came through in 30 s\n");
      exit(1);
    }
    finger_frame(device, 1, 1, tries % 100);
    spin_until(now_ns() + 50000000);
    finger_frame(device, 1, 3, 0);
    spin_until(now_ns() + 50000000);
  }
}

/* A fresh panel, of which frames come through. */
static struct finger_device *open_panel(struct samples *samples) {
  struct finger_device *device = finger_create("touchroute latency");
  wait_until_served(device, samples);
  spin_until(now_ns() + 300000000);
  return device;
}

static int frame_of(int pattern, int step, struct finger_device *device) {
  int fingers = pattern == 2 ? FINGERS : 1;
  int phase = step == 0 ? 1 : step == FRAMES - 1 ? 3 : 2;
  if (pattern == AROUND) {
    finger_frame_around(device, phase, step);
    return 1;
  }
  if (pattern == 0) /* a tap: down, four frames later up, four frames of nothing */
    switch (step % 8) {
    case 0:
      finger_frame(device, 1, 1, step);
      return 1;
    case 4:
      finger_frame(device, 1, 3, step);
      return 1;
    default:
      return 0;
    }
  finger_frame(device, fingers, phase, step);
  return 1;
}

static int compare(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

static struct result play(int pattern, struct finger_device *device, struct samples *samples,
                          pid_t router) {
  static uint64_t latencies[1 << 20];
  uint64_t first = samples->count, cpu = cpu_ns(router), at = now_ns();
  int frames = 0;
  for (int step = 0; step < FRAMES; step++) {
    at += FRAME_NS;
    sleep_until(at);
    sent_ns[frames] = now_ns();
    frames += frame_of(pattern, step, device);
  }
  sleep_until(at + 100000000);
  struct result result = {0};
  result.cpu_ns_per_frame = (double)(cpu_ns(router) - cpu) / frames;
  uint64_t count = samples->count - first;
  if (count != (uint64_t)frames)
    fprintf(stderr, "latency: %s: %d frames were played and %llu arrived\n",
            pattern_names[pattern], frames, (unsigned long long)count);
  if (count == 0)
    exit(1);
  for (uint64_t i = 0; i < count; i++) {
    struct sample sample = samples->samples[first + i];
    uint64_t from = counts_from_write ? sent_ns[i] : sample.kernel_us * 1000;
    latencies[i] = sample.arrived_ns - from;
  }
  qsort(latencies, count, sizeof latencies[0], compare);
  result.median_ns = (double)latencies[count / 2];
  result.p99_ns = (double)latencies[count * 99 / 100];
  return result;
}

static void run_round(enum who who, const char *daemon, const char *config, struct samples *samples,
                      struct result results[PATTERNS]) {
  struct subject subject = start_subject(who, daemon, config, samples);
  struct finger_device *device = open_panel(samples);
  play(2, device, samples, subject.router); /* warm */
  for (int pattern = 0; pattern < AROUND; pattern++)
    results[pattern] = play(pattern, device, samples, subject.router);
  finger_destroy(device);
  stop(subject);
}

/*
 * Nanoseconds a frame, where the panel is always so many frames ahead of who hears of them. Nothing may be merged, so
 * that each subject does the same work.
 */
static double load(struct finger_device *device, struct samples *samples, int fingers, int is_around) {
  uint64_t first = samples->count, start = now_ns(), sent = 0;
  while (samples->count - first < LOAD_FRAMES) {
    if (sent < LOAD_FRAMES && sent - (samples->count - first) < IN_FLIGHT) {
      int phase = sent == 0 ? 1 : sent == LOAD_FRAMES - 1 ? 3 : 2;
      if (is_around)
        finger_frame_around(device, phase, (int)sent);
      else
        finger_frame(device, fingers, phase, (int)sent);
      sent++;
    } else {
      sched_yield();
    }
    if (now_ns() - start > 60000000000) {
      fprintf(stderr, "latency: of %llu frames %llu arrived\n", (unsigned long long)sent,
              (unsigned long long)(samples->count - first));
      exit(1);
    }
  }
  return (double)(now_ns() - start) / LOAD_FRAMES;
}

static int compare_load(const char *daemon, const char *config, struct samples *samples) {
  double times[2][3];
  for (enum who who = BARE; who <= DAEMON; who++) {
    struct subject subject = start_subject(who, daemon, config, samples);
    struct finger_device *device = open_panel(samples);
    load(device, samples, FINGERS, 0); /* warm */
    for (int many = 0; many < 2; many++)
      times[many][who] = load(device, samples, many ? FINGERS : 1, 0);
    finger_destroy(device);
    stop(subject);
  }
  for (int many = 0; many < 2; many++)
    printf("%d frames, %d in flight, %s: us a frame: bare C %.2f, in batches %.2f, touchrouted "
           "%.2f; frames a second, of bare C's: %.3f, in batches %.3f\n",
           LOAD_FRAMES, IN_FLIGHT, many ? "ten fingers" : "one finger", times[many][0] / 1000, times[many][1] / 1000, times[many][2] / 1000,
           times[many][0] / times[many][2], times[many][1] / times[many][2]);
  return 0;
}

/* The counting library, preloaded into the daemon, prints to the standard error that it shares. */
static int count_mallocs(const char *library, const char *daemon, const char *config,
                         struct samples *samples) {
  setenv("LD_PRELOAD", library, 1);
  struct subject subject = start_daemon(daemon, config, run_client, samples);
  unsetenv("LD_PRELOAD");
  struct finger_device *device = open_panel(samples);
  uint64_t at = now_ns();
  for (int step = 0; step < 11000; step++, at += FRAME_NS) {
    sleep_until(at);
    finger_frame(device, FINGERS, step == 0 ? 1 : 2, step);
    if (step == 999 || step == 10999) {
      sleep_until(at + 200000000);
      at += 200000000;
      fprintf(stderr, step == 999 ? "until warm: " : "10,000 frames of ten moves: ");
      kill(subject.router, SIGUSR1);
      sleep_until(at + 50000000);
      at += 50000000;
    }
  }
  finger_destroy(device);
  stop(subject);
  return 0;
}

static pid_t start_bridge(const char *bridge, const char *library) {
  pid_t pid = fork();
  if (pid != 0)
    return pid;
  if (library)
    setenv("LD_PRELOAD", library, 1);
  /* As many units as the panel: a frame in which no finger goes a unit further is none. */
  execl(bridge, bridge, "/tmp/latency.sock", "main", "main", "", "10", "4096", "4096", "4", "0", "40",
        "0", (char *)NULL);
  fail(bridge);
  return 0;
}

/* The panel, the daemon, the bridge, and who reads the bridge's touchscreen. */
struct chain {
  struct finger_device *device;
  struct subject subject;
  pid_t bridge, reader;
};

/* All of it, warm. */
static struct chain start_chain(const char *bridge, const char *library, const char *daemon,
                                const char *config, struct samples *samples) {
  struct chain chain = {.subject = start_daemon(daemon, config, NULL, samples)};
  chain.bridge = start_bridge(bridge, library);
  chain.reader = fork();
  if (chain.reader == 0)
    run_reader(samples, "touchroute main");
  chain.device = open_panel(samples);
  play(2, chain.device, samples, chain.bridge);
  return chain;
}

static void stop_chain(struct chain chain) {
  kill(chain.reader, SIGKILL);
  kill(chain.bridge, SIGTERM);
  finger_destroy(chain.device);
  stop(chain.subject);
}

static void play_output(char **argv, struct samples *samples, int counts) {
  struct result bare[PATTERNS];
  /* A virtual touchscreen's events have a time of their own. */
  counts_from_write = 1;
  if (!counts)
    run_round(BARE, argv[4], argv[5], samples, bare);
  samples->count = 0;
  struct chain chain = start_chain(argv[2], counts ? argv[3] : NULL, argv[4], argv[5], samples);
  pid_t bridge = chain.bridge;
  if (counts)
    kill(bridge, SIGUSR1);
  for (int pattern = 0; pattern < AROUND; pattern++) {
    uint64_t daemon = cpu_ns(chain.subject.router);
    struct result result = play(pattern, chain.device, samples, bridge);
    daemon = cpu_ns(chain.subject.router) - daemon;
    double frames = pattern == 0 ? FRAMES / 4.0 : FRAMES;
    if (!counts)
      printf("%-16s to a reader of the output: median %.2f us, bare C %.2f, ratio %.3f; CPU a frame: "
             "bridge %.2f us, daemon %.2f, ratio %.3f\n", pattern_names[pattern],
             result.median_ns / 1000, bare[pattern].median_ns / 1000,
             result.median_ns / bare[pattern].median_ns, result.cpu_ns_per_frame / 1000,
             (double)daemon / frames / 1000, result.cpu_ns_per_frame * frames / (double)daemon);
  }
  if (counts)
    kill(bridge, SIGUSR1);
  else
    printf("the bridge's resident memory, KiB (of that its own): %ld (%ld)\n",
           status_of(bridge, "VmRSS:"), status_of(bridge, "RssAnon:"));
  fflush(stdout);
  spin_until(now_ns() + 100000000);
  stop_chain(chain);
}

/* What the two have used, and what the reader has read. */
struct use {
  uint64_t daemon_ns, bridge_ns, frames, begun, ended, lost;
  long daemon_kib, bridge_kib;
};

static struct use use(pid_t daemon, pid_t bridge, const struct samples *samples) {
  return (struct use){.daemon_ns = cpu_ns(daemon), .bridge_ns = cpu_ns(bridge),
                      .frames = samples->count, .begun = samples->begun, .ended = samples->ended,
                      .lost = samples->lost, .daemon_kib = status_of(daemon, "RssAnon:"),
                      .bridge_kib = status_of(bridge, "RssAnon:")};
}

static void print_minute(int seconds, struct use from, struct use to, unsigned long long outside) {
  double bridge = (double)(to.bridge_ns - from.bridge_ns);
  double daemon = (double)(to.daemon_ns - from.daemon_ns);
  printf("ten fingers at 1,000 Hz for %d s: %d frames written, %llu read; %d fingers came down, "
         "%llu read, %llu lifted; %llu times events lost, %llu values out of range\n",
         seconds, seconds * 1000, (unsigned long long)(to.frames - from.frames), seconds * FINGERS,
         (unsigned long long)(to.begun - from.begun), (unsigned long long)(to.ended - from.ended),
         (unsigned long long)(to.lost - from.lost), outside);
  printf("CPU: bridge %.1f %%, daemon %.1f %%, ratio %.3f; own memory, KiB: bridge %ld, grown by "
         "%ld; daemon %ld, grown by %ld\n",
         bridge / seconds / 1e7, daemon / seconds / 1e7, bridge / daemon, to.bridge_kib,
         to.bridge_kib - from.bridge_kib, to.daemon_kib, to.daemon_kib - from.daemon_kib);
  fflush(stdout);
}

/* Ten fingers that come down together, are dragged for a second, and are lifted. */
static void play_minute(char **argv, int seconds, struct samples *samples) {
  struct chain chain = start_chain(argv[2], NULL, argv[3], argv[4], samples);
  struct use before = use(chain.subject.router, chain.bridge, samples);
  uint64_t at = now_ns();
  for (int step = 0; step < seconds * 1000; step++) {
    int place = step % 1000;
    sleep_until(at += 1000000);
    finger_frame(chain.device, FINGERS, place == 0 ? 1 : place == 999 ? 3 : 2, place);
  }
  sleep_until(at + 1000000000);
  print_minute(seconds, before, use(chain.subject.router, chain.bridge, samples), samples->outside);
  stop_chain(chain);
}

/* The node of the touchscreen of that name, in place of "@" in the command; once it is there. */
static void put_node(char **command, const char *name) {
  static char node[64];
  const char *path;
  while ((path = node_named(name)) == NULL)
    spin_until(now_ns() + 10000000);
  snprintf(node, sizeof node, "%s", path);
  for (; *command != NULL; command++)
    if (strcmp(*command, "@") == 0)
      *command = node; /* and the next call's */
}

/* By the panel, without a daemon; then by the bridge's touchscreen. Without a bridge it is a client. */
static int time_programs(char **argv, struct samples *samples) {
  const char *bridge_path = argv[2], *words = argv[7];
  int taps = atoi(argv[5]);
  char **command = argv + 8, name[128];
  struct finger_device *device = finger_create("touchroute latency");
  if (*bridge_path != '\0') {
    put_node(command, "touchroute latency");
    snprintf(name, sizeof name, "%s, of the panel", argv[6]);
    time_program(device, name, words, taps, command);
  }
  struct subject subject = start_daemon(argv[3], argv[4], NULL, samples);
  pid_t bridge = 0;
  if (*bridge_path != '\0') {
    bridge = start_bridge(bridge_path, NULL);
    put_node(command, "touchroute main");
  }
  snprintf(name, sizeof name, "%s, of %s", argv[6], bridge != 0 ? "the output" : "the daemon");
  time_program(device, name, words, taps, command);
  if (bridge != 0)
    kill(bridge, SIGTERM);
  stop(subject);
  finger_destroy(device);
  return 0;
}

static int time_gestures(const char *daemon, const char *config, struct samples *samples) {
  struct subject subject = start_daemon(daemon, config, run_timed_client, samples);
  struct finger_device *device = open_panel(samples);
  spin_until(now_ns() + 700000000);
  play_timed(device, samples);
  finger_destroy(device);
  stop(subject);
  return 0;
}

static double median(double *values, int count) {
  for (int i = 1; i < count; i++)
    for (int j = i; j > 0 && values[j] < values[j - 1]; j--) {
      double swap = values[j];
      values[j] = values[j - 1];
      values[j - 1] = swap;
    }
  return values[count / 2];
}

static double median_of(struct result (*rounds)[PATTERNS], int count, int pattern, int field) {
  double values[MAX_ROUNDS];
  for (int i = 0; i < count; i++) {
    struct result *result = &rounds[i][pattern];
    values[i] = field == 0 ? result->median_ns
                : field == 1 ? result->p99_ns
                             : result->cpu_ns_per_frame;
  }
  return median(values, count);
}

/* A configuration, and what programs hold of it. */
struct latency_case {
  const char *name, *config;
  char *paths;
  struct result results[MAX_ROUNDS][PATTERNS];
  double load_ns[MAX_ROUNDS];
};

/* Programs beside the one that is measured. What they get is not counted. */
static void start_others(char *paths) {
  for (char *path = strtok(paths, ","); path != NULL; path = strtok(NULL, ","))
    if (fork() == 0)
      run_client(calloc(1, sizeof(struct samples)), "/tmp/latency.sock", path);
}

/* Of bare C where there is no configuration. */
static void run_case(struct latency_case *the, int round, const char *daemon, struct samples *samples) {
  char first[256] = "", others[256] = "";
  sscanf(the->paths, "%255[^,],%255s", first, others);
  samples->count = 0;
  struct subject subject = {0};
  if (the->config != NULL) {
    subject = start_daemon(daemon, the->config, NULL, samples);
    subject.consumer = fork();
    if (subject.consumer == 0)
      run_client(samples, "/tmp/latency.sock", first);
    start_others(others);
  } else {
    subject = start_subject(BARE, daemon, NULL, samples);
  }
  struct finger_device *device = open_panel(samples);
  play(AROUND, device, samples, subject.router); /* warm */
  for (int pattern = 0; pattern < PATTERNS; pattern++)
    if (pattern != 2)
      the->results[round][pattern] = play(pattern, device, samples, subject.router);
  the->load_ns[round] = load(device, samples, FINGERS, 1);
  finger_destroy(device);
  stop(subject);
}

static int compare_cases(int count, char **words, int rounds, const char *daemon,
                         struct samples *samples) {
  static struct latency_case cases[MAX_CASES];
  char nothing[] = "";
  cases[0] = (struct latency_case){.name = "bare C", .paths = nothing};
  for (int i = 1; i <= count; i++, words += 3)
    cases[i] = (struct latency_case){.name = words[0], .config = words[1], .paths = words[2]};
  for (int round = 0; round < rounds; round++)
    for (int i = 0; i <= count; i++)
      run_case(&cases[i], round, daemon, samples);
  printf("%-28s %-20s %10s %7s %10s %7s %10s %7s\n", "with", "pattern", "median us", "ratio", "99 % us",
         "ratio", "CPU us", "ratio");
  for (int i = 0; i <= count; i++) {
    for (int pattern = 0; pattern < PATTERNS; pattern++) {
      if (pattern == 2)
        continue;
      printf("%-28s %-20s", cases[i].name, pattern_names[pattern]);
      for (int field = 0; field < 3; field++) {
        double ours = median_of(cases[i].results, rounds, pattern, field) / 1000;
        double bare = median_of(cases[0].results, rounds, pattern, field) / 1000;
        printf(" %10.2f %7.3f", ours, ours / bare);
      }
      printf("\n");
    }
    double ours = median(cases[i].load_ns, rounds), bare = median(cases[0].load_ns, rounds);
    printf("%-28s %d frames, %d in flight: %.2f us a frame; frames a second, of bare C's: %.3f\n",
           cases[i].name, LOAD_FRAMES, IN_FLIGHT, ours / 1000, bare / ours);
  }
  return 0;
}

int main(int argc, char **argv) {
  struct samples *samples = mmap(NULL, sizeof *samples, PROT_READ | PROT_WRITE,
                                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (samples == MAP_FAILED)
    fail("mmap");
  if (argc == 5 && strcmp(argv[1], "--mallocs") == 0)
    return count_mallocs(argv[2], argv[3], argv[4], samples);
  if (argc == 4 && strcmp(argv[1], "--load") == 0)
    return compare_load(argv[2], argv[3], samples);
  if (argc > 4 && argc <= 4 + 3 * (MAX_CASES - 1) && strcmp(argv[1], "--cases") == 0)
    return compare_cases((argc - 4) / 3, argv + 4, atoi(argv[3]), argv[2], samples);
  if (argc == 4 && strcmp(argv[1], "--timed") == 0)
    return time_gestures(argv[2], argv[3], samples);
  if (argc == 6 && strcmp(argv[1], "--output") == 0) {
    play_output(argv, samples, 0);
    play_output(argv, samples, 1);
    return 0;
  }
  if ((argc == 5 || argc == 6) && strcmp(argv[1], "--minute") == 0) {
    play_minute(argv, argc == 6 ? atoi(argv[5]) : 60, samples);
    return 0;
  }
  if (argc > 8 && strcmp(argv[1], "--program") == 0)
    return time_programs(argv, samples);
  if (argc < 3 || argc > 4) {
    fprintf(stderr, "usage: latency DAEMON CONFIG [ROUNDS]\n"
                    "       latency --cases DAEMON ROUNDS [NAME CONFIG PATHS]...\n"
                    "       latency --load DAEMON CONFIG\n"
                    "       latency --timed DAEMON CONFIG\n"
                    "       latency --mallocs LIBRARY DAEMON CONFIG\n"
                    "       latency --output BRIDGE LIBRARY DAEMON CONFIG\n"
                    "       latency --minute BRIDGE DAEMON CONFIG [SECONDS]\n"
                    "       latency --program BRIDGE DAEMON CONFIG TAPS NAME WORDS COMMAND...\n");
    return 64;
  }
  int rounds = argc > 3 ? atoi(argv[3]) : 3;
  if (rounds < 1 || rounds > MAX_ROUNDS) {
    fprintf(stderr, "latency: ROUNDS must be 1 to %d\n", MAX_ROUNDS);
    return 64;
  }
  static struct result bare[MAX_ROUNDS][PATTERNS], ours[MAX_ROUNDS][PATTERNS];
  for (int round = 0; round < rounds; round++) {
    run_round(BARE, argv[1], argv[2], samples, bare[round]);
    run_round(DAEMON, argv[1], argv[2], samples, ours[round]);
  }
  static const char *const fields[] = {"latency, median us", "latency, 99 % us", "CPU us/frame"};
  printf("%-18s %-20s %10s %12s %7s\n", "pattern", "figure", "bare C", "touchrouted", "ratio");
  for (int pattern = 0; pattern < AROUND; pattern++)
    for (int field = 0; field < 3; field++) {
      double b = median_of(bare, rounds, pattern, field) / 1000;
      double o = median_of(ours, rounds, pattern, field) / 1000;
      printf("%-18s %-20s %10.2f %12.2f %7.3f\n", pattern_names[pattern], fields[field], b, o,
             o / b);
    }
  return 0;
}
