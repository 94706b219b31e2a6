#pragma once
#include <libinput.h>
#include <libudev.h>
#include <linux/input.h>
#include <stdarg.h>
#include <stdio.h>

/* What libinput says, as a line: Swift can't take a va_list on every machine. */
typedef void (*clibinput_line_handler)(struct libinput *context,
                                       enum libinput_log_priority priority, const char *line);

static inline clibinput_line_handler *clibinput_handler(void) {
  static clibinput_line_handler handler;
  return &handler;
}

static inline void clibinput_format(struct libinput *context, enum libinput_log_priority priority,
                                    const char *format, va_list arguments) {
  char line[1024];
  if (vsnprintf(line, sizeof line, format, arguments) >= 0)
    (*clibinput_handler())(context, priority, line);
}

/* As libinput_log_set_handler; the handler is that of all contexts. */
static inline void clibinput_log_set_handler(struct libinput *context,
                                             clibinput_line_handler handler) {
  *clibinput_handler() = handler;
  libinput_log_set_handler(context, clibinput_format);
}
