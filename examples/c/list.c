/*
 * A list that scrolls, in a window that other programs share: list [RESPONDER]. Its view is in
 * front, so it gets each touch first. A finger that moves up or down scrolls the list. A finger
 * that moves sideways is not for a list, so this program declines it. The program that holds the
 * window then gets it from its beginning. A finger that is lifted where it came down picks a row.
 */
#include <stdio.h>
#include <stdlib.h>
#include <touchroute.h>

enum { ROWS = 100, ROW_HEIGHT = 44, SLOP = 8 };

struct list {
  const char *path;
  double height;   /* points that are seen */
  double scrolled; /* points of the content above them */

  enum { IDLE, UNDECIDED, SCROLLING } state;
  uint64_t touch; /* the one that is followed, unless idle */
  double start_x, start_y, start_scrolled;
};

static double distance(double from, double to) { return from < to ? to - from : from - to; }

/* The view's own coordinates start where the content is scrolled to. */
static void scroll(struct list *list, struct touchroute_connection *connection, double to) {
  double most = ROWS * ROW_HEIGHT - list->height;
  list->scrolled = to < 0 ? 0 : to > most ? most : to;
  touchroute_set(connection,
                 &(struct touchroute_property_change){
                     .path = list->path,
                     .property = TOUCHROUTE_PROPERTY_BOUNDS_ORIGIN,
                     .values = {0, list->scrolled}},
                 1);
}

static void begin(struct list *list, const struct touchroute_touch *touch) {
  if (list->state != IDLE)
    return; /* a second finger does nothing */
  list->state = UNDECIDED;
  list->touch = touch->id;
  list->start_x = touch->window_x;
  list->start_y = touch->window_y;
  list->start_scrolled = list->scrolled;
}

/* Uses the window's coordinates: the view's own move as the list scrolls. */
static void move(struct list *list, struct touchroute_connection *connection,
                 const struct touchroute_touch *touch) {
  double across = distance(list->start_x, touch->window_x);
  double along = distance(list->start_y, touch->window_y);
  if (list->state == UNDECIDED && along > SLOP && along >= across) {
    touchroute_accept(connection, touch->attachment, touch->id);
    list->state = SCROLLING;
  } else if (list->state == UNDECIDED && across > SLOP) {
    touchroute_decline(connection, touch->attachment, touch->id);
    list->state = IDLE;
    printf("declined\n");
  }
  if (list->state == SCROLLING)
    scroll(list, connection, list->start_scrolled + list->start_y - touch->window_y);
}

static void end(struct list *list, const struct touchroute_touch *touch) {
  if (list->state == UNDECIDED)
    printf("row %d\n", (int)(touch->y / ROW_HEIGHT));
  else
    printf("scrolled to %.0f\n", list->scrolled);
  list->state = IDLE;
}

static void on_touches(void *data, struct touchroute_connection *connection,
                       const struct touchroute_frame *frame) {
  struct list *list = data;
  for (uint32_t i = 0; i < frame->record_count; i++) {
    const struct touchroute_touch *touch = frame->records[i].touch;
    if (touch->phase == TOUCHROUTE_PHASE_BEGAN) {
      begin(list, touch);
    } else if (list->state != IDLE && touch->id == list->touch) {
      if (touch->phase == TOUCHROUTE_PHASE_MOVED)
        move(list, connection, touch);
      else if (touch->phase == TOUCHROUTE_PHASE_ENDED)
        end(list, touch);
      else if (touch->phase == TOUCHROUTE_PHASE_CANCELLED) {
        if (list->state == SCROLLING)
          scroll(list, connection, list->start_scrolled); /* as if it had not been */
        list->state = IDLE;
      }
    }
  }
  fflush(stdout);
}

/* Called for each new daemon, which does not know earlier overrides. */
static void on_welcome(void *data, struct touchroute_connection *connection,
                       const struct touchroute_welcome *welcome,
                       const struct touchroute_screen_info *screens) {
  struct list *list = data;
  (void)welcome, (void)screens;
  scroll(list, connection, list->scrolled);
}

static void on_attached(void *data, struct touchroute_connection *connection,
                        const struct touchroute_attached *attached) {
  struct list *list = data;
  (void)connection;
  list->height = attached->bounds[3];
  printf("attached\n");
  fflush(stdout);
}

static void on_layout(void *data, struct touchroute_connection *connection,
                      const struct touchroute_attached *attached) {
  struct list *list = data;
  (void)connection;
  list->height = attached->bounds[3];
}

static void on_error(void *data, struct touchroute_connection *connection,
                     const struct touchroute_error *error, const char *text) {
  (void)data, (void)connection;
  fprintf(stderr, "%s\n", text);
  if (error->request == TOUCHROUTE_ATTACH)
    exit(1);
}

int main(int count, char **arguments) {
  struct list list = {.path = count > 1 ? arguments[1] : "home/list"};
  struct touchroute_listener listener = {.size = sizeof listener,
                                         .touches = on_touches,
                                         .welcome = on_welcome,
                                         .attached = on_attached,
                                         .layout = on_layout,
                                         .error = on_error};
  struct touchroute_connection *connection =
      touchroute_connect(NULL, "list", TOUCHROUTE_RECONNECT, &listener, &list);
  if (!connection) {
    fprintf(stderr, "%s\n", touchroute_error_text(NULL));
    return 1;
  }
  touchroute_attach(connection, list.path, TOUCHROUTE_HANDLES_ALL, 0, 0);
  while (touchroute_dispatch(connection, -1) >= 0) {
  }
  fprintf(stderr, "%s\n", touchroute_error_text(connection));
  touchroute_disconnect(connection);
  return 1;
}
