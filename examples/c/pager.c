/*
 * Pages that are turned sideways, with views of other programs on them: pager [RESPONDER]. The
 * daemon knows the whole tree, so it decides at once which program gets a finger. A program on the
 * page hears `cancelled`, and need not know of this one. The gesture comes from the configuration,
 * examples/gestures/pager.toml.
 */
#include <stdio.h>
#include <stdlib.h>
#include <touchroute.h>

enum { PAGES = 4, FLING = 300 /* points a second */ };

struct pager {
  double width; /* of a page, in points */
  int page;     /* from 0 */
  double moved; /* how far the page in front is from its place, in points */
};

/* Turns to the nearest page, to the next one if the finger was fast, or back if cancelled. */
static void settle(struct pager *pager, const struct touchroute_gesture *gesture) {
  int step = 0;
  if (gesture->state == TOUCHROUTE_GESTURE_ENDED) {
    if (gesture->velocity_x < -FLING || pager->moved < -pager->width / 2)
      step = 1;
    else if (gesture->velocity_x > FLING || pager->moved > pager->width / 2)
      step = -1;
  }
  if (pager->page + step >= 0 && pager->page + step < PAGES)
    pager->page += step;
  pager->moved = 0;
  printf("page %d\n", pager->page + 1);
}

static void on_gesture(void *data, struct touchroute_connection *connection,
                       const struct touchroute_gesture *gesture, const char *path) {
  struct pager *pager = data;
  (void)connection, (void)path; /* it is told of this one alone */
  pager->moved = gesture->translation_x;
  if (gesture->state == TOUCHROUTE_GESTURE_ENDED || gesture->state == TOUCHROUTE_GESTURE_CANCELLED)
    settle(pager, gesture);
  fflush(stdout);
}

static void on_geometry(void *data, struct touchroute_connection *connection,
                        const struct touchroute_attached *attached) {
  struct pager *pager = data;
  (void)connection;
  pager->width = attached->bounds[2];
}

static void on_attached(void *data, struct touchroute_connection *connection,
                        const struct touchroute_attached *attached) {
  on_geometry(data, connection, attached);
  printf("attached\n");
  fflush(stdout);
}

static void on_error(void *data, struct touchroute_connection *connection,
                     const struct touchroute_error *error, const char *text) {
  (void)data, (void)connection;
  fprintf(stderr, "%s\n", text);
  if (error->request == TOUCHROUTE_ATTACH)
    exit(1);
}

int main(int count, char **arguments) {
  struct pager pager = {0};
  struct touchroute_listener listener = {.size = sizeof listener,
                                         .gesture = on_gesture,
                                         .attached = on_attached,
                                         .layout = on_geometry,
                                         .error = on_error};
  struct touchroute_connection *connection =
      touchroute_connect(NULL, "pager", TOUCHROUTE_RECONNECT, &listener, &pager);
  if (!connection) {
    fprintf(stderr, "%s\n", touchroute_error_text(NULL));
    return 1;
  }
  touchroute_attach(connection, count > 1 ? arguments[1] : "home", TOUCHROUTE_HANDLES_ALL, 0,
                    TOUCHROUTE_ATTACH_GESTURES);
  while (touchroute_dispatch(connection, -1) >= 0) {
  }
  fprintf(stderr, "%s\n", touchroute_error_text(connection));
  touchroute_disconnect(connection);
  return 1;
}
