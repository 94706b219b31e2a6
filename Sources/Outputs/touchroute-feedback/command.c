/* Commands, a few at a time. */
#include "command.h"

#include "feed.h"
#include "printable.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

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

void command_run(const char *command, const char *name, const char *target) {
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
  char *words[] = {"sh", "-c", (char *)command, NULL};
  pid_t pid;
  int error = posix_spawn(&pid, "/bin/sh", NULL, NULL, words, environ);
  if (error != 0)
    feed_say("a command can't be run: %s", strerror(error));
  else
    running++;
}
