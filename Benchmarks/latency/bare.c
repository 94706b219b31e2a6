/*
 * The least that any router must do: read libinput, pass each frame to a second process over a socketpair, by itself or
 * with those that were read with it. No layout, no clients, no checks: the yardstick.
 */
#include "latency.h"

#include <errno.h>
#include <fcntl.h>
#include <libinput.h>
#include <libudev.h>
#include <stddef.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct bare_touch {
  int32_t slot;
  uint32_t kind;
  double x, y;
};

struct bare_frame {
  uint64_t time_us;
  uint32_t count;
  uint32_t reserved;
  struct bare_touch touches[32];
};

/* Frames that are yet to be sent. */
struct batch {
  size_t size;
  unsigned char bytes[64 * sizeof(struct bare_frame)];
};

static int open_device(const char *path, int flags, void *data) {
  (void)data;
  int fd = open(path, flags);
  return fd < 0 ? -errno : fd;
}

static void close_device(int fd, void *data) {
  (void)data;
  close(fd);
}

static const struct libinput_interface interface = {open_device, close_device};

static size_t size_of(const struct bare_frame *frame) {
  return offsetof(struct bare_frame, touches) + frame->count * sizeof frame->touches[0];
}

static void consume(int fd, struct samples *samples) {
  static struct batch batch;
  for (;;) {
    struct pollfd wait = {fd, POLLIN, 0};
    if (poll(&wait, 1, -1) < 0)
      fail("poll");
    ssize_t size = recv(fd, batch.bytes, sizeof batch.bytes, 0);
    if (size <= 0)
      exit(0);
    uint64_t arrived = now_ns();
    for (size_t at = 0; at < (size_t)size;) {
      struct bare_frame frame;
      memcpy(&frame, batch.bytes + at, offsetof(struct bare_frame, touches));
      samples->samples[samples->count] = (struct sample){frame.time_us, arrived};
      samples->count++;
      at += size_of(&frame);
    }
  }
}

static void add(struct bare_frame *frame, struct libinput_event *event, uint32_t kind, int moved) {
  struct libinput_event_touch *touch = libinput_event_get_touch_event(event);
  if (frame->count == 32)
    return;
  struct bare_touch *record = &frame->touches[frame->count++];
  record->slot = libinput_event_touch_get_slot(touch);
  record->kind = kind;
  record->x = moved ? libinput_event_touch_get_x_transformed(touch, 800) : 0;
  record->y = moved ? libinput_event_touch_get_y_transformed(touch, 480) : 0;
}

static void send_bytes(int fd, const void *bytes, size_t size) {
  if (send(fd, bytes, size, 0) < 0)
    exit(0);
}

static void flush(int fd, struct batch *batch) {
  if (batch->size > 0)
    send_bytes(fd, batch->bytes, batch->size);
  batch->size = 0;
}

static void append(int fd, struct batch *batch, const struct bare_frame *frame) {
  size_t size = size_of(frame);
  if (batch->size + size > sizeof batch->bytes)
    flush(fd, batch);
  memcpy(batch->bytes + batch->size, frame, size);
  batch->size += size;
}

static void forward(struct libinput *input, int fd, struct bare_frame *frame, struct batch *batch,
                    int batches) {
  struct libinput_event *event;
  while ((event = libinput_get_event(input))) {
    switch (libinput_event_get_type(event)) {
    case LIBINPUT_EVENT_TOUCH_DOWN:
      add(frame, event, 1, 1);
      break;
    case LIBINPUT_EVENT_TOUCH_MOTION:
      add(frame, event, 2, 1);
      break;
    case LIBINPUT_EVENT_TOUCH_UP:
      add(frame, event, 3, 0);
      break;
    case LIBINPUT_EVENT_TOUCH_CANCEL:
      add(frame, event, 4, 0);
      break;
    case LIBINPUT_EVENT_TOUCH_FRAME:
      frame->time_us =
          libinput_event_touch_get_time_usec(libinput_event_get_touch_event(event));
      if (batches)
        append(fd, batch, frame);
      else
        send_bytes(fd, frame, size_of(frame));
      frame->count = 0;
      break;
    default:
      break;
    }
    libinput_event_destroy(event);
  }
  flush(fd, batch);
}

void run_bare(struct samples *samples, const char *pid_file, int batches) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) < 0)
    fail("socketpair");
  if (fork() == 0) {
    close(pair[0]);
    consume(pair[1], samples);
  }
  close(pair[1]);
  struct libinput *input = libinput_udev_create_context(&interface, NULL, udev_new());
  if (!input || libinput_udev_assign_seat(input, "seat0") < 0)
    fail("libinput");
  FILE *file = fopen(pid_file, "w");
  if (!file)
    fail(pid_file);
  fprintf(file, "%d\n", getpid());
  fclose(file);
  static struct bare_frame frame;
  static struct batch batch;
  for (;;) {
    struct pollfd wait = {libinput_get_fd(input), POLLIN, 0};
    if (poll(&wait, 1, -1) < 0)
      fail("poll");
    libinput_dispatch(input);
    forward(input, pair[0], &frame, &batch, batches);
  }
}
