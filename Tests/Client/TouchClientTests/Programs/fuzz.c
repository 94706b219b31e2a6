/*
 * Feeds broken vectors to the C library, of which Tests/Client/CFuzzClient looks at every byte:
 * fuzz VECTORS-FOLDER ROUNDS. Prints how many rounds there were; a failure is a crash.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cfuzzclient.h"

enum { MOST_VECTORS = 256, MOST_BYTES = 65536 };

static struct {
  unsigned char *bytes;
  size_t size;
} vectors[MOST_VECTORS];
static size_t vector_count;
static uint64_t state;

static uint64_t next_random(void) {
  uint64_t mixed = state += 0x9e3779b97f4a7c15u;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return mixed ^ (mixed >> 31);
}

static void load(const char *folder) {
  DIR *directory = opendir(folder);
  if (!directory) {
    perror(folder);
    exit(1);
  }
  for (struct dirent *entry; (entry = readdir(directory)) && vector_count < MOST_VECTORS;) {
    size_t length = strlen(entry->d_name);
    if (length < 4 || strcmp(entry->d_name + length - 4, ".bin") ||
        strstr(entry->d_name, ".requests."))
      continue;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    FILE *file = fopen(path, "rb");
    unsigned char *bytes = malloc(MOST_BYTES);
    if (!file || !bytes) {
      perror(path);
      exit(1);
    }
    vectors[vector_count].bytes = bytes;
    vectors[vector_count++].size = fread(bytes, 1, MOST_BYTES / 4, file);
    fclose(file);
  }
  closedir(directory);
}

/* Copies a vector, broken in up to four places. */
static size_t mutate(unsigned char *bytes) {
  size_t pick = next_random() % vector_count, size = vectors[pick].size;
  memcpy(bytes, vectors[pick].bytes, size);
  for (uint64_t times = next_random() % 5; times > 0 && size > 0; times--) {
    static const uint32_t numbers[] = {0, 1, 8, 0x7fffffff, 0x80000000, 0xfffffff8, 0xffffffff};
    size_t place = next_random() % size, word = place & ~(size_t)7, half = place & ~(size_t)3;
    const uint32_t *number = &numbers[next_random() % (sizeof numbers / sizeof *numbers)];
    switch (next_random() % 6) {
    case 0: bytes[place] ^= (unsigned char)(1u << next_random() % 8); break;
    case 1: bytes[place] = (unsigned char)next_random(); break;
    case 2: memcpy(bytes + half, number, size - half < 4 ? 0 : 4); break;
    case 3: size = place; break;
    case 4:
      if (size - word >= 8) {
        memmove(bytes + word, bytes + word + 8, size - word - 8);
        size -= 8;
      }
      break;
    default:
      pick = next_random() % vector_count;
      if (size + vectors[pick].size <= MOST_BYTES) {
        memmove(bytes + word + vectors[pick].size, bytes + word, size - word);
        memcpy(bytes + word, vectors[pick].bytes, vectors[pick].size);
        size += vectors[pick].size;
      }
    }
  }
  return size;
}

int main(int count, char **arguments) {
  if (count != 3) {
    fprintf(stderr, "fuzz VECTORS-FOLDER ROUNDS\n");
    return 64;
  }
  load(arguments[1]);
  if (vector_count == 0) {
    fprintf(stderr, "no vectors in %s\n", arguments[1]);
    return 1;
  }
  static unsigned char bytes[MOST_BYTES];
  long rounds = atol(arguments[2]);
  for (long round = 1; round <= rounds; round++) {
    state = (uint64_t)round;
    size_t size = mutate(bytes);
    const char *fault = cfuzzclient_play(bytes, size, next_random());
    if (fault) {
      fprintf(stderr, "round %ld: %s\n", round, fault);
      return 1;
    }
  }
  for (size_t i = 0; i < vector_count; i++)
    free(vectors[i].bytes);
  printf("%ld rounds\n", rounds);
}
