/*
 * After 2^31 serials the library begins anew, and takes none that is still in use. This program
 * includes the library, so that it can set the next serial.
 *
 * An answer that no recognizer waits for changes nothing, neither in the list nor behind it.
 */

#include "touchroute.c"

static int failures;

static void expect(struct touchroute_connection *c, uint32_t next, uint32_t taken,
                   const char *what) {
  c->requests.next_serial = next;
  uint32_t serial = take_serial(c);
  if (serial == taken)
    return;
  fprintf(stderr, "%s: took %u, expected %u\n", what, (unsigned)serial, (unsigned)taken);
  failures++;
}

static void expect_strange_answer_ignored(struct touchroute_connection *c) {
  struct recognizer asked = {.handle = 30, .state = RECOGNIZER_SENT}, behind;
  c->recognizers.count = TOUCHROUTE_CLIENT_RECOGNIZERS;
  for (size_t i = 0; i < c->recognizers.count; i++)
    c->recognizers.list[i] = (struct recognizer){.handle = 40, .state = RECOGNIZER_ADDED};
  memcpy(c->recognizers.requests, &asked, sizeof asked);
  int is_told = take_recognizer_answer(c, asked.handle, 1, 0);
  memcpy(&behind, c->recognizers.requests, sizeof behind);
  if (is_told && behind.state == RECOGNIZER_SENT && behind.id == 0)
    return;
  fprintf(stderr, "an answer to none of the recognizers was taken for one\n");
  failures++;
}

int main(void) {
  struct touchroute_connection *c = calloc(1, sizeof *c);
  if (!c)
    return 1;
  c->attachments.list[0] =
      (struct attachment){.handle = 5, .state = ATTACHMENT_HELD, .detach_serial = 6};
  c->attachments.list[1] = (struct attachment){.handle = 9, .state = ATTACHMENT_FREE};
  c->recognizers.list[0] =
      (struct recognizer){.handle = 15, .state = RECOGNIZER_ADDED, .remove_serial = 16};
  c->recognizers.list[1] = (struct recognizer){.handle = 19, .state = RECOGNIZER_FREE};
  expect(c, 5, 5, "nothing uses it");
  c->attachments.count = c->recognizers.count = 2;
  expect(c, 5, 7, "an attachment and its detach");
  expect(c, 9, 9, "an attachment that is free");
  expect(c, 15, 17, "a recognizer and its removal");
  expect(c, 19, 19, "a recognizer that is free");
  c->observing.serial = 25;
  c->observing.again = 26;
  expect(c, 25, 27, "what is observed");
  expect(c, INT32_MAX, INT32_MAX, "the last");
  uint32_t first = take_serial(c);
  if (first != 1)
    failures++;
  expect_strange_answer_ignored(c);
  free(c);
  return failures > 0;
}
