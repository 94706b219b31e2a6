/*
 * virtual-finger: a touchscreen of uinput's that plays what it reads, for demonstrations and for trying a layout
 * without the hardware. Needs /dev/uinput and libevdev:
 *
 *     cc -o virtual-finger examples/virtual-finger.c $(pkg-config --cflags --libs libevdev)
 *     echo 'tap 400 240' | sudo ./virtual-finger 800 480
 *
 * Coordinates are those of the panel given on the command line. Commands, one a line; fingers are 0 to 9:
 *     tap X Y                         finger 0, for 60 ms
 *     down FINGER X Y                 several downs, moves or ups up to the next `frame` are one frame
 *     move FINGER X Y
 *     up FINGER
 *     frame
 *     drag FINGER X1 Y1 X2 Y2 MS      straight, at 120 Hz
 *     wait MS
 *     # a comment, printed, so that a script tells what it does
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

static void drag(int finger, int x1, int y1, int x2, int y2, int ms) {
  int steps = ms * 120 / 1000 + 1;
  down(finger, x1, y1);
  frame();
  for (int step = 1; step <= steps; step++) {
    pause_ms(8);
    place(finger, x1 + (x2 - x1) * step / steps, y1 + (y2 - y1) * step / steps);
    frame();
  }
  pause_ms(8);
  up(finger);
  frame();
}

static int play(const char *line) {
  int f, x, y, x2, y2, ms;
  if (line[0] == '#') {
    puts(line);
    fflush(stdout);
  } else if (sscanf(line, "tap %d %d", &x, &y) == 2) {
    down(0, x, y);
    frame();
    pause_ms(60);
    up(0);
    frame();
  } else if (sscanf(line, "down %d %d %d", &f, &x, &y) == 3) {
    down(f, x, y);
  } else if (sscanf(line, "move %d %d %d", &f, &x, &y) == 3) {
    place(f, x, y);
  } else if (sscanf(line, "up %d", &f) == 1) {
    up(f);
  } else if (sscanf(line, "drag %d %d %d %d %d %d", &f, &x, &y, &x2, &y2, &ms) == 6) {
    drag(f, x, y, x2, y2, ms);
  } else if (sscanf(line, "wait %d", &ms) == 1) {
    pause_ms(ms);
  } else if (strcmp(line, "frame") == 0) {
    frame();
  } else if (line[0] != '\0') {
    return -1;
  }
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
  char line[256];
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
