/* What RLIMIT_DATA counts, the kernel says as VmData. */
#include "memory.h"

#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>

/* The bytes of writable memory that is the process's own, or 0 with errno set. */
static size_t data_size(void) {
  FILE *file = fopen("/proc/self/status", "re");
  if (file == NULL)
    return 0;
  char line[256];
  unsigned long kibibytes = 0;
  while (kibibytes == 0 && fgets(line, sizeof line, file) != NULL)
    sscanf(line, "VmData: %lu kB", &kibibytes);
  fclose(file);
  errno = ENODATA;
  return (size_t)kibibytes * 1024;
}

int memory_limit(size_t more) {
  struct rlimit limit;
  size_t size = data_size();
  if (size == 0 || getrlimit(RLIMIT_DATA, &limit) < 0)
    return -1;
  if (limit.rlim_cur > size + more)
    limit.rlim_cur = size + more;
  return setrlimit(RLIMIT_DATA, &limit);
}
