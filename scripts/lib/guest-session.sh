#!/bin/bash
# The guest's process 1 once its root is there, or a service where that is systemd: starts udev, runs
# the command, passes out its output and its exit status through virtio-serial ports, and ends the
# guest.

session=/run/guest
exec </dev/null

port() { # NAME: the port's device, found by name because their numbers are the kernel's affair
  local file
  for file in /sys/class/virtio-ports/*/name; do
    if [[ $(<"$file") == "$1" ]]; then
      file=${file%/name}
      echo "/dev/${file##*/}"
      return
    fi
  done
  echo "guest-session: no port named $1" >/dev/console
}

off() {
  sync
  echo b >/proc/sysrq-trigger
  sleep infinity
}

exec {status}>"$(port status)" || off

# Where idle time is skipped, the clock would run ahead by minutes while the host fetches a file, and
# udev's timeouts with it. So nothing is idle until the command runs.
spinner=''
if grep -qw touchroute.skips_idle /proc/cmdline; then
  chrt --idle 0 /bin/bash -c 'while :; do :; done' &
  spinner=$!
fi

if [[ $$ == 1 ]]; then
  /lib/systemd/systemd-udevd --daemon || off
fi
udevadm trigger --type=subsystems --action=add --subsystem-match=input --subsystem-match=misc
udevadm trigger --type=devices --action=add --subsystem-match=input --subsystem-match=misc
udevadm settle

# The command writes to pipes and not to the ports, since a port can be opened once only, while
# scripts like to open /dev/stderr again.
mkfifo $session/out $session/err
cat $session/out >"$(port out)" &
cat $session/err >"$(port err)" &
carriers=" $(jobs -p | tr '\n' ' ')"

read -r uptime _ </proc/uptime
echo "booted $uptime" >&"$status"
if [[ -n $spinner ]]; then kill "$spinner"; fi
env -i /bin/bash $session/command.sh >$session/out 2>$session/err {status}>&-
code=$?
read -r uptime _ </proc/uptime

# Whoever is left may hold the pipes open and is ended, so that the carriers see their end. Under
# systemd those are the service's processes.
if [[ $$ == 1 ]]; then
  processes=$(cd /proc && printf '%s\n' [0-9]*)
else
  processes=$(<"/sys/fs/cgroup$(cut -d: -f3 /proc/self/cgroup)/cgroup.procs")
fi
for pid in $processes; do
  if [[ $pid != "$$" && $carriers != *" $pid "* ]]; then kill -9 "$pid" 2>/dev/null; fi
done
wait
echo "exit $code $uptime" >&"$status"
off
