/* logind's Inhibit and PrepareForSleep, for tests: on the bus of DBUS_SYSTEM_BUS_ADDRESS. It says
 * "inhibited" and "released". SIGUSR1 has it tell that the machine sleeps, SIGUSR2 that it has
 * slept. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

static int watched = -1;

static int inhibit(sd_bus_message *message, void *data, sd_bus_error *error) {
  (void)data, (void)error;
  const char *what, *who, *why, *mode;
  int ends[2];
  if (sd_bus_message_read(message, "ssss", &what, &who, &why, &mode) < 0 ||
      pipe2(ends, O_CLOEXEC) < 0)
    return -1;
  printf("inhibited %s %s\n", what, mode);
  watched = ends[0];
  int result = sd_bus_reply_method_return(message, "h", ends[1]);
  close(ends[1]);
  return result;
}

static const sd_bus_vtable methods[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("Inhibit", "ssss", "h", inhibit, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_SIGNAL("PrepareForSleep", "b", 0),
    SD_BUS_VTABLE_END,
};

int main(void) {
  sd_bus *bus = NULL;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGUSR2);
  setvbuf(stdout, NULL, _IOLBF, 0);
  sigprocmask(SIG_BLOCK, &set, NULL);
  int signals = signalfd(-1, &set, SFD_CLOEXEC);
  if (signals < 0 || sd_bus_open_system(&bus) < 0 ||
      sd_bus_add_object_vtable(bus, NULL, "/org/freedesktop/login1",
                               "org.freedesktop.login1.Manager", methods, NULL) < 0 ||
      sd_bus_request_name(bus, "org.freedesktop.login1", 0) < 0)
    return 1;
  puts("ready");
  for (;;) {
    while (sd_bus_process(bus, NULL) > 0)
      ;
    sd_bus_flush(bus);
    struct pollfd all[] = {
        {sd_bus_get_fd(bus), POLLIN, 0}, {signals, POLLIN, 0}, {watched, 0, 0}};
    if (poll(all, 3, -1) < 0)
      return 1;
    if (all[2].revents) {
      puts("released");
      close(watched);
      watched = -1;
    }
    if (all[1].revents) {
      struct signalfd_siginfo signal;
      if (read(signals, &signal, sizeof signal) != sizeof signal)
        return 1;
      sd_bus_emit_signal(bus, "/org/freedesktop/login1", "org.freedesktop.login1.Manager",
                         "PrepareForSleep", "b", signal.ssi_signo == SIGUSR1);
    }
  }
}
