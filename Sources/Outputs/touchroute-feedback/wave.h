/*
 * wave.h: sounds as samples: the click that comes with touchroute, or a WAV file.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef WAVE_H
#define WAVE_H

#include <stddef.h>
#include <stdint.h>

/* The most that a file may have. */
#define WAVE_MOST_BYTES (4u << 20)
/* So much silence follows a sound, so that no device repeats its end. In milliseconds. */
#define WAVE_TAIL_MS 20u

struct wave {
  int16_t *samples; /* of all channels, one after the other; wave_free's */
  size_t frames;    /* how many of each channel */
  unsigned channels, rate;
};

/* A click of some milliseconds. 0, or -1 if there is no memory. */
int wave_make_click(struct wave *wave);

/*
 * Reads a WAV file: PCM of 8, 16, 24 or 32 bits, or floats of 32; 1 to 8 channels; 4000 to 192000
 * samples a second. 0, or -1, and problem says what is wrong behind the file's name.
 */
int wave_read(struct wave *wave, const char *file, char *problem, size_t size);

/* The same of bytes. */
int wave_parse(struct wave *wave, const uint8_t *bytes, size_t count, char *problem, size_t size);

void wave_free(struct wave *wave);

#endif
