/* Sounds by libasound, which never blocks here. */
#include "sound.h"

#include "feed.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of alsa/pcm.h, whose names and numbers are the library's binary interface. */
typedef struct snd_pcm snd_pcm_t;
#define STREAM_PLAYBACK 0
#define MODE_NONBLOCK 1
#define FORMAT_S16 2 /* little endian, as all machines are that Debian has touchroute for */
#define ACCESS_INTERLEAVED 3
#define LATENCY_US 60000u
#define LIBRARY "libasound.so.2"

/* Between fills of the device while a long sound lasts, and between attempts to open it. */
#define FILL_US 10000u
#define RETRY_US 2000000u

struct library {
  void *handle;
  int (*open)(snd_pcm_t **, const char *, int, int);
  int (*close)(snd_pcm_t *);
  int (*set_params)(snd_pcm_t *, int, int, unsigned, unsigned, int, unsigned);
  int (*prepare)(snd_pcm_t *);
  int (*drop)(snd_pcm_t *);
  int (*start)(snd_pcm_t *);
  int (*hw_free)(snd_pcm_t *);
  long (*writei)(snd_pcm_t *, const void *, unsigned long);
  const char *(*strerror)(int);
  int (*set_error_handler)(void (*)(const char *, int, const char *, int, const char *, ...));
};

struct sound {
  struct library library;
  char device[256];
  snd_pcm_t *pcm; /* NULL: not open */
  unsigned channels, rate;
  const struct wave *wave; /* what is being played; NULL: nothing */
  size_t written;
  int is_started, has_said;
  uint64_t due_us, retry_us;
};

/* The library would write to standard error by itself. */
static void ignore(const char *file, int line, const char *function, int error, const char *format,
                   ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}

static int load(struct library *library, char *problem, size_t size) {
  static const char *const names[] = {
      "snd_pcm_open", "snd_pcm_close", "snd_pcm_set_params", "snd_pcm_prepare", "snd_pcm_drop",
      "snd_pcm_start", "snd_pcm_hw_free", "snd_pcm_writei", "snd_strerror",
      "snd_lib_error_set_handler"};
  void *functions[sizeof names / sizeof *names];
  library->handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (library->handle == NULL) {
    snprintf(problem, size, "sounds need ALSA's library: install the package libasound2 (%s)",
             dlerror());
    return -1;
  }
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if ((functions[i] = dlsym(library->handle, names[i])) == NULL) {
      snprintf(problem, size, "%s has no %s: another version of it is needed", LIBRARY, names[i]);
      dlclose(library->handle);
      return -1;
    }
  /* A function's address comes as an object's. */
  memcpy(&library->open, &functions[0], sizeof(void *));
  memcpy(&library->close, &functions[1], sizeof(void *));
  memcpy(&library->set_params, &functions[2], sizeof(void *));
  memcpy(&library->prepare, &functions[3], sizeof(void *));
  memcpy(&library->drop, &functions[4], sizeof(void *));
  memcpy(&library->start, &functions[5], sizeof(void *));
  memcpy(&library->hw_free, &functions[6], sizeof(void *));
  memcpy(&library->writei, &functions[7], sizeof(void *));
  memcpy(&library->strerror, &functions[8], sizeof(void *));
  memcpy(&library->set_error_handler, &functions[9], sizeof(void *));
  return 0;
}

struct sound *sound_create(const char *device, char *problem, size_t size) {
  struct sound *sound = calloc(1, sizeof *sound);
  if (sound == NULL) {
    snprintf(problem, size, "there is no memory for sounds");
    return NULL;
  }
  snprintf(sound->device, sizeof sound->device, "%s", device);
  sound->due_us = FEED_NEVER;
  if (load(&sound->library, problem, size) < 0) {
    free(sound);
    return NULL;
  }
  sound->library.set_error_handler(ignore);
  return sound;
}

static void stop(struct sound *sound) {
  sound->wave = NULL;
  sound->due_us = FEED_NEVER;
}

/* The device can't be used now. It is said once until it can. */
static void give_up(struct sound *sound, const char *action, long error, uint64_t now_us) {
  if (!sound->has_said)
    feed_say("the sound device \"%s\" can't be %s (%s): no sound until it can", sound->device,
             action, sound->library.strerror((int)error));
  sound->has_said = 1;
  if (sound->pcm != NULL)
    sound->library.close(sound->pcm);
  sound->pcm = NULL;
  sound->retry_us = now_us + RETRY_US;
  stop(sound);
}

/* Opens the device where it is not open, for waves like that; 0 or -1. */
static int get_ready(struct sound *sound, const struct wave *wave, uint64_t now_us) {
  struct library *library = &sound->library;
  int error;
  if (sound->pcm == NULL) {
    if (now_us < sound->retry_us)
      return -1;
    error = library->open(&sound->pcm, sound->device, STREAM_PLAYBACK, MODE_NONBLOCK);
    if (error < 0) {
      sound->pcm = NULL;
      give_up(sound, "opened", error, now_us);
      return -1;
    }
    sound->channels = 0;
  } else {
    library->drop(sound->pcm);
  }
  if (sound->channels != wave->channels || sound->rate != wave->rate) {
    if (sound->channels != 0)
      library->hw_free(sound->pcm);
    error = library->set_params(sound->pcm, FORMAT_S16, ACCESS_INTERLEAVED, wave->channels,
                                wave->rate, 1, LATENCY_US);
    if (error < 0) {
      give_up(sound, "set to play that", error, now_us);
      return -1;
    }
    sound->channels = wave->channels;
    sound->rate = wave->rate;
  }
  if ((error = library->prepare(sound->pcm)) < 0) {
    give_up(sound, "used", error, now_us);
    return -1;
  }
  return 0;
}

static void fill(struct sound *sound, uint64_t now_us) {
  const struct wave *wave = sound->wave;
  while (sound->written < wave->frames) {
    long count = sound->library.writei(sound->pcm, wave->samples + sound->written * wave->channels,
                                       wave->frames - sound->written);
    if (count == -EAGAIN || count == 0)
      break;
    if (count == -EPIPE) { /* it was too late for the device: that sound is over */
      stop(sound);
      return;
    }
    if (count < 0) {
      give_up(sound, "used", count, now_us);
      return;
    }
    sound->written += (size_t)count;
  }
  /* By itself it would only begin once its buffer is full. */
  if (!sound->is_started)
    sound->library.start(sound->pcm);
  sound->is_started = 1;
  sound->has_said = 0;
  if (sound->written == wave->frames)
    stop(sound);
  else
    sound->due_us = now_us + FILL_US;
}

void sound_play(struct sound *sound, const struct wave *wave, uint64_t now_us) {
  stop(sound);
  if (get_ready(sound, wave, now_us) < 0)
    return;
  sound->wave = wave;
  sound->written = 0;
  sound->is_started = 0;
  fill(sound, now_us);
}

uint64_t sound_due(const struct sound *sound) { return sound->due_us; }

void sound_tick(struct sound *sound, uint64_t now_us) {
  if (sound->wave != NULL)
    fill(sound, now_us);
}

void sound_destroy(struct sound *sound) {
  if (sound == NULL)
    return;
  if (sound->pcm != NULL)
    sound->library.close(sound->pcm);
  dlclose(sound->library.handle);
  free(sound);
}
