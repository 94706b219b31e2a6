#include "haptic.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/uinput.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int set_up(int descriptor) {
  struct uinput_setup setup = {.id = {.bustype = BUS_VIRTUAL, .vendor = 1, .product = 1},
                               .name = "haptic of a test",
                               .ff_effects_max = 4};
  return ioctl(descriptor, UI_SET_EVBIT, EV_FF) < 0 ||
                 ioctl(descriptor, UI_SET_EVBIT, EV_SND) < 0 ||
                 ioctl(descriptor, UI_SET_FFBIT, FF_RUMBLE) < 0 ||
                 ioctl(descriptor, UI_SET_FFBIT, FF_PERIODIC) < 0 ||
                 ioctl(descriptor, UI_SET_FFBIT, FF_SINE) < 0 ||
                 ioctl(descriptor, UI_SET_SNDBIT, SND_TONE) < 0 ||
                 ioctl(descriptor, UI_DEV_SETUP, &setup) < 0 || ioctl(descriptor, UI_DEV_CREATE) < 0
             ? -1
             : 0;
}

static int find_node(int descriptor, char *node, size_t size) {
  char name[64] = "", folder[128];
  if (ioctl(descriptor, UI_GET_SYSNAME(sizeof name), name) < 0)
    return -1;
  snprintf(folder, sizeof folder, "/sys/devices/virtual/input/%s", name);
  DIR *entries = opendir(folder);
  if (entries == NULL)
    return -1;
  int result = -1;
  for (struct dirent *entry; (entry = readdir(entries)) != NULL;)
    if (strncmp(entry->d_name, "event", 5) == 0) {
      snprintf(node, size, "/dev/input/%s", entry->d_name);
      result = 0;
    }
  closedir(entries);
  return result;
}

int haptic_create(char *node, size_t size) {
  int descriptor = open("/dev/uinput", O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return -1;
  if (set_up(descriptor) == 0 && find_node(descriptor, node, size) == 0)
    return descriptor;
  close(descriptor);
  return -1;
}

static void take_upload(int descriptor, uint32_t request, struct haptic_event *event) {
  struct uinput_ff_upload upload = {.request_id = request};
  ioctl(descriptor, UI_BEGIN_FF_UPLOAD, &upload);
  event->effect = upload.effect.type;
  event->length = upload.effect.replay.length;
  event->magnitude = upload.effect.type == FF_RUMBLE
                         ? upload.effect.u.rumble.strong_magnitude
                         : (uint16_t)upload.effect.u.periodic.magnitude;
  upload.retval = 0;
  ioctl(descriptor, UI_END_FF_UPLOAD, &upload);
}

static void take_erasure(int descriptor, uint32_t request) {
  struct uinput_ff_erase erase = {.request_id = request};
  ioctl(descriptor, UI_BEGIN_FF_ERASE, &erase);
  erase.retval = 0;
  ioctl(descriptor, UI_END_FF_ERASE, &erase);
}

int haptic_take(int descriptor, struct haptic_event *event) {
  struct input_event raw;
  if (read(descriptor, &raw, sizeof raw) != (ssize_t)sizeof raw)
    return 0;
  *event = (struct haptic_event){.type = raw.type, .code = raw.code, .value = raw.value};
  if (raw.type == EV_UINPUT && raw.code == UI_FF_UPLOAD)
    take_upload(descriptor, (uint32_t)raw.value, event);
  if (raw.type == EV_UINPUT && raw.code == UI_FF_ERASE)
    take_erasure(descriptor, (uint32_t)raw.value);
  return 1;
}

void haptic_destroy(int descriptor) {
  ioctl(descriptor, UI_DEV_DESTROY);
  close(descriptor);
}
