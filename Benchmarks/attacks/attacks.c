/*
 * attacks DAEMON [SECONDS]: what programs that behave badly do to one that behaves. For each attack
 * the round trips of the good one's pings, 50 a second, beside it and beside nothing; and what
 * memory the daemon holds when it is over. The attackers are niced; the daemon is one of its own,
 * in a folder of its own.
 */
#define _GNU_SOURCE 1
#include "../process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <touchroute.h>

#define WINDOWS 64
#define VIEWS 20
#define GOOD_VIEWS 50
#define WIDE_VIEWS 1000
#define NAMING_GESTURES 1000
#define MAX_SOCKETS 1024
#define MAX_PINGS 8192
#define MAX_PROCESSES 16
#define PING_INTERVAL_US 20000

static char folder[64], socket_path[96], control_path[96], notify_path[96], config_path[96];

static double now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* ---- Messages ---- */

/* Bytes of requests, one behind the other. */
struct block {
  size_t size;
  unsigned char bytes[65536];
};

static size_t padded(size_t size) { return (size + 7) / 8 * 8; }

/* Adds a request: its struct, whose header is filled in here, and a text behind it. */
static void add(struct block *block, const void *fixed, size_t size, uint16_t opcode,
                const char *text) {
  size_t length = text ? strlen(text) : 0, whole = size + padded(length);
  if (block->size + whole > sizeof block->bytes)
    return;
  unsigned char *to = block->bytes + block->size;
  struct touchroute_header header = {(uint32_t)whole, opcode, 0};
  memset(to, 0, whole);
  memcpy(to, fixed, size);
  memcpy(to, &header, sizeof header);
  if (length)
    memcpy(to + size, text, length);
  block->size += whole;
}

static void add_hello(struct block *block, const char *name) {
  struct touchroute_hello hello = {
      {0}, 1, TOUCHROUTE_MAGIC, TOUCHROUTE_VERSION, (uint32_t)strlen(name)};
  add(block, &hello, sizeof hello, TOUCHROUTE_HELLO, name);
}

static void add_attach(struct block *block, const char *path, uint32_t flags) {
  struct touchroute_attach attach = {
      {0}, 2, TOUCHROUTE_HANDLES_ALL, 0, flags, (uint32_t)strlen(path)};
  add(block, &attach, sizeof attach, TOUCHROUTE_ATTACH, path);
}

static void add_ping(struct block *block, uint32_t serial) {
  struct touchroute_plain_request ping = {{0}, serial, 0};
  add(block, &ping, sizeof ping, TOUCHROUTE_PING, NULL);
}

static void add_set(struct block *block, const char *path, uint16_t property, double value) {
  struct {
    struct touchroute_set set;
    struct touchroute_change change;
  } set = {{{0}, 3, 1},
           {property, 0, (uint16_t)strlen(path), 0, {value}}};
  add(block, &set, sizeof set, TOUCHROUTE_SET, path);
}

static void add_describe(struct block *block, const char *path) {
  struct touchroute_describe describe = {{0}, 4, 0, 0, (uint32_t)strlen(path)};
  add(block, &describe, sizeof describe, TOUCHROUTE_DESCRIBE, path);
}

/* ---- What attackers send, again and again ---- */

typedef void filler(struct block *block, int number);

static void pings(struct block *block, int number) {
  (void)number;
  for (uint32_t i = 1; i <= 256; i++)
    add_ping(block, i);
}

static void describes(struct block *block, int number) {
  (void)number;
  for (int i = 0; i < 128; i++)
    add_describe(block, "");
}

static void statuses(struct block *block, int number) {
  (void)number;
  struct touchroute_plain_request status = {{0}, 7, 0};
  for (int i = 0; i < 128; i++)
    add(block, &status, sizeof status, TOUCHROUTE_STATUS, NULL);
}

static void attaches(struct block *block, int number) {
  char path[32];
  snprintf(path, sizeof path, "w%d", number % WINDOWS);
  for (int i = 0; i < 128; i++)
    add_attach(block, path, TOUCHROUTE_ATTACH_TAKE_OVER);
}

static void declines(struct block *block, int number) {
  (void)number;
  struct touchroute_accept decline = {{0}, 5, 1, 4711};
  for (int i = 0; i < 256; i++)
    add(block, &decline, sizeof decline, TOUCHROUTE_DECLINE, NULL);
}

static void sets(struct block *block, int number) {
  char path[32];
  snprintf(path, sizeof path, "w%d/v0", number % WINDOWS);
  for (int i = 0; i < 128; i++)
    add_set(block, path, TOUCHROUTE_PROPERTY_BOUNDS_ORIGIN, i % 2);
}

/* Moves what the good client's views are in. */
static void good_sets(struct block *block, int number) {
  (void)number;
  for (int i = 0; i < 128; i++)
    add_set(block, "good", TOUCHROUTE_PROPERTY_BOUNDS_ORIGIN, i % 2);
}

static void unknown(struct block *block, int number) {
  (void)number;
  char path[3001];
  memset(path, 'x', sizeof path - 1);
  path[sizeof path - 1] = 0;
  memcpy(path, "wide/", 5);
  for (int i = 0; i < 16; i++)
    add_attach(block, path, 0);
}

static void nearly_known(struct block *block, int number) {
  (void)number;
  char path[256];
  memset(path, 'x', sizeof path);
  memcpy(path, "wide/", 5);
  strcpy(path + 203, "yy");
  for (int i = 0; i < 128; i++)
    add_attach(block, path, 0);
}

static void window_hold(struct block *block, int number) {
  char path[32];
  snprintf(path, sizeof path, "w%d", number % WINDOWS);
  add_attach(block, path, TOUCHROUTE_ATTACH_TAKE_OVER);
}

static void good_hold(struct block *block, int number) {
  (void)number;
  add_attach(block, "good", TOUCHROUTE_ATTACH_TAKE_OVER);
}

/* A view of the window that somebody moves all the time. */
static void wide_hold(struct block *block, int number) {
  char path[256], name[16];
  memset(path, 'x', sizeof path);
  memcpy(path, "wide/", 5);
  int digits = snprintf(name, sizeof name, "%d", number % WIDE_VIEWS);
  memcpy(path + 205 - digits, name, (size_t)digits + 1);
  add_attach(block, path, TOUCHROUTE_ATTACH_TAKE_OVER);
}

static void wide_window_hold(struct block *block, int number) {
  (void)number;
  add_attach(block, "wide", TOUCHROUTE_ATTACH_TAKE_OVER);
}

static void wide_sets(struct block *block, int number) {
  (void)number;
  for (int i = 0; i < 128; i++)
    add_set(block, "wide", TOUCHROUTE_PROPERTY_BOUNDS_ORIGIN, i % 2);
}

/* Asks for the window in which others hold views, and gets it from itself each time. */
static void wide_takes(struct block *block, int number) {
  (void)number;
  for (int i = 0; i < 128; i++)
    add_attach(block, "wide", TOUCHROUTE_ATTACH_TAKE_OVER);
}

/* Disables and enables a gesture that others wait for. */
static void toggles(struct block *block, int number) {
  (void)number;
  for (int i = 0; i < 128; i++)
    add_set(block, "w0#named", TOUCHROUTE_PROPERTY_ENABLED, i % 2);
}

/* ---- Attackers ---- */

enum manner {
  FLOOD,   /* as much as the daemon takes, and all answers read */
  DEAF,    /* as much as it takes, and none of them read */
  ONE,     /* one request at a time */
  HOLD,    /* what is said first, and then nothing is sent or read */
  HALF,    /* a message without its end */
  CONNECT, /* comes and goes */
  GARBAGE, /* comes, says what means nothing, and goes */
};

struct part {
  enum manner manner;
  int processes, sockets;
  filler *first, *again;
  int is_control;
};

struct attack {
  const char *name;
  struct part parts[2];
};

static const struct attack attacks[] = {
    {"1 floods pings", {{FLOOD, 1, 1, NULL, pings, 0}}},
    {"250 flood pings", {{FLOOD, 2, 125, NULL, pings, 0}}},
    {"250 flood pings, answers not read", {{DEAF, 2, 125, NULL, pings, 0}}},
    {"250 ping, one request at a time", {{ONE, 2, 125, NULL, pings, 0}}},
    {"1,000 ping, one request at a time", {{ONE, 2, 500, NULL, pings, 0}}},
    {"1 describes all", {{FLOOD, 1, 1, NULL, describes, 0}}},
    {"250 describe all", {{FLOOD, 2, 125, NULL, describes, 0}}},
    {"250 describe all, not read", {{DEAF, 2, 125, NULL, describes, 0}}},
    {"60 attach and detach", {{FLOOD, 2, 30, NULL, attaches, 0}}},
    {"60 decline", {{FLOOD, 2, 30, NULL, declines, 0}}},
    {"1 sets", {{FLOOD, 1, 1, window_hold, sets, 0}}},
    {"60 set", {{FLOOD, 2, 30, window_hold, sets, 0}}},
    {"1 sets the window of its 50 views", {{FLOOD, 1, 1, good_hold, good_sets, 0}}},
    {"250 deaf with layout events",
     {{HOLD, 2, 125, wide_hold, NULL, 0}, {FLOOD, 1, 1, wide_window_hold, wide_sets, 0}}},
    {"1,000 deaf with layout events",
     {{HOLD, 1, 1000, wide_hold, NULL, 0}, {FLOOD, 1, 1, wide_window_hold, wide_sets, 0}}},
    {"1 takes a window where 1,000 hold",
     {{HOLD, 1, 1000, wide_hold, NULL, 0}, {FLOOD, 1, 1, NULL, wide_takes, 0}}},
    {"1 toggles what 1,000 wait for", {{FLOOD, 1, 1, window_hold, toggles, 0}}},
    {"60 ask for names of 3 KB", {{FLOOD, 2, 30, NULL, unknown, 0}}},
    {"60 ask for names that nearly are", {{FLOOD, 2, 30, NULL, nearly_known, 0}}},
    {"4 connect and go", {{CONNECT, 4, 1, NULL, NULL, 0}}},
    {"4 say hello and go", {{CONNECT, 4, 1, pings, NULL, 0}}},
    {"4 send garbage", {{GARBAGE, 4, 1, NULL, NULL, 0}}},
    {"250 send half a message", {{HALF, 2, 125, NULL, NULL, 0}}},
    {"1 floods status (control)", {{FLOOD, 1, 1, NULL, statuses, 1}}},
};

static int open_socket(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0)
    fail("socket");
  while (connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0)
    if (errno != EAGAIN && errno != EINTR)
      fail(path);
  return descriptor;
}

/* One of a crowd: its connection, and what of its requests is sent. */
struct attacker {
  int descriptor;
  size_t sent, pending;
  struct block *block;
};

static void greet(int descriptor, filler *first, int number) {
  static struct block block;
  block.size = 0;
  add_hello(&block, "attacker");
  if (first)
    first(&block, number);
  send(descriptor, block.bytes, block.size, MSG_NOSIGNAL);
}

/* The bytes of the first request of a block. */
static size_t first_size(const struct block *block) {
  return ((const struct touchroute_header *)block->bytes)->size;
}

static void step(struct attacker *it, enum manner manner, short events) {
  static char drop[1 << 18];
  if ((events & POLLIN) && manner != DEAF)
    if (recv(it->descriptor, drop, sizeof drop, MSG_DONTWAIT) > 0)
      it->pending = 0;
  if (!(events & POLLOUT) || it->pending)
    return;
  size_t size = manner == ONE ? first_size(it->block) : it->block->size;
  ssize_t count = send(it->descriptor, it->block->bytes + it->sent, size - it->sent,
                       MSG_NOSIGNAL | MSG_DONTWAIT);
  if (count > 0)
    it->sent += (size_t)count;
  if (it->sent == size) {
    it->sent = 0;
    it->pending = manner == ONE;
  }
}

static void crowd(const struct part *part, int index) {
  static struct attacker all[MAX_SOCKETS];
  static struct pollfd ready[MAX_SOCKETS];
  int count = part->sockets;
  for (int i = 0; i < count; i++) {
    int number = index * count + i;
    all[i].descriptor = open_socket(part->is_control ? control_path : socket_path);
    if (part->manner == HALF) {
      greet(all[i].descriptor, NULL, number);
      static const struct touchroute_header half = {4096, TOUCHROUTE_ATTACH, 0};
      send(all[i].descriptor, &half, sizeof half, MSG_NOSIGNAL);
      continue;
    }
    greet(all[i].descriptor, part->first, number);
    if (!part->again)
      continue;
    all[i].block = calloc(1, sizeof(struct block));
    part->again(all[i].block, number);
  }
  if (!part->again)
    for (;;)
      pause();
  for (;;) {
    for (int i = 0; i < count; i++) {
      short events = (short)(part->manner == DEAF ? 0 : POLLIN);
      ready[i] = (struct pollfd){all[i].descriptor,
                                 (short)(events | (all[i].pending ? 0 : POLLOUT)), 0};
    }
    poll(ready, (nfds_t)count, 1000);
    for (int i = 0; i < count; i++)
      step(&all[i], part->manner, ready[i].revents);
  }
}

static void come_and_go(const struct part *part) {
  unsigned seed = (unsigned)getpid();
  for (;;) {
    int descriptor = open_socket(socket_path);
    if (part->manner == GARBAGE) {
      unsigned char bytes[512];
      for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)rand_r(&seed);
      send(descriptor, bytes, sizeof bytes, MSG_NOSIGNAL);
    } else if (part->first) {
      greet(descriptor, part->first, 0);
    }
    close(descriptor);
  }
}

static pid_t start_attacker(const struct part *part, int index) {
  pid_t pid = fork();
  if (pid != 0)
    return pid;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  errno = 0;
  if (nice(10) < 0 && errno)
    fail("nice");
  if (part->manner == CONNECT || part->manner == GARBAGE)
    come_and_go(part);
  crowd(part, index);
  exit(0);
}

/* ---- The daemon ---- */

static void write_config(void) {
  FILE *file = fopen(config_path, "w");
  if (!file)
    fail(config_path);
  fprintf(file, "[limits]\nclients = 1280\nclients_per_user = 1200\n"
                "[screen.panel]\nsize = [800, 480]\n"
                "[[window]]\nname = \"good\"\nframe = [0, 0, 800, 480]\n"
                "[[window]]\nname = \"wide\"\nframe = [0, 0, 800, 480]\n");
  for (int i = 0; i < WINDOWS; i++)
    fprintf(file, "[[window]]\nname = \"w%d\"\nframe = [0, 0, 80, 48]\n", i);
  for (int i = 0; i < GOOD_VIEWS; i++)
    fprintf(file, "[[view]]\npath = \"good/v%d\"\nframe = [0, 0, 8, 8]\n", i);
  for (int i = 0; i < WINDOWS * VIEWS; i++)
    fprintf(file, "[[view]]\npath = \"w%d/v%d\"\nframe = [0, 0, 8, 8]\n", i / VIEWS, i % VIEWS);
  fprintf(file, "[[gesture]]\nview = \"w0\"\nname = \"named\"\nkind = \"pan\"\n");
  for (int i = 0; i < NAMING_GESTURES; i++)
    fprintf(file,
            "[[gesture]]\nview = \"w0/v%d\"\nname = \"g%d\"\nkind = \"tap\"\nafter = [\"w0#named\"]\n",
            i % VIEWS, i);
  char name[201];
  memset(name, 'x', 200);
  for (int i = 0; i < WIDE_VIEWS; i++) {
    char digits[16];
    int size = snprintf(digits, sizeof digits, "%d", i);
    memset(name, 'x', 200);
    memcpy(name + 200 - size, digits, (size_t)size + 1);
    fprintf(file, "[[view]]\npath = \"wide/%s\"\nframe = [0, 0, 8, 8]\n", name);
  }
  fclose(file);
}

/* ---- The good client ---- */

struct good {
  int descriptor;
  int is_lost;
  size_t held;
  unsigned char bytes[1 << 20];
};

/* Reads what is there; whether the answer with that serial was among it. */
static int read_for(struct good *good, uint32_t serial) {
  int is_there = 0;
  ssize_t count = recv(good->descriptor, good->bytes + good->held,
                       sizeof good->bytes - good->held, MSG_DONTWAIT);
  if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR))
    good->is_lost = 1;
  if (count > 0)
    good->held += (size_t)count;
  size_t start = 0;
  for (;;) {
    struct touchroute_pong pong;
    if (good->held - start < sizeof pong)
      break;
    memcpy(&pong, good->bytes + start, sizeof pong);
    if (pong.header.size > good->held - start)
      break;
    if (pong.header.opcode == TOUCHROUTE_CLOSING)
      good->is_lost = 1;
    is_there |= pong.header.opcode == TOUCHROUTE_PONG && pong.serial == serial;
    start += pong.header.size;
  }
  memmove(good->bytes, good->bytes + start, good->held - start);
  good->held -= start;
  return is_there;
}

/* Waits for an answer, or only so long; whether it came. */
static int await(struct good *good, uint32_t serial, double until) {
  while (!good->is_lost) {
    struct pollfd ready = {good->descriptor, POLLIN, 0};
    double rest = until - now_us();
    if (rest <= 0)
      return 0;
    struct timespec timeout = {(time_t)(rest / 1e6), (long)(rest - (double)(long)(rest / 1e6) * 1e6) * 1000};
    if (ppoll(&ready, 1, &timeout, NULL) > 0 && read_for(good, serial))
      return 1;
  }
  return 0;
}

static void connect_good(struct good *good) {
  static struct block block;
  good->descriptor = open_socket(socket_path);
  add_hello(&block, "good");
  for (int i = 0; i < GOOD_VIEWS; i++) {
    char path[32];
    snprintf(path, sizeof path, "good/v%d", i);
    add_attach(&block, path, 0);
  }
  add_ping(&block, 9);
  if (send(good->descriptor, block.bytes, block.size, MSG_NOSIGNAL) != (ssize_t)block.size)
    fail("send");
  if (!await(good, 9, now_us() + 1e7)) {
    fprintf(stderr, "attacks: the daemon did not answer in 10 s\n");
    exit(1);
  }
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* Pings for so long; the round trips, sorted. */
static int measure(struct good *good, double seconds, double *times) {
  static uint32_t serial = 100;
  int count = 0;
  double end = now_us() + seconds * 1e6;
  while (now_us() < end && count < MAX_PINGS && !good->is_lost) {
    struct {
      struct touchroute_plain_request ping;
    } request = {{{sizeof request, TOUCHROUTE_PING, 0}, ++serial, 0}};
    double begin = now_us();
    if (send(good->descriptor, &request, sizeof request, MSG_NOSIGNAL) != sizeof request)
      good->is_lost = 1;
    if (await(good, serial, begin + 1e7))
      times[count++] = now_us() - begin;
    await(good, 0, begin + PING_INTERVAL_US);
  }
  qsort(times, (size_t)count, sizeof *times, compare);
  return count;
}

static double report(const char *name, struct good *good, pid_t daemon, double seconds,
                     double idle) {
  static double times[MAX_PINGS];
  int count = measure(good, seconds, times);
  if (count == 0 || good->is_lost) {
    printf("%-36s the good client was disconnected\n", name);
    exit(1);
  }
  double median = times[count / 2];
  printf("%-36s %6d %8.0f %6.1f %8.0f %8.0f %8ld %8ld\n", name, count, median,
         idle > 0 ? median / idle : 1, times[count * 99 / 100], times[count - 1],
         status_of(daemon, "VmRSS:"), status_of(daemon, "RssAnon:"));
  fflush(stdout);
  return median;
}

static void attack(const struct attack *attack, struct good *good, pid_t daemon, double seconds,
                   double idle) {
  pid_t processes[MAX_PROCESSES];
  int count = 0;
  for (int part = 0; part < 2; part++)
    for (int i = 0; i < attack->parts[part].processes; i++)
      processes[count++] = start_attacker(&attack->parts[part], i);
  await(good, 0, now_us() + 1.5e6);
  report(attack->name, good, daemon, seconds, idle);
  for (int i = 0; i < count; i++) {
    kill(processes[i], SIGKILL);
    waitpid(processes[i], NULL, 0);
  }
  await(good, 0, now_us() + 1e6);
}

int main(int argc, char **argv) {
  double seconds = argc > 2 ? atof(argv[2]) : 4;
  if (argc < 2 || argc > 4 || seconds <= 0 || seconds > 60) {
    fprintf(stderr, "usage: attacks DAEMON [SECONDS [NAME]]\n");
    return 64;
  }
  struct rlimit files = {4096, 4096};
  if (setrlimit(RLIMIT_NOFILE, &files) < 0)
    getrlimit(RLIMIT_NOFILE, &files);
  strcpy(folder, "/tmp/touchroute-attacks-XXXXXX");
  if (!mkdtemp(folder))
    fail(folder);
  snprintf(socket_path, sizeof socket_path, "%s/client.sock", folder);
  snprintf(control_path, sizeof control_path, "%s/control.sock", folder);
  snprintf(notify_path, sizeof notify_path, "%s/notify.sock", folder);
  snprintf(config_path, sizeof config_path, "%s/touchroute.toml", folder);
  write_config();
  pid_t daemon =
      start_listening_daemon(argv[1], notify_path, config_path, socket_path, control_path, 0);
  static struct good good;
  connect_good(&good);
  await(&good, 0, now_us() + 2e6);
  printf("%-36s %6s %8s %6s %8s %8s %8s %8s\n", "ping beside, us", "pings", "median", "x idle",
         "99 %", "worst", "RSS KiB", "its own");
  double idle = report("nothing", &good, daemon, seconds, 0);
  for (size_t i = 0; i < sizeof attacks / sizeof *attacks; i++)
    if (argc < 4 || strstr(attacks[i].name, argv[3]))
      attack(&attacks[i], &good, daemon, seconds, idle);
  report("nothing, afterwards", &good, daemon, seconds, idle);
  kill(daemon, SIGTERM);
  waitpid(daemon, NULL, 0);
  unlink(config_path);
  unlink(notify_path);
  rmdir(folder);
}
