# What the tables of commands share. They are Cram's: scripts/commands runs them, and says how they are renewed.

# A wrong command line: the first line of what is said, which the usage follows. It exits with 64, and prints nothing.
wrong() {
  touchroute "$@" >said 2>errors
  status=$?
  cat said
  head -n 1 errors
  [ "$status" = 64 ] || return "$status"
}

# The layout that most tables ask about, as panel.toml.
write_panel() {
  cat >panel.toml <<'END'
[screen.panel]
size = [800, 480]
[screen.door]
size = [480, 800]
rotation = 90
[[window]]
name = "home"
application = "dashboard"
[[view]]
path = "home/toolbar"
frame = [0, 0, "100%", 60]
controller = "bar"
[[view]]
path = "home/toolbar/back"
frame = [8, 8, 44, 44]
outset = 8
[[view]]
path = "home/dial"
frame = [100, 100, 200, 200]
bounds_origin = [0, 50]
shape = "ellipse"
[[window]]
name = "bell"
screen = "door"
level = 2
hit = "self"
END
}

# Starts a daemon with a configuration, to which the commands talk from then on; it ends with the table.
start_daemon() {
  export TOUCHROUTE_SOCKET=$PWD/touchroute.sock
  touchrouted --config "$1" --socket "$TOUCHROUTE_SOCKET" --control-socket control.sock 2>log &
  trap 'kill $(jobs -p) 2>/dev/null' EXIT
  until [ -S control.sock ]; do sleep 0.02; done
}

# Starts a program that listens to responders, until it is attached to as many.
start_listening() {
  touchroute listen "$@" >heard 2>&1 &
  until [ "$(grep -c '^attached' heard 2>/dev/null)" = $# ]; do sleep 0.02; done
}

# Without numbers of processes.
unnumbered() { sed 's/pid [0-9]*/pid N/g'; }
