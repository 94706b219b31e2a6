/*
 * Counts calls of malloc and its kin, for LD_PRELOAD; SIGUSR1 prints the count to standard error and starts anew.
 * Those that libinput makes for its own events are counted apart: they are its business.
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static unsigned long ours, libinputs;
static uintptr_t low, high; /* libinput's text */

static void find_libinput(void) {
  FILE *maps = fopen("/proc/self/maps", "r");
  char line[512];
  while (maps && fgets(line, sizeof line, maps)) {
    unsigned long from, to;
    if (strstr(line, "libinput.so") && sscanf(line, "%lx-%lx", &from, &to) == 2) {
      if (!low)
        low = from;
      high = to;
    }
  }
  if (maps)
    fclose(maps);
}

static void count(void *caller) {
  uintptr_t at = (uintptr_t)caller;
  if (at >= low && at < high)
    libinputs++;
  else
    ours++;
}

static void report(int number) {
  (void)number;
  char text[128];
  int size = snprintf(text, sizeof text, "mallocs: %lu own, %lu libinput's\n", ours, libinputs);
  if (write(2, text, (size_t)size) < 0)
    _exit(1);
  ours = libinputs = 0;
}

__attribute__((constructor)) static void start(void) {
  find_libinput();
  struct sigaction action = {.sa_handler = report, .sa_flags = SA_RESTART};
  sigaction(SIGUSR1, &action, NULL);
}

void *malloc(size_t size) {
  count(__builtin_return_address(0));
  return __libc_malloc(size);
}

void *calloc(size_t n, size_t size) {
  count(__builtin_return_address(0));
  return __libc_calloc(n, size);
}

void *realloc(void *old, size_t size) {
  count(__builtin_return_address(0));
  return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count(__builtin_return_address(0));
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  count(__builtin_return_address(0));
  *result = __libc_memalign(alignment, size);
  return *result ? 0 : 12;
}
