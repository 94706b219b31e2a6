/*
 * printable.h: text as a terminal, a log or JSON may be given it. The Swift rooms have
 * String.printable() of TouchModel for this, and a test holds that both say the same.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef CFEED_PRINTABLE_H
#define CFEED_PRINTABLE_H

#include <stddef.h>

enum printable_form {
  PRINTABLE_LINE, /* one line of a terminal or a log */
  PRINTABLE_JSON, /* a part of a string of JSON: quotes and backslashes are escaped too */
};

/* As much as the escaped form of so many bytes takes at most, its end included. */
#define PRINTABLE_SIZE(size) (6 * (size) + 1)

/*
 * Escapes text that others have named. Control and format characters and separators of lines become
 * \u001b and the like; a byte that is no UTF-8 becomes U+FFFD. What does not fit is left out, whole
 * characters at a time. Returns the buffer.
 */
const char *printable(char *buffer, size_t size, const char *text, enum printable_form form);

#endif
