/*
 * memory.h: a limit on the memory of this process, which others could make grow.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TOUCHROUTE_MQTT_MEMORY_H
#define TOUCHROUTE_MQTT_MEMORY_H

#include <stddef.h>

/*
 * From here on no allocation takes the process more than so many bytes above what it has now: it
 * fails, with ENOMEM, before memory is taken (RLIMIT_DATA). 0, or -1 with errno set.
 */
int memory_limit(size_t more);

#endif
