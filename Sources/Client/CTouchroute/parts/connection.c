/* connection.c: the parts together: connecting, dispatching, disconnecting. */

#include "internal.h"

static _Thread_local char connect_error[ERROR_SIZE];

/* Queues requests that a full buffer or a missing connection kept back. The rest stays owed. */
PRIVATE void pay_owed(struct touchroute_connection *c) {
  if (!is_connected(c) || !pay_observing(c) || !pay_attachments(c))
    return;
  pay_views(c);
  pay_recognizers(c);
}

/* Queues and sends what is owed, as long as the daemon reads: sending makes room for more. Nothing
   else would wake a program that waits for the daemon. */
static void send_owed(struct touchroute_connection *c) {
  size_t queued;
  do {
    pay_owed(c);
    queued = waiting_bytes(c);
  } while (flush_output(c) == 0 && queued > 0);
}

/* Sends a request at once. In a callback it does not: dispatch sends all of them together. */
PRIVATE int finish_request(struct touchroute_connection *c, int result) {
  if (result >= 0 && !c->listening.dispatching)
    flush_output(c);
  return result;
}

PRIVATE int is_doomed(const struct touchroute_connection *c) { return c->listening.doomed; }

/* Cancels the touches and gestures of an attachment, or all (handle 0). */
PRIVATE void cancel_all(struct touchroute_connection *c, uint32_t handle, uint8_t reason) {
  cancel_live(c, handle, reason);
  cancel_gestures(c, handle, reason);
}

/* The daemon's end of the connection is gone. What the program asked for is owed to the next. */
PRIVATE void owe_everything(struct touchroute_connection *c) {
  lose_ended_views(c);
  lose_recognizers(c);
  owe_observing(c);
  owe_attachments(c);
}

int touchroute_dispatch(struct touchroute_connection *c, int timeout_ms) {
  if (c->listening.dispatching)
    return fail(c, EBUSY, "touchroute_dispatch may not be called in a callback");
  if (link_failure(c))
    return link_failure(c);
  c->listening.dispatching = 1;
  c->listening.calls = 0;
  answer_rest(c);
  send_owed(c);
  if (timeout_ms != 0 && c->listening.calls == 0)
    wait_for_link(c, timeout_ms);
  int result = read_link(c);
  if (result >= 0)
    answer_rest(c);
  c->listening.dispatching = 0;
  if (c->listening.doomed) {
    touchroute_disconnect(c);
    return -ECANCELED;
  }
  send_owed(c);
  return result < 0 ? result : c->listening.calls;
}

int touchroute_flush(struct touchroute_connection *c) {
  if (link_failure(c))
    return link_failure(c);
  send_owed(c);
  if (waiting_bytes(c) > 0)
    return fail(c, EAGAIN, "%zu bytes of requests wait for touchrouted, which does not read them",
                waiting_bytes(c));
  return 0;
}

const char *touchroute_error_text(const struct touchroute_connection *c) {
  return c ? c->error : connect_error;
}

static int take_listener(struct touchroute_connection *c,
                         const struct touchroute_listener *listener, void *data) {
  size_t known = sizeof c->listening.listener;
  if (!listener || listener->size < sizeof listener->size)
    return fail(c, EINVAL, "listener.size has to be sizeof(struct touchroute_listener)");
  memcpy(&c->listening.listener, listener, listener->size < known ? listener->size : known);
  c->listening.data = data;
  return 0;
}

struct touchroute_connection *touchroute_connect(const char *path, const char *name,
                                                 uint32_t flags,
                                                 const struct touchroute_listener *listener,
                                                 void *data) {
  struct touchroute_connection *c = calloc(1, sizeof *c);
  if (!c) {
    snprintf(connect_error, sizeof connect_error, "no memory for a connection to touchrouted");
    errno = ENOMEM;
    return NULL;
  }
  int result = take_listener(c, listener, data);
  if (result == 0 && (result = open_link(c, path, name, flags)) < 0)
    close_link(c);
  if (result < 0) {
    memcpy(connect_error, c->error, sizeof connect_error);
    free(c);
    errno = -result;
    return NULL;
  }
  connect_error[0] = 0;
  return c;
}

void touchroute_disconnect(struct touchroute_connection *c) {
  if (!c)
    return;
  if (c->listening.dispatching) {
    c->listening.doomed = 1;
    return;
  }
  close_link(c);
  free_views(c);
  free(c);
}
