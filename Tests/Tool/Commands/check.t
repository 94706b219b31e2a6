A valid configuration is summed up in a line, and --quiet says nothing.

  $ . "$TESTDIR/setup.sh"
  $ cp "$TESTDIR/panel.toml" .
  $ printf '[[window]]\nname = "map"\n' >more.toml
  $ touchroute check panel.toml more.toml
  valid: 2 files, 2 screens, 3 windows, 6 views, 0 gestures, 0 device rules, 0 access rules
  $ touchroute check --quiet panel.toml

--config names the main file, and conf.d beside it is read, as elsewhere.

  $ mkdir conf.d
  $ cp more.toml conf.d/more.toml
  $ touchroute check --config panel.toml
  valid: 2 files, 2 screens, 3 windows, 6 views, 0 gestures, 0 device rules, 0 access rules

A named file's conf.d is not read, which it says unless its files are named too.

  $ touchroute check panel.toml
  touchroute: touchrouted would also read conf.d/more.toml with panel.toml; check --config panel.toml reads all of them
  valid: 1 file, 2 screens, 2 windows, 5 views, 0 gestures, 0 device rules, 0 access rules
  $ touchroute check panel.toml --quiet
  $ touchroute check panel.toml ./conf.d/more.toml
  valid: 2 files, 2 screens, 3 windows, 6 views, 0 gestures, 0 device rules, 0 access rules
  $ printf '[[window]]\nname = "bar"\n' >conf.d/bar.toml
  $ touchroute check panel.toml
  touchroute: touchrouted would also read conf.d/bar.toml and 1 other file with panel.toml; check --config panel.toml reads all of them
  valid: 1 file, 2 screens, 2 windows, 5 views, 0 gestures, 0 device rules, 0 access rules
  $ printf '[screen.a]\nsize = 3\n' >wrong.toml
  $ touchroute check wrong.toml
  wrong.toml:2:8: screen "a": size needs two numbers (width, height), found 3
  touchroute: touchrouted would also read conf.d/bar.toml and 1 other file with wrong.toml; check --config wrong.toml reads all of them
  [1]
  $ rm conf.d/bar.toml

--show prints the merged configuration, with where each value came from.

  $ printf '[screen.panel]\nsize = [800, 480]\n' >small.toml
  $ printf '# A map.\n[[window]]\nname = "map"\n' >conf.d/more.toml
  $ touchroute check --config small.toml --show
  [screen.panel]                          # small.toml:1
  size = [800, 480]                       # small.toml:2
  
  [[window]]                              # conf.d/more.toml:2
  name = "map"                            # conf.d/more.toml:3
  $ touchroute check --show conf.d/more.toml
  conf.d/more.toml: there is no screen: add [screen.NAME] with size = [WIDTH, HEIGHT]
  [1]
  $ wrong check --show --quiet
  touchroute: --show and --quiet can't be given together
  $ rm -r conf.d

Warnings go to standard error, and fail with --strict alone.

  $ touchroute check small.toml 2>/dev/null
  valid: 1 file, 1 screen, 0 windows, 0 views, 0 gestures, 0 device rules, 0 access rules
  $ touchroute check small.toml --quiet
  small.toml: warning: there is no window, so no program gets a touch: add [[window]]
  $ touchroute check small.toml --strict
  small.toml: warning: there is no window, so no program gets a touch: add [[window]]
  valid: 1 file, 1 screen, 0 windows, 0 views, 0 gestures, 0 device rules, 0 access rules
  [1]
  $ printf '[[window]]\nname = "home"\n' >home.toml
  $ touchroute check --strict small.toml home.toml
  valid: 2 files, 1 screen, 1 window, 1 view, 0 gestures, 0 device rules, 0 access rules

--json gives counts, problems and warnings in one line.

  $ touchroute check --json small.toml
  {"counts":{"access_rules":0,"device_rules":0,"files":1,"gestures":0,"screens":1,"views":0,"windows":0},"has_more":false,"problems":[{"file":"small.toml","message":"there is no window, so no program gets a touch: add [[window]]","severity":"warning"}],"valid":true}
  $ touchroute check --json --strict small.toml
  {"counts":{"access_rules":0,"device_rules":0,"files":1,"gestures":0,"screens":1,"views":0,"windows":0},"has_more":false,"problems":[{"file":"small.toml","message":"there is no window, so no program gets a touch: add [[window]]","severity":"warning"}],"valid":true}
  [1]
  $ printf '[[window]]\nname = 3\n' >bad.toml
  $ touchroute check --json small.toml bad.toml
  {"has_more":false,"problems":[{"column":8,"file":"bad.toml","line":2,"message":"window: name must be a string, found 3","severity":"error"}],"valid":false}
  [1]
  $ wrong check --json --show
  touchroute: --json can't be given together with --show or --quiet

Every problem of every file goes to standard error, as compilers write them.

  $ printf '[[window]]\nname = "home"\nlevel = "top"\n' >>panel.toml
  $ touchroute check panel.toml gone.toml 2>&1 >/dev/null
  panel.toml:28:8: window "home": there is a window of that name already, at panel.toml:7:8
  panel.toml:29:9: window "home": level must be an integer from -1000000 to 1000000, found "top"
  gone.toml: there is no such file
  [1]
  $ touchroute check -5.toml
  -5.toml: there is no such file
  [1]

What is UTF-16, or has a NUL byte, is called that.

  $ wide() { (printf "$2"; iconv -t "$1" small.toml) >wide.toml; touchroute check wide.toml; }
  $ wide UTF-16LE '\377\376'
  wide.toml:1:1: this is UTF-16, and must be UTF-8: save it as that, or convert it with iconv -f UTF-16 -t UTF-8
  [1]
  $ wide UTF-16BE '\376\377'
  wide.toml:1:1: this is UTF-16, and must be UTF-8: save it as that, or convert it with iconv -f UTF-16 -t UTF-8
  [1]
  $ wide UTF-16LE ''
  wide.toml:1:1: this is UTF-16, and must be UTF-8: save it as that, or convert it with iconv -f UTF-16 -t UTF-8
  [1]
  $ wide UTF-16BE ''
  wide.toml:1:1: this is UTF-16, and must be UTF-8: save it as that, or convert it with iconv -f UTF-16 -t UTF-8
  [1]
  $ printf '[screen.panel]\nsize\0 = [800, 480]\n' >nul.toml
  $ touchroute check nul.toml
  nul.toml:2:5: there is a NUL byte here, which no text has: is the file damaged?
  [1]

Every example is accepted without a word on standard error.

  $ cd "$ROOT/config/examples"
  $ for example in *; do touchroute check "$example" >/dev/null; done
