# shellcheck shell=bash
# The show of scripts/demo, where there is a /dev/uinput: BIN-FOLDER here|guest.
set -euo pipefail
bin=$1 place=$2
folder=$(mktemp -d)
export TOUCHROUTE_SOCKET=$folder/client.sock
trap 'trap - EXIT; kill $(jobs -p) 2>/dev/null; wait; rm -rf "$folder"' EXIT
trap 'exit 0' INT TERM

label() { # NAME COLOUR: puts a name before each line
  local start='' end=''
  if [[ -t 1 || $place == guest ]]; then start=$'\e['$2m end=$'\e[0m'; fi
  while IFS= read -r line; do printf '%s%-11s%s %s\n' "$start" "$1" "$end" "$line"; done
}

"$bin/touchrouted" --config config/examples/demo.toml --socket "$folder/client.sock" \
  --control-socket "$folder/control.sock" --log-level warning &
for _ in $(seq 200); do
  [[ -S $folder/client.sock ]] && break
  sleep 0.05
done

echo "The layout, as touchroute tree draws it:"
"$bin/touchroute" tree --config config/examples/demo.toml
echo
"$bin/touchroute" listen home > >(label dashboard 36) &
"$bin/touchroute" listen media > >(label player 35) &
player=$!
TOUCHROUTE_SOCKET=$folder/control.sock "$bin/touchroute" monitor > >(label monitor 2) &
sleep 1

mkfifo "$folder/finger"
"$bin/virtual-finger" 800 480 <"$folder/finger" | sed -u 1d &
finger=$!
exec 3>"$folder/finger"
play() { printf '%s\n' "$@" >&3; }

play "wait 1500" "#" "# A tap on the gauges: nobody holds home/gauges, so its window's program gets it." \
  "tap 200 200" "wait 700" \
  "#" "# A tap on the play button: the player's." "tap 600 350" "wait 700" \
  "#" "# A drag that begins in media and ends on home stays the player's." \
  "drag 0 600 350 300 150 40" "wait 700" \
  "#" "# Two fingers, one on each window: each program gets its own." \
  "down 0 100 300" "down 1 500 300" "frame" "wait 50" "up 0" "up 1" "frame" "wait 700"
sleep 6
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
