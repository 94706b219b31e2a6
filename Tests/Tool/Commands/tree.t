A configuration's layout is drawn as a tree, with what is not by default.

  $ . "$TESTDIR/setup.sh"
  $ cp "$TESTDIR/panel.toml" .
  $ touchroute tree --config panel.toml
  screen panel: 800x480
  screen door: 480x800, mounted at 90°
  home  800x480 at (0, 0)  on panel  app:dashboard
  ├─ toolbar@bar  800x60 at (0, 0)
  │  └─ back  44x44 at (8, 8)  outset 8
  └─ dial  200x200 at (100, 100)  origin (0, 50)  ellipse
  bell  480x800 at (0, 0)  on door  level 2  hit self

The recognizers of views and screens stand beside them, and in an array of --json (G1).

  $ cat >gestures.toml <<'END'
  > [screen.panel]
  > size = [800, 480]
  > [[window]]
  > name = "home"
  > [[gesture]]
  > view = "home"
  > name = "zoom"
  > kind = "pinch"
  > [[gesture]]
  > screen = "panel"
  > name = "back"
  > kind = "edge_pan"
  > edge = "left"
  > to = "home"
  > [[gesture]]
  > view = "home"
  > name = "next"
  > kind = "swipe"
  > direction = "left"
  > touches = [2, 3]
  > END
  $ touchroute tree -c gestures.toml
  screen panel: 800x480  #back edge_pan left, to home
  home  800x480 at (0, 0)  #zoom pinch  #next swipe left, 2 to 3 fingers
  $ touchroute tree -c gestures.toml --json | python3 -c 'import json, sys
  > for gesture in json.load(sys.stdin)["gestures"]: print(gesture)'
  {'after': [], 'cancels_touches': True, 'delays_began': False, 'delays_ended': True, 'enabled': True, 'kind': 'pinch', 'path': 'home#zoom', 'priority': False, 'simultaneous': [], 'slop': 10, 'touches': [2, 10]}
  {'after': [], 'cancels_touches': True, 'delays_began': False, 'delays_ended': True, 'edge': 'left', 'enabled': True, 'kind': 'edge_pan', 'margin': 20, 'path': 'screen:panel#back', 'priority': False, 'simultaneous': [], 'slop': 10, 'to': 'home', 'touches': [1, 1]}
  {'after': [], 'cancels_touches': True, 'delays_began': False, 'delays_ended': True, 'direction': 'left', 'distance': 50, 'duration_ms': 500, 'enabled': True, 'gather_ms': 150, 'kind': 'swipe', 'path': 'home#next', 'priority': False, 'simultaneous': [], 'slop': 10, 'touches': [2, 3]}

--json gives every property of a configuration's views, as the configuration has them.

  $ cat >>panel.toml <<'END'
  > [[view]]
  > path = "home/card"
  > frame = [0, 100, "50%", 40]
  > shape = { radius = 12 }
  > hit = { first = "pin" }
  > inside = { children = ["pin"] }
  > outset = 4.5
  > [[view]]
  > path = "home/card/pin"
  > frame = [0, 0, 10, 10]
  > transform = { translate = [3, 0] }
  > END
  $ touchroute tree -c panel.toml --json | wc -l
  1
  $ touchroute tree -c panel.toml --json | python3 -c 'import json, sys
  > tree = json.load(sys.stdin)
  > for thing in tree["screens"] + tree["views"]: print(thing)'
  {'name': 'panel', 'rotation': 0, 'size': [800, 480]}
  {'name': 'door', 'rotation': 90, 'size': [480, 800]}
  {'alpha': 1, 'application': 'dashboard', 'bounds_origin': [0, 0], 'exclusive_touch': False, 'frame': [0, 0, 800, 480], 'hidden': False, 'hit': 'default', 'inside': 'bounds', 'interaction': True, 'level': 0, 'multiple_touch': True, 'outset': [0, 0, 0, 0], 'path': 'home', 'resizable': False, 'screen': 'panel', 'secure': False, 'shape': 'rect', 'transform': [1, 0, 0, 1, 0, 0]}
  {'alpha': 1, 'bounds_origin': [0, 0], 'controller': 'bar', 'exclusive_touch': False, 'frame': [0, 0, 800, 60], 'hidden': False, 'hit': 'default', 'inside': 'bounds', 'interaction': True, 'multiple_touch': True, 'outset': [0, 0, 0, 0], 'path': 'home/toolbar', 'secure': False, 'shape': 'rect', 'transform': [1, 0, 0, 1, 0, 0]}
  {'alpha': 1, 'bounds_origin': [0, 0], 'exclusive_touch': False, 'frame': [8, 8, 44, 44], 'hidden': False, 'hit': 'default', 'inside': 'bounds', 'interaction': True, 'multiple_touch': True, 'outset': [8, 8, 8, 8], 'path': 'home/toolbar/back', 'secure': False, 'shape': 'rect', 'transform': [1, 0, 0, 1, 0, 0]}
  {'alpha': 1, 'bounds_origin': [0, 50], 'exclusive_touch': False, 'frame': [100, 100, 200, 200], 'hidden': False, 'hit': 'default', 'inside': 'bounds', 'interaction': True, 'multiple_touch': True, 'outset': [0, 0, 0, 0], 'path': 'home/dial', 'secure': False, 'shape': 'ellipse', 'transform': [1, 0, 0, 1, 0, 0]}
  {'alpha': 1, 'bounds_origin': [0, 0], 'exclusive_touch': False, 'frame': [0, 100, 400, 40], 'hidden': False, 'hit': {'first': 'pin'}, 'inside': {'children': ['pin']}, 'interaction': True, 'multiple_touch': True, 'outset': [4.5, 4.5, 4.5, 4.5], 'path': 'home/card', 'secure': False, 'shape': {'radius': 12}, 'transform': [1, 0, 0, 1, 0, 0]}
  {'alpha': 1, 'bounds_origin': [0, 0], 'exclusive_touch': False, 'frame': [0, 0, 10, 10], 'hidden': False, 'hit': 'default', 'inside': 'bounds', 'interaction': True, 'multiple_touch': True, 'outset': [0, 0, 0, 0], 'path': 'home/card/pin', 'secure': False, 'shape': 'rect', 'transform': [1, 0, 0, 1, 3, 0]}
  {'alpha': 1, 'bounds_origin': [0, 0], 'exclusive_touch': False, 'frame': [0, 0, 480, 800], 'hidden': False, 'hit': 'self', 'inside': 'bounds', 'interaction': True, 'level': 2, 'multiple_touch': True, 'outset': [0, 0, 0, 0], 'path': 'bell', 'resizable': False, 'screen': 'door', 'secure': False, 'shape': 'rect', 'transform': [1, 0, 0, 1, 0, 0]}
  $ wrong tree --json --svg -c panel.toml
  touchroute: --svg and --json can't be given together

An output that can't be written is an error; a reader that goes away ends it quietly.

  $ touchroute tree -c panel.toml >/dev/full
  touchroute: standard output can't be written: No space left on device
  [1]
  $ set -o pipefail 2>/dev/null
  $ seq -f '[[view]]%npath = "home/v%g"%nframe = [0, 0, 9, 9]' 9999 | sed 's/%n/\n/g' >>panel.toml
  seq: format '[[view]]%npath = "home/v%g"%nframe = [0, 0, 9, 9]' has unknown %n directive
  [1]
  $ touchroute tree -c panel.toml | head -c 10
  screen pan (no-eol)
