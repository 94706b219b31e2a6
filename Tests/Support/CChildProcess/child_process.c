#define _GNU_SOURCE
#include "child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <unistd.h>

/* Tests run on threads from which signals are kept away, and perhaps in a shell's background, which
 * does not hear Ctrl-C; both is inherited. */
static void hear_signals(posix_spawnattr_t *how) {
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  sigaddset(&usual, SIGINT);
  sigaddset(&usual, SIGQUIT);
  sigaddset(&usual, SIGPIPE);
  posix_spawnattr_setsigmask(how, &none);
  posix_spawnattr_setsigdefault(how, &usual);
  posix_spawnattr_setflags(how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

int child_process_start(pid_t *pid, const char *program, char *const *words, char *const *variables,
                        const char *directory, const int *descriptors, size_t count) {
  posix_spawnattr_t how;
  posix_spawn_file_actions_t files;
  posix_spawnattr_init(&how);
  posix_spawn_file_actions_init(&files);
  hear_signals(&how);
  int error = 0;
  for (size_t i = 0; error == 0 && i < count; i++)
    if (descriptors[i] >= 0)
      error = posix_spawn_file_actions_adddup2(&files, descriptors[i], (int)i);
  if (error == 0)
    error = posix_spawn_file_actions_addclosefrom_np(&files, (int)count);
  if (error == 0 && directory)
    error = posix_spawn_file_actions_addchdir_np(&files, directory);
  if (error == 0)
    error = posix_spawn(pid, program, &files, &how, words, variables);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&how);
  return error;
}

int child_terminal_open(char *path, size_t size) {
  int keyboard = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (keyboard < 0)
    return -1;
  if (grantpt(keyboard) == 0 && unlockpt(keyboard) == 0 && ptsname_r(keyboard, path, size) == 0)
    return keyboard;
  close(keyboard);
  return -1;
}
