/* views.c: the views that the program has added, and its requests about them. */

#include "internal.h"

/* Whether the daemon has all views of an attachment, with all changes since. */
PRIVATE int has_views(const struct touchroute_connection *c, const struct attachment *a) {
  if (!is_in_force(a) || a->views.next < a->views.used)
    return 0;
  for (size_t i = 0; i < c->views.count; i++)
    if (c->views.batches[i].attachment == a->handle && !c->views.batches[i].sent)
      return 0;
  return 1;
}

/* The attachment whose added view another one is attached to, while the daemon lacks that view. */
PRIVATE const struct attachment *awaited(struct touchroute_connection *c,
                                         const struct attachment *a) {
  for (struct attachment *b = NULL; (b = next_attachment(c, b));) {
    size_t size = a->path_size;
    const char *path;
    if (b == a || b->views.used == 0 ||
        (b->state == ATTACHMENT_HELD && b->views.next == b->views.used) ||
        !(path = path_below(c, b, attachment_path(c, a), &size)))
      continue;
    if (adds_kept(&b->views, path, size))
      return b;
  }
  return NULL;
}

PRIVATE int views_use(const struct touchroute_connection *c, uint32_t serial) {
  for (size_t i = 0; i < c->views.count; i++)
    if (c->views.batches[i].serial == serial)
      return 1;
  return 0;
}

static void forget_batch(struct touchroute_connection *c, size_t index) {
  c->views.bytes -= c->views.batches[index].kept_size;
  free(c->views.batches[index].request);
  c->views.count--;
  memmove(&c->views.batches[index], &c->views.batches[index + 1],
          (c->views.count - index) * sizeof *c->views.batches);
}

/* Forgets the views of an attachment that has ended, and its open requests. The daemon answers
   those that are sent, and the library the others. */
PRIVATE void forget_views(struct touchroute_connection *c, struct attachment *a) {
  c->views.bytes -= a->views.used;
  free(a->views.steps);
  a->views = (struct kept_views){0};
  for (size_t i = c->views.count; i-- > 0;) {
    struct batch *batch = &c->views.batches[i];
    if (batch->attachment != a->handle)
      continue;
    c->views.bytes -= batch->kept_size;
    free(batch->request);
    *batch = (struct batch){.serial = batch->serial, .sent = batch->sent};
    owe_answers(c, batch->sent ? 0 : 1);
  }
}

static void tidy_views(struct touchroute_connection *c, struct kept_views *views) {
  c->views.bytes -= views->used;
  tidy_kept(views);
  c->views.bytes += views->used;
}

/* The daemon has forgotten the views of an attachment. After a lost connection, open requests are
   sent again, too; otherwise those that are refused for it. */
PRIVATE void owe_views(struct touchroute_connection *c, struct attachment *a, int is_lost) {
  c->views.bytes -= a->views.used;
  owe_kept(&a->views);
  c->views.bytes += a->views.used;
  for (size_t i = 0; i < c->views.count; i++) {
    struct batch *batch = &c->views.batches[i];
    if (batch->attachment != a->handle)
      continue;
    batch->is_overtaken = batch->sent && !is_lost;
    if (is_lost)
      batch->sent = 0;
  }
}

/* After a lost connection: the library answers the open requests of ended attachments. */
PRIVATE void lose_ended_views(struct touchroute_connection *c) {
  for (size_t i = 0; i < c->views.count; i++) {
    struct batch *batch = &c->views.batches[i];
    owe_answers(c, batch->attachment == 0 && batch->sent);
    batch->sent = 0; /* others are sent again */
  }
}

/* Asks for the next page of kept steps, once the one before is answered. Returns whether the daemon
   has them all. */
static int pay_kept(struct touchroute_connection *c, struct attachment *a) {
  struct kept_views *views = &a->views;
  if (views->next == views->used)
    return 1;
  if (views->serial)
    return 0;
  struct touchroute_change_views request = {.serial = take_own_serial(c), .attachment = a->id};
  struct kept_page page = next_page(views, TOUCHROUTE_MAX_CHANGE_VIEWS - sizeof request);
  request.step_count = page.count;
  unsigned char *rest;
  if (queue_open(c, &request, sizeof request, TOUCHROUTE_CHANGE_VIEWS, page.size, &rest) == 0)
    write_page(views, page, request.serial, rest);
  return 0;
}

/* Queues the kept views of attachments in force, then the open requests. */
PRIVATE void pay_views(struct touchroute_connection *c) {
  int has_all = 1;
  if (c->views.bytes == 0)
    return;
  for (struct attachment *a = NULL; (a = next_attachment(c, a));)
    if (is_in_force(a))
      has_all &= pay_kept(c, a);
  for (size_t i = 0; has_all && i < c->views.count; i++) {
    struct batch *batch = &c->views.batches[i];
    const struct attachment *a = batch->sent ? NULL : attachment_with_handle(c, batch->attachment);
    if (!a || !is_in_force(a))
      continue;
    struct touchroute_change_views request;
    memcpy(&request, batch->request, sizeof request);
    request.attachment = a->id;
    if (queue(c, &request, sizeof request, TOUCHROUTE_CHANGE_VIEWS,
              (const char *)batch->request + sizeof request, batch->size - sizeof request) < 0)
      return;
    batch->sent = 1;
  }
}

/* Keeps the steps of a request that is done: first those that add and remove, then the changes. */
static void keep_steps(struct touchroute_connection *c, struct attachment *a,
                       const struct batch *batch) {
  const unsigned char *end = batch->request + batch->size;
  for (int changes = 0; changes <= 1; changes++) {
    const unsigned char *at = batch->request + sizeof(struct touchroute_change_views);
    for (size_t size; at < end; at += size) {
      struct touchroute_view_step step;
      memcpy(&step, at, sizeof step);
      size = step_size_at(at);
      if ((step.kind == TOUCHROUTE_STEP_CHANGE) != changes)
        continue;
      if (!changes)
        mark_orphans(c, a, (const char *)at + sizeof step, step.path_size,
                     step.kind == TOUCHROUTE_STEP_REMOVE);
      c->views.bytes -= a->views.used;
      keep_step(&a->views, at, size, a->state == ATTACHMENT_HELD);
      c->views.bytes += a->views.used;
    }
  }
  if (a->views.used > 2 * a->views.tidied + TOUCHROUTE_MAX_CHANGE_VIEWS)
    tidy_views(c, &a->views);
}

/* Takes the answer to a page of kept steps. Returns the error to tell the program, or NULL. */
static const char *take_kept_answer(struct touchroute_connection *c, struct kept_views *views,
                                    const char *error) {
  long untried;
  c->views.bytes -= views->used;
  int is_told = take_page_answer(views, error != NULL, &untried);
  c->views.bytes += views->used;
  if (!is_told || untried <= 0)
    return is_told ? error : NULL;
  return write_text(c, "%s; %u were refused, and %ld more are not tried", error, REFUSED, untried);
}

/* Does what take_views_answer does, for a page of kept steps. */
static int is_kept_answer(struct touchroute_connection *c, uint32_t *serial, const char **error) {
  if (!is_own_serial(*serial))
    return 0;
  const char *told = NULL; /* nothing, where the attachment has ended or waits since */
  for (struct attachment *a = NULL; (a = next_attachment(c, a));)
    if (a->views.serial == *serial)
      told = take_kept_answer(c, &a->views, *error);
  *error = told;
  *serial = 0;
  return 1;
}

/*
 * Takes the answer to change_views, if it is that, and keeps the steps that are in force. error:
 * the daemon's text, or NULL for done. Returns whether to tell the program, with that serial and
 * error.
 */
PRIVATE int take_views_answer(struct touchroute_connection *c, uint32_t *serial,
                              const char **error) {
  if (is_kept_answer(c, serial, error))
    return *error != NULL;
  for (size_t i = 0; i < c->views.count; i++) {
    struct batch batch = c->views.batches[i];
    if (!batch.sent || batch.serial != *serial)
      continue;
    struct attachment *a = attachment_with_handle(c, batch.attachment);
    if (*error && batch.is_overtaken) { /* asked again, behind the views that it may be about */
      c->views.batches[i].sent = c->views.batches[i].is_overtaken = 0;
      return 0;
    }
    c->views.batches[i].request = NULL;
    forget_batch(c, i);
    if (a && !*error)
      keep_steps(c, a, &batch);
    forget_orphans(c);
    free(batch.request);
    return 1;
  }
  return 1;
}

/* Forgets a change_views that the daemon will not answer. Returns its serial, or 0. */
PRIVATE uint32_t take_unanswered_views(struct touchroute_connection *c) {
  for (size_t i = 0; i < c->views.count; i++) {
    uint32_t serial = c->views.batches[i].serial;
    if (c->views.batches[i].attachment != 0 || c->views.batches[i].sent)
      continue;
    forget_batch(c, i);
    return serial;
  }
  return 0;
}

PRIVATE void free_views(struct touchroute_connection *c) {
  for (struct attachment *a = NULL; (a = next_attachment(c, a));)
    free(a->views.steps);
  for (size_t i = 0; i < c->views.count; i++)
    free(c->views.batches[i].request);
}

/* Checks the steps, and measures the request. Returns 0 or a failure. */
static int measure_steps(struct touchroute_connection *c,
                         const struct touchroute_view_change *steps, uint32_t count,
                         struct batch *batch) {
  batch->size = sizeof(struct touchroute_change_views);
  for (uint32_t i = 0; i < count; i++) {
    const char *wrong = wrong_step(&steps[i]);
    if (wrong)
      return fail(c, EINVAL, "step %u of %u, of \"%.256s\": %s", (unsigned)i + 1, (unsigned)count,
                  steps[i].path ? steps[i].path : "", wrong);
    batch->size += step_size(&steps[i]);
    if (batch->size > TOUCHROUTE_MAX_CHANGE_VIEWS)
      return fail(c, EMSGSIZE,
                  "%u of %u steps fit into a request of %u bytes: ask for fewer at once",
                  (unsigned)i, (unsigned)count, TOUCHROUTE_MAX_CHANGE_VIEWS);
  }
  batch->kept_size = batch->size - sizeof(struct touchroute_change_views) + 8u * count;
  return 0;
}

/* Checks that the steps can be kept, and drops void ones for that. Removing is always possible. */
static int check_kept(struct touchroute_connection *c, const struct touchroute_view_change *steps,
                      uint32_t count, const struct batch *batch) {
  int only_removes = 1;
  for (uint32_t i = 0; i < count; i++)
    only_removes &= steps[i].kind == TOUCHROUTE_STEP_REMOVE;
  if (only_removes || c->views.bytes + batch->kept_size <= TOUCHROUTE_CLIENT_VIEWS)
    return 0;
  for (struct attachment *a = NULL; (a = next_attachment(c, a));)
    tidy_views(c, &a->views);
  if (c->views.bytes + batch->kept_size <= TOUCHROUTE_CLIENT_VIEWS)
    return 0;
  return fail(c, ENOSPC, "the views that a connection has added can have %u bytes together",
              TOUCHROUTE_CLIENT_VIEWS);
}

/* Allocates the request, and room to keep its steps and those of earlier requests. */
static int make_room(struct touchroute_connection *c, struct attachment *a, struct batch *batch) {
  size_t needed = a->views.used + batch->kept_size;
  for (size_t i = 0; i < c->views.count; i++)
    if (c->views.batches[i].attachment == a->handle)
      needed += c->views.batches[i].kept_size;
  if (make_kept_room(&a->views, needed) && (batch->request = calloc(1, batch->size)))
    return 0;
  return fail(c, ENOMEM, "no memory for the views of a connection");
}

int touchroute_change_views(struct touchroute_connection *c, uint32_t attachment,
                            const struct touchroute_view_change *steps, uint32_t count) {
  struct attachment *a = changeable_attachment(c, attachment);
  if (!a)
    return link_failure(c) ? link_failure(c) : -ENOENT;
  if (count == 0)
    return fail(c, EINVAL, "there is nothing to change");
  if (c->views.count == TOUCHROUTE_CLIENT_BATCHES)
    return fail(c, EAGAIN, "%u change_views wait for their answers", TOUCHROUTE_CLIENT_BATCHES);
  struct batch batch = {.attachment = attachment};
  int result = measure_steps(c, steps, count, &batch);
  if (result == 0)
    result = check_kept(c, steps, count, &batch);
  if (result == 0)
    result = make_room(c, a, &batch);
  if (result < 0)
    return result;
  batch.serial = take_serial(c);
  struct touchroute_change_views request = {.serial = batch.serial, .step_count = count};
  memcpy(batch.request, &request, sizeof request);
  unsigned char *to = batch.request + sizeof request;
  for (uint32_t i = 0; i < count; i++)
    to = write_step(&steps[i], to);
  c->views.bytes += batch.kept_size;
  c->views.batches[c->views.count++] = batch;
  pay_owed(c);
  return finish_request(c, (int)batch.serial);
}
