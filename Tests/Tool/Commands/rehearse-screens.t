A panel with a strip that is always on, and an emergency button.

  $ cat >home.toml <<'END'
  > [screen.panel]
  > size = [800, 480]
  > wake_timeout_ms = 2000
  > [[window]]
  > name = "home"
  > [[view]]
  > path = "home/emergency"
  > frame = [0, 0, 100, 100]
  > [[window]]
  > name = "strip"
  > frame = [0, 400, 800, 80]
  > always_on = true
  > [limits]
  > lock_seconds = 60
  > END
  $ rehearse() { cat >script.txt; touchroute rehearse --config home.toml "$@" script.txt; }

A touch wakes a dark screen, and none goes to a program until the guard is over (D3).

  $ rehearse --program home --program strip <<'END'
  > began 5 400 200
  > frame
  > dark panel
  > wait 50
  > tap 400 200
  > tap 400 440      # On the window that is always on.
  > on panel
  > tap 400 200
  > wait 200
  > tap 400 200
  > END
  0 ms  home  touch 1  began  on home  at 400, 200
  0 ms  home  touch 1  cancelled  on home  (dark)  at 400, 200
  0 ms  panel  dark  (requested)
  50 ms  panel  waking  (woken)
  100 ms  strip  touch 3  began  on strip  at 400, 40
  150 ms  strip  touch 3  ended  on strip  at 400, 40
  150 ms  panel  on  (requested)
  400 ms  home  touch 5  began  on home  at 400, 200
  450 ms  home  touch 5  ended  on home  at 400, 200

A blanker that does not answer is waited for until its time is over (D4).

  $ printf 'dark panel\nwait 10\ntap 9 9\nwait 5000\ntap 9 9\n' | rehearse --program home --json
  {"at_ms":0,"cause":"requested","event":"screen","screen":"panel","state":"dark"}
  {"at_ms":10,"cause":"woken","event":"screen","screen":"panel","state":"waking"}
  {"at_ms":2010,"cause":"timed_out","event":"screen","screen":"panel","state":"on"}
  {"at_ms":5060,"event":"touch","phase":"began","program":"home","replayed":false,"slot":0,"taps":1,"target":"home/emergency","touch":2,"x":9,"y":9}
  {"at_ms":5110,"event":"touch","phase":"ended","program":"home","replayed":false,"slot":0,"taps":1,"target":"home/emergency","touch":2,"x":9,"y":9}

A lock keeps touches out, but for its exceptions, until fingers or its time end it (D9).

  $ rehearse --program home <<'END'
  > lock for 30s except home/emergency unlock hold-corners
  > tap 400 200
  > tap 50 50
  > began 0 790 10
  > began 1 790 470
  > frame
  > wait 3010
  > ended 0
  > ended 1
  > frame
  > lock for 1
  > wait 400
  > unlock
  > lock for 1.5
  > tap 400 200
  > END
  0 ms  panel  locked  for 30000 ms  (requested)
  50 ms  home  touch 2  began  on home/emergency  at 50, 50
  100 ms  home  touch 2  ended  on home/emergency  at 50, 50
  3100 ms  panel  unlocked  (exit)
  3110 ms  panel  locked  for 1000 ms  (requested)
  3510 ms  panel  unlocked  (requested)
  3510 ms  panel  locked  for 1500 ms  (requested)
  5010 ms  panel  unlocked  (time_is_over)

What can't be said of screens is refused with its line and word (D2, D9).

  $ refused() { printf "$1\n" | rehearse; }
  $ refused 'dark pannel'
  touchroute: script.txt:1:6: there is no screen "pannel"; the layout has panel
  [1]
  $ refused 'dark'
  touchroute: script.txt:1:1: it must be dark NAME
  [1]
  $ refused 'unlock panel'
  touchroute: script.txt:1:8: it must be unlock
  [1]
  $ refused 'unlock'
  touchroute: script.txt:1:1: screen "panel" is not locked
  [1]
  $ refused 'lock 30'
  touchroute: script.txt:1:6: it must be lock for SECONDS [except PATH]... [unlock hold-corners]... [unlock taps]...
  [1]
  $ refused 'lock for 0.5'
  touchroute: script.txt:1:10: it must be a number of seconds from 1 to 86400
  [1]
  $ refused 'lock for nan'
  touchroute: script.txt:1:10: it must be a number of seconds from 1 to 86400
  [1]
  $ refused 'lock for 61'
  touchroute: script.txt:1:10: a lock lasts at most 60 s (limits.lock_seconds)
  [1]
  $ refused 'lock for 9 unlock taps except home/emergenzy'
  touchroute: script.txt:1:31: there is no view "home/emergenzy"; did you mean "home/emergency"?
  [1]
  $ refused 'lock for 9 unlock corners'
  touchroute: script.txt:1:19: "corners" is none of hold-corners, taps
  [1]
  $ refused 'dark panel\nwait 400\non panel\ndark panel'
  touchroute: script.txt:4:1: screen "panel" was made dark 400 ms before: touchrouted refuses that within 1000 ms
  [1]
  $ refused 'began 0 1 1\ndark panel'
  touchroute: script.txt:2:1: the contacts before it need a line "frame"
  [1]
