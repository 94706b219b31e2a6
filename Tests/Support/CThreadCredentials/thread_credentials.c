#define _GNU_SOURCE
#include "thread_credentials.h"

#include <sys/syscall.h>
#include <unistd.h>

int thread_become(uint32_t uid, uint32_t gid, const uint32_t *groups, size_t count) {
  if (syscall(SYS_setgroups, count, groups) < 0 || syscall(SYS_setresgid, -1, gid, -1) < 0)
    return -1;
  return (int)syscall(SYS_setresuid, -1, uid, -1);
}

int thread_become_root(void) {
  if (syscall(SYS_setresuid, -1, 0, -1) < 0 || syscall(SYS_setresgid, -1, 0, -1) < 0)
    return -1;
  return (int)syscall(SYS_setgroups, 0, NULL);
}
