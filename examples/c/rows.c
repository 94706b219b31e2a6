/*
 * A list whose rows are views: rows [RESPONDER [COUNT]]. The daemon finds the row under a finger,
 * so this program only looks at names. A tap removes a row, and moves up the rows below it in the
 * same batch, so no finger ever finds a gap. If the daemon dies, the library adds the remaining
 * rows to the next one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <touchroute.h>

enum { MOST = 4000, BATCH = 1000, NAME_SIZE = 16, HEIGHT = 40 };

struct rows {
  uint32_t attachment;
  int count;
  char names[MOST][NAME_SIZE]; /* of those that are left, from top to bottom */
  uint64_t touch;              /* the finger that is on a row, or 0 */
};

static struct touchroute_view_change steps[BATCH];
static struct touchroute_property_change frames[BATCH];

/* Returns the step that places a row. */
static void place(struct rows *rows, int row, uint32_t kind, int step) {
  frames[step] = (struct touchroute_property_change){
      .property = TOUCHROUTE_PROPERTY_FRAME, .values = {0, HEIGHT * row, 400, HEIGHT}};
  steps[step] = (struct touchroute_view_change){.kind = kind,
                                                .path = rows->names[row],
                                                .properties = &frames[step],
                                                .property_count = 1};
}

static void change(struct rows *rows, struct touchroute_connection *connection, int count) {
  if (touchroute_change_views(connection, rows->attachment, steps, (uint32_t)count) < 0)
    fprintf(stderr, "%s\n", touchroute_error_text(connection));
}

static void fill(struct rows *rows, struct touchroute_connection *connection, int count) {
  int step = 0;
  for (rows->count = 0; rows->count < count; rows->count++) {
    snprintf(rows->names[rows->count], NAME_SIZE, "row-%d", rows->count);
    place(rows, rows->count, TOUCHROUTE_STEP_ADD, step++);
    if (step == BATCH || rows->count + 1 == count) {
      change(rows, connection, step);
      step = 0;
    }
  }
}

static int find(const struct rows *rows, const char *path) {
  const char *slash = strrchr(path, '/');
  for (int row = 0; slash && row < rows->count; row++)
    if (strcmp(rows->names[row], slash + 1) == 0)
      return row;
  return -1;
}

static void take_out(struct rows *rows, struct touchroute_connection *connection, int row) {
  char name[NAME_SIZE];
  memcpy(name, rows->names[row], NAME_SIZE);
  rows->count--;
  memmove(rows->names[row], rows->names[row + 1], (size_t)(rows->count - row) * NAME_SIZE);
  steps[0] = (struct touchroute_view_change){.kind = TOUCHROUTE_STEP_REMOVE, .path = name};
  int step = 1;
  for (int below = row; below < rows->count && step < BATCH; below++)
    place(rows, below, TOUCHROUTE_STEP_CHANGE, step++);
  change(rows, connection, step);
  printf("%s is out, %d are left\n", name, rows->count);
}

static void on_touches(void *data, struct touchroute_connection *connection,
                       const struct touchroute_frame *frame) {
  struct rows *rows = data;
  for (uint32_t i = 0; i < frame->record_count; i++) {
    const struct touchroute_touch *touch = frame->records[i].touch;
    int row = find(rows, frame->records[i].path);
    if (touch->phase == TOUCHROUTE_PHASE_BEGAN && row >= 0) {
      rows->touch = touch->id;
    } else if (touch->id == rows->touch && touch->phase == TOUCHROUTE_PHASE_CANCELLED) {
      rows->touch = 0;
    } else if (touch->id == rows->touch && touch->phase == TOUCHROUTE_PHASE_ENDED) {
      rows->touch = 0;
      if (row >= 0)
        take_out(rows, connection, row);
    }
  }
  fflush(stdout);
}

static void on_attached(void *data, struct touchroute_connection *connection,
                        const struct touchroute_attached *attached) {
  (void)data, (void)connection, (void)attached;
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
  static struct rows rows;
  int wanted = count > 2 ? atoi(arguments[2]) : 12;
  struct touchroute_listener listener = {.size = sizeof listener,
                                         .touches = on_touches,
                                         .attached = on_attached,
                                         .error = on_error};
  struct touchroute_connection *connection =
      touchroute_connect(NULL, "rows", TOUCHROUTE_RECONNECT, &listener, &rows);
  if (!connection) {
    fprintf(stderr, "%s\n", touchroute_error_text(NULL));
    return 1;
  }
  int attachment = touchroute_attach(connection, count > 1 ? arguments[1] : "home/list",
                                     TOUCHROUTE_HANDLES_ALL, 0, 0);
  rows.attachment = (uint32_t)attachment;
  fill(&rows, connection, wanted < 0 ? 0 : wanted > MOST ? MOST : wanted);
  while (touchroute_dispatch(connection, -1) >= 0) {
  }
  fprintf(stderr, "%s\n", touchroute_error_text(connection));
  touchroute_disconnect(connection);
  return 1;
}
