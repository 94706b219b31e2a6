A pager over a list, a player in front of them, and a window that nobody holds.

  $ cat >touchroute.toml <<'END'
  > [screen.panel]
  > size = [800, 480]
  > [[window]]
  > name = "home"
  > controller = "main"
  > application = "shell"
  > [[view]]
  > path = "home/list"
  > frame = [0, 40, 400, 400]
  > [[window]]
  > name = "media"
  > frame = [400, 200, 400, 280]
  > [[view]]
  > path = "media/play"
  > frame = [0, 0, 100, 100]
  > [[gesture]]
  > view = "home/list"
  > name = "scroll"
  > kind = "pan"
  > direction = "vertical"
  > [[gesture]]
  > view = "home/list"
  > name = "once"
  > kind = "tap"
  > after = ["home/list#twice"]
  > [[gesture]]
  > view = "home/list"
  > name = "twice"
  > kind = "tap"
  > taps = 2
  > [[gesture]]
  > view = "home"
  > name = "menu"
  > kind = "long_press"
  > END

What comes of touches is what the expect lines say, each about those since the lines before.

  $ programs='program home\nprogram home/list\nprogram media/play\n'
  $ run() { printf -- "$1" >a.touches; touchroute test --config touchroute.toml a.touches; }
  $ met() { run "$programs$1" | tail -n 1; return "${PIPESTATUS[0]}"; }
  $ met 'tap 410 210\nexpect media/play gets began, ended\nexpect home gets nothing\n'
  ok 1 - a.touches
  $ met 'tap 410 210\nexpect media/play gets began,ended within 0 ms\n'
  ok 1 - a.touches
  $ met 'tap 410 210\nexpect media/play gets began , ended # a comment\n'
  ok 1 - a.touches
  $ met 'swipe 410 210 450 210\nexpect media/play gets began, ended\n'
  ok 1 - a.touches
  $ met 'swipe 410 210 450 210\nexpect media/play gets began, moved, ended\n'
  ok 1 - a.touches
  $ met 'tap 410 210\ntap 410 210\nexpect media/play gets began, ended\n'
  ok 1 - a.touches
  $ met 'began 0 410 210\nframe\nexpect media/play gets began\nended 0\nframe\nexpect media/play gets ended\n'
  ok 1 - a.touches
  $ met 'began 0 410 210\nframe\ncancelled 0\nframe\nexpect media/play gets began, cancelled palm\n'
  ok 1 - a.touches
  $ met 'tap 700 400\nexpect nobody\n'
  ok 1 - a.touches
  $ met 'tap 700 400\nexpect no gesture\nexpect home gets nothing\n'
  ok 1 - a.touches
  $ met 'swipe 100 100 100 300\nexpect gesture home/list pan\nexpect gesture home/list#scroll\nexpect home/list gets began, cancelled gesture\n'
  ok 1 - a.touches
  $ met 'swipe 100 100 100 300\nexpect gesture home/list#scroll began, ended\nexpect gesture home/list#twice failed\n'
  ok 1 - a.touches
  $ met 'tap 100 100\nexpect gesture home/list#once\nexpect home/list gets began, cancelled gesture\ntap 100 100\nwait 50\ntap 100 100\nexpect gesture home/list#twice recognized\n'
  ok 1 - a.touches
  $ met 'tap 100 100\nexpect gesture home/list#once within 350 ms\n'
  ok 1 - a.touches
  $ met 'began 0 100 100\nframe\nexpect home/list gets began\nexpect no gesture\nwait 600\nexpect gesture home long_press began\n'
  ok 1 - a.touches
  $ met 'began 0 100 100\nframe\nexpect gesture home long_press within 600 ms\n'
  ok 1 - a.touches
  $ met 'began 0 410 210\nframe\ndecline media/play 0\nexpect media/play gets began\n'
  ok 1 - a.touches
  $ met 'began 0 100 100\nframe\ndecline home/list 0\nexpect home gets began\n'
  ok 1 - a.touches
  $ met 'screen panel\nwait 3\ntap 410 210\nexpect media/play gets began, ended\n'
  ok 1 - a.touches

What is not as expected is told with its place, and with what came instead.

  $ run "${programs}tap 410 210\nexpect home gets began, ended\n"
  TAP version 14
  1..1
  not ok 1 - a.touches
  # a.touches:5:1: expect home gets began, ended: media/play got began, ended
  [2]
  $ unmet() { run "$programs$1" | sed 1,3d; return "${PIPESTATUS[0]}"; }
  $ unmet 'tap 410 210\nexpect media/play gets began\n'
  # a.touches:5:1: expect media/play gets began: media/play got began, ended
  [2]
  $ unmet 'tap 410 210\nexpect media/play gets began, cancelled\n'
  # a.touches:5:1: expect media/play gets began, cancelled: media/play got began, ended
  [2]
  $ unmet 'tap 410 210\n  expect media/play gets nothing\n'
  # a.touches:5:3: expect media/play gets nothing: media/play got began, ended
  [2]
  $ unmet 'swipe 410 210 450 210\nexpect media/play gets began, moved, moved, ended\n'
  # a.touches:5:1: expect media/play gets began, moved, moved, ended: media/play got began, moved, ended
  [2]
  $ unmet 'tap 410 210\nexpect nobody\n'
  # a.touches:5:1: expect nobody: media/play got began, ended
  [2]
  $ unmet 'tap 700 400\nexpect media/play gets began\n'
  # a.touches:5:1: expect media/play gets began: nothing came of them
  [2]
  $ unmet 'began 0 410 210\nframe\ncancelled 0\nframe\nexpect media/play gets began, cancelled gesture\n'
  # a.touches:8:1: expect media/play gets began, cancelled gesture: media/play got began, cancelled palm
  [2]
  $ unmet 'tap 100 100\nexpect gesture home/list#once within 349 ms\n'
  # a.touches:5:1: expect gesture home/list#once within 349 ms: it came after 350 ms; home/list got began, cancelled gesture; home/list#scroll failed; home#menu failed; home/list#twice failed; home/list#once recognized
  [2]
  $ unmet 'began 0 100 100\nframe\nexpect gesture home#menu within 400 ms\n'
  # a.touches:6:1: expect gesture home#menu within 400 ms: home/list got began
  [2]
  $ unmet 'began 0 100 100\nframe\nwait 600\nexpect no gesture\n'
  # a.touches:7:1: expect no gesture: home/list got began, cancelled gesture; home#menu began; home/list#scroll failed; home/list#twice failed; home/list#once failed
  [2]

A line that is wrong is refused before anything is played, with what was probably meant.

  $ wrong() { run "tap 9 9\n$1\n"; }
  $ wrong 'expct nobody'
  touchroute: a.touches:2:1: "expct" is none of accept, began, cancelled, dark, decline, ended, expect, frame, lock, moved, on, press, program, screen, swipe, tap, unlock, wait; did you mean "expect"?
  [1]
  $ wrong 'expect home gets begn'
  touchroute: a.touches:2:18: "begn" is none of began, moved, ended, cancelled; did you mean "began"?
  [1]
  $ wrong 'expect home get began'
  touchroute: a.touches:2:8: it must be one of: expect PATH gets PHASES, expect PATH gets nothing, expect gesture VIEW KIND [STATES], expect gesture VIEW#NAME [STATES], expect no gesture, expect nobody, expect feedback NAME [at TARGET], expect no feedback; did you mean "gets"?
  [1]
  $ wrong 'expect nobdy'
  touchroute: a.touches:2:8: it must be one of: expect PATH gets PHASES, expect PATH gets nothing, expect gesture VIEW KIND [STATES], expect gesture VIEW#NAME [STATES], expect no gesture, expect nobody, expect feedback NAME [at TARGET], expect no feedback; did you mean "nobody"?
  [1]
  $ wrong 'expect'
  touchroute: a.touches:2:1: it must be one of: expect PATH gets PHASES, expect PATH gets nothing, expect gesture VIEW KIND [STATES], expect gesture VIEW#NAME [STATES], expect no gesture, expect nobody, expect feedback NAME [at TARGET], expect no feedback
  [1]
  $ wrong 'expect nobody now'
  touchroute: a.touches:2:8: it must be one of: expect PATH gets PHASES, expect PATH gets nothing, expect gesture VIEW KIND [STATES], expect gesture VIEW#NAME [STATES], expect no gesture, expect nobody, expect feedback NAME [at TARGET], expect no feedback
  [1]
  $ wrong 'expect home gets'
  touchroute: a.touches:2:13: it must say which behind "gets": began, moved, ended, cancelled
  [1]
  $ wrong 'expect home gets began ended'
  touchroute: a.touches:2:24: before "ended" a comma is missing
  [1]
  $ wrong 'expect home gets began,'
  touchroute: a.touches:2:18: a phase is missing
  [1]
  $ wrong 'expect home gets cancelled plam'
  touchroute: a.touches:2:28: "plam" is no reason: one of device_removed, suspended, palm, target_removed, client_unresponsive, taken_over, stopping, requested, connection_lost, gesture, stuck, ghost, dark, locked; did you mean "palm"?
  [1]
  $ wrong 'expect gesture home/list'
  touchroute: a.touches:2:16: behind the view it must name a kind: tap, long_press, pan, swipe, pinch, rotation, edge_pan
  [1]
  $ wrong 'expect gesture home/list pam'
  touchroute: a.touches:2:26: "pam" is none of tap, long_press, pan, swipe, pinch, rotation, edge_pan; did you mean "pan"?
  [1]
  $ wrong 'expect gesture home/list# began'
  touchroute: a.touches:2:16: it must name a view, or a recognizer as VIEW#NAME
  [1]
  $ wrong 'expect gesture home/list pinch'
  touchroute: a.touches:2:26: "home/list" has no pinch; it has home/list#scroll (pan), home/list#once (tap), home/list#twice (tap)
  [1]
  $ wrong 'expect gesture home/lst pan'
  touchroute: a.touches:2:16: "home/lst" has no recognizer; did you mean "home/list"?
  [1]
  $ wrong 'expect gesture home/list#scrol'
  touchroute: a.touches:2:16: there is no recognizer "home/list#scrol"; did you mean "home/list#scroll"?
  [1]
  $ wrong 'expect media/pley gets nothing'
  touchroute: a.touches:2:8: there is no responder "media/pley"; did you mean "media/play"?
  [1]
  $ wrong 'expect feedback'
  touchroute: a.touches:2:8: it must be one of: expect PATH gets PHASES, expect PATH gets nothing, expect gesture VIEW KIND [STATES], expect gesture VIEW#NAME [STATES], expect no gesture, expect nobody, expect feedback NAME [at TARGET], expect no feedback
  [1]
  $ wrong 'expect feedback click home'
  touchroute: a.touches:2:23: it must be "feedback NAME at TARGET"
  [1]
  $ wrong 'expect feedback click at'
  touchroute: a.touches:2:23: behind "at" it must name a view or a recognizer
  [1]
  $ wrong 'expect feedback click at home/lst'
  touchroute: a.touches:2:26: there is no view or recognizer "home/lst"; did you mean "home/list"?
  [1]
  $ wrong 'expect feedback click at home/list#twic'
  touchroute: a.touches:2:26: there is no view or recognizer "home/list#twic"; did you mean "home/list#twice"?
  [1]
  $ wrong 'expect nobody within 5'
  touchroute: a.touches:2:15: it must be "within N ms", from 0 to 600000
  [1]
  $ wrong 'expect nobody within -1 ms'
  touchroute: a.touches:2:15: it must be "within N ms", from 0 to 600000
  [1]
  $ wrong 'program home'
  touchroute: a.touches:2:1: programs come before the first touch
  [1]
  $ wrong 'began 0 1 1\nexpect nobody'
  touchroute: a.touches:3:1: the contacts before it need a line "frame"
  [1]

A file that tests nothing, that is not there, or whose programs can't be, is refused.

  $ run 'tap 9 9\n'
  touchroute: a.touches has no line "expect", so it tests nothing
  [1]
  $ run 'expect nobody\n'
  touchroute: a.touches:1:1: there is no touch before it
  [1]
  $ run 'program hom\ntap 9 9\nexpect nobody\n'
  touchroute: a.touches:1:9: there is no responder "hom"; did you mean "home"?
  [1]
  $ run 'program home\nprogram home\ntap 9 9\nexpect nobody\n'
  touchroute: a.touches:2:9: "home" has a program already
  [1]
  $ echo jump >a.touches
  $ touchroute test --config touchroute.toml a.touches absent.touches
  touchroute: a.touches:1:1: "jump" is none of accept, began, cancelled, dark, decline, ended, expect, frame, lock, moved, on, press, program, screen, swipe, tap, unlock, wait
  touchroute: absent.touches can't be opened: No such file or directory
  [1]

A file that can't be played to its end is not ok, and the others are played all the same.

  $ printf 'ended 3\nframe\nexpect nobody\n' >'a#1.touches'
  $ printf 'tap 700 10\nexpect home gets nothing\n' >b.touches
  $ touchroute test -c touchroute.toml 'a#1.touches' b.touches
  TAP version 14
  1..2
  not ok 1 - a\#1.touches
  # a#1.touches:2:1: slot 3 is not down, and so can't be ended
  not ok 2 - b.touches
  # b.touches:2:1: expect home gets nothing: home got began, ended; home#menu failed
  [1]

expect is refused by inject and rehearse, and program by inject, with who takes it.

  $ printf 'tap 9 9\nexpect nobody\n' >a.touches
  $ touchroute rehearse -c touchroute.toml a.touches
  touchroute: a.touches:2:1: "expect" is for touchroute test
  [1]
  $ printf 'program home\ntap 9 9\n' >b.touches
  $ touchroute inject b.touches
  touchroute: b.touches:1:1: "program" is for touchroute rehearse and test
  [1]
  $ touchroute rehearse -c touchroute.toml b.touches
  0 ms  home  touch 1  began  on home  at 9, 9
  50 ms  home#menu  failed  (lifted before)
  50 ms  home  touch 1  ended  on home  at 9, 9
  $ touchroute rehearse -c touchroute.toml --program home b.touches
  touchroute: --program and lines "program PATH" of the script can't be given together
  [1]

--junit has the same results, as XML that a parser reads whatever the names are.

  $ printf 'tap 700 10\nexpect home/list gets began\n' >"a<&\"'>.touches"
  $ printf 'tap 410 210\nexpect media/play gets began, ended\n' >b.touches
  $ printf 'ended 1\nframe\nexpect nobody\n' >c.touches
  $ touchroute test -c touchroute.toml --junit r.xml a?*">.touches" b.touches c.touches
  TAP version 14
  1..3
  not ok 1 - a<&"'>.touches
  # a<&"'>.touches:2:1: expect home/list gets began: home got began, ended; home#menu failed
  ok 2 - b.touches
  not ok 3 - c.touches
  # c.touches:2:1: slot 1 is not down, and so can't be ended
  [1]
  $ cat >read.py <<'END'
  > import xml.etree.ElementTree as tree
  > suite = tree.parse("r.xml").getroot().find("testsuite")
  > print(suite.get("tests"), suite.get("failures"), suite.get("errors"))
  > for case in suite:
  >     for child in list(case) or [None]:
  >         print(case.get("name"), "ok" if child is None else f'{child.tag} {child.get("message")}')
  > END
  $ python3 read.py
  3 1 1
  a<&"'>.touches failure a<&"'>.touches:2:1: expect home/list gets began: home got began, ended; home#menu failed
  b.touches ok
  c.touches error c.touches:2:1: slot 1 is not down, and so can't be ended
