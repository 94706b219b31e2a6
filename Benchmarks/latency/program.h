/* How long programs of others take to say that a finger has come down. */
#pragma once

#include "latency.h"

/*
 * Starts it, taps until it says those words for the first time, and then so many times; prints
 * the median from the panel's event to its words. Ends the process where it never says them.
 */
void time_program(struct finger_device *device, const char *name, const char *words, int taps,
                  char **command);
