/*
 * A program with LVGL and no screen: panel RESPONDER [timer | list | tiles] [PICTURE]. A button on the
 * left, a slider on the right of 400 x 240 pixels; or a list of rows, or a red tile with a blue one
 * beside it. It prints what they hear, and where the list and the tiles come to rest. It ends with its
 * input or SIGTERM, and leaves its last picture as PPM. With "timer" LVGL reads the device by its own timer, and
 * nobody polls.
 */
#define _POSIX_C_SOURCE 200809L
#include "lv_touchroute.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 400, HEIGHT = 240 };

static uint8_t pixels[WIDTH * HEIGHT * 4];
static volatile sig_atomic_t is_over;

static void on_signal(int number) {
  (void)number;
  is_over = 1;
}

static void on_flush(lv_display_t *display, const lv_area_t *area, uint8_t *data) {
  (void)area, (void)data;
  lv_display_flush_ready(display);
}

static uint32_t milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint32_t)(now.tv_sec * 1000 + now.tv_nsec / 1000000);
}

static void on_log(lv_log_level_t level, const char *text) {
  (void)level;
  fprintf(stderr, "%s", text);
}

static void on_button(lv_event_t *event) {
  switch (lv_event_get_code(event)) {
    case LV_EVENT_PRESSED: puts("button pressed"); break;
    case LV_EVENT_LONG_PRESSED: puts("button long pressed"); break;
    case LV_EVENT_RELEASED: puts("button released"); break;
    case LV_EVENT_CLICKED: puts("button clicked"); break;
    case LV_EVENT_INDEV_RESET: puts("button reset"); break;
    default: break;
  }
}

static void on_slider(lv_event_t *event) {
  lv_obj_t *slider = lv_event_get_target(event);
  if (lv_event_get_code(event) == LV_EVENT_RELEASED)
    printf("slider at %d\n", (int)lv_slider_get_value(slider));
}

static void on_gesture(lv_event_t *event) {
  if (lv_event_get_gesture_type(event) != LV_INDEV_GESTURE_PINCH)
    return;
  int state = lv_event_get_gesture_state(event, LV_INDEV_GESTURE_PINCH);
  if (state == LV_INDEV_GESTURE_STATE_RECOGNIZED)
    printf("pinch %.2f\n", (double)lv_event_get_pinch_scale(event));
  else if (state == LV_INDEV_GESTURE_STATE_ENDED)
    puts("pinch ended");
}

/* Not while it is on its way to another place. */
static void on_scroll_end(lv_event_t *event) {
  lv_obj_t *scrolled = lv_event_get_current_target(event);
  lv_point_t end;
  lv_obj_get_scroll_end(scrolled, &end);
  if (end.x == lv_obj_get_scroll_x(scrolled) && end.y == lv_obj_get_scroll_y(scrolled))
    printf("rests at %d %d\n", (int)end.x, (int)end.y);
}

static void on_tile(lv_event_t *event) {
  lv_obj_t *tiles = lv_event_get_current_target(event);
  printf("tile %d\n", (int)lv_obj_get_index(lv_tileview_get_tile_active(tiles)));
}

static void build_list(void) {
  lv_obj_t *list = lv_obj_create(lv_screen_active());
  lv_obj_set_size(list, WIDTH, HEIGHT);
  lv_obj_set_flex_flow(list, LV_FLEX_FLOW_COLUMN);
  for (int row = 0; row < 30; row++)
    lv_label_set_text_fmt(lv_label_create(list), "row %d", row);
  lv_obj_add_event_cb(list, on_scroll_end, LV_EVENT_SCROLL_END, NULL);
}

static void build_tiles(void) {
  lv_obj_t *tiles = lv_tileview_create(lv_screen_active());
  lv_obj_set_scrollbar_mode(tiles, LV_SCROLLBAR_MODE_OFF);
  for (uint8_t column = 0; column < 2; column++) {
    lv_obj_t *tile = lv_tileview_add_tile(tiles, column, 0, LV_DIR_HOR);
    lv_obj_set_style_bg_color(tile, lv_color_hex(column == 0 ? 0xff0000 : 0x0000ff), 0);
    lv_obj_set_style_bg_opa(tile, LV_OPA_COVER, 0);
  }
  lv_obj_add_event_cb(tiles, on_scroll_end, LV_EVENT_SCROLL_END, NULL);
  lv_obj_add_event_cb(tiles, on_tile, LV_EVENT_VALUE_CHANGED, NULL);
}

static void build(const char *what) {
  if (strcmp(what, "list") == 0 || strcmp(what, "tiles") == 0) {
    (what[0] == 'l' ? build_list : build_tiles)();
    return;
  }
  lv_obj_t *button = lv_button_create(lv_screen_active());
  lv_obj_set_pos(button, 0, 0);
  lv_obj_set_size(button, 100, 100);
  lv_obj_add_event_cb(button, on_button, LV_EVENT_ALL, NULL);
  lv_obj_t *slider = lv_slider_create(lv_screen_active());
  lv_obj_set_pos(slider, 200, 100);
  lv_obj_set_size(slider, 100, 20);
  lv_obj_add_event_cb(slider, on_slider, LV_EVENT_ALL, NULL);
}

static int keep_picture(const char *path) {
  FILE *file = fopen(path, "wb");
  if (!file)
    return 1;
  fprintf(file, "P6 %d %d 255\n", WIDTH, HEIGHT);
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    for (int color = 2; color >= 0; color--)
      putc(pixels[i * 4 + color], file);
  return fclose(file) != 0;
}

int main(int count, char **arguments) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  signal(SIGTERM, on_signal);
  lv_init();
  lv_log_register_print_cb(on_log);
  lv_tick_set_cb(milliseconds);
  lv_display_t *display = lv_display_create(WIDTH, HEIGHT);
  lv_display_set_flush_cb(display, on_flush);
  lv_display_set_buffers(display, pixels, NULL, sizeof pixels, LV_DISPLAY_RENDER_MODE_FULL);
  build(count > 2 ? arguments[2] : "");
  lv_indev_t *indev = lv_touchroute_create(count > 1 ? arguments[1] : "home");
  if (!indev)
    return 1;
  lv_indev_add_event_cb(indev, on_gesture, LV_EVENT_GESTURE, NULL);
  bool by_timer = count > 2 && strcmp(arguments[2], "timer") == 0;
  if (by_timer)
    lv_indev_set_mode(indev, LV_INDEV_MODE_TIMER);
  struct pollfd ready[2] = {
      {.fd = STDIN_FILENO, .events = POLLIN},
      {.fd = by_timer ? -1 : lv_touchroute_get_fd(indev), .events = POLLIN}};
  while (!is_over) {
    uint32_t wait = lv_timer_handler();
    if (poll(ready, 2, wait < 30 ? (int)wait : 30) < 0)
      continue;
    char drop[64];
    if (ready[0].revents && read(STDIN_FILENO, drop, sizeof drop) <= 0)
      break;
    if (!by_timer && ready[1].revents && lv_touchroute_dispatch(indev) < 0)
      return 1;
  }
  lv_refr_now(NULL);
  int status = count > 3 ? keep_picture(arguments[3]) : 0;
  lv_indev_delete(indev);
  lv_deinit();
  return status;
}
