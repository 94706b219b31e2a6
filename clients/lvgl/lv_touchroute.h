/*
 * lv_touchroute.h: an input device for LVGL 9.4 or newer, with touches from touchrouted. Copy it
 * with lv_touchroute.c, touchroute.c, touchroute.h and touchroute-protocol.h into your program.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LV_TOUCHROUTE_H
#define LV_TOUCHROUTE_H

/* Depends on the program's include path: a checkout, or the folder `include` of LVGL's master. */
#if defined(__has_include)
#if __has_include("lvgl.h")
#include "lvgl.h"
#else
#include "lvgl/lvgl.h"
#endif
#else
#include "lvgl.h"
#endif

#if LVGL_VERSION_MAJOR < 9 || (LVGL_VERSION_MAJOR == 9 && LVGL_VERSION_MINOR < 4)
#error "lv_touchroute needs LVGL 9.4 or newer"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Creates a pointer of the default display that gets the touches of a responder, such as "home".
 * The responder covers the display: places are scaled from its bounds to the display's resolution.
 *
 * The first finger is the pointer. If lv_conf.h has LV_USE_GESTURE_RECOGNITION, every finger goes
 * to LVGL's gesture recognizers.
 *
 * A cancelled pointer resets the device: widgets hear LV_EVENT_INDEV_RESET, and nothing is clicked.
 * What it scrolled snaps as after a lift. Touches that LVGL does not read, such as during a screen
 * change, are cancelled in the same way.
 *
 * The driver waits for a daemon that restarts, and for a responder that another program holds;
 * LV_LOG_WARN says so.
 *
 * You need nothing else if your program calls lv_timer_handler often. A program that polls uses
 * lv_touchroute_get_fd. lv_indev_delete ends it. With LV_INDEV_MODE_TIMER LVGL reads by itself.
 *
 * Returns NULL if the path or the socket is of no use, and says why with LV_LOG_ERROR.
 */
lv_indev_t * lv_touchroute_create(const char * responder);

/*
 * Returns the descriptor to poll for reading, the same for the device's life. When it is ready,
 * call lv_touchroute_dispatch. From now on your program dispatches: the driver's timer is paused.
 */
int lv_touchroute_get_fd(lv_indev_t * indev);

/*
 * Gives LVGL the touches that have come, without waiting. Do not call it in an event of LVGL.
 * Returns 0, or a negative errno once the connection has ended for good; LV_LOG_ERROR has said why.
 */
int lv_touchroute_dispatch(lv_indev_t * indev);

#ifdef __cplusplus
}
#endif
#endif
