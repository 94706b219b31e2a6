/* The device of the kernel, by libevdev; its physical path by ioctl, as libevdev knows none. */
#include "uinput.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <libevdev/libevdev-uinput.h>
#include <libevdev/libevdev.h>
#include <linux/uinput.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define NODE "/dev/uinput"

struct uinput_device {
  struct libevdev_uinput *uinput;
  int fd;
};

/* ---- Opening ---- */

static void explain_refusal(char *error, size_t size) {
  struct stat status;
  struct passwd *user = getpwuid(geteuid());
  char name[64];
  snprintf(name, sizeof name, "%s", user != NULL ? user->pw_name : "this user");
  if (stat(NODE, &status) == 0 && (status.st_mode & 0060) == 0060) {
    struct group *group = getgrgid(status.st_gid);
    if (group != NULL) {
      snprintf(error, size,
               NODE " may not be opened by user %s: join group %s (usermod -aG %s %s), or run "
               "as root", name, group->gr_name, group->gr_name, name);
      return;
    }
  }
  snprintf(error, size,
           NODE " may not be opened by user %s: the udev rule 70-touchroute.rules gives it to "
           "the group touchroute-output (udevadm control --reload; udevadm trigger " NODE "), "
           "which %s must be in; or run as root", name, name);
}

static int open_node(char *error, size_t size) {
  int fd = open(NODE, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd >= 0)
    return fd;
  switch (errno) {
  case EACCES:
  case EPERM:
    explain_refusal(error, size);
    break;
  case ENOENT:
  case ENODEV:
  case ENXIO:
    snprintf(error, size,
             "there is no " NODE ": load the kernel's module uinput (modprobe uinput), or take a "
             "kernel that has it (CONFIG_INPUT_UINPUT)");
    break;
  default:
    snprintf(error, size, NODE " can't be opened: %s", strerror(errno));
  }
  return -1;
}

/* ---- Two of one name ---- */

/* Whether the device in that folder of sysfs has that physical path. */
static int has_phys(const char *folder, const char *phys) {
  char path[300], text[300] = "";
  snprintf(path, sizeof path, "/sys/class/input/%s/phys", folder);
  FILE *file = fopen(path, "re");
  if (file == NULL)
    return 0;
  int is_read = fgets(text, sizeof text, file) != NULL;
  fclose(file);
  text[strcspn(text, "\n")] = '\0';
  return is_read && strcmp(text, phys) == 0;
}

/* The least number of an inputN with that physical path; -1 where there is none. */
static long first_of(const char *phys) {
  DIR *folder = opendir("/sys/class/input");
  struct dirent *entry;
  long first = -1;
  if (folder == NULL)
    return -1;
  while ((entry = readdir(folder)) != NULL) {
    char *end;
    if (strncmp(entry->d_name, "input", 5) != 0)
      continue;
    long number = strtol(entry->d_name + 5, &end, 10);
    if (end == entry->d_name + 5 || *end != '\0' || !has_phys(entry->d_name, phys))
      continue;
    if (first < 0 || number < first)
      first = number;
  }
  closedir(folder);
  return first;
}

static void say_twice(const char *name, long number, char *error, size_t size) {
  snprintf(error, size,
           "there is an output of the name %s already, /sys/class/input/input%ld: end that one, or "
           "give this one another name (--name)", name, number);
}

/* Of two that were made at once the later goes: each sees the other. */
static int is_later(const struct uinput_device *device, const char *phys, long *first) {
  const char *path = libevdev_uinput_get_syspath(device->uinput);
  const char *last = path != NULL ? strrchr(path, '/') : NULL;
  *first = first_of(phys);
  return last != NULL && strncmp(last, "/input", 6) == 0 && *first >= 0 &&
         *first < strtol(last + 6, NULL, 10);
}

/* ---- The device ---- */

static void enable_axis(struct libevdev *sheet, unsigned code, int32_t maximum,
                        int32_t resolution) {
  struct input_absinfo info = {.maximum = maximum, .resolution = resolution};
  libevdev_enable_event_code(sheet, EV_ABS, code, &info);
}

static struct libevdev *describe(const struct uinput_settings *settings) {
  struct libevdev *sheet = libevdev_new();
  char name[80];
  if (sheet == NULL)
    return NULL;
  snprintf(name, sizeof name, "touchroute %s", settings->name);
  libevdev_set_name(sheet, name);
  libevdev_set_id_bustype(sheet, BUS_VIRTUAL);
  libevdev_set_id_vendor(sheet, UINPUT_VENDOR);
  libevdev_set_id_product(sheet, UINPUT_PRODUCT);
  libevdev_set_id_version(sheet, 1);
  libevdev_enable_property(sheet, INPUT_PROP_DIRECT);
  libevdev_enable_event_code(sheet, EV_KEY, BTN_TOUCH, NULL);
  enable_axis(sheet, ABS_X, settings->width - 1, settings->resolution);
  enable_axis(sheet, ABS_Y, settings->height - 1, settings->resolution);
  enable_axis(sheet, ABS_MT_SLOT, (int32_t)settings->slots - 1, 0);
  enable_axis(sheet, ABS_MT_TRACKING_ID, 0xffff, 0);
  enable_axis(sheet, ABS_MT_POSITION_X, settings->width - 1, settings->resolution);
  enable_axis(sheet, ABS_MT_POSITION_Y, settings->height - 1, settings->resolution);
  enable_axis(sheet, ABS_MT_TOOL_TYPE, MT_TOOL_PALM, 0);
  return sheet;
}

static int make(struct uinput_device *device, const struct uinput_settings *settings,
                const char *phys) {
  struct libevdev *sheet = describe(settings);
  if (sheet == NULL)
    return -ENOMEM;
  int result = ioctl(device->fd, UI_SET_PHYS, phys) < 0 ? -errno : 0;
  if (result == 0)
    result = libevdev_uinput_create_from_device(sheet, device->fd, &device->uinput);
  libevdev_free(sheet);
  return result;
}

struct uinput_device *uinput_create(const struct uinput_settings *settings, char *error,
                                    size_t error_size) {
  char phys[128];
  snprintf(phys, sizeof phys, UINPUT_PHYS_PREFIX "%s", settings->name);
  struct uinput_device *device = calloc(1, sizeof *device);
  if (device == NULL) {
    snprintf(error, error_size, "there is no memory for a device");
    return NULL;
  }
  device->fd = -1;
  long first = first_of(phys);
  if (first >= 0) {
    say_twice(settings->name, first, error, error_size);
  } else if ((device->fd = open_node(error, error_size)) >= 0) {
    int result = make(device, settings, phys);
    if (result < 0)
      snprintf(error, error_size, "the kernel makes no touchscreen of %d x %d units: %s",
               settings->width, settings->height, strerror(-result));
    else if (is_later(device, phys, &first))
      say_twice(settings->name, first, error, error_size);
    else
      return device;
  }
  uinput_destroy(device);
  return NULL;
}

void uinput_destroy(struct uinput_device *device) {
  if (device == NULL)
    return;
  libevdev_uinput_destroy(device->uinput);
  if (device->fd >= 0)
    close(device->fd);
  free(device);
}

const char *uinput_node(const struct uinput_device *device) {
  const char *node = libevdev_uinput_get_devnode(device->uinput);
  return node != NULL ? node : "?";
}

int uinput_is_linked(const struct uinput_device *device, const char *name) {
  struct stat node, link;
  char path[sizeof UINPUT_LINKS + 256];
  int size = snprintf(path, sizeof path, UINPUT_LINKS "%s", name);
  return size > 0 && (size_t)size < sizeof path && stat(uinput_node(device), &node) == 0 &&
         stat(path, &link) == 0 && S_ISCHR(link.st_mode) && link.st_rdev == node.st_rdev;
}

int uinput_write(struct uinput_device *device, const struct input_event *events,
                 uint32_t count) {
  ssize_t size = (ssize_t)(count * sizeof events[0]);
  ssize_t written = write(device->fd, events, (size_t)size);
  if (written < 0)
    return -errno;
  return written == size ? 0 : -EIO;
}
