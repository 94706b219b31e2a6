# What the tables of commands share. They are Cram's: scripts/commands runs them, and says how they are renewed.

# Runs a wrong command line and prints the first line of its error; the usage follows there. Its status must be 64.
wrong() {
  touchroute "$@" >said 2>errors
  status=$?
  cat said
  head -n 1 errors
  [ "$status" = 64 ] || return "$status"
}

# Starts a daemon with a configuration. The commands talk to it from then on, and it ends with the table.
start_daemon() {
  export TOUCHROUTE_SOCKET=$PWD/touchroute.sock
  touchrouted --config "$1" --socket "$TOUCHROUTE_SOCKET" --control-socket control.sock 2>log &
  trap 'kill $(jobs -p) 2>/dev/null' EXIT
  wait_for $! log test -S control.sock
}

# Starts a program that listens to responders, and waits until it is attached to all of them.
start_listening() {
  touchroute listen "$@" >heard 2>&1 &
  wait_for $! heard has_attached $#
}

has_attached() { [ "$(grep -cs '^attached' heard)" = "$1" ]; }

# Waits until a command succeeds; where the process has ended before that, shows what it has written.
wait_for() { # PROCESS FILE COMMAND...
  local process=$1 file=$2
  shift 2
  until "$@"; do
    kill -0 "$process" 2>/dev/null || { cat "$file"; return 1; }
    sleep 0.02
  done
}

# Replaces the numbers of processes.
unnumbered() { sed 's/pid [0-9]*/pid N/g'; }
