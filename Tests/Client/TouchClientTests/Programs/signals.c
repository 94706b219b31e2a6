/*
 * A signal ends touchroute_dispatch's wait, with and without TOUCHROUTE_RECONNECT, though its
 * handler is one of those after which the kernel goes on with most system calls.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <touchroute.h>
#include <unistd.h>

static volatile sig_atomic_t signals;

static void on_signal(int number) {
  (void)number;
  signals++;
}

static int wait_for_signal(const char *path, uint32_t flags) {
  static const struct touchroute_listener listener = {.size = sizeof listener};
  struct touchroute_connection *c = touchroute_connect(path, "signals", flags, &listener, NULL);
  if (!c)
    return -1;
  /* Again and again: the first may come before the wait has begun. */
  struct itimerval often = {{0, 100000}, {0, 100000}}, never = {{0, 0}, {0, 0}};
  signals = 0;
  setitimer(ITIMER_REAL, &often, NULL);
  int result = touchroute_dispatch(c, -1);
  setitimer(ITIMER_REAL, &never, NULL);
  touchroute_disconnect(c);
  return signals > 0 ? result : -1;
}

int main(void) {
  char folder[] = "/tmp/touchroute-signals-XXXXXX";
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int server = socket(AF_UNIX, SOCK_STREAM, 0);
  if (!mkdtemp(folder))
    return 1;
  snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", folder);
  if (bind(server, (struct sockaddr *)&address, sizeof address) || listen(server, 4))
    return 1;
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  sigaction(SIGALRM, &action, NULL);
  sigset_t alarms; /* which whoever started this may have blocked */
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  sigprocmask(SIG_UNBLOCK, &alarms, NULL);
  printf("%d %d\n", wait_for_signal(address.sun_path, 0),
         wait_for_signal(address.sun_path, TOUCHROUTE_RECONNECT));
  unlink(address.sun_path);
  rmdir(folder);
  return 0;
}
