/*
 * touchroute-uinput: the process of `touchroute output uinput`, which reads the command line for it
 * and says what may stand there. A program of its own, in C, as one runs for each window all day.
 *
 * SPDX-License-Identifier: MIT
 */
#include "bridge.h"
#include "feed.h"
#include "touchscreen.h"

#include <stdio.h>

/* The words of the command line, in their order. */
enum word {
  SOCKET = 1,
  PATH,
  NAME,
  SCREEN,
  SLOTS,
  WIDTH,
  HEIGHT,
  RESOLUTION,
  CANCEL,
  PACE,
  FLAGS,
  COUNT
};

static int number(const char *text, long least, long most) {
  return (int)feed_number("touchroute-uinput", text, least, most);
}

int main(int argc, char **argv) {
  if (argc != COUNT) {
    fprintf(stderr, "touchroute-uinput: this is a part of touchroute; see touchroute output "
                    "uinput --help\n");
    return 64;
  }
  struct bridge_settings settings = {
      .socket = argv[SOCKET][0] != '\0' ? argv[SOCKET] : NULL,
      .path = argv[PATH],
      .name = argv[NAME],
      .screen = argv[SCREEN],
      .slots = (uint32_t)number(argv[SLOTS], 1, TOUCHSCREEN_MOST_SLOTS),
      .width = number(argv[WIDTH], 0, 65536),
      .height = number(argv[HEIGHT], 0, 65536),
      .resolution = number(argv[RESOLUTION], 0, 10000),
      .cancel = (uint32_t)number(argv[CANCEL], 0, TOUCHSCREEN_CANCEL_LIFT),
      .pace_ms = (uint32_t)number(argv[PACE], 0, 1000),
      .flags = (uint32_t)number(argv[FLAGS], 0, FEED_WAIT | FEED_TAKE_OVER),
  };
  return bridge_run(&settings);
}
