/*
 * virtual-finger: a virtual touchscreen (uinput) that plays what it reads, for demonstrations and for trying a layout
 * without hardware. Needs /dev/uinput and libevdev:
 *
 *     cc -o virtual-finger examples/virtual-finger.c $(pkg-config --cflags --libs libevdev)
 *     echo 'tap 400 240' | sudo ./virtual-finger 800 480
 *
 * It reads the lines of `touchroute inject`. Coordinates are those of the panel on the command line, fingers 0 to 9:
 *     tap X Y [MS]                    finger 0, for 50 ms by default
 *     press X Y [MS]                  for 1000 ms by default
 *     swipe X1 Y1 X2 Y2 [MS]          straight, at 120 Hz, in 300 ms by default
 *     began FINGER X Y                these three add to a frame, which `frame` sends
 *     moved FINGER X Y
 *     ended FINGER
 *     frame
 *     wait MS
 *     # a comment, which is printed, so that a script says what it does; after a command it is not
 * It refuses `screen` and `cancelled`: a touchscreen has one screen, and can't take a finger back. It still takes the
 * older words down, move and up FINGER, and drag FINGER X1 Y1 X2 Y2 MS.
 */
#include <errno.h>
#include <libevdev/libevdev-uinput.h>
#include <libevdev/libevdev.h>
#include <linux/input.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct libevdev_uinput *screen;
static int tracking_id, fingers_down;

static void put(unsigned type, unsigned code, int value) {
  if (libevdev_uinput_write_event(screen, type, code, value) < 0) {
    perror("virtual-finger: write to uinput");
    exit(1);
  }
}

static void frame(void) { put(EV_SYN, SYN_REPORT, 0); }

static void pause_ms(int ms) {
  struct timespec time = {ms / 1000, (long)(ms % 1000) * 1000000};
  nanosleep(&time, NULL);
}

static void place(int finger, int x, int y) {
  put(EV_ABS, ABS_MT_SLOT, finger);
  put(EV_ABS, ABS_MT_POSITION_X, x);
  put(EV_ABS, ABS_MT_POSITION_Y, y);
}

static void down(int finger, int x, int y) {
  put(EV_ABS, ABS_MT_SLOT, finger);
  put(EV_ABS, ABS_MT_TRACKING_ID, tracking_id++ & 0xffff);
  place(finger, x, y);
  if (fingers_down++ == 0)
    put(EV_KEY, BTN_TOUCH, 1);
}

static void up(int finger) {
  put(EV_ABS, ABS_MT_SLOT, finger);
  put(EV_ABS, ABS_MT_TRACKING_ID, -1);
  if (--fingers_down == 0)
    put(EV_KEY, BTN_TOUCH, 0);
}

static int whole(double value) { return (int)(value < 0 ? value - 0.5 : value + 0.5); }

/* As touchroute has it: in so many moves, evenly in time, the last one at the end. */
static void drag(int finger, double x1, double y1, double x2, double y2, double ms) {
  int steps = whole(ms * 120 / 1000);
  if (steps < 1)
    steps = 1;
  down(finger, whole(x1), whole(y1));
  frame();
  for (int step = 1; step <= steps; step++) {
    pause_ms(whole(ms / steps));
    place(finger, whole(x1 + (x2 - x1) * step / steps), whole(y1 + (y2 - y1) * step / steps));
    frame();
  }
  up(finger);
  frame();
}

static void hold(double x, double y, double ms) {
  down(0, whole(x), whole(y));
  frame();
  pause_ms(whole(ms));
  up(0);
  frame();
}

/* The numbers behind the verb; -1 where there is a word that is none. */
static int numbers_of(const char *text, double numbers[7]) {
  int count = 0;
  for (char *end; *(text += strspn(text, " \t\r")) != '\0'; text = end) {
    if (count == 7)
      return -1;
    double number = strtod(text, &end);
    if (end == text || strchr(" \t\r", *end) == NULL || !(number > -1e6 && number < 1e6))
      return -1;
    numbers[count++] = number;
  }
  return count;
}

static int is_finger(double number) { return number >= 0 && number <= 9 && number == (int)number; }

/* Whether a line is that verb, with so many numbers. */
static int is(const char *verb, const char *wanted, int count, int least, int most) {
  return strcmp(verb, wanted) == 0 && count >= least && count <= most;
}

static int play_finger(const char *verb, const double n[7], int count) {
  if (is(verb, "began", count, 3, 3) || is(verb, "down", count, 3, 3))
    down((int)n[0], whole(n[1]), whole(n[2]));
  else if (is(verb, "moved", count, 3, 3) || is(verb, "move", count, 3, 3))
    place((int)n[0], whole(n[1]), whole(n[2]));
  else if (is(verb, "ended", count, 1, 1) || is(verb, "up", count, 1, 1))
    up((int)n[0]);
  else if (is(verb, "drag", count, 6, 6) && n[5] >= 0)
    drag((int)n[0], n[1], n[2], n[3], n[4], n[5]);
  else
    return -1;
  return 0;
}

/* Finger 0, as the command of that name plays it. */
static int play_stroke(const char *verb, const double n[7], int count) {
  int is_timed = count == 3 || count == 5;
  double ms = is_timed ? n[count - 1] : 0;
  if (ms < 0)
    return -1;
  if (is(verb, "tap", count, 2, 3))
    hold(n[0], n[1], is_timed ? ms : 50);
  else if (is(verb, "press", count, 2, 3))
    hold(n[0], n[1], is_timed ? ms : 1000);
  else if (is(verb, "swipe", count, 4, 5))
    drag(0, n[0], n[1], n[2], n[3], is_timed ? ms : 300);
  else
    return -1;
  return 0;
}

static int play(char *line) {
  char verb[16];
  double n[7] = {0};
  if (line[0] == '#') {
    puts(line);
    fflush(stdout);
    return 0;
  }
  line[strcspn(line, "#")] = '\0';
  if (sscanf(line, "%15s", verb) != 1)
    return 0;
  int count = numbers_of(strstr(line, verb) + strlen(verb), n);
  if (is(verb, "wait", count, 1, 1) && n[0] >= 0)
    pause_ms(whole(n[0]));
  else if (is(verb, "frame", count, 0, 0))
    frame();
  else if (play_stroke(verb, n, count) == 0)
    return 0;
  else
    return count > 0 && is_finger(n[0]) ? play_finger(verb, n, count) : -1;
  return 0;
}

static void axis(struct libevdev *device, unsigned code, int maximum) {
  struct input_absinfo info = {.maximum = maximum};
  libevdev_enable_event_code(device, EV_ABS, code, &info);
}

static void make_screen(int width, int height) {
  struct libevdev *device = libevdev_new();
  libevdev_set_name(device, "Virtual finger");
  libevdev_set_id_bustype(device, BUS_VIRTUAL);
  libevdev_enable_property(device, INPUT_PROP_DIRECT);
  libevdev_enable_event_code(device, EV_KEY, BTN_TOUCH, NULL);
  axis(device, ABS_X, width - 1);
  axis(device, ABS_Y, height - 1);
  axis(device, ABS_MT_SLOT, 9);
  axis(device, ABS_MT_TRACKING_ID, 65535);
  axis(device, ABS_MT_POSITION_X, width - 1);
  axis(device, ABS_MT_POSITION_Y, height - 1);
  int error = libevdev_uinput_create_from_device(device, LIBEVDEV_UINPUT_OPEN_MANAGED, &screen);
  if (error < 0) {
    fprintf(stderr, "virtual-finger: can't make a device through /dev/uinput: %s; load the module"
                    " uinput, and run as root or as a user who may write there\n",
            strerror(-error));
    exit(1);
  }
  libevdev_free(device);
}

int main(int argc, char **argv) {
  int width = argc == 3 ? atoi(argv[1]) : 0, height = argc == 3 ? atoi(argv[2]) : 0;
  if (width < 2 || height < 2) {
    fprintf(stderr, "usage: virtual-finger WIDTH HEIGHT < COMMANDS\n");
    return 64;
  }
  make_screen(width, height);
  printf("%s\n", libevdev_uinput_get_devnode(screen));
  fflush(stdout);
  char line[1024];
  for (int number = 1; fgets(line, sizeof line, stdin); number++) {
    line[strcspn(line, "\n")] = '\0';
    if (play(line) < 0) {
      fprintf(stderr, "virtual-finger: line %d: unknown command \"%s\"\n", number, line);
      libevdev_uinput_destroy(screen);
      return 1;
    }
  }
  pause_ms(100);
  libevdev_uinput_destroy(screen);
  return 0;
}
