# shellcheck shell=bash
# Writes the manual pages of the programs, from their help and from documents. Sourced, in the checkout's folder.

write_page() { # FOLDER VERSION DATE SECTION NAME WHAT-IT-IS SOURCE...
  local folder=$1 version=$2 date=$3 section=$4 name=$5 what=$6
  shift 6
  python3 -B scripts/lib/manpage.py "$name" "$section" "$date" "$version" "$what" "$@" >"$folder/$name.$section"
}

write_manual() { # PROGRAMS FOLDER VERSION DATE
  local programs=$1
  shift
  mkdir -p "$1"
  write_page "$@" 1 touchroute "sees, tests and steers touch routing" "$programs/touchroute" packaging/man/touchroute-more.md
  write_page "$@" 8 touchrouted "routes the touches of touchscreens to programs" \
    packaging/man/touchrouted.md "$programs/touchrouted" packaging/man/touchrouted-more.md
  write_page "$@" 5 touchroute.toml "the configuration of touchrouted" docs/configuration.md
  write_page "$@" 7 touchroute-protocol "what programs and touchrouted say to each other" docs/protocol.md
}
