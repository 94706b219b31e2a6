A wrong command line says what is wrong with it, and exits with 64.

  $ . "$TESTDIR/setup.sh"

A command that is not there

  $ wrong chek
  touchroute: there is no command "touchroute chek"; did you mean "check"?
  $ wrong help nosuch
  touchroute: there is no command "touchroute nosuch": it is one of check, tree, hit-test, list-devices, listen, monitor, status, top, metrics, reload, set, tap, press, swipe, pinch, rotate, inject, cancel, screen, lock, unlock, idle, rehearse, test, record, play, inspect, doctor, calibrate, recover, output
  $ wrong help chekc
  touchroute: there is no command "touchroute chekc"; did you mean "check"?
  $ wrong help check all
  touchroute: touchroute check has no commands of its own, and so no all
  $ wrong output uinputs
  touchroute: there is no command "touchroute output uinputs"; did you mean "uinput"?

touchroute check

  $ wrong check --all
  touchroute: unknown option '--all'
  $ wrong check a --config b
  touchroute: files and --config can't be given together

touchroute hit-test

  $ wrong hit-test 5
  touchroute: give X and Y, or --points FILE
  $ wrong hit-test 5 5 --points a
  touchroute: X Y and --points can't be given together
  $ wrong hit-test --points a --json
  touchroute: --trace and --json are for one point, X Y
  $ wrong hit-test 5 5 --time
  touchroute: --time needs --points
  $ wrong hit-test left 5
  touchroute: the value 'left' is invalid for '<x>': it is not a number
  $ wrong hit-test nan 5
  touchroute: X and Y must be finite numbers
  $ wrong hit-test --config a --live 1 1
  touchroute: --live and --config can't be given together
  $ wrong hit-test --socket a 1 1
  touchroute: --socket needs --live
  $ wrong hit-test --live
  touchroute: give X and Y, or --points FILE
  $ wrong hit-test 20,20
  touchroute: the value '20,20' is invalid for '<x>': it is not a number; did you mean 20 20?

touchroute calibrate

  $ wrong calibrate --crosses 4
  touchroute: --crosses must be from 5 to 25
  $ wrong calibrate --seconds 0
  touchroute: --seconds must be from 1 to 600

touchroute record

  $ wrong record --device panel --last 60s a
  touchroute: --device and --last can't be given together

touchroute listen

  $ wrong listen
  touchroute: missing expected argument '<paths> ...'
  $ wrong listen home bell home
  touchroute: home is named twice
  $ wrong listen home --handles ups
  touchroute: the value 'ups' is invalid for '--handles <handles>'
  $ wrong listen home --handles none
  touchroute: --handles must name a phase
  $ wrong listen home --handles began,ended --passes moved
  touchroute: --passes may only name phases of --handles
  $ wrong listen home --exec true --handles ended
  touchroute: --exec needs began and ended among --handles
  $ wrong listen home --exec ' '
  touchroute: --exec must name a command
  $ wrong listen home --exec true --exec-limit -1
  touchroute: --exec-limit must be from 1 to 64
  $ wrong listen home --exec true --exec-on ended
  touchroute: --exec-on needs --exec and --gestures
  $ wrong listen home --gestures --exec-on ended
  touchroute: --exec-on needs --exec and --gestures
  $ wrong listen home --gestures --exec true --exec-on ended,ups
  touchroute: the value 'ended,ups' is invalid for '--exec-on <exec-on>'
  $ wrong listen home --exec-limit 2
  touchroute: --exec-limit needs --exec
  $ wrong listen --all
  touchroute: unknown option '--all'
  $ wrong listen -- --wait --wait
  touchroute: --wait is named twice

touchroute tree

  $ wrong tree --config a --socket b
  touchroute: --config and --socket can't be given together
  $ wrong tree --config a --live
  touchroute: --live and --config can't be given together

touchroute set

  $ wrong set
  touchroute: missing expected argument '<settings> ...'
  $ wrong set home
  touchroute: say what to set of home, as KEY=VALUE, or give --configured
  $ wrong set alpha=1
  touchroute: give a path before alpha=1
  $ wrong set home alpha=x
  touchroute: alpha must be a number from 0 to 1, not 'x'
  $ wrong set home alpha=2
  touchroute: alpha can't be '2': 2.0 is not from 0 to 1
  $ wrong set home frame=0,0,-1,9
  touchroute: frame can't be '0,0,-1,9': the width is -1.0 points, below 0
  $ wrong set home bounds_origin=0,1e300
  touchroute: bounds_origin can't be '0,1e300': 1e+300 is beyond the limit `coordinate` of 1000000000.0
  $ wrong set home transform=scale:0
  touchroute: transform can't be 'scale:0': the transform can't be inverted
  $ wrong set home transform=rotate:1e300
  touchroute: rotate must be an angle from -36000 to 36000 degrees, not '1e300'
  $ wrong set home alpha=1 bell alpha=1 home order=1 alpha=0.5
  touchroute: alpha of home is set twice
  $ wrong set home order=3000000000
  touchroute: order must be a whole number from 0, not '3000000000'
  $ wrong set home hidden=1
  touchroute: hidden must be true or false, not '1'
  $ wrong set home frame=1,2,3
  touchroute: frame must be X,Y,WIDTH,HEIGHT, not '1,2,3'
  $ wrong set home order=-1
  touchroute: order must be a whole number from 0, not '-1'
  $ wrong set home transform=turn:3
  touchroute: transform must be rotate:DEGREES,scale:FACTOR,translate:X:Y, six numbers, or none, not 'turn:3'
  $ wrong set nav hiden=
  touchroute: there is no property 'hiden'; did you mean 'hidden'?
  $ wrong set home colour=3
  touchroute: there is no property 'colour': hidden, alpha, interaction, frame, bounds_origin, transform, order, outset, shape, inside, hit, secure, exclusive_touch, multiple_touch, level, enabled, label, feedback
  $ wrong set --configured home alpha=1
  touchroute: alpha=1 and --configured can't be given together

touchroute tap

  $ wrong tap
  touchroute: missing expected argument '<x y | path> ...'
  $ wrong tap 5
  touchroute: give X and Y, or the path of a view
  $ wrong tap -5
  touchroute: give X and Y, or the path of a view
  $ wrong tap 20,20
  touchroute: X and Y are two words, without a comma; did you mean 20 20?
  $ wrong tap home 5 5
  touchroute: give X and Y, or the path of a view
  $ wrong tap -5 x
  touchroute: X and Y must be finite numbers
  $ wrong tap -5 -inf
  touchroute: X and Y must be finite numbers
  $ wrong tap 5 5 --count -1
  touchroute: --count must be from 1 to 1000
  $ wrong tap 5 5 --hold -1
  touchroute: --hold must be from 0 to 600000 milliseconds
  $ wrong tap 5 inf
  touchroute: X and Y must be finite numbers
  $ wrong tap 5 5 --count 0
  touchroute: --count must be from 1 to 1000
  $ wrong tap 5 5 --hold=-1
  touchroute: --hold must be from 0 to 600000 milliseconds
  $ wrong tap 1 2 --fingers 0
  touchroute: --fingers must be from 1 to 10
  $ wrong tap 5 5 --finger 2
  touchroute: unknown option '--finger'. Did you mean '--fingers'?
  $ wrong tap 5 5 -f 2
  touchroute: unknown option '-f'

touchroute press

  $ wrong press 20, -20.5
  touchroute: X and Y are two words, without a comma; did you mean 20 -20.5?
  $ wrong press 1 2 --taps -1
  touchroute: --taps must be from 0 to 1000
  $ wrong press home --hold -1
  touchroute: --hold must be from 0 to 600000 milliseconds

touchroute pinch

  $ wrong pinch -20,20
  touchroute: X and Y are two words, without a comma; did you mean -20 20?
  $ wrong pinch 1 2 --scale -0.5
  touchroute: --scale must be from 0.01 to 100
  $ wrong pinch 1 2 --scale nan
  touchroute: --scale must be from 0.01 to 100
  $ wrong pinch 1 2 --distance 0
  touchroute: --distance must be from 1 to 10000 points

touchroute rotate

  $ wrong rotate 20 ,20
  touchroute: X and Y are two words, without a comma; did you mean 20 20?
  $ wrong rotate 1 2 --degrees -36001
  touchroute: --degrees must be an angle from -36000 to 36000 degrees
  $ wrong rotate 1 2 --duration -1
  touchroute: --duration must be from 0 to 600000 milliseconds

touchroute swipe

  $ wrong swipe 700,240 100,240
  touchroute: the value '700,240' is invalid for '<x1>': it is not a number; did you mean 700 240?
  $ wrong swipe 1 2 3 4 --fingers 11
  touchroute: --fingers must be from 1 to 10
  $ wrong swipe 1 2 3 4 --duration nan
  touchroute: --duration must be from 0 to 600000 milliseconds

touchroute inject

  $ wrong inject
  touchroute: missing expected argument '<file>'

touchroute test

  $ wrong test
  touchroute: missing expected argument '<files> ...'
  $ wrong test --config a --socket b c
  touchroute: --config and --socket can't be given together
  $ wrong test --junit '' c
  touchroute: --junit must name a file

touchroute idle

  $ wrong idle
  touchroute: there is nothing to do: say timeout SECONDS COMMAND, dim SECONDS, blank SECONDS, before-sleep COMMAND or after-resume COMMAND
  $ wrong idle blank -5
  touchroute: blank -5: the time must be from 1 to 86400 seconds, which is a day
  $ wrong idle --screem=panel
  touchroute: unknown option '--screem'. Did you mean '--screen'?

touchroute screen

  $ wrong screen panel off
  touchroute: the state must be dark or on, not "off"
  $ wrong screen panel dark --watch
  touchroute: --watch can't be given together with a state

touchroute cancel

  $ wrong cancel 0
  touchroute: touches are numbered from 1
  $ wrong cancel all
  touchroute: the value 'all' is invalid for '<touch>': it is not the number of a touch
  $ wrong cancel -1
  touchroute: the value '-1' is invalid for '<touch>': it is not the number of a touch

touchroute recover

  $ wrong recover ILITEK --on silent,nope
  touchroute: the value 'silent,nope' is invalid for '--on <on>': there is no fault 'nope': it is one of silent, held, slowed, haunted, overrun, drifted
  $ wrong recover ILITEK --on slient
  touchroute: the value 'slient' is invalid for '--on <on>': there is no fault 'slient'; did you mean 'silent'?

touchroute inspect

  $ wrong inspect --listen 0.0.0.0
  touchroute: --listen takes the path of a Unix socket, such as ./0.0.0.0: for a browser elsewhere forward the port by ssh
  $ wrong inspect --port 65536
  touchroute: the value '65536' is invalid for '--port <port>': the port is not a number from 0 to 65535

touchroute top

  $ wrong top --every -1
  touchroute: --every must be from 0.1 to 60 seconds
  $ wrong top --every nan
  touchroute: --every must be from 0.1 to 60 seconds
  $ wrong top --every 2 --once
  touchroute: --every and --once can't be given together

touchroute status

  $ wrong status -1
  touchroute: unexpected argument '-1'
  $ wrong status now
  touchroute: unexpected argument 'now'

touchroute monitor

  $ wrong monitor --why --json
  touchroute: --why can't be given together with --json or --moves

touchroute rehearse

  $ wrong rehearse a --program home --program nav --program home
  touchroute: --program home is given twice

touchroute output mqtt

  $ wrong output mqtt home --tlss
  touchroute: unknown option '--tlss'. Did you mean '--tls'?
  $ wrong output mqtt home --to hall:http
  touchroute: the value 'hall:http' is invalid for '--to <to>': the port is not a number from 1 to 65535
  $ wrong output mqtt home --to hall --name a/b
  touchroute: --name must be 1 to 200 of the characters A-Z a-z 0-9 _ . -, and a/b is not
  $ wrong output mqtt home --to hall --qos 2
  touchroute: --qos must be 0 or 1
  $ wrong output mqtt home --to hall --password-file f
  touchroute: --password-file needs --user
  $ wrong output mqtt home --to hall --ca-file f
  touchroute: --ca-file, --cert-file and --key-file need --tls

touchroute output tuio

  $ wrong output tuio home
  touchroute: missing expected argument '--to <to>'
  $ wrong output tuio home --to table:0
  touchroute: the value 'table:0' is invalid for '--to <to>': the port is not a number from 1 to 65535
  $ wrong output tuio home --to ::1
  touchroute: the value '::1' is invalid for '--to <to>': write an IPv6 address in brackets, as in [fd00::7]:3333
  $ wrong output tuio home --to '[::1'
  touchroute: the value '[::1' is invalid for '--to <to>': the bracket is not closed
  $ wrong output tuio home --to '[::1]3333'
  touchroute: the value '[::1]3333' is invalid for '--to <to>': only :PORT may follow the bracket
  $ wrong output tuio home --to :3333
  touchroute: the value ':3333' is invalid for '--to <to>': it names no host
  $ wrong output tuio home --to 'the table'
  touchroute: the value 'the table' is invalid for '--to <to>': a host is a name or an address, at most 253 characters of ASCII without spaces
  $ wrong output tuio home --to table --source a@b
  touchroute: --source must be 1 to 200 bytes long, without @

touchroute output feedback

  $ wrong output feedback --most 0
  touchroute: --most must be from 1 to 100
  $ wrong output feedback --sound 'a b'
  touchroute: --sound a b: feedback: a name is made of letters, digits, "_", "." and "-"
  $ wrong output feedback --sound none
  touchroute: --sound none: it needs the name of a feedback, or *
  $ wrong output feedback --sound click=
  touchroute: --sound click=: the file is missing
  $ wrong output feedback --run click
  touchroute: --run click must be NAME=COMMAND
  $ wrong output feedback --rumble click=event5
  touchroute: --rumble click=event5 must be NAME=DEVICE,MILLISECONDS,PERCENT; DEVICE is a whole path such as /dev/input/event5
  $ wrong output feedback --beep '*=/dev/input/event5,20,5'
  touchroute: --beep *=/dev/input/event5,20,5: HERTZ must be a whole number from 20 to 20000

touchroute output uinput

  $ wrong output uinput
  touchroute: missing expected argument '<path>'
  $ wrong output uinput ''
  touchroute: the path is empty
  $ wrong output uinput home --slots 33
  touchroute: --slots must be from 1 to 32
  $ wrong output uinput home --pace -1
  touchroute: --pace must be from 0 to 1000
  $ wrong output uinput home --size 800
  touchroute: the value '800' is invalid for '--size <size>': it is not WIDTHxHEIGHT
  $ wrong output uinput home --size 1x70000
  touchroute: the value '1x70000' is invalid for '--size <size>': width and height must be from 2 to 65536
  $ wrong output uinput home --name -5/a
  touchroute: the name -5/a must be made of A-Z a-z 0-9 _ . : @ -, and not of one or two dots
  $ wrong output uinput home --cancel none
  touchroute: the value 'none' is invalid for '--cancel <cancel>'. Please provide one of 'away', 'palm' or 'lift'
  $ wrong output uinput home --name a/b
  touchroute: the name a/b must be made of A-Z a-z 0-9 _ . : @ -, and not of one or two dots
  $ wrong output uinput home --screen panel
  touchroute: --screen needs an application: a window is on one screen

Behind -- a word is what it is, also where it begins as a negative number does.

  $ cp "$TESTDIR/panel.toml" ./-1.toml
  $ touchroute check -- -1.toml
  valid: 1 file, 2 screens, 2 windows, 5 views, 0 gestures, 0 device rules, 0 access rules
  $ touchroute hit-test --config ./-1.toml -- -5 -5
  nothing at (-5, -5): it is outside screen "panel", which has 800 by 480 points

Without a daemon, the commands that need one say so.

  $ without() { TOUCHROUTE_SOCKET=there/touchroute.sock touchroute "$@"; }
  $ without listen home
  touchroute: there is no socket at there/touchroute.sock: is touchrouted running?
  [1]
  $ without monitor
  touchroute: there is no socket at there/control.sock: is touchrouted running?
  [1]
  $ without status
  touchroute: there is no socket at there/control.sock: is touchrouted running?
  [1]
  $ without top
  touchroute: there is no socket at there/control.sock: is touchrouted running?
  [1]
  $ without metrics
  touchroute: there is no socket at there/control.sock: is touchrouted running?
  [1]
  $ without reload
  touchroute: there is no socket at there/control.sock: is touchrouted running?
  [1]
  $ without tree
  touchroute: there is no socket at there/control.sock: is touchrouted running?
  [1]
  $ without set home alpha=1
  touchroute: there is no socket at there/control.sock: is touchrouted running?
  [1]
  $ without tap 1 1
  touchroute: there is no socket at there/control.sock: is touchrouted running?
  [1]
  $ without press home
  touchroute: there is no socket at there/control.sock: is touchrouted running?
  [1]
  $ without swipe 1 1 2 2
  touchroute: there is no socket at there/control.sock: is touchrouted running?
  [1]
  $ without pinch 9 9
  touchroute: there is no socket at there/control.sock: is touchrouted running?
  [1]
  $ without rotate 9 9
  touchroute: there is no socket at there/control.sock: is touchrouted running?
  [1]
  $ without inject /dev/null
  touchroute: there is no socket at there/control.sock: is touchrouted running?
  [1]
  $ without cancel
  touchroute: there is no socket at there/control.sock: is touchrouted running?
  [1]
  $ without tree --live --svg
  touchroute: there is no socket at there/control.sock: is touchrouted running?
  [1]
  $ without hit-test --live 1 1
  touchroute: there is no socket at there/touchroute.sock: is touchrouted running?
  [1]
