/*
 * Feeds broken vectors to the C library, of which Tests/Client/CFuzzClient looks at every byte:
 * fuzz VECTORS-FOLDER FIRST-SEED ROUNDS [INPUTS-FOLDER]. Before that it feeds the inputs of a folder, such as
 * Corpora/client, as they are. Prints how many rounds and inputs there were; a failure is a crash.
 */
#define _FILE_OFFSET_BITS 64
#define _GNU_SOURCE
#include <dirent.h>
#include <inttypes.h>
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

static DIR *open_folder(const char *folder) {
  DIR *directory = opendir(folder);
  if (!directory) {
    perror(folder);
    exit(1);
  }
  return directory;
}

static size_t read_file(const char *folder, const char *name, unsigned char *bytes) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  if (!file || !bytes) {
    perror(path);
    exit(1);
  }
  size_t size = fread(bytes, 1, MOST_BYTES / 4, file);
  fclose(file);
  return size;
}

static void load(const char *folder) {
  DIR *directory = open_folder(folder);
  for (struct dirent *entry; (entry = readdir(directory)) && vector_count < MOST_VECTORS;) {
    size_t length = strlen(entry->d_name);
    if (length < 4 || strcmp(entry->d_name + length - 4, ".bin") ||
        strstr(entry->d_name, ".requests."))
      continue;
    unsigned char *bytes = malloc(MOST_BYTES);
    vectors[vector_count].size = read_file(folder, entry->d_name, bytes);
    vectors[vector_count++].bytes = bytes;
  }
  closedir(directory);
}

static void check(const char *what, const char *fault) {
  if (!fault)
    return;
  fprintf(stderr, "%s: %s\n", what, fault);
  exit(1);
}

/* The inputs of scripts/fuzz client. A last byte beyond a multiple of 8 is the seed. */
static long play_inputs(const char *folder, unsigned char *bytes) {
  long played = 0;
  DIR *directory = open_folder(folder);
  for (struct dirent *entry; (entry = readdir(directory));) {
    if (*entry->d_name == '.')
      continue;
    size_t size = read_file(folder, entry->d_name, bytes), seeds = size % 8 == 1;
    uint64_t seed = seeds ? bytes[size - 1] : 0;
    check(entry->d_name, cfuzzclient_play(bytes, size - seeds, seed));
    played++;
  }
  closedir(directory);
  return played;
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
  if (count != 4 && count != 5) {
    fprintf(stderr, "fuzz VECTORS-FOLDER FIRST-SEED ROUNDS [INPUTS-FOLDER]\n");
    return 64;
  }
  load(arguments[1]);
  if (vector_count == 0) {
    fprintf(stderr, "no vectors in %s\n", arguments[1]);
    return 1;
  }
  static unsigned char bytes[MOST_BYTES];
  if (count == 5)
    printf("%ld inputs\n", play_inputs(arguments[4], bytes));
  uint64_t first = strtoull(arguments[2], NULL, 10);
  long rounds = atol(arguments[3]);
  for (long round = 0; round < rounds; round++) {
    state = first + (uint64_t)round;
    size_t size = mutate(bytes);
    char name[32];
    snprintf(name, sizeof name, "seed %" PRIu64, state);
    check(name, cfuzzclient_play(bytes, size, next_random()));
  }
  for (size_t i = 0; i < vector_count; i++)
    free(vectors[i].bytes);
  printf("%ld rounds\n", rounds);
}
