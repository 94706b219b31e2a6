/*
 * lv_touchroute.h: an input device of LVGL 9.4 or newer whose touches come from touchrouted. Copy it
 * with lv_touchroute.c, touchroute.c, touchroute.h and touchroute-protocol.h into a program.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LV_TOUCHROUTE_H
#define LV_TOUCHROUTE_H

/* As the program's include path has it: a checkout, or what a checkout of master has as `include`. */
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
 * A pointer of the default display that gets the touches of a responder, such as "home". What the
 * responder covers is the display: places are scaled from its bounds to the display's resolution.
 *
 * The first finger is the pointer; every finger goes to LVGL's gesture recognisers, where lv_conf.h
 * has LV_USE_GESTURE_RECOGNITION. A pointer that is cancelled resets the device: widgets hear
 * LV_EVENT_INDEV_RESET and nothing is clicked; what it scrolled snaps as after a lift. So are touches that LVGL does not read, as while a
 * screen is being loaded. The daemon may restart, and a responder that another program holds is
 * waited for; LV_LOG_WARN says so.
 *
 * Nothing else need be done where lv_timer_handler is called often. A program that polls takes
 * lv_touchroute_get_fd. lv_indev_delete ends it. With LV_INDEV_MODE_TIMER LVGL reads by itself.
 *
 * Returns NULL, and says why with LV_LOG_ERROR, where the path or the socket is of no use.
 */
lv_indev_t * lv_touchroute_create(const char * responder);

/*
 * The descriptor to poll for reading, the same for the device's life; lv_touchroute_dispatch is due
 * when it is ready. Whoever asks for it dispatches from then on: the driver's timer is paused.
 */
int lv_touchroute_get_fd(lv_indev_t * indev);

/*
 * Gives LVGL what has come, without waiting. Not to be called in an event of LVGL. Returns 0, or a
 * negative errno once the connection has ended for good, which LV_LOG_ERROR has said why.
 */
int lv_touchroute_dispatch(lv_indev_t * indev);

#ifdef __cplusplus
}
#endif
#endif
