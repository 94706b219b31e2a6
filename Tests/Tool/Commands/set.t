set changes the layout in force, several views at once, and back.

  $ . "$TESTDIR/setup.sh"
  $ cp "$TESTDIR/panel.toml" .
  $ start_daemon panel.toml
  $ touchroute set home/toolbar frame=0,10,800,70 alpha=0.5 home/dial transform=rotate:90,scale:2:1,translate:5:0 \
  >   bounds_origin=1,2 order=0 interaction=false bell hidden=true
  $ touchroute tree
  screen panel: 800x480
  screen door: 480x800, mounted at 90°
  home  800x480 at (0, 0)  on panel  app:dashboard
  ├─ dial  200x200 at (100, 100)  no interaction  origin (1, 2)  rotate = 90, scale = [2, 1], translate = [5, 0]  ellipse  interaction, bounds_origin, transform, order set on the control socket
  └─ toolbar@bar  800x70 at (0, 10)  alpha 0.5  alpha, frame set on the control socket
     └─ back  44x44 at (8, 8)  outset 8
  bell  480x800 at (0, 0)  on door  level 2  hidden  hit self  hidden set on the control socket
  $ touchroute set --configured home/toolbar home/dial bell
  $ touchroute tree
  screen panel: 800x480
  screen door: 480x800, mounted at 90°
  home  800x480 at (0, 0)  on panel  app:dashboard
  ├─ toolbar@bar  800x60 at (0, 0)
  │  └─ back  44x44 at (8, 8)  outset 8
  └─ dial  200x200 at (100, 100)  origin (0, 50)  ellipse
  bell  480x800 at (0, 0)  on door  level 2  hit self

set says what is hit: every property of hit-testing, and back (H3, H4, H5, H6, L6).

  $ start_listening app:dashboard
  $ hit() { touchroute tap --hold 0 "$@" | sed 's/: pid.*//'; }
  $ hit 20 20
  touch 1 at (20, 20) on panel hit home/toolbar/back
  $ touchroute set home/toolbar/back outset=-14
  $ hit 10 10
  touch 2 at (10, 10) on panel hit home/toolbar
  $ touchroute set home/toolbar/back outset=8,8,8,8 shape=ellipse
  $ hit 30 30
  touch 3 at (30, 30) on panel hit home/toolbar/back
  $ hit 1 1
  touch 4 at (1, 1) on panel hit home/toolbar
  $ touchroute set home/toolbar/back shape=polygon:0:0,44:0,0:44 outset=0
  $ hit 10 10
  touch 5 at (10, 10) on panel hit home/toolbar/back
  $ hit 50 50
  touch 6 at (50, 50) on panel hit home/toolbar
  $ touchroute set home/toolbar hit=self
  $ hit 10 10
  touch 7 at (10, 10) on panel hit home/toolbar
  $ touchroute set home hit=redirect:toolbar/back home/toolbar inside=never hit=default
  $ hit 300 400
  touch 8 at (300, 400) on panel hit home/toolbar/back
  $ touchroute set home/toolbar/back shape=radius:4 multiple_touch=false exclusive_touch=true
  $ touchroute set home secure=true level=7 inside=children:toolbar,dial hit=none
  $ touchroute tree | head -n 5
  screen panel: 800x480
  screen door: 480x800, mounted at 90°
  bell  480x800 at (0, 0)  on door  level 2  hit self
  home  800x480 at (0, 0)  on panel  level 7  app:dashboard  inside toolbar, dial  hit none  secure  inside, hit, secure, level set on the control socket
  ├─ toolbar@bar  800x60 at (0, 0)  inside never  inside, hit set on the control socket
  $ touchroute set --configured home home/toolbar home/toolbar/back
  $ hit 20 20
  touch 9 at (20, 20) on panel hit home/toolbar/back

set refuses what no view can be, and says what could be (L6).

  $ refused() { touchroute set home "$1" 2>&1 | head -n 1; return "${PIPESTATUS[0]}"; }
  $ refused outset=a
  touchroute: outset must be a number of points, or TOP,LEFT,BOTTOM,RIGHT, not 'a'
  [64]
  $ refused outset=1,2
  touchroute: outset must be a number of points, or TOP,LEFT,BOTTOM,RIGHT, not '1,2'
  [64]
  $ refused shape=round
  touchroute: shape must be rect, ellipse, radius:POINTS or polygon:X:Y,X:Y,X:Y and so on, not 'round'
  [64]
  $ refused shape=radius:
  touchroute: shape must be rect, ellipse, radius:POINTS or polygon:X:Y,X:Y,X:Y and so on, not 'radius:'
  [64]
  $ refused shape=polygon:1:2,3
  touchroute: shape must be rect, ellipse, radius:POINTS or polygon:X:Y,X:Y,X:Y and so on, not 'polygon:1:2,3'
  [64]
  $ refused shape=radius:-1
  touchroute: shape can't be 'radius:-1': the radius -1.0 is not a finite number of 0 or more
  [64]
  $ refused shape=polygon:0:0,1:1
  touchroute: shape can't be 'polygon:0:0,1:1': a polygon has at least 3 points, not 2
  [64]
  $ refused inside=out
  touchroute: inside must be bounds, always, never, children or children:NAME,NAME, not 'out'
  [64]
  $ refused inside=children:
  touchroute: inside must be bounds, always, never, children or children:NAME,NAME, not 'children:'
  [64]
  $ refused inside=children:a,,b
  touchroute: inside must be bounds, always, never, children or children:NAME,NAME, not 'children:a,,b'
  [64]
  $ refused hit=me
  touchroute: hit must be default, self, none, pass_through, redirect:PATH or first:PATH, not 'me'
  [64]
  $ refused hit=redirect
  touchroute: hit must be default, self, none, pass_through, redirect:PATH or first:PATH, not 'redirect'
  [64]
  $ refused hit=redirect:
  touchroute: hit must be default, self, none, pass_through, redirect:PATH or first:PATH, not 'redirect:'
  [64]
  $ refused hit=self:a
  touchroute: hit must be default, self, none, pass_through, redirect:PATH or first:PATH, not 'self:a'
  [64]
  $ refused secure=1
  touchroute: secure must be true or false, not '1'
  [64]
  $ refused multiple_touch=no
  touchroute: multiple_touch must be true or false, not 'no'
  [64]
  $ refused exclusive_touch=
  touchroute: exclusive_touch must be true or false, not ''
  [64]
  $ refused level=1.5
  touchroute: level must be a whole number from -1000000 to 1000000, not '1.5'
  [64]
  $ refused level=1000001
  touchroute: level must be a whole number from -1000000 to 1000000, not '1000001'
  [64]

set says which of what it was to set is not possible, and sets nothing.

  $ touchroute set bell alpha=0.5 home/diall alpha=0.5
  touchroute: set: change 2, alpha of "home/diall": no window or view is named "home/diall"; the nearest is "home/dial"
  [1]
  $ touchroute set home#page enabled=true
  touchroute: set: change 1, enabled of "home#page": there is no gesture "home#page"
  [1]
  $ touchroute set --socket "$TOUCHROUTE_SOCKET" bell alpha=0.5 2>&1 | unnumbered
  touchroute: set: change 1, alpha of "bell": this client holds neither that nor what it lies in, and no rule names it; attach first, or use the control socket
  $ touchroute tree | grep bell
  bell  480x800 at (0, 0)  on door  level 2  hit self
