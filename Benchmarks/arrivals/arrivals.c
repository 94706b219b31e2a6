/*
 * arrivals DAEMON [SECONDS]: how long a new user's program takes to connect, say hello and attach,
 * beside programs of another user that connect in a loop. Needs root, for the users.
 */
#define _GNU_SOURCE 1
#include "../process.h"

#include <errno.h>
#include <grp.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <touchroute.h>

#define MOST 8192
#define LOOPERS 2
#define LOOPER 4001
#define COMER 4002
#define PAUSE_US 10000

static char socket_path[96];

static double now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void become(uid_t user) {
  if (setgroups(0, NULL) < 0 || setgid(user) < 0 || setuid(user) < 0)
    fail("setuid");
}

static int open_socket(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", socket_path);
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0)
    fail("socket");
  while (connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0)
    if (errno != EAGAIN && errno != EINTR)
      fail(socket_path);
  return descriptor;
}

struct opening {
  struct touchroute_hello hello;
  char name[8];
  struct touchroute_attach attach;
  char path[8];
};

static struct opening opening(const char *name) {
  struct opening all = {
      {{sizeof all.hello + sizeof all.name, TOUCHROUTE_HELLO, 0}, 1, TOUCHROUTE_MAGIC,
       TOUCHROUTE_VERSION, (uint32_t)strlen(name)},
      "",
      {{sizeof all.attach + sizeof all.path, TOUCHROUTE_ATTACH, 0}, 2, TOUCHROUTE_HANDLES_ALL, 0,
       0, 4},
      "good"};
  memcpy(all.name, name, strlen(name));
  return all;
}

/* Reads until that answer has come; whether it has. */
static int await(int descriptor, uint16_t opcode) {
  unsigned char bytes[65536];
  size_t size = 0;
  for (;;) {
    ssize_t count = recv(descriptor, bytes + size, sizeof bytes - size, 0);
    if (count <= 0)
      return 0;
    size += (size_t)count;
    for (size_t at = 0; at + sizeof(struct touchroute_header) <= size;) {
      struct touchroute_header header;
      memcpy(&header, bytes + at, sizeof header);
      if (header.size < sizeof header)
        return 0;
      if (header.opcode == opcode)
        return 1;
      at += header.size;
    }
  }
}

enum manner { NOTHING, GO, SPEAK, HEAR };

/* Connects again and again, as another user. */
static pid_t start_looper(enum manner manner) {
  pid_t pid = fork();
  if (pid != 0)
    return pid;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  become(LOOPER);
  struct opening words = opening("looper");
  for (;;) {
    int descriptor = open_socket();
    if (manner != GO)
      send(descriptor, &words, sizeof words.hello + sizeof words.name, MSG_NOSIGNAL);
    if (manner == HEAR)
      await(descriptor, TOUCHROUTE_WELCOME);
    close(descriptor);
  }
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static void measure(const char *name, enum manner manner, double seconds) {
  static double times[MOST];
  pid_t loopers[LOOPERS];
  for (int i = 0; i < LOOPERS && manner != NOTHING; i++)
    loopers[i] = start_looper(manner);
  usleep(1500000);
  int pipes[2];
  if (pipe(pipes) < 0)
    fail("pipe");
  pid_t comer = fork();
  if (comer == 0) {
    become(COMER);
    int count = 0;
    struct opening words = opening("comer");
    for (double end = now_us() + seconds * 1e6; now_us() < end && count < MOST;) {
      double begin = now_us();
      int descriptor = open_socket();
      send(descriptor, &words, sizeof words, MSG_NOSIGNAL);
      if (await(descriptor, TOUCHROUTE_ATTACHED))
        times[count++] = now_us() - begin;
      close(descriptor);
      usleep(PAUSE_US * 5); /* one that connects seldom: 20 times a second */
    }
    write(pipes[1], &count, sizeof count);
    for (int i = 0; i < count; i++)
      write(pipes[1], &times[i], sizeof *times);
    _exit(0);
  }
  int count = 0;
  read(pipes[0], &count, sizeof count);
  for (int i = 0; i < count; i++)
    read(pipes[0], &times[i], sizeof *times);
  waitpid(comer, NULL, 0);
  for (int i = 0; i < LOOPERS && manner != NOTHING; i++) {
    kill(loopers[i], SIGKILL);
    waitpid(loopers[i], NULL, 0);
  }
  close(pipes[0]);
  close(pipes[1]);
  qsort(times, (size_t)count, sizeof *times, compare);
  if (count == 0)
    printf("%-28s %6d\n", name, count);
  else
    printf("%-28s %6d %8.0f %8.0f %8.0f\n", name, count, times[count / 2], times[count * 99 / 100],
           times[count - 1]);
  fflush(stdout);
  usleep(1500000);
}

int main(int argc, char **argv) {
  double seconds = argc > 2 ? atof(argv[2]) : 5;
  if (argc < 2 || argc > 3 || seconds <= 0 || seconds > 60) {
    fprintf(stderr, "usage: arrivals DAEMON [SECONDS]\n");
    return 64;
  }
  char folder[] = "/tmp/touchroute-arrivals-XXXXXX", control[96], notify[96], config[96];
  if (!mkdtemp(folder) || chmod(folder, 0755) < 0)
    fail(folder);
  snprintf(socket_path, sizeof socket_path, "%s/client.sock", folder);
  snprintf(control, sizeof control, "%s/control.sock", folder);
  snprintf(notify, sizeof notify, "%s/notify.sock", folder);
  snprintf(config, sizeof config, "%s/touchroute.toml", folder);
  FILE *file = fopen(config, "w");
  if (!file)
    fail(config);
  fputs("[screen.panel]\nsize = [800, 480]\n[[window]]\nname = \"good\"\n", file);
  fclose(file);
  pid_t daemon = start_listening_daemon(argv[1], notify, config, socket_path, control, 0);
  if (chmod(socket_path, 0666) < 0)
    fail(socket_path);
  printf("%-28s %6s %8s %8s %8s\n", "connect, hello, attach: us", "times", "median", "99 %",
         "worst");
  measure("beside nothing", NOTHING, seconds);
  measure("2 connect and go", GO, seconds);
  measure("2 say hello and go", SPEAK, seconds);
  measure("2 say hello and hear", HEAR, seconds);
  kill(daemon, SIGTERM);
  waitpid(daemon, NULL, 0);
  unlink(config);
  unlink(notify);
  rmdir(folder);
}
