/*
 * sound.h: plays sounds by ALSA, whose library is loaded where a sound is asked for, and only
 * there: what has no speaker needs no libasound.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SOUND_H
#define SOUND_H

#include "wave.h"

struct sound;

/*
 * Loads libasound for an ALSA device, which is opened as the first sound is played. NULL, and
 * problem says why.
 */
struct sound *sound_create(const char *device, char *problem, size_t size);

/* Plays a wave from its beginning; one that is being played ends. The wave is the caller's. */
void sound_play(struct sound *sound, const struct wave *wave, uint64_t now_us);

/* When sound_tick is due; FEED_NEVER. */
uint64_t sound_due(const struct sound *sound);

/* Hands further samples of a long sound on. */
void sound_tick(struct sound *sound, uint64_t now_us);

void sound_destroy(struct sound *sound);

#endif
