Where there is no configuration yet, check names the example that is installed.

  $ [ ! -e /etc/touchroute/touchroute.toml ] || exit 80
  $ mkdir -p bin share/touchroute
  $ cp "$(command -v touchroute)" bin
  $ bin/touchroute check
  /etc/touchroute/touchroute.toml: there is no such file: write one, or name another with --config; touchroute.toml(5) has every key
  [1]
  $ cp "$TESTDIR/panel.toml" share/touchroute/touchroute.toml
  $ bin/touchroute check 2>&1 | sed "s|$PWD|/usr|"
  /etc/touchroute/touchroute.toml: there is no such file: write one, or name another with --config; /usr/share/touchroute/touchroute.toml has every key in comments
