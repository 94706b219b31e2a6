/* attachments.c: the program's attachments, to make them again on the next daemon. */

#include "internal.h"

static int has_id(const struct attachment *a) {
  return a->state == ATTACHMENT_HELD || a->state == ATTACHMENT_WAITING;
}

/* The attachment after that one. previous NULL: the first. NULL: there is no further one. */
PRIVATE struct attachment *next_attachment(struct touchroute_connection *c,
                                           const struct attachment *previous) {
  size_t i = previous ? (size_t)(previous - c->attachments.list) + 1 : 0;
  for (; i < c->attachments.count; i++)
    if (c->attachments.list[i].state != ATTACHMENT_FREE)
      return &c->attachments.list[i];
  return NULL;
}

PRIVATE struct attachment *attachment_with_handle(struct touchroute_connection *c,
                                                  uint32_t handle) {
  for (size_t i = 0; i < c->attachments.count; i++)
    if (c->attachments.list[i].state != ATTACHMENT_FREE && c->attachments.list[i].handle == handle)
      return &c->attachments.list[i];
  return NULL;
}

PRIVATE struct attachment *attachment_with_id(struct touchroute_connection *c, uint32_t id) {
  for (size_t i = 0; i < c->attachments.count; i++)
    if (has_id(&c->attachments.list[i]) && c->attachments.list[i].id == id)
      return &c->attachments.list[i];
  return NULL;
}

static struct attachment *attachment_with_detach(struct touchroute_connection *c,
                                                 uint32_t serial) {
  for (size_t i = 0; i < c->attachments.count; i++) {
    struct attachment *a = &c->attachments.list[i];
    if (a->state != ATTACHMENT_FREE && a->detach_serial == serial)
      return a;
  }
  return NULL;
}

/* The attachment, if requests about it are still possible. NULL: there is none, it is being
   detached, or the connection has ended; the error says which. */
PRIVATE struct attachment *changeable_attachment(struct touchroute_connection *c,
                                                 uint32_t handle) {
  if (link_failure(c))
    return NULL;
  struct attachment *a = attachment_with_handle(c, handle);
  if (a && !a->detach_serial)
    return a;
  fail(c, ENOENT, "there is no attachment %u, or it is being detached", (unsigned)handle);
  return NULL;
}

/* Whether an attachment is in force and not being detached. */
PRIVATE int is_in_force(const struct attachment *a) {
  return a->state == ATTACHMENT_HELD && !a->detach_serial;
}

/* An attachment's path, of path_size bytes, without a zero byte. */
PRIVATE const char *attachment_path(const struct touchroute_connection *c,
                                    const struct attachment *a) {
  return c->attachments.paths + a->path;
}

/* The rest of a path below the attachment's view, without the slash; NULL: it is not below it. */
PRIVATE const char *path_below(const struct touchroute_connection *c, const struct attachment *a,
                               const char *path, size_t *size) {
  const char *view = c->attachments.paths + a->path;
  const char *controller = memchr(view, '@', a->path_size);
  size_t view_size = controller ? (size_t)(controller - view) : a->path_size;
  if (*size <= view_size || path[view_size] != '/' || memcmp(path, view, view_size) != 0)
    return NULL;
  *size -= view_size + 1;
  return path + view_size + 1;
}

PRIVATE int attachments_use(const struct touchroute_connection *c, uint32_t serial) {
  for (size_t i = 0; i < c->attachments.count; i++) {
    const struct attachment *a = &c->attachments.list[i];
    if (a->state != ATTACHMENT_FREE && (a->handle == serial || a->detach_serial == serial))
      return 1;
  }
  return 0;
}

/* Queues the attach or detach that is owed. False: there is no room for it. */
static int pay_attachment(struct touchroute_connection *c, struct attachment *a) {
  if (a->state == ATTACHMENT_OWED && !awaited(c, a)) {
    struct touchroute_attach attach = {.serial = a->handle,
                                       .handles = (uint16_t)a->handles,
                                       .passes = (uint16_t)a->passes,
                                       .flags = a->flags,
                                       .path_size = a->path_size};
    if (queue(c, &attach, sizeof attach, TOUCHROUTE_ATTACH, attachment_path(c, a),
              a->path_size) < 0)
      return 0;
    a->state = ATTACHMENT_SENT;
    c->attachments.owed--;
  } else if (has_id(a) && a->detach_serial && !a->detach_sent) {
    struct touchroute_detach detach = {.serial = a->detach_serial, .attachment = a->id};
    if (queue(c, &detach, sizeof detach, TOUCHROUTE_DETACH, NULL, 0) < 0)
      return 0;
    a->detach_sent = 1;
    c->attachments.owed--;
  }
  return 1;
}

/* Queues every attach and detach that is owed. False: there is no room for all. */
PRIVATE int pay_attachments(struct touchroute_connection *c) {
  for (size_t i = 0; c->attachments.owed > 0 && i < c->attachments.count; i++)
    if (!pay_attachment(c, &c->attachments.list[i]))
      return 0;
  return 1;
}

static void forget_attachment(struct touchroute_connection *c, struct attachment *gone) {
  struct attachments *all = &c->attachments;
  forget_views(c, gone);
  forget_recognizers(c, gone->handle);
  if (gone->state == ATTACHMENT_OWED || (has_id(gone) && gone->detach_serial && !gone->detach_sent))
    all->owed--;
  all->paths_used -= gone->path_size;
  memmove(all->paths + gone->path, all->paths + gone->path + gone->path_size,
          all->paths_used - gone->path);
  for (size_t i = 0; i < all->count; i++)
    if (all->list[i].path > gone->path)
      all->list[i].path -= gone->path_size;
  memset(gone, 0, sizeof *gone);
  while (all->count > 0 && all->list[all->count - 1].state == ATTACHMENT_FREE)
    all->count--;
}

/* After a lost connection: every attachment is owed again, except those being detached. */
PRIVATE void owe_attachments(struct touchroute_connection *c) {
  c->attachments.owed = 0;
  for (size_t i = c->attachments.count; i-- > 0;) {
    struct attachment *a = &c->attachments.list[i];
    if (a->state == ATTACHMENT_FREE)
      continue;
    owe_views(c, a, 1);
    if (a->detach_serial) {
      a->detach_sent = 1; /* keeps forget_attachment from counting it */
      forget_attachment(c, a);
    } else {
      a->state = ATTACHMENT_OWED;
      c->attachments.owed++;
    }
  }
}

/* The serial of a detach that is not sent yet, or 0. */
static uint32_t unsent_detach(const struct attachment *a) {
  return a->detach_sent ? 0 : a->detach_serial;
}

/* Ends the attachment, if this done answers its detach. */
PRIVATE void take_detach_answer(struct touchroute_connection *c, uint32_t serial) {
  struct attachment *a = attachment_with_detach(c, serial);
  if (!a)
    return;
  cancel_all(c, a->handle, TOUCHROUTE_CANCEL_REQUESTED);
  forget_attachment(c, a);
}

/* Ends the attachment, if this error answers its attach or detach. Returns the serial of a detach
   that is not sent yet, or 0. */
PRIVATE uint32_t take_attachment_error(struct touchroute_connection *c, uint32_t serial) {
  struct attachment *a = attachment_with_detach(c, serial);
  if (!a)
    a = attachment_with_handle(c, serial);
  if (!a)
    return 0;
  uint32_t unsent = unsent_detach(a);
  cancel_all(c, a->handle, TOUCHROUTE_CANCEL_REQUESTED);
  forget_attachment(c, a);
  return unsent;
}

/*
 * Puts an attachment in a new state: the one whose attach is answered, with the daemon's number for
 * it, or with serial 0 the one of that number. NULL: there is none, or it is in that state already.
 */
static struct attachment *take_place(struct touchroute_connection *c, uint32_t serial, uint32_t id,
                                     enum attachment_state state) {
  struct attachment *a = serial ? attachment_with_handle(c, serial) : attachment_with_id(c, id);
  if (!a || a->state == state || (serial && a->state != ATTACHMENT_SENT))
    return NULL;
  if (serial && a->detach_serial)
    c->attachments.owed++;
  a->state = state;
  a->id = id;
  return a;
}

static uint32_t cancel_reason(uint32_t detach_reason) {
  switch (detach_reason) {
  case TOUCHROUTE_DETACH_REMOVED: return TOUCHROUTE_CANCEL_TARGET_REMOVED;
  case TOUCHROUTE_DETACH_TAKEN_OVER: return TOUCHROUTE_CANCEL_TAKEN_OVER;
  default: return TOUCHROUTE_CANCEL_REQUESTED;
  }
}

PRIVATE int handle_attached(struct touchroute_connection *c, const struct touchroute_header *header,
                            struct cursor cursor) {
  struct touchroute_attached attached;
  if (!take_struct(&cursor, &attached, sizeof attached))
    return malformed(c, header, too_short);
  if (header->opcode == TOUCHROUTE_LAYOUT) {
    struct attachment *a = attachment_with_id(c, attached.attachment);
    if (!a)
      return 0;
    attached.serial = 0;
    attached.attachment = a->handle;
    CALL(c, layout, &attached);
    return 0;
  }
  struct attachment *a = take_place(c, attached.serial, attached.attachment, ATTACHMENT_HELD);
  if (!a)
    return 0;
  attached.serial = attached.attachment = a->handle;
  CALL(c, attached, &attached);
  return 0;
}

PRIVATE int handle_waiting(struct touchroute_connection *c,
                           const struct touchroute_header *header, struct cursor cursor) {
  struct touchroute_waiting waiting;
  const char *text;
  if (!take_struct(&cursor, &waiting, sizeof waiting) ||
      !(text = take_text(c, &cursor, waiting.text_size)))
    return malformed(c, header, too_short);
  struct attachment *a = take_place(c, waiting.serial, waiting.attachment, ATTACHMENT_WAITING);
  if (!a)
    return 0;
  uint32_t handle = a->handle;
  cancel_all(c, handle, cancel_reason(waiting.reason));
  owe_recognizers(c, handle);
  owe_views(c, a, 0);
  CALL(c, waiting, handle, waiting.reason, text);
  return 0;
}

PRIVATE int handle_detached(struct touchroute_connection *c,
                            const struct touchroute_header *header, struct cursor cursor) {
  struct touchroute_detached detached;
  const char *text;
  if (!take_struct(&cursor, &detached, sizeof detached) ||
      !(text = take_text(c, &cursor, detached.text_size)))
    return malformed(c, header, too_short);
  struct attachment *a = attachment_with_id(c, detached.attachment);
  if (!a)
    return 0;
  uint32_t handle = a->handle, unsent = unsent_detach(a);
  cancel_all(c, handle, cancel_reason(detached.reason));
  forget_attachment(c, a);
  CALL(c, detached, handle, detached.reason, text);
  answer_done(c, unsent);
  return 0;
}

PRIVATE int handle_holder(struct touchroute_connection *c, const struct touchroute_header *header,
                          struct cursor cursor) {
  struct touchroute_holder holder;
  const char *path, *name;
  if (!take_struct(&cursor, &holder, sizeof holder) ||
      !(path = take_text(c, &cursor, holder.path_size)) ||
      !(name = take_text(c, &cursor, holder.name_size)))
    return malformed(c, header, too_short);
  const struct attachment *a = attachment_with_id(c, holder.attachment);
  if (!a)
    return 0;
  holder.attachment = a->handle;
  CALL(c, holder, &holder, path, name);
  return 0;
}

static struct attachment *free_attachment(struct touchroute_connection *c) {
  for (size_t i = 0; i < c->attachments.count; i++)
    if (c->attachments.list[i].state == ATTACHMENT_FREE)
      return &c->attachments.list[i];
  return c->attachments.count < TOUCHROUTE_CLIENT_ATTACHMENTS
             ? &c->attachments.list[c->attachments.count++]
             : NULL;
}

int touchroute_attach(struct touchroute_connection *c, const char *path, uint32_t handles,
                      uint32_t passes, uint32_t flags) {
  if (link_failure(c))
    return link_failure(c);
  size_t size = path ? strlen(path) : 0;
  if (size == 0)
    return fail(c, EINVAL, "attaching needs the path of a responder");
  int result = check_path(c, path, size);
  if (result < 0)
    return result;
  if (handles == 0 || (handles & ~(uint32_t)TOUCHROUTE_HANDLES_ALL) || (passes & ~handles))
    return fail(c, EINVAL,
                "attaching to %.256s: handles (%#x) has to name phases, and passes (%#x) only "
                "phases that it handles",
                path, (unsigned)handles, (unsigned)passes);
  struct attachments *all = &c->attachments;
  if (size > sizeof all->paths - all->paths_used)
    return fail(c, ENOSPC, "the paths of a connection's attachments can have %u bytes together",
                TOUCHROUTE_CLIENT_PATHS);
  uint32_t serial = take_serial(c);
  struct attachment *a = free_attachment(c);
  if (!a)
    return fail(c, ENOSPC, "a connection can have %u attachments", TOUCHROUTE_CLIENT_ATTACHMENTS);
  *a = (struct attachment){.handle = serial,
                           .state = ATTACHMENT_OWED,
                           .handles = handles,
                           .passes = passes,
                           .flags = flags,
                           .path = (uint32_t)all->paths_used,
                           .path_size = (uint32_t)size};
  memcpy(all->paths + all->paths_used, path, size);
  all->paths_used += size;
  all->owed++;
  pay_owed(c);
  return finish_request(c, (int)serial);
}

int touchroute_detach(struct touchroute_connection *c, uint32_t attachment) {
  struct attachment *a = changeable_attachment(c, attachment);
  if (!a)
    return link_failure(c) ? link_failure(c) : -ENOENT;
  if (a->state == ATTACHMENT_OWED) {
    forget_attachment(c, a);
    return 0;
  }
  a->detach_serial = take_serial(c);
  int serial = (int)a->detach_serial;
  if (has_id(a))
    c->attachments.owed++; /* otherwise when it has been attached */
  pay_owed(c);
  return finish_request(c, serial);
}
