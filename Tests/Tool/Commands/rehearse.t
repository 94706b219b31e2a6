A pager over a list, whose rows know single and double taps.

  $ cat >pager.toml <<'END'
  > [screen.panel]
  > size = [800, 480]
  > [[window]]
  > name = "home"
  > [[view]]
  > path = "home/list"
  > frame = [0, 40, 800, 400]
  > [[gesture]]
  > view = "home"
  > name = "pages"
  > kind = "pan"
  > direction = "horizontal"
  > [[gesture]]
  > view = "home/list"
  > name = "scroll"
  > kind = "pan"
  > direction = "vertical"
  > [[gesture]]
  > view = "home/list"
  > name = "tap"
  > kind = "tap"
  > after = ["home/list#double"]
  > [[gesture]]
  > view = "home/list"
  > name = "double"
  > kind = "tap"
  > taps = 2
  > END
  $ rehearse() { cat >script.txt; touchroute rehearse --config home.toml "$@" script.txt; }
  $ cp pager.toml home.toml

The pager takes a finger from the list that had it, and the list says why it failed (G6, G9).

  $ rehearse --program home --program home/list <<'END'
  > began 0 100 100
  > frame
  > wait 20
  > moved 0 112 100  # Across the list.
  > frame
  > wait 20
  > ended 0
  > frame
  > END
  0 ms  home/list  touch 1  began  on home/list  at 100, 60
  20 ms  home/list#scroll  failed  (moved 12 points across, slop is 10)
  20 ms  home/list  touch 1  cancelled  on home/list  (gesture)  at 112, 60
  20 ms  home  home#pages  began  at 112, 100  moved 12, 0
  20 ms  home/list#double  failed  (home#pages recognized)
  20 ms  home/list#tap  failed  (home#pages recognized)
  40 ms  home  home#pages  ended  at 112, 100  moved 12, 0

A tap waits for the second one of a double tap, in a time in which nothing waits (G7, G10).

  $ tap='began 0 100 100\nframe\nwait 30\nended 0\nframe\n'
  $ printf "$tap" | rehearse --program home/list
  0 ms  home/list  touch 1  began  on home/list  at 100, 60
  30 ms  home/list#scroll  failed  (lifted before)
  380 ms  home/list#double  failed  (no further tap within 350 ms)
  380 ms  home/list  touch 1  cancelled  on home/list  (gesture)  at 100, 60
  380 ms  home/list  home/list#tap  recognized  at 100, 60
  $ printf "${tap}wait 100\n$tap" | rehearse --program home/list
  0 ms  home/list  touch 1  began  on home/list  at 100, 60
  30 ms  home/list#scroll  failed  (lifted before)
  130 ms  home/list  touch 2  began  on home/list  at 100, 60
  160 ms  home/list#scroll  failed  (lifted before)
  160 ms  home/list  touch 1  cancelled  on home/list  (gesture)  at 100, 60
  160 ms  home/list  touch 2  cancelled  on home/list  (gesture)  at 100, 60
  160 ms  home/list  home/list#double  recognized  at 100, 60
  160 ms  home/list#tap  failed  (home/list#double recognized)

A program that accepts beats its superview's gesture, and scripts say so (G8).

  $ rehearse <<'END'
  > began 3 100 100
  > frame
  > accept home/list 3
  > moved 3 150 100
  > frame
  > ended 3
  > frame
  > END
  0 ms  home/list  touch 1  began  on home/list  at 100, 60
  0 ms  home/list#scroll  failed  (its touch was accepted)
  0 ms  home/list#double  failed  (its touch was accepted)
  0 ms  home/list#tap  failed  (its touch was accepted)
  0 ms  home#pages  failed  (its touch was accepted)
  0 ms  home/list  touch 1  moved  on home/list  at 150, 60
  0 ms  home/list  touch 1  ended  on home/list  at 150, 60

--json prints an object for each event, with its own time where that is another (G10, G16).

  $ sed 's/after = .*/enabled = false/' pager.toml >home.toml
  $ rehearse --json --program home/list <<'END'
  > began 0 100 100
  > frame
  > wait 100
  > ended 0
  > frame
  > wait 300
  > began 0 500 100
  > frame
  > END
  {"at_ms":0,"event":"touch","phase":"began","program":"home/list","replayed":false,"slot":0,"taps":1,"target":"home/list","touch":1,"x":100,"y":60}
  {"at_ms":100,"event":"failed","gesture":"home/list#scroll","path":"home/list#scroll","reason":"lifted before"}
  {"at_ms":400,"event":"failed","gesture":"home/list#double","path":"home/list#double","reason":"tapped 400 points from the tap before, distance is 45"}
  {"at_ms":400,"event":"touch","phase":"ended","program":"home/list","replayed":false,"slot":0,"taps":1,"target":"home/list","time_ms":100,"touch":1,"x":100,"y":60}
  {"at_ms":400,"event":"touch","phase":"began","program":"home/list","replayed":false,"slot":0,"taps":1,"target":"home/list","touch":2,"x":500,"y":60}
  {"at_ms":400,"event":"failed","gesture":"home/list#scroll","path":"home/list#scroll","reason":"its touch was cancelled"}
  {"at_ms":400,"cancel_reason":"requested","event":"touch","phase":"cancelled","program":"home/list","reason":"requested","replayed":false,"slot":0,"taps":1,"target":"home/list","touch":2,"x":500,"y":60}

To accept a touch that is held back does nothing (G11).

  $ cat >home.toml <<'END'
  > [screen.panel]
  > size = [800, 480]
  > [[window]]
  > name = "home"
  > [[gesture]]
  > view = "home"
  > name = "tap"
  > kind = "tap"
  > delays_began = true
  > END
  $ rehearse <<'END'
  > began 0 100 100
  > frame
  > accept home 0
  > moved 0 101 100
  > began 1 300 200
  > frame
  > END
  0 ms  home#tap  failed  (more fingers than 1)
  0 ms  home  touch 1  began  on home  at 100, 100  replayed
  0 ms  home  touch 1  moved  on home  at 101, 100
  0 ms  home  touch 2  began  on home  at 300, 200
  0 ms  home  touch 1  cancelled  on home  (requested)  at 101, 100
  0 ms  home  touch 2  cancelled  on home  (requested)  at 300, 200

What nobody would get takes no part, and fingers left down are cancelled (G2, G12, G13).

  $ cat >home.toml <<'END'
  > [screen.panel]
  > size = [800, 480]
  > [[window]]
  > name = "home"
  > controller = "x"
  > [[window]]
  > name = "bar"
  > frame = [0, 0, 10, 10]
  > [[gesture]]
  > view = "home"
  > name = "pages"
  > kind = "pan"
  > END
  $ script='began 0 100 100\nframe\nwait 10\nmoved 0 160 100\nframe\n'
  $ printf "$script" | rehearse --program home@x
  0 ms  home@x  touch 1  began  on home  at 100, 100
  10 ms  home@x  touch 1  cancelled  on home  (gesture)  at 160, 100
  10 ms  home@x  home#pages  began  at 160, 100  moved 60, 0
  10 ms  home@x  home#pages  cancelled  (requested)  at 160, 100  moved 60, 0
  $ printf "$script" | rehearse --program bar
  touchroute: no program would get anything of these touches

What would click is told, as who listens hears it (D10, D12).

  $ sed -e 's/^name = "home"/&\nfeedback = "click"/' -e 's/^taps = 2/&\nfeedback = "tock"/' pager.toml >home.toml
  $ cat >>home.toml <<'END'
  > [[window]]
  > name = "pin"
  > frame = [700, 0, 100, 40]
  > secure = true
  > feedback = "beep"
  > END
  $ printf 'tap 100 100\nwait 60\ntap 100 100\ntap 750 20\n' | rehearse | grep feedback
  0 ms  panel  feedback click  on home/list
  110 ms  panel  feedback click  on home/list
  160 ms  panel  feedback tock  on home/list#double
  160 ms  panel  feedback beep  on a secure view
  $ echo 'tap 750 20' | rehearse --json | grep feedback
  {"at_ms":0,"event":"feedback","feedback":"beep","screen":"panel"}

Beside the program, nobody holds what is hit.

  $ echo 'tap 100 100' | rehearse --program pin
  touchroute: no program would get anything of these touches

A script or a program that is wrong is refused at its line, and nothing is printed.

  $ cp pager.toml home.toml
  $ refused() { printf "$1" | rehearse; }
  $ refused 'began 0 1 1\nframe\nwait 1\nended 1\nframe\n'
  touchroute: script.txt:5:1: slot 1 is not down, and so can't be ended
  [1]
  $ refused 'accept home 0\n'
  touchroute: script.txt:1:13: slot 0 has had no touch
  [1]
  $ refused 'began 0 1 1\nframe\ndecline hom 0\n'
  touchroute: script.txt:3:9: there is no responder "hom"; did you mean "home"?
  [1]
  $ refused 'accept home\n'
  touchroute: script.txt:1:1: it must be accept PATH SLOT
  [1]
  $ refused '  began 0 1 one\n'
  touchroute: script.txt:1:13: it must be began SLOT X Y
  [1]
  $ refused 'frame 1\n'
  touchroute: script.txt:1:7: it must be frame
  [1]
  $ refused 'screen door\n'
  touchroute: script.txt:1:8: there is no screen "door"; the layout has panel
  [1]

A configuration that is wrong is refused as check refuses it, and so is a program's path.

  $ echo | rehearse --program nav
  touchroute: --program: no responder is named "nav"; `touchroute tree`, run as root, lists them all
  [1]
  $ printf '[[gesture]]\nview = "hom"\nname = "a"\nkind = "pan"\n' >>home.toml
  $ echo | rehearse
  home.toml:29:8: gesture "hom#a": there is no view "hom"; did you mean "home"?
  [1]

Touches play through a touchscreen's filters, which say what they did (N1).

  $ cp pager.toml home.toml
  $ cat >>home.toml <<'END'
  > [[device]]
  > match = { name = "Bad Panel*" }
  > region = [400, 0, 400, 480]
  > bridge_ms = 25
  > min_contact_ms = 15
  > dead_zones = [[700, 0, 100, 100]]
  > END
  $ cat >bounce.txt <<'END'
  > began 0 500 30
  > frame
  > wait 5
  > ended 0
  > frame
  > wait 200
  > began 1 750 50
  > frame
  > wait 50
  > ended 1
  > frame
  > wait 200
  > began 3 500 30
  > frame
  > wait 30
  > ended 3
  > frame
  > wait 10
  > began 4 502 30
  > frame
  > wait 40
  > ended 4
  > frame
  > END
  $ rehearse --device 'Bad Panel 7' --program home <bounce.txt | grep -v 'home#'
  30 ms  filter: short  at 500, 30
  205 ms  filter: dead_zone  at 750, 50
  470 ms  home  touch 1  began  on home  at 500, 30
  495 ms  filter: bridged  at 502, 30
  495 ms  home  touch 1  moved  on home  at 502, 30
  560 ms  home  touch 1  ended  on home  at 502, 30

Without a touchscreen's name nothing is filtered, and a name that no rule has is refused.

  $ rehearse --program home <bounce.txt | grep -c 'touch.*began'
  4
  $ rehearse --device 0416:038f <bounce.txt
  touchroute: --device: no [[device]] matches "0416:038f" by its name or id, so it has no filters
  [1]
