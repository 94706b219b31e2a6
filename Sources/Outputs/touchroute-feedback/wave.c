/* The click, and WAV files. */
#include "wave.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FORMAT_PCM 1u
#define FORMAT_FLOAT 3u
#define FORMAT_EXTENSIBLE 0xfffeu
#define CLICK_MS 6u
#define CLICK_HERTZ 2200.0

static int allocate(struct wave *wave, size_t frames, unsigned channels, unsigned rate) {
  size_t all = frames + (size_t)rate * WAVE_TAIL_MS / 1000;
  wave->samples = calloc(all * channels, sizeof *wave->samples);
  wave->frames = all;
  wave->channels = channels;
  wave->rate = rate;
  return wave->samples ? 0 : -1;
}

int wave_make_click(struct wave *wave) {
  unsigned rate = 48000, count = rate * CLICK_MS / 1000;
  if (allocate(wave, count, 1, rate) < 0)
    return -1;
  for (unsigned i = 0; i < count; i++) {
    double time = (double)i / rate;
    wave->samples[i] = (int16_t)(20000 * exp(-time * 900) * sin(2 * M_PI * CLICK_HERTZ * time));
  }
  return 0;
}

void wave_free(struct wave *wave) {
  free(wave->samples);
  wave->samples = NULL;
}

static uint32_t number(const uint8_t *bytes, unsigned count) {
  uint32_t value = 0;
  for (unsigned i = 0; i < count; i++)
    value |= (uint32_t)bytes[i] << (8 * i);
  return value;
}

/* What a file says of its samples. */
struct format {
  unsigned tag, channels, rate, bits, frame_bytes;
};

static int read_format(struct format *format, const uint8_t *chunk, size_t count, char *problem,
                       size_t size) {
  if (count < 16) {
    snprintf(problem, size, "its format chunk has %zu bytes, and needs 16", count);
    return -1;
  }
  format->tag = number(chunk, 2);
  format->channels = number(chunk + 2, 2);
  format->rate = number(chunk + 4, 4);
  format->frame_bytes = number(chunk + 12, 2);
  format->bits = number(chunk + 14, 2);
  if (format->tag == FORMAT_EXTENSIBLE && count >= 26)
    format->tag = number(chunk + 24, 2);
  int is_float = format->tag == FORMAT_FLOAT && format->bits == 32;
  int is_pcm = format->tag == FORMAT_PCM && format->bits % 8 == 0 && format->bits >= 8 &&
               format->bits <= 32;
  if (!is_float && !is_pcm) {
    snprintf(problem, size,
             "its format is %u with %u bits, and only PCM of 8, 16, 24 or 32 bits and floats of 32 "
             "can be played",
             format->tag, format->bits);
    return -1;
  }
  if (format->channels < 1 || format->channels > 8) {
    snprintf(problem, size, "it has %u channels, and 1 to 8 can be played", format->channels);
    return -1;
  }
  if (format->rate < 4000 || format->rate > 192000) {
    snprintf(problem, size, "it has %u samples a second, and 4000 to 192000 can be played",
             format->rate);
    return -1;
  }
  if (format->frame_bytes != format->channels * format->bits / 8) {
    snprintf(problem, size, "its %u channels of %u bits do not make the %u bytes that it says",
             format->channels, format->bits, format->frame_bytes);
    return -1;
  }
  return 0;
}

static int16_t sample(const struct format *format, const uint8_t *bytes) {
  unsigned count = format->bits / 8;
  if (format->tag == FORMAT_FLOAT) {
    uint32_t bits = number(bytes, 4);
    float value;
    memcpy(&value, &bits, sizeof value);
    if (value >= 1)
      return 32767;
    if (value <= -1)
      return -32768;
    return value == value ? (int16_t)(value * 32767) : 0; /* what is no number is silence */
  }
  if (count == 1) /* the only one that is unsigned */
    return (int16_t)((bytes[0] - 128) * 256);
  return (int16_t)number(bytes + count - 2, 2);
}

static int take_samples(struct wave *wave, const struct format *format, const uint8_t *bytes,
                        size_t count, char *problem, size_t size) {
  size_t frames = count / format->frame_bytes;
  if (frames == 0) {
    snprintf(problem, size, "it has no samples");
    return -1;
  }
  if (allocate(wave, frames, format->channels, format->rate) < 0) {
    snprintf(problem, size, "there is no memory for it");
    return -1;
  }
  for (size_t i = 0; i < frames * format->channels; i++)
    wave->samples[i] = sample(format, bytes + i * (format->bits / 8));
  return 0;
}

int wave_parse(struct wave *wave, const uint8_t *bytes, size_t count, char *problem, size_t size) {
  wave->samples = NULL;
  if (count < 12 || memcmp(bytes, "RIFF", 4) != 0 || memcmp(bytes + 8, "WAVE", 4) != 0) {
    snprintf(problem, size, "it is no WAV file");
    return -1;
  }
  struct format format = {0};
  size_t at = 12;
  while (count - at >= 8) {
    const uint8_t *chunk = bytes + at;
    size_t length = number(chunk + 4, 4), left = count - at - 8;
    int is_data = memcmp(chunk, "data", 4) == 0;
    /* What writes to a pipe knows no length of its samples. */
    if (length > left && is_data && length >= 0x7ffff000u)
      length = left;
    if (length > left) {
      snprintf(problem, size, "it is cut off: a chunk has %zu bytes of %zu", left, length);
      return -1;
    }
    if (memcmp(chunk, "fmt ", 4) == 0 &&
        read_format(&format, chunk + 8, length, problem, size) < 0)
      return -1;
    if (is_data && format.rate == 0) {
      snprintf(problem, size, "it has samples before it says their format");
      return -1;
    }
    if (is_data)
      return take_samples(wave, &format, chunk + 8, length, problem, size);
    at += 8 + length;
    if (length % 2 != 0 && at < count)
      at++;
  }
  snprintf(problem, size, "it has no samples");
  return -1;
}

static int read_all(int file, uint8_t *bytes, size_t most, size_t *count) {
  *count = 0;
  while (*count < most) {
    ssize_t got = read(file, bytes + *count, most - *count);
    if (got == 0)
      return 0;
    if (got < 0 && errno != EINTR)
      return -1;
    *count += got > 0 ? (size_t)got : 0;
  }
  return 0;
}

int wave_read(struct wave *wave, const char *file, char *problem, size_t size) {
  wave->samples = NULL;
  /* A pipe of the same name is no reason to wait. */
  int descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat info;
  if (descriptor < 0 || fstat(descriptor, &info) < 0) {
    snprintf(problem, size, "it can't be read: %s", strerror(errno));
    if (descriptor >= 0)
      close(descriptor);
    return -1;
  }
  if (!S_ISREG(info.st_mode)) {
    snprintf(problem, size, "it is no file");
    close(descriptor);
    return -1;
  }
  size_t count;
  uint8_t *bytes = malloc(WAVE_MOST_BYTES + 1u);
  int result = bytes == NULL ? -1 : read_all(descriptor, bytes, WAVE_MOST_BYTES + 1u, &count);
  close(descriptor);
  if (result < 0) {
    snprintf(problem, size, "it can't be read: %s", strerror(bytes == NULL ? ENOMEM : errno));
  } else if (count > WAVE_MOST_BYTES) {
    snprintf(problem, size, "it has more than %u bytes, which is the most", WAVE_MOST_BYTES);
    result = -1;
  } else {
    result = wave_parse(wave, bytes, count, problem, size);
  }
  free(bytes);
  return result;
}
