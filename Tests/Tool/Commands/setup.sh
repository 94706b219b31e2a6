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
