What nobody got is said with its reason, and the exit status is 2 (R4, T8, H7).

  $ . "$TESTDIR/setup.sh"
  $ cp "$TESTDIR/panel.toml" .
  $ start_daemon panel.toml
  $ tap() { touchroute tap --hold 0 "$@" | unnumbered; return "${PIPESTATUS[0]}"; }
  $ tap 900 20
  touch 1 at (900, 20) on panel: no program gets it: it began outside of the screen
  [2]
  $ touchroute swipe --duration 0 -- -5 -1 -5.5 20
  touch 2 at (-5, -1) on panel: no program gets it: it began outside of the screen
  [2]
  $ tap 20 20
  touch 3 at (20, 20) on panel hit home/toolbar/back: no program gets it: no program holds home/toolbar/back, home/toolbar, home/toolbar@bar, home, app:dashboard
  [2]

tap and swipe are fingers, as many and as often as they are told.

  $ start_listening home bell
  $ tap 300 400 --count 2
  touch 4 at (300, 400) on panel hit home: pid N (touchroute) gets it
  touch 5 at (300, 400) on panel hit home: pid N (touchroute) gets it
  $ touchroute swipe 100 100 100 300 --duration 50 --fingers 3 --screen door | unnumbered
  touch 6 at (160, 100) on door hit bell: pid N (touchroute) gets it
  touch 7 at (100, 100) on door hit bell: pid N (touchroute) gets it
  touch 8 at (40, 100) on door hit bell: pid N (touchroute) gets it

inject plays a file.

  $ cat >good <<'END'
  > began 0 300 400   # a finger
  > began 1 310 400
  > frame
  > 
  > wait 5
  > moved 0 301 400
  > cancelled 1
  > frame
  > ended 0
  > frame
  > screen door
  > began 9 5 5
  > frame
  > END
  $ touchroute inject good | unnumbered
  touch 9 at (300, 400) on panel hit home: pid N (touchroute) gets it
  touch 10 at (310, 400) on panel hit home: pid N (touchroute) gets it
  touch 10 was cancelled: requested
  touch 11 at (5, 5) on door hit bell: pid N (touchroute) gets it

A line of it that is wrong is named, and nothing is played.

  $ refused() { printf "$1" >bad; touchroute inject bad; }
  $ refused 'began 0 1\n'
  touchroute: bad:1:1: it must be began SLOT X Y
  [1]
  $ refused '\nbegan a 1 2\n'
  touchroute: bad:2:7: it must be began SLOT X Y
  [1]
  $ refused 'began 0 nan 2\n'
  touchroute: bad:1:9: it must be began SLOT X Y
  [1]
  $ refused 'push 0\n'
  touchroute: bad:1:1: "push" is none of began, cancelled, ended, frame, moved, press, screen, swipe, tap, wait
  [1]
  $ refused 'frame\n'
  touchroute: bad:1:1: a frame needs a contact
  [1]
  $ refused 'began 0 1 2\nwait 5\n'
  touchroute: bad:2:1: the contacts before it need a line "frame"
  [1]
  $ refused 'began 0 1 2\n'
  touchroute: bad:1:1: the last contacts need a line "frame"
  [1]
  $ refused 'wait -1\n'
  touchroute: bad:1:6: it must be wait MILLISECONDS
  [1]
  $ refused '#\n\nended 0\nframe\n'
  touchroute: bad:4:1: inject: slot 0 is not down, and so can't be ended
  [1]
  $ refused 'screen attic\n'
  touchroute: bad:1:8: there is no screen "attic"; the layout has panel, door
  [1]
  $ refused '#\nframe \033[2J\n'
  touchroute: bad:2:1: the line is no text
  [1]
  $ refused "#$(printf '%01000d' 0)"
  touchroute: bad:1:1001: the line is longer than 1000 bytes
  [1]
  $ touchroute inject /dev/zero
  touchroute: /dev/zero:1:1001: the line is longer than 1000 bytes
  [1]
  $ touchroute inject /nowhere
  touchroute: /nowhere can't be opened: No such file or directory
  [1]

cancel says how many touches it has ended.

  $ touchroute cancel
  0 touches cancelled
  $ touchroute cancel 77
  touchroute: cancel: no program has touch 77, it may be over; `touchroute monitor` shows the numbers of touches
  [1]
  $ touchroute cancel --socket "$TOUCHROUTE_SOCKET" 2>&1 | unnumbered
  touchroute: cancel is for the control socket, control.sock; this one is for programs
