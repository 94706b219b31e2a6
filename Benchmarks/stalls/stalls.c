/*
 * stalls DAEMON [SECONDS [VIEWS]]: what a touch waits for while others change a large layout. For
 * each kind of change, and for none, touches go in through the control socket, 250 frames a second,
 * and the time is taken to where a program has them, beside a program that asks for such changes as
 * fast as they are answered. A view of the layout is a row of one list. The daemon is one of its
 * own, in a folder of its own.
 */
#define _GNU_SOURCE 1
#include "../process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <touchroute.h>

#define ROWS 800  /* that a program adds at a time */
#define SETS 500  /* that are one request */
#define PAGES 16  /* of the layout, that are asked for at once */
#define MAX_TOUCHES 65536
#define INTERVAL_US 4000

static char folder[64], socket_path[96], control_path[96], notify_path[96], config_path[96];
static int views = 100000;

static double now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* ---- The daemon ---- */

static void write_config(double width) {
  char temporary[128];
  snprintf(temporary, sizeof temporary, "%s.new", config_path);
  FILE *file = fopen(temporary, "w");
  if (!file)
    fail(temporary);
  fprintf(file,
          "[screen.panel]\nsize = [800, 480]\n[[window]]\nname = \"big\"\n"
          "frame = [0, 0, 800, 480]\n[[view]]\npath = \"big/list\"\nframe = [0, 0, %f, 480]\n",
          width);
  for (int i = 0; i < views - 3; i++)
    fprintf(file, "[[view]]\npath = \"big/list/row-%d\"\nframe = [0, %d, 400, 40]\n", i, i * 40);
  fprintf(file, "[[view]]\npath = \"big/pad\"\nframe = [500, 0, 300, 480]\n");
  fclose(file);
  if (rename(temporary, config_path) < 0)
    fail(config_path);
}

/* ---- Clients ---- */

/* What a connection has heard. */
struct heard {
  int attached, answers;
  uint64_t frames;
};

static void on_attached(void *data, struct touchroute_connection *c,
                        const struct touchroute_attached *a) {
  (void)c, (void)a;
  ((struct heard *)data)->attached++;
}

static void on_done(void *data, struct touchroute_connection *c, const struct touchroute_done *d,
                    const char *text) {
  (void)c, (void)d, (void)text;
  ((struct heard *)data)->answers++;
}

static void on_error(void *data, struct touchroute_connection *c,
                     const struct touchroute_error *e, const char *text) {
  (void)data, (void)c, (void)e;
  fprintf(stderr, "refused: %s\n", text);
  exit(1);
}

static void on_touches(void *data, struct touchroute_connection *c,
                       const struct touchroute_frame *frame) {
  (void)c, (void)frame;
  ((struct heard *)data)->frames++;
}

static struct touchroute_connection *join(const char *path, const char *name,
                                          struct heard *heard) {
  struct touchroute_listener listener = {.size = sizeof listener,
                                         .attached = on_attached,
                                         .done = on_done,
                                         .error = on_error,
                                         .touches = on_touches};
  struct touchroute_connection *connection = touchroute_connect(path, name, 0, &listener, heard);
  if (!connection)
    fail(touchroute_error_text(NULL));
  return connection;
}

static void wait_for(struct touchroute_connection *connection, const int *count, int wanted) {
  while (*count < wanted)
    if (touchroute_dispatch(connection, 60000) < 0)
      fail("the daemon is gone");
}

/* ---- Changes ---- */

typedef void change(struct touchroute_connection *list, uint32_t attachment, int number);

static void edit_rows(struct touchroute_connection *list, uint32_t attachment, int is_added) {
  static char names[ROWS][16];
  struct touchroute_view_change steps[ROWS] = {0};
  struct touchroute_property_change frames[ROWS] = {0};
  for (int i = 0; i < ROWS; i++) {
    snprintf(names[i], sizeof names[i], "new-%d", i);
    frames[i] = (struct touchroute_property_change){.property = TOUCHROUTE_PROPERTY_FRAME,
                                                    /* Beside the fingers. */
                                                    .values = {300, i, 100, 1}};
    steps[i].kind = is_added ? TOUCHROUTE_STEP_ADD : TOUCHROUTE_STEP_REMOVE;
    steps[i].path = names[i];
    steps[i].properties = &frames[i];
    steps[i].property_count = is_added ? 1 : 0;
  }
  if (touchroute_change_views(list, attachment, steps, ROWS) < 0)
    fail("the rows do not fit into a request");
}

static void add_and_remove(struct touchroute_connection *list, uint32_t attachment, int number) {
  edit_rows(list, attachment, number % 2 == 0);
}

static void set_one(struct touchroute_connection *list, uint32_t attachment, int number) {
  (void)attachment;
  struct touchroute_property_change change = {.path = "big/list/row-1",
                                              .property = TOUCHROUTE_PROPERTY_HIDDEN,
                                              .values = {number % 2}};
  touchroute_set(list, &change, 1);
}

static void set_many(struct touchroute_connection *list, uint32_t attachment, int number) {
  static char paths[SETS][16];
  struct touchroute_view_change steps[SETS] = {0};
  struct touchroute_property_change hidden = {.property = TOUCHROUTE_PROPERTY_HIDDEN,
                                              .values = {number % 2}};
  for (int i = 0; i < SETS; i++) {
    snprintf(paths[i], sizeof paths[i], "row-%d", 100 + i);
    steps[i] = (struct touchroute_view_change){.kind = TOUCHROUTE_STEP_CHANGE,
                                               .path = paths[i],
                                               .properties = &hidden,
                                               .property_count = 1};
  }
  if (touchroute_change_views(list, attachment, steps, SETS) < 0)
    fail("the changes do not fit into a request");
}

static void set_order(struct touchroute_connection *list, uint32_t attachment, int number) {
  (void)attachment;
  struct touchroute_property_change change = {.path = "big/list/row-1",
                                              .property = TOUCHROUTE_PROPERTY_ORDER,
                                              .values = {number % 9}};
  touchroute_set(list, &change, 1);
}

static void reload(struct touchroute_connection *control, uint32_t attachment, int number) {
  (void)attachment;
  write_config(401 + number % 2);
  touchroute_reload(control);
}

/* No change, but much to say: who does it without pause is as hostile as it gets. */
static void describe(struct touchroute_connection *list, uint32_t attachment, int number) {
  (void)attachment, (void)number;
  for (int i = 0; i < PAGES; i++)
    if (touchroute_describe(list, NULL, (uint32_t)(views / PAGES * i), 0) < 0)
      fail("asking for the layout");
}

static const struct kind {
  const char *name;
  change *change;
  int is_control;
  int leaves; /* comes anew for each change, and goes behind it */
  int answers; /* to each change */
} kinds[] = {
    {"nothing", NULL, 0, 0, 0},
    {"1 set", set_one, 0, 0, 1},
    {"500 sets in a request", set_many, 0, 0, 1},
    {"the order of a row", set_order, 0, 0, 1},
    {"800 rows come and go", add_and_remove, 0, 0, 1},
    {"800 rows, and their program goes", add_and_remove, 0, 1, 1},
    {"a reload with another list", reload, 1, 0, 1},
    {"no change, 16 pages described", describe, 0, 0, PAGES},
};

/* Changes the layout until it is killed, and tells how long each change took. */
static pid_t start_changes(const struct kind *kind, int told) {
  pid_t pid = fork();
  if (pid != 0)
    return pid;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  struct heard heard = {0};
  struct touchroute_connection *connection = NULL;
  int attachment = 0;
  for (int number = 0;; number++) {
    if (!connection) {
      heard = (struct heard){0};
      connection = join(kind->is_control ? control_path : socket_path, "changes", &heard);
      /* Touches are for the holder of the window. */
      if (!kind->is_control) {
        attachment =
            touchroute_attach(connection, "big/list", TOUCHROUTE_HANDLES_CANCELLED, 0,
                              TOUCHROUTE_ATTACH_TAKE_OVER);
        wait_for(connection, &heard.attached, 1);
      }
    }
    int wanted = heard.answers + kind->answers;
    double began = now_us();
    kind->change(connection, (uint32_t)attachment, kind->leaves ? 0 : number);
    wait_for(connection, &heard.answers, wanted);
    double took = now_us() - began;
    if (write(told, &took, sizeof took) < 0)
      _exit(0);
    if (kind->leaves) {
      touchroute_disconnect(connection);
      connection = NULL;
    }
  }
}

/* ---- Touches ---- */

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double at(const double *sorted, int count, double part) {
  int index = (int)((double)count * part);
  return count ? sorted[index < count ? index : count - 1] : 0;
}

/* A finger that comes down in the list or beside it, moves, and is lifted, over and over. */
static void inject(struct touchroute_connection *control, int step) {
  static const uint32_t phases[] = {TOUCHROUTE_PHASE_BEGAN, TOUCHROUTE_PHASE_MOVED,
                                    TOUCHROUTE_PHASE_ENDED};
  struct touchroute_contact contact = {.slot = 1, .phase = phases[step % 3]};
  if (contact.phase != TOUCHROUTE_PHASE_ENDED) {
    contact.x = step / 3 % 2 ? 600 : 100;
    contact.y = 20 + step % 400;
  }
  if (touchroute_inject(control, 0, &contact, 1) < 0)
    fail("injecting");
}

/* The delays of the touches of so many seconds, in order; how many there are. */
static int measure(double seconds, double *delays) {
  struct heard control_heard = {0}, heard = {0};
  struct touchroute_connection *control = join(control_path, "fingers", &control_heard);
  struct touchroute_connection *window = join(socket_path, "window", &heard);
  touchroute_attach(window, "big", TOUCHROUTE_HANDLES_ALL, 0, 0);
  wait_for(window, &heard.attached, 1);
  double start = now_us(), next = start;
  int count = 0;
  while (count < MAX_TOUCHES && (now_us() < start + seconds * 1e6 || count % 3 != 0)) {
    double rest = next - now_us();
    if (rest > 0)
      usleep((useconds_t)rest);
    uint64_t frames = heard.frames;
    double sent = now_us();
    inject(control, count);
    touchroute_flush(control);
    /* Its answer may say why none comes. */
    while (heard.frames == frames)
      if (touchroute_dispatch(window, 1000) < 0 || touchroute_dispatch(control, 0) < 0)
        fail("the window's connection");
    delays[count++] = now_us() - sent;
    touchroute_dispatch(control, 0);
    next += INTERVAL_US;
    if (next < now_us())
      next = now_us();
  }
  touchroute_disconnect(window);
  touchroute_disconnect(control);
  return count;
}

static void show(const struct kind *kind, double seconds) {
  static double delays[MAX_TOUCHES], changes[MAX_TOUCHES];
  static double quiet[3];
  int told[2];
  if (pipe2(told, O_CLOEXEC | O_NONBLOCK) < 0)
    fail("pipe2");
  pid_t pid = kind->change ? start_changes(kind, told[1]) : 0;
  int count = measure(seconds, delays);
  if (pid > 0) {
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
  }
  ssize_t size = read(told[0], changes, sizeof changes);
  int change_count = size > 0 ? (int)((size_t)size / sizeof *changes) : 0;
  close(told[0]);
  close(told[1]);
  qsort(delays, (size_t)count, sizeof *delays, compare);
  qsort(changes, (size_t)change_count, sizeof *changes, compare);
  const double parts[] = {0.5, 0.99, 0.999};
  printf("%-34s", kind->name);
  for (int i = 0; i < 3; i++) {
    double delay = at(delays, count, parts[i]);
    if (!kind->change)
      quiet[i] = delay;
    printf("%8.0f", kind->change ? delay - quiet[i] : delay);
  }
  printf("%8.0f%8d%9d%10.1f\n", at(delays, count, 1), count, change_count,
         at(changes, change_count, 0.5) / 1e3);
  fflush(stdout);
}

int main(int argc, char **argv) {
  if (argc < 2 || argc > 4) {
    fprintf(stderr, "usage: stalls DAEMON [SECONDS [VIEWS]]\n");
    return 64;
  }
  double seconds = argc > 2 ? atof(argv[2]) : 10;
  if (argc > 3)
    views = atoi(argv[3]);
  if (seconds <= 0 || views < 1000) {
    fprintf(stderr, "stalls: more than 0 s, and a layout of 1,000 views at least\n");
    return 64;
  }
  snprintf(folder, sizeof folder, "/tmp/touchroute-stalls-XXXXXX");
  if (!mkdtemp(folder))
    fail("mkdtemp");
  snprintf(socket_path, sizeof socket_path, "%s/client", folder);
  snprintf(control_path, sizeof control_path, "%s/control", folder);
  snprintf(notify_path, sizeof notify_path, "%s/notify", folder);
  snprintf(config_path, sizeof config_path, "%s/config.toml", folder);
  write_config(400);
  pid_t daemon =
      start_listening_daemon(argv[1], notify_path, config_path, socket_path, control_path, 1);
  const char *policy =
      be_real_time(2) ? "as the unit has it" : "ordinary: as root it is the unit's";
  printf("touches beside changes of a layout of %d views: us; beside changes how much more\n"
         "the daemon's scheduling is %s\n\n",
         views, policy);
  printf("%-34s%8s%8s%8s%8s%8s%9s%10s\n", "changes", "50 %", "99 %", "99.9 %", "longest", "frames",
         "changes", "ms each");
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    show(&kinds[i], seconds);
  kill(daemon, SIGTERM);
  waitpid(daemon, NULL, 0);
  for (int i = 0; i < 4; i++)
    unlink((const char *[]){socket_path, control_path, notify_path, config_path}[i]);
  rmdir(folder);
  return 0;
}
