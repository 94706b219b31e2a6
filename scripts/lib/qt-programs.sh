# shellcheck shell=bash
# Builds the plugin of clients/qt and the programs that its tests give it to: FOLDER, where what is there is
# brought up to date. Tests on this machine do so themselves; the guest's processor would take minutes.
set -euo pipefail
folder=$1
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$folder"
exec {lock}>"$folder/lock"
flock "$lock"
cmake -S "$root/Tests/Client/TouchClientTests/Programs/qt" -B "$folder" -DPLUGIN="$root/clients/qt" \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_COMPILE_WARNING_AS_ERROR=ON
cmake --build "$folder" -j 2
