The target, the point in its coordinates and the chain are printed (H1, R1).

  $ . "$TESTDIR/setup.sh"
  $ cp "$TESTDIR/panel.toml" .
  $ hit() { touchroute hit-test --config panel.toml "$@"; }
  $ hit 20 20.5
  home/toolbar/back
    at (12, 12.5) in its coordinates
    asked in this order: home/toolbar/back, home/toolbar, home/toolbar@bar, home, app:dashboard

The edges of a view are half-open, grown by its outset (H3).

  $ hit 59.99 59.99 | head -n 1
  home/toolbar/back
  $ hit 60 20 | head -n 1
  home/toolbar
  $ hit 20 60 | head -n 1
  home

Bounds' origin and shape count (L2, H4).

  $ hit 200 200
  home/dial
    at (100, 150) in its coordinates
    asked in this order: home/dial, home, app:dashboard
  $ hit 102 102 | head -n 1
  home

A point outside of the screen, or in no window, hits nothing (H7, T8).

  $ hit 800 20
  nothing at (800, 20): it is outside screen "panel", which has 800 by 480 points
  $ hit -- -1 5
  nothing at (-1, 5): it is outside screen "panel", which has 800 by 480 points
  $ printf '[screen.a]\nsize = [9, 9]\n[[window]]\nname = "w"\nhidden = true\n' >empty.toml
  $ touchroute hit-test -c empty.toml 1 1
  nothing at (1, 1): no window takes it

Another screen is asked for by its name, and one that is not there is an error.

  $ hit --screen door 5 700
  bell
    at (5, 700) in its coordinates
    asked in this order: bell
  $ hit --screen dor 5 5
  touchroute: there is no screen "dor"; the configuration has "panel", "door"
  [1]

A trace lists the calls as the recursion makes them (H9).

  $ hit --trace 70 20
  home hit
  home inside (70.0, 20.0): yes
  dial hit
  dial inside (-30.0, -30.0): no
  dial hit: nothing
  toolbar hit
  toolbar inside (70.0, 20.0): yes
  back hit
  back inside (62.0, 12.0): no
  back hit: nothing
  toolbar hit: home/toolbar
  home hit: home/toolbar

JSON has the same as data, its keys in a stable order.

  $ hit --json 20 20
  {"chain":["home/toolbar/back","home/toolbar","home/toolbar@bar","home","app:dashboard"],"location":[12,12],"point":[20,20],"screen":"panel","target":"home/toolbar/back"}
  $ hit --json --trace --screen door 1 2
  {"chain":["bell"],"location":[1,2],"point":[1,2],"screen":"door","target":"bell","trace":[{"call":"hit","view":"bell"},{"call":"result","found":"bell","view":"bell"}]}
  $ hit --json 900 20
  {"chain":[],"point":[900,20],"screen":"panel"}

It lists the recognizers that would take the touch, the nearest first (G2).

  $ cat >>panel.toml <<'END'
  > [[gesture]]
  > screen = "panel"
  > name = "back"
  > kind = "edge_pan"
  > edge = "left"
  > to = "home"
  > priority = true
  > [[gesture]]
  > view = "home"
  > name = "pages"
  > kind = "pan"
  > direction = "horizontal"
  > touches = 2
  > enabled = false
  > [[gesture]]
  > view = "home/dial"
  > name = "open"
  > kind = "tap"
  > taps = 2
  > slop = 4.5
  > after = ["home#pages"]
  > [[gesture]]
  > view = "home/dial"
  > name = "menu"
  > kind = "long_press"
  > duration_ms = 800
  > simultaneous = ["home#pages", "home/dial#open"]
  > cancels_touches = false
  > END
  $ hit 200 200
  home/dial
    at (100, 150) in its coordinates
    asked in this order: home/dial, home, app:dashboard
    recognizers:
      home/dial#open  tap, 2 taps, slop 4.5, after home#pages
      home/dial#menu  long_press, duration_ms 800, beside home#pages and home/dial#open, cancels no touches
      home#pages  pan horizontal, 2 fingers, disabled: takes no part: it is disabled
      screen:panel#back  edge_pan left, to home, priority
  $ hit --json 700 400
  {"chain":["home","app:dashboard"],"gestures":[{"after":[],"cancels_touches":true,"delays_began":false,"delays_ended":true,"direction":"horizontal","enabled":false,"kind":"pan","path":"home#pages","priority":false,"simultaneous":[],"slop":10,"takes_no_part":"it is disabled","touches":[2,2]},{"after":[],"cancels_touches":true,"delays_began":false,"delays_ended":true,"edge":"left","enabled":true,"kind":"edge_pan","margin":20,"path":"screen:panel#back","priority":true,"simultaneous":[],"slop":10,"to":"home","touches":[1,1]}],"location":[700,400],"point":[700,400],"screen":"panel","target":"home"}

Not those of another screen; and where nothing is hit there are none.

  $ hit --screen door 5 700
  bell
    at (5, 700) in its coordinates
    asked in this order: bell
  $ hit 900 20
  nothing at (900, 20): it is outside screen "panel", which has 800 by 480 points

It says that a screen's gesture takes no part, where rehearse tells nothing of it (G2, F8).

  $ echo 'tap 100 100' >tap.txt
  $ poke() {
  >   cat >lock.toml <<END
  > [screen.panel]
  > size = [800, 480]
  > [[window]]
  > name = "shell"
  > [[window]]
  > name = "lock"
  > $1
  > [[gesture]]
  > screen = "panel"
  > name = "poke"
  > kind = "tap"
  > to = "shell"
  > $2
  > END
  >   touchroute hit-test -c lock.toml 100 100 | grep '#poke'
  >   touchroute rehearse -c lock.toml tap.txt 2>/dev/null | grep '#poke' || true
  > }
  $ poke 'level = 1000'
      screen:panel#poke  tap, to shell: takes no part: the window lock has the level 1000, above the gesture's 999
  $ poke 'level = 999'
      screen:panel#poke  tap, to shell
  50 ms  shell  screen:panel#poke  recognized  at 100, 100
  $ poke 'level = 6' 'level = 5'
      screen:panel#poke  tap, to shell, level 5: takes no part: the window lock has the level 6, above the gesture's 5
  $ poke 'secure = true'
      screen:panel#poke  tap, to shell: takes no part: lock is secure, and the gesture has not secure = true
  $ poke 'secure = true' 'secure = true'
      screen:panel#poke  tap, to shell, secure
  50 ms  shell  screen:panel#poke  recognized  at 100, 100
  $ poke '' 'enabled = false'
      screen:panel#poke  tap, to shell, disabled: takes no part: it is disabled

A file of points gives a target a line, - where there is none (H7, T8).

  $ cp "$TESTDIR/panel.toml" .
  $ printf '20 20\n\n  70\t20  \n900 20\n-1 5\n200 200.5\n' >points.txt
  $ hit --points points.txt
  home/toolbar/back
  home/toolbar
  -
  -
  home/dial
  $ hit --points points.txt --time >/dev/null
  ns/lookup: * (glob)
  build: * ms (glob)

A line that is no point is named, and so is a file that can't be read.

  $ no_point() { printf "$1" >points.txt; hit --points points.txt; }
  $ no_point '1 2\n3\n'
  touchroute: points.txt:2:1: a line must be two numbers, X Y
  [1]
  $ no_point 'x y\n'
  touchroute: points.txt:1:1: a line must be two numbers, X Y
  [1]
  $ no_point '1 2 3\n'
  touchroute: points.txt:1:1: a line must be two numbers, X Y
  [1]
  $ no_point '1 nan\n'
  touchroute: points.txt:1:1: a line must be two numbers, X Y
  [1]
  $ hit --points gone.txt
  touchroute: gone.txt can't be opened: No such file or directory
  [1]

A configuration that is not valid is listed like check does.

  $ printf '[screen.a]\nsize = 3\n' >bad.toml
  $ touchroute hit-test -c bad.toml 1 1
  bad.toml:2:8: screen "a": size needs two numbers (width, height), found 3
  [1]
