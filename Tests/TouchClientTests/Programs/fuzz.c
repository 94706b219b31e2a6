/*
 * Feeds broken vectors to the C library: fuzz VECTORS-FOLDER ROUNDS. The listener looks at every
 * byte that it is shown, and makes requests, detaches and disconnects at random, so that a sanitizer
 * or valgrind has something to see. Prints how many rounds there were; a failure is a crash.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "touchroute.h"

enum { MOST_VECTORS = 256, MOST_BYTES = 65536 };

static struct {
  unsigned char *bytes;
  size_t size;
} vectors[MOST_VECTORS];
static size_t vector_count;
static uint64_t state;
static volatile double seen; /* what was shown, so that the compiler keeps the looking */
static int attachment;
static struct touchroute_contact contacts[200];

static uint64_t next_random(void) {
  uint64_t mixed = state += 0x9e3779b97f4a7c15u;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return mixed ^ (mixed >> 31);
}

static void look(const void *memory, size_t size) {
  const unsigned char *bytes = memory;
  for (size_t i = 0; i < size; i++)
    seen += bytes[i];
}

static void read_text(const char *text) { look(text, strlen(text) + 1); }

static void meddle(struct touchroute_connection *connection) {
  switch (next_random() % 24) {
  case 0: touchroute_ping(connection); break;
  case 1: touchroute_attach(connection, "home/c", 15, 0, 0); break;
  case 2: touchroute_detach(connection, (uint32_t)attachment); break;
  case 3: touchroute_describe(connection, "home", 0, 0); break;
  case 4: touchroute_flush(connection); break;
  case 5: touchroute_observe(connection, (int)(next_random() & 1)); break;
  case 6: touchroute_detach(connection, (uint32_t)(next_random() % 8)); break;
  case 7: touchroute_accept(connection, (uint32_t)attachment, next_random() % 8); break;
  case 8: touchroute_decline(connection, (uint32_t)attachment, next_random() % 8); break;
  case 9: touchroute_inject(connection, 0, contacts, (uint32_t)(next_random() % 200)); break;
  case 10: {
    const struct touchroute_property_change change = {"home", (uint32_t)(next_random() % 9), {1}};
    touchroute_set(connection, &change, (uint32_t)(next_random() % 2));
    break;
  }
  case 11:
    if (next_random() % 8 == 0)
      touchroute_disconnect(connection);
    break;
  default: break;
  }
}

static void on_touches(void *data, struct touchroute_connection *c,
                       const struct touchroute_frame *frame) {
  (void)data;
  for (uint32_t i = 0; i < frame->record_count; i++) {
    look(frame->records[i].touch, sizeof *frame->records[i].touch);
    look(frame->records[i].samples,
         frame->records[i].touch->sample_count * sizeof *frame->records[i].samples);
    read_text(frame->records[i].path);
  }
  meddle(c);
}

static void on_attached(void *data, struct touchroute_connection *c,
                        const struct touchroute_attached *attached) {
  (void)data;
  look(attached, sizeof *attached);
  meddle(c);
}

static void on_detached(void *data, struct touchroute_connection *c, uint32_t handle,
                        uint32_t reason, const char *text) {
  (void)data;
  seen += handle + reason;
  read_text(text);
  meddle(c);
}

static void on_error(void *data, struct touchroute_connection *c,
                     const struct touchroute_error *error, const char *text) {
  (void)data;
  look(error, sizeof *error);
  read_text(text);
  meddle(c);
}

static void on_welcome(void *data, struct touchroute_connection *c,
                       const struct touchroute_welcome *welcome,
                       const struct touchroute_screen_info *screens) {
  (void)data;
  for (uint32_t i = 0; i < welcome->screen_count; i++)
    read_text(screens[i].name);
  meddle(c);
}

static void on_closing(void *data, struct touchroute_connection *c, uint32_t reason,
                       const char *text) {
  (void)data;
  seen += reason;
  read_text(text);
  meddle(c);
}

static void on_lost(void *data, struct touchroute_connection *c, const char *text) {
  (void)data;
  read_text(text);
  meddle(c);
}

static void on_view(void *data, struct touchroute_connection *c, const struct touchroute_view *view,
                    const char *path, const char *controller) {
  (void)data;
  look(view, sizeof *view);
  read_text(path);
  read_text(controller);
  meddle(c);
}

static void on_pong(void *data, struct touchroute_connection *c, uint32_t serial) {
  (void)data;
  seen += serial;
  meddle(c);
}

static void on_daemon(void *data, struct touchroute_connection *c,
                      const struct touchroute_status_daemon *status, const uint64_t *counters,
                      const uint64_t *latencies, const char *version,
                      const char *configuration) {
  (void)data;
  look(counters, status->counter_count * sizeof *counters);
  look(latencies, status->latency_count * sizeof *latencies);
  read_text(version);
  read_text(configuration);
  meddle(c);
}

static void on_client(void *data, struct touchroute_connection *c,
                      const struct touchroute_status_client *status, const char *name) {
  (void)data;
  look(status, sizeof *status);
  read_text(name);
  meddle(c);
}

static void on_attachment(void *data, struct touchroute_connection *c,
                          const struct touchroute_status_attachment *status, const char *path) {
  (void)data;
  look(status, sizeof *status);
  read_text(path);
  meddle(c);
}

static void on_device(void *data, struct touchroute_connection *c,
                      const struct touchroute_status_device *status, const char *name,
                      const char *node, const char *phys) {
  (void)data;
  look(status, sizeof *status);
  read_text(name);
  read_text(node);
  read_text(phys);
  meddle(c);
}

static void on_done(void *data, struct touchroute_connection *c, const struct touchroute_done *done,
                    const char *text) {
  (void)data;
  look(done, sizeof *done);
  read_text(text);
  meddle(c);
}

static void on_observed(void *data, struct touchroute_connection *c,
                        const struct touchroute_observation *observation) {
  (void)data;
  for (uint32_t i = 0; i < observation->record_count; i++) {
    const struct touchroute_observed_record *record = &observation->records[i];
    read_text(record->path);
    for (uint32_t j = 0; j < record->touch.chain_count; j++)
      read_text(record->chain[j].path);
  }
  meddle(c);
}

static const struct touchroute_listener listener = {
    .size = sizeof listener,
    .touches = on_touches,
    .attached = on_attached,
    .layout = on_attached,
    .detached = on_detached,
    .error = on_error,
    .welcome = on_welcome,
    .closing = on_closing,
    .lost = on_lost,
    .view = on_view,
    .pong = on_pong,
    .status_daemon = on_daemon,
    .status_client = on_client,
    .status_attachment = on_attachment,
    .status_device = on_device,
    .done = on_done,
    .observed = on_observed,
};

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

/* Everything to one connection, in pieces, until it has ended. */
static void play(int server, const char *path, const unsigned char *bytes, size_t size) {
  struct touchroute_connection *c = touchroute_connect(path, "fuzz", 0, &listener, NULL);
  if (!c) {
    fprintf(stderr, "%s\n", touchroute_error_text(NULL));
    exit(1);
  }
  int client = accept(server, NULL, NULL);
  attachment = touchroute_attach(c, "home", 15, 0, 0);
  touchroute_attach(c, "home/b", 15, 0, 0);
  int result = 0;
  for (size_t sent = 0; sent < size && result >= 0;) {
    size_t piece = next_random() % 900 + 1;
    piece = piece > size - sent ? size - sent : piece;
    sent += send(client, bytes + sent, piece, MSG_NOSIGNAL) > 0 ? piece : size;
    result = touchroute_dispatch(c, 0);
  }
  close(client);
  while (result >= 0)
    result = touchroute_dispatch(c, 0);
  if (result != -ECANCELED)
    touchroute_disconnect(c);
}

int main(int count, char **arguments) {
  if (count != 3) {
    fprintf(stderr, "fuzz VECTORS-FOLDER ROUNDS\n");
    return 64;
  }
  load(arguments[1]);
  for (size_t i = 0; i < sizeof contacts / sizeof *contacts; i++)
    contacts[i] = (struct touchroute_contact){.phase = TOUCHROUTE_PHASE_MOVED};
  char folder[] = "/tmp/touchroute-fuzz-XXXXXX";
  if (!mkdtemp(folder) || vector_count == 0) {
    fprintf(stderr, "no folder for the socket, or no vectors in %s\n", arguments[1]);
    return 1;
  }
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", folder);
  int server = socket(AF_UNIX, SOCK_STREAM, 0);
  if (server < 0 || bind(server, (struct sockaddr *)&address, sizeof address) ||
      listen(server, 4)) {
    perror(address.sun_path);
    return 1;
  }
  static unsigned char bytes[MOST_BYTES];
  long rounds = atol(arguments[2]);
  for (long round = 1; round <= rounds; round++) {
    state = (uint64_t)round;
    play(server, address.sun_path, bytes, mutate(bytes));
  }
  close(server);
  unlink(address.sun_path);
  rmdir(folder);
  for (size_t i = 0; i < vector_count; i++)
    free(vectors[i].bytes);
  printf("%ld rounds\n", rounds);
}
