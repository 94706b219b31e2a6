# shellcheck shell=bash
# The show of scripts/demo, where there is a /dev/uinput: BIN-FOLDER here|guest, yes where colours are seen.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
bin=$1 place=$2 colours=$3
folder=$(mktemp -d)
export TOUCHROUTE_SOCKET=$folder/touchroute.sock
trap 'trap - EXIT; kill $(jobs -p) 2>/dev/null; wait; rm -rf "$folder"' EXIT
trap 'exit 0' INT TERM

label() { # NAME COLOUR: puts a name before each line
  local start='' end=''
  if [[ $colours == yes ]]; then start=$'\e['$2m end=$'\e[0m'; fi
  while IFS= read -r line; do printf '%s%-11s%s %s\n' "$start" "$1" "$end" "$line"; done
}

# Waits until a command succeeds, as the guest's processor is an emulated one.
wait_for() { # COMMAND...
  for _ in $(seq 300); do
    "$@" >/dev/null 2>&1 && return
    sleep 0.1
  done
  fail 1 "no success in 30 s: $*"
}
status_says() { "$bin/touchroute" status | grep -qF "$1"; }

"$bin/touchrouted" --config config/examples/demo.toml --socket "$TOUCHROUTE_SOCKET" \
  --control-socket "$folder/control.sock" --log-level warning &
wait_for test -S "$folder/control.sock"

echo "The layout, as touchroute tree draws it:"
"$bin/touchroute" tree --config config/examples/demo.toml
echo
"$bin/touchroute" monitor > >(label monitor 2) &
wait_for status_says observ
"$bin/touchroute" listen home > >(label dashboard 36) &
"$bin/touchroute" listen media > >(label player 35) &
player=$!
wait_for status_says "holds home"
wait_for status_says "holds media"

mkfifo "$folder/finger"
"$bin/virtual-finger" 800 480 <"$folder/finger" | sed -u 1d &
finger=$!
exec 3>"$folder/finger"
play() { printf '%s\n' "$@" >&3; }

wait_for status_says "Virtual finger"
play "#" "# A tap on the gauges: nobody holds home/gauges, so its window's program gets it." \
  "tap 200 200" "wait 700" \
  "#" "# A tap on the play button: the player's." "tap 600 350" "wait 700" \
  "#" "# A drag that begins in media and ends on home stays the player's." \
  "drag 0 600 350 300 150 40" "wait 700" \
  "#" "# Two fingers, one on each window: each program gets its own." \
  "down 0 100 300" "down 1 500 300" "frame" "wait 50" "up 0" "up 1" "frame" "wait 700"
sleep 4
echo
echo "The player is killed. The next tap on its window has nobody up its chain, and never goes to what lies beneath:"
kill -9 "$player"
wait "$player" 2>/dev/null || true
play "wait 300" "tap 600 350" "wait 700"
sleep 1.5
exec 3>&-
wait "$finger"

if "$bin/touchroute" list-devices 2>/dev/null | grep -q touchscreen; then
  echo
  echo "There is a real touchscreen too: touch it. Ctrl-C ends the show."
  sleep infinity
fi
