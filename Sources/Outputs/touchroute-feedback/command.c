/* Commands, a few at a time. */
#include "command.h"

#include "feed.h"
#include "printable.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST 8

extern char **environ;

static int running, has_said;

/* Those that have ended until now. */
static void reap(void) {
  while (running > 0 && waitpid(-1, NULL, WNOHANG) > 0)
    running--;
}

/* Sets a variable to what the daemon says, which a command may show on a terminal. */
static int set_text(const char *variable, const char *text) {
  static char shown[PRINTABLE_SIZE(TOUCHROUTE_MAX_PATH)];
  return setenv(variable, printable(shown, sizeof shown, text, PRINTABLE_LINE), 1);
}

/* Starts it as a shell would have it: with the usual signals, and nothing to read. */
static int start_shell(const char *command) {
  char *words[] = {"sh", "-c", (char *)command, NULL};
  posix_spawnattr_t how;
  posix_spawn_file_actions_t files;
  sigset_t none, usual;
  pid_t pid;
  sigemptyset(&none);
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);
  posix_spawnattr_init(&how);
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setsigmask(&how, &none);
  posix_spawnattr_setsigdefault(&how, &usual);
  int error = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (error == 0)
    error = posix_spawn(&pid, "/bin/sh", &files, &how, words, environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&how);
  return error;
}

void command_run(const char *command, const char *name, const char *target) {
  /* Where it is ignored, nobody is told that one has ended. */
  signal(SIGCHLD, SIG_DFL);
  reap();
  if (running >= MOST) {
    if (!has_said)
      feed_say("%d commands are running: no further one is started until one ends", MOST);
    has_said = 1;
    return;
  }
  has_said = 0;
  if (set_text("TOUCHROUTE_FEEDBACK", name) < 0 || set_text("TOUCHROUTE_TARGET", target) < 0) {
    feed_say("a command can't be run: %s", strerror(errno));
    return;
  }
  int error = start_shell(command);
  if (error != 0)
    feed_say("a command can't be run: %s", strerror(error));
  else
    running++;
}
