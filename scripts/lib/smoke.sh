#!/usr/bin/env bash
# Tries programs of another architecture on this machine, beside those of this machine's:
#   smoke.sh PROGRAMS REFERENCE VERSION
# Both folders have touchroute and touchrouted. What needs no daemon must print the same in both. If REFERENCE is -,
# nothing is compared: every command must succeed, except that files in a folder named bad must be refused. Ends with
# the line "N passed, N failed".
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
programs=$1 reference=$2 version=$3
passed=0 failed=0
work=$(mktemp -d)
daemon=''
# shellcheck disable=SC2317  # called by the trap
clean_up() {
  [[ -z $daemon ]] || kill "$daemon" 2>/dev/null || true
  rm -rf "$work"
}
trap clean_up EXIT

count() { # WHAT STATUS
  if [[ $2 -eq 0 ]]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "failed: $1"
  fi
}

# The same words for both; what they print, and their status.
same() { # WHAT ARGUMENT...
  local what=$1 side status=0
  shift
  if [[ $reference == - ]]; then
    "$programs/touchroute" "$@" >"$work/said" 2>&1 || status=$?
    [[ $what != */bad/* ]] || status=$((status != 1))
    [[ $status -eq 0 ]] || tail -n 10 "$work/said"
    count "$what" "$status"
    return
  fi
  for side in "$programs" "$reference"; do
    status=0
    "$side/touchroute" "$@" >"$work/${side//\//_}" 2>&1 || status=$?
    echo "status $status" >>"$work/${side//\//_}"
  done
  if cmp -s "$work/${programs//\//_}" "$work/${reference//\//_}"; then
    count "$what" 0
  else
    diff "$work/${reference//\//_}" "$work/${programs//\//_}" | head -n 10 || true
    count "$what" 1
  fi
}

# 20,000 points of a screen and around it.
write_points() { awk 'BEGIN { srand(7); for (i = 0; i < 20000; i++) print rand() * 1400 - 100, rand() * 900 - 100 }'; }

await() { # FILE-OR-SOCKET
  local tries
  for tries in {1..300}; do
    [[ ! -e $1 ]] || return 0
    [[ -z $daemon || -e /proc/$daemon ]] || return 1
    sleep 0.1
  done
  echo "$1 is not there after $((tries / 10)) s"
  return 1
}

# What a program and an administrator see of a tap.
try_daemon() { # WINDOW VIEW
  local status=0
  "$programs/touchrouted" --config config/examples/kiosk.toml --socket "$work/socket" \
    --control-socket "$work/control.sock" >"$work/daemon.log" 2>&1 &
  daemon=$!
  await "$work/control.sock" || status=1
  count "touchrouted starts" "$status"
  [[ $status -eq 0 ]] || { cat "$work/daemon.log"; return 0; }
  export TOUCHROUTE_SOCKET=$work/socket
  "$programs/touchroute" listen "$1" >"$work/listen.log" 2>&1 &
  local listener=$! tries
  for tries in {1..300}; do
    "$programs/touchroute" tree | grep -q 'held by' && break
    sleep 0.1
  done
  count "listen attaches within $tries tries" "$(("$tries" == 300))"
  "$programs/touchroute" tap "$2" >"$work/tap.log" 2>&1 || status=$?
  count "a tap reaches the program" "$status"
  for tries in {1..100}; do
    grep -q ended "$work/listen.log" && break
    sleep 0.1
  done
  status=0
  grep -q began "$work/listen.log" && grep -q ended "$work/listen.log" || status=1
  count "the program hears it begin and end" "$status"
  status=0
  "$programs/touchroute" status >"$work/status.log" 2>&1 || status=$?
  count "status" "$status"
  kill "$listener"
  kill "$daemon"
  status=0
  wait "$daemon" || status=$?
  daemon=''
  count "SIGTERM ends the daemon with status 0" "$status"
  [[ $failed -eq 0 ]] || tail -n 20 "$work"/*.log
}

write_points >"$work/points"
status=0
[[ $("$programs/touchroute" --version) == "touchroute $version" ]] || status=1
count "touchroute --version" "$status"
status=0
[[ $("$programs/touchrouted" --version) == "touchrouted $version" ]] || status=1
count "touchrouted --version" "$status"
for file in config/*.toml config/examples/*.toml; do
  same "check $file" check --config "$file"
  same "tree $file" tree --config "$file"
  same "hit-test of 20,000 points in $file" hit-test --config "$file" --points "$work/points"
done
for file in Tests/Daemon/ConfigurationTests/Fixtures/bad/*.txt; do
  [[ ! -e $file ]] || same "check $file" check --config "$file"
done
for file in examples/gestures/*.touches; do
  same "rehearse $file" rehearse --config "${file%.touches}.toml" "$file"
  same "rehearse --json $file" rehearse --json --config "${file%.touches}.toml" "$file"
done
same "check --schema" check --schema
try_daemon home home/header/de
echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]
